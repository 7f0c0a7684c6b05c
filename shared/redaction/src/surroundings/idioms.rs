//! Recognizes idioms with a word for a secret: "the key to success", "im Klartext".

use super::{IS, Place, announces};
use crate::talk::{Says, says};

/// Keys and secrets that open nothing.
const IDIOMS: [&str; 62] = [
    "élément clé",
    "éléments clés",
    "point clé",
    "points clés",
    "facteur clé",
    "facteurs clés",
    "moment clé",
    "elemento clave",
    "elementos clave",
    "punto clave",
    "puntos clave",
    "factor clave",
    "schlüsselelement",
    "schlüsselfaktor",
    "key point",
    "key element",
    "key factor",
    "clave del éxito",
    "clave del exito",
    "key to success",
    "secret to a",
    "secret to success",
    "secret of a",
    "secret santa",
    "geheimnis eines",
    "geheimnis einer",
    "secreto del éxito",
    "secret du succès",
    "schlüssel zum erfolg",
    "clé du succès",
    "chiave del successo",
    "sleutel tot succes",
    "chave do sucesso",
    "klucz do sukcesu",
    "key takeaway",
    "public key",
    "pubkey",
    "clave pública",
    "clave publica",
    "clé publique",
    "chiave pubblica",
    "chave pública",
    "öffentliche schlüssel",
    "öffentlicher schlüssel",
    "öffentlichen schlüssel",
    "publieke sleutel",
    "klucz publiczny",
    "keyword",
    "palabra clave",
    "palabras clave",
    "mot clé",
    "mot-clé",
    "mots clés",
    "mots-clés",
    "schlüsselwort",
    "parola chiave",
    "parole chiave",
    "palavra-chave",
    "sleutelwoord",
    "senha de atendimento",
    "senhas de atendimento",
    "senha da fila",
];
/// Each idiom has one of these.
const KEYS: [&str; 11] = [
    "senha",
    "key",
    "clave",
    "schlüssel",
    "clé",
    "chiave",
    "sleutel",
    "chave",
    "klucz",
    "secret",
    "geheimnis",
];

/// Words before "key" that make it the name of some data.
const OF_DATA: [&str; 12] = [
    "dedup",
    "deduplication",
    "site",
    "cache",
    "routing",
    "partition",
    "sort",
    "object",
    "primary",
    "foreign",
    "idempotency",
    "restored from",
];

/// Whether a clause, in lower case, ends after a key that opens nothing.
pub(super) fn opens_nothing(clause: &str) -> bool {
    let of_data = || {
        clause.rsplit_once("key").is_some_and(|(name, between)| {
            let name = name.trim_end_matches([' ', '-']);
            OF_DATA.iter().any(|data| name.ends_with(data))
                // PagerDuty's key of an integration is a secret.
                && !name.contains("pagerduty")
                && !announces(between)
        })
    };
    KEYS.iter().any(|key| clause.contains(key))
        && (of_data()
            || IDIOMS.iter().any(|idiom| {
                clause.rsplit_once(idiom).is_some_and(|(_, between)| !announces(between))
            }))
}

/// Words for "plain text", each with the words before it.
const PLAIN: [(&str, &[&str]); 28] = [
    ("través", &["a"]),
    ("clair", &["en"]),
    ("claro", &["en", "em"]),
    ("chiaro", &["in"]),
    ("klartext", &["im", "als", "in"]),
    ("clear", &["in", "the"]),
    ("cleartext", &["in", "as"]),
    ("plaintext", &["in", "as"]),
    ("plain", &["in", "as"]),
    ("plano", &["texto"]),
    ("texto", &["en", "em", "como"]),
    ("simples", &["texto"]),
    ("puro", &["texto"]),
    ("platte", &["in", "als"]),
    ("leesbare", &["in", "als"]),
    ("klare", &["in"]),
    ("jawnym", &["w"]),
    ("jawnej", &["w", "postaci"]),
    ("postaci", &["w"]),
    ("otwartym", &["w"]),
    ("jawnie", &["hasło", "hasła", "zapisane"]),
    ("tekst", &["jawnym", "als", "platte"]),
    ("tekstem", &["jawnym", "otwartym", "czystym"]),
    ("czystym", &["w"]),
    ("testo", &["in", "come"]),
    ("semplice", &["testo"]),
    ("texte", &["en"]),
    ("brut", &["texte"]),
];

