//! Finds versions that are chosen at the moment: tags such as `latest`, ranges without an upper end, the newest release, and
//! a version that a script asks for.

use super::tools::BRANCHES;
use super::{MOVING, python};
use crate::bash::{Command, assignment, operand};
use crate::check::Task;
use crate::files::Written;
use crate::places::{is_dockerfile, is_yaml};
use crate::yaml::{self, Node};

/// Tags of packages that are another version tomorrow.
const TAGS: [&str; 7] = ["*", "alpha", "beta", "canary", "insiders", "rc", "x"];

/// Whether a version may be a newer one tomorrow without an end: a tag, a branch, or a range with a lower end only.
pub(super) fn is_open(version: &str) -> bool {
    let version = version.trim().trim_matches(['"', '\'']);
    let endless = version.contains('>') && !version.contains('<') && !version.contains("==");
    let named = [&MOVING[..], &BRANCHES[..], &TAGS[..]].iter().any(|tags| tags.contains(&version));
    endless || named
}

/// The address of the newest file of its kind.
pub(super) fn latest_address(address: &str) -> Option<String> {
    let moving = ["/latest/download", "/releases/latest", "-latest.", "/master/", "/nightly/"];
    let told = [
        "/stable.txt",
        "/latest.txt",
        "/channels/stable",
        "/channels/latest",
        "/setup_lts.x",
        "/setup_current.x",
    ];
    let packed = [".deb", ".rpm", ".tar.gz", ".tar.xz", ".tgz", ".zip"];
    let folder = address.contains("/latest/") && packed.iter().any(|end| address.ends_with(end));
    let any = moving.iter().chain(&told).any(|part| address.contains(part));
    (address.starts_with("http") && (any || folder))
        .then(|| format!("`{address}` may be another file tomorrow. Name a version."))
}

/// What a command installs or asks for.
pub(super) fn command(command: &Command) -> Option<String> {
    let argv = command.argv();
    let said = |name: &str| Some(format!("The package `{name}` has no version."));
    let found = match argv.as_slice() {
        ["npm" | "pnpm" | "yarn" | "bun" | "corepack", rest @ ..] => {
            let verbs =
                ["add", "create", "dlx", "global", "i", "init", "install", "prepare", "up", "use"];
            let installs = rest.iter().any(|word| verbs.contains(word));
            rest.iter().find(|word| installs && is_tagged(word)).and_then(|word| said(word))
        }
        ["gem", "install", rest @ ..] | ["cargo", "install", rest @ ..] => {
            let version = after(rest, &["-v", "--version", "--vers"]);
            version.filter(|version| is_open(version)).and_then(|_| said(operand(rest, &[])?))
        }
        ["uv", "pip", "install", rest @ ..] => python(rest),
        ["ansible-galaxy", rest @ ..] if rest.contains(&"install") => {
            let open = |word: &&&str| {
                word.split_once([':', ',']).is_some_and(|(_, version)| is_open(version))
            };
            rest.iter().find(open).map(|word| format!("`{word}` has no fixed version."))
        }
        ["helm", "install" | "upgrade" | "pull" | "template", rest @ ..] => {
            let version = after(rest, &["--version"]).filter(|version| is_open(version))?;
            Some(format!("The chart's version `{version}` may be another one tomorrow."))
        }
        ["gh", "release", "download" | "view", rest @ ..] => {
            let valued = [
                "-R",
                "--repo",
                "-p",
                "--pattern",
                "-D",
                "--dir",
                "-O",
                "--output",
                "-A",
                "--json",
                "--jq",
                "-q",
                "-t",
                "--template",
            ];
            let tag = operand(rest, &valued);
            tag.is_none().then(|| "This takes the newest release: name its tag.".to_owned())
        }
        ["git", "ls-remote", rest @ ..] => {
            let newest = rest.iter().any(|word| word.starts_with("--sort"));
            newest.then(|| "This takes the newest tag: name one.".to_owned())
        }
        _ => None,
    };
    found.or_else(|| command.words.iter().find_map(|word| assigned(&word.text)))
}

