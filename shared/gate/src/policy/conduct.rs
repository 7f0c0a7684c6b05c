//! Finds commands that would wait for an answer or forever, and commands whose failure is lost.

mod asks;

use crate::bash::{Command, Piece, Script, Sign};
use crate::check::error;
use crate::work::{is_fed, is_work};
use crate::{POLICY, Shell, Unit};
use domain::gate::Finding;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    if unit.context.check {
        return;
    }
    for shell in unit.everywhere() {
        for (at, command) in shell.script.commands.iter().enumerate() {
            let found = [
                asks::unanswered(command, is_fed(&shell.script, at)),
                follows(&shell.script, at, command),
                detaches(&shell.script, at, command),
            ];
            let line = command.line + shell.offset;
            let told = found.into_iter().flatten();
            findings.extend(told.map(|said| error(POLICY, said).at(shell.file.as_deref(), line)));
        }
        hidden(shell, findings);
    }
}

/// What comes after a command.
pub(super) fn sign_after(script: &Script, command: usize) -> Option<Sign> {
    let at = script.pieces.iter().position(|piece| *piece == Piece::Command(command))?;
    match script.pieces.get(at + 1)? {
        Piece::Sign(sign) => Some(*sign),
        _ => None,
    }
}

/// Whether a command, or the parenthesis that ends with it, runs in the background.
fn in_background(script: &Script, command: usize) -> bool {
    let at = script.pieces.iter().position(|piece| *piece == Piece::Command(command));
    let after = script.pieces.iter().skip(at.map_or(usize::MAX, |at| at + 1));
    let mut signs = after.skip_while(|piece| **piece == Piece::Sign(Sign::Close));
    signs.next() == Some(&Piece::Sign(Sign::Background))
}

/// Whether a command never ends on its own.
fn follows(script: &Script, at: usize, command: &Command) -> Option<String> {
    let limited = command.words.iter().any(|word| word.text == "timeout");
    let sign = sign_after(script, at);
    if limited || matches!(sign, Some(Sign::Background | Sign::Pipe)) {
        return None;
    }
    let argv = command.argv();
    let (program, rest) = argv.split_first()?;
    let has = |words: &[&str]| rest.iter().any(|word| words.contains(word));
    let follow = has(&["-f", "--follow"]);
    let endless = match *program {
        "docker" | "docker-compose" | "podman" => {
            let compose = *program == "docker-compose" || rest.first() == Some(&"compose");
            let detached = ["-d", "--detach", "--wait", "--no-start", "--abort-on-container-exit"];
            let exit = rest.iter().any(|word| word.starts_with("--exit-code-from"));
            let up = compose && rest.contains(&"up") && !has(&detached) && !exit;
            let up = up && !has(&["--help", "--dry-run"]);
            // `-f` names a file before the subcommand.
            let logs = rest.iter().position(|word| *word == "logs");
            let logs = logs
                .is_some_and(|at| rest[at..].iter().any(|word| ["-f", "--follow"].contains(word)));
            up || logs
        }
        "kubectl" => {
            let verb = rest.contains(&"logs") && follow;
            verb || rest.contains(&"port-forward") || rest.contains(&"proxy")
        }
        "journalctl" => follow || has(&["-fu"]),
        "tail" => has(&["-f", "-F", "--follow"]) && !rest.iter().any(|w| w.starts_with("--pid")),
        "watch" => true,
        _ => false,
    };
    endless
        .then(|| format!("`{program}` does not end on its own here, so the step would never end."))
}

/// Whether a command keeps running after its script ends, with the script's output open.
fn detaches(script: &Script, at: usize, command: &Command) -> Option<String> {
    if !in_background(script, at) {
        return None;
    }
    let own = script.commands.iter().any(|other| {
        // `kill -0` only asks whether the process is there.
        let argv = other.argv();
        let first = argv.first().copied().unwrap_or_default();
        // `wait` without the number of a job succeeds whatever the jobs did.
        let waits = first == "wait" && argv.len() > 1;
        waits || (["disown", "kill", "trap"].contains(&first) && argv.get(1) != Some(&"-0"))
    });
    let detached = command.words.iter().any(|word| {
        ["setsid", "nohup", "systemd-run", "}", "done", "fi"].contains(&word.text.as_str())
    });
    // A later command may ask whether what was detached works.
    let asked = script.commands.iter().skip(at + 1).any(|later| {
        later.program().is_some_and(|program| !["echo", "printf", "true", ":"].contains(&program))
    });
    let starts = command.words.iter().any(|word| word.text == "nohup");
    let detached = detached && (asked || !starts);
    let program = command.program()?;
    (!own && !detached).then(|| {
        format!(
            "`{program}` stays in the background, and its failure is lost: make it a service, \
        or `wait` for its process ID."
        )
    })
}

