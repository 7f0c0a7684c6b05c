//! Finds plain words directly after the word for a password: "with the password walnut", "user kim, password walnut".
//!
//! Such words do not look like passwords, so the sentence must say that one follows, and the next word must not make a
//! longer noun of it: "with password protection" has no password. This module also decides which words may take which
//! place in a sentence, because the other forms of clauses need that too.

use super::context::{Context, Tie};
use super::fields::is_role;
use super::login::is_user;
use super::owned::{is_named, leads_to_another};
use super::phrase::{Manner, phrase};
use super::{Reader, Role};
use crate::lexicon::{Part, part};
use crate::talk::{Says, is_called_done, says};
use crate::things::{dotted, is_hyphenated_secret};
use crate::weight::{MIN_BYTES, Weight, is_default, weigh};
use crate::words::{Table, folded, is_letter, lists, role};
use std::ops::Range;
use std::sync::OnceLock;

/// How much of a sentence is read, in bytes.
const SENTENCE_BYTES: usize = 96;
/// How much of the text after a clause is read, in bytes.
const AFTER_BYTES: usize = 64;
/// The most words between a word that announces a password and the word for it.
const BETWEEN: usize = 4;
/// How many earlier words are searched for a user, and how long a line with only the name of a password may be, in
/// words.
const NEAR: usize = 8;

/// Words before a text that is used as a password, in addition to those for "with".
const TAKES: &str = "save store keep remember speichere merk guarda enregistre salva make uses used try tried take took set poe ponha bota stell choose chose pick picked entered typed put nimm nehme nimmst nehmt nutze nutzt \
     benutzt verwendet setze habe hab hat has puse puesto ponle ponga dale coloque bote imposta inserisci \
     give gave assign setzt nehmen geben gib neem ustaw enter type pon usa usar usad elige tiene mets mis \
     usei utilizei coloquei defini usamos usaram puse messo impostato gebruikte uzylem uzylam mettez utilise utilisez prends choisis metti coloca had hatten hatte avait avaient avions avevamo avevo aveva \
     tenia teniamos tinha tinhamos hadden mielismy mialem";
/// What people add to a verb.
pub(super) const POLITE: [&str; 11] =
    ["please", "bitte", "favor", "por", "plait", "mal", "just", "einfach", "simply", "it", "them"];
/// Words that follow a value and its clause.
const GOES_ON: [&str; 28] = [
    "genommen",
    "gewahlt",
    "vergeben",
    "benutzt",
    "verwendet",
    "eingestellt",
    "hinterlegt",
    "eingegeben",
    "eingetragen",
    "genutzt",
    "festgelegt",
    "fails",
    "komme",
    "einloggen",
    "anmelden",
    "inloggen",
    "aanmelden",
    "kommt",
    "klappt",
    "geht",
    "funktioniert",
    "works",
    "worked",
    "marche",
    "funciona",
    "gesetzt",
    "too",
    "instead",
];
/// Words between a user and the word for the password: "the user kim and the password walnut".
const AND: [&str; 9] = ["and", "und", "y", "e", "et", "en", "i", "con", "mit"];
/// Words that present a password, and prepositions before what keeps others out: "here's the password walnut".
const PRESENTS: &str =
    "by durch par por through here's heres here hier voici ecco aqui toma segue tieni";
/// Verbs that give a user a password.
const GIVES: [&str; 12] = [
    "give", "gave", "assign", "create", "add", "gib", "dale", "donne", "dai", "geef", "daj", "let",
];
/// Nouns that "password" describes, in addition to those of [`says`].
const COMPOUNDS: &str = "managers prompts strength history vaults sync storage logins fallback store backend expiries \
     resets change lookup leaks schutz wechsel list lists check checker checks screen page form dialog sharing leak breach audit \
     update request requests requirements typo mismatch issue issues problem question tips guide support hashes hashing salting \
     rotations handling safe books book sheet spreadsheet helper plugin module service endpoint column fields flow tool \
     script function method class object header entry entries record option flag box menu link spray attack attacks \
     cracker hint hints rules secured expire work match twice manually correctly carefully online offline enabled disabled less free feld liste abfrage eingabe maske formular anzeigen entropy cracking aging spraying vaulting managers notes sheets prompt expiry recovery \
     confirmation complexity auth authentication authorization encryption minimum lookup generator generators \
     expires caduca scade scadra verloopt vervalt wygasa expira lauft kommt komme kommst kommen erzeugen erzeuge erzeugt generieren generiere stimmt stimmen entro entras logro consigo arrive erscheint aparece appare \
     step app apps server servers client clients protected based only login logins";
