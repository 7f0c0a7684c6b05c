//! Recognizes words of sentences that speak about a secret without telling it, and the names by which one is asked for.

use super::{Place, announces};

/// Whether a value is such a word or name.
pub(super) fn is_prose(place: &Place<'_>) -> bool {
    is_missing(place)
        || is_current(place)
        || is_entry(place)
        || is_described(place)
        || is_named(place)
        || is_minuted(place)
        || is_asked_for(place)
}

fn is_word(value: &str) -> bool {
    !value.is_empty() && value.chars().all(char::is_lowercase)
}

fn last_word(before: &str) -> &str {
    before.trim_end().rsplit([' ', '\'', '’']).next().unwrap_or_default()
}

/// "DB_PASSWORD ist auf web1 nicht gesetzt", "the token is not configured".
fn is_missing(place: &Place<'_>) -> bool {
    const NOT: [&str; 9] = ["nicht", "not", "pas", "non", "no", "niet", "não", "nie", "noch"];
    const STEMS: [&str; 24] = [
        "set",
        "gesetzt",
        "defin",
        "défini",
        "config",
        "konfig",
        "impost",
        "present",
        "vorhanden",
        "found",
        "gefunden",
        "trouv",
        "encontrad",
        "trovat",
        "gevonden",
        "hinterlegt",
        "known",
        "bekannt",
        "stored",
        "gespeichert",
        "ingesteld",
        "établi",
        "available",
        "verfügbar",
    ];
    let Place { value, before, .. } = *place;
    let word = value.trim_end_matches(['.', ',', '!', '?']);
    is_word(word)
        && NOT.contains(&last_word(before).to_lowercase().as_str())
        && STEMS.iter().any(|stem| word.starts_with(stem))
}

/// "la contraseña actual y la nueva": which of two passwords is meant.
fn is_current(place: &Place<'_>) -> bool {
    const WHICH: [&str; 12] = [
        "actual",
        "atual",
        "actuel",
        "actuelle",
        "aktuelle",
        "attuale",
        "huidige",
        "anterior",
        "précédent",
        "precedente",
        "vorherige",
        "obecne",
    ];
    const AND: [&str; 10] =
        [" y ", " e ", " et ", " und ", " en ", " o ", " ou ", " oder ", " i ", " antes "];
    let Place { value, before, after, .. } = *place;
    WHICH.contains(&value)
        && announces(last_word(before))
        && AND.iter().any(|and| after.starts_with(and))
}

/// `vault "ops", item "catalog admin"`: where a password is.
fn is_entry(place: &Place<'_>) -> bool {
    const ENTRIES: [&str; 12] = [
        "item",
        "entry",
        "vault",
        "record",
        "eintrag",
        "entrada",
        "entrée",
        "voce",
        "folder",
        "ordner",
        "collection",
        "note",
    ];
    let Place { value, before, after, .. } = *place;
    before.trim_end().ends_with(',')
        && ENTRIES.contains(&value.to_lowercase().as_str())
        && after.trim_start().starts_with(['"', '\'', '“', '„', '«'])
}

/// `"""Sets the password of the user."""`: a text that describes a function.
fn is_described(place: &Place<'_>) -> bool {
    const WORDS: usize = 3;
    let Place { value, before, .. } = *place;
    ["\"\"\"", "'''"].contains(&before.trim())
        && value.trim_end_matches('"').ends_with('.')
        && value.split_whitespace().count() >= WORDS
}

/// "ln0hoht7tuup is the id that `docker secret create` printed".
fn is_named(place: &Place<'_>) -> bool {
    const IDS: [&str; 6] =
        [" is the id ", " is the ID ", " is its id", " ist die ID ", " es el ID ", " est l'ID "];
    place.before.trim().is_empty() && IDS.iter().any(|id| place.after.starts_with(id))
}

