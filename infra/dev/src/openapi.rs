//! The API's contract: from the functions' types to `web/openapi.json` to TypeScript.

use crate::step::{cargo, run, step};
use crate::{root, web};
use anyhow::{Context, Result, ensure};

/// Writes the document and the types.
pub fn write() -> Result<()> {
    let root = root();
    let document = step("Reading the functions' contract", || {
        let mut print = cargo();
        print.current_dir(&root).args([
            "run",
            "--quiet",
            "--package",
            "local-stack",
            "--bin",
            "openapi",
        ]);
        let output =
            print.stderr(std::process::Stdio::inherit()).output().context("cannot run cargo")?;
        ensure!(output.status.success(), "the contract could not be read");
        Ok(output.stdout)
    })?;
    std::fs::write(root.join("web/openapi.json"), document)?;
    web::packages(&root, "web")?;
    step("Writing the TypeScript types", || {
        run(web::npm(&root.join("web")).args(["run", "--silent", "api"]))
    })
}
