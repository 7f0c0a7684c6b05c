//! Finds services that a script starts although it has started them already, so that they do not read what it changed
//! in between.

use super::error;
use crate::{FILES, Unit};
use domain::gate::Finding;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for shell in unit.everywhere() {
        let mut running: Vec<&str> = Vec::new();
        for command in &shell.script.commands {
            let argv = command.argv();
            let ["systemctl", rest @ ..] = argv.as_slice() else { continue };
            let mut words = rest.iter().filter(|word| !word.starts_with('-'));
            let Some(verb) = words.next() else { continue };
            let names = words.map(|name| name.trim_end_matches(".service"));
            match *verb {
                "enable" if rest.contains(&"--now") => running.extend(names),
                "restart" => running.extend(names),
                "start" => {
                    for name in names {
                        if running.contains(&name) && !name.contains(['$', '@', '.']) {
                            let message = format!(
                                "`{name}` is already running, so this does nothing: reload or \
                                restart it."
                            );
                            let line = command.line + shell.offset;
                            findings.push(error(FILES, message).at(shell.file.as_deref(), line));
                        }
                    }
                }
                "stop" | "kill" | "disable" | "mask" => {
                    let names: Vec<&str> = names.collect();
                    running.retain(|name| !names.contains(name));
                }
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_service_that_runs_is_not_started_again() {
        let said = |text: &str| crate::testing::said(super::examine, text).len();
        for (text, count) in [
            (
                "systemctl enable --now haproxy\ncp a /etc/haproxy/haproxy.cfg\nsystemctl start haproxy",
                1,
            ),
            ("systemctl restart nginx.service\nsystemctl start nginx", 1),
            ("systemctl enable --now a\nsystemctl stop a\ncp b c\nsystemctl start a", 0),
            ("systemctl enable a\nsystemctl start a", 0),
            ("systemctl enable --now backup.timer\nsystemctl start backup.service", 0),
            ("systemctl start a\nsystemctl reload a", 0),
        ] {
            assert_eq!(said(text), count, "{text}");
        }
    }
}
