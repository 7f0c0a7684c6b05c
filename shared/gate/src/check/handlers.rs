//! Checks that Ansible's handlers and the tasks that need them find each other: handlers that nothing notifies, tasks
//! that change settings of a service with a handler but do not notify it, and units that systemd does not read again.

use super::error;
use super::unapplied_settings::readers;
use crate::tasks::{Task, documents, tasks};
use crate::yaml::Node;
use crate::{Unit, Written};
use domain::gate::Finding;

const TOOL: &str = "ansible";

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    let texts: Vec<&str> = unit.texts().collect();
    for file in &unit.files {
        let Some(documents) = documents(file) else { continue };
        let tasks = tasks(&documents, file);
        let found = [
            useless(&tasks),
            idle(unit, file, &tasks, &texts),
            silent(unit, file, &documents, &tasks, &texts),
            unread(&tasks, &texts),
            unheard(&tasks, &texts),
        ];
        for (line, message) in found.into_iter().flatten() {
            findings.push(error(TOOL, message).at(Some(&file.path), line));
        }
    }
}

type Mistakes = Vec<(usize, String)>;

/// The names to which a handler responds.
fn names<'a>(task: &Task<'a>) -> Vec<&'a str> {
    let listens = task.node.get("listen").into_iter();
    let listens = listens
        .flat_map(|node| node.text().into_iter().chain(node.list().iter().filter_map(Node::text)));
    task.node.get("name").and_then(Node::text).into_iter().chain(listens).collect()
}

/// Handlers that no other line in the scripts mentions.
fn idle(unit: &Unit, file: &Written, tasks: &[Task], texts: &[&str]) -> Mistakes {
    let lines = || texts.iter().flat_map(|text| text.lines()).map(str::trim);
    let computed = lines().any(|line| line.contains("notify") && line.contains("{{"));
    // Tasks that are not here may use the handlers of their role.
    let role = file.path.rsplit_once("/handlers/").map(|(role, _)| format!("{role}/tasks/"));
    let alone = role.is_some_and(|tasks| !unit.tree.iter().any(|it| it.path.starts_with(&tasks)));
    if computed || alone {
        return Vec::new();
    }
    let own = |line: &str, name: &str| {
        let line = line.trim_start_matches("- ");
        ["name:", "listen:"].iter().any(|key| {
            line.strip_prefix(key).is_some_and(|rest| rest.trim().trim_matches(['"', '\'']) == name)
        })
    };
    let mut found = Vec::new();
    for task in tasks.iter().filter(|task| task.handler) {
        let names = names(task);
        let notified = |name: &&str| {
            name.contains("{{") || lines().any(|line| line.contains(*name) && !own(line, name))
        };
        if let Some(name) = names.first().filter(|_| !names.iter().any(notified)) {
            found.push((task.node.line, format!("Nothing notifies the handler `{name}`.")));
        }
    }
    found
}

/// Handlers that only start what runs already.
fn useless(found: &[Task]) -> Mistakes {
    let mut mistakes = Vec::new();
    for task in found.iter().filter(|task| task.handler) {
        let Some((module, given)) = task.module() else { continue };
        let short = module.rsplit('.').next().unwrap_or(module);
        let name = task.node.get("name").and_then(Node::text).unwrap_or_default().to_lowercase();
        let again = ["reload", "restart"].iter().any(|word| name.contains(word));
        let service = ["service", "systemd", "systemd_service"].contains(&short);
        let does = ["daemon_reexec", "daemon_reload", "enabled", "masked", "state"];
        // One that makes systemd read its units is named after that.
        let daemon = ["daemon", "systemd", "unit"].iter().any(|word| name.contains(word));
        let idle = !does.iter().any(|key| given.get(key).is_some())
            || (again && !daemon && given.get("state").is_none());
        if service && !given.map().is_empty() && idle {
            let message = "Without a `state`, this handler does nothing to the service.";
            mistakes.push((task.node.line, message.to_owned()));
        }
        let state = given.get("state").filter(|state| state.text() == Some("started"));
        if let Some(state) = state.filter(|_| again && service) {
            let message =
                "`started` does nothing for a service that runs: use `restarted` or `reloaded`.";
            mistakes.push((state.line, message.to_owned()));
        }
    }
    mistakes
}

