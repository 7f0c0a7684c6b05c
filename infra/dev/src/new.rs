//! `cargo dev new`: the skeleton of what is added most often, in every file that has to know of it.
//!
//! A skeleton compiles, has its test and passes the suites that compare contract, template, router and events; what it
//! does is written into it afterwards. Everything is prepared before the first file is written: a name that is taken
//! or a file that looks unlike what is expected leaves the tree as it was.

mod draft;
mod endpoint;

use crate::root;
use anyhow::Result;
use clap::Subcommand;

#[derive(Subcommand)]
pub enum New {
    /// A call of the REST API, about a project: its handler, route, event in the template, recorded event and test
    Endpoint(endpoint::Endpoint),
}

impl New {
    /// Writes the skeleton and says what is left to do.
    pub fn write(self) -> Result<()> {
        match self {
            Self::Endpoint(endpoint) => endpoint.write(&root()),
        }
    }
}
