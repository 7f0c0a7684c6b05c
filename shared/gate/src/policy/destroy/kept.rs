//! Finds folders in which a script or its services keep data, by what the script itself says about them, and commands and
//! tasks that delete such a folder or everything in it.

use super::names_a_copy;
use super::places::is_root;
use crate::bash::{Script, base, operand};
use crate::files::known;
use crate::places::is_yaml;
use crate::yaml::{self, Node};
use crate::{Unit, Written};

/// Settings of units whose folders hold what a service keeps, and the folder in which systemd makes them.
const FOLDERS: [(&str, &str); 4] = [
    ("StateDirectory=", "/var/lib/"),
    // With a user that exists only while the service runs
    ("StateDirectory=", "/var/lib/private/"),
    ("LogsDirectory=", "/var/log/"),
    ("ReadWritePaths=", ""),
];

/// Signs before a folder of data in settings and options of all kinds of services.
const SIGNS: [&str; 14] = [
    "--data-dir=",
    "--data-dir ",
    "--data.dir=",
    "--dbpath ",
    "--home-dir ",
    "--home-dir=",
    "--storage.path=",
    "--storage.tsdb.path=",
    "PGDATA=",
    "data_dir = ",
    "data_directory = ",
    "datadir = ",
    "dbPath: ",
    "path.data: ",
];

/// Folders for data that can be recreated at any time.
const SCRATCH: [&str; 6] = ["/tmp", "/var/tmp", "/run", "/var/cache", "/dev", "/proc"];

/// The folders with data that the texts of a script mention, and the values of Ansible's variables.
pub(super) struct Kept {
    folders: Vec<String>,
    values: Vec<(String, String)>,
}

impl Kept {
    pub(super) fn new(unit: &Unit) -> Self {
        let mut folders: Vec<String> = Vec::new();
        for line in unit.texts().flat_map(str::lines).map(str::trim) {
            for (setting, above) in FOLDERS {
                let names = line.strip_prefix(setting).into_iter().flat_map(str::split_whitespace);
                let names = names.map(|name| name.trim_start_matches(['-', '+', '"']));
                folders.extend(names.map(|name| format!("{above}{name}")));
            }
            for sign in SIGNS {
                let rest = line.split_once(sign).map(|(_, rest)| rest).unwrap_or_default();
                let place = rest.split([' ', ',', ';']).next().unwrap_or_default();
                folders.push(place.trim_matches(['"', '\'', '\\']).to_owned());
            }
        }
        folders.extend(unit.tree.iter().flat_map(mounted));
        folders.retain(|place| {
            let place = place.trim_end_matches('/');
            place.matches('/').count() > 1 && place.starts_with('/') && !place.contains(['$', '{'])
        });
        Self { folders, values: values(unit) }
    }

    /// Whether a place is such a folder, or the folder above it.
    fn holds(&self, place: &str) -> bool {
        let place = place.trim_end_matches('*').trim_end_matches('/');
        let scratch = SCRATCH.iter().any(|above| place.starts_with(above));
        let own = |folder: &String| folder.trim_end_matches('/') == place;
        let known = is_root(place) || is_state(place);
        let copy = names_a_copy(&base(place).to_uppercase());
        !scratch && !copy && place.starts_with('/') && (self.folders.iter().any(own) || known)
    }

    /// What a command deletes of what is kept: a sentence without its end.
    pub(super) fn deleted(&self, argv: &[&str], script: &Script) -> Option<String> {
        match argv {
            ["rm", rest @ ..] => {
                let places = rest.iter().filter(|word| !word.starts_with('-'));
                let mut places = places.map(|word| self.place(word, script));
                let recursive = rest.iter().any(|word| {
                    *word == "--recursive"
                        || (word.starts_with('-')
                            && !word.starts_with("--")
                            && word.contains(['r', 'R']))
                });
                let place = places.find(|place| {
                    let contents = place.ends_with("/*");
                    let archive = is_archive(place.trim_end_matches("/*"));
                    // A part of the folder may have another purpose.
                    let whole =
                        place.starts_with("/var/backups/") && place.matches('/').count() == 3;
                    (recursive || contents) && self.holds(place)
                        || (contents && archive)
                        || (recursive && archive && whole)
                })?;
                Some(format!("`rm` deletes what is kept in {place}"))
            }
            ["find", rest @ ..] => {
                let removes = |word: &&str| ["rm", "/bin/rm", "/usr/bin/rm"].contains(word);
                let executes = rest.iter().any(|word| word.starts_with("-exec"));
                let deletes = rest.contains(&"-delete") || (executes && rest.iter().any(removes));
                let place = self.place(operand(rest, &[])?, script);
                if !deletes || !(self.holds(&place) || is_archive(&place)) {
                    return None;
                }
                self.found(rest, &place)
            }
            _ => None,
        }
    }

