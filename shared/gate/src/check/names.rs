//! Finds variables in Ansible's files and templates that nothing defines.

mod roles;

use super::error;
use crate::places::is_playbook;
use crate::tasks::{Task, documents, tasks};
use crate::yaml::Node;
use crate::{Unit, Written};
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
    // A role brings its own variables, and a collection does not.
    let roles = unit.text.contains("ansible-galaxy")
        && (!unit.text.contains("galaxy collection install")
            || unit.text.contains("galaxy install")
            || unit.text.contains("galaxy role")
            || unit.tree.iter().any(|file| {
                file.name().starts_with("requirements.") && file.text.contains("roles:")
            }));
    if roles || reads_elsewhere(unit, &corpus) {
        return;
    }
    let templates = unit.tree.iter().filter(|file| is_template(file));
    let optional: BTreeSet<String> = templates
        .flat_map(expressions)
        .flat_map(|(_, text)| in_expression(&text))
        .filter(|name| name.guarded)
        .map(|name| name.text)
        .collect();
    for file in unit.files.iter().filter(|file| !file.expands && is_template(file)) {
        let mut reported = BTreeSet::new();
        for (line, text) in expressions(file) {
            for Name { text: name, .. } in in_expression(&text) {
                // What a condition asks about need not be there.
                let asked = ["is defined", "is not defined"]
                    .iter()
                    .any(|question| corpus.contains(&format!("{name} {question}")));
                let known = is_known(&name, &corpus) || optional.contains(&name) || asked;
                if !known && reported.insert(name.clone()) {
                    let message = format!("The variable `{name}` is defined nowhere.");
                    findings.push(error(TOOL, message).at(Some(&file.path), line));
                }
            }
        }
        items(file, is_alone(unit, file), findings);
    }
    roles::examine(unit, &corpus, findings);
}

/// Whether a file of tasks has no `item` of others: some file is known to use it, and none does so in a loop.
fn is_alone(unit: &Unit, file: &Written) -> bool {
    let main = file.name().starts_with("main.");
    let mut used = is_playbook(file) || main;
    for other in &unit.tree {
        let documents = documents(other).unwrap_or_default();
        for task in tasks(&documents, other) {
            let Some((name, given)) = task.module() else { continue };
            if !["include", "import_"].iter().any(|start| name.starts_with(start)) {
                continue;
            }
            if has_loop(&task) && !is_playbook(file) {
                return false;
            }
            let texts = given.all();
            used |= texts.iter().filter_map(|node| node.text()).any(|it| it.ends_with(file.name()));
        }
    }
    used
}

fn has_loop(task: &Task) -> bool {
    task.node.map().iter().any(|entry| entry.key == "loop" || entry.key.starts_with("with_"))
}

fn is_template(file: &Written) -> bool {
    let template = file.extension() == "j2" || documents(file).is_some();
    // Between these, nothing is a template, or names have other origins.
    let other = [
        "{% raw",
        "{%- raw",
        "{% macro",
        "{%- macro",
        "{% import",
        "{%- import",
        "{% from",
        "{%- from",
    ];
    template && !other.iter().any(|sign| file.text.contains(sign))
}

/// Whether variables come from a file that no script here writes.
fn reads_elsewhere(unit: &Unit, corpus: &str) -> bool {
    let written = |name: &str| {
        let name = name.trim_start_matches(['@', '"', '\'']).trim_end_matches(['"', '\'']);
        unit.tree.iter().any(|file| file.path.ends_with(name.trim_start_matches("./")))
    };
    let words =
        corpus.split_whitespace().filter(|word| word.trim_start_matches('"').starts_with('@'));
    let extra = corpus.contains("-e @")
        || corpus.contains("-e \"@")
        || corpus.contains("extra-vars @")
        || corpus.contains("extra-vars \"@");
    if extra && words.clone().any(|word| !written(word)) {
        return true;
    }
    let lists = unit.tree.iter().filter_map(documents).flatten();
    let plays: Vec<Node> = lists.collect();
    let mut files = plays.iter().flat_map(Node::all).filter_map(|node| node.get("vars_files"));
    files.any(|files| {
        files
            .list()
            .iter()
            .filter_map(Node::text)
            .any(|name| !name.contains("{{") && !written(name))
    })
}

