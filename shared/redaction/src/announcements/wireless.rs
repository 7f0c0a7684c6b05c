//! Finds keys and passwords of words with dots between them: "la clave del wifi es luna.de.queso". Where a sentence names the
//! secret and says its value, only the form of a host or an attribute makes it something else.

use super::{COMPARED_BYTES, Line, NOUNS, Sign, keys, trim};
use crate::lexicon::{Part, part};
use crate::things::is_dotted_words;
use crate::words::lists;
use std::ops::Range;

/// Words for the key of a network, besides those of [`NOUNS`].
const SHORT: &str =
    "code código codigo kod pw pwd mdp pass passe psk clave clé cle key llave contra";
/// Words for a network, besides those of [`keys`].
const NETWORKS: [&str; 5] = ["network", "réseau", "red de ", "netz", "rete "];
/// Words between a noun and its value.
const TIES: &str = "is ist es est lautet heißt heisst c'est it's sigue bleibt remains reste take use nimm nehme nutze prends prenez mets toma usa \
     pon";
/// The most words between the noun and the value.
const BETWEEN: usize = 7;

fn bare(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric() && c != '\'' && c != '-').to_lowercase()
}

fn is_noun(word: &str, network: bool) -> bool {
    let last = word.rsplit(['-', '\'', '’']).next().unwrap_or_default();
    NOUNS.contains(&last)
        || ["passe", "pass", "pw", "pwd", "mdp"].contains(&last)
        || (network && (keys::is_key(word) || keys::is_key(last) || lists(SHORT, last)))
}

/// `Unser WLAN-Kennwort: hafen.im.regen`, `Wifi: Office, key rainy.days.in.leeds`
pub(super) fn dotted(line: &Line) -> Option<Range<usize>> {
    if line.text.len() > COMPARED_BYTES || line.text.bytes().filter(|b| *b == b'.').count() < 2 {
        return None;
    }
    let network = line.signs.has(Sign::Network)
        || NETWORKS.iter().any(|network| line.lower.contains(network));
    (network || line.announces).then_some(())?;
    let words = &line.words;
    words.iter().enumerate().skip(1).find_map(|(at, word)| {
        let value = trim(word.trim_end_matches([',', ';', '.', '!', '?', ')']));
        is_dotted_words(value).then_some(())?;
        let last = bare(words[at - 1]);
        let closed = words[at - 1].ends_with([':', '=']);
        let tied = closed || lists(TIES, &last) || part(&last) == Some(Part::Is);
        if is_noun(&last, network) {
            return Some(line.span(value));
        }
        let near = words[..at].iter().rev().take(BETWEEN);
        let clause = near.take_while(|word| !word.ends_with(['.', '?', '!', ';']));
        let named = clause.into_iter().any(|word| is_noun(&bare(word), network));
        (tied && named).then(|| line.span(value))
    })
}

/// `wifi: Cafe / leek-and-potato`: the name of a network, and its password.
pub(super) fn paired(line: &Line) -> Option<Range<usize>> {
    const LABELS: [&str; 6] = ["wifi", "wi-fi", "wlan", "ssid", "gäste-wlan", "guest wifi"];
    const NAME_WORDS: usize = 3;
    /// The least length of such a password, as networks require it, in bytes.
    const LEAST_BYTES: usize = 8;
    let (label, rest) = line.text.split_once(':')?;
    let (name, value) = rest.split_once(" / ")?;
    let value = trim(value);
    let known = LABELS.contains(&label.trim().to_lowercase().as_str());
    let named = (1..=NAME_WORDS).contains(&name.split_whitespace().count());
    let part = |part: &str| !part.is_empty() && part.chars().all(char::is_alphanumeric);
    let joined = value.split('-').count() > 1 && value.split('-').all(part);
    let made = joined || super::is_made_up(value);
    (known && named && made && value.len() >= LEAST_BYTES && super::fits(value))
        .then(|| line.span(value))
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn words_with_dots_that_a_sentence_tells_are_secrets() {
        seals(&[
            ("la clave del wifi es nogal.en.flor", &["nogal.en.flor"]),
            ("le code wifi c'est noix.au.beurre", &["noix.au.beurre"]),
            ("Unser WLAN-Kennwort: Walnuss.im.Regen", &["Walnuss.im.Regen"]),
            ("Wifi: NW-Office, key walnuts.in.rainy.leeds", &["walnuts.in.rainy.leeds"]),
            ("WLAN „Werkstatt“, Schlüssel nuss.und.nagel", &["nuss.und.nagel"]),
            ("DB pass: walnut.lantern.velvet", &["walnut.lantern.velvet"]),
            ("wifi: Cafe / leek-and-potato", &["leek-and-potato"]),
            ("WLAN: Gast 2 / lauch-suppe-satt", &["lauch-suppe-satt"]),
            ("database forum, and for the password take velvet.maple.walnut", &["velvet.maple"]),
        ]);
        for text in [
            "wifi: 2.4 GHz / 5 GHz",
            "wifi: up / down",
            "the wifi is called blue.barn.guest",
            "the password of the wifi is in vault.internal.example.org",
            "the key of the wifi app is net.wifi.name",
            "password: spring.datasource.password",
            "the password is read from app.settings.database",
        ] {
            assert_eq!(redacted(text), text);
        }
    }
}
