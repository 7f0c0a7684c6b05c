//! Recognizes parts of code and of configurations: calls, patterns, variables.

use super::{Place, announces};
use crate::redaction::things::is_prose;
use crate::redaction::weight::is_wordy;

/// Whether a value is a part of code, a pattern, or a reference in a configuration.
pub(super) fn is_code(place: &Place<'_>) -> bool {
    const PARTS: [&str; 12] = [
        "$ENV{", "\\s*", "\\s+", "\\S+", "\\S*", "\\d+", "\\d{", "\\w+", "\\w*", "[0-9", "[a-z]",
        "[A-Z",
    ];
    let Place { value, before, after, .. } = *place;
    // `api-key="$KEY`, `hosts/$name`
    let variable = value.split_once('$').is_some_and(|(before, name)| {
        let name = name.trim_end_matches(['"', '\'', '}']).trim_start_matches('{');
        before.trim_end_matches(['"', '\'']).ends_with(['=', '/'])
            && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
    });
    // `password: !vault name`, `Password: !Ref Name`: tags of YAML
    let tag = value.strip_prefix('!').is_some_and(|tag| {
        before.trim_end().ends_with(':')
            && after.trim_end().starts_with(' ')
            && tag.chars().all(|c| c.is_ascii_alphabetic() || "-_".contains(c))
    });
    // `salt: &SaltString)`
    let borrowed = value.strip_prefix('&').is_some_and(|name| {
        let ends = |text: &str| text.contains([')', ',']);
        before.trim_end().ends_with(':')
            && (ends(name) || after.starts_with([')', ',']))
            && name.trim_end_matches([')', ',']).bytes().all(|b| b.is_ascii_alphabetic())
    });
    // "user:password@tcp(host:3306)/db": the word stands for a password
    let example = value
        .split_once('@')
        .is_some_and(|(name, host)| is_prose(name) && host.contains(['(', '/', ':']));
    let pattern = value.contains(['\\', '[', '$']) && PARTS.iter().any(|part| value.contains(part));
    // Ruby's way to read a line
    let read = value.starts_with("gets.") || value.starts_with("STDIN.");
    let in_class = value.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b))
        && before.contains('<')
        && before.rsplit_once("class=\"").is_some_and(|(_, names)| !names.contains('"'));
    let keyword = ["return", "throw", "raise"].contains(&value) && before.contains(['{', '(', ':']);
    // `*v1.Secret`: a type of Go
    let kind = value.strip_prefix('*').and_then(|kind| kind.split_once('.')).is_some_and(
        |(package, name)| {
            let plain =
                |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric());
            plain(package) && plain(name) && name.starts_with(|c: char| c.is_ascii_uppercase())
        },
    );
    // `f(request, *callback_args, **options)`: arguments of a call in Python
    let arguments = value.strip_prefix('*').is_some_and(|name| {
        let name = name.trim_start_matches('*');
        before.trim_end().ends_with([',', '('])
            && after.starts_with([',', ')'])
            && name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_')
    });
    // `compare(password, user.passwordHash)`
    let in_call =
        before.rsplit(')').next().is_some_and(|open| open.contains('(')) && after.starts_with(')');
    let member = in_call
        && value.contains('.')
        && value.bytes().any(|b| b.is_ascii_uppercase())
        && value.split('.').all(|part| {
            part.starts_with(|c: char| c.is_ascii_lowercase())
                && part.bytes().all(|b| b.is_ascii_alphabetic())
        });
    // `+ identifier = "warehouse"` in a plan of Terraform
    let attribute = after.trim_start().starts_with("= ")
        && matches!(before.trim(), "+" | "-" | "~" | "-/+")
        && value.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
    // `web1;deploy;(in vault)`: from one cell into another
    let cell = value
        .rsplit_once('(')
        .is_some_and(|(cells, _)| cells.ends_with([';', ',', '|']) && cells.len() > 2)
        && !value.contains(')')
        && after.contains(')');
    // `"pod-template-hash": "9c8veskx0z"`, but not `password-hash`
    let field = before.trim_end_matches([' ', '"', ':', '=']);
    let field = field.rsplit([' ', '"', '{', ',', '/']).next().unwrap_or_default();
    let revision = field.ends_with("-hash") && !announces(field) && value.len() <= 16;
    // `BORG_PASSCOMMAND='cat /etc/borg/passphrase'`, `BORG_RSH='ssh -i … -o …'`: a command
    let command =
        before.trim_end_matches(['"', '\'', ' ']).strip_suffix(['=', ':']).is_some_and(|name| {
            let name = name.to_ascii_lowercase();
            let prints = ["command", "_cmd", "askpass"].iter().any(|end| name.ends_with(end));
            let first = value.split(' ').next().unwrap_or_default();
            let program = first.bytes().all(|b| b.is_ascii_lowercase() || b == b'-');
            (prints && value.contains(['/', ' '])) || (program && value.contains(" -"))
        });
    variable
        || command
        || kind
        || arguments
        || member
        || attribute
        || cell
        || revision
        || keyword
        || in_class
        || tag
        || borrowed
        || example
        || pattern
        || read
        || is_query(value)
        || is_call(value)
}

