//! Checks Go templates, which Helm, Docker, Alertmanager and others render: unclosed actions, and blocks without an
//! `end`.

use super::missing_parts::beside_templates;
use super::{FILES, error};
use crate::{Unit, Written};
use domain::gate::Finding;

/// Actions that open a block.
const OPENING: [&str; 5] = ["block", "define", "if", "range", "with"];

/// Programs with templates in their arguments.
const PROGRAMS: [&str; 7] = ["crictl", "docker", "gh", "helm", "kubectl", "nerdctl", "podman"];

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for file in unit.written().filter(|file| !file.expands && is_template(unit, file)) {
        if let Some((line, message)) = mistake(&file.text) {
            findings.push(error(FILES, message).at(Some(&file.path), line));
        }
    }
    for shell in unit.everywhere() {
        // Ansible's placeholders look the same.
        let tasks = shell.file.as_deref().is_some_and(|path| path.ends_with(".yml"));
        for command in shell.script.commands.iter().filter(|_| !tasks) {
            if !command.program().is_some_and(|program| PROGRAMS.contains(&program)) {
                continue;
            }
            for word in command.words.iter().filter(|word| word.text.contains("{{")) {
                if let Some((_, message)) = mistake(&word.text) {
                    let line = command.line + shell.offset;
                    findings.push(error(FILES, message).at(shell.file.as_deref(), line));
                }
            }
        }
    }
}

fn is_template(unit: &Unit, file: &Written) -> bool {
    let chart = beside_templates(unit, file, "Chart.yaml").is_some();
    let named = ["ctmpl", "gotmpl", "tmpl"].contains(&file.extension().as_str());
    // Terraform's templates have the same ending and other signs.
    chart || (named && file.text.contains("{{") && !file.text.contains("%{"))
}

/// The first mistake, with its line.
fn mistake(text: &str) -> Option<(usize, String)> {
    let (mut open, mut rest, mut line): (Vec<(usize, &str)>, &str, usize) = (Vec::new(), text, 1);
    while let Some((before, after)) = rest.split_once("{{") {
        line += before.matches('\n').count();
        let end = end(after);
        let inner = end.and_then(|end| after.get(..end));
        let Some(inner) = inner.filter(|inner| !inner.contains("{{")) else {
            return Some((line, "This template action has no `}}`.".to_owned()));
        };
        let action = inner.trim_start_matches('-').trim_end_matches('-').trim();
        let word = action.split([' ', '\n', '(']).next().unwrap_or_default();
        match word {
            "end" if open.pop().is_none() => {
                return Some((line, "This `end` closes a block that nothing opened.".to_owned()));
            }
            "else" if open.is_empty() => {
                return Some((line, "This `else` is in no block.".to_owned()));
            }
            // After `else`, the dot is what it was before the block.
            "else" => {
                if let Some((_, last)) = open.last_mut() {
                    *last = "else";
                }
            }
            _ => {}
        }
        if let Some(name) = lost(action).filter(|_| is_moved(&open)) {
            return Some((
                line,
                format!("In this block, the dot is another value: write `${name}`."),
            ));
        }
        if OPENING.contains(&word) {
            open.push((line, word));
        }
        if !action.starts_with("/*") && !balanced(action) {
            return Some((line, format!("A bracket here is unmatched: `{{{{ {action} }}}}`.")));
        }
        line += inner.matches('\n').count();
        rest = &after[inner.len() + 2..];
    }
    open.pop().map(|(line, word)| (line, format!("This `{word}` has no `{{{{ end }}}}`.")))
}

/// Whether a block gives the dot another meaning: that of an item, or of a value.
fn is_moved(open: &[(usize, &str)]) -> bool {
    let inner = open.iter().rposition(|(_, word)| ["block", "define"].contains(word));
    let inner = open.get(inner.map_or(0, |at| at + 1)..).unwrap_or_default();
    inner.iter().any(|(_, word)| ["range", "with"].contains(word))
}

