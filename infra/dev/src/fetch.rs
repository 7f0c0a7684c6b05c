//! Packages of npm and PyPI that a section needs.

use crate::step::run;
use crate::web;
use anyhow::Result;
use std::path::Path;
use std::process::Command;

/// What a section needs besides Debian packages.
#[derive(Clone, Copy)]
pub enum Fetch {
    /// The npm packages of the project in this folder.
    Npm(&'static str),
    /// A Python environment.
    Python {
        /// Its folder.
        folder: &'static str,
        /// The file with its requirements.
        requirements: &'static str,
        /// Further options of pip.
        options: &'static [&'static str],
    },
}

impl Fetch {
    /// Fetches it, unless it is there.
    pub fn run(self, root: &Path) -> Result<()> {
        match self {
            Self::Npm(project) => web::packages(root, project),
            Self::Python { folder, requirements, options } => {
                let mut venv = Command::new("infra/venv.sh");
                venv.current_dir(root).args([folder, requirements]).args(options);
                run(&mut venv)
            }
        }
    }
}
