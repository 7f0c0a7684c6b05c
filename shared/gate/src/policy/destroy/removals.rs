//! Finds steps that run something made for a removal: a task file, a playbook or a script that uninstalls, and blocks of
//! Terraform that let a resource go.

use crate::bash::base;
use crate::check::{Task, task_documents, tasks};
use crate::hcl::{self, attribute};
use crate::yaml::Node;
use crate::{Unit, Written};

/// Parts of the name of a file that removes something.
const NAMES: [&str; 9] = [
    "decommission",
    "delete",
    "destroy",
    "nuke",
    "purge",
    "remove",
    "teardown",
    "uninstall",
    "wipe",
];

/// Whether a file removes something as a whole, by its name: `remove.yml`, `redis-uninstall.sh`, but not
/// `remove_old_kernels.yml`.
fn removes(path: &str) -> bool {
    let name = base(path);
    let stem = name.split('.').next().unwrap_or(name);
    let parts: Vec<&str> = stem.split(['-', '_']).collect();
    let (first, last) = (parts.first().copied(), parts.last().copied());
    let alone = parts.len() == 1;
    [first.filter(|_| alone), last].into_iter().flatten().any(|part| NAMES.contains(&part))
        || stem.ends_with("tear-down")
        || stem == "reset"
}

/// What a command runs.
pub(super) fn command(argv: &[&str]) -> Option<String> {
    let run = match argv {
        ["ansible-playbook", rest @ ..] => {
            let mut books = rest.iter().filter(|word| !word.starts_with('-'));
            let asks = ["--check", "-C", "--syntax-check", "--list-tasks"];
            let book = books
                .find(|word| (word.ends_with(".yml") || word.ends_with(".yaml")) && removes(word));
            book.filter(|_| !rest.iter().any(|word| asks.contains(word)))
        }
        ["bash" | "sh" | "source" | ".", script, ..] if is_script(script) => Some(script),
        ["make" | "just" | "task", rest @ ..] => {
            rest.iter().find(|word| NAMES.contains(word) || **word == "tear-down")
        }
        ["apt" | "apt-get" | "dnf" | "yum", rest @ ..] => {
            let purges = ["autoremove", "purge", "remove", "--purge"];
            let goes = rest.iter().any(|word| purges.contains(word));
            let shows = ["--simulate", "-s", "--dry-run", "--assumeno"];
            let shown = rest.iter().any(|word| shows.contains(word));
            rest.iter().find(|word| goes && !shown && is_database(word))
        }
        ["npm" | "pnpm" | "yarn", "run", target, ..] => Some(target).filter(|it| removes(it)),
        [script, ..] if is_script(script) => Some(script),
        _ => None,
    }?;
    let whole = argv.iter().take(SHOWN).copied().collect::<Vec<_>>().join(" ");
    let what = if is_database(run) { whole.as_str() } else { run };
    Some(format!("`{what}` removes what is there"))
}

/// How many words of a command a message shows.
const SHOWN: usize = 4;

/// Whether a package is the server of a database.
fn is_database(package: &str) -> bool {
    let servers =
        ["mariadb-server", "mongodb-org", "mysql-server", "postgresql", "rabbitmq-server", "redis"];
    servers.iter().any(|server| package.starts_with(server)) && !package.contains("client")
}

fn is_script(word: &str) -> bool {
    word.ends_with(".sh") && removes(word)
}

/// Modules that run other files, and the keys that name them.
const RUNNERS: [(&str, &str); 8] = [
    ("include_tasks", "file"),
    ("import_tasks", "file"),
    ("include_role", "tasks_from"),
    ("import_role", "tasks_from"),
    ("include_role", "name"),
    ("import_role", "name"),
    ("script", "cmd"),
    ("import_playbook", "file"),
];

