//! Passwords of plain words: "the root password is dragon", "Passwort: Sommer Regen Tisch".
//!
//! Behind "is" or a sign stands what describes a password, or the password. Words that describe one are known
//! ([`talk`](crate::redaction::talk)); the first that is not begins a password, which reaches to the end of its part of
//! the sentence.

use super::context::{Context, Tie};
use super::opening::CHANGED_TO;
use super::{Reader, Role};
use crate::redaction::talk::{Says, says, says_in_polish};
use crate::redaction::value::{Candidate, is_blank};
use crate::redaction::weight::{MIN_BYTES, Weight, is_default, is_labeled, weigh};
use crate::redaction::words::role;
use std::ops::Range;

/// The longest that is looked at, in bytes.
const SAID_BYTES: usize = 128;
/// How far behind "changed" its "to" may stand, in bytes.
const CHANGED_BYTES: usize = 48;
/// The most words of such a password; a longer text tells something.
const WORDS: usize = 8;
/// The least words of one that begins like a description: "correct horse battery staple".
const ODD_WORDS: usize = 4;
/// The least words of one that follows its word at once: "with the passphrase marble staircase humming".
const LOOSE_WORDS: usize = 3;

/// The bytes behind what a text quotes last, with the closing quote.
fn between_len(text: &str) -> usize {
    text.len() - text.rfind('"').unwrap_or_default()
}

/// "admin / operator": what users are, and no password.
pub(super) fn is_role(value: &str) -> bool {
    const ROLES: [&str; 18] = [
        "admin",
        "administrator",
        "auditor",
        "developer",
        "editor",
        "group",
        "gruppe",
        "guest",
        "manager",
        "member",
        "operator",
        "owner",
        "reader",
        "root",
        "user",
        "users",
        "viewer",
        "writer",
    ];
    value.starts_with("administrat") || ROLES.iter().any(|role| value.eq_ignore_ascii_case(role))
}

/// Whether a line ends here.
fn ends(rest: &str) -> bool {
    let rest = rest.trim_start_matches([' ', '.', ',', ';', '!', '\r']);
    rest.is_empty() || rest.starts_with('\n')
}

/// The words of a password, read one by one.
#[derive(Default)]
struct Words {
    /// Where the last one ended.
    end: usize,
    /// How many may be part of a password.
    own: usize,
    all: usize,
    describes: usize,
    odd: bool,
}

