//! Finds parts of `each.value`, and of the value of a `dynamic` block, that the objects of a loop do not have.

use super::TOOL;
use super::given::local;
use crate::check::error;
use crate::check::spelling::nearest;
use crate::hcl::{Parsed, label};
use domain::gate::Finding;
use hcl_edit::expr::{Expression, FuncCall, Object, ObjectKey, Traversal, TraversalOperator};
use hcl_edit::structure::{Block, Body};
use hcl_edit::visit::{Visit, visit_block, visit_body, visit_func_call, visit_traversal};

pub(super) fn examine(parsed: &Parsed, folder: &[&Parsed], findings: &mut Vec<Finding>) {
    if parsed.file.expands {
        return;
    }
    for (line, block) in parsed.blocks() {
        let mut parts = Parts { folder, loops: Vec::new(), found: Vec::new() };
        parts.enter("each", &block.body);
        visit_body(&mut parts, &block.body);
        for (name, near) in parts.found {
            let text = parsed.file.text.lines().enumerate().skip(line.saturating_sub(1));
            let at = text.into_iter().find(|(_, line)| line.contains(&name));
            let near = near.map_or_else(String::new, |near| format!("; `{near}` is close"));
            let message = format!("Not every object of this loop has `{name}`{near}.");
            let at = at.map_or(line, |(at, _)| at + 1);
            findings.push(error(TOOL, message).at(Some(&parsed.file.path), at));
        }
    }
}

/// The objects of a loop, as the keys that each of them has.
type Keys = Vec<Vec<String>>;

struct Parts<'a, 'b> {
    folder: &'a [&'b Parsed<'b>],
    /// The loops around a place: the name of their value, and their objects if they are known.
    loops: Vec<(String, Option<Keys>)>,
    found: Vec<(String, Option<String>)>,
}

impl Parts<'_, '_> {
    fn enter(&mut self, name: &str, body: &Body) {
        let over = body.get_attribute("for_each").map(|given| &given.value);
        let keys = over.and_then(|over| objects(over, self.folder));
        self.loops.push((name.to_owned(), keys));
    }
}

impl Visit for Parts<'_, '_> {
    fn visit_block(&mut self, node: &Block) {
        let dynamic = node.ident.as_str() == "dynamic";
        if dynamic {
            let own = node.body.get_attribute("iterator").map(|name| name.value.to_string());
            let name = own.unwrap_or_else(|| label(node, 0).to_owned());
            self.enter(name.trim(), &node.body);
        }
        visit_block(self, node);
        self.loops.truncate(self.loops.len() - usize::from(dynamic));
    }

    fn visit_func_call(&mut self, node: &FuncCall) {
        // These have a value for a part that is missing.
        if !["try", "can", "lookup"].contains(&node.name.name.as_str()) {
            visit_func_call(self, node);
        }
    }

    fn visit_traversal(&mut self, node: &Traversal) {
        if let (Expression::Variable(root), [value, part, ..]) =
            (&node.expr, node.operators.as_slice())
            && let (TraversalOperator::GetAttr(value), TraversalOperator::GetAttr(part)) =
                (value.value(), part.value())
            && value.as_str() == "value"
            && let Some((_, Some(keys))) =
                self.loops.iter().rfind(|(name, _)| name == root.as_str())
            && keys.iter().any(|keys| !keys.iter().any(|key| key == part.as_str()))
        {
            let all: Vec<&str> = keys.iter().flatten().map(String::as_str).collect();
            let near = nearest(part.as_str(), &all).map(str::to_owned);
            self.found.push((format!("{}.value.{}", root.as_str(), part.as_str()), near));
        }
        visit_traversal(self, node);
    }
}

/// The keys of the objects in a value, if it is a map or a list of objects that are written out.
fn objects(value: &Expression, folder: &[&Parsed]) -> Option<Keys> {
    match value {
        Expression::Object(object) => object.iter().map(|(_, value)| keys(value.expr())).collect(),
        Expression::Array(items) => items.iter().map(keys).collect(),
        Expression::Traversal(traversal) => {
            let (Expression::Variable(root), [one]) =
                (&traversal.expr, traversal.operators.as_slice())
            else {
                return None;
            };
            let TraversalOperator::GetAttr(name) = one.value() else { return None };
            let value = local(name.as_str(), folder).filter(|_| root.as_str() == "local")?;
            matches!(value, Expression::Object(_) | Expression::Array(_))
                .then(|| objects(value, folder))?
        }
        _ => None,
    }
}

fn keys(value: &Expression) -> Option<Vec<String>> {
    let Expression::Object(object) = value else { return None };
    names(object)
}

fn names(object: &Object) -> Option<Vec<String>> {
    let name = |key: &ObjectKey| match key {
        ObjectKey::Ident(name) => Some(name.as_str().to_owned()),
        ObjectKey::Expression(name) => name.as_str().map(str::to_owned),
    };
    object.iter().map(|(key, _)| name(key)).collect()
}

#[cfg(test)]
mod tests {
    fn said(text: &str) -> Vec<String> {
        let text = format!("cat >main.tf <<'E'\n{text}\nE\n");
        crate::testing::said(super::super::examine, &text)
    }

    #[test]
    fn the_objects_of_a_loop_have_the_parts_that_it_reads() {
        let block = "locals {\n  sites = {\n    a = { port = 80, host = \"x\" }\n    b = { port = 81, host = \"y\" }\n  }\n}\nresource \"terraform_data\" \"a\" {\n  for_each = local.sites\n  input = each.value.PART\n}";
        let rule = "resource \"terraform_data\" \"a\" {\n  dynamic \"rule\" {\n    for_each = [{ port = 80 }, { port = 81 }]\n    content {\n      input = rule.value.PART\n    }\n  }\n}";
        for text in [block, rule] {
            assert_eq!(said(&text.replace("PART", "prt")).len(), 1, "{text}");
            assert_eq!(said(&text.replace("PART", "port")), [""; 0], "{text}");
        }
        let some = block.replace("port = 81, ", "");
        assert_eq!(said(&some.replace("PART", "port")).len(), 1);
        let tried = some.replace("each.value.PART", "try(each.value.port, 80)");
        assert_eq!(said(&tried), [""; 0]);
        let open = block.replace("local.sites", "merge(local.sites, var.more)");
        let more = "\nvariable \"more\" {\n  type = map(any)\n}";
        assert_eq!(said(&(open.replace("PART", "other") + more)), [""; 0]);
    }
}
