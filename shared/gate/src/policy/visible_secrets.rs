//! Finds secrets that a script takes from a file or a variable and then shows: on a command line, which every process of
//! the machine can read, in the trace of `set -x`, and in the step's output.

use super::conduct::sign_after;
use crate::bash::{Command, Script, Sign};
use crate::check::error;
use crate::{POLICY, Shell, Unit};
use domain::gate::Finding;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for shell in unit.everywhere() {
        // In a container, only its own processes see its command line.
        if shell.file.as_ref().is_some_and(|file| file.contains("compose")) {
            continue;
        }
        for (at, command) in shell.script.commands.iter().enumerate() {
            let argv = command.argv();
            let line = command.line + shell.offset;
            // What is indented may be in a function or a block whose output goes elsewhere.
            let text = unit.text.lines().nth(line.saturating_sub(1)).unwrap_or_default();
            let said = on_line(&argv, shell)
                .or_else(|| readable(&argv))
                .or_else(|| traced(&argv, &shell.script))
                .or_else(|| {
                    labeled(command, &shell.script, at).filter(|_| text.starts_with("echo "))
                });
            if let Some(message) = said {
                findings.push(error(POLICY, message).at(shell.file.as_deref(), line));
            }
        }
    }
}

/// Parts of the names of files and variables with a secret.
const SECRETS: [&str; 8] =
    ["passw", "secret", "token", "private_key", "privatekey", "api_key", "apikey", "credential"];

fn is_secret(name: &str) -> bool {
    let lower = name.to_lowercase();
    let named = SECRETS.iter().any(|part| lower.contains(part))
        || ["pass", "pw", "pwd"].iter().any(|end| {
            lower
                .strip_suffix(end)
                .is_some_and(|start| start.is_empty() || start.ends_with(['_', '-']))
        });
    // Names of files and of secrets are not secrets.
    let place = ["_file", "_path", "_dir", "_name", "_id", "_arn", "_url", "_key_id", "_hash"];
    named && !place.iter().any(|end| lower.ends_with(end)) && !lower.contains("existing")
}

/// Commands of the shell itself, whose words no other process sees, and programs that only look for the text.
const WITHIN: [&str; 21] = [
    ".", ":", "[", "[[", "case", "declare", "echo", "eval", "exit", "export", "for", "local",
    "printf", "read", "readonly", "return", "set", "source", "test", "typeset", "unset",
];

/// Programs and their options before a password.
const TAKERS: [(&[&str], &[&str]); 3] = [
    (
        &["mariadb", "mariadb-admin", "mariadb-dump", "mysql", "mysqladmin", "mysqldump"],
        &["-p", "--password="],
    ),
    (&["keydb-cli", "redis-cli", "valkey-cli"], &["-a", "--pass"]),
    (&["sshpass"], &["-p"]),
];

/// What the words of a program show.
fn on_line(argv: &[&str], shell: &Shell) -> Option<String> {
    let (program, rest) = argv.split_first()?;
    // Another shell expands the words of these programs, and a function of the script starts no process.
    let other = ["bash", "sh", "ssh", "su"].contains(program)
        || rest.iter().any(|word| ["bash", "sh"].contains(word));
    if WITHIN.contains(program) || shell.script.functions.contains(*program) {
        return None;
    }
    let read = rest.iter().find_map(|word| file_of(word)).filter(|_| !other);
    if let Some(file) = read {
        return Some(format!(
            "This puts the secret in `{file}` on the command line of `{program}`, which every \
            process can read: pass it in a file, in the environment, or on standard input."
        ));
    }
    // `-e "database_password=$DATABASE_PASSWORD"`; an assignment before a program is in its environment,
    // and psql takes variables of its statements this way.
    let given = rest.iter().find_map(|word| {
        let (name, value) = word.split_once('=')?;
        let name = name.trim_start_matches('-').rsplit('.').next().unwrap_or_default();
        (value.starts_with('$') && !value.starts_with("$(") && is_secret(name)).then_some(name)
    });
    if let Some(name) = given.filter(|_| !other && !["env", "psql"].contains(program)) {
        return Some(format!(
            "This puts the secret `{name}` on the command line of `{program}`, which every \
            process can read: pass it in a file or in the environment."
        ));
    }
    let login = ["docker", "helm", "podman", "skopeo"].contains(program)
        && rest.contains(&"login")
        && rest
            .windows(2)
            .any(|two| ["-p", "--password"].contains(&two[0]) && two[1].starts_with('$'));
    if login {
        return Some(format!(
            "This puts a password on the command line of `{program}`, which every process can read: use `--password-stdin`."
        ));
    }
    let stated = ["PASSWORD '$", "BY '$", "PASSWORD \"$", "password '$"];
    if !other && rest.iter().any(|word| stated.iter().any(|sign| word.contains(sign))) {
        return Some(format!(
            "This puts a password on the command line of `{program}`, which every process can read: send the statement to its standard input."
        ));
    }
    let at =
        argv.iter().position(|word| TAKERS.iter().any(|(programs, _)| programs.contains(word)));
    let at = at.filter(|at| *at == 0 || ["docker", "podman", "kubectl"].contains(program))?;
    let (_, options) = TAKERS.iter().find(|(programs, _)| programs.contains(&argv[at]))?;
    let mut words = argv[at + 1..].iter();
    while let Some(word) = words.next() {
        let value = options.iter().find_map(|option| {
            let rest = word.strip_prefix(option)?;
            // `-p$pw`, and `-a "$pw"` in two words
            if rest.is_empty() { words.clone().next().copied() } else { Some(rest) }
        });
        if value.is_some_and(|value| value.trim_start_matches('=').starts_with('$')) {
            return Some(format!(
                "This puts a password on the command line of `{}`, which every process can read: \
                pass it in a file or in the environment.",
                argv[at]
            ));
        }
    }
    None
}

