//! Checks the values of Terraform's arguments and how they fit together, as far as a provider's documentation states it
//! for everyone. `terraform validate` needs the provider's schema for the same checks, and some mistakes show only in
//! the cloud, when half of the resources exist.

use super::TOOL;
use crate::Unit;
use crate::check::error;
use crate::check::values::{cidr, contains, refused};
use crate::hcl::{Parsed, attribute, label};
use domain::gate::Finding;
use hcl_edit::expr::{Expression, Traversal, TraversalOperator};
use hcl_edit::structure::{Block, Body};
use hcl_edit::visit::{Visit, visit_traversal};

pub(super) fn examine(
    unit: &Unit,
    parsed: &Parsed,
    folder: &[&Parsed],
    findings: &mut Vec<Finding>,
) {
    if parsed.file.expands {
        return;
    }
    let mut found = Vec::new();
    for (line, block) in parsed.blocks() {
        let kind = label(block, 0);
        match block.ident.as_str() {
            "resource" | "data" => {
                values(&block.body, kind, &mut found);
                fits(block, kind, folder, &mut found);
                references(&block.body, &mut found);
            }
            "provider" if kind == "aws" => values(&block.body, "aws", &mut found),
            "output" => secret(block, &mut found),
            _ => {}
        }
        repeated(block, folder, &mut found);
        for (key, message) in found.drain(..) {
            let at = line_of(parsed, line, &key);
            findings.push(error(TOOL, message).at(Some(&parsed.file.path), at));
        }
    }
    handlers(unit, parsed, findings);
}

/// A key by which the line is found, and the message.
type Found = Vec<(String, String)>;

pub(super) fn line_of(parsed: &Parsed, from: usize, key: &str) -> usize {
    let lines = parsed.file.text.lines().enumerate().skip(from.saturating_sub(1));
    lines.into_iter().find(|(_, text)| text.contains(key)).map_or(from, |(at, _)| at + 1)
}

/// A literal value, or those of a list.
fn literals(value: &Expression) -> Vec<String> {
    match value {
        Expression::Array(items) => items.iter().flat_map(literals).collect(),
        Expression::String(text) => vec![text.as_str().to_owned()],
        Expression::Bool(_) | Expression::Number(_) => vec![value.to_string().trim().to_owned()],
        _ => Vec::new(),
    }
}

/// Values that an argument does not take, in a block and the blocks in it.
fn values(body: &Body, kind: &str, found: &mut Found) {
    for given in body.attributes() {
        let key = given.key.as_str();
        for value in literals(&given.value) {
            let words = refused(kind, key, &value).or_else(|| refused("any", key, &value));
            if let Some(words) = words {
                found.push((key.to_owned(), format!("`{key}` does not take `{value}`: {words}.")));
            }
        }
    }
    for block in body.blocks() {
        values(&block.body, &format!("{kind}.{}", block.ident.as_str()), found);
    }
}

/// Pairs of arguments of which the first is at most the second.
const ORDERED: [(&str, &str); 6] = [
    ("min_size", "max_size"),
    ("min_size", "desired_capacity"),
    ("desired_capacity", "max_size"),
    ("min_capacity", "max_capacity"),
    ("allocated_storage", "max_allocated_storage"),
    ("timeout", "interval"),
];

/// The memory that Fargate gives to each number of CPU units, in MiB: from, to, in steps of.
const FARGATE: [(u32, u32, u32, u32); 5] = [
    (256, 512, 2048, 512),
    (512, 1024, 4096, 1024),
    (1024, 2048, 8192, 1024),
    (2048, 4096, 16384, 1024),
    (4096, 8192, 30720, 1024),
];

