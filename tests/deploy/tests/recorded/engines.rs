//! The engines in the recorded state.

use aws_lc_rs::hmac;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// The site in the recorded calls: the local stack's at its usual port.
const SITE: &str = "http://localhost:3000";

/// Running engines.
pub struct Engines {
    site: String,
    environment: BTreeMap<String, String>,
    /// The secrets of GitHub's and Stripe's webhooks.
    secrets: [String; 2],
    _engines: deploy_tests::Engines,
}

impl Engines {
    /// Builds the functions and starts the engines.
    pub async fn start(functions: &[String]) -> Self {
        let state = deploy_tests::repository().join("events/state.json");
        let arguments = ["--recorded", state.to_str().unwrap()];
        let engines = deploy_tests::Engines::start(functions, &arguments).await;
        let mut environment = engines.environment();
        let site = environment.insert("PUBLIC_URL".to_owned(), SITE.to_owned()).unwrap();
        environment.insert("RATE_LIMITS".to_owned(), "every-limit=1000000".to_owned());
        let secrets = ["github", "stripe"].map(|name| secret(&engines.data().join(name)));
        Self { site, environment, secrets, _engines: engines }
    }

    /// The environment of a function.
    pub fn environment(&self) -> &BTreeMap<String, String> {
        &self.environment
    }

    /// Restores the recorded state.
    pub async fn put_back(&self) {
        let put = reqwest::Client::new().post(format!("{}/_local/recorded", self.site));
        assert_eq!(put.send().await.unwrap().status(), 204);
    }

    /// The event, signed now if it is a webhook: the secrets are generated for each folder, and Stripe's signatures are
    /// valid for five minutes.
    pub fn signed(&self, mut event: Value) -> Value {
        let [github, stripe] = &self.secrets;
        let body = event["body"].as_str().unwrap_or_default().to_owned();
        let (header, signature) = match event["path"].as_str() {
            Some("/github/webhook") => {
                ("X-Hub-Signature-256", format!("sha256={}", hmac_hex(github, &body)))
            }
            Some("/payments/stripe/webhook") => {
                let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
                let signature = hmac_hex(stripe, &format!("{now}.{body}"));
                ("Stripe-Signature", format!("t={now},v1={signature}"))
            }
            _ => return event,
        };
        assert!(event["headers"][header].is_string(), "{header} is recorded");
        event["headers"][header] = json!(signature);
        event["multiValueHeaders"][header] = json!([signature]);
        event
    }
}

fn secret(file: &Path) -> String {
    let kept = std::fs::read(file.with_extension("json")).unwrap();
    let kept: Value = serde_json::from_slice(&kept).unwrap();
    kept["webhook_secret"].as_str().unwrap().to_owned()
}

fn hmac_hex(secret: &str, text: &str) -> String {
    let key = hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes());
    hex::encode(hmac::sign(&key, text.as_bytes()))
}
