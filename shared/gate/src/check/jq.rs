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
                "Prometheus writes values as texts: compare with `\"1\"`, or use `tonumber`."
                    .to_owned()
            });
            let number = number.or_else(|| {
                assigns(command).then(|| "In `select`, jq compares with `==`.".to_owned())
            });
            let unset = unset(command);
            let unset = unset
                .map(|name| format!("This filter of jq reads `${name}`, which no `--arg` sets."));
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

fn unset(command: &Command) -> Option<String> {
    let argv = command.argv();
    if command.program() != Some("jq") || argv.iter().any(|word| word.contains("-file")) {
        return None;
    }
    let mut set: Vec<&str> = Vec::new();
    let mut words = argv.iter().copied().skip(1);
    let filter = loop {
        match words.next()? {
            "--arg" | "--argjson" | "--slurpfile" | "--rawfile" => {
                set.extend(words.next());
                words.next();
            }
            "--indent" => drop(words.next()),
            option if option.starts_with('-') => {}
            filter => break filter,
        }
    };
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
