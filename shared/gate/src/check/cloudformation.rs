//! Checks templates of CloudFormation as the service does: types and properties of resources, and names that refer to
//! nothing.

use super::error;
use crate::yaml::{self, Node};
use crate::{FILES, Unit, Written};
use domain::gate::Finding;
use std::collections::BTreeSet;

/// A service's resource, then its properties.
const TABLE: &str = include_str!("cloudformation.txt");

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for file in unit.written() {
        let Some(template) = template(file) else { continue };
        let mut found = Vec::new();
        for (name, resource) in resources(&template) {
            if !is_rewritten(&template) {
                typed(name, resource, &mut found);
            }
        }
        // A macro may add resources and parameters of its own.
        if template.get("Transform").is_none() {
            referring(&template, &file.text, &mut found);
        }
        found.sort();
        found.dedup();
        findings.extend(
            found.into_iter().map(|(line, said)| error(FILES, said).at(Some(&file.path), line)),
        );
    }
}

/// Whether an author's own macro rewrites a template before CloudFormation reads its properties.
fn is_rewritten(template: &Node) -> bool {
    let macros = template.get("Transform").into_iter().flat_map(Node::all);
    macros.filter_map(Node::text).any(|name| !name.starts_with("AWS::"))
}

/// The template in a file; `None` for other files.
pub(crate) fn template(file: &Written) -> Option<Node> {
    let named = ["json", "template", "yaml", "yml"].contains(&file.extension().as_str());
    if !named || !file.text.contains("Resources") || !file.text.contains("AWS::") {
        return None;
    }
    let template = yaml::documents(&file.filled()).ok()?.into_iter().next()?;
    let typed = |resource: &Node| {
        resource.get("Type").and_then(Node::text).is_some_and(|kind| kind.starts_with("AWS::"))
    };
    template.get("Resources")?.map().iter().any(|entry| typed(&entry.value)).then_some(template)
}

/// The resources of a template, each with its name.
pub(crate) fn resources(template: &Node) -> impl Iterator<Item = (&str, &Node)> {
    let all = template.get("Resources").map(Node::map).unwrap_or_default();
    let own = all.iter().filter(|entry| !entry.key.contains("::"));
    own.map(|entry| (entry.key.as_str(), &entry.value))
}

/// What is wrong with a resource's type and properties.
fn typed(name: &str, resource: &Node, found: &mut Vec<(usize, String)>) {
    let Some(kind) = resource.get("Type") else {
        if !resource.map().is_empty() {
            found.push((resource.line, format!("The resource `{name}` has no `Type`.")));
        }
        return;
    };
    let Some(bare) = kind.text().and_then(|text| text.strip_prefix("AWS::")) else { return };
    let mut lines = TABLE.lines().filter(|line| !line.starts_with('#'));
    let of = |line: &str| line.strip_prefix(bare)?.strip_prefix(": ").map(str::to_owned);
    let Some(known) = lines.find_map(of) else {
        let service = bare.split("::").next().unwrap_or(bare);
        let start = format!("{service}::");
        // A resource of three parts, such as `AWS::S3::Bucket::MODULE`, belongs to a module.
        if bare.matches("::").count() == 1 && TABLE.lines().any(|line| line.starts_with(&start)) {
            let said = format!("CloudFormation has no resource of the type `AWS::{bare}`.");
            found.push((kind.line, said));
        }
        return;
    };
    let known: Vec<&str> = known.split(' ').collect();
    let given = resource.get("Properties");
    let open = known.contains(&"*");
    let entries = given.map(Node::map).unwrap_or_default();
    for entry in entries {
        let one = |word: &&str| word.trim_end_matches('!') == entry.key;
        let function = entry.key.starts_with("Fn::") || entry.key == "<<";
        if !open && !function && !known.iter().any(one) {
            let said = format!("`AWS::{bare}` has no property `{}`.", entry.key);
            found.push((entry.line, said));
        }
    }
    let whole = entries.iter().all(|entry| !entry.key.starts_with("Fn::") && entry.key != "<<");
    for word in known.iter().filter_map(|word| word.strip_suffix('!')).filter(|_| whole) {
        if !entries.iter().any(|entry| entry.key == word) {
            let said = format!("`AWS::{bare}` needs the property `{word}`.");
            found.push((resource.line, said));
        }
    }
}

