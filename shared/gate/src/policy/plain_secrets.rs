//! Finds secrets in plain text where the search for secrets does not look: fallback values after a variable of the
//! environment, what a task types for a program, and texts with signs of every kind.

use crate::check::{error, task_documents, tasks};
use crate::{SECRETS, Unit};
use domain::gate::Finding;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for (at, line) in unit.text.lines().enumerate() {
        let comment = line.trim_start().starts_with(['#', '/']);
        if !comment
            && (fallback(line)
                || instead(line)
                || assigned(line)
                || printed(line)
                || formatted(line)
                || stored(line)
                || set(line))
        {
            findings.push(told().at(None, at + 1));
        }
    }
    for file in &unit.files {
        for task in tasks(&task_documents(file).unwrap_or_default(), file) {
            let Some(typed) = task.module().and_then(|(_, given)| given.get("stdin")) else {
                continue;
            };
            if typed.text().is_some_and(|text| is_secret(text.trim()) && has_sign(text.trim())) {
                findings.push(told().at(Some(&file.path), typed.line));
            }
        }
    }
}

fn told() -> Finding {
    error(SECRETS, "Here is a secret in plain text. Take it from an environment variable.")
}

/// The shortest text that counts as a secret here, in bytes.
const SECRET_BYTES: usize = 8;

/// Whether a text may be a secret: letters and digits without a space, and nothing that is filled in.
fn is_secret(text: &str) -> bool {
    let has = |kind: fn(char) -> bool| text.chars().any(kind);
    let other =
        ["{{", "${", "$(", "<%", "://", "%s", "example", "EXAMPLE", "changeme", "xxxx", ".."];
    let name = text.chars().all(|c| c.is_ascii_uppercase() || c == '_' || c.is_ascii_digit());
    let path =
        text.contains('/') && text.chars().all(|c| c.is_ascii_alphanumeric() || "/._-".contains(c));
    text.len() >= SECRET_BYTES
        && has(|c| c.is_ascii_digit())
        && has(|c| c.is_ascii_alphabetic())
        && !has(char::is_whitespace)
        && !other.iter().any(|sign| text.contains(sign))
        && !(name || path || text.starts_with('$'))
}

fn has_sign(text: &str) -> bool {
    text.chars().any(|c| c.is_ascii_punctuation() && c != '_' && c != '.')
        && !text.starts_with(['[', '{', '/', '<'])
}

/// Parts of the names of variables with secrets.
const NAMES: [&str; 7] =
    ["API_KEY", "PASSPHRASE", "PASSWD", "PASSWORD", "PRIVATE_KEY", "SECRET", "TOKEN"];

fn is_named(text: &str) -> bool {
    let upper = text.to_uppercase();
    NAMES.iter().any(|name| upper.contains(name))
}

/// How an expression goes on with a value for a variable of the environment that is not set.
const FALLBACKS: [(&str, &[&str]); 6] = [
    ("lookup(", &["default(", "d("]),
    ("environ.get(", &[","]),
    ("getenv(", &[","]),
    ("ENV.fetch(", &[","]),
    ("process.env.", &["||", "??"]),
    ("env(", &["default=", ","]),
];

/// A secret that follows a variable of the environment, in case the variable is not set.
fn fallback(line: &str) -> bool {
    FALLBACKS.iter().any(|(call, signs)| {
        let Some((_, rest)) = line.split_once(call) else { return false };
        signs.iter().any(|sign| {
            let Some((name, value)) = rest.split_once(sign) else { return false };
            let value = value.trim_start();
            let quote = value.chars().next().filter(|c| ['"', '\''].contains(c));
            let text = quote.and_then(|quote| value[1..].split_once(quote)).map(|(text, _)| text);
            // `lookup('env', 'NAME')` has its own comma.
            let own =
                text.is_some_and(|text| text.chars().all(|c| c.is_ascii_uppercase() || c == '_'));
            is_named(name) && !own && text.is_some_and(is_secret)
        })
    })
}

/// A secret that bash takes when a variable for one is not set: `${API_TOKEN:-tk-81fa2}`.
fn instead(line: &str) -> bool {
    line.split("${").skip(1).any(|rest| {
        let name: String =
            rest.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
        let value = rest[name.len()..].trim_start_matches(':').strip_prefix('-');
        let value = value.and_then(|value| value.split_once('}')).map(|(value, _)| value);
        let value = value.unwrap_or_default().trim_matches(['"', '\'']);
        // The name of a secret is in lower case.
        let plain = name.ends_with("SECRET") && !value.contains(|c: char| c.is_ascii_uppercase());
        ENDS.iter().any(|end| name.ends_with(end)) && !plain && is_secret(value)
    })
}

