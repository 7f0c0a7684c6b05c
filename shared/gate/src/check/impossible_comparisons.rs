//! Finds variables that are compared with a value they never have, so that what follows never runs: `changed=0` and
//! `[ "$changed" = yes ]`.

use super::error;
use crate::bash::{self, Command, Script};
use crate::{POLICY, Unit};
use domain::gate::Finding;
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for shell in unit.everywhere() {
        let values = values(&shell.script);
        for command in &shell.script.commands {
            let Some((name, value)) = compared(command) else { continue };
            let known = values.get(name).filter(|known| !known.contains(value));
            let Some(known) = known.filter(|_| !is_counted(name, unit.text)) else {
                continue;
            };
            let known = known.iter().map(|value| format!("`{value}`")).collect::<Vec<_>>();
            let message =
                format!("`${name}` is never `{value}`: it is only {}.", known.join(" or "));
            findings.push(
                error(POLICY, message).at(shell.file.as_deref(), command.line + shell.offset),
            );
        }
    }
}

/// The values of variables that get only plain ones.
fn values(script: &Script) -> BTreeMap<&str, BTreeSet<&str>> {
    let mut values: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut open: BTreeSet<&str> = BTreeSet::new();
    if script.assigned.contains_key("*") {
        return values;
    }
    for command in &script.commands {
        let words = command.words.iter().map(|word| word.text.as_str());
        let declares = words.clone().any(|word| DECLARING.contains(&word));
        let mut begins = true;
        for word in words {
            let assigned = bash::assignment(word).filter(|_| begins || declares);
            begins &= assigned.is_some() || KEYWORDS.contains(&word);
            match assigned {
                Some((name, value)) if is_plain(value) && !word.contains("+=") => {
                    values.entry(name).or_default().insert(value);
                }
                Some((name, _)) => drop(open.insert(name)),
                // `read -r answer`, `for name in …`, `read`
                None => {
                    let names = word.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
                    let gives = command.program().is_some_and(|it| GIVING.contains(&it));
                    let equals = command.words.get(1).is_some_and(|word| word.text == "=");
                    open.extend(names.filter(|_| gives || equals));
                }
            }
        }
    }
    values.retain(|name, _| !open.contains(name));
    values
}

/// Whether arithmetic changes a variable: `(( changed++ ))`.
fn is_counted(name: &str, text: &str) -> bool {
    let signs = ["++", "--", "+=", " +=", "-=", " -="];
    let set = ["((", "(( ", "let "].iter().any(|start| {
        text.contains(&format!("{start}{name}=")) || text.contains(&format!("{start}{name} ="))
    });
    set || text.contains(&format!("++{name}"))
        || signs.iter().any(|sign| text.contains(&format!("{name}{sign}")))
}

const KEYWORDS: [&str; 8] = ["then", "do", "else", "{", "if", "while", "!", "time"];
const DECLARING: [&str; 5] = ["declare", "export", "local", "readonly", "typeset"];
/// Commands that give variables their values.
const GIVING: [&str; 9] =
    ["eval", "for", "getopts", "let", "mapfile", "printf", "read", "readarray", "unset"];

fn is_plain(value: &str) -> bool {
    !value.contains(['$', '`', '(', '*', '?', '['])
}

/// The variable and the plain value that a test compares for being equal.
fn compared(command: &Command) -> Option<(&str, &str)> {
    let argv = command.argv();
    let words = match argv.as_slice() {
        [rest @ .., "]" | "]]"] => rest,
        rest => rest,
    };
    let ["[" | "[[" | "test", left, "=" | "==", _] = words else { return None };
    let at = command.words.iter().position(|word| word.text == *left)?;
    let right = &command.words.get(at + 2)?.text;
    let name = left.strip_prefix('$')?;
    let name = name.strip_prefix('{').and_then(|name| name.strip_suffix('}')).unwrap_or(name);
    (bash::is_name(name) && is_plain(right) && !right.is_empty()).then_some((name, right))
}

#[cfg(test)]
mod tests {
    fn said(text: &str) -> usize {
        crate::testing::said(super::examine, text).len()
    }

    #[test]
    fn a_value_that_a_variable_never_has_is_found() {
        for text in [
            "changed=0\nif [ \"$changed\" = 1 ]; then systemctl reload nginx; fi",
            "restart=0\ncmp -s a b || restart=1\nif [ \"$restart\" = yes ]; then nginx -s reload; fi",
            "mode=fast\n[[ $mode == slow ]] && sleep 1",
            "f() { local state=open; [ \"${state}\" = shut ] || return 1; }",
        ] {
            assert_eq!(said(text), 1, "{text}");
        }
        for text in [
            "changed=0\ncmp -s a b || changed=1\nif [ \"$changed\" = 1 ]; then nginx -s reload; fi",
            "answer=no\nread -r answer\n[ \"$answer\" = yes ]",
            "for name in a b; do [ \"$name\" = c ]; done",
            "changed=0\n(( changed++ ))\n[ \"$changed\" = 1 ]",
            "changed=0\n. ./settings\n[ \"$changed\" = 1 ]",
            "state=$(cat state)\n[ \"$state\" = ready ]",
            "state=\nstate+=ready\n[ \"$state\" = ready ]",
            "[ \"$1\" = apply ]",
            "[ \"$CI\" = true ]",
            "mode=fast\n[ \"$mode\" != slow ]",
            "for a in *; do found=$a; done\n[ \"$found\" = \"\" ]",
            "[ -e a ] && found=1\n[ \"$found\" = \"\" ]",
            "mode=fast\ncase $mode in slow) sleep 1 ;; esac",
        ] {
            assert_eq!(said(text), 0, "{text}");
        }
    }
}
