//! Words with which a model leaves out what it should have written: "... rest as before", "TODO", "# your code here".
//!
//! A script with such a line does less than it seems to, and a document with one has lost what stood there before.

/// The most words of a line that only stands for something else; a longer one says something itself.
const WORDS: usize = 12;

/// The signs that begin a comment in the languages of scripts and configuration files.
const COMMENTS: [&str; 7] = ["#", "//", "--", ";", "<!--", "/*", "{#"];

/// Pairs of brackets, or marks of emphasis, that set a remark apart from a text.
const AROUND: [(&str, &str); 5] = [("(", ")"), ("[", "]"), ("<", ">"), ("*", "*"), ("_", "_")];

/// Remarks that stand for something else when the user says nothing more.
const WHOLE: [&str; 18] = [
    "as above",
    "as before",
    "as previously",
    "etc",
    "fixme",
    "inchangé",
    "no change",
    "no changes",
    "omitted",
    "same as above",
    "same as before",
    "sin cambios",
    "snip",
    "tbd",
    "todo",
    "truncated",
    "unchanged",
    "unverändert",
];

/// Words that begin a note about work that is left.
const LEFT: [&str; 6] =
    ["todo", "tbd", "fixme", "to be implemented", "to be filled", "implement me"];

/// Words for everything else, and for its being as it was.
const REST: [&str; 11] = [
    "der rest",
    "el resto",
    "everything else",
    "existing",
    "le reste",
    "other",
    "previous",
    "remaining",
    "reste",
    "resto",
    "rest",
];
const SAME: [&str; 15] = [
    "above",
    "as before",
    "as is",
    "as previously",
    "bleibt",
    "goes here",
    "here",
    "igual",
    "inchangé",
    "omitted",
    "same",
    "sin cambios",
    "stays",
    "unchanged",
    "unverändert",
];

/// Words with which a remark ends that says only that the rest is as it was.
const ENDS: [&str; 11] = [
    "as above",
    "as before",
    "as is",
    "goes here",
    "here",
    "inchangé",
    "omitted",
    "sin cambios",
    "the same",
    "unchanged",
    "unverändert",
];

/// Requests to the reader to write it.
const REQUESTS: [&str; 8] = [
    "your code here",
    "your content here",
    "your configuration here",
    "your config here",
    "code goes here",
    "insert the",
    "fill in the",
    "add your",
];

/// A line, as a remark about the text around it.
struct Remark {
    words: String,
    /// Whether it begins with dots, or is set apart by brackets, emphasis or a comment.
    dots: bool,
    apart: bool,
}

fn remark(line: &str) -> Remark {
    let mut text = line.trim();
    let (mut dots, mut apart) = (false, false);
    loop {
        let before = text;
        for sign in COMMENTS {
            if let Some(rest) = text.strip_prefix(sign) {
                (text, apart) = (rest.trim_start_matches(['#', '/', '-', '*']).trim(), true);
            }
        }
        for end in ["-->", "*/", "#}"] {
            text = text.strip_suffix(end).unwrap_or(text).trim();
        }
        for (open, close) in AROUND {
            let inner = text
                .strip_prefix(open)
                .and_then(|rest| rest.trim_end_matches('.').strip_suffix(close));
            if let Some(inner) = inner {
                (text, apart) = (inner.trim(), true);
            }
        }
        for sign in ["...", "…"] {
            if let Some(rest) = text.strip_prefix(sign) {
                (text, dots) = (rest.trim_start_matches('.').trim(), true);
            }
        }
        if text == before {
            break;
        }
    }
    let words = text.trim_end_matches(['.', '…', ':', '!', ' ']).to_lowercase();
    Remark { words, dots, apart }
}

impl Remark {
    fn leaves_out(&self) -> bool {
        if !(self.dots || self.apart) || self.words.split_whitespace().count() > WORDS {
            return false;
        }
        let words = self.words.as_str();
        let has = |phrases: &[&str]| phrases.iter().any(|phrase| contains(words, phrase));
        if words.is_empty() {
            return self.dots && self.apart;
        }
        let asked = words.strip_prefix("please ").unwrap_or(words);
        let requests = REQUESTS.iter().any(|request| match request.ends_with(" here") {
            true => words.contains(request),
            false => {
                contains(asked.split_at_checked(request.len()).map_or("", |it| it.0), request)
                    && asked[request.len()..].starts_with([' ', ':'])
            }
        });
        let named = words.split_whitespace().count() <= 3;
        let rest = self.dots && has(&REST) && (named || has(&SAME));
        WHOLE.contains(&words) || is_left(words) || requests || rest || only_rest(words)
    }
}

/// Whether a remark says only that the rest is as it was.
fn only_rest(words: &str) -> bool {
    let words = words.strip_prefix("the ").unwrap_or(words);
    let begins = |rest: &str| words.strip_prefix(rest).is_some_and(|after| after.starts_with(' '));
    let ends = ENDS.iter().any(|end| words.ends_with(&format!(" {end}")));
    match ["existing", "other", "previous"].into_iter().any(begins) {
        true => words.ends_with(" here"),
        false => REST.into_iter().any(begins) && ends,
    }
}

