//! Tokens that the model alone makes no secret. Code, logs, tables and sentences are full of them, and people say more about
//! a password in such a form: then the rules find it.

use super::class::Class;
use super::tokens::Token;
use crate::talk::{Says, is_listed, says};
use crate::things::is_uuid;
use crate::weight::is_default;
use crate::words::{folded, lists};
use std::ops::{Range, RangeInclusive};

/// The fewest words of a passphrase that nothing quotes, if no word of its line often comes with a secret, and of one whose
/// words a sign joins.
const SPOKEN_WORDS: usize = 4;
const JOINED_WORDS: usize = 3;
/// The shortest word of the latter, and the shortest if it has only so many words, with hyphens, in letters.
const WORD_BYTES: usize = 3;
const LONG_BYTES: usize = 5;
/// How long the words of a name in a program are, in bytes on average: `lvtaMoFf` is not one.
const HUMP_BYTES: usize = 4;
/// How many digits a number has at least that is a secret.
const DIGITS: usize = 6;

/// How far the line of a match is read, in bytes.
const LINE_BYTES: usize = 320;
/// How far before words a word for a password is that tells them, in tokens.
const TOLD_TOKENS: usize = 10;
/// The same for any other word for a secret.
const NEAR_TOKENS: usize = 4;

/// What the line of a match says about it.
pub struct Evidence {
    /// Whether one of its words often comes with a secret.
    pub invited: bool,
    /// Whether a word for a password or a phrase comes before the match, or another word for a secret with a sign or
    /// "is".
    pub told: bool,
    /// Whether a word for a secret comes right before the match.
    pub cued: bool,
}

impl Evidence {
    /// The line of the token at a place.
    pub fn of(tokens: &[Token], at: usize, invited: bool) -> Self {
        let before = (0..TOLD_TOKENS).map_while(|back| {
            let next = tokens.get(at.checked_sub(back)?)?;
            if next.starts_line { None } else { tokens.get(at.checked_sub(back + 1)?) }
        });
        let cue = before.clone().find(|token| token.class.is_cue()).map(|token| token.class);
        let sign = tokens.get(at).is_some_and(|token| ":=\"'".contains(token.before));
        let tied = sign || before.clone().next().is_some_and(|token| token.class == Class::Copula);
        let cued = before.clone().next().is_some_and(|token| token.class.is_cue());
        let named = tied && before.take(NEAR_TOKENS).any(|token| token.class.is_cue());
        let told = named || matches!(cue, Some(Class::Password | Class::Code));
        Self { invited, told, cued }
    }
}

/// Whether a find of the model needs more evidence.
pub fn is_doubtful(text: &str, span: &Range<usize>, said: &Evidence) -> bool {
    let value = &text[span.clone()];
    let from = text.floor_char_boundary(span.start.saturating_sub(LINE_BYTES));
    let line = text[from..span.start].rsplit('\n').next().unwrap_or_default();
    let until = text.floor_char_boundary(span.end + LINE_BYTES);
    let after = text[span.end..until].split('\n').next().unwrap_or_default();
    match value {
        // `DB_PASSWORD=***`, and what follows a label in quotes: `it says "Password:" next to the edge`
        _ if !value.contains(char::is_alphanumeric) => true,
        _ if is_after_label(line) => true,
        _ if value.contains(' ') => {
            let quoted = line.contains(['"', '\'', '`', '„', '“', '”', '«', '‘', '’']);
            let least = SPOKEN_WORDS - usize::from(said.invited);
            !quoted && !said.told && value.split(' ').count() < least
        }
        _ if is_year(value) && line.trim_end().rsplit(' ').next().is_some_and(dates) => true,
        _ if is_of_formula(value, line, after) => true,
        _ if value.bytes().all(|b| b.is_ascii_digit()) => {
            // `1. 8331 6849`: a row of a list of codes
            let sign = |c: char| c.is_ascii_digit() || " .:)-".contains(c);
            let row = !line.trim().is_empty() || !after.trim().is_empty();
            let listed = row && line.chars().chain(after.chars()).all(sign);
            !(listed || said.told || (said.invited && value.len() >= DIGITS))
        }
        _ if is_default(value) => false,
        // Ids of projects, servers and requests are far more often UUIDs than keys are.
        _ if is_uuid(value) => !(said.told || said.cued),
        _ => {
            let exclaimed = is_exclaimed(value, line, after);
            ((exclaimed || is_words(value)) && !is_after_its_word(text, span, said))
                || is_of_customer(value)
                || is_variable(value)
                || is_numbered(value)
                || is_listed(value)
                // `RSA-4096-Schlüssel`
                || (value.contains('-') && value.to_lowercase().ends_with("schlüssel"))
                || is_of_range(value, line, after)
                || is_commit(value, line)
                || (is_group(value) && line.to_lowercase().contains("fingerprint"))
                || is_key_of_store(value, line)
        }
    }
}

