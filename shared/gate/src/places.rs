//! Decides which tools apply to a script.

use crate::bash;
use crate::files::{Written, written};
use domain::gate::NotChecked;
use domain::inquiry::{Bench, BenchFile, BenchTool};
use std::collections::BTreeSet;

/// Top-level keys of a Prometheus file.
const PROMETHEUS: [&str; 2] = ["scrape_configs:", "global:"];

/// The reason for skipping a file that bash fills in.
const FILLED_IN: &str = "The script fills in values of a file when it runs.";

/// The tools that also check the script itself.
const SHELL: [&str; 2] = ["bash -n", "shellcheck"];

/// A script in the form for the sandbox's tools, and the tools that apply but cannot check it.
pub fn bench(text: &str) -> (Bench, Vec<NotChecked>) {
    let files = written(&bash::read(text));
    let files: Vec<&Written> = files.iter().filter(|file| file.in_workspace()).collect();
    let filled_in = |place: &str| {
        files.iter().any(|file| file.expands && (file.path == place || file.folder() == place))
    };
    let mut not_checked = Vec::new();
    let mut tools = applicable(&files);
    tools.retain_mut(|tool| {
        let all = tool.places.len();
        // A shell script remains a script after bash has filled it in.
        if !SHELL.contains(&tool.name.as_str()) {
            tool.places.retain(|place| !filled_in(place));
        }
        if tool.places.len() < all {
            let reason = FILLED_IN.to_owned();
            not_checked.push(NotChecked { tool: tool.name.clone(), reason });
        }
        all == 0 || !tool.places.is_empty()
    });
    let files = files.into_iter();
    let files = files.map(|file| BenchFile { path: file.path.clone(), text: file.filled() });
    (Bench { script: text.to_owned(), files: files.collect(), tools }, not_checked)
}

/// The tools that apply, by the files that a script writes into the workspace.
fn applicable(files: &[&Written]) -> Vec<BenchTool> {
    let of = |wanted: fn(&Written) -> bool| {
        files.iter().copied().filter(move |file| wanted(file)).collect::<Vec<_>>()
    };
    let paths = |files: Vec<&Written>| sorted(files.iter().map(|file| file.path.clone()));
    let folders = |files: Vec<&Written>| sorted(files.iter().map(|file| file.folder().to_owned()));
    let tool = |name: &str, places| BenchTool { name: name.to_owned(), places };
    let mut found = SHELL.map(|name| tool(name, paths(of(is_shell)))).to_vec();
    let others = [
        tool("terraform fmt", paths(of(is_terraform))),
        tool("terraform validate", folders(of(|file| file.extension() == "tf"))),
        tool("ansible-playbook --syntax-check", paths(of(is_playbook))),
        tool("ansible-lint", paths(of(is_playbook))),
        tool("docker compose config", paths(of(is_compose))),
        tool("promtool", paths(of(is_prometheus))),
        tool("nginx -t", paths(of(is_nginx))),
    ];
    found.extend(others.into_iter().filter(|tool| !tool.places.is_empty()));
    found
}

fn sorted(places: impl Iterator<Item = String>) -> Vec<String> {
    places.collect::<BTreeSet<_>>().into_iter().collect()
}

/// Whether a file is a script for a shell that the tools support.
pub(crate) fn is_shell(file: &Written) -> bool {
    let first = file.text.lines().next().unwrap_or_default();
    let named = ["sh", "bash"].contains(&file.extension().as_str());
    named || (first.starts_with("#!") && first.ends_with("sh"))
}

fn is_terraform(file: &Written) -> bool {
    ["tf", "tfvars"].contains(&file.extension().as_str()) && !file.expands
}

/// Whether Terraform or Ansible fills in a file before anything else reads it.
pub(crate) fn is_template(path: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, end)| ["j2", "tftpl", "tpl", "tmpl"].contains(&end))
}

pub(crate) fn is_yaml(file: &Written) -> bool {
    ["yml", "yaml"].contains(&file.extension().as_str())
}

