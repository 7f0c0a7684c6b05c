//! Finds two root modules that share a state: for each of them, Terraform would plan to delete what the other has made.
//!
//! Groundcrew keeps a state for each name, and a root module gives its name in its block: `backend "http" { username =
//! "network" }` (decision 13). A block without a name uses the default state, so a second folder with such a block is
//! the mistake that this rule finds. It knows the folders that the steps of this plan write.

use crate::check::error;
use crate::hcl::{self, Parsed, attribute, blocks, label};
use crate::{POLICY, Unit};
use domain::gate::Finding;
use std::collections::BTreeMap;

/// The state of a block without a name.
const USUAL: &str = "main";

/// A block that keeps its state with Groundcrew.
struct Backend<'a> {
    file: &'a str,
    folder: &'a str,
    line: usize,
    /// The state's name.
    state: String,
}

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    let (all, _) = hcl::parse(&unit.tree);
    let mut owners: BTreeMap<String, &str> = BTreeMap::new();
    for backend in all.iter().flat_map(backends) {
        let owner = *owners.entry(backend.state.clone()).or_insert(backend.folder);
        let is_own = unit.files.iter().any(|file| file.path == backend.file);
        if owner == backend.folder || !is_own {
            continue;
        }
        let message = format!(
            "The folders `{}` and `{}` would share Terraform's state `{}`: each would delete what \
            the other has made. Name \
             another one in this block, as in `username = \"{}\"`.",
            shown(owner),
            shown(backend.folder),
            backend.state,
            proposed(backend.folder)
        );
        findings.push(error(POLICY, message).at(Some(backend.file), backend.line));
    }
}

/// The blocks `backend "http"` of a file, except those with their own address.
fn backends<'a>(parsed: &'a Parsed<'a>) -> Vec<Backend<'a>> {
    let file = parsed.file;
    if file.extension() != "tf" || !file.in_workspace() {
        return Vec::new();
    }
    let text = file.filled();
    let terraform =
        parsed.blocks().into_iter().filter(|(_, block)| block.ident.as_str() == "terraform");
    let inner = terraform.flat_map(|(_, block)| blocks(&block.body, &text));
    let http =
        inner.filter(|(_, block)| block.ident.as_str() == "backend" && label(block, 0) == "http");
    let kept = http.filter(|(_, block)| !block.body.has_attribute("address"));
    kept.map(|(line, block)| {
        let named = attribute(&block.body, "username");
        let state = named.map_or(USUAL.to_owned(), |name| name.trim_matches('"').to_owned());
        Backend { file: &file.path, folder: file.folder(), line, state }
    })
    .collect()
}

fn shown(folder: &str) -> &str {
    if folder.is_empty() { "the workspace" } else { folder }
}

/// A name for the state of a folder.
fn proposed(folder: &str) -> String {
    let last = folder.rsplit('/').next().unwrap_or_default().to_lowercase();
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' };
    let name: String = last.chars().map(plain).collect();
    if name.is_empty() || name == USUAL { "second".to_owned() } else { name }
}

#[cfg(test)]
mod tests {
    use crate::{Context, examine};

    fn module(folder: &str, block: &str) -> String {
        format!("cat >{folder}main.tf <<'E'\nterraform {{\n  {block}\n}}\nE\n")
    }

    fn found(script: &str, earlier: &[&str]) -> Vec<(String, String)> {
        let context = Context { earlier, ..Context::default() };
        let found = examine(script, &context).into_iter();
        found.map(|found| (found.file.unwrap_or_default(), found.message)).collect()
    }

    const BLOCK: &str = "backend \"http\" {}";

    #[test]
    fn a_second_root_module_with_the_same_state_is_found_in_its_own_script() {
        let (first, second) = (module("terraform/", BLOCK), module("infra/Web Site/", BLOCK));
        let second = second.replace("infra/Web Site/", "infra/network/");
        let both = format!("{first}{second}");
        for (script, earlier) in [(second.as_str(), vec![first.as_str()]), (both.as_str(), vec![])]
        {
            let found = found(script, &earlier);
            let [(file, message)] = found.as_slice() else { panic!("{found:?}") };
            assert_eq!(file, "infra/network/main.tf");
            assert!(message.contains("`terraform` and `infra/network`"), "{message}");
            assert!(message.contains("`main`") && message.contains("username = \"network\""));
        }
        let named = "backend \"http\" {\n    username = \"network\"\n  }";
        let (one, other) = (module("a/", named), module("b/", named));
        assert_eq!(found(&other, &[&one]).len(), 1, "the same name means the same state");
        let root = module("", BLOCK);
        assert!(found(&root, &[&first])[0].1.contains("`the workspace`"));
    }

    #[test]
    fn root_modules_with_separate_states_give_no_findings() {
        let first = module("terraform/", BLOCK);
        for block in [
            "backend \"http\" {\n    username = \"network\"\n  }",
            "backend \"http\" {\n    address = \"https://states.example/x\"\n  }",
            "backend \"s3\" {\n    bucket = \"x\"\n  }",
            "required_version = \"~> 1.11\"",
        ] {
            let second = module("network/", block);
            assert_eq!(found(&second, &[&first]), [], "{block}");
        }
        assert_eq!(found(&first, &[&first]), [], "written again");
        assert_eq!(found(&module("terraform/", "required_version = \"~> 1.11\""), &[&first]), []);
        assert_eq!(found("terraform -chdir=terraform plan -out=tfplan", &[&first]), []);
        let second = module("network/", BLOCK);
        assert_eq!(found("true\n", &[&first, &second]), [], "a later step did not write it");
    }
}