fn is_left(words: &str) -> bool {
    LEFT.iter().any(|word| {
        let rest = words.strip_prefix(word);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([':', ' ', '(']))
    })
}

/// Whether `text` contains `phrase` as whole words.
fn contains(text: &str, phrase: &str) -> bool {
    text.match_indices(phrase).any(|(at, _)| {
        let edge = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
        edge(text[..at].chars().next_back()) && edge(text[at + phrase.len()..].chars().next())
    })
}

/// The first line of a script, or of a file that it writes, in which a comment stands for something else, from 1.
pub fn in_script(text: &str) -> Option<(usize, &str)> {
    let mut before = "";
    let mut lines = (1..).zip(text.lines()).peekable();
    while let Some((at, line)) = lines.next() {
        let after = lines.peek().map_or("", |(_, after)| after);
        if is_comment(line) && remark(line).leaves_out() && !is_prose(before, line, after) {
            return Some((at, line));
        }
        before = line;
    }
    None
}

fn is_comment(line: &str) -> bool {
    COMMENTS.iter().any(|sign| line.trim_start().starts_with(sign))
}

/// The fewest words of a line of prose whose sentence goes on in the next one.
const WRAPPED: usize = 6;

/// Whether a comment ends the sentence of the line before it, or has dots within an explanation.
fn is_prose(before: &str, line: &str, after: &str) -> bool {
    let says = |line: &str| is_comment(line) && line.contains(char::is_alphanumeric);
    let words = remark(line).words;
    if words.is_empty() {
        return says(before) && says(after);
    }
    let wraps = !before.trim_end().ends_with(['.', ':', ';', '!', '?', '…']);
    says(before) && wraps && before.split_whitespace().count() > WRAPPED && !is_left(&words)
}

/// The first line of a Markdown document, outside its blocks of code, that stands for something else.
pub fn in_document(text: &str) -> Option<&str> {
    let mut code = false;
    text.lines().find(|line| {
        let line = line.trim_start();
        if line.starts_with("```") || line.starts_with("~~~") {
            code = !code;
        }
        // A heading begins like a comment.
        !code
            && !line.starts_with('#')
            && !line.starts_with("--")
            && remark(line.trim_start_matches("- ")).leaves_out()
    })
}

/// Whether a text says nothing: no letters, or only that it is still to be written.
pub fn is_nothing(text: &str) -> bool {
    let words = remark(text.trim_matches(['`', '~', '\n', ' '])).words;
    !words.chars().any(char::is_alphanumeric)
        || WHOLE.contains(&words.as_str())
        || (is_left(&words) && words.split_whitespace().count() <= 4)
        || (text.lines().count() == 1
            && REQUESTS.iter().any(|request| words.starts_with(request))
            && remark(text).apart)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_that_stands_for_something_else_is_found_with_its_line() {
        for line in [
            "# ... rest as before",
            "// ... existing code ...",
            "<!-- rest of the page unchanged -->",
            "# (remaining commands unchanged)",
            "  # TODO: implement the rotation",
            "# ...",
            "/* your code here */",
            "; same as above",
            "# [rest of the configuration stays the same]",
            "# … Rest unverändert",
            "-- TBD",
        ] {
            assert_eq!(in_script(&format!("mkdir a\n{line}\nls")), Some((2, line)), "{line}");
        }
    }

    #[test]
    fn a_comment_that_says_something_stays() {
        for line in [
            "# The rest of the files is written by step 4.",
            "# Restart with the same settings",
            "#!/bin/bash",
            "echo '...'",
            "...",
            "# unchanged files keep their time",
            "# Waits until the other servers are here, as long as it takes",
            "---",
            "# todos are kept in the table",
            "# 1... 3",
            "; the remaining",
            "# Other hosts use the same key",
            "# Existing users are unchanged",
            "// https://example.org/rest/same",
        ] {
            assert_eq!(in_script(line), None, "{line}");
        }
    }

    #[test]
    fn a_document_that_lost_a_part_is_found() {
        for line in [
            "... (rest of the plan unchanged)",
            "*(unchanged)*",
            "[The rest remains the same as before]",
            "<!-- existing content here -->",
            "(same as above)",
        ] {
            assert!(in_document(&format!("# Plan\n{line}\n")).is_some(), "{line}");
        }
        for line in [
            "# Rest unchanged",
            "```text\n... (rest unchanged)\n```",
            "The rest stays unchanged.",
            "| R1 | unchanged |",
            "Kept as before...",
        ] {
            assert_eq!(in_document(line), None, "{line}");
        }
    }

    #[test]
    fn a_text_that_says_nothing_is_empty() {
        for text in [
            "TODO",
            "...",
            "…",
            " \n",
            "[to be filled in]",
            "<insert the commands here>",
            "``` \n```",
        ] {
            assert!(is_nothing(text), "{text}");
        }
        for text in ["Do", "# Goal", "mkdir", "Write the TODO list", "日本"] {
            assert!(!is_nothing(text), "{text}");
        }
    }
}
