//! Runs tools that only read their standard input: if they are installed beside this function, they need no sandbox.
//!
//! Like `bash -n` they parse, run nothing of the script and touch no file: they get an empty environment and the text.
//! Whatever opens files or starts programs (Terraform's validation, Ansible, Compose) runs in the sandbox.

use domain::gate::{Checked, Finding, Severity};
use domain::shellcheck;
use std::process::{Output, Stdio};
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::process::Command;
use tokio::time::timeout;

/// How long one tool may take for one text; they need tenths of a second.
const LOOKING: Duration = Duration::from_secs(5);

/// The most Terraform files that are checked; each takes a start of the program.
const FORMATTED_FILES: usize = 8;

/// The exit code with which `terraform fmt -check` says that it would format the text differently.
const UNFORMATTED: i32 = 3;

/// The most scripts within a script that bash parses; each takes a start of it.
const INNER_SCRIPTS: usize = 24;

/// The findings of the wanted tools that are installed; any other tool is in neither list.
pub(super) async fn check(text: &str, wanted: impl Fn(&str) -> bool) -> Checked {
    let mut said = Checked::default();
    let inner = parsed(text);
    let shell = async { if wanted(shellcheck::NAME) { checked_shell(text).await } else { None } };
    let terraform = async { if wanted("terraform fmt") { formatted(text).await } else { None } };
    let (shell, terraform, inner) = futures::join!(shell, terraform, inner);
    said.findings.extend(inner);
    for (tool, findings) in [(shellcheck::NAME, shell), ("terraform fmt", terraform)] {
        if let Some(findings) = findings {
            said.checked.push(tool.to_owned());
            said.findings.extend(findings);
        }
    }
    said
}

/// Checks the script and its proof separately, because bash runs them as two texts.
async fn checked_shell(text: &str) -> Option<Vec<Finding>> {
    let (script, proof) = domain::script::parts(text);
    let mut found = Vec::new();
    let mut before = 0;
    for part in [Some(script), proof].into_iter().flatten() {
        let arguments = shellcheck::ARGUMENTS.into_iter().chain(["--shell=bash", "-"]);
        let output = run(shellcheck::NAME, &arguments.collect::<Vec<_>>(), part).await?;
        let report = String::from_utf8_lossy(&output.stdout);
        found.extend(shellcheck::findings(&report, None, before)?);
        // The line between them belongs to neither.
        before += part.matches('\n').count() + 1;
    }
    Some(found)
}

/// What bash cannot parse in the scripts that this one hands to other shells or writes.
async fn parsed(text: &str) -> Vec<Finding> {
    let inner = gate::inner_shells(text).into_iter().take(INNER_SCRIPTS);
    let said = inner.map(async |inner| {
        let extended = inner.text.contains("extglob");
        let arguments: &[&str] = if extended { &["-O", "extglob", "-n"] } else { &["-n"] };
        let output = run("bash", arguments, &inner.text).await?;
        let said = String::from_utf8_lossy(&output.stderr);
        // `bash: line 3: syntax error near …`
        let (line, message) = said.lines().next()?.split_once("line ")?.1.split_once(": ")?;
        let line = line.parse::<usize>().ok()? + inner.offset;
        let finding = Finding::new(super::gate::SYNTAX, Severity::Error, message);
        Some(finding.at(inner.file.as_deref(), line))
    });
    futures::future::join_all(said).await.into_iter().flatten().collect()
}

async fn formatted(text: &str) -> Option<Vec<Finding>> {
    let files = gate::written(&gate::bash::read(text));
    let files: Vec<_> =
        files.iter().filter(|file| file.extension() == "tf" && !file.expands).collect();
    if files.is_empty() || files.len() > FORMATTED_FILES {
        return None;
    }
    let mut found = Vec::new();
    for file in files {
        let output = run("terraform", &["fmt", "-check", "-no-color", "-"], &file.text).await?;
        let finding = match output.status.code()? {
            0 => continue,
            UNFORMATTED => {
                let message = "Terraform would lay this file out in another way.";
                Finding::new("terraform fmt", Severity::Warning, message)
            }
            _ => {
                let said = String::from_utf8_lossy(&output.stderr);
                let words: Vec<&str> = said.split_whitespace().collect();
                Finding::new("terraform fmt", Severity::Error, words.join(" "))
            }
        };
        found.push(finding.at(Some(&file.path), 0));
    }
    Some(found)
}

/// Runs a tool over a text; `None` if it is not installed or takes too long.
async fn run(program: &str, arguments: &[&str], text: &str) -> Option<Output> {
    let mut command = Command::new(program);
    command
        .args(arguments)
        .env_clear()
        .env("PATH", settings::var("PATH").ok()?)
        .envs([("LC_ALL", "C.UTF-8"), ("CHECKPOINT_DISABLE", "1"), ("HOME", "/nonexistent")])
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    let mut child = command.spawn().ok()?;
    let mut input = child.stdin.take()?;
    let feed = async {
        // A tool that has found an error does not read the rest.
        let _ = input.write_all(text.as_bytes()).await;
        drop(input);
    };
    let looked = timeout(LOOKING, async { futures::join!(feed, child.wait_with_output()).1 }).await;
    match looked {
        Ok(output) => output.ok(),
        Err(_) => {
            tracing::warn!(program, "a tool took too long to check a script");
            None
        }
    }
}
