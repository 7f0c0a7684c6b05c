//! Finds weak passwords in settings and commands that are in use: `POSTGRES_PASSWORD=example` among other settings.
//!
//! Where a password belongs, "example" or "secret" is often a placeholder, so the other rules leave these words. But a
//! weak value is still a value: where the file of a running service has it, it opens that service. So the message
//! decides. It is a configuration in use if another setting beside the password has a value of its own, or if a command
//! passes the password to a program that it starts. It is a manual or a template if any value near it is left to fill in
//! (`<password>`, `your_password`, `changeme`), or if a sentence or a comment in the message speaks of an example. A lone
//! `DB_PASSWORD=example` says nothing either way and stays, and so do words that describe a value: "none", "string",
//! "required".

use super::{COMPARED_BYTES, Line};
use crate::names::{key, last_part};
use crate::things::is_placeholder;
use crate::words::{Role, folded};
use std::ops::Range;

/// What weak passwords consist of, longer words first where one begins with another.
const PARTS: [&str; 38] = [
    "passwort",
    "password",
    "passwd",
    "passphrase",
    "pass",
    "pwd",
    "pw",
    "kennwort",
    "secreto",
    "secret",
    "geheim",
    "segreto",
    "segredo",
    "contraseña",
    "contrasena",
    "motdepasse",
    "senha",
    "clave",
    "example",
    "beispiel",
    "ejemplo",
    "sample",
    "demo",
    "dummy",
    "testing",
    "test",
    "default",
    "administrator",
    "admin",
    "root",
    "user",
    "guest",
    "login",
    "super",
    "top",
    "my",
    "very",
    "db",
];
/// Words that say that a text is not a configuration in use.
const EXAMPLES: [&str; 24] = [
    "readme",
    "docs",
    "documentation",
    "dokumentation",
    "documentación",
    "manual",
    "tutorial",
    "handbuch",
    "e.g.",
    "z.b.",
    "p.ej.",
    "example",
    "beispiel",
    "ejemplo",
    "exemple",
    "esempio",
    "exemplo",
    "placeholder",
    "platzhalter",
    "template",
    "vorlage",
    "plantilla",
    "modèle",
    "sample",
];
/// How many lines above and below a setting belong to it.
const NEAR_LINES: usize = 4;
/// How many settings of one line are read.
const SETTINGS: usize = 12;

/// A setting: `NAME=value`, `name: "value"`.
struct Setting<'a> {
    name: &'a str,
    value: &'a str,
    /// Whether nothing but what begins a setting is before its name: `export`, `- `.
    first: bool,
    /// Whether its value may be the name of a variable: as an argument, and in an assignment in a program.
    named: bool,
}

impl<'a> Setting<'a> {
    /// The setting whose sign is at a place.
    fn of(line: &'a str, at: usize) -> Option<Self> {
        let before = line[..at].trim_end_matches([' ', '"', '\'', '\\']);
        let part = |c: char| c.is_alphanumeric() || "_-.".contains(c);
        let name = &before[before.trim_end_matches(part).len()..];
        let lead =
            before[..before.len() - name.len()].trim_matches([' ', '\t', '-', '"', '\'', '{', ',']);
        let first = ["", "export", "ENV", "set", "Environment="].contains(&lead);
        let rest = line[at + 1..].trim_start_matches([' ', '\\']);
        let quote = rest.chars().next().filter(|c| ['"', '\''].contains(c));
        let value = match quote {
            Some(quote) => rest[1..].split(quote).next()?.trim_end_matches('\\'),
            None => rest.split([' ', '\t', ',', ';', ')', '}', '&', '\r']).next()?,
        };
        let spaced = line[at + 1..].starts_with(' ');
        let named = quote.is_none()
            && (!first || (spaced && name.contains('.')))
            && !name.contains(char::is_uppercase)
            && line.as_bytes()[at] == b'=';
        let real = name.len() > 1 && name.starts_with(char::is_alphabetic);
        (real && !value.starts_with(['=', '>', '/'])).then_some(Self { name, value, first, named })
    }

