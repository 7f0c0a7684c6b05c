//! The template's guarantees about functions, routes, queues and storage.
mod removed;

use deploy_tests::{Route, Template, folders, text};
use domain::work::{AgentRun, SandboxWork};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Seconds after which API Gateway gives up on a buffered integration.
const BUFFERED_SECONDS: u64 = 29;

/// How long a runner keeps trying to mark a message's work as failed, at least, in seconds.
const GIVEN_UP_FOR_SECONDS: u64 = 3600;

/// Seconds that `sandbox-reaper` waits for a new sandbox before it stops it.
const CONNECTED_WITHIN_SECONDS: u64 = 300;

/// The longest stream through API Gateway and the longest run in Lambda, in seconds.
const STREAM_SECONDS: u64 = 900;

/// The most queues that Lambda may poll all day: each costs money even if nothing happens.
const POLLED_QUEUES: usize = 2;

#[test]
fn every_function_folder_has_one_function_and_vice_versa() {
    let template = Template::load();
    let mut deployed: Vec<&str> = template.functions().iter().map(|f| f.name()).collect();
    deployed.sort_unstable();
    assert_eq!(deployed, folders("functions"));
}

#[test]
fn cargo_lambda_builds_every_function_from_the_workspace() {
    for function in Template::load().functions() {
        let name = function.name();
        let wanted =
            json!({"BuildMethod": "rust-cargolambda", "BuildProperties": {"Binary": name}});
        assert_eq!(function.metadata, &wanted, "{name}");
        let source = &function.property("CodeUri");
        assert_eq!(*source, "..", "{name}: built alone, its dependencies are compiled again");
        assert_eq!(function.property("Runtime"), "provided.al2023", "{name}");
        assert_eq!(function.property("Handler"), "bootstrap", "{name}");
        assert_eq!(function.property("Architectures"), &json!([{"Ref": "Architecture"}]), "{name}");
        assert_eq!(function.property("Tracing"), "Active", "{name}");
        assert!(
            text(&format!("functions/{name}/Cargo.toml")).contains(&format!("name = \"{name}\""))
        );
    }
    assert_eq!(Template::load().section("Parameters")["Architecture"]["Default"], "arm64");
}

#[test]
fn every_function_logs_to_its_own_group_for_a_limited_time() {
    let template = Template::load();
    let mut groups = BTreeSet::new();
    for function in template.functions() {
        let group = function.properties["LoggingConfig"]["LogGroup"]["Ref"].as_str().unwrap();
        assert!(groups.insert(group.to_owned()), "{group} serves two functions");
        let name = &template.properties(group)["LogGroupName"]["Fn::Sub"];
        assert_eq!(name, &json!(format!("/aws/lambda/${{AWS::StackName}}-{}", function.name())));
    }
    for (id, group) in template.of_type("AWS::Logs::LogGroup") {
        assert_eq!(
            group["Properties"]["RetentionInDays"],
            json!({"Ref": "LogRetentionDays"}),
            "{id}"
        );
    }
}

#[test]
fn a_streaming_function_streams_on_each_of_its_routes_and_no_other_does() {
    for function in Template::load().functions() {
        let name = function.name();
        let main = text(&format!("functions/{name}/src/main.rs"));
        let streams = main.contains("run_with_streaming_response");
        for source in function.sources("Api") {
            let mode = source["ResponseTransferMode"].as_str();
            assert_eq!(mode, streams.then_some("RESPONSE_STREAM"), "{name}: {source}");
            let patience = source["TimeoutInMillis"].as_u64();
            assert_eq!(patience, streams.then_some(STREAM_SECONDS * 1000), "{name}: {source}");
        }
        if streams {
            assert_eq!(function.timeout(), STREAM_SECONDS, "{name}");
        } else if !function.sources("Api").is_empty() {
            assert!(
                function.timeout() <= BUFFERED_SECONDS,
                "{name} may run longer than its caller waits"
            );
        }
    }
}

#[test]
fn no_function_sees_the_stage_in_its_paths() {
    let template = Template::load();
    assert_eq!(template.properties("RestApi")["StageName"], "api");
    for function in template.functions() {
        assert!(
            function.variables().contains(&"AWS_LAMBDA_HTTP_IGNORE_STAGE_IN_PATH"),
            "{}",
            function.id
        );
    }
}

