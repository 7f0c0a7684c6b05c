//! Follows clauses from a word for a password to the password: "the password for the staging db should be ⟦walnut⟧
//! now".
//!
//! The walk starts at the word for a password. It passes what the password opens ("for the staging db",
//! "(production)"), whose it is ("that you need"), and the tie ([`tie`](super::tie)). The value ([`phrase`]) follows
//! the tie. More may follow the value: "not X anymore, it's Y now", "or X".
//!
//! The walk only looks ahead in its line, and only a fixed number of bytes, so the time stays linear.

use super::context::{Context, Tie};
use super::numbers::{code, number};
use super::phrase::{Manner, phrase};
use super::plain::{ends_clause, is_plain, is_tool, words_before};
use super::tie::Noun;
use super::walk::Walk;
use super::{Reader, Role};
use crate::lexicon::{Part, is_to, part};
use crate::talk::says;
use crate::things::dotted;
use crate::weight::{Weight, is_default, is_hex, weigh};
use crate::words::{folded, is_letter, is_pin, lists, role};
use crate::{Raw, blocks, names};
use std::ops::Range;

/// How far the walk follows a clause, in bytes.
const CLAUSE_BYTES: usize = 240;
/// The most words between one value and the next.
const BETWEEN: usize = 10;
/// The most words that say what a number opens.
const PLACE_WORDS: usize = 6;
/// Words after "PIN" that say which one it is.
const PIN_KINDS: &str = "\
    admin root master maestro serwisowy glowny dostepu administratora instalatora instalatorski administrador \
    tecnico instalador servicio servizio amministratore installatore maitre principal parental technique \
    principale mestre de di servico";
/// The most values of one clause.
const VALUES: usize = 3;
/// The number of words in a quoted phrase.
const PHRASE_WORDS: Range<usize> = 3..13;
/// How far to read after a default password, in bytes.
const EXAMPLE_BYTES: usize = 64;
/// Words that say that a value is only an example.
const SHOWN: [&str; 8] =
    ["placeholder", "example", "dummy", "latzhalter", "eispiel", "ejemplo", "exemple", "esempio"];
/// How far back to look for "or", in bytes.
const OR_BYTES: usize = 8;

/// Whether a default password is only an example: "changeme, which is only a placeholder".
fn is_for_show(text: &str) -> bool {
    let text = text.trim_start_matches(['"', '\'', '`']);
    let text = &text[..text.floor_char_boundary(EXAMPLE_BYTES)];
    let end = text.find(|c: char| !c.is_alphanumeric()).unwrap_or(text.len());
    let rest = text[end..].split('\n').next().unwrap_or_default();
    is_default(&text[..end]) && SHOWN.iter().any(|word| rest.contains(word))
}

/// Whether nothing but signs follows in a sentence.
fn ends_sentence(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with([',', '.', ';', '!', '\n', '\r', '"', '\'', '`', ')'])
}

