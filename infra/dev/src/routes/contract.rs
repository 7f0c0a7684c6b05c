//! Reads the calls of `web/openapi.json`.
//!
//! This program does not depend on a library for JSON, so that it builds in seconds. It reads the one form in which the
//! functions' contract is printed, by the indentation of its lines, and fails if it finds an operation in another form.

use super::Route;
use anyhow::{Context, Result, ensure};

const METHODS: [&str; 5] = ["get", "put", "post", "patch", "delete"];

/// The calls, in the contract's order: by path.
pub fn routes(contract: &str) -> Result<Vec<Route>> {
    let paths = contract.lines().skip_while(|line| *line != "  \"paths\": {").skip(1);
    let lines: Vec<&str> = paths.take_while(|line| *line != "  },").collect();
    let (mut path, mut method, mut operations) = ("", "", 0);
    let mut function = None;
    let mut routes = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let text = line.trim_start();
        match (line.len() - text.len(), quoted(text, 0)) {
            (4, Some(key)) => path = key,
            (6, Some(key)) if METHODS.contains(&key) => {
                (method, function) = (key, None);
                operations += 1;
            }
            (8, Some("tags")) => function = lines.get(at + 1).and_then(|line| quoted(line, 0)),
            (8, Some("operationId")) => routes.push(Route {
                method: method.to_owned(),
                path: path.to_owned(),
                function: function.with_context(|| format!("{method} {path} has no tag"))?.into(),
                handler: quoted(text, 1).unwrap_or_default().to_owned(),
            }),
            _ => {}
        }
    }
    ensure!(
        operations > 0 && operations == routes.len(),
        "{} has an unexpected form: {} of {operations} calls have a name",
        super::CONTRACT,
        routes.len()
    );
    Ok(routes)
}

/// One of the texts between quotation marks in a line.
fn quoted(line: &str, which: usize) -> Option<&str> {
    line.split('"').nth(2 * which + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONTRACT: &str = r#"{
  "paths": {
    "/things/{id}": {
      "get": {
        "tags": [
          "shop"
        ],
        "operationId": "thing",
        "parameters": [
          {
            "name": "get"
          }
        ]
      },
      "delete": {
        "tags": [
          "shop"
        ],
        "operationId": "remove_thing"
      }
    }
  },
  "components": {
    "operationId": {}
  }
}
"#;

    #[test]
    fn each_call_has_its_path_method_function_and_handler() {
        let route = |method: &str, handler: &str| Route {
            method: method.to_owned(),
            path: "/things/{id}".to_owned(),
            function: "shop".to_owned(),
            handler: handler.to_owned(),
        };
        let wanted = [route("get", "thing"), route("delete", "remove_thing")];
        assert_eq!(routes(CONTRACT).unwrap(), wanted);
    }

    #[test]
    fn a_call_without_a_tag_or_a_name_is_refused() {
        let tag = "        \"tags\": [\n          \"shop\"\n        ],\n";
        let refused = routes(&CONTRACT.replacen(tag, "", 1)).unwrap_err().to_string();
        assert!(refused.contains("get /things/{id}"), "{refused}");
        for form in [CONTRACT.replacen("operationId", "name", 1), "{\"paths\":{}}".to_owned()] {
            assert!(routes(&form).unwrap_err().to_string().contains("unexpected form"));
        }
    }
}