#[test]
fn the_routes_are_those_of_the_contract() {
    let contract: Value = serde_json::from_str(&text("web/openapi.json")).unwrap();
    let mut written = BTreeSet::new();
    for (path, operations) in contract["paths"].as_object().unwrap() {
        let path = path.strip_prefix("/api").unwrap_or(path).to_owned();
        for method in operations.as_object().unwrap().keys().filter(|key| *key != "parameters") {
            written.insert(Route { method: method.to_uppercase(), path: path.clone() });
        }
    }
    let template = Template::load();
    let deployed: Vec<Route> = template.functions().iter().flat_map(|f| f.routes()).collect();
    let distinct: BTreeSet<Route> = deployed.iter().cloned().collect();
    assert_eq!(distinct.len(), deployed.len(), "a route is given to two functions");
    let missing: Vec<_> = written.difference(&distinct).collect();
    let unknown: Vec<_> = distinct.difference(&written).collect();
    assert!(
        missing.is_empty() && unknown.is_empty(),
        "not deployed: {missing:?}; not in the contract: {unknown:?}"
    );
}

#[test]
fn the_web_socket_routes_all_reach_the_terminal_function() {
    let template = Template::load();
    let keys: BTreeSet<&str> = template
        .of_type("AWS::ApiGatewayV2::Route")
        .iter()
        .filter(|(_, route)| route["Properties"]["ApiId"] == json!({"Ref": "WebSocketApi"}))
        .map(|(_, route)| {
            assert_eq!(
                route["Properties"]["Target"],
                json!({"Fn::Sub": "integrations/${WebSocketIntegration}"})
            );
            route["Properties"]["RouteKey"].as_str().unwrap()
        })
        .collect();
    assert_eq!(keys, BTreeSet::from(["$connect", "$default", "$disconnect"]));
    let uri =
        template.properties("WebSocketIntegration")["IntegrationUri"]["Fn::Sub"].as_str().unwrap();
    assert!(uri.contains("${TerminalFunction.Arn}"), "{uri}");
    assert_eq!(template.function("terminal").id, "TerminalFunction");
    let settings = &template.properties("WebSocketStage")["DefaultRouteSettings"];
    assert!(
        settings["ThrottlingRateLimit"].is_number() && settings["ThrottlingBurstLimit"].is_number()
    );
}

#[test]
fn previews_have_a_separate_api_on_a_separate_domain() {
    let template = Template::load();
    let of = |id: &str| {
        let resource = &template.section("Resources")[id];
        assert_eq!(resource["Condition"], "HasPreviews", "{id}");
        resource["Properties"].clone()
    };
    let api = of("PreviewApi");
    assert_eq!(api["ProtocolType"], "HTTP");
    assert_eq!(api["DisableExecuteApiEndpoint"], true, "a host without a name answers nothing");
    let domain = of("PreviewDomainName");
    assert_eq!(domain["DomainName"], json!({"Fn::Sub": "*.${PreviewDomain}"}));
    assert_eq!(domain["DomainNameConfigurations"][0]["SecurityPolicy"], "TLS_1_2");
    let mapping = of("PreviewMapping");
    assert_eq!(mapping["DomainName"], json!({"Ref": "PreviewDomainName"}));
    let uri = of("PreviewIntegration")["IntegrationUri"]["Fn::Sub"].as_str().unwrap().to_owned();
    assert!(uri.contains("${PreviewFunction.Arn}"), "{uri}");
    let route = of("PreviewRoute");
    assert_eq!(route["Target"], json!({"Fn::Sub": "integrations/${PreviewIntegration}"}));
    let source = of("PreviewPermission")["SourceArn"]["Fn::Sub"].as_str().unwrap().to_owned();
    assert!(source.ends_with(":${PreviewApi}/*"), "{source}");
    for id in ["PreviewApi", "PreviewIntegration", "PreviewRoute", "PreviewStage", "PreviewMapping"]
    {
        of(id);
    }
    // A service's answers never come from the site's origin.
    let function = template.function("preview");
    assert!(function.sources("Api").is_empty(), "the site's API would reach a preview");
    let url = json!({"Fn::If": ["HasPreviews", {"Fn::Sub": "https://${PreviewDomain}"}, ""]});
    for name in ["preview", "sandbox"] {
        let variables = &template.function(name).properties["Environment"]["Variables"];
        assert_eq!(variables["PREVIEW_URL"], url, "{name}");
    }
}

#[test]
fn one_function_gets_the_schedule_and_the_changes_of_tasks() {
    let template = Template::load();
    let mut listeners = Vec::new();
    for function in template.functions() {
        let (clock, tasks) = (function.sources("Schedule"), function.sources("EventBridgeRule"));
        if clock.is_empty() && tasks.is_empty() {
            continue;
        }
        listeners.push(function.name().to_owned());
        assert_eq!(clock.len(), 1, "{}", function.name());
        assert_eq!(clock[0]["Schedule"], "rate(1 minute)");
        let cluster = json!({"clusterArn": [{"Fn::GetAtt": "Cluster.Arn"}]});
        let pattern = json!({"source": ["aws.ecs"], "detail-type": ["ECS Task State Change"], "detail": cluster});
        assert_eq!(tasks.iter().map(|rule| &rule["Pattern"]).collect::<Vec<_>>(), [&pattern]);
    }
    assert_eq!(listeners, ["sandbox-reaper"]);
}

