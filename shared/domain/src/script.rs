//! A script and its proof in one text: one digest covers both, and every page that shows the command shows both.

/// The line between a script and its proof.
pub const PROOF_LINE: &str = "# --- proof: the step is done only if the following passes ---";

/// The text of a script and its proof; `None` if either contains [`PROOF_LINE`], which must occur once.
pub fn with_proof(script: &str, proof: &str) -> Option<String> {
    let marked = |text: &str| text.lines().any(|line| line.trim_end() == PROOF_LINE);
    let (script, proof) = (script.trim_end(), proof.trim());
    (!marked(script) && !marked(proof)).then(|| format!("{script}\n\n{PROOF_LINE}\n{proof}\n"))
}

/// The script and the proof of a text; a text without [`PROOF_LINE`] is only a script.
pub fn parts(text: &str) -> (&str, Option<&str>) {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.trim_end() == PROOF_LINE {
            return (&text[..at], Some(&text[at + line.len()..]));
        }
        at += line.len();
    }
    (text, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_parts_come_apart_again() {
        let text = with_proof("echo a\n\n", "\ntest -f a\n").unwrap();
        assert_eq!(parts(&text), ("echo a\n\n", Some("test -f a\n")));
        assert_eq!(parts("echo a\n"), ("echo a\n", None));
        assert_eq!(parts(&format!("a\n{PROOF_LINE}")), ("a\n", Some("")));
    }

    #[test]
    fn a_script_cannot_contain_the_line_that_ends_it() {
        let early = format!("echo a\n{PROOF_LINE}  \ntrue");
        assert_eq!(with_proof(&early, "test -f a"), None);
        assert_eq!(with_proof("echo a", &early), None);
    }
}
