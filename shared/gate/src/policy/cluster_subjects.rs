//! Finds rights in a cluster of Kubernetes that everyone gets: visitors without an account, or all accounts.

use crate::bash::Command;
use crate::check::error;
use crate::hcl::{self, Parsed, label};
use crate::places::is_yaml;
use crate::yaml::{self, Node};
use crate::{POLICY, Unit};
use domain::gate::Finding;

/// Kubernetes' names for callers that have not authenticated.
const ANYONE: [&str; 2] = ["system:anonymous", "system:unauthenticated"];

/// Names for all accounts, which must not have every right.
const ACCOUNTS: [&str; 3] = ["system:authenticated", "system:masters", "system:serviceaccounts"];

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for file in unit.written().filter(|file| is_yaml(file)) {
        let Ok(documents) = yaml::documents(&file.filled()) else { continue };
        for document in &documents {
            let kind = document.get("kind").and_then(Node::text).unwrap_or_default();
            if !kind.ends_with("RoleBinding") {
                continue;
            }
            let role = document.get("roleRef").and_then(|role| role.get("name")?.text());
            for subject in document.get("subjects").map(Node::list).unwrap_or_default() {
                let name = subject.get("name").and_then(Node::text).unwrap_or_default();
                if let Some(message) = refused(name, role.unwrap_or_default()) {
                    findings.push(error(POLICY, message).at(Some(&file.path), subject.line));
                }
            }
        }
    }
    let (files, _) = hcl::parse(&unit.files);
    for parsed in &files {
        for (line, message) in bindings(parsed) {
            findings.push(error(POLICY, message).at(Some(&parsed.file.path), line));
        }
    }
    for shell in unit.everywhere() {
        for command in &shell.script.commands {
            if let Some(message) = bound(command) {
                let line = command.line + shell.offset;
                findings.push(error(POLICY, message).at(shell.file.as_deref(), line));
            }
        }
    }
}

/// Why a role should not be bound to this name.
fn refused(name: &str, role: &str) -> Option<String> {
    if ANYONE.contains(&name) {
        return Some(format!(
            "`{name}` is everyone who can reach the cluster, without an account."
        ));
    }
    let all = ACCOUNTS.contains(&name) || name.starts_with("system:serviceaccounts:");
    (all && ["admin", "cluster-admin"].contains(&role))
        .then(|| format!("`{name}` covers many accounts, and each of them would get `{role}`."))
}

/// The bindings in a file of Terraform.
fn bindings(parsed: &Parsed) -> Vec<(usize, String)> {
    let own = |block: &hcl_edit::structure::Block| label(block, 0).contains("role_binding");
    let mut found = Vec::new();
    for (line, block) in parsed.blocks().into_iter().filter(|(_, block)| own(block)) {
        let text = |body: &hcl_edit::structure::Body| {
            let name = hcl::attribute(body, "name").unwrap_or_default();
            name.trim_matches('"').to_owned()
        };
        let role = block.body.get_blocks("role_ref").next().map(|role| text(&role.body));
        for subject in block.body.get_blocks("subject") {
            let refused = refused(&text(&subject.body), role.as_deref().unwrap_or_default());
            found.extend(refused.map(|message| (line, message)));
        }
    }
    found
}

/// What a command binds.
fn bound(command: &Command) -> Option<String> {
    let argv = command.argv();
    let ["kubectl" | "oc", rest @ ..] = argv.as_slice() else { return None };
    let binds = ["clusterrolebinding", "rolebinding"].iter().any(|kind| rest.contains(kind));
    let values = |names: [&'static str; 2]| {
        let pairs = rest.windows(2).filter(move |two| names.contains(&two[0])).map(|two| two[1]);
        let joined = rest.iter().filter_map(move |word| {
            let (name, value) = word.split_once('=')?;
            names.contains(&name).then_some(value)
        });
        pairs.chain(joined)
    };
    let role = values(["--clusterrole", "--role"]).next().unwrap_or_default();
    values(["--user", "--group"]).filter(|_| binds).find_map(|name| refused(name, role))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rights_belong_to_a_user() {
        let said = |text: &str| crate::testing::said(examine, text).len();
        let binding = |name: &str, role: &str| {
            format!(
                "cat >a.yaml <<'E'\nkind: ClusterRoleBinding\nroleRef: {{kind: ClusterRole, name: {role}}}\nsubjects:\n  - kind: Group\n    name: {name}\nE\n"
            )
        };
        let block = "cat >a.tf <<'E'\nresource \"kubernetes_cluster_role_binding\" \"a\" {\n  role_ref {\n    name = \"view\"\n  }\n  subject {\n    kind = \"User\"\n    name = \"NAME\"\n  }\n}\nE\n";
        for (text, count) in [
            (binding("system:unauthenticated", "view"), 1),
            (binding("system:authenticated", "cluster-admin"), 1),
            (binding("system:authenticated", "view"), 0),
            (binding("operators", "cluster-admin"), 0),
            (block.replace("NAME", "system:anonymous"), 1),
            (block.replace("NAME", "ops@example.org"), 0),
            (
                "kubectl create clusterrolebinding a --clusterrole=view --user=system:anonymous\n"
                    .into(),
                1,
            ),
            (
                "kubectl -n a create rolebinding b --role c --group system:unauthenticated\n"
                    .into(),
                1,
            ),
            (
                "kubectl create clusterrolebinding a --clusterrole=view --user=me@example.org\n"
                    .into(),
                0,
            ),
        ] {
            assert_eq!(said(&text), count, "{text}");
        }
    }
}
