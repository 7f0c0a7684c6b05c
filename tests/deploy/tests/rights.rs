//! Permissions: one role per function, no wildcard, and none at all for a sandbox.
mod bedrock;
mod callers;
mod mail;
mod removed;
mod role;

use deploy_tests::Template;
use role::{actions, list, opening, statements};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Actions that AWS grants on all resources or not at all.
const KNOW_NO_RESOURCE: [&str; 3] =
    ["xray:PutTraceSegments", "xray:PutTelemetryRecords", "ecr:GetAuthorizationToken"];

#[test]
fn every_function_has_its_own_role() {
    let template = Template::load();
    let mut taken = BTreeSet::new();
    for function in template.functions() {
        assert!(taken.insert(function.role()), "{} is shared", function.role());
        assert!(
            function.properties["Policies"].is_null(),
            "{}: SAM would create a second role",
            function.id
        );
        let role = template.properties(function.role());
        let trusted = &role["AssumeRolePolicyDocument"]["Statement"];
        let wanted = json!([{"Effect": "Allow", "Principal": {"Service": "lambda.amazonaws.com"}, "Action": "sts:AssumeRole"}]);
        assert_eq!(trusted, &wanted, "{}", function.role());
        assert_eq!(
            role["ManagedPolicyArns"],
            json!([{"Ref": "TracingPolicy"}]),
            "{}",
            function.role()
        );
    }
}

#[test]
fn no_role_has_a_wildcard_for_an_action_or_a_resource() {
    let template = Template::load();
    let roles =
        template.of_type("AWS::IAM::Role").into_iter().map(|(id, role)| (id, statements(role)));
    let policies = template
        .of_type("AWS::IAM::ManagedPolicy")
        .into_iter()
        .map(|(id, policy)| (id, list(&policy["Properties"]["PolicyDocument"]["Statement"])));
    let mut seen = 0;
    for (id, statements) in roles.chain(policies) {
        for statement in statements {
            seen += 1;
            let actions = actions(statement);
            assert!(!actions.iter().any(|action| action.contains('*')), "{id}: {actions:?}");
            assert!(statement["NotAction"].is_null() && statement["NotResource"].is_null(), "{id}");
            let exempt = actions.iter().all(|action| KNOW_NO_RESOURCE.contains(action));
            for resource in list(&statement["Resource"]) {
                assert!(exempt || is_narrow(resource), "{id} may {actions:?} on {resource}");
            }
        }
    }
    assert!(seen > 40, "the roles were not found");
}

/// Whether a resource belongs to this stack, as opposed to a whole service.
fn is_narrow(resource: &Value) -> bool {
    let listed = resource["Fn::Split"][1]["Ref"].is_string();
    let named = listed || resource["Ref"].is_string() || resource["Fn::GetAtt"].is_string();
    named
        || resource["Fn::Sub"]
            .as_str()
            .or(resource["Fn::Sub"][0].as_str())
            .is_some_and(|arn| arn.contains("${") && !names_only_the_account(arn))
}

fn names_only_the_account(arn: &str) -> bool {
    let ours = arn
        .split("${")
        .skip(1)
        .any(|part| !part.starts_with("AWS::") || part.starts_with("AWS::StackName"));
    !ours
}

#[test]
fn an_arn_without_a_part_of_this_stack_is_not_narrow() {
    assert!(!is_narrow(&json!("*")));
    assert!(!is_narrow(
        &json!({"Fn::Sub": "arn:${AWS::Partition}:ecs:${AWS::Region}:${AWS::AccountId}:task/*"})
    ));
    assert!(is_narrow(&json!({"Fn::Sub": "arn:${AWS::Partition}:ecs:x:y:task/${Cluster}/*"})));
}

