//! Guards against cost, access and loss: concurrency, budget, firewall, access logs, secrets, digests, read-only roots.
use deploy_tests::{Template, text};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Lambda's quota of an account, a hundred of which it keeps for functions without a reservation.
const RESERVABLE: u64 = 1000 - 100;

fn parameter(template: &Template, name: &str) -> Value {
    let found = &template.section("Parameters")[name];
    assert!(found.is_object(), "no parameter {name}");
    found.clone()
}

#[test]
fn every_function_has_a_limit_of_concurrent_runs() {
    let template = Template::load();
    let mut sum = 0;
    for function in template.functions() {
        let reserved = function.property("ReservedConcurrentExecutions")["Fn::If"].clone();
        assert_eq!(reserved[0], "Reserves", "{}", function.name());
        assert_eq!(reserved[2], json!({"Ref": "AWS::NoValue"}), "{}", function.name());
        let named = reserved[1]["Ref"].as_str().unwrap().to_owned();
        sum += parameter(&template, &named)["Default"].as_u64().unwrap();
    }
    assert!(sum <= RESERVABLE, "{sum} exceeds what an account can reserve");
    let description = parameter(&template, "ReserveConcurrency")["Description"].to_string();
    assert!(
        description.contains(&format!(" {sum} ")),
        "the parameter's description does not name the sum {sum}"
    );
    assert!(description.contains(&format!(" {} ", sum + 100)), "{description}");
    let (page, doctor) = ("docs/operations.md", "infra/dev/src/doctor/account.rs");
    for (file, number) in [(page, sum), (page, sum + 100), (doctor, sum + 100)] {
        let content = text(file);
        let mut numbers = content.split(|c: char| !c.is_ascii_digit());
        assert!(numbers.any(|found| found == number.to_string()), "{file} does not name {number}");
    }
}

#[test]
fn a_queue_starts_no_more_readers_than_its_function_reserves() {
    let template = Template::load();
    for function in template.functions() {
        let reserved = &function.property("ReservedConcurrentExecutions")["Fn::If"][1];
        for source in function.sources("SQS") {
            let most = &source["ScalingConfig"]["MaximumConcurrency"];
            assert!(most == reserved || most == 2, "{}: {source}", function.name());
        }
    }
}

#[test]
fn a_person_gets_a_message_when_the_account_costs_more_than_its_budget() {
    let template = Template::load();
    let budget = template.properties("Budget");
    assert_eq!(budget["Budget"]["BudgetLimit"]["Amount"], json!({"Ref": "MonthlyBudget"}));
    assert!(parameter(&template, "MonthlyBudget")["Default"].as_u64().unwrap() > 0);
    let kinds: BTreeSet<&str> = budget["NotificationsWithSubscribers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|notification| {
            let to = json!([{"SubscriptionType": "SNS", "Address": {"Ref": "AlarmTopic"}}]);
            assert_eq!(notification["Subscribers"], to);
            notification["Notification"]["NotificationType"].as_str().unwrap()
        })
        .collect();
    assert_eq!(kinds, BTreeSet::from(["ACTUAL", "FORECASTED"]));
    let statements = &template.properties("AlarmTopicPolicy")["PolicyDocument"]["Statement"];
    for service in ["cloudwatch.amazonaws.com", "budgets.amazonaws.com"] {
        let may = |s: &Value| {
            s["Principal"]["Service"] == service
                && s["Action"] == "sns:Publish"
                && s["Condition"]["StringEquals"]["aws:SourceAccount"]
                    == json!({"Ref": "AWS::AccountId"})
        };
        assert!(
            statements.as_array().unwrap().iter().any(may),
            "{service} cannot publish to the topic"
        );
    }
}

#[test]
fn queues_and_topics_are_encrypted() {
    let template = Template::load();
    for (id, queue) in template.of_type("AWS::SQS::Queue") {
        assert_eq!(queue["Properties"]["SqsManagedSseEnabled"], true, "{id}");
    }
    for (id, topic) in template.of_type("AWS::SNS::Topic") {
        assert_eq!(topic["Properties"]["KmsMasterKeyId"], json!({"Ref": "AlarmKey"}), "{id}");
    }
    // A publisher to an encrypted topic must be able to use its key, or alarms are silently lost.
    let key = &template.properties("AlarmKey")["KeyPolicy"]["Statement"];
    let services = json!(["cloudwatch.amazonaws.com", "budgets.amazonaws.com"]);
    let opens = |s: &Value| {
        s["Principal"]["Service"] == services
            && s["Action"] == json!(["kms:Decrypt", "kms:GenerateDataKey"])
    };
    assert!(key.as_array().unwrap().iter().any(opens));
}

