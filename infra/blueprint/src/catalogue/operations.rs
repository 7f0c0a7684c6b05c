//! Running what was deployed: the helper's commands, and what the execution's output tells.

/// One command of the DevOps helper.
pub struct Command {
    /// What the user talks about; the command with the most of these is run.
    pub cues: &'static [&'static str],
    pub target: Target,
    pub command: &'static str,
    /// Why it is run, in one sentence for the person who approves it.
    pub reason: &'static str,
    /// Whether it changes anything. Such a command answers no question.
    pub changes: bool,
    /// What the output means: the first text that occurs in it, and what is said then. The empty
    /// text occurs in every output.
    pub readings: &'static [(&'static str, &'static str)],
}

/// Where a command runs.
#[derive(Clone, Copy, PartialEq)]
pub enum Target {
    Sandbox,
    Server,
}

impl Target {
    /// As the tool calls it.
    pub fn name(self) -> &'static str {
        match self {
            Target::Sandbox => "sandbox",
            Target::Server => "server",
        }
    }
}

/// A value that a step prints.
pub struct Finding {
    /// The placeholder it fills.
    pub key: &'static str,
    /// What stands before it in the output.
    pub after: &'static str,
    /// What is written while it is not known.
    pub unknown: &'static str,
}

impl Finding {
    /// The value in the output, the newest first.
    pub fn find(&self, outputs: &[&str]) -> Option<String> {
        let find = |output: &&str| {
            let (_, rest) = output.rsplit_once(self.after)?;
            let value: String = rest.chars().take_while(|c| is_plain(*c)).collect();
            (!value.is_empty()).then_some(value)
        };
        outputs.iter().rev().find_map(find)
    }
}

/// Output is data: only what an address or a name is made of is taken over.
fn is_plain(character: char) -> bool {
    character.is_ascii_alphanumeric() || ".:_-".contains(character)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_output_tells_and_only_plain_text_is_taken() {
        let finding = Finding { key: "public_ip", after: "public_ip = \"", unknown: "" };
        let outputs = ["public_ip = \"192.0.2.1\"", "x\npublic_ip = \"192.0.2.2\"\n", "y"];
        assert_eq!(finding.find(&outputs), Some("192.0.2.2".into()));
        assert_eq!(finding.find(&["public_ip = \"$(id)\""]), None);
    }
}
