//! Recognizes words of sentences that speak about a secret without telling it, and the names by which one is asked for.

use super::{Place, announces};
use crate::announcements::corrections::distance;
use crate::names;
use crate::words::{FOR, OF, Role, folded, lists, role};

/// Whether a value is such a word or name.
pub(super) fn is_prose(place: &Place<'_>) -> bool {
    is_missing(place)
        || is_none(place)
        || is_current(place)
        || is_entry(place)
        || is_described(place)
        || is_named(place)
        || is_minuted(place)
        || is_asked_for(place)
        || is_denied(place)
        || is_misspelled(place)
        || is_opened(place)
        || is_count(place)
}

/// "password in the vault - three different things": a number with what it counts.
fn is_count(place: &Place<'_>) -> bool {
    const NUMBERS: &str = "two three four five six zwei drei vier fünf sechs dos tres cuatro cinco deux trois quatre cinq \
         due tre quattro cinque dois três quatro twee drie vier vijf dwa trzy cztery pięć";
    let word = place.after.strip_prefix(' ').and_then(|rest| rest.split(' ').next());
    is_word(place.value)
        && word.is_some_and(is_word)
        && lists(NUMBERS, place.value)
        && !word.is_some_and(announces)
}

/// "como senha do banco porque …": what a password opens, right after the word for it.
fn is_opened(place: &Place<'_>) -> bool {
    // Most finds end here.
    let Some(before) = place.before.strip_suffix(' ').filter(|_| is_word(place.value)) else {
        return false;
    };
    let mut words = before.rsplit(' ').peekable();
    // "the default password of a raspberry pi": the article shows that it is a thing.
    let article = words.next_if(|word| matches!(*word, "a" | "an")).is_some();
    words.next().is_some_and(|of| OF.contains(&of) || FOR.contains(&of))
        && words.next().is_some_and(announces)
        && (article || {
            let folded = folded(place.value);
            names::is_opened(&folded) || role(&folded) == Some(Role::Subject)
        })
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
    const STEMS: [&str; 29] = [
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
        "wiederverwendet",
        "reused",
        "réutilis",
        "reutiliz",
        "enthalten",
    ];
    let Place { value, before, .. } = *place;
    let word = value.trim_end_matches(['.', ',', '!', '?']);
    is_word(word)
        && NOT.contains(&last_word(before).to_lowercase().as_str())
        && STEMS.iter().any(|stem| word.starts_with(stem))
}

