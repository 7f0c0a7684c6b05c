//! Finds versions that name too little: the major version of a known image, packages without a version beside others that
//! have one, and what files of many tools leave open.

use super::moving::is_open;
use super::tools::BRANCHES;
use super::{MOVING, image};
use crate::check::error;
use crate::files::Written;
use crate::hcl::{self, attribute, label};
use crate::places::{is_dockerfile, is_yaml};
use crate::yaml::{self, Node};
use crate::{POLICY, Unit};
use domain::gate::Finding;

/// Images whose numbers have at least two parts; a major version alone is another release every month.
const KNOWN: [&str; 36] = [
    "alpine",
    "busybox",
    "caddy",
    "composer",
    "consul",
    "elasticsearch",
    "ghost",
    "golang",
    "gradle",
    "haproxy",
    "httpd",
    "influxdb",
    "kibana",
    "mariadb",
    "maven",
    "memcached",
    "mongo",
    "mysql",
    "nextcloud",
    "nginx",
    "node",
    "openjdk",
    "php",
    "postgres",
    "python",
    "rabbitmq",
    "redis",
    "registry",
    "ruby",
    "rust",
    "tomcat",
    "traefik",
    "valkey",
    "vault",
    "wordpress",
    "eclipse-temurin",
];

/// Why a tag of a known image names too little: `python:3`, `node:22-alpine`, `traefik:v3`.
pub(super) fn major(name: &str, tag: &str) -> Option<String> {
    let place = name.strip_prefix("docker.io/").unwrap_or(name);
    let place = place.strip_prefix("library/").unwrap_or(place);
    let known = place.split(':').next().is_some_and(|image| KNOWN.contains(&image));
    let number = tag.split('-').next().unwrap_or(tag).trim_start_matches('v');
    let alone = (1..=2).contains(&number.len()) && number.chars().all(|c| c.is_ascii_digit());
    (known && alone).then(|| {
        format!(
            "The image `{name}` names only its major version: `{tag}` may be another one next \
            month."
        )
    })
}

/// What a command takes without a version.
pub(super) fn command(argv: &[&str]) -> Option<String> {
    match argv {
        ["docker", "service", "create", rest @ ..] => {
            image(rest.last().filter(|word| !word.starts_with('-'))?)
        }
        ["docker", "service", "update", rest @ ..] => {
            image(rest.windows(2).find(|two| two[0] == "--image")?[1])
        }
        ["git", rest @ ..] if rest.contains(&"submodule") && rest.contains(&"--remote") => {
            Some("This takes the newest commit of each part: name one.".to_owned())
        }
        ["helm", rest @ ..] => {
            let set = rest.iter().filter_map(|word| word.rsplit_once(".tag="));
            let tag = set.map(|(_, tag)| tag.trim_matches('"')).find(|tag| MOVING.contains(tag))?;
            Some(format!("The tag `{tag}` may be another image tomorrow."))
        }
        ["grafana-cli" | "grafana", rest @ ..] if rest.contains(&"install") => {
            let behind: Vec<&&str> = rest
                .iter()
                .skip_while(|word| **word != "install")
                .skip(1)
                .filter(|word| !word.starts_with('-'))
                .collect();
            (behind.len() == 1).then(|| format!("The plugin `{}` has no version.", behind[0]))
        }
        _ => None,
    }
}

pub(super) fn examine(file: &Written, findings: &mut Vec<Finding>) {
    let lines = file.text.lines().enumerate();
    let mut found: Vec<Found> =
        lines.filter_map(|(at, line)| Some((at + 1, setting(file, line.trim())?))).collect();
    found.extend(containers(file));
    if is_yaml(file) {
        let documents = yaml::documents(&file.filled()).unwrap_or_default();
        for node in documents.iter().flat_map(Node::all) {
            found.extend(tag(node));
            found.extend(pipeline(file, node));
            found.extend(action(file, node));
            found.extend(chart_of_flux(node));
        }
        found.extend(releases(file, &documents));
    }
    for (line, message) in found {
        findings.push(error(POLICY, message).at(Some(&file.path), line));
    }
}

type Found = (usize, String);

/// The line and the text of a value.
fn text<'a>(node: &'a Node, key: &str) -> Option<(usize, &'a str)> {
    node.get(key).and_then(|it| Some((it.line, it.text()?)))
}

