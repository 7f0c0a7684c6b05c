//! The Lambda function `preview`.

#[tokio::main]
async fn main() -> Result<(), lambda_http::Error> {
    http_kit::init_telemetry();
    let app = preview::App::from_env().await?;
    lambda_http::run(preview::routes(app)).await
}
