//! Limits the length of code files, of pages and of functions.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use house_tests::{repository, tracked};

/// How many lines a file of code or a page of the documentation may have, tests included; a longer one covers more than
/// one subject.
const LONGEST: usize = 400;

/// How many lines a function may have outside of tests; a longer one does not fit on a screen.
const LONGEST_FUNCTION: usize = 95;

/// Generated files, and files that are data in the form of code. SAM packs and deploys one template.
const EXEMPT: &[&str] = &["web/src/api/schema.ts", "infra/template.yaml"];

/// How the names of files of code and of pages end.
const ENDINGS: &[&str] =
    &[".rs", ".ts", ".tsx", ".js", ".mjs", ".css", ".html", ".py", ".sh", ".yaml", ".md"];

#[test]
fn a_file_of_code_or_a_page_has_at_most_400_lines() {
    let code = |path: &String| {
        ENDINGS.iter().any(|ending| path.ends_with(ending)) && !EXEMPT.contains(&path.as_str())
    };
    let mut long = Vec::new();
    for path in tracked().into_iter().filter(code) {
        let lines = std::fs::read_to_string(repository().join(&path)).unwrap().lines().count();
        if lines > LONGEST {
            long.push(format!("{path}: {lines} lines"));
        }
    }
    assert!(long.is_empty(), "{}", long.join("\n"));
}

#[test]
fn a_function_of_the_product_fits_on_a_screen() {
    let product = |path: &String| {
        path.ends_with(".rs")
            && path.contains("/src/")
            && !path.starts_with("tests/")
            && !path.contains("/tests/")
            && !path.ends_with("/tests.rs")
    };
    let (mut read, mut long) = (0, Vec::new());
    for path in tracked().into_iter().filter(product) {
        let text = std::fs::read_to_string(repository().join(&path)).unwrap();
        let product = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
        for (first, name, lines) in functions(product) {
            read += 1;
            if lines > LONGEST_FUNCTION {
                long.push(format!("{path}:{first}: {name} has {lines} lines"));
            }
        }
    }
    assert!(read > 5_000, "the functions were not found: {read}");
    assert!(long.is_empty(), "split these by meaning:\n{}", long.join("\n"));
}

/// The functions of a formatted file: their first lines, from 1, their names and how many lines they have.
fn functions(text: &str) -> Vec<(usize, &str, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let named = |line: &'_ str| -> Option<(usize, usize)> {
        let code = line.trim_start();
        let at = line
            .find("fn ")
            .filter(|at| !line[..*at].contains(['/', '"', '(']) || code.starts_with("pub("));
        at.map(|at| (line.len() - code.len(), at + "fn ".len()))
    };
    let mut found = Vec::new();
    for (first, line) in lines.iter().enumerate() {
        let Some((indent, at)) = named(line) else { continue };
        let end = format!("{}}}", " ".repeat(indent));
        let Some(length) = lines[first..].iter().position(|line| *line == end) else { continue };
        let name = line[at..].split(|c: char| !c.is_alphanumeric() && c != '_').next();
        found.push((first + 1, name.unwrap_or_default(), length + 1));
    }
    found
}

#[test]
fn functions_are_counted_from_their_first_line_to_their_last() {
    let text =
        "impl A {\n    pub(crate) async fn one(&self) {\n        a();\n    }\n}\n\nfn two() {\n}\n";
    assert_eq!(functions(text), [(2, "one", 3), (7, "two", 2)]);
}