/// `rate(password_resets_total[5m`, `cpu_seconds_total{mode="idle`: parts of a query for metrics.
fn is_query(value: &str) -> bool {
    let name = |name: &str| {
        name.contains('_')
            && name
                .bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"_:".contains(&b))
    };
    let window = value.rsplit_once('[').is_some_and(|(head, window)| {
        let unit =
            window.trim_end_matches([']', ')']).trim_start_matches(|c: char| c.is_ascii_digit());
        ["s", "m", "h", "d", "w"].contains(&unit)
            && head.rsplit(['(', '{', '}']).next().is_some_and(|head| head.is_empty() || name(head))
    });
    let label = value
        .split_once('{')
        .is_some_and(|(head, labels)| name(head) && labels.contains(['=', '~']));
    window || label
}

/// `user.verify(password`, `check_password(x`, `Argon2::default(`, `toset([80`: not `oT(9v-Xk!2`, and not `Summer.Night(7)`
fn is_call(value: &str) -> bool {
    let Some((name, argument)) = value.split_once('(') else { return false };
    let mut parts = name.split(['.', '_', ':']).filter(|part| !part.is_empty());
    let is_word = |part: &str| {
        let letters = part.trim_end_matches(|c: char| c.is_ascii_digit());
        letters.len() >= 2
            && letters.bytes().all(|b| b.is_ascii_alphanumeric())
            && is_wordy(letters)
    };
    let camel = name
        .as_bytes()
        .windows(3)
        .any(|of| of[..2].iter().all(u8::is_ascii_lowercase) && of[2].is_ascii_uppercase());
    let starts_lower = |part: &str| part.starts_with(|c: char| c.is_ascii_lowercase());
    let digit = argument.starts_with(|c: char| c.is_ascii_digit()) && !argument.starts_with("0x");
    // `connect(host="db1"`
    let named = argument.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_')
    });
    // `models.CharField(max_length=64`
    let lower = |part: &str| part.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
    let class = |name: &str| {
        name.starts_with(|c: char| c.is_ascii_uppercase())
            && name.bytes().all(|b| b.is_ascii_alphabetic())
    };
    if named
        && name.rsplit_once('.').map_or_else(
            || lower(name),
            |(module, name)| module.split('.').all(lower) && (lower(name) || class(name)),
        )
    {
        return true;
    }
    if argument.starts_with(['[', '{']) && name.len() >= 3 {
        return name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
    }
    (camel || parts.clone().count() > 1)
        && (name.contains("::") || parts.clone().all(starts_lower))
        && parts.all(is_word)
        && !digit
}
