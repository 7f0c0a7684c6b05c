//! Turns a script as a model submits it into the script that bash gets.
//!
//! The digest that a person approves covers the result, so nothing may change afterward.

use crate::error::AgentError;
use crate::roles::{bounded, writable};
use crate::tools::try_again;
use domain::step::MAX_SCRIPT_BYTES;
use domain::unseen;

/// The script as bash reads it: without a fence around it, and without carriage returns, which bash would read as part
/// of a word. `what` is the model's name for it.
pub(super) fn clean(what: &str, given: &str) -> Result<String, AgentError> {
    // Some models put the mark with which their editors begin a file before the first line.
    let given = given.trim_start().trim_start_matches('\u{feff}');
    let script = bounded(given, what, MAX_SCRIPT_BYTES - 1)?;
    let script = script.replace("\r\n", "\n");
    let script = unescaped(&script).unwrap_or(script);
    if let Some((line, c)) = unseen::first(&script) {
        return Err(try_again(format!(
            "`{what}` has the character U+{:04X} in line {line}. The person who approves the script would not see it, or \
             would see other characters in another order. Leave it out, or write it as an escape (`$'\\u{:04x}'`).",
            u32::from(c),
            u32::from(c),
        )));
    }
    let script = unfenced(&script).trim();
    if let Some(line) = outside_here_documents(script).find(|line| fence(line).is_some()) {
        return Err(try_again(format!(
            "`{what}` has a line of markdown (`{line}`), which bash would execute. Hand in the bare script."
        )));
    }
    if let Some(program) = foreign_program(script) {
        return Err(try_again(format!(
            "`{what}` is run by bash, not by `{program}`. Write it in bash; other languages go into files or \
             here-documents."
        )));
    }
    bounded(script, what, MAX_SCRIPT_BYTES - 1)?;
    writable(script, what)?;
    Ok(format!("{script}\n"))
}

/// What HTML writes for the characters that bash needs; `&amp;` is the last, so that nothing is decoded twice.
const ENTITIES: [(&str, &str); 7] = [
    ("&lt;", "<"),
    ("&gt;", ">"),
    ("&quot;", "\""),
    ("&#34;", "\""),
    ("&#39;", "'"),
    ("&apos;", "'"),
    ("&amp;", "&"),
];

/// The script of a model that wrote all of it as HTML, if it did: each `&`, `<` and `>` is escaped, also where bash would
/// take the escape for commands. A script that only writes HTML has some of them in plain form.
fn unescaped(script: &str) -> Option<String> {
    let begins = |rest: &str| ENTITIES.iter().find(|(entity, _)| rest.starts_with(entity));
    let mut quote = None;
    let mut is_command = false;
    for (at, c) in script.char_indices() {
        match c {
            '<' | '>' => return None,
            '&' => {
                begins(&script[at..])?;
                is_command |= quote.is_none();
            }
            '\'' | '"' if quote.is_none() => quote = Some(c),
            c if quote == Some(c) => quote = None,
            _ => {}
        }
    }
    let decode = |text: String, (entity, plain): &(&str, &str)| text.replace(entity, plain);
    is_command.then(|| ENTITIES.iter().fold(script.to_owned(), decode))
}

/// Commands that succeed, whatever happened before.
const PROVE_NOTHING: [&str; 7] = [":", "echo", "exit", "printf", "return", "set", "true"];

/// Whether the proof has a command that can fail.
pub(super) fn can_fail(proof: &str) -> bool {
    let commands = outside_here_documents(proof)
        .filter(|line| !line.trim_start().starts_with('#'))
        .flat_map(|line| line.split([';', '&', '|', '(', ')', '{', '}']));
    let mut programs = commands.filter_map(|command| command.split_whitespace().next());
    programs.any(|program| !PROVE_NOTHING.contains(&program))
}

/// The marks that open or close a fenced Markdown block, if the line begins with them.
fn fence(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let marks = ['`', '~'].into_iter().find_map(|mark| {
        let count = line.chars().take_while(|c| *c == mark).count();
        (count >= 3).then(|| &line[..count])
    })?;
    Some(marks)
}

/// The content of a fence that spans the whole text; any other text unchanged.
fn unfenced(text: &str) -> &str {
    let Some((first, rest)) = text.split_once('\n') else { return text };
    let Some(marks) = fence(first) else { return text };
    match rest.trim_end().rsplit_once('\n') {
        Some((script, last)) if last.trim() == marks => script,
        _ => text,
    }
}

/// The program that the first line names, if it is not a shell that bash can replace.
fn foreign_program(script: &str) -> Option<&str> {
    let words = script.lines().next()?.strip_prefix("#!")?;
    let mut names = words.split_whitespace().map(|word| word.rsplit('/').next().unwrap_or(word));
    let program = names.find(|name| *name != "env" && !name.starts_with('-'))?;
    (!["bash", "sh", "dash"].contains(&program)).then_some(program)
}

/// The lines that bash reads as commands.
fn outside_here_documents(script: &str) -> impl Iterator<Item = &str> {
    let mut ends: Vec<String> = Vec::new();
    script.lines().filter(move |line| {
        if let Some(end) = ends.first() {
            // `<<-` allows tabs before the end.
            if line.trim_start_matches('\t') == end {
                ends.remove(0);
            }
            return false;
        }
        ends = here_documents(line);
        true
    })
}

