//! Finds subcommands that a program does not have.

use super::options::subcommands;
use super::spelling::nearest;
use super::{FILES, error};
use crate::Unit;
use crate::bash::operand;
use domain::gate::Finding;

/// Programs, and groups of their subcommands, with what may follow, and whether other words may be there: plugins,
/// abbreviations, or values of options.
const VERBS: [(&str, bool, &str); 41] = [
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
    ("ansible-galaxy collection", false, "build download init install list publish verify"),
    ("ansible-galaxy role", false, "delete import info init install list remove search setup"),
    ("aws s3", false, "cp ls mb mv presign rb rm sync website"),
    (
        "certbot",
        true,
        "certificates certonly delete enhance install plugins reconfigure register renew revoke rollback run show_account unregister update_account update_symlinks",
    ),
    (
        "docker buildx",
        true,
        "b bake build create dial-stdio du history imagetools inspect ls prune rm stop use version",
    ),
    (
        "docker container",
        false,
        "attach commit cp create diff exec export inspect kill list logs ls pause port prune ps rename restart rm remove run start stats stop top unpause update wait",
    ),
    ("docker context", false, "create export import inspect list ls rm remove show update use"),
    (
        "docker image",
        false,
        "build history import inspect list load ls prune pull push remove rm save tag",
    ),
    ("docker network", false, "connect create disconnect inspect list ls prune remove rm"),
    ("docker secret", false, "create inspect list ls remove rm"),
    ("docker stack", false, "config deploy down list ls ps remove rm services up"),
    ("docker system", false, "df dial-stdio events info prune"),
    ("docker volume", false, "create inspect list ls prune remove rm update"),
    (
        "git remote",
        false,
        "add get-url prune remove rename rm set-branches set-head set-url show update",
    ),
    ("helm dependency", false, "build list ls up update"),
    ("helm repo", false, "add index list ls remove rm up update"),
    ("kubectl auth", false, "can-i reconcile whoami"),
    (
        "kubectl config",
        false,
        "current-context delete-cluster delete-context delete-user get-clusters get-contexts get-users rename-context set set-cluster set-context set-credentials unset use use-context view",
    ),
    (
        "kubectl create",
        true,
        "clusterrole clusterrolebinding configmap cronjob deployment ingress job namespace poddisruptionbudget priorityclass quota role rolebinding secret service serviceaccount token",
    ),
    ("kubectl create secret", false, "docker-registry generic tls"),
    ("kubectl create service", false, "clusterip externalname loadbalancer nodeport"),
    ("kubectl rollout", false, "history pause restart resume status undo"),
    ("kubectl set", false, "env image resources sa selector serviceaccount subject"),
    ("kubectl top", false, "no node nodes po pod pods"),
    (
        "systemd-analyze",
        true,
        "architectures blame calendar capability cat-config condition critical-chain dot dump exit-status fdstore filesystems image-policy inspect-elf malloc plot security smbios11 srk syscall-filter time timespan timestamp unit-files unit-paths unit-shell verify",
    ),
    ("terraform state", false, "identities list mv pull push replace-provider rm show"),
    ("terraform workspace", false, "delete list new select show"),
    (
        "ufw",
        false,
        "allow app default delete deny disable enable help insert limit logging prepend reject reload reset route show status version",
    ),
    ("amtool", false, "alert check-config cluster config help silence template"),
    (
        "git",
        true,
        "add am annotate apply archive bisect blame branch bundle cat-file check-ignore checkout cherry cherry-pick clean clone commit config describe diff diff-index fetch for-each-ref format-patch fsck gc grep hash-object init lfs log ls-files ls-remote ls-tree maintenance merge merge-base mv notes pull push range-diff rebase reflog remote reset restore rev-list rev-parse revert rm shortlog show show-ref sparse-checkout stash status submodule subtree switch symbolic-ref tag update-index update-ref version worktree",
    ),
    (
        "npm",
        true,
        "access adduser audit bugs cache ci clean-install completion config cit dedupe deprecate diff dist-tag docs doctor edit exec explain explore find-dupes fund get help hook i init install install-ci-test install-clean install-test it link list login logout ls org outdated owner pack ping pkg prefix profile prune publish query rebuild repo restart root run run-script sbom search set shrinkwrap star start stop t team test tst token undeprecate uninstall unpublish unstar up update version view whoami x",
    ),
    ("promtool", false, "check debug promql push query test tsdb"),
    ("promtool check", false, "config healthy metrics ready rules service-discovery web-config"),
];

