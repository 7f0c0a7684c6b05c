//! The functions' processes, which can be killed.
//!
//! All functions run on one separate runtime. Killing them means ending that runtime: every invocation, and everything
//! else it has begun, stops at the point where it waits; connections and caches are gone. What follows is a cold start.
//! Outside parties, sandboxes and the gateways in front keep running, as in the cloud.

use crate::functions::{Functions, QueueFunction, QueueMapping};
use crate::gateway::rest;
use anyhow::Result;
use aws_lambda_events::apigw::ApiGatewayProxyResponse;
use axum::Router;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use futures::FutureExt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::RwLock;
use tower::ServiceExt;

/// How long the functions' threads may take to stop.
const STOPS_WITHIN: Duration = Duration::from_secs(2);

/// The stack of a process's first thread on Linux, in bytes.
const STACK_BYTES: usize = 8 * 1024 * 1024;

/// The functions' current life, and the lives after it.
#[derive(Clone)]
pub struct Lives {
    life: Arc<RwLock<Option<Life>>>,
    invoked: Arc<AtomicUsize>,
}

struct Life {
    runtime: Runtime,
    /// The REST functions include their outer layers.
    functions: Functions,
}

/// An invocation died with its process.
struct Killed;

impl Life {
    async fn begin() -> Result<Self> {
        let mut runtime = Builder::new_multi_thread();
        // A function runs on its process's first thread, whose stack is larger than that of other threads.
        runtime.worker_threads(2).thread_stack_size(STACK_BYTES).enable_all();
        let runtime = runtime.build()?;
        let mut functions = runtime.spawn(Functions::from_env()).await??;
        functions.rest = rest::finished(functions.rest);
        Ok(Self { runtime, functions })
    }
}

impl Lives {
    /// Begins the first life.
    pub async fn begin() -> Result<Self> {
        let life = Life::begin().await?;
        Ok(Self { life: Arc::new(RwLock::new(Some(life))), invoked: Arc::default() })
    }

    /// Kills the functions and starts them again.
    pub async fn end(&self) {
        let mut life = self.life.write().await;
        if let Some(dying) = life.take() {
            let stop = move || dying.runtime.shutdown_timeout(STOPS_WITHIN);
            tokio::task::spawn_blocking(stop).await.ok();
        }
        match Life::begin().await {
            Ok(next) => *life = Some(next),
            Err(error) => tracing::error!(%error, "the functions cannot be restarted"),
        }
    }

    /// How many invocations are in progress.
    pub fn invoked(&self) -> usize {
        self.invoked.load(Ordering::SeqCst)
    }

    async fn invoke<Answer, Invocation>(
        &self,
        invocation: impl FnOnce(&Functions) -> Invocation,
    ) -> Result<Answer, Killed>
    where
        Answer: Send + 'static,
        Invocation: Future<Output = Answer> + Send + 'static,
    {
        let invoked = Invoked::new(&self.invoked);
        let running = {
            let life = self.life.read().await;
            let life = life.as_ref().ok_or(Killed)?;
            life.runtime.spawn(invocation(&life.functions))
        };
        let answer = running.await.map_err(|_| Killed);
        drop(invoked);
        answer
    }

    /// The functions as the gateways and pollers call them, in whichever life; the REST functions include their outer
    /// layers.
    pub async fn functions(&self) -> Functions {
        let queues = match self.life.read().await.as_ref() {
            Some(life) => life.functions.queues.clone(),
            None => Vec::new(),
        };
        let queues = queues.into_iter().enumerate();
        let (websocket, reaper) = (self.clone(), self.clone());
        Functions {
            rest: self.router(|functions| &functions.rest),
            previews: self.router(|functions| &functions.previews),
            websocket: Arc::new(move |event| {
                let lives = websocket.clone();
                let invoked = async move {
                    lives.invoke(|functions| (functions.websocket)(event)).await.unwrap_or_else(
                        |Killed| {
                            let mut answer = ApiGatewayProxyResponse::default();
                            answer.status_code = 500;
                            answer
                        },
                    )
                };
                invoked.boxed()
            }),
            queues: queues.map(|(n, mapping)| self.queue(n, mapping)).collect(),
            sandbox_reaper: Arc::new(move |event| {
                let lives = reaper.clone();
                let invoked = async move {
                    let answer = lives.invoke(|functions| (functions.sandbox_reaper)(event)).await;
                    answer.unwrap_or_else(|Killed| Err("it was killed".to_owned()))
                };
                invoked.boxed()
            }),
        }
    }

    fn queue(&self, n: usize, mapping: QueueMapping) -> QueueMapping {
        let lives = self.clone();
        let function: QueueFunction = Arc::new(move |event| {
            let lives = lives.clone();
            let invoked = async move {
                let invoke = |functions: &Functions| (functions.queues[n].function)(event);
                match lives.invoke(invoke).await {
                    Ok(answer) => answer,
                    // The poller treats a panic as a function that died.
                    Err(Killed) => std::panic::resume_unwind(Box::new("killed")),
                }
            };
            invoked.boxed()
        });
        QueueMapping { function, ..mapping }
    }

    /// A router in front of one of the functions' own routers.
    fn router(&self, which: fn(&Functions) -> &Router) -> Router {
        let lives = self.clone();
        Router::new().fallback(move |request: Request| {
            let lives = lives.clone();
            async move { lives.called(which, request).await }
        })
    }

    async fn called(&self, which: fn(&Functions) -> &Router, request: Request) -> Response {
        let answer = self.invoke(|functions| which(functions).clone().oneshot(request)).await;
        match answer {
            Ok(Ok(response)) => response,
            Ok(Err(never)) => match never {},
            // API Gateway's answer if a function died.
            Err(Killed) => {
                let body = axum::Json(serde_json::json!({"message": "Internal server error"}));
                (StatusCode::BAD_GATEWAY, body).into_response()
            }
        }
    }
}

/// Counts an invocation as long as it is in progress.
struct Invoked(Arc<AtomicUsize>);

impl Invoked {
    fn new(count: &Arc<AtomicUsize>) -> Self {
        count.fetch_add(1, Ordering::SeqCst);
        Self(count.clone())
    }
}

impl Drop for Invoked {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}
