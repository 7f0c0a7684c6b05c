//! Finds both passwords of a sentence with two: "change the password from X to Y", "I tried X and Y as the password"; and
//! those beside an account: "mail account kim@example.org / X", "login kim:X at …".

use super::{COMPARED_BYTES, Line, NOUNS, Sign, fits, is_made_up, trim};
use crate::grammar::is_tool;
use crate::lexicon::{Part, is_from, is_misspelled, is_to, part};
use crate::talk::says;
use crate::things::is_dotted_secret;
use crate::words::{Role, Table, folded, lists, role};
use std::ops::Range;
use std::sync::OnceLock;

/// Words for a password, besides those of [`NOUNS`].
const SHORT: &str = "clave pw pwd mdp passe pass psw pswd parola pin";
/// Words for the old password, which comes directly after.
const OLD: &str =
    "old alte altes antiga velha antigua vieja anterior vecchia ancien oude stare current";
/// Words for the new one, and articles before them.
const NEW: &str = "the new a la le das neue neues nova nueva nuova o nouveau nieuwe nowe one pela por con mit with par durch by met";
/// Other things that are changed, if they come after the word for a password.
const ABOUT: &str = "login logins rotation manager policy hash hashes hashing file field length rule rules expiry store vault generator algorithm encoding";
/// Words for what is changed, if its name comes last.
const IT: &str = "it es ihn sie lo la le hem het to";
/// The most words between the word for a password and "from".
const BETWEEN: usize = 5;
/// The most words between a verb and the word for a password.
const VERB_WORDS: usize = 5;
/// The most words of a line that are read.
const WORDS: usize = 60;

/// A word without the signs that close a clause.
fn bare(word: &str) -> &str {
    trim(word.trim_end_matches([',', ';', '.']))
}

/// Whether a word may be a password that a person chose.
fn is_chosen(word: &str) -> bool {
    let made = is_made_up(word) && word.contains(|c: char| c.is_ascii_digit());
    word.len() >= 6
        && (is_dotted_secret(word) || (made && says(word).is_none()))
        && !word.contains(['/', '=', '(', '\\'])
        && fits(word)
}

fn is_noun(word: &str) -> bool {
    let small = word.to_lowercase();
    let last = small.rsplit('-').next().unwrap_or_default();
    NOUNS.contains(&last) || lists(SHORT, last) || is_misspelled(&folded(last))
}

fn lists_word(list: &'static str, word: &str) -> bool {
    lists(list, &folded(word))
}

/// Whether a word says that the old password follows.
fn is_old(word: &str) -> bool {
    static TABLE: OnceLock<Table<()>> = OnceLock::new();
    TABLE.get_or_init(|| Table::listed(OLD)).get(&folded(word)).is_some()
}

/// What a line has of passwords in pairs.
pub(super) fn values(line: &Line) -> Vec<Range<usize>> {
    let words = words(line);
    let mut found = moved(line, words);
    if line.signs.has(Sign::As) {
        found.extend(tried(line, words));
    }
    found.extend(account(line, words));
    found
}

/// "as", in a sentence.
pub(super) const AS: [&str; 6] = [" as ", " als ", " como ", " comme ", " come ", " jako "];

