//! Finds names of Traefik that refer to nothing: entry points, resolvers of certificates and middlewares that routers
//! name in files and labels, where the same scripts define others.

use super::{FILES, error};
use crate::Unit;
use crate::places::is_yaml;
use crate::yaml::{self, Node};
use domain::gate::Finding;
use std::collections::BTreeSet;

/// What a router names: the key of the router, and where it is defined in options and labels.
const NAMED: [(&str, &str, &str); 3] = [
    ("entrypoints", "entrypoints.", "entry point"),
    ("tls.certresolver", "certificatesresolvers.", "resolver"),
    ("middlewares", "http.middlewares.", "middleware"),
];

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    let texts: Vec<String> = unit.texts().map(str::to_lowercase).collect();
    if !texts.iter().any(|text| text.contains("traefik")) {
        return;
    }
    for file in unit.written().filter(|file| is_yaml(file)) {
        for (at, line) in file.text.lines().enumerate() {
            let option = line.trim_start().trim_start_matches("- ").trim_start_matches(['"', '\'']);
            let Some(name) = option.strip_prefix("--").and_then(|it| it.split(['.', '=']).next())
            else {
                continue;
            };
            let near = ["certificateresolver", "certificateresolvers", "certificatesresolver"];
            if near.contains(&name.to_lowercase().as_str()) && option.contains(".acme") {
                let message =
                    format!("Traefik has no option `--{name}`: write `--certificatesresolvers`.");
                findings.push(error(FILES, message).at(Some(&file.path), at + 1));
            }
        }
    }
    let documents: Vec<Node> = unit
        .tree
        .iter()
        .chain(&unit.there)
        .filter(|file| is_yaml(file))
        .flat_map(|file| yaml::documents(&file.filled()).unwrap_or_default())
        .collect();
    for (key, sign, what) in NAMED {
        let mut defined: BTreeSet<String> = BTreeSet::new();
        for text in &texts {
            for (at, _) in text.match_indices(sign) {
                let name = text[at + sign.len()..].split(['.', '=', ':', '"', ' ']).next();
                defined.extend(name.map(str::to_owned));
            }
        }
        let field = sign.trim_end_matches('.').rsplit('.').next().unwrap_or(sign);
        for node in documents.iter().flat_map(Node::all).flat_map(Node::map) {
            if node.key.to_lowercase() == field {
                defined.extend(node.value.map().iter().map(|entry| entry.key.to_lowercase()));
            }
        }
        if defined.is_empty() || defined.iter().any(|name| name.contains(['$', '{'])) {
            continue;
        }
        for file in unit.written().filter(|file| is_yaml(file)) {
            let documents = yaml::documents(&file.filled()).unwrap_or_default();
            for (line, name) in documents.iter().flat_map(|document| asked(document, key)) {
                // Another provider defines what has its name after it.
                let (own, provider) = name.split_once('@').unwrap_or((&name, "docker"));
                let other = !["docker", "file"].contains(&provider) || own.contains(['$', '{']);
                if !other && !own.is_empty() && !defined.contains(&own.to_lowercase()) {
                    let message = format!("No {what} of Traefik is named `{own}` here.");
                    findings.push(error(FILES, message).at(Some(&file.path), line));
                }
            }
        }
    }
}

/// The names after a key of routers, in Traefik's own file and in labels.
fn asked(document: &Node, key: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut add = |line: usize, text: &str| {
        found.extend(text.split(',').map(|name| (line, name.trim().to_owned())));
    };
    for node in document.all() {
        for router in node.get("routers").map(Node::map).unwrap_or_default() {
            let mut at = Some(&router.value);
            for part in key.split('.') {
                at = at.and_then(|node| {
                    let mut entries = node.map().iter();
                    entries.find(|it| it.key.to_lowercase() == part).map(|it| &it.value)
                });
            }
            let Some(value) = at else { continue };
            value.text().into_iter().for_each(|text| add(value.line, text));
            for item in value.list() {
                item.text().into_iter().for_each(|text| add(item.line, text));
            }
        }
        let label = |text: &str| {
            let text = text.to_lowercase();
            let option = text.starts_with("--entrypoints.") && text.contains(".http.");
            let label = text.starts_with("traefik.") && text.contains(".routers.");
            (label || option) && text.ends_with(&format!(".{key}"))
        };
        for entry in node.map().iter().filter(|entry| label(&entry.key)) {
            entry.value.text().into_iter().for_each(|text| add(entry.value.line, text));
        }
        for item in node.list() {
            let Some((name, value)) = item.text().and_then(|text| text.split_once('=')) else {
                continue;
            };
            if label(name) {
                add(item.line, value);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    #[test]
    fn names_of_traefik_lead_somewhere() {
        let said = |text: &str| crate::testing::said(super::examine, text).len();
        let compose = "cat >compose.yaml <<'E'\nservices:\n  traefik:\n    command:\n      - --entrypoints.web.address=:80\n      - --certificatesresolvers.le.acme.email=a@example.com\n  a:\n    labels:\n      - traefik.http.routers.a.entrypoints=web\n      - traefik.http.routers.a.tls.certresolver=le\n      - traefik.http.routers.a.middlewares=auth\n      - traefik.http.middlewares.auth.basicauth.users=b\nE\n";
        let file = "cat >traefik.yml <<'E'\nhttp:\n  routers:\n    a:\n      middlewares: [headers]\n  middlewares:\n    headers:\n      headers: {}\nE\n";
        for (text, count) in [
            (compose.to_owned(), 0),
            (compose.replace("entrypoints=web", "entrypoints=websecure"), 1),
            (compose.replace("certresolver=le", "certresolver=letsencrypt"), 1),
            (compose.replace("middlewares=auth", "middlewares=login"), 1),
            (compose.replace("      - --certificatesresolvers", "      - --entrypoints.web.http.tls.certresolver=other\n      - --certificatesresolvers"), 1),
            (compose.replace("middlewares=auth", "middlewares=login@kubernetescrd"), 0),
            (file.to_owned(), 0),
            (file.replace("[headers]", "[secure]"), 1),
        ] {
            assert_eq!(said(&text), count, "{text}");
        }
    }
}
