//! The environment in which the functions run here.
//!
//! In the cloud a function finds its outside parties through the environment variables that `template.yaml` sets. The
//! same is true here: a function has no other way to find out that it runs on a laptop. A process's variables cannot be
//! changed safely once it has threads, so [`enter`] computes them and then replaces the process with a new copy of the
//! program (`exec`: same process id, same arguments) that has them.

use crate::{Options, listen, names};
use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::os::unix::process::CommandExt;
use std::process::Command;

/// Set in the replaced process; holds the chosen ports as `site:engines`.
const PORTS: &str = "GROUNDCREW_LOCAL_PORTS";
/// How often `--port 0` picks other ports because another program took the chosen ones in between.
const ATTEMPTS: u32 = 5;
/// Counts the attempts, up to [`ATTEMPTS`].
const ATTEMPT: &str = "GROUNDCREW_LOCAL_ATTEMPT";
/// Names the variables of the contract that an attempt set, separated by commas. The value alone does not tell whose a
/// variable is: the user's own model may have the name of the blueprint model.
const GIVEN: &str = "GROUNDCREW_LOCAL_GIVEN";

/// If set, the user brings their own GitHub, whose API is at `GITHUB_API_URL`.
const OWN_GITHUB: &str = "GITHUB_BASE_URL";
/// The variables that are then the user's own.
const OF_GITHUB: [&str; 4] = [OWN_GITHUB, "GITHUB_API_URL", "GITHUB_APP_SLUG", "GITHUB_CLIENT_ID"];

/// The host below which previews have their hosts; browsers resolve everything below `localhost` to this machine.
pub const PREVIEW_HOST: &str = "preview.localhost";

/// If any of these is set, the user brings their own model.
const OWN_MODEL: [&str; 4] =
    ["MODEL_PROVIDER", "MODEL_BASE_URL", "MODEL_API_KEY", "MODEL_API_KEY_SECRET_ID"];

/// The addresses from which everything else is derived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ports {
    /// Port of the site, REST, WebSocket, GitHub and model.
    pub site: u16,
    /// Port of the AWS engines.
    pub engines: u16,
}

/// Returns the ports if this process already has its environment; otherwise sets it up and restarts.
pub fn enter(options: &Options) -> Result<Ports> {
    match std::env::var(PORTS) {
        Ok(chosen) => {
            parse(&chosen).with_context(|| format!("{PORTS}={chosen} does not contain two ports"))
        }
        Err(_) => start_over(options, 0),
    }
}

/// Picks other ports after the chosen ones turned out to be taken; returns `error` if the user chose them.
pub fn retry(options: &Options, error: anyhow::Error) -> Result<Ports> {
    let attempt = std::env::var(ATTEMPT).ok().and_then(|n| n.parse().ok()).unwrap_or(0);
    if options.port != 0 || attempt >= ATTEMPTS {
        return Err(error);
    }
    start_over(options, attempt + 1)
}

fn start_over(options: &Options, attempt: u32) -> Result<Ports> {
    let ports = listen::free_ports(options)?;
    let inherited = users_own(std::env::vars().collect());
    let mut command = Command::new(std::env::current_exe()?);
    command.args(std::env::args_os().skip(1)).env_clear().envs(variables(ports, inherited));
    command
        .env(PORTS, format!("{}:{}", ports.site, ports.engines))
        .env(ATTEMPT, attempt.to_string());
    Err(command.exec()).context("cannot restart with the functions' environment")
}

/// The variables without those that an attempt with other ports set: its GitHub and its model are not the user's own.
fn users_own(mut all: BTreeMap<String, String>) -> BTreeMap<String, String> {
    for name in all.remove(GIVEN).unwrap_or_default().split(',') {
        all.remove(name);
    }
    all
}

fn parse(chosen: &str) -> Option<Ports> {
    let (site, engines) = chosen.split_once(':')?;
    Some(Ports { site: site.parse().ok()?, engines: engines.parse().ok()? })
}

