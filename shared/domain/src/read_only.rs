//! Which commands may run without asking: those that can only read.
//!
//! The judge is an allow-list over a small part of bash's grammar. A command line is read into simple
//! commands (those of pipelines, lists and substitutions alike), and each must be known, with options
//! that are known, to neither write nor start anything. **Whatever is not fully understood is not
//! read-only**: it is then shown to its owner like any other command, which costs a click, while the
//! opposite mistake costs a server. So there are no loops, functions, assignments, here-documents,
//! `eval`, backquotes, brace expansion, arithmetic or variables (beyond `$HOME` and `$?`), no
//! redirection but to `/dev/null` and between standard output and error, and nothing in the background.
//!
//! Reading alone can harm too when nobody watches, because what is read goes to a model and from there
//! into the next command. So places where secrets usually lie are not read without asking
//! ([`secrets`]), and nothing reaches past this machine and its private network: a request to the
//! outside could carry away what was read before.
//!
//! A parser crate was weighed: the complete ones keep expansions inside words unparsed, where the danger
//! is, and a whole grammar is not wanted here, since all that is refused need not be told apart.

mod curl;
#[cfg(test)]
mod examples;
mod options;
mod parse;
#[cfg(test)]
mod properties;
mod secrets;
mod special;
mod table;

use parse::{Simple, Word};

/// Longest command that is judged at all, in bytes; a longer one is worth a look anyway.
const JUDGED_BYTES: usize = 4_000;

/// Whether a bash command certainly neither changes anything nor shows where secrets usually lie.
pub fn is_read_only(command: &str) -> bool {
    command.len() <= JUDGED_BYTES
        && parse::commands(command).is_some_and(|commands| commands.iter().all(is_harmless))
}

fn is_harmless(command: &Simple) -> bool {
    let mut words = command.words.iter().chain(&command.reads);
    let reads =
        command.reads.iter().all(|file| file.is_literal() && !file.text.starts_with("/dev/"));
    !words.any(|word| secrets::is_named_in(&word.text)) && reads && may_run(&command.words)
}

/// Whether the command of these words, its own name first, is on the list.
fn may_run(words: &[Word]) -> bool {
    let Some((name, arguments)) = words.split_first() else { return false };
    // To the shell `[` alone is no pattern but a name.
    (name.is_literal() || name.text == "[") && table::allows(&name.text, arguments)
}
