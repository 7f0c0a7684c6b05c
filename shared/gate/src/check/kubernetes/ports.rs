//! Finds ports that lead nowhere: the target of a service that no container of its pods names, and ports that an
//! ingress expects of a service and the service does not have.

use super::{Mistakes, labels, name, namespace};
use crate::Written;
use crate::yaml::Node;

fn kind(object: &Node) -> &str {
    object.get("kind").and_then(Node::text).unwrap_or_default()
}

fn is_number(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_digit())
}

/// Whether a text is a whole name or number, and no part of a template.
fn is_plain(text: &str) -> bool {
    text.len() > 1 && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
}

pub(super) fn services(object: &Node, all: &[(&Written, Node)], found: &mut Mistakes) {
    let Some(spec) = object.get("spec").filter(|_| kind(object) == "Service") else { return };
    let Some(selector) = spec.get("selector").filter(|it| !it.map().is_empty()) else { return };
    let own = |pod: &Node| {
        let labels = labels(pod.get("metadata"));
        selector
            .map()
            .iter()
            .all(|it| labels.contains(&(it.key.as_str(), it.value.text().unwrap_or_default())))
    };
    let beside = all.iter().map(|(_, other)| other);
    let beside = beside.filter(|other| namespace(other) == namespace(object));
    let pods: Vec<&Node> = beside
        .filter_map(|other| {
            let template = other.get("spec").and_then(|spec| spec.get("template"));
            template.or_else(|| (kind(other) == "Pod").then_some(other))
        })
        .filter(|pod| own(pod))
        .collect();
    let ports: Vec<&Node> = pods
        .iter()
        .flat_map(|pod| pod.all())
        .filter_map(|node| node.get("ports"))
        .flat_map(Node::list)
        .collect();
    let names: Vec<&str> = ports.iter().filter_map(|port| port.get("name")?.text()).collect();
    for port in spec.get("ports").map(Node::list).unwrap_or_default() {
        let Some(target) = port.get("targetPort") else { continue };
        let text = target.text().unwrap_or_default();
        let open = names.iter().any(|name| !is_plain(name));
        if pods.is_empty() || is_number(text) || !is_plain(text) || open || names.contains(&text) {
            continue;
        }
        let message = format!("No port of the pods that this service selects is named `{text}`.");
        found.push((target.line, message));
    }
}

pub(super) fn ingresses(object: &Node, all: &[(&Written, Node)], found: &mut Mistakes) {
    if kind(object) != "Ingress" {
        return;
    }
    for node in object.all() {
        let Some(backend) = node.get("service") else { continue };
        let Some(wanted) = backend.get("name").and_then(Node::text) else { continue };
        let Some(port) = backend.get("port") else { continue };
        let Some(service) = all.iter().map(|(_, other)| other).find(|other| {
            kind(other) == "Service"
                && name(other) == wanted
                && namespace(other) == namespace(object)
        }) else {
            continue;
        };
        let ports = service.get("spec").and_then(|spec| spec.get("ports")).map(Node::list);
        let ports = ports.unwrap_or_default();
        for (asked, field) in [("number", "port"), ("name", "name")] {
            let Some(value) = port.get(asked) else { continue };
            let text = value.text().unwrap_or_default();
            let has: Vec<&str> = ports.iter().filter_map(|it| it.get(field)?.text()).collect();
            let open = has.is_empty() || has.iter().any(|it| !is_plain(it)) || !is_plain(text);
            if !open && !ports.is_empty() && !has.contains(&text) {
                let message = format!("The service `{wanted}` has no port `{text}`.");
                found.push((value.line, message));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn ports_lead_somewhere_and_values_have_their_kind() {
        let said = |text: &str| crate::testing::said(super::super::examine, text).len();
        let files = "cat >a.yaml <<'E'\napiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n  labels: {app: a}\nspec:\n  containers:\n    - name: a\n      image: a/b:1\n      ports:\n        - name: http\n          containerPort: 8080\n---\napiVersion: v1\nkind: Service\nmetadata:\n  name: a\nspec:\n  selector: {app: a}\n  ports:\n    - port: 80\n      targetPort: http\n---\napiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata:\n  name: a\nspec:\n  rules:\n    - http:\n        paths:\n          - path: /\n            pathType: Prefix\n            backend:\n              service:\n                name: a\n                port:\n                  number: 80\nE\n";
        assert_eq!(said(files), 0);
        assert_eq!(said(&files.replace("targetPort: http", "targetPort: 8080")), 0);
        assert_eq!(said(&files.replace("targetPort: http", "targetPort: web")), 1);
        assert_eq!(said(&files.replace("number: 80", "number: 8080")), 1);
        assert_eq!(said(&files.replace("number: 80", "name: http")), 0);
        let map = files.replace("labels: {app: a}", "labels: [app]");
        assert!(said(&map) > 0);
        assert!(said(&files.replacen("kind: Pod\n", "", 1)) > 0);
        let truth = files.replace("image: a/b:1\n", "image: a/b:1\n      stdin: VALUE\n");
        assert_eq!(said(&truth.replace("VALUE", "\"true\"")), 1);
        assert_eq!(said(&truth.replace("VALUE", "yess")), 1);
        assert_eq!(said(&truth.replace("VALUE", "true")), 0);
        let named = files.replace("- port: 80", "- name: web\n      port: 80");
        assert_eq!(said(&named.replace("number: 80", "name: http")), 1);
    }
}
