//! The Lambda function `step-runner`.

use aws_lambda_events::sqs::SqsEvent;
use lambda_runtime::{Error, LambdaEvent, run, service_fn};

#[tokio::main]
async fn main() -> Result<(), Error> {
    http_kit::init_telemetry();
    let app = &step_runner::App::from_env().await?;
    run(service_fn(async move |event: LambdaEvent<SqsEvent>| {
        Ok::<_, Error>(step_runner::handle(app, event.payload).await)
    }))
    .await
}
