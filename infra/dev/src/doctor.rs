//! `cargo dev doctor`: reports what Groundcrew still needs on this machine or in an account, and how to get it.
//!
//! It only reads. It asks about an account through the `aws` command, with that command's profile and region; it does
//! not read secrets, only whether each has a value.

mod account;
mod tools;

use anyhow::{Result, bail};
use clap::Args;

/// Options of `cargo dev doctor`.
#[derive(Args)]
pub struct Doctor {
    /// Check a deployed stack instead of this machine
    #[arg(long, value_name = "NAME")]
    stack: Option<String>,
    /// Where the site answers, if not at the address that the stack names
    #[arg(long, value_name = "URL", requires = "stack")]
    site: Option<String>,
}

/// The result of one check.
#[derive(Debug, PartialEq)]
pub struct Finding {
    /// What was checked, and what was found.
    pub what: String,
    /// What to do; `None` if nothing is missing.
    pub remedy: Option<String>,
    /// Whether Groundcrew runs without it.
    pub optional: bool,
}

impl Finding {
    fn good(what: impl Into<String>) -> Self {
        Self { what: what.into(), remedy: None, optional: false }
    }

    fn missing(what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { what: what.into(), remedy: Some(remedy.into()), optional: false }
    }

    fn or_without(self) -> Self {
        Self { optional: true, ..self }
    }

    fn text(&self) -> String {
        match &self.remedy {
            None => format!("  ok       {}", self.what),
            Some(remedy) => {
                let state = if self.optional { "without" } else { "missing" };
                format!("  {state}  {}\n           {remedy}", self.what)
            }
        }
    }
}

impl Doctor {
    /// Prints the findings; fails if something required is missing.
    pub fn run(self) -> Result<()> {
        let findings = match &self.stack {
            Some(stack) => account::Account::new(stack).findings(self.site.as_deref()),
            None => tools::findings(),
        };
        for finding in &findings {
            println!("{}", finding.text());
        }
        let missing = |finding: &&Finding| finding.remedy.is_some() && !finding.optional;
        match findings.iter().filter(missing).count() {
            0 => Ok(()),
            1 => bail!("one thing is missing"),
            many => bail!("{many} things are missing"),
        }
    }
}
