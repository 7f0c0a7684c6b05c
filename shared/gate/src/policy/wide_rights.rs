//! Finds rights that are wider than anyone needs: rules of sudo for every command, every action of a service on every
//! resource, policies of providers for administrators, and roles that own a cluster or a database.

mod sudo;

use super::principals::statements;
use crate::check::{Task, error, task_documents, tasks};
use crate::hcl::{self, attribute, label};
use crate::places::is_yaml;
use crate::yaml::{self, Node};
use crate::{POLICY, Unit};
use domain::gate::Finding;
use hcl_edit::structure::Block;
use sudo::{KEEPERS, commands};

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    if unit.context.check {
        return;
    }
    let asked = unit.context.asked.to_lowercase();
    for (at, line) in unit.text.lines().enumerate() {
        let sudo = (!asked.contains("sudo")).then(|| commands(line)).flatten();
        if let Some(message) = sudo.or_else(|| granted(line)) {
            findings.push(error(POLICY, message).at(None, at + 1));
        }
    }
    let (files, _) = hcl::parse(&unit.files);
    for parsed in &files {
        for (line, block) in parsed.blocks() {
            let message = resource(block).or_else(|| {
                everything(&block.body.to_string()).filter(|_| !is_boundary(block, unit))
            });
            if let Some(message) = message {
                findings.push(error(POLICY, message).at(Some(&parsed.file.path), line));
            }
        }
    }
    for file in unit.written() {
        let vault = file.text.lines().position(|line| line.trim().starts_with("path \"*\""));
        if let Some(at) = vault.filter(|_| file.text.contains("capabilities")) {
            let said = "These rights are for every path of Vault: name the paths.";
            findings.push(error(POLICY, said).at(Some(&file.path), at + 1));
        }
        let json = file.text.trim_start().starts_with('{') && file.text.contains("\"Statement\"");
        if let Some(message) = everything(&file.text).filter(|_| json) {
            findings.push(error(POLICY, message).at(Some(&file.path), 1));
        }
        for (line, message) in cluster(unit, file) {
            findings.push(error(POLICY, message).at(Some(&file.path), line));
        }
        for task in tasks(&task_documents(file).unwrap_or_default(), file) {
            if let Some(message) = account(unit, &task) {
                findings.push(error(POLICY, message).at(Some(&file.path), task.node.line));
            }
        }
    }
    for shell in unit.running() {
        for command in &shell.script.commands {
            if let Some(message) = given(&command.argv()) {
                let line = command.line + shell.offset;
                findings.push(error(POLICY, message).at(shell.file.as_deref(), line));
            }
        }
    }
}

/// Rights in a database that every account gets.
fn granted(line: &str) -> Option<String> {
    let upper = line.to_uppercase();
    let (_, rights) = upper.split_once("GRANT ")?;
    let (rights, who) = rights.split_once(" TO ")?;
    let everyone = who.split(|c: char| !c.is_ascii_alphanumeric()).next() == Some("PUBLIC");
    let writes = ["ALL", "CREATE", "DELETE", "INSERT", "TRUNCATE", "UPDATE"];
    let what = rights.split(" ON ").next()?;
    let mut words = what.split(|c: char| !c.is_ascii_alphanumeric());
    (everyone && !line.trim_start().starts_with("--") && words.any(|word| writes.contains(&word)))
        .then(|| "Every account of the database would get these rights: name a role.".to_owned())
}

/// Whether a policy limits the rights of roles and gives none itself.
fn is_boundary(block: &Block, unit: &Unit) -> bool {
    let [kind, name] = [0, 1].map(|at| label(block, at));
    let used = |text: &str| {
        let lines = text.lines().map(|line| line.split_whitespace().collect::<String>());
        let own = format!("={kind}.{name}.");
        lines.into_iter().fold((0, 0), |(limits, gives), line| {
            let named = line.contains(&own) || line.contains(&format!("[{}", &own[1..]));
            let limit = line.starts_with("permissions_boundary=");
            (limits + usize::from(named && limit), gives + usize::from(named && !limit))
        })
    };
    let (limits, gives) = unit
        .files
        .iter()
        .map(|file| used(&file.text))
        .fold((0, 0), |(limits, gives), (more, others)| (limits + more, gives + others));
    limits > 0 && gives == 0
}