/// The services of the handlers that a task notifies, if all of them only start services again.
fn woken(
    task: &Task,
    handlers: &[(Option<usize>, Vec<String>, Option<String>)],
) -> Option<Vec<String>> {
    let notify = task.node.get("notify")?;
    let names = notify.text().into_iter().chain(notify.list().iter().filter_map(Node::text));
    let mut services = Vec::new();
    for name in names {
        let mut own =
            handlers.iter().filter(|(_, names, _)| names.iter().any(|it| it == name)).peekable();
        own.peek()?;
        for (.., service) in own {
            services.push(service.clone()?);
        }
    }
    (!services.is_empty() && !services.iter().any(|name| name.contains('{'))).then_some(services)
}

/// Modules that change a file.
const WRITERS: [&str; 9] = [
    "assemble",
    "blockinfile",
    "copy",
    "get_url",
    "ini_file",
    "lineinfile",
    "postgresql_pg_hba",
    "replace",
    "template",
];

/// The place of the file that a task changes.
fn changed<'a>(task: &Task<'a>) -> Option<(&'a Node, &'a str)> {
    let (module, given) = task.module()?;
    let short = module.rsplit('.').next().unwrap_or(module);
    let place = given.get("dest").or_else(|| given.get("path"))?;
    let state = given.get("state").and_then(Node::text);
    let linked = short == "file" && matches!(state, Some("absent" | "link"));
    let written = WRITERS.contains(&short) && state != Some("absent");
    Some((place, place.text()?)).filter(|_| written || linked)
}

/// A path with the plain values of the variables in it.
fn resolved(path: &str, texts: &[&str]) -> String {
    let Some((before, rest)) = path.split_once("{{") else { return path.to_owned() };
    let Some((name, after)) = rest.split_once("}}") else { return path.to_owned() };
    let start = format!("{}:", name.trim());
    let mut lines = texts.iter().flat_map(|text| text.lines()).map(str::trim);
    let value = lines.find_map(|line| line.strip_prefix(&start)).map(str::trim);
    let value = value.map(|value| value.trim_matches(['"', '\'']));
    match value.filter(|value| value.starts_with('/')) {
        Some(value) => format!("{before}{value}{after}"),
        None => path.to_owned(),
    }
}

/// The service that a task starts again or makes read its settings.
fn restarted<'a>(task: &Task<'a>) -> Option<&'a str> {
    let (module, given) = task.module()?;
    let short = module.rsplit('.').next().unwrap_or(module);
    let state = given.get("state").and_then(Node::text).unwrap_or_default();
    let services = ["service", "systemd", "systemd_service"].contains(&short);
    let again = services && (state.contains("reloaded") || state.contains("restarted"));
    given.get("name").and_then(Node::text).filter(|_| again)
}

/// Tasks that change settings of a service and notify nothing, although a handler beside them is there for it.
fn silent(
    unit: &Unit,
    file: &Written,
    documents: &[Node],
    found: &[Task],
    texts: &[&str],
) -> Mistakes {
    let together = documents.iter().flat_map(Node::all);
    let blocks = together
        .into_iter()
        .any(|node| node.get("block").is_some() && node.get("notify").is_some());
    if blocks {
        return Vec::new();
    }
    let role = file.path.rsplit_once("/tasks/").map(|(role, _)| format!("{role}/handlers/"));
    let beside = unit
        .tree
        .iter()
        .filter(|other| role.as_ref().is_some_and(|role| other.path.starts_with(role)));
    let beside: Vec<(&Written, Vec<Node>)> =
        beside.filter_map(|file| Some((file, super::task_documents(file)?))).collect();
    type Handler = (Option<usize>, Vec<String>, Option<String>);
    let of = |task: &Task, play: Option<usize>| -> Handler {
        let names = names(task).into_iter().map(str::to_owned).collect();
        (play, names, restarted(task).map(str::to_owned))
    };
    let mut handlers: Vec<Handler> = Vec::new();
    for (file, documents) in &beside {
        let services = tasks(documents, file);
        handlers.extend(services.iter().map(|task| of(task, None)));
    }
    handlers.extend(found.iter().filter(|task| task.handler).map(|task| of(task, task.play)));
    let mut mistakes = Vec::new();
    for task in found.iter().filter(|task| !task.handler) {
        let Some((node, path)) = changed(task) else { continue };
        let path = &resolved(path, texts);
        // A snippet changes with the file that includes it.
        let Some(names) = readers(path).filter(|_| !path.contains("/snippets/")) else { continue };
        let is = |name: &str| names.iter().any(|own| name.contains(own));
        let mut beside = handlers.iter().filter(|(play, ..)| play.is_none() || *play == task.play);
        let handler = beside.find_map(|(.., name)| name.as_deref().filter(|name| is(name)));
        let woken = woken(task, &handlers).filter(|all| !all.iter().any(|name| is(name)));
        if let Some(other) = woken {
            let (own, other) = (names.first().copied().unwrap_or_default(), other.join("`, `"));
            let message =
                format!("These are settings of `{own}`, and the handler restarts `{other}`.");
            mistakes.push((node.line, message));
            continue;
        }
        let again = found.iter().any(|other| !other.handler && restarted(other).is_some_and(is));
        let speaks = ["notify", "register"].iter().any(|key| task.node.get(key).is_some());
        if let Some(name) = handler.filter(|_| !again && !speaks) {
            mistakes.push((
                node.line,
                format!("This changes the settings of `{name}` and does not notify its handler."),
            ));
        }
    }
    mistakes
}

