//! `cargo dev new`: writes the skeleton of a common addition into every file that needs one.
//!
//! A skeleton compiles, has its test and, after `cargo dev openapi` has added its routes, passes the suites that compare
//! contract, template, router and events; you add its behavior afterward. Everything is prepared before the first file
//! is written: if a name is taken or a file has an unexpected form, the tree stays as it was. The section `skeletons` of
//! `cargo dev test --release` writes one of each into a copy of the repository and runs the tests next to them.

mod deployment;
mod draft;
mod endpoint;
mod function;

use crate::root;
use anyhow::Result;
use clap::Subcommand;

#[derive(Subcommand)]
pub enum New {
    /// A call of the REST API about a project: its handler, recorded event and test
    Endpoint(endpoint::Endpoint),
    /// A Lambda function of the REST API with its first call: crate, role, log, alarms, and its place in the local stack
    Function(function::Function),
    /// A deployment of the blueprint model: a copy of another one, under its own name
    Deployment(deployment::Deployment),
}

impl New {
    /// Writes the skeleton and says what is left to do.
    pub fn write(self) -> Result<()> {
        match self {
            Self::Endpoint(endpoint) => endpoint.write(&root()),
            Self::Function(function) => function.write(&root()),
            Self::Deployment(deployment) => deployment.write(&root()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(subcommand)]
        new: New,
    }

    /// The files that a command would write into this repository; checks that a second run would write nothing.
    fn written(words: &str) -> Result<Vec<String>> {
        let line = Line::try_parse_from(std::iter::once("new").chain(words.split(' '))).unwrap();
        let root = root();
        let draft = match &line.new {
            New::Endpoint(endpoint) => endpoint.draft(&root)?,
            New::Function(function) => function.draft(&root)?,
            New::Deployment(deployment) => deployment.draft(&root)?,
        };
        Ok(draft.paths())
    }

    #[test]
    fn a_new_endpoint_is_added_to_every_file_that_needs_it() {
        let files = written("endpoint projects weekly_costs get /projects/{id}/weekly-costs");
        let expected = [
            "docs/store-calls.md",
            "events/projects/weekly-costs.json",
            "functions/projects/src/lib.rs",
            "functions/projects/src/routes.rs",
            "functions/projects/src/weekly_costs.rs",
            "tests/api/tests/main.rs",
            "tests/api/tests/reads.rs",
            "tests/api/tests/weekly_costs.rs",
        ];
        assert_eq!(files.unwrap(), expected);
    }

    #[test]
    fn an_endpoint_of_an_unknown_function_is_refused_with_the_remedy() {
        let refused = written("endpoint invoices weekly get /invoices/{id}").unwrap_err();
        assert!(refused.to_string().contains("cargo dev new function"), "{refused}");
    }

    #[test]
    fn a_function_to_which_no_endpoint_can_be_added_is_refused_with_the_remedy() {
        let mut added = 0;
        for entry in std::fs::read_dir(root().join("functions")).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            match written(&format!("endpoint {name} weekly_trees get /weekly-trees/{{id}}")) {
                Ok(_) => added += 1,
                Err(refused) => {
                    let remedies = ["projects: Projects::new(&table)", "cargo dev new function"];
                    let refused = refused.to_string();
                    assert!(remedies.iter().any(|one| refused.contains(one)), "{refused}");
                }
            }
        }
        assert!(added > 7, "{added}");
    }

    #[test]
    fn a_new_function_is_added_to_every_file_that_needs_it() {
        let files = written("function cost-reports write_report post /cost-reports").unwrap();
        for file in [
            "README.md",
            "functions/cost-reports/Cargo.toml",
            "functions/cost-reports/src/main.rs",
            "functions/cost-reports/src/write_report.rs",
            "infra/local/src/functions.rs",
            "infra/local/src/openapi.rs",
            "infra/template.yaml",
            "tests/bench/tests/store_calls/story.rs",
        ] {
            assert!(files.iter().any(|written| written == file), "{file} of {files:?}");
        }
    }

    #[test]
    fn any_deployment_that_is_only_data_can_be_copied() {
        let folder = root().join("infra/blueprint/catalogue");
        let mut whole = 0;
        for entry in std::fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            if !entry.path().join("deployment.json").is_file() {
                continue;
            }
            whole += 1;
            let like = entry.file_name().into_string().unwrap();
            let files = written(&format!("deployment vps-redis --like {like}")).unwrap();
            assert!(files.contains(&"infra/blueprint/catalogue/vps-redis/requirements.md".into()));
            assert!(files.iter().all(|file| !file.ends_with(".rs")), "{files:?}");
        }
        assert!(whole > 1, "{whole}");
    }

    #[test]
    fn a_name_that_would_not_compile_is_refused() {
        for wrong in [
            "endpoint projects Costs get /projects/{id}/new-costs",
            "endpoint projects type get /projects/{id}/new-costs",
            "endpoint projects new_costs get /projects/{id}/{type}",
            "endpoint projects new_costs get /projects/{id}/{week-number}",
            "endpoint projects new_costs get /projects/{id}/{week}/{week}",
            "endpoint projects new_costs get /projects/{id}/{caller}",
            "function async first get /projects/{id}/first",
            "function Reports first get /projects/{id}/first",
            "function store first get /projects/{id}/first",
        ] {
            assert!(written(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_name_that_already_exists_is_refused() {
        for taken in [
            "endpoint projects costs get /projects/{id}/new-costs",
            "endpoint projects costs_again get /projects/{id}/costs",
            "endpoint projects costs_again get /projects/{project}/costs",
            "endpoint nowhere costs get /projects/{id}/new-costs",
            "function projects first get /projects/{id}/first",
            "deployment elk",
            "deployment vps-redis --like none",
            "deployment vps-redis --like parts",
            "deployment vps-redis --like elk",
        ] {
            assert!(written(taken).is_err(), "{taken}");
        }
    }
}
