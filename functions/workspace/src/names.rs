//! Gives files names that every system can unpack.
//!
//! Linux keeps names that Windows and macOS do not: with characters such as `:` or `?`, with a dot or a blank at the end,
//! named like a device (`CON`, `nul.txt`), or the same but for the case of their letters. A person who takes such files
//! home would lose some of them without a word. Each of these names becomes one that works everywhere; all others stay.

use std::collections::{BTreeMap, BTreeSet};

/// Characters that Windows allows in no name; `\` would also begin another folder there.
const FORBIDDEN: [char; 8] = ['<', '>', ':', '"', '\\', '|', '?', '*'];

/// What stands for a character that cannot stay.
const STANDS_IN: char = '_';

/// The paths that need another name, with their new paths. Different paths stay different in every system.
pub(crate) fn renamed<'a>(paths: impl IntoIterator<Item = &'a str>) -> BTreeMap<String, String> {
    let paths: Vec<&str> = paths.into_iter().collect();
    let mut folders: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for path in &paths {
        let mut start = 0;
        for name in path.split('/').filter(|name| !name.is_empty()) {
            folders.entry(&path[..start]).or_default().insert(name);
            start += name.len() + 1;
        }
    }
    let folders: BTreeMap<_, _> =
        folders.into_iter().map(|(folder, names)| (folder, named(&names))).collect();
    let mut changed = BTreeMap::new();
    for path in paths {
        let (mut start, mut names) = (0, Vec::new());
        for name in path.split('/').filter(|name| !name.is_empty()) {
            let new = folders.get(&path[..start]).and_then(|folder| folder.get(name));
            names.push(new.map_or(name, String::as_str));
            start += name.len() + 1;
        }
        let mut new = names.join("/");
        if path.ends_with('/') {
            new.push('/');
        }
        if new != path {
            changed.insert(path.to_owned(), new);
        }
    }
    changed
}

/// The new name of each name of a folder. Names that can stay have the first choice.
fn named<'a>(names: &BTreeSet<&'a str>) -> BTreeMap<&'a str, String> {
    let (stay, go): (Vec<&str>, Vec<&str>) = names.iter().partition(|name| fits(name) == **name);
    let mut taken = BTreeSet::new();
    let mut chosen = BTreeMap::new();
    for name in stay.into_iter().chain(go) {
        let wanted = fits(name);
        let (stem, end) = wanted.rsplit_once('.').unwrap_or((&wanted, ""));
        let dot = if end.is_empty() { "" } else { "." };
        let other = (2_usize..).map(|n| format!("{stem}{STANDS_IN}{n}{dot}{end}"));
        let mut candidates = std::iter::once(wanted.clone()).chain(other);
        if let Some(new) = candidates.find(|new| taken.insert(new.to_lowercase())) {
            chosen.insert(name, new);
        }
    }
    chosen
}

/// A name that Windows and macOS accept, close to this one.
fn fits(name: &str) -> String {
    let allowed = |c: char| if FORBIDDEN.contains(&c) || c.is_control() { STANDS_IN } else { c };
    let mut fitting: String = name.chars().map(allowed).collect();
    let kept = fitting.trim_end_matches(['.', ' ']).len();
    // All of these characters have one byte.
    let ending = fitting.len() - kept;
    fitting.truncate(kept);
    fitting.extend(std::iter::repeat_n(STANDS_IN, ending));
    let stem = fitting.split('.').next().unwrap_or_default();
    if is_device(stem.trim_end()) {
        fitting.insert(stem.trim_end().len(), STANDS_IN);
    }
    fitting
}

/// Whether Windows takes a name, whatever follows its first dot, for a device.
fn is_device(stem: &str) -> bool {
    let stem = stem.to_uppercase();
    let numbered = ["COM", "LPT"].iter().find_map(|port| stem.strip_prefix(port));
    let port = |rest: &str| {
        let mut rest = rest.chars();
        let digit = rest.next().is_some_and(|c| c.is_ascii_digit() || "¹²³".contains(c));
        digit && rest.next().is_none()
    };
    numbered.is_some_and(port)
        || ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"].contains(&stem.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(paths: &[&str]) -> Vec<(String, String)> {
        renamed(paths.iter().copied()).into_iter().collect()
    }

    fn pairs(all: &[(&str, &str)]) -> Vec<(String, String)> {
        all.iter().map(|(old, new)| ((*old).to_owned(), (*new).to_owned())).collect()
    }

    #[test]
    fn names_that_work_everywhere_stay() {
        let usual = [
            "terraform/main.tf",
            ".env",
            "a/b/c.tar.gz",
            "größe 🚀.md",
            "console.log",
            "com10.txt",
            "empty/",
            "nullable",
        ];
        assert_eq!(of(&usual), []);
    }

    #[test]
    fn names_that_only_linux_keeps_get_close_ones() {
        assert_eq!(
            of(&[
                "a:b",
                "trailing.",
                "trailing ",
                "what?.txt",
                "CON",
                "nul.txt",
                "x\\y",
                "con /a",
                "lpt¹.log",
                "...",
                "dir./f"
            ]),
            pairs(&[
                ("...", "___"),
                ("CON", "CON_"),
                ("a:b", "a_b"),
                ("con /a", "con__2/a"),
                ("dir./f", "dir_/f"),
                ("lpt¹.log", "lpt¹_.log"),
                ("nul.txt", "nul_.txt"),
                ("trailing ", "trailing_"),
                ("trailing.", "trailing__2"),
                ("what?.txt", "what_.txt"),
                ("x\\y", "x_y"),
            ])
        );
    }

    #[test]
    fn names_that_differ_in_case_only_stay_apart() {
        assert_eq!(
            of(&["README.md", "readme.md", "A/x", "a/x", "a:b", "a_b"]),
            pairs(&[("a/x", "a_2/x"), ("a:b", "a_b_2"), ("readme.md", "readme_2.md")])
        );
    }

    proptest! {
        #[test]
        fn different_files_stay_different_on_every_system(
            paths in prop::collection::btree_set("[aA:.n ]{1,4}(/[aAcCoOnN_2.?]{1,5}){0,2}", 0..12),
        ) {
            let new = renamed(paths.iter().map(String::as_str));
            let all = paths.iter().map(|path| new.get(path).unwrap_or(path).to_lowercase());
            let all: Vec<_> = all.collect();
            let distinct: BTreeSet<_> = all.iter().collect();
            prop_assert_eq!(distinct.len(), paths.len(), "{:?} {:?}", paths, new);
            prop_assert!(renamed(all.iter().map(String::as_str)).is_empty(), "{:?}", all);
        }
    }
}