/// Programs and methods that make, keep or replace passwords.
const TOOLS: &str = "pwgen openssl makepasswd apg diceware sops vaultwarden keepassxc pass gopass chamber doppler infisical \
     cognito okta auth0 google chrome firefox safari edge browser sudo ssh sso saml openid kerberos passkey passkeys \
     certificate certificates putty curl psql mysql redis postgres postgresql nginx apache node python docker \
     portal console dashboard terminal shell screen tmux bastion tunnel proxy teleport rsync ansible helm argocd jenkins \
     biometrics fingerprint yubikey duo authy authenticator touchid keypair agent bash powershell";
/// Endings of such nouns.
const ABSTRACT: [&str; 8] = ["ing", "tion", "sion", "ment", "ness", "ity", "ance", "ence"];

/// The words before a place in its sentence, the nearest first, each with its own place.
pub(super) fn words_before(text: &str, from: usize) -> impl Iterator<Item = (Range<usize>, &str)> {
    let mut end = text.len();
    std::iter::from_fn(move || {
        let body = text[..end].trim_end_matches(' ');
        let start = body.rfind(' ').map_or(0, |blank| blank + 1);
        end = start;
        let word = &body[start..];
        (!word.is_empty()).then(|| (from + start..from + body.len(), word))
    })
}

/// Whether a word takes the word after it: "with", "use", "nimm".
pub(super) fn takes(word: &str) -> bool {
    static TABLE: OnceLock<Table<()>> = OnceLock::new();
    let folded = folded(word);
    role(&folded) == Some(Role::With)
        || TABLE.get_or_init(|| Table::listed(TAKES)).get(&folded).is_some()
}

/// An article, or a word that says which password is meant.
pub(super) fn is_article(word: &str) -> bool {
    const JOINS: [&str; 10] = ["and", "also", "und", "y", "et", "ou", "or", "e", "o", "i"];
    let folded = folded(word);
    (role(&folded) == Some(Role::Filler) && !JOINS.contains(&folded.as_ref()))
        || matches!(folded.as_ref(), "mot" | "one" | "un" | "una" | "une" | "ein")
}

/// Whether one word may be a password.
pub(crate) fn is_plain(word: &str) -> bool {
    let folded = folded(word);
    static TABLE: OnceLock<Table<()>> = OnceLock::new();
    let compound = || TABLE.get_or_init(|| Table::listed(COMPOUNDS)).get(&folded).is_some();
    let known = role(&folded).is_some() || compound();
    word.len() >= MIN_BYTES
        && !known
        && word.chars().all(|c| is_letter(c) || "-_".contains(c))
        && (is_german(word) || !ABSTRACT.iter().any(|end| folded.ends_with(end)))
        && (says(word).is_none() || is_called_done(word))
        && (weigh(word) >= Weight::Weak || is_default(word))
}

/// "Schmetterling": a German noun, and not the name of an activity.
fn is_german(word: &str) -> bool {
    word.ends_with("ling") && word.starts_with(|c: char| c.is_ascii_uppercase())
}

/// Whether a word names a way to sign in, or something that makes or keeps passwords.
pub(crate) fn is_tool(word: &str) -> bool {
    static TABLE: OnceLock<Table<()>> = OnceLock::new();
    let folded = folded(word);
    TABLE.get_or_init(|| Table::listed(TOOLS)).get(&folded).is_some()
}

/// Whether a port comes after a password: "walnut port 22".
pub(super) fn is_port(word: &str, next: &str) -> bool {
    matches!(word, "port" | "Port" | "porta" | "puerto" | "poort")
        && next.bytes().take_while(u8::is_ascii_digit).count() > 0
}

/// Whether a clause ends before this text.
pub(super) fn ends_clause(rest: &str) -> bool {
    let rest = &rest[..rest.floor_char_boundary(AFTER_BYTES)];
    let after = rest.trim_start_matches([',', '.', ';', ':', '!', '?', ')']);
    if after.is_empty() || after.starts_with(['\n', '\r']) {
        return true;
    }
    let Some(next) = after.strip_prefix(' ') else { return false };
    if after.len() < rest.len() {
        return true;
    }
    if next.starts_with(['-', '(']) {
        return true;
    }
    let word = &next[..next.find(|c: char| !is_letter(c)).unwrap_or(next.len())];
    let folded = folded(word);
    GOES_ON.contains(&folded.as_ref())
        || is_port(word, next[word.len()..].trim_start_matches([' ', ':']))
        || matches!(role(&folded), Some(Role::Filler | Role::With | Role::As))
        || matches!(says(word), Some(Says::Links | Says::Joins | Says::Parts))
}

