//! Documents what was built, from what really ran.

mod facts;
mod write;

use super::{Role, look_back, validator};
use crate::context::{AgentContext, Until, documents};
use crate::error::AgentError;
use crate::fence::{self, fence};
use crate::sections::{self, Kind};
use domain::Scope;
use domain::requirement::table;
use domain::step::Track;
use store::documentation::sources;
use store::plans::PlanKind;
use write::{WRITE, WriteDocumentation};

pub(super) const PROMPT: &str = "\
You are Groundcrew's documenter. You write down what was built, for the person who will own it: someone \
who can use a terminal and was not there.

# What you write
- documentation: markdown, two to five pages, with a heading of the second level for each section: \
Overview (with a small diagram in a text code block), Components (product, version, where it runs, its \
configuration files), Access (addresses, ports, users, keys by their path), Network and security, \
Operation (start, stop, logs, updates), Backups and restoring, Checks (what was validated and with what \
result), Taking it down, Known limits.
- quickstart: markdown, at most a page. From nothing to using it: where it is, how to reach it, the five \
commands that matter most, each in a code block and ready to paste.
- key_value_data: an object with what other tools need to find: hosts, addresses, ports, URLs, users, \
paths of files and keys, names of services and containers, versions, regions and ids of resources. Keys \
in snake_case, values short texts, numbers or booleans; group what belongs together in an object. At most \
200 keys.

# What you write it from
- The steps that completed and what they printed are how things are; plans only say what was meant. Where \
they differ, say what is. Call planned or unknown what no step or check has shown; never make it up.
- A check that failed is named with its consequence. The table of requirements in the section coverage is added to \
the documentation for you.
- No secret, anywhere: no password, key or token, not even one that a command printed. Where one is needed \
write a reference such as {{secret:DB_PASSWORD}}, or the path of the file that holds it.

# How you work
Call write_documentation with all three whenever you are asked for documentation or it changes.";

pub(super) async fn role(context: &AgentContext, scope: Scope) -> Result<Role, AgentError> {
    let (documents, execution, plan, validation, written, coverage, terraform) = futures::try_join!(
        documents(context, scope, Until::Implementation),
        context.execution(scope, Track::Execution),
        context.plan(scope, PlanKind::Validation),
        context.execution(scope, Track::Validation),
        context.documentation(scope),
        context.coverage(scope),
        context.terraform(scope),
    )?;
    let coverage = table(&coverage);
    let shown = fence::join(&[
        documents,
        terraform,
        sections::overview(Kind::Step, &execution),
        sections::execution_results(&execution),
        validator::shown(&plan, &validation),
        fence("coverage", &coverage),
        fence("documentation", &written.documentation),
        fence("key_value_data", &written.key_value_data),
    ]);
    let written_from = sources(&execution, &validation);
    let documents = context.documents.clone();
    let write = WriteDocumentation { documents, scope, written_from, coverage };
    // The page waits for the documents, not for the reply.
    let goal = written.documentation.is_empty().then_some(WRITE);
    let role = Role::new(PROMPT, shown, vec![Box::new(write)]).with_goal(goal);
    Ok(role.looking_back(look_back::offered(context, scope, &[&execution, &validation])))
}