/// "Passwort ist bewusst keins gesetzt": a text that says there is none.
fn is_none(place: &Place<'_>) -> bool {
    const NONE: &str =
        "kein keine keins keines none ninguna ninguno aucun aucune nessuna nessuno geen";
    let words = || place.value.trim_end_matches('.').split(' ');
    words().count() > 1 && words().all(is_word) && words().any(|word| lists(NONE, word))
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

/// `vault "ops", item "catalog admin"`, `see Datadog, entry "web1"`: where a password is.
fn is_entry(place: &Place<'_>) -> bool {
    const ENTRIES: &str = "item entry vault record eintrag entrada entrée voce wpis folder ordner collection note ticket";
    const SEE: [&str; 7] = ["see ", "siehe ", "ver ", "véase ", "voir ", "vedi ", "zie "];
    let Place { value, before, after, .. } = *place;
    let lower = before.to_lowercase();
    let quotes = [' ', '"', '\'', '„', '“', '«'];
    let last = lower.trim_end_matches(quotes).rsplit(' ').next().unwrap_or_default();
    let word = before.trim_end().ends_with(',')
        && lists(ENTRIES, &value.to_lowercase())
        && after.trim_start().starts_with(quotes);
    word || (lists(ENTRIES, last) && SEE.iter().any(|see| lower.contains(see)))
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

/// "Das ist kein Geheimnis: RabbitMQ braucht viel RAM": what is said after such words, or after "the secret:" in a sentence.
fn is_denied(place: &Place<'_>) -> bool {
    const DENIED: [&str; 16] = [
        "kein geheimnis",
        "no secret",
        "not a secret",
        "ningún secreto",
        "ningun secreto",
        "no es un secreto",
        "no es secreto",
        "pas un secret",
        "nessun segreto",
        "non è un segreto",
        "nenhum segredo",
        "não é segredo",
        "geen geheim",
        "żaden sekret",
        "open secret",
        "offenes geheimnis",
    ];
    const NOUNS: [&str; 10] = [
        "der schlüssel",
        "das geheimnis",
        "the key",
        "the secret",
        "la clave",
        "el secreto",
        "la clé",
        "le secret",
        "la chiave",
        "il segreto",
    ];
    // What begins an advice
    const ADVICE: [&str; 16] = [
        "einfach",
        "immer",
        "nie",
        "niemals",
        "just",
        "simply",
        "always",
        "never",
        "simplemente",
        "siempre",
        "nunca",
        "simplement",
        "toujours",
        "jamais",
        "semplicemente",
        "sempre",
    ];
    let Place { value, before, .. } = *place;
    let Some(head) = before.trim_end().strip_suffix([':', ',', '–', '-']) else { return false };
    let word = |c: char| c.is_alphabetic() || " ,.!'’-".contains(c);
    if !value.contains(' ') || !value.chars().all(word) {
        return false;
    }
    let head = head.trim_end().to_lowercase();
    let first = value.split(' ').next().unwrap_or_default().to_lowercase();
    DENIED.iter().any(|denied| head.ends_with(denied))
        || (NOUNS.contains(&head.trim_start()) && ADVICE.contains(&first.as_str()))
}

/// "pone contraseña incorecta": what a program said about a password, with a sign too many, too few or another.
fn is_misspelled(place: &Place<'_>) -> bool {
    const LEAST_BYTES: usize = 8;
    const SAID: [&str; 20] = [
        "incorrect",
        "incorrecta",
        "incorrecto",
        "incorrecte",
        "incorretta",
        "invalid",
        "inválida",
        "inválido",
        "invalide",
        "ungültig",
        "abgelaufen",
        "gesperrt",
        "bloqueada",
        "bloqueado",
        "caducada",
        "vergessen",
        "forgotten",
        "olvidada",
        "équivocada",
        "expirée",
    ];
    let Place { value, before, .. } = *place;
    value.len() >= LEAST_BYTES
        && is_word(value)
        && before.ends_with(' ')
        && !before.trim_end().ends_with([':', '='])
        && SAID.iter().any(|said| distance(value, said) <= 1)
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
            ("what's the default password of a ", "raspberry", " pi these days?"),
            ("3. Introduce la contraseña ", "actual", " y la nueva"),
            ("the password is in 1Password, vault \"ops\", ", "item", " \"catalog admin\""),
            ("    \"\"\"", "Sets the password of the user.", "\"\"\""),
            ("", "ln0hoht7tuupwveb7f1dd2xdd", " is the id docker secret create printed"),
            ("- mots de passe : ", "migration", " vers le coffre"),
            ("bw get password \"", "shop frontend", "\""),
            ("Passwort ist ", "bewusst keins gesetzt", "."),
            ("dass die letzten zwei nicht ", "wiederverwendet", " werden"),
            ("$ pass show ", "web/shop", ""),
            ("Password: see Datadog, entry \"", "esx05", "\""),
            ("Das ist kein Geheimnis: ", "minio braucht viel RAM", "."),
            ("It's no secret: ", "postgres likes memory", "."),
            ("pone contraseña ", "incorecta", " y la acabo de cambiar"),
        ] {
            assert!(prose(before, value, after), "{before}{value}");
        }
    }

    #[test]
    fn words_that_are_announced_stay_sealed() {
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
            ("see the entry, password \"", "esx05", "\""),
            ("contraseña: ", "incorecta", ""),
            ("kein Geheimnis mehr: Passwort ist ", "Ziegel#Brot19", ""),
        ] {
            assert!(!prose(before, value, after), "{before}{value}");
        }
    }
}
