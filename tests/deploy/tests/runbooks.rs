//! Checks the commands in `docs/operations.md` and `docs/runbooks.md` against the template.
use deploy_tests::{Template, folders, repository, text};
use std::process::Command;

/// What to do when something goes wrong.
const PAGE: &str = "docs/runbooks.md";

/// That page, and the one with the commands for a deployment and its maintenance.
fn pages() -> String {
    text(PAGE) + &text("docs/operations.md")
}

/// The anchor that GitHub gives a heading.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

#[test]
fn every_alarm_names_a_runbook_that_exists() {
    let page = text(PAGE);
    let headings = page.lines().filter_map(|line| line.strip_prefix("## "));
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
    let page = pages();
    let template = Template::load();
    for (function, section) in [("output", "Outputs"), ("resource", "Resources")] {
        let named: Vec<&str> = page
            .split(&format!("$({function} "))
            .skip(1)
            .map(|rest| rest.split(')').next().unwrap())
            .collect();
        assert!(named.len() > 3, "no command uses {function}");
        for name in named {
            assert!(!template.section(section)[name].is_null(), "{function} {name}");
        }
    }
}

/// The shell blocks of a page, with a word for each value that the reader fills in.
fn blocks(page: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut lines = page.lines();
    while lines.any(|line| line.trim() == "```sh") {
        let block: Vec<&str> = lines.by_ref().take_while(|line| line.trim() != "```").collect();
        blocks.push(filled(&block.join("\n")));
    }
    blocks
}

fn filled(text: &str) -> String {
    let mut parts = text.split('<');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |filled, part| match part.split_once('>') {
        Some((name, rest)) if name.starts_with(char::is_alphabetic) => filled + "value" + rest,
        _ => filled + "<" + part,
    })
}

#[test]
fn bash_reads_every_command_of_the_runbooks() {
    let blocks = blocks(&pages());
    assert!(blocks.len() > 20, "the commands were not found");
    for block in blocks {
        let read = Command::new("bash").args(["-n", "-c", &block]).output().unwrap();
        let why = String::from_utf8_lossy(&read.stderr);
        assert!(read.status.success(), "{why}\n{block}");
    }
}

#[test]
fn the_runbooks_name_parameters_functions_and_scripts_that_exist() {
    let page = pages();
    let edge = ["infra/edge/firewall.yaml", "infra/edge/logs.yaml"].map(Template::read);
    let templates = [Template::load()].into_iter().chain(edge).collect::<Vec<_>>();
    let (mut parameters, mut functions, mut scripts) = (0, 0, 0);
    for rest in page.split("--parameter-overrides").skip(1) {
        for word in rest.split_whitespace().take_while(|word| word.contains('=')) {
            let name = word.trim_start_matches('"').split('=').next().unwrap();
            let known = |template: &Template| !template.section("Parameters")[name].is_null();
            assert!(templates.iter().any(known), "no parameter {name}");
            parameters += 1;
        }
    }
    for line in blocks(&page).iter().flat_map(|block| block.lines()) {
        for rest in line.split("/$stack-").skip(1).chain(line.split("-name \"$stack-").skip(1)) {
            let name = rest.split('"').next().unwrap();
            if name != "restored" {
                assert!(folders("functions").iter().any(|one| one == name), "no function {name}");
                functions += 1;
            }
        }
        for word in line.split_whitespace().filter(|word| word.starts_with("infra/")) {
            assert!(repository().join(word).exists(), "no script {word}");
            scripts += 1;
        }
    }
    assert!(parameters > 8 && functions > 3 && scripts > 6, "{parameters} {functions} {scripts}");
}
