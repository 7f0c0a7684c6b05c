//! What agents work with, and the sections that they get about a project.

use crate::desk::CommandDesk;
use crate::environment;
use crate::error::{AgentError, EarlyEnd};
use crate::fence::{self, Shown, fence};
use crate::machines::Machines;
use crate::provider::Model;
use domain::document::Fingerprint;
use domain::plan::{Plan, Requirements};
use domain::requirement::{Asked, Coverage};
use domain::sandbox::Sandbox;
use domain::step::Track;
use domain::{RunId, Scope, Timestamp};
use std::sync::Arc;
use store::Table;
use store::changes::Changes;
use store::credentials::{Credentials, SealedSet};
use store::documentation::{Documentation, Documents};
use store::evidence;
use store::executions::{Execution, Executions};
use store::ledger::Ledger;
use store::plans::{PlanKind, Plans};
use store::projects::Projects;
use store::repositories::Repositories;
use store::sandboxes::Sandboxes;
use store::terraform_states::TerraformStates;
use store::threads::Threads;
use store::typed::TypedCommands;

/// Everything an agent needs; cheap to clone.
#[derive(Clone)]
pub struct AgentContext {
    pub(crate) model: Model,
    /// Takes over a turn whose model does not answer.
    pub(crate) fallback: Option<Model>,
    pub(crate) projects: Projects,
    pub(crate) plans: Plans,
    pub(crate) threads: Threads,
    pub(crate) ledger: Ledger,
    pub(crate) executions: Executions,
    pub(crate) documents: Documents,
    pub(crate) changes: Changes,
    credentials: Credentials,
    repositories: Repositories,
    pub(crate) typed: TypedCommands,
    sandboxes: Sandboxes,
    states: TerraformStates,
    pub(crate) desk: Option<Arc<dyn CommandDesk>>,
    pub(crate) machines: Option<Arc<dyn Machines>>,
}

impl AgentContext {
    /// The same, for a run that writes a plan.
    pub(crate) fn of_run(&self, run_id: &RunId) -> Self {
        Self { plans: self.plans.of_run(run_id), ..self.clone() }
    }

    /// Agents that use `model` and work on the projects of `table`.
    pub fn new(table: &Table, model: Model) -> Self {
        Self {
            model,
            fallback: None,
            projects: Projects::new(table),
            plans: Plans::new(table),
            threads: Threads::new(table),
            ledger: Ledger::new(table),
            executions: Executions::new(table),
            documents: Documents::new(table),
            changes: Changes::new(table),
            credentials: Credentials::new(table),
            repositories: Repositories::new(table),
            typed: TypedCommands::new(table),
            sandboxes: Sandboxes::new(table),
            states: TerraformStates::new(table),
            desk: None,
            machines: None,
        }
    }

    /// The same with a second model, for turns whose model does not answer.
    pub fn with_fallback(mut self, model: Model) -> Self {
        self.fallback = Some(model);
        self
    }

    /// The same with a desk for the DevOps helper's commands; without one, the helper can only talk.
    pub fn with_command_desk(mut self, desk: Arc<dyn CommandDesk>) -> Self {
        self.desk = Some(desk);
        self
    }

    /// The same with the tools of the project's sandbox; without them, a script is checked only by its text.
    pub fn with_machines(mut self, machines: Arc<dyn Machines>) -> Self {
        self.machines = Some(machines);
        self
    }

    pub(crate) async fn requirements(&self, scope: Scope) -> Result<Requirements, AgentError> {
        let found = self.plans.requirements(scope).await.map_err(AgentError::internal)?;
        found.ok_or_else(no_such_project)
    }

    /// The names of the credentials that a command finds in its environment, one line per provider.
    async fn credential_names(&self, scope: Scope) -> Result<String, AgentError> {
        let sets = self.credentials.list(scope).await.map_err(AgentError::internal)?;
        let line = |set: &SealedSet| {
            let names: Vec<_> = set.values.keys().map(String::as_str).collect();
            format!("{}: {}", set.provider, names.join(", "))
        };
        Ok(sets.iter().map(line).collect::<Vec<_>>().join("\n"))
    }

    /// The files with which the project began, if it began with the files of a repository.
    async fn imported_files(&self, scope: Scope) -> Result<String, AgentError> {
        let origin = self.repositories.origin(scope).await.map_err(AgentError::internal)?;
        Ok(origin.map(|origin| origin.told()).unwrap_or_default())
    }

    /// The names of all credentials, as a list.
    pub(crate) async fn variables(&self, scope: Scope) -> Result<Vec<String>, AgentError> {
        let sets = self.credentials.list(scope).await.map_err(AgentError::internal)?;
        Ok(sets.into_iter().flat_map(|set| set.values.into_keys()).collect())
    }

