//! The functions, as the gateways and pollers call them.
//!
//! In the cloud each is a separate Lambda function; here they share a process and are called as Lambda calls them, with
//! the same events. [`Functions::from_env`] is the one place that names them.

use crate::names;
use aws_lambda_events::apigw::{ApiGatewayProxyResponse, ApiGatewayWebsocketProxyRequest};
use aws_lambda_events::sqs::{SqsBatchResponse, SqsEvent};
use axum::Router;
use futures::future::BoxFuture;
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;

/// Answers one event of the WebSocket API.
pub type WebSocketFunction = Arc<
    dyn Fn(ApiGatewayWebsocketProxyRequest) -> BoxFuture<'static, ApiGatewayProxyResponse>
        + Send
        + Sync,
>;
/// Handles one batch of a queue.
pub type QueueFunction =
    Arc<dyn Fn(SqsEvent) -> BoxFuture<'static, SqsBatchResponse> + Send + Sync>;
/// Handles one EventBridge event; the error goes to the log.
pub type EventFunction = Arc<dyn Fn(Value) -> BoxFuture<'static, Result<(), String>> + Send + Sync>;

/// A function and the queue it is fed from.
#[derive(Clone)]
pub struct QueueMapping {
    /// Name of the queue.
    pub queue: &'static str,
    /// How many messages a batch may hold.
    pub batch: usize,
    /// How long the function may take, at most the queue's visibility timeout.
    pub timeout: Duration,
    /// The function.
    pub function: QueueFunction,
}

/// Everything that runs in Lambda in the cloud.
#[derive(Clone)]
pub struct Functions {
    /// All REST functions, without the `/api` prefix.
    pub rest: Router,
    /// The hosts of previews.
    pub previews: Router,
    /// The terminal function.
    pub websocket: WebSocketFunction,
    /// The queue functions.
    pub queues: Vec<QueueMapping>,
    /// The sandbox-reaper.
    pub sandbox_reaper: EventFunction,
}

impl Functions {
    /// The product's functions, set up from the environment as in the cloud.
    pub async fn from_env() -> anyhow::Result<Self> {
        let terminal = terminal::App::from_env().await?;
        let rest = Router::new()
            .merge(github::routes(github::App::from_env().await?))
            .merge(analytics::routes(analytics::App::from_env().await?))
            .merge(projects::routes(projects::App::from_env().await?))
            .merge(project_states::routes(project_states::App::from_env().await?))
            .merge(planning::routes(planning::App::from_env().await?))
            .merge(sandbox::routes(sandbox::App::from_env().await?))
            .merge(execution::routes(execution::App::from_env().await?))
            .merge(validation::routes(validation::App::from_env().await?))
            .merge(documentation::routes(documentation::App::from_env().await?))
            .merge(devops_helper::routes(devops_helper::App::from_env().await?))
            .merge(workspace::routes(workspace::App::from_env().await?))
            .merge(user::routes(user::App::from_env().await?))
            .merge(payments::routes(payments::App::from_env().await?))
            .merge(terminal::routes(terminal.clone()));
        Ok(Self {
            rest,
            previews: preview::routes(preview::App::from_env().await?),
            websocket: websocket_function(terminal),
            queues: queue_mappings().await?,
            sandbox_reaper: sandbox_reaper_function(sandbox_reaper::App::from_env().await?),
        })
    }

    /// Functions that only answer the health check.
    pub fn nothing() -> Self {
        let health =
            axum::routing::get(|| async { axum::Json(serde_json::json!({"status": "ok"})) });
        Self {
            rest: Router::new().route("/health", health),
            previews: Router::new(),
            websocket: Arc::new(|_| Box::pin(async { ApiGatewayProxyResponse::default() })),
            queues: Vec::new(),
            sandbox_reaper: Arc::new(|_| Box::pin(async { Ok(()) })),
        }
    }
}

fn websocket_function(app: terminal::App) -> WebSocketFunction {
    Arc::new(move |event| {
        let app = app.clone();
        Box::pin(async move { terminal::handle(&app, event).await })
    })
}

/// Each queue, mapped as `infra/template.yaml` maps them.
async fn queue_mappings() -> anyhow::Result<Vec<QueueMapping>> {
    let agent_runner = agent_runner::App::from_env().await?;
    let step_runner = step_runner::App::from_env().await?;
    let agent_runs: QueueFunction = Arc::new(move |event| {
        let app = agent_runner.clone();
        Box::pin(async move { agent_runner::handle(&app, event).await })
    });
    let steps: QueueFunction = Arc::new(move |event| {
        let app = step_runner.clone();
        Box::pin(async move { step_runner::handle(&app, event).await })
    });
    let mapping = |queue, seconds: u32, function: &QueueFunction| QueueMapping {
        queue,
        batch: 1,
        timeout: Duration::from_secs(seconds.into()),
        function: function.clone(),
    };
    Ok(vec![
        mapping(names::AGENT_RUNS, names::AGENT_RUNS_VISIBILITY_SECONDS, &agent_runs),
        mapping(names::STEPS, names::STEPS_VISIBILITY_SECONDS, &steps),
    ])
}

fn sandbox_reaper_function(app: sandbox_reaper::App) -> EventFunction {
    Arc::new(move |event| {
        let app = app.clone();
        Box::pin(async move {
            let event = serde_json::from_value(event).map_err(|error| error.to_string())?;
            sandbox_reaper::handle(&app, event).await.map_err(|error| format!("{error:?}"))
        })
    })
}
