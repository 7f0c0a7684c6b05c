//! Checks resources, data sources and providers against their schemas, as `terraform validate` does where the provider is
//! at hand: names and kinds of arguments, required ones, blocks, and the attributes that references name.

use super::TOOL;
use super::given::{Given, given};
use super::schema::{Field, Kind, exists, fields, of, resolved, types};
use super::settings::{line_of, resource};
use crate::check::error;
use crate::check::spelling::nearest;
use crate::hcl::{Parsed, attribute, entry, label};
use domain::gate::Finding;
use hcl_edit::expr::{Expression, Traversal, TraversalOperator};
use hcl_edit::structure::{Block, Body};
use hcl_edit::visit::{Visit, visit_body, visit_traversal};

/// What Terraform itself takes in each resource and data source.
const META: [&str; 5] = ["count", "depends_on", "for_each", "id", "provider"];
const META_BLOCKS: [&str; 4] = ["connection", "lifecycle", "provisioner", "timeouts"];

/// Attributes that each resource has, or may have with a newer version of its provider.
const COMMON: [&str; 4] = ["id", "region", "tags_all", "timeouts"];

pub(super) fn examine(parsed: &Parsed, folder: &[&Parsed], findings: &mut Vec<Finding>) {
    let mut add = |line: usize, message: String| {
        findings.push(error(TOOL, message).at(Some(&parsed.file.path), line));
    };
    for (line, block) in parsed.blocks() {
        let Some(kind) = kind(block) else { continue };
        if !known(&kind, block, folder) {
            continue;
        }
        let mut check =
            Check { parsed, folder, line, values: !parsed.file.expands, found: Vec::new() };
        match resolved(&kind) {
            Some(path) => check.body(&kind, path, &block.body, true),
            None if !exists(&kind) => check.missing_type(&kind),
            None => {}
        }
        check.found.drain(..).for_each(|(line, message)| add(line, message));
    }
    if !parsed.file.expands {
        let mut references = References { folder, found: Vec::new() };
        visit_body(&mut references, &parsed.body);
        for (name, message) in references.found {
            add(parsed.line_of(&name), message);
        }
    }
}

/// The type of a resource, `data.` and that of a data source, or `provider.` and a provider's name.
fn kind(block: &Block) -> Option<String> {
    match block.ident.as_str() {
        "resource" => Some(label(block, 0).to_owned()),
        "data" => Some(format!("data.{}", label(block, 0))),
        "provider" => Some(format!("provider.{}", label(block, 0))),
        _ => None,
    }
}

/// Whether the tables hold for a block: its provider is known, and so is the version.
pub(super) fn known(kind: &str, block: &Block, folder: &[&Parsed]) -> bool {
    let bare = kind.trim_start_matches("data.").trim_start_matches("provider.");
    let Some(provider) = of(bare) else { return false };
    // `google-beta` has more types and arguments.
    let chosen = attribute(&block.body, "provider").unwrap_or_default();
    if chosen.contains('-') {
        return false;
    }
    let (source, version) = required(provider.name, folder);
    provider.holds(source.as_deref(), version.as_deref())
}

/// The source and version that `required_providers` gives for a provider.
fn required(name: &str, folder: &[&Parsed]) -> (Option<String>, Option<String>) {
    for block in folder.iter().flat_map(|parsed| parsed.body.get_blocks("terraform")) {
        for providers in block.body.get_blocks("required_providers") {
            let Some(given) = providers.body.get_attribute(name) else { continue };
            let Expression::Object(object) = &given.value else { continue };
            let value = |key: &str| entry(object, key)?.as_str().map(str::to_owned);
            return (value("source"), value("version"));
        }
    }
    (None, None)
}

/// The end of a message that names what may be meant.
fn hint(word: &str, known: &[&str]) -> String {
    nearest(word, known).map_or_else(String::new, |near| format!("; `{near}` is close"))
}

struct Check<'a> {
    parsed: &'a Parsed<'a>,
    folder: &'a [&'a Parsed<'a>],
    /// The line of the whole block.
    line: usize,
    /// Whether values are as they are written.
    values: bool,
    found: Vec<(usize, String)>,
}