    pub(crate) async fn plan(&self, scope: Scope, kind: PlanKind) -> Result<Plan, AgentError> {
        let found = self.plans.get(scope, kind).await.map_err(AgentError::internal)?;
        found.ok_or_else(no_such_project)
    }

    pub(crate) async fn execution(
        &self,
        scope: Scope,
        track: Track,
    ) -> Result<Execution, AgentError> {
        let found = self.executions.on(track).load(scope).await.map_err(AgentError::internal)?;
        Ok(found.unwrap_or_default())
    }

    /// Describes to an agent the machine that runs its script.
    pub(crate) async fn environment(&self, scope: Scope) -> Result<Shown, AgentError> {
        let sandbox = self.sandboxes.get(scope).await.map_err(AgentError::internal)?;
        Ok(environment::section(sandbox.as_ref(), Timestamp::now()))
    }

    /// The section `terraform_state`: the resources of the project's Terraform states and their network addresses.
    pub(crate) async fn terraform(&self, scope: Scope) -> Result<Shown, AgentError> {
        let states = self.states.all(scope).await.map_err(AgentError::internal)?;
        let described = states.iter().filter_map(|(name, state)| {
            let serial = state.current()?.serial;
            let resources = state.resources().iter().map(|resource| {
                let reached = resource.reached_at.iter();
                let reached: Vec<_> = reached.map(|(name, at)| format!("{name} {at}")).collect();
                format!("{} {}", resource.address, reached.join(", ")).trim_end().to_owned()
            });
            let resources: Vec<_> = resources.collect();
            let heading = format!("State {name}, serial {serial}:");
            (!resources.is_empty()).then(|| format!("{heading}\n{}", resources.join("\n")))
        });
        Ok(fence("terraform_state", &described.collect::<Vec<_>>().join("\n\n")))
    }

    /// The sandbox that is up and answers questions, if there is one.
    pub(crate) async fn answering(&self, scope: Scope) -> Result<Option<Sandbox>, AgentError> {
        let sandbox = self.sandboxes.get(scope).await.map_err(AgentError::internal)?;
        Ok(sandbox.filter(|sandbox| {
            sandbox.is_up() && sandbox.connection_id.is_some() && sandbox.answers
        }))
    }

    /// How far each requirement is built and proved.
    pub(crate) async fn coverage(&self, scope: Scope) -> Result<Vec<Coverage>, AgentError> {
        // Boxed: six reads at once make a deeply nested future, and a turn's own is deep enough.
        let reads = evidence::of_requirements(&self.plans, &self.executions, scope);
        Ok(Box::pin(reads).await.map_err(AgentError::internal)?.requirements)
    }

    pub(crate) async fn documentation(&self, scope: Scope) -> Result<Documentation, AgentError> {
        let found = self.documents.get(scope).await.map_err(AgentError::internal)?;
        found.ok_or_else(no_such_project)
    }
}

pub(crate) fn no_such_project() -> AgentError {
    AgentError::caller(EarlyEnd::NotFound, "There is no such project.")
}

/// The documents of the pipeline, and the fingerprints that a plan written from them keeps.
pub(crate) struct Gathered {
    pub(crate) shown: Shown,
    pub(crate) requirements: Fingerprint,
    pub(crate) architecture: Fingerprint,
    /// What the user asks for, as the requirements list it.
    pub(crate) asked: Asked,
}

/// Requirements, names of credentials, imported files and plans, up to `until`, read in parallel.
pub(crate) async fn documents(
    context: &AgentContext,
    scope: Scope,
    until: Until,
) -> Result<Shown, AgentError> {
    Ok(gathered(context, scope, until).await?.shown)
}

/// The same, with the fingerprints to keep.
pub(crate) async fn gathered(
    context: &AgentContext,
    scope: Scope,
    until: Until,
) -> Result<Gathered, AgentError> {
    let plan = async |kind, wanted: bool| match wanted {
        true => context.plan(scope, kind).await,
        false => Ok(Plan::default()),
    };
    let (requirements, credentials, imported, architecture, implementation) = futures::try_join!(
        context.requirements(scope),
        context.credential_names(scope),
        context.imported_files(scope),
        plan(PlanKind::Architecture, until >= Until::Architecture),
        plan(PlanKind::Implementation, until >= Until::Implementation),
    )?;
    let shown = fence::join(&[
        fence("requirements", &requirements.content),
        fence("credentials", &credentials),
        fence("imported_files", &imported),
        fence("architecture_plan", &architecture.text),
        fence("implementation_plan", &implementation.text),
    ]);
    let (asked, requirements) = (requirements.asked.clone(), requirements.fingerprint());
    let architecture = architecture.fingerprint();
    Ok(Gathered { shown, requirements, architecture, asked })
}

/// How many of the pipeline's documents an agent reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Until {
    Requirements,
    Architecture,
    Implementation,
}
