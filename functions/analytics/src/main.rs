//! The Lambda function `analytics`.

#[tokio::main]
async fn main() -> Result<(), lambda_http::Error> {
    http_kit::init_telemetry();
    let app = analytics::App::from_env().await?;
    lambda_http::run(http_kit::finish(analytics::routes(app))).await
}
