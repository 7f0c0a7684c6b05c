//! A call of the REST API.

mod event;
mod source;

use super::draft::Draft;
use crate::names::{capitalized, is_name, kebab, pascal};
use anyhow::{Context, Result, ensure};
use clap::{Args, ValueEnum};
use std::path::Path;

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
             infra/template.yaml the rights for it.\n  2. cargo fmt --all, then cargo dev openapi for the contract and \
             the TypeScript types.\n  3. State in {} what the call guarantees. tests/api/tests/tenancy.rs tries every \
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
        let lib = draft.read(&format!("{source}/lib.rs")).with_context(|| {
            format!(
                "there is no function {}: name a folder of functions, or add one with cargo dev new function",
                self.group
            )
        })?;
        ensure!(
            lib.contains("projects: Projects"),
            "the function {} reads no projects: add `projects: Projects` to its App first, as in functions/validation",
            self.group
        );
        draft.create(&format!("{source}/{}.rs", self.name), self.handler())?;
        draft.add_sorted(&format!("{source}/lib.rs"), "mod ", &format!("mod {};", self.name))?;
        let routes = |line: &str| {
            [".routes(", "Api::new()"].iter().any(|one| line.trim_start().starts_with(one))
        };
        draft.add_after(
            &format!("{source}/routes.rs"),
            |line| line.starts_with("fn api()"),
            routes,
            &format!("        .routes(routes!(crate::{0}::{0}))", self.name),
        )?;
        self.add_to_template(draft)?;
        let router = format!("\"{}\" = \"{}\"", self.path, self.group);
        if !draft.read("Cargo.toml")?.lines().any(|line| line == router) {
            let section = "[workspace.metadata.lambda.watch.router]";
            let of_group = |line: &str| line.starts_with('"');
            draft.add_after("Cargo.toml", |line| line == section, of_group, &router)?;
        }
        let event = self.event(draft)?;
        draft.create(&format!("events/{}/{}.json", self.group, kebab(&self.name)), event)?;
        draft.create(&self.test_file(), self.test())?;
        draft.add_sorted("tests/api/tests/main.rs", "mod ", &format!("mod {};", self.name))?;
        self.list_as_cheap(draft)?;
        self.count_calls(draft)
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
            Method::Get => "200 | 2 | 2 GetItem | 2",
            _ => {
                let line = format!("    costs.count(project, \"{name}\", None).await;");
                let first = |line: &str| line.starts_with("    project.has_requirements()");
                let begin = |line: &str| line.starts_with("async fn plan(");
                draft.add_after("tests/bench/tests/store_calls/story.rs", begin, first, &line)?;
                "200 | 3 | 2 GetItem, UpdateItem | 3"
            }
        };
        let (head, row) = ("| call | answer |", format!("| `{name}` | {counted} |"));
        draft.add_row("docs/store-calls.md", head, &row)
    }

    /// Refuses names that would not compile.
    pub(super) fn check(&self) -> Result<()> {
        ensure!(
            is_name(&self.name, '_'),
            "`{}` cannot name a handler; use a name such as weekly_costs",
            self.name
        );
        let segments = || self.path.split('/').skip(1);
        let is_path = self.path.starts_with('/')
            && segments().all(|one| {
                let one =
                    one.strip_prefix('{').and_then(|one| one.strip_suffix('}')).unwrap_or(one);
                !one.is_empty()
                    && one.chars().all(|it| it.is_ascii_alphanumeric() || "-_".contains(it))
            });
        ensure!(
            is_path,
            "`{}` is not a path; use one such as /projects/{{id}}/weekly-costs",
            self.path
        );
        Ok(())
    }

    fn parameters(&self) -> Vec<&str> {
        self.path
            .split('/')
            .filter_map(|one| one.strip_prefix('{').and_then(|one| one.strip_suffix('}')))
            .collect()
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

    fn add_to_template(&self, draft: &mut Draft<'_>) -> Result<()> {
        let function = format!("  {}Function:", pascal(&self.group));
        let template = draft.read("infra/template.yaml")?;
        let block: String = template
            .lines()
            .skip_while(|line| *line != function)
            .take_while(|line| !line.is_empty())
            .map(|line| format!("{line}\n"))
            .collect();
        ensure!(
            !block.contains(&format!("Method: {}, Path: '{}'", self.method.as_str(), self.path)),
            "{} {} is in the template already",
            self.method.as_str(),
            self.path
        );
        // A streaming function sends every answer in that form.
        let streams = block.contains("ResponseTransferMode: RESPONSE_STREAM");
        let id = pascal(&self.name);
        let (method, path) = (self.method.as_str(), &self.path);
        let event = if streams {
            format!(
                "        {id}:\n          {{Type: Api, Properties: {{RestApiId: !Ref RestApi, Method: {method}, Path: '{path}',\n            \
                 ResponseTransferMode: RESPONSE_STREAM, TimeoutInMillis: 900000}}}}"
            )
        } else {
            format!(
                "        {id}: {{Type: Api, Properties: {{RestApiId: !Ref RestApi, Method: {method}, Path: '{path}'}}}}"
            )
        };
        let of_events = |line: &str| {
            line == "      Events:"
                || line.starts_with("        ") && line.trim_end().ends_with("}}")
        };
        draft.add_after("infra/template.yaml", |line| line == function, of_events, &event)
    }
}
