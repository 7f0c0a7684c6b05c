//! Finds storage and databases that everyone could reach.

use crate::check::error;
use crate::hcl::{self, attribute, label};
use crate::{POLICY, Unit};
use domain::gate::Finding;
use hcl_edit::structure::Block;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    let (files, _) = hcl::parse(&unit.files);
    for parsed in &files {
        for (line, block) in parsed.blocks() {
            if let Some(message) = resource(unit, block) {
                findings.push(error(POLICY, message).at(Some(&parsed.file.path), line));
            }
        }
    }
    if unit.context.publishes() {
        return;
    }
    for shell in unit.running() {
        for command in &shell.script.commands {
            let said = command.argv().join(" ");
            let published = (said.starts_with("aws s3") && said.contains("public-read"))
                || said.contains("allUsers")
                    && (said.starts_with("gsutil") || said.starts_with("gcloud"))
                || said.starts_with("aws s3api delete-public-access-block")
                || (said.starts_with("az storage container") && said.contains("--public-access"));
            if published {
                let line = command.line + shell.offset;
                findings.push(error(POLICY, BUCKET).at(shell.file.as_deref(), line));
            }
        }
    }
}

pub(super) const BUCKET: &str = "Everyone could read this storage, which was not asked for.";

fn resource(unit: &Unit, block: &Block) -> Option<String> {
    let get = |key: &str| attribute(&block.body, key).unwrap_or_default();
    let kind = label(block, 0);
    let database = ["publicly_accessible", "public_network_access_enabled"]
        .iter()
        .any(|key| get(key) == "true");
    if database && !unit.context.publishes() {
        return Some("Everyone could connect to this, which was not asked for.".to_owned());
    }
    if unit.context.publishes() {
        return None;
    }
    let acl = ["\"public-read\"", "\"public-read-write\""].contains(&get("acl").as_str());
    let unblocked = kind == "aws_s3_bucket_public_access_block"
        && [
            "block_public_acls",
            "block_public_policy",
            "ignore_public_acls",
            "restrict_public_buckets",
        ]
        .iter()
        .any(|key| get(key) == "false");
    let google = kind.starts_with("google_storage") && {
        let members = format!("{}{}{}", get("member"), get("members"), get("entity"));
        members.contains("allUsers") || members.contains("allAuthenticatedUsers")
    };
    let azure = kind == "azurerm_storage_container"
        && ["\"blob\"", "\"container\""].contains(&get("container_access_type").as_str());
    (acl || unblocked || google || azure).then(|| BUCKET.to_owned())
}
