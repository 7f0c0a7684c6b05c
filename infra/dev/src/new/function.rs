//! A Lambda function of the REST API, with its first call.

mod alarms;
mod template;

use super::draft::Draft;
use super::endpoint::Endpoint;
use crate::names::{is_identifier, snake};
use anyhow::{Context, Result, ensure};
use clap::Args;
use std::path::Path;

/// Options of `cargo dev new function`: the function's name, then its first call.
#[derive(Args)]
pub struct Function {
    #[command(flatten)]
    first: Endpoint,
}

impl Function {
    /// Writes the skeleton into the tree at `root`.
    pub fn write(&self, root: &Path) -> Result<()> {
        let draft = self.draft(root)?;
        println!("Written:");
        draft.write()?;
        println!(
            "\nNext:\n  1. Say in functions/{0}/src/lib.rs, in README.md's table and in the template's Description what \
             the function is for, and write what its first call does into functions/{0}/src/{1}.rs.\n  2. Give its role in \
             infra/template.yaml the rights that it uses, and no others.\n  3. cargo fmt --all, then cargo dev openapi \
             for the contract, the routes and the TypeScript types.\n  4. State in {2} what the call guarantees.",
            self.first.group,
            self.first.name,
            self.first.test_file(),
        );
        Ok(())
    }

    /// The changes to the tree at `root`.
    pub(super) fn draft<'a>(&self, root: &'a Path) -> Result<Draft<'a>> {
        let name = &self.first.group;
        self.first.check()?;
        ensure!(
            is_identifier(name, '-'),
            "`{name}` cannot name a function; use a name such as project-states that is not a keyword of Rust"
        );
        let mut draft = Draft::new(root);
        let crates = draft.read("Cargo.toml")?;
        ensure!(
            !crates.lines().any(|line| line.starts_with(&format!("{name} = "))),
            "`{name}` cannot name a function: the workspace has a crate of that name"
        );
        let folder = format!("functions/{name}");
        draft.create(&format!("{folder}/Cargo.toml"), manifest(name))?;
        draft.create(&format!("{folder}/src/main.rs"), main(name))?;
        draft.create(&format!("{folder}/src/lib.rs"), self.lib())?;
        draft.create(&format!("{folder}/src/routes.rs"), ROUTES.to_owned())?;
        template::add(&mut draft, name)?;
        add_to_local_stack(&mut draft, name)?;
        add_to_readme(&mut draft, name, &self.first.title())?;
        self.first.add_to(&mut draft)?;
        Ok(draft)
    }

    fn lib(&self) -> String {
        format!("//! {}.\n{LIB}", self.first.title())
    }
}

fn add_to_local_stack(draft: &mut Draft<'_>, name: &str) -> Result<()> {
    let (manifest, of_functions) = ("infra/local/Cargo.toml", "path = \"../../functions/");
    let dependency = format!("{name} = {{ path = \"../../functions/{name}\" }}");
    draft.add_after(
        manifest,
        |line| line == "# the functions",
        |line| line.contains(of_functions),
        &dependency,
    )?;
    let module = snake(name);
    let router = |line: &str| line.contains("let rest = Router::new()");
    let merged = format!("            .merge({module}::routes({module}::App::from_env().await?))");
    draft.add_after("infra/local/src/functions.rs", router, router, &merged)?;
    let parts = |line: &str| line.trim_start().starts_with("let parts = [");
    let document = |line: &str| line.trim_end().ends_with("::openapi(),");
    let part = format!("        {module}::openapi(),");
    draft.add_after("infra/local/src/openapi.rs", parts, document, &part)
}

