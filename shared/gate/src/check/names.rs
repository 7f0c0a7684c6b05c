//! Finds variables in Ansible's files and templates that nothing defines.

use super::error;
use super::tasks::documents;
use crate::Unit;
use domain::gate::Finding;
use std::collections::BTreeSet;

const TOOL: &str = "ansible";

/// Names that Ansible and Jinja define.
const KNOWN: [&str; 43] = [
    "and",
    "cycler",
    "dict",
    "else",
    "environment",
    "false",
    "False",
    "group_names",
    "groups",
    "hostvars",
    "if",
    "in",
    "inventory_dir",
    "inventory_file",
    "inventory_hostname",
    "inventory_hostname_short",
    "is",
    "item",
    "joiner",
    "lipsum",
    "lookup",
    "loop",
    "namespace",
    "none",
    "None",
    "not",
    "now",
    "omit",
    "or",
    "play_hosts",
    "playbook_dir",
    "q",
    "query",
    "range",
    "recursive",
    "role_name",
    "role_path",
    "self",
    "true",
    "True",
    "undef",
    "vars",
    "caller",
];

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    let corpus = corpus(unit);
    let roles_from_elsewhere = unit.text.contains("ansible-galaxy");
    for file in unit.files.iter().filter(|file| !file.expands) {
        let template = file.extension() == "j2";
        if roles_from_elsewhere || !(template || documents(file).is_some()) {
            continue;
        }
        let mut reported = BTreeSet::new();
        for (line, name) in names(&file.text) {
            if !is_known(&name, &corpus) && reported.insert(name.clone()) {
                let message = format!("The variable `{name}` is defined nowhere.");
                findings.push(error(TOOL, message).at(Some(&file.path), line));
            }
        }
    }
}

/// All text that may define a variable.
fn corpus(unit: &Unit) -> String {
    let mut corpus = unit.text.to_owned();
    for earlier in unit.context.earlier {
        corpus.push('\n');
        corpus.push_str(earlier);
    }
    corpus
}

fn is_known(name: &str, corpus: &str) -> bool {
    name.starts_with("ansible_") || KNOWN.contains(&name) || is_defined(name, corpus)
}

/// Whether a name occurs in a place that defines names.
fn is_defined(name: &str, corpus: &str) -> bool {
    corpus.match_indices(name).any(|(at, _)| {
        let (before, after) = (&corpus[..at], &corpus[at + name.len()..]);
        let edge = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
        if before.ends_with(edge) || after.starts_with(|c: char| c.is_alphanumeric() || c == '_') {
            return false;
        }
        let after = after.trim_start_matches(['"', '\'']).trim_start_matches(' ');
        let given = after.starts_with(':') || (after.starts_with('=') && !after.starts_with("=="));
        let before = before.trim_end_matches(['"', '\'', ' ']);
        given
            || [
                "register:",
                "loop_var:",
                "index_var:",
                "var:",
                "{% set",
                "{%- set",
                "{% for",
                "{%- for",
            ]
            .iter()
            .any(|sign| before.ends_with(sign))
            || (before.ends_with(',') && after.starts_with("in "))
            || (before.ends_with("for") && after.starts_with("in "))
    })
}

/// The variables in `{{ … }}`, with their lines.
fn names(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut rest = text;
    let mut line = 1;
    while let Some((before, after)) = rest.split_once("{{") {
        line += before.matches('\n').count();
        let (inner, behind) = after.split_once("}}").unwrap_or((after, ""));
        found.extend(in_expression(inner).into_iter().map(|name| (line, name)));
        line += inner.matches('\n').count();
        rest = behind;
    }
    found
}

/// The names of variables in a Jinja expression.
fn in_expression(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let (mut at, mut found) = (0, Vec::new());
    // Whether the next name belongs to a filter, a test or an attribute.
    let mut foreign = false;
    while at < chars.len() {
        let c = chars[at];
        if c == '\'' || c == '"' {
            at += 1;
            while at < chars.len() && chars[at] != c {
                at += 1 + usize::from(chars[at] == '\\');
            }
            at += 1;
            foreign = false;
        } else if c.is_ascii_alphabetic() || c == '_' {
            let start = at;
            while at < chars.len() && (chars[at].is_ascii_alphanumeric() || chars[at] == '_') {
                at += 1;
            }
            let name: String = chars[start..at].iter().collect();
            let next = chars[at..].iter().find(|c| !c.is_whitespace()).copied();
            let after = chars[at..].iter().skip_while(|c| c.is_whitespace()).nth(1).copied();
            let named = next == Some('=') && after != Some('=');
            if !foreign && next != Some('(') && !named {
                found.push(name.clone());
            }
            foreign = name == "is" || (foreign && name == "not");
        } else {
            if c == '.' || c == '|' {
                foreign = true;
            } else if c.is_ascii_digit() {
                while at + 1 < chars.len() && chars[at + 1].is_ascii_alphanumeric() {
                    at += 1;
                }
                foreign = false;
            } else if !c.is_whitespace() {
                foreign = false;
            }
            at += 1;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_distinguished_from_filters_attributes_and_arguments() {
        let names =
            in_expression(" a.b | default(c, boolean=true) ~ 'd' if e is not defined else f[g] ");
        let names: Vec<_> = names.into_iter().filter(|n| !KNOWN.contains(&n.as_str())).collect();
        assert_eq!(names, ["a", "c", "e", "f", "g"]);
    }

    #[test]
    fn a_name_counts_as_defined_where_it_gets_a_value() {
        let corpus = "a: 1\nregister: b\nloop_var: c\n-e d=1\n{% for e in x %}{% for f, g in y %}{{ h }} x.a: {\"i\": 1}";
        for name in ["a", "b", "c", "d", "e", "g", "i"] {
            assert!(is_defined(name, corpus), "{name}");
        }
        assert!(!is_defined("h", corpus) && !is_defined("x", corpus));
    }
}
