//! Finds secrets by the form of a line that connects, shares or makes something: an address for Go's drivers, the text behind a
//! QR code, a Zabbix macro, a DNS key, a file that a command writes, and the output of a key generator.

use super::dialogs::{answer, listed};
use super::is_value;
use super::lines::unquoted;
use crate::bare::{decode, is_base64};
use crate::blocks::is_password;
use crate::things::is_stand_in;
use crate::things::marks::{CharSet, Marks};
use crate::weight::{MIN_BYTES, Weight, is_hex, weigh};
use std::ops::Range;

/// The least base64 of a key, in bytes.
const KEY_BYTES: usize = 16;
/// The shortest Erlang cookie, in bytes.
const COOKIE_BYTES: usize = 8;
/// Tools that take a domain, a user, a password and a host in one word, in lower case.
const TOOLS: [&str; 12] = [
    "impacket",
    "secretsdump",
    "exec.py",
    "getuserspns",
    "getnpusers",
    "mssqlclient",
    "lookupsid",
    "smbclient.py",
    "addcomputer",
    "gettgt",
    "getst",
    "rpcdump",
];
/// Parts of the names of macros that hold a secret.
const MACROS: [&str; 7] = ["COMMUNITY", "PASS", "SECRET", "TOKEN", "PSK", "PWD", "APIKEY"];
/// Programs that print keys.
const MAKERS: [&str; 7] = [
    "openssl rand",
    "pwgen",
    "/dev/urandom",
    "makepasswd",
    "apg -",
    "gpg --gen-random",
    "secrets.token_",
];
/// Parts of the names of files that hold one secret.
const FILES: [&str; 9] =
    ["pass", "pwd", "secret", "token", "vault", "credential", "passphrase", "/pw", "keyfile"];

/// The secrets of a line below two others.
pub fn values(line: &str, signs: CharSet, above: [&str; 2]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let at = |value: &str| {
        let start = value.as_ptr() as usize - line.as_ptr() as usize;
        start..start + value.len()
    };
    if above[0].contains('3') && above[0].contains("334 ") {
        found.extend(answer(line, above[0]).map(at));
    }
    if line.ends_with('"') && line.trim_start().starts_with('"') {
        found.extend(listed(line).map(at));
    }
    if !signs.has(b' ') {
        found.extend(printed(line, above).map(at));
    }
    if signs.has(b'@') {
        found.extend(driver(line).or_else(|| target(line)).map(at));
    }
    if signs.has(b':') {
        found.extend(shared(line).or_else(|| of_zone(line)).or_else(|| shown(line)).map(at));
    }
    if signs.has(b'$') {
        found.extend(of_macro(line).or_else(|| of_link(line)).map(at));
    }
    if signs.has_any(b">|") {
        found.extend(written(line).map(at));
    }
    if signs.has(b'<') && line.contains("<<<") {
        found.extend(decoded(line).map(at));
    }
    if signs.has_any(b"\"=-") && NAMED.are_in(line, NAMES) {
        found.extend(cookie(line).or_else(|| seed(line)).or_else(|| letters(line)).map(at));
    }
    found
}

/// Parts of the names before cookies, seeds and keys.
const NAMES: &str = "cookie \"totp\" key\" oken\" ecret\"";
static NAMED: Marks = Marks::new();

/// Whether a text may be a password at all.
fn is_own(value: &str) -> bool {
    is_password(value) && is_value(value) && !value.contains(['{', '<'])
}

/// `kim:X@tcp(10.0.4.7:3306)/shop`
fn driver(line: &str) -> Option<&str> {
    const NETWORKS: [&str; 3] = ["@tcp(", "@unix(", "@tcp6("];
    let end = NETWORKS.iter().find_map(|network| line.find(network))?;
    let login = line[..end].rsplit([' ', '"', '\'', '`', '=', '(']).next()?;
    let (user, value) = login.split_once(':')?;
    (!user.is_empty() && is_own(value) && !is_stand_in(value)).then_some(value)
}

/// `secretsdump.py CORP/kim:'X'@10.0.4.7`
fn target(line: &str) -> Option<&str> {
    let lower = line.to_ascii_lowercase();
    TOOLS.iter().any(|tool| lower.contains(tool)).then_some(())?;
    line.split_ascii_whitespace().find_map(|word| {
        let (login, host) = unquoted(word).rsplit_once('@')?;
        let (account, value) = login.split_once(':')?;
        let (domain, user) = account.split_once('/')?;
        let plain = |name: &str| {
            !name.is_empty()
                && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-$".contains(&b))
        };
        let value = unquoted(value);
        (plain(domain) && plain(user) && plain(host) && is_own(value)).then_some(value)
    })
}

