//! Reads the text between a word for a password and its value: "for the staging db should be", "wurde auf", `(prod):`.
//!
//! The walk passes what the password opens, whose it is and since when, up to the tie. Any other word directly after
//! the first makes a longer noun of it ("password policy") and ends the walk.

use super::before::WordsBefore;
use super::fields::is_role;
use super::phrase::is_temporary;
use super::plain::{POLITE, is_article};
use super::walk::Walk;
use super::{Reader, Role};
use crate::lexicon::{Part, is_to, part};
use crate::talk::{Says, says};
use crate::words::{folded, is_letter, role};
use std::ops::{ControlFlow, Range};

/// The most words between the word for a password and the tie.
pub(super) const BETWEEN: usize = 10;
/// The most words of a name: "for the new staging db".
const NAME_WORDS: usize = 5;

/// How strongly a word indicates a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Noun {
    /// "password": any words may follow.
    Sure,
    /// "pass", "clave": a sign, or more about the secret, must follow.
    Short,
    /// "token", "key": people seldom choose these, so several words must follow.
    Doubtful,
    /// "pin": a number follows.
    Number,
    /// `db_password`, the name of a value: "with the value" must follow.
    Named,
}

/// A tie, as it was read.
#[derive(Debug, Clone, Copy, Default)]
pub struct TieDetails {
    /// The tie is a sign, and not "is".
    pub signed: bool,
    /// "changed to": a participle may follow the value.
    pub moved: bool,
    /// "isn't": another value is valid now.
    pub denied: bool,
    /// No words come between the word and the tie.
    pub bare: bool,
    /// The text says what the password opens: "for the staging db".
    pub placed: bool,
    /// The tie is "is", and nothing more.
    pub copula: bool,
    /// The tie is "with the value".
    pub valued: bool,
    /// The tie is "I use", after something asked for the password.
    pub used: bool,
}

/// Whether a word says which password is meant, without making another noun of it: "password root", "contraseña
/// antigua".
fn is_beside(word: &str, noun: Noun) -> bool {
    let named =
        matches!(role(&folded(word)), Some(Role::Subject | Role::Network | Role::Qualifier));
    // "Mot de passe oublié : …"
    const STATES: [&str; 12] = [
        "oubli", "vergess", "forgot", "olvid", "diment", "esquec", "verget", "zapom", "expir",
        "caduc", "falsch", "wrong",
    ];
    let adjective = noun == Noun::Sure
        && !STATES.iter().any(|state| word.to_lowercase().starts_with(state))
        && (says(word) == Some(Says::Describes) || is_temporary(word));
    (is_role(word) || named || adjective) && !matches!(word, "manager" | "vault" | "group" | "type")
}

/// Where a step of the walk leads: to its end, with a tie or without one, or on to the next word.
type Step = ControlFlow<Option<TieDetails>>;

/// The walk goes on.
const ON: Step = Step::Continue(());

/// A walk from the word for a password, and what it read so far.
struct TieWalk<'r, 't> {
    reader: &'r Reader<'t>,
    noun: Noun,
    before: WordsBefore<'r>,
    /// How many of the next words may belong to a name: "for the new staging db".
    left: usize,
    /// How many words and brackets it passed.
    passed: usize,
    /// The text says what the password opens.
    placed: bool,
}

impl Reader<'_> {
    /// Walks from the word for a password to the end of its tie.
    pub(super) fn tie(&self, walk: &mut Walk<'_>, noun: Noun) -> Option<TieDetails> {
        // Most ties are one of these signs.
        if walk.text[walk.at..].starts_with([':', '=']) && (noun != Noun::Short || walk.is_code()) {
            // `Key::new`, `name==*`
            (!walk.is_code()).then_some(())?;
            walk.at += 1;
            return Some(TieDetails { signed: true, bare: true, ..TieDetails::default() });
        }
        let before = WordsBefore::of(self.sentence_before(self.before_span.start));
        if before.is_role() && noun == Noun::Sure {
            return (walk.verbs() || before.takes_role()).then_some(TieDetails::default());
        }
        let mut tie = TieWalk { reader: self, noun, before, left: 0, passed: 0, placed: false };
        while tie.passed <= BETWEEN {
            let (word, span) = walk.next()?;
            let step = if word.starts_with(is_letter) {
                let word = if word.len() > 1 { word.trim_end_matches('\'') } else { word };
                tie.word(walk, word, span.start)
            } else {
                tie.sign(walk, word, &span)
            };
            if let Step::Break(tie) = step {
                return tie;
            }
        }
        None
    }

    /// Whether a word introduces the new password, and not its place: "a senha para X", but "la contraseña para X".
    fn is_moved_by(&self, word: &str) -> bool {
        let noun = &self.text[self.before_span.clone()];
        match word {
            "en" => noun.starts_with("passe") || noun.starts_with("mdp"),
            "in" => {
                let sentence = self.sentence_before(self.before_span.start).to_lowercase();
                ["verander", "wijzig"].iter().any(|verb| sentence.contains(verb))
            }
            "na" => self.is_polish,
            "para" => noun.starts_with('s'),
            _ => true,
        }
    }

    /// Whether the word for a password is one that also means "key" in Romance languages.
    pub(super) fn is_clave(&self) -> bool {
        matches!(&self.text[self.before_span.clone()], "clave" | "Clave" | "parola")
    }

    /// Whether a short word for a password is alone in its field: "user: kim pass: X".
    fn is_field(&self) -> bool {
        let before = self.text[..self.before_span.start].trim_end_matches([' ', '\t']);
        let sentence = self.sentence_before(self.before_span.start);
        self.line.has_options()
            || (!sentence.is_empty() && WordsBefore::of(sentence).owns())
            || before.is_empty()
            || before.ends_with([',', ';', '/', '|', '\n', '-'])
    }
}

