//! Finds settings and commands that keep less than before: retention of nothing, protections that are turned off, and
//! commands that prune, overwrite or reset what others keep.

use crate::check::{Task, error, task_documents, tasks};
use crate::hcl::{self, attribute};
use crate::yaml::Node;
use crate::{POLICY, Unit, Written};
use domain::gate::Finding;
use hcl_edit::structure::Body;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    let (files, _) = hcl::parse(&unit.files);
    for parsed in &files {
        for (line, block) in parsed.blocks() {
            let mut found = Vec::new();
            unguarded(&block.body, &mut found);
            for (key, what) in found {
                let lines = parsed.file.text.lines().enumerate().skip(line.saturating_sub(1));
                let at = lines.into_iter().find(|(_, text)| text.trim_start().starts_with(&key));
                let at = at.map_or(line, |(at, _)| at + 1);
                findings.push(super::destructive(&what).at(Some(&parsed.file.path), at));
            }
        }
    }
    for file in unit.written() {
        for (line, what) in settings(file) {
            findings.push(super::destructive(&what).at(Some(&file.path), line));
        }
        for task in tasks(&task_documents(file).unwrap_or_default(), file) {
            if let Some(what) = removed(&task) {
                let line = task.node.line;
                findings.push(
                    error(
                        POLICY,
                        format!("{what}, and this step is not meant to destroy anything."),
                    )
                    .at(Some(&file.path), line),
                );
            }
        }
    }
}

/// Arguments of Terraform and the values with which nothing keeps the data.
const GUARDS: [(&str, &str); 14] = [
    ("backup_retention_period", "0"),
    ("delete_automated_backups", "true"),
    ("delete_protection", "false"),
    ("deletion_protection", "false"),
    ("deletion_protection_enabled", "false"),
    ("force_delete", "true"),
    ("force_destroy", "true"),
    ("permanently_delete_on_destroy", "true"),
    ("prevent_deletion_if_contains_resources", "false"),
    ("prevent_destroy", "false"),
    ("purge_soft_delete_on_destroy", "true"),
    ("rebuild_protection", "false"),
    ("recovery_window_in_days", "0"),
    ("skip_final_snapshot", "true"),
];

fn unguarded(body: &Body, found: &mut Vec<(String, String)>) {
    for (key, open) in GUARDS {
        if attribute(body, key).is_some_and(|value| value == open) {
            found.push((
                key.to_owned(),
                format!("`{key} = {open}` deletes the data with the resource"),
            ));
        }
    }
    for block in body.blocks() {
        unguarded(&block.body, found);
        let name = block.ident.as_str();
        let off = attribute(&block.body, "enabled").as_deref() == Some("false");
        if name == "point_in_time_recovery" && off {
            found.push((name.to_owned(), "Without this, lost data cannot be restored".to_owned()));
        }
    }
}

/// Settings of files of the system that keep nothing.
fn settings(file: &Written) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let logs = file.path.contains("logrotate");
    let cleaned = file.path.contains("tmpfiles.d");
    for (at, line) in file.text.lines().enumerate() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let what = match words.as_slice() {
            ["rotate" | "maxage", "0", ..] if logs => {
                Some(format!("`{}` keeps no old logs", line.trim()))
            }
            ["D" | "D!" | "R" | "R!", place, ..] if cleaned => {
                let data = ["/var/lib/", "/srv/", "/home/", "/var/backups"]
                    .iter()
                    .any(|it| place.starts_with(it));
                data.then(|| format!("This empties {place} at each start"))
            }
            _ => None,
        };
        let policy = line.trim();
        let kept =
            ["persistentVolumeReclaimPolicy: Delete", "whenDeleted: Delete", "whenScaled: Delete"];
        let what = what.or_else(|| {
            kept.contains(&policy)
                .then(|| format!("With `{policy}`, the data is deleted with its pod or claim"))
        });
        let what = what.or_else(|| {
            let none = ["retention.time=0", "retention.time=1s", "retention.time=1m"];
            let none = none.iter().any(|sign| line.contains(sign));
            none.then(|| "This keeps no metrics".to_owned())
        });
        found.extend(what.map(|what| (at + 1, what)));
    }
    found
}

/// What a task removes.
fn removed(task: &Task) -> Option<String> {
    let (module, given) = task.module()?;
    let text = |key: &str| given.get(key).and_then(Node::text);
    let absent = text("state") == Some("absent");
    let yes = |key: &str| ["true", "yes"].map(Some).contains(&text(key));
    let short = module.rsplit('.').next()?;
    let kind = || {
        text("kind").is_some_and(|kind| {
            ["Namespace", "PersistentVolumeClaim", "StatefulSet"].contains(&kind)
        })
    };
    let destroys = match short {
        "parted" => absent || (yes("force") && text("label").is_some()),
        "docker_prune" => yes("volumes"),
        "k8s" => absent && kind(),
        "helm" => absent || text("release_state") == Some("absent"),
        "mongodb_user" | "influxdb_database" | "ec2_vol" | "hcloud_server" | "hcloud_volume"
        | "elasticache" => absent,
        _ => false,
    };
    destroys.then(|| format!("This task of `{short}` destroys what is there"))
}

