//! The model in the template: who may call it on Bedrock, and where an operator sees which model answers, and how.
use deploy_tests::{Template, repository};
use domain::money::{INPUT_TOKEN_PRICE, OUTPUT_TOKEN_PRICE};
use serde_json::{Value, json};

/// The parameter with the id of a secret.
const NOT_SHOWN: [&str; 1] = ["ModelFallbackKeyArn"];

#[test]
fn a_model_on_bedrock_needs_a_right_that_only_the_parameter_grants() {
    let template = Template::load();
    let given = json!({"Fn::Not": [{"Fn::Equals": [{"Ref": "BedrockModelArns"}, ""]}]});
    assert_eq!(template.section("Conditions")["HasBedrock"], given);
    assert_eq!(template.section("Parameters")["BedrockModelArns"]["Default"], "");
    let rule = &template.section("Rules")["BedrockWithArns"];
    assert_eq!(rule["Assertions"][0]["Assert"], given);
    let on_bedrock = |name: &str| json!({"Fn::Equals": [{"Ref": name}, "bedrock"]});
    let either = [on_bedrock("ModelProvider"), on_bedrock("ModelFallbackProvider")];
    assert_eq!(rule["RuleCondition"], json!({"Fn::Or": either}));
}

/// The dashboard's text and the names that it substitutes.
fn body(template: &Template) -> (String, Value) {
    let body = template.properties("Dashboard")["DashboardBody"]["Fn::Sub"].clone();
    (body[0].as_str().unwrap().to_owned(), body[1].clone())
}

/// The names that a text refers to.
fn asked(text: &str) -> Vec<&str> {
    let parts = text.split("${").skip(1);
    parts.map(|part| part.split_once('}').unwrap().0).collect()
}

#[test]
fn the_dashboard_is_json_whatever_values_it_has() {
    let (text, values) = body(&Template::load());
    let mut plain = text.clone();
    for name in asked(&text) {
        plain = plain.replace(&format!("${{{name}}}"), "x");
    }
    let whole: Value = serde_json::from_str(&plain).unwrap();
    assert!(whole["widgets"].as_array().unwrap().len() > 9);
    for name in values.as_object().unwrap().keys() {
        assert!(asked(&text).contains(&name.as_str()), "{name} is not shown");
    }
}

#[test]
fn the_dashboard_shows_how_the_model_is_configured_and_no_secret() {
    let template = Template::load();
    let (text, values) = body(&template);
    let shown = format!("{values}");
    let parameters = template.section("Parameters").as_object().unwrap();
    let settings = parameters.keys().filter(|name| name.starts_with("Model"));
    let mut seen = 0;
    for name in settings.filter(|name| !NOT_SHOWN.contains(&name.as_str())) {
        seen += 1;
        let reference = json!({"Ref": name}).to_string();
        let in_text = asked(&text).contains(&name.as_str());
        assert!(in_text || shown.contains(&reference), "{name} is not shown");
    }
    assert!(seen > 8, "{seen}");
    for secret in ["ModelApiKey", "KeyArn", "Secret"] {
        assert!(!text.contains(secret) && !shown.contains(secret), "{secret} is shown");
    }
    let prices = format!(
        "${} for a million input tokens and ${} for a million output tokens",
        INPUT_TOKEN_PRICE.0, OUTPUT_TOKEN_PRICE.0
    );
    assert!(text.contains(&prices), "the price list has: {prices}");
}

#[test]
fn the_dashboard_shows_the_settings_of_each_provider() {
    let template = Template::load();
    let known = template.section("Mappings")["ModelProviders"].as_object().unwrap();
    for parameter in ["ModelProvider", "ModelFallbackProvider"] {
        let allowed = &template.section("Parameters")[parameter]["AllowedValues"];
        let mut allowed: Vec<_> = allowed.as_array().unwrap().iter().collect();
        allowed.sort_by_key(|name| name.as_str());
        assert_eq!(json!(allowed), json!(known.keys().collect::<Vec<_>>()), "{parameter}");
    }
    let config = repository().join("shared/agents/src/config.rs");
    let config = std::fs::read_to_string(config).unwrap();
    for (name, provider) in known {
        let address = provider["Address"].as_str().unwrap();
        assert!(config.contains(&format!("\"{name}\" =>")), "{name}");
        assert!(!address.starts_with("https://") || config.contains(address), "{address}");
    }
}