/// `item` in tasks that have no loop; `alone` says that no other task gives them its own.
fn items(file: &Written, alone: bool, findings: &mut Vec<Finding>) {
    let documents = documents(file).unwrap_or_default();
    for task in tasks(&documents, file) {
        let control = task.node.get("loop_control");
        let renamed = control.and_then(|control| control.get("loop_var")).is_some();
        let judged = if has_loop(&task) { renamed } else { alone };
        if !judged {
            continue;
        }
        let is_item = |text: &str| in_expression(text).iter().any(|name| name.text == "item");
        let uses = |text: &str| {
            !text.contains("for item in") && filled_in(text).iter().any(|(_, text)| is_item(text))
        };
        let filled = task.node.all().into_iter().find(|node| node.text().is_some_and(uses));
        let bare = BARE.iter().filter_map(|key| task.node.get(key)).flat_map(Node::all);
        let mut bare = bare
            .filter(|node| node.text().is_some_and(|text| !text.contains("{{") && is_item(text)));
        if let Some(place) = filled.or_else(|| bare.next()) {
            let message = "`item` has no value here: this task has no loop that sets it.";
            findings.push(error(TOOL, message).at(Some(&file.path), place.line));
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
        let prompted = before.ends_with("name:")
            && (corpus.contains("vars_prompt") || corpus.contains("include_vars"));
        given
            || prompted
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
            || (before.ends_with(',') && after.trim_start_matches([')', ' ']).starts_with("in "))
            || (before.trim_end_matches(['(', ' ']).ends_with("for")
                && (after.starts_with(',') || after.starts_with("in ")))
    })
}

/// Keys whose values are expressions without braces.
const BARE: [&str; 4] = ["changed_when", "failed_when", "until", "when"];

/// The expressions of a file, with their lines.
fn expressions(file: &Written) -> Vec<(usize, String)> {
    let mut found = filled_in(&file.text);
    found.extend(controls(&file.text));
    let documents = documents(file).unwrap_or_default();
    for task in tasks(&documents, file) {
        let own = BARE.iter().filter_map(|key| task.node.get(key));
        let module = task.module().and_then(|(name, given)| match name {
            "assert" => given.get("that"),
            "debug" => given.get("var"),
            _ => None,
        });
        for node in own.chain(module) {
            let texts = std::iter::once(node).chain(node.list());
            found.extend(
                texts
                    .filter_map(|node| Some((node.line, node.text()?.to_owned())))
                    .filter(|(_, text)| !text.contains("{{")),
            );
        }
    }
    found
}

/// What is in `{{ … }}`, with its lines.
fn filled_in(text: &str) -> Vec<(usize, String)> {
    between(text, "{{", "}}")
}

/// What is in `{% … %}`, without the word that begins it.
fn controls(text: &str) -> Vec<(usize, String)> {
    let inner = between(text, "{%", "%}").into_iter();
    inner
        .filter_map(|(line, inner)| {
            let inner = inner.trim_matches(['-', '+', ' ']);
            let (word, rest) = inner.split_once(' ')?;
            let rest = match word {
                "if" | "elif" => rest,
                // What precedes `in` is defined here.
                "for" => rest.split_once(" in ")?.1,
                "set" => rest.split_once('=')?.1,
                _ => return None,
            };
            Some((line, rest.to_owned()))
        })
        .collect()
}

pub(super) fn between(text: &str, open: &str, close: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut rest = text;
    let mut line = 1;
    while let Some((before, after)) = rest.split_once(open) {
        line += before.matches('\n').count();
        let (inner, behind) = after.split_once(close).unwrap_or((after, ""));
        found.push((line, inner.to_owned()));
        line += inner.matches('\n').count();
        rest = behind;
    }
    found
}

/// The name of a variable in an expression.
#[derive(Debug, PartialEq)]
pub(super) struct Name {
    pub(super) text: String,
    /// Whether the expression handles that it is not defined.
    guarded: bool,
}

/// The names of variables in a Jinja expression.
pub(super) fn in_expression(text: &str) -> Vec<Name> {
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
                let rest: String = chars[at..].iter().collect();
                found.push(Name { guarded: is_guarded(&rest), text: name.clone() });
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

/// Whether what follows a name takes care of a missing value: `.a | default(…)`, `is defined`.
fn is_guarded(rest: &str) -> bool {
    let attribute = |c: char| c.is_ascii_alphanumeric() || "._[]'\"".contains(c);
    let rest = rest.trim_start_matches(attribute).trim_start();
    let behind = |sign: &str| rest.strip_prefix(sign).map(str::trim_start);
    let default = |rest: &str| rest.starts_with("default") || rest.starts_with("d(");
    let tested = |rest: &str| {
        let rest = rest.strip_prefix("not").map_or(rest, str::trim_start);
        ["defined", "undefined", "none"].iter().any(|test| rest.starts_with(test))
    };
    behind("|").is_some_and(default) || behind("is ").is_some_and(tested)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_distinguished_from_filters_attributes_and_arguments() {
        let names =
            in_expression(" a.b | default(c, boolean=true) ~ 'd' if e is not defined else f[g] ");
        let names = names.iter().filter(|name| !KNOWN.contains(&name.text.as_str()));
        let names: Vec<_> = names.map(|name| (name.text.as_str(), name.guarded)).collect();
        let found = [("a", true), ("c", false), ("e", true), ("f", false), ("g", false)];
        assert_eq!(names, found);
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