/// Services whose actions have no resource, or do no harm.
const HARMLESS: [&str; 6] = ["cloudwatch", "ec2messages", "logs", "ssmmessages", "tag", "xray"];

/// A statement that allows every action of a service on every resource, without a condition.
pub(super) fn everything(text: &str) -> Option<String> {
    let statement = statements(text).into_iter().find(|statement| {
        let lower = statement.to_lowercase();
        let other = ["deny", "condition", "principal", "notaction", "not_action"];
        let every = ["resource:*", "resource=*", "resource:[*]", "resource=[*]", "resources=[*]"];
        !other.iter().any(|word| lower.contains(word))
            && every.iter().any(|sign| lower.contains(sign))
            && wide(&lower).is_some()
    })?;
    let action = wide(&statement.to_lowercase())?;
    Some(format!("`{action}` on every resource is more than anything needs: name what it may do."))
}

/// The action of a statement in lower case that stands for all of a service.
fn wide(statement: &str) -> Option<String> {
    let (_, rest) = statement.split_once("action")?;
    let rest = rest.trim_start_matches('s').trim_start_matches([':', '=']);
    let list = match rest.strip_prefix('[') {
        Some(list) => list.split(']').next()?,
        None => rest.split([',', '}']).next()?,
    };
    let list = list.split("resource").next()?;
    list.split(',').map(str::trim).find_map(|action| {
        let service = action.strip_suffix(":*").filter(|service| !HARMLESS.contains(service));
        (service.is_some() || action == "*").then(|| action.to_owned())
    })
}

/// Why a policy of a provider gives too much.
fn managed(name: &str) -> Option<String> {
    let name = name.trim_matches('"').rsplit('/').next()?;
    let all = ["AdministratorAccess", "IAMFullAccess", "PowerUserAccess"].contains(&name);
    let logs = ["CloudWatch", "Logs", "XRay", "Xray"].iter().any(|part| name.contains(part));
    let full = name.ends_with("FullAccess") && name.starts_with('A') && !logs;
    (all || full).then(|| {
        format!("`{name}` allows more than anything needs: name the actions and the resources.")
    })
}

/// Why a role of Google Cloud or Azure gives too much.
fn role(name: &str) -> Option<String> {
    let name = name.trim_matches('"');
    ["Owner", "User Access Administrator", "roles/editor", "roles/owner"].contains(&name).then(
        || format!("`{name}` allows everything in the project: name a role with what is needed."),
    )
}

fn resource(block: &Block) -> Option<String> {
    let get = |key: &str| attribute(&block.body, key);
    let kind = label(block, 0);
    if kind.contains("policy_attachment") || kind == "aws_iam_role" {
        let single = get("policy_arn").unwrap_or_default();
        let several = get("managed_policy_arns").unwrap_or_default();
        let mut all = several.split(['[', ']', ',']).map(str::trim).chain([single.as_str()]);
        return all.find_map(managed);
    }
    if kind.starts_with("google_") && kind.contains("_iam_") {
        return get("role").and_then(|name| role(&name));
    }
    if kind == "azurerm_role_assignment" {
        return get("role_definition_name").and_then(|name| role(&name));
    }
    if kind.starts_with("kubernetes_cluster_role_binding") {
        let named = |name: &str| {
            block.body.get_blocks(name).filter_map(|it| attribute(&it.body, "name")).next()
        };
        let accounts = block.body.get_blocks("subject");
        let account = accounts.filter_map(|it| attribute(&it.body, "kind")).next();
        let owns = named("role_ref").as_deref() == Some("\"cluster-admin\"");
        return (owns && account.as_deref() == Some("\"ServiceAccount\""))
            .then(|| OWNER.to_owned());
    }
    None
}

const OWNER: &str =
    "This account would control the whole cluster: name a role with the rights that are needed.";

