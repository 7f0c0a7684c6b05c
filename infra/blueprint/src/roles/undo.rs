//! Undoes the latest change.
//!
//! The change's plan states what each value was before. A change back to those values runs the same steps with them,
//! through the same stages and approvals. Only the latest change can be undone, because the values that an earlier
//! change replaced may have been replaced again since.

use super::change::THIS_CHANGE;
use crate::choice::Choice;
use crate::conversation::Conversation;
use crate::reading::dialogue::changing::differing;
use crate::words::Words;

/// Maximum number of words in a request to undo; a longer one asks for more than that.
const MOST_WORDS: usize = 6;

/// Whether a request asks only to undo the previous change.
pub fn is_asked(wish: &str) -> bool {
    let words = Words::of(wish);
    words.count() <= MOST_WORDS && words.means_any(&["undo", "revert", "roll back"])
}

/// The state before the change that the request names, or the reason why it cannot be restored.
pub fn former(
    conversation: &Conversation,
    before: &Choice,
    wish: &str,
) -> Result<Choice, &'static str> {
    let change = conversation.fence("change");
    let last = change.as_ref().and_then(|fence| fence.attribute("on_top_of"));
    let words = Words::of(wish);
    let mut numbers = words.values().filter(|word| word.parse::<u32>().is_ok());
    if let (Some(last), Some(named)) = (last, numbers.next())
        && named != last
    {
        return Err("only the change that was completed last can be undone");
    }
    let plan = conversation.fence("previous_implementation_plan");
    let table = plan.as_ref().and_then(|plan| plan.content.split_once(THIS_CHANGE));
    let Some((_, table)) = table else { return Err("nothing has changed since the first build") };
    let mut values = before.values().clone();
    for parameter in before.parameters() {
        let start = format!("| {} | `", parameter.label);
        let end = format!("` | `{}` |", before.value(parameter.key));
        let row = |line: &str| line.strip_prefix(&start)?.strip_suffix(&end).map(str::to_owned);
        let value = table.lines().find_map(row);
        // Anyone may have edited the document, so each value is checked like a user's.
        if let Some(value) = value.and_then(|value| (parameter.accept)(&value)) {
            values.insert(parameter.key, value);
        }
    }
    let former = Choice::new(before.blueprint, &values);
    match differing(before, &former).is_empty() {
        true => Err("its plan names no values to go back to"),
        false => Ok(former),
    }
}
