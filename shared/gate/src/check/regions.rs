//! Checks the regions that commands and Terraform's resources name: each provider has its own.

use super::{FILES, error};
use crate::Unit;
use crate::files::known;
use crate::hcl::{self, Parsed, attribute, label};
use crate::places::is_yaml;
use crate::yaml::{self, Node};
use domain::gate::Finding;

const TABLE: &str = include_str!("regions.txt");

/// Programs of providers, and the options with which they name a region.
const PROGRAMS: [(&str, &str, &[&str]); 6] = [
    ("aws", "aws", &["--region"]),
    ("az", "azurerm", &["--location", "-l"]),
    ("doctl", "digitalocean", &["--region"]),
    ("gcloud", "google", &["--location", "--region", "--zone"]),
    ("hcloud", "hcloud", &["--datacenter", "--location", "--network-zone"]),
    ("vultr-cli", "vultr", &["--region"]),
];

/// Arguments of resources and providers that name a region or a part of one.
const ARGUMENTS: [&str; 7] = [
    "availability_zone",
    "datacenter",
    "home_location",
    "location",
    "network_zone",
    "region",
    "zone",
];

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for shell in unit.everywhere() {
        for command in &shell.script.commands {
            let argv = command.argv();
            let program = PROGRAMS.iter().find(|(name, ..)| argv.first() == Some(name));
            let mut given: Vec<(&str, String)> = Vec::new();
            if let Some((_, provider, options)) = program {
                let two = argv.windows(2).filter(|two| options.contains(&two[0]));
                given.extend(two.map(|two| (*provider, two[1].to_owned())));
                let joined = argv.iter().filter_map(|word| word.split_once('='));
                let joined = joined.filter(|(name, _)| options.contains(name));
                given.extend(joined.map(|(_, value)| (*provider, value.to_owned())));
            }
            let set = command.words.iter().filter_map(|word| word.text.split_once('='));
            let set = set.filter(|(name, _)| ["AWS_REGION", "AWS_DEFAULT_REGION"].contains(name));
            given.extend(set.map(|(_, value)| ("aws", value.to_owned())));
            for (provider, value) in given {
                let Some(message) = unknown(provider, &known(&value, &shell.script)) else {
                    continue;
                };
                let line = command.line + shell.offset;
                findings.push(error(FILES, message).at(shell.file.as_deref(), line));
            }
        }
    }
    terraform(unit, findings);
    for file in unit.files.iter().filter(|file| is_yaml(file)) {
        let Ok(documents) = yaml::documents(&file.filled()) else { continue };
        for node in documents.iter().flat_map(Node::all) {
            let Some(region) = node.get("aws-region") else { continue };
            if let Some(message) = region.text().and_then(|name| unknown("aws", name)) {
                findings.push(error(FILES, message).at(Some(&file.path), region.line));
            }
        }
    }
}

/// What is wrong with the name of a region.
fn unknown(provider: &str, name: &str) -> Option<String> {
    let name = name.trim_matches(['"', '\'']);
    // Azure takes names with spaces and capitals.
    let name =
        if provider == "azurerm" { name.replace(' ', "").to_lowercase() } else { name.to_owned() };
    let name = if provider == "google" { name.to_lowercase() } else { name };
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
    if name.len() < 2 || name == "all" || name == "auto" || !name.chars().all(plain) {
        return None;
    }
    let line = TABLE.lines().find_map(|line| line.strip_prefix(provider)?.strip_prefix(": "))?;
    let has = |name: &str| line.split(' ').any(|one| one == name);
    let zone = match provider {
        "aws" => name.strip_suffix(|c: char| c.is_ascii_lowercase()),
        "google" | "scaleway" => {
            name.rsplit_once('-').filter(|(_, zone)| zone.len() == 1).map(|(region, _)| region)
        }
        "hcloud" => name.split_once("-dc").map(|(place, _)| place),
        _ => None,
    };
    // Local zones and outposts have their own names.
    let local = provider == "aws" && name.matches('-').count() > 3;
    let provider = match provider {
        "aws" => "AWS",
        "azurerm" => "Azure",
        "digitalocean" => "DigitalOcean",
        "google" => "Google Cloud",
        "hcloud" => "Hetzner",
        "scaleway" => "Scaleway",
        other => other,
    };
    (!local && !has(&name) && !zone.is_some_and(has))
        .then(|| format!("{provider} has no region `{name}`."))
}

