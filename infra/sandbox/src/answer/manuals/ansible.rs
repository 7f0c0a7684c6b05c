//! Documentation of Ansible's modules: those in the image, never those of a workspace.

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

/// The modules whose names contain `part`, each with a short description.
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

/// What `ansible-doc` prints, which is nothing for an unknown module; or the reason why it failed.
async fn asked(shelf: &Shelf, arguments: &str) -> io::Result<Result<String, String>> {
    if !is_installed("ansible-doc") {
        return Ok(Err("Ansible is not installed in this sandbox.".to_owned()));
    }
    let line = format!("ansible-doc -t module {arguments}");
    let Ran { stdout, stderr, code, .. } = shelf.run(&line, Vec::new(), TEXT_BYTES).await?;
    Ok(match code {
        Some(0) => Ok(stdout),
        // Earlier versions exit like this for an unknown module.
        Some(_) if stderr.contains("not found") => Ok(String::new()),
        _ => Err(format!("Ansible did not answer. {}", super::complaint(&stderr))),
    })
}
