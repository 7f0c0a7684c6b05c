//! Commands that change something or judge what was changed: their failure is the failure of the step.

use crate::bash::{Command, Piece, Script, Sign};

/// Whether the step has failed if a command fails; `fed`: a pipe leads to it.
pub(crate) fn is_work(command: &Command, fed: bool) -> bool {
    let argv = command.argv();
    let Some((program, rest)) = argv.split_first() else { return false };
    // `nginx -t` tests settings, and `docker stop -t 5` waits.
    let works_with =
        |word: &&str| WORKS.contains(word) && !(*program == "docker" && word.starts_with('-'));
    *program == "ansible-playbook"
        || loads(command, fed)
        || judges(&argv)
        || (WORKERS.contains(program) && rest.iter().take(6).any(works_with))
}

/// Whether a pipe leads to a command.
pub(crate) fn is_fed(script: &Script, command: usize) -> bool {
    let at = script.pieces.iter().position(|piece| *piece == Piece::Command(command));
    let before = at.and_then(|at| script.pieces.get(at.checked_sub(1)?));
    before == Some(&Piece::Sign(Sign::Pipe))
}

/// Programs whose failure is the failure of the step.
const WORKERS: [&str; 14] = [
    "ansible-playbook",
    "apt",
    "apt-get",
    "composer",
    "docker",
    "docker-compose",
    "haproxy",
    "helm",
    "kubectl",
    "nginx",
    "npm",
    "pip",
    "systemctl",
    "terraform",
];

/// Their words that change something or judge what was changed.
const WORKS: [&str; 17] = [
    "-c", "-t", "apply", "build", "ci", "enable", "init", "install", "plan", "push", "reload",
    "restart", "start", "up", "update", "upgrade", "validate",
];

/// Other programs whose failure is the failure of the step, with the words that change or judge something.
const OTHERS: [(&str, &[&str]); 21] = [
    ("b2sum", &["-c", "--check"]),
    ("caddy", &["reload", "validate"]),
    ("certbot", &["certonly", "renew", "run"]),
    ("cosign", &["verify", "verify-blob"]),
    ("gpg", &["--verify"]),
    ("gpgv", &[]),
    ("mount", &["-a", "--all"]),
    ("named-checkconf", &[]),
    ("netplan", &["apply", "generate", "try"]),
    ("nft", &["-f", "--file"]),
    ("pg_dump", &[]),
    ("promtool", &["check"]),
    ("restic", &["backup", "check"]),
    ("sha1sum", &["-c", "--check"]),
    ("sha256sum", &["-c", "--check"]),
    ("sha512sum", &["-c", "--check"]),
    ("sshd", &["-t"]),
    ("sysctl", &["--load", "--system", "-f", "-p"]),
    ("systemd-analyze", &["verify"]),
    ("update-grub", &[]),
    ("visudo", &["-c", "-cf"]),
];

fn judges(argv: &[&str]) -> bool {
    let Some((program, rest)) = argv.split_first() else { return false };
    let known = OTHERS.iter().find(|(name, _)| name == program);
    known.is_some_and(|(_, words)| {
        let given = |word: &&str| words.contains(&word.split('=').next().unwrap_or(word));
        words.is_empty() || rest.iter().any(given)
    })
}

/// Whether a command brings data from elsewhere: without an error, a part of them is lost.
fn loads(command: &Command, fed: bool) -> bool {
    let argv = command.argv();
    let named = argv.iter().any(|word| word.starts_with("-f") || word.starts_with("--file"));
    let given = fed || named || !command.reads.is_empty() || !command.heredocs.is_empty();
    match argv.first() {
        Some(&("mongorestore" | "pg_restore" | "rsync")) => true,
        Some(&("mariadb" | "mysql" | "psql")) => given,
        _ => false,
    }
}