/// Regions of resources, also those that a variable or a local value of the same folder names.
fn terraform(unit: &Unit, findings: &mut Vec<Finding>) {
    let (own, _) = hcl::parse(&unit.files);
    let (all, _) = hcl::parse(&unit.tree);
    for parsed in own.iter().filter(|parsed| parsed.file.extension() == "tf") {
        for (line, block) in parsed.blocks() {
            if !["provider", "resource"].contains(&block.ident.as_str()) {
                continue;
            }
            let provider = label(block, 0).split('_').next().unwrap_or_default();
            for key in ARGUMENTS {
                let Some(value) = attribute(&block.body, key) else { continue };
                let Some((value, place)) = literal(&value, parsed, &all) else { continue };
                let Some(message) = unknown(provider, &value) else { continue };
                let at = match place {
                    Some(at) => at,
                    None => {
                        let lines =
                            parsed.file.text.lines().enumerate().skip(line.saturating_sub(1));
                        let found = lines.into_iter().find(|(_, text)| text.contains(&value));
                        (parsed.file.path.as_str(), found.map_or(line, |(at, _)| at + 1))
                    }
                };
                findings.push(error(FILES, message).at(Some(at.0), at.1));
            }
        }
    }
}

/// A literal value, with the place of the variable or local value that has it.
fn literal<'a>(
    value: &str,
    parsed: &Parsed,
    all: &'a [Parsed<'a>],
) -> Option<(String, Option<(&'a str, usize)>)> {
    if value.starts_with('"') {
        return Some((value.trim_matches('"').to_owned(), None));
    }
    for other in all.iter().filter(|other| other.file.folder() == parsed.file.folder()) {
        for (line, block) in other.blocks() {
            let (variable, local) = (value.strip_prefix("var."), value.strip_prefix("local."));
            let found = match block.ident.as_str() {
                "variable" if variable == Some(label(block, 0)) => {
                    attribute(&block.body, "default")
                }
                "locals" => local.and_then(|name| attribute(&block.body, name)),
                _ => None,
            };
            if let Some(text) = found.filter(|text| text.starts_with('"') && !text.contains('$')) {
                return Some((
                    text.trim_matches('"').to_owned(),
                    Some((other.file.path.as_str(), line)),
                ));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Context;

    fn said(text: &str) -> usize {
        let context = Context::default();
        let unit = Unit::new(text, &context);
        let mut findings = Vec::new();
        examine(&unit, &mut findings);
        findings.len()
    }

    #[test]
    fn a_region_is_one_of_its_provider() {
        let droplet = |region: &str| {
            format!(
                "cat >a.tf <<'E'\nvariable \"region\" {{\n  default = \"{region}\"\n}}\nresource \"digitalocean_vpc\" \"a\" {{\n  region = var.region\n}}\nE\n"
            )
        };
        assert_eq!((said(&droplet("eu-central-1")), said(&droplet("fra1"))), (1, 0));
        for (text, count) in [
            ("aws s3 ls --region eu-central1", 1),
            ("export AWS_REGION=eu-central-1", 0),
            ("gcloud compute instances list --zone=europe-west3-a", 0),
            ("gcloud run deploy a --region eu-west-1", 1),
            ("hcloud server create --location fsn1 --name a", 0),
            ("hcloud server create --location fra1 --name a", 1),
            ("az group create --name a --location westeurope", 0),
            ("aws s3 ls --region \"$REGION\"", 0),
        ] {
            assert_eq!(said(text), count, "{text}");
        }
    }
}
