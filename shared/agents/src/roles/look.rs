//! Lets agents look into the sandbox while they write a plan or a script.
//!
//! A model that cannot look guesses: which files an earlier step left, what a tool's option is called, what a
//! configuration contains. It may run commands that only read (`read_only`), which need no approval, and the
//! sandbox runs them in the reader's confinement: without credentials, network or a way to change anything. Their
//! output is data: the sandbox masks the project's credentials in it, and it is fenced and redacted like all output.
//!
//! Agents get the tool only while the sandbox can answer, so that no model is offered a tool that cannot work.

use super::look_up::{self, LookUp};
use crate::context::AgentContext;
use crate::error::AgentError;
use crate::fence::{self, Shown, ends, fence};
use crate::machines::{Printed, Sandbox};
use crate::tools::{Outcome, Tool, Watch, arguments, try_again};
use domain::Scope;
use read_only::{Place, Reading, Refusal};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The tool's name.
const LOOK: &str = "look_in_sandbox";

/// The most looks in one turn.
const LOOKS: usize = 12;

/// How much of a command's output a model sees, in bytes of its beginning and of its end.
const SHOWN_BYTES: (usize, usize) = (6_000, 2_000);

/// The rules of looking, for the prompt of each agent that may look.
const RULES: &str = "\
# How you look
With look_in_sandbox you see what is in the sandbox now. Look when what you write depends on it: which files are \
there and what they contain, what an earlier attempt left, which version a tool has, what its --help says. A look \
needs no approval and changes nothing, and credentials and Terraform's state are hidden from it. Do not look for what \
the sections already say.";

/// Lists most files of the workspace and the ports on which programs listen, so that an agent that writes scripts need not
/// ask for them.
const WHAT_IS_THERE: &str = "find . -maxdepth 4 -type f -size -1024k; ss -tlnH";

/// The most files that are listed.
const NAMED_FILES: usize = 150;
/// The most listening ports that are listed.
const NAMED_PORTS: usize = 30;

/// What an agent may look at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum May {
    /// The sandbox, and the documentation in it.
    Look,
    /// Only the documentation.
    LookUp,
}

/// The tools with which an agent looks, and the rules for them.
#[derive(Default)]
pub(crate) struct Looking {
    pub(crate) tools: Vec<Box<dyn Tool>>,
    pub(crate) rules: Vec<&'static str>,
}

/// The tools that the sandbox can serve now; none without a sandbox.
pub(crate) async fn tools(
    context: &AgentContext,
    scope: Scope,
    sandbox: &Sandbox,
    may: May,
) -> Result<Looking, AgentError> {
    let mut looking = Looking::default();
    if context.machines.is_none() {
        return Ok(looking);
    }
    let Some(known) = context.answering(scope).await? else { return Ok(looking) };
    if may == May::Look {
        let state = context.terraform(scope).await?;
        let look = Look { sandbox: sandbox.clone(), scope, state, looks: AtomicUsize::new(0) };
        looking.tools.push(Box::new(look));
        looking.rules.push(RULES);
    }
    if known.looks_up {
        looking.tools.push(Box::new(LookUp::new(sandbox, scope)));
        looking.rules.push(look_up::RULE);
    }
    Ok(looking)
}

/// The sections `workspace`, the names of the workspace's files, and `listening`, the addresses and ports on which programs
/// in the sandbox listen; empty if the sandbox does not answer.
pub(crate) async fn manifest(sandbox: &Sandbox, scope: Scope) -> Shown {
    let Some(reading) = Reading::of(WHAT_IS_THERE, Place::Sandbox) else { return Shown::default() };
    let Ok(printed) = sandbox.look(scope, &reading).await else { return Shown::default() };
    let mut names: Vec<&str> =
        printed.text.lines().filter_map(|line| line.strip_prefix("./")).collect();
    names.sort_unstable();
    let left_out = names.len().saturating_sub(NAMED_FILES);
    names.truncate(NAMED_FILES);
    let mut text = names.join("\n");
    if left_out > 0 || printed.cut {
        text.push_str("\n[… there are more]");
    }
    let listening: Vec<&str> = printed.text.lines().filter_map(listener).collect();
    let listening = &listening[..listening.len().min(NAMED_PORTS)];
    fence::join(&[fence("workspace", &text), fence("listening", &listening.join("\n"))])
}

/// The local address in a line of `ss`.
fn listener(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace();
    (words.next() == Some("LISTEN")).then(|| words.nth(2)).flatten()
}

struct Look {
    sandbox: Sandbox,
    scope: Scope,
    /// The section `terraform_state`.
    state: Shown,
    looks: AtomicUsize,
}

#[derive(serde::Deserialize)]
struct Arguments {
    command: String,
}

