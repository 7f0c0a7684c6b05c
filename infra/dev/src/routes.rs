//! The two tables that send the calls of the REST API to their functions.
//!
//! A handler's `#[utoipa::path]` states its path, its method and, as its tag, its function. The contract collects these.
//! Two tools cannot read the contract and have tables of their own: `cargo lambda watch` in `Cargo.toml`, and API Gateway
//! in the functions' events in `infra/template.yaml`. `cargo dev openapi` writes both tables from the contract. Whether
//! an event streams its answer follows from the function's `main.rs`. Neither table says who may make a call: the
//! functions check that, as the contract's `security` describes.
//!
//! An update changes only the calls that differ. A call that the contract still has keeps its place and the name of its
//! event, which is part of the name of a resource in each deployed stack. Comments and events of other kinds stay.

mod contract;
mod events;
mod watch;

pub use contract::routes as of_contract;

use anyhow::{Context, Result};
use std::path::Path;

/// The contract, generated from the functions.
pub const CONTRACT: &str = "web/openapi.json";
const MANIFEST: &str = "Cargo.toml";
/// The functions with their events and alarms.
pub const TEMPLATE: &str = "infra/template.yaml";
/// With this a function's `main.rs` streams its answers, and with `run` it does not.
const STREAMS: &str = "run_with_streaming_response";

/// A call of the REST API.
#[derive(Debug, PartialEq)]
pub struct Route {
    /// In lowercase.
    pub method: String,
    /// Without the stage, such as `/projects/{id}`.
    pub path: String,
    /// The function that answers it: a folder of `functions`.
    function: String,
    /// The handler's name.
    handler: String,
}

/// Writes the contract's calls into both tables.
pub fn write(root: &Path) -> Result<()> {
    for (file, text) in updated(root)? {
        if read(root, file)? != text {
            std::fs::write(root.join(file), text)
                .with_context(|| format!("cannot write {file}"))?;
            println!("  Updated the routes in {file}");
        }
    }
    Ok(())
}

/// Both files with the contract's calls.
fn updated(root: &Path) -> Result<[(&'static str, String); 2]> {
    let routes = of_contract(&read(root, CONTRACT)?)?;
    let streams = |function: &str| {
        Ok(read(root, &format!("functions/{function}/src/main.rs"))?.contains(STREAMS))
    };
    Ok([
        (MANIFEST, watch::updated(&read(root, MANIFEST)?, &routes)?),
        (TEMPLATE, events::updated(&read(root, TEMPLATE)?, &routes, streams)?),
    ])
}

fn read(root: &Path, file: &str) -> Result<String> {
    std::fs::read_to_string(root.join(file)).with_context(|| format!("cannot read {file}"))
}

/// A table's entries after an update; an entry without a key is not about a call and stays. A new entry follows the one
/// that it follows in the contract.
fn merged<K: PartialEq>(
    mut entries: Vec<(Option<K>, String)>,
    wanted: Vec<(K, String)>,
) -> Vec<String> {
    entries.retain(|(key, _)| {
        key.as_ref().is_none_or(|key| wanted.iter().any(|(wanted, _)| wanted == key))
    });
    let mut next = 0;
    for (key, text) in wanted {
        match entries.iter().position(|(present, _)| present.as_ref() == Some(&key)) {
            Some(at) => {
                entries[at].1 = text;
                next = at + 1;
            }
            None => {
                entries.insert(next, (Some(key), text));
                next += 1;
            }
        }
    }
    entries.into_iter().map(|(_, text)| text).collect()
}

/// A text whose lines in this range are replaced.
fn with_lines(lines: &[&str], range: std::ops::Range<usize>, new: &[String]) -> String {
    let new = new.iter().map(String::as_str);
    let all = lines[..range.start].iter().copied().chain(new);
    let all = all.chain(lines[range.end..].iter().copied());
    all.map(|line| format!("{line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::root;

    /// The lines that only one of two texts has: those that are gone, and the new ones.
    fn difference<'a>(old: &'a str, new: &'a str) -> (Vec<&'a str>, Vec<&'a str>) {
        let only = |one: &'a str, other: &str| {
            let other: Vec<&str> = other.lines().collect();
            one.lines().filter(|line| !other.contains(line)).map(str::trim).collect()
        };
        (only(old, new), only(new, old))
    }

    #[test]
    fn the_committed_tables_are_those_of_the_contract() {
        for (file, text) in updated(&root()).unwrap() {
            let committed = read(&root(), file).unwrap();
            let (gone, new) = difference(&committed, &text);
            assert_eq!((gone, new), (vec![], vec![]), "{file} is out of date: cargo dev openapi");
            assert!(committed == text, "the order of {file} changed");
        }
    }

    #[test]
    fn a_renamed_path_changes_its_own_lines_and_no_others() {
        let contract = read(&root(), CONTRACT).unwrap();
        let (old, new) = ("/projects/{id}/costs", "/projects/{id}/spending");
        let routes = contract.replace(&format!("\"{old}\": {{"), &format!("\"{new}\": {{"));
        let routes = of_contract(&routes).unwrap();

        let manifest = read(&root(), MANIFEST).unwrap();
        let updated = watch::updated(&manifest, &routes).unwrap();
        let line = |path: &str| format!("\"{path}\" = \"projects\"");
        assert_eq!(
            difference(&manifest, &updated),
            (vec![line(old).as_str()], vec![line(new).as_str()])
        );

        let template = read(&root(), TEMPLATE).unwrap();
        let updated = events::updated(&template, &routes, |_| Ok(false)).unwrap();
        let line = |path: &str| {
            format!(
                "Costs: {{Type: Api, Properties: {{RestApiId: !Ref RestApi, Method: get, Path: '{path}'}}}}"
            )
        };
        assert!(template.contains(&line(old)) && !updated.contains(&line(old)));
        assert!(updated.contains(&line(new)));
    }

    #[test]
    fn an_entry_that_is_not_about_a_call_stays_where_it_is() {
        let entry = |key: Option<char>| (key, key.map_or("#".to_owned(), String::from));
        let present = [Some('b'), None, Some('d'), Some('a')].map(entry);
        let wanted = ['a', 'b', 'c', 'e'].map(|key| (key, key.to_string()));
        let merged = merged(present.to_vec(), wanted.to_vec()).concat();
        assert_eq!(merged, "bce#a");
    }
}