/// Programs, and the words after them with which they keep less. All words of a text must be there.
const LESS: [(&str, &str); 51] = [
    ("argocd", "app delete"),
    ("argocd", "sync --prune --force"),
    ("aws", "kms schedule-key-deletion"),
    ("aws", "ecr batch-delete-image"),
    ("aws", "modify-db-instance --no-deletion-protection"),
    ("aws", "--backup-retention-period 0"),
    ("aws", "--backup-retention-period=0"),
    ("aws", "put-bucket-versioning Status=Suspended"),
    ("aws", "sqs purge-queue"),
    ("aws", "s3 sync --delete"),
    ("az", "delete-batch"),
    ("az", "storage account blob-service-properties update --enable-versioning false"),
    ("az", "storage account blob-service-properties update --enable-versioning=false"),
    ("az", "storage account blob-service-properties update --enable-delete-retention false"),
    ("az", "storage account blob-service-properties update --enable-delete-retention=false"),
    ("borg", "prune --keep-last 1"),
    ("borg", "prune --keep-last=1"),
    ("btrfs", "subvolume delete"),
    ("certbot", "delete"),
    ("docker", "compose --renew-anon-volumes"),
    ("docker", "compose rm -fsv"),
    ("docker", "compose up -V"),
    ("docker", "rm -fv"),
    ("docker", "rm -v"),
    ("doctl", "droplet-action rebuild"),
    ("flux", "delete"),
    ("gcloud", "--no-deletion-protection"),
    ("gh", "repo delete"),
    ("gh", "release delete"),
    ("git", "branch -D main"),
    ("git", "branch -D master"),
    ("gsutil", "rsync -d"),
    ("hcloud", "server rebuild"),
    ("helm", "upgrade --force"),
    ("journalctl", "--vacuum-time=1s"),
    ("journalctl", "--vacuum-time=0"),
    ("kubectl", "apply --prune"),
    ("kubectl", "drain --delete-emptydir-data --force"),
    ("lvreduce", ""),
    ("mdadm", "--zero-superblock"),
    ("pg_resetwal", ""),
    ("pg_restore", "--clean"),
    ("pm2", "delete all"),
    ("rabbitmqctl", "purge_queue"),
    ("restic", "forget latest"),
    ("terraform", "state push -force"),
    ("terraform", "force-unlock"),
    ("tofu", "state push -force"),
    ("virsh", "undefine --remove-all-storage"),
    ("virsh", "destroy"),
    ("zfs", "rollback -r"),
];

/// Parts of paths with what cannot be recreated.
const DATA: [&str; 4] = ["/var/lib/", "/srv/", "/var/log/audit", "/var/backups/"];

/// What a command keeps less of.
pub(super) fn command(argv: &[&str]) -> Option<String> {
    let (program, rest) = argv.split_first()?;
    let dry = ["--dry-run", "--dry-run=client", "--dry-run=server", "--dryrun", "-n"];
    if rest.iter().any(|word| dry.contains(word)) && *program != "kubectl" {
        return None;
    }
    let shown = argv.iter().take(4).copied().collect::<Vec<_>>().join(" ");
    let told = || format!("`{shown}` destroys what is there");
    let has = |word: &&str| rest.contains(word);
    // `enable-protection web1 delete rebuild` forbids both.
    let shows = rest
        .iter()
        .any(|word| word.starts_with("--dry-run") || word.ends_with("enable-protection"));
    let table = LESS.iter().any(|(name, words)| {
        let mut words = words.split_whitespace();
        name == program && words.all(|word| has(&word)) && !shows
    });
    let copy = rest
        .iter()
        .any(|word| super::names_a_copy(&word.rsplit('=').next().unwrap_or(word).to_uppercase()));
    if table && !(*program == "pg_restore" && copy) && !site(program, rest) {
        return Some(told());
    }
    match *program {
        "restic" | "borg" => keeps_nothing(rest).then(told),
        "truncate" | "cp" => empties(program, rest).then(told),
        "curl" => deletes(rest).then(|| "This `DELETE` destroys what is there".to_owned()),
        "redis-cli" => rest.iter().any(|word| word.eq_ignore_ascii_case("NOSAVE")).then(told),
        "rclone" => overwrites(rest).then(told),
        "chmod" | "chown" => {
            root(rest).map(|root| format!("`{program} -R` on {root} breaks the system"))
        }
        _ => None,
    }
}

/// Whether each number of a rule for what to keep is zero: what is not kept is removed.
fn keeps_nothing(rest: &[&str]) -> bool {
    let kept = |word: &str| word.starts_with("--keep-");
    let apart = rest.windows(2).filter(|two| kept(two[0]) && !two[0].contains('='));
    let joined = rest.iter().filter(|word| kept(word)).filter_map(|word| word.split_once('='));
    let mut numbers = apart.map(|two| two[1]).chain(joined.map(|(_, number)| number)).peekable();
    numbers.peek().is_some() && numbers.all(|number| number == "0")
}

