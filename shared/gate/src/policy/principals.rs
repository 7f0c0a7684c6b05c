//! Finds policies that trust everyone: rights on a bucket, a queue or a key, and roles that anyone may take.

use crate::check::error;
use crate::hcl::{self, label};
use crate::places::is_yaml;
use crate::yaml::{self, Node};
use crate::{POLICY, Unit, Written};
use domain::gate::Finding;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    let (files, _) = hcl::parse(&unit.files);
    let endpoints: String = files
        .iter()
        .flat_map(|parsed| parsed.blocks())
        .filter(|(_, block)| is_endpoint(label(block, 0)))
        .map(|(_, block)| block.body.to_string())
        .collect();
    for parsed in &files {
        for (line, block) in parsed.blocks() {
            let document = format!("data.{}.{}.", label(block, 0), label(block, 1));
            // The policy of an endpoint limits what the network may reach; by default it names everyone.
            if is_endpoint(label(block, 0)) || endpoints.contains(&document) {
                continue;
            }
            let body = block.body.to_string();
            let message = match label(block, 0) {
                "aws_lambda_permission" => permitted(&body),
                _ => trusting(unit, &body),
            };
            if let Some(message) = message {
                findings.push(error(POLICY, message).at(Some(&parsed.file.path), line));
            }
        }
    }
    for file in unit.written() {
        // A policy may be in a file of any name.
        let json = file.text.trim_start().starts_with('{') && file.text.contains("\"Statement\"");
        if let Some(message) = trusting(unit, &file.text).filter(|_| json) {
            findings.push(error(POLICY, message).at(Some(&file.path), 1));
        }
        if let Some((line, message)) = listed(unit, file) {
            findings.push(error(POLICY, message).at(Some(&file.path), line));
        }
    }
    for shell in unit.running() {
        for command in &shell.script.commands {
            let argv = command.argv();
            // A policy may be an argument, the value of a variable, or what `jq` makes of its program.
            let given = command.words.iter().filter(|word| word.text.contains("Principal"));
            let message = given.filter_map(|word| trusting(unit, &word.text)).next();
            if let Some(message) = message.or_else(|| permits(&argv)) {
                let line = command.line + shell.offset;
                findings.push(error(POLICY, message).at(shell.file.as_deref(), line));
            }
        }
    }
}

fn is_endpoint(kind: &str) -> bool {
    kind.starts_with("aws_vpc_endpoint")
}

/// How policies name everyone, without spaces and quotes.
const EVERYONE: [&str; 9] = [
    "identifiers=[*]",
    "Principal=*",
    "Principal:*",
    "Principal={AWS=*}",
    "Principal={AWS=[*]}",
    "Principal={AWS:*}",
    "Principal={AWS:[*]}",
    "Principal:{AWS:*}",
    "Principal:{AWS:[*]}",
];

/// Why a text lets everyone in: a statement of a policy that allows something to everyone, without a condition.
fn trusting(unit: &Unit, text: &str) -> Option<String> {
    let statement = statements(text).into_iter().find(|statement| {
        let lower = statement.to_lowercase();
        EVERYONE.iter().any(|sign| statement.contains(sign))
            && !lower.contains("effect=deny")
            && !lower.contains("effect:deny")
            && !lower.contains("condition")
    })?;
    if statement.contains("sts:AssumeRole") {
        return Some(
            "Everyone with an account could take this role: name who may take it in `Principal`."
                .to_owned(),
        );
    }
    // Pages and downloads that were asked to be public.
    let reads = statement.contains("s3:GetObject") && !statement.contains("s3:*");
    (!(reads && unit.context.publishes())).then(|| {
        "This policy lets everyone in, without a condition: name who has access in `Principal`."
            .to_owned()
    })
}

/// A statement of a policy in YAML, as in CloudFormation and in tasks of Ansible, that lets everyone in.
fn listed(unit: &Unit, file: &Written) -> Option<(usize, String)> {
    let documents = yaml::documents(&file.filled()).ok().filter(|_| is_yaml(file))?;
    let mut statements = documents.iter().flat_map(Node::all);
    let statement = statements.find(|node| {
        let everyone = |node: &Node| {
            node.text() == Some("*") || node.list().iter().any(|one| one.text() == Some("*"))
        };
        let principal = node.get("Principal");
        let named =
            principal.is_some_and(|who| everyone(who) || who.get("AWS").is_some_and(everyone));
        let allows = node.get("Effect").and_then(Node::text) == Some("Allow");
        allows && named && node.get("Condition").is_none()
    })?;
    let action = statement.get("Action").map(|action| {
        let all = std::iter::once(action).chain(action.list());
        all.filter_map(Node::text).collect::<Vec<_>>().join(" ")
    });
    let text = format!("{{Effect:Allow,Principal:*,Action:{}}}", action.unwrap_or_default());
    trusting(unit, &text).map(|message| (statement.line, message))
}

/// The statements of the policies in a text, without spaces and quotes: the innermost braces around an effect or around
/// actions.
pub(super) fn statements(text: &str) -> Vec<String> {
    let (mut opened, mut found): (Vec<usize>, Vec<String>) = (Vec::new(), Vec::new());
    let bare: Vec<char> = text.chars().filter(|c| !c.is_whitespace() && *c != '"').collect();
    for (at, char) in bare.iter().enumerate() {
        match char {
            '{' => opened.push(at),
            '}' => {
                let Some(from) = opened.pop() else { continue };
                let part: String = bare[from..=at].iter().collect();
                let is = ["Effect=", "Effect:", "actions=", "Action=", "Action:"]
                    .iter()
                    .any(|key| part.contains(key));
                let inner = found.last().is_some_and(|last: &String| part.contains(last.as_str()));
                if is && !inner {
                    found.push(part);
                }
            }
            _ => {}
        }
    }
    found
}

