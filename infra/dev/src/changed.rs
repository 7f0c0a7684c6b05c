//! `cargo dev test --changed`: the tests next to what was edited, for the inner loop.
//!
//! It trades certainty for time: it runs a crate's own tests rather than those of every crate that uses it, a function's
//! API tests rather than the whole API's, and no script of the blueprint model. CI runs everything.

use crate::nextest;
use crate::step::{build_programs, git};
use crate::web;
use anyhow::Result;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// The modules of the blueprint model's suite that carry out its scripts, for minutes. An edit of such a module runs it;
/// after other edits of the model, only a full run does.
const CARRIED_OUT: [&str; 11] = [
    "additions",
    "ec2_ssh",
    "gate",
    "k3s",
    "local_web_service",
    "real_server",
    "real_sites",
    "releases",
    "scripts",
    "static_site",
    "vps",
];

/// Functions whose API tests have another name. A file of a function also runs the tests that have the file's name.
const OTHER_NAMES: [(&str, &[&str]); 6] = [
    ("agent-runner", &["triggers"]),
    ("devops-helper", &["helper", "trials"]),
    ("documentation", &["pipeline"]),
    ("preview", &["previews"]),
    ("sandbox-reaper", &["idle", "sandbox"]),
    ("step-runner", &["execution"]),
];

/// What the edits may have broken.
#[derive(Default, Debug, PartialEq)]
pub struct Affected {
    /// Sections to run whole.
    pub sections: BTreeSet<&'static str>,
    /// Crates whose tests to run.
    packages: BTreeSet<String>,
    /// Whether the blueprint model was edited.
    model: bool,
    /// The edited modules of its suite that carry out scripts.
    scripts: BTreeSet<String>,
    /// Modules of the API tests to run.
    calls: BTreeSet<String>,
    /// Files of browser stories to run.
    stories: BTreeSet<String>,
}

impl Affected {
    /// Computed from everything that changed, committed or not, since this branch left its upstream or `main`.
    pub fn here(root: &Path) -> Result<Self> {
        let base = base(root)?;
        let mut files = git(root, &["diff", "--name-only", &base])?;
        files.extend(git(root, &["ls-files", "--others", "--exclude-standard"])?);
        Ok(Self::by(&files, |path| std::fs::read_to_string(root.join(path)).ok()))
    }

    fn by(files: &[String], read: impl Fn(&str) -> Option<String>) -> Self {
        let mut affected = Self::default();
        for file in files {
            affected.add(file, &read);
        }
        affected
    }

    fn add(&mut self, file: &str, read: &impl Fn(&str) -> Option<String>) {
        let parts: Vec<&str> = file.split('/').collect();
        let ending = file.rsplit('.').next().unwrap_or_default();
        match ending {
            "rs" => self.sections.extend(["format"]),
            "sh" => self.sections.extend(["shell"]),
            "py" => self.sections.extend(["python"]),
            _ => {}
        }
        if matches!(ending, "rs" | "md" | "toml") {
            self.packages.insert("house-tests".to_owned());
        }
        match parts.as_slice() {
            ["pyproject.toml"] => self.sections.extend(["python"]),
            ["infra", "requirements-python.txt"] => self.sections.extend(["python", "supply"]),
            ["Cargo.lock" | "deny.toml"] => self.sections.extend(["supply"]),
            ["web", ..] => {
                self.sections.insert("web");
            }
            ["tests", "browser", "suite", story] => {
                self.stories.insert(format!("suite/{story}"));
            }
            ["tests", "browser", ..] => {
                self.sections.insert("web");
            }
            ["infra", "cdk", ..] => self.sections.extend(["web", "cdk"]),
            ["tests", "counterparts", ..] => self.sections.extend(["web", "counterparts"]),
            ["tests", "contract", ..] => self.sections.extend(["contract"]),
            ["tests", "api", "tests", module, ..] if *module != "main.rs" => {
                self.calls.insert(module.trim_end_matches(".rs").to_owned());
            }
            ["infra", "blueprint", within @ ..] => {
                self.model = true;
                if let ["tests", "suite", module, ..] = within {
                    let module = module.trim_end_matches(".rs");
                    let is_long = CARRIED_OUT.contains(&module);
                    self.scripts.extend(is_long.then(|| module.to_owned()));
                }
            }
            ["events", ..] | ["infra", "template.yaml"] => {
                self.packages.insert("deploy-tests".to_owned());
            }
            [room, name, ..] => {
                let manifest = read(&format!("{room}/{name}/Cargo.toml"));
                self.packages.extend(manifest.as_deref().and_then(package));
                if *room == "functions" {
                    let file = parts.last().copied().unwrap_or_default();
                    self.calls.extend(calls(name, file, read));
                }
            }
            _ => {}
        }
    }

