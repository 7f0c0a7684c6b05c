//! A call of the REST API.

use super::draft::Draft;
use anyhow::{Result, ensure};
use clap::{Args, ValueEnum};
use std::path::Path;

/// What the recorded event of a call names in the place of each parameter.
const RECORDED_ID: &str = "4815162342";

/// Options of `cargo dev new endpoint`.
#[derive(Args)]
pub struct Endpoint {
    /// The function that answers it: a folder of `functions`
    group: String,
    /// What the handler is called, such as `weekly_costs`
    name: String,
    method: Method,
    /// Its path, such as `/projects/{id}/weekly-costs`; the project is `{id}`, or the header where there is none
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
             the TypeScript types.\n  3. Write into {} what it has to hold to. tests/api/tests/tenancy.rs tries every \
             call for an owner, a stranger and a visitor; give it values for new parameters.",
            self.group,
            self.name,
            self.test_file(),
        );
        Ok(())
    }

    fn draft<'a>(&self, root: &'a Path) -> Result<Draft<'a>> {
        self.check()?;
        let mut draft = Draft::new(root);
        let source = format!("functions/{}/src", self.group);
        let lib = draft.read(&format!("{source}/lib.rs"))?;
        ensure!(
            lib.contains("projects: Projects"),
            "the function {} reads no projects: add `projects: Projects` to its App first, as functions/validation has it",
            self.group
        );
        draft.create(&format!("{source}/{}.rs", self.name), self.handler())?;
        draft.add_sorted(&format!("{source}/lib.rs"), "mod ", &format!("mod {};", self.name))?;
        let route = format!("        .routes(routes!(crate::{0}::{0}))", self.name);
        draft.add_after(
            &format!("{source}/routes.rs"),
            |line| line.starts_with("fn api()"),
            |line| line.trim_start().starts_with(".routes("),
            &route,
        )?;
        self.add_to_template(&mut draft)?;
        let router = format!("\"{}\" = \"{}\"", self.path, self.group);
        if !draft.read("Cargo.toml")?.lines().any(|line| line == router) {
            let section = "[workspace.metadata.lambda.watch.router]";
            let of_group = |line: &str| line.starts_with('"');
            draft.add_after("Cargo.toml", |line| line == section, of_group, &router)?;
        }
        let event = self.event(&draft)?;
        draft.create(&format!("events/{}/{}.json", self.group, kebab(&self.name)), event)?;
        draft.create(&self.test_file(), self.test())?;
        draft.add_sorted("tests/api/tests/main.rs", "mod ", &format!("mod {};", self.name))?;
        Ok(draft)
    }

    fn check(&self) -> Result<()> {
        let is_name = self.name.starts_with(|first: char| first.is_ascii_lowercase())
            && self
                .name
                .chars()
                .all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == '_');
        ensure!(is_name, "`{}` is no name of a handler, such as weekly_costs", self.name);
        let segments = || self.path.split('/').skip(1);
        let is_path = self.path.starts_with('/')
            && segments().all(|one| {
                let one =
                    one.strip_prefix('{').and_then(|one| one.strip_suffix('}')).unwrap_or(one);
                !one.is_empty()
                    && one.chars().all(|it| it.is_ascii_alphanumeric() || "-_".contains(it))
            });
        ensure!(is_path, "`{}` is no path, such as /projects/{{id}}/weekly-costs", self.path);
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

    fn title(&self) -> String {
        self.title.clone().unwrap_or_else(|| capitalized(&self.name.replace('_', " ")))
    }

    fn test_file(&self) -> String {
        format!("tests/api/tests/{}.rs", self.name)
    }

    fn handler(&self) -> String {
        let parameters = self.parameters();
        let body = format!("{}Body", pascal(&self.name));
        let first = if parameters.is_empty() { "State" } else { "{Path, State}" };
        let documented = if parameters.is_empty() {
            String::new()
        } else {
            let one = |name: &&str| match *name {
                "id" => "(\"id\" = u64, Path, description = \"The project\")".to_owned(),
                other => format!("(\"{other}\" = String, Path, description = \"The {other}\")"),
            };
            let all: Vec<_> = parameters.iter().map(one).collect();
            format!("\n    params({}),", all.join(", "))
        };
        let taken = match parameters.as_slice() {
            [] => String::new(),
            [one] => format!("\n    Path({one}): Path<String>,"),
            several => {
                let types = vec!["String"; several.len()].join(", ");
                format!("\n    Path(({})): Path<({types})>,", several.join(", "))
            }
        };
        let others: Vec<_> = parameters.iter().filter(|name| **name != "id").collect();
        let fields: String = others
            .iter()
            .map(|name| {
                format!("    /// The {name}, as the path has it.\n    pub {name}: String,\n")
            })
            .collect();
        let given: String = others.iter().map(|name| format!(", {name}")).collect();
        let (caller, scope, imports, security) = if self.names_project() {
            (
                "    caller: Identity,",
                "    let scope = project_scope(&caller, &id)?;\n",
                "ApiError, ErrorBody, Identity, project_scope",
                "(\"session\" = [], \"installation\" = [])",
            )
        } else {
            (
                "    ProjectHeader(scope): ProjectHeader,",
                "",
                "ApiError, ErrorBody, ProjectHeader",
                "(\"session\" = [], \"installation\" = [], \"project\" = [])",
            )
        };
        format!(
            "//! {title}.

use crate::App;
use axum::extract::{first};
use domain::ProjectId;
use http_kit::{{{imports}}};
use serde::{{Deserialize, Serialize}};
use utoipa::ToSchema;

/// What the call answers.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct {body} {{
    /// The project.
    pub project_id: ProjectId,
{fields}}}