/// Changes that a task registers and that nothing reads, and settings of a service that is only started, which has no
/// effect once the service runs.
fn unheard(found: &[Task], texts: &[&str]) -> Mistakes {
    let mut mistakes = Vec::new();
    for task in found.iter().filter(|task| !task.handler) {
        let Some((place, path)) = changed(task) else { continue };
        let register = task.node.get("register");
        if task.node.get("notify").is_some() {
            continue;
        }
        if let Some(name) = register.and_then(Node::text) {
            let edge = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let reads = texts.iter().flat_map(|text| text.lines()).any(|line| {
                !line.trim().starts_with("register:")
                    && line.match_indices(name).any(|(at, _)| {
                        !line[..at].ends_with(edge) && !line[at + name.len()..].starts_with(edge)
                    })
            });
            // A mention of the service's own name does not use the result.
            let spoken = texts.iter().any(|text| {
                [".changed", " is changed", " is not changed", ".diff", ".results"]
                    .iter()
                    .any(|end| text.contains(&format!("{name}{end}")))
            });
            if !reads || (!spoken && settings_of(path).is_some() && !is_tested(name, texts)) {
                mistakes.push((
                    register.map_or(place.line, |node| node.line),
                    format!("Nothing reads `{name}`, so this change has no effect."),
                ));
            }
            continue;
        }
        let Some(service) = settings_of(path).filter(|_| task.node.get("notify").is_none()) else {
            continue;
        };
        let of = |task: &&Task| {
            let name = task.module().and_then(|(_, given)| given.get("name")?.text());
            name.is_some_and(|name| service.contains(&name.trim_end_matches(".service")))
        };
        let own: Vec<&Task> = found.iter().filter(of).collect();
        let state = |task: &Task| {
            let (_, given) = task.module()?;
            Some(given.get("state")?.text()?.to_owned())
        };
        let only = own.iter().any(|task| state(task).as_deref() == Some("started"));
        let again = found.iter().any(|task| {
            restarted(task).is_some()
                || task.modules.iter().any(|entry| {
                    ["command", "meta", "reboot", "shell"]
                        .iter()
                        .any(|end| entry.key.ends_with(end))
                })
        });
        if only && !again {
            mistakes.push((
                place.line,
                format!("`started` does not make `{}` read this: notify a handler.", service[0]),
            ));
        }
    }
    mistakes
}

/// Whether a condition or a loop has the name of a result alone.
fn is_tested(name: &str, texts: &[&str]) -> bool {
    texts.iter().flat_map(|text| text.lines()).any(|line| {
        ["when:", "until:", "failed_when:", "that:", "{{", "- "]
            .iter()
            .any(|key| line.contains(key))
            && line.contains(name)
            && !line.contains("register:")
            && !line.contains("name: ")
    })
}

/// The service whose settings a file has.
fn settings_of(path: &str) -> Option<Vec<&str>> {
    let unit =
        path.strip_prefix("/etc/systemd/system/").and_then(|name| name.strip_suffix(".service"));
    let unit = unit.filter(|name| !name.contains(['{', '/', '@'])).map(|name| vec![name]);
    let other = readers(path).filter(|_| !path.contains("/snippets/"));
    unit.or_else(|| other.map(<[&str]>::to_vec))
}

