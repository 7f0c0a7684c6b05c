//! Finds users with their passwords in sentences: "the creds are kim/⟦walnut⟧", "sign in as admin using ⟦walnut⟧".
//!
//! A word for signing in, or for the credentials to sign in with, announces a user; the password follows after a sign,
//! "and" or "with". The plainer the password, the surer its place must be: "the login is admin with" is followed by a
//! password, but "log in as admin and" is followed by a verb.

use super::Reader;
use super::cues::is_mixed;
use super::fields::{is_field, is_role};
use super::login::is_user;
use super::plain::{ends_clause, is_article, is_plain, is_tool, takes, words_before};
use crate::blocks;
use crate::lexicon::{Part, part};
use crate::talk::{Says, says};
use crate::things::is_dotted_secret;
use crate::weight::{Weight, is_hex, weigh};
use crate::words::{FOR, Role, folded, is_letter, lists, role};
use std::ops::Range;

/// How far after the word for signing in a pair may be, in bytes.
const PAIR_BYTES: usize = 120;
/// The most words between the word for signing in and the user.
const BETWEEN: usize = 9;
/// Lengths of a user's name, in bytes.
const USER_BYTES: Range<usize> = 2..33;
/// Words for credentials, in addition to those in `CREDENTIALS`.
const LOGINS: [&str; 6] = ["login", "logins", "zugang", "acceso", "accesso", "acesso"];
/// Verbs that say that a person was given something.
const GIVES: &str = "\
    gave given give gives told dictated texted gab gebe gegeben durchgegeben genannt gesagt diktiert mitgeteilt \
    dio dado dimos dieron dicte dictado donne donnee dicte dit dato detto dettato dei passei passou ditei gaf \
    gegeven doorgegeven verteld dal dalem dalam podal podalem podalam";
/// The shortest password of letters beside a user that a sentence only places, in bytes: `admin:read` is a right.
const PLACED_BYTES: usize = 6;
/// How many words may come between such a verb and the user.
const NEAR: usize = 5;
/// What may come between a user and the password.
const JOINTS: [(&str, Joint); 30] = [
    (" / ", Joint::Sign),
    ("/", Joint::Sign),
    (" : ", Joint::Sign),
    (":", Joint::Sign),
    (" | ", Joint::Sign),
    (" -> ", Joint::Sign),
    (" and ", Joint::And),
    (" und ", Joint::And),
    (" y ", Joint::And),
    (" e ", Joint::And),
    (" et ", Joint::And),
    (" en ", Joint::And),
    (" i ", Joint::And),
    (" & ", Joint::And),
    (" + ", Joint::And),
    (" with ", Joint::With),
    (" using ", Joint::With),
    (" mit ", Joint::With),
    (" con ", Joint::With),
    (" usando ", Joint::With),
    (" avec ", Joint::With),
    (" com ", Joint::With),
    (" met ", Joint::With),
    (" z ", Joint::With),
    (", pass ", Joint::Sign),
    (", pw ", Joint::Sign),
    (", ", Joint::List),
    (" - ", Joint::List),
    ("  ", Joint::List),
    (" ", Joint::List),
];

/// Verbs for signing in, at the end of a clause.
const SIGNS_IN: [&str; 4] = ["einloggen", "anmelden", "inloggen", "aanmelden"];

/// `abc53966`: letters, then a number, though each of them may be a hexadecimal digit.
fn is_word_and_number(value: &str) -> bool {
    let word = value.trim_end_matches(|c: char| c.is_ascii_digit());
    (3..value.len()).contains(&word.len()) && word.bytes().all(|b| b.is_ascii_alphabetic())
}

/// What separates the user from the password.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Joint {
    Sign,
    And,
    With,
    List,
}