/// Images of containers in a task definition of ECS.
fn containers(file: &Written) -> Vec<Found> {
    if file.extension() != "tf" {
        return Vec::new();
    }
    let files = [file.clone()];
    let (parsed, _) = hcl::parse(&files);
    let blocks = parsed.iter().flat_map(hcl::Parsed::blocks);
    let tasks = blocks.filter(|(_, block)| label(block, 0) == "aws_ecs_task_definition");
    tasks
        .filter_map(|(line, block)| {
            let text = attribute(&block.body, "container_definitions").unwrap_or_default();
            let named = text.split("image").skip(1).filter_map(|rest| {
                let rest = rest.trim_start_matches(['"', ' ']).strip_prefix(['=', ':'])?;
                rest.trim_start().strip_prefix('"')?.split('"').next()
            });
            // A moving tag is read where all files of Terraform are.
            let mut bare = named.filter(|name| !name.contains(':'));
            let message = bare.find_map(image)?;
            Some((line, message))
        })
        .collect()
}

/// A repository and a tag beside it. For an empty tag, a chart uses its own version.
fn tag(node: &Node) -> Option<Found> {
    let (_, repository) = text(node, "repository")?;
    let (line, tag) = text(node, "tag").filter(|(_, tag)| !tag.is_empty())?;
    Some((line, image(&format!("{repository}:{tag}"))?))
}

/// What a pipeline of GitLab includes from another project, and its services.
fn pipeline(file: &Written, node: &Node) -> Vec<Found> {
    if !file.name().starts_with(".gitlab-ci") {
        return Vec::new();
    }
    let moving = text(node, "ref").is_none_or(|(_, name)| BRANCHES.contains(&name));
    let included = text(node, "project").filter(|_| node.get("file").is_some() && moving);
    let included = included.map(|(line, _)| {
        (line, "This pipeline may be another one tomorrow: name a tag in `ref`.".to_owned())
    });
    let services = node.get("services").map(Node::list).unwrap_or_default();
    let services =
        services.iter().filter_map(|service| Some((service.line, image(service.text()?)?)));
    included.into_iter().chain(services).collect()
}

/// An action of a workflow.
fn action(file: &Written, node: &Node) -> Option<Found> {
    let (line, action) = text(node, "uses").filter(|_| file.is_workflow())?;
    let local = action.starts_with("./") || action.contains("${{");
    let message = match action.strip_prefix("docker://") {
        Some(name) => image(name),
        None if action.contains('@') || local => None,
        None => Some(format!("The action `{action}` names no version.")),
    };
    Some((line, message?))
}

fn chart_of_flux(node: &Node) -> Option<Found> {
    let chart = node.get("chart")?.get("spec")?;
    let source = chart.get("sourceRef")?;
    let version = chart.get("version").and_then(Node::text);
    let released = source.get("kind")?.text() == Some("HelmRepository");
    (released && version.is_none_or(is_open))
        .then(|| (chart.line, "This chart has no version.".to_owned()))
}

/// Releases of a helmfile.
fn releases(file: &Written, documents: &[Node]) -> Vec<Found> {
    if !file.name().starts_with("helmfile") {
        return Vec::new();
    }
    let releases = documents.iter().filter_map(|it| it.get("releases")).flat_map(Node::list);
    let open = releases.filter_map(|release| {
        let source = release.get("chart").and_then(Node::text).unwrap_or(".");
        let version = release.get("version").and_then(Node::text);
        (!source.starts_with(['.', '/']) && version.is_none_or(is_open))
            .then(|| (release.line, format!("The chart `{source}` has no version.")))
    });
    open.collect()
}

/// A line of a unit or of a project's file that leaves a version open.
fn setting(file: &Written, line: &str) -> Option<String> {
    let name = file.name();
    if name.ends_with(".container") {
        return line.strip_prefix("Image=").and_then(image);
    }
    if name.ends_with(".service") && line.starts_with("Exec") {
        let (_, run) = line.split_once('=')?;
        let words: Vec<&str> = run.split_whitespace().collect();
        let program = words.first().map(|word| crate::bash::base(word.trim_start_matches('-')))?;
        let argv: Vec<&str> =
            std::iter::once(program).chain(words.iter().skip(1).copied()).collect();
        let pulled = ["docker", "podman"].contains(&program) && !line.ends_with('\\');
        return pulled.then(|| super::unpinned(&argv)).flatten();
    }
    if name == "Cargo.toml" {
        let (package, version) = line.split_once('=')?;
        return (version.trim() == "\"*\"")
            .then(|| format!("The crate `{}` has no version.", package.trim()));
    }
    if name == "composer.json" {
        let (package, version) = line.rsplit_once(':')?;
        let branch = ["\"dev-main", "\"dev-master"].iter().any(|it| version.trim().starts_with(it));
        return branch
            .then(|| format!("The package {} may be another one tomorrow.", package.trim()));
    }
    None
}

/// Packages that every image has in some version.
const OWN: [&str; 3] = ["ca-certificates", "tzdata", "gnupg"];

