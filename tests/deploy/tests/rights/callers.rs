//! Permissions that belong together: a role that has one needs the other.

use super::role::{actions, attributes, granted, keys, list, opening, statements, written};
use deploy_tests::{Function, Template};
use serde_json::{Value, json};
use std::collections::BTreeSet;

fn role<'a>(template: &'a Template, function: &Function<'_>) -> Vec<&'a Value> {
    statements(&template.section("Resources")[function.role()])
}

/// Checks that a function's role has these actions on keys of a kind.
fn opens(template: &Template, function: &Function<'_>, named: &[&str], key: &str) {
    for name in named {
        let found = opening(template, function.role(), &format!("dynamodb:{name}"), key);
        assert!(!found.is_empty(), "{} may not {name} {key}", function.name());
    }
}

fn may(statements: &[&Value], action: &str) -> bool {
    statements.iter().any(|statement| actions(statement).contains(&action))
}

#[test]
pub fn a_function_writes_its_own_log_and_its_traces() {
    let template = Template::load();
    for function in template.functions() {
        let group = function.properties["LoggingConfig"]["LogGroup"]["Ref"].as_str().unwrap();
        let right = json!({"Effect": "Allow", "Action": ["logs:CreateLogStream", "logs:PutLogEvents"],
            "Resource": {"Fn::GetAtt": format!("{group}.Arn")}});
        let own = role(&template, &function).into_iter().filter(|one| **one == right).count();
        assert_eq!(own, 1, "{} writes no log", function.name());
    }
    let tracing = &template.properties("TracingPolicy")["PolicyDocument"]["Statement"];
    assert_eq!(
        actions(&tracing[0]),
        ["xray:PutTraceSegments", "xray:PutTelemetryRecords"],
        "no function sends traces"
    );
}

#[test]
pub fn a_function_that_reads_a_secret_may_use_the_key_that_seals_it() {
    let template = Template::load();
    let right = json!({"Effect": "Allow", "Action": "kms:Decrypt", "Resource": {"Fn::GetAtt": "SealingKey.Arn"},
        "Condition": {"StringEquals": {
            "kms:ViaService": {"Fn::Sub": "secretsmanager.${AWS::Region}.amazonaws.com"}}}});
    let mut readers = 0;
    for function in template.functions() {
        let role = role(&template, &function);
        let opens = role.contains(&&right);
        assert_eq!(may(&role, "secretsmanager:GetSecretValue"), opens, "{}", function.name());
        readers += usize::from(opens);
    }
    assert!(readers > 6, "{readers}");
}

#[test]
pub fn a_function_that_calls_models_reads_the_keys_of_both() {
    let template = Template::load();
    let reads = |secret: &str| {
        json!({"Effect": "Allow", "Action": "secretsmanager:GetSecretValue",
        "Resource": {"Ref": secret}})
    };
    let second =
        json!({"Fn::If": ["HasFallback", reads("ModelFallbackKeyArn"), {"Ref": "AWS::NoValue"}]});
    for function in template.functions() {
        let role = written(&template.section("Resources")[function.role()]);
        let calls = function.variables().contains(&"MODEL_PROVIDER");
        for right in [reads("ModelApiKey"), second.clone()] {
            assert_eq!(role.contains(&&right), calls, "{}: {right}", function.name());
        }
    }
}

#[test]
pub fn a_function_that_calls_models_holds_their_price_and_counts_its_streams() {
    let template = Template::load();
    for function in template.functions() {
        if !function.variables().contains(&"MODEL_PROVIDER") {
            continue;
        }
        // The runner has no caller to answer or to stream to.
        if !function.routes().is_empty() {
            opens(&template, &function, &["Query", "PutItem", "DeleteItem"], "STREAMS#*");
            // One read checks sessions and projects of open streams, so one statement has to open both.
            let both = opening(&template, function.role(), "dynamodb:BatchGetItem", "SESSION#*");
            let reads = both.iter().any(|statement| keys(statement).contains(&"P#*"));
            assert!(reads, "{} cannot check its streams", function.name());
        }
        for (key, named) in [
            ("HOLDS#*", &["Query", "PutItem", "UpdateItem", "DeleteItem"][..]),
            ("W#*", &["GetItem", "PutItem", "UpdateItem"]),
        ] {
            opens(&template, &function, named, key);
        }
    }
}

