//! Separates thoughts that a model writes into its reply.
//!
//! Some open models, or the servers in front of them, send their reasoning as text between marks such as `<think>` and
//! `</think>` at the beginning of a reply. It is not for the reader. A mark anywhere else is ordinary text, because
//! people ask about these marks.
//!
//! With some models, the opening mark belongs to what they are asked, so that a reply begins within the thoughts and only
//! the closing mark comes. That is known once it has come ([`unopened`]); the model's next replies are held back until then
//! ([`Thinking::begun`]).

use std::sync::LazyLock;

/// What marks of thoughts are called, in lower case.
const NAMES: [&str; 8] = [
    "think",
    "thinking",
    "thought",
    "thoughts",
    "reasoning",
    "reflection",
    "scratchpad",
    "seed:think",
];

/// How marks are written: what precedes the name of an opening one and of a closing one, and what follows it.
const BRACKETS: [(&str, &str, &str); 3] = [("<", "</", ">"), ("[", "[/", "]"), ("◁", "◁/", "▷")];

/// Marks of other forms, opening and closing: those of one family of models, and OpenAI's format for open models, in which
/// the channel `analysis` has the thoughts and the channel `final` the reply. What opens and closes nothing else is skipped
/// like thoughts.
const OTHERS: [(&str, &str); 4] = [
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("<|start|>assistant", ""),
    ("<|channel|>analysis", "<|end|>"),
    ("<|channel|>final", "<|message|>"),
];

/// All marks, opening and closing.
static MARKS: LazyLock<Vec<(String, String)>> = LazyLock::new(|| {
    let bracketed = BRACKETS.iter().flat_map(|(open, close, end)| {
        NAMES.iter().map(move |name| (format!("{open}{name}{end}"), format!("{close}{name}{end}")))
    });
    let others = OTHERS.iter().map(|(opening, closing)| (opening.to_string(), closing.to_string()));
    bracketed.chain(others).collect()
});

/// How many of the marks can close thoughts that nothing opened.
const CLOSING: usize = NAMES.len() * BRACKETS.len();

/// The most of a reply that is held back because it may be thoughts, in bytes.
const HELD_BYTES: usize = 96 * 1024;

/// Splits a reply into thoughts and text as it arrives.
#[derive(Debug, Default)]
pub(crate) struct Thinking {
    /// Text that is not decided yet, because it may be the beginning of a mark.
    held: String,
    place: Place,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Place {
    #[default]
    Beginning,
    /// In thoughts that began before the reply, if a closing mark comes.
    Begun,
    /// Between the marks, until the closing one of this pair.
    Inside(usize),
    /// After a closing mark: the blank lines before the reply belong to the thoughts, and further thoughts may follow.
    Behind,
    Reply,
}

/// A piece of a reply, split.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Parts {
    /// For the reader.
    pub(crate) text: String,
    /// Bytes of thoughts, which cost the same as text.
    pub(crate) thought_bytes: usize,
}

impl Thinking {
    /// For a model whose replies begin within its thoughts.
    pub(crate) fn begun() -> Self {
        Self { held: String::new(), place: Place::Begun }
    }

    /// Splits the next piece.
    pub(crate) fn push(&mut self, piece: &str) -> Parts {
        self.held.push_str(piece);
        let mut parts = Parts::default();
        loop {
            let decided = match self.place {
                Place::Beginning | Place::Behind => self.begin(),
                Place::Begun => self.look_for_closing(piece, &mut parts),
                Place::Inside(pair) => self.skip(&MARKS[pair].1, &mut parts),
                Place::Reply => {
                    parts.text = std::mem::take(&mut self.held);
                    return parts;
                }
            };
            if !decided {
                return parts;
            }
        }
    }

    /// The text that was held back when the reply ended.
    pub(crate) fn end(&mut self) -> Parts {
        let held = std::mem::take(&mut self.held);
        match self.place {
            Place::Inside(_) => Parts { thought_bytes: held.len(), ..Parts::default() },
            Place::Beginning | Place::Begun | Place::Behind | Place::Reply => {
                Parts { text: held, ..Parts::default() }
            }
        }
    }

    /// Decides whether thoughts begin. Returns whether it has decided.
    fn begin(&mut self) -> bool {
        let start = self.held.trim_start();
        if let Some(pair) = opened_by(start) {
            self.held = start[MARKS[pair].0.len()..].to_owned();
            self.place = Place::Inside(pair);
            return true;
        }
        if MARKS.iter().any(|(opening, _)| begins(opening, start)) {
            return false;
        }
        if self.place == Place::Behind {
            self.held = start.to_owned();
        }
        self.place = Place::Reply;
        true
    }

    /// Drops thoughts up to their closing mark. Returns whether it has come.
    fn skip(&mut self, closing: &str, parts: &mut Parts) -> bool {
        if let Some(at) = self.held.to_ascii_lowercase().find(closing) {
            parts.thought_bytes += at;
            self.held.drain(..at + closing.len());
            self.place = Place::Behind;
            return true;
        }
        let keep = self.held.floor_char_boundary(self.held.len().saturating_sub(closing.len()));
        parts.thought_bytes += keep;
        self.held.drain(..keep);
        false
    }

