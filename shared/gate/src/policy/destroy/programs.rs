//! Finds commands with which programs destroy what is there.

use super::places::{self, is_root, is_site, mirrors, removed};
use crate::bash::operand;
use crate::policy::applies::is_set;

/// Programs that only destroy.
const DESTROYERS: [&str; 11] = [
    "blkdiscard",
    "deluser",
    "dropdb",
    "dropuser",
    "lvremove",
    "pg_dropcluster",
    "pvremove",
    "shred",
    "userdel",
    "vgremove",
    "wipefs",
];

/// Programs of providers, and the words with which they delete something.
const CLOUDS: [&str; 9] =
    ["az", "doctl", "flyctl", "gcloud", "hcloud", "heroku", "linode-cli", "oci", "scw"];

/// What a command destroys.
pub(super) fn destroyed(argv: &[&str]) -> Option<String> {
    let (program, rest) = argv.split_first()?;
    let call = Call::new(rest);
    let destroys = match *program {
        "terraform" | "tofu" => call.terraform(),
        "rm" => removed(rest),
        "find" => call.find(),
        "docker" | "podman" => call.docker(),
        "docker-compose" => call.starts("down") && call.has_any(&["-v", "--volumes"]),
        "dd" => rest.iter().any(|word| word.starts_with("of=/dev/") && *word != "of=/dev/null"),
        "pulumi" | "zfs" | "zpool" => call.starts("destroy"),
        "kubectl" | "oc" => call.kubectl(),
        "git" => call.git(),
        "restic" => call.restic(),
        "borg" => call.starts("delete"),
        "crontab" => call.has("-r"),
        "rsync" => mirrors(rest),
        "mysqladmin" => call.names("drop"),
        "parted" => call.names("mklabel") || call.names("mktable"),
        "sgdisk" => call.has_any(&["--zap-all", "-Z", "--clear", "-o"]),
        "mongosh" | "mongo" => call.mongo(),
        "helm" => call.starts("uninstall") || call.starts("delete"),
        "redis-cli" => call.redis(),
        "aws" => call.amazon(),
        "gsutil" => call.starts("rb") || (call.starts("rm") && call.has("-r")),
        "vault" => call.names("delete") || call.names("destroy"),
        name if name.starts_with("mkfs") => true,
        name if CLOUDS.contains(&name) => call.cloud(),
        name => DESTROYERS.contains(&name),
    };
    let whole = argv.iter().take(4).copied().collect::<Vec<_>>().join(" ");
    destroys.then(|| format!("`{whole}` destroys what is there"))
}

/// The words after a program's name.
struct Call<'a> {
    rest: &'a [&'a str],
    /// Those that are not options.
    plain: Vec<&'a str>,
}