#[async_trait::async_trait]
impl Tool for Look {
    fn name(&self) -> &'static str {
        LOOK
    }

    fn description(&self) -> &'static str {
        "Runs a command that only reads in the user's sandbox, in the workspace, and answers with what it printed. \
         Plain commands with plain words, in pipelines or one after another: ls, find, cat, head, grep -rn, diff, jq, ps, \
         ss, curl to localhost's health and status pages, a tool's --version or --help. No variables, patterns, loops or redirections."
    }

    fn schema(&self) -> Value {
        json!({
            "type": "object",
            "properties": {"command": {"type": "string", "description": "One line that only reads"}},
            "required": ["command"],
            "additionalProperties": false,
        })
    }

    async fn run(&self, given: Value, _: &Watch<'_>) -> Result<Outcome, AgentError> {
        let given: Arguments = arguments(given)?;
        let command = given.command.trim();
        if self.looks.fetch_add(1, Ordering::Relaxed) >= LOOKS {
            return Err(try_again(format!(
                "You have looked {LOOKS} times, which is all for one reply. Go on with what you know."
            )));
        }
        if let Some(list) = self.listed_instead(command) {
            return Ok(list);
        }
        let reading = Reading::of(command, Place::Sandbox)
            .ok_or_else(|| try_again(refusal(command, self.state.is_empty())))?;
        let printed = self.sandbox.look(self.scope, &reading).await.map_err(try_again)?;
        Ok(Outcome { summary: format!("Looked: `{command}`"), answer: describe(&printed) })
    }
}

impl Look {
    /// Groundcrew's own list of Terraform's state, in place of the command that would print that.
    fn listed_instead(&self, command: &str) -> Option<Outcome> {
        let lists = words_of_terraform(command).is_some_and(|words| words == ["state", "list"]);
        (lists && !self.state.is_empty()).then(|| Outcome {
            summary: format!("Looked: `{command}`"),
            answer: format!(
                "Groundcrew's list of the state in place of the command's:\n\n{}",
                &*self.state
            ),
        })
    }
}

/// The words of a command that is one of Terraform's and nothing else, without its options.
fn words_of_terraform(command: &str) -> Option<Vec<&str>> {
    let mut words = command.split_whitespace();
    (words.next() == Some("terraform"))
        .then(|| words.filter(|word| !word.starts_with('-')).collect())
}

/// Whether a command would print Terraform's state or a saved plan.
fn asks_for_state(command: &str) -> bool {
    let words: Vec<&str> = command.split_whitespace().collect();
    words.contains(&"terraform")
        && ["show", "state", "output"].iter().any(|one| words.contains(one))
}

/// What the model is to do about a command that did not run.
fn refusal(command: &str, is_without_state: bool) -> String {
    if asks_for_state(command) {
        let list = match is_without_state {
            true => "Groundcrew knows of no resources in a state of this project.",
            false => {
                "The section terraform_state lists the resources in it with their network addresses; no other attributes \
                 can be looked at. A script that needs one reads it when it runs, with `terraform output` or \
                 `terraform state show`, without printing it."
            }
        };
        return format!(
            "Terraform's state and saved plans hold secrets, so no command prints them here, and it did not run. {list} \
             Where you have read_step, its part `plan` shows the plan that a step saved."
        );
    }
    let why = match Refusal::of(command, Place::Sandbox) {
        Some(Refusal::Closed(path)) => format!(
            "`{path}` is hidden from looks, as is every file that may hold a secret (keys, state, *.tfvars) or whose name \
             begins with a dot. A script may use it without printing it."
        ),
        Some(Refusal::Program(name)) => format!(
            "`{name}` is not among the programs of looks. Use ls, find, cat, head, tail, sed -n, grep -rn, diff, jq, \
             ps, ss, curl to localhost's health and status pages, or a tool's --version or --help."
        ),
        Some(Refusal::Form(name)) => format!(
            "`{name}` with these options and operands is not known only to read. Take a plainer form of it, with paths \
             within the workspace."
        ),
        Some(Refusal::Together) => {
            "Look at processes and at files one after the other, never in one line.".to_owned()
        }
        Some(Refusal::Line) | None => {
            "Take a plainer one, without variables, patterns, substitutions and redirections."
                .to_owned()
        }
    };
    format!("This is not a command that is known only to read, so it did not run. {why}")
}

/// The result of a look, as the model reads it.
fn describe(printed: &Printed) -> String {
    let how = match printed.exit_code {
        Some(code) => format!("Exit code {code}."),
        None => "It did not end in time.".to_owned(),
    };
    let cut = if printed.cut { " It printed more than this." } else { "" };
    let (head, tail) = SHOWN_BYTES;
    let output = fence("command_output", &ends(&printed.text, head, tail));
    let hidden = match printed.text.contains("Permission denied") {
        true => " Files that may hold secrets are hidden from looks.",
        false => "",
    };
    match output.is_empty() {
        true => format!("{how} It printed nothing."),
        false => format!("{how}{cut}{hidden}\n\n{}", &*output),
    }
}
