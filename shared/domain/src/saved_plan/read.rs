//! Makes the picture of a plan from the output of `terraform show -json`.

use super::{CUT, PICTURE_BYTES, PlanAction, PlannedResource, PlannedValue, SavedPlan};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// The most resources of a picture.
const RESOURCES: usize = 100;

/// The most attributes of a resource.
const VALUES: usize = 16;

/// The longest value or name, in characters.
const VALUE_CHARS: usize = 120;

/// The longest address, in characters.
const ADDRESS_CHARS: usize = 200;

/// The parts of Terraform's output that the picture uses.
#[derive(Deserialize)]
struct Shown {
    #[serde(default)]
    resource_changes: Vec<Resource>,
}

#[derive(Deserialize)]
struct Resource {
    address: String,
    #[serde(default)]
    mode: String,
    change: Change,
}

#[derive(Deserialize)]
struct Change {
    actions: Vec<String>,
    #[serde(default)]
    before: Value,
    #[serde(default)]
    after: Value,
    #[serde(default)]
    after_unknown: Value,
    #[serde(default)]
    before_sensitive: Value,
    #[serde(default)]
    after_sensitive: Value,
}

/// The picture; `None` if the text is not a plan.
pub(super) fn picture(text: &[u8]) -> Option<SavedPlan> {
    let shown: Shown = serde_json::from_slice(text).ok()?;
    let mut plan = SavedPlan { readable: true, ..SavedPlan::default() };
    for resource in &shown.resource_changes {
        let Some(action) = action(resource) else { continue };
        *match action {
            PlanAction::Delete => &mut plan.delete,
            PlanAction::Replace => &mut plan.replace,
            PlanAction::Update => &mut plan.update,
            PlanAction::Create => &mut plan.create,
        } += 1;
        let (values, left_out) = values(&resource.change);
        let address = cut(&resource.address, ADDRESS_CHARS);
        plan.resources.push(PlannedResource { address, action, values, left_out });
    }
    plan.resources.sort_by(|a, b| (a.action, &a.address).cmp(&(b.action, &b.address)));
    plan.left_out = count(plan.resources.len().saturating_sub(RESOURCES));
    plan.resources.truncate(RESOURCES);
    fit(&mut plan);
    Some(plan)
}

/// What happens to a resource; `None` if Terraform leaves it as it is, or only reads it.
fn action(resource: &Resource) -> Option<PlanAction> {
    if resource.mode == "data" {
        return None;
    }
    let has = |wanted: &str| resource.change.actions.iter().any(|action| action == wanted);
    match (has("create"), has("delete"), has("update")) {
        (true, true, _) => Some(PlanAction::Replace),
        (true, false, _) => Some(PlanAction::Create),
        (false, true, _) => Some(PlanAction::Delete),
        (false, false, true) => Some(PlanAction::Update),
        (false, false, false) => None,
    }
}

/// The attributes that differ, and how many more there are.
fn values(change: &Change) -> (Vec<PlannedValue>, u32) {
    let empty = Map::new();
    let before = change.before.as_object().unwrap_or(&empty);
    let after = change.after.as_object().unwrap_or(&empty);
    let unknown = change.after_unknown.as_object().unwrap_or(&empty);
    let names: BTreeSet<&String> =
        before.keys().chain(after.keys()).chain(unknown.keys()).collect();
    let mut values = Vec::new();
    for name in names {
        let was = before.get(name).filter(|value| !value.is_null());
        let will = after.get(name).filter(|value| !value.is_null());
        let unknown = unknown.get(name).is_some_and(is_marked);
        if was == will && !unknown {
            continue;
        }
        let hidden = is_sensitive(&change.before_sensitive, name)
            || is_sensitive(&change.after_sensitive, name);
        let text = |value: Option<&Value>| value.filter(|_| !hidden).map(printed);
        values.push(PlannedValue {
            name: cut(name, VALUE_CHARS),
            before: text(was),
            after: text(will.filter(|_| !unknown)),
            hidden,
            unknown,
        });
    }
    let left_out = count(values.len().saturating_sub(VALUES));
    values.truncate(VALUES);
    (values, left_out)
}

/// Whether Terraform marks an attribute, or anything in it, as sensitive.
fn is_sensitive(marks: &Value, name: &str) -> bool {
    match marks {
        Value::Object(marks) => marks.get(name).is_some_and(is_marked),
        marks => is_marked(marks),
    }
}

/// Whether a tree of marks contains one that is set.
fn is_marked(marks: &Value) -> bool {
    match marks {
        Value::Bool(set) => *set,
        Value::Array(inner) => inner.iter().any(is_marked),
        Value::Object(inner) => inner.values().any(is_marked),
        Value::Null | Value::Number(_) | Value::String(_) => false,
    }
}

fn printed(value: &Value) -> String {
    match value {
        Value::String(text) => cut(text, VALUE_CHARS),
        value => cut(&value.to_string(), VALUE_CHARS),
    }
}

fn cut(text: &str, chars: usize) -> String {
    match text.char_indices().nth(chars) {
        Some((at, _)) => format!("{}{CUT}", &text[..at]),
        None => text.to_owned(),
    }
}

