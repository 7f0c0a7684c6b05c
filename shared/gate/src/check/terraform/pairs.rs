//! Checks resources of Terraform that must agree with each other or with the files of the project: keys of a table and its
//! attributes, a load balancer and its container, a function and its file, networks and what is in them.

use super::TOOL;
use super::settings::{line_of, resource};
use crate::Unit;
use crate::check::error;
use crate::check::values::cidr;
use crate::hcl::{Parsed, attribute, label};
use domain::gate::Finding;
use hcl_edit::structure::{Block, Body};

pub(super) fn examine(
    unit: &Unit,
    parsed: &Parsed,
    folder: &[&Parsed],
    findings: &mut Vec<Finding>,
) {
    if parsed.file.expands {
        return;
    }
    for (line, block) in parsed.blocks() {
        let mut found = Vec::new();
        provided(block, folder, &mut found);
        match (block.ident.as_str(), label(block, 0)) {
            ("resource", "aws_dynamodb_table") => keys(block, &mut found),
            ("resource", "aws_ecs_service") => container(block, folder, &mut found),
            ("resource", "aws_ecs_task_definition") => roles(block, &mut found),
            ("resource", "aws_lb_target_group" | "aws_alb_target_group") => {
                targets(unit, block, folder, &mut found);
            }
            ("resource", "aws_vpc") => network(block, &mut found),
            ("resource", "aws_nat_gateway") => gateway(block, &mut found),
            ("resource", "aws_db_instance") => windows(block, &mut found),
            ("resource", "aws_lambda_function") => {
                function(unit, block, &mut found);
                hashed(block, &mut found);
                trusted(block, folder, &mut found);
            }
            ("resource", "aws_cloudfront_distribution") => origins(block, &mut found),
            ("resource", "hcloud_volume") => volume(block, folder, &mut found),
            ("resource", "hcloud_firewall") => sources(block, &mut found),
            ("data", "aws_iam_policy_document") => objects(block, &mut found),
            _ => {}
        }
        for (key, message) in found {
            let at = line_of(parsed, line, key);
            findings.push(error(TOOL, message).at(Some(&parsed.file.path), at));
        }
    }
}

/// A balancer's group of targets that only the balancer itself names: nothing is in it.
fn targets(unit: &Unit, block: &Block, folder: &[&Parsed], found: &mut Found) {
    let reference = format!("{}.{}", label(block, 0), label(block, 1));
    let own = ["aws_lb", "aws_alb", "aws_cloudwatch"];
    let blocks: Vec<&Block> = folder.iter().flat_map(|parsed| parsed.body.blocks()).collect();
    let leads = |other: &&&Block| {
        let kind = label(other, 0);
        other.ident.as_str() != "resource"
            || kind.ends_with("_attachment")
            || !own.iter().any(|own| kind.starts_with(own))
    };
    let named =
        blocks.iter().filter(leads).any(|other| other.body.to_string().contains(&reference));
    // Another step may build what the balancer leads to.
    let kinds = ["aws_autoscaling_group", "aws_ecs_service", "aws_instance"];
    let possible = blocks.iter().any(|block| kinds.contains(&label(block, 0)));
    // A controller in a cluster, or a command, may register targets.
    let elsewhere = ["register-targets", "TargetGroupBinding", "target-group"];
    if !named && possible && !elsewhere.iter().any(|sign| unit.text.contains(sign)) {
        found.push(("resource", format!("Nothing attaches a target to `{reference}`.")));
    }
}

/// Variables that the script sets for Terraform under a name that no file declares.
pub(super) fn given(unit: &Unit, findings: &mut Vec<Finding>) {
    let declares = |file: &crate::Written, name: &str| {
        file.extension() == "tf" && file.text.contains(&format!("variable \"{name}\""))
    };
    let first = unit.files.iter().find(|file| file.text.contains("variable \""));
    if first.is_none_or(|first| first.expands || first.extension() != "tf") {
        return;
    }
    for (at, line) in unit.text.lines().enumerate() {
        let set =
            line.trim_start().strip_prefix("export TF_VAR_").and_then(|rest| rest.split_once('='));
        let Some((name, _)) = set.filter(|(name, _)| crate::bash::is_name(name)) else { continue };
        if !unit.tree.iter().any(|file| declares(file, name)) {
            findings.push(error(TOOL, format!("No variable is named `{name}`.")).at(None, at + 1));
        }
    }
}

