//! Writes the contract and what follows from it: the routes in `Cargo.toml` and `infra/template.yaml`, and in TypeScript
//! the API's types, the WebSocket's from `shared/protocol`, and the sentences that the page and the API share from
//! `shared/domain`.

use crate::step::{build_programs, cargo, program, run, step};
use crate::{root, routes, web};
use anyhow::{Context, Result, ensure};

/// Writes the document, the routes and the types.
pub fn write() -> Result<()> {
    let root = root();
    let document = step("Reading the functions' contract", || {
        run(build_programs(&root).args(["--bin", "openapi"]))?;
        let mut print = program(&root, "openapi");
        let output =
            print.stderr(std::process::Stdio::inherit()).output().context("cannot run it")?;
        ensure!(output.status.success(), "the contract could not be read");
        Ok(output.stdout)
    })?;
    std::fs::write(root.join(routes::CONTRACT), document)?;
    routes::write(&root)?;
    web::packages(&root, "web")?;
    step("Writing the TypeScript types", || {
        run(web::npm(&root.join("web")).args(["run", "--silent", "api"]))?;
        // Tests generate them, so that no function links the TypeScript generator.
        let mut types = cargo();
        types.current_dir(&root).env("GROUNDCREW_WRITE_TYPES", "1");
        run(types.args(["test", "--quiet", "--package", "protocol", "--lib", "typescript"]))
    })
}