fn fits(block: &Block, kind: &str, folder: &[&Parsed], found: &mut Found) {
    let body = &block.body;
    let number = |body: &Body, key: &str| {
        attribute(body, key).and_then(|text| text.trim_matches('"').parse::<u32>().ok())
    };
    let nested = body.blocks().map(|block| &block.body);
    for body in std::iter::once(body).chain(nested) {
        for (small, large) in ORDERED {
            let (Some(low), Some(high)) = (number(body, small), number(body, large)) else {
                continue;
            };
            if low > high {
                let message =
                    format!("`{small}` is {low} and `{large}` is {high}: it must not be larger.");
                found.push((small.to_owned(), message));
            }
        }
    }
    if kind == "aws_ecs_task_definition"
        && attribute(body, "requires_compatibilities").is_some_and(|text| text.contains("FARGATE"))
    {
        if attribute(body, "network_mode").is_some_and(|mode| mode != "\"awsvpc\"") {
            let message = "Fargate needs the network mode `awsvpc`.".to_owned();
            found.push(("network_mode".to_owned(), message));
        }
        if let (Some(cpu), Some(memory)) = (number(body, "cpu"), number(body, "memory")) {
            let fits = FARGATE.iter().any(|(units, from, to, step)| {
                cpu == *units && (*from..=*to).contains(&memory) && memory % step == 0
            });
            if !fits && cpu <= 4096 {
                let message = format!("Fargate has no task with {cpu} CPU units and {memory} MiB.");
                found.push(("memory".to_owned(), message));
            }
        }
    }
    if kind == "hcloud_firewall" {
        for rule in body.get_blocks("rule") {
            let protocol = attribute(&rule.body, "protocol").unwrap_or_default();
            if ["\"tcp\"", "\"udp\""].contains(&protocol.as_str())
                && !rule.body.has_attribute("port")
            {
                found.push(("rule".to_owned(), format!("A rule for {protocol} needs a `port`.")));
            }
        }
    }
    range(block, folder, found);
}

/// Arguments with an address range, and those that name the network around it.
const RANGES: [(&str, &str); 2] = [("ip_range", "network_id"), ("cidr_block", "vpc_id")];

/// The range of a subnet is part of its network's.
fn range(block: &Block, folder: &[&Parsed], found: &mut Found) {
    for (key, parent) in RANGES {
        let (Some(own), Some(parent)) =
            (attribute(&block.body, key), attribute(&block.body, parent))
        else {
            continue;
        };
        let names: Vec<&str> = parent.split('.').collect();
        let [kind, name, ..] = names.as_slice() else { continue };
        let outer = resource(folder, kind, name).and_then(|block| attribute(&block.body, key));
        let (Some(outer), Some(inner)) =
            (outer.and_then(|text| cidr(text.trim_matches('"'))), cidr(own.trim_matches('"')))
        else {
            continue;
        };
        if !contains(outer, inner) {
            found.push((key.to_owned(), format!("{own} is not part of `{kind}.{name}`.")));
        }
    }
}

pub(super) fn resource<'a>(folder: &[&'a Parsed], kind: &str, name: &str) -> Option<&'a Block> {
    let mut blocks = folder.iter().flat_map(|parsed| parsed.body.blocks());
    blocks.find(|block| {
        block.ident.as_str() == "resource" && label(block, 0) == kind && label(block, 1) == name
    })
}

/// Arguments that want an id or an ARN, and get a name.
fn references(body: &Body, found: &mut Found) {
    for given in body.attributes() {
        let key = given.key.as_str();
        let wants = ["_id", "_ids", "_arn", "_arns"].iter().any(|end| key.ends_with(end));
        let parts: Vec<&Expression> = match &given.value {
            Expression::Array(items) => items.iter().collect(),
            other => vec![other],
        };
        for part in parts.iter().filter(|_| wants) {
            let text = part.to_string();
            let words: Vec<&str> = text.trim().split('.').collect();
            if let [kind, _, "name"] = words.as_slice()
                && kind.contains('_')
            {
                let what = if key.contains("_arn") { "ARN" } else { "id" };
                found.push((
                    key.to_owned(),
                    format!(
                        "`{key}` needs the {what} of `{}`, not its name.",
                        words[..2].join(".")
                    ),
                ));
            }
        }
    }
    body.blocks().for_each(|block| references(&block.body, found));
}

