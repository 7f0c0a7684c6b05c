//! Checks the script, its proof, and the scripts that it writes, with bash and shellcheck.

use std::io;

use protocol::{Finding, Severity, shellcheck};

use super::{Desk, Kind, Look, finding, number_after, quoted};

/// A shell script: its file in the copy's folder, whom to report findings for, and the offset of its lines.
struct Text<'a> {
    path: String,
    file: Option<&'a str>,
    before: usize,
    /// Whether its first line names its shell.
    says_shell: bool,
}

/// bash reads the script and its proof as two texts, and so do these checks.
pub(super) async fn look_at_script(desk: &Desk, kind: Kind, script: &str) -> io::Result<Vec<Look>> {
    let (first, proof) = protocol::parts(script);
    let mut looks = Vec::new();
    let mut before = 0;
    for (part, name) in [(Some(first), "script.sh"), (proof, "proof.sh")] {
        let Some(part) = part else { continue };
        let path = desk.folder.join(name);
        std::fs::write(&path, part)?;
        let path = path.display().to_string();
        let text = Text { path, file: None, before, says_shell: false };
        looks.push(one(desk, kind, &text).await?);
        // The line between the two belongs to neither.
        before += part.matches('\n').count() + 1;
    }
    Ok(looks)
}

/// A script that is written to a file.
pub(super) async fn look(desk: &Desk, kind: Kind, place: &str) -> io::Result<Look> {
    let path = desk.copy.join(place);
    let says_shell = std::fs::read_to_string(&path)?.starts_with("#!");
    let path = path.display().to_string();
    one(desk, kind, &Text { path, file: Some(place), before: 0, says_shell }).await
}

async fn one(desk: &Desk, kind: Kind, text: &Text<'_>) -> io::Result<Look> {
    let path = quoted(&text.path);
    if kind == Kind::Bash {
        let ran = desk.run("", &format!("bash -n -- {path}"), Vec::new()).await?;
        return Ok(match ran.code {
            Some(code) => Look::Found(of_bash(&ran.stderr, code, text)),
            None => Look::Not(super::LATE),
        });
    }
    let shell = if text.says_shell { "" } else { "--shell=bash " };
    let line = format!("shellcheck {shell}{} -- {path}", shellcheck::ARGUMENTS.join(" "));
    let ran = desk.run("", &line, Vec::new()).await?;
    Ok(match shellcheck::findings(&ran.stdout, text.file, text.before) {
        Some(findings) => Look::Found(findings),
        None => Look::Not("It did not finish in the sandbox."),
    })
}

/// `FILE: line 3: syntax error near unexpected token `fi'`, followed by the line itself in the same form.
fn of_bash(stderr: &str, code: i32, text: &Text) -> Vec<Finding> {
    let mut lines = stderr.lines().filter_map(|line| line.strip_prefix(text.path.as_str()));
    let said = |line: &str, severity| {
        let at = number_after(line, "line ").unwrap_or_default();
        let message = line.split_once(": ").map_or(line, |(_, rest)| rest);
        let message = message.split_once(": ").map_or(message, |(_, rest)| rest);
        finding("bash -n", severity, text.file, at + text.before, message)
    };
    if code != 0 {
        return lines.next().map(|line| said(line, Severity::Error)).into_iter().collect();
    }
    lines
        .filter(|line| line.contains("warning"))
        .map(|line| said(line, Severity::Warning))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(file: Option<&str>) -> Text<'_> {
        Text { path: "/tmp/a/script.sh".into(), file, before: 4, says_shell: false }
    }

    #[test]
    fn an_error_of_bash_has_its_message_and_line() {
        let said = "/tmp/a/script.sh: line 3: syntax error near unexpected token `fi'\n\
                    /tmp/a/script.sh: line 3: `fi'\n";
        let [found] = of_bash(said, 2, &text(Some("deploy.sh"))).try_into().unwrap();
        assert_eq!(found.message, "syntax error near unexpected token `fi'");
        assert_eq!((found.file.as_deref(), found.line), (Some("deploy.sh"), Some(7)));
        let said = "/tmp/a/script.sh: line 2: warning: here-document at line 1 delimited by \
                    end-of-file (wanted `E')\n";
        let [found] = of_bash(said, 0, &text(None)).try_into().unwrap();
        assert!(!found.is_error() && found.message.contains("wanted `E'"), "{found:?}");
    }
}
