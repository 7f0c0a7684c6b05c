//! Finds images without a version in a variable, and versions that a file declares and nothing uses, so that what they
//! should pin stays open.

use super::image;
use crate::bash::is_name;
use crate::check::error;
use crate::places::is_yaml;
use crate::yaml::{self, Node};
use crate::{POLICY, Unit, Written};
use domain::gate::Finding;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    let texts: Vec<&str> = unit.texts().collect();
    let wholes = wholes(&texts);
    let makes = ["docker build", "buildx", "docker push", "docker tag", "podman build"];
    let own = texts.iter().any(|text| makes.iter().any(|command| text.contains(command)));
    for (at, line) in unit.text.lines().enumerate().filter(|_| !own) {
        let Some((name, value)) = value(line) else { continue };
        if let Some(message) = image(value).filter(|_| wholes.iter().any(|whole| whole == name)) {
            findings.push(error(POLICY, message).at(None, at + 1));
        }
    }
    for file in &unit.files {
        for (line, name) in versions(file) {
            let used = texts.iter().map(|text| occurrences(text, &name)).sum::<usize>() > 1;
            if !used && !foreign(unit, &texts) {
                let message = format!("Nothing uses `{name}`, so this version pins nothing.");
                findings.push(error(POLICY, message).at(Some(&file.path), line));
            }
        }
    }
}

/// Whether a kustomization gives an image its version.
pub(super) fn is_set_beside(unit: &Unit, name: &str) -> bool {
    let files = unit.tree.iter().filter(|file| file.name().starts_with("kustomization."));
    let documents = files.flat_map(|file| yaml::documents(&file.filled()).unwrap_or_default());
    documents.into_iter().any(|document| {
        document.get("images").map(Node::list).unwrap_or_default().iter().any(|image| {
            let given = ["digest", "newTag"].iter().any(|key| image.get(key).is_some());
            given && image.get("name").and_then(Node::text) == Some(name)
        })
    })
}

/// The package without a version beside one of its parts with a version: `docker-ce` beside `docker-ce-cli=5:27.4`.
pub(super) fn partly(words: &[&str]) -> Option<String> {
    let pinned = words.iter().filter_map(|word| word.split_once('=')).map(|(name, _)| name);
    let pinned: Vec<&str> = pinned.filter(|name| !name.starts_with('-')).collect();
    let open = words.iter().find(|word| {
        let part = |name: &&str| {
            let rest = name.strip_prefix(**word);
            let client = word.strip_prefix(name).is_some_and(|rest| PARTS.contains(&rest));
            client
                || rest.is_some_and(|rest| rest.starts_with('-'))
                || (KUBERNETES.contains(name) && KUBERNETES.contains(word))
        };
        !word.contains(['=', '$', '{', '/', '.']) && pinned.iter().any(part)
    })?;
    Some(format!("`{open}` has no version, although the packages that belong to it have one."))
}

/// The ends of the names of packages that have the version of the package before them.
const PARTS: [&str; 4] = ["-cli", "-common", "-core", "-server"];

/// Packages that must have one version.
const KUBERNETES: [&str; 3] = ["kubeadm", "kubectl", "kubelet"];

/// The names that are alone where an image belongs: `image: "{{ app_image }}"`.
fn wholes(texts: &[&str]) -> Vec<String> {
    let lines = texts.iter().flat_map(|text| text.lines());
    let name = |line: &str| {
        let line = line.trim().trim_start_matches("- ");
        let rest = line.strip_prefix("image").map(str::trim_start)?;
        let value = rest.strip_prefix([':', '='])?.trim().trim_matches(['"', '\'']);
        let inner = value
            .strip_prefix("{{")
            .and_then(|rest| rest.strip_suffix("}}"))
            .or_else(|| value.strip_prefix("${").and_then(|rest| rest.strip_suffix('}')))
            .or_else(|| value.strip_prefix('$'))
            .or_else(|| value.strip_prefix("var."))
            .or_else(|| value.strip_prefix("local."))?;
        let inner = inner.split(":-").next().unwrap_or(inner);
        let inner = inner.split(":?").next().unwrap_or(inner).trim().trim_start_matches("var.");
        is_name(inner).then(|| inner.to_owned())
    };
    lines.filter_map(name).collect()
}

