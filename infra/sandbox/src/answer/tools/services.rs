//! Checks configurations of Compose, Prometheus and nginx with the programs themselves; no service is started.

use std::io;

use protocol::Severity;

use super::{Desk, Look, finding, number_after, parts, quoted};

const BROKEN: &str = "It did not finish in the sandbox.";
const VALUES: &str = "The file needs values or files that exist only when the step runs.";

/// Compose's messages about values and files that exist only when the step runs.
const FILLED_IN: [&str; 6] = [
    "is missing a value",
    "is not set",
    "env file",
    "no such file or directory",
    "permission denied",
    "function not implemented",
];

pub(super) async fn compose(desk: &Desk, place: &str) -> io::Result<Look> {
    let (folder, name) = parts(place);
    let line = format!("docker compose -f {} config --quiet", quoted(name));
    let ran = desk.run(folder, &line, Vec::new()).await?;
    let copy = format!("{}/", desk.copy.display());
    Ok(of_compose(ran.code, &ran.stderr.replace(&copy, ""), place))
}

fn of_compose(code: Option<i32>, stderr: &str, place: &str) -> Look {
    // Warnings about variables come first.
    let said =
        stderr.lines().rfind(|line| !line.trim().is_empty() && !line.contains("level=warning"));
    match (code, said) {
        (Some(0), _) => Look::Found(Vec::new()),
        (Some(_), Some(said)) => {
            let lower = said.to_lowercase();
            if FILLED_IN.iter().any(|words| lower.contains(words)) {
                return Look::Not(VALUES);
            }
            let line = number_after(said, "line ").unwrap_or_default();
            let tool = "docker compose config";
            Look::Found(vec![finding(tool, Severity::Error, Some(place), line, said)])
        }
        _ => Look::Not(BROKEN),
    }
}

pub(super) async fn promtool(desk: &Desk, place: &str) -> io::Result<Look> {
    let (folder, name) = parts(place);
    let text = std::fs::read_to_string(desk.copy.join(place))?;
    let what = match text.lines().any(|line| line.starts_with("groups:")) {
        true => "rules",
        // Files that it names may come from elsewhere.
        false => "config --syntax-only",
    };
    let line = format!("promtool check {what} {} 2>&1", quoted(name));
    let ran = desk.run(folder, &line, Vec::new()).await?;
    Ok(of_promtool(ran.code, &ran.stdout, place))
}

fn of_promtool(code: Option<i32>, said: &str, place: &str) -> Look {
    let words = said.split_once("FAILED:").map(|(_, rest)| rest.trim());
    match (code, words) {
        (Some(0), _) => Look::Found(Vec::new()),
        (Some(_), Some(words)) => {
            let line = number_after(words, "line ").unwrap_or_default();
            Look::Found(vec![finding("promtool", Severity::Error, Some(place), line, words)])
        }
        _ => Look::Not(BROKEN),
    }
}

/// nginx's messages about the file itself rather than about hosts, keys and folders that are elsewhere.
const UNREADABLE: [&str; 5] = [
    "unknown directive",
    "unexpected",
    "invalid number of arguments",
    "directive is not allowed here",
    "is not terminated by",
];

pub(super) async fn nginx(desk: &Desk, place: &str) -> io::Result<Look> {
    let path = desk.copy.join(place).display().to_string();
    let line = format!("nginx -t -e stderr -p {} -c {} 2>&1", quoted("."), quoted(&path));
    let ran = desk.run("", &line, Vec::new()).await?;
    Ok(of_nginx(ran.code, &ran.stdout, &path, place))
}

fn of_nginx(code: Option<i32>, said: &str, path: &str, place: &str) -> Look {
    if code == Some(0) || said.contains("syntax is ok") {
        return Look::Found(Vec::new());
    }
    let complaint = said.lines().find(|line| UNREADABLE.iter().any(|words| line.contains(words)));
    let Some((words, at)) = complaint.and_then(|line| line.rsplit_once(" in ")) else {
        return Look::Not(VALUES);
    };
    let words = words.split_once("] ").map_or(words, |(_, words)| words);
    let line = number_after(at, &format!("{path}:")).unwrap_or_default();
    Look::Found(vec![finding("nginx -t", Severity::Error, Some(place), line, words)])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn only(look: Look) -> (Option<u32>, String) {
        let Look::Found(found) = look else { panic!("{look:?}") };
        let [found] = found.as_slice() else { panic!("{found:?}") };
        (found.line, found.message.clone())
    }

    #[test]
    fn values_that_compose_gets_during_the_step_are_not_findings() {
        let said = "time=\"2026-11-01\" level=warning msg=\"The \\\"A\\\" variable is not set.\"\n\
                    yaml: line 4: did not find expected key\n";
        assert_eq!(only(of_compose(Some(1), said, "compose.yaml")).0, Some(4));
        let said = "error while interpolating services.db.environment.P: required variable P is missing a value: set it";
        assert_eq!(of_compose(Some(1), said, "c"), Look::Not(VALUES));
        assert_eq!(of_compose(None, "", "c"), Look::Not(BROKEN));
        assert_eq!(of_compose(Some(0), "", "c"), Look::Found(vec![]));
    }

    #[test]
    fn promtool_says_what_failed() {
        let said = "Checking rules.yml\n  FAILED:\nrules.yml: yaml: line 5: mapping values are not allowed\n";
        assert_eq!(only(of_promtool(Some(1), said, "rules.yml")).0, Some(5));
        assert_eq!(of_promtool(Some(127), "not found", "rules.yml"), Look::Not(BROKEN));
    }

    #[test]
    fn only_nginx_errors_about_its_language_are_findings() {
        let said = "nginx: [emerg] unknown directive \"prox_pass\" in /c/nginx.conf:7\nnginx: configuration file /c/nginx.conf test failed\n";
        let found = only(of_nginx(Some(1), said, "/c/nginx.conf", "nginx.conf"));
        assert_eq!(found, (Some(7), "unknown directive \"prox_pass\"".to_owned()));
        let said = "nginx: [emerg] host not found in upstream \"app\" in /c/nginx.conf:7\n";
        assert_eq!(of_nginx(Some(1), said, "/c/nginx.conf", "n"), Look::Not(VALUES));
    }
}
