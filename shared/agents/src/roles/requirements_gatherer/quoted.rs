//! Each line of the list quotes the user, so that they can compare what was understood with what they said.
//!
//! The tool refuses a quotation that the user never said, or a new line without one, and the model corrects its call. A
//! model that does not manage this in a few tries still writes the document, without the false quotation. The tool
//! names to the model, and the page shows to the user, what the user said and no line quotes.

use super::asked::Given;
use crate::context::AgentContext;
use crate::error::AgentError;
use crate::tools::try_again;
use domain::Scope;
use domain::chat::{Message, Role};
use domain::requirement::words::{Said, shortened};
use domain::requirement::{MAX_UNREAD, Wish};
use redaction::redact;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use store::changes::Changes;
use store::projects::Projects;

/// How often a call is refused in one turn because of its quotations.
const REFUSALS: usize = 2;
/// The most wishes that a refusal names.
const NAMED: usize = 5;

/// What the tool knows about the user's words besides the conversation.
pub(super) struct Quotations {
    projects: Projects,
    changes: Changes,
    scope: Scope,
    /// The wishes in the document, whose quotations were checked when they came.
    listed: Mutex<Vec<Wish>>,
    /// The refusals of this turn.
    refusals: AtomicUsize,
}

/// A list with quotations that the user said.
pub(super) struct Quoted {
    pub(super) wishes: Vec<Wish>,
    /// What the user said and no wish quotes.
    pub(super) unread: Vec<String>,
    /// What the model must know about the quotations, if anything.
    pub(super) told: String,
}

impl Quotations {
    pub(super) fn new(context: &AgentContext, scope: Scope, listed: Vec<Wish>) -> Self {
        Self {
            projects: context.projects.clone(),
            changes: context.changes.clone(),
            scope,
            listed: Mutex::new(listed),
            refusals: AtomicUsize::new(0),
        }
    }

    /// The list, if each quotation is the user's and each new wish has one or says that it is a default.
    pub(super) async fn checked(
        &self,
        given: Vec<Given>,
        messages: &[Message],
    ) -> Result<Quoted, AgentError> {
        // A model that does not know of quotations at all still writes its list.
        let quotes = given.iter().any(|given| given.words.is_some());
        let mut said = Said::of(of_the_user(messages));
        let find = |said: &Said| -> Vec<_> {
            given.iter().map(|given| self.problem(given, quotes, said)).collect()
        };
        let mut problems = find(&said);
        if problems.iter().any(Option::is_some) {
            said = said.beside(self.written_elsewhere().await?);
            problems = find(&said);
        }
        let named: Vec<_> = problems.iter().flatten().cloned().collect();
        if !named.is_empty() && self.refusals.fetch_add(1, Ordering::Relaxed) < REFUSALS {
            return Err(refusal(&named));
        }
        let wishes = given.into_iter().zip(&problems).map(|(given, problem)| {
            let words = given.words.filter(|_| problem.is_none()).unwrap_or_default();
            let words = shortened(&redact(&words).text);
            self.with_its_former(Wish { words, ..given.wish })
        });
        let wishes: Vec<Wish> = wishes.collect();
        let unread = if quotes { self.unread(&said, &wishes, messages).await? } else { Vec::new() };
        let told = told(&wishes, quotes, named.len(), &unread);
        Ok(Quoted { wishes, unread, told })
    }

    /// Remembers a list that is written.
    pub(super) fn written(&self, wishes: Vec<Wish>) {
        *self.listed.lock().unwrap_or_else(PoisonError::into_inner) = wishes;
    }

    /// What is wrong with the quotation of a wish.
    fn problem(&self, given: &Given, quotes: bool, said: &Said) -> Option<String> {
        let Given { wish: Wish { wish, .. }, words } = given;
        let former = self.former(wish);
        match words.as_deref().map(str::trim) {
            // An empty quotation says that the wish is a default.
            Some("") => None,
            // Some models send the pieces of a quotation as lines.
            Some(words) if said.contains(words) || said.contains(&words.replace('\n', "…")) => {
                None
            }
            Some(words) => {
                let known = former.is_some_and(|former| former.words == shortened(words));
                (!known).then(|| format!("“{wish}” quotes “{words}”, which the user never said"))
            }
            None if quotes && former.is_none() => Some(format!("“{wish}” has no `words`")),
            None => None,
        }
    }

