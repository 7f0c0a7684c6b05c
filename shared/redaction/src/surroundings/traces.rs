//! Recognizes what services and programs write so that a request, a page, an event or an entry can be found again.

use super::{Place, announces};
use crate::things::is_uuid;
use crate::weight::is_hex;
use crate::words::lists;

/// Whether a value is such a trace.
pub(super) fn is_trace(place: &Place<'_>) -> bool {
    is_of_request(place)
        || is_numbered(place)
        || is_logged(place)
        || is_of_cache(place)
        || is_of_tls(place)
        || is_of_keyring(place)
        || is_mask(place)
        || is_imported(place)
        || is_of_cloud(place)
        || is_exception(place.value)
        || is_quoted_message(place)
}

/// Names of ids and positions: a request's id, the start of a list's next page, what revokes a token but cannot be used as
/// one. Compared without case, dashes and underscores.
const TRACES: [&str; 18] = [
    "requestid",
    "requesttoken",
    "hostid",
    "extendedrequestid",
    "correlationid",
    "traceid",
    "spanid",
    "nexttoken",
    "nextpagetoken",
    "pagetoken",
    "continuationtoken",
    "nextcontinuationtoken",
    "marker",
    "nextmarker",
    "cursor",
    "synctoken",
    "resumetoken",
    "accessor",
];

fn is_trace_name(name: &str) -> bool {
    const MOST_BYTES: usize = 24;
    // Most names end otherwise, and then nothing is copied.
    const ENDS: [&str; 5] = ["id", "token", "marker", "cursor", "accessor"];
    let ends = |end: &&str| {
        name.len()
            .checked_sub(end.len())
            .and_then(|from| name.get(from..))
            .is_some_and(|rest| rest.eq_ignore_ascii_case(end))
    };
    if name.len() > MOST_BYTES || !ENDS.iter().any(ends) {
        return false;
    }
    let letters: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    TRACES.contains(&letters.to_ascii_lowercase().as_str())
}

/// The name of the field whose value follows.
fn field(before: &str) -> &str {
    let name = before.trim_end_matches([' ', '\t', '"', '\'', ':', '=', '>', '|']);
    name.rsplit([' ', '\t', '"', '\'', ',', ';', '(', '{', '<', '&', '?'])
        .next()
        .unwrap_or_default()
}

/// `(RequestToken: 0c1f…`, `<HostId>aAZH…</HostId>`, `"nextPageToken": "…"`, `accessor    Pf9z…`, and each part of such a
/// value.
fn is_of_request(place: &Place<'_>) -> bool {
    let Place { value, before, .. } = *place;
    let tag = value.split_once('>').filter(|_| before.ends_with('<'));
    let tags = ["<RequestId>", "<HostId>"].iter().any(|tag| value.contains(tag))
        && !value.contains("assword");
    let gap = |c: char| " \t\"':=>|".contains(c);
    (before.ends_with(gap) && is_trace_name(field(before)))
        || tag.is_some_and(|(name, rest)| is_trace_name(name) && !rest.contains(' '))
        || tags
}

/// `pid=46591`, `--randomly-seed=92721578`, `clusterId=9f8a…`: the number of a process, a user or a run.
fn is_numbered(place: &Place<'_>) -> bool {
    const KEYS: &str = "pid spid ppid uid suid gid auid ses exit seed clusterid cluster.id";
    let Place { value, before, .. } = *place;
    let (key, number) = value.split_once('=').unwrap_or_else(|| {
        (before.strip_suffix(['=', ' ']).unwrap_or_default().trim_end_matches(':'), value)
    });
    let key = key.rsplit([' ', '-', '"']).next().unwrap_or_default().to_ascii_lowercase();
    lists(KEYS, key.strip_prefix("process.").unwrap_or(&key))
        && (key.starts_with("cluster") || number.bytes().all(|b| b.is_ascii_digit()))
}

