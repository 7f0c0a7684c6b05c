//! Proves that what was built works: plans the checks, writes their scripts, reports on them.

mod report;
mod write;

pub(crate) use write::WRITE;

use super::propose::Wording;
use super::{Preparation, Role, look_back};
use crate::context::{AgentContext, Until, documents};
use crate::error::AgentError;
use crate::fence::{self, Shown, fence};
use crate::sections::{self, Kind};
use crate::tools::Tool;
use domain::plan::Plan;
use domain::requirement::table;
use domain::step::{Step, Track};
use domain::{AgentId, Scope};
use report::Report;
use store::executions::Execution;
use store::plans::PlanKind;
use write::WriteValidationPlan;

pub(crate) const PROPOSE: Wording = Wording {
    tool: "propose_check",
    description: "Hands in the bash script of the check you were asked for. The user sees it and decides.",
    thing: "check",
    title: "Check",
    proved: false,
};

const COMMON: &str = "\
You are Groundcrew's validator. What the implementation plan said has been executed in the user's \
sandbox and from there; you find out whether it really works, by checks that each prove one thing.";

pub(super) const CHAT: &str = "\
# What you do now
Plan the checks, answer questions about them, and report once they have run.

# What a validation plan holds
- plan: markdown, half a page to a page. What is proved and what is not, in which order, and what each \
failure would mean.
- checks: as few as prove it, usually 4 to 10, never more than 30. Each has
  - description: its title in up to ten words: what holds when it passes;
  - prompt: what to look at, with every name, port, path and address, the value that is right, and the \
evidence to print;
  - requirements: the ids (R1, R2 …) of what it proves, from the list in the requirements. A check names only what it \
really proves; a requirement that no check names is shown to the user as not proved.

# What is worth a check
- Each requirement that can be observed: HTTP answers with status and body, open ports and closed ones, \
services that are active, versions, certificates and their dates, users who can and cannot log in.
- Infrastructure is as described: terraform plan -detailed-exitcode ends with 0, no changes.
- Configuration is as described: ansible-playbook --check --diff reports changed=0 and failed=0.
- Ports are as described: what listens on an address of the machine's own (ss -Hltnp) and what the firewall lets in is on \
the list of what was planned; anything else is named.
- Data survives: where there are backups, the latest is recent enough, and is restored to a scratch place and looked at.
- What must not be public is not reachable.
- Nothing that changes what it looks at. The checks run again later, on a schedule, to find what is no longer as described: \
one that repairs, restarts or installs hides what it should find. What has to be tried once, such as a restart, was for \
the steps to prove.

# How you work
- Call write_validation_plan with plan and checks whenever you are asked for a plan or it changes. Base \
them on what the steps really printed, not on what was planned.
- When the tool report is there, the checks have run: call it when you are asked for a report, and when \
the user asks whether all is well and nothing is running. Markdown: a verdict in one sentence; a table \
of checks with what each proved, quoting its evidence; what failed and the likely cause; what was not \
checked. A check that failed or did not run is never called passed. The table of requirements in the section \
coverage is added to the report for you; say in your own words what it leaves unproved.
- A question is answered without writing anything anew.";

const PREPARE: &str = "\
# What you do now
You write the script of one check and pass it to propose_check. The check is the one in the section \
step; its number is in the tag. Prove that one thing and nothing beyond it.

