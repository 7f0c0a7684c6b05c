//! The Lambda function `payments`.

#[tokio::main]
async fn main() -> Result<(), lambda_http::Error> {
    http_kit::init_telemetry();
    let app = payments::App::from_env().await?;
    lambda_http::run(http_kit::finish(payments::routes(app))).await
}
