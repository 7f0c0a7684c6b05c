//! Follows names to their values where a version is filled in: a variable of the shell, of Compose, of Ansible or of
//! Terraform that says `latest` leaves as much open as the word itself.

use super::MOVING;
use super::moving::is_open;
use crate::check::error;
use crate::hcl::{self, Parsed, attribute, label};
use crate::{POLICY, Unit};
use domain::gate::Finding;

/// What precedes a version where a command or a file names one.
const PLACES: [&str; 7] = [":", "@", "==", "--version ", "--version=", "--branch ", "version: "];

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    let told = |path: Option<&str>, line: usize, name: &str, value: &str| {
        let message = format!("`{name}` is `{value}`, which may be another version tomorrow.");
        error(POLICY, message).at(path, line)
    };
    let lines = unit.text.lines().enumerate();
    // The text has the lines of all files in it.
    for (at, line) in lines {
        let Some((name, value)) = moving(line) else { continue };
        if unit.texts().any(|text| fills(text, name)) {
            findings.push(told(None, at + 1, name, value));
        }
    }
    for file in unit.written() {
        for (at, line) in file.filled().lines().enumerate() {
            let message = named(line).and_then(super::image);
            findings
                .extend(message.map(|message| error(POLICY, message).at(Some(&file.path), at + 1)));
        }
    }
    let (files, _) = hcl::parse(&unit.files);
    for parsed in &files {
        for (line, block) in parsed.blocks() {
            let value = attribute(&block.body, "default").unwrap_or_default();
            let value = value.trim_matches('"');
            let name = label(block, 0);
            let variable = block.ident.as_str() == "variable" && MOVING.contains(&value);
            let read = unit.texts().any(|text| text.contains(&format!("var.{name}")));
            if variable && read && unit.texts().any(|text| fills(text, name)) {
                findings.push(told(Some(&parsed.file.path), line, name, value));
            }
            if label(block, 0) != "helm_release" {
                continue;
            }
            let version = attribute(&block.body, "version").unwrap_or_default();
            if let Some(value) = default(&version, &files).filter(|value| is_unset(value)) {
                findings.push(told(Some(&parsed.file.path), line, &version, &value));
            }
        }
    }
}

/// The image that a line gives a name: `caddy_image: caddy:latest`, `APP_IMAGE=a/b:latest`.
fn named(line: &str) -> Option<&str> {
    let (name, value) = line.trim().split_once([':', '='])?;
    let value = value.trim().trim_matches(['"', '\'']);
    let (_, tag) = value.rsplit_once(':')?;
    let plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    (plain && name.to_ascii_lowercase().ends_with("_image") && MOVING.contains(&tag))
        .then_some(value)
}

/// A name that a line gives one of the words for a moving version.
fn moving(line: &str) -> Option<(&str, &str)> {
    let line = line.trim().trim_start_matches("export ").trim_start_matches("readonly ");
    let line = line.trim_start_matches("- ").trim_start_matches("local ");
    let (name, value) = line.split_once(['=', ':'])?;
    let value = value.trim().trim_matches(['"', '\'']);
    // `${1:-latest}` is that word unless the caller gives another one.
    let default = value.strip_prefix("${").and_then(|rest| rest.strip_suffix('}'));
    let default = default.and_then(|rest| rest.split_once([':', '-', '=']));
    let value = default.map_or(value, |(_, word)| word.trim_start_matches(['-', '=']));
    let plain = crate::bash::is_name(name.trim()) && MOVING.contains(&value);
    plain.then_some((name.trim(), value))
}

/// Commands whose versions name what the script itself makes.
const MAKING: [&str; 5] = ["buildx", "docker build", "docker push", "docker tag", "git push"];

/// Whether a text fills in a name in the place of a version.
fn fills(text: &str, name: &str) -> bool {
    let lines = text.lines().filter(|line| !MAKING.iter().any(|command| line.contains(command)));
    lines.into_iter().any(|line| PLACES.iter().any(|place| is_filled(line, place, name)))
}