#[test]
fn the_table_opens_by_key_and_is_never_scanned() {
    let template = Template::load();
    for (id, role) in template.of_type("AWS::IAM::Role") {
        for statement in statements(role) {
            let actions = actions(statement);
            if !actions.iter().any(|action| action.starts_with("dynamodb:")) {
                continue;
            }
            assert!(!actions.contains(&"dynamodb:Scan"), "{id}");
            let keys = &statement["Condition"]["ForAllValues:StringLike"]["dynamodb:LeadingKeys"];
            let keys =
                keys.as_array().unwrap_or_else(|| panic!("{id} may {actions:?} on every key"));
            assert!(
                keys.iter().all(|key| key.as_str().unwrap().len() > 1 && key != "*"),
                "{id}: {keys:?}"
            );
        }
    }
}

#[test]
fn a_reader_of_a_queue_may_read_only_that_queue() {
    let template = Template::load();
    for function in template.functions() {
        let read: BTreeSet<String> = function
            .sources("SQS")
            .iter()
            .map(|source| source["Queue"]["Fn::GetAtt"].to_string())
            .collect();
        let role = &template.section("Resources")[function.role()];
        let allowed: BTreeSet<String> = statements(role)
            .into_iter()
            .filter(|statement| actions(statement).contains(&"sqs:ReceiveMessage"))
            .flat_map(|statement| list(&statement["Resource"]))
            .map(|resource| resource["Fn::GetAtt"].to_string())
            .collect();
        assert_eq!(read, allowed, "{}", function.name());
    }
}

#[test]
fn a_function_with_a_right_has_the_variable_that_names_its_resource() {
    // The converse does not hold: a shared client may read variables that its creator never uses.
    let rights = [
        ("sqs:SendMessage", "AGENT_RUNS_QUEUE_URL"),
        ("ecs:RunTask", "TASK_DEFINITION"),
        ("ecs:StopTask", "CLUSTER"),
        ("s3:GetObject", "BUCKET_NAME"),
        ("s3:PutObject", "BUCKET_NAME"),
        ("execute-api:ManageConnections", "WEBSOCKET_MANAGEMENT_URL"),
        ("kms:GenerateDataKey", "KMS_KEY_ID"),
    ];
    let template = Template::load();
    for function in template.functions() {
        let role = &template.section("Resources")[function.role()];
        let allowed: BTreeSet<&str> = statements(role).into_iter().flat_map(actions).collect();
        for (action, variable) in rights {
            let idle = allowed.contains(action) && !function.variables().contains(&variable);
            assert!(!idle, "{} may {action} but has no {variable}", function.name());
        }
    }
}

#[test]
fn sandboxes_are_started_by_owners_calls_and_by_the_pools_keeper() {
    let template = Template::load();
    let may = |function: &deploy_tests::Function<'_>| {
        let role = &template.section("Resources")[function.role()];
        statements(role).into_iter().flat_map(actions).any(|action| action == "ecs:RunTask")
    };
    let starters: Vec<_> =
        template.functions().into_iter().filter(may).map(|function| function.name()).collect();
    assert_eq!(
        starters.iter().copied().collect::<BTreeSet<_>>(),
        BTreeSet::from(["devops-helper", "execution", "sandbox", "sandbox-reaper", "validation"])
    );
}

#[test]
fn the_warm_pool_is_claimed_by_functions_that_start_sandboxes_and_filled_by_one() {
    let template = Template::load();
    let holders = |action: &str| -> BTreeSet<String> {
        let functions = template.functions();
        let may =
            functions.iter().filter(|f| !opening(&template, f.role(), action, "POOL").is_empty());
        may.map(|function| function.name().to_owned()).collect()
    };
    let names = |list: &[&str]| list.iter().map(|n| (*n).to_owned()).collect::<BTreeSet<_>>();
    let starters = ["devops-helper", "execution", "sandbox", "sandbox-reaper", "validation"];
    for action in ["dynamodb:Query", "dynamodb:DeleteItem"] {
        assert_eq!(holders(action), names(&starters), "{action}");
    }
    assert_eq!(holders("dynamodb:GetItem"), names(&["sandbox-reaper", "terminal"]));
    let functions = template.functions();
    let fillers = functions.iter().filter(|f| f.variables().contains(&"SANDBOX_POOL_SIZE"));
    assert_eq!(fillers.map(|f| f.name()).collect::<Vec<_>>(), ["sandbox-reaper"]);
    let size = &template.section("Parameters")["SandboxPoolSize"];
    assert_eq!(
        (&size["Default"], &size["MinValue"]),
        (&json!(0), &json!(0)),
        "the pool is off by default"
    );
}