/// `WIFI:T:WPA;S:Stock;P:X;;`
fn shared(line: &str) -> Option<&str> {
    let (_, fields) = line.split_once("WIFI:")?;
    let start = if fields.starts_with("P:") { 0 } else { fields.find(";P:")? + 1 };
    let value = &fields[start + 2..];
    let mut kept = false;
    let end = value.bytes().position(|b| {
        let ends = b == b';' && !kept;
        kept = b == b'\\' && !kept;
        ends
    });
    let value = &value[..end?];
    let value = value.strip_prefix('"').and_then(|value| value.strip_suffix('"')).unwrap_or(value);
    (value.len() >= MIN_BYTES && !is_stand_in(value)).then_some(value)
}

/// `    Key Content            : X`, as Windows shows the key of a wireless network.
fn shown(line: &str) -> Option<&str> {
    const NAMES: [&str; 4] =
        ["Key Content", "Schlüsselinhalt", "Contenido de la clave", "Contenu de la clé"];
    const LEAST_BYTES: usize = 8;
    let (name, value) = line.split_once(':')?;
    let value = value.trim();
    (NAMES.contains(&name.trim()) && value.len() >= LEAST_BYTES && !is_stand_in(value))
        .then_some(value)
}

/// `dig axfr example.org -y hmac-sha256:xfer:X`
fn of_zone(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once(" -y ")?;
    let word = unquoted(rest.split_ascii_whitespace().next()?);
    let (name, value) = word.rsplit_once(':')?;
    (!name.is_empty() && value.len() >= KEY_BYTES && value.bytes().all(is_base64)).then_some(value)
}

/// `{$SNMP_COMMUNITY} => X`
fn of_macro(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once("{$")?;
    let (name, rest) = rest.split_once('}')?;
    MACROS.iter().any(|part| name.contains(part)).then_some(())?;
    let rest = rest.trim_start_matches(['"', '\'', '`', ' ']);
    let rest = ["=>", "->", "=", ":"].iter().find_map(|sign| rest.strip_prefix(sign))?;
    let value = unquoted(rest.trim_start().split([' ', '\t', ',']).next()?);
    (value.len() >= MIN_BYTES && is_own(value) && !is_stand_in(value)).then_some(value)
}

/// `secure_link_md5 "$secure_link_expires$uri X";`
fn of_link(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once("secure_link_md5")?;
    let text = rest.trim().trim_end_matches(';');
    let (_, value) = unquoted(text).rsplit_once(' ')?;
    (value.len() >= MIN_BYTES && !value.contains('$') && !is_stand_in(value)).then_some(value)
}

/// `echo 'X' > ~/.vault_pass.txt`, `echo -n 'kim:X' | base64`
fn written(line: &str) -> Option<&str> {
    const ECHOES: [&str; 2] = ["echo ", "printf "];
    let rest = ECHOES.iter().find_map(|echo| line.split_once(echo))?.1.trim_start();
    let rest = ["-n ", "-e ", "-en ", "-ne ", "'%s' ", "\"%s\" ", "%s "]
        .iter()
        .find_map(|option| rest.strip_prefix(option))
        .unwrap_or(rest);
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''));
    let (value, after) = match quote {
        Some(quote) => rest[1..].split_once(quote)?,
        None => rest.split_once([' ', '|', '>'])?,
    };
    let value = value.strip_suffix("\\n").unwrap_or(value);
    let own = |value: &str| {
        value.len() >= MIN_BYTES
            && is_own(value)
            && !is_stand_in(value)
            && !value.contains(['$', '`', '=', '/', ':'])
    };
    let after = after.trim_start();
    if let Some(pipe) = after.strip_prefix('|') {
        let coded = pipe.trim_start().starts_with("base64");
        let (user, value) = value.split_once(':')?;
        let login = coded && !user.is_empty() && !user.contains(' ') && !value.contains(' ');
        return (login && own(value)).then_some(value);
    }
    let file = after.trim_start_matches(['>', '|', ' ']).split([' ', ';', '&']).next()?;
    let file = file.to_ascii_lowercase();
    let secret = after.starts_with('>') && FILES.iter().any(|part| file.contains(part));
    let listed =
        ["list", "policy", ".md", ".log", ".conf", ".yml"].iter().any(|p| file.contains(p));
    (secret && !listed && own(value) && weigh(value) >= Weight::Weak).then_some(value)
}

