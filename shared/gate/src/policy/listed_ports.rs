//! Finds ports that a list of rules opens to everyone: `ssh = { port = 22, source = "*" }` in Terraform's locals and
//! values, from which blocks of a firewall are made, and numbers of ports over which such a block repeats itself.

use super::opened_ports::{EVERYONE, may_open};
use crate::check::error;
use crate::hcl::{self, Parsed, label};
use crate::{POLICY, Unit};
use domain::gate::Finding;
use hcl_edit::expr::{Expression, Object, ObjectKey, Traversal, TraversalOperator};
use hcl_edit::structure::{Attribute, Block, Body};
use hcl_edit::visit::{Visit, visit_attr, visit_block};

/// Keys of such a rule.
const PORTS: [&str; 7] =
    ["destination_port_range", "dport", "from_port", "port", "port_range", "ports", "to_port"];
const SOURCES: [&str; 10] = [
    "address",
    "cidr",
    "cidr_blocks",
    "cidrs",
    "source",
    "source_address_prefix",
    "source_cidr",
    "source_ips",
    "source_ranges",
    "sources",
];
/// Words of rules that do not let anyone in.
const OTHERS: [&str; 5] = ["egress", "outbound", "\"out\"", "deny", "drop"];

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    let (files, _) = hcl::parse(&unit.files);
    for parsed in files.iter().filter(|parsed| !parsed.file.expands) {
        let mut rules = Rules { all: &files, ports: Vec::new(), block: String::new() };
        rules.visit_body(&parsed.body);
        for (sign, port) in rules.ports {
            if may_open(unit, port) {
                continue;
            }
            let message = super::ports::refusal(&port.to_string());
            let lines = parsed.file.text.lines().enumerate();
            let named = lines.into_iter().find(|(_, line)| line.contains(&sign));
            let line = named.map_or(1, |(at, _)| at + 1);
            findings.push(error(POLICY, message).at(Some(&parsed.file.path), line));
        }
    }
}

/// Ports that rules open, with a text of the line in which each occurs.
struct Rules<'a> {
    all: &'a [Parsed<'a>],
    ports: Vec<(String, u16)>,
    /// The kind and the name of the block around a place.
    block: String,
}

impl Visit for Rules<'_> {
    fn visit_block(&mut self, node: &Block) {
        let labels: Vec<&str> = node.labels.iter().map(|label| label.as_str()).collect();
        let above = std::mem::replace(&mut self.block, labels.join(" ").to_lowercase());
        if node.ident.as_str() == "dynamic"
            && ["ingress", "rule", "inbound_rule"].contains(&label(node, 0))
        {
            self.repeated(&node.body, label(node, 0));
        }
        visit_block(self, node);
        self.block = above;
    }

    fn visit_attr(&mut self, node: &Attribute) {
        let above = self.block.clone();
        self.block = format!("{above} {}", node.key.as_str().to_lowercase());
        visit_attr(self, node);
        self.block = above;
    }

    fn visit_object(&mut self, node: &Object) {
        if let Some(port) = open_port(node).filter(|_| !is_other(&self.block)) {
            let mut values = node.iter().filter(|(key, _)| PORTS.contains(&name(key)));
            let sign = values.next().map(|(_, value)| value.expr().to_string());
            self.ports.push((sign.unwrap_or_default().trim().to_owned(), port));
        }
        let above = self.block.clone();
        for (key, value) in node {
            self.block = format!("{above} {}", name(key).to_lowercase());
            self.visit_expr(value.expr());
        }
        self.block = above;
    }
}

impl Rules<'_> {
    /// The ports over which a block for everyone repeats itself.
    fn repeated(&mut self, body: &Body, kind: &str) {
        let iterator = body.get_attribute("iterator").map(|name| name.value.to_string());
        let iterator = iterator.map_or_else(|| kind.to_owned(), |name| name.trim().to_owned());
        let Some(content) = body.get_blocks("content").next().map(|content| &content.body) else {
            return;
        };
        let given = |keys: &[&str]| {
            content.attributes().find(|it| keys.contains(&it.key.as_str())).map(|it| &it.value)
        };
        let whole = content.to_string();
        let own = format!("{iterator}.value");
        let (Some(port), Some(over)) = (given(&PORTS), body.get_attribute("for_each")) else {
            return;
        };
        if !given(&SOURCES).is_some_and(is_everyone) || is_other(&whole.to_lowercase()) {
            return;
        }
        let port = port.to_string();
        let part =
            port.trim().strip_prefix(&own).map(|rest| rest.trim_start_matches('.').to_owned());
        let Some(part) = part else { return };
        let values = self.values(&over.value).into_iter();
        let ports = values.filter_map(|value| match value {
            Expression::Object(object) => number(hcl::entry(object, &part)?),
            other => number(other).filter(|_| part.is_empty()),
        });
        let ports: Vec<u16> = ports.collect();
        self.ports.extend(ports.into_iter().map(|port| (port.to_string(), port)));
    }

    /// The values in a list or a map that is written out, here or as a local name.
    fn values<'b>(&'b self, over: &'b Expression) -> Vec<&'b Expression> {
        match over {
            Expression::Array(items) => items.iter().collect(),
            Expression::Object(object) => object.iter().map(|(_, value)| value.expr()).collect(),
            Expression::FuncCall(call) if call.name.name.as_str() == "toset" => {
                call.args.iter().flat_map(|inner| self.values(inner)).collect()
            }
            Expression::Traversal(traversal) => {
                let value = self.local(traversal);
                let plain = value.filter(|it| !matches!(it, Expression::Traversal(_)));
                plain.map(|value| self.values(value)).unwrap_or_default()
            }
            _ => Vec::new(),
        }
    }

    fn local(&self, traversal: &Traversal) -> Option<&Expression> {
        let (Expression::Variable(root), [one]) = (&traversal.expr, traversal.operators.as_slice())
        else {
            return None;
        };
        let TraversalOperator::GetAttr(name) = one.value() else { return None };
        let locals = self.all.iter().flat_map(|parsed| parsed.body.get_blocks("locals"));
        let mut values = locals.filter_map(|block| block.body.get_attribute(name.as_str()));
        values.next().filter(|_| root.as_str() == "local").map(|attribute| &attribute.value)
    }
}

