//! Counts the operands of commands that take a fixed number of them: an option that the program lacks, or a word that is
//! missing, makes one too many or too few.

use super::options::operands;
use super::{FILES, error};
use crate::Unit;
use crate::bash::{Command, Word};
use domain::gate::Finding;

/// A number that no command reaches.
const MANY: usize = usize::MAX;

/// Commands, the least and the largest number of their operands, and options with a value that the tables of options lack.
const COMMANDS: [(&str, usize, usize, &str); 54] = [
    ("ansible-playbook", 1, MANY, ""),
    ("aws s3 cp", 2, 2, ""),
    ("aws s3 mb", 1, 1, ""),
    ("aws s3 mv", 2, 2, ""),
    ("aws s3 sync", 2, 2, ""),
    ("chgrp", 2, MANY, ""),
    ("chmod", 2, MANY, ""),
    ("chown", 2, MANY, ""),
    ("cp", 2, MANY, ""),
    ("createdb", 0, 2, ""),
    ("createuser", 0, 1, "-c"),
    ("docker build", 1, 1, ""),
    ("docker buildx build", 1, 1, ""),
    ("docker cp", 2, 2, ""),
    ("docker image tag", 2, 2, ""),
    ("docker network create", 1, 1, ""),
    ("docker pull", 1, 1, ""),
    ("docker push", 1, 1, ""),
    ("docker rename", 2, 2, ""),
    ("docker tag", 2, 2, ""),
    ("docker volume create", 0, 1, ""),
    ("dropdb", 1, 1, ""),
    ("git clone", 1, 2, "-b -c -j -o -u"),
    ("groupadd", 1, 1, ""),
    ("hcloud network create", 0, 0, ""),
    ("hcloud server create", 0, 0, ""),
    ("hcloud volume create", 0, 0, ""),
    ("helm install", 1, 2, ""),
    ("helm repo add", 2, 2, ""),
    ("helm rollback", 1, 2, ""),
    ("helm template", 1, 2, ""),
    ("helm upgrade", 2, 2, ""),
    ("install", 1, MANY, ""),
    ("kubectl apply", 0, 0, ""),
    ("kubectl cp", 2, 2, ""),
    ("kubectl create namespace", 1, 1, ""),
    ("kubectl label", 1, MANY, ""),
    ("kubectl rollout restart", 1, MANY, ""),
    ("kubectl rollout status", 1, 2, "-w"),
    ("kubectl set image", 2, MANY, ""),
    ("mktemp", 0, 1, ""),
    ("mv", 2, MANY, ""),
    ("pg_dump", 0, 1, ""),
    ("pg_restore", 0, 1, ""),
    ("restic init", 0, 0, ""),
    ("restic restore", 1, 1, ""),
    ("scp", 2, MANY, "-F -i -o -P -l -J -c -S -D -X"),
    ("terraform apply", 0, 1, TERRAFORM),
    ("terraform init", 0, 0, TERRAFORM),
    ("terraform output", 0, 1, TERRAFORM),
    ("terraform plan", 0, 0, TERRAFORM),
    ("terraform workspace select", 1, 1, ""),
    ("useradd", 1, 1, ""),
    ("usermod", 1, 1, ""),
];

const TERRAFORM: &str = "-backend-config -backup -from-module -generate-config-out -lock-timeout -out -parallelism -plugin-dir -replace -state -state-out -target -var -var-file";

/// Options with which a command takes other operands, or a file names them.
const OTHERWISE: [&str; 12] = [
    "--all",
    "--defaults",
    "--filename",
    "--files-from",
    "--help",
    "--recursive",
    "--reference",
    "--selector",
    "--target-directory",
    "--version",
    "-D",
    "-t",
];

/// Commands of systemctl that want a unit, and those that take none.
const UNITS: [&str; 8] =
    ["disable", "enable", "is-active", "mask", "reload", "restart", "start", "unmask"];
const NONE: [&str; 2] = ["daemon-reexec", "daemon-reload"];

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for shell in unit.everywhere() {
        for command in &shell.script.commands {
            let own = command.program().is_some_and(|name| shell.script.functions.contains(name));
            if let Some(message) = counted(command).filter(|_| !own) {
                let line = command.line + shell.offset;
                findings.push(error(FILES, message).at(shell.file.as_deref(), line));
            }
        }
    }
}

