//! Looks up documentation in the sandbox, so that a model does not have to write from memory.
//!
//! What a model remembers of a module's options, a resource's arguments or a program's flags belongs to some version;
//! the sandbox has one version. The tool takes a kind and a name (`domain::manual`), never a command. The sandbox runs
//! whatever it needs as a reader that cannot even see the workspace. So no text of the project decides what is shown,
//! and no approval is needed. The result is data like all output: masked, fenced and redacted.

use crate::error::AgentError;
use crate::fence::fence;
use crate::machines::{Documented, Sandbox};
use crate::tools::{Outcome, Tool, Watch, arguments, try_again};
use domain::Scope;
use domain::manual::{Kind, Topic, TopicRequest};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The tool's name.
const LOOK_UP: &str = "look_up_documentation";

/// The most pages in one turn.
const PAGES: usize = 12;

/// The rule for looking things up, for the prompt of each agent that may.
pub(super) const RULE: &str = "\
# How you look things up
Before you rely on an option, an argument or a command whose name, form or presence in the installed version you are not \
sure of, read it with look_up_documentation: Ansible modules, Terraform resources and data sources, manual pages and \
programs' own help, as the sandbox has them.";

/// The tool that looks up documentation.
pub(super) struct LookUp {
    sandbox: Sandbox,
    scope: Scope,
    pages: AtomicUsize,
}

impl LookUp {
    pub(super) fn new(sandbox: &Sandbox, scope: Scope) -> Self {
        Self { sandbox: sandbox.clone(), scope, pages: AtomicUsize::new(0) }
    }
}

#[derive(serde::Deserialize)]
struct Arguments {
    #[serde(flatten)]
    request: TopicRequest,
    #[serde(default)]
    from: usize,
}

#[async_trait::async_trait]
impl Tool for LookUp {
    fn name(&self) -> &'static str {
        LOOK_UP
    }

    fn description(&self) -> &'static str {
        "Shows documentation that the user's sandbox carries, in pages. By kind, `name` is: ansible_module: a module, as in \
         ansible.builtin.copy; ansible_modules: a part of modules' names, for a list; terraform_resource and \
         terraform_data_source: a type, as in aws_instance, which needs `terraform init` to have run in `folder`; \
         program: a program with its commands and without options, as in `docker compose up`; manual: a manual page, as \
         in crontab(5), where the sandbox has manuals."
    }

    fn schema(&self) -> Value {
        json!({
            "type": "object",
            "properties": {
                "kind": {"type": "string", "enum": Kind::ALL.map(Kind::as_str)},
                "name": {"type": "string"},
                "folder": {
                    "type": "string",
                    "description": "For Terraform: the folder of the root module, `terraform` if it is left out"
                },
                "from": {"type": "integer", "description": "The first line to show, 0 if it is left out"},
            },
            "required": ["kind", "name"],
            "additionalProperties": false,
        })
    }

    async fn run(&self, given: Value, _: &Watch<'_>) -> Result<Outcome, AgentError> {
        let Arguments { request, from } = arguments(given)?;
        let topic = Topic::try_from(request).map_err(|error| try_again(error.to_string()))?;
        if self.pages.fetch_add(1, Ordering::Relaxed) >= PAGES {
            return Err(try_again(format!(
                "You have looked up {PAGES} pages, which is all for one reply. Go on with what you know."
            )));
        }
        let found = self.sandbox.look_up(self.scope, &topic, from).await.map_err(try_again)?;
        let from_line = if from > 0 { format!(", from line {from}") } else { String::new() };
        let what = format!("{} `{}`{from_line}", topic.kind().in_words(), topic.name());
        Ok(match found {
            Documented::Page { text, next } => {
                let more = match next {
                    Some(next) => format!("\n\nThere is more: ask again with \"from\": {next}."),
                    None => String::new(),
                };
                let answer = format!("{}{more}", &*fence("manual", &text));
                Outcome { summary: format!("Looked up {what}"), answer }
            }
            Documented::Missing(reason) => {
                let answer =
                    format!("The sandbox does not have it.\n\n{}", &*fence("manual", &reason));
                Outcome { summary: format!("Looked for {what}: not there"), answer }
            }
        })
    }
}