#[test]
fn functions_that_request_turns_record_them_one_takes_them_and_one_offers_them_again() {
    let template = Template::load();
    let holders = |action: &str| -> BTreeSet<String> {
        let functions = template.functions();
        let may =
            functions.iter().filter(|f| !opening(&template, f.role(), action, "TURNS").is_empty());
        may.map(|function| function.name().to_owned()).collect()
    };
    let queue = json!({"Fn::GetAtt": "AgentRunsQueue.Arn"});
    let functions = template.functions();
    let askers = functions.iter().filter(|function| {
        let role = &template.section("Resources")[function.role()];
        statements(role).into_iter().any(|statement| {
            actions(statement).contains(&"sqs:SendMessage")
                && list(&statement["Resource"]).contains(&&queue)
        })
    });
    let askers: BTreeSet<_> = askers.map(|function| function.name().to_owned()).collect();
    assert!(askers.len() > 3, "{askers:?}");
    assert_eq!(holders("dynamodb:PutItem"), askers);
    let names = |list: &[&str]| list.iter().map(|n| (*n).to_owned()).collect::<BTreeSet<_>>();
    assert_eq!(holders("dynamodb:UpdateItem"), names(&["agent-runner", "sandbox-reaper"]));
    assert_eq!(holders("dynamodb:DeleteItem"), names(&["agent-runner"]));
    assert_eq!(holders("dynamodb:Query"), names(&["sandbox-reaper"]));
}

#[test]
fn credentials_are_opened_only_by_functions_that_hand_over_runs_and_only_for_a_project() {
    let template = Template::load();
    let key = json!({"Fn::GetAtt": "CredentialsKey.Arn"});
    let may = |action: &str| -> BTreeSet<String> {
        let functions = template.functions().into_iter().filter(|function| {
            let role = &template.section("Resources")[function.role()];
            statements(role).into_iter().any(|statement| {
                let granted = statement["Resource"] == key && actions(statement).contains(&action);
                let bound = &statement["Condition"]["ForAllValues:StringEquals"];
                let bound = bound["kms:EncryptionContextKeys"]
                    == json!(["installation", "project"])
                    && statement["Condition"]["Null"]["kms:EncryptionContextKeys"] == "false";
                assert!(!granted || bound, "{} may {action} without a project", function.name());
                granted
            })
        });
        functions.map(|function| function.name().to_owned()).collect()
    };
    let opens = may("kms:Decrypt");
    assert_eq!(opens, BTreeSet::from(["step-runner", "terminal"].map(str::to_owned)));
    // The gateway creates keys for the versions of Terraform's states, and has no access to fingerprints of
    // credentials.
    let mut makes = may("kms:GenerateDataKey");
    assert!(makes.remove("terminal"));
    let chats = ["planning", "execution", "validation", "documentation", "devops-helper"];
    assert_eq!(makes, BTreeSet::from(chats.map(str::to_owned)));
    for function in template.functions() {
        let knows = function.variables().contains(&"FINGERPRINT_KEY");
        // A push compares the files that leave with the credentials, and can neither open nor seal one.
        let compares = function.name() == "workspace";
        assert_eq!(knows, compares || makes.contains(function.name()), "{}", function.name());
    }
}

#[test]
fn only_starting_a_sandbox_passes_a_role_and_only_to_fargate() {
    let template = Template::load();
    for (id, role) in template.of_type("AWS::IAM::Role") {
        for statement in statements(role) {
            if actions(statement).contains(&"iam:PassRole") {
                assert_eq!(
                    statement["Resource"],
                    json!({"Fn::GetAtt": "SandboxExecutionRole.Arn"}),
                    "{id}"
                );
                let to = &statement["Condition"]["StringEquals"]["iam:PassedToService"];
                assert_eq!(to, "ecs-tasks.amazonaws.com", "{id}");
            }
        }
    }
}

