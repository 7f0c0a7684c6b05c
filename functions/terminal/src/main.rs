//! The Lambda function `terminal`: one REST call, and every event of the WebSocket API.

use lambda_http::{Request, run, service_fn};

#[tokio::main]
async fn main() -> Result<(), lambda_http::Error> {
    http_kit::init_telemetry();
    let app = &terminal::App::from_env().await?;
    let router = http_kit::finish(terminal::routes(app.clone()));
    run(service_fn(move |request: Request| terminal::serve(app, router.clone(), request))).await
}