    /// Whether no tests are next to the changes.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The Rust tests, as a filter of cargo-nextest.
    fn filter(&self) -> Option<String> {
        let packages = self.packages.iter().map(|name| format!("package({name})"));
        let call = |module| format!("(package(api-tests) and test(/^{module}::/))");
        let model = self.model.then(|| {
            let left_out = self.left_out().collect::<Vec<_>>().join("|");
            format!("(package(blueprint-model) and not test(/^({left_out})::/))")
        });
        let all: Vec<_> = packages.chain(self.calls.iter().map(call)).chain(model).collect();
        (!all.is_empty()).then(|| all.join(" or "))
    }

    /// The modules of the blueprint model's suite that do not run.
    fn left_out(&self) -> impl Iterator<Item = &'static str> {
        CARRIED_OUT.into_iter().filter(|module| !self.scripts.contains(*module))
    }

    /// The Rust tests without cargo-nextest. `cargo test` takes tests by a part of their name, so a few more may run.
    fn with_cargo_test(&self, root: &Path) -> Vec<Command> {
        let mut commands = Vec::new();
        if !self.packages.is_empty() {
            let packages = self.packages.iter().map(|name| format!("--package={name}"));
            commands.push(nextest::cargo_test(root, &packages.collect::<Vec<_>>()));
        }
        if !self.calls.is_empty() {
            let mut tests = nextest::cargo_test(root, &["--package=api-tests".to_owned()]);
            tests.arg("--").args(self.calls.iter().map(|module| format!("{module}::")));
            commands.push(tests);
        }
        if self.model {
            let mut tests = nextest::cargo_test(root, &["--package=blueprint-model".to_owned()]);
            tests.arg("--");
            tests.args(self.left_out().map(|module| format!("--skip={module}::")));
            commands.push(tests);
        }
        commands
    }

    /// The commands for tests that are not a section.
    pub fn commands(&self, root: &Path) -> Result<Vec<Command>> {
        let mut commands = Vec::new();
        if self.filter().is_some() || !self.stories.is_empty() {
            commands.push(build_programs(root));
        }
        if let Some(filter) = self.filter() {
            if nextest::is_installed() {
                let mut tests = nextest::run(root);
                tests.args(["--filterset", &filter]);
                commands.push(tests);
            } else {
                commands.extend(self.with_cargo_test(root));
            }
        }
        if !self.stories.is_empty() {
            web::for_browser_tests(root)?;
            let mut stories = Command::new("node");
            stories.current_dir(root.join("tests/browser"));
            stories
                .args(["--import=ts-blank-space/register", "--test", "--test-reporter=spec"])
                .args(&self.stories);
            commands.push(stories);
        }
        Ok(commands)
    }
}

/// The modules of the API tests that call what this file of a function does.
fn calls(function: &str, file: &str, read: &impl Fn(&str) -> Option<String>) -> Vec<String> {
    let others = OTHER_NAMES.iter().filter(|(name, _)| *name == function);
    let others = others.flat_map(|(_, modules)| modules.iter().map(|name| (*name).to_owned()));
    let named = [function.replace('-', "_"), file.trim_end_matches(".rs").to_owned()];
    let is_there = |module: &String| {
        module != "main" && read(&format!("tests/api/tests/{module}.rs")).is_some()
    };
    named.into_iter().filter(is_there).chain(others).collect()
}

/// The name in a crate's manifest.
fn package(manifest: &str) -> Option<String> {
    let name = manifest.lines().find_map(|line| line.strip_prefix("name = "))?;
    Some(name.trim_matches('"').to_owned())
}

