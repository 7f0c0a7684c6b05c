//! A call of the REST API.

mod event;
mod source;

use super::draft::Draft;
use crate::names::{capitalized, is_identifier, kebab, pascal};
use crate::routes::{CONTRACT, Route, of_contract};
use anyhow::{Context, Result, bail, ensure};
use clap::{Args, ValueEnum};
use std::path::Path;

/// How a function's `routes.rs` begins the list of its calls.
const CALLS: &str = "fn api()";

/// The variables that the handler has in any case, and the field that its answer has.
const IN_HANDLER: &[&str] = &["app", "caller", "scope", "project_id"];

/// Options of `cargo dev new endpoint`.
#[derive(Args)]
pub struct Endpoint {
    /// The function that answers it: a folder of `functions`
    pub(super) group: String,
    /// The handler's name, such as `weekly_costs`
    pub(super) name: String,
    method: Method,
    /// Its path, such as `/projects/{id}/weekly-costs`; the project is `{id}`, or in the header if the path has no
    /// `{id}`
    path: String,
    /// What it does, in a few words; the contract's summary
    #[arg(long)]
    title: Option<String>,
}

#[derive(Clone, Copy, ValueEnum, PartialEq)]
enum Method {
    Get,
    Post,
    Put,
    Patch,
    Delete,
}

impl Method {
    fn as_str(self) -> &'static str {
        match self {
            Self::Get => "get",
            Self::Post => "post",
            Self::Put => "put",
            Self::Patch => "patch",
            Self::Delete => "delete",
        }
    }
}

impl Endpoint {
    /// Writes the skeleton into the tree at `root`.
    pub fn write(&self, root: &Path) -> Result<()> {
        let draft = self.draft(root)?;
        println!("Written:");
        draft.write()?;
        println!(
            "\nNext:\n  1. Write what it does into functions/{}/src/{}.rs, and give the function's role in \
             infra/template.yaml the rights for it.\n  2. cargo fmt --all, then cargo dev openapi for the contract, the \
             routes and the TypeScript types.\n  3. State in {} what the call guarantees. tests/api/tests/tenancy.rs tries every \
             call for an owner, a stranger and a visitor; give it values for new parameters.",
            self.group,
            self.name,
            self.test_file(),
        );
        Ok(())
    }

