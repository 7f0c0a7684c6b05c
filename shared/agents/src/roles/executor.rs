//! Writes the command of each step, and talks about the execution.

mod type_in_terminal;

use super::propose::Wording;
use super::{Preparation, Role, look_back};
use crate::context::{AgentContext, Until, documents};
use crate::error::AgentError;
use crate::fence;
use crate::sections::{self, Kind};
use domain::step::{Step, Track};
use domain::{AgentId, Scope};
use store::executions::Execution;
use type_in_terminal::TypeInTerminal;

pub(crate) const PROPOSE: Wording = Wording {
    tool: "propose_command",
    description: "Hands in the bash script of the step you were asked for. The user sees it and decides.",
    thing: "step",
    title: "Step",
    proved: true,
};

const COMMON: &str = "\
You are Groundcrew's execution agent. An implementation plan is carried out step by step in the \
user's sandbox: for each step a bash script is written, the user approves it, the sandbox runs it.";

const PREPARE: &str = "\
# What you do now
You write the script of one step and pass it to propose_command. The step is the one in the section \
step; its number is in the tag. Do that step and nothing beyond it.

# How you write scripts
- Bash, bare: no markdown around it. It is run by `bash -euo pipefail` with inherit_errexit, in ~/workspace, as an \
ordinary user. A background job that fails and is not waited for fails the step.
- Idempotent: running it again after success or after half a failure does no harm.
- Files under ~/workspace: terraform/, ansible/, ssh/. Write them with quoted heredocs (<<'EOF'). \
Private keys have mode 600.
- The section environment says where the script runs: system, tools with their versions, limits. Use what is there.
- Pinned versions for every image, module, provider and package that a script fetches.
- Never interactive: standard input cannot be read, so a prompt, pager or editor fails the step. -auto-approve, -y, \
BatchMode and the like, and timeouts on everything that waits.
- A service that must outlive the step is started with setsid nohup, its output in a file and its \
process id in another; the script then waits until it answers, within a bound.
- Terraform's changes are approved as a plan: one step saves it, `terraform -chdir=terraform plan -input=false \
-out=tfplan`, and a later one applies exactly that file, `terraform -chdir=terraform apply -input=false tfplan`, and \
removes it. Never apply without the saved file, never plan and apply in one step. The user sees the plan's changes beside \
the step that applies it; a line that binds the script to the plan's digest is added for you.
- Secrets come from environment variables and are never printed, written to a file that is kept, or \
passed as an argument.
- A step that makes a server reachable writes ssh/config in the workspace with the alias `server` for it \
(`Host server NAME`), with HostName, User, Port and IdentityFile: later commands use that alias.
- Say what is being done with short echo lines.
- At most 24,000 bytes, with the proof.
- proof is a script of its own that runs after the script, in the same way and place. It looks at what the step was \
for, not at whether commands ran: the file parses, the service answers, `terraform plan -detailed-exitcode` finds \
nothing to change. It reads and changes nothing, prints one line of evidence, and exits with another code than 0 \
when the step did not do its work. The step is done only if its proof passes, so one that cannot fail is refused.
- When there is a previous attempt, find the cause of its error first and mend that; when it was \
rejected by the user, propose something different, and what they want done differently is what counts. Its proof \
requires at least what the one before did: it is compared, and a weaker one is shown to the user as such.
- The section rejections has what the user wanted done differently when they rejected the script of a step. It counts for \
every step that it concerns, also for this one.";

const CHAT: &str = "\
# What you do now
You answer the user's questions about the execution: what a step does, why it failed, what to look \
at in the terminal. With type_in_terminal you type a command into the user's terminal, when they want \
to see or do something there themselves: what only reads runs at once, anything else waits at the \
prompt until they press Enter. You do not see what it prints. You cannot change or run the command of a \
step from this chat. A step that waits for \
approval can be rejected and then re-executed, and a failed step can be re-executed: in both cases \
its command is written anew, and what the user said in this chat is taken into account. Tell the \
user so when they want a command changed.";

/// What the preparation of a step needs.
pub(super) async fn preparation(
    context: &AgentContext,
    scope: Scope,
    execution: &Execution,
    step: &Step,
) -> Result<Preparation, AgentError> {
    let (documents, environment, terraform) = futures::try_join!(
        documents(context, scope, Until::Implementation),
        context.environment(scope),
        context.terraform(scope),
    )?;
    let shown = fence::join(&[
        documents,
        environment,
        terraform,
        sections::overview(Kind::Step, execution),
        sections::asked(step),
        sections::earlier_results(Kind::Step, execution, step.number),
        sections::rejections(execution),
        sections::previous_attempt(step),
    ]);
    let prompt = format!("{COMMON}\n\n{PREPARE}");
    Ok(Preparation {
        agent: AgentId::Executor,
        prompt,
        context: shown,
        wording: &PROPOSE,
        with_rollback: false,
    })
}

pub(super) async fn role(context: &AgentContext, scope: Scope) -> Result<Role, AgentError> {
    let (documents, execution, terraform) = futures::try_join!(
        documents(context, scope, Until::Implementation),
        context.execution(scope, Track::Execution),
        context.terraform(scope),
    )?;
    let shown = fence::join(&[
        documents,
        terraform,
        sections::overview(Kind::Step, &execution),
        sections::earlier_results(Kind::Step, &execution, u32::MAX),
    ]);
    let types = TypeInTerminal { typed: context.typed.clone(), scope };
    let role = Role::new(format!("{COMMON}\n\n{CHAT}"), shown, vec![Box::new(types)]);
    Ok(role.looking_back(look_back::offered(context, scope, &[&execution])))
}