#[test]
fn a_queue_hides_a_message_for_as_long_as_its_function_may_run() {
    let template = Template::load();
    let mut mapped = BTreeSet::new();
    for function in template.functions() {
        for source in function.sources("SQS") {
            let queue =
                source["Queue"]["Fn::GetAtt"].as_str().unwrap().strip_suffix(".Arn").unwrap();
            let hidden = template.properties(queue)["VisibilityTimeout"].as_u64().unwrap();
            assert!(
                hidden >= function.timeout(),
                "Lambda refuses to map {queue} to {}",
                function.name()
            );
            assert_eq!(
                source["FunctionResponseTypes"],
                json!(["ReportBatchItemFailures"]),
                "{queue}"
            );
            assert!(mapped.insert(queue.to_owned()), "{queue} has two readers");
            // By default Lambda keeps five pollers at an idle queue; a mapping can only ask for more.
            assert!(source["ProvisionedPollerConfig"].is_null(), "{queue}");
        }
    }
    let queues: BTreeSet<String> = template
        .of_type("AWS::SQS::Queue")
        .iter()
        .map(|(id, _)| (*id).to_owned())
        .filter(|id| !id.ends_with("DeadQueue"))
        .collect();
    assert_eq!(mapped, queues, "every queue has a reader, except dead-letter queues");
    assert!(mapped.len() <= POLLED_QUEUES, "a stack in which nothing happens pays for {mapped:?}");
}

#[test]
fn a_message_without_tries_left_is_delivered_for_an_hour_before_it_is_a_dead_letter() {
    let template = Template::load();
    for (function, alive, dead, tries) in [
        ("agent-runner", "AgentRunsQueue", "AgentRunsDeadQueue", AgentRun::TRIES),
        ("step-runner", "StepsQueue", "StepsDeadQueue", SandboxWork::TRIES),
    ] {
        let queue = template.properties(alive);
        let policy = &queue["RedrivePolicy"];
        let left = policy["maxReceiveCount"].as_u64().unwrap() - u64::from(tries);
        let hidden = queue["VisibilityTimeout"].as_u64().unwrap();
        assert!(left * hidden >= GIVEN_UP_FOR_SECONDS, "{alive}: the table may be down for longer");
        assert_eq!(policy["deadLetterTargetArn"], json!({"Fn::GetAtt": format!("{dead}.Arn")}));
        let readers = template.function(function).sources("SQS");
        let wanted = json!({"Fn::GetAtt": format!("{alive}.Arn")});
        assert!(readers.iter().any(|source| source["Queue"] == wanted), "{function}: {alive}");
        for queue in [alive, dead] {
            assert_eq!(template.properties(queue)["FifoQueue"], true, "{queue}");
        }
    }
}

#[test]
fn an_alarm_counts_abandoned_work_and_dead_letters() {
    let template = Template::load();
    for (alarm, filter, group, queue) in [
        ("AgentRunsDeadAlarm", "AgentRunsGivenUp", "AgentRunnerLogs", "AgentRunsDeadQueue"),
        ("StepsDeadAlarm", "StepsGivenUp", "StepRunnerLogs", "StepsDeadQueue"),
    ] {
        let counted = template.properties(filter);
        assert_eq!(counted["LogGroupName"], json!({"Ref": group}), "{filter}");
        let made = &counted["MetricTransformations"][0];
        let metrics = template.properties(alarm)["Metrics"].as_array().unwrap();
        let watched: Vec<_> = metrics.iter().map(|m| &m["MetricStat"]["Metric"]).collect();
        let own = |m: &&Value| {
            m["MetricName"] == made["MetricName"] && m["Namespace"] == made["MetricNamespace"]
        };
        assert!(watched.iter().any(own), "{alarm}");
        let dead =
            json!([{"Name": "QueueName", "Value": {"Fn::GetAtt": format!("{queue}.QueueName")}}]);
        assert!(watched.iter().any(|m| m["Dimensions"] == dead), "{alarm}");
    }
}

#[test]
fn a_step_is_tried_for_as_long_as_a_sandbox_may_take_to_connect() {
    let template = Template::load();
    let steps = template.properties("StepsQueue");
    let tries = u64::from(SandboxWork::TRIES);
    let hidden = steps["VisibilityTimeout"].as_u64().unwrap();
    assert!((tries - 1) * hidden >= CONNECTED_WITHIN_SECONDS, "a slow start fails the step");
}

