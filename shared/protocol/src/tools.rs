//! The tools of a sandbox, as its image lists them.

use serde::{Deserialize, Serialize};

/// The most tools that the list names in words.
const MOST_TOOLS: usize = 40;
/// The longest name, version or system line, in characters.
const WORD_CHARS: usize = 60;

/// The image's list of its tools; `tools.sh` writes it when the image is built.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Toolset {
    /// The distribution and its version.
    pub system: String,
    /// The architecture in Debian's terms: `amd64`, `arm64`.
    pub architecture: String,
    /// The installed collections of Ansible.
    #[serde(default)]
    pub ansible_collections: Vec<String>,
    /// Programs with their versions.
    pub tools: Vec<InstalledTool>,
}

/// A program and its version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InstalledTool {
    /// Its name.
    pub name: String,
    /// The version that the program reports.
    pub version: String,
}

impl Toolset {
    /// The list in words, for a person or a model: one line of bounded length.
    pub fn in_words(&self) -> String {
        let tool = |tool: &InstalledTool| format!("{} {}", word(&tool.name), word(&tool.version));
        let tools: Vec<_> = self.tools.iter().take(MOST_TOOLS).map(tool).collect();
        let collections: Vec<_> =
            self.ansible_collections.iter().take(MOST_TOOLS).map(|name| word(name)).collect();
        let (system, architecture) = (word(&self.system), word(&self.architecture));
        let mut words = format!("{system}, {architecture}; {}", tools.join(", "));
        if !collections.is_empty() {
            words.push_str(&format!("; Ansible collections: {}", collections.join(", ")));
        }
        words
    }
}

fn word(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(WORD_CHARS).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn the_images_list_reads_as_one_line() {
        // The output of tools.sh.
        let list = r#"{"system":"Debian GNU/Linux 13 (trixie)","architecture":"amd64",
            "ansible_collections":["ansible.builtin"],
            "tools":[{"name":"terraform","version":"1.13.3"},{"name":"ansible-core","version":"2.19.0"}]}"#;
        let tools: Toolset = serde_json::from_str(list).unwrap();
        let words = "Debian GNU/Linux 13 (trixie), amd64; terraform 1.13.3, ansible-core 2.19.0; \
                     Ansible collections: ansible.builtin";
        assert_eq!(tools.in_words(), words);
        let many = vec![InstalledTool { name: "n\n".repeat(900), version: "1".into() }; 900];
        assert!(Toolset { tools: many, ..tools }.in_words().len() < 4_000);
    }
}