impl Reader<'_> {
    /// Takes the values of the clause that a word for a secret has begun.
    pub(super) fn follow(&mut self) {
        let Some(context) = &self.context else { return };
        let role = context.role;
        let found = match self.listed_keys() {
            listed if !listed.is_empty() => listed,
            _ if role == Role::Login => self.pair().into_iter().collect(),
            _ => self.clause(),
        };
        let Some(context) = self.context.as_ref().filter(|_| !found.is_empty()) else { return };
        let (name, kind) = (context.name.clone(), context.kind());
        for span in found {
            self.take(Raw::likely(span, &name, kind));
        }
    }

    /// The secrets of the clause that begins with the word for a secret that was just read.
    pub(super) fn clause(&mut self) -> Vec<Range<usize>> {
        let Some(context) = &self.context else { return Vec::new() };
        let Some(noun) = self.noun(context) else { return Vec::new() };
        let (phrase, is_variable) = (context.phrase, context.is_variable);
        let text = self.open();
        let text = &text[..text.floor_char_boundary(self.at + CLAUSE_BYTES)];
        let mut walk = Walk { text, at: self.at };
        let Some(tie) = self.tie(&mut walk, noun) else { return self.listed_number(noun) };
        let Some(at) = walk.value() else { return Vec::new() };
        if self.is_prompt(at) {
            return Vec::new();
        }
        // `PASSWORD :'app_pw'`: a variable of psql.
        if self.text[..at].ends_with(" :") && self.text[at..].starts_with('\'') {
            return Vec::new();
        }
        // `DB_PASSWORD=…` is not a sentence; "set DB_PASSWORD to X" is one.
        if is_variable && (tie.signed || tie.bare && !self.is_about_a_variable() && !tie.copula) {
            return Vec::new();
        }
        if noun == Noun::Named && !tie.valued {
            return Vec::new();
        }
        // Another field: "password: token:".
        let (word, _) = walk.next().unwrap_or_default();
        let again = word == &self.text[self.before_span.clone()];
        if again || matches!(role(&folded(word)), Some(Role::Password | Role::Token)) {
            return Vec::new();
        }
        if noun == Noun::Number {
            let length = code(&text[at..]).or_else(|| self.worded_code(&text[at..]));
            let number = length.map(|length| at..at + length);
            let next = number.as_ref().and_then(|span| {
                let walk = Walk { text, at: span.end };
                self.second(walk).or_else(|| self.second_number(walk))
            });
            return number.into_iter().chain(next).collect();
        }
        // "la chiave del server è X", but not "the key of the table is X"
        let word = &self.text[self.before_span.clone()];
        let english = ["key", "token", "secret"].iter().any(|noun| word.starts_with(noun));
        let doubtful =
            noun == Noun::Doubtful && (!tie.placed || english || tie.signed) && !tie.valued;
        let doubtful = doubtful && !(tie.moved && word == "secret");
        let manner = Manner {
            signed: tie.signed,
            phrase,
            moved: tie.moved,
            doubtful,
            polish: self.is_polish,
            ..Manner::default()
        };
        let plain = tie.bare && tie.signed && !doubtful;
        let Some(span) = self.value_at(at, manner, plain) else { return Vec::new() };
        // "it asks for the passphrase, I use ssh-agent"
        if tie.used && self.text[span.clone()].split([' ', '-']).any(is_tool) {
            return Vec::new();
        }
        // "la clave es tener copias"
        let walk = Walk { text, at: span.end.min(text.len()) };
        let goes_on = !(ends_sentence(&self.text[span.end..]) || walk.joins_clause())
            || (self.is_clave() && self.text[span.clone()].contains(' '));
        if noun == Noun::Short && tie.copula && tie.bare && goes_on {
            return Vec::new();
        }
        // "setze das Passwort auf dem Server zurück"
        let back = self.text[span.end..].trim_start_matches(' ');
        if tie.moved && ["zurück", "terug", "back"].iter().any(|word| back.starts_with(word)) {
            return Vec::new();
        }
        // `PGPASSWORD=walnut psql`: a shell's value is one word.
        let joined = tie.signed && span.start == at && self.text[self.at..at] == *"=";
        let shell = names::is_capitals(&self.text[self.before_span.clone()])
            || self.text[span.end..].starts_with(" -");
        let joined = joined && shell;
        let word = self.text[span.clone()].find(' ').filter(|_| joined);
        let first = span.start..word.map_or(span.end, |length| span.start + length);
        let mut all = vec![first];
        while let Some(last) = all.last().filter(|_| all.len() < VALUES) {
            let quoted = self.text[last.end..].starts_with(['"', '\'', '`']);
            let walk = Walk { text, at: (last.end + usize::from(quoted)).min(text.len()) };
            match self.another(walk, tie.denied).or_else(|| self.second(walk)) {
                Some(span) => all.push(span),
                None => break,
            }
        }
        all
    }

    /// Whether a sentence is about a variable: "the value of DB_PASSWORD is X".
    fn is_about_a_variable(&self) -> bool {
        self.sentence_before(self.before_span.start).ends_with(' ')
    }

    /// "the PIN is X and the PUK Y", "door code X"
    fn listed_number(&self, noun: Noun) -> Vec<Range<usize>> {
        let start = self.at + usize::from(self.text[self.at..].starts_with(' '));
        if noun != Noun::Number {
            return Vec::new();
        }
        // "pin for the card reader 0907"
        let mut walk = Walk { text: self.open(), at: self.at };
        let mut at = start;
        if walk.skip(|word| part(word.trim_end_matches('\'')) == Some(Part::Of)) {
            for _ in 0..PLACE_WORDS {
                at = walk.value().unwrap_or(at);
                let number = self.open()[at..].starts_with(|c: char| c.is_ascii_digit());
                if number || !walk.skip(|word| word.starts_with(is_letter)) {
                    break;
                }
            }
        }
        // "pin serwisowy 260518"
        walk = Walk { text: self.open(), at };
        if at == start && walk.skip(|word| lists(PIN_KINDS, &folded(word))) {
            at = walk.value().unwrap_or(at);
        }
        let found = code(&self.open()[at..]).map(|length| at..at + length);
        let next = found.as_ref().and_then(|found| {
            let end = self.text.floor_char_boundary(found.end + CLAUSE_BYTES);
            let text = &self.open()[..end.min(self.wall())];
            self.second_number(Walk { text, at: found.end })
        });
        found.into_iter().chain(next).collect()
    }

    /// The length of a code of words with a number at the end: "is Green umbrella 1985".
    fn worded_code(&self, text: &str) -> Option<usize> {
        let word = &self.text[self.before_span.clone()];
        let length = phrase(text, Manner::default()).filter(|_| !is_pin(&folded(word)))?;
        let mut words = text[..length].split(' ');
        let number = |word: &str| word.bytes().all(|b| b.is_ascii_digit());
        let told = words.clone().any(|word| says(word).is_some());
        (words.clone().count() >= PHRASE_WORDS.start
            && words.next_back().is_some_and(number)
            && !told)
            .then_some(length)
    }

    /// How far to trust the word that opened this context; `None` for a name in a program.
    fn noun(&self, context: &Context) -> Option<Noun> {
        // "root-Passwort" is a word of a sentence; `db_password` and `--password` are not.
        let word = &self.text[self.before_span.clone()];
        let joined = || word.contains('-') && !word.contains(['_', '.']);
        let identifier = context.identifier && (context.tie == Tie::Option || !joined());
        if context.implied {
            return None;
        }
        match context.role {
            // "a secret called db_password with the value X"
            Role::Password | Role::Token if identifier && !context.is_variable => Some(Noun::Named),
            _ if identifier && !context.is_variable => None,
            Role::Password | Role::MaybePassword if context.code && !self.is_passcode() => {
                Some(Noun::Number)
            }
            Role::Password if context.plural => None,
            Role::Password => Some(Noun::Sure),
            Role::MaybePassword => Some(Noun::Short),
            Role::Token | Role::Key if !context.plural && !context.code => Some(Noun::Doubtful),
            _ => None,
        }
    }

    /// Whether the word is "passcode", which may be a number or a word.
    pub(super) fn is_passcode(&self) -> bool {
        self.text[self.before_span.clone()].eq_ignore_ascii_case("passcode")
    }

    /// The value that begins here. After a `plain` tie, a value that looks like a password is left to the [`Context`].
    pub(super) fn value_at(
        &mut self,
        at: usize,
        manner: Manner,
        plain: bool,
    ) -> Option<Range<usize>> {
        let open = self.open();
        if is_for_show(&open[at..]) {
            return None;
        }
        let quote = open[at..].starts_with(['"', '\'', '`']);
        let found = self.values.candidate(open, at + usize::from(quote));
        if let Some(found) = found.filter(|found| found.quoted == quote) {
            let value = &open[found.span.clone()];
            let least = if quote { Weight::Weak } else { Weight::Name };
            let random = if manner.doubtful { Weight::Strong } else { least };
            let fits = found.weight >= random
                && blocks::is_password(value)
                && says(value).is_none()
                && !(manner.doubtful && is_hex(value));
            let named = open[found.span.end..].starts_with(['=', ':']);
            if fits && !named && plain && !quote {
                return None;
            }
            if fits && !named && !(manner.doubtful && manner.signed) {
                return Some(found.span);
            }
        }
        if quote {
            // If the value is called a phrase, the quotes say where it ends.
            let end = open[at + 1..].find(open[at..].chars().next()?)? + at + 1;
            let words = open[at + 1..end].split(' ').count();
            let plain = !open[at + 1..end].contains(['$', '{', '<', '\n']);
            let fits = manner.phrase && PHRASE_WORDS.contains(&words) && plain;
            return fits.then_some(at + 1..end);
        }
        let rest = &open[at..];
        // "is lantern.saddle.gravel"
        let length = dotted(rest).filter(|_| !manner.doubtful);
        if let Some(length) = length {
            return (!plain).then_some(at..at + length);
        }
        // "was changed to monday_blue"
        let inner = |c: char| is_letter(c) || c == '_';
        let joined = &rest[..rest.find(|c: char| !inner(c)).unwrap_or(rest.len())];
        let lower = joined.contains('_') && joined.contains(char::is_lowercase);
        let told = || joined.split('_').any(|part| says(part).is_some());
        if lower
            && !manner.doubtful
            && !told()
            && weigh(joined) >= Weight::Weak
            && ends_clause(&rest[joined.len()..])
        {
            return Some(at..at + joined.len());
        }
        let digits = || if manner.doubtful { None } else { number(rest) };
        phrase(rest, manner).or_else(digits).map(|end| at..at + end)
    }

    /// Another value after the first: "anymore, it's X", "or X", "alice's is X", "the new one is X".
    fn another(&mut self, mut walk: Walk<'_>, denied: bool) -> Option<Range<usize>> {
        walk.skip(|word| part(word) == Some(Part::Gone));
        walk.skip(|word| part(word) == Some(Part::Gone));
        let comma = walk.skip(|word| matches!(word, "," | ";" | "." | "-" | "–" | "—"));
        if let Some(span) = self.contrast(walk) {
            return Some(span);
        }
        let joined = walk.skip(|word| part(word) == Some(Part::Joins) || is_to(word));
        if !comma && !joined {
            return None;
        }
        let (mut is, mut stands, mut now, mut sign) = (false, false, false, false);
        let mut moved = false;
        for _ in 0..BETWEEN {
            let mark = walk;
            let (word, _) = walk.next()?;
            match part(word) {
                _ if word == ":" && (stands || now) => sign = true,
                _ if word.ends_with("'s") && word.len() > 4 => stands = true,
                _ if role(&folded(word)) == Some(Role::Filler)
                    && matches!(part(word), None | Some(Part::Of)) => {}
                Some(Part::It) => {
                    stands = true;
                    is |= word.ends_with("'s");
                }
                Some(Part::Is) => {
                    is = true;
                    stands |= matches!(word, "it's" | "that's" | "c'est" | "es" | "is");
                }
                // "but I changed it to X"
                _ if moved && is_to(word) => {
                    sign = true;
                    break;
                }
                Some(Part::Changed) => moved = true,
                Some(Part::Who) if joined => {}
                Some(Part::May) if stands || joined => {}
                Some(Part::When) => now |= !matches!(word, "also" | "maybe"),
                _ => {
                    walk = mark;
                    break;
                }
            }
        }
        let at = walk.value()?;
        // "the old password is X, the new one Y"
        let tied =
            ((is || comma) && stands) || sign || (denied && (now || joined)) || (now && stands);
        let alternative = joined && !is && !stands;
        if !tied && !alternative {
            return None;
        }
        let quoted = self.text[at..].starts_with(['"', '\'', '`']);
        let span = self.value_at(at, Manner::default(), false)?;
        let word = &self.text[span.clone()];
        // "or X" ends its clause; "and restart it" goes on.
        let closed =
            quoted || (is_plain(word) && !is_tool(word) && ends_clause(&self.open()[span.end..]));
        (tied || (closed && alternative && self.is_choice(at))).then_some(span)
    }

    /// The value that a clause contrasts with the right one: "not X", "instead of X".
    fn contrast(&mut self, mut walk: Walk<'_>) -> Option<Range<usize>> {
        walk.skip(|word| part(word) == Some(Part::Joins));
        let not = walk.skip(|word| {
            part(word) == Some(Part::Not) || matches!(word, "statt" | "anstatt" | "zamiast")
        });
        let instead = not || {
            walk.skip(|word| {
                matches!(word, "instead" | "rather" | "en" | "em" | "au" | "invece" | "in")
            }) && {
                walk.skip(|word| matches!(word, "vez" | "lieu" | "plaats" | "lugar"));
                walk.skip(|word| matches!(word, "of" | "than" | "de" | "di" | "van"))
            }
        };
        let at = walk.value().filter(|_| instead)?;
        let span = self.value_at(at, Manner { strict: true, ..Manner::default() }, false)?;
        let closed = ends_clause(&self.open()[span.end..]);
        closed.then_some(span)
    }

    /// Whether "or" comes right before a place.
    fn is_choice(&self, at: usize) -> bool {
        const OR: [&str; 9] = ["or", "oder", "ou", "o", "of", "lub", "sondern", "sino", "but"];
        let from = self.text.floor_char_boundary(at.saturating_sub(OR_BYTES));
        let word = words_before(&self.text[from..at], 0).next();
        word.is_some_and(|(_, word)| is_to(word) || OR.contains(&word))
    }
}