/// Whether a file with data becomes an empty one.
fn empties(program: &str, rest: &[&str]) -> bool {
    let has = |word: &str| rest.contains(&word);
    let zero = match program {
        "truncate" => has("0") || has("-s0") || has("--size=0"),
        _ => has("/dev/null"),
    };
    let data = |place: &str| {
        DATA.iter().any(|folder| place.starts_with(folder)) && !place.ends_with(".log")
    };
    zero && rest.last().is_some_and(|place| data(place))
}

/// Whether a call sends `DELETE`.
fn deletes(rest: &[&str]) -> bool {
    let apart = |two: &[&str]| ["-X", "--request"].contains(&two[0]) && two[1] == "DELETE";
    rest.windows(2).any(apart) || rest.contains(&"-XDELETE") || rest.contains(&"--request=DELETE")
}

/// Whether `rclone sync` copies from elsewhere to a folder, from which it removes all else.
fn overwrites(rest: &[&str]) -> bool {
    let mut plain = rest.iter().filter(|word| !word.starts_with('-')).skip(1);
    let (Some(source), Some(target)) = (plain.next(), plain.next()) else { return false };
    let remote = source.contains(':') && !source.starts_with('/');
    rest.contains(&"sync") && remote && target.starts_with('/')
}

/// The folder of the system of which everything gets other rights.
fn root<'a>(rest: &[&'a str]) -> Option<&'a str> {
    let roots = ["/", "/etc", "/usr", "/var", "/home", "/bin", "/lib", "/boot", "/root"];
    let deep = rest.iter().any(|word| {
        *word == "--recursive"
            || (word.starts_with('-') && !word.starts_with("--") && word.contains('R'))
    });
    let bare = |word: &'a str| if word.len() > 1 { word.trim_end_matches('/') } else { word };
    rest.iter().copied().filter(|_| deep).find(|word| roots.contains(&bare(word)))
}

/// Whether a copy with `--delete` is one of a folder of pages, all of which can be recreated.
fn site(program: &str, rest: &[&str]) -> bool {
    let sources = || {
        rest.iter().filter(|word| !word.starts_with('-')).skip(if program == "aws" { 2 } else { 1 })
    };
    ["aws", "gsutil"].contains(&program)
        && rest.contains(&if program == "aws" { "sync" } else { "rsync" })
        && sources().next().is_some_and(|source| super::places::is_site(source))
}

#[cfg(test)]
mod tests {
    use super::super::examine;

    fn said(text: &str) -> usize {
        crate::testing::said(examine, text).len()
    }

    #[test]
    fn nothing_keeps_less_than_before() {
        let terraform =
            |text: &str| format!("cat >a.tf <<'E'\nresource \"a\" \"b\" {{\n{text}\n}}\nE\n");
        for text in [
            "kubectl apply -f a.yaml --prune --all",
            "aws rds modify-db-instance --db-instance-identifier a --backup-retention-period 0",
            "restic forget --keep-daily 0 --prune",
            "borg prune --keep-daily=0 --keep-weekly=0 /srv/borg",
            "gh repo delete a/b --yes",
            "curl -fsS -X DELETE https://es.example.org:9200/orders",
            "chown -R www-data /",
            "redis-cli shutdown nosave",
            "cp /dev/null /var/lib/shop/orders.db",
            "rclone sync remote:backups /var/backups/shop",
        ] {
            assert_eq!(said(text), 1, "{text}");
        }
        for text in [
            "kubectl apply -f a.yaml --prune --all --dry-run=server",
            "restic forget --keep-daily 7 --prune",
            "aws s3 sync dist s3://a --delete",
            "curl -fsS -X POST https://a.example.org",
            "chown -R app /srv/app",
            "rclone sync /var/backups/shop remote:backups",
            "pg_restore --clean --dbname=shop_test a.dump",
        ] {
            assert_eq!(said(text), 0, "{text}");
        }
        for text in [
            "  recovery_window_in_days = 0",
            "  lifecycle {\n    prevent_destroy = false\n  }",
            "  point_in_time_recovery {\n    enabled = false\n  }",
        ] {
            assert_eq!(said(&terraform(text)), 1, "{text}");
        }
        assert_eq!(said(&terraform("  recovery_window_in_days = 7")), 0);
    }

    #[test]
    fn files_keep_what_they_kept() {
        let logs = "cat >/etc/logrotate.d/a <<'E'\n/var/log/a {\n    rotate COUNT\n}\nE\n";
        assert_eq!((said(&logs.replace("COUNT", "0")), said(&logs.replace("COUNT", "14"))), (1, 0));
        let volume = "cat >a.yaml <<'E'\nkind: PersistentVolume\nspec:\n  persistentVolumeReclaimPolicy: POLICY\nE\n";
        assert_eq!(
            (said(&volume.replace("POLICY", "Delete")), said(&volume.replace("POLICY", "Retain"))),
            (1, 0)
        );
    }
}
