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
    pub(super) here: bool,
    /// Whether it may show parts of lines, or spell them differently.
    pub(super) parts: bool,
    /// Whether it shows lines that programs or people wrote: a log, arguments, a table of jobs.
    pub(super) told: bool,
    /// Whether it may show a part of a line without what comes before it.
    pub(super) pieces: bool,
    /// Whether it shows lines in another order, in which nothing is recognized by the lines beside it.
    pub(super) mixed: bool,
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
            here: false,
            parts: false,
            told: false,
            pieces: false,
            mixed: false,
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

    pub(super) const fn here(self) -> Self {
        Self { here: true, ..self }
    }

    pub(super) const fn parts(self) -> Self {
        Self { parts: true, ..self }
    }

    pub(super) const fn told(self) -> Self {
        Self { told: true, ..self }
    }

    /// Also marks it as showing parts.
    pub(super) const fn first_fields(self) -> Self {
        Self { parts: true, first_fields: true, ..self }
    }

    /// Also marks it as showing parts.
    pub(super) const fn pieces(self) -> Self {
        Self { parts: true, pieces: true, ..self }
    }

    /// Also marks it as showing parts.
    pub(super) const fn mixed(self) -> Self {
        Self { parts: true, mixed: true, ..self }
    }

    pub(super) const fn piped(self) -> Self {
        Self { piped: true, ..self }
    }
}
