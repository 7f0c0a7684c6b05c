//! The progress of a project: its five stages, the current one, and the completed ones.

mod routes;
mod view;

use axum::extract::FromRef;
use domain::change::FIRST;
use domain::stage::{Artifacts, Pipeline, StageId};
use domain::step::Track;
use domain::{PlanId, Scope};
use http_kit::{ApiError, Gatekeeper};
use settings::ConfigError;
use store::changes::Changes;
use store::executions::Executions;
use store::pipelines::{PipelineError, Pipelines};
use store::plans::{PlanKind, Plans};
use store::projects::Projects;

pub use routes::{StageUpdate, openapi, routes};
pub use view::{CurrentChange, ProjectState, Stage};

/// The function's state.
#[derive(Clone)]
pub struct App {
    gatekeeper: Gatekeeper,
    projects: Projects,
    pipelines: Pipelines,
    changes: Changes,
    plans: Plans,
    executions: Executions,
}

impl App {
    /// Builds the state from the environment.
    pub async fn from_env() -> Result<Self, ConfigError> {
        let table = store::Table::from_env(&settings::sdk_config().await)?;
        Ok(Self {
            gatekeeper: Gatekeeper::from_env(&table),
            projects: Projects::new(&table),
            pipelines: Pipelines::new(&table),
            changes: Changes::new(&table),
            plans: Plans::new(&table),
            executions: Executions::new(&table),
        })
    }

    /// The pipeline with its change, which a first build need not read.
    async fn state(&self, scope: Scope, pipeline: &Pipeline) -> Result<ProjectState, ApiError> {
        let change = match pipeline.change {
            FIRST => None,
            number => self.changes.get(scope, number).await?,
        };
        Ok(ProjectState::new(pipeline, change))
    }

    /// Changes the pipeline and also records that its owner has used the project.
    async fn used(
        &self,
        scope: Scope,
        change: impl Future<Output = Result<Option<Pipeline>, PipelineError>>,
    ) -> Result<Pipeline, ApiError> {
        let (changed, touched) = tokio::join!(change, self.projects.touch(scope));
        let pipeline = changed.map_err(refuse)?.ok_or_else(ApiError::not_found)?;
        touched?;
        Ok(pipeline)
    }

    /// Confirms a stage, or takes the confirmation back. What has run is confirmed only while its change stands.
    async fn update(
        &self,
        scope: Scope,
        stage: StageId,
        change: &StageUpdate,
    ) -> Result<Pipeline, ApiError> {
        let (artifacts, ran) = self.artifacts(scope, stage).await?;
        let act = |pipeline: &mut Pipeline| match change.is_completed {
            Some(completed) => pipeline.set_completed(stage, completed, artifacts),
            None => Ok(()),
        };
        match ran.filter(|_| change.is_completed == Some(true)) {
            Some(plan_id) => self.used(scope, self.executions.confirm(scope, &plan_id, act)).await,
            None => self.used(scope, self.pipelines.change(scope, act)).await,
        }
    }

    /// The artifact of this stage; the gate needs no other, so no other is read. With it comes the plan that was
    /// executed, if the stage is about what has run.
    async fn artifacts(
        &self,
        scope: Scope,
        stage: StageId,
    ) -> Result<(Artifacts, Option<PlanId>), ApiError> {
        let (mut artifacts, mut plan_id) = (Artifacts::default(), None);
        match stage {
            StageId::Requirements => {
                let requirements = self.plans.requirements(scope).await?;
                artifacts.requirements_ready = requirements.is_some_and(|r| r.ready_to_continue);
            }
            StageId::Architecture => {
                let plan = self.plans.get(scope, PlanKind::Architecture).await?;
                artifacts.architecture_plan = plan.is_some_and(|plan| plan.is_written());
            }
            StageId::Implementation => {
                let plan = self.plans.get(scope, PlanKind::Implementation).await?;
                artifacts.implementation_plan = plan.is_some_and(|plan| plan.has_steps());
            }
            StageId::Execution => {
                let execution = self.executions.load(scope).await?.unwrap_or_default();
                artifacts.execution_done = execution.is_done();
                artifacts.rolled_back = execution.is_rolled_back();
                plan_id = execution.plan_id;
            }
            StageId::Validation => {
                let checks = self.executions.on(Track::Validation);
                let (checks, execution) =
                    tokio::try_join!(checks.load(scope), self.executions.load(scope))?;
                let execution = execution.unwrap_or_default();
                artifacts.validation_done = checks.is_some_and(|checks| checks.is_done());
                artifacts.rolled_back = execution.is_rolled_back();
                plan_id = execution.plan_id;
            }
        }
        Ok((artifacts, plan_id))
    }
}

impl FromRef<App> for Gatekeeper {
    fn from_ref(app: &App) -> Self {
        app.gatekeeper.clone()
    }
}

fn refuse(error: PipelineError) -> ApiError {
    match error {
        PipelineError::Refused(refusal) => refusal.into(),
        PipelineError::Store(error) => error.into(),
    }
}