/// A function that everyone may call by a resource of Terraform.
fn permitted(body: &str) -> Option<String> {
    let bare: String = body.chars().filter(|c| !c.is_whitespace() && *c != '"').collect();
    let limited =
        ["source_arn=", "source_account=", "principal_org_id=", "function_url_auth_type="]
            .iter()
            .any(|limit| bare.contains(limit));
    (bare.contains("principal=*") && !limited).then(|| {
        "Everyone could call this function: name who may call it in `principal`.".to_owned()
    })
}

/// A function that everyone may call by a command.
fn permits(argv: &[&str]) -> Option<String> {
    let ["aws", "lambda", "add-permission", rest @ ..] = argv else { return None };
    let everyone =
        rest.windows(2).any(|two| two == ["--principal", "*"]) || rest.contains(&"--principal=*");
    let limited = rest.iter().any(|word| {
        ["--source-arn", "--source-account", "--principal-org-id", "--function-url-auth-type"]
            .iter()
            .any(|option| word.starts_with(option))
    });
    (everyone && !limited).then(|| {
        "Everyone could call this function: name who may call it with `--principal`.".to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Context;

    fn said(asked: &str, text: &str) -> usize {
        let context = Context { asked, ..Context::default() };
        let unit = Unit::new(text, &context);
        let mut findings = Vec::new();
        examine(&unit, &mut findings);
        findings.len()
    }

    fn terraform(text: &str) -> String {
        format!("cat >main.tf <<'E'\n{text}\nE\n")
    }

    #[test]
    fn policies_name_who_may() {
        let queue = "resource \"aws_sqs_queue_policy\" \"a\" {\n  policy = jsonencode({\n    Statement = [{\n      Effect = \"Allow\"\n      Principal = { AWS = \"*\" }\n      Action = \"sqs:SendMessage\"\n      Resource = \"r\"\n    }]\n  })\n}";
        let limited = queue.replace(
            "Resource =",
            "Condition = { ArnEquals = { \"aws:SourceArn\" = \"b\" } }\n      Resource =",
        );
        let document = "data \"aws_iam_policy_document\" \"a\" {\n  statement {\n    effect = \"Deny\"\n    actions = [\"s3:*\"]\n    principals {\n      type = \"*\"\n      identifiers = [\"*\"]\n    }\n  }\n  statement {\n    actions = [\"s3:PutObject\"]\n    principals {\n      type = \"AWS\"\n      identifiers = [\"*\"]\n    }\n  }\n}";
        let denied = document
            .replace("    actions = [\"s3:Put", "    effect = \"Deny\"\n    actions = [\"s3:Put");
        let endpoint = format!(
            "{document}\nresource \"aws_vpc_endpoint\" \"b\" {{\n  policy = data.aws_iam_policy_document.a.json\n}}"
        );
        for (text, count) in [
            (terraform(queue), 1),
            (terraform(&limited), 0),
            (terraform(&queue.replace("{ AWS = \"*\" }", "{ Service = \"events.amazonaws.com\" }")), 0),
            (terraform(document), 1),
            (terraform(&denied), 0),
            (terraform(&endpoint), 0),
            ("aws iam create-role --role-name a --assume-role-policy-document '{\"Statement\":[{\"Effect\":\"Allow\",\"Principal\":{\"AWS\":\"*\"},\"Action\":\"sts:AssumeRole\"}]}'\n".into(), 1),
            ("cat >trust.json <<'E'\n{\"Statement\": [{\"Effect\": \"Allow\", \"Principal\": \"*\", \"Action\": \"kms:Decrypt\"}]}\nE\n".into(), 1),
            ("cat >\"$trust\" <<'E'\n{\"Statement\": [{\"Effect\": \"Allow\", \"Principal\": {\"AWS\": \"*\"}, \"Action\": \"sts:AssumeRole\"}]}\nE\n".into(), 1),
            ("cat >stack.yaml <<'E'\nStatement:\n  - Effect: Allow\n    Principal: {AWS: '*'}\n    Action: [sqs:SendMessage]\nE\n".into(), 1),
            ("cat >stack.yaml <<'E'\nStatement:\n  - Effect: Allow\n    Principal: {Service: a}\n    Action: [sqs:SendMessage]\nE\n".into(), 0),
            ("cat >trust.json <<'E'\n{\"Statement\": [{\"Effect\": \"Allow\", \"Principal\": {\"Service\": \"a\"}, \"Action\": \"*\"}]}\nE\n".into(), 0),
            ("aws lambda add-permission --function-name a --statement-id b --action lambda:InvokeFunction --principal '*'\n".into(), 1),
            (terraform("resource \"aws_lambda_permission\" \"a\" {\n  action = \"lambda:InvokeFunction\"\n  function_name = \"b\"\n  principal = \"*\"\n}"), 1),
            (terraform("resource \"aws_lambda_permission\" \"a\" {\n  action = \"lambda:InvokeFunction\"\n  function_name = \"b\"\n  principal = \"*\"\n  principal_org_id = \"o-1\"\n}"), 0),
            ("aws lambda add-permission --function-name a --action lambda:InvokeFunction --principal s3.amazonaws.com\n".into(), 0),
        ] {
            assert_eq!(said("A shop", &text), count, "{text}");
        }
        let pages = terraform(&document.replace("s3:PutObject", "s3:GetObject"));
        assert_eq!((said("A public static site", &pages), said("A shop", &pages)), (0, 1));
    }
}
