//! Checks a script with bash's own parser, which runs nothing of it.

use crate::error::AgentError;
use crate::tools::try_again;
use domain::report::Chain;
use std::process::Stdio;
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::process::Command;
use tokio::time::timeout;

/// How long the parser may take; it needs milliseconds.
const PARSING: Duration = Duration::from_secs(5);
/// The most characters of the parser's complaint that are repeated.
const COMPLAINT_CHARS: usize = 600;

/// Reports to the model what bash cannot parse. Without bash on this machine it accepts every script, because the
/// sandbox parses a script again before it runs any of it.
pub(super) async fn check(what: &str, script: &str) -> Result<(), AgentError> {
    let complaint = match timeout(PARSING, parse(script)).await {
        Ok(Ok(complaint)) => complaint,
        Ok(Err(error)) => {
            tracing::error!(error = %Chain(&error), "a script was not parsed: bash cannot be started");
            return Ok(());
        }
        Err(_) => {
            tracing::error!("a script was not parsed: bash takes too long");
            return Ok(());
        }
    };
    if complaint.is_empty() {
        return Ok(());
    }
    let complaint: String = complaint.chars().take(COMPLAINT_CHARS).collect();
    Err(try_again(format!("`{what}` is not valid bash. `bash -n` says:\n{complaint}")))
}

/// The output of `bash -n`. Bash only warns about a here-document without its end, but here it is an error, too.
async fn parse(script: &str) -> std::io::Result<String> {
    let mut bash = Command::new("bash");
    if script.contains("extglob") {
        // The parser runs no `shopt`, so it gets the option that changes the grammar here.
        bash.args(["-O", "extglob"]);
    }
    let mut bash = bash
        .arg("-n")
        .env_clear()
        .env("LC_ALL", "C")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()?;
    if let Some(mut input) = bash.stdin.take() {
        // A parser that has found an error does not read the rest.
        let _ = input.write_all(script.as_bytes()).await;
    }
    let said = bash.wait_with_output().await?;
    Ok(String::from_utf8_lossy(&said.stderr).trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_syntax_error_is_reported_with_its_line() {
        let error = check("script", "echo a\nif true; then\n").await.unwrap_err().to_string();
        assert!(error.contains("`script`") && error.contains("line 3"), "{error}");
        let error = check("proof", "cat <<EOF\nx\n").await.unwrap_err().to_string();
        assert!(error.contains("here-document"), "{error}");
        let extended = "shopt -s extglob\ncase a in a!(x)c) echo ;; esac\n";
        for good in ["echo a\n", "cat <<'EOF'\nif\nEOF\n", extended] {
            check("script", good).await.unwrap();
        }
    }

    #[tokio::test]
    async fn the_check_runs_no_part_of_the_script() {
        let folder = std::env::temp_dir().join(format!("parsed-{}", std::process::id()));
        let script = format!("touch {0}\n$(touch {0})\n", folder.display());
        check("script", &script).await.unwrap();
        assert!(!folder.exists());
    }
}