/// The file with a secret whose text a word has: `$(cat secrets/app)`, `$(< /etc/app/password)`.
fn file_of(word: &str) -> Option<String> {
    // What `<(printf …)` reads goes through a pipe.
    if word.contains("<(") {
        return None;
    }
    word.split("$(").skip(1).find_map(|rest| {
        let inner = rest.split(')').next().unwrap_or_default().trim();
        let file = inner.strip_prefix("cat ").or_else(|| inner.strip_prefix('<'))?;
        let file = file.trim().trim_matches('"');
        // `$GITLAB_TOKEN_FILE` names a file, which then holds the secret.
        let name = file.trim_start_matches('$').trim_matches(['{', '}']).to_lowercase();
        let name = name.strip_suffix("_file").unwrap_or(&name);
        let plain = !file.contains([' ', '|']) && !name.ends_with(".pub");
        (plain && is_secret(name)).then(|| file.to_owned())
    })
}

/// A file whose name says that it has secrets, and that anyone on the machine may read.
fn readable(argv: &[&str]) -> Option<String> {
    const NAMES: [&str; 5] = [".env", ".pgpass", ".my.cnf", ".netrc", "credentials"];
    let (mode, rest) = match argv {
        ["install", rest @ ..] => {
            let at = rest.iter().position(|word| *word == "-m")?;
            (*rest.get(at + 1)?, rest)
        }
        ["chmod", mode, rest @ ..] => (*mode, rest),
        _ => return None,
    };
    let file = rest.last().filter(|file| NAMES.iter().any(|name| file.ends_with(name)))?;
    let open = mode.len() >= 3
        && mode.bytes().all(|b| (b'0'..b'8').contains(&b))
        && mode.ends_with(['4', '5', '6', '7']);
    open.then(|| {
        format!(
            "Everyone on the machine may read the secrets in `{file}`: `{mode}` lets others read."
        )
    })
}

/// `set -x` in a script that handles a secret.
fn traced(argv: &[&str], script: &Script) -> Option<String> {
    let ["set", options @ ..] = argv else { return None };
    let traces = options.iter().enumerate().any(|(at, word)| {
        let letters = word.strip_prefix('-').filter(|letters| !letters.starts_with('-'));
        letters.is_some_and(|letters| letters.contains('x'))
            || (*word == "xtrace" && at > 0 && options[at - 1] == "-o")
    });
    if !traces {
        return None;
    }
    let read = script.reads.iter().map(|read| read.name.as_str());
    let name =
        read.chain(script.assigned.keys().map(String::as_str)).find(|name| is_secret(name))?;
    Some(format!("`set -x` writes the secret in `{name}` into the output: turn tracing off."))
}

