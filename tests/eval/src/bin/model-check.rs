//! `cargo dev model-check`: tries the configured model and prints what does not work.
#![allow(clippy::expect_used, reason = "a program for one's own machine")]

use agents::{Model, ModelConfig, Provider, trial};
use bedrock::Signer;
use clap::Parser;
use domain::AgentId;
use eval::check::{Sum, sum, table};
use settings::{SdkConfig, Secret};
use std::process::ExitCode;
use std::time::Duration;

/// Tries a model against what the agents need from one, in at most two minutes and for a few cents
#[derive(Parser)]
#[command(name = "cargo dev model-check")]
struct ModelCheck {
    /// Try the blueprint model, which needs no key, instead of the one in MODEL_NAME
    #[arg(long)]
    blueprint: bool,
}

#[tokio::main]
async fn main() -> ExitCode {
    let options = ModelCheck::parse();
    let models = match models(options.blueprint).await {
        Ok(models) => models,
        Err(error) => {
            eprintln!("cargo dev model-check: {error}");
            eprintln!(
                "Set MODEL_PROVIDER, MODEL_NAME, MODEL_BASE_URL and MODEL_API_KEY (docs/configuration.md); \
                 with MODEL_PROVIDER=bedrock, AWS_REGION and credentials instead of a key."
            );
            return ExitCode::FAILURE;
        }
    };
    let mut code = ExitCode::SUCCESS;
    for (name, model) in models {
        let rows = trial(&model).await;
        println!("{}", table(&name, &rows));
        if sum(&rows) == Sum::NotUsable {
            code = ExitCode::FAILURE;
        }
    }
    code
}

async fn models(blueprint: bool) -> Result<Vec<(String, Model)>, String> {
    if blueprint {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await;
        let listener = listener.map_err(|error| error.to_string())?;
        let address = listener.local_addr().map_err(|error| error.to_string())?;
        tokio::spawn(async move {
            axum::serve(listener, blueprint_model::routes(Duration::ZERO)).await
        });
        let base_url = format!("http://{address}/v1");
        let config =
            ModelConfig::new(Provider::OpenAi, blueprint_model::MODEL_ID, Some(&base_url), "none");
        let model = Model::new(config).map_err(|error| error.to_string())?;
        return Ok(vec![(blueprint_model::MODEL_ID.to_owned(), model)]);
    }
    // This program reads no secret from the cloud: the key is in MODEL_API_KEY.
    let here = |purpose, _| Secret::given(purpose, String::new());
    let name = |variable: &str| std::env::var(variable).unwrap_or_default();
    // Without a region and credentials, looking for them takes seconds.
    let providers = [name("MODEL_PROVIDER"), name("MODEL_FALLBACK_PROVIDER")];
    let sdk = match providers.iter().any(|provider| provider == "bedrock") {
        true => settings::sdk_config().await,
        false => SdkConfig::builder().build(),
    };
    let (model, fallback) =
        Model::from_env(&Signer::new(&sdk), here).map_err(|error| error.to_string())?;
    let of_agents = model.of_agents().into_iter().map(|(agents, model)| {
        let agents: Vec<_> = agents.into_iter().map(AgentId::as_str).collect();
        (format!("{}, of {}", model.name(), agents.join(", ")), model)
    });
    let of_agents: Vec<_> = of_agents.collect();
    let fallback = fallback.map(|model| (title("MODEL_FALLBACK"), model));
    let first = std::iter::once((title("MODEL"), model));
    Ok(first.chain(of_agents).chain(fallback).collect())
}

/// A model's name, protocol and address, from the variables that begin with this.
fn title(variables: &str) -> String {
    let given = |what: &str| {
        let value = std::env::var(format!("{variables}_{what}")).ok();
        value.filter(|value| !value.trim().is_empty())
    };
    let provider = given("PROVIDER").unwrap_or_else(|| "openai".to_owned());
    let address = given("BASE_URL").unwrap_or_else(|| "its provider's own address".to_owned());
    format!("{} ({provider}, {address})", given("NAME").unwrap_or_default())
}
