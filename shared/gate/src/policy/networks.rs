//! Finds network policies of Kubernetes that open a port to every address although the request does not ask for it, or
//! that let every pod of the cluster reach a port with data.

use super::opened_ports::{EVERYONE, may_open};
use crate::check::error;
use crate::places::is_yaml;
use crate::yaml::{self, Node};
use crate::{POLICY, Unit};
use domain::gate::Finding;

/// Ports with data, which only single pods need.
const DATA: [u16; 14] =
    [2379, 3306, 4222, 5432, 5672, 6379, 6432, 7000, 8086, 9042, 9092, 9200, 11211, 27017];

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for file in unit.written().filter(|file| is_yaml(file)) {
        let Ok(documents) = yaml::documents(&file.filled()) else { continue };
        let policies = documents
            .iter()
            .filter(|document| document.get("kind").and_then(Node::text) == Some("NetworkPolicy"));
        let rules = policies.filter_map(|policy| policy.get("spec")?.get("ingress"));
        for rule in rules.flat_map(Node::list) {
            if let Some((line, message)) = opened(unit, rule).or_else(|| shared(rule)) {
                findings.push(error(POLICY, message).at(Some(&file.path), line));
            }
        }
    }
}

/// The ports that a rule names.
fn ports(rule: &Node) -> impl Iterator<Item = u16> {
    let ports = rule.get("ports").map(Node::list).unwrap_or_default();
    ports.iter().filter_map(|port| port.get("port")?.text()?.parse().ok())
}

/// A port that a rule opens to every address.
fn opened(unit: &Unit, rule: &Node) -> Option<(usize, String)> {
    let sources = rule.get("from").map(Node::list).unwrap_or_default();
    let blocks = sources.iter().filter_map(|source| source.get("ipBlock")?.get("cidr"));
    let everyone = |node: &&Node| node.text().is_some_and(|text| EVERYONE.contains(&text));
    let open = blocks.into_iter().find(everyone)?;
    let port = ports(rule).find(|port| !may_open(unit, *port))?;
    Some((open.line, super::ports::refusal(&port.to_string())))
}

/// A rule that names no source for data, or for every port.
fn shared(rule: &Node) -> Option<(usize, String)> {
    let sources = rule.get("from").map(Node::list).unwrap_or_default();
    // `namespaceSelector: {}` alone is every pod of every namespace.
    let every = |source: &Node| {
        let selector = source.get("namespaceSelector").filter(|it| it.map().is_empty());
        selector.is_some() && source.map().len() == 1
    };
    let everywhere = sources.iter().any(every);
    let data = rule.get("ports").is_none() || ports(rule).any(|port| DATA.contains(&port));
    (everywhere || (sources.is_empty() && data)).then(|| {
        let message =
            "Without a source in `from`, every pod of the cluster reaches this: name the pods.";
        (rule.line, message.to_owned())
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_policy_names_who_may_connect() {
        let said = |cidr: &str| {
            let text = format!(
                "cat >a.yaml <<'E'\nkind: NetworkPolicy\nspec:\n  ingress:\n    - from:\n        - ipBlock: {{cidr: {cidr}}}\n      ports:\n        - port: 5432\nE\n"
            );
            crate::testing::said(super::examine, &text).len()
        };
        assert_eq!((said("0.0.0.0/0"), said("10.0.0.0/8")), (1, 0));
    }

    #[test]
    fn data_are_for_named_pods() {
        let said = |rule: &str| {
            let text = format!(
                "cat >a.yaml <<'E'\nkind: NetworkPolicy\nspec:\n  ingress:\n    - {rule}\nE\n"
            );
            crate::testing::said(super::examine, &text).len()
        };
        for rule in [
            "{}",
            "ports: [{port: 5432}]",
            "{from: [], ports: [{port: 6379}]}",
            "{from: [{namespaceSelector: {}}], ports: [{port: 3306}]}",
            "{from: [{namespaceSelector: {}}], ports: [{port: 8080}]}",
        ] {
            assert_eq!(said(rule), 1, "{rule}");
        }
        for rule in [
            "ports: [{port: 8080}]",
            "{from: [{podSelector: {}}]}",
            "{from: [{podSelector: {matchLabels: {app: a}}}], ports: [{port: 5432}]}",
            "{from: [{namespaceSelector: {}, podSelector: {matchLabels: {app: a}}}], ports: [{port: 5432}]}",
        ] {
            assert_eq!(said(rule), 0, "{rule}");
        }
    }
}