/// `base64 -d <<< X`, if a user and a password come out.
fn decoded(line: &str) -> Option<&str> {
    let (program, value) = line.split_once("<<<")?;
    let value = unquoted(value.trim());
    let login = || decode(value).and_then(|login| String::from_utf8(login).ok());
    (program.contains("base64") && !value.contains(' ')).then_some(())?;
    let login = login()?;
    let (user, password) = login.split_once(':')?;
    let plain = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_graphic());
    (plain(user) && plain(password) && password.len() >= MIN_BYTES).then_some(value)
}

/// `RABBITMQ_ERLANG_COOKIE=X`, `erl -setcookie X`
fn cookie(line: &str) -> Option<&str> {
    const NAMES: [&str; 5] =
        ["ERLANG_COOKIE", "erlang_cookie", "erlangCookie", "-setcookie", "RELEASE_COOKIE"];
    let (_, rest) = NAMES.iter().find_map(|name| line.split_once(name))?;
    let value = rest.trim_start_matches(['"', '\'', '=', ':', ' ']);
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-+/".contains(c);
    let value = &value[..value.find(|c| !plain(c)).unwrap_or(value.len())];
    let tied = rest.starts_with(['=', ':', ' ', '"', '\'']);
    (tied && value.len() >= COOKIE_BYTES && !is_stand_in(value)).then_some(value)
}

/// `"totp":"X"` in an export of a password manager.
fn seed(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once("\"totp\"")?;
    let value = rest.trim_start().strip_prefix(':')?.trim_start().strip_prefix('"')?;
    let value = &value[..value.find('"')?];
    let base32 = |b: u8| b.is_ascii_uppercase() || (b'2'..=b'7').contains(&b) || b == b' ';
    (value.len() >= KEY_BYTES && value.bytes().all(base32)).then_some(value)
}

/// `"apiKey": "whbhPjgzDJecsYpKUaiXsvpu"`: a key that has letters only, and capitals where no word has them.
fn letters(line: &str) -> Option<&str> {
    const FIELDS: [&str; 5] = ["Key\"", "_key\"", "oken\"", "ecret\"", "_KEY\""];
    const BYTES: Range<usize> = 24..65;
    let (_, rest) = FIELDS.iter().find_map(|field| line.split_once(field))?;
    let value = rest.trim_start().strip_prefix(':')?.trim_start().strip_prefix('"')?;
    let value = &value[..value.find('"')?];
    let turns = value
        .as_bytes()
        .windows(2)
        .filter(|pair| pair[0].is_ascii_lowercase() != pair[1].is_ascii_lowercase());
    let plain = value.bytes().all(|b| b.is_ascii_alphabetic());
    (BYTES.contains(&value.len()) && plain && 3 * turns.count() >= value.len()).then_some(value)
}

/// What a program that makes keys prints, the content of a file with a cookie, and the second line of a login.
fn printed<'t>(line: &'t str, [above, second]: [&str; 2]) -> Option<&'t str> {
    let value = line.trim_end();
    if second.trim() == "<auth-user-pass>" {
        return (!value.starts_with('<') && value.len() >= MIN_BYTES).then_some(value);
    }
    let base64 = value.bytes().all(|b| b.is_ascii_alphanumeric() || b"+/=-_".contains(&b));
    if above.contains("erlang.cookie") {
        return (base64 && value.len() >= COOKIE_BYTES && !is_stand_in(value)).then_some(value);
    }
    if prints_secret(above) {
        return (base64 && value.len() >= PRINTED_BYTES && !is_stand_in(value)).then_some(value);
    }
    let strong = || is_hex(value) || weigh(value) >= Weight::Fair;
    let made = MAKERS.iter().any(|maker| above.contains(maker)) && !above.contains(['>', '=']);
    (made && value.len() >= KEY_BYTES && base64 && strong()).then_some(value)
}

/// The shortest secret that `kubectl` prints in base64, in bytes.
const PRINTED_BYTES: usize = 8;

