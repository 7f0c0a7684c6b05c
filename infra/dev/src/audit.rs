//! Known vulnerabilities in npm packages.

use crate::web;
use anyhow::{Context, Result, bail};
use std::path::Path;

/// npm's message if the registry does not answer; its exit code is then the same as for a finding.
const NO_ANSWER: &str = "audit endpoint returned an error";

/// Asks npm's registry for advisories of severity high or critical. If the registry does not support audits, as many
/// mirrors do not, one line says so and the check does not fail.
pub fn npm(folder: &Path, project: &str) -> Result<()> {
    let mut npm = web::npm(folder);
    npm.args(["audit", "--audit-level=high"]);
    let output = npm.output().context("cannot run npm")?;
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text);
    match judge(output.status.success(), &text) {
        Verdict::Clean => println!("npm audit: {project} has no known vulnerability"),
        Verdict::NoAnswer => {
            println!("npm audit: the registry does not support audits; {project} was not audited")
        }
        Verdict::Found => bail!("npm audit, {project}:\n{text}"),
    }
    Ok(())
}

#[derive(Debug, PartialEq, Eq)]
enum Verdict {
    Clean,
    NoAnswer,
    Found,
}

fn judge(success: bool, text: &str) -> Verdict {
    match success {
        true => Verdict::Clean,
        false if text.contains(NO_ANSWER) => Verdict::NoAnswer,
        false => Verdict::Found,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_registry_without_audits_is_not_a_finding() {
        let mirror =
            "npm warn audit 405 Method Not Allowed\nnpm error audit endpoint returned an error\n";
        assert_eq!(judge(false, mirror), Verdict::NoAnswer);
        assert_eq!(judge(false, "1 high severity vulnerability"), Verdict::Found);
        assert_eq!(judge(true, "found 0 vulnerabilities"), Verdict::Clean);
    }
}
