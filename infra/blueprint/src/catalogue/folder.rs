//! The files of `catalogue/`, as the build script found them.

use std::sync::LazyLock;

/// Every file with its path in the folder, in the order of the paths.
static FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/catalogue.rs"));

/// The text of a file, or an empty text if the file does not exist; the catalogue's tests detect that.
pub fn text(path: &str) -> &'static str {
    FILES.iter().find(|(file, _)| *file == path).map_or("", |(_, text)| text)
}

/// Every file with its path.
pub fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
    FILES.iter().copied()
}

/// The files below a folder, each by its path in that folder.
pub fn below(folder: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let inside = move |path: &'static str| path.strip_prefix(folder)?.strip_prefix('/');
    FILES.iter().filter_map(move |(path, text)| Some((inside(path)?, *text)))
}

/// The same in lower case.
static LOWER: LazyLock<Vec<(&str, String)>> =
    LazyLock::new(|| FILES.iter().map(|(path, text)| (*path, text.to_lowercase())).collect());

/// Whether a file of a deployment, or of the parts that deployments share, has a word. What it says to users does not
/// count.
pub fn speaks_of(id: &str, word: &str) -> bool {
    let own = |path: &str| {
        path.starts_with("parts/")
            || path.strip_prefix(id).is_some_and(|rest| rest.starts_with('/'))
    };
    let built = |path: &str| own(path) && !path.ends_with("offer.json");
    LOWER.iter().any(|(path, text)| built(path) && text.contains(word))
}
