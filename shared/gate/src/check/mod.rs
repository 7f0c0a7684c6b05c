//! Finds mistakes that are visible in the text: what no program could parse, and names that refer to nothing.

mod actions;
mod addresses;
mod ansible;
mod assignments;
mod brackets;
mod caddy;
mod choices;
pub(crate) mod cloudformation;
mod compose;
mod compose_host;
mod compose_services;
mod config;
mod dropins;
mod exports;
mod fail2ban;
mod filled;
mod firstboot;
mod flow_items;
mod foreign;
mod gotemplates;
mod handlers;
mod heredoc_backticks;
mod images;
mod impossible_comparisons;
mod incomplete_units;
mod iptables;
mod jinja;
mod jq;
mod keys;
mod kubernetes;
mod links_between_files;
mod links_in_file;
mod lists;
mod logrotate;
mod missing_files;
mod missing_parts;
mod modules;
mod monitoring;
mod names;
mod namespaces;
mod near_names;
mod nftables;
mod nginx;
mod not_enabled;
mod not_installed;
mod not_loaded;
mod not_recreated;
mod operands;
mod options;
mod packer;
mod peers;
mod php;
mod pipelines;
mod playbook;
mod ports;
mod program_formats;
mod prometheus;
mod proof;
mod python;
mod references;
mod regions;
mod reloads;
mod rereads;
mod restarts;
mod restarts_known;
mod services;
mod shapes;
mod shell;
mod spelling;
mod sql;
mod squid;
mod started;
mod started_twice;
mod stray_signs;
mod sudoers;
mod templates;
mod terraform;
mod test_brackets;
mod traefik;
mod truth_values;
mod ufw;
mod unapplied_settings;
mod uncalled;
mod unexpanded;
mod units;
mod unknown_helpers;
mod unread_settings;
mod value_forms;
mod values;
mod verbs;
mod wireguard;
mod workflows;

pub(crate) use crate::tasks::{Task, documents as task_documents, tasks};
pub(crate) use near_names::nearest;
pub(crate) use values::fits;

use crate::files::filled_json;
use crate::places::is_yaml;
use crate::{FILES, Unit, Written, yaml};
use domain::gate::{Finding, Severity};

pub(crate) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    syntax(unit, findings);
    shell::examine(unit, findings);
    foreign::examine(unit, findings);
    proof::examine(unit, findings);
    terraform::examine(unit, findings);
    ansible::examine(unit, findings);
    uncalled::examine(unit, findings);
    impossible_comparisons::examine(unit, findings);
    compose_services::examine(unit, findings);
    compose::examine(unit, findings);
    config::examine(unit, findings);
    python::examine(unit, findings);
    options::examine(unit, findings);
    choices::examine(unit, findings);
    test_brackets::examine(unit, findings);
    cloudformation::examine(unit, findings);
    operands::examine(unit, findings);
    references::examine(unit, findings);
    images::examine(unit, findings);
    spelling::examine(unit, findings);
    links_in_file::examine(unit, findings);
    lists::examine(unit, findings);
    links_between_files::examine(unit, findings);
    playbook::examine(unit, findings);
    sql::examine(unit, findings);
    regions::examine(unit, findings);
    wireguard::examine(unit, findings);
    jq::examine(unit, findings);
    dropins::examine(unit, findings);
    not_enabled::examine(unit, findings);
    unexpanded::examine(unit, findings);
    units::examine(unit, findings);
    incomplete_units::examine(unit, findings);
    value_forms::examine(unit, findings);
    not_loaded::examine(unit, findings);
    reloads::examine(unit, findings);
    rereads::examine(unit, findings);
    not_recreated::examine(unit, findings);
    restarts::examine(unit, findings);
    services::examine(unit, findings);
    prometheus::examine(unit, findings);
    modules::examine(unit, findings);
    monitoring::examine(unit, findings);
    jinja::examine(unit, findings);
    kubernetes::examine(unit, findings);
    namespaces::examine(unit, findings);
    ports::examine(unit, findings);
    addresses::examine(unit, findings);
    verbs::examine(unit, findings);
    keys::examine(unit, findings);
    workflows::examine(unit, findings);
    program_formats::examine(unit, findings);
    unknown_helpers::examine(unit, findings);
    nginx::examine(unit, findings);
    missing_parts::examine(unit, findings);
    brackets::examine(unit, findings);
    stray_signs::examine(unit, findings);
    flow_items::examine(unit, findings);
    traefik::examine(unit, findings);
    peers::examine(unit, findings);
    heredoc_backticks::examine(unit, findings);
    shapes::examine(unit, findings);
    php::examine(unit, findings);
    nftables::examine(unit, findings);
    actions::examine(unit, findings);
    assignments::examine(unit, findings);
    sudoers::examine(unit, findings);
    gotemplates::examine(unit, findings);
    caddy::examine(unit, findings);
    filled::examine(unit, findings);
    firstboot::examine(unit, findings);
    missing_files::examine(unit, findings);
    logrotate::examine(unit, findings);
    started::examine(unit, findings);
    started_twice::examine(unit, findings);
    unapplied_settings::examine(unit, findings);
    not_installed::examine(unit, findings);
    handlers::examine(unit, findings);
    exports::examine(unit, findings);
    fail2ban::examine(unit, findings);
    packer::examine(unit, findings);
    ufw::examine(unit, findings);
    iptables::examine(unit, findings);
    squid::examine(unit, findings);
    pipelines::examine(unit, findings);
    truth_values::examine(unit, findings);
}

