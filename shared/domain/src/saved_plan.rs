//! A plan that Terraform saved: its digest, and a picture of what it would change, for the person who approves it.
//!
//! The picture is made from `terraform show -json`, which prints sensitive values in plain text and marks them
//! separately. No marked value gets into the picture. The picture has a size limit, because it travels in one message
//! and is kept with the attempt. Its counts cover all resources, including those that are left out.

mod read;

use crate::cut::CUT;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Where a step saves a plan and the next one applies it, from the workspace on.
pub const PLAN_FILE: &str = "terraform/tfplan";

/// The largest picture, in bytes of JSON.
pub const PICTURE_BYTES: usize = 10 * 1024;

/// A saved plan.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SavedPlan {
    /// SHA-256 of the file, hexadecimal.
    pub sha256: String,
    /// Whether Terraform could read the file; otherwise the counts and resources say nothing.
    pub readable: bool,
    /// How many resources it creates.
    pub create: u32,
    /// How many it changes in place.
    pub update: u32,
    /// How many it destroys and creates again.
    pub replace: u32,
    /// How many it destroys.
    pub delete: u32,
    /// The resources that change, those that are destroyed first.
    pub resources: Vec<PlannedResource>,
    /// How many resources that change are left out of the list.
    pub left_out: u32,
}

/// A resource that a plan changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PlannedResource {
    /// Its address in the configuration.
    pub address: String,
    /// What happens to it.
    pub action: PlanAction,
    /// Its attributes that change, by name.
    pub values: Vec<PlannedValue>,
    /// How many attributes that change are left out of the list.
    pub left_out: u32,
}

/// What a plan does with a resource, the most destructive action first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PlanAction {
    /// Destroys it.
    Delete,
    /// Destroys it and creates it again.
    Replace,
    /// Changes it in place.
    Update,
    /// Creates it.
    Create,
}

/// An attribute that a plan changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PlannedValue {
    /// Its name.
    pub name: String,
    /// Its value before; absent if it had none, or if it is hidden.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// Its value afterward; absent if it has none, or if it is hidden or known only afterward.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// It is sensitive, so its values are not here.
    pub hidden: bool,
    /// Its value is known only when the plan has been applied.
    pub unknown: bool,
}

impl SavedPlan {
    /// The plan with this digest, and its picture if `terraform show -json` printed one.
    pub fn of(sha256: String, shown: Option<&[u8]>) -> Self {
        let picture = shown.and_then(read::picture).unwrap_or_default();
        Self { sha256, ..picture }
    }

    /// Lets `mask` rewrite every text that comes from the configuration. Its second argument says whether the text is
    /// only the beginning of a longer one, which may end within a credential.
    pub fn mask(&mut self, mask: impl Fn(&str, bool) -> String) {
        let rewrite = |text: &mut String| {
            *text = match text.strip_suffix(CUT) {
                Some(beginning) => format!("{}{CUT}", mask(beginning, true)),
                None => mask(text, false),
            };
        };
        for resource in &mut self.resources {
            rewrite(&mut resource.address);
            for value in &mut resource.values {
                rewrite(&mut value.name);
                [&mut value.before, &mut value.after].into_iter().flatten().for_each(rewrite);
            }
        }
    }
}
