//! Finds out what the user wants to build.

mod asked;
mod quoted;

use super::{Role, document};
use crate::context::{AgentContext, Until, gathered, no_such_project};
use crate::error::AgentError;
use crate::tools::{Outcome, Tool, Watch, arguments};
use domain::Scope;
use domain::plan::MAX_DOCUMENT_BYTES;
use domain::requirement::{Requirement, TABLE_BYTES, WORDS_BYTES};
use quoted::{Quotations, Quoted};
use serde::Deserialize;
use serde_json::{Value, json};
use store::plans::Plans;

/// The longest document without the list of what the user asked for, in bytes.
const CONTENT_BYTES: usize = MAX_DOCUMENT_BYTES - TABLE_BYTES - WORDS_BYTES;

pub(super) const PROMPT: &str = "\
You are Groundcrew's requirements agent. You find out what infrastructure the user wants, until a \
cloud architect could design it without asking anything.

# What you find out
- What shall run, for whom, and how it is reached: names, ports, domains, TLS.
- Where it shall run: cloud provider and region, an existing server reached over SSH, or only the sandbox.
- Size: users or load, data and how long it is kept, and what it may cost in a month.
- Software and versions that are fixed, and what exists already and must stay.
- Backups, monitoring, who may log in, and what must never be public.
- Which credentials will be needed, by name only.
- If there is a section imported_files, these files of a repository lie in the workspace already: ask what should \
happen to them unless the user said so, and name in the document what is kept and what is changed.

# How you work
- After each message that told you something new, call update_requirements with the whole document: \
markdown with the headings Goal, Where it runs, Software, Access and security, Data and backups, Budget, \
Credentials needed, Assumptions, Open questions. Leave out headings with nothing to say.
- Put defaults that you chose under Assumptions, so that the user can object.
- In asked, list everything that the user asked for, wish by wish, in their words: providers, components, \
versions, sizes, numbers of servers, ports, domains, TLS, replicas, backups, users. fate says whether it is built, \
built differently or not; how says what is built instead, or why not. Nothing is left out and nothing is replaced in \
silence: the document contains the list with an id for each wish, and you say in your reply what is not built as \
asked, before the user confirms. A wish that has not changed keeps its text, so that it keeps its id.
- words quotes, for each wish, what the user said: their own words, copied unchanged from one message, in their language and \
as short as they are clear, such as “in Nuremberg” for a region. “…” may join two places of a message. It is empty only \
for a default that the user did not mention. The user sees the quotation beside the wish, and below the list what they \
said that no wish quotes.
- Set ready_to_continue to true once nothing is open that would change the design, and not before; \
set it back to false when a new message opens something. Small tasks need few questions: a sandbox \
demo can be ready after one message.
- Then say in a sentence or two what you understood and what is still open. When all is clear, tell \
the user to confirm the requirements to go on.";

pub(super) async fn role(context: &AgentContext, scope: Scope) -> Result<Role, AgentError> {
    let gathered = gathered(context, scope, Until::Requirements).await?;
    let listed = gathered.asked.requirements.into_iter().map(|listed| listed.asked).collect();
    let quotations = Quotations::new(context, scope, listed);
    let tool = UpdateRequirements { plans: context.plans.clone(), scope, quotations };
    Ok(Role::new(PROMPT, gathered.shown, vec![Box::new(tool)]))
}

struct UpdateRequirements {
    plans: Plans,
    scope: Scope,
    quotations: Quotations,
}

#[derive(Deserialize)]
struct Arguments {
    content: String,
    #[serde(default)]
    asked: Vec<asked::Given>,
    ready_to_continue: bool,
}

#[async_trait::async_trait]
impl Tool for UpdateRequirements {
    fn name(&self) -> &'static str {
        "update_requirements"
    }

    fn description(&self) -> &'static str {
        "Writes the requirements document anew. The user sees it beside the chat and can continue \
         once ready_to_continue is true."
    }

    fn schema(&self) -> Value {
        json!({
            "type": "object",
            "properties": {
                "content": {"type": "string", "description": "The whole document, in markdown"},
                "asked": asked::schema(),
                "ready_to_continue": {"type": "boolean", "description": "Whether an architect has all that is needed"},
            },
            "required": ["content", "asked", "ready_to_continue"],
            "additionalProperties": false,
        })
    }

    async fn run(&self, given: Value, watch: &Watch<'_>) -> Result<Outcome, AgentError> {
        let given: Arguments = arguments(given)?;
        let ready = given.ready_to_continue;
        let asked = asked::checked(given.asked, ready)?;
        let content = document(&given.content, "content", CONTENT_BYTES)?.text;
        let Quoted { wishes, unread, told } =
            self.quotations.checked(asked, watch.messages).await?;
        let said = (wishes.as_slice(), unread.as_slice());
        let written = self.plans.renew_requirements(self.scope, &content, said, ready).await;
        let gone = written.map_err(AgentError::internal)?.ok_or_else(no_such_project)?;
        self.quotations.written(wishes);
        Ok(outcome(ready, &gone, &told))
    }
}

/// What the user and the model learn about a document that is written.
fn outcome(ready: bool, gone: &[Requirement], told: &str) -> Outcome {
    let (summary, answer) = match ready {
        true => {
            ("Requirements written, ready to continue", "Written. The user can now confirm them.")
        }
        false => ("Requirements written", "Written. The user cannot continue yet."),
    };
    let (mut summary, mut answer) = (summary.to_owned(), answer.to_owned());
    let gone = gone.iter().map(|gone| format!("{} ({})", gone.id, gone.asked.wish));
    let gone = gone.collect::<Vec<_>>().join(", ");
    if !gone.is_empty() {
        summary += &format!(". No longer on the list: {gone}");
        answer += &format!(
            " No longer on the list, as the user sees: {gone}. Unless the user took it back or you put it in other words, \
             list it again."
        );
    }
    if !told.is_empty() {
        answer += &format!(" {told}");
    }
    Outcome { summary, answer }
}
