//! The site's address, for stacks whose environment does not name it.
//!
//! A stack without a custom domain gets its address from CloudFront, which CloudFormation creates after the functions,
//! so their environment cannot name it. API Gateway's stages come after both. They pass their variables on with each
//! call, beside the caller's input, where no caller can write.

use axum::http::Request;
use lambda_http::RequestExt;
use std::sync::OnceLock;

/// The stage's variable that holds the site's origin.
const VARIABLE: &str = "site";

/// One process serves one stage.
static SITE: OnceLock<String> = OnceLock::new();

/// Takes the site's address from the first call.
pub fn learn_site<B>(request: &Request<B>) {
    if SITE.get().is_some() {
        return;
    }
    let variables = request.stage_variables_ref();
    let site = variables.and_then(|variables| variables.first(VARIABLE)).unwrap_or_default();
    if !site.is_empty() {
        SITE.get_or_init(|| site.trim_end_matches('/').to_owned());
    }
}

/// The address that the calls brought. Without one it is empty, which matches no origin, so every cookie and page
/// counts as foreign.
pub(crate) fn learned() -> &'static str {
    let site = SITE.get().map_or("", String::as_str);
    if site.is_empty() {
        tracing::error!("neither PUBLIC_URL nor the stage's variable `site` names the site");
    }
    site
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_call_through_api_gateway_brings_the_sites_address() {
        let event = |site: &str| {
            let event = json!({
                "httpMethod": "GET", "path": "/projects", "resource": "/projects", "headers": {}, "multiValueHeaders": {},
                "requestContext": {"stage": "api", "httpMethod": "GET"}, "isBase64Encoded": false,
                "stageVariables": {"site": site},
            });
            lambda_http::request::from_str(&event.to_string()).unwrap()
        };
        learn_site(&Request::new(()));
        assert_eq!(learned(), "");
        learn_site(&event("https://d111.cloudfront.net"));
        assert_eq!(learned(), "https://d111.cloudfront.net");
        // It does not change while the process lives.
        learn_site(&event("https://elsewhere.example"));
        assert_eq!(learned(), "https://d111.cloudfront.net");
    }
}
