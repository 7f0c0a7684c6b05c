//! Tells which variables of a script the programs that it starts can see, and which names come from elsewhere.

use crate::Unit;
use crate::bash::{self, Command};

/// What the names begin with that systemd, cron, Docker, Git and other programs give to the scripts that they run.
const GIVEN: [&str; 30] = [
    "ARM_",
    "AWS_",
    "AZURE_",
    "BORG_",
    "CERTBOT_",
    "CI_",
    "CLOUDFLARE_",
    "CREDENTIALS_",
    "DIGITALOCEAN_",
    "DOCKER_",
    "GIT_",
    "GITHUB_",
    "GOOGLE_",
    "HCLOUD_",
    "KUBE",
    "LISTEN_",
    "MARIADB_",
    "MONITOR_",
    "MYSQL_",
    "PAM_",
    "PG",
    "POSTGRES_",
    "REDIS_",
    "RENEWED_",
    "RESTIC_",
    "SERVICE_",
    "SSH_",
    "SUDO_",
    "SYSTEMD_",
    "VAULT_",
];

/// Whole names that other programs give.
const GIVEN_WHOLE: [&str; 22] = [
    "ACTION",
    "CI",
    "DEBIAN_FRONTEND",
    "DEVNAME",
    "DISPLAY",
    "EDITOR",
    "EXIT_CODE",
    "EXIT_STATUS",
    "IFACE",
    "INTERFACE",
    "INVOCATION_ID",
    "JOURNAL_STREAM",
    "MAIL",
    "MAINPID",
    "MODE",
    "NOTIFY_SOCKET",
    "PAGER",
    "PS1",
    "TMPDIR",
    "TZ",
    "VISUAL",
    "WATCHDOG_USEC",
];

/// Whether a program that the script starts finds a variable of the script in its environment.
pub(in crate::check) fn is_exported(unit: &Unit, name: &str) -> bool {
    let assigns = |word: &str| bash::assignment(word).is_some_and(|(given, _)| given == name);
    let exports = |command: &Command| {
        let argv = command.argv();
        match argv.as_slice() {
            ["export" | "declare" | "typeset", rest @ ..] => {
                let all = argv[0] == "export"
                    || rest.iter().any(|word| word.starts_with("-") && word.contains('x'));
                all && rest.iter().any(|word| *word == name || assigns(word))
            }
            ["set", rest @ ..] => {
                let all = rest.iter().any(|word| ["-a", "allexport", "-ea"].contains(word));
                all && unit.script.assigned.contains_key(name)
            }
            // `NAME=value program`
            [_, ..] => command.words.iter().any(|word| assigns(&word.text)),
            [] => false,
        }
    };
    unit.script.commands.iter().any(exports)
}

/// Whether a name in capitals may come from what starts a script: it is that of another program, or the scripts mention it
/// other than to read it.
pub(super) fn is_given(unit: &Unit, name: &str) -> bool {
    let family = GIVEN.iter().any(|start| name.starts_with(start)) || name.ends_with("_DIRECTORY");
    family
        || GIVEN_WHOLE.contains(&name)
        || unit.texts().any(|text| is_mentioned(text, name) || names_unknown_file(unit, text))
}

/// What names a file with variables for a program.
const FILES: [&str; 5] =
    ["EnvironmentFile=", "env_file:", "--env-file", "--from-env-file", "envFrom:"];

/// Whether a program gets its variables from a file that no script here writes.
fn names_unknown_file(unit: &Unit, text: &str) -> bool {
    let values = FILES.iter().flat_map(|sign| text.split(sign).skip(1));
    let mut values = values.map(|rest| {
        let rest = rest.trim_start_matches(['-', '=', ' ', '"', '\'']);
        rest.split([' ', '\n', '"', '\'']).next().unwrap_or_default()
    });
    values.any(|value| {
        let place = value.trim_start_matches("./");
        place.is_empty() || !unit.written().any(|file| file.path.ends_with(place))
    })
}

fn is_mentioned(text: &str, name: &str) -> bool {
    let edge = |c: char| !c.is_alphanumeric() && c != '_';
    text.match_indices(name).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + name.len()..]);
        let whole = before.ends_with(edge) && (after.is_empty() || after.starts_with(edge));
        whole && !before.ends_with('$') && !before.ends_with("${") && !before.ends_with("${#")
    })
}
