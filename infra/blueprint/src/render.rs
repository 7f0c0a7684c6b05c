//! Fills in placeholders, and puts files into scripts.
//!
//! The placeholder `@port@` is replaced by the value `port`. A line `#@write service.py hello/service.py` in a script
//! becomes a here-document that writes exactly that file.

use crate::catalogue::{Blueprint, Step, Values, additions};

/// Fills in every known placeholder of a template.
pub fn fill(template: &str, values: &Values) -> String {
    let mut filled = String::with_capacity(template.len());
    let mut rest = template;
    while let Some(start) = rest.find('@') {
        filled.push_str(&rest[..start]);
        rest = &rest[start + 1..];
        let known = rest.split_once('@').and_then(|(key, after)| Some((values.get(key)?, after)));
        match known {
            Some((value, after)) => {
                filled.push_str(value);
                rest = after;
            }
            None => filled.push('@'),
        }
    }
    filled.push_str(rest);
    filled
}

/// The complete script of a step.
pub fn script(blueprint: &Blueprint, step: &Step, values: &Values) -> String {
    let mut script = String::new();
    for line in step.script.lines() {
        match line.strip_prefix("#@write ").and_then(|order| order.split_once(' ')) {
            Some((name, target)) => {
                let content = file(blueprint, name, values);
                script.push_str(&here_document(&fill(target, values), &content));
            }
            None => script.push_str(&fill(line, values)),
        }
        script.push('\n');
    }
    script
}

/// One script that does the work of both, in order.
pub fn joined(first: &str, second: &str) -> String {
    let rest: Vec<&str> = second
        .lines()
        .filter(|line| !line.starts_with("#!") && *line != "set -euo pipefail")
        .collect();
    format!("{}\n\n{}\n", first.trim_end(), rest.join("\n").trim())
}

/// A number up to twelve as a capitalized word, and a larger one in digits.
pub fn number(number: usize) -> String {
    const WORDS: &[&str] = &[
        "No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten",
        "Eleven", "Twelve",
    ];
    WORDS.get(number).map_or_else(|| number.to_string(), |word| word.to_string())
}

/// A file of the blueprint or of an addition, with its placeholders filled in.
fn file(blueprint: &Blueprint, name: &str, values: &Values) -> String {
    let added = additions::all().flat_map(|addition| addition.files);
    let mut files = blueprint.files.iter().copied().flatten().chain(added);
    let content = files.find(|(file, _)| *file == name).map_or("", |(_, content)| content);
    fill(content, values)
}

/// A here-document that writes the content to a file. Its delimiter is quoted, so the shell does not expand anything in
/// the content.
fn here_document(target: &str, content: &str) -> String {
    let mut delimiter = String::from("END_OF_FILE");
    while content.lines().any(|line| line == delimiter) {
        delimiter.push('_');
    }
    let newline = if content.ends_with('\n') || content.is_empty() { "" } else { "\n" };
    format!("cat >{target} <<'{delimiter}'\n{content}{newline}{delimiter}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_placeholders_are_filled_and_others_stay() {
        let values = Values::from([("port".into(), "8080".into()), ("path".into(), "/h".into())]);
        assert_eq!(fill("a@b @port@@path@ @x@ 1@", &values), "a@b 8080/h @x@ 1@");
        assert_eq!(fill("admin@host:@port@", &values), "admin@host:8080");
    }

    #[test]
    fn a_here_document_may_contain_its_delimiter() {
        let text = here_document("f", "END_OF_FILE\n");
        assert!(text.starts_with("cat >f <<'END_OF_FILE_'\n") && text.ends_with("\nEND_OF_FILE_"));
    }
}
