//! Finds passwords by what people say around them: tried, described, given to a program, or written as an address.

use super::{COMPARED_BYTES, Line, NOUNS, fits, is_made_up, trim};
use crate::lexicon::{Part, part};
use crate::talk::{Says, says};
use crate::things::is_stand_in;
use crate::weight::is_titled;
use crate::words::{FIRST_USERS, lists};
use std::ops::Range;

/// Verbs before a password that did not work.
const TRIED: [&str; 24] = [
    "typed",
    "tried",
    "type",
    "entered",
    "enter",
    "tippe",
    "tippte",
    "versuchte",
    "probiere",
    "tapé",
    "tape",
    "essayé",
    "saisi",
    "probé",
    "probado",
    "escribí",
    "escribo",
    "provato",
    "digitato",
    "inserito",
    "tentei",
    "digitei",
    "typ",
    "wpisuję",
];
/// Words after a name: "as user", "for the login".
const NAMES: [&str; 8] =
    ["user", "username", "login", "benutzer", "usuario", "utilisateur", "utente", "gebruiker"];

/// `I typed X but it says wrong password`
pub(super) fn tried(line: &Line) -> Option<Range<usize>> {
    if line.text.len() > COMPARED_BYTES || !line.announces {
        return None;
    }
    let mut words = line.words();
    words.find(|word| TRIED.contains(&word.to_lowercase().as_str()))?;
    let value = words.next().map(|word| trim(word.trim_end_matches([',', ';', '.'])))?;
    let named = words.take(3).any(|word| NAMES.contains(&word.to_lowercase().as_str()));
    let joined = value.contains(['/', '=', '(', '$']);
    (!named && !joined && value.len() >= 6 && is_made_up(value) && fits(value))
        .then(|| line.span(value))
}

/// How people describe the letters of a password.
pub(super) const DESCRIBED: [&str; 29] = [
    "lowercase",
    "lower case",
    "uppercase",
    "upper case",
    "one word",
    "no spaces",
    "without spaces",
    "kleingeschrieben",
    "klein geschrieben",
    "zusammengeschrieben",
    "kleinbuchstaben",
    "ohne leerzeichen",
    "en minuscules",
    "en minúsculas",
    "en minusculas",
    "minuscolo",
    "minuscole",
    "minúsculas",
    "minúsculo",
    "kleine letters",
    "aan elkaar",
    "małymi literami",
    "sin espacios",
    "sans espaces",
    "senza spazi",
    "sem espaços",
    "tutto attaccato",
    "todo junto",
    "en un seul mot",
];
/// What may follow such a password: "that's the password".
const THAT: [&str; 6] = [" that's ", " that is ", " das ist ", " c'est ", " is the ", " es la "];
/// Words of rules for passwords.
const RULES: [&str; 20] = [
    "must", "should", "muss", "müssen", "soll", "debe", "doit", "deve", "moet", "musi", "need",
    "require", "allow", "accept", "only", "erlaubt", "permit", "polic", "can ", "may ",
];

/// `the password is all lowercase, X`
pub(super) fn described(line: &Line) -> Option<Range<usize>> {
    if line.text.len() > COMPARED_BYTES
        || !line.announces
        || RULES.iter().any(|rule| line.lower.contains(rule))
    {
        return None;
    }
    if !line.text.contains([',', ':', ';', '-', '–', '(']) {
        return None;
    }
    // Lower case may be longer or shorter than the text, so the value is looked for from the end.
    let ends = DESCRIBED
        .iter()
        .filter_map(|said| line.lower.rfind(said).map(|at| line.lower.len() - at - said.len()));
    // The last of them: "all lowercase, no spaces: X"
    let end = ends.min()?;
    let rest = line.text.get(line.text.len().checked_sub(end)?..)?;
    // "the password, all lowercase, no spaces, is X"
    let is = rest.rsplit_once(", ").and_then(|(_, clause)| {
        let (is, value) = clause.split_once(' ')?;
        (part(is) == Some(Part::Is) && !value.trim_end().contains(' ')).then_some(value)
    });
    let value = match is {
        Some(value) => value,
        None => rest.trim_start().strip_prefix([',', ':', ';', '-', '–', '('])?,
    };
    // "no spaces: X that's the password"
    let value =
        THAT.iter().find_map(|that| value.split_once(that)).map_or(value, |(value, _)| value);
    let value = trim(value.trim_end_matches(['.', '!', ')', ' ']));
    let plain = value.chars().all(|c| c.is_alphanumeric() || "-_.#!".contains(c));
    (plain && value.len() >= 6 && says(value).is_none() && fits(value)).then(|| line.span(value))
}