/// `kubectl get secret db -o jsonpath='{.data.password}'`: whether a command prints a part of a secret below it.
fn prints_secret(command: &str) -> bool {
    const PUBLIC: [&str; 8] =
        [".crt", "user", "host", "database", "namespace", "port", "url", "cert"];
    let Some((head, field)) = command.split_once(".data") else { return false };
    let field = field.split(['}', '"', '\'', ' ']).next().unwrap_or_default();
    let gets = head.contains(" secret") && (head.contains("kubectl") || head.contains("oc get"));
    let shown = !command.contains(" > ") && !command.contains("$(") && !command.contains("| wc");
    gets && shown && field.len() > 1 && !PUBLIC.iter().any(|part| field.contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<&str> {
        let mut lines = text.rsplit('\n');
        let line = lines.next().unwrap_or_default();
        let above = [lines.next().unwrap_or_default(), lines.next().unwrap_or_default()];
        values(line, CharSet::of(line), above).into_iter().map(|span| &line[span]).collect()
    }

    #[test]
    fn a_line_that_connects_or_makes_something_has_a_secret() {
        for (text, secret) in [
            ("sql.Open(\"mysql\", \"kim:xK7!mq~Lo9@tcp(10.0.4.7:3306)/shop\")", "xK7!mq~Lo9"),
            ("secretsdump.py ACME/kim:'xK7+mq_Lo9'@10.0.4.7", "xK7+mq_Lo9"),
            ("WIFI:S:Stock;T:WPA;P:wal\\;nut77;H:false;;", "wal\\;nut77"),
            ("WIFI:P:walnut77;S:Stock;;", "walnut77"),
            (
                "dig @ns1 example.org axfr -y hmac-sha256:xfer:b3V0IG9mIHRoZSBib3g=",
                "b3V0IG9mIHRoZSBib3g=",
            ),
            ("{$SNMP_COMMUNITY} => walnut_tree", "walnut_tree"),
            ("secure_link_md5 \"$secure_link_expires$uri walnut_tree\";", "walnut_tree"),
            ("echo 'walnut-tree-42' > ~/.vault_pass.txt", "walnut-tree-42"),
            ("printf %s walnut-tree > /run/restic-password", "walnut-tree"),
            ("echo -n 'kim:walnut77' | base64 -w0", "walnut77"),
            ("echo -n 'mlopez:Q.X%yK%oTlQh5Ed' | base64", "Q.X%yK%oTlQh5Ed"),
            ("    Key Content            : 5740-9892-6034-4642", "5740-9892-6034-4642"),
            ("base64 -d <<< a2ltOndhbG51dDc3", "a2ltOndhbG51dDc3"),
            ("RABBITMQ_ERLANG_COOKIE=SFZYUIJVEPZALAKOLTWP", "SFZYUIJVEPZALAKOLTWP"),
            ("erl -sname a -setcookie walnuttree", "walnuttree"),
            ("{\"login\":{\"totp\":\"ICPEBSPBVFSXVPYR\"}}", "ICPEBSPBVFSXVPYR"),
            ("-  \"apiKey\": \"whbhPjgzDJecsYpKUaiXsvpu\",", "whbhPjgzDJecsYpKUaiXsvpu"),
            (
                "kubectl get secret pg -o jsonpath='{.data.password}'\ndzJOWWRPZmtHNUh0R2w=",
                "dzJOWWRPZmtHNUh0R2w=",
            ),
            ("cat ~/.erlang.cookie\nNONTETKAWSGGJHBNFTYJ", "NONTETKAWSGGJHBNFTYJ"),
            ("<auth-user-pass>\nkim\nwalnut-tree", "walnut-tree"),
            (
                "$ openssl rand -hex 16\n770d4b01517e9ccf0936bd0eebee65b4",
                "770d4b01517e9ccf0936bd0eebee65b4",
            ),
        ] {
            assert_eq!(read(text), [secret], "{text}");
        }
    }

    #[test]
    fn lines_without_a_secret_stay() {
        for text in [
            "sql.Open(\"mysql\", \"user:password@tcp(host:3306)/db\")",
            "WIFI:T:nopass;S:Stock;;",
            "apt-get -y install foo:amd64",
            "{$CPU.UTIL.CRIT} => 90",
            "secure_link_md5 \"$secure_link_expires$uri $secret\";",
            "echo \"$PW\" > ~/.vault_pass.txt",
            "{\"translationKey\": \"loginFormPasswordForgottenLabel\"}",
            "echo done > /tmp/passed.log",
            "echo 'hello world' | base64",
            "RABBITMQ_ERLANG_COOKIE=$COOKIE",
            "openssl rand -hex 16 > /etc/key\n770d4b01517e9ccf0936bd0eebee65b4",
            "base64 -d <<< aGVsbG8gd29ybGQ=",
            "git rev-parse HEAD\n770d4b01517e9ccf0936bd0eebee65b4770d4b01",
        ] {
            assert!(read(text).is_empty(), "{text}: {:?}", read(text));
        }
    }
}
