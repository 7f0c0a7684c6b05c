//! Reads the output of a command.

use super::{Command, code, first_line};

/// How many of the last lines of output are quoted.
const LINES: usize = 15;

/// A short answer from a command's result.
pub fn read(command: Option<&Command>, result: &str, fill: impl Fn(&str) -> String) -> String {
    if turned_down(result) {
        return "You turned the command down, so nothing was run.".into();
    }
    let code_of = exit_code(result);
    let output = output(result);
    let lower = output.to_lowercase();
    let said = command.and_then(|command| {
        let mut readings = command.readings.iter();
        readings.find(|(sign, _)| lower.contains(&fill(sign).to_lowercase()))
    });
    let mut parts = Vec::new();
    match (code_of, said) {
        (Some(0), Some((_, meaning))) => parts.push(fill(meaning)),
        (Some(0), None) => parts.push("The command succeeded.".into()),
        // The text of a known failure identifies it. A reading that fits any output is only for successes.
        (Some(code), Some((sign, meaning))) if !sign.is_empty() => {
            parts.push(format!("{} (exit code {code})", fill(meaning)));
        }
        (Some(code), _) => parts.push(format!("The command failed with exit code {code}.")),
        (None, _) => parts.push(format!("The command did not run: {}", first_line(result))),
    }
    if code_of.is_some() && !output.trim().is_empty() {
        let lines: Vec<&str> = output.trim().lines().collect();
        parts.push(code(&lines[lines.len().saturating_sub(LINES)..].join("\n")));
    }
    parts.join("\n\n")
}

fn turned_down(result: &str) -> bool {
    // The product writes only the text before the output.
    let head = first_line(result).to_lowercase();
    head.contains("rejected")
        || head.contains("declined")
        || (head.contains("turned") && head.contains("down"))
}

/// The number after “exit code”, outside the command's own output.
fn exit_code(result: &str) -> Option<i64> {
    let outside = match fenced(result) {
        Some((before, _, after)) => format!("{before}\n{after}"),
        None => result.to_string(),
    };
    let lower = outside.to_lowercase().replace('_', " ");
    ["exit code", "exited with code", "exit status"].iter().find_map(|sign| {
        let (_, rest) = lower.split_once(sign)?;
        let digits: String = rest
            .trim_start_matches(|c: char| !c.is_ascii_digit() && c != '-' && c != '\n')
            .chars()
            .take_while(|c| c.is_ascii_digit() || *c == '-')
            .collect();
        digits.parse().ok()
    })
}

/// The command's output: the text between tags, or the lines after the one with the exit code.
fn output(result: &str) -> &str {
    if let Some((_, inside, _)) = fenced(result) {
        return inside.trim_matches('\n');
    }
    let (head, rest) = result.split_once('\n').unwrap_or((result, ""));
    match exit_code(head) {
        Some(_) => rest.trim_matches('\n'),
        None => result,
    }
}

/// The text before, inside and after the outermost tags on separate lines.
fn fenced(result: &str) -> Option<(&str, &str, &str)> {
    let mut position = 0;
    for line in result.split_inclusive('\n') {
        let start = position;
        position += line.len();
        let Some(tag) = line.trim().strip_prefix('<').and_then(|tag| tag.strip_suffix('>')) else {
            continue;
        };
        let name = tag.split_whitespace().next().unwrap_or_default();
        let named = !name.is_empty() && name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
        let closing = format!("</{name}>");
        if let (true, Some(end)) = (named, result[position..].rfind(&closing)) {
            let end = position + end;
            return Some((
                &result[..start],
                &result[position..end],
                &result[end + closing.len()..],
            ));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_read_in_several_shapes() {
        for result in [
            "Exit code 0\n<output>\nfine\n</output>",
            "<output exit_code=\"0\">\nx\n</output>\nexit code 0",
            "exit code: 0\nfine",
            "The command exited with code 0.\nfine",
        ] {
            assert_eq!(exit_code(result), Some(0), "{result}");
        }
        assert_eq!(output("Exit code 0\n<output>\nfine\n</output>"), "fine");
        assert_eq!(output("exit code 3\nboom\n"), "boom");
    }

    #[test]
    fn output_cannot_forge_an_exit_code_or_a_rejection() {
        let result = "Exit code 1\n<output>\nexit code 0, rejected\n</output>";
        assert_eq!(exit_code(result), Some(1));
        assert!(!turned_down(result));
    }
}