/// {title}
#[utoipa::path({method}, path = \"{path}\", tag = \"{group}\",{documented}
    security({security}),
    responses((status = 200, body = {body}), (status = 401, body = ErrorBody),
        (status = 404, body = ErrorBody)))]
pub(crate) async fn {name}(
    State(app): State<App>,
{caller}{taken}
) -> Result<axum::Json<{body}>, ApiError> {{
{scope}    app.projects.get(scope).await?.ok_or_else(ApiError::not_found)?;
    Ok(axum::Json({body} {{ project_id: scope.project{given} }}))
}}
",
            title = self.title(),
            method = self.method.as_str(),
            path = self.path,
            group = self.group,
            name = self.name,
        )
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
        // A function that streams gives every answer in that form.
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
        let of_events =
            |line: &str| line.starts_with("        ") && line.trim_end().ends_with("}}");
        draft.add_after("infra/template.yaml", |line| line == function, of_events, &event)
    }

    /// The call as API Gateway hands it on: another one of its form under this one's name.
    fn event(&self, draft: &Draft<'_>) -> Result<String> {
        let model = match (self.names_project(), self.method == Method::Get) {
            (true, true) => "events/projects/costs.json",
            (true, false) => "events/projects/duplicate.json",
            (false, true) => "events/planning/documents.json",
            (false, false) => "events/planning/restore-version.json",
        };
        let parameters = self.parameters();
        let filled = parameters.iter().fold(self.path.clone(), |path, name| {
            path.replace(&format!("{{{name}}}"), recorded(name))
        });
        let method = self.method.as_str().to_uppercase();
        let mut lines = Vec::new();
        let text = draft.read(model)?;
        let mut all = text.lines();
        while let Some(line) = all.next() {
            let key = line.trim_start().split(':').next().unwrap_or_default();
            let indent = &line[..line.len() - line.trim_start().len()];
            let with = |value: &str| format!("{indent}{key}: \"{value}\",");
            match key {
                "\"resource\"" | "\"resourcePath\"" => lines.push(with(&self.path)),
                "\"path\"" if indent.len() == 2 => lines.push(with(&filled)),
                "\"path\"" => lines.push(with(&format!("/api{filled}"))),
                "\"httpMethod\"" => lines.push(with(&method)),
                "\"pathParameters\"" => {
                    if line.ends_with('{') {
                        let _ = all.by_ref().take_while(|line| line.trim() != "},").count();
                    }
                    lines.push(path_parameters(indent, &parameters));
                }
                "\"body\"" => lines.push(format!("{indent}\"body\": null,")),
                _ => lines.push(line.to_owned()),
            }
        }
        Ok(lines.join("\n") + "\n")
    }

    fn test(&self) -> String {
        let filled = self
            .parameters()
            .iter()
            .filter(|name| **name != "id")
            .fold(self.path.clone(), |path, name| {
                path.replace(&format!("{{{name}}}"), recorded(name))
            });
        let path = if self.names_project() {
            format!("format!(\"{}\", project.id)", filled.replace("{id}", "{}"))
        } else {
            format!("\"{filled}\".to_owned()")
        };
        format!(
            "//! {title}.

use api_tests::World;
use reqwest::Method;

#[tokio::test]
async fn {name}_answers_for_its_project() {{
    let World {{ owner, .. }} = World::start().await;
    let project = owner.project(\"Shop\").await;
    let path = {path};
    let answer = project.call(Method::{method}, &path).send().await.is(200).json();
    assert_eq!(answer[\"project_id\"], project.id);
}}
",
            title = self.title(),
            method = self.method.as_str().to_uppercase(),
            name = self.name,
        )
    }
}

fn path_parameters(indent: &str, names: &[&str]) -> String {
    if names.is_empty() {
        return format!("{indent}\"pathParameters\": null,");
    }
    let one = |name: &&str| format!("{indent}  \"{name}\": \"{}\"", recorded(name));
    let all: Vec<_> = names.iter().map(one).collect();
    format!("{indent}\"pathParameters\": {{\n{}\n{indent}}},", all.join(",\n"))
}

/// What a recorded call has in the place of a parameter.
fn recorded(name: &str) -> &'static str {
    match name {
        "id" => RECORDED_ID,
        "document" => "requirements",
        _ => "1",
    }
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

fn pascal(name: &str) -> String {
    name.split(['-', '_']).map(capitalized).collect()
}

fn kebab(name: &str) -> String {
    name.replace('_', "-")
}
