//! Finds containers that own their host: started with all rights, with the host's whole file system, or with Docker's
//! socket.

use super::anonymous::steers;
use crate::bash::base;
use crate::check::error;
use crate::places::{is_compose, is_yaml};
use crate::yaml::{self, Node};
use crate::{POLICY, Unit};
use domain::gate::Finding;

const ROOT: &str = "With its host's whole file system, this container controls the host: mount \
the folders that it needs, or use `:ro`.";
/// A socket that is mounted for reading still takes every call; it passes because it is common practice.
pub(super) const SOCKET: &str = "Whoever controls Docker controls the host: let the container reach its \
socket only through a proxy that permits the calls that it needs.";
const RIGHTS: &str =
    "A container with all rights controls its host: grant only the capabilities that it needs.";

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    let asked = unit.context.asked.to_lowercase();
    for shell in unit.running() {
        for command in &shell.script.commands {
            let message = started(&command.argv());
            if let Some(message) =
                message.filter(|it| *it != RIGHTS || !asked.contains("privileged"))
            {
                let line = command.line + shell.offset;
                findings.push(error(POLICY, message).at(shell.file.as_deref(), line));
            }
        }
    }
    // Jobs of Nomad and resources of Terraform.
    let ends = [".hcl", ".nomad", ".tf"];
    for file in unit.written().filter(|file| ends.iter().any(|end| file.path.ends_with(end))) {
        for (at, line) in file.text.lines().enumerate() {
            let bare: String = line.chars().filter(|c| !c.is_whitespace()).collect();
            if bare == "privileged=true" && !asked.contains("privileged") {
                findings.push(error(POLICY, RIGHTS).at(Some(&file.path), at + 1));
            }
        }
    }
    for file in unit.written().filter(|file| is_compose(file) && is_yaml(file)) {
        for node in yaml::documents(&file.filled()).unwrap_or_default().iter().flat_map(Node::all) {
            for volume in node.get("volumes").map(Node::list).unwrap_or_default() {
                let text = |key: &str| volume.get(key).and_then(Node::text);
                let bound = text("source") == Some("/") && text("read_only") != Some("true");
                if bound || volume.text().and_then(mounted) == Some(ROOT) {
                    findings.push(error(POLICY, ROOT).at(Some(&file.path), volume.line));
                }
            }
        }
    }
}

/// What a mount such as `/:/host` gives to a container.
fn mounted(spec: &str) -> Option<&'static str> {
    let mut parts = spec.split(':');
    let (source, _) = (parts.next()?, parts.next()?);
    let kept = parts.next().is_some_and(|options| options.split(',').any(|one| one == "ro"));
    gives(source, kept)
}

/// The same for `type=bind,source=/,target=/host`.
fn bound(spec: &str) -> Option<&'static str> {
    let mut parts = spec.split(',');
    let kept = spec.split(',').any(|part| part.starts_with("readonly") || part == "ro");
    let source = parts
        .find_map(|part| part.strip_prefix("source=").or_else(|| part.strip_prefix("src=")))?;
    gives(source, kept)
}

fn gives(source: &str, kept: bool) -> Option<&'static str> {
    match source {
        _ if kept => None,
        "/" => Some(ROOT),
        _ if source.ends_with("/docker.sock") => Some(SOCKET),
        _ => None,
    }
}

/// What a command gives to the container that it starts.
fn started(argv: &[&str]) -> Option<&'static str> {
    let (["docker" | "podman", "run" | "create", rest @ ..]
    | ["docker" | "podman", "container", "run" | "create", rest @ ..]) = argv
    else {
        return None;
    };
    // An image that is there to steer Docker needs its socket.
    let keeper = rest.iter().any(|word| !word.starts_with(['-', '/']) && steers(base(word)));
    let mut found = rest.iter().enumerate().filter_map(|(at, word)| {
        let (name, value) = match word.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (*word, rest.get(at + 1).copied()),
        };
        match name {
            "--privileged" => (value != Some("false")).then_some(RIGHTS),
            "--cap-add" => value?.eq_ignore_ascii_case("all").then_some(RIGHTS),
            "-v" | "--volume" => mounted(value?),
            "--mount" => bound(word.strip_prefix("--mount=").or(value)?),
            _ => None,
        }
    });
    found.find(|message| *message != SOCKET || !keeper)
}

#[cfg(test)]
mod tests {
    fn said(asked: &str, text: &str) -> usize {
        crate::testing::said_when(asked, super::examine, text).len()
    }

    #[test]
    fn a_container_does_not_own_its_host() {
        for text in [
            "docker run --rm -v /:/host alpine:3.21.0 chroot /host ls\n",
            "docker run --rm --mount type=bind,source=/,target=/host alpine:3.21.0 ls\n",
            "docker run -d -v /var/run/docker.sock:/var/run/docker.sock shop:1.0.0\n",
            "sudo docker run -d --privileged shop:1.0.0\n",
            "podman run -d --cap-add=ALL shop:1.0.0\n",
            "cat >compose.yaml <<'E'\nservices:\n  a:\n    image: a:1.0.0\n    volumes:\n      - /:/host\nE\n",
            "cat >compose.yaml <<'E'\nservices:\n  a:\n    image: a:1.0.0\n    volumes:\n      - type: bind\n        source: /\n        target: /host\nE\n",
        ] {
            assert_eq!(said("A shop", text), 1, "{text}");
        }
        let job = "cat >a.nomad.hcl <<'E'\nconfig {\n  privileged = true\n}\nE\n";
        assert_eq!(said("", job), 1);
        assert_eq!(said("A privileged container", "docker run --privileged a:1.0.0\n"), 0);
        for text in [
            "docker run -d -v /:/host:ro,rslave prom/node-exporter:v1.8.2\n",
            "docker run -d -v /var/run/docker.sock:/var/run/docker.sock portainer/portainer-ce:2.21.5\n",
            "docker run -d -v data:/data --cap-add NET_ADMIN shop:1.0.0\n",
            "cat >compose.yaml <<'E'\nservices:\n  a:\n    image: a:1.0.0\n    volumes:\n      - /:/host:ro\n      - ./a:/b\nE\n",
        ] {
            assert_eq!(said("A shop", text), 0, "{text}");
        }
    }
}
