//! Finds passwords in plain text by their place: a setting, a variable before a command, an option, a statement of SQL,
//! a file of accounts. In such a place even words are a secret.

use crate::check::error;
use crate::hcl::{self, attribute, label};
use crate::places::is_yaml;
use crate::yaml::{self, Node};
use crate::{SECRETS, Unit};
use domain::gate::Finding;
use std::collections::BTreeSet;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    let mut lines: BTreeSet<usize> = BTreeSet::new();
    for (at, line) in unit.text.lines().enumerate() {
        let trimmed = line.trim_start();
        let comment = ["#", "//", "--", ";", "*"].iter().any(|sign| trimmed.starts_with(sign));
        if !comment && (assigned(line) || stated(line) || addressed(line)) {
            lines.insert(at + 1);
        }
    }
    findings.extend(lines.into_iter().map(|line| told().at(None, line)));
    for file in unit.written() {
        for (at, line) in file.text.lines().enumerate() {
            if listed(file.name(), line) {
                findings.push(told().at(Some(&file.path), at + 1));
            }
        }
        let documents = is_yaml(file).then(|| yaml::documents(&file.filled()).ok()).flatten();
        for node in documents.unwrap_or_default().iter().flat_map(Node::all) {
            let text = |key: &str| node.get(key).and_then(Node::text);
            let named = text("name").is_some_and(|name| kind(name) != Kind::Other);
            if named && text("value").is_some_and(|value| is_password(value, true)) {
                findings.push(told().at(Some(&file.path), node.line));
            }
        }
    }
    let (files, _) = hcl::parse(&unit.files);
    for parsed in &files {
        for (line, block) in parsed.blocks() {
            let secret = kind(label(block, 0)) != Kind::Other;
            let value = attribute(&block.body, "default").filter(|value| value.starts_with('"'));
            let plain = value.is_some_and(|value| is_password(value.trim_matches('"'), true));
            if block.ident.as_str() == "variable" && secret && plain {
                findings.push(told().at(Some(&parsed.file.path), line));
            }
        }
    }
}

fn told() -> Finding {
    error(SECRETS, "Here is a password in plain text. Take it from an environment variable.")
}

#[derive(PartialEq)]
enum Kind {
    /// A password, which may be a word.
    Password,
    /// A token or a key, which has digits; a word is the name of one.
    Token,
    Other,
}

/// The ends of names of passwords.
const PASSWORDS: [&str; 13] = [
    "auth_pass",
    "become_pass",
    "masterauth",
    "mysql_pwd",
    "passphrase",
    "passwd",
    "password",
    "pwd",
    "rediscli_auth",
    "requirepass",
    "smtp_pass",
    "ssh_pass",
    "sudo_pass",
];

/// The ends of names of tokens and keys.
const TOKENS: [&str; 6] = ["api_key", "apikey", "secret", "secret_key", "private_key", "token"];

fn kind(name: &str) -> Kind {
    let lower = name.to_lowercase().replace('-', "_");
    if ["pwd", "oldpwd"].contains(&lower.as_str()) && name.chars().all(char::is_uppercase) {
        Kind::Other
    } else if PASSWORDS.iter().any(|end| lower.ends_with(end)) {
        Kind::Password
    } else if TOKENS.iter().any(|end| lower.ends_with(end)) {
        Kind::Token
    } else {
        Kind::Other
    }
}

/// Words that follow the name of a password but are not one.
const WORDS: [&str; 57] = [
    "accepted",
    "always",
    "ask",
    "auto",
    "basic",
    "bearer",
    "compat",
    "computed",
    "default",
    "denied",
    "empty",
    "false",
    "file",
    "files",
    "generate",
    "generated",
    "hidden",
    "invalid",
    "keep",
    "ldap",
    "login",
    "masked",
    "md5",
    "missing",
    "never",
    "none",
    "null",
    "off",
    "on",
    "on_create",
    "optional",
    "pass",
    "peer",
    "plain",
    "prompt",
    "random",
    "read",
    "refused",
    "required",
    "root",
    "scram-sha-256",
    "secret",
    "sensitive",
    "sha256",
    "stdin",
    "str",
    "string",
    "systemd",
    "text",
    "true",
    "trust",
    "undefined",
    "unset",
    "user",
    "valid",
    "works",
    "yes",
];

/// Parts of texts that a person fills in, or that name where a password is.
const PARTS: [&str; 17] = [
    "change",
    "dummy",
    "example",
    "fill",
    "get_",
    "passwd",
    "password",
    "placeholder",
    "read_",
    "redacted",
    "replace",
    "secret_",
    "test-only",
    "token_",
    "wrong",
    "xxxx",
    "your",
];

