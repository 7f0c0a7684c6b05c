//! Finds variables in filters of jq that neither the filter nor an option of the command sets, and texts that a filter
//! takes for numbers.

use super::{FILES, error};
use crate::Unit;
use crate::bash::{Command, is_name};
use domain::gate::Finding;

/// Variables that jq sets.
const OWN: [&str; 3] = ["ENV", "__loc__", "__prog_args"];

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for shell in unit.everywhere() {
        for command in &shell.script.commands {
            let number = is_number(command).then(|| {
                "Prometheus writes values as strings: compare with `\"1\"`, or use `tonumber`."
                    .to_owned()
            });
            let number = number.or_else(|| {
                assigns(command).then(|| "In `select`, jq compares with `==`.".to_owned())
            });
            let number = number.or_else(|| {
                filter(command)
                    .and_then(|(filter, _)| unclosed(filter))
                    .map(|sign| format!("This jq filter is incomplete: `{sign}` is unmatched."))
            });
            let unset = unset(command);
            let unset =
                unset.map(|name| format!("This jq filter reads `${name}`, which no `--arg` sets."));
            let Some(message) = number.or(unset) else { continue };
            let line = command.line + shell.offset;
            findings.push(error(FILES, message).at(shell.file.as_deref(), line));
        }
    }
}

/// A comparison of a value of Prometheus, which is a text, with a number.
fn is_number(command: &Command) -> bool {
    command.program() == Some("jq")
        && command.argv().iter().any(|word| {
            let compared = word.split_once(".value[1] ").map(|(_, rest)| rest.trim_start());
            let number = compared.and_then(|rest| {
                rest.trim_start_matches(['=', '!', '<', '>']).trim_start().chars().next()
            });
            number.is_some_and(|c| c.is_ascii_digit()) && !word.contains("tonumber")
        })
}

/// `=` in `select`, which would change the value.
fn assigns(command: &Command) -> bool {
    command.program() == Some("jq")
        && command.argv().iter().any(|word| {
            word.split("select(").skip(1).any(|rest| {
                let chosen = rest.split(')').next().unwrap_or_default();
                // Every second part is outside quotes.
                chosen.split('"').step_by(2).any(|part| part.contains(" = "))
            })
        })
}

/// The filter of a command, and the variables that its options set.
fn filter(command: &Command) -> Option<(&str, Vec<&str>)> {
    let argv = command.argv();
    let files = ["-f", "--from-file"];
    if command.program() != Some("jq")
        || argv.iter().any(|word| word.contains("-file") || files.contains(word))
    {
        return None;
    }
    let mut set: Vec<&str> = Vec::new();
    let mut words = argv.into_iter().skip(1);
    loop {
        match words.next()? {
            "--arg" | "--argjson" | "--slurpfile" | "--rawfile" => {
                set.extend(words.next());
                words.next();
            }
            "--indent" => drop(words.next()),
            option if option.starts_with('-') => {}
            filter => return Some((filter, set)),
        }
    }
}

/// The first bracket without a counterpart, outside texts.
fn unclosed(filter: &str) -> Option<char> {
    // What bash fills in may have its own brackets.
    if filter.contains("$(") || filter.contains("${") {
        return None;
    }
    let mut open: Vec<char> = Vec::new();
    let mut signs = filter.chars().peekable();
    let mut comment = false;
    while let Some(sign) = signs.next() {
        let quoted = open.last() == Some(&'"');
        match sign {
            '\n' => comment = false,
            _ if comment => {}
            '#' if !quoted => comment = true,
            // `\(` begins a filter within a text.
            '\\' if quoted => open.extend(signs.next().filter(|next| *next == '(')),
            '"' if quoted => drop(open.pop()),
            '"' => open.push('"'),
            _ if quoted => {}
            '(' | '[' | '{' => open.push(sign),
            ')' | ']' | '}' => {
                let pair = open.pop();
                if !matches!((pair, sign), (Some('('), ')') | (Some('['), ']') | (Some('{'), '}')) {
                    return Some(sign);
                }
            }
            _ => {}
        }
    }
    open.pop()
}

fn unset(command: &Command) -> Option<String> {
    let (filter, set) = filter(command)?;
    let bound = |name: &str| {
        ["as $", "($", "; $"].iter().any(|before| filter.contains(&format!("{before}{name}")))
            || filter.contains("as [")
            || filter.contains("as {")
    };
    let names = filter.split('$').skip(1).map(|rest| {
        rest.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).next().unwrap_or_default()
    });
    let mut names = names.filter(|name| is_name(name));
    names.find(|name| !set.contains(name) && !OWN.contains(name) && !bound(name)).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_have_counterparts() {
        for text in ["{a: 1", ".items[] | select(.a == 1", "[.[] | .a", ".a)", "\"a", "{a: (1}"] {
            assert!(unclosed(text).is_some(), "{text}");
        }
        for text in [
            "{a: 1}",
            "\"\\(.a | tostring) (\"",
            ".[\"a)\"]",
            "\"\\\"\"",
            "\"\\(.a[\"b\"])\"",
            ". # (\n| .a",
        ] {
            assert_eq!(unclosed(text), None, "{text}");
        }
    }
}
