//! Code from the network that reaches its interpreter through a numbered file, a process substitution or `read`.

use super::{Sent, Sources};
use crate::bash::{self, Command, is_name};

/// Whether what a server sends is the input of a command: `read -r code < <(curl …)`.
pub(super) fn is_fed(command: &Command, sources: &Sources) -> bool {
    command.reads.iter().any(|text| sources.inside(text, 0) == Some(Sent::Fetched))
}

/// The variables in which a command keeps its input.
pub(super) fn names(command: &Command) -> Vec<String> {
    let argv = command.argv();
    let Some((program, rest)) = argv.split_first() else { return Vec::new() };
    if !["mapfile", "read", "readarray"].contains(program) {
        return Vec::new();
    }
    rest.iter().filter(|word| is_name(word)).map(ToString::to_string).collect()
}

/// The lines that run such a text.
pub(super) fn run(sources: &Sources) -> Vec<usize> {
    let mut found = Vec::new();
    let mut opened = Vec::new();
    for command in &sources.script.commands {
        let first = command.words.first().map(|word| word.text.as_str());
        if first == Some("exec") && is_fed(command, sources) {
            // `exec 3< <(curl …)`, `exec {code}< <(curl …)`
            let number = command.words.get(1).map(|word| word.text.clone());
            opened.push(number.unwrap_or_default().trim_matches(['{', '}']).to_owned());
            continue;
        }
        if !opened.is_empty() && takes(command, &opened) {
            found.push(command.line);
        }
        // `curl … > >(bash)`, `curl … | tee >(bash)`
        let places = command.writes.iter().map(|(path, _)| path.as_str());
        let places = places.chain(command.words.iter().map(|word| word.text.as_str()));
        let mut inner = places.filter_map(|place| place.strip_prefix(">(")?.strip_suffix(')'));
        let runs = inner.any(|text| bash::read(text).commands.iter().any(super::runs_input));
        if runs
            && (sources.sends(command).is_some()
                || super::asks(&command.argv())
                || is_teed(command))
        {
            found.push(command.line);
        }
    }
    found
}

fn is_teed(command: &Command) -> bool {
    command.program() == Some("tee")
}

/// Whether a command runs what one of these numbered files has.
fn takes(command: &Command, opened: &[String]) -> bool {
    let argv = command.argv();
    let Some((program, rest)) = argv.split_first() else { return false };
    let runs = super::is_interpreter(program) || [".", "source"].contains(program);
    let is_one = |number: &str| {
        let number = number.trim_start_matches(['$', '{']).trim_end_matches('}');
        opened.iter().any(|one| one.is_empty() || one == number)
    };
    let file = |word: &str| {
        let start = ["/dev/fd/", "/proc/self/fd/", "/proc/$$/fd/"];
        start.iter().any(|start| word.strip_prefix(start).is_some_and(is_one))
    };
    let input = command.reads.iter().any(|text| file(text) || is_one(text.trim_start_matches('&')));
    runs && (input || rest.first().is_some_and(|word| file(word)))
}
