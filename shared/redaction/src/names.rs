//! The words and identifiers that name secrets, and the name that each found secret gets.

use super::words::{Role, Table, lists, role};
use crate::variable::MAX_NAME_CHARS;
use std::borrow::Cow;
use std::sync::OnceLock;

/// The longest name of several parts that is looked up, in bytes.
const NAME_BYTES: usize = 40;

/// Ends of compound words: `PGPASSWORD`, `sshpass`.
const ENDINGS: [&str; 9] = [
    "password",
    "passwd",
    "passwort",
    "kennwort",
    "passphrase",
    "apikey",
    "contrasena",
    "wachtwoord",
    "storepass",
];
/// Short endings, each with the beginning that makes it count.
const SHORT: [(&str, &str); 2] = [
    ("pass", "db ssh root user admin my key mysql pg ftp sudo store smtp bind"),
    ("pw", "db root my admin bind ldap"),
];

/// What an identifier begins with that names an action or a setting, and no secret: `PermitRootLogin prohibit-password`.
const VERBS: [&str; 10] = [
    "update_",
    "manage_",
    "prohibit-",
    "without-",
    "no-",
    "forgot-",
    "reset-",
    "change-",
    "forgotten-",
    "lost-",
];
/// Last parts of identifiers that say more about the secret that an earlier part names.
const DESCRIBED: [&str; 11] =
    ["base", "hex", "b64", "prod", "production", "staging", "dev", "test", "live", "new", "old"];

/// What a password in the name of a variable opens, if that comes last, as in the Romance languages and in Polish.
const OPENED: &str = "db bd base banco bazy baza bdd banca root admin admina administrador administrateur app mysql postgres redis \
     mongo mariadb ftp smtp mail correo courriel poczty ldap wifi vpn ssh api web servidor serveur serwera servidora \
     panel nas router cuenta conta compte";

/// Whether a word in lower case names what a password opens: "banco", "serveur".
pub fn is_opened(word: &str) -> bool {
    static TABLE: OnceLock<Table<()>> = OnceLock::new();
    TABLE.get_or_init(|| Table::listed(OPENED)).get(word).is_some()
}

/// Whether a word for a password in a variable's name may come before what the password opens.
fn is_owned(word: &str) -> bool {
    const OWNED: &str =
        "senha contrasena contrasenya clave mdp passe motdepasse haslo parola password passwd";
    lists(OWNED, word)
}

/// Where the last part of an identifier begins: `DB_PASSWORD`, `apiKey`, `spring.datasource.password`.
pub fn last_part(word: &str) -> usize {
    // Most words end here.
    if word.bytes().all(|b| b.is_ascii_lowercase() || !b.is_ascii()) {
        return 0;
    }
    let bytes =
        word.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches(['_', '-']).as_bytes();
    if bytes.is_empty() {
        return 0;
    }
    let mut at = bytes.len() - 1;
    while at > 0 {
        let (before, here) = (bytes[at - 1], bytes[at]);
        if b"_-.".contains(&before) || (before.is_ascii_lowercase() && here.is_ascii_uppercase()) {
            return at;
        }
        at -= 1;
    }
    0
}

/// The verb of a command to a person, without the pronoun: "connecte-toi", "connectez-vous".
pub fn verb(word: &str) -> Option<&str> {
    // Nearly all words end here.
    word.as_bytes().iter().rev().take(5).any(|b| *b == b'-').then_some(())?;
    ["-toi", "-vous", "-te", "-moi"].iter().find_map(|pronoun| word.strip_suffix(pronoun))
}

/// The kind of secret that an identifier or a word names; `tail` is its last part, folded.
pub fn key(word: &str, tail: &str, before: Option<Role>) -> Option<Role> {
    key_at(word, last_part(word), (tail, role(tail)), before)
}

/// The same for a word whose last part begins `at` a place and has a known role.
pub fn key_at(
    word: &str,
    at: usize,
    (whole, known): (&str, Option<Role>),
    before: Option<Role>,
) -> Option<Role> {
    if word == "SSHPASS" {
        return Some(Role::Password);
    }
    // A password manager.
    if whole == "1password" {
        return None;
    }
    let tail = whole.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches(['_', '-']);
    let compound = at > 0;
    if compound && VERBS.iter().any(|verb| word.starts_with(verb)) {
        return None;
    }
    let head = word[..at].trim_end_matches(['_', '-', '.']);
    // `SECRET_KEY_BASE`, `DB_PASSWORD_PROD`: an earlier part describes it.
    if compound && DESCRIBED.contains(&tail) {
        let found = key(head, &folded_tail(head), before)?;
        return matches!(found, Role::Password | Role::Token).then_some(found);
    }
    // `SENHA_BANCO`, `mdp_root`: what the password opens comes after the word for it.
    if word[..at].ends_with('_') && is_opened(tail) && is_owned(&folded_tail(head)) {
        return Some(Role::Password);
    }
    let head = || folded_tail(head);
    let numbered = whole.ends_with(|c: char| c.is_ascii_digit());
    match if tail.len() == whole.len() { known } else { role(tail) } {
        // "connecte-toi", "pass-word"
        _ if compound && matches!(tail, "toi" | "vous") => {
            role(&head()).filter(|role| *role == Role::Login)
        }
        _ if compound && matches!(tail, "word" | "wort" | "phrase") && head().ends_with("pass") => {
            Some(Role::Password)
        }
        Some(Role::Password) => Some(Role::Password),
        // "phrase secrète"
        Some(Role::Qualifier)
            if before == Some(Role::Code) && matches!(tail, "secrete" | "secreta" | "segreta") =>
        {
            Some(Role::Password)
        }
        Some(Role::MaybePassword) if compound && tail != "auth" => Some(Role::Password),
        Some(Role::MaybePassword) => (!numbered).then_some(Role::MaybePassword),
        // `max_tokens` is a count.
        Some(Role::Token) if compound && tail.ends_with('s') => None,
        Some(Role::Token) => Some(Role::Token),
        Some(Role::Key) if compound => key_of(&head()),
        Some(Role::Key) if matches!(before, Some(Role::Qualifier | Role::Token)) => {
            Some(Role::Token)
        }
        Some(found @ (Role::Key | Role::Login | Role::Network | Role::Program)) if !compound => {
            Some(found)
        }
        // `AZURE_DEVOPS_EXT_PAT`
        None if tail == "pat" && word[..at].ends_with('_') => Some(Role::Token),
        None if !numbered && super::words::is_pin(tail) => Some(Role::MaybePassword),
        _ => by_ending(tail),
    }
}

