//! Checks playbooks with Ansible; no task runs and no host is contacted.

use std::io;

use protocol::{Finding, Severity};

use super::{Desk, Look, finding, parts, quoted};

const BROKEN: &str = "It did not finish in the sandbox.";
const LACKS: &str = "The playbook needs a file that the check cannot see.";

/// Ansible's messages about things that the copy may lack or that are known only during a run.
const LACKING: [&str; 6] = [
    "was not found",
    "Could not find",
    "Unable to retrieve file",
    "vault",
    "Permission denied",
    "Function not implemented",
];

pub(super) async fn syntax(desk: &Desk, place: &str) -> io::Result<Look> {
    let (folder, name) = parts(place);
    let line = format!("ansible-playbook --syntax-check -i localhost, -- {}", quoted(name));
    let ran = desk.run(folder, &line, Vec::new()).await?;
    let copy = desk.copy.display().to_string();
    Ok(of_syntax(ran.code, &ran.stderr, place, &copy, desk.copied.left_out))
}

/// `ERROR! words` and `The error appears to be in 'FILE': line 3, column 5`, or since ansible-core 2.19
/// `[ERROR]: words` and `Origin: FILE:3:5`.
fn of_syntax(code: Option<i32>, stderr: &str, place: &str, copy: &str, left_out: bool) -> Look {
    if code == Some(0) {
        return Look::Found(Vec::new());
    }
    let mark = stderr
        .lines()
        .find_map(|line| line.strip_prefix("ERROR! ").or_else(|| line.strip_prefix("[ERROR]: ")));
    let Some(message) = mark.filter(|_| code.is_some()) else { return Look::Not(BROKEN) };
    let lacking = LACKING.iter().any(|words| message.contains(words));
    if lacking && left_out && !message.contains("role '") {
        return Look::Not(LACKS);
    }
    let message = message.replace(&format!("{copy}/"), "");
    let (file, line) = origin(stderr, copy).unwrap_or((place.to_owned(), 0));
    // A step may install a collection before it uses it.
    let severity = match message.contains("couldn't resolve module/action") {
        true => Severity::Warning,
        false => Severity::Error,
    };
    let tool = "ansible-playbook --syntax-check";
    Look::Found(vec![finding(tool, severity, Some(&file), line, &message)])
}

fn origin(stderr: &str, copy: &str) -> Option<(String, usize)> {
    stderr.lines().find_map(|line| {
        let (path, line) = match line.strip_prefix("Origin: ") {
            Some(rest) => {
                let mut parts = rest.rsplitn(3, ':');
                let (_, line) = (parts.next()?, parts.next()?);
                (parts.next()?, line.parse().ok()?)
            }
            None => {
                let rest = line.strip_prefix("The error appears to be in '")?;
                let (path, rest) = rest.split_once("': ")?;
                (path, super::number_after(rest, "line ")?)
            }
        };
        Some((path.strip_prefix(copy)?.trim_start_matches('/').to_owned(), line))
    })
}

/// Lints playbooks of one folder.
pub(super) async fn lint(desk: &Desk, places: &[String]) -> io::Result<Look> {
    let folder = places.first().map_or("", |place| parts(place).0);
    let names: Vec<_> = places.iter().map(|place| quoted(parts(place).1)).collect();
    let line = format!("ansible-lint --offline --nocolor -q -f pep8 -- {}", names.join(" "));
    let ran = desk.run(folder, &line, Vec::new()).await?;
    Ok(of_lint(ran.code, &ran.stdout, folder))
}

/// Parses `FILE:3: rule: words`, or with a column after the line.
fn of_lint(code: Option<i32>, stdout: &str, folder: &str) -> Look {
    let said: Vec<Finding> = stdout.lines().filter_map(|line| rule(line, folder)).collect();
    match code {
        Some(0) => Look::Found(Vec::new()),
        Some(2) if !said.is_empty() => Look::Found(said),
        _ => Look::Not(BROKEN),
    }
}

fn rule(line: &str, folder: &str) -> Option<Finding> {
    let (file, rest) = line.split_once(':')?;
    let (number, rest) = rest.split_once(':')?;
    let number: usize = number.parse().ok()?;
    let message = rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == ':').trim();
    let file = match folder {
        "" => file.to_owned(),
        folder => format!("{folder}/{file}"),
    };
    Some(finding("ansible-lint", Severity::Warning, Some(&file), number, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_of_ansibles_error_formats_are_understood() {
        let old = "ERROR! 'tassks' is not a valid attribute for a Play\n\nThe error appears to be in \
                   '/tmp/c/ansible/site.yml': line 3, column 3, but may\nbe elsewhere";
        let new = "[ERROR]: 'tassks' is not a valid attribute for a Play\nOrigin: \
                   /tmp/c/ansible/site.yml:3:3\n\n1 - hosts: all";
        for said in [old, new] {
            let look = of_syntax(Some(4), said, "x", "/tmp/c", true);
            let Look::Found(found) = look else { panic!("{said}") };
            assert_eq!(found[0].file.as_deref(), Some("ansible/site.yml"));
            assert_eq!((found[0].line, found[0].is_error()), (Some(3), true));
        }
    }

    #[test]
    fn a_file_that_was_not_copied_is_not_a_finding() {
        let said = "ERROR! vars file secrets/all.yml was not found\nCould not find file";
        assert_eq!(of_syntax(Some(1), said, "x", "/c", true), Look::Not(LACKS));
        assert!(matches!(of_syntax(Some(1), said, "x", "/c", false), Look::Found(_)));
        let role = "ERROR! the role 'web' was not found in /c/roles";
        assert!(matches!(of_syntax(Some(1), role, "x", "/c", true), Look::Found(_)));
        assert_eq!(of_syntax(None, "", "x", "/c", true), Look::Not(BROKEN));
    }

    #[test]
    fn lint_is_a_warning_at_its_line() {
        let said = "site.yml:4: no-handler: Tasks that run when changed\nsite.yml:9:7: yaml[colons]: Too many";
        let Look::Found(found) = of_lint(Some(2), said, "ansible") else { panic!() };
        assert_eq!((found.len(), found[1].line), (2, Some(9)));
        assert_eq!(found[0].file.as_deref(), Some("ansible/site.yml"));
        assert!(found.iter().all(|found| !found.is_error()));
        assert_eq!(of_lint(Some(3), "", ""), Look::Not(BROKEN));
    }
}
