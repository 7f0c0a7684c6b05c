//! The Lambda function `sandbox`.

#[tokio::main]
async fn main() -> Result<(), lambda_http::Error> {
    http_kit::init_telemetry();
    let app = sandbox::App::from_env().await?;
    lambda_http::run(http_kit::finish(sandbox::routes(app))).await
}