/// Roles and bindings in a Kubernetes manifest that grant every right.
fn cluster(unit: &Unit, file: &crate::Written) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    if !is_yaml(file) || !file.text.contains("rbac.authorization.k8s.io") {
        return found;
    }
    let asked = unit.context.asked.to_lowercase();
    for document in yaml::documents(&file.filled()).unwrap_or_default() {
        let kind = document.get("kind").and_then(Node::text).unwrap_or_default();
        let role = document.get("roleRef").and_then(|role| role.get("name")?.text());
        let subjects = document.get("subjects").map(Node::list).unwrap_or_default();
        let account = subjects
            .iter()
            .find(|subject| subject.get("kind").and_then(Node::text) == Some("ServiceAccount"));
        let owns = kind.ends_with("RoleBinding") && role == Some("cluster-admin");
        if let Some(account) = account.filter(|_| owns && !asked.contains("cluster-admin")) {
            found.push((account.line, OWNER.to_owned()));
        }
        for rule in document.get("rules").map(Node::list).unwrap_or_default() {
            let every = ["resources", "verbs"].iter().all(|key| {
                let list = rule.get(key).map(Node::list).unwrap_or_default();
                list.iter().any(|one| one.text() == Some("*"))
            });
            if every && kind.ends_with("Role") {
                let message = "This role may do everything with everything: name the resources and the verbs.";
                found.push((rule.line, message.to_owned()));
            }
        }
    }
    found
}

/// What a task gives an account.
fn account(unit: &Unit, task: &Task) -> Option<String> {
    let (module, given) = task.module()?;
    let text = |keys: &[&str]| keys.iter().find_map(|key| given.get(key)?.text());
    if text(&["state"]) == Some("absent") {
        return None;
    }
    let contained = unit.text.contains("services:") || unit.text.contains("docker");
    match module.rsplit('.').next()? {
        "mysql_user" => {
            let rights = text(&["priv"]).unwrap_or_default();
            let all = rights.split('/').any(|right| right.replace(' ', "").starts_with("*.*:ALL"));
            let own = text(&["name", "user"])
                .is_some_and(|name| ["admin", "root"].iter().any(|keeper| name.contains(keeper)));
            if all && !own {
                return Some(
                    "This grants everything on every database: name the database and the rights."
                        .to_owned(),
                );
            }
            let anywhere = text(&["host"]) == Some("%") && given.get("tls_requires").is_none();
            (anywhere && !contained).then(|| {
                "This account may connect from every address: name the host or the network."
                    .to_owned()
            })
        }
        "postgresql_user" => {
            let flags = text(&["role_attr_flags"])?;
            flags.split(',').any(|flag| flag.trim() == "SUPERUSER").then(|| {
                "A superuser may do everything to every database: an application needs only its \
                own rights."
                    .to_owned()
            })
        }
        "sudoers" => {
            let all = text(&["commands"]) == Some("ALL")
                || given
                    .get("commands")
                    .map(Node::list)
                    .unwrap_or_default()
                    .iter()
                    .any(|it| it.text() == Some("ALL"));
            let keeper = text(&["user", "group"])
                .is_some_and(|name| KEEPERS.contains(&name) || name.contains("{{"));
            (all && !keeper).then(|| {
                "This account may run everything as root without a password: name the commands."
                    .to_owned()
            })
        }
        _ => None,
    }
}

