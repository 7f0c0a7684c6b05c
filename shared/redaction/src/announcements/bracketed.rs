//! Finds passwords that a word for one only follows, brackets set apart, or a list names one by one.

use super::{COMPARED_BYTES, Line, NOUNS, fits, is_made_up, trim};
use crate::talk::says;
use crate::things::is_birthday;
use crate::weight::{Weight, weigh};
use std::ops::Range;

/// Beginnings of a sentence that says what came before: "It's the password of the database".
pub(super) const THAT: [&str; 17] = [
    "it's ",
    "it is ",
    "that's ",
    "that is ",
    "this is ",
    "das ist ",
    "dies ist ",
    "es la ",
    "c'est ",
    "è la ",
    "e' la ",
    "es el ",
    "esa es ",
    "é a ",
    "dat is ",
    "het is ",
    "to jest ",
];
/// How many words after such a beginning a word for a password may be.
const NOUN_WITHIN: usize = 3;
/// What may come before a password between brackets.
const SAID: [&str; 8] = ["it's ", "it is ", "is ", "es ist ", "ist ", "c'est ", "es ", "è "];
/// The most words from a word for a password to the bracket, with it.
const OWNER_WORDS: usize = 4;
/// Verbs and signs between a name and its password.
const IS: [&str; 8] = [" is ", " ist ", " es ", " est ", " è ", " é ", " = ", ": "];
/// Words before the last name of a list.
const AND: [&str; 7] = ["and ", "und ", "y ", "e ", "et ", "en ", "i "];
/// The most words of a name.
const NAME_WORDS: usize = 4;

/// `Does Xy7!kq contain a sign that the shell dislikes? It's the password of the wiki.`
pub(super) fn explained(line: &Line) -> Option<Range<usize>> {
    if line.text.len() > COMPARED_BYTES || !line.announces {
        return None;
    }
    let ends = line.lower.match_indices(['.', '?', '!']).map(|(at, _)| at);
    ends.filter_map(|end| {
        let next = line.lower.get(end + 1..)?.strip_prefix(' ')?;
        let rest = THAT.iter().find_map(|that| next.strip_prefix(that))?;
        let mut words = rest.split(' ').take(NOUN_WITHIN);
        words.any(|word| NOUNS.contains(&word.trim_matches(['.', ',']))).then_some(())?;
        // Lower case may be of another length, so the text is cut only where both agree.
        let told = line.text.get(..end).filter(|_| line.text.len() == line.lower.len())?;
        let sentence = told.rsplit(". ").next()?;
        let made = |word: &&str| {
            word.len() >= 6 && is_made_up(word) && weigh(word) >= Weight::Fair && fits(word)
        };
        let mut all = sentence.split_whitespace().map(|word| trim(word.trim_end_matches(',')));
        let value = all.by_ref().find(made)?;
        all.find(made).is_none().then(|| line.span(value))
    })
    .next()
}

/// `everyone knows the password (it's arsenal-ole), please change it`
pub(super) fn bracketed(line: &Line) -> Option<Range<usize>> {
    if line.text.len() > COMPARED_BYTES {
        return None;
    }
    let (before, rest) = line.text.split_once(" (")?;
    let (inner, _) = rest.split_once(')')?;
    // "the SA password for SQL Server (X)"
    let lower = before.to_lowercase();
    let mut last = lower.rsplit(' ').take(OWNER_WORDS);
    let noun = |word| NOUNS.contains(&word) || matches!(word, "pw" | "pwd" | "mdp" | "passe");
    last.any(noun).then_some(())?;
    let lower = inner.to_lowercase();
    let said = SAID.iter().find(|said| lower.starts_with(*said));
    let value = trim(inner.get(said.map_or(0, |said| said.len())..)?);
    let own = match said {
        Some(_) => says(value).is_none(),
        None => is_birthday(value) || (is_made_up(value) && weigh(value) >= Weight::Name),
    };
    let whole = !value.contains(' ') && (is_birthday(value) || fits(value));
    (own && whole).then(|| line.span(value))
}

/// `New passwords: gw1 is Mango77, and db1 is Lime88`
pub(super) fn enumerated(line: &Line) -> Vec<Range<usize>> {
    if line.text.len() > COMPARED_BYTES || !line.speaks {
        return Vec::new();
    }
    let Some((heading, rest)) = line.text.split_once(": ") else { return Vec::new() };
    let heading = heading.to_lowercase();
    if !NOUNS.iter().any(|noun| heading.ends_with(noun)) {
        return Vec::new();
    }
    let items: Option<Vec<_>> = rest.split([',', ';']).map(|part| item(part.trim())).collect();
    items
        .filter(|items| items.len() > 1)
        .map_or(Vec::new(), |items| items.into_iter().map(|value| line.span(value)).collect())
}

/// The value of `and db1 is Lime88`.
fn item(text: &str) -> Option<&str> {
    let text = AND.iter().find_map(|and| text.strip_prefix(and)).unwrap_or(text);
    let (name, value) = IS.iter().find_map(|is| text.split_once(is))?;
    let value = trim(value.trim_end_matches(['.', ',', ';', '!']));
    let named = (1..=NAME_WORDS).contains(&name.split(' ').count());
    let own = !value.contains(' ') && says(value).is_none() && fits(value);
    (named && own).then_some(value)
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn what_is_explained_bracketed_or_listed_is_found() {
        seals(&[
            ("Does kX7!mq-Lo contain a bad sign? It's the password of the wiki.", &["kX7!mq-Lo"]),
            ("Enthält Wm4#dq-Ro ein Sonderzeichen? Das ist das Passwort vom Wiki.", &["Wm4#dq-Ro"]),
            ("everyone knows the root password (it's teapot), change it", &["teapot"]),
            ("the old password (Tulpe_88) is in a ticket", &["Tulpe_88"]),
            ("backup box has the same pw as grafana (Tulpe_88)", &["Tulpe_88"]),
            ("the staging password (19-08-89) is in a ticket", &["19-08-89"]),
            ("New passwords: gw1 is Mango_77, and db1 is limonade", &["Mango_77", "limonade"]),
        ]);
        for text in [
            "Does the wiki need HTTPS? It's the password page that worries me.",
            "the password (optional) and the user",
            "New passwords: at least twelve letters, and no names",
        ] {
            assert_eq!(redacted(text), text);
        }
    }
}