    /// The settings of a line.
    fn all(line: &'a str) -> impl Iterator<Item = Self> {
        line.match_indices(['=', ':']).take(SETTINGS).filter_map(|(at, _)| Self::of(line, at))
    }

    fn last_name(&self) -> String {
        folded(&self.name[last_part(self.name)..]).into_owned()
    }

    /// Whether its name is that of a password, and its value is not a variable of that name: `login(password=password)`.
    fn is_of_password(&self) -> bool {
        let last = self.last_name();
        if self.named && self.value == last {
            return false;
        }
        match key(self.name, &last, None) {
            Some(Role::MaybePassword) => matches!(last.as_str(), "pass" | "clave"),
            found => found == Some(Role::Password),
        }
    }

    /// Whether its value is left to fill in.
    fn is_open(&self) -> bool {
        let value = self.value;
        value.starts_with(['<', '[', '*'])
            || value.starts_with("...")
            || is_placeholder(value) && !is_weak(value)
    }

    /// Whether its value says something about this configuration: `POSTGRES_DB=shop`, but not `username: username`.
    fn is_own(&self) -> bool {
        const TYPES: [&str; 6] = ["string", "str", "String", "text", "any", "object"];
        self.value.contains(char::is_alphanumeric)
            && !TYPES.contains(&self.value)
            && folded(self.value) != self.last_name()
            && !self.is_of_password()
    }
}

/// Whether a value is made of words for passwords, users and examples: "secret", "mysecretpassword", "root_pw".
pub(super) fn is_weak(value: &str) -> bool {
    let mut rest = value;
    while let Some(part) = PARTS.iter().find(|part| rest.starts_with(**part)) {
        rest = rest[part.len()..].trim_start_matches(['-', '_']);
    }
    rest.is_empty() && value.len() >= 4
}

/// `POSTGRES_PASSWORD=example` in a configuration in use, `docker run -e POSTGRES_PASSWORD=secret postgres`.
pub(super) fn values(lines: &[Line<'_>]) -> Vec<Range<usize>> {
    let weak = |line: &Line<'_>| {
        line.announces && line.chars.has_any(b"=:") && line.text.len() <= COMPARED_BYTES
    };
    let mut found: Vec<_> = (0..lines.len())
        .filter(|at| weak(&lines[*at]))
        .flat_map(|at| {
            // Most settings have other values.
            let text = lines[at].text;
            let signs = text.match_indices(['=', ':']).take(SETTINGS);
            let signs = signs.filter(|(sign, _)| begins_weakly(&text[sign + 1..]));
            let all = signs.filter_map(|(sign, _)| Setting::of(text, sign));
            let weak = all.filter(|one| is_weak(one.value) && one.is_of_password());
            weak.filter(|one| is_in_use(lines, at, one))
                .map(|one| lines[at].span(one.value))
                .collect::<Vec<_>>()
        })
        .collect();
    if !found.is_empty() && lines.iter().any(is_about_examples) {
        found.clear();
    }
    found
}

/// Whether the first letters behind a sign are those of a weak value.
fn begins_weakly(rest: &str) -> bool {
    let value = rest.trim_start_matches([' ', '\\', '"', '\'']);
    PARTS.iter().any(|part| value.starts_with(part))
}