/// Whether a text is a password that nothing fills in.
fn is_password(value: &str, quoted: bool) -> bool {
    let lower = value.to_lowercase();
    let signs = |c: char| c.is_whitespace() || "$`{}<>()[]%*\\/|&".contains(c);
    let begins = ['.', '~', '@', '-', '_', ':', '=', '+', '!', '?', '#'];
    let name = value.chars().all(|c| c.is_ascii_uppercase() || c == '_' || c.is_ascii_digit());
    // A part of a program, or an address: `var.password`, `settings.db`.
    let path = value.contains('.') && !quoted;
    value.len() >= 4
        && value.len() <= 80
        && !value.contains(signs)
        && !value.starts_with(begins)
        && value.chars().any(|c| c.is_ascii_alphabetic())
        && !(name || path)
        && !WORDS.contains(&lower.as_str())
        && !PARTS.iter().any(|part| lower.contains(part))
}

/// A name and the value that a sign gives it, and whether the value is in quotes.
fn pairs(line: &str) -> Vec<(&str, &str, bool)> {
    let mut found = Vec::new();
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-' || c == '.';
    for (at, sign) in line.match_indices(['=', ':']) {
        let (before, after) = (line[..at].trim_end(), &line[at + 1..]);
        let before = before.trim_end_matches(['"', '\'']);
        let from = before.len() - before.chars().rev().take_while(|c| is_name(*c)).count();
        let name = before[from..].trim_start_matches('-');
        // Behind another word it is a sentence: `echo "a wrong password: refused"`.
        let alone = before[..from].trim_end().chars().next_back();
        let key = alone.is_none_or(|c| "-{,(\"'[?".contains(c));
        if name.is_empty()
            || (sign == ":" && !(key && after.starts_with([' ', '"', '\''])))
            || after.starts_with('=')
        {
            continue;
        }
        let after = after.trim_start();
        let quote = after.chars().next().filter(|c| ['"', '\''].contains(c));
        let value = match quote {
            Some(quote) => after[1..].split(quote).next(),
            None => after.split(|c: char| c.is_whitespace() || ",;)\"'".contains(c)).next(),
        };
        found.push((name, value.unwrap_or_default(), quote.is_some()));
    }
    found
}

/// Whether a line gives a password its value.
fn assigned(line: &str) -> bool {
    pairs(line).into_iter().any(|(name, value, quoted)| {
        let has_digit = value.contains(|c: char| c.is_ascii_digit());
        let enough = match kind(name) {
            Kind::Password => true,
            Kind::Token => has_digit && value.len() >= 12,
            Kind::Other => false,
        };
        // A reference to another name has no signs but these, and no digit.
        let plain = |c: char| c.is_ascii_lowercase() || c == '_';
        let reference = !quoted && value.contains('_') && value.chars().all(plain);
        enough && !reference && is_password(value, quoted)
    })
}

/// Whether a statement or a setting without a sign has a password after its word.
fn stated(line: &str) -> bool {
    let quoted = ["PASSWORD '", "IDENTIFIED BY '", "password '"];
    let sql = quoted.iter().any(|sign| {
        let rest = line.split_once(sign).and_then(|(_, rest)| rest.split_once('\''));
        rest.is_some_and(|(text, _)| is_password(text, true))
    });
    let words: Vec<&str> = line.split_whitespace().collect();
    let word = |text: &&str| is_password(text.trim_matches(['"', '\'']), true);
    let setting = match words.as_slice() {
        ["requirepass" | "masterauth", text] => word(text),
        ["user", _, "insecure-password", text, ..] => word(text),
        ["stats", "auth", text] => {
            text.split_once(':').is_some_and(|(_, text)| is_password(text, true))
        }
        ["rabbitmqctl", "add_user" | "change_password", _, text, ..] => word(text),
        _ => false,
    };
    let bearer = line.split_once("Bearer ").is_some_and(|(_, rest)| {
        let text = rest.split(['"', '\'', ' ']).next().unwrap_or_default();
        text.len() >= 12 && text.contains(|c: char| c.is_ascii_digit()) && is_password(text, true)
    });
    let hash = line.contains("useradd") && line.contains("-p '$6$");
    let defined = line.trim().strip_prefix("define(").is_some_and(|rest| {
        let mut parts =
            rest.split(['\'', '"']).filter(|part| !part.trim().is_empty() && part.trim() != ",");
        let name = parts.next().unwrap_or_default();
        kind(name) == Kind::Password && parts.next().is_some_and(|text| is_password(text, true))
    });
    sql || setting || bearer || hash || defined
}