/// What Helm gives a template, where an action asks the dot for it: `.Values` instead of `$.Values`.
fn lost(action: &str) -> Option<&str> {
    const GIVEN: [&str; 5] = [".Capabilities.", ".Chart.", ".Files.", ".Release.", ".Values."];
    let begins = |at: usize| {
        let before = action[..at].chars().next_back();
        before.is_none_or(|c| c == ' ' || c == '(')
    };
    let mut found = GIVEN.iter().filter_map(|name| {
        let at = action.match_indices(name).map(|(at, _)| at).find(|at| begins(*at))?;
        let end = action[at..].find([' ', ')', '|']).map_or(action.len(), |end| at + end);
        action.get(at..end)
    });
    found.next().filter(|_| !action.starts_with("/*") && !action.starts_with("else"))
}

/// The end of an action, outside of its strings; `None` if it has none.
fn end(text: &str) -> Option<usize> {
    let mut quote = None;
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(end), c) if c == end => quote = None,
            (Some(_), _) => {}
            (None, '"' | '`') => quote = Some(c),
            (None, '}') if text[at..].starts_with("}}") => return Some(at),
            _ => {}
        }
    }
    text.find("}}").filter(|_| quote.is_some())
}

/// Whether every parenthesis outside of strings is matched.
fn balanced(action: &str) -> bool {
    let (mut depth, mut quote) = (0_i32, None);
    for c in action.chars() {
        match (quote, c) {
            (Some(end), c) if c == end => quote = None,
            (Some(_), _) => {}
            (None, '"' | '`' | '\'') => quote = Some(c),
            (None, '(') => depth += 1,
            (None, ')') => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return false;
        }
    }
    depth == 0 || quote.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_and_actions_end() {
        for (text, line) in [
            ("a: 1\n{{- with .Values.a }}\nb: {{ . }}\n", 2),
            ("{{ if .a }}\n{{ else }}\n{{ end }}\n{{ end }}\n", 4),
            ("{{ range .a }}{{ if .b }}{{ end }}", 1),
            ("a: {{ .Values.a }\nb: {{ .Values.b }}\n", 1),
            ("a: {{ default 1 (.Values.a }}\n", 1),
            ("{{ else }}\n", 1),
            ("{{ range .Values.a }}\nb: {{ .c }}\nd: {{ .Values.e }}\n{{ end }}\n", 3),
            ("{{- with .Values.a }}\n{{- if (eq .Release.Name .b) }}{{ end }}{{ end }}\n", 2),
        ] {
            assert_eq!(mistake(text).map(|(line, _)| line), Some(line), "{text}");
        }
        for text in [
            "{{- /* a comment (with */ -}}\n{{ define \"a\" }}\n{{- if and (.b) (not .c) }}x{{ else if .d }}y{{ end }}\n{{ end }}\n",
            "{{range $k, $v := .NetworkSettings.Networks}}{{$v.IPAddress}}{{end}}",
            "a: {{ printf \"}}%s(\" .b }}\n",
            "a: 1\n",
            "{{ range .Values.a }}{{ $.Values.b }}{{ end }}{{ .Values.c }}",
            "{{ with .Values.a }}{{ . }}{{ else }}{{ .Values.c }}{{ end }}",
            "{{ range .Values.a }}{{ end }}{{ define \"b\" }}{{ .Values.c }}{{ end }}",
        ] {
            assert_eq!(mistake(text), None, "{text}");
        }
    }

    #[test]
    fn commands_and_charts_have_templates() {
        let said = |text: &str| crate::testing::said(examine, text).len();
        let chart = "cat >c/Chart.yaml <<'E'\nname: c\nE\ncat >c/templates/a.yaml <<'E'\n{{- if .Values.a }}\nb: 1\nE\n";
        for (text, count) in [
            (chart, 1),
            ("docker inspect --format '{{range .a}}{{.b}}' c\n", 1),
            ("docker inspect --format '{{range .a}}{{.b}}{{end}}' c\n", 0),
            ("cat >a.yml.j2 <<'E'\n{{ if }}\nE\n", 0),
        ] {
            assert_eq!(said(text), count, "{text}");
        }
    }
}
