//! Finds what follows the name of a variable, a label with a typing error, or a short word for a password.

use super::corrections::distance;
use super::{ALONE_BYTES, COMPARED_BYTES, Line, NOUNS, PHRASE, SHORT, fits, is_made_up, trim};
use std::ops::Range;

/// How many assignments of one line are read.
const ASSIGNMENTS: usize = 16;

/// `PGPASSWORD=word`, `MAIL_PASSWORD="words of any kind"`, `secret_access_key = word-word`.
pub(super) fn variables(line: &Line) -> Vec<Range<usize>> {
    let signs = line.text.match_indices('=').take(ASSIGNMENTS);
    signs.filter_map(|(at, _)| variable(line, &line.text[..at], &line.text[at + 1..])).collect()
}

fn variable(line: &Line, before: &str, after: &str) -> Option<Range<usize>> {
    let name = before.trim_end().rsplit([' ', '\t', ';', '"', '\'']).next()?;
    let plain = name.len() >= 4 && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let lower = name.to_ascii_lowercase();
    let ends =
        ["password", "passwd", "passphrase", "_pass", "_pwd", "secret_access_key", "secret_key"];
    let named = lower.starts_with("mdp_") || ends.iter().any(|end| lower.ends_with(end));
    if !plain || !named || after.starts_with(['=', '>']) {
        return None;
    }
    let spaced = after.starts_with(' ');
    let after = after.trim_start();
    let quote = after.chars().next().filter(|c| ['"', '\''].contains(c));
    let value = match quote {
        Some(quote) => after[1..].split(quote).next()?,
        // Code compares and calls, an assignment ends its line.
        None if spaced && after.trim_end().contains([' ', '(', ';']) => return None,
        None => after.split([' ', '\t', ';', '&', '|', ')', '\r']).next()?,
    };
    let words = value.split(' ').count();
    let reference = value.contains(['$', '{', '<', '`', '(']) || value.starts_with(['/', '.', '~']);
    let enough = value.len() >= 4 && words <= PHRASE.1 && value.len() <= 128;
    let telling = fits(value) || (words > 1 && quote.is_some() && before.trim_end().len() < 48);
    (enough && !reference && telling).then(|| line.span(value))
}

/// A label at the start of a line with a typing error: `kenwort: Erdbeere_09`.
pub(super) fn label(line: &Line) -> Option<Range<usize>> {
    let (name, value) = line.text.split_once([':', '='])?;
    let name = name.trim().trim_start_matches(['-', '*', ' ']).to_lowercase();
    let near = ["password", "passwort", "kennwort", "contraseña", "wachtwoord", "passphrase"];
    let wrong = (5..=12).contains(&name.chars().count())
        && !["passport", "passworts", "passwords", "passed"].contains(&name.as_str())
        && near
            .iter()
            .any(|noun| name.starts_with(&noun[..2]) && (1..=2).contains(&distance(&name, noun)));
    // `passwrod: X  (dont tell)`
    let value = trim(value.split(" (").next().unwrap_or(value));
    (wrong && !value.contains(' ') && fits(value) && value.len() >= 6).then(|| line.span(value))
}

/// `Passwort 27148252`: a number of several digits right after the word, at the end of its clause.
pub(super) fn number(line: &Line) -> Option<Range<usize>> {
    const DIGITS: std::ops::RangeInclusive<usize> = 6..=12;
    if !line.speaks || line.digits < *DIGITS.start() || line.text.len() > COMPARED_BYTES {
        return None;
    }
    let words = || line.words();
    let mut pairs = words().zip(words().skip(1)).enumerate();
    let (_, (_, value)) = pairs.find(|(at, (noun, word))| {
        let value = word.trim_end_matches(['.', ',', ';', ')']);
        let ends = value.len() < word.len() || words().nth(at + 2).is_none();
        let digits = DIGITS.contains(&value.len()) && value.bytes().all(|b| b.is_ascii_digit());
        // "Gerätepasswort 27148252"
        let noun = noun.to_lowercase();
        let named = NOUNS.contains(&noun.as_str())
            || ["passwort", "kennwort"].iter().any(|end| noun.ends_with(end));
        digits && ends && named
    })?;
    Some(line.span(value.trim_end_matches(['.', ',', ';', ')'])))
}

/// `psw word`, `la contra del server es word`.
pub(super) fn short(line: &Line) -> Option<Range<usize>> {
    let mut words = line.words();
    let mut before = "";
    words.find(|word| {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        // "en contra", "contra el servidor"
        let article = ["la", "mi", "tu", "su", "una"].contains(&before);
        before = word;
        SHORT.contains(&bare.as_str()) && (bare != "contra" || article)
    })?;
    let mut next = words.clone().take(6);
    let verbs = ["is", "es", "è", "est", "ist", "=", ":", "é"];
    let said = next.position(|word| verbs.contains(&word.to_lowercase().as_str()));
    let direct = words.clone().next().filter(|word| word.ends_with([',', ';']));
    let value = match (said, direct) {
        (_, Some(word)) => word,
        (Some(at), None) => words.nth(at + 1)?,
        (None, None) => words.next().filter(|word| is_made_up(word))?,
    };
    let value = trim(value.trim_end_matches([',', ';', '.', '!', '?']));
    let made = is_made_up(value) || (direct.is_some() && value.len() >= ALONE_BYTES);
    (made && fits(value)).then(|| line.span(value))
}

/// `usuario kim, clave X`: a word that has other meanings too, right after the name of a user.
pub(super) fn account(line: &Line) -> Option<Range<usize>> {
    const USERS: [&str; 4] = ["usuario", "user", "utente", "usuário"];
    const KEYS: [&str; 4] = ["clave", "chiave", "chave", "llave"];
    const NAME_WORDS: usize = 3;
    const LEAST_BYTES: usize = 6;
    let at = KEYS.iter().find_map(|key| line.lower.find(key))?;
    let mut before = line.lower.get(..at)?.split_whitespace().rev();
    let tied = before.clone().next().is_some_and(|word| word.ends_with(',') || word == "y");
    let word = |word: &str| word.trim_end_matches([':', ',']).to_owned();
    let named = before.by_ref().take(NAME_WORDS).any(|name| USERS.contains(&word(name).as_str()));
    // Lower case has as many bytes in these languages; where it has not, no value is found.
    let value = line.text.get(at..)?.split_whitespace().nth(1)?;
    let value = trim(value.trim_end_matches([',', ';', '.', ')']));
    (tied && named && value.len() >= LEAST_BYTES && is_made_up(value) && fits(value))
        .then(|| line.span(value))
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn what_follows_a_label_or_a_user_is_found() {
        seals(&[
            ("MDP_BDD=4wLvKCpNggit38KfdW\nUTILISATEUR_BDD=agenda", &["4wLvKCpNggit38KfdW"]),
            ("PPPoE: 778351075310#0001@example.net Passwort 27148252", &["27148252"]),
            ("Speedport Gerätepasswort 27148252", &["27148252"]),
            ("ftp.example.org, usuario rivas, clave Ortodoncia77", &["Ortodoncia77"]),
        ]);
        for text in [
            "el usuario rivas, clave del equipo, vuelve el lunes",
            "el usuario rivas, clave de la oficina, no contesta",
        ] {
            assert_eq!(redacted(text), text);
        }
    }
}
