//! Whether a failed call is made again: by the same model, with a smaller window, or by the fallback model.

use super::Rounds;
use crate::exchange;
use crate::provider::error::{Kind, ModelError};
use crate::provider::{Patience, Progress, Stop};
use domain::chat::ChatEvent;

/// How often a run from the queue makes a call again whose reply broke off after it had begun.
const REPEATS: u32 = 3;
/// How often the window is halved for a model that can read less than we expect.
const HALVINGS: u32 = 3;

/// The tool name and the summary that announce to a reader that the fallback model continues.
const FALLBACK: &str = "fallback_model";
const TAKEN_OVER: &str = "The AI model did not answer, so another one goes on";

impl Rounds<'_> {
    /// Whether the fallback may take over. It may only before the reader has seen a part of the reply, because another
    /// model would start the reply over.
    pub(super) fn can_be_relieved(&self, stop: &Stop, progress: &Progress) -> bool {
        let has_fallback = self.context.fallback.is_some() && !self.relieved;
        has_fallback && stop.is_the_providers() && progress.is_empty()
    }

    /// Gives the rest of the turn to the fallback. The fallback keeps it: a model that thinks refuses tool calls that
    /// do not follow its own thoughts, and the fallback cannot read the thoughts that the first one has signed.
    pub(super) async fn relieve(&mut self) {
        self.relieved = true;
        let (tool, summary) = (FALLBACK.to_owned(), TAKEN_OVER.to_owned());
        self.unkept_note = Some(summary.clone());
        self.reader.send(ChatEvent::Tool { tool, summary }).await;
        self.live =
            std::mem::take(&mut self.live).into_iter().map(exchange::Message::unsigned).collect();
    }

    /// Whether a call is made again although a part of its reply has come. Only a run from the queue does that: a reader
    /// would see the reply begin twice.
    pub(super) fn can_repeat(&self, error: &ModelError, progress: &Progress) -> bool {
        let is_run = self.task.patience == Patience::Queue;
        is_run && error.is_transient() && !progress.is_empty() && self.repeats < REPEATS
    }

    pub(super) fn can_halve(&self, error: &ModelError, progress: &Progress) -> bool {
        error.kind == Kind::ContextOverflow && progress.is_empty() && self.halvings < HALVINGS
    }
}