/// `m=65536, t=3, p=4`: the parameter of a function, by one letter.
fn is_of_formula(value: &str, before: &str, after: &str) -> bool {
    let named = |text: &str| {
        let mut bytes = text.bytes().rev();
        bytes.next() == Some(b'=')
            && bytes.next().is_some_and(|b| b.is_ascii_alphabetic())
            && bytes.next().is_none_or(|b| !b.is_ascii_alphanumeric())
    };
    let more = after.strip_prefix(',').map(str::trim_start).and_then(|next| next.get(..2));
    value.bytes().all(|b| b.is_ascii_digit())
        && named(before)
        && (more.is_some_and(named) || before[..before.len() - 2].trim_end().ends_with(','))
}

/// Whether a line ends with a label in quotes: `"Password:"`.
fn is_after_label(before: &str) -> bool {
    let label = before.trim_end();
    before.len() > label.len() && [":\"", ":”", ":»", ": »"].iter().any(|end| label.ends_with(end))
}

/// `2019`
fn is_year(value: &str) -> bool {
    value.len() == 4
        && ["19", "20"].iter().any(|century| value.starts_with(century))
        && value.bytes().all(|b| b.is_ascii_digit())
}

/// Whether a year follows a word: "since 2019", "le 26 mars 2025", "el 3 de mayo de 2024".
fn dates(word: &str) -> bool {
    const DATES: &str = "since from until till before after in of by seit bis ab vor nach im von depuis jusqu'en jusqu'a avant apres en \
         desde hasta antes despues de del dal dalla al january february march april may june july august september october \
         november december januar februar marz april mai juni juli august september oktober november dezember enero febrero \
         marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre janvier fevrier mars avril juin juillet aout \
         septembre octobre decembre";
    lists(DATES, &folded(word.trim_end_matches([',', '.'])))
}

/// Whether a word or words that a hyphen joins follow a word for a password: "the password file contains just walnut", but
/// not "password last changed", and no name in a program.
fn is_after_its_word(text: &str, span: &Range<usize>, said: &Evidence) -> bool {
    let value = &text[span.clone()];
    let next = text[span.end..].strip_prefix(' ').unwrap_or_default();
    let next = next.split([' ', '\n', ';', ',', '.']).next().unwrap_or_default();
    let name = value.contains(['_', '.', '/', '@'])
        || value.chars().skip(1).any(|c| c.is_ascii_uppercase()) && !value.contains('-');
    said.told && !name && says(next) != Some(Says::Describes)
}

