//! The rounds of a turn: one model call each, with the tools that it called.

mod again;
mod condense;
pub(crate) mod ends;
mod keeping;
mod limits;

use super::window::{CONTEXT_TOKENS, window};
use super::{End, Task};
use crate::context::AgentContext;
use crate::error::AgentError;
use crate::exchange::{self, Call, CallResult, Declaration, Request};
use crate::meter;
use crate::pipe::Reader;
use crate::provider::error::{Kind, ModelError};
use crate::provider::{Model, Patience, Progress, Reply, Stop};
use crate::tokens;
use crate::tools::{self, Answer, Watch};
use domain::chat::{ChatEvent, MAX_CALLS, Message, Summary};
use domain::report::Chain;
use std::time::Duration;
use tokio::time::Instant;

/// The longest time that one turn may work; a Lambda lives 15 minutes.
const TURN_TIME: Duration = Duration::from_secs(600);
/// The longest turn including the time in which tools waited for people and commands; a stream through the gateway
/// lives 15 minutes.
const TURN_WITH_WAITING: Duration = Duration::from_secs(840);
/// The part of it that is left for the model to report the result of the wait.
const LAST_WORDS: Duration = Duration::from_secs(90);
/// How often a model that forgot the wanted tool is reminded.
const REMINDERS: usize = 2;
/// The wait before the second of these calls; it grows with each.
const REPEAT_AFTER: Duration = Duration::from_millis(250);

/// The tool name and the note for an answer that speaks of work that no tool did.
const NOTHING: &str = "nothing_done";
const NOTHING_DONE: &str = "Nothing was written or run for this answer";

pub(crate) struct Rounds<'a> {
    context: &'a AgentContext,
    task: &'a mut Task,
    reader: &'a mut Reader,
    /// Where the conversation before this turn ends; everything after it is in `live`.
    history: usize,
    /// This turn's replies and results in the provider's own form, signed thoughts included.
    live: Vec<exchange::Message>,
    deadline: Instant,
    /// The time at which every turn must end.
    latest: Instant,
    halvings: u32,
    /// The summary of the conversation's beginning.
    summary: Option<Summary>,
    /// The same, while it is not stored yet.
    unkept: Option<Summary>,
    /// The window for which condensing was tried.
    condensed_at: Option<u32>,
    /// How many model calls were answered.
    calls: usize,
    /// The tokens of these calls.
    spent: u64,
    notes: Vec<String>,
    /// Whether the model answered with text where only a call counts, so that it is forced to call from now on.
    bound: bool,
    /// Whether the model's server refused to force a call.
    unforced: bool,
    /// Whether the model did not answer, so that its fallback has the rest of the turn.
    relieved: bool,
    /// A note for the next message that is stored.
    unkept_note: Option<String>,
    /// How many calls were repeated because their replies broke off.
    repeats: u32,
    /// What was wrong with the newest tool call, if it was refused.
    refusal: Option<String>,
    /// In how many replies the wanted tool refused what the model handed in.
    returned: usize,
}

/// What follows a round.
enum Next {
    Round,
    Finished,
}

impl<'a> Rounds<'a> {
    pub(crate) fn new(
        context: &'a AgentContext,
        task: &'a mut Task,
        reader: &'a mut Reader,
    ) -> Self {
        let history = task.conversation.messages().len();
        let summary = task.conversation.summary().cloned();
        let now = Instant::now();
        Self {
            context,
            task,
            reader,
            history,
            live: Vec::new(),
            deadline: now + TURN_TIME,
            latest: now + TURN_WITH_WAITING,
            halvings: 0,
            summary,
            unkept: None,
            condensed_at: None,
            calls: 0,
            spent: 0,
            notes: Vec::new(),
            bound: false,
            unforced: false,
            relieved: false,
            unkept_note: None,
            repeats: 0,
            refusal: None,
            returned: 0,
        }
    }

    pub(crate) async fn run(mut self) -> Result<(), End> {
        let mut reminders = 0;
        while self.may_go_on() {
            let (reply, text) = self.ask().await?;
            self.calls += 1;
            let may_remind = self.is_run_with_goal() && reminders < REMINDERS;
            let next = if reply.calls.is_empty() && reply.truncated && !may_remind {
                let error = ModelError::new(Kind::CutShort, "the reply's longest length");
                self.keep_partial(text, Some(error.public_text())).await;
                return Err(AgentError::from(error).into());
            } else if reply.calls.is_empty() {
                self.answered(text, &mut reminders).await?
            } else {
                self.use_tools(reply, text).await?
            };
            if matches!(next, Next::Finished) {
                return Ok(());
            }
        }
        let error = self.used_up();
        self.keep_partial(String::new(), Some(error.public_text().to_owned())).await;
        Err(error.into())
    }