/// The operations of common services of AWS, from the service models of botocore 1.35.99 and the commands that awscli adds.
const OPERATIONS: &str = include_str!("operations.txt");

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
    let (program, mut rest) = argv.split_first()?;
    let mut name = (*program).to_owned();
    let mut verb = first(program, rest)?;
    // A group of subcommands, and the group within it.
    while let Some(at) = rest.iter().position(|word| *word == verb) {
        let deeper = format!("{name} {verb}");
        if below(&deeper).is_none() {
            break;
        }
        rest = &rest[at + 1..];
        verb = first(program, rest)?;
        name = deeper;
    }
    let (plugins, known) = below(&name)?;
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

/// What may follow a program or a group of its subcommands, and whether that is not all.
fn below(name: &str) -> Option<(bool, Vec<&'static str>)> {
    if let Some((_, open, verbs)) = VERBS.iter().find(|(group, ..)| *group == name) {
        return Some((*open, verbs.split(' ').collect()));
    }
    if let Some(service) = name.strip_prefix("aws ") {
        let of = |line: &'static str| line.strip_prefix(service)?.strip_prefix(": ");
        return OPERATIONS.lines().find_map(of).map(|known| (false, known.split(' ').collect()));
    }
    // The table of options has all subcommands of this program.
    let known = if name.starts_with("hcloud") { subcommands(name) } else { Vec::new() };
    (!known.is_empty()).then_some((true, known))
}

/// A program's first operand.
fn first<'a>(program: &str, rest: &[&'a str]) -> Option<&'a str> {
    let valued: &[&str] = match program {
        "apt-get" => &["-c", "-o", "-t"],
        "terraform" => &[],
        "aws" => &["--endpoint-url", "--output", "--profile", "--query", "--region"],
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
            "kubectl -n a rollout wait deployment/b",
            "kubectl create secret general a",
            "docker volume mk a",
            "docker network made a",
            "aws s3 copy a b",
            "terraform state remove a",
            "hcloud server creat --name a",
            "ufw open 80/tcp",
            "promtool check cfg a.yml",
            "promtool validate config a.yml",
            "npm clean-instal",
            "git comit -m a",
            "aws s3api put-bucket-public-access-block --bucket a",
            "aws --region eu-west-1 iam new-role --role-name a",
            "aws ecs restart-service --service a",
            "aws ec2 list-instances",
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
            "kubectl rollout status deployment/b",
            "kubectl create ns a",
            "aws ecs wait services-stable --services a",
            "aws ecr get-login-password --region eu-west-1",
            "aws eks update-kubeconfig --name a",
            "aws cloudformation deploy --stack-name a",
            "aws cloudformation package --template-file a",
            "aws logs tail a --since 1h",
            "aws ssm start-session --target a",
            "aws rds generate-db-auth-token --hostname a",
            "aws configure set region eu-west-1",
            "aws codeartifact login --tool npm",
            "aws ec2-instance-connect ssh --instance-id a",
            "aws deploy push --application-name a",
            "aws emr create-cluster --name a",
            "aws ecs execute-command --cluster a",
            "aws eks get-token --cluster-name a",
            "aws iot describe-endpoint",
            "aws dynamodb wizard a",
            "aws sso login",
            "kubectl create -f a.yaml",
            "kubectl set image deployment/a a=b",
            "docker network",
            "ufw --force enable",
            "git -C a status",
            "git own-alias",
            "npm run build",
            "certbot --nginx -d a.example",
            "hcloud server create --name a",
        ] {
            assert!(!said(text), "{text}");
        }
    }
}
