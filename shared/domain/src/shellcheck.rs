//! The report of shellcheck, which checks a script in the sandbox, or beside the function if there is no sandbox.

use crate::gate::{Finding, Severity};
use serde::Deserialize;

/// The name of the tool in a verdict.
pub const NAME: &str = "shellcheck";

/// Its arguments: they make it ignore any configuration in its environment and print a report that we can read.
pub const ARGUMENTS: [&str; 3] = ["--norc", "--severity=warning", "--format=json1"];

#[derive(Deserialize)]
struct Report {
    comments: Vec<Comment>,
}

#[derive(Deserialize)]
struct Comment {
    line: usize,
    level: String,
    code: u32,
    message: String,
}

/// The findings of a report on a file, or on a script if `file` is `None`; `before` counts the lines above the text.
/// `None` if the text is not a report.
pub fn findings(report: &str, file: Option<&str>, before: usize) -> Option<Vec<Finding>> {
    let report: Report = serde_json::from_str(report).ok()?;
    let found = report.comments.into_iter().map(|comment| {
        let severity = match comment.level.as_str() {
            "error" => Severity::Error,
            _ => Severity::Warning,
        };
        let message = comment.message.split_whitespace().collect::<Vec<_>>().join(" ");
        let message = format!("SC{}: {message}", comment.code);
        Finding::new(NAME, severity, message).at(file, comment.line + before)
    });
    Some(found.collect())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_read_and_other_text_gives_no_verdict() {
        let said = r#"{"comments":[{"file":"x","line":1,"endLine":1,"column":6,"endColumn":8,
            "level":"error","code":1073,"message":"Couldn't  parse this","fix":null}]}"#;
        let [found] = findings(said, None, 4).unwrap().try_into().unwrap();
        assert_eq!((found.line, found.is_error()), (Some(5), true));
        assert_eq!(found.message, "SC1073: Couldn't parse this");
        assert!(findings("shellcheck: bad system call", None, 0).is_none());
    }
}