/// Names that refer to nothing in the template.
fn referring(template: &Node, text: &str, found: &mut Vec<(usize, String)>) {
    let keys = |section: &str| {
        let entries = template.get(section).map(Node::map).unwrap_or_default();
        entries.iter().map(|entry| entry.key.clone()).collect::<BTreeSet<String>>()
    };
    let mut names = keys("Parameters");
    let resources = keys("Resources");
    names.extend(resources.iter().cloned());
    // A loop makes resources with names of its own.
    if names.iter().any(|name| name.contains("::")) {
        return;
    }
    let conditions = keys("Conditions");
    let missing =
        |name: &str| format!("`{name}` is neither a parameter nor a resource of this template.");
    let known = |name: &str| {
        name.starts_with("AWS::") || name == "x" || names.contains(name) || !is_plain(name)
    };
    for node in template.all() {
        for entry in node.map() {
            let value = entry.value.text();
            match (entry.key.as_str(), value) {
                ("Ref", Some(name)) if !known(name) => found.push((entry.line, missing(name))),
                ("Fn::GetAtt", _) => {
                    let first = entry.value.list().first().and_then(Node::text);
                    let name = value.or(first).and_then(|name| name.split('.').next());
                    let name = name.filter(|name| !resources.contains(*name) && is_plain(name));
                    found.extend(name.map(|name| (entry.line, missing(name))));
                }
                ("DependsOn", _) => {
                    let listed = entry.value.list().iter().filter_map(Node::text);
                    for name in value.into_iter().chain(listed) {
                        if !resources.contains(name) && is_plain(name) {
                            let said = format!("`{name}` is not a resource of this template.");
                            found.push((entry.line, said));
                        }
                    }
                }
                ("Fn::Sub", Some(text)) => {
                    let names = filled(text).into_iter().filter(|name| !known(name));
                    found.extend(names.map(|name| (entry.line, missing(&name))));
                }
                _ => {}
            }
        }
    }
    // The tags of the short forms are not in the nodes.
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().starts_with('#')) {
        for sign in ["!Ref ", "!GetAtt ", "!Condition "] {
            for (_, rest) in line.match_indices(sign).map(|(at, _)| line.split_at(at + sign.len()))
            {
                let part = |c: char| !c.is_ascii_alphanumeric() && c != ':';
                let name = rest.trim_start_matches(['"', '\'']).split(part).next();
                let Some(name) = name.filter(|name| !name.is_empty()) else { continue };
                let there = match sign {
                    "!Condition " => conditions.contains(name),
                    "!GetAtt " => resources.contains(name),
                    _ => known(name),
                };
                if !there && sign == "!Condition " {
                    found.push((at + 1, format!("This template has no condition `{name}`.")));
                } else if !there {
                    found.push((at + 1, missing(name)));
                }
            }
        }
        // With a list, `!Sub` has variables of its own.
        if let Some((_, rest)) = line.split_once("!Sub ").filter(|(_, rest)| !rest.starts_with('['))
        {
            let names = filled(rest).into_iter().filter(|name| !known(name));
            found.extend(names.map(|name| (at + 1, missing(&name))));
        }
    }
}

/// Whether a name is written out.
fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric())
}

/// The names in `${…}` of a text: `${!Name}` stands for itself.
fn filled(text: &str) -> Vec<String> {
    let parts = text.split("${").skip(1).filter_map(|rest| rest.split_once('}'));
    let names = parts.map(|(name, _)| name.trim()).filter(|name| !name.starts_with('!'));
    names.filter_map(|name| name.split('.').next()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    fn said(text: &str) -> Vec<String> {
        let text = format!("cat >a.yaml <<'E'\n{text}E\n");
        crate::testing::said(super::examine, &text)
    }

    const BUCKET: &str = "Parameters:\n  Stage: {Type: String}\nResources:\n  A:\n    Type: AWS::S3::Bucket\n    Properties:\n      BucketName: ";

    #[test]
    fn a_name_in_a_template_refers_to_something() {
        for text in ["!Ref Stages", "!Sub \"a-${Stages}\"", "!GetAtt B.Arn", "{\"Ref\": \"B\"}"] {
            assert_eq!(said(&format!("{BUCKET}{text}\n")).len(), 1, "{text}");
        }
        for text in [
            "!Ref Stage",
            "!Sub \"a-${Stage}-${AWS::Region}-${!Name}\"",
            "!Sub [\"a-${Name}\", {Name: b}]",
            "{\"Fn::Sub\": \"${A.Arn}/x\"}",
            "!Join [\"-\", [!Ref Stage, a]]",
        ] {
            let found = said(&format!("{BUCKET}{text}\n"));
            assert!(found.is_empty(), "{text}: {found:?}");
        }
        let other = format!("{BUCKET}a\n    DependsOn: C\n");
        assert_eq!(said(&other), ["`C` is not a resource of this template."]);
        assert!(said(&format!("Transform: Macro\n{BUCKET}!Ref B\n")).is_empty());
    }

    #[test]
    fn a_resource_has_the_properties_of_its_type() {
        let queue = |text: &str| {
            format!(
                "Resources:\n  A:\n    Type: AWS::SQS::Queue\n    Properties:\n      {text}: 1\n"
            )
        };
        assert_eq!(
            said(&queue("VisibilityTimeoutSeconds")),
            ["`AWS::SQS::Queue` has no property `VisibilityTimeoutSeconds`."]
        );
        assert!(said(&queue("VisibilityTimeout")).is_empty());
        for (kind, expected) in [
            ("S3::Bukket", 1),
            ("S3::Bucket", 0),
            ("EC2::Subnet", 1),
            ("EC2::VPC", 0),
            ("Custom::A", 0),
        ] {
            let text = format!("Resources:\n  A:\n    Type: AWS::{kind}\n");
            assert_eq!(said(&text).len(), expected, "{kind}");
        }
    }
}