impl Reader<'_> {
    /// Whether the word for a password is a word of a sentence that names its owner: "root-pw", but not `--root-pw`.
    fn is_compound(&self) -> bool {
        let word = &self.text[self.before_span.clone()];
        let before = self.byte_before(self.before_span.start);
        word.contains('-')
            && !word.contains(['_', '.'])
            && before.is_none_or(|b| b.is_ascii_whitespace())
    }

    /// The part of the sentence before a place, as far back as nothing else was found in it.
    pub(super) fn sentence_before(&self, at: usize) -> &str {
        let from = self.text.floor_char_boundary(at.saturating_sub(SENTENCE_BYTES));
        let from = self.found.last().map_or(from, |raw| from.max(raw.span.end));
        let from = if self.walled <= at { from.max(self.walled) } else { from }.min(at);
        self.text[from..at].rsplit('\n').next().unwrap_or_default()
    }

    /// The word after "with the password", or in a list of fields: "user kim, password walnut".
    pub(super) fn plain_after(&self, context: &Context) -> Option<Range<usize>> {
        let direct = context.tie == Tie::Direct
            && context.words + context.values == 0
            && !(context.plural || context.implied)
            && (!context.code || self.is_passcode())
            && (!context.identifier || context.is_variable || self.is_compound());
        let word_at = self.before_span.clone();
        if !direct || self.text[word_at.end..self.at] != *" " {
            return None;
        }
        let rest = &self.open()[self.at..];
        let inner = |c: char| is_letter(c) || "-_".contains(c);
        let word = &rest[..rest.find(|c: char| !inner(c)).unwrap_or(rest.len())];
        // "log in with the secret lantern-saddle-gravel", "the webhook secret lantern-saddle-gravel"
        let joined = is_hyphenated_secret(word);
        match context.role {
            Role::Password if joined => return Some(self.at..self.at + word.len()),
            Role::Password | Role::MaybePassword => {}
            Role::Token | Role::Key if joined => {}
            _ => return None,
        }
        let after = &rest[word.len()..];
        let before = self.sentence_before(word_at.start);
        let announced = || {
            let lead = words_before(before, 0).take(BETWEEN);
            let mut lead = lead.skip_while(|(_, word)| is_which(word) || POLITE.contains(word));
            lead.next().is_some_and(|(_, word)| takes(word) || lists(PRESENTS, &folded(word)))
        };
        // "the user kim and the password walnut", "as ubuntu, password walnut"
        let beside = || {
            let mut lead = words_before(before, 0)
                .skip_while(|(_, word)| !AND.contains(word) && is_which(word));
            let joined = lead
                .next()
                .is_some_and(|(_, word)| AND.contains(&word) || word.ends_with([',', ';', '/']));
            // "give the user kim the password walnut", "login kim password walnut"
            let given = words_before(before, 0)
                .take(NEAR)
                .any(|(_, word)| GIVES.contains(&word.to_lowercase().as_str()));
            let mut near = words_before(before, 0).map(|(_, word)| word);
            let user = near
                .next()
                .is_some_and(|word| is_user(word) || (!is_which(word) && !word.ends_with(',')));
            let named = user && near.next().is_some_and(names_user);
            named
                || (joined || given)
                    && words_before(before, 0).take(NEAR).any(|(_, word)| names_user(word))
        };
        // "the password walnut_grove57", "the password lantern.saddle.gravel"
        let digits = after.bytes().take_while(u8::is_ascii_digit).count();
        let numbered =
            word.contains(['_', '-']) && (1..=3).contains(&digits) && ends_clause(&after[digits..]);
        let length = if numbered { Some(word.len() + digits) } else { dotted(rest) };
        if let Some(length) = length.filter(|_| announced() || beside()) {
            return Some(self.at..self.at + length);
        }
        let ends = || ends_clause(after) || leads_to_another(after);
        if !is_plain(word) || is_role(word) || !ends() {
            (is_plain(word) && !is_tool(word)).then_some(())?;
            let end = phrase(rest, Manner { strict: true, ..Manner::default() })
                .filter(|_| announced() || beside())?;
            let all = rest[..end].split(' ');
            let plain = |word: &str| is_plain(word) && !is_tool(word);
            let own = match all.clone().count() {
                0 | 1 => false,
                2 => all.clone().all(plain),
                _ => {
                    let told = all.filter(|word| says(word).is_some()).count();
                    told <= usize::from(context.phrase)
                }
            };
            return own.then(|| self.at..self.at + end);
        }
        let last =
            after.trim_end_matches(['.', '!', '\r']).is_empty() || after.starts_with(['\n', '\r']);
        let listed = || {
            let field =
                after.strip_prefix(", ").map(|rest| rest.split(' ').next().unwrap_or_default());
            let next = field
                .is_some_and(|field| matches!(role(field), Some(Role::Subject | Role::Network)));
            next || (last && self.line.has_options() && before.trim_end().ends_with([',', ';']))
        };
        let short =
            matches!(&self.text[word_at.clone()], "pwd" | "passwd" | "pw" | "pass" | "mdp" | "PW");
        let works = || {
            [" works", " worked", " geht", " marche", " funciona"]
                .iter()
                .any(|word| after.starts_with(word))
        };
        if context.is_variable {
            return announced().then(|| self.at..self.at + word.len());
        }
        let lead = before.strip_suffix("mot de ").unwrap_or(before);
        let lead = lead.trim_end_matches([' ', '-', '*', '#', '\t']);
        let first = lead.is_empty() || lead.ends_with([',', ';']) || before.ends_with("# ");
        let apart = || {
            let bracketed = before.ends_with('(') && after.starts_with(')');
            let alone = first
                && last
                && context.role == Role::Password
                && is_latin(word)
                && (!self.text[word_at.clone()].ends_with("wort")
                    || word.starts_with(char::is_uppercase));
            (alone || bracketed) && !is_tool(word)
        };
        let sure = announced()
            || apart()
            || listed()
            || (!is_tool(word) && beside())
            || (short && works())
            || ((last || after.starts_with(", ") || leads_to_another(after))
                && context.role == Role::Password
                && !is_tool(word)
                && (is_named(before) || self.is_compound()));
        sure.then(|| self.at..self.at + word.len())
    }
}