/// Units that tasks write, where nothing makes systemd read them before a task starts one of them again.
fn unread(found: &[Task], texts: &[&str]) -> Mistakes {
    let reads = ["daemon_reload", "daemon-reload", "daemon-reexec", "reboot"];
    let mut lines = texts.iter().flat_map(|text| text.lines());
    let off = |line: &str| line.contains("reload: false") || line.contains("reload: no");
    if lines.any(|line| reads.iter().any(|word| line.contains(word)) && !off(line)) {
        return Vec::new();
    }
    let runs = |stem: &str| {
        found.iter().any(|task| {
            let Some((_, given)) = task.module() else { return false };
            let name = given.get("name").and_then(Node::text).unwrap_or_default();
            let state = given.get("state").and_then(Node::text).unwrap_or_default();
            let again = state.contains("restarted") || state.contains("started");
            again && name.trim_end_matches(".service") == stem
        })
    };
    let units = found.iter().filter_map(changed).filter_map(|(node, path)| {
        let name = path.strip_prefix("/etc/systemd/system/")?;
        let stem = name.split(['.', '/']).next().filter(|stem| !stem.contains('{'))?;
        let message = format!(
            "systemd does not read `{name}` again: set `daemon_reload: true` where it starts."
        );
        runs(stem).then_some((node.line, message))
    });
    units.collect()
}

#[cfg(test)]
mod tests {
    fn said(text: &str) -> Vec<String> {
        crate::testing::said(super::examine, text)
    }

    const PLAY: &str = "cat >site.yml <<'E'\n- hosts: web\n  tasks:\n    - name: Write the site\n      ansible.builtin.template:\n        src: a.j2\n        dest: /etc/nginx/conf.d/a.conf\n      notify: Reload nginx\n    - name: Limit the rate\n      ansible.builtin.copy:\n        content: \"\"\n        dest: /etc/nginx/conf.d/limit.conf\n      notify: Reload nginx\n  handlers:\n    - name: Reload nginx\n      ansible.builtin.service:\n        name: nginx\n        state: reloaded\nE\n";

    #[test]
    fn handlers_and_tasks_find_each_other() {
        let notify = "      notify: Reload nginx\n";
        assert_eq!(said(PLAY), [""; 0]);
        assert_eq!(said(&PLAY.replacen(notify, "", 1)).len(), 1);
        // Nothing notifies the handler, and both tasks are silent.
        assert_eq!(said(&PLAY.replace(notify, "")).len(), 3);
        let other = PLAY.replace("name: nginx", "name: apache2");
        assert_eq!(said(&other).len(), 2);
        assert_eq!(
            said(&PLAY.replace("Reload nginx", "Restart it").replace("reloaded", "started")).len(),
            1
        );
        let registered = PLAY.replacen(notify, "      register: site\n", 1);
        assert_eq!(said(&registered).len(), 1);
        let read = "    - name: Test\n      ansible.builtin.command: nginx -t\n      when: site is changed\n  handlers:";
        assert_eq!(said(&registered.replace("  handlers:", read)), [""; 0]);
        assert_eq!(
            said(
                &PLAY.replacen("/etc/nginx/conf.d/a.conf", "/etc/other", 1).replacen(notify, "", 1)
            ),
            [""; 0]
        );
        let linked = "state: link\n        src: /a\n        dest: /etc/nginx/sites-enabled/a";
        let file = "- name: Limit the rate\n      ansible.builtin.copy:\n        content: \"\"\n        dest: /etc/nginx/conf.d/limit.conf\n      notify: Reload nginx\n";
        let link = format!("- name: Link it\n      ansible.builtin.file:\n        {linked}\n");
        assert_eq!(said(&PLAY.replace(file, &link)).len(), 1);
        let folder = PLAY.replace("  tasks:", "  vars:\n    sites: /etc/nginx/conf.d\n  tasks:");
        let folder = folder.replacen("/etc/nginx/conf.d/a.conf", "\"{{ sites }}/a.conf\"", 1);
        assert_eq!(said(&folder), [""; 0]);
        assert_eq!(said(&folder.replacen(notify, "", 1)).len(), 1);
        assert_eq!(said(&PLAY.replace("        state: reloaded\n", "")).len(), 1);
        assert_eq!(
            said(&PLAY.replace("notify: Reload nginx", "notify: \"Reload {{ web }}\"")),
            [""; 0]
        );
    }

    #[test]
    fn systemd_reads_units_of_tasks() {
        let play = "cat >site.yml <<'E'\n- hosts: web\n  tasks:\n    - ansible.builtin.copy:\n        dest: /etc/systemd/system/shop.service\n        content: \"\"\n    - ansible.builtin.systemd_service:\n        name: shop\n        state: restarted\nE\n";
        assert_eq!(said(play).len(), 1);
        assert_eq!(
            said(&play.replace("restarted\n", "restarted\n        daemon_reload: true\n")),
            [""; 0]
        );
        assert_eq!(said(&play.replace("name: shop", "name: other")), [""; 0]);
    }
}
