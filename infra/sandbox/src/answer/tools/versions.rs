//! Finds out which tools are installed, and in which version.

use std::io;
use std::path::Path;

use super::Desk;
use crate::tools;

const MISSING: &str = "It is not installed in the sandbox.";
const BROKEN: &str = "It does not start in the sandbox's confinement.";

/// The version of a program, or why it cannot be used.
pub(super) async fn of(desk: &Desk, program: &str) -> io::Result<Result<String, &'static str>> {
    if let Some(version) = listed(program) {
        return Ok(Ok(version));
    }
    let name = program.split(' ').next().unwrap_or(program);
    if !crate::reader::folders().any(|folder| Path::new(folder).join(name).exists()) {
        return Ok(Err(MISSING));
    }
    let asked = match program {
        "terraform" | "docker compose" => format!("{program} version"),
        "nginx" => "nginx -v".to_owned(),
        _ => format!("{program} --version"),
    };
    let ran = desk.run("", &format!("{asked} 2>&1"), Vec::new()).await?;
    Ok(match ran.code {
        Some(0) => Ok(version_in(&ran.stdout).unwrap_or_default()),
        // A missing part of a program: `docker` without Compose.
        _ if name != program => Err(MISSING),
        _ => Err(BROKEN),
    })
}

/// The version that the image's list has, which saves starting the program.
fn listed(program: &str) -> Option<String> {
    let name = match program {
        "ansible-playbook" => "ansible-core",
        name => name,
    };
    let tools = tools::listed()?.tools;
    tools.into_iter().find(|tool| tool.name == name).map(|tool| tool.version)
}

/// The first thing in a text that looks like a version.
fn version_in(text: &str) -> Option<String> {
    let part = |word: &str| {
        let word = word.trim_start_matches(|c: char| !c.is_ascii_digit());
        let end = word.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(word.len());
        let word = word[..end].trim_end_matches('.');
        word.contains('.').then(|| word.to_owned())
    };
    text.split_whitespace().find_map(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_found_in_the_output_of_programs() {
        for (said, version) in [
            ("GNU bash, version 5.2.37(1)-release (x86_64-pc-linux-gnu)", "5.2.37"),
            ("ShellCheck - shell script analysis tool\nversion: 0.10.0\n", "0.10.0"),
            ("Terraform v1.11.4\non linux_amd64", "1.11.4"),
            ("ansible-playbook [core 2.19.0]\n  config file = None", "2.19.0"),
            ("Docker Compose version v2.26.1-4", "2.26.1"),
            ("nginx version: nginx/1.26.3", "1.26.3"),
        ] {
            assert_eq!(version_in(said).as_deref(), Some(version));
        }
    }
}