/// Whether a package is followed by a tag or a range, as in `@a/b@latest`.
fn is_tagged(word: &str) -> bool {
    let version = word.trim_start_matches('@').split_once('@').map(|(_, version)| version);
    let open = |version: &str| is_open(version) || version.starts_with(['^', '~']);
    !word.starts_with('-') && version.is_some_and(open)
}

fn after<'a>(rest: &[&'a str], names: &[&str]) -> Option<&'a str> {
    let next = rest.windows(2).find(|two| names.contains(&two[0])).map(|two| two[1]);
    next.or_else(|| {
        rest.iter().find_map(|word| {
            word.split_once('=').filter(|(name, _)| names.contains(name)).map(|(_, value)| value)
        })
    })
}

/// The ends of the names of variables with versions.
const VERSIONS: [&str; 3] = ["_CHANNEL", "_VERSION", "_TAG"];

/// A variable that gets the address of the newest file, or no version.
fn assigned(word: &str) -> Option<String> {
    let (name, value) = assignment(word)?;
    let moving = ["latest", "edge", "nightly", "testing"].contains(&value);
    let version = VERSIONS.iter().any(|end| name.ends_with(end));
    let open =
        (version && moving).then(|| format!("`{name}={value}` may be another version tomorrow."));
    latest_address(value).or(open)
}

/// What a task installs or asks for.
pub(super) fn task(task: &Task) -> Option<(usize, String)> {
    let (module, given) = task.module()?;
    let text = |key: &str| given.get(key).and_then(Node::text);
    let version = text("version");
    let name = given.get("name");
    let said =
        |name: &Node| Some((name.line, format!("The package `{}` has no version.", name.text()?)));
    match module.rsplit('.').next().unwrap_or(module) {
        "uri" => {
            let url = given.get("url")?;
            latest_address(url.text()?).map(|message| (url.line, message))
        }
        "npm" | "gem" | "cargo" => {
            let name = name?;
            let own = name.text().is_some_and(|name| {
                name.trim_start_matches('@').contains(['@', ':', '{', '/']) && !is_tagged(name)
            });
            let installed = text("state") != Some("absent");
            let open = version.map_or(!own, is_open);
            said(name).filter(|_| open && installed)
        }
        "pipx" => {
            let name = name?;
            let source = text("source").or_else(|| name.text()).unwrap_or_default();
            let installs = text("state").is_none_or(|state| state.starts_with("install"));
            let pinned = ["==", "@", "{{"].iter().any(|sign| source.contains(sign));
            said(name).filter(|_| installs && !pinned)
        }
        "helm" => {
            let chart = given.get("chart_ref")?;
            let source = chart.text()?;
            let local = source.starts_with(['.', '/', '{']) || source.ends_with(".tgz");
            let installed = text("release_state") != Some("absent");
            let open = text("chart_version").is_none_or(is_open) && !local && installed;
            open.then(|| (chart.line, format!("The chart `{source}` has no version.")))
        }
        _ => None,
    }
}

/// Whether an address leads to the newest release, not only to the page about it.
fn is_newest(address: &str) -> bool {
    address.contains("/releases/latest/download")
        || (address.contains("api.github.com/") && address.contains("/releases/latest"))
}

