//! Checks what one part of Terraform's files takes from another: modules and their inputs and outputs, templates and
//! their values, `each` and `count`, and names that nothing sets.

use super::registry::interface;
use super::{TOOL, is_bound};
use crate::Unit;
use crate::check::error;
use crate::check::names::in_expression;
use crate::check::references::plain;
use crate::hcl::{Parsed, attribute, label};
use domain::gate::Finding;
use hcl_edit::expr::{Expression, ForExpr, FuncCall, Traversal, TraversalOperator};
use hcl_edit::structure::{Attribute, Block};
use hcl_edit::visit::{
    Visit, visit_attr, visit_block, visit_expr, visit_for_expr, visit_func_call, visit_traversal,
};
use std::collections::BTreeSet;

/// What a file uses.
#[derive(Default)]
struct Uses {
    /// The parts of each name up to the first index.
    names: BTreeSet<Vec<String>>,
    /// Words without quotes that name nothing.
    bare: BTreeSet<String>,
    /// Names of loops in the place that is read.
    scope: Vec<String>,
    /// Names with a dot whose first word no loop around them sets.
    free: BTreeSet<(String, String)>,
    /// Names of loops over a module that is repeated.
    aliases: Vec<(String, String)>,
    /// Paths of templates, and the names of the values that they get.
    templates: Vec<(String, Vec<String>)>,
}

/// Attributes whose values are words of the language, or names in another place.
const WORDS: [&str; 11] = [
    "configuration_aliases",
    "depends_on",
    "from",
    "ignore_changes",
    "iterator",
    "on_failure",
    "provider",
    "providers",
    "to",
    "type",
    "when",
];

impl Visit for Uses {
    fn visit_block(&mut self, node: &Block) {
        let dynamic = node.ident.as_str() == "dynamic";
        let named = attribute(&node.body, "iterator").unwrap_or_else(|| label(node, 0).to_owned());
        self.scope.extend(dynamic.then_some(named));
        visit_block(self, node);
        self.scope.truncate(self.scope.len() - usize::from(dynamic));
    }

    fn visit_for_expr(&mut self, node: &ForExpr) {
        let before = self.scope.len();
        let value = node.intro.value_var.as_str().to_owned();
        let over = node.intro.collection_expr.to_string();
        if let Some(module) =
            over.trim().strip_prefix("module.").filter(|name| !name.contains(['.', '[']))
        {
            self.aliases.push((value.clone(), module.to_owned()));
        }
        self.scope.push(value);
        self.scope.extend(node.intro.key_var.as_ref().map(|name| name.as_str().to_owned()));
        visit_for_expr(self, node);
        self.scope.truncate(before);
    }

    fn visit_attr(&mut self, node: &Attribute) {
        if !WORDS.contains(&node.key.as_str()) {
            visit_attr(self, node);
        }
    }

    fn visit_expr(&mut self, node: &Expression) {
        if let Expression::Variable(name) = node {
            self.bare.insert(name.as_str().to_owned());
        }
        visit_expr(self, node);
    }

    fn visit_traversal(&mut self, node: &Traversal) {
        let Expression::Variable(root) = &node.expr else { return visit_traversal(self, node) };
        let mut parts = vec![root.as_str().to_owned()];
        for operator in &node.operators {
            match operator.value() {
                TraversalOperator::GetAttr(name) => parts.push(name.as_str().to_owned()),
                TraversalOperator::Index(index) => {
                    parts.push(String::new());
                    self.visit_expr(index);
                }
                _ => parts.push(String::new()),
            }
        }
        if let Some(second) = parts.get(1).filter(|part| !part.is_empty())
            && !self.scope.contains(&parts[0])
        {
            self.free.insert((parts[0].clone(), second.clone()));
        }
        if let Some((_, module)) = self.aliases.iter().rfind(|(name, _)| *name == parts[0]) {
            let rest = parts[1..].iter().cloned();
            parts = ["module".to_owned(), module.clone()].into_iter().chain(rest).collect();
        }
        parts.retain(|part| !part.is_empty());
        self.names.insert(parts);
    }

