//! A deployment of the blueprint model's catalogue, copied from a complete one.
//!
//! A deployment is mostly text: documents, steps with proofs, checks, files. A working deployment is the best guide to
//! what a new one needs, so the skeleton is a copy under another name, which passes the catalogue's tests from the
//! start.

use super::draft::Draft;
use crate::names::{capitalized, is_name};
use anyhow::{Context, Result, ensure};
use clap::Args;
use std::path::Path;

const MODEL: &str = "infra/blueprint";
/// The file that makes a folder of the catalogue a deployment.
const DESCRIPTION: &str = "deployment.json";

/// Options of `cargo dev new deployment`.
#[derive(Args)]
pub struct Deployment {
    /// Its name in the catalogue, such as `jump-host`
    id: String,
    /// What it is, in a few words [default: the name]
    #[arg(long)]
    title: Option<String>,
    /// The deployment to copy: a folder of `infra/blueprint/catalogue` with a `deployment.json`
    #[arg(long, default_value = "basic-vps")]
    like: String,
}

impl Deployment {
    /// Writes the skeleton into the tree at `root`.
    pub fn write(&self, root: &Path) -> Result<()> {
        let draft = self.draft(root)?;
        println!("Written:");
        draft.write()?;
        println!(
            "\nNext:\n  1. Describe it in {MODEL}/catalogue/{0}/{DESCRIPTION}: the words by which a user means it, what is asked, its \
             steps and checks.\n  2. Write into the folder's other files what it builds, and delete what it does not.\n  3. cargo \
             nextest run --workspace --lib --test suite -E 'package(blueprint-model)'. It says what is missing; \
             {MODEL}/README.md says what each file is for.",
            self.id,
        );
        Ok(())
    }

    /// The changes, on top of the tree at `root`.
    pub(super) fn draft<'a>(&self, root: &'a Path) -> Result<Draft<'a>> {
        let (id, like) = (&self.id, &self.like);
        ensure!(is_name(id, '-'), "`{id}` cannot name a deployment; use a name such as jump-host");
        let catalogue = format!("{MODEL}/catalogue");
        let described = root.join(&catalogue).join(like).join(DESCRIPTION);
        ensure!(
            described.is_file(),
            "{like} cannot be copied: {catalogue}/{like} has no {DESCRIPTION}"
        );
        let mut draft = Draft::new(root);
        for file in files(&root.join(&catalogue).join(like))? {
            let mut text = draft.read(&format!("{catalogue}/{like}/{file}"))?;
            if file == DESCRIPTION {
                text = self.described(&text, last_position(&root.join(&catalogue))? + 1)?;
            }
            draft.create(&format!("{catalogue}/{id}/{file}"), text)?;
        }
        let table = |line: &str| line.starts_with("| blueprint |");
        let row = format!("| `{id}` | {} | as `{like}` |", self.title());
        draft.add_after(&format!("{MODEL}/README.md"), table, |l| l.starts_with("| `"), &row)?;
        Ok(draft)
    }

    fn title(&self) -> String {
        self.title.clone().unwrap_or_else(|| capitalized(&self.cue()))
    }

    /// The phrase by which a user asks for it.
    fn cue(&self) -> String {
        self.id.replace('-', " ")
    }

    /// The description under the new name. Its phrases lead only to it, so that requests for other deployments keep
    /// their result.
    fn described(&self, text: &str, position: usize) -> Result<String> {
        let (title, cue) = (self.title(), self.cue());
        let mut text = text.to_owned();
        for (field, close, value) in [
            ("position", ",", position.to_string()),
            ("title", "\",", format!("\"{title}\"")),
            ("strong_cues", "],", format!("[\"{}\", \"{cue}\"]", self.id)),
            ("weak_cues", "],", "[]".to_owned()),
            ("wish", "\"\n", format!("\"A {cue} named web, use the defaults\"")),
        ] {
            let missing = || format!("the {DESCRIPTION} of {} has no `{field}`", self.like);
            let start = format!("\n  \"{field}\": ");
            let begin = text.find(&start).with_context(missing)? + start.len();
            let length = text[begin..].find(close).with_context(missing)? + close.len() - 1;
            text.replace_range(begin..begin + length, &value);
        }
        Ok(text)
    }
}

/// The highest position of a deployment in the list of what can be built.
fn last_position(catalogue: &Path) -> Result<usize> {
    let mut last = 0;
    for entry in std::fs::read_dir(catalogue)? {
        let file = entry?.path().join(DESCRIPTION);
        let Ok(text) = std::fs::read_to_string(file) else { continue };
        let position = text.lines().find_map(|line| line.strip_prefix("  \"position\": "));
        let position = position.and_then(|number| number.trim_end_matches(',').parse().ok());
        last = last.max(position.unwrap_or_default());
    }
    Ok(last)
}

/// The files in a folder and below it, as sorted relative paths.
fn files(folder: &Path) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.path().is_dir() {
            found.extend(files(&entry.path())?.into_iter().map(|file| format!("{name}/{file}")));
        } else {
            found.push(name);
        }
    }
    found.sort();
    Ok(found)
}