/// Whether an address has a password after its account.
fn addressed(line: &str) -> bool {
    line.split("://").skip(1).any(|rest| {
        let host = rest.split(['/', ' ', '"', '\'']).next().unwrap_or_default();
        let account = host.rsplit_once('@').and_then(|(account, _)| account.split_once(':'));
        account.is_some_and(|(_, text)| is_password(text, true))
    })
}

/// Whether a line of a file of accounts has a password.
fn listed(name: &str, line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    match name {
        ".pgpass" | "pgpass" => {
            let parts: Vec<&str> = line.split(':').collect();
            parts.len() == 5 && is_password(parts[4], true)
        }
        "userlist.txt" => {
            matches!(words.as_slice(), [_, text] if is_password(text.trim_matches('"'), true) && !text.contains("SCRAM"))
        }
        "msmtprc" | ".msmtprc" | ".netrc" => {
            words.windows(2).any(|two| two[0] == "password" && is_password(two[1], true))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    fn said(text: &str) -> usize {
        crate::testing::said(super::examine, text).len()
    }

    #[test]
    fn passwords_come_from_elsewhere() {
        for text in [
            "PGPASSWORD=b4ckup-Secret pg_dump --host=db.internal shop",
            "export BORG_PASSPHRASE=\"korrekt-pferd\"",
            "0 3 * * * postgres PGPASSWORD=sommerregen pg_dump shop",
            "cat >.env <<'E'\nPOSTGRES_PASSWORD=shop\nE",
            "cat >redis.conf <<'E'\nrequirepass sommerregen\nE",
            "cat >my.cnf <<'E'\npassword = sommerregen\nE",
            "cat >compose.yaml <<'E'\n      POSTGRES_PASSWORD: shop\nE",
            "docker run -d -e POSTGRES_PASSWORD=sommerregen postgres:16.6",
            "psql -c \"CREATE ROLE shop LOGIN PASSWORD 'sommerregen'\"",
            "mongosh --eval 'db.createUser({user: \"shop\", pwd: \"sommerregen\"})'",
            "psql postgres://shop:sommerregen@db.internal/shop",
            "cat >~/.pgpass <<'E'\ndb:5432:shop:shop:sommerregen\nE",
            "cat >a.yaml <<'E'\nenv:\n  - name: DB_PASSWORD\n    value: sommerregen\nE",
            "cat >a.tf <<'E'\nvariable \"db_password\" {\n  default = \"sommerregen\"\n}\nE",
            "cat >a.py <<'E'\nconnect(host=\"db\", password=\"sommerregen\")\nE",
            "curl -H 'Authorization: Bearer tk-81fa2c9d77ab' https://a.example.org",
            "cat >Dockerfile <<'E'\nENV API_TOKEN=tk-81fa2c9d77ab\nE",
            "cat >wp-config.php <<'E'\ndefine('DB_PASSWORD', 'sommerregen');\nE",
            "cat >haproxy.cfg <<'E'\n    stats auth admin:sommerregen\nE",
        ] {
            assert_eq!(said(text), 1, "{text}");
        }
        for text in [
            "PGPASSWORD=\"$DB_PASSWORD\" pg_dump shop",
            "PGPASSWORD=$(cat /run/secrets/db) pg_dump shop",
            "cat >.env <<'E'\nPOSTGRES_PASSWORD_FILE=/run/secrets/db\nPOSTGRES_PASSWORD=change-me\nE",
            "cat >a.yaml <<'E'\npassword: \"{{ db_password }}\"\nupdate_password: on_create\nE",
            "cat >a.py <<'E'\nconnect(password=settings.password, token=csrf_token)\nE",
            "cat >a.tf <<'E'\npassword = var.db_password\nsecret = \"shop-database\"\nE",
            "cat >a.yaml <<'E'\nsecretKeyRef: {name: db, key: password}\nE",
            "cat >sshd_config <<'E'\nPasswordAuthentication no\nE",
            "psql -c \"ALTER ROLE shop PASSWORD '$password'\"",
            "cat >/etc/nsswitch.conf <<'E'\npasswd:         files systemd\nE",
            "cd \"$OLDPWD\" && PWD=here ls",
            "# PGPASSWORD=sommerregen psql",
            "echo \"a wrong password: denied-here\"",
            "if PGPASSWORD=not-the-password psql -c 'SELECT 1'; then exit 1; fi",
        ] {
            assert_eq!(said(text), 0, "{text}");
        }
    }
}
