//! Matches a command against the table.

use super::Reach;
use super::kind::{Kind, is_log};
use super::line::Command;
use super::place::Place;
use super::shape::Shape;
use super::{table, url};

/// What a command needs.
#[derive(Debug, Default)]
pub(super) struct Needs {
    pub(super) reach: Reach,
    /// Whether it may show something of the workspace: files, names or the folder in which it runs.
    pub(super) workspace: bool,
    /// The place of a log among the words of a command for a server; its content is shown.
    pub(super) log: Option<usize>,
    /// Whether it shows lines that programs or people wrote.
    pub(super) shows_written_lines: bool,
    /// Whether it may show pieces of the lines that it reads.
    pub(super) drops_line_starts: bool,
    /// Whether it shows lines in another order.
    pub(super) reorders_lines: bool,
    /// Whether it shows nothing but the first field of each line.
    pub(super) first_fields: bool,
}

/// What the command needs; `None` if no shape of the table fits it.
pub(super) fn needs(command: &Command, place: Place) -> Option<Needs> {
    let (name, arguments) = command.words.split_first()?;
    let mut here = table::shapes(name).filter(|shape| shape.places.has(place));
    here.find_map(|shape| fits(shape, arguments, command.piped, place))
}

fn fits(shape: &Shape, arguments: &[String], piped: bool, place: Place) -> Option<Needs> {
    let (lead, arguments) = arguments.split_at_checked(shape.lead.len())?;
    if lead != shape.lead || (shape.piped && !piped) {
        return None;
    }
    let reach = Reach { processes: shape.processes, parts: shape.cuts_lines, ..Reach::default() };
    let mut needs = Needs {
        reach,
        workspace: shape.shows_current_folder,
        log: None,
        shows_written_lines: shape.shows_written_lines,
        drops_line_starts: shape.drops_line_starts,
        reorders_lines: shape.reorders_lines,
        first_fields: shape.first_fields,
    };
    let (mut operands, mut contents, mut narrowed) = (0, 0, !shape.narrowed);
    // The name of the program is the first word.
    let mut words = (1 + lead.len()..).zip(arguments.iter().map(String::as_str));
    while let Some((at, word)) = words.next() {
        match option(shape, word, place) {
            Opt::Known => {}
            Opt::Attached => narrowed = true,
            Opt::Wants(kind) => {
                kind.is(words.next()?.1, place).then_some(())?;
                narrowed = true;
            }
            Opt::Operand => {
                let kind = *shape.first.get(operands).or(shape.rest.as_ref())?;
                operands += 1;
                if !kind.is(word, place) {
                    return None;
                }
                needs.note(kind, word)?;
                if matches!(kind, Kind::Content) {
                    contents += 1;
                    needs.log = needs.log.or(is_log(word, place).then_some(at));
                }
            }
            Opt::Unknown => return None,
        }
    }
    let further = operands.checked_sub(shape.first.len())?;
    // Without a file operand, the command reads the pipe.
    let reads_pipe = piped && matches!(shape.rest, Some(Kind::Content));
    let least = if reads_pipe { 0 } else { shape.count.0 };
    // A log is the only file of its command, which then reads it as its input.
    let alone = needs.log.is_none() || contents == 1;
    needs.shows_written_lines |= needs.log.is_some();
    ((least..=shape.count.1).contains(&further) && alone && narrowed).then_some(needs)
}

enum Opt {
    Known,
    Wants(Kind),
    /// With its value in the same word.
    Attached,
    Operand,
    Unknown,
}

/// Reads an option. A word that begins with a dash counts as an option in any position, which only refuses more than
/// `getopt` does.
fn option(shape: &Shape, word: &str, place: Place) -> Opt {
    if shape.flags.contains(&word) {
        return Opt::Known;
    }
    if let Some((_, kind)) = shape.valued.iter().find(|(name, _)| *name == word && word != "-") {
        return Opt::Wants(*kind);
    }
    let Some(letters) = word.strip_prefix('-') else { return Opt::Operand };
    // `echo` prints what is not one of its options: `echo '--- disks ---'`.
    if matches!(shape.rest, Some(Kind::Text)) && Kind::Text.is(word, place) {
        return Opt::Operand;
    }
    let cluster = !letters.is_empty() && letters.chars().all(|c| shape.letters.contains(c));
    if cluster {
        return Opt::Known;
    }
    match shape.valued.iter().any(|(name, kind)| attached(name, *kind, word, place)) {
        true => Opt::Attached,
        false => Opt::Unknown,
    }
}

/// Whether the word is `--lines=5`, `-n5` for an option of one letter, or `-5` for one without any.
fn attached(name: &str, kind: Kind, word: &str, place: Place) -> bool {
    let Some(value) = word.strip_prefix(name) else { return false };
    let value = match name.starts_with("--") {
        true => value.strip_prefix('='),
        false => (name.len() <= 2).then_some(value),
    };
    value.is_some_and(|value| kind.is(value, place))
}

impl Needs {
    /// Records what an operand needs to reach in the confinement; refuses a second port.
    fn note(&mut self, kind: Kind, word: &str) -> Option<()> {
        let reach = &mut self.reach;
        match kind {
            Kind::LoopbackUrl => {
                let port = url::loopback_port(word)?;
                reach.loopback_port.is_none_or(|known| known == port).then_some(())?;
                reach.loopback_port = Some(port);
            }
            Kind::Content if word.starts_with("/proc/net/") => reach.processes = true,
            Kind::Content | Kind::Listing | Kind::Tree | Kind::Folder => {
                self.workspace |= !word.starts_with('/');
            }
            _ => {}
        }
        Some(())
    }
}
