//! The parts of a shape: data, so that the table can be read from top to bottom.

use super::kind::Kind;
use super::place::Places;

/// One allowed form of a program's call.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shape {
    /// The places where this form is allowed.
    pub(super) places: Places,
    /// Words that come first, exactly.
    pub(super) lead: &'static [&'static str],
    /// Letters that may follow one dash, alone or together.
    pub(super) letters: &'static str,
    /// Whole words that may appear anywhere after the lead.
    pub(super) flags: &'static [&'static str],
    /// Options with a value: in the next word, after the `=` of a long option, or attached to a short one.
    pub(super) valued: &'static [(&'static str, Kind)],
    /// Whether one of the options with a value has to be given, because the program shows more without it.
    pub(super) narrowed: bool,
    /// The first operands, one by one.
    pub(super) first: &'static [Kind],
    /// All further operands.
    pub(super) rest: Option<Kind>,
    /// How many further operands are required, unless the command reads a pipe, and how many are allowed.
    pub(super) count: (usize, usize),
    /// Whether it needs the list of processes.
    pub(super) processes: bool,
    /// Whether it shows something of the folder in which it runs even if no operand names a file.
    pub(super) shows_current_folder: bool,
    /// Whether it may show parts of lines, or spell them differently.
    pub(super) cuts_lines: bool,
    /// Whether it shows lines that programs or people wrote: a log, arguments, a table of jobs.
    pub(super) shows_written_lines: bool,
    /// Whether it may show a part of a line without what comes before it.
    pub(super) drops_line_starts: bool,
    /// Whether it shows lines in another order, in which nothing is recognized by the lines beside it.
    pub(super) reorders_lines: bool,
    /// Whether it shows nothing but the first field of each line, before which nothing is lost.
    pub(super) first_fields: bool,
    /// Whether it has to read a pipe: without one it would take what is typed, or the lines of a script.
    pub(super) piped: bool,
}

/// The most operands of a shape.
const OPERANDS: usize = 16;

impl Shape {
    /// A call without any argument.
    pub(super) const fn new(places: Places) -> Self {
        Self {
            places,
            lead: &[],
            letters: "",
            flags: &[],
            valued: &[],
            narrowed: false,
            first: &[],
            rest: None,
            count: (0, 0),
            processes: false,
            shows_current_folder: false,
            cuts_lines: false,
            shows_written_lines: false,
            drops_line_starts: false,
            reorders_lines: false,
            first_fields: false,
            piped: false,
        }
    }

    pub(super) const fn lead(self, lead: &'static [&'static str]) -> Self {
        Self { lead, ..self }
    }

    pub(super) const fn letters(self, letters: &'static str) -> Self {
        Self { letters, ..self }
    }

    pub(super) const fn flags(self, flags: &'static [&'static str]) -> Self {
        Self { flags, ..self }
    }

    pub(super) const fn valued(self, valued: &'static [(&'static str, Kind)]) -> Self {
        Self { valued, ..self }
    }

    /// The same, but one of them has to be given.
    pub(super) const fn narrowed(self, valued: &'static [(&'static str, Kind)]) -> Self {
        Self { valued, narrowed: true, ..self }
    }

    pub(super) const fn first(self, first: &'static [Kind]) -> Self {
        Self { first, ..self }
    }

    /// Any number of operands of this kind.
    pub(super) const fn any(self, kind: Kind) -> Self {
        Self { rest: Some(kind), count: (0, OPERANDS), ..self }
    }

    /// At least `least` operands of this kind.
    pub(super) const fn some(self, kind: Kind, least: usize) -> Self {
        Self { rest: Some(kind), count: (least, OPERANDS), ..self }
    }

    pub(super) const fn processes(self) -> Self {
        Self { processes: true, ..self }
    }

    pub(super) const fn shows_current_folder(self) -> Self {
        Self { shows_current_folder: true, ..self }
    }

    pub(super) const fn cuts_lines(self) -> Self {
        Self { cuts_lines: true, ..self }
    }

    pub(super) const fn shows_written_lines(self) -> Self {
        Self { shows_written_lines: true, ..self }
    }

    /// Also marks it as showing parts.
    pub(super) const fn first_fields(self) -> Self {
        Self { cuts_lines: true, first_fields: true, ..self }
    }

    /// Also marks it as showing parts.
    pub(super) const fn drops_line_starts(self) -> Self {
        Self { cuts_lines: true, drops_line_starts: true, ..self }
    }

    /// Also marks it as showing parts.
    pub(super) const fn reorders_lines(self) -> Self {
        Self { cuts_lines: true, reorders_lines: true, ..self }
    }

    pub(super) const fn piped(self) -> Self {
        Self { piped: true, ..self }
    }
}
