//! Knows folders whose loss destroys a system or its data.

/// Folders whose loss destroys a system, its data or the project.
const ROOTS: [&str; 30] = [
    "",
    "*",
    ".",
    "./*",
    "..",
    "~",
    "$HOME",
    "${HOME}",
    "~/workspace",
    "~/.ssh",
    "ssh",
    "/bin",
    "/boot",
    "/data",
    "/etc",
    "/home",
    "/lib",
    "/mnt",
    "/opt",
    "/root",
    "/srv",
    "/usr",
    "/var",
    "/var/lib",
    "/var/lib/docker",
    "/var/lib/mysql",
    "/var/lib/postgresql",
    "/var/lib/redis",
    "/var/www",
    "/var/www/*",
];

pub(super) fn removed(rest: &[&str]) -> bool {
    let recursive = rest.iter().any(|word| {
        *word == "--recursive"
            || (word.starts_with('-') && !word.starts_with("--") && word.contains(['r', 'R']))
    });
    let places = rest.iter().filter(|word| !word.starts_with('-'));
    let mut places = places.map(|place| place.trim_end_matches("/*").trim_end_matches('/'));
    // The backup of a state goes once it is secured.
    let state =
        rest.iter().any(|word| [".tfstate", ".tfstate*"].iter().any(|end| word.ends_with(end)));
    // All dumps or backups at once.
    let kept = |word: &&&str| {
        let scratch = ["/tmp", "$tmp", "${tmp", "$TMP", "$work"];
        word.contains('*')
            && [".dump", ".sql", ".bak", "backup"].iter().any(|part| word.contains(part))
            && !scratch.iter().any(|place| word.trim_start_matches('"').starts_with(place))
    };
    let all = rest.iter().filter(|word| !word.starts_with('-')).any(|word| kept(&word));
    let backups = rest.iter().any(|word| word.starts_with("/var/backups"));
    let emptied = recursive && rest.iter().any(|word| empties(word));
    state || all || emptied || (recursive && backups) || (recursive && places.any(is_root))
}

/// Names of folders with what a service keeps: removing everything in one of them at once is not a cleanup.
const KEPT: [&str; 13] = [
    "archive",
    "archives",
    "backups",
    "certs",
    "conf.d",
    "dumps",
    "media",
    "releases",
    "sites-available",
    "sites-enabled",
    "snapshots",
    "storage",
    "uploads",
];

/// Whether a pattern means all that such a folder has.
fn empties(word: &str) -> bool {
    let place = word.replace(['"', '\''], "");
    let scratch = ["/tmp", "/var/cache", "$tmp", "${tmp", "$TMP", "$work", "${work"];
    let inner = place.strip_suffix("/*").or_else(|| place.strip_suffix("/*/"));
    let whole = inner.is_none() && place.starts_with('/') && place.matches('/').count() > 1;
    let Some(folder) = inner.or(whole.then(|| place.trim_end_matches('/'))) else {
        return false;
    };
    let name = folder.rsplit('/').next().unwrap_or(folder);
    KEPT.contains(&name) && !scratch.iter().any(|start| place.starts_with(start))
}

/// Whether a line lists all that such a folder has and removes it: without an age, a number or a name.
pub(super) fn piped(line: &str) -> bool {
    let Some((before, after)) = line.split_once("xargs") else { return false };
    let some = [
        "! ", "-atime", "-ctime", "-empty", "-mmin", "-mtime", "-name", "-newer", "-not", "awk",
        "comm", "grep", "head", "sed", "tail",
    ];
    let mut words = before.split([' ', '"', '\'', '/']);
    let kept = words.any(|word| KEPT.contains(&word));
    let lists = ["find ", "ls "].iter().any(|program| before.contains(program));
    let removes = after.contains("rm -r") || after.contains("rm -f -r");
    lists && kept && removes && !some.iter().any(|sign| before.contains(sign))
}

/// Programs that may destroy something where they run in a container.
const INSIDE: [&str; 7] =
    ["dropdb", "dropuser", "mongo", "mongosh", "mysqladmin", "redis-cli", "rm"];

/// The command that runs in a container or a pod.
pub(super) fn contained<'a, 'b>(rest: &'a [&'b str]) -> Option<&'a [&'b str]> {
    let runs = rest.iter().position(|word| ["exec", "run"].contains(word))?;
    let inner = rest.get(runs + 1..)?;
    // A container may have the name of a program.
    let at = inner.iter().position(|word| INSIDE.contains(word)).filter(|at| *at > 0)?;
    inner.get(at..)
}

pub(super) fn is_root(place: &str) -> bool {
    let place = place.trim_end_matches('/');
    let inside = |above: &str| place.strip_prefix(above).is_some_and(|rest| rest.starts_with('/'));
    ROOTS.contains(&place)
        || inside("/var/lib/postgresql")
        || inside("/var/lib/mysql")
        || inside("/var/lib/docker")
        || is_data(place)
}

/// Programs whose folder in `/var/lib` is their data.
const KEEPERS: [&str; 30] = [
    "cassandra",
    "ceph",
    "clickhouse",
    "consul",
    "containerd",
    "elasticsearch",
    "etcd",
    "gitea",
    "grafana",
    "influxdb",
    "jenkins",
    "k0s",
    "kafka",
    "kubelet",
    "ldap",
    "libvirt",
    "loki",
    "lxd",
    "mongo",
    "mongodb",
    "neo4j",
    "nextcloud",
    "nomad",
    "pgsql",
    "prometheus",
    "rabbitmq",
    "rancher",
    "redis",
    "vault",
    "zookeeper",
];

