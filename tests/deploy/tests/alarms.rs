//! The alarms on log lines: the template's filters, applied to the lines that the code writes.
//!
//! A filter that matches nothing looks like a quiet system, so each is tried on real lines in the form of
//! [`http_kit::log_lines`], and each log group whose function writes such lines must have one.

use deploy_tests::source::sources;
use deploy_tests::{Template, folders, repository, text};
use domain::InstallationId;
use domain::security::{About, SecurityEvent, record};
use domain::work::SandboxWork;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::Write;
use std::sync::{Arc, Mutex};
use tracing_subscriber::layer::SubscriberExt;

/// The events that each security metric counts.
const COUNTED: [(&str, &[SecurityEvent]); 2] = [
    ("Refusals", &[SecurityEvent::Refused, SecurityEvent::ConnectionRefused]),
    ("Attacks", &[SecurityEvent::WebhookForged, SecurityEvent::BillClamped]),
];

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// The line that a function writes while it does this, inside the span of a call.
fn line(act: impl FnOnce()) -> Value {
    let log = Log::default();
    let writer = log.clone();
    let lines = http_kit::log_lines(move || writer.clone());
    tracing::subscriber::with_default(tracing_subscriber::registry().with(lines), || {
        tracing::info_span!("call", request_id = "1").in_scope(act);
    });
    let written = log.0.lock().unwrap().clone();
    serde_json::from_slice(&written).expect("one JSON line")
}

fn security_line(event: SecurityEvent) -> Value {
    let detail = "status=429 code=rate_limited GET /projects";
    line(|| record(event, About::installation(InstallationId(7)), detail))
}

/// Whether a pattern of CloudWatch Logs matches a JSON line. It understands what the template uses: comparisons of a field
/// with a quoted text, which may contain `*`, joined by `||` and `&&` without brackets. It refuses everything else.
fn matches(pattern: &str, line: &Value) -> bool {
    let terms = pattern.strip_prefix("{ ").and_then(|rest| rest.strip_suffix(" }"));
    let terms = terms.unwrap_or_else(|| panic!("not a pattern for JSON: {pattern}"));
    assert!(!terms.contains(['(', ')']), "brackets: {pattern}");
    terms.split(" || ").any(|all| all.split(" && ").all(|term| holds(term, line)))
}

fn holds(term: &str, line: &Value) -> bool {
    let mut parts = term.splitn(3, ' ');
    let (field, operator, value) = (parts.next(), parts.next(), parts.next());
    let field = field.and_then(|field| field.strip_prefix("$.")).expect("a field");
    let value = value.and_then(|value| value.strip_prefix('"')?.strip_suffix('"')).expect("a text");
    let found = field.split('.').try_fold(line, |inner, name| inner.get(name));
    let equal = found.and_then(Value::as_str).is_some_and(|found| fits(value, found));
    match operator {
        Some("=") => equal,
        Some("!=") => found.is_some() && !equal,
        _ => panic!("an unknown comparison: {term}"),
    }
}

/// Whether a text fits a pattern in which `*` stands for any text.
fn fits(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((start, rest)) => text.strip_prefix(start).is_some_and(|text| {
            (0..=text.len()).any(|at| text.get(at..).is_some_and(|text| fits(rest, text)))
        }),
    }
}

/// A metric filter of the template.
struct Filter {
    id: String,
    group: String,
    pattern: String,
    metric: String,
}

fn filters(template: &Template) -> Vec<Filter> {
    let found = template.of_type("AWS::Logs::MetricFilter").into_iter();
    let filters = found.map(|(id, resource)| {
        let properties = &resource["Properties"];
        let transformations = properties["MetricTransformations"].as_array().unwrap();
        let [counts] = &transformations[..] else { panic!("{id} has not one metric") };
        assert_eq!(counts["MetricValue"], "1", "{id}");
        let text =
            |value: &Value| value.as_str().unwrap_or_else(|| panic!("{id}: {value}")).to_owned();
        Filter {
            id: id.to_owned(),
            group: text(&properties["LogGroupName"]["Ref"]),
            pattern: text(&properties["FilterPattern"]),
            metric: text(&counts["MetricName"]),
        }
    });
    filters.collect()
}

/// The log group of a function.
fn group(function: &deploy_tests::Function<'_>) -> String {
    function.property("LoggingConfig")["LogGroup"]["Ref"].as_str().unwrap().to_owned()
}

fn source_of(function: &str) -> String {
    sources(&repository().join("functions").join(function).join("src"))
}

/// Whether a crate uses one of the shared crates, directly or through others.
fn uses(manifest: &str, sought: &str) -> bool {
    let manifest: toml::Table = text(manifest).parse().unwrap();
    let used = manifest["dependencies"].as_table().unwrap().keys();
    let shared = folders("shared");
    used.into_iter().any(|name| {
        let folder = name.strip_suffix("-kit").unwrap_or(name).to_owned();
        name == sought
            || shared.contains(&folder) && uses(&format!("shared/{folder}/Cargo.toml"), sought)
    })
}

#[test]
fn each_filter_counts_the_lines_of_its_events_and_no_others() {
    let mut tried = BTreeSet::new();
    for filter in filters(&Template::load()) {
        let Some((metric, events)) = COUNTED.iter().find(|(name, _)| *name == filter.metric) else {
            continue;
        };
        tried.insert(*metric);
        for event in SecurityEvent::ALL {
            let line = security_line(event);
            let wanted = events.contains(&event);
            assert_eq!(matches(&filter.pattern, &line), wanted, "{}: {line}", filter.id);
        }
    }
    assert_eq!(tried.len(), COUNTED.len(), "{tried:?}");
}

