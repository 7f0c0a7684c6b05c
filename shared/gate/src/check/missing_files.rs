//! Finds files that a unit, a service or a link takes from one of the script's own folders, where no line makes them.

use super::config::{UNITS, kind};
use super::{FILES, error};
use crate::files::known;
use crate::places::{is_compose, is_dockerfile};
use crate::yaml::{self, Node};
use crate::{Unit, Written};
use domain::gate::Finding;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    let texts: Vec<&str> = unit.texts().collect();
    for file in unit.written() {
        let found = [environment(file, &texts), secrets(file, &texts), built(file)];
        for (line, message) in found.into_iter().flatten() {
            findings.push(error(FILES, message).at(Some(&file.path), line));
        }
    }
    for shell in unit.everywhere() {
        for command in &shell.script.commands {
            let argv = command.argv();
            let message = match argv.as_slice() {
                ["ln", rest @ ..] => linked(unit, rest, &shell.script, &texts),
                _ => read(&argv, &texts),
            };
            if let Some(message) = message {
                let line = command.line + shell.offset;
                findings.push(error(FILES, message).at(shell.file.as_deref(), line));
            }
        }
    }
}

type Mistakes = Vec<(usize, String)>;

/// How often texts have a path, or the last part of one, as a whole.
pub(super) fn mentions(texts: &[&str], path: &str) -> usize {
    let edge = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let whole = |text: &&str| {
        let places = text.match_indices(path).filter(|(at, _)| {
            !text[..*at].ends_with(edge) && !text[at + path.len()..].starts_with(edge)
        });
        places.count()
    };
    texts.iter().map(whole).sum()
}

/// Whether the scripts make a folder, so that everything in it is theirs.
fn is_made(texts: &[&str], folder: &str) -> bool {
    let makes = ["mkdir ", "install -d", "install --directory"];
    !folder.is_empty()
        && texts.iter().flat_map(|text| text.lines()).any(|line| {
            let mut words = line.split(|c: char| c.is_whitespace() || "\"';&|".contains(c));
            makes.iter().any(|sign| line.contains(sign))
                && words.any(|word| word.trim_end_matches('/') == folder)
        })
}

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Whether only one line mentions a file in one of the scripts' own folders.
fn is_lost(texts: &[&str], path: &str) -> bool {
    let plain = !path.contains(['$', '{', '*', '%', '?']);
    let name = path.rsplit('/').next().unwrap_or(path);
    plain
        && is_made(texts, folder(path))
        && mentions(texts, path) <= 1
        && mentions(texts, name) <= 1
}

/// The file with the environment of a service.
fn environment(file: &Written, texts: &[&str]) -> Mistakes {
    if !UNITS.contains(&kind(file).as_str()) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (at, line) in file.filled().lines().enumerate() {
        let Some(path) = line.trim().strip_prefix("EnvironmentFile=") else { continue };
        // The name of a folder can be the only other mention of a short name.
        let whole = mentions(texts, path) <= 1 && !path.starts_with('-');
        if whole && is_made(texts, folder(path)) && !path.contains(['$', '{', '*', '%']) {
            found.push((at + 1, format!("Nothing writes `{path}`, which the service needs.")));
        }
    }
    found
}