#[test]
fn the_table_keeps_its_content() {
    let template = Template::load();
    let table = template.properties("Table");
    assert_eq!(table["BillingMode"], "PAY_PER_REQUEST");
    let keys = json!([{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}]);
    assert_eq!(table["KeySchema"], keys);
    assert_eq!(
        table["TimeToLiveSpecification"],
        json!({"AttributeName": "expires_at", "Enabled": true})
    );
    assert_eq!(table["PointInTimeRecoverySpecification"]["PointInTimeRecoveryEnabled"], true);
    assert_eq!(table["SSESpecification"]["SSEEnabled"], true);
    for id in ["Table", "DataBucket", "WebBucket", "SealingKey"] {
        let resource = &template.section("Resources")[id];
        assert_eq!(resource["DeletionPolicy"], "Retain", "{id}");
        assert_eq!(resource["UpdateReplacePolicy"], "Retain", "{id}");
    }
}

#[test]
fn buckets_are_private_encrypted_and_refuse_plain_http() {
    let template = Template::load();
    for (id, bucket) in template.of_type("AWS::S3::Bucket") {
        let block = bucket["Properties"]["PublicAccessBlockConfiguration"].as_object().unwrap();
        assert!(block.len() == 4 && block.values().all(|on| on == true), "{id}");
        assert!(bucket["Properties"]["BucketEncryption"].is_object(), "{id}");
        let policy = template.properties(&format!("{id}Policy"));
        let statements = policy["PolicyDocument"]["Statement"].as_array().unwrap();
        let refuses = statements.iter().any(|s| {
            s["Effect"] == "Deny"
                && s["Condition"]["Bool"]["aws:SecureTransport"] == "false"
                && s["Action"] == "s3:*"
        });
        assert!(refuses, "{id}");
    }
}

#[test]
fn the_site_is_one_origin_and_only_its_files_are_cached() {
    const CACHING_DISABLED: &str = "4135ea2d-6df8-44a3-9df3-4b5a84be39ad";
    const ALL_VIEWER_EXCEPT_HOST: &str = "b689b0a8-53d0-40ab-baf2-38738e2966ac";
    let template = Template::load();
    let site = &template.properties("Distribution")["DistributionConfig"];
    assert!(site["CustomErrorResponses"].is_null(), "an error page would hide the API's own 404");
    let behaviors = site["CacheBehaviors"].as_array().unwrap();
    let targets: Vec<(&str, &str)> = behaviors
        .iter()
        .map(|b| (b["PathPattern"].as_str().unwrap(), b["TargetOriginId"].as_str().unwrap()))
        .collect();
    assert_eq!(targets, [("/api/*", "rest"), ("/ws", "websocket")]);
    for behavior in behaviors {
        assert_eq!(behavior["CachePolicyId"], CACHING_DISABLED);
        assert_eq!(behavior["OriginRequestPolicyId"], ALL_VIEWER_EXCEPT_HOST);
        assert_eq!(behavior["Compress"], false);
    }
    // The paths reach the APIs unchanged, so the stages must be named like the first segments of the paths.
    assert_eq!(template.properties("WebSocketStage")["StageName"], "ws");
    assert_eq!(site["DefaultCacheBehavior"]["TargetOriginId"], "web");
}

/// The page that lists the variables.
const CONFIGURATION: &str = "docs/configuration.md";

#[test]
fn every_variable_of_the_template_is_documented() {
    let page = text(CONFIGURATION);
    let template = Template::load();
    let given: BTreeSet<&str> = template.functions().iter().flat_map(|f| f.variables()).collect();
    let silent: Vec<_> = given.iter().filter(|name| !page.contains(&format!("`{name}`"))).collect();
    assert!(silent.is_empty(), "{CONFIGURATION} does not describe {silent:?}");
}

#[test]
fn every_documented_variable_is_set_by_the_template() {
    /// Read only on a laptop, or by the AWS SDK itself.
    const ELSEWHERE: [&str; 5] =
        ["MODEL_API_KEY", "MODEL_FALLBACK_API_KEY", "S3_PATH_STYLE", "AWS_REGION", "PUBLIC_URL"];
    let template = Template::load();
    let given: BTreeSet<&str> =
        template.functions().iter().flat_map(|f| f.variables()).chain(ELSEWHERE).collect();
    let page = text(CONFIGURATION);
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `")?.split(" | ").next());
    let named = rows.flat_map(|cell| cell.split('`')).filter(|word| is_variable(word));
    // The build of the web application reads its own variables.
    let named: BTreeSet<&str> = named.filter(|name| !name.starts_with("VITE_")).collect();
    assert!(named.len() > 20, "the table of variables was not found");
    let unknown: Vec<_> = named.difference(&given).collect();
    assert!(
        unknown.is_empty(),
        "{CONFIGURATION} describes {unknown:?}, which the template does not set"
    );
}

fn is_variable(word: &str) -> bool {
    let mut letters = word.chars();
    word.contains('_') && letters.all(|c| c.is_ascii_uppercase() || c == '_' || c.is_ascii_digit())
}