    /// Makes one metered model call; repeats it with a smaller window if the model cannot read this much.
    async fn ask(&mut self) -> Result<(Reply, String), End> {
        loop {
            self.make_room().await?;
            let request = self.request();
            let model = self.model();
            let mut progress = Progress::of_at_most(model.reply_tokens());
            match self.call(&model, &request, &mut progress).await {
                Ok(reply) => return Ok((reply, progress.text)),
                Err(Stop::Failed(error)) if self.can_halve(&error, &progress) => self.halvings += 1,
                // Not every server can force a model to call a tool.
                Err(Stop::Failed(error)) if self.is_forced() && error.field().is_some() => {
                    self.unforced = true;
                }
                Err(stop) if self.can_be_relieved(&stop, &progress) => {
                    tracing::error!(cause = stop.cause(), "the fallback model takes over a turn");
                    self.relieve().await;
                }
                Err(Stop::Failed(error)) if self.can_repeat(&error, &progress) => {
                    tracing::warn!(cause = %Chain(&error), "a reply that broke off is asked for again");
                    tokio::time::sleep(REPEAT_AFTER * self.repeats).await;
                    self.repeats += 1;
                }
                Err(stop) => {
                    let reason = match &stop {
                        Stop::Failed(error) => Some(error.public_text()),
                        Stop::Refused(error) | Stop::WithoutKey(error) => {
                            Some(error.public_text().to_owned())
                        }
                        Stop::ReaderGone => None,
                    };
                    self.keep_partial(progress.text, reason).await;
                    return Err(stop.into());
                }
            }
        }
    }

    /// Makes one call within the turn's time, once its worst case is held, and charges what it used.
    async fn call(
        &mut self,
        model: &Model,
        request: &Request,
        progress: &mut Progress,
    ) -> Result<Reply, Stop> {
        let hold = meter::hold(self.context, self.task.scope, request, model).await;
        let hold = hold.map_err(Stop::Refused)?;
        let call = model.call(request, self.reader, progress);
        let call = meter::while_held(self.context, &hold, call);
        let called = tokio::time::timeout_at(self.deadline, call).await;
        let called = called.unwrap_or_else(|_| {
            Err(ModelError::new(Kind::TimedOut, "the turn's time is over").into())
        });
        if called.is_ok() || progress.is_billed() {
            let used = meter::settle(self.context, self.task.agent, &hold, request, progress).await;
            self.spent = self.spent.saturating_add(used);
        } else {
            meter::release(self.context, &hold).await;
        }
        called
    }

    /// The model with the patience of the reader or the queue; forced to call the wanted tool once it has answered with
    /// text instead, or has hardly any calls left.
    fn model(&self) -> Model {
        let patience = match self.task.patience {
            Patience::Queue if !self.relieved && self.context.fallback.is_some() => {
                Patience::Relieved
            }
            patience => patience,
        };
        let model = self.chosen().with_patience(patience);
        match self.task.goal.filter(|_| self.is_forced()) {
            Some(goal) => model.bound_to(goal),
            None => model,
        }
    }

    /// The model that runs this turn.
    fn chosen(&self) -> Model {
        let fallback = self.context.fallback.as_ref().filter(|_| self.relieved);
        fallback.cloned().unwrap_or_else(|| self.context.model.of_agent(self.task.agent))
    }

    /// The tokens that the conversation may take besides everything else that is sent.
    fn budget(&self) -> u64 {
        let task = &self.task;
        let tools = tools::declarations(&task.tools);
        let fixed = task.prompt.len()
            + task.context.len()
            + self.summary.as_ref().map_or(0, |summary| summary.text.len())
            + tools.iter().map(Declaration::bytes).sum::<usize>()
            + self.live.iter().map(exchange::Message::bytes).sum::<usize>();
        (CONTEXT_TOKENS >> self.halvings).saturating_sub(tokens::of_bytes(fixed))
    }

    fn request(&self) -> Request {
        let task = &self.task;
        let tools = tools::declarations(&task.tools);
        let mut messages = window(self.history(), &self.earlier(), &task.context, self.budget());
        messages.extend(self.live.iter().cloned());
        Request { system: task.prompt.clone(), messages, tools }
    }