/// Secrets of Compose: the files that they come from, and those that a service reads without having them.
fn secrets(file: &Written, texts: &[&str]) -> Mistakes {
    if !is_compose(file) {
        return Vec::new();
    }
    let Ok(documents) = yaml::documents(&file.filled()) else { return Vec::new() };
    let mut found = Vec::new();
    for document in &documents {
        for key in ["configs", "secrets"] {
            for secret in document.get(key).map(Node::map).unwrap_or_default() {
                let Some(place) = secret.value.get("file") else { continue };
                let path = place.text().unwrap_or_default().trim_start_matches("./");
                if is_lost(texts, path) {
                    found.push((place.line, format!("Nothing writes `{path}`.")));
                }
            }
        }
        for service in document.get("services").map(Node::map).unwrap_or_default() {
            let own: Vec<&str> = service
                .value
                .get("secrets")
                .map(Node::list)
                .unwrap_or_default()
                .iter()
                .filter_map(|it| {
                    it.text().or_else(|| it.get("target").or_else(|| it.get("source"))?.text())
                })
                .collect();
            let mounts = service.value.get("volumes").is_some_and(|node| {
                node.all()
                    .iter()
                    .any(|it| it.text().is_some_and(|text| text.contains("/run/secrets")))
            });
            let Some(given) = service.value.get("environment").filter(|_| !mounts) else {
                continue;
            };
            for node in given.all() {
                let Some(text) = node.text() else { continue };
                let name = text.rsplit_once("/run/secrets/").map(|(_, name)| name.trim());
                let name =
                    name.filter(|name| !own.iter().any(|it| it.rsplit('/').next() == Some(name)));
                if let Some(name) =
                    name.filter(|name| crate::bash::is_name(&name.replace(['-', '.'], "_")))
                {
                    let message = format!("This service has no secret `{name}`.");
                    found.push((node.line, message));
                }
            }
        }
    }
    found
}

/// Folders that every image has, or that programs fill on their own.
const COMMON: [&str; 18] = [
    "bin", "boot", "dev", "etc", "go", "home", "lib", "lib64", "mnt", "nix", "opt", "root", "run",
    "sbin", "srv", "tmp", "usr", "var",
];

/// Images whose folders contain only the files of every system.
const BARE: [&str; 10] = [
    "alpine",
    "debian",
    "eclipse-temurin",
    "golang",
    "maven",
    "node",
    "python",
    "ruby",
    "rust",
    "ubuntu",
];

/// The beginning of the text of a stage whose image is not known.
const ANYTHING: &str = "?";

/// What an image copies from a stage in which no line mentions it.
fn built(file: &Written) -> Mistakes {
    if !is_dockerfile(file) || file.expands {
        return Vec::new();
    }
    let mut stages: Vec<(String, String)> = Vec::new();
    let mut found = Vec::new();
    for (at, line) in file.text.lines().enumerate() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            [from, rest @ ..] if from.eq_ignore_ascii_case("from") => {
                let name = rest.windows(2).find(|two| two[0].eq_ignore_ascii_case("as"));
                let name = name.map(|two| two[1]).unwrap_or_default().to_owned();
                // A stage that builds on another has its files, too.
                let base = stages.iter().find(|(stage, _)| rest.first() == Some(&stage.as_str()));
                let image = rest.iter().find(|word| !word.starts_with("--")).copied();
                let image = image.and_then(|image| image.split([':', '@']).next());
                let bare = image.is_some_and(|image| BARE.contains(&image));
                // Another image may have any folder.
                let unknown = if bare { "" } else { ANYTHING };
                let text = base.map_or_else(|| unknown.to_owned(), |(_, text)| text.clone());
                stages.push((name, text));
                continue;
            }
            ["COPY", rest @ ..] => {
                let stage = rest.iter().find_map(|word| word.strip_prefix("--from="));
                let stage = stages.iter().find(|(name, _)| stage == Some(name.as_str()));
                let paths: Vec<&&str> =
                    rest.iter().filter(|word| !word.starts_with("--")).collect();
                let sources = paths.split_last().map(|(_, sources)| sources).unwrap_or_default();
                if let Some((name, text)) = stage {
                    for source in sources {
                        let first =
                            source.strip_prefix('/').and_then(|path| path.split('/').next());
                        let first =
                            first.filter(|first| !first.is_empty() && !COMMON.contains(first));
                        let lost = first.filter(|first| {
                            !text.starts_with(ANYTHING)
                                && !text.contains(&format!("/{first}"))
                                && !source.contains(['$', '*'])
                        });
                        if lost.is_some() {
                            found.push((
                                at + 1,
                                format!("Nothing in the stage `{name}` makes `{source}`."),
                            ));
                        }
                    }
                }
            }
            _ => {}
        }
        if let Some((_, text)) = stages.last_mut() {
            text.push_str(line);
            text.push('\n');
        }
    }
    found
}

