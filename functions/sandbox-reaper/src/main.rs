//! The Lambda function `sandbox-reaper`.

use aws_lambda_events::eventbridge::EventBridgeEvent;
use lambda_runtime::{Error, LambdaEvent, run, service_fn};
use serde_json::Value;

#[tokio::main]
async fn main() -> Result<(), Error> {
    http_kit::init_telemetry();
    let app = &sandbox_reaper::App::from_env().await?;
    run(service_fn(async move |event: LambdaEvent<EventBridgeEvent<Value>>| {
        sandbox_reaper::handle(app, event.payload).await.map_err(Error::from)
    }))
    .await
}
