//! The source of a call's handler and its test.

use super::event::recorded;
use super::{Endpoint, pascal};

impl Endpoint {
    pub(super) fn handler(&self) -> String {
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
            .map(|name| format!("    /// The {name} in the path.\n    pub {name}: String,\n"))
            .collect();
        let given: String = others.iter().map(|name| format!(", {name}")).collect();
        let (caller, scope, imports, security) = if self.names_project() {
            (
                "    caller: Identity,",
                "    let scope = project_scope(&caller, &id)?;\n",
                "ApiError, Identity, project_scope",
                "(\"session\" = [], \"installation\" = [])",
            )
        } else {
            (
                "    ProjectHeader(scope): ProjectHeader,",
                "",
                "ApiError, ProjectHeader",
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
    responses((status = 200, body = {body})))]
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

    pub(super) fn test(&self) -> String {
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
