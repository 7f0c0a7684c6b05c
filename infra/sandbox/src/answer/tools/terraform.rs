//! Checks the Terraform files of a folder; nothing is downloaded and no backend is contacted.
//!
//! `terraform validate` evaluates functions and starts the providers in the workspace, where any earlier command or an
//! import may have put another program in their place. So it works on a copy without any secret: functions and providers
//! could spell what they see into a finding.
//!
//! # Which providers start
//!
//! A provider starts if the lock file *of the workspace* has its checksum, which Terraform compares. A lock file that the
//! script under check would write does not count ([`scratch`](crate::answer::scratch)), because that script is not approved
//! yet. A command that replaces both the program and the lock file had an approval, and runs as the same user as
//! `terraform init`, so no record kept here could tell the two apart. So a started program must not be able to reach
//! anything that matters: it sees what a page of documentation sees ([`manuals`](crate::answer::manuals)), and the copy. It
//! has no network, no credential, no other process and nowhere to write except the folder of this check, and it ends with
//! the check. `tests/planted.rs` plants a program that tries to break out.
//!
//! Not starting providers at all would cost the only check of arguments against their schemas.

use std::fs;
use std::io;
use std::path::PathBuf;

use protocol::{Finding, Severity};
use serde::Deserialize;

use super::{Desk, Look, finding, parts, quoted};
use crate::answer::scratch::Copied;

/// The exit code with which `terraform fmt -check` reports that it would reformat a text.
const UNFORMATTED: i32 = 3;

const NO_PROVIDERS: &str = "Its providers or modules are not installed in the sandbox yet.";
const WITHHELD: &str = "One of its files contains what looks like a secret, which the workspace's providers must not see.";
const LACKS: &str = "The configuration reads a file that the check cannot see.";
const BROKEN: &str = "It did not finish in the sandbox.";

/// Terraform's complaints about a folder that has not been initialized; the files may be right.
const NOT_INITIALISED: [&str; 9] = [
    "Missing required provider",
    "Inconsistent dependency lock file",
    "Required plugins are not installed",
    "Failed to load plugin schemas",
    "Failed to read any lines from plugin's stdout",
    "Failed to obtain provider schema",
    "Failed to instantiate provider",
    "Module not installed",
    "Unreadable module directory",
];

pub(super) async fn format(desk: &Desk, place: &str) -> io::Result<Look> {
    let (folder, name) = parts(place);
    let line = format!("terraform fmt -check -no-color -list=false -- {}", quoted(name));
    let ran = desk.run(folder, &line, Vec::new()).await?;
    Ok(of_format(ran.code, &ran.stderr, place))
}

fn of_format(code: Option<i32>, stderr: &str, place: &str) -> Look {
    let found = |severity, message: &str| {
        Look::Found(vec![finding("terraform fmt", severity, Some(place), 0, message)])
    };
    match code {
        Some(0) => Look::Found(Vec::new()),
        Some(UNFORMATTED) => {
            found(Severity::Warning, "Terraform would lay this file out in another way.")
        }
        Some(1 | 2) if stderr.contains("Error: ") => found(Severity::Error, stderr),
        _ => Look::Not(BROKEN),
    }
}

pub(super) async fn validate(desk: &Desk, place: &str) -> io::Result<Look> {
    let Installed { programs, withheld } = installed(desk, place)?;
    if withheld || desk.copied.withheld {
        return Ok(Look::Not(WITHHELD));
    }
    let ran = desk.run(place, "terraform validate -json", programs).await?;
    Ok(of_validate(&ran.stdout, place, desk.copied.left_out))
}

struct Installed {
    /// The providers' folder in the workspace.
    programs: Vec<PathBuf>,
    withheld: bool,
}

/// Makes visible what an approved step has installed for a folder, but never through a link: its providers in place, and a
/// copy of its modules, which are configurations like those of the workspace.
fn installed(desk: &Desk, place: &str) -> io::Result<Installed> {
    let (real, copy) = (desk.workspace.join(place), desk.copy.join(place).join(".terraform"));
    let is_folder = |path: &PathBuf| path.symlink_metadata().is_ok_and(|found| found.is_dir());
    let part = |name: &str| {
        let folder = real.join(".terraform").join(name);
        let all = [real.clone(), real.join(".terraform"), folder.clone()];
        all.iter().all(is_folder).then_some(folder)
    };
    let mut installed = Installed { programs: Vec::new(), withheld: false };
    if let Some(folder) = part("modules") {
        fs::create_dir_all(copy.join("modules"))?;
        let mut copied = Copied::default();
        copied.add(&folder, &copy.join("modules"), desk.marks.as_ref())?;
        installed.withheld = copied.withheld;
    }
    if let Some(folder) = part("providers") {
        fs::create_dir_all(&copy)?;
        std::os::unix::fs::symlink(&folder, copy.join("providers"))?;
        installed.programs.push(folder);
    }
    Ok(installed)
}