fn base(root: &Path) -> Result<String> {
    let meets =
        |other: &str| git(root, &["merge-base", "HEAD", other]).ok().and_then(|mut it| it.pop());
    Ok(meets("@{upstream}").or_else(|| meets("main")).unwrap_or_else(|| "HEAD".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn affected(files: &[&str]) -> Affected {
        let files: Vec<_> = files.iter().map(|&file| file.to_owned()).collect();
        Affected::by(&files, |path| match path {
            "functions/project-states/Cargo.toml" => Some("[package]\nname = \"states\"\n".into()),
            "infra/sandbox/Cargo.toml" => Some("[package]\nname = \"sandbox-agent\"\n".into()),
            "tests/api/tests/project_states.rs" => Some(String::new()),
            _ => None,
        })
    }

    #[test]
    fn an_edited_function_runs_its_tests_and_its_calls() {
        let filter = affected(&["functions/project-states/src/routes.rs"]).filter().unwrap();
        let expected = "package(house-tests) or package(states) or (package(api-tests) and test(/^project_states::/))";
        assert_eq!(filter, expected);
    }

    #[test]
    fn a_crate_is_tested_under_the_name_in_its_manifest() {
        let found = affected(&["infra/sandbox/src/main.rs"]);
        assert_eq!(found.filter().unwrap(), "package(house-tests) or package(sandbox-agent)");
        assert_eq!(found.sections, BTreeSet::from(["format"]));
    }

    #[test]
    fn an_edited_page_runs_the_web_section_and_an_edited_story_runs() {
        let found = affected(&["web/src/main.tsx", "tests/browser/suite/steps.test.ts"]);
        assert_eq!(found.sections, BTreeSet::from(["web"]));
        assert_eq!(found.stories, BTreeSet::from(["suite/steps.test.ts".to_owned()]));
        assert_eq!(found.filter(), None);
    }

    #[test]
    fn an_edit_of_each_function_runs_tests_of_its_calls() {
        let read = |path: &str| std::fs::read_to_string(crate::root().join(path)).ok();
        for function in std::fs::read_dir(crate::root().join("functions")).unwrap() {
            let function = function.unwrap().file_name().into_string().unwrap();
            let found = Affected::by(&[format!("functions/{function}/src/lib.rs")], read);
            assert!(!found.calls.is_empty(), "no module of tests/api is named after {function}");
            for module in found.calls {
                assert!(read(&format!("tests/api/tests/{module}.rs")).is_some(), "{module}");
            }
        }
        let shares = Affected::by(&["functions/projects/src/shares.rs".to_owned()], read);
        assert_eq!(shares.calls, ["projects", "shares"].map(str::to_owned).into());
        let wired = Affected::by(&["functions/preview/src/main.rs".to_owned()], read);
        assert_eq!(wired.calls, ["previews".to_owned()].into());
    }

    #[test]
    fn an_edit_of_the_blueprint_model_carries_out_no_script() {
        let filter = |file: &str| affected(&[file]).filter().unwrap();
        let expected = "(package(blueprint-model) and not test(/^(additions|ec2_ssh|";
        for file in ["reading/dialogue.rs", "render.rs", "catalogue/vps.rs"] {
            let found = filter(&format!("infra/blueprint/src/{file}"));
            assert!(found.contains(expected) && found.contains("|static_site|vps)::"), "{found}");
        }
        let edited = filter("infra/blueprint/tests/suite/static_site/stub.rs");
        assert!(edited.contains("|scripts|vps)::"), "{edited}");
        for module in CARRIED_OUT {
            let file = format!("infra/blueprint/tests/suite/{module}.rs");
            assert!(crate::root().join(&file).is_file(), "{file}");
        }
    }

    /// The arguments of the commands that run the tests without cargo-nextest.
    fn arguments(affected: &Affected) -> Vec<String> {
        let words = |command: &Command| {
            let words: Vec<_> = command.get_args().map(|word| word.to_string_lossy()).collect();
            words.join(" ")
        };
        affected.with_cargo_test(Path::new(".")).iter().map(words).collect()
    }

    #[test]
    fn without_nextest_cargo_test_runs_the_same_tests() {
        let run = arguments(&affected(&["functions/project-states/src/routes.rs"]));
        let own = "test --package=house-tests --package=states --all-targets --no-fail-fast";
        let calls = "test --package=api-tests --all-targets --no-fail-fast -- project_states::";
        assert_eq!(run, [own, calls]);
        let run = arguments(&affected(&["infra/blueprint/tests/suite/intake.rs"]));
        assert!(run[1].contains("blueprint-model --all-targets"), "{run:?}");
        assert!(run[1].contains("-- --skip=additions:: --skip=ec2_ssh::"), "{run:?}");
        assert!(arguments(&affected(&["web/src/main.tsx"])).is_empty());
    }

    #[test]
    fn edited_python_is_checked() {
        for file in ["tests/eval/ground/cdn.py", "pyproject.toml"] {
            let found = affected(&[file]);
            assert_eq!(found.sections, BTreeSet::from(["python"]), "{file}");
        }
        let tools = affected(&["infra/requirements-python.txt"]).sections;
        assert_eq!(tools, BTreeSet::from(["python", "supply"]));
    }

    #[test]
    fn edited_dependencies_are_checked() {
        for file in ["Cargo.lock", "deny.toml"] {
            assert_eq!(affected(&[file]).sections, BTreeSet::from(["supply"]), "{file}");
        }
    }

    #[test]
    fn edits_to_counterparts_run_their_section() {
        let found = affected(&["tests/counterparts/litellm.ts", "infra/cdk/app.js"]);
        assert_eq!(found.sections, BTreeSet::from(["cdk", "counterparts", "web"]));
        assert_eq!(found.filter(), None);
    }

    #[test]
    fn a_deployed_file_is_compared_with_the_rest() {
        let found = affected(&["events/planning/thread.json", "infra/template.yaml"]);
        assert_eq!(found.filter().unwrap(), "package(deploy-tests)");
    }

    #[test]
    fn a_file_without_a_test_next_to_it_runs_none() {
        assert!(affected(&["LICENSE", ".editorconfig"]).is_empty());
        assert!(affected(&[]).is_empty());
    }
}