/// A secret that SQL's `format` fills in as a password.
fn formatted(line: &str) -> bool {
    let Some((_, rest)) = line.split_once("PASSWORD %L") else { return false };
    rest.split('\'').skip(2).step_by(2).any(is_secret)
}

/// Parts of the names of files with a secret.
const FILES: [&str; 6] = ["credential", "htpasswd", "passphrase", "password", "secret", "token"];

/// A secret that `echo` or `printf` writes into a file whose name says so.
fn stored(line: &str) -> bool {
    let Some((text, place)) = line.rsplit_once('>') else { return false };
    let writes = ["echo ", "printf "].iter().find_map(|sign| text.rsplit_once(sign));
    let Some((_, text)) = writes else { return false };
    let words = text.trim().trim_start_matches("-n ").trim_start_matches("-- ");
    let words = words.trim_start_matches("%s ").trim_start_matches("'%s' ");
    let words = words.trim_start_matches("'%s\\n' ").trim().trim_end_matches('>').trim();
    let place = place.to_lowercase();
    let named = FILES.iter().any(|part| place.contains(part)) && !place.contains("output");
    named && is_secret(words.trim_matches(['"', '\''])) && !words.contains(['=', '$'])
}

/// A secret that `printf` writes after the name for one: `printf 'DB_PASSWORD=%s\n' "mellow77Fig"`.
fn printed(line: &str) -> bool {
    let Some((_, rest)) = line.split_once("printf ") else { return false };
    let rest = rest.trim_start_matches("-- ");
    let Some(quote) = rest.chars().next().filter(|c| ['"', '\''].contains(c)) else { return false };
    let Some((format, arguments)) = rest[1..].split_once(quote) else { return false };
    let named = format.split_once('=').is_some_and(|(name, text)| {
        text.starts_with("%s")
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
            && is_named(name)
            && !name.to_uppercase().ends_with("_FILE")
    });
    let setting = ["masterauth ", "requirepass "]
        .iter()
        .any(|name| format.strip_prefix(name).is_some_and(|text| text.starts_with("%s")));
    let named = named || setting;
    let argument = arguments.split_whitespace().next().unwrap_or_default();
    let text = argument.trim_matches(['"', '\'', ')', ';']);
    named && !text.contains('$') && is_secret(text)
}

/// A setting with the name of a secret whose text has signs between its letters.
fn assigned(line: &str) -> bool {
    let Some((name, value)) = line.split_once(['=', ':']) else { return false };
    let name = name.trim().trim_start_matches("export ").trim_start_matches("const ");
    let name = name.trim_matches(['"', '\'', '-', ' ']);
    let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || "_-".contains(c));
    let value = value.trim().trim_end_matches([',', ';']);
    let quote = value.chars().next().filter(|c| ['"', '\''].contains(c));
    let text = quote.and_then(|quote| value[1..].strip_suffix(quote));
    let signs = |text: &&str| text.chars().filter(|c| c.is_ascii_punctuation()).count() > 2;
    let secret = ["SECRET", "PASSWORD", "PASSWD", "TOKEN", "API_KEY"];
    let upper = name.to_uppercase();
    let named = secret.iter().any(|part| upper.ends_with(part)) || upper.ends_with("SECRET_KEY");
    plain && named && text.filter(signs).is_some_and(|text| is_secret(text) && text.len() > 12)
}

/// Settings that give a variable to a program, before its name.
const GIVEN: [&str; 6] =
    ["DefaultEnvironment=", "Environment=", "SetEnv ", "environment=", "fastcgi_param ", "env "];

/// Ends of the names of variables with a secret.
const ENDS: [&str; 8] =
    ["API_KEY", "AUTH_KEY", "PASSPHRASE", "PASSWD", "PASSWORD", "PRIVATE_KEY", "SECRET", "TOKEN"];

/// Placeholders for a secret that a person fills in.
const PLACEHOLDERS: [&str; 8] =
    ["change", "dummy", "example", "fill", "none", "placeholder", "replace", "your"];