/// A key by which the line is found, and the message.
type Found = Vec<(&'static str, String)>;

/// A literal text.
fn text(body: &Body, key: &str) -> Option<String> {
    let value = attribute(body, key)?;
    let inner = value.strip_prefix('"')?.strip_suffix('"')?;
    (!inner.contains("${")).then(|| inner.to_owned())
}

/// The resource that a reference such as `aws_iam_role.main.arn` names.
fn referred<'a>(folder: &[&'a Parsed], reference: &str) -> Option<&'a Block> {
    let mut parts = reference.split(['.', '[']);
    resource(folder, parts.next()?, parts.next()?)
}

/// Each key of a table and of its indexes is an attribute, and each attribute is a key.
fn keys(block: &Block, found: &mut Found) {
    let attributes: Vec<String> =
        block.body.get_blocks("attribute").filter_map(|one| text(&one.body, "name")).collect();
    if attributes.is_empty() {
        return;
    }
    let indexes = ["global_secondary_index", "local_secondary_index"];
    let indexes = indexes.iter().flat_map(|kind| block.body.get_blocks(kind));
    let bodies = std::iter::once(&block.body).chain(indexes.map(|index| &index.body));
    let mut keys = Vec::new();
    for body in bodies {
        for key in ["hash_key", "range_key"] {
            keys.extend(text(body, key).map(|name| (key, name)));
        }
    }
    for (key, name) in keys.iter().filter(|(_, name)| !attributes.contains(name)) {
        found.push((key, format!("The key `{name}` needs an `attribute` block.")));
    }
    let idle = attributes.iter().find(|one| !keys.iter().any(|(_, name)| name == *one));
    if let Some(idle) = idle.filter(|_| !keys.is_empty()) {
        let message = format!("DynamoDB refuses the attribute `{idle}`, because no key uses it.");
        found.push(("attribute", message));
    }
}

/// The container to which a load balancer sends requests is one of the task's.
fn container(block: &Block, folder: &[&Parsed], found: &mut Found) {
    let task = attribute(&block.body, "task_definition").and_then(|task| referred(folder, &task));
    let Some(definitions) = task.and_then(|task| attribute(&task.body, "container_definitions"))
    else {
        return;
    };
    for balancer in block.body.get_blocks("load_balancer") {
        let Some(name) = text(&balancer.body, "container_name") else { continue };
        let bare: String = definitions.chars().filter(|c| !c.is_whitespace()).collect();
        let forms = [
            format!("name=\"{name}\""),
            format!("\"name\":\"{name}\""),
            format!("\"name\"=\"{name}\""),
        ];
        let known = forms.iter().any(|form| bare.contains(form));
        if !known && bare.contains("name") && !bare.contains("file(") && !bare.contains("name=var.")
        {
            let message = format!("The task has no container `{name}`.");
            found.push(("container_name", message));
        }
    }
}

/// On Fargate, the agent that writes logs and fetches private images needs a role.
fn roles(block: &Block, found: &mut Found) {
    let has = |key: &str, word: &str| {
        attribute(&block.body, key).is_some_and(|value| value.contains(word))
    };
    let needs = has("requires_compatibilities", "FARGATE")
        && (has("container_definitions", "awslogs") || has("container_definitions", ".dkr.ecr."));
    if needs && !block.body.has_attribute("execution_role_arn") {
        let message = "Fargate needs `execution_role_arn` to write logs or to fetch this image.";
        found.push(("family", message.to_owned()));
    }
}

/// The number of bits of a network.
fn network(block: &Block, found: &mut Found) {
    let range = text(&block.body, "cidr_block");
    let bits = range.as_deref().and_then(cidr).map(|(_, bits)| bits);
    if bits.is_some_and(|bits| !(16..=28).contains(&bits)) {
        found.push(("cidr_block", "A VPC needs a range between /16 and /28.".to_owned()));
    }
}

/// A public NAT gateway needs a way to the internet.
fn gateway(block: &Block, found: &mut Found) {
    let subnet = attribute(&block.body, "subnet_id").unwrap_or_default();
    let private = subnet.contains("private")
        && attribute(&block.body, "connectivity_type").is_none_or(|kind| !kind.contains("private"));
    if private {
        let message =
            "A NAT gateway belongs in a public subnet: in a private one it reaches nothing.";
        found.push(("subnet_id", message.to_owned()));
    }
}