/// `rhost`, `result_handler`, `ContextSpecific`, `percent-encoded`, `api@internal`: not `fiddle-lantern-whisper-koala`, and not `lvtaMoFf`.
fn is_words(value: &str) -> bool {
    const JOINTS: [char; 5] = ['-', '_', '.', '/', '@'];
    let value = value.trim_end_matches([':', '*']);
    let parts = || value.split(JOINTS).filter(|part| !part.is_empty());
    let of = |least: usize| parts().all(|part| part.chars().count() >= least);
    let phrase = match parts().count() {
        JOINED_WORDS => value.contains('-') && of(LONG_BYTES),
        count => count > JOINED_WORDS && of(WORD_BYTES),
    };
    let humps = |part: &str| {
        let mut before = true;
        let turned = part.chars().filter(|c| {
            let turned = c.is_uppercase() && !before;
            before = c.is_uppercase();
            turned
        });
        1 + turned.count()
    };
    let word = |part: &str| {
        part.chars().all(char::is_alphabetic)
            && (humps(part) == 1 || part.len() >= HUMP_BYTES * humps(part))
    };
    !phrase && parts().all(word)
}

/// "Have a nice evening!", "bien!!": the last word of a line that is a sentence.
fn is_exclaimed(value: &str, before: &str, after: &str) -> bool {
    const LEAST: usize = 3;
    let word = value.trim_end_matches('!');
    // Most words end here.
    if word.len() == value.len() || !word.chars().all(char::is_alphabetic) {
        return false;
    }
    let ends = [". ", ": ", "! ", "? ", "; ", "("];
    let start = ends.iter().filter_map(|end| Some(before.rfind(end)? + end.len())).max();
    let words = before[start.unwrap_or(0)..].split_whitespace().take(LEAST).count();
    after.trim().is_empty() && word.chars().skip(1).all(char::is_lowercase) && words == LEAST
}

/// `oak-1` and `oak-9` of "oak-1 to oak-9": names that differ in their number.
fn is_of_range(value: &str, before: &str, after: &str) -> bool {
    const TO: [&str; 5] = [" to ", " bis ", " a ", " à ", " through "];
    let sign = |c: char| c.is_ascii_digit() || ".,".contains(c);
    let alike = |other: &str| {
        let stem = value.trim_end_matches(sign);
        stem.len() > 2 && stem.len() < value.len() && other.trim_end_matches(sign) == stem
    };
    let next = TO.iter().find_map(|to| after.strip_prefix(to)?.split(' ').next());
    let last = TO.iter().find_map(|to| before.strip_suffix(to)?.rsplit(' ').next());
    next.is_some_and(alike) || last.is_some_and(alike)
}

/// `897b521` of "roll auth back to 897b521": a commit.
fn is_commit(value: &str, before: &str) -> bool {
    const DIGITS: RangeInclusive<usize> = 7..=12;
    DIGITS.contains(&value.len())
        && value.bytes().all(|b| b.is_ascii_hexdigit() && !b.is_ascii_uppercase())
        && [" back to ", " zurück auf ", " revert to ", " checkout "]
            .iter()
            .any(|to| before.ends_with(to))
}

/// `A1DA`: a group of hexadecimal digits.
fn is_group(value: &str) -> bool {
    value.len() == 4 && value.bytes().all(|b| b.is_ascii_hexdigit())
}

/// `404-Seite`: what has a number.
fn is_numbered(value: &str) -> bool {
    const DIGITS: RangeInclusive<usize> = 1..=3;
    value.split_once('-').is_some_and(|(number, thing)| {
        DIGITS.contains(&number.len())
            && number.bytes().all(|b| b.is_ascii_digit())
            && thing.trim_end_matches('.').chars().all(char::is_alphabetic)
    })
}

/// `REDIS_PASSWORD_V2`: the name of a variable, all of whose letters are capitals.
fn is_variable(value: &str) -> bool {
    let named = |part: &str| matches!(part, "PASSWORD" | "PASS" | "SECRET" | "TOKEN" | "KEY");
    value.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_')
        && value.contains('_')
        && value.split('_').any(named)
}

/// `cart:748079` of `shop:cart:748079`: a key in a store.
fn is_key_of_store(value: &str, before: &str) -> bool {
    let begun = before.rsplit(' ').next().unwrap_or_default();
    let name = |part: &str| {
        !part.is_empty() && part.bytes().all(|b| b.is_ascii_lowercase() || b"-_".contains(&b))
    };
    let number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    begun.strip_suffix(':').is_some_and(|begun| begun.split(':').all(name))
        && value.rsplit_once(':').is_some_and(|(kind, id)| name(kind) && number(id))
}

