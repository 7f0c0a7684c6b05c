//! `cargo dev bench`.

use crate::root;
use crate::step::{cargo, run};
use anyhow::Result;

/// Measures the programs as `cargo dev up` runs them; optimized ones would take longer to link than all measurements
/// take together, and the debug builds meet the limits with room to spare.
pub fn measure() -> Result<()> {
    run(cargo().current_dir(root()).args(["run", "--quiet", "--package", "bench"]))
}
