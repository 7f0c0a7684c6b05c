//! Options that are known, as `getopt` reads them.

use super::parse::Word;

/// The options of a command that change nothing.
#[derive(Clone, Copy)]
pub(super) struct Options {
    /// Letters without a value.
    pub(super) flags: &'static str,
    /// Letters with one, in the same word or the next.
    pub(super) values: &'static str,
    /// Words with two dashes, or with one where the command has it so; a value follows `=`.
    pub(super) long: &'static [&'static str],
    /// What else may stand there.
    pub(super) operands: Operands,
}

/// What may stand beside options.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Operands {
    Any,
    None,
}

impl Options {
    /// Whether every word is a known option or a wanted operand.
    ///
    /// A word that begins with a dash is always judged as an option, even where `--` or an option
    /// before it makes it something else: that only refuses more.
    pub(super) fn allow(&self, words: &[Word]) -> bool {
        let mut words = words.iter();
        while let Some(word) = words.next() {
            // A name of a file that begins with a dash would become an option.
            if word.open || word.globs.first() == Some(&0) {
                return false;
            }
            let Some(option) = word.text.strip_prefix('-').filter(|rest| !rest.is_empty()) else {
                match self.operands {
                    Operands::Any => continue,
                    Operands::None => return false,
                }
            };
            if word.is_glob() {
                return false;
            }
            let name = word.text.split_once('=').map_or(word.text.as_str(), |(name, _)| name);
            if word.text == "--" || self.long.contains(&name) {
                continue;
            }
            match self.cluster(option) {
                Cluster::Known => {}
                Cluster::WantsValue => match words.next() {
                    Some(value) if value.is_literal() && !value.text.starts_with('-') => {}
                    _ => return false,
                },
                Cluster::Unknown => return false,
            }
        }
        true
    }

    fn cluster(&self, letters: &str) -> Cluster {
        let mut letters = letters.chars();
        while let Some(letter) = letters.next() {
            if self.values.contains(letter) {
                let attached = !letters.as_str().is_empty();
                return if attached { Cluster::Known } else { Cluster::WantsValue };
            }
            if !self.flags.contains(letter) {
                return Cluster::Unknown;
            }
        }
        Cluster::Known
    }
}

enum Cluster {
    Known,
    WantsValue,
    Unknown,
}