#[test]
fn every_function_that_writes_a_counted_event_has_the_filter() {
    let template = Template::load();
    let filters = filters(&template);
    let counted = |group: &str, metric: &str| {
        filters.iter().any(|filter| filter.group == group && filter.metric == metric)
    };
    for function in template.functions() {
        let (name, group) = (function.name().to_owned(), group(&function));
        let source = source_of(&name);
        // Whatever serves calls of the contract refuses some, in `http-kit`.
        let own = ["SecurityEvent::Refused", "SecurityEvent::ConnectionRefused"];
        let refuses =
            !function.sources("Api").is_empty() || own.iter().any(|it| source.contains(it));
        assert_eq!(counted(&group, "Refusals"), refuses, "{name}: refusals");
        // Only the agents' crate charges for model calls.
        let charges = uses(&format!("functions/{name}/Cargo.toml"), "agents");
        let attacked = charges || source.contains("SecurityEvent::WebhookForged");
        assert_eq!(counted(&group, "Attacks"), attacked, "{name}: attacks");
    }
}

#[test]
fn the_filters_on_work_count_the_lines_of_their_functions() {
    let template = Template::load();
    let mut tried = 0;
    for filter in filters(&template) {
        if COUNTED.iter().any(|(name, _)| *name == filter.metric) {
            continue;
        }
        let function = template.functions().into_iter().find(|one| group(one) == filter.group);
        let name = function.expect("the log group of a function").name().to_owned();
        let source = source_of(&name);
        let mark = "given_up = \"";
        let at = source.find(mark).unwrap_or_else(|| panic!("{name} never gives up"));
        let what = source[at + mark.len()..].split('"').next().unwrap();
        let written = line(|| tracing::error!(given_up = what, "gave up"));
        assert!(matches(&filter.pattern, &written), "{}: {written}", filter.id);
        assert!(!matches(&filter.pattern, &line(|| tracing::error!("gave up"))), "{}", filter.id);
        tried += 1;
    }
    assert_eq!(tried, 2);
}

#[test]
fn every_alarm_on_our_own_metrics_watches_one_that_a_filter_fills() {
    let template = Template::load();
    let filled: BTreeSet<_> = filters(&template).into_iter().map(|filter| filter.metric).collect();
    let mut watched = BTreeSet::new();
    for (id, alarm) in template.of_type("AWS::CloudWatch::Alarm") {
        let text = alarm["Properties"].to_string();
        // Our own namespaces begin with the stack's name; those of AWS do not.
        for part in text.split("\"MetricName\":\"").skip(1) {
            let name = part.split('"').next().unwrap();
            let own = text.contains("${AWS::StackName}/");
            if own && !name.starts_with("Approximate") {
                assert!(filled.contains(name), "{id} watches {name}, which nothing fills");
                watched.insert(name.to_owned());
            }
        }
    }
    assert_eq!(watched, filled, "each counted metric has an alarm");
}

#[test]
fn each_function_is_in_one_alarm_on_errors_and_in_one_on_throttles() {
    let template = Template::load();
    let alarms = template.of_type("AWS::CloudWatch::Alarm");
    let watched = |metric: &str, function: &str| {
        let dimension = json!([{"Name": "FunctionName", "Value": {"Ref": function}}]);
        let metrics =
            alarms.iter().filter_map(|(_, alarm)| alarm["Properties"]["Metrics"].as_array());
        let found = metrics.flatten().map(|one| &one["MetricStat"]["Metric"]);
        found.filter(|one| one["MetricName"] == metric && one["Dimensions"] == dimension).count()
    };
    for (id, _) in template.of_type("AWS::Serverless::Function") {
        for metric in ["Errors", "Throttles"] {
            assert_eq!(watched(metric, id), 1, "{metric} of {id}");
        }
    }
}

#[test]
fn steps_are_stuck_only_after_their_last_try() {
    let template = Template::load();
    let hidden = template.properties("StepsQueue")["VisibilityTimeout"].as_u64().unwrap();
    // The runner gives a step up at the delivery after its last try.
    let given_up = u64::from(SandboxWork::TRIES) * hidden;
    let threshold = template.properties("StepsAgeAlarm")["Threshold"].as_u64().unwrap();
    assert!(threshold > given_up, "a sandbox that connects slowly raises the alarm");
}

#[test]
fn a_pattern_is_read_as_cloudwatch_reads_it() {
    let line = security_line(SecurityEvent::Refused);
    for (pattern, wanted) in [
        ("{ $.fields.security = \"call.refused\" }", true),
        ("{ $.fields.security = \"call.*\" }", true),
        ("{ $.fields.security = \"CALL.refused\" }", false),
        ("{ $.security = \"call.refused\" }", false),
        ("{ $.fields.security != \"call.refused\" }", false),
        ("{ $.fields.missing != \"x\" }", false),
        ("{ $.fields.security = \"x\" || $.fields.detail = \"*status=429 *\" }", true),
        ("{ $.fields.security = \"call.refused\" && $.fields.detail = \"status=401*\" }", false),
    ] {
        assert_eq!(matches(pattern, &line), wanted, "{pattern}");
    }
    assert!(std::panic::catch_unwind(|| matches("\"call.refused\"", &Value::Null)).is_err());
}