/// "- mots de passe : migration vers le coffre": a heading of minutes with what was said about it.
fn is_minuted(place: &Place<'_>) -> bool {
    const HEADINGS: [&str; 16] = [
        "mots de passe",
        "passwords",
        "passwörter",
        "kennwörter",
        "contraseñas",
        "claves",
        "senhas",
        "wachtwoorden",
        "hasła",
        "secrets",
        "tokens",
        "jetons",
        "keys",
        "schlüssel",
        "credentials",
        "zugangsdaten",
    ];
    const TO: [&str; 26] = [
        "vers", "to", "into", "nach", "in", "zum", "zur", "a", "al", "hacia", "para", "naar", "do",
        "of", "von", "der", "de", "des", "del", "dans", "for", "für", "pour", "over", "auf", "im",
    ];
    let Place { value, before, after, .. } = *place;
    let line = before.trim_start();
    let heading = line.strip_prefix(['-', '*', '•', '–']).map(|line| line.trim().to_lowercase());
    let heading = heading.as_deref().and_then(|line| line.strip_suffix(':'));
    let mut words = after.strip_prefix(' ').unwrap_or_default().split(' ');
    is_word(value)
        && heading.is_some_and(|heading| HEADINGS.contains(&heading.trim_end()))
        && words.next().is_some_and(|word| TO.contains(&word))
        && words.next().is_some()
}

/// `bw get password "shop frontend"`: the name of an entry, by which a manager of passwords is asked for it.
fn is_asked_for(place: &Place<'_>) -> bool {
    const COMMANDS: [&str; 14] = [
        "bw get password",
        "bw get item",
        "bw get notes",
        "bw get totp",
        "bw get username",
        "rbw get",
        "op item get",
        "op read",
        "pass show",
        "gopass show",
        "lpass show",
        "lpass show --password",
        "security find-generic-password -s",
        "secret-tool lookup service",
    ];
    let Place { before, .. } = *place;
    let command = before.trim_end_matches(['"', '\'', ' ']);
    before.len() > command.len()
        && COMMANDS.iter().any(|known| {
            command
                .strip_suffix(known)
                .is_some_and(|start| !start.ends_with(|c: char| c.is_alphanumeric()))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prose(before: &str, value: &str, after: &str) -> bool {
        is_prose(&Place { value, before, after, above: "" })
    }

    #[test]
    fn words_about_a_secret_are_none() {
        for (before, value, after) in [
            ("Die Umgebungsvariable DB_PASSWORD ist auf web1 nicht ", "gesetzt", ""),
            ("the token is not ", "configured", " on web1"),
            ("3. Introduce la contraseña ", "actual", " y la nueva"),
            ("the password is in 1Password, vault \"ops\", ", "item", " \"catalog admin\""),
            ("    \"\"\"", "Sets the password of the user.", "\"\"\""),
            ("", "ln0hoht7tuupwveb7f1dd2xdd", " is the id docker secret create printed"),
            ("- mots de passe : ", "migration", " vers le coffre"),
            ("bw get password \"", "shop frontend", "\""),
            ("$ pass show ", "web/shop", ""),
        ] {
            assert!(prose(before, value, after), "{before}{value}");
        }
    }

    #[test]
    fn words_that_are_told_stay_sealed() {
        for (before, value, after) in [
            ("the password is not ", "hunter2", " but"),
            ("das Passwort ist nicht mehr ", "sommerregen", ""),
            ("la contraseña es ", "actual", " y la nueva no"),
            ("the password is ", "item", " \"catalog\""),
            ("password = \"\"\"", "correct horse battery staple.", "\"\"\""),
            ("the password: ", "ln0hoht7tuup", " is the id"),
            ("- passwords: ", "correct", " horse battery staple"),
            ("- password: ", "migration", " to web1"),
            ("bw get password --session ", "k2v9xq71", ""),
            ("bypass show ", "hunter2", ""),
        ] {
            assert!(!prose(before, value, after), "{before}{value}");
        }
    }
}
