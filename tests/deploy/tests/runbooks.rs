//! Checks the runbooks in `docs/operations.md` against the template.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use deploy_tests::{Template, text};

const PAGE: &str = "docs/operations.md";

/// The anchor that a heading gets on GitHub.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

#[test]
fn every_alarm_names_a_runbook_that_exists() {
    let page = text(PAGE);
    let headings = page.lines().filter_map(|line| line.strip_prefix("### "));
    let runbooks: Vec<String> = headings.map(anchor).collect();
    let template = Template::load();
    let alarms = template.of_type("AWS::CloudWatch::Alarm");
    assert!(alarms.len() > 10, "the alarms were not found");
    for (id, alarm) in alarms {
        let description = alarm["Properties"]["AlarmDescription"].as_str().unwrap();
        let (_, named) = description
            .split_once(&format!(" See {PAGE}#"))
            .unwrap_or_else(|| panic!("{id} names no runbook: {description}"));
        assert!(runbooks.iter().any(|runbook| runbook == named), "{id}: no runbook {named}");
        assert!(page.contains(&format!("`{id}`")), "{PAGE} does not mention {id}");
    }
}

#[test]
fn the_runbooks_name_resources_and_outputs_of_the_template() {
    let page = text(PAGE);
    let template = Template::load();
    for (function, section) in [("output", "Outputs"), ("resource", "Resources")] {
        let named: Vec<&str> = page
            .split(&format!("$({function} "))
            .skip(1)
            .map(|rest| rest.split(')').next().unwrap())
            .collect();
        assert!(named.len() > 3, "no command uses {function}");
        for name in named {
            assert!(!template.section(section)[name].is_null(), "{PAGE}: {function} {name}");
        }
    }
}
