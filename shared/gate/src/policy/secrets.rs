//! Finds secrets in plain text with the same rules that find them in a chat.

use crate::check::error;
use crate::{SECRETS, Unit};
use domain::gate::Finding;

/// Signs that a value comes from elsewhere.
const FILLED_IN: [&str; 9] =
    ["$", "{{", "<%", "var.", "local.", "random_", "lookup(", "%s", "data."];

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    hashed(unit, findings);
    for found in redaction::find(unit.text) {
        let value = &unit.text[found.span.clone()];
        let filled_in = FILLED_IN.iter().any(|sign| value.contains(sign));
        // A path of jq such as `.servers[0].id`, or the rest of a reference of Terraform such as `[0].secret_arn`.
        let part = |c: char| c.is_ascii_alphanumeric() || "_.[]*".contains(c);
        // Nothing can be assigned to a fact of Ansible.
        let path = found.name.to_uppercase().starts_with("ANSIBLE_FACTS")
            || (value.starts_with('.') && ["[", " | ", " == "].iter().any(|it| value.contains(it)))
            || (value.contains("].") && value.chars().all(part));
        // A port of an address, with the path after it.
        let port = value.split_once('/').is_some_and(|(port, _)| port.parse::<u16>().is_ok());
        let port = port && unit.text[..found.span.start].ends_with(':');
        if is_named_elsewhere(unit.text, &found.span) {
            continue;
        }
        if filled_in || path || port || is_name(value) || is_public_key(value) || !is_telling(value)
        {
            continue;
        }
        let line = unit.text[..found.span.start].matches('\n').count() + 1;
        let message = format!(
            "Here is a secret in plain text ({}). Take it from an environment variable.",
            found.name
        );
        let (file, line) = place(unit, line);
        findings.push(error(SECRETS, message).at(file.as_deref(), line));
    }
}

/// Texts in quotes of which a template makes the hash of a password.
fn hashed(unit: &Unit, findings: &mut Vec<Finding>) {
    for file in &unit.files {
        for (at, line) in file.text.lines().enumerate() {
            let literal = line.split_once("password_hash").is_some_and(|(before, _)| {
                let before = before.trim_end_matches([' ', '|']);
                before.ends_with(['\'', '"']) && before.contains("{{")
            });
            if literal {
                let message =
                    "Here is a password in plain text. Take it from an environment variable.";
                findings.push(error(SECRETS, message).at(Some(&file.path), at + 1));
            }
        }
    }
}

/// The file to which a line of the script is written, and its line there.
fn place(unit: &Unit, line: usize) -> (Option<String>, usize) {
    let inside = unit
        .files
        .iter()
        .find(|file| (file.line..file.line + file.text.matches('\n').count()).contains(&line));
    match inside {
        Some(file) => (Some(file.path.clone()), line - file.line + 1),
        None => (None, line),
    }
}

/// The shortest value that counts as a secret, in bytes.
const SECRET_BYTES: usize = 8;

/// Whether a value may be a secret: many words next to "password" in a script are not.
fn is_telling(value: &str) -> bool {
    let has = |kind: fn(char) -> bool| value.chars().any(kind);
    let path = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "/._-@~>".contains(c);
    let is_path = value.contains('/') && !value.contains("://") && value.chars().all(path);
    value.len() >= SECRET_BYTES
        && (has(|c| c.is_ascii_digit()) || is_random(value))
        && has(|c| c.is_ascii_alphabetic())
        && !is_path
}

/// The shortest text without a digit that counts as random, in bytes.
const RANDOM_BYTES: usize = 16;

/// The most consonants that follow one another in words.
const CONSONANTS: usize = 6;

/// Whether a text of letters alone is not a sequence of words: its letters alternate between upper and lower case, or
/// cannot be spoken.
pub(super) fn is_random(value: &str) -> bool {
    let letters: Vec<char> = value.chars().collect();
    let turns = letters.windows(2).filter(|two| two[0].is_uppercase() != two[1].is_uppercase());
    // Words that are written together begin with one large letter each.
    let runs = letters.windows(2).any(|two| two.iter().all(|c| c.is_uppercase()));
    let both = value.contains(char::is_uppercase) && value.contains(char::is_lowercase);
    let consonants = value.split(|c: char| "aeiouyAEIOUY".contains(c)).map(str::len).max();
    let spoken = consonants.is_none_or(|longest| longest <= CONSONANTS);
    letters.len() >= RANDOM_BYTES
        && letters.iter().all(char::is_ascii_alphabetic)
        && both
        && ((runs && turns.count() * 3 >= letters.len()) || !spoken)
}

/// Whether a value is the name of a variable and not its content.
fn is_name(value: &str) -> bool {
    let name = |c: char| c.is_ascii_uppercase() || c == '_';
    value.len() > 3 && value.contains('_') && value.chars().all(|c| name(c) || c.is_ascii_digit())
}

/// Whether a value is the name of a secret that a provider keeps, as after `--set-secrets`, an option of Java, or what
/// the script calls a public key.
fn is_named_elsewhere(text: &str, span: &std::ops::Range<usize>) -> bool {
    let line = text[..span.start].rsplit('\n').next().unwrap_or_default();
    let value = &text[span.clone()];
    let referring = ["--set-secrets", "--update-secrets"].iter().any(|it| line.contains(it));
    referring && value.contains(':') || is_size_of_java(value) || is_called_public(text, value)
}

/// `-Xms512m`
fn is_size_of_java(value: &str) -> bool {
    let size = ["-Xms", "-Xmx", "-Xss", "-Xmn"].iter().find_map(|it| value.strip_prefix(it));
    size.is_some_and(|size| {
        let digits = size.trim_end_matches(['k', 'K', 'm', 'M', 'g', 'G']);
        size.len() - digits.len() < 2
            && !digits.is_empty()
            && digits.bytes().all(|b| b.is_ascii_digit())
    })
}

/// Whether the script gives the value to something whose name ends like `PublicKey`, in the same line or another one.
fn is_called_public(text: &str, value: &str) -> bool {
    text.match_indices(value).any(|(at, _)| {
        let line = text[..at].rsplit('\n').next().unwrap_or_default();
        let before = line.trim_end_matches([' ', '\t', '"', '\'', '=', ':']);
        let named = before.rsplit(|c: char| !c.is_ascii_alphanumeric() && !"_-".contains(c)).next();
        let name = named.unwrap_or_default().to_lowercase().replace(['_', '-'], "");
        line[before.len()..].contains(['=', ':'])
            && !line.trim_start().starts_with('#')
            && (name.ends_with("publickey") || name.ends_with("pubkey"))
    })
}

/// Whether a value is the public half of an SSH key.
fn is_public_key(value: &str) -> bool {
    let kinds = [
        "ssh-",
        "ecdsa-sha2-",
        "sk-ssh-",
        "sk-ecdsa-",
        "AAAAC3NzaC1",
        "AAAAB3NzaC1",
        "AAAAE2VjZHNh",
    ];
    kinds.iter().any(|kind| value.starts_with(kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_letters_are_distinguished_from_words() {
        for value in ["kWQZtrmBXNvYpLsHdGfJcQ", "xKcdQmPzvTrWgbNhLfsJ"] {
            assert!(is_random(value) && is_telling(value), "{value}");
        }
        for value in [
            "GrafanaAdminPasswordSecret",
            "changeThisToYourOwnPassword",
            "MyStrengthsAndWeaknesses",
        ] {
            assert!(!is_random(value) && !is_telling(value), "{value}");
        }
    }
}