/// The minutes since midnight of a time such as `sun:04:00` or `04:00`.
fn minutes(text: &str) -> Option<u32> {
    let (before, minute) = text.rsplit_once(':')?;
    let hour = before.rsplit(':').next()?;
    Some(hour.parse::<u32>().ok()? * 60 + minute.parse::<u32>().ok()?)
}

/// RDS refuses a time for backups within the time for maintenance.
fn windows(block: &Block, found: &mut Found) {
    let window = |key: &str| {
        let value = text(&block.body, key)?.to_lowercase();
        let (from, to) = value.split_once('-')?;
        Some((minutes(from)?, minutes(to)?))
    };
    let (Some(backup), Some(work)) = (window("backup_window"), window("maintenance_window")) else {
        return;
    };
    if backup.0 < work.1 && work.0 < backup.1 {
        let message = "The times for backups and for maintenance overlap.";
        found.push(("maintenance_window", message.to_owned()));
    }
}

/// A configuration of a provider that the folder does not have.
fn provided(block: &Block, folder: &[&Parsed], found: &mut Found) {
    let named = attribute(&block.body, "provider").unwrap_or_default();
    let Some((provider, alias)) = named.trim().split_once('.') else { return };
    let blocks = || folder.iter().flat_map(|parsed| parsed.body.blocks());
    let has = blocks().any(|other| {
        let own = other.ident.as_str() == "provider" && label(other, 0) == provider;
        own && text(&other.body, "alias").as_deref() == Some(alias)
    });
    let given = folder.iter().any(|parsed| parsed.file.text.contains("configuration_aliases"));
    let resource = ["data", "resource"].contains(&block.ident.as_str());
    if resource && !has && !given && crate::bash::is_name(&alias.replace('-', "_")) {
        found.push(("provider", format!("No provider `{provider}` has the alias `{alias}`.")));
    }
}

/// A function with its own file, where Terraform does not see that the file has changed.
fn hashed(block: &Block, found: &mut Found) {
    let has = |key: &str| block.body.get_attribute(key).is_some();
    if has("filename") && !has("source_code_hash") && !has("code_sha256") {
        let message =
            "Without `source_code_hash`, a change of this file never reaches the function.";
        found.push(("filename", message.to_owned()));
    }
}

/// The handler names a function of a file that the project has; and a function reads variables that it gets.
fn function(unit: &Unit, block: &Block, found: &mut Found) {
    let handler = text(&block.body, "handler").unwrap_or_default();
    let python = text(&block.body, "runtime").is_some_and(|runtime| runtime.starts_with("python"));
    let Some((module, name)) = handler.rsplit_once('.').filter(|_| python) else { return };
    let file = format!("{}.py", module.rsplit('/').next().unwrap_or(module));
    let mut files = unit.tree.iter().filter(|one| one.name() == file);
    let (Some(source), None) = (files.next(), files.next()) else { return };
    if !source.text.contains(&format!("def {name}(")) && !source.text.contains("import *") {
        found.push(("handler", format!("`{file}` has no function `{name}`.")));
    }
    let given = block.body.get_blocks("environment").next();
    let given = given.and_then(|one| attribute(&one.body, "variables")).unwrap_or_default();
    for read in source.text.split("os.environ[").skip(1) {
        let name =
            read.trim_start_matches(['"', '\'']).split(['"', '\'']).next().unwrap_or_default();
        let set = given.contains(name) || name.starts_with("AWS_") || name.starts_with("_");
        if !set && !given.is_empty() && !given.contains("merge(") && !given.contains("var.") {
            found.push((
                "environment",
                format!("`{file}` reads `{name}`, which this does not set."),
            ));
        }
    }
}

/// The role of a function trusts Lambda.
fn trusted(block: &Block, folder: &[&Parsed], found: &mut Found) {
    let role = attribute(&block.body, "role").and_then(|role| referred(folder, &role));
    let policy = role.and_then(|role| attribute(&role.body, "assume_role_policy"));
    let Some(policy) = policy.filter(|policy| policy.contains(".amazonaws.com")) else { return };
    if !policy.contains("lambda.amazonaws.com") {
        found.push(("role", "The role of this function does not trust Lambda.".to_owned()));
    }
}

