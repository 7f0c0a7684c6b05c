//! The list of what the user asked for, item by item, and how the plan treats each: no item is dropped silently.
//!
//! The requirements document always contains the list, whatever the model wrote there, so that the user sees it before
//! confirming.

use crate::error::AgentError;
use crate::tools::try_again;
use domain::requirement::{Fate, HEADING, MAX_WISH_CHARS, MAX_WISHES, Wish};
use redaction::redact;
use serde::Deserialize;
use serde_json::{Value, json};

/// Most bytes of all items together: with ids and numbers of steps they fit a table of [`TABLE_BYTES`].
///
/// [`TABLE_BYTES`]: domain::requirement::TABLE_BYTES
const LIST_BYTES: usize = 8_000;

/// A wish as the model passes it.
#[derive(Debug, Clone, Deserialize)]
#[serde(from = "Passed")]
pub(super) struct Given {
    /// The wish, without the user's words.
    pub(super) wish: Wish,
    /// The user's words; `None` if the model passes none, which says nothing, while an empty text says that the wish is a
    /// default.
    pub(super) words: Option<String>,
}

/// The same in the form of the tool's arguments.
#[derive(Deserialize)]
struct Passed {
    wish: String,
    fate: Fate,
    #[serde(default)]
    how: String,
    #[serde(default)]
    words: Option<String>,
}

impl From<Passed> for Given {
    fn from(Passed { wish, fate, how, words }: Passed) -> Self {
        Self { wish: Wish { wish, fate, how, words: String::new() }, words }
    }
}

pub(super) fn schema() -> Value {
    let item = json!({
        "type": "object",
        "properties": {
            "wish": {"type": "string", "description": "One thing that the user asked for, in their words"},
            "fate": {"type": "string", "enum": ["built", "differently", "not"]},
            "how": {"type": "string", "description": "What is built instead, or why it is not built; empty when it is built"},
            "words": {"type": "string", "description": "The user's own words that say so, copied from one message; empty for a default that you chose"},
        },
        "required": ["wish", "fate", "how", "words"],
        "additionalProperties": false,
    });
    json!({
        "type": "array",
        "items": item,
        "maxItems": MAX_WISHES,
        "description": format!(
            "Everything that the user asked for in this conversation, and how the plan treats it. It is listed in the \
             document under `{HEADING}`, with an id for each; leave that section out"
        ),
    })
}

/// The items, trimmed and without secrets, if there are neither too few nor too many.
pub(super) fn checked(asked: Vec<Given>, ready: bool) -> Result<Vec<Given>, AgentError> {
    if ready && asked.is_empty() {
        return Err(try_again(
            "`asked` is empty. List everything that the user asked for, and how the plan treats each wish.",
        ));
    }
    if asked.len() > MAX_WISHES {
        return Err(try_again(format!(
            "`asked` has more than {MAX_WISHES} wishes. Put them together."
        )));
    }
    let wishes: Vec<Given> = asked.into_iter().map(trimmed).collect();
    if wishes.iter().any(|asked| asked.wish.wish.is_empty()) {
        return Err(try_again("`asked` has a wish without words."));
    }
    let bytes = |Given { wish, .. }: &Given| wish.wish.len() + wish.how.len();
    let bytes: usize = wishes.iter().map(bytes).sum();
    match bytes > LIST_BYTES {
        true => Err(try_again(format!(
            "`asked` has {bytes} bytes, {LIST_BYTES} are allowed. Write shorter wishes."
        ))),
        false => Ok(wishes),
    }
}

fn trimmed(Given { wish, words }: Given) -> Given {
    Given { wish: Wish { wish: line(&wish.wish), how: line(&wish.how), ..wish }, words }
}

/// The text on one line and within its limit; secrets are replaced before the cut.
fn line(text: &str) -> String {
    let text = redact(text).text;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().take(MAX_WISH_CHARS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wish(text: &str) -> Given {
        serde_json::from_value(json!({"wish": text, "fate": "built"})).unwrap()
    }

    #[test]
    fn the_requirements_are_not_ready_without_a_list() {
        assert!(checked(Vec::new(), true).is_err());
        assert!(checked(Vec::new(), false).unwrap().is_empty());
    }

    #[test]
    fn a_list_is_bounded_and_shows_no_secret() {
        assert!(checked(vec![wish("a VPS"); MAX_WISHES + 1], true).is_err());
        assert!(checked(vec![wish(&"e".repeat(400)); MAX_WISHES], true).is_ok());
        assert!(checked(vec![wish(&"é".repeat(400)); MAX_WISHES], true).is_err());
        assert!(checked(vec![wish(" \n")], true).is_err());
        let listed = checked(vec![wish("use  the key\nAKIAIOSFODNN7ABCDEFG")], true).unwrap();
        let listed = &listed[0].wish.wish;
        assert!(!listed.contains("AKIA") && listed.starts_with("use the key "));
    }
}