    /// What `find` deletes although it should not.
    fn found(&self, rest: &[&str], place: &str) -> Option<String> {
        let age = |word: &str| word.ends_with("time") || word.ends_with("min");
        let newest = rest.windows(2).find(|two| age(two[0]) && two[1].starts_with('-'));
        if let Some(newest) = newest {
            let said = newest.join(" ");
            return Some(format!("`{said}` deletes the newest files in {place}"));
        }
        let limits = |word: &&str| {
            age(word)
                || ["-newer", "!", "-not", "-path", "-size", "-empty"]
                    .iter()
                    .any(|it| word.starts_with(it))
        };
        let named = rest.windows(2).find(|two| two[0].ends_with("name")).map(|two| two[1]);
        let part = named.is_some_and(|name| !name.ends_with('*') && !is_dump(name));
        (!part && !rest.iter().any(limits))
            .then(|| format!("Without an age, `find` deletes every file in {place}"))
    }

    /// A place with the values of the script's variables and of Ansible's.
    fn place(&self, word: &str, script: &Script) -> String {
        let plain = word.replace(":?}", "}").replace(":-}", "}");
        let mut place = known(&plain, script);
        for (name, value) in &self.values {
            if place.contains("{{") {
                place = place.replace(&format!("{{{{ {name} }}}}"), value);
            }
        }
        place
    }

    /// Whether a task deletes such a folder.
    pub(super) fn absent(&self, path: &str) -> bool {
        self.holds(&self.place(path, &Script::default()))
    }
}

/// Folders of `/var/lib` that programs fill again.
const REFILLED: [&str; 6] =
    ["apt", "cloud", "command-not-found", "fwupd", "snapd", "update-notifier"];

/// Names of folders in which an application keeps what its users gave it.
const DATA: [&str; 6] = ["data", "db", "media", "state", "storage", "uploads"];

/// Whether a folder has the data of a program by its place: a folder of `/var/lib`, or one for data of an application.
fn is_state(place: &str) -> bool {
    let program = place.strip_prefix("/var/lib/").filter(|rest| !rest.contains(['/', '$', '{']));
    let above = ["/mnt/", "/opt/", "/srv/", "/var/www/"].iter().any(|it| place.starts_with(it));
    let name = place.rsplit('/').next().unwrap_or(place);
    program.is_some_and(|name| !name.is_empty() && !REFILLED.contains(&name))
        || (above && DATA.contains(&name))
}

/// Whether a folder is for dumps or backups, by its name.
fn is_archive(place: &str) -> bool {
    let scratch = SCRATCH.iter().any(|above| place.starts_with(above));
    let named = ["backup", "dump", "archive", "snapshot"].iter().any(|part| place.contains(part));
    place.starts_with('/') && named && !scratch
}

/// Whether a pattern of names takes every dump or archive.
fn is_dump(pattern: &str) -> bool {
    let ends = [".dump", ".sql", ".gz", ".tar", ".tgz", ".zst", ".xz", ".bak", ".zip"];
    ends.iter().any(|end| pattern.ends_with(end))
}

/// The folders of the host that a service of Compose mounts for its data.
fn mounted(file: &Written) -> Vec<String> {
    if !is_yaml(file) || !file.text.contains("volumes:") {
        return Vec::new();
    }
    let documents = yaml::documents(&file.filled()).unwrap_or_default();
    let nodes = documents.iter().flat_map(Node::all);
    let lists = nodes.filter_map(|node| node.get("volumes")).flat_map(Node::list);
    let pairs = lists.filter_map(|volume| volume.text()?.split_once(':'));
    let kept = pairs.filter(|(_, inside)| !inside.contains(":ro") && !inside.contains(".sock"));
    // A file is mounted under a name with an extension.
    let folders = kept.filter(|(host, _)| {
        let name = host.rsplit('/').next().unwrap_or(host);
        host.starts_with('/') && !name.contains('.')
    });
    folders.map(|(host, _)| host.to_owned()).collect()
}

