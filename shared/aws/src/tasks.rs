//! Sandbox tasks, through three ECS calls.

use crate::AwsError;
use aws_sdk_ecs::Client;
use aws_sdk_ecs::error::SdkError;
use aws_sdk_ecs::operation::run_task::RunTaskError;
use aws_sdk_ecs::types::{
    AssignPublicIp, AwsVpcConfiguration, ContainerOverride, KeyValuePair, LaunchType,
    NetworkConfiguration, TaskOverride,
};
use domain::pool::TaskOrigin;
use settings::SdkConfig;
use settings::{ConfigError, var, var_or};

/// Starts and stops tasks of the sandbox's task definition.
#[derive(Clone, Debug)]
pub struct Tasks {
    client: Client,
    cluster: String,
    task_definition: String,
    container: String,
    subnets: Vec<String>,
    security_groups: Vec<String>,
}

/// What ECS answers when it is asked to start a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Launch {
    /// The task's ARN.
    Started(String),
    /// ECS started no task, for this reason.
    Refused(String),
}

/// The state that ECS reports for a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TaskState {
    /// Starting or running.
    Up,
    /// Asked to stop: its agent makes the last backup, for as long as the task definition's `stopTimeout` allows.
    Stopping,
    /// Its containers have stopped, or ECS does not know it.
    Down,
}

impl TaskState {
    /// Reads a task's `lastStatus`.
    pub fn of(last_status: &str) -> Self {
        match last_status {
            "PROVISIONING" | "PENDING" | "ACTIVATING" | "RUNNING" => Self::Up,
            "DEACTIVATING" | "STOPPING" => Self::Stopping,
            _ => Self::Down,
        }
    }
}

impl Tasks {
    /// Uses this client, for a test that simulates ECS.
    #[cfg(feature = "testing")]
    pub fn of(client: Client) -> Self {
        Self {
            client,
            cluster: "sandboxes".to_owned(),
            task_definition: "sandbox:1".to_owned(),
            container: "agent".to_owned(),
            subnets: Vec::new(),
            security_groups: Vec::new(),
        }
    }

    /// Reads `CLUSTER`, `TASK_DEFINITION`, `SANDBOX_CONTAINER`, `SUBNETS` and `SECURITY_GROUPS`.
    pub fn from_env(sdk: &SdkConfig) -> Result<Self, ConfigError> {
        let list = |name| {
            var_or(name, "").split(',').filter(|s| !s.is_empty()).map(str::to_owned).collect()
        };
        Ok(Self {
            client: Client::new(sdk),
            cluster: var("CLUSTER")?,
            task_definition: var("TASK_DEFINITION")?,
            container: var_or("SANDBOX_CONTAINER", "agent"),
            subnets: list("SUBNETS"),
            security_groups: list("SECURITY_GROUPS"),
        })
    }

    /// Starts a task whose agent gets these variables.
    ///
    /// `client_token` makes the call repeatable: the same token starts one task, and a repeated call with other
    /// variables returns that first task. ECS repeats `origin` in its events about the task.
    pub async fn run(
        &self,
        client_token: &str,
        origin: &TaskOrigin,
        environment: &[(&str, &str)],
    ) -> Result<Launch, AwsError> {
        let container = environment.iter().fold(
            ContainerOverride::builder().name(&self.container),
            |container, (name, value)| {
                container.environment(KeyValuePair::builder().name(*name).value(*value).build())
            },
        );
        let answer = self
            .client
            .run_task()
            .cluster(&self.cluster)
            .task_definition(&self.task_definition)
            .launch_type(LaunchType::Fargate)
            .client_token(client_token)
            .started_by(origin.to_string())
            .set_network_configuration(self.network()?)
            .overrides(TaskOverride::builder().container_overrides(container.build()).build())
            .send()
            .await;
        let answer = match answer {
            Ok(answer) => answer,
            Err(error) => match started_before(&error) {
                Some(arn) => return Ok(Launch::Started(arn)),
                None => return Err(AwsError::of("ecs:RunTask")(error)),
            },
        };
        if let Some(arn) = answer.tasks().first().and_then(|task| task.task_arn()) {
            return Ok(Launch::Started(arn.to_owned()));
        }
        let reason = answer.failures().first().and_then(|f| f.detail().or(f.reason()));
        Ok(Launch::Refused(reason.unwrap_or("ECS gave no reason").to_owned()))
    }

    /// Stops a task; a task that ECS no longer knows counts as stopped.
    pub async fn stop(&self, task_arn: &str, reason: &str) -> Result<(), AwsError> {
        let request = self.client.stop_task().cluster(&self.cluster).task(task_arn).reason(reason);
        match request.send().await {
            Ok(_) => Ok(()),
            Err(error)
                if error.as_service_error().is_some_and(|e| e.is_invalid_parameter_exception()) =>
            {
                Ok(())
            }
            Err(error) => Err(AwsError::of("ecs:StopTask")(error)),
        }
    }

    /// The state of a task.
    pub async fn state(&self, task_arn: &str) -> Result<TaskState, AwsError> {
        let answer = self
            .client
            .describe_tasks()
            .cluster(&self.cluster)
            .tasks(task_arn)
            .send()
            .await
            .map_err(AwsError::of("ecs:DescribeTasks"))?;
        let status = answer.tasks().first().and_then(|task| task.last_status());
        Ok(status.map_or(TaskState::Down, TaskState::of))
    }

    /// The task definition of new tasks.
    pub fn task_definition(&self) -> &str {
        &self.task_definition
    }

    fn network(&self) -> Result<Option<NetworkConfiguration>, AwsError> {
        if self.subnets.is_empty() {
            return Ok(None);
        }
        let vpc = AwsVpcConfiguration::builder()
            .set_subnets(Some(self.subnets.clone()))
            .set_security_groups(Some(self.security_groups.clone()))
            .assign_public_ip(AssignPublicIp::Enabled)
            .build()
            .map_err(AwsError::of("ecs: network"))?;
        Ok(Some(NetworkConfiguration::builder().awsvpc_configuration(vpc).build()))
    }
}

/// The task that this client token has already started.
fn started_before<R>(error: &SdkError<RunTaskError, R>) -> Option<String> {
    match error.as_service_error()? {
        RunTaskError::ConflictException(conflict) => conflict.resource_ids().first().cloned(),
        _ => None,
    }
}