fn is_filled(line: &str, place: &str, name: &str) -> bool {
    let ends = |rest: &str| !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
    line.match_indices(place).any(|(at, _)| {
        let rest = line[at + place.len()..].trim_start_matches(['"', '\'']);
        // An address of an image or a package has a word before its colon.
        let joined = line[..at].ends_with(|c: char| c.is_ascii_alphanumeric() || c == '}');
        let signs = ["${{ env.", "${{ vars.", "${", "$", "{{ ", "{{"];
        let inner = signs.iter().find_map(|sign| rest.strip_prefix(sign));
        let inner =
            inner.map(|inner| inner.trim_start_matches("var.").trim_start_matches("local."));
        (joined || place.starts_with(['-', 'v']))
            && inner.and_then(|inner| inner.strip_prefix(name)).is_some_and(ends)
    })
}

/// The default of the variable, or the value of the local name, that an attribute consists of.
fn default(value: &str, files: &[Parsed]) -> Option<String> {
    let blocks = || files.iter().flat_map(Parsed::blocks).map(|(_, block)| block);
    let (kind, name) = value.split_once('.')?;
    match kind {
        "var" => blocks()
            .filter(|block| block.ident.as_str() == "variable" && label(block, 0) == name)
            .find_map(|block| attribute(&block.body, "default")),
        "local" => blocks()
            .filter(|block| block.ident.as_str() == "locals")
            .find_map(|block| attribute(&block.body, name)),
        _ => None,
    }
}

/// Whether a value names no version.
fn is_unset(value: &str) -> bool {
    let value = value.trim().trim_matches('"');
    ["null", ""].contains(&value) || is_open(value)
}

#[cfg(test)]
mod tests {
    fn said(text: &str) -> usize {
        crate::testing::said(super::super::examine, text).len()
    }

    #[test]
    fn a_version_is_followed_to_its_value() {
        let compose =
            "cat >compose.yaml <<'E'\nservices:\n  a:\n    image: example.org/a:${TAG:?}\nE\n";
        let play = "cat >site.yml <<'E'\n- hosts: all\n  vars:\n    app_tag: latest\n  tasks:\n    - community.docker.docker_container:\n        name: a\n        image: \"a/b:{{ app_tag }}\"\nE\n";
        let image = "cat >main.tf <<'E'\nvariable \"tag\" {\n  default = \"latest\"\n}\nlocals {\n  tag = \"latest\"\n  image = \"a/b:${local.tag}\"\n}\nE\n";
        let chart = "cat >main.tf <<'E'\nvariable \"v\" {\n  default = DEFAULT\n}\nresource \"helm_release\" \"a\" {\n  name = \"a\"\n  chart = \"a\"\n  version = var.v\n}\nE\n";
        for text in [
            format!("cat >.env <<'E'\nTAG=latest\nE\n{compose}"),
            "tag=\"${1:-latest}\"\ndocker run --rm \"a/b:$tag\" true\n".to_owned(),
            "tag=${TAG:=main}\ndocker run --rm \"a/b:$tag\" true\n".to_owned(),
            "cat >main.tf <<'E'\nvariable \"tag\" {\n  default = \"latest\"\n}\nresource \"docker_image\" \"a\" {\n  name = \"a/b:${var.tag}\"\n}\nE\n".to_owned(),
            "tag=stable\ndocker run --rm \"a/b:$tag\" true\n".to_owned(),
            "version=latest\nhelm upgrade --install a b/c --version \"$version\"\n".to_owned(),
            play.to_owned(),
            image.to_owned(),
            chart.replace("DEFAULT", "null"),
            chart.replace("DEFAULT", "\">= 1.0\""),
        ] {
            assert_eq!(said(&text), 1, "{text}");
        }
        for text in [
            format!("cat >.env <<'E'\nTAG=1.4.2\nE\n{compose}"),
            "branch=main\ngit push origin \"HEAD:$branch\"\n".to_owned(),
            "tag=latest\ndocker build -t \"a/b:$tag\" .\n".to_owned(),
            "tag=latest\necho \"$tag\"\n".to_owned(),
            "tag=\"${1:-2.4.1}\"\ndocker run --rm \"a/b:$tag\" true\n".to_owned(),
            chart.replace("DEFAULT", "\"1.2.3\""),
        ] {
            assert_eq!(said(&text), 0, "{text}");
        }
    }
}
