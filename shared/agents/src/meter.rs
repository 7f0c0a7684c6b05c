//! What a model call used, counted once.
//!
//! The price is an integer of micro-dollars per token ([`domain::money`]), so nothing is rounded.
//! A provider that gives no count, or a call that was cut off before its count came, is estimated
//! from the bytes sent and received, and marked as such.

use crate::context::AgentContext;
use crate::provider::Progress;
use crate::tokens;
use crate::turn::Task;
use domain::{RunId, Timestamp, TokenUsage};
use genai::chat::{ChatMessage, ChatRequest, Tool};
use store::costs::ModelCall;

/// Attempts at counting one call. Its id is new, so being told that it was counted before means
/// that the transaction ran into another one; both then try again.
const ATTEMPTS: usize = 5;

/// Counts one call and returns the tokens it used. A count that cannot be written is logged, so
/// that an operator can add it; the reader's turn goes on.
pub(crate) async fn record(
    context: &AgentContext,
    task: &Task,
    request: &ChatRequest,
    progress: &Progress,
) -> u64 {
    let counted = progress.counted;
    let usage = counted.unwrap_or_else(|| estimate(request, progress));
    let call = ModelCall {
        call_id: RunId::random().0,
        agent: task.agent,
        usage,
        micro_usd: usage.cost(),
        estimated: counted.is_none(),
        at: Timestamp::now(),
    };
    let mut cause = "the transaction kept being cancelled".to_owned();
    for _ in 0..ATTEMPTS {
        match context.costs.record(task.scope, &call).await {
            Ok(true) => return usage.input_tokens + usage.output_tokens,
            Ok(false) => {}
            Err(error) => cause = error.to_string(),
        }
    }
    tracing::error!(
        project = %task.scope,
        call = call.call_id,
        input_tokens = usage.input_tokens,
        output_tokens = usage.output_tokens,
        cause,
        "a model call was not counted"
    );
    usage.input_tokens + usage.output_tokens
}

fn estimate(request: &ChatRequest, progress: &Progress) -> TokenUsage {
    let tools = request.tools.iter().flatten().map(Tool::size).sum::<usize>();
    let messages = request.messages.iter().map(ChatMessage::size).sum::<usize>();
    let system = request.system.as_ref().map_or(0, String::len);
    TokenUsage {
        input_tokens: tokens::of_bytes(system + tools + messages),
        output_tokens: progress.estimated_tokens(),
    }
}