    /// The changes to the tree at `root`.
    pub(super) fn draft<'a>(&self, root: &'a Path) -> Result<Draft<'a>> {
        self.check()?;
        let mut draft = Draft::new(root);
        self.add_to(&mut draft)?;
        Ok(draft)
    }

    /// Adds the call to a function that exists or that the draft adds.
    pub(super) fn add_to(&self, draft: &mut Draft<'_>) -> Result<()> {
        let source = format!("functions/{}/src", self.group);
        self.check_function(draft)?;
        self.check_new(draft)?;
        draft.create(&format!("{source}/{}.rs", self.name), self.handler())?;
        draft.add_sorted(&format!("{source}/lib.rs"), "mod ", &format!("mod {};", self.name))?;
        let routes =
            |line: &str| line.trim_start().starts_with(".routes(") || line.contains("Api::new()");
        draft.add_after(
            &format!("{source}/routes.rs"),
            |line| line.starts_with(CALLS),
            routes,
            &format!("        .routes(routes!(crate::{0}::{0}))", self.name),
        )?;
        let event = self.event(draft)?;
        draft.create(&format!("events/{}/{}.json", self.group, kebab(&self.name)), event)?;
        draft.create(&self.test_file(), self.test())?;
        draft.add_sorted("tests/api/tests/main.rs", "mod ", &format!("mod {};", self.name))?;
        self.list_as_cheap(draft)?;
        self.count_calls(draft)
    }

    /// Refuses a function to which the skeleton cannot be added, and says what to do.
    fn check_function(&self, draft: &Draft<'_>) -> Result<()> {
        let group = &self.group;
        let source = format!("functions/{group}/src");
        let lib = draft.read(&format!("{source}/lib.rs")).with_context(|| {
            format!(
                "there is no function {group}: name a folder of functions, or add one with cargo dev new function"
            )
        })?;
        let routes = draft.read(&format!("{source}/routes.rs")).unwrap_or_default();
        ensure!(
            routes.lines().any(|line| line.starts_with(CALLS)),
            "the function {group} serves no calls of the REST API: name one whose src/routes.rs has `{CALLS}`, or add one \
             with cargo dev new function"
        );
        ensure!(
            lib.contains("projects: Projects"),
            "the new call reads its project, and the function {group} reads none. Add these first:\n  \
             {source}/lib.rs: `use store::projects::Projects;`, `projects: Projects` in App, and \
             `projects: Projects::new(&table)` where App is built\n  \
             infra/template.yaml: to {0}Role, if it lacks it, `dynamodb:GetItem` on the table for keys that match \
             `I#*`, as in DocumentationRole",
            pascal(group)
        );
        Ok(())
    }

    /// The line for a GET in the list of reads without a limit; the skeleton's handler reads one row.
    fn list_as_cheap(&self, draft: &mut Draft<'_>) -> Result<()> {
        if self.method != Method::Get {
            return Ok(());
        }
        let begin = |line: &str| line.starts_with("const CHEAP: ");
        let entry = |line: &str| line.starts_with("    (\"GET ");
        let line = format!("    (\"GET {}\", ROWS),", self.path);
        draft.add_after("tests/api/tests/reads.rs", begin, entry, &line)
    }

    /// The row of `docs/store-calls.md` for the table reads of the skeleton's handler. A test counts them.
    fn count_calls(&self, draft: &mut Draft<'_>) -> Result<()> {
        let name = format!("{} {}", self.method.as_str().to_uppercase(), self.path);
        let counted = match self.method {
            Method::Get => "200 | 3 | BatchGetItem, 2 GetItem | 5",
            _ => {
                let line = format!("    costs.count(project, \"{name}\", None).await;");
                let first = |line: &str| line.starts_with("    project.has_requirements()");
                let begin = |line: &str| line.starts_with("async fn plan(");
                draft.add_after("tests/bench/tests/store_calls/story.rs", begin, first, &line)?;
                "200 | 4 | BatchGetItem, 2 GetItem, UpdateItem | 6"
            }
        };
        let (head, row) = ("| call | answer |", format!("| `{name}` | {counted} |"));
        draft.add_row("docs/store-calls.md", head, &row)
    }

    /// Refuses names that would not compile.
    pub(super) fn check(&self) -> Result<()> {
        ensure!(
            is_identifier(&self.name, '_'),
            "`{}` cannot name a handler; use a name such as weekly_costs that is not a keyword of Rust",
            self.name
        );
        let is_part = |one: &str| {
            !one.is_empty() && one.chars().all(|it| it.is_ascii_alphanumeric() || "-_".contains(it))
        };
        let is_path = self.path.starts_with('/')
            && self.path.split('/').skip(1).all(|one| is_part(parameter(one).unwrap_or(one)));
        ensure!(
            is_path,
            "`{}` is not a path; use one such as /projects/{{id}}/weekly-costs",
            self.path
        );
        let parameters = self.parameters();
        for name in &parameters {
            let once = parameters.iter().filter(|other| *other == name).count() == 1;
            ensure!(
                is_identifier(name, '_') && once && !IN_HANDLER.contains(name),
                "`{{{name}}}` cannot name a parameter: the handler has a variable for each, so use different names such \
                 as week_number that are not keywords of Rust and none of {IN_HANDLER:?}"
            );
        }
        Ok(())
    }

    /// Refuses a call that the contract already has, under any names of its parameters.
    fn check_new(&self, draft: &Draft<'_>) -> Result<()> {
        let form = |path: &str| {
            let part = |one| if parameter(one).is_some() { "{}" } else { one };
            path.split('/').map(part).collect::<Vec<_>>().join("/")
        };
        let method = self.method.as_str();
        let routes = of_contract(&draft.read(CONTRACT)?)?;
        let taken = routes
            .iter()
            .find(|route| route.method == method && form(&route.path) == form(&self.path));
        if let Some(Route { path, .. }) = taken {
            bail!("the contract already has {method} {path}");
        }
        Ok(())
    }

    fn parameters(&self) -> Vec<&str> {
        self.path.split('/').filter_map(parameter).collect()
    }

    fn names_project(&self) -> bool {
        self.parameters().contains(&"id")
    }

    pub(super) fn title(&self) -> String {
        self.title.clone().unwrap_or_else(|| capitalized(&self.name.replace('_', " ")))
    }

    pub(super) fn test_file(&self) -> String {
        format!("tests/api/tests/{}.rs", self.name)
    }
}

/// The name of a parameter in a path, if this part is one.
fn parameter(part: &str) -> Option<&str> {
    part.strip_prefix('{')?.strip_suffix('}')
}
