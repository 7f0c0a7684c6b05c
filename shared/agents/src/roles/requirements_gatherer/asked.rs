//! The list of what the user asked for, item by item, and how the plan treats each: no item is dropped silently.
//!
//! The requirements document always contains the list, whatever the model wrote there, so that the user sees it before
//! confirming.

use crate::error::AgentError;
use crate::tools::try_again;
use domain::redaction::redact;
use domain::requirement::{HEADING, MAX_WISH_CHARS, MAX_WISHES, Wish};
use serde_json::{Value, json};

/// Most bytes of all items together: with ids and numbers of steps they fit a table of [`TABLE_BYTES`].
///
/// [`TABLE_BYTES`]: domain::requirement::TABLE_BYTES
const LIST_BYTES: usize = 8_000;

pub(super) fn schema() -> Value {
    let item = json!({
        "type": "object",
        "properties": {
            "wish": {"type": "string", "description": "One thing that the user asked for, in their words"},
            "fate": {"type": "string", "enum": ["built", "differently", "not"]},
            "how": {"type": "string", "description": "What is built instead, or why it is not built; empty when it is built"},
        },
        "required": ["wish", "fate", "how"],
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
pub(super) fn checked(asked: Vec<Wish>, ready: bool) -> Result<Vec<Wish>, AgentError> {
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
    let wishes: Vec<Wish> = asked.into_iter().map(trimmed).collect();
    if wishes.iter().any(|asked| asked.wish.is_empty()) {
        return Err(try_again("`asked` has a wish without words."));
    }
    let bytes: usize = wishes.iter().map(|asked| asked.wish.len() + asked.how.len()).sum();
    match bytes > LIST_BYTES {
        true => Err(try_again(format!(
            "`asked` has {bytes} bytes, {LIST_BYTES} are allowed. Write shorter wishes."
        ))),
        false => Ok(wishes),
    }
}

fn trimmed(asked: Wish) -> Wish {
    Wish { wish: line(&asked.wish), how: line(&asked.how), ..asked }
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
    use domain::requirement::Fate;

    fn wish(text: &str) -> Wish {
        Wish { wish: text.into(), fate: Fate::Built, how: String::new() }
    }

    #[test]
    fn the_requirements_are_not_ready_without_a_list() {
        assert!(checked(Vec::new(), true).is_err());
        assert_eq!(checked(Vec::new(), false).unwrap(), []);
    }

    #[test]
    fn a_list_is_bounded_and_shows_no_secret() {
        assert!(checked(vec![wish("a VPS"); MAX_WISHES + 1], true).is_err());
        assert!(checked(vec![wish(&"e".repeat(400)); MAX_WISHES], true).is_ok());
        assert!(checked(vec![wish(&"é".repeat(400)); MAX_WISHES], true).is_err());
        assert!(checked(vec![wish(" \n")], true).is_err());
        let listed = checked(vec![wish("use  the key\nAKIAIOSFODNN7ABCDEFG")], true).unwrap();
        assert!(!listed[0].wish.contains("AKIA") && listed[0].wish.starts_with("use the key "));
    }
}
