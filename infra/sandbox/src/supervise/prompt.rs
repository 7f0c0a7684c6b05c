//! Finds out whether a terminal's shell is at its prompt, and what its line holds.
//!
//! A terminal belongs to its user. A command that an agent types for them reaches only the shell, at its prompt, on a line
//! that holds nothing else: not a program that takes single keys, not the answer to a program's question, not a line at
//! another language's prompt, not the end of a line that the user has begun. This holds for each part of the command, and
//! for the Enter after it. The side that holds the terminal checks three conditions:
//!
//! - the shell itself is the terminal's foreground process group;
//! - the terminal's line mode is off, as a line editor sets it, so no other part of the shell reads;
//! - exactly the beginning of the command, or for Enter all of it, was typed since the shell's last prompt. The shell's
//!   startup file makes it print a mark with each prompt (OSC 133;A, which terminals support and do not show). A mark
//!   counts only after an Enter, so a mark from a background program does not make a line empty, and keys typed before
//!   the prompt count against it.
//!
//! The mark contains a random word that only this shell knows ([`Word`]): a program that has taken the shell's place by
//! `exec`, such as a connection to a server whose shell prints marks as well, does not have it.
//!
//! If a condition is uncertain, nothing is typed.

use std::io::{self, Write};
use std::os::fd::AsFd;

use rustix::process::Pid;
use rustix::termios::{LocalModes, tcgetattr, tcgetpgrp};
use tempfile::NamedTempFile;

/// Names the file of the word to the shell's startup file.
const FILE: &str = "PROMPT_WORD_FILE";

/// The word in the marks of one shell. Its startup file reads it from a file and deletes the file, so that the word is in
/// no process's environment.
pub(super) struct Word {
    word: String,
    file: NamedTempFile,
}

impl Word {
    pub(super) fn random() -> io::Result<Self> {
        let word = format!("{:032x}", rand::random::<u128>());
        let mut file = tempfile::Builder::new().prefix("prompt-").tempfile()?;
        writeln!(file, "{word}")?;
        Ok(Self { word, file })
    }

    /// The variable that the shell needs at its start.
    pub(super) fn variable(&self) -> (&'static str, &std::path::Path) {
        (FILE, self.file.path())
    }
}

/// The longest line that is tracked; agents never type a longer one.
const LINE_BYTES: usize = 4096;

const CTRL_C: u8 = 3;

/// What is known about the shell's line.
#[derive(Debug, PartialEq, Eq)]
enum State {
    /// A command is running, or the shell has not prompted yet; `ahead` is whether anything was typed in the meantime.
    Busy { ahead: bool },
    /// The shell is at its prompt, and this was typed since.
    Prompts(Vec<u8>),
    /// The shell may be at its prompt, with an unknown line.
    Unknown,
}

/// Tracks a terminal's input and output.
pub(super) struct Prompt {
    state: State,
    /// The mark that the shell prints before each prompt.
    mark: Vec<u8>,
    /// How many bytes of the mark are at the end of the output.
    marked: usize,
    /// Exists until the shell has read it or has ended.
    _file: Option<NamedTempFile>,
}

impl Prompt {
    /// Of a new shell that was given this word.
    pub(super) fn new(word: Word) -> Self {
        Self { _file: Some(word.file), ..Self::marked_by(&word.word) }
    }

    fn marked_by(word: &str) -> Self {
        let mark = format!("\x1b]133;A;{word}\x07").into_bytes();
        Self { state: State::Busy { ahead: false }, mark, marked: 0, _file: None }
    }

    /// Takes a piece of the terminal's output.
    pub(super) fn printed(&mut self, output: &[u8]) {
        for byte in output {
            self.marked = match self.mark.get(self.marked) {
                Some(next) if next == byte => self.marked + 1,
                _ => usize::from(self.mark.first() == Some(byte)),
            };
            if self.marked == self.mark.len() {
                self.marked = 0;
                self.state = match std::mem::replace(&mut self.state, State::Unknown) {
                    State::Busy { ahead: false } => State::Prompts(Vec::new()),
                    State::Busy { ahead: true } => State::Unknown,
                    // Printed by another program, not by the shell after an Enter.
                    state => state,
                };
            }
        }
    }

