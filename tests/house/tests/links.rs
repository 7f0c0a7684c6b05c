//! Checks the links between documents.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use house_tests::{repository, tracked};
use std::path::{Path, PathBuf};

/// The lines of a document outside code blocks, which contain no links or headings.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut inside = false;
    text.lines().filter(move |line| {
        let fence = line.trim_start().starts_with("```");
        inside ^= fence;
        !inside && !fence
    })
}

/// A line without its code spans.
fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect::<Vec<_>>().join("``")
}

/// The targets of the inline links in a text.
fn targets(text: &str) -> Vec<String> {
    let lines: Vec<String> = prose(text).map(without_code).collect();
    let text = lines.join("\n");
    let ends = text.match_indices("](");
    ends.filter_map(|(at, _)| text[at + 2..].split(')').next().map(str::to_owned)).collect()
}

/// The anchors of a document's headings, as GitHub generates them.
fn anchors(text: &str) -> Vec<String> {
    let headings = prose(text).filter(|line| line.starts_with('#'));
    headings
        .map(|line| {
            let heading = line.trim_start_matches('#').trim().to_lowercase();
            let kept = heading.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
            kept.collect::<String>().replace(' ', "-")
        })
        .collect()
}

/// Why a link in the document at `page` does not resolve.
fn broken(page: &Path, target: &str) -> Option<String> {
    if target.contains("://") || target.starts_with("mailto:") {
        return None;
    }
    let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
    let file = match path {
        "" => page.to_owned(),
        path => page.parent().unwrap().join(path),
    };
    if !file.exists() {
        return Some(format!("{target}: no such file"));
    }
    let found = anchor.is_empty()
        || anchors(&std::fs::read_to_string(file).unwrap()).iter().any(|known| known == anchor);
    (!found).then(|| format!("{target}: no such heading"))
}

fn pages() -> Vec<PathBuf> {
    // The catalogue's documents are templates: their links point into a user's workspace.
    let is_page = |path: &String| path.ends_with(".md") && !path.contains("/catalogue/");
    tracked().into_iter().filter(is_page).map(|path| repository().join(path)).collect()
}

#[test]
fn every_link_of_a_document_leads_to_a_file_and_a_heading() {
    let (mut links, mut wrong) = (0, Vec::new());
    for page in pages() {
        for target in targets(&std::fs::read_to_string(&page).unwrap()) {
            links += 1;
            wrong.extend(broken(&page, &target).map(|why| format!("{}: {why}", page.display())));
        }
    }
    assert!(links > 50, "only {links} links were found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_readme_has_fewer_than_200_lines() {
    let lines = std::fs::read_to_string(repository().join("README.md")).unwrap().lines().count();
    assert!(
        lines < 200,
        "README.md has {lines} lines: move everything except the introduction to docs/"
    );
}

#[test]
fn links_and_anchors_are_found() {
    let text = "# A `b`: c\n[x](y.md#z) `[no](code)`\n```\n[no](block)\n# no\n```\n![p](q.png)";
    assert_eq!(targets(text), ["y.md#z", "q.png"]);
    assert_eq!(anchors(text), ["a-b-c"]);
}

/// The folders at the root of the repository.
const ROOMS: [&str; 6] = ["docs/", "functions/", "infra/", "shared/", "tests/", "web/"];

/// The texts in code marks of a document.
fn marked(text: &str) -> Vec<&str> {
    prose(text).flat_map(|line| line.split('`').skip(1).step_by(2)).collect()
}

/// The file or folder that a text in code marks names, seen from the root: `shared/domain/src/step.rs::a_test`.
fn named_path(marked: &str) -> Option<&str> {
    let path = marked.split("::").next()?.split([':', '#']).next()?;
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-@+".contains(c);
    (ROOMS.iter().any(|room| path.starts_with(room)) && path.chars().all(plain)).then_some(path)
}

#[test]
fn every_file_that_a_document_names_exists() {
    let (mut names, mut wrong) = (0, Vec::new());
    for page in pages() {
        let text = std::fs::read_to_string(&page).unwrap();
        for path in marked(&text).into_iter().filter_map(named_path) {
            names += 1;
            // A crate's README names its own tests, seen from the crate. The build makes `web/dist`.
            let folders = page.ancestors().take_while(|folder| folder.starts_with(repository()));
            let exists = path.starts_with("web/dist")
                || folders.into_iter().any(|folder| folder.join(path).exists());
            if !exists {
                wrong.push(format!("{}: {path}", page.display()));
            }
        }
    }
    assert!(names > 200, "only {names} files are named");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_test_that_guards_a_layer_exists() {
    let sources = tracked().into_iter().filter(|path| path.ends_with(".rs"));
    let sources = sources.filter_map(|path| std::fs::read_to_string(repository().join(path)).ok());
    let sources = sources.collect::<String>();
    let page = std::fs::read_to_string(repository().join("tests/hostile/README.md")).unwrap();
    let rows = page.lines().filter(|line| line.starts_with("| ") && line.matches('|').count() == 4);
    let (mut tests, mut wrong) = (0, Vec::new());
    let is_name = |name: &str| {
        name.len() > 11 && name.chars().all(|c| c.is_ascii_lowercase() || "_0123456789".contains(c))
    };
    for name in rows.flat_map(|row| row.split('|').nth(3)).flat_map(marked) {
        let name = name.rsplit("::").next().unwrap();
        let called = match name.strip_suffix('…') {
            Some(begun) => format!("fn {begun}"),
            None if is_name(name) => format!("fn {name}("),
            None => continue,
        };
        tests += 1;
        if !sources.contains(&called) {
            wrong.push(name.to_owned());
        }
    }
    assert!(tests > 50, "only {tests} tests are named");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn names_of_files_differ_from_other_code() {
    assert_eq!(named_path("shared/gate/src/lib.rs::check"), Some("shared/gate/src/lib.rs"));
    assert_eq!(named_path("web/src/api/<group>.ts"), None);
    assert_eq!(named_path("domain::step"), None);
}
