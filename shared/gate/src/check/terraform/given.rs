//! Tells what kind of value an expression surely has, as far as the files of its folder say.

use super::fields::{known, target};
use super::schema::{Kind, fields, resolved};
use crate::hcl::{Parsed, label};
use hcl_edit::expr::{Expression, Traversal, TraversalOperator};
use hcl_edit::template::Element;

/// What an expression surely is.
pub(super) enum Given {
    Number,
    Bool,
    /// A text that is neither a number nor a truth value.
    Word,
    /// One value: an attribute of another block, a variable, or the result of a function.
    One,
    List,
    /// A list with a list in it.
    Nested,
    Map,
    /// A resource instead of one of its attributes.
    Whole,
    Unsure,
}

/// How many names may lead to one another.
const STEPS: usize = 5;

/// Functions whose result is one value.
const ONE: [&str; 34] = [
    "abspath",
    "base64decode",
    "base64encode",
    "basename",
    "chomp",
    "cidrhost",
    "cidrnetmask",
    "cidrsubnet",
    "dirname",
    "file",
    "filebase64",
    "filebase64sha256",
    "filemd5",
    "filesha256",
    "format",
    "formatdate",
    "join",
    "jsonencode",
    "length",
    "lower",
    "md5",
    "pathexpand",
    "replace",
    "sha1",
    "sha256",
    "substr",
    "templatefile",
    "timestamp",
    "tostring",
    "trimprefix",
    "trimspace",
    "trimsuffix",
    "upper",
    "yamlencode",
];

/// Functions whose result is a list or a set.
const LISTS: [&str; 15] = [
    "compact",
    "concat",
    "distinct",
    "fileset",
    "flatten",
    "formatlist",
    "keys",
    "range",
    "setunion",
    "slice",
    "sort",
    "split",
    "tolist",
    "toset",
    "values",
];

pub(super) fn given(value: &Expression, folder: &[&Parsed]) -> Given {
    after(value, folder, STEPS)
}

fn after(value: &Expression, folder: &[&Parsed], steps: usize) -> Given {
    match value {
        Expression::Number(_) => Given::Number,
        Expression::Bool(_) => Given::Bool,
        Expression::String(text) => match text.as_str() {
            "true" | "false" => Given::Unsure,
            text if text.parse::<f64>().is_ok() => Given::Unsure,
            _ => Given::Word,
        },
        // A template of nothing but one value has the kind of that value.
        Expression::StringTemplate(template) => {
            let text = template.iter().any(|part| matches!(part, Element::Literal(_)));
            if text { Given::One } else { Given::Unsure }
        }
        Expression::Array(items) => {
            let list = |item| matches!(after(item, folder, steps), Given::List);
            if items.iter().any(list) { Given::Nested } else { Given::List }
        }
        Expression::Object(_) => Given::Map,
        Expression::ForExpr(loops) => {
            if loops.key_expr.is_some() {
                Given::Map
            } else {
                Given::List
            }
        }
        Expression::FuncCall(call) => {
            let name = call.name.name.as_str();
            match name {
                "merge" | "tomap" | "zipmap" => Given::Map,
                _ if ONE.contains(&name) => Given::One,
                _ if LISTS.contains(&name) => Given::List,
                _ => Given::Unsure,
            }
        }
        Expression::Traversal(traversal) => match named(traversal) {
            Some(("local", name)) if steps > 0 => {
                let local = local(name, folder);
                local.map_or(Given::Unsure, |value| after(value, folder, steps - 1))
            }
            Some(("var", name)) => variable(name, folder),
            _ => referred(traversal, folder),
        },
        _ => Given::Unsure,
    }
}

/// The two parts of a name that has no more.
fn named(traversal: &Traversal) -> Option<(&str, &str)> {
    let (Expression::Variable(root), [one]) = (&traversal.expr, traversal.operators.as_slice())
    else {
        return None;
    };
    let TraversalOperator::GetAttr(name) = one.value() else { return None };
    Some((root.as_str(), name.as_str()))
}

/// The value of a local name.
pub(super) fn local<'a>(name: &str, folder: &[&'a Parsed]) -> Option<&'a Expression> {
    let locals = folder.iter().flat_map(|parsed| parsed.body.get_blocks("locals"));
    let mut values = locals.filter_map(|block| block.body.get_attribute(name));
    values.next().map(|attribute| &attribute.value)
}

/// What a variable is by its type.
fn variable(name: &str, folder: &[&Parsed]) -> Given {
    let blocks = folder.iter().flat_map(|parsed| parsed.body.get_blocks("variable"));
    let mut own = blocks.filter(|block| label(block, 0) == name);
    let kind = own.next().and_then(|block| block.body.get_attribute("type"));
    match kind.map(|kind| &kind.value) {
        Some(Expression::Variable(kind)) => match kind.as_str() {
            "string" | "number" | "bool" => Given::One,
            _ => Given::Unsure,
        },
        Some(Expression::FuncCall(kind)) => match kind.name.name.as_str() {
            "list" | "set" | "tuple" => Given::List,
            "map" | "object" => Given::Map,
            _ => Given::Unsure,
        },
        _ => Given::Unsure,
    }
}

/// What an attribute of another block is, without an index or a pattern.
fn referred(traversal: &Traversal, folder: &[&Parsed]) -> Given {
    let Some((kind, block, rest)) = target(traversal, folder) else { return Given::Unsure };
    if ["count", "for_each"].iter().any(|several| block.body.has_attribute(several)) {
        return Given::Unsure;
    }
    let (true, Some(path)) = (known(&kind, block, folder), resolved(&kind)) else {
        return Given::Unsure;
    };
    let [one] = rest else {
        return if rest.is_empty() { Given::Whole } else { Given::Unsure };
    };
    let TraversalOperator::GetAttr(name) = one.value() else { return Given::Unsure };
    let field = fields(path).into_iter().find(|field| field.name == name.as_str());
    match field.map(|field| field.kind) {
        Some(Kind::Text | Kind::Number | Kind::Bool) => Given::One,
        Some(Kind::List) => Given::List,
        Some(Kind::Map) => Given::Map,
        None if name.as_str() == "id" => Given::One,
        _ => Given::Unsure,
    }
}