#[test]
fn the_site_has_a_firewall_wherever_it_is_deployed() {
    let template = Template::load();
    let site = &template.properties("Distribution")["DistributionConfig"];
    let wanted = json!({"Fn::If": ["OwnFirewall", {"Fn::GetAtt": "Firewall.Outputs.FirewallArn"}, {"Ref": "FirewallArn"}]});
    assert_eq!(site["WebACLId"], wanted);
    // Outside us-east-1 the stack cannot create one, and must get one as a parameter.
    let rule = &template.section("Rules")["FirewallElsewhere"];
    let elsewhere = json!({"Fn::Not": [{"Fn::Equals": [{"Ref": "AWS::Region"}, "us-east-1"]}]});
    assert_eq!(rule["RuleCondition"], elsewhere);
    let given = json!({"Fn::Not": [{"Fn::Equals": [{"Ref": "FirewallArn"}, ""]}]});
    assert_eq!(rule["Assertions"][0]["Assert"], given);
}

#[test]
fn the_firewall_counts_typed_bodies_and_blocks_the_rest() {
    let firewall = Template::read("infra/edge/firewall.yaml");
    let acl = firewall.properties("Firewall");
    assert_eq!(acl["Scope"], "CLOUDFRONT");
    let rules = acl["Rules"].as_array().unwrap();
    let rate = rules.iter().find(|r| r["Statement"]["RateBasedStatement"].is_object()).unwrap();
    assert!(rate["Action"]["Block"].is_object());
    assert_eq!(rate["Statement"]["RateBasedStatement"]["AggregateKeyType"], "IP");
    let mut groups = BTreeSet::new();
    for rule in rules.iter().filter(|r| r["Statement"]["ManagedRuleGroupStatement"].is_object()) {
        let group = &rule["Statement"]["ManagedRuleGroupStatement"];
        groups.insert(group["Name"].as_str().unwrap());
        assert_eq!(rule["OverrideAction"], json!({"None": {}}), "a group that only counts");
        for exception in group["RuleActionOverrides"].as_array().into_iter().flatten() {
            let name = exception["Name"].as_str().unwrap();
            // Users type scripts into bodies here; no other finding may pass.
            assert!(name.ends_with("_BODY") || name == "NoUserAgent_HEADER", "{name}");
        }
    }
    let wanted = ["AmazonIpReputationList", "KnownBadInputsRuleSet", "CommonRuleSet"];
    for name in wanted {
        assert!(groups.contains(format!("AWSManagedRules{name}").as_str()), "{name}");
    }
}

#[test]
fn every_front_door_logs_its_callers_and_none_logs_a_query() {
    let template = Template::load();
    let rest = &template.properties("RestApi")["AccessLogSetting"];
    let socket = &template.properties("WebSocketStage")["AccessLogSettings"];
    let previews = &template.properties("PreviewStage")["AccessLogSettings"];
    for setting in [rest, socket, previews] {
        let group = setting["DestinationArn"]["Fn::GetAtt"].as_str().unwrap();
        template.properties(group.strip_suffix(".Arn").unwrap());
        let format = setting["Format"].as_str().unwrap();
        assert!(serde_json::from_str::<Value>(format).is_ok(), "not a line of JSON: {format}");
        // A preview's host is its key.
        let domain = "domain";
        for secret in ["querystring", "$context.path", "header", "authorizer", domain] {
            assert!(!format.to_lowercase().contains(secret), "{secret} may hold a token");
        }
    }
    let logs = Template::read("infra/edge/logs.yaml");
    let fields = logs.properties("Delivery")["RecordFields"].as_array().unwrap();
    assert!(fields.iter().any(|field| field == "c-ip"));
    for secret in ["cs-uri-query", "cs(Cookie)", "cs(Referer)"] {
        assert!(!fields.iter().any(|field| field == secret), "{secret} may hold a token");
    }
    assert_eq!(template.section("Resources")["EdgeLogs"]["Type"], "AWS::CloudFormation::Stack");
}

#[test]
fn no_api_and_no_page_is_served_over_less_than_tls_1_2() {
    let template = Template::load();
    let api = template.properties("RestApi");
    assert_eq!(api["SecurityPolicy"], "SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09");
    let site = &template.properties("Distribution")["DistributionConfig"];
    assert_eq!(site["ViewerCertificate"]["Fn::If"][1]["MinimumProtocolVersion"], "TLSv1.2_2021");
    for origin in site["Origins"].as_array().unwrap() {
        let custom = &origin["CustomOriginConfig"];
        assert!(custom.is_null() || custom["OriginSSLProtocols"] == json!(["TLSv1.2"]), "{origin}");
    }
}

#[test]
fn a_table_is_not_deleted_by_accident() {
    assert_eq!(Template::load().properties("Table")["DeletionProtectionEnabled"], true);
}

