//! Whether a terminal's shell stands at its prompt, and with what on its line.
//!
//! A command that an agent types for its user may be followed by Enter only where it cannot become anything else: not
//! the answer to a program's question, not a line of another language's prompt, not the end of something that the user
//! has begun. Three things are looked at, by the side that holds the terminal:
//!
//! - the shell itself is the terminal's foreground process group;
//! - the terminal's line mode is off, as a line editor has it, so nothing else of the shell's reads;
//! - exactly the command was typed since the shell said that it prompts. It says so by a mark that its startup file has
//!   it print (OSC 133;A, which terminals know and do not show). A mark counts only after an Enter, so one that a
//!   program prints in the background makes no line empty, and what was typed before the prompt came counts against it.
//!
//! Whenever this is not certain, the command only stands there.

use std::os::fd::AsFd;

use rustix::process::Pid;
use rustix::termios::{LocalModes, tcgetattr, tcgetpgrp};

/// What the shell prints before each prompt.
const MARK: &[u8] = b"\x1b]133;A\x07";

/// The longest line that is followed; nothing is typed for a user that is longer.
const LINE_BYTES: usize = 4096;

const CTRL_C: u8 = 3;

/// What is known of the shell's line.
#[derive(Debug, PartialEq, Eq)]
enum State {
    /// Something runs, or nothing has prompted yet; `ahead` is whether anything was typed meanwhile.
    Busy { ahead: bool },
    /// It prompts, and this was typed since.
    Prompts(Vec<u8>),
    /// It may prompt with anything on its line.
    Unknown,
}

/// Follows what is typed into a terminal and what it prints.
#[derive(Debug)]
pub(super) struct Prompt {
    state: State,
    /// How much of [`MARK`] the output ends with.
    marked: usize,
}

impl Prompt {
    pub(super) fn new() -> Self {
        Self { state: State::Busy { ahead: false }, marked: 0 }
    }

    /// Takes what the terminal printed.
    pub(super) fn printed(&mut self, output: &[u8]) {
        for byte in output {
            self.marked = match MARK.get(self.marked) {
                Some(next) if next == byte => self.marked + 1,
                _ => usize::from(MARK.first() == Some(byte)),
            };
            if self.marked == MARK.len() {
                self.marked = 0;
                self.state = match std::mem::replace(&mut self.state, State::Unknown) {
                    State::Busy { ahead: false } => State::Prompts(Vec::new()),
                    State::Busy { ahead: true } => State::Unknown,
                    // Printed by something else than the shell after an Enter.
                    state => state,
                };
            }
        }
    }

    /// Takes what is typed.
    pub(super) fn typed(&mut self, keys: &[u8]) {
        for key in keys {
            match &mut self.state {
                // Discards the line; the shell prompts anew.
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

    /// Whether Enter would run exactly `command`, in this shell on this terminal.
    pub(super) fn stands(&self, command: &str, terminal: impl AsFd, shell: Pid) -> bool {
        let line = matches!(&self.state, State::Prompts(line) if line == command.as_bytes());
        let foreground = tcgetpgrp(&terminal).is_ok_and(|group| group == shell);
        let editing =
            tcgetattr(&terminal).is_ok_and(|mode| !mode.local_modes.contains(LocalModes::ICANON));
        line && foreground && editing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prompting() -> Prompt {
        let mut prompt = Prompt::new();
        prompt.printed(b"hello \x1b]133;");
        prompt.printed(b"A\x07$ ");
        prompt
    }

    fn line(prompt: &Prompt) -> Option<&[u8]> {
        match &prompt.state {
            State::Prompts(line) => Some(line),
            _ => None,
        }
    }

    #[test]
    fn a_line_is_what_was_typed_since_the_mark() {
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
    fn a_mark_that_no_enter_preceded_makes_no_line_empty() {
        let mut prompt = prompting();
        prompt.typed(b"rm -rf ");
        prompt.printed(MARK);
        assert_eq!(line(&prompt), Some(&b"rm -rf "[..]));
    }

    #[test]
    fn what_was_typed_before_the_prompt_counts_against_it() {
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
    fn a_mark_is_read_across_pieces_and_only_whole() {
        let mut prompt = Prompt::new();
        prompt.printed(b"\x1b]133;B\x07\x1b]133");
        assert_eq!(line(&prompt), None);
        for byte in b"\x1b\x1b]133;A\x07" {
            prompt.printed(&[*byte]);
        }
        assert_eq!(line(&prompt), Some(&b""[..]));
    }
}