/// Leaves out the values of the last resources, then resources, until the picture fits its size.
fn fit(plan: &mut SavedPlan) {
    while serde_json::to_vec(plan).map_or(0, |text| text.len()) > PICTURE_BYTES {
        if let Some(resource) = plan.resources.iter_mut().rev().find(|one| !one.values.is_empty()) {
            resource.left_out += count(resource.values.len());
            resource.values.clear();
        } else if plan.resources.pop().is_some() {
            plan.left_out += 1;
        } else {
            return;
        }
    }
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(resource_changes: Value) -> SavedPlan {
        let text = json!({"format_version": "1.2", "resource_changes": resource_changes});
        picture(text.to_string().as_bytes()).unwrap()
    }

    fn change(address: &str, actions: &[&str], before: Value, after: Value) -> Value {
        json!({"address": address, "mode": "managed",
               "change": {"actions": actions, "before": before, "after": after}})
    }

    #[test]
    fn each_action_is_counted_and_what_is_destroyed_comes_first() {
        let plan = read(json!([
            change("a.created", &["create"], json!(null), json!({"size": 2})),
            change("a.kept", &["no-op"], json!({"size": 2}), json!({"size": 2})),
            change("a.changed", &["update"], json!({"size": 1, "zone": "x"}), json!({"size": 2, "zone": "x"})),
            change("a.replaced", &["delete", "create"], json!({"id": "1"}), json!({"id": null})),
            change("a.gone", &["delete"], json!({"id": "1"}), json!(null)),
            {"address": "data.a.b", "mode": "data", "change": {"actions": ["read"]}},
        ]));
        assert_eq!((plan.create, plan.update, plan.replace, plan.delete), (1, 1, 1, 1));
        let order: Vec<_> = plan.resources.iter().map(|one| one.address.as_str()).collect();
        assert_eq!(order, ["a.gone", "a.replaced", "a.changed", "a.created"]);
        let [size] = plan.resources[2].values.as_slice() else { panic!("{plan:?}") };
        assert_eq!(
            (size.name.as_str(), size.before.as_deref(), size.after.as_deref()),
            ("size", Some("1"), Some("2"))
        );
    }

    #[test]
    fn a_sensitive_value_is_named_and_not_shown() {
        let mut resource = change(
            "a.b",
            &["update"],
            json!({"password": "hush-1", "nested": {"key": "hush-2"}, "open": "a"}),
            json!({"password": "hush-3", "nested": {"key": "hush-4"}, "open": "b"}),
        );
        resource["change"]["before_sensitive"] = json!({"password": true});
        resource["change"]["after_sensitive"] = json!({"nested": {"key": true}});
        let plan = read(json!([resource]));
        let hidden: Vec<_> = plan.resources[0].values.iter().map(|one| one.hidden).collect();
        assert_eq!(hidden, [true, false, true]);
        assert!(!format!("{plan:?}").contains("hush"), "{plan:?}");

        let mut whole = change("a.b", &["create"], json!(null), json!({"password": "hush"}));
        whole["change"]["after_sensitive"] = json!(true);
        assert!(!format!("{:?}", read(json!([whole]))).contains("hush"));
    }

    #[test]
    fn masking_knows_which_texts_were_cut() {
        let long = "x".repeat(VALUE_CHARS + 1);
        let resource = change("a.b", &["create"], json!(null), json!({"long": long, "short": "y"}));
        let mut plan = read(json!([resource]));
        plan.mask(|text, is_cut| format!("{}{is_cut}", &text[..1]));
        let shown: Vec<_> =
            plan.resources[0].values.iter().map(|one| one.after.as_deref()).collect();
        assert_eq!(shown, [Some("xtrue…"), Some("yfalse")]);
    }

    #[test]
    fn a_value_that_is_known_only_after_applying_is_marked() {
        let mut resource = change("a.b", &["create"], json!(null), json!({"input": "x"}));
        resource["change"]["after_unknown"] = json!({"id": true, "input": false});
        let plan = read(json!([resource]));
        let listed: Vec<_> =
            plan.resources[0].values.iter().map(|one| (one.name.as_str(), one.unknown)).collect();
        assert_eq!(listed, [("id", true), ("input", false)]);
    }

    #[test]
    fn a_large_plan_is_cut_and_its_counts_are_whole() {
        let many = (0..500).map(|n| {
            let after: Map<String, Value> =
                (0..40).map(|v| (format!("v{v}"), json!("\u{1}".repeat(300)))).collect();
            change(&format!("a.b[{n}]"), &["create"], json!(null), Value::Object(after))
        });
        let plan = read(many.collect());
        assert!(serde_json::to_vec(&plan).unwrap().len() <= PICTURE_BYTES);
        assert_eq!(plan.create, 500);
        assert_eq!(plan.resources.len() + plan.left_out as usize, 500);
        assert!(plan.resources.iter().all(|one| one.values.len() + one.left_out as usize == 40));
    }

    #[test]
    fn text_that_is_not_a_plan_is_unreadable() {
        assert_eq!(picture(b"Error: Failed to read plan"), None);
        let plan = SavedPlan::of("s".into(), Some(b"{"));
        assert!(!plan.readable && plan.sha256 == "s");
    }
}