impl Reader<'_> {
    /// The password of a pair after the word for signing in that was just read.
    pub(super) fn pair(&mut self) -> Option<Range<usize>> {
        let context = self.context.as_ref()?;
        let word = &self.text[self.before_span.clone()];
        let pairs = context.pairs;
        let named = context.pairs || LOGINS.iter().any(|login| word.eq_ignore_ascii_case(login));
        let open = self.open();
        let text = &open[..open.floor_char_boundary(self.at + PAIR_BYTES)];
        // "user/pass kim / X"
        let heading = matches!(role(&folded(word)), Some(Role::Password | Role::MaybePassword))
            || (word == "p" && !self.text[..self.before_span.start].ends_with('-'));
        let (mut at, mut tied, mut led) = (self.at, heading, false);
        for _ in 0..BETWEEN {
            let rest = &text[at..];
            let blanks = rest.len() - rest.trim_start_matches(' ').len();
            at += blanks;
            let rest = &text[at..];
            let first = rest.chars().next()?;
            if !is_letter(first) {
                match first {
                    ':' | '=' => tied = true,
                    '-' if rest.starts_with("->") => (tied, at) = (true, at + 1),
                    '-' if rest.starts_with("- ") => tied = true,
                    // "basic auth (kim/X)"
                    '(' if named
                        && rest.split(')').next().is_some_and(|pair| pair.contains(['/', ':'])) =>
                    {
                        tied = true;
                    }
                    '(' => at += rest.find(')').filter(|end| !rest[..*end].contains('\n'))?,
                    _ => return None,
                }
                at += 1;
                continue;
            }
            let length =
                rest.find(|c: char| !(is_letter(c) || "_-.@'".contains(c))).unwrap_or(rest.len());
            let word = rest[..length].trim_end_matches(['.', '\'']);
            let folded = folded(word);
            let known = is_user(word);
            let name = USER_BYTES.contains(&word.len())
                && word.starts_with(|c: char| c.is_ascii_alphabetic())
                && word.is_ascii();
            // "basic auth: staging / walnut": credentials may be named after what they open.
            let about = pairs && tied && says(word) == Some(Says::About);
            let plain =
                (says(word).is_none() || about) && role(&folded).is_none() && part(word).is_none();
            let mail = name && word.contains('@');
            if name && (known || mail || (plain && (tied || led))) {
                let here = at + word.len();
                let led = led || tied || (mail && named) || (known && pairs);
                if let Some(span) = self.beside(here, named && tied, led, known || mail) {
                    return Some(span);
                }
            }
            led = matches!(role(&folded), Some(Role::As | Role::With))
                || (led && (is_article(word) || role(&folded) == Some(Role::Subject)));
            tied |= part(word) == Some(Part::Is) && named;
            // "the creds are in shop/prod" names a place.
            tied &= part(word) != Some(Part::Of);
            if role(&folded) == Some(Role::Password) {
                return None;
            }
            at += length;
        }
        None
    }

    /// The password after a user that every system has, if "with" or "use" comes before the user: "use admin / walnut".
    pub(super) fn led_pair(&mut self, start: usize, end: usize) -> Option<Range<usize>> {
        let rest = &self.open()[end..];
        rest.starts_with([' ', '/', ':']).then_some(())?;
        let led = words_before(self.sentence_before(start), 0).next();
        let led = led.is_some_and(|(_, word)| {
            takes(word)
                || role(word) == Some(Role::As)
                || matches!(word, "default" | "still" | "standard" | "noch" | "usual")
        });
        // "it's admin/Walnut_Grove"
        let is = words_before(self.sentence_before(start), 0).next();
        let is = is.is_some_and(|(_, word)| part(word) == Some(Part::Is));
        let span = self.beside(end, false, true, true)?;
        if !(led || is) {
            let value = &self.text[span.clone()];
            let made = is_mixed(value) && weigh(value) >= Weight::Fair;
            let given = made && self.is_given(start, span.end);
            return given.then_some(span);
        }
        let chosen = |c: char| c.is_uppercase() || c.is_ascii_digit() || c == '_';
        // "for grafana it's admin:walnut"
        let placed = || {
            let mut words = words_before(self.sentence_before(start), 0).skip(1);
            let value = &self.text[span.clone()];
            value.len() >= PLACED_BYTES
                && is_plain(value)
                && !is_tool(value)
                && words.any(|(_, word)| FOR.contains(&word.to_lowercase().as_str()))
        };
        if !led && !self.text[span.clone()].contains(chosen) && !placed() {
            return None;
        }
        let value = &self.text[span.clone()];
        let digit = value.contains(|c: char| c.is_ascii_digit());
        let joined = matches!(self.text[end..span.start].trim(), "/" | ":");
        let verb = self.text[span.end..].split(' ').nth(1).unwrap_or_default();
        (digit || joined || SIGNS_IN.iter().any(|known| verb.starts_with(known))).then_some(span)
    }

    /// Whether a sentence says that a person was given the text between these places: "I gave Erik admin and X".
    fn is_given(&self, start: usize, end: usize) -> bool {
        let before = self.sentence_before(start);
        let gives = |word: &str| lists(GIVES, &folded(word.trim_end_matches(['.', ',', ')', '!'])));
        let next = self.open()[end..].split([' ', '\n']).nth(1).unwrap_or_default();
        // In Italian, "di" is "of".
        let di = [" di a ", " di al "].iter().any(|give| before.contains(give));
        di || gives(next) || words_before(before, 0).take(NEAR).any(|(_, word)| gives(word))
    }

    /// The password that follows a user. The user's name ends here.
    fn beside(&mut self, end: usize, tied: bool, led: bool, known: bool) -> Option<Range<usize>> {
        let open = self.open();
        let rest = &open[end..];
        let (sign, joint) = JOINTS.iter().find(|(sign, _)| rest.starts_with(sign))?;
        // `provider::SharedCredentials`
        (!rest.starts_with("::")).then_some(())?;
        let found = self.values.word(open, end + sign.len())?;
        let value = &open[found.span.clone()];
        let rest = &open[found.span.end + usize::from(found.quoted)..];
        let digit = value.contains(|c: char| c.is_ascii_digit());
        let dotted = is_dotted_secret(value);
        let own = (dotted || says(value).is_none())
            && part(value).is_none()
            && !is_role(value)
            && !is_field(value)
            && (!is_hex(value) || is_word_and_number(value))
            && blocks::is_password(value);
        let made = found.weight >= Weight::Name || dotted;
        let plain = is_plain(value) && !is_tool(value) && ends_clause(rest);
        let fits = match joint {
            Joint::Sign => {
                let tied = tied || sign.starts_with(' ');
                led && (found.weight >= Weight::Weak)
                    && (plain || (digit && ends_clause(rest)))
                    && (tied || digit || known || *sign == ":")
            }
            Joint::And if tied => plain || made,
            // "log in with kim and walnut", but "log in with kim and retry"
            Joint::And => {
                let user = words_before(&open[..end], 0).next().map_or("", |(_, word)| word);
                let own_name = user.starts_with(|c: char| c.is_ascii_lowercase()) && !is_tool(user);
                let last = rest.trim_start_matches(['.', '!', ')', ' ', '\r']);
                let ends =
                    last.is_empty() || last.starts_with(['\n', ',']) || rest.starts_with(" an");
                // "mit root und X einloggen"
                let signs = |verb: &&str| {
                    rest.strip_prefix(' ').is_some_and(|rest| rest.starts_with(*verb))
                };
                let word = is_plain(value) && !is_tool(value) && !is_user(value);
                let joined = || SIGNS_IN.iter().any(signs) && (digit || made || word);
                // A verb would be small: "log in with root and Walnut", but "with root and retry".
                let named = plain && ends && value.starts_with(char::is_uppercase);
                led && ((known && ((digit && made) || joined() || named))
                    || (plain
                        && own_name
                        && ends
                        && (!known || user.contains('@'))
                        && !is_verb(value)))
            }
            Joint::With => (led || tied) && (plain || made),
            Joint::List => {
                tied && ((digit && found.weight >= Weight::Weak && ends_clause(rest))
                    || (plain && known && sign.len() > 1))
            }
        };
        (own && fits).then_some(found.span)
    }
}