#[test]
fn a_sandbox_has_no_aws_credentials_to_be_stolen() {
    let template = Template::load();
    let task = template.properties("SandboxTask");
    assert!(
        task["TaskRoleArn"].is_null(),
        "every process in the container could read this role's credentials"
    );
    for container in task["ContainerDefinitions"].as_array().unwrap() {
        assert!(container["Secrets"].is_null() && container["Privileged"].is_null(), "{container}");
    }
    let outside: BTreeSet<&str> =
        statements(&template.section("Resources")["SandboxExecutionRole"])
            .into_iter()
            .flat_map(actions)
            .collect();
    let pull_and_log = [
        "ecr:BatchCheckLayerAvailability",
        "ecr:BatchGetImage",
        "ecr:GetAuthorizationToken",
        "ecr:GetDownloadUrlForLayer",
        "logs:CreateLogStream",
        "logs:PutLogEvents",
    ];
    assert_eq!(outside, BTreeSet::from(pull_and_log));
    assert_eq!(template.properties("SandboxSecurityGroup")["SecurityGroupIngress"], json!([]));
}

#[test]
fn readers_of_sessions_may_prolong_them_and_change_nothing_else() {
    let template = Template::load();
    let mut readers = 0;
    for function in template.functions() {
        let role = function.role();
        if opening(&template, role, "dynamodb:GetItem", "SESSION#*").is_empty() {
            continue;
        }
        callers::reads_ends(&template, &function);
        if function.name() == "preview" {
            // Viewing a service inside a sandbox does not count as using the application.
            for action in ["dynamodb:UpdateItem", "dynamodb:PutItem", "dynamodb:DeleteItem"] {
                assert!(opening(&template, role, action, "SESSION#*").is_empty(), "{action}");
            }
            continue;
        }
        readers += 1;
        let moves = opening(&template, role, "dynamodb:UpdateItem", "SESSION#*");
        assert_eq!(moves.len(), 1, "{role}: a session that is used must end later");
        let attributes = &moves[0]["Condition"]["ForAllValues:StringEquals"]["dynamodb:Attributes"];
        assert_eq!(attributes, &json!(["pk", "sk", "ends_at", "expires_at"]), "{role}");
        let writes = opening(&template, role, "dynamodb:PutItem", "SESSION#*");
        assert!(writes.is_empty() || function.name() == "github", "{role} may sign people in");
    }
    assert!(readers > 8, "{readers}");
}

#[test]
fn functions_that_record_the_use_of_a_project_may_change_nothing_else_of_it() {
    let template = Template::load();
    // One writes projects, and one deletes the data of deleted projects.
    let (writer, wiper) = ("projects", "sandbox-reaper");
    let mut note = 0;
    for function in template.functions() {
        let (role, name) = (function.role(), function.name());
        let may = |action: &str| opening(&template, role, action, "I#*");
        assert_eq!(may("dynamodb:PutItem").is_empty(), name != writer, "{name}");
        for statement in may("dynamodb:UpdateItem") {
            if name == writer || name == wiper {
                continue;
            }
            note += 1;
            let attributes =
                &statement["Condition"]["ForAllValues:StringEquals"]["dynamodb:Attributes"];
            assert_eq!(attributes, &json!(["pk", "sk", "updated_at", "version"]), "{name}");
            assert_eq!(actions(statement), ["dynamodb:UpdateItem"], "{name}");
        }
    }
    assert!(note > 3, "{note}");
}

#[test]
fn only_functions_that_limit_calls_may_count_them() {
    let template = Template::load();
    for function in template.functions() {
        let folder = deploy_tests::repository().join("functions").join(function.name());
        let source = deploy_tests::source::sources(&folder.join("src"));
        // A function that identifies its caller counts their changes; the others count where their code says so.
        let mut words = source.split(|c: char| !c.is_alphanumeric() && c != '_');
        let limits = words.any(|word| {
            ["Limited", "Identity", "ProjectHeader", "Owner", "count_within"].contains(&word)
        });
        let counts =
            !opening(&template, function.role(), "dynamodb:UpdateItem", "LIMIT#*").is_empty();
        assert_eq!(limits, counts, "{}", function.name());
    }
}
