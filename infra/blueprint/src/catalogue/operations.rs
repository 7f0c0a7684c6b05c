//! How to operate a deployment: the helper's commands, and the values in the execution's output.

/// One command of the DevOps helper.
pub struct Command {
    /// Phrases that ask for it. The command with the most matches runs.
    pub cues: &'static [&'static str],
    pub target: Target,
    pub command: &'static str,
    /// The reason to run it, in one sentence for the person who approves it.
    pub reason: &'static str,
    /// Whether it changes anything. If so, it does not run to answer a question.
    pub changes: bool,
    /// What the output means: the first of these texts that it contains, and the sentence to say then. Every output
    /// contains the empty text.
    pub readings: &'static [(&'static str, &'static str)],
}

/// Where a command runs.
#[derive(Clone, Copy, PartialEq)]
pub enum Target {
    Sandbox,
    Server,
}

impl Target {
    /// The tool's name for the target.
    pub fn name(self) -> &'static str {
        match self {
            Target::Sandbox => "sandbox",
            Target::Server => "server",
        }
    }
}

/// A value that a step prints.
pub struct Finding {
    /// The placeholder that the value fills.
    pub key: &'static str,
    /// The text before the value in the output.
    pub after: &'static str,
    /// The text to show until the value is known.
    pub unknown: &'static str,
}

impl Finding {
    /// The value from the newest output that has it.
    pub fn find(&self, outputs: &[&str]) -> Option<String> {
        let find = |output: &&str| {
            let (_, rest) = output.rsplit_once(self.after)?;
            let value: String = rest.chars().take_while(|c| is_plain(*c)).collect();
            (!value.is_empty()).then_some(value)
        };
        outputs.iter().rev().find_map(find)
    }
}

/// Whether a character may be part of an address or a name. Output is untrusted, so only these characters are taken
/// from it.
fn is_plain(character: char) -> bool {
    character.is_ascii_alphanumeric() || ".:_-".contains(character)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_comes_from_the_newest_output_and_only_from_plain_text() {
        let finding = Finding { key: "public_ip", after: "public_ip = \"", unknown: "" };
        let outputs = ["public_ip = \"192.0.2.1\"", "x\npublic_ip = \"192.0.2.2\"\n", "y"];
        assert_eq!(finding.find(&outputs), Some("192.0.2.2".into()));
        assert_eq!(finding.find(&["public_ip = \"$(id)\""]), None);
    }
}
