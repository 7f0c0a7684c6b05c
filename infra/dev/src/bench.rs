//! `cargo dev bench`.

use crate::root;
use crate::step::{cargo, run};
use anyhow::Result;

/// Measures the programs as `cargo dev up` runs them; optimised ones would take longer to link, whole, than
/// all measurements together, and what a developer waits for here is met with room to spare.
pub fn measure() -> Result<()> {
    run(cargo().current_dir(root()).args(["run", "--quiet", "--package", "bench"]))
}
