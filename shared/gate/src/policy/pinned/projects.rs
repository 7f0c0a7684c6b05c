//! Finds dependencies of a Python project that may be different tomorrow.

use super::moving::is_open;
use crate::check::error;
use crate::files::Written;
use crate::{POLICY, Unit};
use domain::gate::Finding;

/// Signs of a file that fixes what a project's ranges leave open.
const LOCKS: [&str; 8] = [
    "--constraint",
    "--frozen",
    "--locked",
    "pdm.lock",
    "pip-compile",
    "poetry.lock",
    "requirements.lock",
    "uv.lock",
];

/// The dependencies of a project that name no version at all, or only the oldest one where nothing locks them.
pub(super) fn python(unit: &Unit, file: &Written, findings: &mut Vec<Finding>) {
    if file.name() != "pyproject.toml" {
        return;
    }
    let locked = unit.texts().any(|text| LOCKS.iter().any(|sign| text.contains(sign)));
    let mut inside = false;
    for (at, line) in file.text.lines().enumerate() {
        let start = line.trim_start().strip_prefix("dependencies").map(str::trim_start);
        inside |= start.is_some_and(|rest| rest.starts_with('='));
        if !inside {
            continue;
        }
        // Every second part is between quotes.
        for package in line.split('"').skip(1).step_by(2) {
            let named = package.contains(['=', '>', '<', '~', '@', '!']);
            if !named || (is_open(package) && !locked) {
                let name = package.split(['=', '>', '<', '~', '!', ' ', ';']).next();
                let message =
                    format!("The Python package `{}` has no version.", name.unwrap_or(package));
                findings.push(error(POLICY, message).at(Some(&file.path), at + 1));
            }
        }
        inside = !line.trim_end().ends_with(']');
    }
}

#[cfg(test)]
mod tests {
    use super::super::examine;

    #[test]
    fn a_project_names_its_versions_or_locks_them() {
        let said = |text: &str| crate::testing::said(examine, text).len();
        let project = |package: &str| {
            format!(
                "cat >pyproject.toml <<'E'\n[project]\nname = \"a\"\ndependencies = [\n  \"{package}\",\n]\nE\n"
            )
        };
        for (package, count) in
            [("flask>=3.0", 1), ("flask", 1), ("flask>=3.0,<3.1", 0), ("flask==3.1.0", 0)]
        {
            assert_eq!(said(&project(package)), count, "{package}");
        }
        assert_eq!(said(&(project("flask>=3.0") + "uv sync --locked\n")), 0);
    }
}
