//! Checks Dockerfiles: their instructions with the options and arguments of these, and the numbers of their stages.

mod arguments;

use super::error;
use super::jinja::without;
use super::ports::HIGHEST;
use crate::places::is_dockerfile;
use crate::{FILES, Unit, Written};
use domain::gate::Finding;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for file in unit.written().filter(|file| is_dockerfile(file)) {
        // What a template's conditions keep of an instruction is not known.
        let text = if file.text.contains("{%") { String::new() } else { without(&file.text) };
        for (line, message) in mistakes(file).into_iter().chain(arguments::mistakes(&text)) {
            findings.push(error(FILES, message).at(Some(&file.path), line));
        }
    }
}

/// Instructions that begin a line.
const INSTRUCTIONS: [&str; 18] = [
    "ADD",
    "ARG",
    "CMD",
    "COPY",
    "ENTRYPOINT",
    "ENV",
    "EXPOSE",
    "FROM",
    "HEALTHCHECK",
    "LABEL",
    "MAINTAINER",
    "ONBUILD",
    "RUN",
    "SHELL",
    "STOPSIGNAL",
    "USER",
    "VOLUME",
    "WORKDIR",
];

fn mistakes(file: &Written) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut stages = 0;
    let (mut continues, mut document): (bool, Option<String>) = (false, None);
    for (at, line) in file.text.lines().enumerate() {
        let line = line.trim();
        if let Some(mark) = &document {
            if line == mark {
                document = None;
            }
            continue;
        }
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let begins = !continues;
        continues = line.ends_with('\\');
        if !begins {
            continue;
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some((first, rest)) = words.split_first() else { continue };
        let instruction = first.to_uppercase();
        if !INSTRUCTIONS.contains(&instruction.as_str()) && !first.contains(['$', '{']) {
            found.push((at + 1, format!("`{first}` is not a Dockerfile instruction.")));
        }
        if let Some((_, mark)) = line.split_once("<<") {
            let mark =
                mark.trim_start_matches('-').split([' ', ';', '>']).next().unwrap_or_default();
            document = Some(mark.trim_matches(['"', '\'']).to_owned());
        }
        let exec = ["CMD", "ENTRYPOINT", "SHELL"].contains(&instruction.as_str());
        let array = line[first.len()..].trim_start();
        if exec
            && array.starts_with('[')
            && !continues
            && serde_json::from_str::<Vec<String>>(array).is_err()
        {
            found.push((at + 1, format!("`{instruction}` is not a JSON array of strings.")));
        }
        found.extend(options(&instruction, rest).map(|message| (at + 1, message)));
        match instruction.as_str() {
            "FROM" => {
                stages += 1;
            }
            "COPY" => {
                let from = rest.iter().find_map(|word| word.strip_prefix("--from="));
                let Some(from) = from else { continue };
                if from.parse::<usize>().is_ok_and(|number| number + 1 >= stages) {
                    found.push((at + 1, format!("This file has no stage {from} before this one.")));
                }
            }
            _ => {}
        }
    }
    if stages == 0 && !file.text.trim().is_empty() {
        found.push((1, "This Dockerfile has no `FROM`.".to_owned()));
    }
    found
}

/// The options of the instructions that take some.
const OPTIONS: [(&str, &[&str]); 5] = [
    ("ADD", &["checksum", "chmod", "chown", "exclude", "keep-git-dir", "link", "unpack"]),
    ("COPY", &["chmod", "chown", "exclude", "from", "link", "parents"]),
    ("FROM", &["platform"]),
    ("HEALTHCHECK", &["interval", "retries", "start-interval", "start-period", "timeout"]),
    ("RUN", &["device", "mount", "network", "security"]),
];

/// An option that an instruction does not have, and a port that no address has.
fn options(instruction: &str, rest: &[&str]) -> Option<String> {
    if instruction == "EXPOSE" {
        let port = |word: &&&str| {
            let number = word.split('/').next().unwrap_or_default();
            number.parse::<u32>().is_ok_and(|number| number == 0 || number > HIGHEST)
        };
        return rest.iter().find(port).map(|port| format!("There is no port `{port}`."));
    }
    let (_, known) = OPTIONS.iter().find(|(name, _)| *name == instruction)?;
    let given = rest.iter().map_while(|word| word.strip_prefix("--"));
    let mut names = given.map(|word| word.split('=').next().unwrap_or_default());
    let odd =
        names.find(|name| !known.contains(name) && !name.is_empty() && !name.contains('$'))?;
    Some(format!("`{instruction}` has no option `--{odd}`: {}.", known.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Vec<(usize, String)> {
        let file =
            Written { path: "Dockerfile".into(), text: text.into(), expands: false, line: 1 };
        mistakes(&file)
    }

    #[test]
    fn instructions_and_stages_must_exist() {
        for (text, line) in [
            ("FROM a:1\nCOPY --from=0 /a /a\n", 2),
            ("FROM a:1\nRUM b\n", 2),
            ("RUN a\n", 1),
            ("FROM a:1\nHEALTHCHECK --period=1s CMD a\n", 2),
            ("FROM a:1\nEXPOSE 80 90000\n", 2),
        ] {
            assert_eq!(said(text).first().map(|(line, _)| *line), Some(line), "{text}");
        }
        for text in [
            "ARG A=1\nFROM --platform=$BUILDPLATFORM a:$A AS b\nFROM c:${D:-1}\nCOPY --from=b --chown=a:a /a /a\nCOPY --from=ghcr.io/a/b:1 /c /c\n",
            "from a:1\nRUN b && \\\n    # why\n    c\nRUN <<EOF\nanything here\nEOF\nCMD [\"a\"]\n",
        ] {
            assert_eq!(said(text), [], "{text}");
        }
    }
}
