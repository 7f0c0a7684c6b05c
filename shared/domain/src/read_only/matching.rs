//! Matches a command against the table.

use super::Reach;
use super::kind::Kind;
use super::line::Command;
use super::place::Place;
use super::shape::Shape;
use super::{table, url};

/// What the command needs to reach; `None` if no shape of the table fits it.
pub(super) fn needs(command: &Command, place: Place) -> Option<Reach> {
    let (name, arguments) = command.words.split_first()?;
    let mut here = table::shapes(name).filter(|shape| shape.places.has(place));
    here.find_map(|shape| fits(shape, arguments, command.piped, place))
}

fn fits(shape: &Shape, arguments: &[String], piped: bool, place: Place) -> Option<Reach> {
    let (lead, arguments) = arguments.split_at_checked(shape.lead.len())?;
    if lead != shape.lead || (shape.piped && !piped) {
        return None;
    }
    let mut reach = Reach { processes: shape.processes, parts: shape.parts, ..Reach::default() };
    let mut operands = 0;
    let mut words = arguments.iter().map(String::as_str);
    while let Some(word) = words.next() {
        match option(shape, word, place) {
            Opt::Known => {}
            Opt::Wants(kind) => {
                kind.is(words.next()?, place).then_some(())?;
            }
            Opt::Operand => {
                let kind = *shape.first.get(operands).or(shape.rest.as_ref())?;
                operands += 1;
                if !kind.is(word, place) {
                    return None;
                }
                note(kind, word, &mut reach)?;
            }
            Opt::Unknown => return None,
        }
    }
    let further = operands.checked_sub(shape.first.len())?;
    // Without a file operand, the command reads the pipe.
    let reads_pipe = piped && matches!(shape.rest, Some(Kind::Content));
    let least = if reads_pipe { 0 } else { shape.count.0 };
    (least..=shape.count.1).contains(&further).then_some(reach)
}

enum Opt {
    Known,
    Wants(Kind),
    Operand,
    Unknown,
}

/// Reads an option. A word that begins with a dash counts as an option in any position, which only refuses more than
/// `getopt` does.
fn option(shape: &Shape, word: &str, place: Place) -> Opt {
    if shape.flags.contains(&word) {
        return Opt::Known;
    }
    if let Some((_, kind)) = shape.valued.iter().find(|(name, _)| *name == word) {
        return Opt::Wants(*kind);
    }
    let Some(letters) = word.strip_prefix('-') else { return Opt::Operand };
    let cluster = !letters.is_empty() && letters.chars().all(|c| shape.letters.contains(c));
    if cluster || shape.valued.iter().any(|(name, kind)| attached(name, *kind, word, place)) {
        return Opt::Known;
    }
    Opt::Unknown
}

/// Whether the word is `--lines=5`, or `-n5` for an option of one letter.
fn attached(name: &str, kind: Kind, word: &str, place: Place) -> bool {
    let Some(value) = word.strip_prefix(name) else { return false };
    let value = match name.starts_with("--") {
        true => value.strip_prefix('='),
        false => (name.len() == 2).then_some(value),
    };
    value.is_some_and(|value| kind.is(value, place))
}

/// Records what an operand needs to reach in the confinement; refuses a second port.
fn note(kind: Kind, word: &str, reach: &mut Reach) -> Option<()> {
    match kind {
        Kind::LoopbackUrl => {
            let port = url::loopback_port(word)?;
            reach.loopback_port.is_none_or(|known| known == port).then_some(())?;
            reach.loopback_port = Some(port);
        }
        Kind::Content if word.starts_with("/proc/net/") => reach.processes = true,
        _ => {}
    }
    Some(())
}