/// Attributes whose values Terraform keeps secret.
const SECRET: [&str; 6] = [
    "random_password.",
    "tls_private_key.",
    ".private_key_pem",
    ".private_key_openssh",
    ".secret_string",
    "aws_iam_access_key.",
];

/// An output that shows a secret: Terraform refuses to plan it.
fn secret(block: &Block, found: &mut Found) {
    let value = attribute(&block.body, "value").unwrap_or_default();
    let harmless = [".public_key", ".id", ".arn", "nonsensitive(", ".bcrypt_hash"];
    let reveals = SECRET.iter().any(|sign| value.contains(sign))
        && (value.contains(".result") || value.contains("private_key") || value.contains("secret"))
        && !harmless.iter().any(|sign| value.contains(sign) && !value.contains("private_key_"));
    let given_away = value.contains("nonsensitive(")
        && ["random_password.", "private_key"].iter().any(|sign| value.contains(sign));
    if given_away {
        let message = "`nonsensitive` shows this secret in each plan and output.".to_owned();
        found.push(("value".to_owned(), message));
    }
    if reveals && attribute(&block.body, "sensitive").as_deref() != Some("true") {
        let message = "This output shows a secret: write `sensitive = true`.".to_owned();
        found.push(("value".to_owned(), message));
    }
}

/// Names of resources of which there are several, without a choice among them.
#[derive(Default)]
struct Whole(Vec<(String, String, String)>);

impl Visit for Whole {
    fn visit_traversal(&mut self, node: &Traversal) {
        if let Expression::Variable(root) = &node.expr {
            let names = node.operators.iter().take(2).map(|operator| match operator.value() {
                TraversalOperator::GetAttr(name) => Some(name.as_str().to_owned()),
                _ => None,
            });
            if let [Some(name), Some(attribute)] = names.collect::<Vec<_>>().as_slice() {
                self.0.push((root.as_str().to_owned(), name.clone(), attribute.clone()));
            }
        }
        visit_traversal(self, node);
    }
}

fn repeated(block: &Block, folder: &[&Parsed], found: &mut Found) {
    let mut whole = Whole::default();
    whole.visit_block(block);
    for (kind, name, attribute) in whole.0.iter().filter(|(kind, ..)| kind.contains('_')) {
        let Some(several) = resource(folder, kind, name) else { continue };
        for (key, choice) in [("count", "count.index"), ("for_each", "each.key")] {
            // With `for_each`, an attribute may be a key.
            if several.body.has_attribute(key) && key == "count" {
                let text = format!("{kind}.{name}.{attribute}");
                let message = format!(
                    "There are several of `{kind}.{name}`: choose one, as with `[{choice}]`, or all with `[*]`."
                );
                found.push((text, message));
            }
        }
    }
}

/// The module that a function's handler names must be in its archive.
fn handlers(unit: &Unit, parsed: &Parsed, findings: &mut Vec<Finding>) {
    for (line, block) in parsed.blocks() {
        let body = &block.body;
        let runtime = attribute(body, "runtime").unwrap_or_default();
        let ends: &[&str] = match runtime.trim_matches('"') {
            name if name.starts_with("python") => &["py"],
            name if name.starts_with("nodejs") => &["js", "mjs", "cjs"],
            _ => continue,
        };
        let handler = attribute(body, "handler").unwrap_or_default();
        let Some((module, _)) = handler.trim_matches('"').rsplit_once('.') else { continue };
        let base = module.rsplit('/').next().unwrap_or(module);
        let sources: Vec<&str> = unit
            .tree
            .iter()
            .filter(|file| ends.contains(&file.extension().as_str()))
            .map(|file| file.name().rsplit_once('.').map_or("", |(name, _)| name))
            .collect();
        if label(block, 0) == "aws_lambda_function"
            && !sources.is_empty()
            && !sources.contains(&base)
        {
            let message =
                format!("The handler is in `{base}.{}`, which nothing here writes.", ends[0]);
            let at = line_of(parsed, line, "handler");
            findings.push(error(TOOL, message).at(Some(&parsed.file.path), at));
        }
    }
}
