//! Recognizes names under which Kubernetes and the settings of programs keep secrets.

use super::absent::speaks;
use super::{IS, Place};
use crate::words::{FOR, OF, lists};

/// Parts of the names of objects that hold secrets.
const PARTS: &str = "credentials credential creds secret secrets key keys token tokens tls cert certs config password passwords auth";
/// Words before a name.
const NAMES: [&str; 18] = [
    "called",
    "named",
    "name",
    "heißt",
    "namens",
    "genannt",
    "llama",
    "llamada",
    "llamado",
    "nombre",
    "appelle",
    "s'appelle",
    "s’appelle",
    "nommé",
    "nommée",
    "mean",
    "meinst",
    "secret",
];

/// Whether a value is such a name.
pub(super) fn is_reference(place: &Place<'_>) -> bool {
    is_in_vault(place)
        || is_object(place)
        || is_field(place.before, place.value)
        || is_called(place)
        || is_to_be_called(place)
        || is_mailbox(place)
}

/// `vault:secret/data/shop#token`: where a program finds a secret.
fn is_in_vault(place: &Place<'_>) -> bool {
    place.before.ends_with("vault:") && place.value.contains('/')
}

/// "Der Bucket heißt hoffmann-archiv-2025": the name of something in a sentence that has not spoken about a secret.
fn is_called(place: &Place<'_>) -> bool {
    const CALLED: [&str; 12] = [
        " heißt ",
        " heisst ",
        " is called ",
        " is named ",
        " are called ",
        " se llama ",
        " se llamará ",
        " s'appelle ",
        " s’appelle ",
        " si chiama ",
        " chama-se ",
        " heet ",
    ];
    let lower = place.before.trim_end_matches(['"', '\'', '`', '„', '«']).to_lowercase();
    let value = place.value.trim_end_matches(['.', ',']);
    value.contains('-')
        && value.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"-.".contains(&b))
        && CALLED.iter().any(|called| lower.ends_with(called))
        && !speaks(&lower)
}

/// "Das Secret soll webshop-db heißen": a find with the verb, or before it.
fn is_to_be_called(place: &Place<'_>) -> bool {
    const CALLED: [&str; 3] = ["heißen", "heissen", "genannt"];
    const OBJECTS: [&str; 8] =
        ["secret", "token", "schlüssel", "server", "host", "maschine", "rechner", "instanz"];
    const PASSWORDS: [&str; 3] = ["passw", "kennw", "passphrase"];
    let mut words = place.value.split(' ').chain(place.after.split_whitespace());
    let name = words.next().unwrap_or_default();
    let verb = words.next().unwrap_or_default().trim_end_matches([',', '.', '!', '?']);
    // Most finds end here.
    if !CALLED.contains(&verb) {
        return false;
    }
    let lower = place.before.to_lowercase();
    let clause = lower.rsplit(['.', ',', ';']).next().unwrap_or_default();
    name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._".contains(&b))
        && OBJECTS.iter().any(|object| clause.contains(object))
        && !PASSWORDS.iter().any(|word| clause.contains(word))
}

/// "Outlook redemande le mot de passe de contact@": a mailbox without its domain.
fn is_mailbox(place: &Place<'_>) -> bool {
    let Some(name) = place.value.strip_suffix('@') else { return false };
    let of = OF.iter().chain(&FOR).any(|of| place.last().eq_ignore_ascii_case(of));
    of && name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.bytes().all(|b| b.is_ascii_lowercase() || b"-._".contains(&b))
}

/// `shop-db-credentials`, `deploy-key-1`: an object of Kubernetes or a key, as a sentence names it.
fn is_object(place: &Place<'_>) -> bool {
    const OF_NAMES: [&str; 4] = ["called ", "named ", "name ", "namens "];
    let Place { value, before, .. } = *place;
    let value = value.trim_end_matches(['.', ',', '?', '!', ';', ')']);
    if !value.contains('-') {
        return false;
    }
    let stripped = OF_NAMES.iter().find_map(|start| value.strip_prefix(start));
    let value = stripped.unwrap_or(value);
    let value = value.split(' ').next().unwrap_or_default();
    let plain = |part: &str| {
        !part.is_empty()
            && part.len() <= 14
            && (part.bytes().all(|b| b.is_ascii_lowercase())
                || (part.len() <= 2 && part.bytes().all(|b| b.is_ascii_digit())))
    };
    let last =
        before.trim_end_matches([' ', '"', '\'', '`']).rsplit(' ').next().unwrap_or_default();
    let lower = last.to_lowercase();
    let named = stripped.is_some() || NAMES.contains(&lower.as_str());
    let tied = last.ends_with([':', '=']) || IS.contains(&lower.as_str());
    value.split('-').all(plain)
        && value.split('-').skip(1).any(|part| lists(PARTS, part))
        && (named || !tied)
        && !before.ends_with(['=', ':', '@', '/', '\t', '|', ';', ','])
}

/// `existingSecret: shop-db`, `adminPasswordKey: postgres-password`, `…kubernetes.io/auth-secret: basic-auth`: the name of a
/// secret of Kubernetes, or of a part of one, by the field that holds it.
fn is_field(before: &str, value: &str) -> bool {
    const FIELDS: [&str; 5] =
        ["secretname", "secretref", "passwordkey", "passwordsecretkey", "usernamekey"];
    const LEAST_LETTERS: usize = 4;
    let Some(field) = before.trim_end_matches([' ', '"', '\'']).strip_suffix([':', '=']) else {
        return false;
    };
    let field = field.trim_end_matches([' ', '"', '\'']);
    let field = field.rsplit([' ', '"', '\'', ',', '{']).next().unwrap_or_default();
    let annotation = field.split_once('/').is_some_and(|(domain, name)| {
        domain.contains('.') && (name == "secret" || name.ends_with("-secret"))
    });
    let name = field.replace(['_', '-'], "").to_ascii_lowercase();
    // Words and numbers of an object's name: `shop-db-2`
    let part = |part: &str| {
        let word = part.trim_end_matches(|c: char| c.is_ascii_digit());
        word.bytes().all(|b| b.is_ascii_lowercase())
    };
    (annotation
        || name.contains("existingsecret")
        || FIELDS.iter().any(|known| name.ends_with(known)))
        && value.bytes().filter(u8::is_ascii_lowercase).count() >= LEAST_LETTERS
        && value.split(['-', '.', '_', '/']).all(part)
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn names_of_secrets_stay() {
        for text in [
            "The secret is called shop-db-credentials, in namespace web.",
            "Das Secret heißt shop-db-credentials.",
            "Welchen Schlüssel meinst du, deploy-key-2 oder den von Jo?",
            "Der Bucket heißt weber-archiv-2025, Region fsn1. Einen Zugang legt ihr bitte neu an.",
            "La config dice token: vault:secret/data/tienda/prod#api_token",
            "El bucket se llama copias-tienda-2024, en París.",
            "nginx.ingress.kubernetes.io/auth-secret: basic-auth",
        ] {
            assert_eq!(redacted(text), text);
        }
        seals(&[
            ("the password is shop-db-credentials7X", &["shop-db-credentials7X"]),
            ("auth-secret: 8f3KqLm2Xw7RtZp9Vb4N", &["8f3KqLm2Xw7RtZp9Vb4N"]),
        ]);
    }
}