/// Whether a file is a list of plays. A key `hosts` elsewhere, such as in Filebeat's settings, makes no play.
pub(crate) fn is_playbook(file: &Written) -> bool {
    const KEYS: [&str; 3] = ["hosts:", "import_playbook:", "ansible.builtin.import_playbook:"];
    let mut in_item = false;
    is_yaml(file)
        && file.text.lines().any(|line| {
            let starts = line.starts_with("- ");
            if line.starts_with(|first: char| !first.is_whitespace() && first != '#') {
                in_item = starts;
            }
            let of_item = starts || line.starts_with("  ") && !line.starts_with("   ");
            let key = line.trim_start_matches("- ").trim_start();
            in_item && of_item && KEYS.iter().any(|known| key.starts_with(known))
        })
}

/// Whether a file describes an image.
pub(crate) fn is_dockerfile(file: &Written) -> bool {
    let name = file.name();
    name.starts_with("Dockerfile") || name.ends_with(".Dockerfile") || name == "Containerfile"
}

/// Whether a file describes services for Docker Compose.
pub(crate) fn is_compose(file: &Written) -> bool {
    let named = file.name().contains("compose");
    is_yaml(file) && named && file.text.lines().any(|line| line.starts_with("services:"))
}

fn is_prometheus(file: &Written) -> bool {
    let has = |key: &str| file.text.lines().any(|line| line.starts_with(key));
    let rules = has("groups:") && file.text.contains("expr:");
    is_yaml(file) && (rules || PROMETHEUS.iter().all(|key| has(key)))
}

fn is_nginx(file: &Written) -> bool {
    file.name() == "nginx.conf" && file.text.contains("events")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_list_of_plays_is_a_playbook() {
        let is = |text: &str| {
            let script = format!("cat >a.yml <<'E'\n{text}\nE\n");
            written(&bash::read(&script)).iter().any(is_playbook)
        };
        for play in [
            "- hosts: all",
            "---\n- name: x\n  hosts: all",
            "- name: x\n# why\n\n  become: true\n  hosts: all",
            "- import_playbook: b.yml",
            "- name: x\n  ansible.builtin.import_playbook: b.yml",
        ] {
            assert!(is(play), "{play}");
        }
        for other in [
            "output.logstash:\n  hosts: [\"logstash:5044\"]",
            "- type: x\n  id: y\noutput:\n  hosts: [a]",
            "hosts: [a]",
            "- name: x\n  with:\n    hosts: all",
        ] {
            assert!(!is(other), "{other}");
        }
    }

    #[test]
    fn a_tool_applies_to_the_files_of_its_kind() {
        let text = "mkdir a\ncat >t/main.tf <<'E'\nE\ncat >p/site.yml <<'E'\n- name: x\n  hosts: all\nE\ncat >compose.yaml <<'E'\nservices:\n  a:\nE\ncat >/etc/compose.yml <<'E'\nservices:\nE\n";
        let (bench, left_out) = bench(text);
        let tools: Vec<_> =
            bench.tools.iter().map(|tool| (tool.name.as_str(), tool.places.clone())).collect();
        assert_eq!(left_out, []);
        let place = |text: &str| vec![text.to_owned()];
        assert_eq!(
            tools,
            [
                ("bash -n", vec![]),
                ("shellcheck", vec![]),
                ("terraform fmt", place("t/main.tf")),
                ("terraform validate", place("t")),
                ("ansible-playbook --syntax-check", place("p/site.yml")),
                ("ansible-lint", place("p/site.yml")),
                ("docker compose config", place("compose.yaml")),
            ]
        );
    }

    #[test]
    fn only_shell_tools_check_a_file_that_bash_fills_in() {
        let text = "cat >compose.yaml <<E\nservices:\n  a:\n    image: $IMAGE\nE\ncat >a.sh <<E\necho $1\nE\n";
        let (bench, left_out) = bench(text);
        let tools: Vec<_> = bench.tools.iter().map(|tool| tool.name.as_str()).collect();
        assert_eq!(tools, ["bash -n", "shellcheck"]);
        assert_eq!(bench.tools[1].places, ["a.sh"]);
        assert_eq!((left_out.len(), left_out[0].tool.as_str()), (1, "docker compose config"));
        assert_eq!(bench.files[1].text, "echo $1\n");
    }
}