/// `the first password you sent, X, is rejected`
pub(super) fn named(line: &Line) -> Option<Range<usize>> {
    const OF: [&str; 12] =
        ["for", "of", "on", "from", "für", "von", "de", "del", "di", "du", "van", "with"];
    const BETWEEN: usize = 4;
    if line.text.len() > COMPARED_BYTES || !line.announces {
        return None;
    }
    line.text.match_indices(", ").take(8).find_map(|(at, _)| {
        let value = &line.text[at + 2..];
        let value = &value[..value.find(' ')?];
        let value = value.strip_suffix(',')?;
        let lower = line.text[..at].to_lowercase();
        let mut words = lower.rsplit(' ').take(BETWEEN);
        let near = words
            .by_ref()
            .take_while(|word| !OF.contains(word))
            .any(|word| NOUNS.contains(&word) || ["pw", "pwd", "mdp", "passe"].contains(&word));
        let hyphen = value.contains(['-', '/', '=', '(']);
        (near && !hyphen && value.len() >= 6 && is_made_up(value) && fits(value))
            .then(|| line.span(value))
    })
}

/// `Can you check whether X still works for the postgres user?`
pub(super) fn asked(line: &Line) -> Option<Range<usize>> {
    const WHETHER: [&str; 5] = ["whether", "if", "ob", "si", "se"];
    const STILL: [&str; 14] = [
        "still works",
        "still valid",
        "still correct",
        "noch gilt",
        "noch geht",
        "noch stimmt",
        "noch funktioniert",
        "marche encore",
        "fonctionne encore",
        "encore valable",
        "sigue valiendo",
        "sigue funcionando",
        "sigue siendo válid",
        "funziona ancora",
    ];
    const LEAST_BYTES: usize = 8;
    if line.text.len() > COMPARED_BYTES || line.digits == 0 || !line.text.contains('?') {
        return None;
    }
    STILL.iter().any(|still| line.lower.contains(still)).then_some(())?;
    let mut words = line.words();
    words.find(|word| WHETHER.contains(&word.to_lowercase().as_str()))?;
    let value = trim(words.next()?);
    let sign = |c: char| !c.is_alphanumeric();
    let user = words
        .flat_map(|word| word.split(sign))
        .any(|word| NAMES.contains(&word.to_lowercase().as_str()));
    let chosen = is_titled(value) || (is_made_up(value) && value.contains(char::is_uppercase));
    (user && chosen && value.len() >= LEAST_BYTES && fits(value)).then(|| line.span(value))
}

/// `Cookie: session=X; theme=dark`
pub(super) fn cookie(line: &Line) -> Vec<Range<usize>> {
    const NAMES: [&str; 6] = ["sess", "auth", "token", "sid", "jwt", "remember"];
    const LEAST_BYTES: usize = 16;
    const COOKIES: usize = 16;
    let Some(at) = line.lower.find("cookie: ") else { return Vec::new() };
    let cookies =
        line.text.get(at..).unwrap_or_default().split([';', ' ', '"', '\'']).take(4 * COOKIES);
    let values = cookies.filter_map(|cookie| {
        let (name, value) = cookie.split_once('=')?;
        let name = name.to_ascii_lowercase();
        let own = value.len() >= LEAST_BYTES && value.contains(|c: char| c.is_ascii_digit());
        let secret = NAMES.iter().any(|part| name.contains(part));
        (secret && own && !value.contains(['$', '<', '{', '*'])).then(|| line.span(value))
    });
    values.collect()
}

/// What `echo` or `printf` prints, as a command writes it.
fn echoed(command: &str) -> Option<&str> {
    let argument = ["echo ", "printf "].iter().find_map(|name| command.strip_prefix(name))?;
    let formats = ["-n ", "'%s' ", "\"%s\" ", "%s "];
    let format = formats.iter().find_map(|format| argument.strip_prefix(format));
    Some(format.unwrap_or(argument).trim())
}