impl<'a> Call<'a> {
    fn new(rest: &'a [&'a str]) -> Self {
        let plain = rest.iter().filter(|word| !word.starts_with('-')).copied().collect();
        Self { rest, plain }
    }

    fn has(&self, word: &str) -> bool {
        self.rest.contains(&word)
    }

    fn has_any(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.has(word))
    }

    /// Whether a word is the first one that is not an option.
    fn starts(&self, word: &str) -> bool {
        self.plain.first() == Some(&word)
    }

    /// Whether a word is one of those that are not options.
    fn names(&self, word: &str) -> bool {
        self.plain.contains(&word)
    }

    fn terraform(&self) -> bool {
        let destroys = || self.rest.iter().any(|word| is_set(word, "destroy"));
        match self.plain.first().copied() {
            Some("destroy" | "taint") => true,
            // A plan that is not saved only shows what would go.
            Some("plan") => {
                let is_out = |word: &&str| word.trim_start_matches('-').starts_with("out");
                self.replaces() || (self.rest.iter().any(is_out) && destroys())
            }
            Some("apply") => self.replaces() || destroys(),
            Some("state") => self.plain.get(1) == Some(&"rm"),
            Some("workspace") => self.plain.get(1) == Some(&"delete"),
            _ => false,
        }
    }

    /// Whether an option makes terraform rebuild something that exists.
    fn replaces(&self) -> bool {
        self.rest.iter().any(|word| word.trim_start_matches('-').starts_with("replace="))
    }

    fn find(&self) -> bool {
        if !self.has("-delete") {
            return false;
        }
        let place = self.plain.first().copied();
        let chosen = self.rest.iter().any(|word| {
            *word == "-empty" || ["name", "time", "min"].iter().any(|end| word.ends_with(end))
        });
        // What is younger than some days is what a clean-up keeps.
        let recent = self
            .rest
            .windows(2)
            .any(|two| ["-mtime", "-ctime", "-mmin"].contains(&two[0]) && two[1].starts_with('-'));
        let scratch = place.is_some_and(|place| place.to_lowercase().contains("tmp"));
        let inverted = self.has_any(&["!", "-not"]);
        let whole = |place: &str| {
            let absolute = place.starts_with('/') || place.starts_with("{{");
            !chosen && absolute && !place.starts_with("/tmp")
        };
        (recent && !scratch && !inverted)
            || place.is_some_and(|place| is_root(place) || whole(place))
    }

    fn docker(&self) -> bool {
        let volumes = self.has_any(&["-v", "--volumes"]);
        self.contains_destroyer()
            || match self.plain.as_slice() {
                ["volume", "rm" | "remove" | "prune", ..] => true,
                ["system", "prune", ..] => volumes || self.has_any(&["-a", "--all"]),
                ["compose", words @ ..] => words.contains(&"down") && volumes,
                _ => false,
            }
    }

    /// Whether the command that it runs in a container destroys something.
    fn contains_destroyer(&self) -> bool {
        places::contained(self.rest).is_some_and(|inner| destroyed(inner).is_some())
    }

    fn kubectl(&self) -> bool {
        let valued = ["-n", "--namespace", "--context", "--kubeconfig", "-s", "--server"];
        let verb = operand(self.rest, &valued);
        // The record of a run that has ended
        let run = self.rest.iter().any(|word| *word == "job" || word.starts_with("job/"))
            && !self.has_any(&["--all", "-l"]);
        self.contains_destroyer()
            || (verb == Some("delete") && !run)
            || (verb == Some("replace") && self.has("--force"))
    }

    fn git(&self) -> bool {
        match self.plain.as_slice() {
            ["push", places @ ..] => {
                let forced = |word: &&str| {
                    ["-f", "--force", "--mirror", "--delete", "-d", "--prune"].contains(word)
                        || word.starts_with("--force-with-lease")
                };
                self.rest.iter().any(forced) || places.iter().any(|place| place.starts_with('+'))
            }
            ["clean", ..] => self.rest.iter().any(|word| {
                word.starts_with('-') && !word.starts_with("--") && word.contains(['x', 'X'])
            }),
            _ => false,
        }
    }

    fn restic(&self) -> bool {
        let keeps = self.rest.iter().any(|word| word.starts_with("--keep-"));
        let numbers = self.rest.windows(2).filter(|two| two[0].starts_with("--keep-"));
        let numbers: Vec<Option<u32>> = numbers.map(|two| two[1].parse().ok()).collect();
        // A single snapshot is not the whole history.
        let one =
            numbers == [Some(1)] && !self.rest.iter().any(|word| word.starts_with("--keep-within"));
        // Without a rule for what to keep, restic removes snapshots only with this option.
        let all = self.has("--unsafe-allow-remove-all") && !keeps;
        let into_root = |two: &[&str]| ["--target", "-t"].contains(&two[0]) && two[1] == "/";
        let over = self.rest.windows(2).any(into_root) || self.has("--target=/");
        (self.names("restore") && over) || (self.names("forget") && (one || all))
    }

    fn mongo(&self) -> bool {
        let calls = ["dropDatabase(", ".drop()", "deleteMany({})", ".remove({})", "dropUser("];
        self.rest.iter().any(|word| {
            let word = word.replace(' ', "");
            calls.iter().any(|call| word.contains(call))
        })
    }

    fn redis(&self) -> bool {
        let flushes = |word: &&str| ["flushall", "flushdb"].contains(&word.to_lowercase().as_str());
        self.plain.iter().any(flushes)
    }

    fn amazon(&self) -> bool {
        match self.plain.as_slice() {
            ["s3", "rb", ..] => true,
            ["s3", "rm", ..] => self.has("--recursive"),
            ["s3", "sync", source, ..] => self.has("--delete") && !is_site(source),
            [_, verb, ..] => verb.starts_with("delete-") || verb.starts_with("terminate-"),
            _ => false,
        }
    }

    fn cloud(&self) -> bool {
        let protects = self.plain.iter().any(|word| word.ends_with("enable-protection"));
        let deletes = |word: &&str| ["delete", "destroy", "rm"].contains(word);
        !protects && self.plain.iter().skip(1).any(deletes)
    }
}
