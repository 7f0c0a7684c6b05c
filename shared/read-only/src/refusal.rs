//! Why a command is not known only to read, so that its author can write another.

use super::line::Line;
use super::{JUDGED_BYTES, Place, Reading, matching, secrets, table};

/// The first reason that applies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// It is more than a line of plain words, or too long.
    Line,
    /// This path is closed to readers: it may hold a secret, or its name begins with a dot.
    Closed(String),
    /// The table does not have this program.
    Program(String),
    /// The table has this program, but not with these options and operands.
    Form(String),
    /// Its parts may only run one after the other.
    Together,
}

impl Refusal {
    /// The reason; `None` if the command is known only to read.
    pub fn of(command: &str, place: Place) -> Option<Self> {
        if Reading::of(command, place).is_some() {
            return None;
        }
        let line = Some(command).filter(|command| command.len() <= JUDGED_BYTES).map(Line::read);
        let Some(line) = line.flatten() else { return Some(Self::Line) };
        let mut words = line.commands.iter().flat_map(|command| command.words.iter().skip(1));
        if let Some(path) = words.find(|word| is_closed(word)) {
            return Some(Self::Closed(path.clone()));
        }
        let unknown = line.commands.iter().find(|one| matching::needs(one, place).is_none());
        let Some(name) = unknown.and_then(|command| command.words.first()).cloned() else {
            return Some(Self::Together);
        };
        let is_known = table::shapes(&name).any(|shape| shape.places.has(place));
        Some(if is_known { Self::Form(name) } else { Self::Program(name) })
    }
}

/// Whether a word is a path that no reader sees.
fn is_closed(word: &str) -> bool {
    let is_hidden = |part: &str| part.starts_with('.') && ![".", ".."].contains(&part);
    !word.starts_with('-') && (word.split('/').any(is_hidden) || secrets::is_named_in(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_says_what_to_change() {
        let of = |command: &str| Refusal::of(command, Place::Sandbox);
        let named = |name: &str| name.to_owned();
        assert_eq!(of("ls -la app"), None);
        for line in ["ls *.tf", "cat $HOME/a", "cat a >b", "cat $(ls)", "ls\nls"] {
            assert_eq!(of(line), Some(Refusal::Line), "{line}");
        }
        for path in [".env", "app/.env", "ssh/id_ed25519", "terraform/terraform.tfvars"] {
            let command = format!("cat {path} | head");
            assert_eq!(of(&command), Some(Refusal::Closed(named(path))), "{command}");
        }
        assert_eq!(of("ls; rg user"), Some(Refusal::Program(named("rg"))));
        assert_eq!(of("docker ps"), Some(Refusal::Form(named("docker"))));
        assert_eq!(of("ls; find . -delete"), Some(Refusal::Form(named("find"))));
        assert_eq!(of("ps -e; ls"), Some(Refusal::Together));
    }
}
