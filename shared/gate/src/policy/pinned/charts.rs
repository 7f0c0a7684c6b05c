//! Finds Helm charts that are installed in whichever version is newest.

/// What is wrong with a command that installs a chart: `rest` is what follows its verb.
pub(super) fn open(argv: &[&str], rest: &[&str]) -> Option<String> {
    let pinned = rest.iter().any(|word| word.starts_with("--version"));
    let folder = |word: &str| word == "." || (word.starts_with(['.', '/']) && word.len() > 1);
    // A variable may hold the folder of a chart.
    let mut plain = rest.iter().filter(|word| !word.starts_with('-'));
    let variable = plain.nth(1).is_some_and(|chart| chart.starts_with('$'));
    let local = variable || rest.iter().any(|word| folder(word));
    let verb = argv.get(1).copied().unwrap_or_default();
    (!pinned && !local).then(|| format!("`helm {verb}` has no `--version`."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chart_from_elsewhere_has_a_version() {
        let said = |text: &str| {
            let argv: Vec<&str> = text.split(' ').collect();
            open(&argv, &argv[2..]).is_some()
        };
        for text in ["helm install a b/c", "helm upgrade --install a oci://b/c --wait"] {
            assert!(said(text), "{text}");
        }
        for text in [
            "helm install a b/c --version 1.2.3",
            "helm upgrade --install a ./chart",
            "helm upgrade --install $release $chart --wait",
        ] {
            assert!(!said(text), "{text}");
        }
    }
}
