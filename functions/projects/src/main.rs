//! The Lambda function `projects`.

#[tokio::main]
async fn main() -> Result<(), lambda_http::Error> {
    http_kit::init_telemetry();
    let app = projects::App::from_env().await?;
    lambda_http::run(http_kit::finish(projects::routes(app))).await
}