/// Parses YAML and JSON files in their own language.
fn syntax(unit: &Unit, findings: &mut Vec<Finding>) {
    for file in unit.written() {
        // Helm's templates become YAML later.
        let mistake = if missing_parts::beside_templates(unit, file, "Chart.yaml").is_some() {
            None
        } else if is_yaml(file) {
            yaml::documents(&file.filled()).err().map(|mistake| (mistake.line, mistake.message))
        } else if let Some(text) = templates::yaml(file) {
            yaml::documents(&text).err().map(|mistake| (mistake.line, mistake.message))
        } else if file.extension() == "json" && !takes_comments(file) {
            json(&filled_json(&file.text, file.expands))
        } else {
            None
        };
        if let Some((line, message)) = mistake {
            findings.push(error(FILES, message).at(Some(&file.path), line));
        }
    }
    fed(unit, findings);
}

/// Whether the readers of a file of JSON take comments in it, or it is a text with another's ending.
fn takes_comments(file: &Written) -> bool {
    let names = ["README", "devcontainer", "jsconfig", "tsconfig", ".eslintrc"];
    names.iter().any(|name| file.name().starts_with(name)) || file.path.contains(".vscode/")
}

/// What is wrong with a text in JSON, and where.
fn json(text: &str) -> Option<(usize, String)> {
    let error = serde_json::from_str::<serde_json::Value>(text).err()?;
    Some((error.line(), format!("This is not valid JSON: {error}.")))
}

/// Programs that take JSON from their arguments or their standard input.
const JSON_READERS: [&str; 6] = ["aws", "az", "curl", "gcloud", "http", "kubectl"];

/// JSON that a command gets as a word or from a here-document.
fn fed(unit: &Unit, findings: &mut Vec<Finding>) {
    let begins = |text: &str| {
        let text: String = text.chars().filter(|c| !c.is_whitespace()).take(2).collect();
        ["{\"", "[{"].contains(&text.as_str())
    };
    for shell in unit.everywhere() {
        for command in &shell.script.commands {
            // A file that a command reads as `file://…` is of JSON whatever its name is.
            let read = |name: &str| {
                let name = name.trim_matches('"');
                name.starts_with('$') && unit.text.contains(&format!("file://{name}\""))
            };
            let reads = command.program().is_some_and(|it| JSON_READERS.contains(&it))
                || (command.writes.iter().any(|(name, more)| !more && read(name))
                    && unit.text.contains("aws "));
            if !reads {
                continue;
            }
            // The value of these options only looks like JSON.
            let other = |at: usize| {
                let before = at.checked_sub(1).and_then(|at| command.words.get(at));
                before.is_some_and(|word| {
                    ["--query", "--write-out", "-w"].contains(&word.text.as_str())
                })
            };
            let words = command.words.iter().enumerate();
            let words = words
                .filter(|(at, word)| word.quoted && !other(*at))
                .map(|(_, word)| (command.line, filled_json(&word.text, true)));
            let fed = command.heredocs.iter().filter_map(|at| shell.script.heredocs.get(*at));
            let fed =
                fed.map(|heredoc| (heredoc.line, filled_json(&heredoc.text, heredoc.expands)));
            for (from, text) in words.chain(fed).filter(|(_, text)| begins(text)) {
                // Several objects may follow one another.
                let stream =
                    serde_json::Deserializer::from_str(&text).into_iter::<serde_json::Value>();
                if let Some(Err(wrong)) = stream.last() {
                    let message = format!("This is not valid JSON: {wrong}.");
                    let line = from + wrong.line() - 1 + shell.offset;
                    findings.push(error(FILES, message).at(shell.file.as_deref(), line));
                }
            }
        }
    }
}

/// A finding about a proof that is weaker than the one before it.
pub(crate) fn weakened(before: &str, after: &str) -> Option<Finding> {
    let (script, proof) = domain::script::parts(after);
    let (old, new) = (domain::script::parts(before).1.unwrap_or(before), proof.unwrap_or(script));
    let line = proof.map_or(1, |_| script.matches('\n').count() + 2);
    let how = proof::weaker(old, new)?;
    let message = format!(
        "This proof is weaker than the one before it: {how}. Keep what that one required, unless it required too much."
    );
    Some(warning(FILES, message).at(None, line))
}

pub(crate) fn error(tool: &str, message: impl Into<String>) -> Finding {
    Finding::new(tool, Severity::Error, message)
}

pub(crate) fn warning(tool: &str, message: impl Into<String>) -> Finding {
    Finding::new(tool, Severity::Warning, message)
}