/// A name and the address of an image that a line gives it.
fn value(line: &str) -> Option<(&str, &str)> {
    let line = line.trim().trim_start_matches("export ").trim_start_matches("- ");
    let (name, value) = line.split_once(['=', ':'])?;
    let value = value.trim().trim_matches(['"', '\'']);
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "./-_".contains(c);
    let other = ["var.", "local.", "module.", "data.", "string", "true", "false"];
    let other = other.iter().any(|start| value.starts_with(start));
    let address =
        !other && !value.is_empty() && value.chars().all(plain) && !value.starts_with(['.', '/']);
    (is_name(name.trim()) && address).then_some((name.trim(), value))
}

/// The variables of Ansible with a version, and the lines where they get it.
fn versions(file: &Written) -> Vec<(usize, String)> {
    let folders = ["defaults", "group_vars", "host_vars", "vars"];
    let whole = file.path.split('/').any(|part| folders.contains(&part));
    if !is_yaml(file) {
        return Vec::new();
    }
    let documents = yaml::documents(&file.filled()).unwrap_or_default();
    let plays = documents.iter().flat_map(Node::list).filter(|play| play.get("hosts").is_some());
    let maps = plays.filter_map(|play| play.get("vars"));
    let maps = maps.chain(documents.iter().filter(|_| whole)).flat_map(Node::map);
    let version = maps.filter(|entry| {
        let named = entry.key.split('_').next_back();
        let named = named.is_some_and(|end| ["tag", "version"].contains(&end));
        let given = entry.value.text().unwrap_or_default();
        named && given.contains(|c: char| c.is_ascii_digit())
    });
    version.map(|entry| (entry.line, entry.key.clone())).collect()
}

/// Whether a role that is not here may use a variable.
fn foreign(unit: &Unit, texts: &[&str]) -> bool {
    let signs = ["roles:", "include_role", "import_role", "vars_files", "extra-vars", "lookup("];
    let here = unit.tree.iter().any(|file| file.path.contains("roles/"));
    texts.iter().any(|text| signs.iter().any(|sign| text.contains(sign))) && !here
        || texts.iter().any(|text| text.contains("ansible-galaxy role"))
}

fn occurrences(text: &str, name: &str) -> usize {
    let edge = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let whole = text.match_indices(name).filter(|(at, _)| {
        !text[..*at].ends_with(edge) && !text[at + name.len()..].starts_with(edge)
    });
    whole.count()
}

#[cfg(test)]
mod tests {
    fn said(text: &str) -> usize {
        crate::testing::said(super::examine, text).len()
    }

    #[test]
    fn images_in_variables_have_versions() {
        let play = "cat >site.yml <<'E'\n- hosts: all\n  vars:\n    app_image: ghcr.io/acme/app\n  tasks:\n    - community.docker.docker_container:\n        name: a\n        image: \"{{ app_image }}\"\nE\n";
        let compose = "cat >compose.yaml <<'E'\nservices:\n  a:\n    image: ${APP_IMAGE:?}\nE\ncat >.env <<'E'\nAPP_IMAGE=acme/app\nE\n";
        let terraform = "cat >main.tf <<'E'\nlocals {\n  app = \"acme/app\"\n}\nresource \"docker_container\" \"a\" {\n  name  = \"a\"\n  image = local.app\n}\nE\n";
        for text in [play, compose, terraform] {
            assert_eq!(said(text), 1, "{text}");
            assert_eq!(said(&text.replace("acme/app", "acme/app:1.8.2")), 0, "{text}");
        }
        assert_eq!(said(&play.replace("{{ app_image }}", "{{ app_image }}:1.2")), 0);
    }

    #[test]
    fn packages_that_belong_together_have_versions() {
        for (words, open) in [
            (["docker-ce", "docker-ce-cli=5:27.4.1"], true),
            (["docker-ce=5:27.4.1", "docker-ce-cli"], true),
            (["kubelet=1.31.4-1.1", "kubeadm"], true),
            (["docker-ce=5:27.4.1", "docker-compose-plugin"], false),
            (["docker-ce=5:27.4.1", "docker-ce-cli=5:27.4.1"], false),
        ] {
            assert_eq!(super::partly(&words).is_some(), open, "{words:?}");
        }
    }

    #[test]
    fn declared_versions_are_used() {
        let play = "cat >site.yml <<'E'\n- hosts: all\n  vars:\n    docker_version: 5:27.4.1\n  tasks:\n    - ansible.builtin.apt:\n        name: docker-ce={{ docker_version }}\nE\n";
        assert_eq!(said(play), 0);
        assert_eq!(said(&play.replace("={{ docker_version }}", "")), 1);
        let role =
            play.replace("={{ docker_version }}", "").replace("  tasks", "  roles: [a]\n  tasks");
        assert_eq!(said(&role), 0);
    }
}