/// `[51957] anna@shop LOG:`, the user and database in PostgreSQL's log; `anna@laptop ED25519 SHA256:…`, a key that OpenSSH
/// offers.
fn is_logged(place: &Place<'_>) -> bool {
    const LEVELS: [&str; 8] =
        ["LOG:", "ERROR:", "FATAL:", "PANIC:", "WARNING:", "STATEMENT:", "DETAIL:", "HINT:"];
    const KINDS: [&str; 4] = ["ED25519", "RSA", "ECDSA", "DSA"];
    let Place { value, before, after, .. } = *place;
    let next = after.trim_start();
    // The process's number is between brackets before them.
    let logged = before.trim_end().ends_with(']');
    let level = logged && LEVELS.iter().any(|level| next.starts_with(level));
    let key = KINDS.iter().any(|kind| {
        next.strip_prefix(kind).is_some_and(|rest| rest.trim_start().starts_with("SHA256:"))
    });
    value.contains('@') && (level || key)
}

/// A key of Redis in a list: `2) "lock:import:0c1f…"`, `token:0c1f…` below `redis-cli --scan`, `1) "1495"` below `SCAN`.
/// Two words, as in "admin:letmein", may be an account.
fn is_of_cache(place: &Place<'_>) -> bool {
    const ID_BYTES: usize = 8;
    const PARTS: usize = 3;
    let Place { value, before, after, above } = *place;
    let row = before.trim_start();
    let is_row = row.starts_with(|c: char| c.is_ascii_digit()) && row.contains(") \"");
    if !is_row && !above.contains("redis-cli") {
        return false;
    }
    let number = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    if row.starts_with("1) \"") && above.contains("SCAN") && number(value.trim_end_matches('"')) {
        return true;
    }
    let numbered = row.trim_start_matches(|c: char| c.is_ascii_digit() || c == ')' || c == ' ');
    let begun = if is_row { numbered.strip_prefix('"').unwrap_or_default() } else { row };
    let rest = after.split(['"', ' ']).next().unwrap_or_default();
    let key = [begun, value, rest].concat();
    let parts: Vec<&str> = key.trim_end_matches('"').split(':').collect();
    let id = |part: &str| {
        part.len() >= ID_BYTES
            && part.bytes().all(|b| b.is_ascii_hexdigit() || b == b'-')
            && part.bytes().any(|b| b.is_ascii_digit())
            && !number(part)
    };
    let word = |part: &str| part.bytes().all(|b| b.is_ascii_lowercase() || b == b'_' || b == b'-');
    parts.iter().all(|part| id(part) || word(part) || number(part))
        && (parts.len() >= PARTS || (parts.len() > 1 && parts.iter().any(|part| id(part))))
}

/// `error:05800074:x509 certificate routines`: an error of OpenSSL.
fn is_of_tls(place: &Place<'_>) -> bool {
    const CODE_BYTES: usize = 8;
    let Place { value, before, .. } = *place;
    let code = value.strip_prefix("error:").or_else(|| before.ends_with("error:").then_some(value));
    let code = code.and_then(|code| code.split(':').next());
    code.is_some_and(|code| code.len() == CODE_BYTES && is_hex(code))
        || (before.ends_with(" routines:") && before.contains("error:"))
}

/// Output of GnuPG and of Java's keytool: how much an owner is trusted, an entry.
fn is_of_keyring(place: &Place<'_>) -> bool {
    const TRUST: [&str; 8] =
        ["ultimate", "full", "marginal", "unknown", "expired", "revoked", "never", "undefined"];
    const ENTRIES: [&str; 3] = ["PrivateKeyEntry", "trustedCertEntry", "SecretKeyEntry"];
    let Place { value, before, .. } = *place;
    let trust = before.ends_with('[') && TRUST.contains(&value) && before.contains("gpg:");
    trust || ENTRIES.iter().any(|entry| value.contains(entry))
}

/// `[FILTERED]`: what a program shows instead of a secret.
fn is_mask(place: &Place<'_>) -> bool {
    const MASKS: [&str; 8] =
        ["masked", "filtered", "redacted", "hidden", "secret", "secure", "removed", "sensitive"];
    let Place { value, before, after, .. } = *place;
    let closed = [('[', ']'), ('<', '>'), ('(', ')'), ('{', '}')]
        .iter()
        .any(|(open, close)| before.ends_with(*open) && after.starts_with(*close));
    closed && MASKS.contains(&value.to_ascii_lowercase().as_str())
}