/// Folders of `/etc` whose loss takes keys or a whole system with it.
const SETTINGS: [&str; 8] =
    ["kubernetes", "letsencrypt", "mysql", "postgresql", "rancher", "ssh", "ssl", "wireguard"];

/// Whether a folder has the data of a program, of an account or of a service.
fn is_data(place: &str) -> bool {
    let place = place.trim_end_matches("/*");
    let first =
        |above: &str| place.strip_prefix(above).map(|rest| rest.split('/').next().unwrap_or(rest));
    let whole = |above: &str| {
        place
            .strip_prefix(above)
            .is_some_and(|rest| !rest.is_empty() && !rest.contains(['/', '$', '{']))
    };
    first("/var/lib/").is_some_and(|name| KEEPERS.contains(&name))
        || (whole("/etc/") && first("/etc/").is_some_and(|name| SETTINGS.contains(&name)))
        || whole("/home/")
        || whole("/srv/")
}

/// Whether `rsync` deletes what a folder of the system has besides the copied files.
pub(super) fn mirrors(rest: &[&str]) -> bool {
    let deletes = rest.iter().any(|word| word.starts_with("--delete") || *word == "--del");
    let target = rest.iter().rev().find(|word| !word.starts_with('-')).copied().unwrap_or_default();
    let path = target.split_once(':').map_or(target, |(_, path)| path);
    deletes
        && (path == "/"
            || (path.starts_with('/') && ROOTS.contains(&path.trim_end_matches('/')))
            || path == "/var/www/")
}

/// The folder from which `rsync` deletes what the same scripts keep beside the copied files: releases and uploads.
pub(super) fn swept(argv: &[&str], texts: &str) -> Option<String> {
    let ["rsync", rest @ ..] = argv else { return None };
    let deletes = rest.iter().any(|word| word.starts_with("--delete") || *word == "--del");
    let spared =
        rest.iter().any(|word| ["--exclude", "--filter"].iter().any(|it| word.starts_with(it)));
    let target =
        rest.iter().rev().find(|word| !word.starts_with('-')).filter(|_| deletes && !spared)?;
    let path = target.split_once(':').map_or(*target, |(_, path)| path).trim_end_matches('/');
    let home = path.starts_with('/') && path.matches('/').count() > 1;
    let entered = texts.lines().any(|line| line.trim() == format!("cd {path}"));
    let kept = ["releases", "shared", "uploads"]
        .iter()
        .any(|part| texts.contains(&format!("{path}/{part}")) || (entered && texts.contains(part)));
    (home && kept).then(|| format!("`rsync --delete` removes what else is in {path}"))
}

/// Names of folders with the pages of a site, all of which can be recreated.
const SITES: [&str; 11] =
    ["_site", "build", "dist", "docs", "html", "out", "pages", "public", "site", "static", "www"];

/// Whether a local folder has the pages of a site: what its copy has besides them is old.
pub(super) fn is_site(source: &str) -> bool {
    let name = source.trim_end_matches('/').rsplit('/').next().unwrap_or(source);
    !source.contains("://") && SITES.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_with_data_are_distinguished_from_their_parts() {
        for place in [
            "/var/lib/rancher/k3s",
            "/var/lib/grafana",
            "/etc/letsencrypt",
            "/home/app",
            "/srv/shop",
            "/",
        ] {
            assert!(is_root(place), "{place}");
        }
        for place in [
            "/var/lib/apt/lists",
            "/var/lib/docker-test",
            "/srv/shop/releases/old",
            "/etc/nginx/sites-enabled",
            "/opt/tool",
            "/home/$user",
        ] {
            assert!(!is_root(place), "{place}");
        }
        assert!(removed(&["-f", "infra/terraform.tfstate*"]) && !removed(&["infra/tfplan"]));
        assert!(!removed(&["-f", "infra/terraform.tfstate.backup"]));
        for place in ["releases/*", "/srv/shop/uploads/*", "$root/media/*"] {
            assert!(removed(&["-rf", place]), "{place}");
        }
        assert!(removed(&["-rf", "/srv/shop/releases"]) && !removed(&["-rf", "releases"]));
        assert!(!removed(&["-rf", "/var/cache/apt/archives/*"]));
        assert!(
            piped("ls -1 releases | xargs -r rm -rf")
                && piped("find /srv/a/backups -type d | xargs rm -rf")
        );
        assert!(!piped("ls -1dt releases/* | tail -n +6 | xargs -r rm -rf"));
        assert!(!piped("find releases -mtime +9 | xargs -r rm -rf"));
        let inner = ["compose", "exec", "-T", "db", "dropdb", "shop"];
        assert_eq!(contained(&inner), Some(["dropdb", "shop"].as_slice()));
        assert_eq!(contained(&["compose", "rm", "-f"]), None);
        for place in ["releases/20*", "$work/releases/*", "cache/*", "releases/old/*"] {
            assert!(!removed(&["-rf", place]), "{place}");
        }
        let sweep = ["rsync", "-a", "--delete", "dist/", "server:/srv/shop/"];
        assert!(swept(&sweep, "ls /srv/shop/releases\n").is_some());
        assert!(swept(&sweep, "cd /srv/shop\nls uploads\n").is_some());
        assert!(swept(&sweep, "ls /srv/other/releases\n").is_none());
        assert!(mirrors(&["-a", "--delete", "src/", "server:/opt/"]));
        assert!(!mirrors(&["-a", "--delete", "dist/", "server:/srv/shop/releases/1/"]));
        assert!(is_site("./dist/") && !is_site("/var/backups") && !is_site("s3://a/site"));
    }
}