impl TieWalk<'_, '_> {
    /// Reads a sign outside of words.
    fn sign(&mut self, walk: &mut Walk<'_>, sign: &str, span: &Range<usize>) -> Step {
        let bare = self.passed == 0;
        let spaced = self.reader.text[..span.start].ends_with(' ');
        let signed =
            TieDetails { signed: true, bare, placed: self.placed, ..TieDetails::default() };
        Step::Break(match sign {
            ":" | "=" | "->" | "=>" | "→" | "==" => {
                (self.noun != Noun::Short || !bare || self.reader.is_field()).then_some(signed)
            }
            "-" | "–" | "—" | "--" if spaced && walk.text[span.end..].starts_with(' ') => {
                (self.noun == Noun::Sure).then_some(signed)
            }
            // "try the old password (X)"
            "(" if bare
                && self.noun == Noun::Sure
                && (walk.is_quoted() || (self.changes_or_takes() && walk.is_bracketed())) =>
            {
                Some(TieDetails::default())
            }
            "(" | "[" => {
                if walk.bracket().is_some() {
                    self.passed += 1;
                    return ON;
                }
                None
            }
            // "the password, which is X"
            "," if walk.is_relative() => return ON,
            "," if self.is_asked() => {
                self.left = self.left.max(1);
                return ON;
            }
            // "c'est quoi le mot de passe ? c'est X"
            "?" if self.noun != Noun::Doubtful && walk.says_is() => {
                walk.skip(|word| matches!(part(word), Some(Part::It | Part::When)));
                self.reader.copula(walk).filter(|tie| !tie.denied)
            }
            "'" if walk.text[span.end..].starts_with("s ") && bare => {
                walk.at += 1;
                Some(TieDetails::default())
            }
            _ => None,
        })
    }

    /// Reads a word that starts at a place.
    fn word(&mut self, walk: &mut Walk<'_>, word: &str, start: usize) -> Step {
        self.passed += 1;
        let kind = self.kind(word);
        self.verb(walk, kind, start)
            .or_else(|| self.introduces(walk, word))
            .unwrap_or_else(|| if self.goes_on(walk, word, kind) { ON } else { Step::Break(None) })
    }

    /// The part of a word in the clause.
    fn kind(&self, word: &str) -> Option<Part> {
        // "don't show it" says nothing about the password.
        let not = ["is", "was", "ai", "are", "were"]
            .iter()
            .any(|verb| word.strip_suffix("n't") == Some(verb))
            .then_some(Part::Not);
        let kind = match part(word) {
            _ if self.reader.is_polish && word == "to" => Some(Part::Is),
            // "steht auf X"
            _ if matches!(word, "steht" | "stand") => Some(Part::May),
            known => known.or(not),
        };
        // "you're looking for", "j'utilise"
        kind.or_else(|| {
            let (word, verb) = word.split_once('\'')?;
            part(word).or_else(|| part(verb).filter(|part| *part == Part::Type))
        })
    }

