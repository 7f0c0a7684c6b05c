//! CloudFront sends the same headers with each page as the local stack's site, and with each answer as the functions.
use deploy_tests::Template;
use http_kit::headers::{API_HEADERS, Elsewhere, STRICT_TRANSPORT, page_headers};
use serde_json::Value;
use std::collections::BTreeMap;

/// The headers that a policy of the template sets, by their lowercase names.
fn policy(id: &str) -> BTreeMap<String, String> {
    let template = Template::load();
    let config = &template.properties(id)["ResponseHeadersPolicyConfig"];
    let mut headers = BTreeMap::new();
    for (name, setting) in config["SecurityHeadersConfig"].as_object().unwrap() {
        let (name, value) = match name.as_str() {
            "ContentSecurityPolicy" => {
                ("content-security-policy", text(&setting["ContentSecurityPolicy"]))
            }
            "ContentTypeOptions" => ("x-content-type-options", "nosniff".to_owned()),
            "FrameOptions" => ("x-frame-options", text(&setting["FrameOption"])),
            "ReferrerPolicy" => ("referrer-policy", text(&setting["ReferrerPolicy"])),
            "StrictTransportSecurity" => {
                assert_eq!(setting["IncludeSubdomains"], true);
                let age = &setting["AccessControlMaxAgeSec"];
                (STRICT_TRANSPORT.0, format!("max-age={age}; includeSubDomains"))
            }
            other => panic!("{id} sets {other}, which this test does not know"),
        };
        assert_eq!(setting["Override"], true, "{id}: {name}");
        headers.insert(name.to_owned(), value);
    }
    for item in config["CustomHeadersConfig"]["Items"].as_array().unwrap() {
        headers.insert(text(&item["Header"]).to_lowercase(), text(&item["Value"]));
    }
    headers
}

/// A text on one line, with or without names to substitute.
fn text(value: &Value) -> String {
    let text = value.as_str().or_else(|| value["Fn::Sub"][0].as_str()).expect("a text");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn with_strict_transport(
    headers: impl Iterator<Item = (&'static str, String)>,
) -> BTreeMap<String, String> {
    let strict = (STRICT_TRANSPORT.0, STRICT_TRANSPORT.1.to_owned());
    headers.chain([strict]).map(|(name, value)| (name.to_owned(), value)).collect()
}

#[test]
fn pages_have_the_same_headers_in_the_cloud_as_on_a_laptop() {
    let listed = page_headers(Elsewhere {
        websocket: "wss://${WebSocketHost}",
        avatars: Some("https://avatars.githubusercontent.com"),
        code_host_logout: "${GithubBaseUrl}/logout",
    });
    assert_eq!(policy("PageHeaders"), with_strict_transport(listed.into_iter()));
}

#[test]
fn answers_of_functions_and_of_the_gateway_have_the_same_headers() {
    let listed = API_HEADERS.into_iter().map(|(name, value)| (name, value.to_owned()));
    assert_eq!(policy("ApiHeaders"), with_strict_transport(listed));
}

#[test]
fn a_page_runs_only_its_own_scripts_and_is_never_framed() {
    let headers = policy("PageHeaders");
    let rules = &headers["content-security-policy"];
    let rules: BTreeMap<&str, &str> =
        rules.split("; ").map(|rule| rule.split_once(' ').unwrap()).collect();
    assert_eq!(rules["default-src"], "'none'");
    assert_eq!(rules["script-src"], "'self'");
    assert_eq!(rules["frame-ancestors"], "'none'");
    assert_eq!(rules["frame-src"], "${GithubBaseUrl}/logout");
}

#[test]
fn each_behavior_has_its_own_policy_and_the_api_its_proof_of_the_edge() {
    let template = Template::load();
    let site = &template.properties("Distribution")["DistributionConfig"];
    assert_eq!(site["DefaultCacheBehavior"]["ResponseHeadersPolicyId"]["Ref"], "PageHeaders");
    let behaviors = site["CacheBehaviors"].as_array().unwrap();
    let api = behaviors.iter().find(|behavior| behavior["PathPattern"] == "/api/*").unwrap();
    assert_eq!(api["ResponseHeadersPolicyId"]["Ref"], "ApiHeaders");
    let origins = site["Origins"].as_array().unwrap();
    let rest = origins.iter().find(|origin| origin["Id"] == "rest").unwrap();
    let proof = &rest["OriginCustomHeaders"][0];
    assert_eq!(proof["HeaderName"], "X-Groundcrew-Edge");
    let variables = &template.section("Globals")["Function"]["Environment"]["Variables"];
    let sent = &proof["HeaderValue"]["Fn::If"];
    assert_eq!(sent[1], variables["EDGE_PROOF_SPARE"]);
    assert_eq!(sent[2], variables["EDGE_PROOF"]);
}