fn counted(command: &Command) -> Option<String> {
    let argv = command.argv();
    if let ["systemctl", rest @ ..] = argv.as_slice() {
        return units(rest);
    }
    // Another program adds words, or this only asks whether the program is there.
    let carried = |word: &Word| ["command", "parallel", "xargs"].contains(&word.text.as_str());
    if command.words.iter().any(carried) {
        return None;
    }
    let (path, words) = operands(command, |path| {
        COMMANDS.iter().find(|(name, ..)| *name == path).map(|(.., valued)| *valued)
    })?;
    let (_, least, most, _) = COMMANDS.iter().find(|(name, ..)| *name == path)?;
    let spelled =
        |word: &str, option: &str| word == option || word.starts_with(&format!("{option}="));
    let other = argv.iter().any(|word| {
        OTHERWISE.iter().any(|option| {
            spelled(word, option) && !(*option == "-t" && path.starts_with("docker "))
        })
    });
    let count = words.len();
    if other || (*least..=*most).contains(&count) {
        return None;
    }
    let wanted = match (*least, *most) {
        (0, 0) => "no operand".to_owned(),
        (1, MANY) => "at least one operand".to_owned(),
        (1, 1) => "one operand".to_owned(),
        (least, MANY) => format!("at least {least} operands"),
        (least, most) if least == most => format!("{least} operands"),
        (least, most) => format!("{least} to {most} operands"),
    };
    let got =
        if words.is_empty() { "none".to_owned() } else { format!("`{}`", words.join("`, `")) };
    Some(format!("`{path}` takes {wanted}, but here it gets {got}."))
}

/// A command of systemctl without the unit that it wants, or with one that it does not take.
fn units(rest: &[&str]) -> Option<String> {
    let mut words = rest.iter().filter(|word| !word.starts_with('-'));
    let verb = words.next()?;
    let none = words.next().is_none();
    let options =
        rest.iter().any(|word| word.starts_with('-') && !["--now", "-q", "--quiet"].contains(word));
    if UNITS.contains(verb) && none && !options {
        return Some(format!("`systemctl {verb}` names no unit."));
    }
    (NONE.contains(verb) && !none && !options)
        .then(|| format!("`systemctl {verb}` takes no unit: it applies to all of them."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Vec<String> {
        crate::bash::read(text).commands.iter().filter_map(counted).collect()
    }

    #[test]
    fn a_command_gets_as_many_operands_as_it_takes() {
        for text in [
            "git clone --depth 1 --tag v1 https://a b",
            "docker build -t a:1",
            "docker tag a:1",
            "helm upgrade --install shop",
            "terraform plan -input false -out=a",
            "useradd --system --shell /bin/sh shop extra",
            "chmod 0644",
            "aws s3 sync dist",
            "systemctl enable --now",
            "systemctl daemon-reload nginx",
            "kubectl apply app.yaml",
        ] {
            assert_eq!(said(text).len(), 1, "{text}: {:?}", said(text));
        }
        for text in [
            "git clone -q -b v1 --depth 1 https://a b",
            "docker build -qt a:1 -f D .",
            "docker build $context",
            "docker tag a:1 \"$b\"",
            "helm upgrade --install shop ./chart -n a --set a=b",
            "terraform plan -input=false -out a -var b=c",
            "useradd -rm -s /bin/sh \"$user\"",
            "chmod --reference=a b",
            "chmod -x a",
            "kubectl apply -f {{ a }}",
            "case $1 in\n  install|mv) a ;;\nesac",
            "chmod u+x *.sh",
            "find . -type f -exec chmod 0644 {} +",
            "ls | xargs chmod 0644",
            "command -v ansible-playbook",
            "cp a \"${b[@]}\"",
            "cp -t b a",
            "mv {a,b}",
            "kubectl apply -f a --server-side",
            "systemctl daemon-reload",
            "systemctl restart \"${units[@]}\"",
            "systemctl --user enable --now a",
            "kubectl -n a rollout status deployment/b --timeout=1m",
        ] {
            assert_eq!(said(text), [""; 0], "{text}");
        }
    }
}
