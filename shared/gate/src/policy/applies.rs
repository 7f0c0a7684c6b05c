//! Allows `terraform apply` only for a plan that its owner has seen: an earlier step saved it, and this one applies
//! that file.

use crate::bash::{Command, Script};
use crate::check::error;
use crate::files::{in_folders, known, placed};
use crate::{POLICY, Unit};
use domain::gate::Finding;
use domain::saved_plan::PLAN_FILE;

/// Options of `apply` whose value may be a separate word.
const VALUED: [&str; 9] = [
    "-backup",
    "-lock-timeout",
    "-parallelism",
    "-replace",
    "-state",
    "-state-out",
    "-target",
    "-var",
    "-var-file",
];

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for shell in &unit.shells {
        let plans = shell.script.commands.iter().any(saves_plan);
        for (command, applied) in applications(&shell.script) {
            let message = match applied {
                Applied::Destroys => continue,
                Applied::Saved if plans => {
                    "No person has seen the plan that this step saves and applies. Save it in an earlier step; this \
                     one only applies it."
                        .to_owned()
                }
                Applied::Saved => continue,
                Applied::Unseen => {
                    "`terraform apply` without a saved plan makes changes that no person has seen. An earlier step saves it with \
                     `terraform -chdir=terraform plan -input=false -out=tfplan`; apply that file, as in \
                     `terraform -chdir=terraform apply -input=false tfplan`."
                        .to_owned()
                }
                Applied::Elsewhere(file) => format!(
                    "`{file}` is not where a saved plan is kept. Save it as `{PLAN_FILE}` in an earlier step, and \
                     apply that file, as in `terraform -chdir=terraform apply -input=false tfplan`."
                ),
            };
            let line = command.line + shell.offset;
            findings.push(error(POLICY, message).at(shell.file.as_deref(), line));
        }
        for command in shell.script.commands.iter().filter(|command| is_partial(command)) {
            let line = command.line + shell.offset;
            let asked = unit.context.asked.to_lowercase();
            if !asked.contains("target") {
                findings.push(error(POLICY, PARTIAL).at(shell.file.as_deref(), line));
            }
        }
    }
}

const PARTIAL: &str = "With `-target`, this plan leaves out the rest of the configuration, and the state no longer \
     agrees with it: plan all of it.";

/// Whether a command plans only parts of a configuration.
fn is_partial(command: &Command) -> bool {
    let argv = command.argv();
    matches!(argv.first(), Some(&("terraform" | "tofu")))
        && argv.contains(&"plan")
        && argv
            .iter()
            .any(|word| ["-target", "--target"].contains(&word.split('=').next().unwrap_or(word)))
}

/// Whether one of these commands applies the saved plan.
pub(crate) fn applies_plan(script: &Script) -> bool {
    applications(script).any(|(_, applied)| applied == Applied::Saved)
}

/// The commands that apply something.
fn applications(script: &Script) -> impl Iterator<Item = (&Command, Applied)> {
    in_folders(script).filter_map(|(command, folder)| {
        let in_place = |folder: &str, path: &str| placed(&known(path, script), Some(folder));
        let applied = applied(&command.argv(), |chdir, file| {
            let folder = folder
                .as_deref()
                .map(|folder| chdir.map_or(folder.to_owned(), |to| in_place(folder, to)));
            folder.map(|folder| in_place(&folder, file))
        });
        Some((command, applied?))
    })
}

#[derive(Debug, PartialEq, Eq)]
enum Applied {
    /// The saved plan.
    Saved,
    /// A plan that is saved in another place.
    Elsewhere(String),
    /// Whatever changes Terraform finds when it runs.
    Unseen,
    /// Everything is destroyed; another rule checks whether that is the step's purpose.
    Destroys,
}

/// What a command applies; `None` if nothing. `place` finds a file, seen from the folder of `-chdir`.
fn applied(argv: &[&str], place: impl Fn(Option<&str>, &str) -> Option<String>) -> Option<Applied> {
    let rest = arguments(argv, "apply")?;
    if rest.iter().any(|word| is_set(word, "destroy")) {
        return Some(Applied::Destroys);
    }
    let is_help = |word: &&str| is_option(word, "help") || is_option(word, "h");
    if rest.iter().any(is_help) {
        return None;
    }
    let chdir = argv.iter().rev().find_map(|word| {
        let word = word.strip_prefix('-')?;
        word.strip_prefix('-').unwrap_or(word).strip_prefix("chdir=")
    });
    let mut words = rest.iter();
    while let Some(word) = words.next() {
        if VALUED.contains(&word.replacen("--", "-", 1).as_str()) {
            words.next();
        } else if !word.starts_with('-') {
            // A file with the same name elsewhere is not the plan that the owner sees.
            return Some(match place(chdir.map(|to| to.trim_end_matches('/')), word).as_deref() {
                Some(PLAN_FILE) => Applied::Saved,
                _ => Applied::Elsewhere((*word).to_owned()),
            });
        }
    }
    Some(Applied::Unseen)
}

