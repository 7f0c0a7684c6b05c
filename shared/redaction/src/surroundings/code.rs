//! Recognizes parts of code and of configurations.

mod calls;
mod names;
mod patterns;
mod statements;
mod types;

use super::{Place, announces};
use crate::things::is_prose;

/// Whether a value is a part of code, a pattern, or a reference in a configuration.
pub(super) fn is_code(place: &Place<'_>) -> bool {
    types::is_type(place)
        || calls::is_of_call(place)
        || names::is_named(place)
        || statements::is_of_statement(place)
        || patterns::is_of_pattern(place)
        || is_configured(place)
}

/// Whether a value is a reference, a tag, a column or a command in a configuration.
fn is_configured(place: &Place<'_>) -> bool {
    let Place { value, before, after, .. } = *place;
    // `api-key="$KEY`, `hosts/$name`
    let variable = value.split_once('$').is_some_and(|(before, name)| {
        let name = name.trim_end_matches(['"', '\'', '}']).trim_start_matches('{');
        before.trim_end_matches(['"', '\'']).ends_with(['=', '/']) && names::is_name(name)
    });
    // `password: !vault name`, `Password: !Ref Name`: tags of YAML
    let tag = value.strip_prefix('!').is_some_and(|tag| {
        before.trim_end().ends_with(':')
            && after.trim_end().starts_with(' ')
            && tag.chars().all(|c| c.is_ascii_alphabetic() || "-_".contains(c))
    });
    // "user:password@tcp(host:3306)/db": the word stands for a password
    let example = value
        .split_once('@')
        .is_some_and(|(name, host)| is_prose(name) && host.contains(['(', '/', ':']));
    // `+ identifier = "warehouse"` in a plan of Terraform
    let attribute = after.trim_start().starts_with("= ")
        && matches!(before.trim(), "+" | "-" | "~" | "-/+")
        && names::is_small(value);
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
    // `-backend-config="key=…" -backend-config="region=eu-west-1"`
    let backend = value.split_once('=').is_some_and(|(name, _)| !announces(name) || name == "key")
        && before.trim_end_matches(['"', '\'']).ends_with("-backend-config=");
    backend || variable || tag || example || attribute || cell || revision || command
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn parts_of_code_stay() {
        for text in [
            "local key = KEYS[1]\nlocal n = tonumber(ARGV[1]) or 60\nreturn redis.call('SET', key, ARGV[2], 'EX', n)",
            "mutation { login(user: $user, password: $password) { sessionId } }",
            "fn key(file: Option<&Path>) -> String {",
            "let token = tokens[i][1];",
            "    value = options.decodeKeys ? decode(token) : token;",
            "def exchange(self, public_key: X25519PublicKey) -> bytes:",
            "assert_eq!(key.mode() & 0o777, 0o600);",
            "  if (code === codes.semicolon) {",
            "egrep -rn 'pass(phrase|word)|api_key' src shows nothing",
            "password_regex: ^(password|secretKey)$",
            "secrets\n  - path_regex: secrets/dev/.*\\.yaml$",
            "passwd: password updated successfully\nroot@web-01:~# systemctl restart sshd",
            "rotate the password\ndeploy@app-2:/srv$ ls",
            "tls.crt:  3578 bytes\ntls.key:  1704 bytes",
            "APP_SECRET=a_remplacer",
            "What happens if I resize the server from cx22 to cx32? Will there be downtime?",
            "Je n'ai pas reçu le mot de passe pour le compte compta. Pouvez-vous vérifier ?",
            "postgresql://USER:PASSWORD@HOST:5432/BASE?sslmode=require",
            "psql -W\nPassword: \npsql (16.4)\nType \"help\" for help.",
            "Le changement du mot de passe est prévu mardi 14h",
            "the password of\nGRANT SELECT ON shop.* TO 'report'@'10.0.%';",
            "import {codes} from 'micromark-util-symbol'",
            "terraform init -backend-config=\"key=auth/dev.tfstate\" -backend-config=\"region=sa-east-1\"",
        ] {
            assert_eq!(redacted(text), text);
        }
    }

    #[test]
    fn what_code_gives_a_variable_is_not_a_secret() {
        for text in [
            "user.password = await scrypt.derive(password, salt);",
            "let password = async () => { return ask(); };",
            "UPDATE users SET password = :password WHERE id = :id",
            "host = \"%s:%s@%s\" % (user, password, host)",
            "SELECT id FROM users WHERE password = @password",
            "cur.execute(\"UPDATE u SET password = %(password)s\", params)",
            "HTTP 403 on /api/token, error code: AADSTS700016",
        ] {
            assert_eq!(redacted(text), text);
        }
    }

    #[test]
    fn secrets_in_code_are_found() {
        seals(&[
            ("const password = \"Walnut#77x\";", &["Walnut#77x"]),
            ("let apiKey = 'k8Jx2mQp9vLw4nRt';", &["k8Jx2mQp9vLw4nRt"]),
            ("return login(\"kim\", password=\"Walnut77!\");", &["Walnut77!"]),
            ("set $password hazel9Tree!x;", &["hazel9Tree!x"]),
            ("$pass = 'Walnut[77]x';", &["Walnut[77]x"]),
            ("password: ^Walnut77$!", &["^Walnut77$!"]),
        ]);
    }

    #[test]
    fn what_only_resembles_code_is_found() {
        seals(&[
            ("user.password = \"await-Kettle77!\"", &["await-Kettle77!"]),
            ("password: new-moon-Rise-91", &["new-moon-Rise-91"]),
            ("UPDATE users SET password = 'Walnut@77x' WHERE id = 2", &["Walnut@77x"]),
            ("password = $1Kettle:moon9", &["$1Kettle:moon9"]),
            ("password=walnut|Tree77", &["walnut|Tree77"]),
            ("the root password is %Kettle77%moon", &["Kettle77"]),
        ]);
    }
}
