//! Finds applications that a command makes a Python server load and that the file of their module does not define.

use super::names::defines;
use crate::check::{FILES, error};
use crate::{Unit, Written};
use domain::gate::Finding;

/// Programs that load an application by `module:name`.
const SERVERS: [&str; 5] = ["daphne", "gunicorn", "hypercorn", "uvicorn", "uwsgi"];

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    let modules: Vec<&Written> =
        unit.tree.iter().filter(|file| file.extension() == "py" && !file.expands).collect();
    if modules.is_empty() {
        return;
    }
    for (at, line) in unit.text.lines().enumerate() {
        let comment = line.trim_start().starts_with('#');
        if comment || !SERVERS.iter().any(|server| line.contains(server)) {
            continue;
        }
        let edge = |c: char| c.is_whitespace() || "\"',[]".contains(c);
        for word in line.split(edge) {
            let Some((module, name)) = word.split_once(':') else { continue };
            let plain = |text: &str| text.split('.').all(crate::bash::is_name);
            if !plain(module) || !crate::bash::is_name(name) {
                continue;
            }
            let file = module.rsplit('.').next().unwrap_or(module);
            let Some(file) = modules.iter().find(|it| it.name() == format!("{file}.py")) else {
                continue;
            };
            if !defines(&file.text, name) {
                let message =
                    format!("`{}` defines no `{name}`, which `{word}` names.", file.name());
                findings.push(error(FILES, message).at(None, at + 1));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_server_loads_what_its_module_defines() {
        let said = |command: &str| {
            let text = format!(
                "cat >src/main.py <<'E'\nfrom a import web as site\napp = site()\nE\n{command}\n"
            );
            crate::testing::said(super::examine, &text).len()
        };
        assert_eq!(said("uvicorn main:application --port 80"), 1);
        assert_eq!(said("printf 'CMD [\"gunicorn\", \"src.main:aplication\"]' > Dockerfile"), 1);
        for command in [
            "uvicorn main:app --host 0.0.0.0",
            "gunicorn --bind unix:/run/a wsgi:app",
            "uvicorn main:site",
            "echo main:application",
        ] {
            assert_eq!(said(command), 0, "{command}");
        }
    }
}