/// Whether a word says that passwords are not encrypted: "le mot de passe en clair", "im Klartext".
pub(super) fn is_plain_text(place: &Place<'_>) -> bool {
    if place.value.bytes().any(|b| b.is_ascii_digit()) {
        return false;
    }
    let first = place.value.split(' ').next().unwrap_or_default();
    let word = first.trim_end_matches(['!', '?', '.', ',']).to_lowercase();
    let last = place.last().to_lowercase();
    PLAIN.iter().any(|(plain, before)| *plain == word && before.contains(&last.as_str()))
}

/// Whether a find is the second of two things in a title: "Passwords & Phishing".
pub(super) fn is_of_title(place: &Place<'_>) -> bool {
    let Place { value, before, .. } = *place;
    let first = before.trim_end().strip_suffix('&').map(|before| {
        before.trim_end().rsplit([' ', '"', '\'', '“', '„']).next().unwrap_or_default()
    });
    is_capitalized(value) && first.is_some_and(is_capitalized)
}

/// `Problem`: a capital and lower-case letters.
fn is_capitalized(word: &str) -> bool {
    let mut letters = word.chars();
    letters.next().is_some_and(char::is_uppercase) && is_small(letters.as_str())
}

fn is_small(text: &str) -> bool {
    text.chars().all(char::is_lowercase)
}

/// "scanning", "rotation": the name of an activity, which makes a longer noun of a word for a secret.
fn is_activity(word: &str) -> bool {
    ["ning", "ting", "king", "ding", "tion"].iter().any(|end| word.ends_with(end))
}

/// Whether a match is a noun with which a sentence ends: "das ist ein großes Problem!"
pub(super) fn is_exclaimed(place: &Place<'_>) -> bool {
    const TIES: [&str; 18] = [
        "ist", "war", "auf", "mit", "als", "heißt", "lautet", "gilt", "nimm", "is", "was", "to",
        "it", "use", "with", "es", "est", "jest",
    ];
    const LEAST_BYTES: usize = 4;
    let Place { value, before, after, .. } = *place;
    let Some(noun) = value.strip_suffix('!') else { return false };
    let last = place.last();
    // A line of a device: `enable secret Walnut!`
    let device =
        ["enable ", "username ", "ip "].iter().any(|word| before.trim_start().starts_with(word));
    // "enable secret scanning!"
    if is_small(noun) && is_activity(noun) && announces(last) && after.trim_end().is_empty() {
        return true;
    }
    // "you can now log in using your YubiKey!": a thing that somebody has
    let owned = last == "your" && noun.chars().all(char::is_alphabetic);
    let hello = || noun == "World" && last.eq_ignore_ascii_case("hello,");
    if hello() {
        return true;
    }
    (is_capitalized(noun) || owned)
        && !(device && announces(last))
        && after.trim_end().is_empty()
        && last.len() >= LEAST_BYTES
        && is_small(last)
        && !TIES.contains(&last)
}

/// "The password is up-to-date", "the check is end-to-end": words that hyphens join to an adjective.
pub(super) fn is_adjective(place: &Place<'_>) -> bool {
    // Most values end here.
    if !place.value.contains('-') {
        return false;
    }
    let value = place.value.trim_end_matches(['.', '!', '?']);
    let parts = || value.split('-');
    let count = parts().count();
    if count < 3 || !parts().all(|part| part.bytes().all(|b| b.is_ascii_lowercase())) {
        return false;
    }
    let links = |part: &&str| {
        matches!(says(part), Some(Says::Links | Says::Joins | Says::Parts)) && part.len() <= 4
    };
    let adjective =
        2 * parts().filter(links).count() > count || parts().next() == parts().next_back();
    adjective && IS.contains(&place.last().to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::redacted;

    #[test]
    fn nouns_and_adjectives_of_several_words_are_not_passwords() {
        for text in ["password is up-to-date", "the password check is end-to-end"] {
            assert_eq!(redacted(text), text);
        }
        for text in [
            "please enable secret scanning!",
            "set up token rotation!",
            "you can now log in to the site using your YubiKey!",
        ] {
            assert_eq!(redacted(text), text);
        }
        let text = redacted("password is rain-on-zinc");
        assert!(!text.contains("rain"), "{text}");
    }
}