    /// Where a verb that starts at a place leads, if it may be part of a tie.
    fn verb(&self, walk: &mut Walk<'_>, kind: Option<Part>, start: usize) -> Option<Step> {
        // This word was counted already.
        let bare = self.passed == 1;
        Some(match kind {
            Some(Part::Type) if walk.this_one() => {
                Step::Break(Some(TieDetails { signed: true, ..TieDetails::default() }))
            }
            Some(Part::Type) if self.is_asked() => {
                Step::Break(Some(TieDetails { used: true, ..TieDetails::default() }))
            }
            Some(Part::Is | Part::Not)
                if self.noun == Noun::Short
                    && bare
                    && !self.before.owns()
                    && !(self.reader.is_clave() && self.before.words().all(is_article)) =>
            {
                Step::Break(None)
            }
            // "when it asks for the password: X" in German ends in a verb.
            Some(Part::May) if self.is_asked() && walk.text[walk.at..].starts_with(':') => ON,
            Some(Part::Is | Part::Not | Part::May | Part::Changed) => {
                let copula = !matches!(kind, Some(Part::May | Part::Changed));
                walk.at = start;
                let placed = self.placed;
                let tie = self.reader.copula(walk);
                Step::Break(tie.map(|tie| TieDetails {
                    bare: bare && copula,
                    placed,
                    copula,
                    ..tie
                }))
            }
            _ => return None,
        })
    }

    /// The tie that a preposition or "contains" makes, if the value follows it.
    fn introduces(&self, walk: &mut Walk<'_>, word: &str) -> Option<Step> {
        const CONTAINS: [&str; 8] = [
            "containing",
            "contains",
            "holds",
            "enthält",
            "contient",
            "contiene",
            "bevat",
            "zawiera",
        ];
        let changes = || self.before.told().changes;
        let placed = TieDetails { placed: self.placed, ..TieDetails::default() };
        let tie = match word {
            // "update the password from X to Y"
            "from" | "von" if changes() && walk.leads_to() => {
                TieDetails { moved: true, denied: true, ..placed }
            }
            // "changed the password to X", but not "use the password to log in"
            _ if is_to(word)
                && (changes() || walk.is_changed())
                && (self.reader.is_moved_by(word) || self.before.is_past())
                && (self.noun != Noun::Doubtful
                    || self.reader.text[self.reader.before_span.clone()] == *"secret") =>
            {
                TieDetails { moved: true, ..placed }
            }
            // "set the root password as X"
            _ if role(&folded(word)) == Some(Role::As) && changes() && self.noun == Noun::Sure => {
                TieDetails::default()
            }
            // "add DB_PASSWORD with the value X"
            _ if (role(&folded(word)) == Some(Role::With) && walk.value_word())
                || CONTAINS.contains(&word) =>
            {
                TieDetails { valued: true, ..placed }
            }
            _ => return None,
        };
        Some(Step::Break(Some(tie)))
    }

    /// Whether a word may come between the word for a password and the tie: it says when, or what the password opens.
    fn goes_on(&mut self, walk: &mut Walk<'_>, word: &str, kind: Option<Part>) -> bool {
        // This word was counted already.
        let bare = self.passed == 1;
        match kind {
            Some(Part::When) => {}
            // "Passwort wie immer: X"
            _ if (role(&folded(word)) == Some(Role::As)
                || matches!(word, "wie" | "zoals" | "jak"))
                && walk.skip(|word| part(word) == Some(Part::When)) => {}
            _ if POLITE.contains(&word) => {}
            Some(Part::Of | Part::Who) => self.left = NAME_WORDS,
            Some(Part::Asks) if bare && (self.is_asked() || self.before.told().types) => {
                self.left = 1;
            }
            _ if bare && (is_beside(word, self.noun) || self.reader.is_polish) => {}
            _ if self.left > 0 => {
                let known = role(&folded(word));
                self.placed |=
                    matches!(known, Some(Role::Subject | Role::Network | Role::Qualifier));
                self.left -= 1;
            }
            _ => return false,
        }
        true
    }

    /// Whether something asks for the password.
    fn is_asked(&self) -> bool {
        self.before.told().asks
    }

    /// Whether an earlier word changes or takes the password.
    fn changes_or_takes(&self) -> bool {
        self.before.told().changes || self.before.told().takes
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::found;

    #[test]
    fn a_person_asked_for_a_password_says_what_they_use() {
        for (text, secret) in [
            ("it asks for the passphrase, I use purple turtle grove", "purple turtle grove"),
            ("il me demande le mot de passe, j'utilise noisette", "noisette"),
            ("das neue Passwort wäre dann Blumentopf5", "Blumentopf5"),
            ("das Kennwort steht auf Amsel2024", "Amsel2024"),
            ("das Kennwort steht auf regal4711", "regal4711"),
            ("das Passwort steht jetzt auf Fliegenpilz", "Fliegenpilz"),
            ("c'est quoi le mdp ? c'est noisette", "noisette"),
            ("¿cuál es la contraseña? es nogal", "nogal"),
            ("qual è la password? è nocciola", "nocciola"),
        ] {
            assert_eq!(found(text), [secret], "{text}");
        }
        for text in [
            "it asks for the passphrase, I use ssh-agent",
            "chiede la password, io uso KeePass",
            "what is the password? is it in the vault",
            "forgot the password? it is not a problem",
        ] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
    }
}
