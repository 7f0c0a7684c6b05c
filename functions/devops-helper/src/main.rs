//! The Lambda function `devops-helper`; it streams its answers.

#[tokio::main]
async fn main() -> Result<(), lambda_http::Error> {
    http_kit::init_telemetry();
    let app = devops_helper::App::from_env().await?;
    lambda_http::run_with_streaming_response(http_kit::finish(devops_helper::routes(app))).await
}
