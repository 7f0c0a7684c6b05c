//! Finds variables in filters of jq that neither the filter nor an option of the command sets, and texts that a filter
//! takes for numbers.

use super::{FILES, error};
use crate::Unit;
use crate::bash::{Command, Piece, Script, Sign, is_name};
use domain::gate::Finding;

/// Variables that jq sets.
const OWN: [&str; 3] = ["ENV", "__loc__", "__prog_args"];

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    let from = proof_begins(unit);
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
            let number = number.or_else(|| {
                let proof = shell.offset == 0 && shell.file.is_none();
                let last = proof && from.is_some_and(|from| command.line > from);
                (last && ends(&shell.script, command) && only_says(command)).then(|| {
                    "jq prints whether this holds, and succeeds either way: add `-e`.".to_owned()
                })
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

/// The line before the proof of a script; all of a check is proof.
fn proof_begins(unit: &Unit) -> Option<usize> {
    let (before, proof) = domain::script::parts(unit.text);
    proof.map(|_| before.matches('\n').count()).or(unit.context.check.then_some(0))
}

/// Whether a command is the last one of its pipeline, so that nothing else reads what it prints.
fn ends(script: &Script, command: &Command) -> bool {
    let at = script.commands.iter().position(|one| std::ptr::eq(one, command));
    let mut pieces = script.pieces.iter();
    at.is_some_and(|at| pieces.any(|piece| *piece == Piece::Command(at)))
        && !matches!(pieces.next(), Some(Piece::Sign(Sign::Pipe)))
        && command.writes.is_empty()
}

/// Whether a filter only compares, and no option makes the answer count.
fn only_says(command: &Command) -> bool {
    let Some((filter, _)) = filter(command) else { return false };
    let counts = command.argv().iter().any(|word| {
        *word == "--exit-status"
            || word.starts_with('-') && !word.starts_with("--") && word.contains('e')
    });
    let last = filter.rsplit('|').next().unwrap_or_default();
    let compares = ["==", "!=", "<", ">"].iter().any(|sign| last.contains(sign));
    let other = ["select", "if ", "error", "assert", "map", "{", "["];
    !counts
        && compares
        && !other.iter().any(|word| last.contains(word))
        && !filter.contains("error")
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
