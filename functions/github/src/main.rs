//! The Lambda function `github`.

#[tokio::main]
async fn main() -> Result<(), lambda_http::Error> {
    http_kit::init_telemetry();
    let app = github::App::from_env().await?;
    lambda_http::run(http_kit::finish(github::routes(app))).await
}