impl Check<'_> {
    fn add(&mut self, key: &str, message: String) {
        self.found.push((line_of(self.parsed, self.line, key), message));
    }

    fn missing_type(&mut self, kind: &str) {
        let bare = kind.trim_start_matches("data.");
        let what = if bare == kind { "resource" } else { "data source" };
        let prefix = kind.split_inclusive('_').next().unwrap_or_default();
        let names = types(prefix);
        let names: Vec<&str> = names.iter().map(|name| name.trim_start_matches("data.")).collect();
        let near = hint(bare, &names);
        self.add(bare, format!("The provider has no {what} `{bare}`{near}."));
    }

    /// Checks a body against the fields at `path`, which `shown` calls as the file does.
    fn body(&mut self, shown: &str, path: &str, body: &Body, top: bool) {
        let fields = fields(path);
        let find = |name: &str| fields.iter().find(|field| field.name == name);
        let shown = shown.trim_start_matches("data.");
        let mut given: Vec<&str> = Vec::new();
        for attribute in body.attributes() {
            let key = attribute.key.as_str();
            given.push(key);
            if top && (META.contains(&key) || COMMON.contains(&key) || key == "version") {
                continue;
            }
            match find(key) {
                None => self.unknown(shown, key, "argument", &fields),
                Some(field) if field.decided => {
                    self.add(key, format!("Only the provider sets `{key}` of `{shown}`."));
                }
                Some(field) => self.value(key, field, &attribute.value),
            }
        }
        for block in body.blocks() {
            let ident = block.ident.as_str();
            let dynamic = ident == "dynamic";
            let key = if dynamic { label(block, 0) } else { ident };
            given.push(key);
            if META_BLOCKS.contains(&key) && (top || key == "timeouts") {
                continue;
            }
            let Some(field) = find(key) else {
                self.unknown(shown, key, "block", &fields);
                continue;
            };
            if !matches!(field.kind, Kind::Block | Kind::Object | Kind::Any) {
                self.add(key, format!("`{key}` of `{shown}` is an argument: write `{key} = …`."));
                continue;
            }
            let inner = if dynamic {
                block.body.get_blocks("content").next().map(|content| &content.body)
            } else {
                Some(&block.body)
            };
            if let (Some(inner), Some(path)) = (inner, resolved(&format!("{path}.{key}"))) {
                self.body(&format!("{shown}.{key}"), path, inner, false);
            }
        }
        for field in fields.iter().filter(|field| field.required) {
            if !given.contains(&field.name) {
                let what = if field.kind == Kind::Block { "block" } else { "argument" };
                self.add(shown, format!("`{shown}` lacks the {what} `{}`.", field.name));
            }
        }
    }

    fn unknown(&mut self, shown: &str, key: &str, what: &str, fields: &[Field]) {
        let names: Vec<&str> =
            fields.iter().filter(|field| !field.decided).map(|field| field.name).collect();
        let near = hint(key, &names);
        self.add(key, format!("`{shown}` has no {what} `{key}`{near}."));
    }

    fn value(&mut self, key: &str, field: &Field, value: &Expression) {
        if field.kind == Kind::Block {
            self.add(key, format!("`{key}` is a block: write `{key} {{ … }}` without `=`."));
            return;
        }
        if !self.values {
            return;
        }
        let wanted = match (field.kind, given(value, self.folder)) {
            (Kind::Text, Given::List | Given::Map | Given::Whole) => "one value",
            (Kind::Number, Given::List | Given::Map | Given::Whole | Given::Bool | Given::Word) => {
                "a number"
            }
            (Kind::Bool, Given::List | Given::Map | Given::Whole | Given::Number | Given::Word) => {
                "`true` or `false`"
            }
            (Kind::List, Given::Number | Given::Bool | Given::Word | Given::One) => {
                "a list, in brackets"
            }
            (Kind::List, Given::Nested) => "a list, but this is a list of lists",
            (Kind::Map, Given::Number | Given::Bool | Given::Word | Given::List) => {
                "names with values, in braces"
            }
            _ => return,
        };
        self.add(key, format!("`{key}` takes {wanted}."));
    }
}

/// The block that a reference begins with, its type with `data.`, and the operators after it.
pub(super) fn target<'a, 'b>(
    traversal: &'a Traversal,
    folder: &[&'b Parsed],
) -> Option<(String, &'b Block, &'a [hcl_edit::Decorated<TraversalOperator>])> {
    let Expression::Variable(root) = &traversal.expr else { return None };
    let names = |at: usize| match traversal.operators.get(at)?.value() {
        TraversalOperator::GetAttr(name) => Some(name.as_str()),
        _ => None,
    };
    if root.as_str() == "data" {
        let (kind, name) = (names(0)?, names(1)?);
        let mut blocks = folder.iter().flat_map(|parsed| parsed.body.blocks());
        let block = blocks.find(|block| {
            block.ident.as_str() == "data" && label(block, 0) == kind && label(block, 1) == name
        })?;
        return Some((format!("data.{kind}"), block, traversal.operators.get(2..)?));
    }
    let block = resource(folder, root.as_str(), names(0)?)?;
    Some((root.as_str().to_owned(), block, traversal.operators.get(1..)?))
}

/// References to attributes that their block does not have.
struct References<'a> {
    folder: &'a [&'a Parsed<'a>],
    found: Vec<(String, String)>,
}

impl Visit for References<'_> {
    fn visit_traversal(&mut self, node: &Traversal) {
        if let Some((kind, block, rest)) = target(node, self.folder) {
            let mut names = rest.iter().map_while(|operator| match operator.value() {
                TraversalOperator::GetAttr(name) => Some(Some(name.as_str())),
                TraversalOperator::Index(_)
                | TraversalOperator::LegacyIndex(_)
                | TraversalOperator::AttrSplat(_)
                | TraversalOperator::FullSplat(_) => Some(None),
            });
            // One index or pattern may choose among several.
            let name = match names.next() {
                Some(None) => names.next().flatten(),
                first => first.flatten(),
            };
            if let (Some(name), true, Some(path)) =
                (name, known(&kind, block, self.folder), resolved(&kind))
            {
                let fields = fields(path);
                let exists = COMMON.contains(&name) || fields.iter().any(|it| it.name == name);
                if !exists {
                    let names: Vec<&str> = fields.iter().map(|field| field.name).collect();
                    let near = hint(name, &names);
                    let message = format!("`{kind}` has no attribute `{name}`{near}.");
                    self.found.push((name.to_owned(), message));
                }
            }
        }
        visit_traversal(self, node);
    }
}