/// Whether a word after "log in with kim and" says what to do next.
fn is_verb(word: &str) -> bool {
    const VERBS: &str = "retry wait look verify see test confirm watch continue proceed report restart reboot deploy open close \
         click follow download upload warte schaue prufe teste espera mira prueba regarde attends teste guarda \
         aspetta prova olhe espere wacht kijk poczekaj zobacz sprawdz";
    lists(VERBS, &folded(word))
}

#[cfg(test)]
mod tests {
    use crate::tests::found;

    #[test]
    fn a_word_for_signing_in_announces_a_user_and_the_password() {
        for (text, secret) in [
            ("the credentials are pi/walnut", "walnut"),
            ("creds for the ftp box: upload/walnut", "walnut"),
            ("the kibana login is elastic with walnut", "walnut"),
            ("basic auth is staging / walnut", "walnut"),
            ("kannst dich mit admin und zaunkoenig anmelden", "zaunkoenig"),
            ("accedi con root e Cinciallegra", "Cinciallegra"),
            ("you can sign in as admin using walnut", "walnut"),
            ("log in with admin / walnut and look at the disk", "walnut"),
            ("log in with admin and walnut7 and look at the disk", "walnut7"),
            ("entra con root y nogal77", "nogal77"),
            ("puedes entrar como root con abc53966 en 192.0.2.7", "abc53966"),
            ("log in as kim with lantern.saddle.gravel on 192.0.2.7", "lantern.saddle.gravel"),
            ("kannst du dich mit root und 5570Igel einloggen", "5570Igel"),
            ("kannst du dich mit root und igel.wiese.regen einloggen", "igel.wiese.regen"),
            ("for grafana it's admin:walnut", "walnut"),
            ("für grafana ist es admin:walnuss", "walnuss"),
            ("db creds are user=shop pw=walnut9tree", "walnut9tree"),
            ("com admin e `Nogueira#9`", "Nogueira#9"),
            ("log in with admin and \"Walnut#9\", please", "Walnut#9"),
            ("so I gave Erik admin and Wal+Nut=77 over the phone", "Wal+Nut=77"),
            ("Ich habe Erik am Telefon admin und Wal=Nut+77 durchgegeben", "Wal=Nut+77"),
        ] {
            assert_eq!(found(text), [secret], "{text}");
        }
    }

    #[test]
    fn a_sentence_about_signing_in_has_no_password() {
        for text in [
            "the credentials are read / write",
            "the credentials are staging / production",
            "log in with admin and look at the disk",
            "log in with admin and ubuntu22",
            "com admin e `kubectl get pods`",
            "I gave Erik admin and docker24 access",
            "I gave the user admin and Grafana rights",
            "sign in as admin using two-factor authentication",
            "log in as root using ssh",
            "the login is broken with firefox",
            "for the token it's admin:write",
            "it's admin:enterprise",
            "the login page and/or the dashboard is down",
        ] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
    }
}
