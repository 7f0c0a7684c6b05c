//! Streams the commands that the chat types into its user's terminal.
//!
//! A function runs for as long as a stream is open, so the page opens a stream only while the chat is working, and asks
//! for a short one. Nothing is typed without a running sandbox, which only a positive balance pays for: without one, the
//! stream passes on what waits and ends.

use crate::App;
use axum::response::Response;
use axum::response::sse::Event;
use domain::Scope;
use domain::report::Chain;
use futures::{Stream, stream};
use http_kit::{ApiError, ClientAddress, Owner, sse};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::convert::Infallible;
use std::future::ready;
use std::time::Duration;
use store::typed::{TypedCommand, TypedCommands};
use tokio::time::{Instant, sleep};
use utoipa::ToSchema;

/// The longest time that a stream stays open; the page then opens the next one.
const OPEN_FOR: Duration = Duration::from_secs(60);
/// How often the stream looks for a command.
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// The pause between two keys, in milliseconds.
const TYPING_SPEED: u32 = 50;

/// A command to type: the JSON after `data:`.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct TerminalCommand {
    /// The exact keys, without a line end.
    pub command: String,
    /// Whether to press Enter after it (`run_typed` of the terminal's input): the sandbox presses it if the line holds
    /// nothing else.
    pub run: bool,
    /// Whether to type it key by key.
    pub simulate_typing: bool,
    /// The pause between two keys, in milliseconds.
    pub typing_speed: u32,
}

impl App {
    /// The commands that the chat types from now on. `after` is the last one that this page has; `wait` is how long it
    /// asks to listen.
    pub(crate) async fn typed_commands(
        &self,
        owner: &Owner,
        address: ClientAddress,
        after: u64,
        wait: Option<Duration>,
    ) -> Result<Response, ApiError> {
        let scope = owner.scope;
        let sandbox = self.sandboxes.get(scope).await?.ok_or_else(ApiError::not_found)?;
        let open_for = match sandbox.is_up() {
            true => wait.map_or(OPEN_FOR, |wait| wait.min(OPEN_FOR)),
            false => Duration::ZERO,
        };
        let user = owner.caller.session.user_id;
        let open = self.streams.open_unpaid(scope.installation, user, address, open_for).await?;
        let commands = commands(self.typed.clone(), scope, after, open_for);
        Ok(sse::stream(open, commands, ready(())))
    }
}

/// Only one stream takes each command, so two open pages do not type it twice.
fn commands(
    typed: TypedCommands,
    scope: Scope,
    after: u64,
    open_for: Duration,
) -> impl Stream<Item = Result<Event, Infallible>> + Send + 'static {
    let until = Instant::now() + open_for;
    stream::unfold((typed, VecDeque::new()), move |(typed, mut ready)| async move {
        loop {
            if let Some(command) = ready.pop_front() {
                return Some((Ok(event(&command)), (typed, ready)));
            }
            match typed.take(scope).await {
                Ok(taken) => ready.extend(taken.into_iter().filter(|c| c.number > after)),
                Err(error) => {
                    tracing::warn!(error = %Chain(&error), %scope, "typed commands could not be read");
                    return None;
                }
            }
            if ready.is_empty() {
                if Instant::now() >= until {
                    return None;
                }
                sleep(LOOK_EVERY).await;
            }
        }
    })
}

/// These types always serialize; if one did not, clients would ignore the empty event.
fn event(typed: &TypedCommand) -> Event {
    let TypedCommand { number, command, run, .. } = typed;
    let data = TerminalCommand {
        command: command.clone(),
        run: *run,
        simulate_typing: true,
        typing_speed: TYPING_SPEED,
    };
    serde_json::to_string(&data).map_or_else(
        |_| Event::default(),
        |json| Event::default().id(number.to_string()).data(json),
    )
}
