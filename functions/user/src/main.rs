//! The Lambda function `user`; it streams its answers.

#[tokio::main]
async fn main() -> Result<(), lambda_http::Error> {
    http_kit::init_telemetry();
    let app = user::App::from_env().await?;
    lambda_http::run_with_streaming_response(http_kit::finish(user::routes(app))).await
}
