//! The deployments that consist of data alone, as their folders in the catalogue describe them.

use std::path::Path;

use serde_json::Value;

/// A deployment that consists of data alone: the request that selects it, and its secrets.
pub struct Described {
    pub wish: String,
    pub secrets: Vec<String>,
    /// Whether it has a server.
    pub server: bool,
}

/// The deployments of all folders of the catalogue with a description.
pub fn described() -> Vec<Described> {
    let catalogue = Path::new(env!("CARGO_MANIFEST_DIR")).join("catalogue");
    let mut found = Vec::new();
    for entry in std::fs::read_dir(catalogue).unwrap() {
        let Ok(text) = std::fs::read_to_string(entry.unwrap().path().join("deployment.json"))
        else {
            continue;
        };
        let described: Value = serde_json::from_str(&text).unwrap();
        let secrets = described["secrets"].as_array().unwrap().iter();
        let secrets = secrets.map(|secret| secret[0].as_str().unwrap().to_owned());
        let wish = described["wish"].as_str().unwrap().to_owned();
        let server = described.get("on").is_none();
        found.push(Described { wish, secrets: secrets.collect(), server });
    }
    found.sort_by(|one, other| one.wish.cmp(&other.wish));
    found
}