/// The tasks and plays of a file that run something made for a removal, with their lines.
pub(super) fn run(file: &Written) -> Vec<(usize, String)> {
    // The file is itself for a removal, which a person starts by hand.
    let Some(documents) = task_documents(file).filter(|_| !removes(&file.path)) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for task in tasks(&documents, file) {
        let Some((module, given)) = task.module() else { continue };
        let text = |key: &str| given.get(key).and_then(Node::text);
        let package = text("name").filter(|name| is_database(name));
        let installer = ["apt", "dnf", "package", "yum"].contains(&module);
        let gone = installer && text("state") == Some("absent");
        if let Some(package) = package.filter(|_| gone && !is_chosen(task.node)) {
            found.push((task.node.line, format!("Without `{package}`, the data is lost")));
        }
        let named = RUNNERS.iter().filter(|(name, _)| *name == module);
        let mut named =
            named.filter_map(|(_, key)| given.text().or_else(|| given.get(key)?.text()));
        if let Some(other) = named.find(|other| removes(other)).filter(|_| !is_chosen(task.node)) {
            found.push((task.node.line, format!("`{other}` removes what is there")));
        }
    }
    for play in documents.iter().flat_map(Node::list) {
        let roles = play.get("roles").map(Node::list).unwrap_or_default().iter();
        for role in roles.filter(|role| !is_chosen(role)) {
            let name = role.text().or_else(|| role.get("role")?.text());
            if let Some(name) = name.filter(|name| removes(name)) {
                found.push((role.line, format!("The role `{name}` removes what is there")));
            }
        }
        let mut keys = ["ansible.builtin.import_playbook", "import_playbook"].into_iter();
        let other = keys.find_map(|key| play.get(key)?.text()).filter(|other| removes(other));
        if let Some(other) = other.filter(|_| !is_chosen(play)) {
            found.push((play.line, format!("`{other}` removes what is there")));
        }
    }
    found
}

/// The folder that a task makes, unless it is one for data that can be recreated at any time.
pub(super) fn folder<'a>(task: &Task<'a>) -> Option<&'a str> {
    const SCRATCH: [&str; 6] = ["build", "cache", "scratch", "stage", "staging", "tmp"];
    let (module, given) = task.module()?;
    let text = |key: &str| given.get(key).and_then(Node::text);
    let path = text("path").or_else(|| text("dest"))?;
    let makes = module.rsplit('.').next() == Some("file") && text("state") == Some("directory");
    (makes && !SCRATCH.iter().any(|part| path.contains(part))).then_some(path)
}

/// Whether a task without a condition removes a folder that other tasks of its file make, or in which they keep something.
pub(super) fn is_needed(path: &str, made: &[&str], file: &Written, task: &Task<'_>) -> bool {
    const LEAST_MENTIONS: usize = 3;
    let variable =
        path.starts_with("{{") && path.ends_with("}}") && path.matches("{{").count() == 1;
    let kept = || variable && file.text.matches(path).count() >= LEAST_MENTIONS;
    (made.contains(&path) || kept()) && !is_chosen(task.node)
}

/// A package that a command removes with its settings, and that the same scripts install.
pub(super) fn reinstalled(argv: &[&str], texts: &str) -> Option<String> {
    let ["apt" | "apt-get", rest @ ..] = argv else { return None };
    let shows = ["--simulate", "-s", "--dry-run"];
    if !rest.iter().any(|word| ["purge", "--purge"].contains(word))
        || rest.iter().any(|word| shows.contains(word))
    {
        return None;
    }
    let installs = |package: &str| {
        let lines = texts.lines().filter(|line| line.contains("apt") && line.contains("install"));
        lines.into_iter().any(|line| line.split_whitespace().any(|word| word == package))
    };
    let packages = rest.iter().filter(|word| !word.starts_with('-'));
    let package = packages.into_iter().find(|package| **package != "purge" && installs(package))?;
    Some(format!("Purging `{package}` removes its settings before it is installed again"))
}

/// Whether a task runs only on request: by a condition, a list or a tag.
fn is_chosen(node: &Node) -> bool {
    let tags = node.get("tags");
    let never = tags.is_some_and(|tags| {
        let texts = tags.list().iter().filter_map(Node::text).chain(tags.text());
        texts.into_iter().any(|tag| tag == "never")
    });
    never || node.get("when").is_some() || node.get("loop").is_some()
}