/// Work whose failure is lost: `work || true`, `set +e`.
fn hidden(shell: &Shell, findings: &mut Vec<Finding>) {
    let script = &shell.script;
    let mut tell = |line: usize, said: String| {
        findings.push(error(POLICY, said).at(shell.file.as_deref(), line + shell.offset));
    };
    for pieces in script.pieces.windows(3) {
        let [Piece::Command(work), Piece::Sign(Sign::Or), Piece::Command(other)] = pieces else {
            continue;
        };
        let [work, other] = [work, other].map(|at| script.commands.get(*at));
        let (Some(work), Some(other)) = (work, other) else { continue };
        let after =
            sign_after(script, script.commands.iter().position(|c| c == other).unwrap_or(0));
        let ends = !matches!(after, Some(Sign::And | Sign::Or));
        let argv = work.argv();
        let Some(program) = argv.first() else { continue };
        let from = script.commands.iter().position(|command| command == work).unwrap_or(0);
        let works = is_work(work, is_fed(script, from));
        if is_test(&argv) && is_reload(&other.argv()) && !condition_of(work) {
            tell(
                work.line,
                format!(
                    "`{program}` is reloaded only if it refuses its settings: join the two with `&&`."
                ),
            );
        }
        let passes = matches!(other.program(), Some("true" | ":" | "echo" | "printf"));
        if works && passes && ends && !condition_of(work) {
            let said = format!(
                "If `{program}` fails here, the step continues as if it had worked: let it fail."
            );
            tell(work.line, said);
        }
    }
    let sets = |command: &Command, sign: char| match command.argv().as_slice() {
        ["set", flag, ..] => flag.starts_with(sign) && flag.contains('e'),
        _ => false,
    };
    let last = |sign: char| script.commands.iter().rposition(|command| sets(command, sign));
    if let Some(off) = last('+')
        && last('-').is_none_or(|on| on < off)
        && let Some(command) = script.commands.get(off)
    {
        tell(
            command.line,
            "After `set +e`, no failure ends the step: write `set -e` again.".to_owned(),
        );
    }
}

/// Whether a command's success decides what is done next, or is reversed.
fn condition_of(command: &Command) -> bool {
    command
        .words
        .first()
        .is_some_and(|word| ["if", "elif", "while", "until", "!"].contains(&word.text.as_str()))
}

/// A command with which a program tests its settings.
fn is_test(argv: &[&str]) -> bool {
    matches!(
        argv,
        ["nginx" | "sshd" | "apachectl" | "apache2ctl" | "httpd", "-t" | "configtest", ..]
            | ["haproxy", "-c", ..]
            | ["caddy", "validate", ..]
            | ["visudo", "-c" | "-cf", ..]
            | ["named-checkconf" | "testparm", ..]
    )
}

fn is_reload(argv: &[&str]) -> bool {
    matches!(
        argv,
        ["systemctl", "reload" | "restart" | "reload-or-restart", ..]
            | ["nginx", "-s", "reload"]
            | ["service", _, "reload" | "restart"]
    )
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_failure_is_not_lost() {
        let said = |text: &str| crate::testing::said(super::examine, text).len();
        for text in [
            "gunzip -c a.sql.gz | psql shop || echo 'some rows were skipped'\n",
            "psql shop -f a.sql || true\n",
            "rsync -a /srv/a/ web:/srv/a/ || true\n",
            "rsync -a /srv/a/ web:/srv/a/ &\nwait\n",
            "nohup npm run reindex >a.log 2>&1 &\necho started\n",
        ] {
            assert_eq!(said(text), 1, "{text}");
        }
        for text in [
            "psql -c 'CREATE ROLE shop' || true\n",
            "if ! rsync -a a b; then echo no; exit 1; fi\n",
            "rsync -a a b &\nwait \"$!\"\n",
            "nohup ./serve >a.log 2>&1 &\nsleep 2\ncurl -fsS http://127.0.0.1:8080/\n",
            "ssh-keygen -lf scan | awk '{print $2}'\n",
        ] {
            assert_eq!(said(text), 0, "{text}");
        }
    }
}
