//! Finds units of systemd that lack a part without which they do nothing: the section of their kind, a time, a place to
//! watch or a program, the service that they start, or a folder that systemd reads.

use super::config::kind;
use super::spelling::nearest;
use super::{FILES, error};
use crate::{Unit, Written};
use domain::gate::Finding;

/// Kinds of units, their section, and how the settings begin of which they need one.
const NEEDED: [(&str, &str, &[&str]); 5] = [
    ("mount", "[Mount]", &["What="]),
    ("path", "[Path]", &["DirectoryNotEmpty=", "Path"]),
    ("service", "[Service]", &["Exec", "SuccessAction=", "FailureAction="]),
    ("socket", "[Socket]", &["Listen"]),
    ("timer", "[Timer]", &["On"]),
];

type Mistakes = Vec<(usize, String)>;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    let all: Vec<&Written> = unit.tree.iter().chain(&unit.there).collect();
    for file in unit.written() {
        for (line, message) in parts(file).into_iter().chain(served(file, &all)) {
            findings.push(error(FILES, message).at(Some(&file.path), line));
        }
        if let Some(message) = unread(&file.path) {
            findings.push(error(FILES, message).at(Some(&file.path), 1));
        }
    }
}

/// The section of a unit's kind, and one of the settings without which systemd refuses the unit.
fn parts(file: &Written) -> Mistakes {
    let kind = kind(file);
    // These start a program for a message of D-Bus, and those act on the machine as a whole.
    if file.folder().contains("dbus-1/") || file.text.contains("\nSuccessAction=") {
        return Vec::new();
    }
    let Some((_, section, keys)) = NEEDED.iter().find(|(it, ..)| *it == kind) else {
        return Vec::new();
    };
    let unit = file.text.lines().any(|line| line.trim_start().starts_with('['));
    // A template or a variable may bring the rest.
    let open = ["{%", "{{ ", "\n$", "\n${"].iter().any(|sign| file.text.contains(sign));
    let has = |start: &str| file.text.lines().any(|line| line.trim_start().starts_with(start));
    if !unit || (open && has(section)) {
        return Vec::new();
    }
    if !has(section) {
        return vec![(1, format!("A unit of this kind needs a section `{section}`."))];
    }
    let whole = keys.iter().any(|key| has(key));
    let at = file.text.lines().position(|line| line.trim() == *section).unwrap_or_default();
    let keys: Vec<String> =
        keys.iter().map(|key| format!("`{}…=`", key.trim_end_matches('='))).collect();
    let message = format!("This section needs a setting {}.", keys.join(" or "));
    (!whole).then_some((at + 1, message)).into_iter().collect()
}

/// The service of a socket or of a path, where the script writes others and that one is not among them.
fn served(file: &Written, all: &[&Written]) -> Mistakes {
    let Some((own, kind)) = file.name().rsplit_once('.') else { return Vec::new() };
    let key = match kind {
        "path" => "Unit=",
        "socket" => "Service=",
        _ => return Vec::new(),
    };
    let lines = || file.text.lines().enumerate();
    let accepts = lines().any(|(_, line)| matches!(line.trim(), "Accept=yes" | "Accept=true"));
    let stated =
        lines().find_map(|(at, line)| Some((at + 1, line.trim().strip_prefix(key)?.to_owned())));
    let named = if accepts { format!("{own}@.service") } else { format!("{own}.service") };
    let (line, name) = stated.unwrap_or((1, named));
    let services: Vec<&str> =
        all.iter().map(|file| file.name()).filter(|name| name.ends_with(".service")).collect();
    let known = services.contains(&name.as_str()) || name.contains(['%', '$', '{']);
    // The unit of a package may have its own socket here.
    if services.is_empty() || known || own.contains('@') || !name.ends_with(".service") {
        return Vec::new();
    }
    let message =
        format!("This unit starts `{name}`, and the script writes `{}`.", services.join("`, `"));
    vec![(line, message)]
}

/// Folders of systemd that have settings of other kinds.
const OTHERS: [&str; 7] =
    ["network", "nspawn", "system", "user", "system-generators", "system-sleep", "system-shutdown"];

/// A unit in a folder that systemd does not read, and a drop-in file of a unit that no package has.
fn unread(path: &str) -> Option<String> {
    let rest = path.strip_prefix("/etc/systemd/")?;
    let kinds = [".mount", ".path", ".service", ".socket", ".timer"];
    let (folder, name) = rest.split_once('/').unwrap_or(("", rest));
    let unit =
        kinds.iter().any(|kind| name.ends_with(kind) || name.contains(&format!("{kind}.d/")));
    let unit = unit || kinds.iter().any(|kind| folder.ends_with(&format!("{kind}.d")));
    if unit && !OTHERS.contains(&folder) {
        return Some("systemd reads units from /etc/systemd/system, not from here.".to_owned());
    }
    let dropped = name.split_once(".service.d/").filter(|_| folder == "system")?.0;
    let known = super::restarts_known::KNOWN;
    let near = nearest(dropped, &known).filter(|_| !known.contains(&dropped))?;
    Some(format!("No package has a unit `{dropped}`, but there is `{near}`."))
}

#[cfg(test)]
mod tests {
    #[test]
    fn units_are_whole() {
        let said = |text: &str| crate::testing::said(super::examine, text).len();
        let write = |path: &str, text: &str| format!("cat >{path} <<'E'\n{text}E\n");
        let service = write("a.service", "[Service]\nExecStart=/bin/a\n");
        for (text, count) in [
            (service.clone(), 0),
            (service.replace("[Service]", "[Unit]"), 1),
            (service.replace("ExecStart=/bin/a", "User=a"), 1),
            (write("a.timer", "[Timer]\nPersistent=true\n"), 1),
            (write("a.timer", "[Timer]\nOnCalendar=daily\n"), 0),
            (write("a.socket", "[Socket]\nAccept=no\n"), 1),
            (write("a.path", "[Path]\nUnit=a.service\n"), 1),
            (write("a.path", "[Path]\nPathExists=/a\n") + &service, 0),
            (write("b.path", "[Path]\nPathExists=/a\n") + &service, 1),
            (write("b.path", "[Path]\nPathExists=/a\nUnit=a.service\n") + &service, 0),
            (write("b.socket", "[Socket]\nListenStream=80\nAccept=yes\n") + &service, 1),
            (write("/etc/systemd/a.service", "[Service]\nExecStart=/bin/a\n"), 1),
            (write("/etc/systemd/system/a.service", "[Service]\nExecStart=/bin/a\n"), 0),
            (write("/etc/systemd/system/redis-servers.service.d/a.conf", "[Service]\n"), 1),
            (write("/etc/systemd/system/redis-server.service.d/a.conf", "[Service]\n"), 0),
            (write("/etc/systemd/journald.conf.d/a.conf", "[Journal]\n"), 0),
        ] {
            assert_eq!(said(&text), count, "{text}");
        }
    }
}
