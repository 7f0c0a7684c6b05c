//! Modules of Ansible: those of the image, and none that lie in a workspace.

use std::io;

use super::{Found, Shelf, TEXT_BYTES, is_installed};
use crate::answer::exec::Ran;

/// A module with its options and examples.
pub(super) async fn module(shelf: &Shelf, name: &str) -> io::Result<Found> {
    let said = asked(shelf, &format!("-- {name}")).await?;
    Ok(match said {
        Err(reason) => Found::Nothing(reason),
        Ok(text) if text.trim().is_empty() => Found::nothing(format!(
            "There is no module `{name}` among those of the sandbox's image; collections that a project installs are not \
             looked through."
        )),
        Ok(text) => Found::Text(text),
    })
}

/// The modules with `part` in their names, each with a few words.
pub(super) async fn modules(shelf: &Shelf, part: &str) -> io::Result<Found> {
    let text = match asked(shelf, "-l").await? {
        Ok(text) => text,
        Err(reason) => return Ok(Found::Nothing(reason)),
    };
    let named =
        |line: &&str| line.split_whitespace().next().is_some_and(|name| name.contains(part));
    let found: Vec<&str> = text.lines().filter(named).collect();
    Ok(match found.is_empty() {
        false => Found::Text(found.join("\n")),
        true => {
            Found::nothing(format!("No module of the sandbox's image has `{part}` in its name."))
        }
    })
}

/// What `ansible-doc` prints, which is nothing for a module that it does not find; or why it prints nothing at all.
async fn asked(shelf: &Shelf, arguments: &str) -> io::Result<Result<String, String>> {
    if !is_installed("ansible-doc") {
        return Ok(Err("Ansible is not installed in this sandbox.".to_owned()));
    }
    let line = format!("ansible-doc -t module {arguments}");
    let Ran { stdout, stderr, code, .. } = shelf.run(&line, Vec::new(), TEXT_BYTES).await?;
    Ok(match code {
        Some(0) => Ok(stdout),
        // Earlier versions end so for a module that they do not find.
        Some(_) if stderr.contains("not found") => Ok(String::new()),
        _ => Err(format!("Ansible did not answer. {}", super::complaint(&stderr))),
    })
}