    fn visit_func_call(&mut self, node: &FuncCall) {
        if node.name.name.as_str() == "templatefile"
            && let (Some(path), Some(Expression::Object(given))) =
                (node.args.get(0), node.args.get(1))
        {
            let keys =
                given.iter().map(|(key, _)| key.as_ident().map(|name| name.as_str().to_owned()));
            let keys: Option<Vec<String>> = keys.collect();
            let path = path.to_string();
            self.templates
                .extend(keys.map(|keys| (path.trim().trim_matches('"').to_owned(), keys)));
        }
        visit_func_call(self, node);
    }
}

/// The first words of names that Terraform knows.
const ROOTS: [&str; 11] = [
    "count",
    "data",
    "each",
    "ephemeral",
    "local",
    "module",
    "path",
    "self",
    "terraform",
    "var",
    "null",
];

pub(super) fn examine(unit: &Unit, parsed: &Parsed, all: &[Parsed], findings: &mut Vec<Finding>) {
    let mut tell = |line: usize, message: String| {
        findings.push(error(TOOL, message).at(Some(&parsed.file.path), line));
    };
    // What bash fills in is not known.
    if parsed.file.expands {
        return;
    }
    let mut uses = Uses::default();
    for (line, block) in parsed.blocks() {
        if block.ident.as_str() == "terraform" {
            continue;
        }
        let mut inner = Uses::default();
        inner.visit_block(block);
        for (root, key) in [("each", "for_each"), ("count", "count")] {
            let repeats = block.body.get_attribute(key).is_some();
            let used = inner.names.iter().find(|parts| parts[0] == root);
            let kind = ["resource", "data", "module", "ephemeral"].contains(&block.ident.as_str());
            if let Some(used) = used.filter(|_| kind && !repeats) {
                let name = used.join(".");
                let at = line_from(parsed, line, &name);
                tell(at, format!("`{name}` has no value here: this block has no `{key}`."));
            }
        }
        if block.ident.as_str() == "module" {
            module(parsed, line, block, all, &mut tell);
        }
        uses.names.extend(inner.names);
        uses.free.extend(inner.free);
        uses.templates.extend(inner.templates);
        uses.bare.extend(inner.bare);
    }
    for parts in &uses.names {
        let root = parts[0].as_str();
        if root == "module" && parts.len() > 2 {
            output(parsed, parts, all, &mut tell);
        }
    }
    for (root, second) in &uses.free {
        let free = !root.contains('_') && !ROOTS.contains(&root.as_str());
        // Loops in templates are not followed.
        let looped =
            ["%{ for", "%{for", "%{~ for"].iter().any(|sign| parsed.file.text.contains(sign));
        if free && !(looped && is_bound(&parsed.file.text, root)) {
            let name = format!("{root}.{second}");
            tell(
                parsed.line_of(&name),
                format!("`{name}` refers to nothing: no loop here sets `{root}`."),
            );
        }
    }
    for word in &uses.bare {
        let known = ROOTS.contains(&word.as_str()) || is_bound(&parsed.file.text, word);
        if !known {
            tell(
                parsed.line_of(word),
                format!("Terraform does not know the name `{word}`. A string needs quotes."),
            );
        }
    }
    for (path, given) in &uses.templates {
        template(unit, parsed, path, given, &mut tell);
    }
}

/// The line of a name in a block that begins in `line`.
fn line_from(parsed: &Parsed, line: usize, name: &str) -> usize {
    let lines = parsed.file.text.lines().enumerate().skip(line.saturating_sub(1));
    lines.into_iter().find(|(_, text)| text.contains(name)).map_or(line, |(at, _)| at + 1)
}

/// The files of the module that a block calls, if they are known.
fn called<'a>(parsed: &Parsed, block: &Block, all: &'a [Parsed<'a>]) -> Vec<&'a Parsed<'a>> {
    let source = attribute(&block.body, "source").unwrap_or_default();
    let source = source.trim_matches('"');
    if !source.starts_with(['.']) {
        return Vec::new();
    }
    let folder = plain(&format!("{}/{source}", parsed.file.folder()));
    let folder = folder.trim_start_matches('/');
    all.iter()
        .filter(|other| other.file.folder() == folder && other.file.extension() == "tf")
        .collect()
}

/// Arguments of every module.
const META: [&str; 6] = ["count", "depends_on", "for_each", "providers", "source", "version"];

