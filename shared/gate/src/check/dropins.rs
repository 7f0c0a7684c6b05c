//! Finds files in folders whose programs ignore names of another form: a setting there would have no effect, and no
//! program would say so.

use super::{FILES, error, task_documents, tasks};
use crate::Unit;
use domain::gate::Finding;

/// Folders, and the ends that a file's name must have there.
const ENDS: [(&str, &[&str]); 17] = [
    ("/apt/apt.conf.d", &[".conf", ""]),
    ("/apt/sources.list.d", &[".list", ".sources"]),
    ("/fail2ban/jail.d", &[".conf", ".local"]),
    ("/limits.d", &[".conf"]),
    ("/modprobe.d", &[".conf"]),
    ("/modules-load.d", &[".conf"]),
    ("/mysql/conf.d", &[".cnf"]),
    ("/mysql/mariadb.conf.d", &[".cnf"]),
    ("/mysql/mysql.conf.d", &[".cnf"]),
    ("/netplan", &[".yaml"]),
    ("/nginx/conf.d", &[".conf"]),
    ("/postgresql/*/main/conf.d", &[".conf"]),
    ("/profile.d", &[".sh", ".csh"]),
    ("/rsyslog.d", &[".conf"]),
    ("/sshd_config.d", &[".conf"]),
    ("/sysctl.d", &[".conf"]),
    // Of a program that is not known here.
    ("/conf.d", &[".conf", ".cnf", ".ini", ".yaml", ".yml", ".json"]),
];
/// Folders whose programs ignore names with a dot.
const DOTLESS: [&str; 6] = [
    "/etc/cron.d",
    "/etc/cron.daily",
    "/etc/cron.hourly",
    "/etc/cron.monthly",
    "/etc/cron.weekly",
    "/etc/sudoers.d",
];

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for file in unit.written() {
        if let Some(message) = ignored(&file.path) {
            findings.push(error(FILES, message).at(Some(&file.path), 1));
        }
        for task in tasks(&task_documents(file).unwrap_or_default(), file) {
            let Some((module, given)) = task.module() else { continue };
            let writes = ["copy", "template", "assemble", "get_url"].contains(&module);
            let Some(place) = given.get("dest").filter(|_| writes) else { continue };
            if let Some(message) = place.text().and_then(ignored) {
                findings.push(error(FILES, message).at(Some(&file.path), place.line));
            }
        }
    }
}

fn ignored(path: &str) -> Option<String> {
    let (folder, name) = path.rsplit_once('/')?;
    let open = |text: &str| text.contains(['$', '{', '}', '*', '<']);
    // Programs pass over what describes the folder, as its author means it.
    if name.is_empty() || open(name) || name.starts_with("README") {
        return None;
    }
    if DOTLESS.contains(&folder) {
        let wrong = name.contains('.') || name.ends_with('~');
        return wrong.then(|| format!("Files in {folder} with a dot in their names are ignored."));
    }
    let under = |place: &str| match place.split_once('*') {
        Some((before, after)) => {
            folder.strip_suffix(after).is_some_and(|rest| open(rest) || rest.contains(before))
        }
        None => folder.ends_with(place) && (folder.starts_with("/etc") || open(folder)),
    };
    // Gentoo and Alpine keep settings of services in the first, under any name, and amavis reads every file.
    let other = ["/etc/conf.d", "/etc/amavis/conf.d"].contains(&folder);
    let (_, ends) = ENDS.iter().find(|(place, _)| !other && under(place))?;
    let fits = ends
        .iter()
        .any(|end| if end.is_empty() { !name.contains('.') } else { name.ends_with(end) });
    (!fits).then(|| format!("Only files that end in `{}` are read in {folder}.", ends[0]))
}

#[cfg(test)]
mod tests {
    use super::ignored;

    #[test]
    fn a_name_that_a_folder_passes_over_is_found() {
        for path in [
            "/etc/sysctl.d/70-forward",
            "/etc/cron.d/backup.sh",
            "/etc/sudoers.d/deploy.conf",
            "/etc/ssh/sshd_config.d/hardening.cfg",
            "/etc/apt/sources.list.d/docker",
            "{{ pg_conf }}/postgresql/16/main/conf.d/10-local",
            "/etc/nginx/conf.d/site",
        ] {
            assert!(ignored(path).is_some(), "{path}");
        }
        for path in [
            "/etc/sysctl.d/70-forward.conf",
            "/etc/cron.d/backup",
            "/etc/sudoers.d/{{ user }}",
            "/etc/apt/apt.conf.d/20auto-upgrades",
            "/etc/fail2ban/jail.d/sshd.local",
            "nginx/conf.d/site.tpl",
            "/etc/nginx/conf.d/default.conf",
            "/etc/nginx/sites-available/shop",
        ] {
            assert_eq!(ignored(path), None);
        }
    }
}