/// The values of Ansible's variables that are paths.
fn values(unit: &Unit) -> Vec<(String, String)> {
    let files = unit
        .tree
        .iter()
        .filter(|file| is_yaml(file) && file.path.contains("ansible") || is_vars(file));
    let documents = files.filter_map(|file| yaml::documents(&file.filled()).ok()).flatten();
    let mut found = Vec::new();
    for document in documents {
        for entry in document.all().into_iter().flat_map(Node::map) {
            let path = entry.value.text().filter(|text| text.starts_with('/'));
            found.extend(path.map(|path| (entry.key.clone(), path.to_owned())));
        }
    }
    found
}

fn is_vars(file: &Written) -> bool {
    is_yaml(file) && ["vars", "defaults"].iter().any(|part| file.path.contains(part))
}

#[cfg(test)]
mod tests {
    use super::super::examine;

    fn said(text: &str) -> Vec<String> {
        crate::testing::said(examine, text)
    }

    fn tasks(text: &str) -> String {
        format!(
            "mkdir tasks defaults\ncat >defaults/main.yml <<'E'\nnotes_data: /opt/notes/data\nE\ncat >tasks/main.yml <<'E'\n- name: A\n  {text}\nE\n"
        )
    }

    #[test]
    fn what_is_kept_is_not_deleted() {
        let unit = "cat >/etc/systemd/system/a.service <<'E'\n[Service]\nStateDirectory=shop\nReadWritePaths=/opt/shop/uploads\nE\n";
        let compose = "cat >compose.yaml <<'E'\nservices:\n  db:\n    volumes:\n      - /opt/db/data:/var/lib/db\nE\n";
        let noted = "cat >/etc/systemd/system/a.service <<'E'\nExecStart=/bin/a --data-dir=/opt/notes/data\nE\n";
        for text in [
            format!("{unit}rm -rf /var/lib/shop\n"),
            format!("{unit}state=/var/lib/shop\nrm -rf \"${{state:?}}\"/*\n"),
            format!("{unit}find /opt/shop/uploads -mindepth 1 -exec rm -rf {{}} +\n"),
            format!("{compose}rm -r -f /opt/db/data/\n"),
            "folder=/mnt/backups/db\nfind \"$folder\" -name '*.sql.gz' -delete\n".into(),
            "data=/srv/wiki/data\nrm -rf \"$data\"\n".into(),
            "find /var/lib/wiki -mindepth 1 -delete\n".into(),
            "find /mnt/backups/db -type f -mtime -7 -delete\n".into(),
            noted.to_owned()
                + &tasks(
                    "ansible.builtin.file:\n    path: \"{{ notes_data }}\"\n    state: absent",
                ),
        ] {
            assert_eq!(said(&text).len(), 1, "{text}: {:?}", said(&text));
        }
        for text in [
            format!("{unit}rm -rf /var/lib/shop/cache /opt/shop/releases/old\n"),
            format!("{unit}rm -f /opt/shop/uploads/.lock\n"),
            "folder=/mnt/backups/db\nfind \"$folder\" -name '*.sql.gz' -mtime +7 -delete\n".into(),
            "folder=/mnt/backups/db\nfind \"$folder\" -name '*.part' -delete\n".into(),
            "restored=/var/lib/wiki-restore\nrm -rf \"$restored\"\n".into(),
            "find /var/backups/wiki -type d -empty -delete\n".into(),
            "rm -rf /var/lib/cloud /srv/wiki/data/cache\n".into(),
            "folder=$(mktemp -d)\nfind \"$folder\" -type f -delete\nrm -rf \"$folder\"\n".into(),
            noted.to_owned()
                + &tasks(
                    "ansible.builtin.file:\n    path: \"{{ notes_data }}/tmp\"\n    state: absent",
                ),
        ] {
            assert_eq!(said(&text), Vec::<String>::new(), "{text}");
        }
    }
}