/// The variables by which the functions find every outside party at these ports (the contract with `template.yaml`).
pub fn contract(ports: Ports) -> BTreeMap<String, String> {
    let site = format!("http://localhost:{}", ports.site);
    let github = format!("{site}/_local/github");
    let engines = format!("http://127.0.0.1:{}", ports.engines);
    let queue = |name: &str| format!("{engines}/{}/{name}", names::ACCOUNT);
    let mut variables: BTreeMap<String, String> = [
        ("TABLE_NAME", names::TABLE.to_owned()),
        ("BUCKET_NAME", names::BUCKET.to_owned()),
        ("AGENT_RUNS_QUEUE_URL", queue(names::AGENT_RUNS)),
        ("STEPS_QUEUE_URL", queue(names::STEPS)),
        ("KMS_KEY_ID", names::CREDENTIALS_KEY.to_owned()),
        ("FINGERPRINT_KEY", names::FINGERPRINT_KEY.to_owned()),
        ("PUBLIC_URL", site.clone()),
        ("PREVIEW_URL", format!("http://{PREVIEW_HOST}:{}", ports.site)),
        ("WEBSOCKET_URL", format!("ws://localhost:{}/ws", ports.site)),
        ("WEBSOCKET_MANAGEMENT_URL", engines.clone()),
        ("CLUSTER", names::CLUSTER.to_owned()),
        ("TASK_DEFINITION", names::TASK_DEFINITION.to_owned()),
        ("SUBNETS", "subnet-00000000000000000".to_owned()),
        ("SECURITY_GROUPS", "sg-00000000000000000".to_owned()),
        ("SANDBOX_CONTAINER", names::SANDBOX_CONTAINER.to_owned()),
        ("GITHUB_BASE_URL", github.clone()),
        ("GITHUB_API_URL", format!("{github}/api")),
        ("GITHUB_APP_SLUG", names::GITHUB_APP_SLUG.to_owned()),
        ("GITHUB_CLIENT_ID", names::GITHUB_CLIENT_ID.to_owned()),
        ("GITHUB_CLIENT_SECRET_ID", names::GITHUB_CLIENT_SECRET_ID.to_owned()),
        ("STRIPE_API_URL", format!("{site}/_stripe")),
        ("STRIPE_API_KEY_SECRET_ID", names::STRIPE_API_KEY_SECRET_ID.to_owned()),
        ("STRIPE_WEBHOOK_SECRET_ID", names::STRIPE_WEBHOOK_SECRET_ID.to_owned()),
        ("OPENING_CREDIT", names::OPENING_CREDIT.to_owned()),
        ("GITHUB_WEBHOOK_SECRET_ID", names::GITHUB_WEBHOOK_SECRET_ID.to_owned()),
        ("GITHUB_PRIVATE_KEY_SECRET_ID", names::GITHUB_PRIVATE_KEY_SECRET_ID.to_owned()),
        ("MODEL_PROVIDER", "openai".to_owned()),
        ("MODEL_NAME", blueprint_model::MODEL_ID.to_owned()),
        ("MODEL_BASE_URL", format!("{site}/_local/model/v1")),
        ("MODEL_API_KEY", names::CREDENTIAL.to_owned()),
        ("MAIL_FROM", names::MAIL_FROM.to_owned()),
        ("S3_PATH_STYLE", "true".to_owned()),
        ("AWS_REGION", names::REGION.to_owned()),
        ("AWS_ACCESS_KEY_ID", names::CREDENTIAL.to_owned()),
        ("AWS_SECRET_ACCESS_KEY", names::CREDENTIAL.to_owned()),
        ("AWS_EC2_METADATA_DISABLED", "true".to_owned()),
        ("AWS_LAMBDA_HTTP_IGNORE_STAGE_IN_PATH", "true".to_owned()),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into();
    for service in ["DYNAMODB", "S3", "SQS", "ECS", "SECRETS_MANAGER", "KMS", "SESV2"] {
        variables.insert(format!("AWS_ENDPOINT_URL_{service}"), engines.clone());
    }
    variables
}

/// The whole environment: the inherited variables, overridden by the contract, except for a model or GitHub of the
/// user's own.
///
/// Inherited `AWS_*` variables are dropped: a profile or session token of the user's own account must not reach a
/// function that should call the local engines.
pub fn variables(ports: Ports, inherited: BTreeMap<String, String>) -> BTreeMap<String, String> {
    // GITHUB_API_URL alone proves nothing: GitHub's own CI runners set it.
    let own_github = inherited.contains_key(OWN_GITHUB);
    let own_model = OWN_MODEL.iter().any(|name| inherited.contains_key(*name));
    let mut all: BTreeMap<_, _> =
        inherited.into_iter().filter(|(name, _)| !name.starts_with("AWS_")).collect();
    let mut given = Vec::new();
    for (name, value) in contract(ports) {
        if own_github && OF_GITHUB.contains(&name.as_str()) && all.contains_key(&name) {
            continue;
        }
        let model = name.starts_with("MODEL_");
        if model && (own_model || all.contains_key(&name)) {
            continue;
        }
        // A new account's balance is up to the user, or to a test.
        if name == "OPENING_CREDIT" && all.contains_key(&name) {
            continue;
        }
        given.push(name.clone());
        all.insert(name, value);
    }
    all.insert(GIVEN.to_owned(), given.join(","));
    // Calls to addresses of this machine must not go through the user's proxy.
    for name in ["NO_PROXY", "no_proxy"] {
        let before = all.get(name).map(|value| format!("{value},")).unwrap_or_default();
        all.insert(name.to_owned(), format!("{before}localhost,127.0.0.1,::1"));
    }
    all
}

/// The contract as a file of `NAME=value` lines, for `cargo lambda watch --env-file`.
///
/// A model of the user's own is left out: its key does not belong in a file that the stack writes.
pub fn file(ports: Ports) -> String {
    let given = std::env::var(GIVEN).unwrap_or_default();
    let is_given = |name: &str| given.split(',').any(|one| one == name);
    let own_model =
        OWN_MODEL.iter().any(|name| std::env::var_os(name).is_some() && !is_given(name));
    let lines =
        contract(ports).into_iter().filter(|(name, _)| !(own_model && name.starts_with("MODEL_")));
    lines.map(|(name, value)| format!("{name}={value}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PORTS: Ports = Ports { site: 3000, engines: 3001 };

    fn with(inherited: &[(&str, &str)]) -> BTreeMap<String, String> {
        variables(PORTS, inherited.iter().map(|(n, v)| (n.to_string(), v.to_string())).collect())
    }

    #[test]
    fn without_a_model_of_the_user_the_blueprint_model_answers() {
        let all = with(&[]);
        assert_eq!(all["MODEL_BASE_URL"], "http://localhost:3000/_local/model/v1");
    }

    #[test]
    fn the_users_own_model_is_not_mixed_with_the_blueprint_model() {
        let all = with(&[("MODEL_PROVIDER", "anthropic"), ("MODEL_API_KEY", "k")]);
        assert_eq!(all["MODEL_PROVIDER"], "anthropic");
        assert_eq!(all["MODEL_API_KEY"], "k");
        assert!(!all.contains_key("MODEL_BASE_URL"));
    }

    #[test]
    fn the_users_own_github_is_called_and_a_github_runner_is_not_one() {
        let own = with(&[("GITHUB_BASE_URL", "https://git"), ("GITHUB_API_URL", "https://api")]);
        assert_eq!(own["GITHUB_BASE_URL"], "https://git");
        assert_eq!(own["GITHUB_API_URL"], "https://api");
        let runner = with(&[("GITHUB_API_URL", "https://api.github.com")]);
        assert_eq!(runner["GITHUB_API_URL"], "http://localhost:3000/_local/github/api");
    }

    #[test]
    fn a_second_attempt_uses_its_own_ports() {
        // A model of the user's own that has the blueprint model's provider and name, but another address.
        let own = [
            ("MODEL_PROVIDER", "openai"),
            ("MODEL_NAME", blueprint_model::MODEL_ID),
            ("MODEL_API_KEY", "own"),
            ("MODEL_BASE_URL", "http://127.0.0.1:9/v1"),
            ("OPENING_CREDIT", names::OPENING_CREDIT),
        ];
        let own = own.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        for inherited in [BTreeMap::new(), own] {
            let first = variables(Ports { site: 4000, engines: 4001 }, inherited.clone());
            let second = variables(PORTS, users_own(first));
            let led_back: Vec<_> =
                second.iter().filter(|(_, value)| value.contains(":400")).collect();
            assert!(led_back.is_empty(), "{led_back:?}");
            assert_eq!(second["GITHUB_BASE_URL"], "http://localhost:3000/_local/github");
            assert_eq!(second["MODEL_NAME"], blueprint_model::MODEL_ID);
            for (name, value) in inherited {
                assert_eq!(second[&name], value, "{name}");
            }
        }
    }

    #[test]
    fn the_users_own_aws_account_is_out_of_reach() {
        let all =
            with(&[("AWS_PROFILE", "production"), ("AWS_SESSION_TOKEN", "t"), ("HOME", "/root")]);
        assert!(!all.contains_key("AWS_PROFILE") && !all.contains_key("AWS_SESSION_TOKEN"));
        assert_eq!(all["AWS_ACCESS_KEY_ID"], "local");
        assert_eq!(all["HOME"], "/root");
    }
}