/// `terraform import aws_route53_record.www Z0…_www…`: the name of what exists already; `No module named 'psycopg2'`.
fn is_imported(place: &Place<'_>) -> bool {
    const NAMED: [&str; 5] =
        ["module named '", "module named \"", "package named '", "find module '", "find package '"];
    if NAMED.iter().any(|named| place.before.ends_with(named)) {
        return true;
    }
    let command = place.before.trim_start_matches(['$', '#', ' ']);
    ["terraform import ", "tofu import ", "pulumi import "]
        .iter()
        .any(|import| command.starts_with(import))
        && !announces(command)
}

/// `ResourceNotFoundException`, `ModuleNotFoundError`
fn is_exception(value: &str) -> bool {
    let value = value.trim_end_matches([':', ',', '.']);
    let humps = value.bytes().filter(u8::is_ascii_uppercase).count();
    ["Exception", "Error"].iter().any(|end| value.ends_with(end))
        && humps > 1
        && value.bytes().all(|b| b.is_ascii_alphabetic())
}

/// Names that clouds give: a pool of users, a kind of Google's objects, a version in a key vault, an application of Azure.
fn is_of_cloud(place: &Place<'_>) -> bool {
    const POOL_BYTES: usize = 9;
    const APPS: [&str; 8] = [
        "app",
        "application",
        "client",
        "tenant",
        "subscription",
        "resource",
        "principal",
        "object",
    ];
    let Place { value, before, .. } = *place;
    let code = |b: u8| b.is_ascii_uppercase() || b.is_ascii_digit();
    if value.starts_with('E') && value.bytes().all(code) && before.contains("CloudFront") {
        return true;
    }
    let pool = value.split_once('_').is_some_and(|(region, id)| {
        let mut parts = region.split('-');
        id.len() == POOL_BYTES
            && id.bytes().all(|b| b.is_ascii_alphanumeric())
            && parts.next().is_some_and(|part| part.len() == 2)
            && parts.next().is_some_and(|part| part.bytes().all(|b| b.is_ascii_lowercase()))
            && parts.next().is_some_and(|part| part.bytes().all(|b| b.is_ascii_digit()))
            && parts.next().is_none()
    });
    let kind = value.split_once('#').is_some_and(|(service, kind)| {
        service.bytes().all(|b| b.is_ascii_lowercase())
            && kind.bytes().all(|b| b.is_ascii_alphabetic())
            && field(before) == "kind"
    });
    let version = before.ends_with('/')
        && before
            .rsplit([' ', '"', '\'', '<', '('])
            .next()
            .is_some_and(|begun| begun.contains(".vault.azure.net/"));
    let bare = value.trim_end_matches(['\'', '"', '.']);
    let app = is_uuid(&bare.to_ascii_lowercase())
        && before.strip_suffix(['\'', '"']).is_some_and(|before| {
            APPS.contains(&before.trim_end().rsplit(' ').next().unwrap_or_default())
        });
    pool || kind || version || app
}

