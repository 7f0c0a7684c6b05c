//! Checks the templates of Packer: variables, local names and sources that none of its files declares.

use super::{FILES, error};
use crate::{Unit, Written};
use domain::gate::Finding;
use hcl_edit::structure::Body;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    let files: Vec<&Written> =
        unit.tree.iter().chain(&unit.there).filter(|file| is_template(file)).collect();
    for file in unit.written().filter(|file| is_template(file)) {
        let beside = files.iter().filter(|other| other.folder() == file.folder());
        let texts: Vec<String> = beside.map(|other| other.filled()).collect();
        let bodies = texts.iter().map(|text| hcl_edit::parser::parse_body(text));
        // Another part of the template may be in a file that cannot be read.
        let Ok(bodies) = bodies.collect::<Result<Vec<Body>, _>>() else { continue };
        let declared: Vec<String> = bodies.iter().flat_map(declared).collect();
        for (at, line) in file.filled().lines().enumerate() {
            for name in named(line) {
                if !declared.contains(&name) {
                    let message = format!("Nothing here declares `{name}`.");
                    findings.push(error(FILES, message).at(Some(&file.path), at + 1));
                }
            }
        }
    }
}

fn is_template(file: &Written) -> bool {
    file.path.ends_with(".pkr.hcl")
}

/// The names that a file declares, as others write them.
fn declared(body: &Body) -> Vec<String> {
    let mut found = Vec::new();
    for block in body.blocks() {
        let labels: Vec<&str> = block.labels.iter().map(|label| label.as_str()).collect();
        match (block.ident.as_str(), labels.as_slice()) {
            ("variable", [name]) => found.push(format!("var.{name}")),
            ("local", [name]) => found.push(format!("local.{name}")),
            ("locals", _) => {
                let names = block.body.attributes().map(|one| one.key.as_str());
                found.extend(names.map(|name| format!("local.{name}")));
            }
            ("variables", _) => {
                let names = block.body.attributes().map(|one| one.key.as_str());
                found.extend(names.map(|name| format!("var.{name}")));
            }
            ("source", [kind, name]) => found.push(format!("source.{kind}.{name}")),
            ("data", [kind, name]) => found.push(format!("data.{kind}.{name}")),
            _ => {}
        }
    }
    found
}

/// The declared things that a line names.
fn named(line: &str) -> Vec<String> {
    let line = line.split('#').next().unwrap_or_default();
    let line = line.split("//").next().unwrap_or_default();
    let part = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
    let mut found = Vec::new();
    for (start, parts) in [("var.", 1), ("local.", 1), ("source.", 2)] {
        for (at, _) in line.match_indices(start) {
            let before = line[..at].chars().next_back();
            // `build.source.type` and a file's name are others.
            if before.is_some_and(|c| part(c) || ".@/".contains(c)) || is_text(line, at, start) {
                continue;
            }
            let rest = line[at + start.len()..].split('.');
            let names: Vec<String> = rest
                .take(parts)
                .map(|name| name.chars().take_while(|c| part(*c)).collect())
                .collect();
            let odd = |name: &String| {
                name.is_empty() || !name.starts_with(|c: char| c.is_ascii_alphabetic())
            };
            if names.len() == parts && !names.iter().any(odd) {
                found.push(format!("{start}{}", names.join(".")));
            }
        }
    }
    found
}

/// Whether a place in a line is in quotes outside `${…}`, where only a whole source is named.
fn is_text(line: &str, at: usize, start: &str) -> bool {
    let before = &line[..at];
    let quoted = before.matches('"').count() % 2 == 1;
    let filled = before.rfind("${").is_some_and(|open| !before[open..].contains('}'));
    let whole = start == "source." && before.ends_with('"');
    quoted && !filled && !whole
}

#[cfg(test)]
mod tests {
    #[test]
    fn templates_of_packer_name_what_they_declare() {
        let said = |text: &str| crate::testing::said(super::examine, text).len();
        let text = "cat >a.pkr.hcl <<'E'\nvariable \"region\" {\n  type = string\n}\nlocals {\n  name = \"web\"\n}\nsource \"amazon-ebs\" \"web\" {\n  region = var.region\n  ami_name = \"${local.name}-1\"\n}\nbuild {\n  sources = [\"source.amazon-ebs.web\"]\n}\nE\n";
        for (text, count) in [
            (text.to_owned(), 0),
            (text.replace("var.region", "var.zone"), 1),
            (text.replace("local.name", "local.title"), 1),
            (text.replace("[\"source.amazon-ebs.web", "[\"source.amazon-ebs.base"), 1),
            (text.replace("local.name", "build.source.name"), 0),
            (text.replace("local.name", "source.name"), 0),
            (text.replace("\"${local.name}-1\"", "\"cp local.conf /etc/\" // var.zone"), 0),
        ] {
            assert_eq!(said(&text), count, "{text}");
        }
    }
}
