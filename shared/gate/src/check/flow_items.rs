//! Finds items that a list or a mapping in brackets reads as something else: `{name: a, port:80}`, whose second key is
//! `port:80`, and texts of a list in TOML without a comma between them.

use super::{FILES, error};
use crate::places::is_yaml;
use crate::{Unit, Written};
use domain::gate::Finding;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for file in unit.written() {
        let found = if is_yaml(file) {
            tight(file)
        } else if file.extension() == "toml" {
            uncounted(file)
        } else {
            continue;
        };
        for (line, message) in found {
            findings.push(error(FILES, message).at(Some(&file.path), line));
        }
    }
}

/// Keys of a mapping in braces without a space after the colon, next to others that have one.
fn tight(file: &Written) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (at, line) in file.text.lines().enumerate() {
        let line = line.trim();
        let Some(start) = line.find('{').filter(|at| line[..*at].ends_with([' ', '[']) || *at == 0)
        else {
            continue;
        };
        let quoted =
            line.contains(['"', '\'', '$', '#']) || line.contains("{{") || line.contains("{%");
        let items = line[start + 1..].trim_end_matches(['}', ']', ',', ' ']);
        if quoted || items.contains(['{', '[', '(']) || !items.contains(": ") {
            continue;
        }
        for item in items.split(',').map(str::trim) {
            let Some((key, value)) = item.split_once(':') else { continue };
            let name = !key.is_empty()
                && key
                    .bytes()
                    .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"_-".contains(&b));
            if name && !value.is_empty() && !value.starts_with([' ', '/', ':']) {
                found.push((at + 1, format!("Put a space after the colon: `{key}: {value}`.")));
            }
        }
    }
    found
}

/// Texts of a list that follow each other without a comma.
fn uncounted(file: &Written) -> Vec<(usize, String)> {
    let lone = |line: &str| {
        let line = line.trim();
        line.len() > 2
            && line.starts_with('"')
            && line.trim_end_matches(',').ends_with('"')
            && line.matches('"').count() == 2
    };
    // Two texts on one line: every second part between quotes is outside of them.
    let joined = |line: &str| {
        let list = line.split_once('=').map(|(_, list)| list.trim()).filter(|list| {
            list.starts_with('[')
                && list.ends_with(']')
                && !list.contains(['\\', '\'', '#', '{', '$'])
        });
        list.filter(|list| !list.contains("\"\"")).is_some_and(|list| {
            let between = list.split('"').step_by(2).skip(1);
            let count = list.matches('"').count();
            count % 2 == 0
                && between.take(count / 2 - usize::from(count > 0)).any(|it| it.trim().is_empty())
        })
    };
    let lines: Vec<&str> = file.text.lines().collect();
    let on_one = lines.iter().enumerate().filter(|(_, line)| joined(line));
    let on_one =
        on_one.map(|(at, line)| (at + 1, format!("A comma is missing in `{}`.", line.trim())));
    let pairs = lines.windows(2).enumerate();
    pairs
        .filter(|(_, pair)| {
            pair.iter().all(|line| lone(line)) && !pair[0].trim_end().ends_with(',')
        })
        .map(|(at, pair)| (at + 1, format!("A comma is missing after `{}`.", pair[0].trim())))
        .chain(on_one)
        .collect()
}

#[cfg(test)]
mod tests {
    fn said(file: &str, text: &str) -> usize {
        let text = format!("cat >{file} <<'E'\n{text}\nE\n");
        crate::testing::said(super::examine, &text).len()
    }

    #[test]
    fn a_key_in_braces_has_a_blank_behind_its_colon() {
        assert_eq!(said("a.yml", "sites:\n  - {name: shop, port:8080}"), 1);
        for text in [
            "sites:\n  - {name: shop, port: 8080}",
            "a: {b: http://c, d: e::f}",
            "a: \"{b: c, d:e}\"",
            "image: {repository: a/b, tag: 1.2}",
            "time: [10:30, 11:30]",
        ] {
            assert_eq!(said("a.yml", text), 0, "{text}");
        }
    }

    #[test]
    fn items_of_a_list_in_toml_have_commas() {
        assert_eq!(said("pyproject.toml", "dependencies = [\n  \"a==1\"\n  \"b==2\",\n]"), 1);
        assert_eq!(said("pyproject.toml", "dependencies = [\n  \"a==1\",\n  \"b==2\"\n]"), 0);
        assert_eq!(said("pyproject.toml", "dependencies = [\"a==1\" \"b==2\"]"), 1);
        assert_eq!(said("pyproject.toml", "dependencies = [\"a==1\", \"b==2\"]"), 0);
        assert_eq!(said("pyproject.toml", "empty = []\none = [\"\", \"a b\"]"), 0);
    }
}