/// `"gpg: decryption failed: …"`: the message of a program in quotes.
fn is_quoted_message(place: &Place<'_>) -> bool {
    const WORDS: usize = 3;
    const PROGRAMS: [&str; 14] = [
        "gpg", "ssh", "git", "sudo", "curl", "docker", "openssl", "psql", "mysql", "kubectl",
        "pinentry", "fatal", "error", "warning",
    ];
    let Place { value, before, .. } = *place;
    let program = before.strip_suffix(':').and_then(|before| before.rsplit_once('"'));
    program.is_some_and(|(_, name)| PROGRAMS.contains(&name))
        && value.starts_with(' ')
        && value.split_whitespace().count() >= WORDS
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trace(before: &str, value: &str, after: &str, above: &str) -> bool {
        is_trace(&Place { value, before, after, above })
    }

    #[test]
    fn ids_positions_and_entries_are_not_secrets() {
        let uuid = "42ee0db5-3aa5-4f70-95f6-845f145309c4";
        for (before, value, after, above) in [
            ("(RequestToken: ", uuid, ", HandlerErrorCode: AlreadyExists)", ""),
            ("\"nextPageToken\": \"", "95BKS1Cb04TwrR1ebooI", "\",", ""),
            ("<", "RequestId>DLARY4N9FU48CD65", "</RequestId>", ""),
            ("ça renvoie ", "ResourceNotFoundException", "", ""),
            ("la distribution CloudFront est ", "E8AFC6RN9WAE5V", "", ""),
            ("accessor    ", "Pf9zGs6TDYEF2EorYtCcDXL1", "", "vault token lookup"),
            ("ModuleNotFoundError: No module named '", "psycopg2", "'", ""),
            ("type=USER_AUTH msg=audit(1709705013.709:2723): ", "pid=46591", " uid=0", ""),
            ("2024-01-11 UTC [51957] ", "ann@orders", " LOG:  duration: 4 ms", ""),
            ("debug1: Will attempt key: ", "ann@laptop", " ED25519 SHA256:4Yzc agent", ""),
            ("2) \"key:", "order:195904", "\"", "KEYS *"),
            ("2) \"sess:", "4eec0a0f98b7fd21", "\"", "KEYS *"),
            ("1) \"", "1495", "\"", "SCAN 0 MATCH key:*"),
            ("token:", uuid, "", "redis-cli --scan --pattern 'token:*'"),
            ("(SSL: ", "error:05800074:x509", " certificate routines::values mismatch)", ""),
            ("error:74080F56:SSL routines:", "ssl3_read_bytes:sslv3", " alert", ""),
            ("gpg: Good signature from \"Ann <ann@acme.com>\" [", "ultimate", "]", ""),
            ("", "shop, 2024-05-03, PrivateKeyEntry,", "", "Enter keystore password:"),
            ("API_TOKEN=[", "MASKED", "]", ""),
            ("terraform import aws_route53_record.www ", "ZJN94T28IJ2GOP_www", "", ""),
            ("pool ", "eu-central-1_2hiAGkN6u", "", ""),
            ("\"kind\": \"", "storage#objects", "\"", ""),
            ("secret id https://kv.vault.azure.net/secrets/db/", "52be6ec665bcbc00d634", "", ""),
            ("for a secret added to app '", uuid, "'.", ""),
            ("PIN entry fails with \"gpg:", " signing failed: no tty", "\"", ""),
        ] {
            assert!(trace(before, value, after, above), "{before}{value}");
        }
    }

    #[test]
    fn what_is_announced_is_not_a_trace() {
        let uuid = "42ee0db5-3aa5-4f70-95f6-845f145309c4";
        for (before, value, after, above) in [
            ("token: ", uuid, "", ""),
            ("the accessor token is ", "Pf9zGs6TDYEF2EorYtCcDXL1", "", ""),
            ("<Password>", "DLARY4N9FU48CD65", "</Password>", ""),
            ("<", "Password>DLARY4N9FU48CD65", "</Password>", ""),
            ("msg=audit(1): a1=", "pw=hunter2", "", ""),
            ("log in with ", "ann@1234", " and tell me", ""),
            ("the passwd ", "yuki.tanaka", "", ""),
            ("2) \"", "hunter2!", "\"", "1) \"password\""),
            ("2) \"", "1495", "\"", "1) \"pin\""),
            ("password: ", "error:05", "", ""),
            ("the password is [", "ultimate", "]", ""),
            ("password [", "Masked7", "]", ""),
            ("2) \"", "admin:letmein", "\"", "1) \"users\""),
            ("2) \"", "admin:123456", "\"", "1) \"users\""),
            ("1) \"", "1495", "\"", "LRANGE pins 0 -1"),
            ("pin:", "67890", "", "pin:12345"),
            ("Sec-WebSocket-Protocol: ", "cd1hNGrgBNXz/DntyaxQ6w==", "", ""),
            ("token:", uuid, "", "token:9106faa9-059b-4c03-b25e-c234afef8396"),
            ("pw ", "p@ssw0rd", " ERROR: cannot connect", ""),
            ("\"password:", " three small words", "\"", ""),
            ("\"pass:", " three small words", "\"", ""),
            ("the client secret of the app is '", uuid, "'", ""),
        ] {
            assert!(!trace(before, value, after, above), "{before}{value}");
        }
    }
}
