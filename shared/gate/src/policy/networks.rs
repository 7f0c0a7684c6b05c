//! Finds network policies of Kubernetes that let every address reach a port which nobody asked to open.

use super::opened::{EVERYONE, may_open};
use crate::check::error;
use crate::places::is_yaml;
use crate::yaml::{self, Node};
use crate::{POLICY, Unit};
use domain::gate::Finding;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for file in unit.written().filter(|file| is_yaml(file)) {
        let Ok(documents) = yaml::documents(&file.filled()) else { continue };
        let policies = documents
            .iter()
            .filter(|document| document.get("kind").and_then(Node::text) == Some("NetworkPolicy"));
        let rules = policies.filter_map(|policy| policy.get("spec")?.get("ingress"));
        for rule in rules.flat_map(Node::list) {
            let sources = rule.get("from").map(Node::list).unwrap_or_default();
            let blocks = sources.iter().filter_map(|source| source.get("ipBlock")?.get("cidr"));
            let everyone = |node: &&Node| node.text().is_some_and(|text| EVERYONE.contains(&text));
            let Some(open) = blocks.into_iter().find(everyone) else { continue };
            let ports = rule.get("ports").map(Node::list).unwrap_or_default();
            let mut numbers =
                ports.iter().filter_map(|port| port.get("port")?.text()?.parse().ok());
            if let Some(port) = numbers.find(|port| !may_open(unit, *port)) {
                let message = super::ports::refusal(&port.to_string());
                findings.push(error(POLICY, message).at(Some(&file.path), open.line));
            }
        }
    }
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
}
