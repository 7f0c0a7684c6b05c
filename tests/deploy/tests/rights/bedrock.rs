//! Models on Bedrock: a function that calls a model may call those that a parameter names, and no other function may.

use super::role::written;
use deploy_tests::Template;
use serde_json::json;

#[test]
pub fn a_function_that_calls_models_may_call_those_of_bedrock_that_a_parameter_names() {
    let template = Template::load();
    let right = json!({"Fn::If": ["HasBedrock", {
        "Effect": "Allow",
        "Action": "bedrock:InvokeModelWithResponseStream",
        "Resource": {"Fn::Split": [",", {"Ref": "BedrockModelArns"}]},
    }, {"Ref": "AWS::NoValue"}]});
    let mut callers = 0;
    for function in template.functions() {
        let role = written(&template.section("Resources")[function.role()]);
        let calls = function.variables().contains(&"MODEL_PROVIDER");
        assert_eq!(role.contains(&&right), calls, "{}", function.name());
        let granted = role.iter().filter(|one| one.to_string().contains("bedrock:")).count();
        assert_eq!(granted, usize::from(calls), "{}", function.name());
        callers += granted;
    }
    assert!(callers > 4, "{callers}");
}
