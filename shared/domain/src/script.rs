//! A script, its proof and the plan that it applies, as one text: one digest covers them, and every page that shows the
//! command shows all of them.

use crate::saved_plan::PLAN_FILE;

/// The line between a script and its proof.
pub const PROOF_LINE: &str = "# --- proof: the step is done only if the following passes ---";

/// The text of a script and its proof; `None` if either contains [`PROOF_LINE`], which must occur only once.
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

/// The beginning of the line that binds a script to a saved plan.
const PLAN_LINE: &str = "# --- plan: applied only if the SHA-256 of";

/// The text bound to the saved plan with this digest, or to none. The sandbox runs it only if the file has that digest.
///
/// Earlier lines that bind the text are removed.
pub fn bound_to_plan(text: &str, sha256: Option<&str>) -> String {
    let lines = text.split_inclusive('\n').filter(|line| !line.starts_with(PLAN_LINE));
    let text: String = lines.collect();
    let Some(sha256) = sha256 else { return text };
    let line = format!("{PLAN_LINE} {PLAN_FILE} is {sha256} ---\n");
    let (script, proof) = parts(&text);
    let rest = proof.map(|proof| format!("\n{PROOF_LINE}\n{proof}")).unwrap_or_default();
    format!("{}\n\n{line}{rest}", script.trim_end())
}

/// The digests of the saved plans to which a text is bound. A line with an unreadable digest gives an empty one, which
/// no file has.
pub fn plans_of(text: &str) -> impl Iterator<Item = &str> {
    let bindings = text.lines().filter_map(|line| line.strip_prefix(PLAN_LINE));
    bindings.map(|rest| {
        let digest = rest.strip_prefix(' ').and_then(|rest| rest.strip_prefix(PLAN_FILE));
        let digest = digest.and_then(|rest| rest.strip_prefix(" is "));
        digest.and_then(|rest| rest.strip_suffix(" ---")).unwrap_or_default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_parts_can_be_separated_again() {
        let text = with_proof("echo a\n\n", "\ntest -f a\n").unwrap();
        assert_eq!(parts(&text), ("echo a\n\n", Some("test -f a\n")));
        assert_eq!(parts("echo a\n"), ("echo a\n", None));
        assert_eq!(parts(&format!("a\n{PROOF_LINE}")), ("a\n", Some("")));
    }

    #[test]
    fn a_text_is_bound_to_one_plan_and_only_its_binding_changes() {
        let text = with_proof("terraform apply tfplan", "true").unwrap();
        let first = bound_to_plan(&text, Some("aa"));
        assert_eq!(plans_of(&first).collect::<Vec<_>>(), ["aa"]);
        assert_eq!(plans_of(parts(&first).0).collect::<Vec<_>>(), ["aa"], "the script has it");
        assert_eq!(parts(&first).1, parts(&text).1);
        let second = bound_to_plan(&first, Some("bb"));
        assert_eq!(plans_of(&second).collect::<Vec<_>>(), ["bb"]);
        assert_eq!(bound_to_plan(&second, Some("aa")), first);
        assert_eq!(plans_of(&bound_to_plan(&second, None)).count(), 0);
        assert_eq!(plans_of(&text).count(), 0);
    }

    #[test]
    fn a_binding_that_cannot_be_read_binds_to_no_file() {
        let broken = format!("{PLAN_LINE} another file is aa ---");
        assert_eq!(plans_of(&broken).collect::<Vec<_>>(), [""]);
    }

    #[test]
    fn a_script_cannot_contain_the_line_that_ends_it() {
        let early = format!("echo a\n{PROOF_LINE}  \ntrue");
        assert_eq!(with_proof(&early, "test -f a"), None);
        assert_eq!(with_proof("echo a", &early), None);
    }
}