#[test]
fn a_sandbox_runs_an_image_by_its_digest_and_changes_nothing_of_it() {
    let template = Template::load();
    let image = parameter(&template, "SandboxImage");
    assert_eq!(image["AllowedPattern"], "^$|^[^@ ]+@sha256:[0-9a-f]{64}$");
    let repository = template.properties("SandboxRepository");
    assert_eq!(repository["ImageTagMutability"], "IMMUTABLE");
    let task = template.properties("SandboxTask");
    let container = &task["ContainerDefinitions"][0];
    assert_eq!(container["Image"]["Fn::If"][2], json!({"Ref": "SandboxImage"}));
    assert_eq!(container["ReadonlyRootFilesystem"], true);
    assert_eq!(container["LinuxParameters"]["InitProcessEnabled"], true);
    // The agent backs up for as long as its setting allows, and the setting is Fargate's limit.
    let told = container["Environment"].as_array().unwrap();
    let told = told.iter().find(|variable| variable["Name"] == "GROUNDCREW_STOP_SECONDS").unwrap();
    assert_eq!(told["Value"], container["StopTimeout"].to_string());
    assert_eq!(
        container["Ulimits"][0]["Name"], "nofile",
        "Fargate does not allow a task to set another limit"
    );
    // The agent needs exactly the kept capabilities to run commands as another user.
    let dropped: BTreeSet<&str> = container["LinuxParameters"]["Capabilities"]["Drop"]
        .as_array()
        .unwrap()
        .iter()
        .map(|name| name.as_str().unwrap())
        .collect();
    assert_eq!(dropped.union(&KEPT.into()).copied().collect::<BTreeSet<_>>(), GIVEN.into());
    assert!(dropped.is_disjoint(&KEPT.into()));
    // A container of the local stack drops the same capabilities, on the same root.
    let launch = deploy_tests::text("infra/local/src/engines/ecs/launch.rs");
    for name in &dropped {
        assert!(launch.contains(&format!("\"--cap-drop={name}\"")), "{name}");
    }
    assert!(launch.contains("\"--read-only\"") && launch.contains("\"--pids-limit="));
    // A writable folder is a volume of both the task and the image, which sets its owner.
    let dockerfile = deploy_tests::text("infra/sandbox/Dockerfile");
    let declared = dockerfile.lines().find_map(|line| line.strip_prefix("VOLUME ")).unwrap();
    let declared: BTreeSet<String> = serde_json::from_str(declared).unwrap();
    let volumes = task["Volumes"].as_array().unwrap();
    let mounted: BTreeSet<String> = container["MountPoints"]
        .as_array()
        .unwrap()
        .iter()
        .map(|mount| {
            assert!(volumes.contains(&json!({"Name": mount["SourceVolume"]})), "{mount}");
            mount["ContainerPath"].as_str().unwrap().to_owned()
        })
        .collect();
    assert_eq!(mounted, declared);
}

/// Capabilities of the agent, which none of its commands has.
const KEPT: [&str; 7] = ["CHOWN", "DAC_OVERRIDE", "FOWNER", "KILL", "SETGID", "SETPCAP", "SETUID"];

/// A container engine's default capabilities.
const GIVEN: [&str; 14] = [
    "AUDIT_WRITE",
    "CHOWN",
    "DAC_OVERRIDE",
    "FOWNER",
    "FSETID",
    "KILL",
    "MKNOD",
    "NET_BIND_SERVICE",
    "NET_RAW",
    "SETFCAP",
    "SETGID",
    "SETPCAP",
    "SETUID",
    "SYS_CHROOT",
];

