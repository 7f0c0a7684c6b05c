//! Finds services whose settings a script writes and that it does not restart, although it restarts others of the same
//! Compose file.

use super::{FILES, error};
use crate::Unit;
use crate::places::is_compose;
use crate::yaml::{self, Node};
use domain::gate::Finding;
use std::collections::BTreeSet;

/// Folders below `/etc` that programs read again on their own.
const READ_AGAIN: [&str; 5] = ["certs", "dashboards", "provisioning", "ssl", "tls"];

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    let Some((line, restarted)) = restarted(unit) else { return };
    let reads = |service: &str| {
        // A signal or a command makes it read its settings.
        let signs = ["HUP", "reload"];
        let lines = unit.texts().flat_map(str::lines);
        lines.into_iter().any(|line| {
            line.contains("/-/reload")
                || (line.contains(service) && signs.iter().any(|sign| line.contains(sign)))
        })
    };
    for file in unit.tree.iter().filter(|file| is_compose(file)) {
        for document in yaml::documents(&file.filled()).unwrap_or_default() {
            for service in document.get("services").map(Node::map).unwrap_or_default() {
                let Some(settings) = settings(unit, &service.value) else { continue };
                if !restarted.contains(service.key.as_str()) && !reads(&service.key) {
                    let message = format!(
                        "`{}` reads `{settings}` only when it starts, but this restarts only \
                        other services.",
                        service.key
                    );
                    findings.push(error(FILES, message).at(None, line));
                }
            }
        }
    }
}

/// The line of the last command that restarts some services, and all services that the scripts restart; `None` if one
/// restarts all of them.
fn restarted<'a>(unit: &'a Unit) -> Option<(usize, BTreeSet<&'a str>)> {
    let (mut last, mut names) = (None, BTreeSet::new());
    for shell in unit.everywhere() {
        for command in &shell.script.commands {
            let argv = command.argv();
            let rest = match argv.as_slice() {
                ["docker" | "podman", "compose", rest @ ..] | ["docker-compose", rest @ ..] => rest,
                _ => continue,
            };
            let verb = rest.iter().position(|word| ["restart", "up"].contains(word));
            let Some(verb) = verb else { continue };
            let anew = rest[verb] == "restart" || rest.contains(&"--force-recreate");
            if !anew {
                continue;
            }
            let named: Vec<&str> =
                rest[verb + 1..].iter().filter(|word| !word.starts_with('-')).copied().collect();
            if named.is_empty() || named.iter().any(|name| name.contains('$')) {
                return None;
            }
            last = Some(command.line + shell.offset);
            names.extend(command.words.iter().map(|word| word.text.as_str()));
        }
    }
    Some((last?, names))
}

/// The file with settings that the script writes and that a service sees below `/etc`.
fn settings(unit: &Unit, service: &Node) -> Option<String> {
    service.get("volumes").map(Node::list).unwrap_or_default().iter().find_map(|volume| {
        let mut parts = volume.text()?.split(':');
        let source = parts.next()?.strip_prefix("./")?;
        let target = parts.next()?;
        let again = READ_AGAIN.iter().any(|part| target.split('/').any(|it| it == *part));
        let written = |path: &str| path.ends_with(source) || path.contains(&format!("{source}/"));
        let own = unit.written().any(|file| written(&file.path));
        (target.starts_with("/etc/") && !again && own).then(|| source.to_owned())
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn settings_reach_the_service_that_reads_them() {
        let said = |text: &str| crate::testing::said(super::examine, text).len();
        let stack = "cat >compose.yaml <<'E'\nservices:\n  web:\n    image: a:1\n    volumes: [\"./a.yml:/etc/a/a.yml:ro\"]\n  node:\n    image: b:1\nE\ncat >a.yml <<'E'\nb: c\nE\n";
        for (text, count) in [
            ("docker compose restart node", 1),
            ("docker compose up -d --force-recreate node", 1),
            ("ssh server 'cd /opt/a && sudo docker compose restart node'", 1),
            ("docker compose restart node web", 0),
            ("docker compose restart", 0),
            ("docker compose up -d", 0),
            ("docker compose restart node\ndocker compose kill -s HUP web", 0),
            ("docker compose restart \"$service\"", 0),
        ] {
            assert_eq!(said(&format!("{stack}{text}\n")), count, "{text}");
        }
    }
}