/// The words that end the here-documents of a line.
fn here_documents(line: &str) -> Vec<String> {
    let mut ends = Vec::new();
    let mut rest = line;
    while let Some((_, after)) = rest.split_once("<<") {
        if let Some(here_string) = after.strip_prefix('<') {
            rest = here_string;
            continue;
        }
        let word = after.strip_prefix('-').unwrap_or(after).trim_start_matches([' ', '\t']);
        let word = word.trim_start_matches(['\'', '"', '\\']);
        let inside = |c: char| c.is_alphanumeric() || "_-.".contains(c);
        let end: String = word.chars().take_while(|c| inside(*c)).collect();
        // `1 << 3` in arithmetic begins none.
        if end.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            ends.push(end);
        }
        rest = after;
    }
    ends
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_is_handed_in_as_bash_takes_it() {
        assert_eq!(clean("script", " echo a\r\necho b \n").unwrap(), "echo a\necho b\n");
        assert!(clean("script", "echo \0").is_err());
        assert!(clean("script", "  ").is_err());
    }

    #[test]
    fn a_script_that_was_written_as_html_is_read_as_bash() {
        for (given, meant) in [
            ("\u{feff}mkdir a", "mkdir a\n"),
            ("mkdir a &amp;&amp; ls 2&gt;/dev/null", "mkdir a && ls 2>/dev/null\n"),
            ("echo &quot;a &amp; b&quot; &gt; c", "echo \"a & b\" > c\n"),
            // Text that a script writes stays as it is.
            ("echo 'a &amp; b'", "echo 'a &amp; b'\n"),
            ("echo 'a &amp; b' >c", "echo 'a &amp; b' >c\n"),
            ("sleep 1 & wait", "sleep 1 & wait\n"),
        ] {
            assert_eq!(clean("script", given).unwrap(), meant, "{given}");
        }
    }

    #[test]
    fn a_script_that_reads_differently_from_what_runs_goes_back_to_the_model() {
        for (given, named) in [
            ("ls\necho a\u{202e}; rm -rf x #\u{2066} ok", "U+202E in line 2"),
            ("ls \u{200b}-la", "U+200B in line 1"),
            ("echo done\rrm -rf x", "U+000D in line 1"),
            ("cat <<'EOF' >a\n\u{1b}[2K\nEOF", "U+001B in line 2"),
        ] {
            let error = clean("script", given).unwrap_err().to_string();
            assert!(error.contains(named), "{given:?}: {error}");
        }
        assert!(
            clean("script", "cat >a <<'EOF'\nשלום, prix\u{a0}: 5 €, 👩\u{200d}💻\nEOF").is_ok()
        );
    }

    #[test]
    fn a_fence_around_a_script_is_removed() {
        for given in [
            "```bash\necho a\n```",
            "```\necho a\n```\n",
            "~~~sh\necho a\n~~~",
            "\n````bash\necho a\n````",
        ] {
            assert_eq!(clean("script", given).unwrap(), "echo a\n", "{given}");
        }
    }

    #[test]
    fn a_fence_anywhere_else_goes_back_to_the_model() {
        for given in [
            "Here it is:\n```bash\necho a\n```",
            "```bash\necho a",
            "```bash\necho a\n```\nThat is all.",
            "```bash\necho a\n```\n```bash\necho b\n```",
        ] {
            let error = clean("script", given).unwrap_err().to_string();
            assert!(error.contains("markdown"), "{given}: {error}");
        }
    }

    #[test]
    fn a_fence_in_a_file_that_the_script_writes_stays() {
        for end in ["EOF", "'EOF'", "\"EOF\"", "-EOF"] {
            let script = format!("cat >README.md <<{end}\n```bash\nls\n```\nEOF\necho a\n");
            assert_eq!(clean("script", &script).unwrap(), script);
            let fenced = format!("```bash\n{script}```");
            assert_eq!(clean("script", &fenced).unwrap(), script);
        }
        let two = "cat <<A - <<B\n```\nA\n```\nB\nwc <<<'x' $((1 << 3))\n";
        assert_eq!(clean("script", two).unwrap(), two);
    }

    #[test]
    fn a_script_in_another_language_goes_back_to_the_model() {
        for program in ["/usr/bin/env python3", "/usr/bin/perl -w", "/usr/bin/env -S node"] {
            assert!(clean("script", &format!("#!{program}\nx")).is_err(), "{program}");
        }
        for shell in ["/bin/bash", "/usr/bin/env bash", "/bin/sh -e", " /bin/dash"] {
            assert!(clean("script", &format!("#!{shell}\nls")).is_ok(), "{shell}");
        }
    }

    #[test]
    fn a_script_has_at_most_24_000_bytes() {
        assert_eq!(
            clean("script", &"x".repeat(MAX_SCRIPT_BYTES - 1)).unwrap().len(),
            MAX_SCRIPT_BYTES
        );
        assert!(clean("script", &"x".repeat(MAX_SCRIPT_BYTES)).is_err());
    }

    #[test]
    fn a_proof_has_a_command_that_can_fail() {
        for proof in
            ["true", "# nothing\necho done", "echo ok; exit 0", "set -e\n:\nprintf x | echo y"]
        {
            assert!(!can_fail(proof), "{proof}");
        }
        for proof in ["test -f a", "echo looking; curl -f localhost", "[[ -s a ]] && echo ok"] {
            assert!(can_fail(proof), "{proof}");
        }
    }
}