/// A secret among the variables that a unit of systemd, a web server or supervisor gives to its program, where every value
/// is plain.
fn set(line: &str) -> bool {
    let line = line.trim().trim_start_matches(['"', '\'']);
    let Some(rest) = GIVEN.iter().find_map(|start| line.strip_prefix(start)) else { return false };
    let rest = rest.trim_end_matches(';');
    if rest.split_once("://").is_some_and(|(_, address)| has_password(address)) {
        return true;
    }
    // `Environment="A=b" "C=d"`, `environment=A="b",C="d"` and `SetEnv A b`.
    let mut words = rest.split(|c: char| c.is_whitespace() || ",\"'".contains(c));
    let joined = rest.contains('=').then(|| words.by_ref().filter(|word| !word.is_empty()));
    let mut pairs: Vec<(&str, &str)> = Vec::new();
    match joined {
        Some(words) => {
            let mut open = None;
            for word in words {
                match word.split_once('=') {
                    Some((name, "")) => open = Some(name),
                    Some(pair) => pairs.push(pair),
                    None => pairs.extend(open.take().map(|name| (name, word))),
                }
            }
        }
        None => pairs.extend(rest.trim().split_once(char::is_whitespace)),
    }
    pairs.into_iter().any(|(name, value)| {
        let upper = name.to_uppercase();
        ENDS.iter().any(|end| upper.ends_with(end))
            && is_plain(value.trim_matches(['"', '\'', ' ']))
    })
}

/// Whether an address has a plain password after its protocol: `app:plumtreehill@db/app`.
fn has_password(address: &str) -> bool {
    let user = address.split('/').next().and_then(|host| host.rsplit_once('@'));
    user.and_then(|(user, _)| user.split_once(':')).is_some_and(|(_, password)| is_plain(password))
}

/// Whether a value is a plain text that nothing fills in.
fn is_plain(value: &str) -> bool {
    let lower = value.to_lowercase();
    value.len() >= SECRET_BYTES
        && !value.contains(['$', '{', '%', '<', '/', '*'])
        && !PLACEHOLDERS.iter().any(|word| lower.contains(word))
        && value.chars().any(|c| c.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_behind_variables_and_with_signs_are_found() {
        for line in [
            "p: \"{{ lookup('ansible.builtin.env', 'REDIS_PASSWORD') | default('r3dis-Cache-5520', true) }}\"",
            "key = os.environ.get(\"APP_SECRET\", \"s3cret-value-1\")",
            "const t = process.env.API_TOKEN || 'abc123def456';",
        ] {
            assert!(fallback(line), "{line}");
        }
        for line in [
            "p: \"{{ lookup('env', 'REDIS_PASSWORD') }}\"",
            "p: \"{{ lookup('env', 'REDIS_PASSWORD') | default('', true) }}\"",
            "key = os.environ.get(\"APP_PORT\", \"port8080x\")",
            "key = os.environ.get('APP_SECRET', '')",
        ] {
            assert!(!fallback(line), "{line}");
        }
        assert!(assigned("SECRET_KEY = \"k#3v9x!q2zr7$w0b+8nfm5tj1hy6ud4pa-se^lgc\""));
        for line in [
            "SECRET_KEY = os.environ[\"SECRET_KEY\"]",
            "password: \"{{ db_password }}\"",
            "PASSWORD_FILE = \"/run/secrets/db-1\"",
            "token: '${{ secrets.TOKEN_1 }}'",
        ] {
            assert!(!assigned(line), "{line}");
        }
        assert!(printed(
            "printf 'GF_SECURITY_ADMIN_PASSWORD=%s\\n' \"Gr4fana-Site-77\" > grafana.env"
        ));
        for line in [
            "printf 'DB_PASSWORD=%s\\n' \"$(openssl rand -hex 16)\" > .env",
            "printf 'DB_PASSWORD=%s\\n' \"$db_password\"",
            "printf 'DB_PASSWORD_FILE=%s\\n' /run/secrets/db-1",
            "printf 'RELEASE=%s\\n' v2-stable",
        ] {
            assert!(!printed(line), "{line}");
        }
        for line in [
            "Environment=SHOP_API_TOKEN=qTbWmzKxRvNpLdHsGfJc",
            "Environment=\"PORT=80\" \"DB_PASSWORD=correct-horse-battery\"",
            "environment=LANG=\"C\",APP_SECRET=\"quietriverstone\"",
            "fastcgi_param MAIL_PASSWORD \"plumtreehill\";",
            "SetEnv SESSION_SECRET quietriverstone",
            "Environment=DATABASE_URL=postgres://app:plumtreehill@db.internal/app",
        ] {
            assert!(set(line), "{line}");
        }
        for line in [
            "Environment=SHOP_API_TOKEN=${SHOP_API_TOKEN}",
            "Environment=DB_PASSWORD_FILE=/run/secrets/db DB_PASSWORD={{ db_password }}",
            "Environment=API_TOKEN=change-me-please",
            "Environment=NODE_ENV=production TOKEN_TTL=86400000",
            "EnvironmentFile=/etc/shop/token",
            "Environment=DATABASE_URL=postgres://app:${DB_PASSWORD}@db.internal/app",
            "Environment=BASE_URL=https://user@example.org:8443/a",
            "env:",
            "fastcgi_param HTTP_PROXY \"\";",
        ] {
            assert!(!set(line), "{line}");
        }
    }
}
