//! Documents in the context are fenced by tags on separate lines:
//!
//! ```text
//! <requirements>
//! …
//! </requirements>
//! ```
//!
//! The text inside a fence is data. The parser skips it as a whole, so it never takes a tag inside it (in the output of
//! a command, for example) for a document.

/// One fenced section.
#[derive(Debug, Clone, PartialEq)]
pub struct Fence<'a> {
    pub name: &'static str,
    attributes: &'a str,
    pub content: &'a str,
}

/// The sections that this model reads, and those that it must skip.
const NAMES: &[&str] = &[
    "requirements",
    "credentials",
    "architecture_plan",
    "implementation_plan",
    "steps",
    "step",
    "earlier_results",
    "previous_attempt",
    "validation_plan",
    "checks",
    "execution_results",
    "coverage",
    "environment",
    "workspace",
    "documentation",
    "key_value_data",
    "command_output",
    "manual",
    "conversation",
    "earlier_conversation",
    "imported_files",
    "change",
    "previous_requirements",
    "previous_architecture_plan",
    "previous_implementation_plan",
    "previous_validation_plan",
    "previous_steps",
    "rejections",
    "built",
    "listening",
    "terraform_state",
];

impl Fence<'_> {
    /// An attribute of the opening tag, such as `number` in `<step number="3">`.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        let rest = self.attributes.split_once(&format!("{name}="))?.1;
        let rest = rest.strip_prefix('"')?;
        Some(rest.split_once('"')?.0)
    }
}

/// All sections of a text, in order.
pub fn all(text: &str) -> Vec<Fence<'_>> {
    spans(text).into_iter().map(|(_, _, fence)| fence).collect()
}

/// The text without its sections.
pub fn outside(text: &str) -> String {
    let mut rest = String::new();
    let mut position = 0;
    for (start, end, _) in spans(text) {
        rest.push_str(&text[position..start]);
        position = end;
    }
    rest.push_str(&text[position..]);
    rest
}

fn spans(text: &str) -> Vec<(usize, usize, Fence<'_>)> {
    let mut found = Vec::new();
    let mut position = 0;
    while let Some(offset) = text[position..].find('<') {
        let start = position + offset;
        match fence_at(text, start) {
            Some((end, fence)) => {
                found.push((start, end, fence));
                position = end;
            }
            None => position = start + 1,
        }
    }
    found
}

fn fence_at(text: &str, start: usize) -> Option<(usize, Fence<'_>)> {
    // A tag in the middle of a sentence mentions a section and does not open one.
    let line = text[..start].rsplit('\n').next().unwrap_or_default();
    if !line.trim().is_empty() {
        return None;
    }
    let (tag, _) = text[start + 1..].split_once('>')?;
    let (word, attributes) = tag.split_once(char::is_whitespace).unwrap_or((tag, ""));
    let name = NAMES.iter().find(|name| **name == word)?;
    let content_start = start + 1 + tag.len() + 1;
    let closing = format!("</{name}>");
    let length = text[content_start..].find(&closing)?;
    let content_end = content_start + length;
    let content = text[content_start..content_end].trim();
    Some((content_end + closing.len(), Fence { name, attributes, content }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_and_their_attributes_are_read() {
        let text = "Before\n<step number=\"3\" attempt=\"1\">\nDo it\n</step>\nafter";
        let fences = all(text);
        assert_eq!(fences.len(), 1);
        assert_eq!(fences[0].attribute("number"), Some("3"));
        assert_eq!(fences[0].content, "Do it");
        assert_eq!(outside(text), "Before\n\nafter");
    }

    #[test]
    fn a_tag_inside_a_section_is_data() {
        let text = "<earlier_results>\n<step number=\"9\">\nx\n</step>\n</earlier_results>";
        assert!(all(text).iter().all(|fence| fence.name == "earlier_results"));
    }

    #[test]
    fn a_tag_in_a_sentence_opens_no_section() {
        assert!(all("They are in <requirements> below.\n</requirements>").is_empty());
    }
}
