//! Decides which plain words may take which place in a sentence: which take a password, which present it, which may be
//! one, and where its clause ends.

use super::{Reader, Role};
use crate::talk::{Says, is_called_done, says};
use crate::weight::{MIN_BYTES, Weight, is_default, weigh};
use crate::words::{Table, folded, is_letter, role};
use std::ops::Range;
use std::sync::OnceLock;

/// How much of a sentence is read, in bytes.
const SENTENCE_BYTES: usize = 96;
/// How much of the text after a clause is read, in bytes.
const AFTER_BYTES: usize = 64;
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
pub(crate) fn is_article(word: &str) -> bool {
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
    /// The part of the sentence before a place, as far back as nothing else was found in it.
    pub(super) fn sentence_before(&self, at: usize) -> &str {
        let from = self.text.floor_char_boundary(at.saturating_sub(SENTENCE_BYTES));
        let from = self.found.last().map_or(from, |raw| from.max(raw.span.end));
        let from = if self.walled <= at { from.max(self.walled) } else { from }.min(at);
        self.text[from..at].rsplit('\n').next().unwrap_or_default()
    }
}