/// `--password-file=<(echo X)`
pub(super) fn substituted(line: &Line) -> Option<Range<usize>> {
    let (before, rest) = line.text.split_once("<(")?;
    let lower = before.to_ascii_lowercase();
    let option = lower.rsplit(' ').next().unwrap_or_default();
    let rest = rest.split_once(')')?.0;
    let value = trim(echoed(rest)?);
    let own = !value.contains(['$', '`', ' ']) && value.len() >= 4;
    (option.contains("pass") && own && fits(value)).then(|| line.span(value))
}

/// `RESTIC_PASSWORD_COMMAND="echo X"`: what a variable makes a program print as its password.
pub(super) fn printed(line: &Line) -> Option<Range<usize>> {
    let at = ["COMMAND=", "PASSCOMMAND=", "_CMD="]
        .iter()
        .find_map(|end| Some(line.text.find(end)? + end.len()))?;
    let (before, rest) = line.text.split_at(at);
    let name = before.rsplit([' ', ';', '"', '\'']).next().unwrap_or_default();
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let command = rest[1..].split(quote).next()?;
    let value = trim(echoed(command)?);
    let own = !value.contains(['$', '`']) && value.len() >= 4 && !is_stand_in(value);
    (name.contains("PASS") && own).then(|| line.span(value))
}

/// `echo 'X' > ~/.vault_pass`: what a command writes into a file whose name is that of a secret.
pub(super) fn written(line: &Line) -> Option<Range<usize>> {
    const FILES: [&str; 9] =
        ["pass", "secret", "token", "passwd", "pwd", ".key", "credential", "api_key", "apikey"];
    let (command, rest) = line.text.split_once(" > ").or_else(|| line.text.split_once(" >"))?;
    let file = rest.split([' ', ';', '&', '|']).find(|word| !word.is_empty())?;
    let name = file.rsplit('/').next().unwrap_or_default().to_lowercase();
    let at = command.rfind("echo ").or_else(|| command.rfind("printf "))?;
    let argument = echoed(&command[at..])?;
    let value = trim(argument);
    // `$1` and `$(pwgen)` are replaced, but not in single quotes.
    let kept = argument.starts_with('\'') || !value.contains('$');
    let own = kept && !value.contains([' ', '`', '<', '{']) && value.len() >= 6;
    (FILES.iter().any(|part| name.contains(part)) && own && fits(value)).then(|| line.span(value))
}

/// `root:X@10.0.4.2`, `shop:X@db:3306`
pub(super) fn address(line: &Line) -> Option<Range<usize>> {
    /// How many digits the port of a server has.
    const PORT: Range<usize> = 2..6;
    if !line.text.contains('@') {
        return None;
    }
    line.words().take(64).find_map(|word| {
        let word = trim(word.trim_end_matches([',', ';', '.', ')']));
        let (user, rest) = word.split_once(':')?;
        let (value, host) = rest.rsplit_once('@')?;
        let (host, port) = host.split('/').next()?.split_once(':').unwrap_or((host, ""));
        // `shop:X@db:3306`
        let ported = PORT.contains(&port.len()) && port.bytes().all(|b| b.is_ascii_digit());
        let host = host.split('/').next()?;
        let named = (host.contains('.') || (ported && host.contains(char::is_alphabetic)))
            && host.chars().all(|c| c.is_ascii_alphanumeric() || ".-".contains(c));
        let user = user.trim_start_matches('(');
        let own = ported && !user.is_empty() && user.bytes().all(|b| b.is_ascii_alphanumeric());
        let known = own || lists(FIRST_USERS, &user.to_lowercase());
        (known && named && !value.contains(['/', '<', '$', '{', '@']) && fits(value))
            .then(|| line.span(value))
    })
}

