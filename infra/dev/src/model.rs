//! `cargo dev model-check` and `cargo dev eval`: programs of `tests/eval`, built on demand.

use crate::root;
use crate::step::{build_programs, program, run};
use anyhow::Result;
use clap::Args;

/// Options of a program of `tests/eval`.
#[derive(Args)]
pub struct Options {
    /// Options of the program; with `--help` it lists them
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    options: Vec<String>,
}

impl Options {
    /// Builds the program and runs it with its options; it reports errors itself.
    pub fn hand_to(self, name: &str) -> Result<()> {
        let root = root();
        let mut build = build_programs(&root);
        run(build.args(["--quiet", "--bin", name]))?;
        run(program(&root, name).args(self.options))
    }
}