#[test]
fn parameters_that_belong_together_are_required_together() {
    let template = Template::load();
    let rules = template.section("Rules");
    for (given, needed) in [
        ("DomainName", "CertificateArn"),
        ("CertificateArn", "DomainName"),
        ("PreviewDomain", "PreviewCertificateArn"),
        ("PreviewCertificateArn", "PreviewDomain"),
        ("VpcId", "SubnetIds"),
        ("SubnetIds", "VpcId"),
        ("ZoneB", "ZoneA"),
    ] {
        let is_set = |name: &str| json!({"Fn::Not": [{"Fn::Equals": [{"Ref": name}, ""]}]});
        let holds = rules.as_object().unwrap().values().any(|rule| {
            rule["RuleCondition"] == is_set(given)
                && rule["Assertions"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .any(|a| a["Assert"] == is_set(needed))
        });
        assert!(holds, "{given} without {needed} is not refused");
    }
    // Each allowed number of CPU units has its own memory sizes.
    for units in parameter(&template, "SandboxCpu")["AllowedValues"].as_array().unwrap() {
        let rule = &rules[format!("Memory{units}")];
        assert_eq!(rule["RuleCondition"]["Fn::Equals"][1], *units, "{units} CPU units");
    }
}

#[test]
fn a_cluster_needs_nothing_that_a_new_account_does_not_have() {
    let template = Template::load();
    assert!(template.section("Resources")["Cluster"]["Properties"]["CapacityProviders"].is_null());
    for (id, zone, first) in [("SubnetA", "ZoneA", 0), ("SubnetB", "ZoneB", 1)] {
        let wanted = json!({"Fn::If": ["HasZones", {"Ref": zone}, {"Fn::Select": [first, {"Fn::GetAZs": ""}]}]});
        assert_eq!(template.properties(id)["AvailabilityZone"], wanted, "{id}");
    }
}

#[test]
fn one_deployment_is_enough_and_the_edges_secret_can_be_replaced() {
    let template = Template::load();
    // The stages pass the site's address on; a function's environment cannot have it before the site exists.
    let site = json!({"Fn::If": ["HasDomain", {"Fn::Sub": "https://${DomainName}"}, {"Fn::Sub": "https://${Distribution.DomainName}"}]});
    assert_eq!(template.properties("RestApi")["Variables"]["site"], site);
    assert_eq!(template.properties("WebSocketStage")["StageVariables"]["site"], site);
    for function in template.functions() {
        assert!(!function.variables().contains(&"PUBLIC_URL"), "{}", function.name());
    }
    for (secret, rotation) in
        [("EdgeSecret", "${EdgeRotation}"), ("EdgeSecretSpare", "${EdgeSpareRotation}")]
    {
        let name = template.properties(secret)["Name"]["Fn::Sub"].as_str().unwrap();
        assert!(name.contains(rotation), "another rotation must generate another secret: {name}");
    }
}

#[test]
fn each_secret_of_the_edge_can_be_replaced_while_the_other_is_sent() {
    let template = Template::load();
    let value = |secret: &str| json!({"Fn::Sub": format!("{{{{resolve:secretsmanager:${{{secret}}}:SecretString}}}}")});
    let variables = &template.section("Globals")["Function"]["Environment"]["Variables"];
    let accepted = [&variables["EDGE_PROOF"], &variables["EDGE_PROOF_SPARE"]];
    assert_eq!(accepted, [&value("EdgeSecret"), &value("EdgeSecretSpare")]);
    let origins = &template.properties("Distribution")["DistributionConfig"]["Origins"];
    let either = json!({"Fn::If": ["SendsSpare", value("EdgeSecretSpare"), value("EdgeSecret")]});
    // Each origin that is an API of ours, so that a new one cannot be forgotten.
    let apis: Vec<_> = origins.as_array().unwrap().iter().filter(|o| o["Id"] != "web").collect();
    assert_eq!(apis.len(), 2);
    for api in apis {
        let sent = &api["OriginCustomHeaders"][0];
        assert_eq!(sent["HeaderName"], "X-Groundcrew-Edge", "{}", api["Id"]);
        assert_eq!(sent["HeaderValue"], either, "{}", api["Id"]);
    }
    // Neither secret's rotation affects which one is sent, so a deployment changes either what is accepted or what is
    // sent.
    let sends = &template.section("Conditions")["SendsSpare"]["Fn::Equals"];
    assert_eq!(sends, &json!([{"Ref": "EdgeSends"}, "spare"]));
    let parameter = &template.section("Parameters")["EdgeSends"];
    assert_eq!(parameter["AllowedValues"], json!(["main", "spare"]));
}

#[test]
fn no_secret_passes_through_the_template() {
    let template = Template::load();
    for (id, secret) in template.of_type("AWS::SecretsManager::Secret") {
        assert!(secret["Properties"]["SecretString"].is_null(), "{id}");
        // The operator enters secrets of other parties; generated ones are known only to the edge and the functions.
        let generated = secret["Properties"]["GenerateSecretString"].is_object();
        let ours = id.starts_with("EdgeSecret") || id == "FingerprintSecret";
        assert_eq!(generated, ours, "{id}");
    }
    let parameters = template.section("Parameters").as_object().unwrap();
    let named = parameters.keys().filter(|name| name.contains("Secret") || name.contains("Key"));
    // The id of a secret is not a secret.
    let named = named.filter(|name| !name.ends_with("Arn"));
    // Even if a value does not look like a secret: a part of the stack's id was once used as one.
    let proof = &template.section("Globals")["Function"]["Environment"]["Variables"]["EDGE_PROOF"];
    assert_eq!(proof["Fn::Sub"], "{{resolve:secretsmanager:${EdgeSecret}:SecretString}}");
    assert_eq!(named.collect::<Vec<_>>(), Vec::<&String>::new());
}