/// Addresses of newest releases in variables, and versions that a file takes from the environment's defaults.
pub(super) fn addresses(file: &Written) -> Vec<(usize, String)> {
    let told = |address: &str| format!("`{address}` may be another file tomorrow. Name a version.");
    let mut found = Vec::new();
    if is_yaml(file) {
        let documents = yaml::documents(&file.filled()).unwrap_or_default();
        for entry in documents.iter().flat_map(Node::all).flat_map(Node::map) {
            let value = entry.value.text().unwrap_or_default();
            let plain = value.starts_with("http") && !["url", "src"].contains(&entry.key.as_str());
            let asked = value.contains("lookup(") && value.contains("'url'");
            if is_newest(value) && (plain || asked) {
                found.push((entry.line, told(value)));
            }
        }
    }
    for (at, line) in file.text.lines().enumerate() {
        let quoted = line.split('"').skip(1).step_by(2);
        let mut quoted = quoted.filter(|_| file.extension() == "tf");
        let added = line.split_whitespace().nth(1);
        let added = added.filter(|_| is_dockerfile(file) && line.starts_with("ADD "));
        if let Some(address) =
            quoted.find(|text| is_newest(text)).or(added.filter(|it| is_newest(it)))
        {
            found.push((at + 1, told(address)));
        }
        let variable = (file.name().ends_with(".env")).then(|| assigned(line.trim())).flatten();
        found.extend(variable.map(|message| (at + 1, message)));
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::{Context, Unit};

    fn said(text: &str) -> Vec<String> {
        let context = Context::default();
        let unit = Unit::new(text, &context);
        let mut findings = Vec::new();
        super::super::examine(&unit, &mut findings);
        findings.into_iter().map(|found| found.message).collect()
    }

    fn task(text: &str) -> String {
        format!("mkdir tasks\ncat >tasks/main.yml <<'E'\n- name: A\n  {text}\nE\n")
    }

    fn file(path: &str, text: &str) -> String {
        format!("cat >{path} <<'E'\n{text}\nE\n")
    }

    #[test]
    fn a_version_that_can_change_is_found() {
        for text in [
            "npm i -g @nestjs/cli@next".to_owned(),
            "yarn global add serve@latest".into(),
            "corepack prepare pnpm@latest --activate".into(),
            "gem install bundler -v '>= 2.0'".into(),
            "uv pip install ansible".into(),
            "ansible-galaxy collection install 'ansible.posix:>=1.5.0'".into(),
            "helm upgrade a b/c --install --version '>=1.2.0'".into(),
            "gh release download --repo a/b --pattern '*.deb'".into(),
            "v=$(git ls-remote --tags --sort=-v:refname https://example.org/a | head -n1)".into(),
            "npm i -g 'pm2@^5.0.0'".into(),
            "v=$(curl -fsSL https://dl.k8s.io/release/stable.txt)".into(),
            "base=https://github.com/a/b/releases/latest/download\ncurl -fsSLO \"$base/c\"".into(),
            "INSTALL_K3S_CHANNEL=latest sh install.sh".into(),
            task("ansible.builtin.uri:\n    url: https://api.github.com/repos/a/b/releases/latest"),
            task("community.general.npm:\n    name: pm2\n    global: true"),
            task("kubernetes.core.helm:\n    name: a\n    chart_ref: b/c"),
            file("vars/main.yml", "base: https://github.com/a/b/releases/latest/download"),
            file(
                "requirements.yml",
                "collections:\n  - name: ansible.posix\n    version: \">1.4\"",
            ),
            file("requirements.yml", "roles:\n  - name: a.b\n    version: develop"),
        ] {
            assert_eq!(said(&text).len(), 1, "{text}: {:?}", said(&text));
        }
        for text in [
            "npm i -g @nestjs/cli@10.4.9".to_owned(),
            "npm ci && npm run latest@x".into(),
            "gem install bundler -v 2.5.23".into(),
            "uv pip install ansible==10.7.0".into(),
            "ansible-galaxy collection install ansible.posix:1.6.2".into(),
            "helm upgrade a b/c --install --version 1.2.0".into(),
            "gh release download v1.2.0 --repo a/b".into(),
            "curl -fsSL http://169.254.169.254/latest/meta-data/instance-id".into(),
            task("community.general.npm:\n    name: pm2\n    version: 5.4.3\n    global: true"),
            task("community.general.npm:\n    path: /srv/app"),
            task("kubernetes.core.helm:\n    name: a\n    chart_ref: ./b"),
            file("vars/main.yml", "base: https://github.com/a/b/releases/download/v1.2"),
            file("vars/main.yml", "page: https://github.com/a/b/releases/latest"),
            file("requirements.yml", "collections:\n  - name: ansible.posix\n    version: 1.6.2"),
        ] {
            assert_eq!(said(&text), Vec::<String>::new(), "{text}");
        }
    }
}
