//! Finds passwords among other fields of a line: "customer number 48213, password for the hosting walnut",
//! `user kim / pw walnut / port 22`. The fields around one end with their values, so this one does, too.

use super::{COMPARED_BYTES, Line, NOUNS, fits, trim};
use crate::grammar::{is_plain, is_tool};
use crate::lexicon::{Part, part};
use crate::words::{FIRST_USERS, FOR, Role, folded, lists, role};
use std::ops::Range;

/// Short words for a password.
const SHORT: &str = "pw pwd pass passwd mdp clave senha";
/// How many words the name of the field may have, and the field before it.
const NAME_WORDS: Range<usize> = 3..7;
const FIELD_WORDS: Range<usize> = 2..4;

/// The password of such a field.
pub(super) fn value(line: &Line) -> Option<Range<usize>> {
    labeled(line).or_else(|| separated(line)).or_else(|| last(line))
}

/// `Kundennummer 48213, Passwort fürs Hosting X`
fn last(line: &Line) -> Option<Range<usize>> {
    if line.text.len() > COMPARED_BYTES || !line.announces || line.digits == 0 {
        return None;
    }
    let text = line.text.trim_end().trim_end_matches(['.', '!']);
    let (before, field) = text.rsplit_once(", ")?;
    let before: Vec<_> = before.rsplit(", ").next()?.split_whitespace().collect();
    let is_number = |word: &&str| word.bytes().all(|b| b.is_ascii_digit() || b"-./".contains(&b));
    let verb = |word: &&str| part(word) == Some(Part::Is);
    let field_before = FIELD_WORDS.contains(&before.len()) && before.last().is_some_and(is_number);
    let words: Vec<_> = field.split(' ').collect();
    let (value, name) = words.split_last()?;
    let noun = name.first().is_some_and(|word| NOUNS.contains(&word.to_lowercase().as_str()));
    let for_ = |word: &&str| {
        let word = word.to_lowercase();
        FOR.contains(&word.as_str())
            || matches!(word.as_str(), "fürs" | "zum" | "del" | "do" | "du")
    };
    let value = trim(value);
    let own = is_plain(value) && !is_tool(value) && fits(value);
    (field_before
        && NAME_WORDS.contains(&name.len())
        && noun
        && name.get(1).is_some_and(for_)
        && !name.iter().chain(&before).any(verb)
        && own)
        .then(|| line.span(value))
}

/// `mysql user shop / pw X / port 3306`: fields with signs between them, each of a name and a value.
fn separated(line: &Line) -> Option<Range<usize>> {
    const SIGNS: [&str; 2] = [" / ", " | "];
    const FIELDS: Range<usize> = 3..7;
    if line.text.len() > COMPARED_BYTES || !line.announces {
        return None;
    }
    let sign = SIGNS.into_iter().find(|sign| line.text.contains(sign))?;
    let fields: Vec<_> = line.text.split(sign).map(str::trim).collect();
    let is_owner = |field: &&str| {
        let named = |word| matches!(role(&folded(word)), Some(Role::Subject | Role::Network));
        let mut words = field.split([' ', ':']).rev();
        words.next().is_some() && words.any(named)
    };
    let value = |field: &&'_ str| {
        let (noun, value) = field.split_once(' ')?;
        let noun = noun.to_lowercase();
        let known = NOUNS.contains(&noun.as_str()) || lists(SHORT, &noun);
        (known && is_plain(value) && !is_tool(value) && fits(value)).then(|| line.span(value))
    };
    (FIELDS.contains(&fields.len()) && fields.iter().any(is_owner))
        .then(|| fields.iter().find_map(value))
        .flatten()
}

/// `postgres superuser: postgres / X`: what the login is for, a user that every system has, and the password.
fn labeled(line: &Line) -> Option<Range<usize>> {
    const LABELS: &str = "superuser user login account admin root zugang benutzer usuario utente compte \
         acceso accesso acces";
    const LABEL_WORDS: usize = 4;
    if line.text.len() > COMPARED_BYTES || !line.chars.has(b'/') || !line.chars.has(b':') {
        return None;
    }
    let (label, rest) = line.text.split_once(": ")?;
    let (user, value) = rest.trim_end().split_once(" / ")?;
    let words = || label.split(' ');
    let known = words().count() <= LABEL_WORDS
        && words().next_back().is_some_and(|last| lists(LABELS, &folded(last)))
        && lists(FIRST_USERS, &user.to_lowercase());
    let own = is_plain(value) && !is_tool(value) && !lists(FIRST_USERS, &value.to_lowercase());
    (known && own && fits(value)).then(|| line.span(value))
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn the_last_field_ends_with_its_value() {
        seals(&[
            ("Kundennummer 48213, Passwort fürs Hosting Wolkenbruch", &["Wolkenbruch"]),
            ("customer number 48213, password for the hosting cloudburst", &["cloudburst"]),
        ]);
        seals(&[
            ("mysql user shop / pw tannenzapfen / port 3306", &["tannenzapfen"]),
            ("user kim | password walnut | host db1", &["walnut"]),
            ("postgres superuser: postgres / tannenzapfen", &["tannenzapfen"]),
        ]);
        for text in [
            "user list / password reset / host names",
            "postgres user: postgres / root",
            "the new user: kim / lee",
            "ticket 48213, password for the hosting expired",
            "Ticket 48213, Passwort für die Datenbank fehlt",
            "port 5432, password for the database migration",
            "the ticket is 48213, password for the hosting package",
        ] {
            assert_eq!(redacted(text), text);
        }
    }
}