/// Blocks of Terraform that destroy a resource whose own block is gone, with the file and the line.
pub(super) fn blocks(unit: &Unit) -> Vec<(String, usize, String)> {
    let (files, _) = hcl::parse(&unit.files);
    let mut found = Vec::new();
    for parsed in &files {
        for (line, block) in parsed.blocks() {
            let mut settings = block.body.get_blocks("lifecycle");
            // Terraform destroys by default, and OpenTofu does not.
            let default = !block.body.has_blocks("lifecycle") && !unit.text.contains("tofu");
            let destroys =
                settings.any(|it| attribute(&it.body, "destroy").as_deref() == Some("true"));
            if block.ident.as_str() == "removed" && (destroys || default) {
                let from = attribute(&block.body, "from").unwrap_or_default();
                let message =
                    format!("Without `destroy = false`, this `removed` destroys `{from}`");
                found.push((parsed.file.path.clone(), line, message));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::examine;

    fn said(text: &str) -> Vec<String> {
        crate::testing::said(examine, text)
    }

    fn play(text: &str) -> String {
        format!(
            "cat >site.yml <<'E'\n- name: A\n  hosts: all\n  tasks:\n    - name: B\n      {text}\nE\n"
        )
    }

    #[test]
    fn what_removes_is_not_run_in_another_step() {
        for text in [
            "ansible-playbook -i hosts teardown.yml".to_owned(),
            "bash /usr/local/bin/k3s-uninstall.sh".into(),
            "./scripts/purge.sh".into(),
            "make destroy".into(),
            play("ansible.builtin.include_tasks: uninstall.yml"),
            play("ansible.builtin.apt:\n        name: postgresql-16\n        state: absent"),
            "cat >site.yml <<'E'\n- name: A\n  hosts: all\n  roles:\n    - db_purge\nE\n".into(),
            "apt-get purge -y mariadb-server".into(),
            play("ansible.builtin.file: {path: \"{{ a }}\", state: absent}\n    - name: C\n      ansible.builtin.copy: {src: b, dest: \"{{ a }}/b\"}\n    - name: D\n      ansible.builtin.command: ls {{ a }}"),
            "apt-get purge -yq nginx nginx-common\napt-get install -yq nginx".into(),
            play("ansible.builtin.file: {path: /opt/a/dumps, state: absent}\n    - name: C\n      ansible.builtin.file: {path: /opt/a/dumps, state: directory}"),
            "cat >a.tf <<'E'\nremoved {\n  from = module.a\n}\nE\n".into(),
            play("ansible.builtin.import_role:\n        name: db\n        tasks_from: purge.yml"),
            "cat >all.yml <<'E'\n- ansible.builtin.import_playbook: decommission.yml\nE\n".into(),
            "cat >a.tf <<'E'\nremoved {\n  from = aws_db_instance.a\n  lifecycle {\n    destroy = true\n  }\n}\nE\n".into(),
        ] {
            assert_eq!(said(&text).len(), 1, "{text}: {:?}", said(&text));
        }
        for text in [
            "ansible-playbook -i hosts site.yml".to_owned(),
            "ansible-playbook --syntax-check teardown.yml".into(),
            "./scripts/remove-old-releases.sh".into(),
            "apt-get --simulate purge redis-server".into(),
            "apt-get remove -y docker.io postgresql-client".into(),
            "apt-get purge -y nginx\napt-get install -y caddy".into(),
            play("ansible.builtin.file: {path: /opt/a/build, state: absent}\n    - name: C\n      ansible.builtin.file: {path: /opt/a/build, state: directory}"),
            play("ansible.builtin.include_tasks: uninstall.yml\n      when: state == 'absent'"),
            play("ansible.builtin.include_tasks: remove_snap.yml"),
            play("ansible.builtin.include_tasks: remove.yml\n      loop: \"{{ old_users }}\""),
            play("ansible.builtin.import_role:\n        name: db\n        tasks_from: install"),
            "cat >a.tf <<'E'\nremoved {\n  from = aws_db_instance.a\n  lifecycle {\n    destroy = false\n  }\n}\nE\n".into(),
        ] {
            assert_eq!(said(&text), Vec::<String>::new(), "{text}");
        }
    }
}