fn module(
    parsed: &Parsed,
    line: usize,
    block: &Block,
    all: &[Parsed],
    tell: &mut impl FnMut(usize, String),
) {
    let files = called(parsed, block, all);
    let name = label(block, 0);
    if files.is_empty() {
        let Some(module) = interface(block) else { return };
        let keys = block.body.attributes().map(|given| given.key.as_str());
        for key in keys.filter(|key| !META.contains(key) && !module.inputs.contains(key)) {
            let at = line_from(parsed, line, key);
            tell(at, format!("The module `{name}` has no variable `{key}`."));
        }
        return;
    }
    let inputs = files.iter().flat_map(|file| file.blocks());
    let inputs = inputs.map(|(_, block)| block).filter(|block| block.ident.as_str() == "variable");
    let inputs: Vec<(&str, bool)> = inputs
        .map(|block| (label(block, 0), block.body.get_attribute("default").is_some()))
        .collect();
    for given in block.body.attributes() {
        let key = given.key.as_str();
        if !META.contains(&key) && !inputs.iter().any(|(input, _)| *input == key) {
            let at = line_from(parsed, line, key);
            tell(at, format!("The module `{name}` has no variable `{key}`."));
        }
    }
    for (input, optional) in inputs {
        if !optional && block.body.get_attribute(input).is_none() {
            tell(line, format!("The module `{name}` needs a value for `{input}`."));
        }
    }
}

fn output(parsed: &Parsed, parts: &[String], all: &[Parsed], tell: &mut impl FnMut(usize, String)) {
    let here = all.iter().filter(|other| other.file.folder() == parsed.file.folder());
    let blocks: Vec<_> = here
        .flat_map(|file| file.blocks().into_iter().map(move |(_, block)| (file, block)))
        .collect();
    let calls = |block: &Block| block.ident.as_str() == "module" && label(block, 0) == parts[1];
    let Some((file, block)) = blocks.into_iter().find(|(_, block)| calls(block)) else { return };
    let files = called(file, block, all);
    let blocks: Vec<_> = files.iter().flat_map(|file| file.blocks()).collect();
    let named = |block: &Block| block.ident.as_str() == "output" && label(block, 0) == parts[2];
    let fetched = interface(block).filter(|_| files.is_empty());
    let lacks = match &fetched {
        Some(module) => !module.outputs.contains(&parts[2].as_str()),
        None => !files.is_empty() && !blocks.iter().any(|(_, block)| named(block)),
    };
    if lacks {
        let name = parts[..3].join(".");
        tell(
            parsed.line_of(&name),
            format!("The module `{}` has no output `{}`.", parts[1], parts[2]),
        );
    }
}

/// Words of Terraform's expressions.
const LANGUAGE: [&str; 8] = ["else", "endfor", "endif", "false", "for", "if", "in", "null"];

/// The names in a template that its caller gives no value.
fn template(
    unit: &Unit,
    parsed: &Parsed,
    path: &str,
    given: &[String],
    tell: &mut impl FnMut(usize, String),
) {
    let name = path.replace("${path.module}/", "").replace("${path.root}/", "");
    let place = plain(&format!("{}/{name}", parsed.file.folder()));
    let place = place.trim_start_matches('/');
    let Some(file) = unit.tree.iter().find(|file| file.path == place && !file.expands) else {
        return;
    };
    let text = file.text.replace("$${", " ").replace("%%{", " ");
    let mut rest = text.as_str();
    while let Some(at) = rest.find(['$', '%']) {
        let sign = &rest[at + 1..];
        rest = sign;
        let Some(inner) = sign.strip_prefix('{') else { continue };
        let Some((inner, behind)) = inner.split_once('}') else { continue };
        rest = behind;
        for used in in_expression(inner) {
            let used = used.text;
            let bound = [format!("for {used} in"), format!(", {used} in"), format!("for {used},")];
            let known = given.contains(&used)
                || used == "true"
                || LANGUAGE.contains(&used.as_str())
                || bound.iter().any(|sign| text.contains(sign));
            if !known {
                let base = name.rsplit('/').next().unwrap_or_default();
                let line = parsed.line_of(base);
                return tell(
                    line,
                    format!("The template `{base}` uses `{used}`, which gets no value here."),
                );
            }
        }
    }
}