/// The origin of a behavior is one of the distribution's.
fn origins(block: &Block, found: &mut Found) {
    let ids: Vec<String> =
        block.body.get_blocks("origin").filter_map(|one| text(&one.body, "origin_id")).collect();
    // An id that is an expression may have any value.
    let all = block.body.get_blocks("origin").count();
    let kinds = ["default_cache_behavior", "ordered_cache_behavior"];
    for behavior in kinds.iter().flat_map(|kind| block.body.get_blocks(kind)) {
        let target = text(&behavior.body, "target_origin_id").filter(|_| all == ids.len());
        if let Some(target) = target.filter(|target| !ids.is_empty() && !ids.contains(target)) {
            found.push(("target_origin_id", format!("No origin here is named `{target}`.")));
        }
    }
}

/// A volume can be attached only to a server in the same place.
fn volume(block: &Block, folder: &[&Parsed], found: &mut Found) {
    let Some(own) = text(&block.body, "location") else { return };
    let attached = |attachment: &&&Block| {
        let volume = attribute(&attachment.body, "volume_id").unwrap_or_default();
        volume.starts_with(&format!("hcloud_volume.{}.", label(block, 1)))
    };
    let blocks: Vec<&Block> = folder
        .iter()
        .flat_map(|parsed| parsed.blocks())
        .map(|(_, block)| block)
        .filter(|block| label(block, 0) == "hcloud_volume_attachment")
        .collect();
    let attachment = blocks.iter().find(attached);
    let server = attachment.and_then(|one| attribute(&one.body, "server_id"));
    let server = server.and_then(|server| referred(folder, &server));
    let Some(place) = server.and_then(|server| text(&server.body, "location")) else { return };
    if place != own {
        found.push(("location", format!("The server of this volume is in `{place}`.")));
    }
}

/// A rule that lets traffic in says from where.
fn sources(block: &Block, found: &mut Found) {
    for rule in block.body.get_blocks("rule") {
        let inward = text(&rule.body, "direction").is_some_and(|way| way == "in");
        if inward && !rule.body.has_attribute("source_ips") {
            found.push(("rule", "A rule for incoming traffic needs `source_ips`.".to_owned()));
        }
    }
}

/// Actions of S3 on objects need the objects' ARN, and a condition on an ARN does not match an id.
fn objects(block: &Block, found: &mut Found) {
    for statement in block.body.get_blocks("statement") {
        let actions = attribute(&statement.body, "actions").unwrap_or_default();
        let resources = attribute(&statement.body, "resources").unwrap_or_default();
        let names: Vec<&str> = actions.split('"').skip(1).step_by(2).collect();
        let object = |name: &&str| {
            name.starts_with("s3:") && name.contains("Object") && !name.contains("List")
        };
        let only = !names.is_empty() && names.iter().all(object);
        let bucket =
            resources.contains(".arn") && !resources.contains('*') && !resources.contains('/');
        if only && bucket && resources.contains("aws_s3_bucket.") {
            let message = "These actions apply to objects, whose ARN ends in `/*`.";
            found.push(("resources", message.to_owned()));
        }
        for condition in statement.body.get_blocks("condition") {
            let variable = text(&condition.body, "variable").unwrap_or_default().to_lowercase();
            let values = attribute(&condition.body, "values").unwrap_or_default();
            if variable.ends_with("sourcearn") && values.contains(".id") && !values.contains("arn")
            {
                let message = "`AWS:SourceArn` is an ARN, so an id never matches it.";
                found.push(("values", message.to_owned()));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn functions_and_providers_are_whole() {
        let said = |text: &str| {
            let text = format!("cat >main.tf <<'E'\n{text}E\n");
            let all = crate::testing::said(crate::check::examine, &text);
            let signs = ["source_code_hash", "has the alias"];
            all.iter().filter(|one| signs.iter().any(|sign| one.contains(sign))).count()
        };
        let function = "resource \"aws_lambda_function\" \"a\" {\n  filename = \"a.zip\"\n";
        let certificate = "provider \"aws\" {\n  alias = \"global\"\n}\nresource \"aws_acm_certificate\" \"a\" {\n  provider = aws.global\n}\n";
        for (text, count) in [
            (format!("{function}}}\n"), 1),
            (format!("{function}  source_code_hash = filebase64sha256(\"a.zip\")\n}}\n"), 0),
            (certificate.to_owned(), 0),
            (certificate.replace("= aws.global", "= aws.main"), 1),
            (certificate.replace("= aws.global", "= aws"), 0),
        ] {
            assert_eq!(said(&text), count, "{text}");
        }
    }
}
