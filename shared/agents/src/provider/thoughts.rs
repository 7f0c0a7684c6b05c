//! Decides how long a Claude model may think, by `MODEL_EFFORT`.
//!
//! Newer models decide that themselves, within an effort that the call names. Older ones take a number of tokens.
//! Thoughts and reply share the tokens of the reply, and providers refuse a call whose thoughts leave no room for the
//! reply. Bedrock and Anthropic's own protocol follow the same rule.

use crate::exchange::Effort;
use serde_json::{Map, Value, json};

/// Models that do not think, by a part of their names.
const THOUGHTLESS: [&str; 4] = ["claude-v2", "claude-2", "claude-instant", "claude-3-"];
/// Models that think up to a number of tokens; later ones decide that themselves.
const BUDGETED: [&str; 5] = ["claude-3-7-", "-4-2025", "-4-0-", "-4-1-", "-4-5-"];
/// The fewest tokens that such a model may think, and the fewest that must be left for its reply.
pub(super) const LEAST_BUDGET: u32 = 1_024;

/// What a call tells the model about thinking.
#[derive(Debug, PartialEq)]
pub(super) enum Thoughts {
    /// It should not think, or cannot.
    None,
    /// It may think up to this many tokens of the reply.
    UpTo(u32),
    /// It decides, within this effort.
    Adaptive(&'static str),
}

impl Thoughts {
    /// For the Claude model with this name, which other words may precede.
    pub(super) fn of(name: &str, effort: Effort, reply_tokens: u32) -> Self {
        // An alias ends where a dated name continues.
        let name = format!("{name}-");
        let is = |parts: &[&str]| parts.iter().any(|part| name.contains(part));
        if is(&BUDGETED) {
            return Self::within(effort, reply_tokens);
        }
        match effort {
            Effort::None => Self::None,
            _ if is(&THOUGHTLESS) => Self::None,
            effort => Self::Adaptive(share(effort).0),
        }
    }

    /// For a model behind Anthropic's own protocol. A name that is not Claude's, such as a gateway's own, is taken for an
    /// older model's.
    pub(super) fn of_any(name: &str, effort: Effort, reply_tokens: u32) -> Self {
        match name.find("claude") {
            Some(at) => Self::of(&name[at..], effort, reply_tokens),
            None => Self::within(effort, reply_tokens),
        }
    }

    /// The fields of a request that say so, in either protocol.
    pub(super) fn fields(&self) -> Map<String, Value> {
        let fields = match self {
            Self::None => Vec::new(),
            Self::UpTo(tokens) => {
                vec![("thinking", json!({"type": "enabled", "budget_tokens": tokens}))]
            }
            Self::Adaptive(effort) => vec![
                ("thinking", json!({"type": "adaptive"})),
                ("output_config", json!({"effort": effort})),
            ],
        };
        fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }

    /// For a model that thinks up to a number of tokens.
    fn within(effort: Effort, reply_tokens: u32) -> Self {
        let budget = (reply_tokens / 8 * share(effort).1).max(LEAST_BUDGET);
        // A short reply, such as a summary, has no room for thoughts.
        let fits = budget + LEAST_BUDGET <= reply_tokens;
        match effort {
            Effort::None => Self::None,
            _ if fits => Self::UpTo(budget),
            _ => Self::None,
        }
    }
}

/// An effort's name, and how many eighths of a reply the thoughts may take.
fn share(effort: Effort) -> (&'static str, u32) {
    match effort {
        Effort::None | Effort::Minimal | Effort::Low => ("low", 1),
        Effort::Medium => ("medium", 3),
        Effort::High => ("high", 5),
        Effort::Max => ("max", 6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_models_name_shows_how_it_thinks() {
        let of = |name: &str| Thoughts::of(name, Effort::High, 16_000);
        for older in [
            "claude-sonnet-4-5",
            "claude-sonnet-4-5-20250929-v1:0",
            "claude-3-7-sonnet-latest",
            "claude-opus-4-1",
            "claude-sonnet-4-0",
            "claude-opus-4-20250514",
        ] {
            assert_eq!(of(older), Thoughts::UpTo(10_000), "{older}");
        }
        for newer in ["claude-opus-4-6", "claude-sonnet-4-6", "claude-opus-5"] {
            assert_eq!(of(newer), Thoughts::Adaptive("high"), "{newer}");
        }
        for thoughtless in ["claude-3-5-haiku-latest", "claude-2.1", "claude-instant-1.2"] {
            assert_eq!(of(thoughtless), Thoughts::None, "{thoughtless}");
        }
    }

    #[test]
    fn thoughts_always_leave_room_for_the_reply() {
        use Effort::{High, Low, Max, Medium, Minimal};
        for reply_tokens in (0..40_000).step_by(500) {
            for effort in [Minimal, Low, Medium, High, Max] {
                match Thoughts::of("claude-sonnet-4-5", effort, reply_tokens) {
                    Thoughts::UpTo(tokens) => assert!(
                        (LEAST_BUDGET..=reply_tokens - LEAST_BUDGET).contains(&tokens),
                        "{tokens} of {reply_tokens}"
                    ),
                    thoughts => assert!(reply_tokens < 2 * LEAST_BUDGET + 2_000, "{thoughts:?}"),
                }
            }
        }
    }
}