/// The last part of an identifier, folded.
fn folded_tail(word: &str) -> String {
    let mut folded = String::new();
    super::words::fold(&word[last_part(word)..], &mut folded);
    folded
}

/// The kind of secret that "key" is after another part of an identifier: `public_key`, `wifi_key`, `api_key`.
fn key_of(head: &str) -> Option<Role> {
    if matches!(head, "public" | "pub") {
        return None;
    }
    Some(match role(head) {
        Some(Role::Network) => Role::Password,
        Some(Role::Qualifier) => Role::Token,
        _ if super::words::is_qualifier(head) => Role::Token,
        _ => Role::Key,
    })
}

/// The kind of secret that the end of a compound word names: "mysqlpassword", "sshpass".
fn by_ending(tail: &str) -> Option<Role> {
    // The last letters of the endings; most words end differently.
    if !tail.ends_with(['d', 't', 'e', 'y', 'a', 's', 'w']) || tail.len() < 4 {
        return None;
    }
    let ends = |ending: &str| tail.len() > ending.len() && tail.ends_with(ending);
    if ENDINGS.iter().any(|ending| ends(ending)) {
        return Some(if tail.ends_with("apikey") { Role::Token } else { Role::Password });
    }
    let short = SHORT.iter().any(|(ending, heads)| {
        tail.strip_suffix(ending).is_some_and(|head| heads.split(' ').any(|h| h == head))
    });
    short.then_some(Role::Password)
}

/// The name that a secret gets from the word for it.
pub fn proposed(
    role: Role,
    word: &str,
    folded: &str,
    before: &str,
    role_before: Option<Role>,
) -> String {
    const ENGLISH: [&str; 6] = ["password", "passwd", "pwd", "pass", "passphrase", "passcode"];
    let at = last_part(word);
    if role == Role::Password && is_opened(folded) && word.is_ascii() {
        return variable(word);
    }
    if role == Role::Password && at > 0 && !ENGLISH.contains(&folded) {
        // "Root-Passwort"
        let head = word[..at].trim_end_matches(['_', '-', '.']);
        return if head.is_ascii() {
            format!("{}_PASSWORD", variable(head))
        } else {
            "PASSWORD".to_owned()
        };
    }
    let named = word.contains('_') || last_part(word) > 0 || is_capitals(word);
    if named && word.is_ascii() && !matches!(role, Role::Login | Role::Program) {
        return variable(word);
    }
    if role == Role::Token
        && matches!(role_before, Some(Role::Qualifier | Role::Token | Role::Password))
    {
        let english = matches!(folded, "key" | "keys" | "token" | "secret");
        if english && before.is_ascii() {
            return variable(&format!("{before}_{}", folded.trim_end_matches('s')));
        }
        return "API_KEY".to_owned();
    }
    match (role, folded) {
        (Role::Code, "seed" | "seeds") => "SEED".to_owned(),
        (Role::Code, _) => "RECOVERY_CODE".to_owned(),
        (Role::Token, "bearer") => "BEARER_TOKEN".to_owned(),
        (Role::Token, "secret" | "secrets") => "SECRET".to_owned(),
        (Role::Token, "token" | "tokens") => "TOKEN".to_owned(),
        (Role::Token | Role::Key, _) => "API_KEY".to_owned(),
        _ => "PASSWORD".to_owned(),
    }
}

pub fn is_capitals(word: &str) -> bool {
    word.len() > 3 && word.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit())
}

/// An identifier as the name of a variable: `db-password`, `apiKey` become `DB_PASSWORD`, `API_KEY`.
pub fn variable(word: &str) -> String {
    let mut name = String::new();
    let mut before = ' ';
    for c in word.trim_matches(['-', '_', '.']).chars().take(MAX_NAME_CHARS) {
        if c.is_ascii_uppercase() && before.is_ascii_lowercase() {
            name.push('_');
        }
        name.push(if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' });
        before = c;
    }
    if !name.starts_with(|c: char| c.is_ascii_uppercase()) {
        name.insert_str(0, "SECRET_");
    }
    name.truncate(MAX_NAME_CHARS);
    name
}

/// A name of several parts in lower case; empty if it is too long for any table.
pub fn lower(word: &str) -> Cow<'_, str> {
    match word.bytes().any(|b| b.is_ascii_uppercase()) {
        _ if word.len() > NAME_BYTES => Cow::Borrowed(""),
        true => Cow::Owned(word.to_ascii_lowercase()),
        false => Cow::Borrowed(word),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_manager_is_not_a_word_for_a_password() {
        assert_eq!(key("1Password", "1password", None), None);
        assert_eq!(key("PGPASSWORD", "pgpassword", None), Some(Role::Password));
    }
}
