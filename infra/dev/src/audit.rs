//! Known vulnerabilities in npm packages and crates.

use crate::web;
use anyhow::{Context, Result, bail};
use std::path::Path;
use std::process::Command;

/// npm's message if the registry does not answer; its exit code is then the same as for a finding.
const NO_ANSWER: &str = "audit endpoint returned an error";
/// cargo-deny's message if the advisory database cannot be fetched; its exit code is then the same as for a finding.
const NO_DATABASE: &str = "failed to fetch advisory database";

/// Asks npm's registry for advisories of severity high or critical. If the registry does not support audits, as many
/// mirrors do not, one line says so and the check does not fail.
pub fn npm(folder: &Path, project: &str) -> Result<()> {
    let mut npm = web::npm(folder);
    npm.args(["audit", "--audit-level=high"]);
    let output = npm.output().context("cannot run npm")?;
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text);
    match judge(output.status.success(), &text, NO_ANSWER) {
        Verdict::Clean => println!("npm audit: {project} has no known vulnerability"),
        Verdict::NoAnswer => {
            println!("npm audit: the registry does not support audits; {project} was not audited")
        }
        Verdict::Found => bail!("npm audit, {project}:\n{text}"),
    }
    Ok(())
}

/// Compares every crate with the advisory database, by means of cargo-deny. If the database cannot be fetched, one line
/// says so and the check does not fail.
pub fn crates(mut deny: Command) -> Result<()> {
    deny.args(["check", "advisories"]);
    let output = deny.output().context("cannot run cargo-deny")?;
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text);
    match judge(output.status.success(), &text, NO_DATABASE) {
        Verdict::Clean => println!("cargo-deny: no crate has an advisory"),
        Verdict::NoAnswer => {
            println!(
                "cargo-deny: cannot fetch the advisory database; no crate was compared with it"
            )
        }
        Verdict::Found => bail!("cargo-deny, advisories:\n{text}"),
    }
    Ok(())
}

#[derive(Debug, PartialEq, Eq)]
enum Verdict {
    Clean,
    NoAnswer,
    Found,
}

fn judge(success: bool, text: &str, no_answer: &str) -> Verdict {
    match success {
        true => Verdict::Clean,
        false if text.contains(no_answer) => Verdict::NoAnswer,
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
        assert_eq!(judge(false, mirror, NO_ANSWER), Verdict::NoAnswer);
        assert_eq!(judge(false, "1 high severity vulnerability", NO_ANSWER), Verdict::Found);
        assert_eq!(judge(true, "found 0 vulnerabilities", NO_ANSWER), Verdict::Clean);
    }
    #[test]
    fn a_database_that_cannot_be_fetched_is_not_a_finding() {
        let offline = "[ERROR] failed to fetch advisory database https://example.org with cli: failed to clone";
        assert_eq!(judge(false, offline, NO_DATABASE), Verdict::NoAnswer);
        assert_eq!(judge(false, "error[vulnerability]: a crash", NO_DATABASE), Verdict::Found);
        assert_eq!(judge(true, "advisories ok", NO_DATABASE), Verdict::Clean);
    }
}
