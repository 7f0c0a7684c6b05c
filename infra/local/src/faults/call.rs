//! The names of calls: operation and subject, without anything that differs between runs.

use axum::body::Body;
use axum::extract::Request;
use axum::http::header;
use serde_json::Value;

/// The SDK's application name by which a test marks its own reads of the table, which are not calls of the product.
const OBSERVER: &str = "app/observer";
/// A word that is longer than this is an id.
const WORD: usize = 28;

/// The request and the call's name; `None` if the product did not make the call.
pub async fn named(request: Request) -> (Request, Option<String>) {
    let agents = [header::USER_AGENT.as_str(), "x-amz-user-agent"];
    let agents = agents.map(|name| text(&request, name));
    let path = request.uri().path();
    let pressed = path.starts_with("/_stripe/") && !path.starts_with("/_stripe/v1/");
    if pressed || agents.iter().any(|agent| agent.contains(OBSERVER)) {
        return (request, None);
    }
    let (parts, body) = request.into_parts();
    let body = axum::body::to_bytes(body, usize::MAX).await.unwrap_or_default();
    let request = Request::from_parts(parts, Body::from(body.clone()));
    let name = name(&request, &body);
    (request, Some(name))
}

fn name(request: &Request, body: &[u8]) -> String {
    let target = text(request, "x-amz-target");
    let Some((service, operation)) = target.split_once('.') else {
        return format!("{} {}", request.method(), plain(request.uri().path()));
    };
    let call: Value = serde_json::from_slice(body).unwrap_or_default();
    let mut about = Vec::new();
    match service {
        "DynamoDB_20120810" => keys(&call, &mut about),
        "AmazonSQS" => about.extend(
            call["QueueUrl"].as_str().and_then(|u| u.rsplit('/').next()).map(str::to_owned),
        ),
        "secretsmanager" => about.extend(call["SecretId"].as_str().map(str::to_owned)),
        _ => {}
    }
    format!("{operation} {}", about.join(" ")).trim_end().to_owned()
}

/// The keys of every item that a call of DynamoDB names.
fn keys(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            let of = |name: &str| fields.get(name).and_then(|key| key["S"].as_str()).map(plain);
            let key = of("pk").or_else(|| of(":pk"));
            if let Some(key) = key {
                let rest = of("sk").map(|sk| format!("/{sk}")).unwrap_or_default();
                found.push(format!("{key}{rest}"));
            }
            fields.values().for_each(|field| keys(field, found));
        }
        Value::Array(items) => items.iter().for_each(|item| keys(item, found)),
        _ => {}
    }
}

/// A key or a path with each id replaced by a star.
fn plain(text: &str) -> String {
    let word = |word: &str| {
        let id = word.len() > WORD || word.contains(|letter: char| letter.is_ascii_digit());
        if id && word != "v1" { "*".to_owned() } else { word.to_owned() }
    };
    let parts = |text: &str| text.split('#').map(word).collect::<Vec<_>>().join("#");
    text.split('/').map(parts).collect::<Vec<_>>().join("/")
}

fn text(request: &Request, name: &str) -> String {
    let value = request.headers().get(name).and_then(|value| value.to_str().ok());
    value.unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(target: &str, path: &str, body: &str) -> String {
        let request = Request::post(path).header("x-amz-target", target).body(Body::empty());
        name(&request.unwrap(), body.as_bytes())
    }

    #[test]
    fn a_call_has_the_same_name_in_every_run() {
        let body = r#"{"TransactItems":[{"Put":{"Item":{"pk":{"S":"P#7#123"},"sk":{"S":"STEP#0001"}}}},
            {"Update":{"Key":{"pk":{"S":"W#7"},"sk":{"S":"BALANCE"}}}}]}"#;
        let named = of("DynamoDB_20120810.TransactWriteItems", "/", body);
        assert_eq!(named, "TransactWriteItems P#*#*/STEP#* W#*/BALANCE");
        let body = r#"{"QueueUrl":"http://127.0.0.1:1/000000000000/steps.fifo"}"#;
        assert_eq!(of("AmazonSQS.SendMessage", "/", body), "SendMessage steps.fifo");
        let request = Request::post("/@connections/a1B=").body(Body::empty()).unwrap();
        assert_eq!(name(&request, b""), "POST /@connections/*");
    }
}