/// `K0834451221`, `INC0013715`: the number of a customer, an order, or an incident.
fn is_of_customer(value: &str) -> bool {
    let digits = value.trim_start_matches(|c: char| c.is_ascii_uppercase());
    (1..=3).contains(&(value.len() - digits.len()))
        && digits.len() >= DIGITS
        && digits.bytes().all(|b| b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_numbers_need_more_than_the_model() {
        let doubtful = |text: &str, value: &str| {
            let at = text.find(value).unwrap();
            let said = Evidence {
                invited: text.contains("key"),
                told: text.contains("Pass"),
                cued: text.contains("secret"),
            };
            is_doubtful(text, &(at..at + value.len()), &said)
        };
        for (text, value) in [
            ("authentication failure; ruser=kim rhost=", "rhost"),
            ("key: ContextSpecific", "ContextSpecific"),
            ("the result_handler", "result_handler"),
            ("a percent-encoded one", "percent-encoded"),
            ("my login is K0834451221", "K0834451221"),
            ("Cambia el nombre de JWT_SECRET a REDIS_PASSWORD_V2", "REDIS_PASSWORD_V2"),
            ("that is all for today. Have a nice evening!", "evening!"),
            (
                "Identifiant du projet : 3bcbee00-2137-4ac3-9bef-0e1836e69032",
                "3bcbee00-2137-4ac3-9bef-0e1836e69032",
            ),
            ("el código postal y la matrícula 4471 KLM", "4471"),
            ("prune takes forever", "prune takes forever"),
            ("service: api@internal", "api@internal"),
            ("the key\n  ansible.builtin.command:", "ansible.builtin.command:"),
            ("Name;Rolle;Passwort zuletzt geändert", "zuletzt"),
            ("On n'a pas changé le mot de passe depuis 2019, la honte", "2019"),
            ("argon2id umstellen, m=65536, t=3, p=4.", "65536"),
            ("Der Link \"Pass vergessen?\" führt auf eine 404-Seite.", "404-Seite"),
            ("weiße Seite auf api.example.de, hilfe!!!", "hilfe!!!"),
            ("the hosts are called Oak-Tree-1 to Oak-Tree-9", "Oak-Tree-1"),
            ("the hosts are called Oak-Tree-1 to Oak-Tree-9", "Oak-Tree-9"),
            ("roll auth back to 897b521", "897b521"),
            ("key fingerprint: 7DA1 C0F6  A4AB A1DA 10CF", "A1DA"),
            ("redis key shop:cart:748079 has no TTL", "cart:748079"),
            ("la web pone \"Pass:\" pegado al borde", "pegado al borde"),
            ("DB_Pass=***, ist das Absicht?", "***,"),
        ] {
            assert!(doubtful(text, value), "{text}");
        }
        for (text, value) in [
            ("echo fiddle-lantern-whisper-koala", "fiddle-lantern-whisper-koala"),
            ("auth_pass lvtaMoFf", "lvtaMoFf"),
            ("the key safe opens with 649453.", "649453"),
            ("1. 8331 6849", "8331"),
            ("secret 3bcbee00-2137-4ac3-9bef-0e1836e69032", "3bcbee00-2137-4ac3-9bef-0e1836e69032"),
            ("Password file contains just strawberryfields", "strawberryfields"),
            ("Passphrase: knot ruff snipe", "knot ruff snipe"),
            ("ihr könnt Kartoffel! als Pass nehmen", "Kartoffel!"),
            ("the Pass is 2019", "2019"),
            ("„gabel pinsel dampf“ eingeben", "gabel pinsel dampf"),
        ] {
            assert!(!doubtful(text, value), "{text}");
        }
    }
}