#[test]
pub fn a_function_that_starts_sandboxes_has_every_right_that_a_start_needs() {
    let template = Template::load();
    let socket = "arn:${AWS::Partition}:execute-api:${AWS::Region}:${AWS::AccountId}:${WebSocketApi}/ws/POST/@connections/*";
    let right = json!({"Effect": "Allow", "Action": "execute-api:ManageConnections", "Resource": {"Fn::Sub": socket}});
    for function in template.functions() {
        let role = role(&template, &function);
        assert_eq!(may(&role, "ecs:RunTask"), may(&role, "iam:PassRole"), "{}", function.name());
        if !may(&role, "ecs:RunTask") {
            continue;
        }
        // A positive balance, its place among the running ones, a waiting sandbox, the agent's token and its socket.
        opens(&template, &function, &["ConditionCheckItem", "UpdateItem"], "W#*");
        opens(&template, &function, &["PutItem"], "ACTIVE-SANDBOXES");
        opens(&template, &function, &["Query", "PutItem", "DeleteItem"], "POOL");
        opens(&template, &function, &["PutItem"], "TOKEN#*");
        assert!(role.contains(&&right), "{} reaches no sandbox", function.name());
    }
}

#[test]
pub fn a_function_that_shows_outputs_and_files_reads_them_and_notices_missing_ones() {
    let template = Template::load();
    let list = json!({"Effect": "Allow", "Action": "s3:ListBucket", "Resource": {"Fn::GetAtt": "DataBucket.Arn"}});
    let read = json!({"Effect": "Allow", "Action": "s3:GetObject", "Resource": {"Fn::Sub": "${DataBucket.Arn}/logs/*"}});
    let mut readers = 0;
    for function in template.functions() {
        let role = role(&template, &function);
        let mut routes = function.routes().into_iter();
        // Agents of the queue look back at whole outputs, too.
        let outputs = function.name() == "agent-runner"
            || routes.any(|route| route.path.ends_with("/output/{step_number}"));
        assert_eq!(role.contains(&&read), outputs, "{}", function.name());
        // The reaper deletes what it finds; a download asks for a backup that may not exist.
        let looks = outputs || ["workspace", "sandbox-reaper"].contains(&function.name());
        assert_eq!(role.contains(&&list), looks, "{}", function.name());
        readers += usize::from(outputs);
    }
    assert!(readers > 2, "{readers}");
}

#[test]
pub fn no_right_is_granted_twice() {
    let template = Template::load();
    for (id, role) in template.of_type("AWS::IAM::Role") {
        let mut granted_so_far = BTreeSet::new();
        for statement in written(role).into_iter().map(granted) {
            let keys: Vec<String> = match keys(statement)[..] {
                [] => list(&statement["Resource"]).into_iter().map(Value::to_string).collect(),
                ref keys => keys.iter().map(|key| (*key).to_owned()).collect(),
            };
            for (action, key) in
                actions(statement).iter().flat_map(|a| keys.iter().map(move |k| (a, k)))
            {
                // A permission for some attributes of some items may exist next to one for all attributes of other
                // items.
                let right = (*action, key.clone(), attributes(statement));
                assert!(granted_so_far.insert(right), "{id} may {action} on {key} twice");
            }
        }
    }
}

#[test]
pub fn the_function_that_stops_idle_sandboxes_backs_them_up() {
    let template = Template::load();
    let keep = json!({"Effect": "Allow", "Action": "s3:PutObject", "Resource": {"Fn::Sub": "${DataBucket.Arn}/backups/*"}});
    for function in template.functions() {
        let stops = function.variables().contains(&"IDLE_STOP_SECONDS");
        assert_eq!(role(&template, &function).contains(&&keep), stops, "{}", function.name());
    }
}