    /// The same for thoughts that began before the reply.
    fn look_for_closing(&mut self, piece: &str, parts: &mut Parts) -> bool {
        // All closing marks end with a bracket, so most pieces complete none.
        let may_close = BRACKETS.iter().any(|(_, _, end)| piece.contains(end));
        // They may have an opening mark after all.
        let start = self.held.trim_start();
        if may_close && opened_by(start).is_some() {
            self.place = Place::Beginning;
            return true;
        }
        if let Some(end) = may_close.then(|| unopened(&self.held)).flatten() {
            parts.thought_bytes += end;
            self.held.drain(..end);
            self.place = Place::Behind;
            return true;
        }
        if self.held.len() > HELD_BYTES {
            self.place = Place::Reply;
            return true;
        }
        false
    }
}

/// The pair of marks whose opening one a text begins with.
fn opened_by(text: &str) -> Option<usize> {
    MARKS.iter().position(|(opening, _)| begins(text, opening))
}

/// Whether a text begins with another, in any case.
fn begins(text: &str, with: &str) -> bool {
    text.get(..with.len()).is_some_and(|start| start.eq_ignore_ascii_case(with))
}

/// Where the thoughts end with which a text begins although nothing opened them: behind its first closing mark, unless
/// that is quoted or its opening one precedes it.
pub(crate) fn unopened(text: &str) -> Option<usize> {
    let lower = text.to_ascii_lowercase();
    let closings = MARKS[..CLOSING].iter().filter_map(|(opening, closing)| {
        let at = lower.find(closing.as_str())?;
        let (before, after) = (&lower[..at], &lower[at + closing.len()..]);
        let is_code = before.matches("```").count() % 2 == 1
            || before.ends_with(['`', '"', '\'', '“', '‘'])
            || after.starts_with('`');
        (!before.contains(opening.as_str()) && !is_code).then_some(at + closing.len())
    });
    closings.min()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The reader's text and the bytes of thoughts, for a reply in pieces of this many characters.
    fn read_by(mut thinking: Thinking, reply: &str, characters: usize) -> (String, usize) {
        let letters: Vec<char> = reply.chars().collect();
        let pieces = letters.chunks(characters).map(|piece| piece.iter().collect::<String>());
        let mut parts: Vec<Parts> = pieces.map(|piece| thinking.push(&piece)).collect();
        parts.push(thinking.end());
        let text = parts.iter().map(|part| part.text.as_str()).collect();
        (text, parts.iter().map(|part| part.thought_bytes).sum())
    }

    fn read(reply: &str, characters: usize) -> (String, usize) {
        read_by(Thinking::default(), reply, characters)
    }

    #[test]
    fn thoughts_at_the_beginning_are_not_shown_however_they_arrive() {
        for characters in 1..60 {
            assert_eq!(
                read("\n<think>Grüße, hm < 3</think>\n\nHello", characters),
                ("Hello".to_owned(), "Grüße, hm < 3".len())
            );
            assert_eq!(read("<thinking>a</thinking>b", characters), ("b".to_owned(), 1));
        }
    }

    #[test]
    fn the_marks_of_other_models_are_known_in_any_case() {
        for reply in [
            "<THINK>hidden</THINK>Hello?",
            "<Reasoning>hidden</reasoning>\nHello?",
            "<thought>hidden</thought>Hello?",
            "<seed:think>hidden</seed:think>Hello?",
            "[THINK]hidden[/THINK]Hello?",
            "◁think▷hidden◁/think▷Hello?",
            "<|begin_of_thought|>hidden<|end_of_thought|>\n\nHello?",
            "<think>hidden</think>\n<think>hidden again</think>Hello?",
            "<|channel|>analysis<|message|>hidden<|end|><|start|>assistant<|channel|>final<|message|>Hello?",
            "<|start|>assistant<|channel|>final<|message|>Hello?",
        ] {
            for characters in 1..30 {
                assert_eq!(read(reply, characters).0, "Hello?", "{reply} by {characters}");
            }
        }
    }

    #[test]
    fn other_text_arrives_whole() {
        for text in
            ["", "Hi", "<thin", "<b>bold</b>", "Use <think>x</think>.", "  <", "é<think>", "[x] y"]
        {
            for characters in 1..8 {
                assert_eq!(read(text, characters), (text.to_owned(), 0), "{text:?}");
            }
        }
    }

    #[test]
    fn unfinished_thoughts_are_not_shown() {
        assert_eq!(read("<think>on and on", 3), (String::new(), "on and on".len()));
    }

    #[test]
    fn thoughts_that_nothing_opened_end_at_their_closing_mark() {
        let reply = "They want a site.</think>\n\nWhich port?";
        assert_eq!(&reply[unopened(reply).unwrap()..], "\n\nWhich port?");
        for characters in 1..20 {
            let (text, _) = read_by(Thinking::begun(), reply, characters);
            assert_eq!(text, "Which port?");
            let (text, _) = read_by(Thinking::begun(), "<think>a</think>Which port?", characters);
            assert_eq!(text, "Which port?");
            let (text, _) = read_by(Thinking::begun(), "Which port?", characters);
            assert_eq!(text, "Which port?", "a reply without thoughts is not lost");
        }
        for text in [
            "It ends with `</think>`.",
            "Write <think>a</think> there.",
            "As in:\n```\na</think>\n```\n",
            "The mark \"</think>\" closes it.",
        ] {
            assert_eq!(unopened(text), None, "{text}");
        }
    }
}
