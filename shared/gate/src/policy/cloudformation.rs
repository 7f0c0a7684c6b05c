//! Finds what a template of CloudFormation opens to everyone, and rights in YAML that are wider than anyone needs.

use super::buckets::BUCKET;
use super::opened_ports::may_open;
use super::ports::refusal;
use super::wide_rights::everything;
use crate::check::cloudformation::{resources, template};
use crate::check::error;
use crate::places::is_yaml;
use crate::yaml::{self, Node};
use crate::{POLICY, Unit};
use domain::gate::Finding;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for file in unit.written() {
        let mut found = Vec::new();
        if let Some(template) = template(file) {
            for (_, resource) in resources(&template) {
                found.extend(open(unit, resource, &template));
            }
        }
        if is_yaml(file) && file.text.contains("Effect") {
            let documents = yaml::documents(&file.filled()).unwrap_or_default();
            let statements = documents.iter().flat_map(Node::all);
            found.extend(statements.filter_map(|it| Some((it.line, everything(&flat(it)?)?))));
        }
        findings.extend(
            found.into_iter().map(|(line, said)| error(POLICY, said).at(Some(&file.path), line)),
        );
    }
}

/// A statement of a policy as JSON writes it.
fn flat(node: &Node) -> Option<String> {
    let text = |key: &str| {
        let value = node.get(key)?;
        let listed: Vec<&str> = value.list().iter().filter_map(Node::text).collect();
        let one = value.text().map(|text| format!("\"{text}\""));
        one.or_else(|| (!listed.is_empty()).then(|| format!("[\"{}\"]", listed.join("\", \""))))
    };
    let (action, resource) = (text("Action")?, text("Resource")?);
    let plain = ["Condition", "NotAction", "Principal"].iter().all(|key| node.get(key).is_none());
    (node.get("Effect")?.text() == Some("Allow") && plain).then(|| {
        format!("{{\"Effect\": \"Allow\", \"Action\": {action}, \"Resource\": {resource}}}")
    })
}

const DATABASE: &str = "Everyone could connect to this, which was not asked for.";

/// What a resource opens to everyone.
fn open(unit: &Unit, resource: &Node, template: &Node) -> Vec<(usize, String)> {
    let kind = resource.get("Type").and_then(Node::text).unwrap_or_default();
    let Some(given) = resource.get("Properties") else { return Vec::new() };
    let yes = |key: &str, words: &[&str]| {
        let value = given.get(key)?;
        value.text().is_some_and(|text| words.contains(&text)).then_some(value.line)
    };
    let public = !unit.context.publishes();
    match kind {
        "AWS::EC2::SecurityGroup" => {
            let rules = given.get("SecurityGroupIngress").map(Node::list).unwrap_or_default();
            rules.iter().filter_map(|rule| admits(unit, rule, template)).collect()
        }
        "AWS::EC2::SecurityGroupIngress" => admits(unit, given, template).into_iter().collect(),
        "AWS::S3::Bucket" if public => {
            let acl = yes("AccessControl", &["PublicRead", "PublicReadWrite"]);
            let block = given.get("PublicAccessBlockConfiguration").map(Node::map);
            let mut block = block.unwrap_or_default().iter();
            let off = block.find(|entry| entry.value.text() == Some("false"));
            let line = acl.or(off.map(|entry| entry.line));
            line.map(|line| (line, BUCKET.to_owned())).into_iter().collect()
        }
        "AWS::RDS::DBInstance" | "AWS::RDS::DBCluster" if public => {
            let line = yes("PubliclyAccessible", &["true"]);
            line.map(|line| (line, DATABASE.to_owned())).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// Why a rule of a security group must not let everyone in.
fn admits(unit: &Unit, rule: &Node, template: &Node) -> Option<(usize, String)> {
    let value = |key: &str| {
        let node = rule.get(key)?;
        // `!Ref Range` reads as the name of the parameter.
        let name = node.get("Ref").and_then(Node::text).or_else(|| node.text())?;
        let parameter = template.get("Parameters").and_then(|all| all.get(name));
        let default = parameter.and_then(|one| one.get("Default")?.text());
        Some(if parameter.is_some() { default.unwrap_or_default() } else { name })
    };
    let everyone = value("CidrIp") == Some("0.0.0.0/0") || value("CidrIpv6") == Some("::/0");
    if !everyone {
        return None;
    }
    let port = |key: &str| value(key).and_then(|text| text.parse::<u16>().ok());
    match (port("FromPort"), port("ToPort")) {
        (Some(from), Some(to)) if from == to => {
            (!may_open(unit, from)).then(|| (rule.line, refusal(&from.to_string())))
        }
        (Some(from), Some(to)) => Some((rule.line, refusal(&format!("{from} to {to}")))),
        _ => {
            let every = ["-1", "tcp", "udp"].map(Some).contains(&value("IpProtocol"));
            let named = rule.get("FromPort").is_some();
            (every && !named).then(|| (rule.line, refusal("")))
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_template_opens_only_what_was_asked_for() {
        let said = |text: &str| {
            let text = format!("cat >a.yaml <<'E'\n{text}\nE\n");
            let asked = "A shop with HTTPS on port 443, SSH from my own address only.";
            crate::testing::said_when(asked, super::examine, &text).len()
        };
        let group = |rule: &str| {
            format!(
                "Parameters:\n  Range: {{Type: String, Default: 0.0.0.0/0}}\n  Own: {{Type: String}}\nResources:\n  A:\n    Type: AWS::EC2::SecurityGroup\n    Properties:\n      SecurityGroupIngress:\n        - {{IpProtocol: tcp, {rule}}}"
            )
        };
        let role = |statement: &str| {
            format!(
                "Resources:\n  A:\n    Type: AWS::IAM::Policy\n    Properties:\n      PolicyDocument:\n        Statement:\n          - {{Effect: Allow, {statement}}}"
            )
        };
        let one = |kind: &str, given: &str| {
            format!("Resources:\n  A:\n    Type: AWS::{kind}\n    Properties:\n      {given}")
        };
        for text in [
            group("FromPort: 22, ToPort: 22, CidrIp: 0.0.0.0/0"),
            group("FromPort: 22, ToPort: 22, CidrIp: !Ref Range"),
            group("FromPort: 0, ToPort: 65535, CidrIpv6: \"::/0\""),
            group("CidrIp: 0.0.0.0/0"),
            one("S3::Bucket", "AccessControl: PublicRead"),
            one("S3::Bucket", "PublicAccessBlockConfiguration: {BlockPublicAcls: false}"),
            one("RDS::DBInstance", "PubliclyAccessible: true"),
            role("Action: \"*\", Resource: \"*\""),
            role("Action: [\"s3:*\"], Resource: \"*\""),
        ] {
            assert_eq!(said(&text), 1, "{text}");
        }
        for text in [
            group("FromPort: 443, ToPort: 443, CidrIp: 0.0.0.0/0"),
            group("FromPort: 22, ToPort: 22, CidrIp: !Ref Own"),
            group("FromPort: 22, ToPort: 22, CidrIp: 10.0.0.0/8"),
            one("S3::Bucket", "PublicAccessBlockConfiguration: {BlockPublicAcls: true}"),
            one("RDS::DBInstance", "PubliclyAccessible: false"),
            role("Action: [s3:GetObject], Resource: \"*\""),
            role("Action: \"s3:*\", Resource: arn:aws:s3:::a"),
        ] {
            assert_eq!(said(&text), 0, "{text}");
        }
    }
}
