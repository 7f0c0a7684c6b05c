//! A walk over the words and signs of a line, with the look-ahead that a clause needs.

use super::plain::{POLITE, is_article, is_plain, is_tool, takes};
use crate::lexicon::{Part, is_to, part};
use crate::talk::{Says, says};
use crate::words::{Role, folded, is_letter, lists, role};
use std::ops::Range;

/// The most verbs and pronouns in a row.
const VERBS: usize = 10;
/// The longest text between brackets, in bytes.
const BRACKET_BYTES: usize = 48;
/// Articles and prepositions that lose their last letter before a vowel.
const ELIDED: [&str; 9] = ["d", "l", "dell", "all", "nell", "sull", "dall", "D", "L"];

/// A walk over the tokens of a line.
#[derive(Clone, Copy)]
pub struct Walk<'t> {
    pub text: &'t str,
    pub at: usize,
}

impl<'t> Walk<'t> {
    /// The next word or sign; the walk does not move.
    pub fn peek(&self) -> Option<Range<usize>> {
        let rest = &self.text[self.at..];
        let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        let rest = &rest[blanks..];
        let first = rest.chars().next().filter(|c| *c != '\n' && *c != '\r')?;
        let start = self.at + blanks;
        if !is_letter(first) {
            let arrow = ["->", "=>", "==", "--"].iter().any(|sign| rest.starts_with(sign));
            return Some(start..start + if arrow { 2 } else { first.len_utf8() });
        }
        let ends = |c: char| !is_letter(c);
        let mut end = rest.find(ends).unwrap_or(rest.len());
        // "dell'admin", "l'utilisateur"
        if rest[end..].starts_with('\'') && ELIDED.contains(&&rest[..end]) {
            return Some(start..start + end + 1);
        }
        // "e'" is how Italians type "è".
        if matches!(&rest[..end], "e" | "E") && rest[end..].starts_with("' ") {
            return Some(start..start + end + 1);
        }
        // "it's", "db-01", "web.example"
        while rest[end..].starts_with(['\'', '-', '.', '_'])
            && rest[end + 1..].starts_with(is_letter)
        {
            let more = &rest[end + 1..];
            end += 1 + more.find(ends).unwrap_or(more.len());
        }
        Some(start..start + end)
    }

    /// Moves over the next word or sign, and returns it.
    pub fn next(&mut self) -> Option<(&'t str, Range<usize>)> {
        let span = self.peek()?;
        self.at = span.end;
        Some((&self.text[span.clone()], span))
    }

    /// Moves over the next word or sign if it meets the condition.
    pub fn skip(&mut self, is: impl Fn(&str) -> bool) -> bool {
        let found = self.peek().filter(|span| is(&self.text[span.clone()]));
        if let Some(span) = &found {
            self.at = span.end;
        }
        found.is_some()
    }

    /// Moves to the start of the next word or sign.
    pub fn value(&mut self) -> Option<usize> {
        self.at = self.peek()?.start;
        Some(self.at)
    }

    /// Moves over the text up to a closing bracket.
    pub fn bracket(&mut self) -> Option<()> {
        let rest = &self.text[self.at..];
        let rest = &rest[..rest.floor_char_boundary(BRACKET_BYTES)];
        let close = rest.find([')', ']', '\n']).filter(|at| !rest[*at..].starts_with('\n'))?;
        self.at += close + 1;
        Some(())
    }

    /// Whether one word, "to" and another word follow: not "from time to time".
    pub fn leads_to(&self) -> bool {
        let mut walk = *self;
        let from = walk.next().map(|(word, _)| word);
        walk.skip(|word| is_to(word) && word != "in") && walk.next().map(|(word, _)| word) != from
    }

    /// Whether a relative clause begins here that says what something is.
    pub fn is_relative(&self) -> bool {
        let mut walk = *self;
        walk.skip(|word| part(word) == Some(Part::Who))
            && walk.skip(|word| part(word) == Some(Part::Is))
    }

