//! Finds subcommands that a program does not have.

use super::spelling::nearest;
use super::{FILES, error};
use crate::Unit;
use crate::bash::operand;
use domain::gate::Finding;

/// Programs with their subcommands, and whether other words may stand there: plugins, or values of options.
const VERBS: [(&str, bool, &str); 8] = [
    (
        "systemctl",
        true,
        "add-requires add-wants bind cancel cat clean condreload condrestart condstop daemon-reexec daemon-reload default disable edit emergency enable exit force-reload freeze get-default halt help hibernate hybrid-sleep import-environment is-active is-enabled is-failed is-system-running isolate kexec kill link list-automounts list-dependencies list-jobs list-machines list-paths list-sockets list-timers list-unit-files list-units log-level log-target mask mount-image poweroff preset preset-all reboot reenable reload reload-or-restart reload-or-try-restart rescue reset-failed restart revert service-log-level service-log-target service-watchdogs set-default set-environment set-property show show-environment sleep soft-reboot start status stop suspend suspend-then-hibernate switch-root thaw try-reload-or-restart try-restart unmask unset-environment whoami",
    ),
    (
        "kubectl",
        true,
        "alpha annotate api-resources api-versions apply attach auth autoscale certificate cluster-info completion config cordon cp create debug delete describe diff drain edit events exec explain expose get help kustomize label logs options patch plugin port-forward proxy replace rollout run scale set taint top uncordon version wait",
    ),
    (
        "docker",
        true,
        "attach build builder buildx checkpoint commit compose config container context cp create debug diff events exec export extension history image images import info init inspect kill load login logout logs manifest model network node pause plugin port ps pull push rename restart rm rmi run save scan scout search secret service stack start stats stop swarm system tag top trust unpause update version volume wait",
    ),
    (
        "docker compose",
        false,
        "alpha attach bridge build commit config convert cp create down events exec export help images kill logs ls pause port ps publish pull push restart rm run scale start stats stop top unpause up version volumes wait watch",
    ),
    (
        "helm",
        true,
        "completion create dependency dep env get help history hist install lint list ls package plugin pull fetch push registry repo rollback search show inspect status template test uninstall delete del un upgrade verify version",
    ),
    (
        "terraform",
        false,
        "apply console destroy env fmt force-unlock get graph import init login logout metadata modules output plan providers query refresh rpcapi show stacks state taint test untaint validate version workspace 0.12checklist",
    ),
    (
        "apt-get",
        false,
        "autoclean auto-clean autoremove auto-remove autopurge auto-purge build-dep changelog check clean dist-clean distclean dist-upgrade download dselect-upgrade full-upgrade indextargets install markauto moo purge reinstall remove satisfy source unmarkauto update upgrade",
    ),
    (
        "restic",
        true,
        "backup cache cat check completion copy diff dump features find forget generate help init key list ls migrate mount options prune rebuild-index recover repair restore rewrite self-update snapshots stats tag unlock version",
    ),
];

/// Options before the subcommand that take the next word.
const VALUED: [&str; 25] = [
    "--ansi",
    "--context",
    "--env-file",
    "--file",
    "--host",
    "--kube-context",
    "--kubeconfig",
    "--machine",
    "--namespace",
    "--option",
    "--parallel",
    "--password-file",
    "--profile",
    "--progress",
    "--project-directory",
    "--project-name",
    "--repo",
    "--server",
    "--type",
    "-H",
    "-M",
    "-f",
    "-n",
    "-p",
    "-r",
];

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for shell in unit.everywhere() {
        for command in &shell.script.commands {
            let argv = command.argv();
            let own = argv.first().is_some_and(|program| shell.script.functions.contains(*program));
            if let Some(message) = unknown(&argv).filter(|_| !own) {
                let line = command.line + shell.offset;
                findings.push(error(FILES, message).at(shell.file.as_deref(), line));
            }
        }
    }
}

fn unknown(argv: &[&str]) -> Option<String> {
    let (program, rest) = argv.split_first()?;
    let (mut name, mut verb) = ((*program).to_owned(), first(program, rest)?);
    if name == "docker" && verb == "compose" {
        let at = rest.iter().position(|word| *word == "compose")?;
        verb = first("docker compose", &rest[at + 1..])?;
        name = "docker compose".to_owned();
    }
    let (_, plugins, verbs) = VERBS.iter().find(|(program, ..)| *program == name)?;
    let known: Vec<&str> = verbs.split(' ').collect();
    let plain = verb.chars().all(|c| c.is_ascii_lowercase() || c == '-' || c.is_ascii_digit());
    let begins = verb.starts_with(|c: char| c.is_ascii_lowercase());
    if known.contains(&verb) || !plain || !begins || verb.len() < 2 {
        return None;
    }
    // Short names are near to no other, so a letter may be missing.
    let short = known.iter().copied().find(|one| {
        one.len() == verb.len() + 1
            && (0..one.len()).any(|at| format!("{}{}", &one[..at], &one[at + 1..]) == verb)
    });
    let near = nearest(verb, &known).or(short);
    (near.is_some() || !plugins).then(|| match near {
        Some(near) => format!("`{name}` has no command `{verb}`, but it has `{near}`."),
        None => format!("`{name}` has no command `{verb}`."),
    })
}

/// A program's first operand.
fn first<'a>(program: &str, rest: &[&'a str]) -> Option<&'a str> {
    let valued: &[&str] = match program {
        "apt-get" => &["-c", "-o", "-t"],
        "terraform" => &[],
        _ => &VALUED,
    };
    operand(rest, valued)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subcommands_must_exist() {
        let said = |text: &str| unknown(&text.split(' ').collect::<Vec<_>>()).is_some();
        for text in [
            "systemctl enabel nginx",
            "docker compose upp -d",
            "kubectl -n a aply -f b",
            "terraform aplly",
            "apt-get instal -y a",
        ] {
            assert!(said(text), "{text}");
        }
        for text in [
            "systemctl --user enable a",
            "docker compose -f a.yml --profile b up -d",
            "kubectl neat get pods",
            "kubectl --namespace a get pods",
            "helm diff upgrade a b",
            "apt-get -o Dpkg::Options::=--force-confold install -y a",
            "terraform -chdir=a plan",
            "systemctl $verb a",
            "systemctl -t service list-units",
            "restic --compression max backup a",
            "docker compose --progress plain up -d",
            "docker --context a ps",
        ] {
            assert!(!said(text), "{text}");
        }
    }
}