/// `Cambia la password da X a Y`, `troque a senha antiga X pela nova Y`: X and Y.
fn moved(line: &Line, words: &[&str]) -> Vec<Range<usize>> {
    let found = words.windows(3).enumerate().find_map(|(at, of)| {
        // Most words end here.
        let by = matches!(of[2], "with" | "by" | "durch" | "por" | "par" | "con" | "met");
        // "replace the password X with Y"
        let named = by && is_noun(of[0]);
        let old = named || of[0].len() <= 8 && (is_from(of[0]) || is_old(of[0]));
        (old && (is_to(of[2]) || lists_word(NEW, of[2]))).then_some(())?;
        let value = bare(of[1]);
        let mut next = words.iter().enumerate().skip(at + 2);
        let next = next.find(|(_, word)| !is_to(word) && !lists_word(NEW, word));
        let (end, next) = (next?.0, bare(next?.1));
        let chosen = (is_chosen(value), is_chosen(next));
        // Where one of them is made up, the other may be words.
        let both = match chosen {
            (true, true) => vec![value, next],
            (true, false) if is_worded(next) => vec![value, next],
            (false, true) if is_worded(value) => vec![value, next],
            (true, false) => vec![value],
            // "change the root password from walnut to plum": right behind the word for a password, two plain words are
            // its old and its new value.
            _ if of[0].len() <= 8
                && is_from(of[0])
                && [value, next].iter().all(|word| is_bare(word))
                && at.checked_sub(1).is_some_and(|last| is_noun(words[last])) =>
            {
                vec![value, next]
            }
            _ => return None,
        };
        let before = &words[at.saturating_sub(BETWEEN + VERB_WORDS)..at + usize::from(named)];
        // "change it from X to Y, the db password"
        let it = || before.last().is_some_and(|word| lists_word(IT, word));
        let last = words[end + 1..].iter().any(|word| is_noun(bare(word)));
        let noun = before.iter().rposition(|word| is_noun(bare(word)));
        let noun = noun.or_else(|| before.len().checked_sub(1).filter(|_| last && it()))?;
        let (verbs, names) = (&before[..noun], &before[noun + 1..]);
        let changes = |word: &&str| {
            let word = bare(word).trim_end_matches(':');
            part(word) == Some(Part::Changed)
                || CHANGES.iter().any(|stem| folded(word).starts_with(stem))
        };
        let about = names.iter().any(|word| lists_word(ABOUT, word));
        // "das Passwort wurde von X auf Y geändert"
        let behind = words[end + 1..].iter().take(LAST_WORDS);
        let told = verbs.iter().chain(names).chain(behind).any(changes);
        (told && !about && names.len() < BETWEEN)
            .then(|| both.into_iter().map(|value| line.span(value)).collect())
    });
    found.unwrap_or_default()
}

/// Whether a word of letters may be a password that somebody replaces, and is not a way to store one.
fn is_bare(word: &str) -> bool {
    const STATES: &str = "plaintext plain hashed clear cleartext default weak strong scram bcrypt argon scrypt monday friday text varchar \
         console dashboard vault server client staging production local remote static dynamic";
    let parts = || word.split('-');
    let told = |part: &str| says(part).is_some() || lists_word(STATES, part);
    word.len() >= 6
        && parts().all(|part| part.len() >= 3 && part.chars().all(char::is_alphabetic))
        && parts().any(|part| part.len() >= 4 && !told(part))
        && !parts().next_back().is_some_and(|last| last.len() >= 4 && told(last))
        && !is_tool(word)
        && role(&folded(word)).is_none()
        && part(word).is_none()
        && fits(word)
}

/// Whether a word may be a password beside one that is made up: several words, joined, without the name of a place.
fn is_worded(word: &str) -> bool {
    let parts = word.split(['-', '_', '.']);
    let long = |part: &str| part.len() >= 4 && part.chars().all(char::is_alphanumeric);
    let letters = |part: &str| part.chars().filter(|c| c.is_alphabetic()).count() >= 4;
    parts.clone().count() >= 2
        && parts.clone().all(|part| long(part) && (letters(part) || part.len() == 4))
        && !parts.into_iter().any(|part| says(part).is_some())
}

/// How many words may come between the new password and the verb of its clause.
const LAST_WORDS: usize = 2;

/// Stems of verbs that change something.
const CHANGES: [&str; 31] = [
    "ersetz",
    "vervang",
    "zastap",
    "umgestell",
    "gewechsel",
    "getausch",
    "paso",
    "passat",
    "passou",
    "passe",
    "swap",
    "chang",
    "cambi",
    "ander",
    "aender",
    "zmie",
    "zmia",
    "troqu",
    "troc",
    "mud",
    "alter",
    "wijzig",
    "verander",
    "modif",
    "remplac",
    "sostitu",
    "reempla",
    "substitu",
    "replac",
    "updat",
    "rotat",
];

/// `I tried X and Y as the password`: X and Y.
fn tried(line: &Line, words: &[&str]) -> Vec<Range<usize>> {
    /// The most words from "as" to the word for a password.
    const AS_WORDS: usize = 4;
    let found = words.windows(4).enumerate().find_map(|(at, of)| {
        // Most words end here.
        (role(&folded(of[3])) == Some(Role::As) && part(of[1]) == Some(Part::Joins))
            .then_some(())?;
        let noun = words[at + 4..].iter().take(AS_WORDS).any(|word| is_noun(bare(word)));
        (noun && is_chosen(bare(of[0])) && is_chosen(bare(of[2])))
            .then(|| vec![line.span(bare(of[0])), line.span(bare(of[2]))])
    });
    found.unwrap_or_default()
}