/// `it's "correct donkey battery clip" for the wiki login`
pub(super) fn phrase(line: &Line) -> Option<Range<usize>> {
    const STARTS: [&str; 9] =
        ["it's ", "it is ", "es ist ", "c'est ", "es ", "è ", "use ", "nimm ", "try "];
    const LOGINS: [&str; 9] =
        ["login", "logon", "account", "zugang", "konto", "anmeld", "accesso", "acceso", "compte"];
    const WORDS: Range<usize> = 3..9;
    if line.text.len() > COMPARED_BYTES || !STARTS.iter().any(|start| line.lower.starts_with(start))
    {
        return None;
    }
    let (_, rest) = line.text.split_once(['"', '„', '«'])?;
    let (value, after) = rest.split_once(['"', '“', '”', '»'])?;
    let after = after.to_lowercase();
    const FOR: [&str; 9] = ["for", "as", "für", "als", "pour", "para", "per", "voor", "dla"];
    let first = after.split_whitespace().next().unwrap_or_default();
    let about =
        FOR.contains(&first) && LOGINS.iter().chain(&NOUNS).any(|noun| after.contains(noun));
    let word = |word: &str| {
        let plain =
            !word.is_empty() && word.chars().all(char::is_lowercase) && !word.ends_with("ed");
        plain && matches!(says(word), None | Some(Says::Joins | Says::Describes))
    };
    let words = WORDS.contains(&value.split(' ').count()) && value.split(' ').all(word);
    (about && words).then(|| line.span(value))
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn what_people_say_around_a_password_gives_it_away() {
        seals(&[
            (
                "Can you check whether Lobster-Quay-4 still works for the postgres user?",
                &["Lobster"],
            ),
            ("Könnt ihr prüfen, ob Kranich-Ufer-4 beim Benutzer postgres noch gilt?", &["Kranich"]),
            (
                "¿Puedes ver si Gaviota-Muelle-4 sigue valiendo para el usuario postgres?",
                &["Gaviota"],
            ),
            (
                "Pouvez-vous vérifier si Mouette-Quai-4 marche encore pour l'utilisateur postgres ?",
                &["Mouette"],
            ),
            ("I typed raspberry5 but it says wrong password", &["raspberry5"]),
            ("the password is all lowercase, blueheron", &["blueheron"]),
            ("the password, all lowercase and without spaces, is blueheron", &["blueheron"]),
            ("la contraseña, todo junto y con la o mayúscula, es garzaO", &["garzaO"]),
            ("all lowercase, no spaces: blueheronpond that's the password", &["blueheronpond"]),
            ("das Passwort ist klein geschrieben: blaureiher", &["blaureiher"]),
            ("rsync --password-file=<(echo hazel9tree) a b", &["hazel9tree"]),
            (
                "echo 'HazelTree868$' > ~/.vault_pass && ansible-playbook site.yml --vault-password-file \
                 ~/.vault_pass",
                &["HazelTree868$"],
            ),
            ("printf %s hazel9tree >/run/secrets/db_password", &["hazel9tree"]),
            ("BORG_PASSCOMMAND='echo walnut harbor' borg list", &["walnut harbor"]),
            ("export RESTIC_PASSWORD_COMMAND=\"echo walnutharbor\"", &["walnutharbor"]),
            ("root:Kletterer@10.0.4.2", &["Kletterer"]),
            ("shop:tomilho@db:3306", &["tomilho"]),
            ("the second password you sent, leapfrog12, is rejected", &["leapfrog12"]),
            (
                "Cookie: session=eyJ1IjoiayJ9.aGVsbG8.Zm9vYmFy1; theme=dark",
                &["eyJ1IjoiayJ9.aGVsbG8.Zm9vYmFy1"],
            ),
            ("it's \"proper pony battery clip\" for the wiki login", &["proper pony battery clip"]),
        ]);
    }

    #[test]
    fn what_people_say_about_other_things_stays() {
        for text in [
            "I typed admin2 as user and got a wrong password",
            "Can you check if web-prod-4 still works for the postgres user?",
            "the password must be all lowercase, please",
            "the password, all lowercase and without spaces, is too short",
            "the password, all lowercase, is rejected",
            "Should the password be all lowercase, or mixed?",
            "the image app:walnut@sha256:12ab is old",
            "mailto:kim@example.org and sip:kim@voip.example.org",
            "\"connection refused by peer\" for the login",
            "the password for the host, srv-file01, is lost",
            "Cookie: theme=dark; lang=en",
            "BORG_PASSCOMMAND='pass show borg' borg list",
            "RESTIC_PASSWORD_COMMAND=\"echo $PW\" restic check",
        ] {
            assert_eq!(redacted(text), text);
        }
    }
}