/// Checks that a function may read the ends of all access of a person at once: one statement has to open both keys.
pub fn reads_ends(template: &Template, function: &Function<'_>) {
    let reads = opening(template, function.role(), "dynamodb:BatchGetItem", "USER#*");
    let both = reads.iter().any(|statement| keys(statement).contains(&"INSTALLATION#*"));
    assert!(both, "{} cannot see that a session has ended", function.name());
}

#[test]
pub fn the_function_that_mails_owners_checks_that_they_could_still_sign_in() {
    let template = Template::load();
    reads_ends(&template, &template.function("sandbox-reaper"));
    let mails = &["GetItem", "Query", "DeleteItem"];
    opens(&template, &template.function("sandbox-reaper"), mails, "MAIL#*");
}

#[test]
pub fn the_function_that_deletes_projects_notes_which_are_empty() {
    let template = Template::load();
    let notes = &["GetItem", "Query", "PutItem", "DeleteItem"];
    opens(&template, &template.function("sandbox-reaper"), notes, "DELETIONS");
}

#[test]
pub fn functions_of_schedules_changes_and_estimates_may_write_or_read_them() {
    let template = Template::load();
    // Checks for drift run only as long as the access of those who approved them lasts.
    opens(&template, &template.function("sandbox-reaper"), &["GetItem"], "INSTALLATION#*");
    let serves = |function: &Function<'_>, method: &str, path: &str| {
        function.routes().iter().any(|route| route.method == method && route.path == path)
    };
    for function in template.functions() {
        if serves(&function, "POST", "/validation/drift/schedule") {
            opens(&template, &function, &["PutItem", "DeleteItem"], "SCHEDULES");
            opens(&template, &function, &["GetItem"], "INSTALLATION#*");
        }
        // An estimate reads how long earlier projects took.
        if serves(&function, "GET", "/execution/estimate") {
            opens(&template, &function, &["Query"], "I#*");
        }
        // A push reports the project's steps and approvals, and is recorded.
        if serves(&function, "POST", "/projects/{id}/repository/push") {
            opens(&template, &function, &["Query"], "P#*");
            opens(&template, &function, &["PutItem"], "P#*");
        }
        // An import that a sandbox overtook leaves neither its record nor its files.
        if serves(&function, "POST", "/projects/{id}/repository/import") {
            opens(&template, &function, &["DeleteItem"], "P#*");
            let role = role(&template, &function);
            assert!(may(&role, "s3:DeleteObject"), "{} keeps the files", function.name());
        }
        // A change begins only while its project is as its owner saw it, and a step only while its change is in
        // progress.
        if serves(&function, "POST", "/projects/{id}/changes")
            || serves(&function, "POST", "/execution/approve-step")
        {
            opens(&template, &function, &["ConditionCheckItem"], "P#*");
        }
    }
}

#[test]
pub fn one_function_issues_preview_tickets_and_another_redeems_them_at_sandboxes() {
    let template = Template::load();
    let preview = template.function("preview");
    opens(&template, &preview, &["GetItem", "PutItem", "DeleteItem"], "PREVIEW#*");
    opens(&template, &preview, &["Query", "PutItem", "DeleteItem"], "PREVIEWS#*");
    opens(&template, &preview, &["GetItem"], "SESSION#*");
    opens(&template, &preview, &["GetItem"], "P#*");
    let role = role(&template, &preview);
    let socket = "arn:${AWS::Partition}:execute-api:${AWS::Region}:${AWS::AccountId}:${WebSocketApi}/ws/POST/@connections/*";
    let reach = json!({"Effect": "Allow", "Action": "execute-api:ManageConnections", "Resource": {"Fn::Sub": socket}});
    let carry = json!({"Effect": "Allow", "Action": ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"],
        "Resource": {"Fn::Sub": "${DataBucket.Arn}/previews/*"}});
    for right in [&reach, &carry] {
        assert!(role.contains(&right), "{right}");
    }
    let makers: BTreeSet<_> = template
        .functions()
        .iter()
        .filter(|f| !opening(&template, f.role(), "dynamodb:PutItem", "PREVIEW#*").is_empty())
        .map(|f| f.name().to_owned())
        .collect();
    assert_eq!(makers, BTreeSet::from(["sandbox", "preview"].map(str::to_owned)));
}
