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
use crate::lexicon::{Part, is_from, is_to, part};
use crate::talk::{Says, says};
use crate::words::{folded, is_letter, role};

/// The most words between the word for a password and the tie.
const BETWEEN: usize = 10;
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

impl Reader<'_> {
    /// Walks from the word for a password to the end of its tie.
    pub(super) fn tie(&self, walk: &mut Walk<'_>, noun: Noun) -> Option<TieDetails> {
        let (mut left, mut passed, mut placed) = (0_usize, 0_usize, false);
        // Most ties are one of these signs.
        if walk.text[walk.at..].starts_with([':', '=']) && (noun != Noun::Short || walk.is_code()) {
            // `Key::new`, `name==*`
            (!walk.is_code()).then_some(())?;
            walk.at += 1;
            return Some(TieDetails { signed: true, bare: true, ..TieDetails::default() });
        }
        let sentence = self.sentence_before(self.before_span.start);
        let before = WordsBefore::of(sentence);
        let asked = || before.told().asks;
        let told = || before.told().changes || before.told().takes;
        if before.is_role() && noun == Noun::Sure {
            return (walk.verbs() || before.takes_role()).then_some(TieDetails::default());
        }
        while passed <= BETWEEN {
            let (word, span) = walk.next()?;
            let word = if word.len() > 1 { word.trim_end_matches('\'') } else { word };
            let bare = passed == 0;
            let spaced = self.text[..span.start].ends_with(' ');
            let signed = TieDetails { signed: true, bare, placed, ..TieDetails::default() };
            match word {
                ":" | "=" | "->" | "=>" | "→" | "==" => {
                    return (noun != Noun::Short || !bare || self.is_field()).then_some(signed);
                }
                "-" | "–" | "—" | "--" if spaced && walk.text[span.end..].starts_with(' ') => {
                    return (noun == Noun::Sure).then_some(signed);
                }
                // "try the old password (X)"
                "(" if bare
                    && noun == Noun::Sure
                    && (walk.is_quoted() || (told() && walk.is_bracketed())) =>
                {
                    return Some(TieDetails::default());
                }
                "(" | "[" => {
                    walk.bracket()?;
                    passed += 1;
                    continue;
                }
                // "the password, which is X"
                "," if walk.is_relative() => continue,
                "," if asked() => {
                    left = left.max(1);
                    continue;
                }
                // "c'est quoi le mot de passe ? c'est X"
                "?" if noun != Noun::Doubtful && walk.says_is() => {
                    walk.skip(|word| matches!(part(word), Some(Part::It | Part::When)));
                    return self.copula(walk).filter(|tie| !tie.denied);
                }
                "'" if walk.text[span.end..].starts_with("s ") && bare => {
                    walk.at += 1;
                    return Some(TieDetails::default());
                }
                _ if !word.starts_with(is_letter) => return None,
                _ => {}
            }
            passed += 1;
            // "don't show it" says nothing about the password.
            let not = ["is", "was", "ai", "are", "were"]
                .iter()
                .any(|verb| word.strip_suffix("n't") == Some(verb))
                .then_some(Part::Not);
            let kind = match part(word) {
                _ if self.is_polish && word == "to" => Some(Part::Is),
                known => known.or(not),
            };
            // "you're looking for"
            let kind = kind.or_else(|| {
                // "j'utilise"
                let (word, verb) = word.split_once('\'')?;
                part(word).or_else(|| part(verb).filter(|part| *part == Part::Type))
            });
            match kind {
                Some(Part::Type) if walk.this_one() => {
                    return Some(TieDetails { signed: true, ..TieDetails::default() });
                }
                Some(Part::Type) if asked() => {
                    return Some(TieDetails { used: true, ..TieDetails::default() });
                }
                Some(Part::Is | Part::Not)
                    if noun == Noun::Short
                        && bare
                        && !before.owns()
                        && !(self.is_clave() && before.words().all(is_article)) =>
                {
                    return None;
                }
                // "when it asks for the password: X" in German ends in a verb.
                Some(Part::May) if asked() && walk.text[walk.at..].starts_with(':') => {}
                Some(Part::Is | Part::Not | Part::May | Part::Changed) => {
                    let copula = !matches!(kind, Some(Part::May | Part::Changed));
                    walk.at = span.start;
                    let tie = self.copula(walk)?;
                    return Some(TieDetails { bare: bare && copula, placed, copula, ..tie });
                }
                // "update the password from X to Y"
                _ if matches!(word, "from" | "von") && before.told().changes && walk.leads_to() => {
                    return Some(TieDetails {
                        moved: true,
                        denied: true,
                        placed,
                        ..TieDetails::default()
                    });
                }
                // "changed the password to X", but not "use the password to log in"
                _ if is_to(word)
                    && (before.told().changes || walk.is_changed())
                    && (self.is_moved_by(word) || before.is_past())
                    && (noun != Noun::Doubtful
                        || self.text[self.before_span.clone()] == *"secret") =>
                {
                    return Some(TieDetails { moved: true, placed, ..TieDetails::default() });
                }
                // "set the root password as X"
                _ if role(&folded(word)) == Some(Role::As)
                    && before.told().changes
                    && noun == Noun::Sure =>
                {
                    return Some(TieDetails::default());
                }
                // "add DB_PASSWORD with the value X"
                _ if (role(&folded(word)) == Some(Role::With) && walk.value_word())
                    || matches!(
                        word,
                        "containing"
                            | "contains"
                            | "holds"
                            | "enthält"
                            | "contient"
                            | "contiene"
                            | "bevat"
                            | "zawiera"
                    ) =>
                {
                    return Some(TieDetails { valued: true, placed, ..TieDetails::default() });
                }
                Some(Part::When) => {}
                // "Passwort wie immer: X"
                _ if (role(&folded(word)) == Some(Role::As)
                    || matches!(word, "wie" | "zoals" | "jak"))
                    && walk.skip(|word| part(word) == Some(Part::When)) => {}
                _ if POLITE.contains(&word) => {}
                Some(Part::Of | Part::Who) => left = NAME_WORDS,
                Some(Part::Asks) if bare && (asked() || before.told().types) => left = 1,
                _ if bare && (is_beside(word, noun) || self.is_polish) => {}
                _ if left > 0 => {
                    let known = role(&folded(word));
                    placed |=
                        matches!(known, Some(Role::Subject | Role::Network | Role::Qualifier));
                    left -= 1;
                }
                _ => return None,
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

    /// Walks over "should be", "has been changed to", "isn't".
    fn copula(&self, walk: &mut Walk<'_>) -> Option<TieDetails> {
        let (mut is, mut moved, mut denied) = (false, false, false);
        for passed in 0..BETWEEN {
            let mark = walk.at;
            let (word, _) = walk.next()?;
            if (word == ":" || word == "=") && is {
                return Some(TieDetails { signed: true, moved, denied, ..TieDetails::default() });
            }
            let not = word.ends_with("n't");
            let next = || walk.peek().and_then(|next| part(&walk.text[next]));
            denied |= not;
            match part(word).or(not.then_some(Part::Is)) {
                _ if self.is_polish && word == "to" => is = true,
                // "wurde auf X geändert", "was changed from X to Y"
                _ if passed > 0
                    && is_to(word)
                    && (moved || matches!(word, "auf" | "op" | "na") || walk.is_changed()) =>
                {
                    return Some(TieDetails { moved: true, denied, ..TieDetails::default() });
                }
                _ if moved && is_from(word) => {
                    return Some(TieDetails { moved, denied: true, ..TieDetails::default() });
                }
                // "used to be", "ha sido", "a été"
                _ if matches!(word, "to" | "out" | "been" | "a" | "été")
                    && passed > 0
                    && !moved
                    && matches!(next(), Some(Part::Is | Part::Changed)) => {}
                // "was changed yesterday, it's X now"
                _ if word == "," && moved && walk.says_is() => moved = false,
                Some(Part::Is) => is = true,
                Some(Part::May) if !is || passed <= 1 => {}
                Some(Part::Changed) => moved = true,
                Some(Part::Not) => denied = true,
                Some(Part::When) => {}
                // "wäre dann X"
                _ if matches!(word, "dann" | "alors" | "donc" | "allora" | "então") => {}
                Some(Part::It) if passed > 0 && !is && !moved => {}
                Some(Part::Who) if !is => {}
                _ => {
                    walk.at = mark;
                    let verb = walk.ends_in_verb();
                    return ((is && !moved) || verb).then_some(TieDetails {
                        moved: verb,
                        denied,
                        ..TieDetails::default()
                    });
                }
            }
        }
        None
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