fn name(key: &ObjectKey) -> &str {
    match key {
        ObjectKey::Ident(name) => name.as_str(),
        ObjectKey::Expression(name) => name.as_str().unwrap_or_default(),
    }
}

/// The port of a rule that lets everyone in.
fn open_port(rule: &Object) -> Option<u16> {
    let value = |keys: &[&str]| {
        rule.iter().find(|(key, _)| keys.contains(&name(key))).map(|(_, value)| value.expr())
    };
    let everyone = value(&SOURCES).is_some_and(is_everyone);
    let other = rule
        .iter()
        .any(|(key, value)| is_other(&format!("{} {}", name(key), value.expr()).to_lowercase()));
    value(&PORTS).filter(|_| everyone && !other).and_then(number)
}

fn is_other(text: &str) -> bool {
    OTHERS.iter().any(|other| text.contains(other))
}

/// Whether a source, or one of several, is everyone.
fn is_everyone(value: &Expression) -> bool {
    match value {
        Expression::Array(items) => items.iter().any(is_everyone),
        value => value.as_str().is_some_and(|text| EVERYONE.contains(&text)),
    }
}

/// A port, or the only one of a list.
fn number(value: &Expression) -> Option<u16> {
    match value {
        Expression::Array(items) if items.len() == 1 => items.iter().next().and_then(number),
        value => value.to_string().trim().trim_matches('"').parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    fn said(text: &str) -> usize {
        let text = format!("cat >a.tf <<'E'\n{text}\nE\n");
        crate::testing::said(super::examine, &text).len()
    }

    #[test]
    fn a_rule_names_whom_it_lets_in() {
        let locals = |rule: &str| format!("locals {{\n  rules = {{\n{rule}\n  }}\n}}");
        for rule in [
            "    db = { priority = 120, port = \"5432\", source = \"*\" }",
            "    db = { port = 5432, cidrs = [\"0.0.0.0/0\"] }",
            "    db = {\n      port        = 5432\n      cidr_blocks = [\"10.0.0.0/8\", \"0.0.0.0/0\"]\n    }",
        ] {
            assert_eq!(said(&locals(rule)), 1, "{rule}");
        }
        for rule in [
            "    db = { port = \"5432\", source = var.admin_cidr }",
            "    all_egress = { port = 5432, cidr = \"0.0.0.0/0\" }",
            "    db = { port = 5432, cidr = \"0.0.0.0/0\", access = \"Deny\" }",
            "    db = { port = var.port, source = \"*\" }",
            "    db = {\n      port = 5432\n      cidr = \"10.0.0.0/8\"\n    }",
        ] {
            assert_eq!(said(&locals(rule)), 0, "{rule}");
        }
        assert_eq!(said("variable \"port\" {\n  default = 5432\n}"), 0);
    }

    #[test]
    fn a_block_repeats_itself_over_ports() {
        let group = "locals {\n  ports = { web = 443, db = PORT }\n}\nresource \"aws_security_group\" \"a\" {\n  dynamic \"ingress\" {\n    for_each = local.ports\n    content {\n      from_port = ingress.value\n      to_port = ingress.value\n      cidr_blocks = [\"0.0.0.0/0\"]\n    }\n  }\n}";
        let asked = "443 and 80 for everyone";
        let context = crate::Context { asked, ..crate::Context::default() };
        let count = |text: &str| {
            let text = format!("cat >a.tf <<'E'\n{text}\nE\n");
            let mut findings = Vec::new();
            super::examine(&crate::Unit::new(&text, &context), &mut findings);
            findings.len()
        };
        assert_eq!(count(&group.replace("PORT", "5432")), 1);
        assert_eq!(count(&group.replace("PORT", "80")), 0);
        assert_eq!(count(&group.replace("PORT", "5432").replace("0.0.0.0/0", "10.0.0.0/8")), 0);
        let objects = group
            .replace("PORT", "{ port = 5432 }")
            .replace("from_port = ingress.value", "from_port = ingress.value.port");
        assert_eq!(count(&objects), 1);
    }
}