    /// Handles a reply without a tool call.
    async fn answered(&mut self, text: String, reminders: &mut usize) -> Result<Next, End> {
        let is_run = self.task.patience == Patience::Queue;
        let reminder = match self.task.goal {
            Some(goal) => format!("Only what you pass to the tool `{goal}` is kept. Call it now."),
            None if ends::has_call(&text, &self.task.tools) => ends::CALL_AGAIN.to_owned(),
            None => {
                self.close(text).await?;
                return Ok(Next::Finished);
            }
        };
        let silent = text.trim().is_empty();
        if !silent {
            self.add(Message::assistant(text.clone())).await?;
        }
        if is_run && ends::question(&text).is_some() {
            return Err(ends::asked(&text).into());
        }
        if *reminders == REMINDERS {
            let error = ends::only_talked(&text, is_run);
            self.keep_partial(String::new(), Some(error.public_text().to_owned())).await;
            return Err(error.into());
        }
        *reminders += 1;
        self.bound = true;
        // Providers require that roles alternate and that no text is empty.
        self.live.push(exchange::Message::assistant(if silent { "…".to_owned() } else { text }));
        self.live.push(exchange::Message::user(reminder));
        Ok(Next::Round)
    }

    /// Keeps the reply that ends the turn. If the turn did its work without text, the reply says what it did.
    async fn close(&mut self, text: String) -> Result<(), End> {
        let text = match (text.trim().is_empty(), self.notes.is_empty()) {
            (false, _) => text,
            (true, false) => {
                let text = format!("{}.", self.notes.join(". "));
                self.reader.text(text.clone()).await;
                text
            }
            (true, true) => {
                let error = ModelError::new(Kind::Interrupted, "an empty reply");
                self.keep_partial(String::new(), Some(error.public_text())).await;
                return Err(AgentError::from(error).into());
            }
        };
        let mut notes: Vec<_> = self.unkept_note.take().into_iter().collect();
        let is_read = self.task.patience == Patience::Reader;
        if is_read && self.notes.is_empty() && ends::claims_work(&text) {
            let (tool, summary) = (NOTHING.to_owned(), NOTHING_DONE.to_owned());
            notes.push(summary.clone());
            self.reader.send(ChatEvent::Tool { tool, summary }).await;
        }
        Ok(self.add(Message { notes, ..Message::assistant(text) }).await?)
    }

    /// Carries out the calls in order, keeps them with their results and tells the model.
    async fn use_tools(&mut self, reply: Reply, text: String) -> Result<Next, End> {
        let mut results = Vec::new();
        let mut notes: Vec<_> = self.unkept_note.take().into_iter().collect();
        let (mut reached, mut worked, mut returned) = (false, false, false);
        let mut failure = None;
        for (i, call) in reply.calls.iter().enumerate() {
            let answered = if failure.is_some() {
                Ok(Answer::refused("Not done: the turn ended before."))
            } else if i >= MAX_CALLS {
                Ok(Answer::refused("Error: too many calls at once. Call again."))
            } else {
                let is_last = i + 1 == reply.calls.len();
                self.use_tool(call, reply.truncated && is_last).await
            };
            let answer = answered.unwrap_or_else(|error| {
                let content = format!("Error: {error}");
                failure = Some(error);
                Answer::refused(&content)
            });
            match &answer.summary {
                Some(_) => (worked, self.refusal) = (true, None),
                None if !worked => self.refusal = Some(answer.content.to_string()),
                None => {}
            }
            let named = tools::named(&self.task.tools, &call.name).map(|tool| tool.name());
            let tool = named.unwrap_or(call.name.as_str()).to_owned();
            let is_goal = self.task.goal == Some(tool.as_str());
            returned |= is_goal && answer.summary.is_none();
            if let Some(summary) = answer.summary {
                reached |= is_goal;
                notes.push(summary.clone());
                self.reader.send(ChatEvent::Tool { tool, summary }).await;
            }
            results.push(CallResult { id: call.id.clone(), content: answer.content.into_text() });
        }
        self.returned += usize::from(returned);
        self.keep_round(&reply, text, &results, notes.clone()).await?;
        self.notes.extend(notes);
        self.reader.paragraph();
        if let Some(error) = failure {
            self.keep_partial(String::new(), Some(error.public_text().to_owned())).await;
            return Err(error.into());
        }
        if reached {
            self.close(String::new()).await?;
            return Ok(Next::Finished);
        }
        if let (Some(last), Some(hint)) = (results.last_mut(), self.hint()) {
            last.content.push_str(&hint);
        }
        self.live.push(exchange::Message::reply(reply.parts));
        self.live.push(exchange::Message::results(results));
        Ok(Next::Round)
    }

    /// Carries out one call; the time that it takes does not count against the model's.
    async fn use_tool(&mut self, call: &Call, truncated: bool) -> Result<Answer, AgentError> {
        let began = Instant::now();
        let messages = self.task.conversation.messages();
        let (until, is_last) = (self.latest - LAST_WORDS, self.is_last_call());
        let watch = Watch { reader: self.reader, until, messages, is_last };
        let answered = tools::answer(&self.task.tools, call, truncated, &watch).await;
        self.deadline = (self.deadline + began.elapsed()).min(self.latest);
        answered
    }
}