/// `echo "password: $db_pass"`: a secret with its label in the output.
fn labeled(command: &Command, script: &Script, at: usize) -> Option<String> {
    let argv = command.argv();
    let elsewhere = !command.writes.is_empty() || sign_after(script, at) == Some(Sign::Pipe);
    let ["echo", rest @ ..] = argv.as_slice() else { return None };
    if elsewhere {
        return None;
    }
    let name = rest.iter().filter(|word| word.contains(": ")).find_map(|word| {
        word.split('$').skip(1).find_map(|rest| {
            let name: String = rest
                .trim_start_matches('{')
                .chars()
                .take_while(|c| c.is_ascii_alphanumeric() || *c == '_')
                .collect();
            let known = script.assigned.contains_key(&name)
                || script.reads.iter().any(|read| read.name == name);
            (is_secret(&name) && known).then_some(name)
        })
    })?;
    Some(format!("This prints the secret in `{name}` into the output: leave it in its file."))
}

#[cfg(test)]
mod tests {
    fn said(text: &str) -> usize {
        crate::testing::said(super::examine, text).len()
    }

    #[test]
    fn a_secret_on_a_command_line_in_a_trace_or_in_the_output_is_found() {
        for text in [
            "mysqldump -u backup -p\"$(password_in backup.cnf)\" shop > shop.sql",
            "mysql --password=\"$db_pw\" shop < a.sql",
            "docker compose exec -T db mysql -p\"$pw\" shop",
            "redis-cli --user app --pass \"$(cat /etc/redis/app.password)\" ping",
            "redis-cli -a $pw ping",
            "curl -H \"PRIVATE-TOKEN: $(cat \"$GITLAB_TOKEN_FILE\")\" https://git.example.org",
            "rabbitmqctl authenticate_user shop \"$(< secrets/shop)\"",
            "ssh db \"sudo -u postgres psql -c \\\"ALTER ROLE shop PASSWORD '$pw'\\\"\"",
            "psql -c \"CREATE ROLE shop LOGIN PASSWORD '$pw'\"",
            "aws ssm put-parameter --name a --value \"$(cat db_password)\"",
            "set -euxo pipefail\ncurl -H @header https://a.example.org/$API_TOKEN",
            "set -o xtrace\ndb_pass=$(pwgen 20 1)",
            "ansible-playbook -i hosts site.yml -e \"database_password=$DATABASE_PASSWORD\"",
            "helm upgrade --install a ./a --set auth.password=\"$DB_PASSWORD\"",
            "docker login registry.example.org -u ci -p \"$REGISTRY_TOKEN\"",
            "cat >.gitlab-ci.yml <<'E'\na:\n  script:\n    - docker login -u a -p \"$CI_REGISTRY_PASSWORD\"\nE",
            "install -m 0644 /dev/stdin /etc/shop-backup.env",
            "chmod 644 ~/.pgpass",
            "echo \"token in use: $API_TOKEN\"",
            "db_pass=$(sed -n 1p db.env)\necho \"database password: ${db_pass}\"",
        ] {
            assert_eq!(said(text), 1, "{text}");
        }
    }

    #[test]
    fn secrets_that_only_their_program_sees_are_fine() {
        for text in [
            "REDISCLI_AUTH=$(cat redis.password) redis-cli ping",
            "mysqldump --defaults-extra-file=backup.cnf -p shop",
            "mysql -u shop -pending",
            "curl -H @<(printf 'PRIVATE-TOKEN: %s' \"$(cat token)\") https://git.example.org",
            "docker run -p 80:80 a:1.2.3",
            "install -m 0600 /dev/stdin /etc/shop-backup.env",
            "install -m 0640 -g shop shop.env /etc/shop.env",
            "chmod 0644 /etc/shop.conf",
            "docker run -e DB_PASSWORD a:1.2.3",
            "env DB_PASSWORD=\"$pw\" ./migrate",
            "helm upgrade a ./a --set auth.existingSecret=\"$name\"",
            "printf 'AUTH %s\\n' \"$(< redis.password)\" | redis-cli",
            "printf \"ALTER ROLE shop PASSWORD '%s';\" \"$pw\" | psql",
            "psql -v pw=x -c \"ALTER ROLE shop PASSWORD :'pw'\"",
            "password=$(cat db_password)",
            "export TOKEN=$(cat token)",
            "docker compose exec -T db sh -c 'mariadb < \"$(cat /run/secrets/name_file)\"'",
            "ssh-keygen -lf \"$(cat token.pub)\"",
            "set -x\necho building",
            "secret_name=shop\necho \"the secret's name: $secret_name\"",
            "db_pass=$(pwgen 20 1)\necho \"password: $db_pass\" > db.env",
            "db_pass=$(pwgen 20 1)\nshow() { echo \"password: $db_pass\"; }\nshow > db.env",
        ] {
            assert_eq!(said(text), 0, "{text}");
        }
    }
}