/// A link to a file beside the one that the script writes and that nothing else names.
fn linked(
    unit: &Unit,
    rest: &[&str],
    script: &crate::bash::Script,
    texts: &[&str],
) -> Option<String> {
    let mut places = rest.iter().filter(|word| !word.starts_with('-'));
    let source = known(places.next()?, script);
    let open = !source.starts_with('/') || source.contains(['$', '*', '{']);
    let written = |file: &&Written| file.folder() == folder(&source) && !file.path.contains('$');
    let own = unit.written().any(|file| file.path == source);
    let beside = unit.written().find(written).filter(|_| !open && !own)?;
    let idle = mentions(texts, &beside.path) <= 1 && mentions(texts, &source) <= 1;
    idle.then(|| format!("Nothing writes `{source}`, but something writes `{}`.", beside.path))
}

/// A file that an option names in one of the script's own folders.
fn read(argv: &[&str], texts: &[&str]) -> Option<String> {
    const OPTIONS: [&str; 8] = [
        "--config",
        "--env-file",
        "--exclude-file",
        "--exclude-from",
        "--files-from",
        "--include-file",
        "--password-file",
        "--values",
    ];
    let behind = argv.windows(2).filter(|two| OPTIONS.contains(&two[0])).map(|two| two[1]);
    let joined = argv.iter().filter_map(|word| {
        let (option, path) = word.split_once('=')?;
        OPTIONS.contains(&option).then_some(path)
    });
    let lost = behind.chain(joined).find(|path| path.starts_with('/') && is_lost(texts, path))?;
    Some(format!("Nothing writes `{lost}`, which this command reads."))
}

#[cfg(test)]
mod tests {
    #[test]
    fn files_of_the_scripts_own_are_made() {
        let said = |text: &str| crate::testing::said(super::examine, text).len();
        let unit = "install -d /etc/a\nprintf 'A=1\\n' > /etc/a/a.env\ncat >/etc/systemd/system/a.service <<'E'\n[Service]\nEnvironmentFile=/etc/a/FILE\nE\n";
        let compose = "mkdir -p secrets\nfor n in db; do openssl rand 8 >secrets/$n; done\ncat >compose.yaml <<'E'\nservices:\n  a:\n    image: a:1\n    environment:\n      P_FILE: /run/secrets/SECRET\n    secrets: [db]\nsecrets:\n  db:\n    file: ./secrets/FILE\nE\n";
        let image = "cat >Dockerfile <<'E'\nFROM golang:1.25 AS build\nWORKDIR /src\nRUN go build -o /api .\nFROM scratch\nCOPY --from=build PATH /api\nE\n";
        let link = "cat >/etc/nginx/sites-available/shop <<'E'\nE\nln -sfn /etc/nginx/sites-available/NAME /etc/nginx/sites-enabled/NAME2\n";
        for (text, count) in [
            (unit.replace("FILE", "a.env"), 0),
            (unit.replace("FILE", "env"), 1),
            (unit.replace("FILE", "env").replace("=/etc/a", "=-/etc/a"), 0),
            (compose.replace("SECRET", "db").replace("secrets/FILE", "secrets/db"), 0),
            (compose.replace("SECRET", "pw").replace("secrets/FILE", "secrets/db"), 1),
            (compose.replace("SECRET", "db").replace("secrets/FILE", "secrets/dbpw"), 1),
            (image.replace("PATH", "/api"), 0),
            (image.replace("PATH", "/usr/bin/env"), 0),
            (image.replace("PATH", "/app"), 1),
            (image.replace("PATH", "/app").replace("golang:1.25", "r.example.org/base:1"), 0),
            (link.replace("NAME2", "shop").replace("NAME", "shop"), 0),
            (link.replace("NAME2", "shop").replace("NAME", "shop.conf"), 1),
            ("mkdir -p /etc/r\necho '*.tmp' >/etc/r/exclude\nrestic backup --exclude-file /etc/r/excludes /srv\n".into(), 1),
        ] {
            assert_eq!(said(&text), count, "{text}");
        }
    }
}
