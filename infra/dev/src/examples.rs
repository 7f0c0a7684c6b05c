//! Finds documentation with examples, which nextest does not run.

/// Whether documentation contains a Rust block: one that opens without a language, or with one of rustdoc's words.
pub fn has_example(text: &str) -> bool {
    let words = ["", "rust", "no_run", "should_panic", "compile_fail"];
    let mut inside = false;
    text.lines().any(|line| {
        let line = line.trim_start();
        let line = line.strip_prefix("///").or_else(|| line.strip_prefix("//!")).unwrap_or(line);
        let Some(language) = line.trim_start().strip_prefix("```") else { return false };
        inside = !inside;
        inside && words.contains(&language.trim())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_block_of_rust_counts_as_an_example() {
        assert!(has_example("/// Adds.\n/// ```\n/// add(1);\n/// ```"));
        assert!(has_example("//! ```no_run\n//! run();\n//! ```"));
        assert!(!has_example("/// ```text\n/// a picture\n/// ```\nfn f() {}"));
        assert!(!has_example("# Title\n\n```sh\ncargo dev up\n```\n"));
    }
}