# How you write checks
- Bash, bare: no markdown around it. It is run by `bash -euo pipefail` with inherit_errexit, in ~/workspace, as an \
ordinary user; standard input cannot be read.
- The section environment says where the check runs: system, tools with their versions, limits. Use what is there.
- Read-only, also when what it looks at is broken: it runs again later, unattended, and must report drift and leave it as \
it is. ansible-playbook only with --check --diff; no terraform apply or plan -out, no systemctl start or restart, no \
apt-get install, no docker compose up, no kubectl apply, no change of firewall, users, files or data. A script of the \
workspace is run only if it reads.
- What may be written is scratch: files below a folder of mktemp, removed by a trap; a database, named restore_check or \
…_copy, into which a backup is restored and which a trap drops; temporary tables.
- Print the evidence: the command's own output, the status code, the line that matters. Then one last line \
that begins with PASS: or FAIL: and says what was seen.
- Exit with 0 only when the check passes, with another code when it fails. A command whose failure is the \
evidence is the condition of an if or has its exit code caught.
- A check that cannot look at all, because a provider's API does not answer or refuses the credentials, ends with \
exit code 75: it proves nothing, and when it runs again later it is not taken for drift.
- terraform plan -detailed-exitcode -input=false -lock=false: 0 passes, 2 means that something would \
change, 1 is an error: the check then ends with 75. ansible-playbook --check --diff passes when its recap has changed=0, \
unreachable=0 and failed=0; print the tasks that would change something.
- Never interactive; a timeout on everything that waits (curl --max-time, timeout, ConnectTimeout), and a \
few attempts where a service may still be starting.
- Secrets come from environment variables and are never printed or passed as an argument.
- At most 24,000 bytes.
- When there is a previous attempt, tell first whether the check was wrong or what it checks is. Mend only \
the check: a true failure stays a failure.
- The section rejections has what the user wanted done differently in steps. Check what the steps then did.";

/// What the preparation of a check needs.
pub(super) async fn preparation(
    context: &AgentContext,
    scope: Scope,
    validation: &Execution,
    check: &Step,
) -> Result<Preparation, AgentError> {
    let (documents, plan, execution, environment, terraform) = futures::try_join!(
        documents(context, scope, Until::Implementation),
        context.plan(scope, PlanKind::Validation),
        context.execution(scope, Track::Execution),
        context.environment(scope),
        context.terraform(scope),
    )?;
    let shown = fence::join(&[
        documents,
        environment,
        terraform,
        sections::overview(Kind::Step, &execution),
        sections::execution_results(&execution),
        sections::rejections(&execution),
        fence("validation_plan", &plan.text),
        sections::overview(Kind::Check, validation),
        sections::asked(check),
        sections::earlier_results(Kind::Check, validation, check.number),
        sections::previous_attempt(check),
    ]);
    let prompt = format!("{COMMON}\n\n{PREPARE}");
    Ok(Preparation {
        agent: AgentId::Validator,
        prompt,
        context: shown,
        wording: &PROPOSE,
        with_rollback: false,
    })
}

/// What is known about a validation: its plan, its checks and their results.
pub(super) fn shown(plan: &Plan, validation: &Execution) -> Shown {
    fence::join(&[
        fence("validation_plan", &plan.text),
        sections::checks(plan, validation),
        sections::earlier_results(Kind::Check, validation, u32::MAX),
    ])
}

pub(super) async fn role(context: &AgentContext, scope: Scope) -> Result<Role, AgentError> {
    let (documents, plan, execution, validation, coverage, terraform) = futures::try_join!(
        documents(context, scope, Until::Implementation),
        context.plan(scope, PlanKind::Validation),
        context.execution(scope, Track::Execution),
        context.execution(scope, Track::Validation),
        context.coverage(scope),
        context.terraform(scope),
    )?;
    let context_shown = fence::join(&[
        documents,
        terraform,
        sections::overview(Kind::Step, &execution),
        sections::execution_results(&execution),
        shown(&plan, &validation),
        fence("coverage", &table(&coverage)),
    ]);
    let written_from = execution.fingerprint();
    let write = WriteValidationPlan { plans: context.plans.clone(), scope, written_from };
    let mut tools: Vec<Box<dyn Tool>> = vec![Box::new(write)];
    let ended = |step: &Step| step.phase.has_ended();
    if validation.steps.iter().any(ended) {
        tools.push(Box::new(Report { context: context.clone(), scope }));
    }
    // The page starts the checks when the reply ends, so the first reply must leave a plan.
    let goal = plan.steps.is_empty().then_some(WRITE);
    let role = Role::new(format!("{COMMON}\n\n{CHAT}"), context_shown, tools).with_goal(goal);
    Ok(role.looking_back(look_back::offered(context, scope, &[&execution, &validation])))
}