/// The rights that a command grants.
fn given(argv: &[&str]) -> Option<String> {
    let after = |names: &[&str]| {
        let rest = argv.windows(2).find(|two| names.contains(&two[0])).map(|two| two[1]);
        let joined = || {
            argv.iter().find_map(|word| {
                word.split_once('=')
                    .filter(|(name, _)| names.contains(name))
                    .map(|(_, value)| value)
            })
        };
        rest.or_else(joined)
    };
    match argv {
        ["aws", "iam", verb, ..] if verb.starts_with("attach-") => {
            managed(after(&["--policy-arn"])?)
        }
        ["aws", ..] => argv.iter().find_map(|word| everything(word)),
        ["gcloud", rest @ ..] if rest.contains(&"add-iam-policy-binding") => {
            role(after(&["--role"])?)
        }
        ["az", "role", "assignment", "create", ..] => role(after(&["--role"])?),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> usize {
        crate::testing::said(examine, text).len()
    }

    #[test]
    fn policies_name_actions_or_resources() {
        let inline = |action: &str, resource: &str| {
            format!(
                "aws iam put-role-policy --role-name a --policy-name b --policy-document '{{\"Statement\": [{{\"Effect\": \"Allow\", \"Action\": {action}, \"Resource\": {resource}}}]}}'"
            )
        };
        let terraform = |text: &str| format!("cat >a.tf <<'E'\n{text}\nE\n");
        for text in [
            inline("[\"s3:*\"]", "[\"*\"]"),
            inline("\"*\"", "\"*\""),
            inline("\"s3:*\"", "\"*\"").replace("aws iam put-role-policy --role-name a --policy-name b --policy-document '", "cat >p.json <<'E'\n").replace("]}'", "]}\nE"),
            terraform("data \"aws_iam_policy_document\" \"a\" {\n  statement {\n    actions = [\"s3:GetObject\", \"dynamodb:*\"]\n    resources = [\"*\"]\n  }\n}"),
            terraform("resource \"aws_iam_role_policy_attachment\" \"a\" {\n  role = \"b\"\n  policy_arn = \"arn:aws:iam::aws:policy/AmazonS3FullAccess\"\n}"),
            terraform("resource \"google_project_iam_member\" \"a\" {\n  role = \"roles/editor\"\n}"),
            terraform("resource \"azurerm_role_assignment\" \"a\" {\n  role_definition_name = \"Owner\"\n}"),
            "aws iam attach-role-policy --role-name a --policy-arn arn:aws:iam::aws:policy/PowerUserAccess".into(),
            "gcloud projects add-iam-policy-binding a --member=b --role=roles/owner".into(),
            "psql -c 'GRANT ALL ON ALL TABLES IN SCHEMA public TO PUBLIC'".into(),
        ] {
            assert_eq!(said(&text), 1, "{text}");
        }
        for text in [
            inline("[\"s3:*\"]", "[\"arn:aws:s3:::a/*\"]"),
            inline("[\"ec2:DescribeInstances\"]", "[\"*\"]"),
            inline("[\"logs:*\"]", "\"*\""),
            terraform(
                "data \"aws_iam_policy_document\" \"a\" {\n  statement {\n    effect = \"Deny\"\n    actions = [\"s3:*\"]\n    resources = [\"*\"]\n  }\n}",
            ),
            terraform(
                "resource \"aws_kms_key\" \"a\" {\n  policy = jsonencode({ Statement = [{ Effect = \"Allow\", Principal = { AWS = \"arn:aws:iam::1:root\" }, Action = \"kms:*\", Resource = \"*\" }] })\n}",
            ),
            terraform(
                "resource \"aws_iam_role_policy_attachment\" \"a\" {\n  role = \"b\"\n  policy_arn = \"arn:aws:iam::aws:policy/AmazonEC2ContainerRegistryPowerUser\"\n}",
            ),
            "gcloud projects add-iam-policy-binding a --member=b --role=roles/run.invoker".into(),
            "psql -c 'GRANT USAGE ON SCHEMA public TO PUBLIC'".into(),
        ] {
            assert_eq!(said(&text), 0, "{text}");
        }
    }

    #[test]
    fn accounts_have_what_they_need() {
        let task = |text: &str| {
            format!("cat >site.yml <<'E'\n- hosts: db\n  tasks:\n    - name: A\n      {text}\nE\n")
        };
        let binding = "cat >a.yaml <<'E'\napiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nroleRef: {kind: ClusterRole, name: ROLE}\nsubjects:\n  - {kind: ServiceAccount, name: shop}\nE\n";
        let role = "cat >a.yaml <<'E'\napiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nrules:\n  - {apiGroups: [\"\"], resources: [\"*\"], verbs: [VERB]}\nE\n";
        for text in [
            task("community.mysql.mysql_user:\n        name: shop\n        host: \"%\""),
            task("community.mysql.mysql_user:\n        name: shop\n        priv: \"*.*:ALL\""),
            task(
                "community.postgresql.postgresql_user:\n        name: shop\n        role_attr_flags: LOGIN,SUPERUSER",
            ),
            task(
                "community.general.sudoers:\n        name: a\n        user: shop\n        commands: ALL",
            ),
            binding.replace("ROLE", "cluster-admin"),
            role.replace("VERB", "\"*\""),
        ] {
            assert_eq!(said(&text), 1, "{text}");
        }
        for text in [
            task("community.mysql.mysql_user:\n        name: shop\n        host: localhost"),
            task(
                "community.mysql.mysql_user:\n        name: old\n        host: \"%\"\n        state: absent",
            ),
            task(
                "community.postgresql.postgresql_user:\n        name: shop\n        role_attr_flags: NOSUPERUSER,NOCREATEDB",
            ),
            binding.replace("ROLE", "view"),
            role.replace("VERB", "get"),
        ] {
            assert_eq!(said(&text), 0, "{text}");
        }
    }
}