    /// Takes typed keys.
    pub(super) fn typed(&mut self, keys: &[u8]) {
        for key in keys {
            match &mut self.state {
                // Discards the line; the shell prompts again.
                State::Prompts(_) | State::Unknown if *key == CTRL_C => {
                    self.state = State::Busy { ahead: false };
                }
                State::Prompts(_) | State::Unknown if matches!(key, b'\r' | b'\n') => {
                    self.state = State::Busy { ahead: false };
                }
                State::Prompts(line) if line.len() < LINE_BYTES => line.push(*key),
                State::Prompts(_) => self.state = State::Unknown,
                State::Busy { ahead } => *ahead = true,
                State::Unknown => {}
            }
        }
    }

    /// Whether the line holds exactly `text`, in this shell on this terminal: keys would continue it, and Enter would run
    /// it.
    pub(super) fn stands(&self, text: &str, terminal: impl AsFd, shell: Pid) -> bool {
        let line = matches!(&self.state, State::Prompts(line) if line == text.as_bytes());
        let foreground = tcgetpgrp(&terminal).is_ok_and(|group| group == shell);
        let editing =
            tcgetattr(&terminal).is_ok_and(|mode| !mode.local_modes.contains(LocalModes::ICANON));
        line && foreground && editing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MARK: &[u8] = b"\x1b]133;A;w0rd\x07";

    fn prompting() -> Prompt {
        let mut prompt = Prompt::marked_by("w0rd");
        prompt.printed(b"hello \x1b]133;");
        prompt.printed(b"A;w0rd\x07$ ");
        prompt
    }

    fn line(prompt: &Prompt) -> Option<&[u8]> {
        match &prompt.state {
            State::Prompts(line) => Some(line),
            _ => None,
        }
    }

    #[test]
    fn a_line_is_the_text_typed_since_the_mark() {
        let mut prompt = prompting();
        prompt.typed(b"pw");
        prompt.typed(b"d");
        assert_eq!(line(&prompt), Some(&b"pwd"[..]));
        prompt.typed(b"\r");
        assert_eq!(line(&prompt), None);
        prompt.printed(MARK);
        assert_eq!(line(&prompt), Some(&b""[..]));
    }

    #[test]
    fn a_mark_without_an_enter_before_it_does_not_make_a_line_empty() {
        let mut prompt = prompting();
        prompt.typed(b"rm -rf ");
        prompt.printed(MARK);
        assert_eq!(line(&prompt), Some(&b"rm -rf "[..]));
    }

    #[test]
    fn text_typed_before_the_prompt_makes_its_line_unknown() {
        let mut prompt = prompting();
        prompt.typed(b"sleep 1\rrm x");
        prompt.printed(MARK);
        assert_eq!(line(&prompt), None);
        prompt.typed(b"pwd");
        prompt.printed(MARK);
        assert_eq!(line(&prompt), None, "until a line is known to be over");
        prompt.typed(b"\x03");
        prompt.printed(MARK);
        assert_eq!(line(&prompt), Some(&b""[..]));
    }

    #[test]
    fn a_mark_is_recognized_across_pieces_and_only_if_complete() {
        let mut prompt = Prompt::marked_by("w0rd");
        prompt.printed(b"\x1b]133;B\x07\x1b]133;A\x07\x1b]133;A;\x07\x1b]133;A;other\x07\x1b]133");
        assert_eq!(line(&prompt), None);
        for byte in b"\x1b\x1b]133;A;w0rd\x07" {
            prompt.printed(&[*byte]);
        }
        assert_eq!(line(&prompt), Some(&b""[..]));
    }
}
