//! The image's list of its tools, which the agent sends when it connects.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use protocol::Toolset;

/// Path of the list in the image.
const FILE: &str = "/etc/groundcrew/tools.json";

/// The longest list that is read, in bytes.
const LIST_BYTES: u64 = 16 * 1024;

/// The list of tools.
pub fn listed() -> Option<Toolset> {
    listed_in(Path::new(FILE))
}

/// Reads the list; `None` outside the image, and if it cannot be read.
fn listed_in(file: &Path) -> Option<Toolset> {
    let mut list = String::new();
    File::open(file).ok()?.take(LIST_BYTES).read_to_string(&mut list).ok()?;
    serde_json::from_str(&list)
        .inspect_err(|error| tracing::warn!(%error, "the list of tools could not be read"))
        .ok()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_read_from_the_images_file_and_may_be_missing() {
        let dockerfile = include_str!("../Dockerfile");
        assert!(dockerfile.contains(FILE), "the image keeps its list somewhere else");
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("tools.json");
        assert_eq!(listed_in(&file), None);
        std::fs::write(&file, r#"{"system": "x", "architecture": "arm64", "tools": []}"#).unwrap();
        assert_eq!(listed_in(&file).unwrap().architecture, "arm64");
        std::fs::write(&file, "{".repeat(100_000)).unwrap();
        assert_eq!(listed_in(&file), None);
    }
}
