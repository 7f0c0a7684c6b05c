//! Checks what commands ask of Terraform's files, versions that no release can have, and networks of modules.

use super::TOOL;
use crate::Unit;
use crate::check::error;
use crate::check::values::{cidr, contains};
use crate::hcl::{Parsed, attribute, entry, label};
use domain::gate::Finding;
use hcl_edit::expr::Expression;
use hcl_edit::structure::{Block, Body};
use std::collections::BTreeSet;

pub(super) fn examine(unit: &Unit, own: &[Parsed], all: &[Parsed], findings: &mut Vec<Finding>) {
    outputs(unit, all, findings);
    for parsed in
        own.iter().filter(|parsed| parsed.file.extension() == "tf" && !parsed.file.expands)
    {
        for (line, block) in parsed.blocks() {
            let wrong = versions(block).into_iter().chain(networks(block));
            for (part, message) in wrong {
                let lines = parsed.file.text.lines().enumerate().skip(line.saturating_sub(1));
                let at = lines.into_iter().find(|(_, text)| text.contains(&part));
                let at = at.map_or(line, |(at, _)| at + 1);
                findings.push(error(TOOL, message).at(Some(&parsed.file.path), at));
            }
        }
    }
}

/// Outputs that a command reads and that no file declares.
fn outputs(unit: &Unit, all: &[Parsed], findings: &mut Vec<Finding>) {
    let blocks = all.iter().flat_map(|parsed| parsed.body.blocks());
    let declared: BTreeSet<&str> = blocks
        .filter(|block| block.ident.as_str() == "output")
        .map(|block| label(block, 0))
        .collect();
    for shell in unit.everywhere().filter(|_| !declared.is_empty()) {
        for command in &shell.script.commands {
            let argv = command.argv();
            let Some(("terraform" | "tofu", rest)) =
                argv.split_first().map(|(it, rest)| (*it, rest))
            else {
                continue;
            };
            let mut words = rest.iter().skip_while(|word| **word != "output").skip(1);
            let name = words.find(|word| !word.starts_with('-')).copied().unwrap_or_default();
            let before = rest.iter().take_while(|word| **word != "output");
            let direct = before.into_iter().all(|word| word.starts_with('-'));
            if direct && crate::bash::is_name(&name.replace('-', "_")) && !declared.contains(name) {
                let message = format!("No output of these files is named `{name}`.");
                let line = command.line + shell.offset;
                findings.push(error(TOOL, message).at(shell.file.as_deref(), line));
            }
        }
    }
}

type Found = Vec<(String, String)>;

/// Constraints that Terraform cannot read.
fn versions(block: &Block) -> Found {
    let mut texts = Vec::new();
    match block.ident.as_str() {
        "terraform" => {
            texts.extend(attribute(&block.body, "required_version"));
            for required in block.body.get_blocks("required_providers") {
                for provider in required.body.attributes() {
                    if let Expression::Object(object) = &provider.value {
                        texts.extend(entry(object, "version").map(ToString::to_string));
                    }
                }
            }
        }
        "module" => texts.extend(attribute(&block.body, "version")),
        _ => {}
    }
    let mut found = Vec::new();
    for text in texts {
        let text = text.trim().trim_matches('"').to_owned();
        if !text.contains('$') && !text.split(',').all(is_constraint) && !text.is_empty() {
            found.push((text.clone(), format!("`{text}` is not a version constraint.")));
        }
    }
    found
}

fn is_constraint(part: &str) -> bool {
    let part = part.trim();
    let number = part.trim_start_matches(['=', '!', '<', '>', '~']).trim().trim_start_matches('v');
    let sign = part.split(|c: char| c.is_ascii_digit() || c == ' ' || c == 'v').next();
    let known = ["", "=", "!=", ">", "<", ">=", "<=", "~>"].contains(&sign.unwrap_or_default());
    let (plain, _) = number.split_once(['-', '+']).unwrap_or((number, ""));
    let digits = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_digit());
    known && plain.split('.').all(digits) && plain.split('.').count() <= 4
}

/// Parts of a module's network that lie outside of it.
fn networks(block: &Block) -> Found {
    let whole = |body: &Body| {
        let text =
            ["cidr", "vpc_cidr", "cidr_block"].iter().find_map(|key| attribute(body, key))?;
        cidr(text.trim_matches('"'))
    };
    let Some(network) = whole(&block.body).filter(|_| block.ident.as_str() == "module") else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let second = attribute(&block.body, "secondary_cidr_blocks").is_some();
    for given in
        block.body.attributes().filter(|it| it.key.as_str().ends_with("_subnets") && !second)
    {
        let Expression::Array(parts) = &given.value else { continue };
        for part in parts.iter().filter_map(|part| part.as_str()) {
            if cidr(part).is_some_and(|inner| !contains(network, inner)) {
                found
                    .push((part.to_owned(), format!("`{part}` is outside this module's network.")));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constraints_are_operators_and_numbers() {
        for text in
            ["~> 5.0", ">= 1.6.0, < 2.0", "1.2.3", "= 1.0", "!= 1.1.0", ">=1.5", "~> 3.0-beta1"]
        {
            assert!(text.split(',').all(is_constraint), "{text}");
        }
        for text in ["~> 6.14.x", "^5.0", "latest", "~>", "=> 1.0", "5.*"] {
            assert!(!text.split(',').all(is_constraint), "{text}");
        }
    }
}