/// Adds the function to the README's table and diagram, which `tests/house` compares with the folder `functions`.
fn add_to_readme(draft: &mut Draft<'_>, name: &str, title: &str) -> Result<()> {
    const README: &str = "README.md";
    let (table, row) = ("| function |", format!("| `{name}` | {title} |"));
    draft.add_after(README, |line| line.starts_with(table), |line| line.starts_with('|'), &row)?;
    let readme = draft.read(README)?;
    let (line, drawn) = with_name(&readme, name)
        .with_context(|| format!("{README}'s diagram has no room for `{name}`: make some first"))?;
    draft.replace(README, &line, &drawn)
}

/// The last line of the diagram's functions behind the REST API, and that line with one more name: the name takes the
/// place of spaces, so the frame stays aligned. `None` if there is no such line, or too little room.
fn with_name(readme: &str, name: &str) -> Option<(String, String)> {
    let functions = readme.lines().skip_while(|line| !line.contains("REST API ──▶"));
    let line = functions.take_while(|line| line.contains(char::is_alphanumeric)).last()?;
    let addition = format!(" · {name}");
    let end = line.rfind(|c: char| c.is_ascii_alphanumeric())? + 1;
    let (before, after) = line.split_at(end);
    let rest = after.strip_prefix(&" ".repeat(addition.chars().count()))?;
    Some((line.to_owned(), format!("{before}{addition}{rest}")))
}

fn manifest(name: &str) -> String {
    format!(
        "[package]
name = \"{name}\"
version.workspace = true
edition.workspace = true
rust-version.workspace = true
license.workspace = true
publish.workspace = true

# Neither has tests of its own: the API tests call the function.
[lib]
test = false

[[bin]]
name = \"{name}\"
test = false

[dependencies]
domain.workspace = true
http-kit.workspace = true
settings.workspace = true
store.workspace = true
axum.workspace = true
lambda_http.workspace = true
serde.workspace = true
tokio.workspace = true
utoipa.workspace = true

[lints]
workspace = true
"
    )
}

fn main(name: &str) -> String {
    format!(
        "//! The Lambda function `{name}`.

#[tokio::main]
async fn main() -> Result<(), lambda_http::Error> {{
    http_kit::init_telemetry();
    let app = {0}::App::from_env().await?;
    lambda_http::run(http_kit::finish({0}::routes(app))).await
}}
",
        snake(name)
    )
}

/// The source of a function's state, with access to its callers and to projects.
const LIB: &str = "
mod routes;

use axum::extract::FromRef;
use http_kit::Gatekeeper;
use settings::ConfigError;
use store::projects::Projects;

pub use routes::{openapi, routes};

/// The function's state.
#[derive(Clone)]
pub struct App {
    gatekeeper: Gatekeeper,
    projects: Projects,
}

impl App {
    /// From the environment.
    pub async fn from_env() -> Result<Self, ConfigError> {
        let table = store::Table::from_env(&settings::sdk_config().await)?;
        Ok(Self { gatekeeper: Gatekeeper::from_env(&table), projects: Projects::new(&table) })
    }
}

impl FromRef<App> for Gatekeeper {
    fn from_ref(app: &App) -> Self {
        app.gatekeeper.clone()
    }
}
";

const ROUTES: &str = "//! The function's calls.

use crate::App;
use axum::Router;
use http_kit::{Api, routes};

fn api() -> Api<App> {
    Api::new()
}

/// The function's router.
pub fn routes(app: App) -> Router {
    api().router(app)
}

/// The function's part of the contract.
pub fn openapi() -> utoipa::openapi::OpenApi {
    api().openapi()
}
";

#[cfg(test)]
mod tests {
    use super::with_name;

    #[test]
    fn a_name_in_the_diagram_takes_the_place_of_spaces() {
        let readme = " a ──▶ REST API ──▶ b  │\n │      c           │\n │                  ▼\n";
        let (line, drawn) = with_name(readme, "d-e").unwrap();
        assert_eq!(
            (line.as_str(), drawn.as_str()),
            (" │      c           │", " │      c · d-e     │")
        );
        assert_eq!(with_name(readme, "a-name-that-is-too-long"), None);
    }
}