fn saves_plan(command: &Command) -> bool {
    let argv = command.argv();
    let saves = |word: &&str| is_option(word.split('=').next().unwrap_or(word), "out");
    arguments(&argv, "plan").is_some_and(|rest| rest.iter().any(saves))
}

/// The arguments after a Terraform subcommand.
fn arguments<'a, 'b>(argv: &'a [&'b str], wanted: &str) -> Option<&'a [&'b str]> {
    let (program, rest) = argv.split_first()?;
    let at = rest.iter().position(|word| !word.starts_with('-'))?;
    (["terraform", "tofu"].contains(program) && rest[at] == wanted).then(|| &rest[at + 1..])
}

fn is_option(word: &str, name: &str) -> bool {
    let bare = word.strip_prefix("--").or_else(|| word.strip_prefix('-'));
    bare.is_some_and(|bare| bare.split('=').next() == Some(name))
}

/// Whether a word sets a Terraform flag: `-destroy` and `-destroy=1` do, `-destroy=false` does not.
pub(super) fn is_set(word: &str, name: &str) -> bool {
    let value = word.split_once('=').map_or("", |(_, value)| value);
    is_option(word, name) && !["0", "f", "false"].contains(&value.to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use crate::{Context, applies_plan, examine};

    #[test]
    fn a_plan_covers_the_whole_configuration() {
        for (asked, text, count) in [
            ("A shop", "terraform plan -input=false -target=aws_vpc.main -out=tfplan\n", 1),
            ("A shop", "terraform -chdir=terraform plan -target module.a -out=tfplan\n", 1),
            (
                "Plan the network with -target",
                "terraform plan -target=aws_vpc.main -out=tfplan\n",
                0,
            ),
            ("A shop", "terraform plan -input=false -out=tfplan\n", 0),
        ] {
            let context = Context { asked, step: "Plan", ..Context::default() };
            let found = examine(text, &context);
            let found = found.iter().filter(|found| found.message.contains("-target"));
            assert_eq!(found.count(), count, "{asked}: {text}");
        }
    }

    fn found(script: &str) -> Vec<String> {
        let context = Context { step: "Apply the plan", ..Context::default() };
        examine(script, &context).into_iter().map(|found| found.message).collect()
    }

    #[test]
    fn only_a_plan_that_was_saved_before_may_be_applied() {
        for (script, complaint) in [
            ("terraform -chdir=terraform apply -auto-approve", "without a saved plan"),
            ("cd terraform\nterraform apply -var 'size=2' -auto-approve", "without a saved plan"),
            ("tofu apply -input=false -target a.b", "without a saved plan"),
            ("bash -c 'terraform apply -auto-approve'", "without a saved plan"),
            ("terraform apply -destroy=false -auto-approve", "without a saved plan"),
            ("terraform -chdir=terraform apply /tmp/other.plan", "not where a saved plan is kept"),
            ("terraform -chdir=terraform apply /tmp/tfplan", "not where a saved plan is kept"),
            ("terraform -chdir=terraform apply ../tfplan", "not where a saved plan is kept"),
            ("terraform -chdir=other apply tfplan", "not where a saved plan is kept"),
            ("cd terraform\nterraform -chdir=old apply tfplan", "not where a saved plan is kept"),
            ("cd \"$(mktemp -d)\"\nterraform apply tfplan", "not where a saved plan is kept"),
            ("terraform apply tfplan", "not where a saved plan is kept"),
            (
                "terraform -chdir=terraform plan -out=tfplan\nterraform -chdir=terraform apply tfplan",
                "No person has seen",
            ),
            (
                "cd terraform\nterraform plan --out tfplan && terraform apply tfplan",
                "No person has seen",
            ),
        ] {
            let found = found(script);
            assert!(found.iter().any(|one| one.contains(complaint)), "{script}: {found:?}");
        }
    }

    #[test]
    fn planning_and_applying_the_saved_plan_give_no_findings() {
        for script in [
            "terraform -chdir=terraform apply -input=false -no-color tfplan",
            "cd terraform\nterraform apply -input=false -parallelism 4 ./tfplan",
            "terraform -chdir=./terraform/ apply -input=false ./tfplan",
            "cd ~/workspace\nterraform -chdir=\"$PWD/terraform\" apply -input=false tfplan",
            "terraform -chdir=terraform plan -input=false -out=tfplan",
            "terraform -chdir=terraform plan -detailed-exitcode >/dev/null",
            "terraform apply -help",
        ] {
            assert_eq!(found(script), Vec::<String>::new(), "{script}");
        }
        assert!(applies_plan(
            "cd terraform; if true; then terraform apply -input=false tfplan; fi"
        ));
        assert!(!applies_plan("terraform plan -out=tfplan"));
        assert!(!applies_plan("terraform -chdir=other apply tfplan"));
    }
}