/// Whether a word is in a script whose verbs and adverbs the tables list, and does not end like an adverb.
fn is_latin(word: &str) -> bool {
    !word.ends_with("ly") && word.chars().all(|c| c < '\u{250}')
}

/// Whether a word only says which password is meant: "the", "master", "new".
fn is_which(word: &str) -> bool {
    let folded = folded(word);
    let place = matches!(role(&folded), Some(Role::Qualifier | Role::Subject | Role::Network));
    is_article(word)
        || folded == "de"
        || (place && !word.ends_with(','))
        || part(word) == Some(Part::It)
}

/// Whether a word announces a user's name: "user", "as", "login".
fn names_user(word: &str) -> bool {
    let folded = folded(word.trim_end_matches([',', ';', ':']));
    let inner = folded.strip_prefix("l'").unwrap_or(&folded);
    inner.contains('@')
        || lists("compte cuenta conto conta konto kontem", inner)
        || matches!(role(inner), Some(Role::Subject | Role::As | Role::Login))
        || ["user", "login", "usuari", "utili", "utente", "benutzer"]
            .iter()
            .any(|name| inner.contains(name))
}

#[cfg(test)]
mod tests {
    use crate::tests::found;

    #[test]
    fn a_sentence_says_that_a_plain_word_is_a_password() {
        for (text, secret) in [
            ("usa la contraseña nogal para el usuario", "nogal"),
            ("coloca a senha feijoada no postgres", "feijoada"),
            ("la contraseña es limonada", "limonada"),
            ("user kim, password walnut, port 22", "walnut"),
            ("usuario root y contraseña nogal", "nogal"),
            ("the box is protected by the password walnut", "walnut"),
            ("my wifi password walnut", "walnut"),
            ("le compte est kim@example.org, mdp noisette rouge 2, merci", "noisette rouge 2"),
            ("ssh into web as ubuntu, password walnut", "walnut"),
            ("log in as kim with the password walnut_grove57 please", "walnut_grove57"),
            ("usuario root y contraseña nogal.verde.monte, puerto 22", "nogal.verde.monte"),
            ("log in as kim with secret walnut-river-lamp", "walnut-river-lamp"),
            ("connecte toi avec le secret noix-chaise-porte", "noix-chaise-porte"),
            ("the webhook secret walnut-river-lamp", "walnut-river-lamp"),
            ("ok heres the secret walnut-river-lamp", "walnut-river-lamp"),
            ("here's the password walnut", "walnut"),
            ("hier das Passwort Walnuss", "Walnuss"),
            ("voici le mot de passe noix", "noix"),
            ("user deploy senha nogueira porta 22", "nogueira"),
            ("use walnut-river-lamp as the secret for the hook", "walnut-river-lamp"),
        ] {
            assert_eq!(found(text), [secret], "{text}");
        }
    }

    #[test]
    fn a_sentence_about_passwords_has_none() {
        for text in [
            "log in with password protection",
            "root password rotation",
            "enable secret scanning!",
            "la contraseña es olvidada",
            "wifi password issue",
            "user and password fields",
            "log in with a user and a password manager",
            "log in with secret my-app-token",
            "use the secret lantern-saddle in namespace web",
        ] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
    }
}