    /// The wish as the document lists it.
    fn former(&self, wish: &str) -> Option<Wish> {
        let listed = self.listed.lock().unwrap_or_else(PoisonError::into_inner);
        listed.iter().find(|listed| listed.is_same(wish)).cloned()
    }

    /// The wish with the quotation that it had before, unless it has a new one.
    fn with_its_former(&self, wish: Wish) -> Wish {
        let former = self.former(&wish.wish).filter(|_| wish.words.is_empty());
        let words = former.map(|former| former.words);
        Wish { words: words.unwrap_or(wish.words), ..wish }
    }

    /// The name and the description of the project, and the request for its change.
    async fn written_elsewhere(&self) -> Result<Vec<String>, AgentError> {
        let project = self.projects.get(self.scope).await.map_err(AgentError::internal)?;
        let change = self.changes.under_way(self.scope).await.map_err(AgentError::internal)?;
        let of_project = project.into_iter().flat_map(|project| {
            let description = project.description.into_iter();
            [project.name].into_iter().chain(description)
        });
        Ok(of_project.chain(change.map(|change| change.wish)).collect())
    }

    /// What the user said and no wish quotes. In a change, only what they said since it began counts.
    async fn unread(
        &self,
        said: &Said,
        wishes: &[Wish],
        messages: &[Message],
    ) -> Result<Vec<String>, AgentError> {
        let quotations = || wishes.iter().map(|wish| wish.words.as_str());
        let unread = said.unread(quotations());
        if unread.is_empty() {
            return Ok(unread);
        }
        let change = self.changes.under_way(self.scope).await.map_err(AgentError::internal)?;
        let Some(change) = change.filter(|change| !change.wish.is_empty()) else {
            return Ok(unread);
        };
        let texts: Vec<&str> = of_the_user(messages).collect();
        let begun = texts.iter().rposition(|text| text.trim() == change.wish.trim());
        let since = texts.get(begun.unwrap_or_default()..).unwrap_or_default();
        Ok(Said::of(since).unread(quotations()))
    }
}

fn of_the_user(messages: &[Message]) -> impl Iterator<Item = &str> {
    let said = messages.iter().filter(|message| message.role == Role::User);
    said.map(|message| message.text.as_str())
}

fn refusal(problems: &[String]) -> AgentError {
    let named = problems.iter().take(NAMED).cloned().collect::<Vec<_>>().join("; ");
    let more = match problems.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    try_again(format!(
        "{named}{more}. In `words`, copy the user's own words from one message of theirs, in their language and \
         unchanged, or leave it empty if the user did not say so and you chose a default. If they asked for something \
         else, change the wish."
    ))
}

/// What the model must know about the quotations of a list that is written.
fn told(wishes: &[Wish], quotes: bool, dropped: usize, unread: &[String]) -> String {
    let mut told = Vec::new();
    if !quotes && !wishes.is_empty() && wishes.iter().all(|wish| wish.words.is_empty()) {
        told.push("No wish has `words`, so the user cannot see what it was read from.".to_owned());
    }
    if dropped > 0 {
        told.push(format!(
            "{dropped} of the wishes stand there without a quotation, because the user never said it."
        ));
    }
    if !unread.is_empty() {
        let shown: Vec<_> =
            unread.iter().take(MAX_UNREAD).map(|part| format!("“{part}”")).collect();
        told.push(format!(
            "No wish quotes these words of the user: {}. If they ask for something, list it. Until then the user sees them \
             below the list, as words that no line comes from.",
            shown.join(", ")
        ));
    }
    told.join(" ")
}