impl Reader<'_> {
    /// The words that begin here, if they are what the password of this context is said to be.
    pub(super) fn said(&self, context: &Context) -> Option<Range<usize>> {
        let password = match context.role {
            Role::Password => !context.code,
            Role::MaybePassword => {
                context.placed || (context.tie == Tie::Sign && context.line_starts)
            }
            _ => false,
        };
        let loose = context.tie == Tie::Direct && (context.said || context.phrase);
        let tied = loose
            || match context.tie {
                Tie::Sign => {
                    (context.words == 0
                        || context.governed
                        || context.placed
                        || self.is_behind_arrow())
                        && self.is_behind_sign()
                }
                Tie::Copula => !context.compound && self.is_said_at_once(),
                _ => false,
            };
        let open = password && tied && !context.plural && !context.implied && context.values == 0;
        if !open {
            return None;
        }
        let signed = context.tie == Tie::Sign;
        let words = self.words(signed)?;
        let span = self.at..words.end;
        let rest = &self.open()[span.end..];
        let after = rest.trim_start_matches(['.', ',', ';', '!', '?', ')', '"', '\'', '`', '*']);
        let goes_on = !after.starts_with(char::is_whitespace) && !after.is_empty()
            || rest.trim_start_matches(' ').starts_with(['=', ':', '/', '(', '|', '"', '<', '{']);
        let last = ends(rest);
        if goes_on
            || (signed && !last)
            || (words.odd
                && words.own + 1 < ODD_WORDS
                && !(signed && context.phrase && words.own > 1))
        {
            return None;
        }
        let enough = match words.all {
            1 => {
                let word = &self.text[span.clone()];
                !loose
                    && word.chars().all(char::is_alphabetic)
                    && (weigh(word) >= Weight::Weak || is_default(word))
            }
            2 => !loose && words.describes == 0,
            all => all >= LOOSE_WORDS,
        };
        enough.then_some(span)
    }

    /// The quoted words before "as the password" and "is the password".
    pub(super) fn said_before(&self, at: usize) -> Option<Range<usize>> {
        let from = self.text.floor_char_boundary(at.saturating_sub(SAID_BYTES));
        let from = self.found.last().map_or(from, |raw| from.max(raw.span.end));
        let from = if self.walled <= at { from.max(self.walled) } else { from };
        let before = self.text[from.min(at)..at].rsplit('\n').next().unwrap_or_default();
        let (quoted, between) = before.rsplit_once('"')?;
        let (_, value) = quoted.rsplit_once('"')?;
        let mut between = between.split_whitespace();
        let as_ =
            between.next().is_some_and(|word| matches!(role(word), Some(Role::As | Role::Copula)));
        let tied = as_ && between.all(|word| says(word).is_some() || role(word).is_some());
        let words = value.split(' ').filter(|word| says(word).is_none()).count();
        let fits = tied
            && value.len() >= MIN_BYTES
            && words * 2 > value.split(' ').count()
            && !value.contains('$');
        let end = at - between_len(before);
        fits.then(|| end - value.len()..end)
    }

    /// Whether a word shortly before says that something was changed.
    pub(super) fn is_changed(&self) -> bool {
        self.changed.is_some_and(|end| self.at <= end + CHANGED_BYTES)
    }

    fn is_behind_sign(&self) -> bool {
        let before = self.text[..self.at].trim_end_matches([' ', '\t', '\n', '\r']);
        before.ends_with([':', '=']) || before.ends_with("->")
    }

    fn is_behind_arrow(&self) -> bool {
        self.text[..self.at].trim_end_matches(' ').ends_with("->")
    }

    /// Whether "is" stands at once before, and no article between: "is the name of our cat" describes. Behind "to"
    /// stands a password only if it was set: a "password to Grafana" has its name behind it.
    fn is_said_at_once(&self) -> bool {
        let before = &self.text[self.before_span.clone()];
        let to = before.eq_ignore_ascii_case("to");
        let owned = ["its", "by", "set"].iter().any(|word| before.eq_ignore_ascii_case(word));
        !owned
            && (!to || self.is_changed() || self.is_polish)
            && (self.before == Some(Role::Copula)
                || !matches!(says(before), Some(Says::Joins | Says::Links)))
    }

    /// The words of a password that begin here.
    fn words(&self, signed: bool) -> Option<Words> {
        let text = self.open();
        let line = &text[self.at..text.floor_char_boundary(self.at + SAID_BYTES)];
        let line = &line[..line.find('\n').unwrap_or(line.len())];
        let mut words = Words { end: self.at, ..Words::default() };
        // Words that join are part of a password only if another of its words follows.
        let (mut at, mut joins) = (0, 0);
        // "auf X geändert", "veranderd in X"
        let moved = CHANGED_TO.contains(&&self.text[self.before_span.clone()]);
        while words.all + joins < WORDS {
            let rest = &line[at..];
            let word = &rest
                [..rest.find(|c: char| !c.is_alphanumeric() && c != '-').unwrap_or(rest.len())];
            if word.is_empty() {
                break;
            }
            let said = if self.is_polish { says_in_polish(word) } else { says(word) };
            let first = words.all == 0;
            // "is leaking into the log"
            let goes_on = rest[word.len()..].starts_with(' ');
            let said =
                said.or((first && goes_on && word.ends_with("ing")).then_some(Says::Describes));
            match said {
                Some(Says::About) => return None,
                // "blauer Himmel heute", "lemon tree very pretty"
                Some(Says::Parts) if words.own > 1 && (signed || ends(&rest[word.len()..])) => {
                    words.describes += 1;
                }
                Some(Says::Parts) => break,
                Some(Says::Links | Says::Joins) if first => break,
                Some(Says::Joins) if !signed && words.own < 2 => break,
                Some(Says::Links | Says::Joins) => joins += 1,
                Some(Says::Describes) if moved && !first => break,
                Some(Says::Describes) => {
                    words.odd |= first;
                    words.describes += 1;
                }
                None => words.own += 1,
            }
            at += word.len();
            if !matches!(said, Some(Says::Links | Says::Joins)) {
                (words.end, words.all) = (self.at + at, words.all + joins + 1);
                joins = 0;
            }
            let blanks = line[at..].bytes().take_while(|b| is_blank(*b)).count();
            if blanks != 1 {
                break;
            }
            at += 1;
        }
        let long = words.end - self.at >= MIN_BYTES;
        let word = self.text[self.at..words.end].starts_with(char::is_alphabetic);
        (words.own > 0 && long && word && words.all < WORDS).then_some(words)
    }

    /// Whether a word ends `login: admin / banana`.
    pub(super) fn is_of_login(&self, context: &Context, found: &Candidate) -> bool {
        let value = &self.text[found.span.clone()];
        context.role == Role::Login
            && context.tie == Tie::Slash
            && context.words <= 1
            && self.text[..found.span.start].ends_with(" / ")
            && found.last
            && found.weight >= Weight::Weak
            && (value.chars().all(char::is_alphanumeric) || is_labeled(value))
            && says(value).is_none()
            && !is_role(value)
    }

    /// Whether a value stands in a list of fields as connections are described: `user=app;password=walnut;host=db`.
    pub(super) fn is_listed(&self, context: &Context, found: &Candidate) -> bool {
        let rest = &self.text[found.span.end..];
        let field = || {
            let name = rest.trim_start_matches(' ');
            let end =
                name.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(name.len());
            rest.starts_with(' ') && end > 0 && name[end..].starts_with('=')
        };
        let made = context.role == Role::Token && context.is_variable && context.line_starts;
        let in_list = self.byte_before(self.before_span.start) == Some(b',');
        (made || matches!(context.role, Role::Password | Role::MaybePassword))
            && context.words + context.values == 0
            && self.byte_before(found.span.start) == Some(b'=')
            && found.weight >= Weight::Weak
            && says(&self.text[found.span.clone()]).is_none()
            && (rest.is_empty()
                || (context.line_starts && context.is_capitals)
                || rest.starts_with([';', '\n', '"', '\'', '&'])
                || (made && rest.starts_with(' '))
                || (in_list && rest.starts_with([' ', ',']))
                || field())
    }
}
