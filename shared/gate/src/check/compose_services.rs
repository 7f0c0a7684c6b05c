//! Finds services that commands and tasks request from Compose and that none of the script's Compose files has.

use super::{FILES, error, task_documents, tasks, templates};
use crate::places::is_compose;
use crate::yaml::{self, Node};
use crate::{Unit, Written};
use domain::gate::Finding;

/// Subcommands that take names of services, and whether only the first word is one.
const VERBS: [(&str, bool); 15] = [
    ("build", false),
    ("create", false),
    ("exec", true),
    ("kill", false),
    ("logs", false),
    ("pause", false),
    ("port", true),
    ("pull", false),
    ("push", false),
    ("restart", false),
    ("rm", false),
    ("run", true),
    ("start", false),
    ("stop", false),
    ("up", false),
];

/// Options of Compose and of these subcommands that take the next word.
const VALUED: [&str; 37] = [
    "--ansi",
    "--build-arg",
    "--cap-add",
    "--entrypoint",
    "--env",
    "--env-file",
    "--exit-code-from",
    "--file",
    "--index",
    "--label",
    "--name",
    "--parallel",
    "--policy",
    "--profile",
    "--progress",
    "--project-directory",
    "--project-name",
    "--publish",
    "--pull",
    "--scale",
    "--signal",
    "--since",
    "--tail",
    "--timeout",
    "--until",
    "--user",
    "--volume",
    "--wait-timeout",
    "--workdir",
    "-e",
    "-f",
    "-n",
    "-p",
    "-s",
    "-t",
    "-u",
    "-w",
];

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    let Some(services) = services(unit).filter(|services| !services.is_empty()) else { return };
    let lost = |name: &str| {
        let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c));
        let file = name.ends_with(".yml") || name.ends_with(".yaml");
        (plain && !name.is_empty() && !file && !services.iter().any(|it| it == name)).then(|| {
            format!(
                "No Compose file here has a service `{name}`, only `{}`.",
                services.join("`, `")
            )
        })
    };
    for shell in unit.everywhere() {
        for command in &shell.script.commands {
            let argv = command.argv();
            let names = asked(&argv);
            if let Some(message) = names.into_iter().find_map(&lost) {
                let line = command.line + shell.offset;
                findings.push(error(FILES, message).at(shell.file.as_deref(), line));
            }
        }
    }
    for file in unit.written() {
        let documents = task_documents(file).unwrap_or_default();
        for task in tasks(&documents, file) {
            let Some((module, given)) = task.module() else { continue };
            if !module.contains("docker_compose_v2") {
                continue;
            }
            let listed = given.get("services").map(Node::list).unwrap_or_default();
            for node in listed.iter().chain(given.get("service")) {
                if let Some(message) = node.text().and_then(&lost) {
                    findings.push(error(FILES, message).at(Some(&file.path), node.line));
                }
            }
        }
    }
}

/// The services that a command names.
fn asked<'a>(argv: &[&'a str]) -> Vec<&'a str> {
    let words = match argv {
        ["docker", "compose", words @ ..] | ["docker-compose", words @ ..] => words,
        _ => return Vec::new(),
    };
    // Another project has other services.
    let elsewhere = ["-f", "--file", "-p", "--project-name", "--project-directory"];
    let mut plain = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if elsewhere.iter().any(|option| word.starts_with(option)) && plain.is_empty() {
            return Vec::new();
        }
        if VALUED.contains(word) {
            // An expression of a template has several words.
            if words.next().is_some_and(|value| value.contains("{{") && !value.contains("}}")) {
                words.by_ref().find(|word| word.contains("}}"));
            }
        } else if word.contains(['$', '{', '*', '[']) {
            return Vec::new();
        } else if !word.starts_with('-') {
            plain.push(*word);
        }
        let first = plain.first().and_then(|verb| VERBS.iter().find(|(name, _)| name == verb));
        if plain.len() == 2 && first.is_some_and(|(_, one)| *one) {
            break;
        }
    }
    match plain.split_first() {
        Some((verb, names)) if VERBS.iter().any(|(name, _)| name == verb) => names.to_vec(),
        _ => Vec::new(),
    }
}

/// The services of all Compose files; `None` if another file or a template may have more.
fn services(unit: &Unit) -> Option<Vec<String>> {
    let mut found = Vec::new();
    let all: Vec<&Written> = unit.tree.iter().chain(&unit.there).collect();
    for file in all {
        let template = file.path.ends_with(".j2") && file.name().contains("compose");
        if !is_compose(file) && !template {
            continue;
        }
        if file.text.contains("{%") || file.text.contains("\ninclude:") || file.expands && template
        {
            return None;
        }
        let text = if template { templates::yaml(file)? } else { file.filled() };
        for document in yaml::documents(&text).ok()? {
            let services = document.get("services").map(Node::map).unwrap_or_default();
            found.extend(services.iter().map(|entry| entry.key.clone()));
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    #[test]
    fn services_are_those_of_the_file() {
        let said = |text: &str| crate::testing::said(super::examine, text).len();
        let file = "cat >compose.yaml <<'E'\nservices:\n  web:\n    image: a:1\n  db:\n    image: b:1\nE\n";
        let play = "cat >site.yml <<'E'\n- hosts: all\n  tasks:\n    - name: Restart\n      community.docker.docker_compose_v2:\n        project_src: /srv\n        services: [nginx]\n        state: restarted\nE\n";
        for (commands, count) in [
            ("docker compose restart nginx\n", 1),
            ("docker compose exec -T -u postgres database psql -c x\n", 1),
            ("docker compose up -d --wait app\n", 1),
            ("docker compose --profile a run --rm --name b worker true\n", 1),
            (play, 1),
            ("docker compose exec -T db psql nginx\n", 0),
            ("docker compose up -d --wait web db\n", 0),
            ("docker compose -f other.yaml restart nginx\n", 0),
            ("docker compose restart \"$name\"\n", 0),
            ("docker compose up --wait --wait-timeout {{ seconds }} --remove-orphans\n", 0),
            ("docker compose ps nginx\n", 0),
        ] {
            assert_eq!(said(&format!("{file}{commands}")), count, "{commands}");
        }
        assert_eq!(said("docker compose restart nginx\n"), 0);
        assert_eq!(said(&format!("{file}{}", play.replace("nginx", "web"))), 0);
    }
}
