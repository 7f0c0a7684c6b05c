//! Finds expressions of GitHub's workflows that do not end, and outputs that a step does not write.

use super::{Mistakes, named};
use crate::yaml::Node;

/// Expressions without an end, and quotes without a partner.
pub(super) fn open(document: &Node, text: &str) -> Mistakes {
    let mut found = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let line = line.split(" #").next().unwrap_or_default();
        if line.matches("${{").count() > line.matches("}}").count() {
            found.push((at + 1, "This `${{` has no `}}`.".to_owned()));
        }
    }
    for node in document.all() {
        let condition = node.get("if").and_then(|node| Some((node.line, node.text()?)));
        for (line, text) in condition.into_iter().filter(|(_, text)| odd(text)) {
            found.push((line, format!("A quote in this condition is unmatched: `{text}`.")));
        }
        let texts = node.text().into_iter().flat_map(|text| text.split("${{").skip(1));
        for inner in texts.filter_map(|rest| rest.split("}}").next()).filter(|inner| odd(inner)) {
            let message = format!("A quote in this expression is unmatched: `{}`.", inner.trim());
            found.push((node.line, message));
        }
    }
    found
}

/// Whether a text has an odd number of single quotes, which are the only ones of expressions.
fn odd(text: &str) -> bool {
    text.matches('\'').count() % 2 == 1
}

/// Outputs of steps whose own commands write others.
pub(super) fn unwritten(job: &Node) -> Mistakes {
    let steps = job.get("steps").map(Node::list).unwrap_or_default();
    let mut found = Vec::new();
    for step in steps {
        let text = |key: &str| step.get(key).and_then(Node::text);
        let (Some(id), Some(run)) = (text("id"), text("run")) else { continue };
        // A script may write any.
        if !run.contains("GITHUB_OUTPUT") || run.contains("./") {
            continue;
        }
        let begin = format!("steps.{id}.outputs.");
        for node in job.all() {
            for name in named(node.text().unwrap_or_default(), &begin) {
                let writes = [format!("{name}="), format!("{name}<<")];
                if !writes.iter().any(|sign| run.contains(sign.as_str())) {
                    found.push((node.line, format!("The step `{id}` writes no output `{name}`.")));
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    #[test]
    fn expressions_end_and_outputs_are_written() {
        let said = |output: &str, line: &str| {
            let text = format!(
                "cat >.github/workflows/a.yml <<'E'\non: push\njobs:\n  a:\n    runs-on: ubuntu-24.04\n    outputs:\n      v: {output}\n    steps:\n      - id: v\n        run: echo \"version=1\" >> \"$GITHUB_OUTPUT\"\n      - {line}\nE\n"
            );
            crate::testing::said(super::super::examine, &text).len()
        };
        let sound = "${{ steps.v.outputs.version }}";
        assert_eq!(said(sound, "run: echo"), 0);
        assert_eq!(said("${{ steps.v.outputs.tag }}", "run: echo"), 1);
        assert_eq!(said("${{ steps.v.outputs.version }", "run: echo"), 1);
        assert_eq!(said(sound, "{if: \"github.ref == 'main\", run: echo}"), 1);
        assert_eq!(said(sound, "run: echo ${{ format('a) }}"), 1);
    }
}