    /// Whether the next sign belongs to a program's text: `::`, `==`.
    pub fn is_code(&self) -> bool {
        self.text[self.at..].get(1..).is_some_and(|rest| rest.starts_with([':', '=', '*', '&']))
    }

    /// Whether one word that may be a password comes before a closing bracket.
    pub fn is_bracketed(&self) -> bool {
        let rest = &self.text[self.at..];
        rest.split_once(')').is_some_and(|(word, _)| is_plain(word) && !is_tool(word))
    }

    /// Whether "it is" or "now it's" follows.
    pub fn says_is(&self) -> bool {
        let mut walk = *self;
        walk.skip(|word| matches!(part(word), Some(Part::It | Part::When)));
        walk.skip(|word| part(word) == Some(Part::Is))
    }

    /// Whether another clause follows: "and the url is …".
    pub fn joins_clause(mut self) -> bool {
        const WORDS: usize = 3;
        self.skip(|word| part(word) == Some(Part::Joins))
            && self.skip(is_article)
            && (0..WORDS).any(|_| self.next().is_some_and(|(word, _)| part(word) == Some(Part::Is)))
    }

    /// Whether a quoted text fills a bracket that begins here.
    pub fn is_quoted(&self) -> bool {
        let rest = &self.text[self.at..];
        rest.starts_with(['"', '\'', '`'])
            && rest.split(')').next().is_some_and(|text| text.ends_with(['"', '\'', '`']))
    }

    /// Whether a word of this clause reports a change.
    pub fn is_changed(&self) -> bool {
        let line = self.text[self.at..].split([',', ';', '\n']).next().unwrap_or_default();
        let clause = line.split(". ").next().unwrap_or_default();
        clause
            .split(' ')
            .map(|word| word.trim_end_matches('.'))
            .any(|word| part(word) == Some(Part::Changed))
    }

    /// Moves over verbs and pronouns ("we use", "hätte ich gern"); returns whether there were any.
    pub fn verbs(&mut self) -> bool {
        let start = self.at;
        for _ in 0..VERBS {
            let told = |word: &str| {
                takes(word)
                    || part(word).is_some()
                    || POLITE.contains(&word)
                    || matches!(word, "hätte" | "gern" | "gerne" | "möchte")
            };
            if !self.skip(told) {
                break;
            }
        }
        self.at > start
    }

    /// Moves over "the value"; returns whether it was there.
    pub fn value_word(&mut self) -> bool {
        let mut walk = *self;
        walk.skip(is_article);
        let found = walk.skip(|word| {
            role(&folded(word)) == Some(Role::Value) || matches!(word, "waarde" | "wartoscia")
        });
        if found {
            walk.skip(|sign| matches!(sign, ":" | "=" | "of"));
            *self = walk;
        }
        found
    }

    /// Moves over "this one:"; returns whether it was there.
    pub fn this_one(&mut self) -> bool {
        const THIS: &str = "this these following that diese dieses diesen folgende folgendes esta este estas \
             siguiente celle-ci celui-ci cette suivante questa questo queste seguente essa esse seguinte deze dit \
             volgende tego tej";
        let mut walk = *self;
        walk.skip(is_article);
        let found = walk.skip(|word| lists(THIS, &folded(word))) && {
            walk.skip(|word| matches!(word, "one" | "here" | "hier" | "ici" | "aquí" | "qui"));
            walk.skip(|sign| sign == ":")
        };
        if found {
            *self = walk;
        }
        found
    }

    /// Whether one word and a verb at the end of its clause follow: "soll X sein".
    pub fn ends_in_verb(&self) -> bool {
        let mut words = self.text[self.at..].trim_start_matches(' ').splitn(3, ' ');
        let value = words.next().is_some_and(|word| says(word) != Some(Says::Parts));
        let verb = words.next().and_then(|word| word.split(|c: char| !c.is_alphabetic()).next());
        let verbs = ["sein", "lauten", "heißen", "heissen", "zijn", "worden", "werden"];
        value && verb.is_some_and(|verb| verbs.contains(&verb))
    }
}
