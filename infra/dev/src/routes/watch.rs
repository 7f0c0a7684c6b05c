//! The router of `cargo lambda watch` in `Cargo.toml`: the function of each path.

use super::{Route, merged, with_lines};
use anyhow::{Context, Result, ensure};
use std::collections::BTreeMap;

const SECTION: &str = "[workspace.metadata.lambda.watch.router]";

/// The workspace's manifest with these routes.
pub fn updated(manifest: &str, routes: &[Route]) -> Result<String> {
    let lines: Vec<&str> = manifest.lines().collect();
    let section = lines.iter().position(|line| *line == SECTION);
    let start = section.with_context(|| format!("Cargo.toml has no {SECTION}"))? + 1;
    let end = start + lines[start..].iter().take_while(|line| !line.is_empty()).count();
    let entry = |line: &&str| (line.split('"').nth(1).map(str::to_owned), (*line).to_owned());
    let present = lines[start..end].iter().map(entry).collect();
    Ok(with_lines(&lines, start..end, &merged(present, wanted(routes)?)))
}

/// Each path with its line, in the contract's order.
fn wanted(routes: &[Route]) -> Result<Vec<(String, String)>> {
    let mut functions = BTreeMap::new();
    for Route { path, function, .. } in routes {
        let first = functions.entry(path.clone()).or_insert(function);
        ensure!(
            *first == function,
            "{path} has calls of two functions, {first} and {function}, but one function answers each path"
        );
    }
    let line = |(path, function)| {
        let line = format!("\"{path}\" = \"{function}\"");
        (path, line)
    };
    Ok(functions.into_iter().map(line).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn route(path: &str, function: &str) -> Route {
        let [method, handler] = ["get".to_owned(), "thing".to_owned()];
        Route { method, path: path.to_owned(), function: function.to_owned(), handler }
    }

    #[test]
    fn paths_come_go_and_change_their_function() {
        let manifest =
            format!("a = 1\n\n{SECTION}\n# Kept.\n\"/b\" = \"one\"\n\"/c\" = \"one\"\n\nz = 1\n");
        let routes = [route("/a", "one"), route("/b", "two"), route("/b/{id}", "two")];
        let expected = format!(
            "a = 1\n\n{SECTION}\n\"/a\" = \"one\"\n# Kept.\n\"/b\" = \"two\"\n\"/b/{{id}}\" = \"two\"\n\nz = 1\n"
        );
        assert_eq!(updated(&manifest, &routes).unwrap(), expected);
        assert!(updated("a = 1\n", &routes).is_err());
    }

    #[test]
    fn one_path_has_one_function() {
        let refused = wanted(&[route("/a", "one"), route("/a", "two")]).unwrap_err();
        assert!(refused.to_string().contains("one and two"), "{refused}");
    }
}