#[derive(Deserialize)]
struct Report {
    diagnostics: Vec<Diagnostic>,
}

#[derive(Deserialize)]
struct Diagnostic {
    severity: String,
    summary: String,
    #[serde(default)]
    detail: String,
    range: Option<Range>,
}

#[derive(Deserialize)]
struct Range {
    filename: String,
    start: Start,
}

#[derive(Deserialize)]
struct Start {
    line: usize,
}

/// `left_out` is whether files are missing that a configuration may read.
fn of_validate(stdout: &str, place: &str, left_out: bool) -> Look {
    let Ok(report) = serde_json::from_str::<Report>(stdout) else { return Look::Not(BROKEN) };
    let uninstalled = |said: &Diagnostic| {
        NOT_INITIALISED
            .iter()
            .any(|words| said.summary.contains(words) || said.detail.contains(words))
    };
    let lacks = |said: &Diagnostic| left_out && said.detail.contains("no file exists at");
    let (lacking, said): (Vec<_>, Vec<_>) = report.diagnostics.into_iter().partition(lacks);
    let (missing, said): (Vec<_>, Vec<_>) = said.into_iter().partition(uninstalled);
    let found: Vec<Finding> = said.iter().map(|said| found(said, place)).collect();
    // Terraform stops at the first error of this kind: the findings so far are right but incomplete.
    match (missing.is_empty(), lacking.is_empty()) {
        (true, true) => Look::Found(found),
        _ if !found.is_empty() => Look::Found(found),
        (false, _) => Look::Not(NO_PROVIDERS),
        (true, false) => Look::Not(LACKS),
    }
}

fn found(said: &Diagnostic, place: &str) -> Finding {
    let severity = match said.severity.as_str() {
        "error" => Severity::Error,
        _ => Severity::Warning,
    };
    let file = said.range.as_ref().map(|range| match place {
        "" => range.filename.clone(),
        folder => format!("{folder}/{}", range.filename),
    });
    let line = said.range.as_ref().map_or(0, |range| range.start.line);
    let message = format!("{}. {}", said.summary, said.detail);
    let file = file.as_deref().or(Some(place).filter(|place| !place.is_empty()));
    finding("terraform validate", severity, file, line, &message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_has_its_file_and_line() {
        let said = r#"{"format_version":"1.0","valid":false,"diagnostics":[{"severity":"error",
            "summary":"Reference to undeclared input variable","detail":"An input variable \"c\"",
            "range":{"filename":"main.tf","start":{"line":2,"column":22,"byte":52},
            "end":{"line":2,"column":27,"byte":57}}}]}"#;
        let Look::Found(found) = of_validate(said, "terraform", false) else { panic!() };
        assert_eq!((found[0].file.as_deref(), found[0].line), (Some("terraform/main.tf"), Some(2)));
        assert!(found[0].is_error());
    }

    #[test]
    fn what_is_not_installed_is_not_checked() {
        let said = r#"{"diagnostics":[{"severity":"error","summary":"Missing required provider",
            "detail":"This configuration requires provider registry.terraform.io/hashicorp/aws"}]}"#;
        assert_eq!(of_validate(said, "", false), Look::Not(NO_PROVIDERS));
        assert_eq!(of_validate("", "", false), Look::Not(BROKEN));
        let lacks = r#"{"diagnostics":[{"severity":"error","summary":"Invalid function argument",
            "detail":"Invalid value for \"path\" parameter: no file exists at \"a.txt\""}]}"#;
        assert_eq!(of_validate(lacks, "", true), Look::Not(LACKS));
        assert!(matches!(of_validate(lacks, "", false), Look::Found(found) if found.len() == 1));
        assert_eq!(of_validate(r#"{"diagnostics":[]}"#, "", false), Look::Found(vec![]));
    }

    #[test]
    fn formatting_is_a_warning_and_a_failing_program_is_not_a_finding() {
        let look = |code, stderr| match of_format(code, stderr, "a.tf") {
            Look::Found(found) => found.first().map(Finding::is_error),
            Look::Not(_) => Some(false),
        };
        assert_eq!(look(Some(0), ""), None);
        assert_eq!(look(Some(3), ""), Some(false));
        assert_eq!(look(Some(2), "Error: Invalid character"), Some(true));
        assert_eq!(of_format(Some(2), "cannot allocate", "a.tf"), Look::Not(BROKEN));
    }
}