/// `mail account kim@example.org / X (imap.example.org)`, `jenkins login kim:X at https://…`
fn account(line: &Line, words: &[&str]) -> Option<Range<usize>> {
    const ACCOUNTS: [&str; 7] = ["account", "mail", "imap", "smtp", "login", "konto", "compte"];
    const LOGINS: &str = "login logins zugang acceso accesso acesso acces creds credentials";
    const AT: &str = "at on for in auf bei fur en sur su em na op aan";
    // Most lines end here.
    if !line.chars.has_any(b":/") {
        return None;
    }
    words.windows(3).find_map(|of| {
        if of[1] == "/" && of[0].contains('@') {
            let value = bare(of[2]);
            let named = ACCOUNTS.iter().any(|name| line.lower.contains(name));
            return (named && is_chosen(value)).then(|| line.span(value));
        }
        let (user, value) = of[1].split_once(':')?;
        let plain = |b: u8| b.is_ascii_alphanumeric() || b"_-.".contains(&b);
        let named = user.len() > 1 && user.bytes().all(plain) && lists_word(LOGINS, bare(of[0]));
        let value = bare(value);
        (named && lists_word(AT, of[2]) && is_chosen(value)).then(|| line.span(value))
    })
}

/// The words of a line, if it is short and has a digit, a dot or a word for a password, as everything that is found here
/// does.
fn words<'l, 'a>(line: &'l Line<'a>) -> &'l [&'a str] {
    let short = line.text.len() <= COMPARED_BYTES && line.text.contains(' ');
    let odd = line.digits > 0 || line.text.contains('.') || line.announces;
    if short && odd { line.first_words(WORDS) } else { &[] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::announcements::tests::seals;

    #[test]
    fn a_sentence_with_two_passwords_shows_neither() {
        seals(&[
            ("change the password from 7167Walnut to Hq7!x-Mt", &["7167Walnut", "Hq7!x-Mt"]),
            ("Cambia la password da 4472Noce a Noce#1994 per favore", &["4472Noce", "Noce#1994"]),
            ("Zmień hasło z orzech521 na k6Y6-r~~m53 dla kim", &["orzech521", "k6Y6-r~~m53"]),
            ("Cambia la clave de nogal_verde55 a Nogal-970", &["nogal_verde55", "Nogal-970"]),
            ("troque a senha antiga nogueira_22 pela nova Xq7!mm-T", &["nogueira_22", "Xq7!mm-T"]),
            ("ändere das Passwort von walnuss.wiese.regen auf Hq7!x-Mt", &["walnuss.wiese.regen"]),
            (
                "das Passwort wurde von Walnut26! auf lindgrün-schloss38 umgestellt",
                &["Walnut26!", "lindgrün-schloss38"],
            ),
            ("la contraseña pasó de Walnut26! a nogal-jardin-casa", &["nogal-jardin-casa"]),
            ("ik heb het wachtwoord van noten-tuin98 naar Walnut26! gewijzigd", &["noten-tuin98"]),
            ("change the root password from walnut to plumjam please", &["walnut", "plumjam"]),
            ("please change the password from alpha-one to bravo-two", &["alpha-one", "bravo-two"]),
            ("ändere das Passwort von Walnuss auf Pflaume", &["Walnuss", "Pflaume"]),
            ("I tried 1087Walnut and abc96563 as the password", &["1087Walnut", "abc96563"]),
        ]);
    }

    #[test]
    fn an_account_may_have_its_password_beside_it() {
        seals(&[
            ("mail account kim@example.org / walnut_tree96 (imap.example.org)", &["walnut_tree96"]),
            ("jenkins login svc_app:walnut_tree69 at https://ci.example.org", &["walnut_tree69"]),
        ]);
    }

    #[test]
    fn other_changes_have_no_password() {
        for text in [
            "change the password policy from walnut71 to walnut72",
            "change the password hashing from bcrypt12 to argon2id",
            "ich habe das Passwort von root auf web-02 geändert",
            "password login switched from web01 to web02",
            "change the password from plaintext to hashed",
            "change the password from default to strong",
            "change the password from the console to the api",
            "switch the password from bcrypt to argon",
            "change the password field from text to varchar",
            "copy the password from cluster01 to cluster02",
            "move the login from server01 to server02",
            "I tried firefox128 and chrome126 as the browser",
            "the login page:v22 at https://example.org",
            "mails of kim@example.org / sales are late",
        ] {
            let line = Line::of(0, text);
            assert!(values(&line).is_empty(), "{text}");
        }
    }
}
