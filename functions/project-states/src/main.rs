//! The Lambda function `project-states`.

#[tokio::main]
async fn main() -> Result<(), lambda_http::Error> {
    http_kit::init_telemetry();
    let app = project_states::App::from_env().await?;
    lambda_http::run(http_kit::finish(project_states::routes(app))).await
}
