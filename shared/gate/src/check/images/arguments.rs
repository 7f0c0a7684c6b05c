//! Checks that each instruction of a Dockerfile has the arguments that it needs, and ends where the next one begins.

use super::INSTRUCTIONS;

/// An instruction with what follows it, without line ends.
struct Instruction {
    line: usize,
    name: String,
    rest: String,
}

/// Instructions that take a fixed number of words, and how many.
const COUNTED: [(&str, usize); 3] = [("MAINTAINER", 1), ("STOPSIGNAL", 1), ("WORKDIR", 1)];

pub(super) fn mistakes(text: &str) -> Vec<(usize, String)> {
    // Another sign continues a line there.
    if text.to_lowercase().contains("# escape=") {
        return Vec::new();
    }
    let mut found = Vec::new();
    let read = instructions(text, &mut found);
    found.extend(read.iter().filter_map(|one| Some((one.line, missing(&one.name, &one.rest)?))));
    found
}

/// The instructions of a file. Those that a backslash joins to the one before are mistakes, and go to `found`.
fn instructions(text: &str, found: &mut Vec<(usize, String)>) -> Vec<Instruction> {
    let mut read: Vec<Instruction> = Vec::new();
    let (mut continues, mut document): (bool, Option<String>) = (false, None);
    for (at, line) in text.lines().enumerate() {
        let bare = line.trim();
        if let Some(mark) = &document {
            if bare == mark {
                document = None;
            }
            continue;
        }
        if bare.is_empty() || bare.starts_with('#') {
            continue;
        }
        let code = bare.trim_end_matches('\\').trim();
        if continues {
            if let Some(last) = read.last_mut() {
                let swallowed = begins(line).filter(|_| last.name != "HEALTHCHECK");
                found.extend(swallowed.map(|name| {
                    let message = format!(
                        "The backslash before this line makes `{name}` part of `{}`.",
                        last.name
                    );
                    (at + 1, message)
                }));
                last.rest.push(' ');
                last.rest.push_str(code);
            }
        } else {
            let (name, rest) = code.split_once(char::is_whitespace).unwrap_or((code, ""));
            let (name, rest) = (name.to_uppercase(), rest.trim().to_owned());
            read.push(Instruction { line: at + 1, name, rest });
        }
        continues = bare.ends_with('\\');
        if let Some((_, mark)) = bare.split_once("<<") {
            let mark = mark.trim_start_matches('-').split([' ', ';', '>']).next();
            document = mark.map(|mark| mark.trim_matches(['"', '\'']).to_owned());
        }
    }
    read
}

/// The instruction with which a line begins at its very beginning.
fn begins(line: &str) -> Option<&str> {
    let (name, rest) = line.split_once(' ')?;
    // `FROM` and `SET` are words of other languages, too.
    let known = INSTRUCTIONS.contains(&name) && !["FROM", "USER"].contains(&name);
    (known && !rest.trim_start().starts_with('=')).then_some(name)
}

/// What an instruction needs and does not get.
fn missing(name: &str, rest: &str) -> Option<String> {
    if !INSTRUCTIONS.contains(&name) {
        return None;
    }
    let words: Vec<&str> =
        rest.split_whitespace().skip_while(|word| word.starts_with("--")).collect();
    let Some(first) = words.first() else {
        return Some(format!("`{name}` needs an argument."));
    };
    match name {
        "HEALTHCHECK" => {
            let kind = first.to_uppercase();
            let whole = kind == "NONE" || (kind == "CMD" && words.len() > 1);
            (!whole).then(|| "`HEALTHCHECK` needs `CMD` with a command, or `NONE`.".to_owned())
        }
        "COPY" | "ADD" => {
            let few = words.len() < 2 && !first.starts_with(['[', '$']);
            few.then(|| format!("`{name}` needs a source and a target."))
        }
        "ENV" => {
            let few = words.len() < 2 && !first.contains('=');
            few.then(|| "`ENV` needs a value: `NAME=value`.".to_owned())
        }
        "FROM" => {
            let named = words.len() == 3 && words[1].eq_ignore_ascii_case("as");
            let message = "`FROM` takes an image and, if it has a name, `AS` with that name.";
            (words.len() != 1 && !named).then(|| message.to_owned())
        }
        "ONBUILD" => {
            let (inner, rest) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            missing(&inner.to_uppercase(), rest)
        }
        _ => {
            let (_, count) = COUNTED.iter().find(|(counted, _)| *counted == name)?;
            let plain = !rest.contains(['"', '\'', '$', '\\']) && name != "MAINTAINER";
            (plain && words.len() > *count)
                .then(|| format!("`{name}` takes one argument, not `{rest}`."))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Vec<usize> {
        mistakes(text).into_iter().map(|(line, _)| line).collect()
    }

    #[test]
    fn instructions_have_their_arguments() {
        for (text, line) in [
            ("FROM a:1\nHEALTHCHECK --interval=5s\n", 2),
            ("FROM a:1\nHEALTHCHECK --interval=5s \\\n  curl localhost\n", 2),
            ("FROM a:1\nCOPY package.json\n", 2),
            ("FROM a:1\nENV PATH\n", 2),
            ("FROM a:1 build\nRUN b\n", 1),
            ("FROM a:1\nRUN b && \\\n    c && \\\nCOPY . .\n", 4),
            ("FROM a:1\nWORKDIR\n", 2),
            ("FROM a:1\nENTRYPOINT\nCMD [\"a\"]\n", 2),
        ] {
            assert_eq!(said(text), [line], "{text}");
        }
    }

    #[test]
    fn whole_instructions_are_right() {
        for text in [
            "FROM --platform=linux/amd64 a:1 AS b\nHEALTHCHECK NONE\nADD --chown=a:b c d/\n",
            "FROM a:1\nHEALTHCHECK --interval=5s \\\n  # why\n  CMD curl -f localhost || exit 1\n",
            "FROM a:1\nENV A=1 \\\n    B=2\nENV C d e\nCOPY [\"a b\", \"c\"]\nCOPY <<EOF /a\nCOPY b\nEOF\n",
            "FROM a:1\nRUN psql -c \"SELECT a \\\nFROM b\"\nONBUILD RUN c\nWORKDIR \"/a b\"\n",
        ] {
            assert!(said(text).is_empty(), "{text}: {:?}", said(text));
        }
    }
}
