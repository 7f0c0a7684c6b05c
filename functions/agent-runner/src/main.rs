//! The Lambda function `agent-runner`.

// The futures of a whole turn, down to the AWS clients, nest deeper than the default of 128.
#![recursion_limit = "256"]

use aws_lambda_events::sqs::SqsEvent;
use lambda_runtime::{Error, LambdaEvent, run, service_fn};

#[tokio::main]
async fn main() -> Result<(), Error> {
    http_kit::init_telemetry();
    let app = &agent_runner::App::from_env().await?;
    run(service_fn(async move |event: LambdaEvent<SqsEvent>| {
        Ok::<_, Error>(agent_runner::handle(app, event.payload).await)
    }))
    .await
}