/// Packages of an image without a version, although others of the same file have one.
pub(super) fn images_of_one_file(unit: &Unit, findings: &mut Vec<Finding>) {
    for file in unit.files.iter().filter(|file| is_dockerfile(file)) {
        let (mut pinned, mut open) = (0, Vec::new());
        let shells = unit.carried.iter().filter(|shell| shell.file.as_deref() == Some(&file.path));
        for shell in shells {
            for command in &shell.script.commands {
                let argv = command.argv();
                let verb = match argv.as_slice() {
                    ["apt" | "apt-get" | "dnf" | "yum" | "microdnf", ..] => "install",
                    ["apk", ..] => "add",
                    _ => continue,
                };
                let names = argv.iter().skip_while(|word| **word != verb).skip(1);
                let mut valued = false;
                for name in names {
                    let skip = std::mem::replace(
                        &mut valued,
                        ["-t", "--virtual", "-o", "-c"].contains(name),
                    );
                    let own = name.starts_with(['-', '.', '/', '$']) || OWN.contains(name) || skip;
                    if name.contains('=') && !own {
                        pinned += 1;
                    } else if !own {
                        open.push((command.line + shell.offset, (*name).to_owned()));
                    }
                }
            }
        }
        if let Some((line, name)) = open.first().filter(|_| pinned > 0) {
            let message =
                format!("`{name}` has no version, although others in this image have one.");
            findings.push(error(POLICY, message).at(Some(&file.path), *line));
        }
    }
}

#[cfg(test)]
mod tests {
    fn said(text: &str) -> usize {
        crate::testing::said(super::super::examine, text).len()
    }

    fn file(path: &str, text: &str) -> String {
        format!("cat >{path} <<'E'\n{text}\nE\n")
    }

    #[test]
    fn images_name_more_than_their_major_version() {
        for name in ["python:3", "node:22-alpine", "docker.io/library/postgres:16", "traefik:v3"] {
            assert_eq!(said(&file("Dockerfile", &format!("FROM {name}"))), 1, "{name}");
        }
        for name in ["python:3.12", "debian:12", "shop:7", "acme/node:22", "node:22.12.0-alpine"] {
            assert_eq!(said(&file("Dockerfile", &format!("FROM {name}"))), 0, "{name}");
        }
    }

    #[test]
    fn packages_of_an_image_have_versions_or_none_has() {
        let image = |packages: &str| {
            file("Dockerfile", &format!("FROM debian:12.8\nRUN apt-get install -y {packages}"))
        };
        assert_eq!(said(&image("curl=7.88.* libpq5")), 1);
        assert_eq!(said(&image("curl=7.88.* ca-certificates")), 0);
        assert_eq!(said(&image("curl libpq5")), 0);
    }

    #[test]
    fn files_of_many_tools_name_versions() {
        for text in [
            file("a.container", "[Container]\nImage=docker.io/library/nginx:latest"),
            file("a.service", "[Service]\nExecStart=/usr/bin/docker run --rm nginx:latest"),
            file(".gitlab-ci.yml", "build:\n  services: [\"postgres:latest\"]"),
            file(".gitlab-ci.yml", "include:\n  - {project: a/b, ref: main, file: c.yml}"),
            file(".github/workflows/a.yml", "jobs:\n  a:\n    steps:\n      - uses: actions/checkout"),
            file("values.yaml", "image:\n  repository: a/b\n  tag: latest"),
            file("helmfile.yaml", "releases:\n  - name: a\n    chart: b/c"),
            file("hr.yaml", "spec:\n  chart:\n    spec:\n      chart: b\n      sourceRef: {kind: HelmRepository, name: c}"),
            file("Cargo.toml", "serde = \"*\""),
            file("a.tf", "resource \"aws_ecs_task_definition\" \"a\" {\n  container_definitions = jsonencode([{ image = \"nginx\" }])\n}").replace("cat", "# provider\ncat"),
            "docker service create --name a nginx".into(),
            "helm upgrade a oci://r/a --version 1.2.3 --set image.tag=latest".into(),
            "git submodule update --remote".into(),
        ] {
            assert_eq!(said(&text), 1, "{text}");
        }
        for text in [
            file("a.container", "[Container]\nImage=docker.io/library/nginx:1.27.3"),
            file(".gitlab-ci.yml", "include:\n  - {project: a/b, ref: v1.2.0, file: c.yml}"),
            file(".github/workflows/a.yml", "jobs:\n  a:\n    steps:\n      - uses: ./own"),
            file("values.yaml", "image:\n  repository: a/b\n  tag: 1.2.3"),
            file("helmfile.yaml", "releases:\n  - {name: a, chart: b/c, version: 1.2.3}"),
            "helm upgrade a oci://r/a --version 1.2.3 --set image.tag=1.2.3".into(),
            "git submodule update --init".into(),
        ] {
            assert_eq!(said(&text), 0, "{text}");
        }
    }
}
