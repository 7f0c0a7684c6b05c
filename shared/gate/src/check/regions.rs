//! Checks the regions that commands of AWS name.

use super::values::refused;
use super::{FILES, error};
use crate::Unit;
use crate::files::known;
use domain::gate::Finding;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for shell in unit.everywhere() {
        for command in &shell.script.commands {
            let argv = command.argv();
            let given = argv.windows(2).find(|two| two[0] == "--region").map(|two| two[1]);
            let region = given.filter(|_| argv.first() == Some(&"aws"));
            let set = command.words.iter().find_map(|word| {
                ["AWS_REGION=", "AWS_DEFAULT_REGION="]
                    .iter()
                    .find_map(|name| word.text.strip_prefix(name))
            });
            for name in region.into_iter().chain(set) {
                let name = known(name, &shell.script);
                if refused("aws", "region", &name).is_some() {
                    let message = format!(
                        "AWS has no region `{name}`: a name such as `eu-central-1` has a number."
                    );
                    findings.push(
                        error(FILES, message)
                            .at(shell.file.as_deref(), command.line + shell.offset),
                    );
                }
            }
        }
    }
}
