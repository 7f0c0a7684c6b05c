//! Finds words of a command that YAML does not read as text: `args: [--appendonly, yes]`.

use super::Mistakes;
use crate::yaml::Node;

/// What YAML reads as true, false or nothing.
const OTHERS: [&str; 9] = ["false", "no", "null", "off", "on", "true", "y", "yes", "~"];

pub(super) fn judge(object: &Node, found: &mut Mistakes) {
    for node in object.all() {
        let lists = ["args", "command"].iter().filter_map(|key| node.get(key));
        for word in lists.flat_map(Node::list).filter(|word| !word.quoted) {
            let Some(text) = word.text() else { continue };
            let number = text.parse::<f64>().is_ok();
            if number || OTHERS.contains(&text.to_lowercase().as_str()) {
                let message =
                    format!("The words of a command are strings: put `{text}` in quotes.");
                found.push((word.line, message));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn words_of_a_command_are_texts() {
        let found = |list: &str| {
            let text = format!("spec:\n  containers:\n    - name: a\n      args: {list}\n");
            let mut found = Vec::new();
            crate::yaml::documents(&text)
                .unwrap()
                .iter()
                .for_each(|it| super::judge(it, &mut found));
            found.len()
        };
        assert_eq!(found("[--appendonly, yes, --port, 6379]"), 2);
        assert_eq!(found("[--appendonly, \"yes\", --port=6379, 1.2.3, on-failure]"), 0);
    }
}
