//! Programs that a Dockerfile adds from a site.

use super::runs::is_executable;
use crate::bash::base;
use crate::files::Written;
use crate::places::is_dockerfile;

/// The lines of a Dockerfile that add a program from a site without its digest.
pub(super) fn programs(file: &Written) -> Vec<usize> {
    if !is_dockerfile(file) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (at, line) in file.text.lines().enumerate() {
        let Some(rest) = line.trim().strip_prefix("ADD ") else { continue };
        let mut words = rest.split_whitespace().filter(|word| !word.starts_with("--"));
        let (Some(from), Some(to)) = (words.next(), words.next()) else { continue };
        let fetched = from.starts_with("http") && !from.ends_with(".git");
        let name = base(if to.ends_with('/') || to == "." { from } else { to });
        let later = || file.text.lines().skip(at + 1).filter(|line| line.contains(name));
        let runs = |line: &str| {
            let words = ["chmod", "install ", "tar ", "unzip ", "bash ", "sh ", "dpkg ", "apk "];
            words.iter().any(|word| line.contains(word))
                || ["ENTRYPOINT", "CMD"].iter().any(|start| line.trim_start().starts_with(start))
        };
        let compared = |line: &str| line.contains("sum ") || line.contains("--verify");
        let program = later().any(runs)
            || rest
                .split_whitespace()
                .any(|it| it.starts_with("--chmod=") && is_executable(&it[8..]));
        if fetched && program && !rest.contains("--checksum=") && !later().any(compared) {
            found.push(at + 1);
        }
    }
    found
}