/// Whether the lines around a setting show that it is in use.
fn is_in_use(lines: &[Line<'_>], at: usize, setting: &Setting<'_>) -> bool {
    let line = &lines[at];
    let near = lines[at.saturating_sub(NEAR_LINES)..(at + NEAR_LINES + 1).min(lines.len())].iter();
    let near = near.filter(|other| other.text.len() <= COMPARED_BYTES);
    let near = near.flat_map(|other| {
        let of_line = other.start == line.start;
        Setting::all(other.text).filter(move |one| of_line || one.first)
    });
    let near: Vec<_> = near.collect();
    let own = || near.iter().any(Setting::is_own);
    !near.iter().any(Setting::is_open) && (passes(line.text, setting) || own())
}

/// Whether a command passes a setting to a program that it starts.
fn passes(line: &str, setting: &Setting<'_>) -> bool {
    let at = setting.name.as_ptr() as usize - line.as_ptr() as usize;
    let mut words = line[..at].trim_end_matches(['"', '\'']).split_whitespace();
    let option = words.next_back();
    let starts = |word: &str| ["docker", "podman", "nerdctl", "helm", "kubectl"].contains(&word);
    matches!(option, Some("-e" | "--env" | "--set" | "--set-string")) && words.any(starts)
}

/// Whether a line, without the setting that it may be, speaks of an example.
pub(super) fn is_about_examples(line: &Line<'_>) -> bool {
    let setting = line.text.find(['=', ':']).and_then(|at| Setting::of(line.text, at));
    let said = match setting.filter(|setting| setting.first) {
        Some(_) => line.lower.split_once(" #").map_or("", |(_, comment)| comment),
        None => line.lower.as_str(),
    };
    said.split_whitespace().any(is_about_example)
}

/// Whether a word in lower case speaks of an example. Hosts of `example.org` are ordinary in what people write, and so is
/// the value of another setting.
pub(super) fn is_about_example(word: &str) -> bool {
    let other = word.contains('=') || word.contains("example.") || word.contains("://");
    !other && EXAMPLES.iter().any(|example| word.contains(example))
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn a_weak_value_in_a_configuration_in_use_is_found() {
        for word in ["example", "secret", "password", "geheim", "admin", "mysecretpassword"] {
            for text in [
                "POSTGRES_USER=shop\nPOSTGRES_PASSWORD={}\nPOSTGRES_DB=app",
                "services:\n  db:\n    image: mysql:8\n    environment:\n      MYSQL_ROOT_PASSWORD: {}",
                "    environment:\n      - GF_SERVER_DOMAIN=status.firma.de\n      - GF_ADMIN_PASSWORD={}",
                "[smtp]\nhost = mail.firma.de\nuser = noreply\npassword = {}",
                "docker run -d -e POSTGRES_PASSWORD={} -p 5432:5432 postgres:15",
                "{{\"username\": \"kim\", \"password\": \"{}\"}}",
                "conn = connect(host=\"db\", user=\"app\", password=\"{}\")",
                "define('DB_USER', 'wp');\nhost: db\nDB_PASS: '{}'",
            ] {
                let text = text.replace("{{", "{").replace("}}", "}").replace("{}", word);
                assert!(redacted(&text).contains("{{secret:"), "{text}");
            }
        }
        seals(&[("MYSQL_USER=app\nMYSQL_PASSWORD=example # keep", &["example"])]);
    }

    #[test]
    fn a_placeholder_stays() {
        for text in [
            "DB_PASSWORD=example",
            "set POSTGRES_PASSWORD=secret and restart",
            "the readme shows this:\nPOSTGRES_USER=shop\nPOSTGRES_PASSWORD=secret",
            "POSTGRES_USER=shop\nPOSTGRES_PASSWORD=example # placeholder",
            "POSTGRES_USER=<user>\nPOSTGRES_PASSWORD=secret",
            "DB_HOST=your_host\nDB_USER=shop\nDB_PASSWORD=password",
            "username: string\npassword: string",
            "username: username\npassword: password",
            "user = login(username=username, password=password)\nauth.Invalid: wrong password for kim",
            "self.port = 5432\nself.password = password",
            "user: kim\npassword: required",
            "env:\n- name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef:\n      name: shop-db\n      key: password",
            "\"login.title\": \"Anmelden\",\n\"login.password\": \"Passwort\"",
            "Use \"-e POSTGRES_PASSWORD=password\" to set it in \"docker run\".",
        ] {
            assert_eq!(redacted(text), text);
        }
    }
}
