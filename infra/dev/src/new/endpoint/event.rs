//! The recorded event of a call, as API Gateway passes it on.

use super::{Draft, Endpoint, Method};
use anyhow::Result;

/// The values that the recorded event has for each parameter.
const RECORDED_ID: &str = "4815162342";

impl Endpoint {
    /// Another recorded call of the same form, under this call's name.
    pub(super) fn event(&self, draft: &Draft<'_>) -> Result<String> {
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
}

fn path_parameters(indent: &str, names: &[&str]) -> String {
    if names.is_empty() {
        return format!("{indent}\"pathParameters\": null,");
    }
    let one = |name: &&str| format!("{indent}  \"{name}\": \"{}\"", recorded(name));
    let all: Vec<_> = names.iter().map(one).collect();
    format!("{indent}\"pathParameters\": {{\n{}\n{indent}}},", all.join(",\n"))
}

/// The value of a parameter in a recorded call.
pub(super) fn recorded(name: &str) -> &'static str {
    match name {
        "id" => RECORDED_ID,
        "document" => "requirements",
        _ => "1",
    }
}
