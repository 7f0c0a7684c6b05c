//! Checks what modules of Ansible need around them: their own collection, a library on the server, and names that the
//! kernel knows.

use super::spelling::nearest;
use super::{FILES, error, task_documents, tasks};
use crate::{Unit, Written};
use domain::gate::Finding;

const TOOL: &str = "ansible";
const COLLECTIONS: &str = include_str!("collections.txt");

/// Collections whose modules need a Python library on the server: a part of the package's name, and the package.
const LIBRARIES: [(&str, &str, &str); 2] = [
    ("community.postgresql.", "psycopg", "python3-psycopg2"),
    ("community.mysql.", "pymysql", "python3-pymysql"),
];

/// All settings of the kernel.
const SETTINGS: &str = include_str!("../tables/data/sysctl.txt");

/// Settings of the kernel that scripts often change.
const KERNEL: [&str; 48] = [
    "fs.aio-max-nr",
    "fs.file-max",
    "fs.inotify.max_user_instances",
    "fs.inotify.max_user_watches",
    "fs.nr_open",
    "fs.protected_hardlinks",
    "fs.protected_symlinks",
    "fs.suid_dumpable",
    "kernel.core_pattern",
    "kernel.dmesg_restrict",
    "kernel.kptr_restrict",
    "kernel.msgmax",
    "kernel.panic",
    "kernel.pid_max",
    "kernel.randomize_va_space",
    "kernel.sem",
    "kernel.shmall",
    "kernel.shmmax",
    "kernel.sysrq",
    "kernel.unprivileged_bpf_disabled",
    "kernel.yama.ptrace_scope",
    "net.bridge.bridge-nf-call-iptables",
    "net.core.default_qdisc",
    "net.core.netdev_max_backlog",
    "net.core.rmem_max",
    "net.core.somaxconn",
    "net.core.wmem_max",
    "net.ipv4.conf.all.accept_redirects",
    "net.ipv4.conf.all.accept_source_route",
    "net.ipv4.conf.all.log_martians",
    "net.ipv4.conf.all.rp_filter",
    "net.ipv4.conf.all.send_redirects",
    "net.ipv4.conf.default.rp_filter",
    "net.ipv4.icmp_echo_ignore_broadcasts",
    "net.ipv4.ip_forward",
    "net.ipv4.ip_local_port_range",
    "net.ipv4.ip_nonlocal_bind",
    "net.ipv4.tcp_congestion_control",
    "net.ipv4.tcp_fin_timeout",
    "net.ipv4.tcp_keepalive_time",
    "net.ipv4.tcp_max_syn_backlog",
    "net.ipv4.tcp_syncookies",
    "net.ipv4.tcp_tw_reuse",
    "net.ipv6.conf.all.disable_ipv6",
    "net.ipv6.conf.all.forwarding",
    "vm.max_map_count",
    "vm.overcommit_memory",
    "vm.swappiness",
];

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for file in &unit.files {
        let Some(documents) = task_documents(file) else { continue };
        let mut lacks = LIBRARIES.to_vec();
        for task in tasks(&documents, file) {
            let Some((name, _)) = task.module() else { continue };
            if let Some(message) = misplaced(name) {
                findings.push(error(TOOL, message).at(Some(&file.path), task.node.line));
            }
            let needed = lacks.iter().position(|(collection, part, _)| {
                // A database elsewhere is reached from where the library may be already.
                name.starts_with(collection) && !unit.text.contains(part) && installs(unit)
            });
            if let Some((_, _, package)) = needed.map(|at| lacks.remove(at)) {
                let message =
                    format!("`{name}` needs `{package}` on the server, which no task installs.");
                findings.push(error(TOOL, message).at(Some(&file.path), task.node.line));
            }
        }
    }
    let playbook = |file: &Written| task_documents(file).is_some();
    for file in unit.written().filter(|file| file.path.contains("sysctl") || playbook(file)) {
        for (at, line) in file.text.lines().enumerate() {
            if let Some((name, near)) = kernel(line) {
                let message = format!("The kernel has no `{name}`, but it has `{near}`.");
                findings.push(error(FILES, message).at(Some(&file.path), at + 1));
            }
        }
    }
}

/// Whether the script installs packages at all: otherwise an earlier step may have installed the library.
fn installs(unit: &Unit) -> bool {
    let apt = ["apt:", "package:", "dnf:"].iter().any(|module| unit.text.contains(module));
    apt && !unit.text.contains("mysqlclient") && !unit.text.contains("python3-mysqldb")
}

/// A module that another collection has.
fn misplaced(name: &str) -> Option<String> {
    let (collection, short) = name.rsplit_once('.')?;
    let known = || COLLECTIONS.lines().filter_map(|line| line.split_once(": ")?.0.rsplit_once('.'));
    let ours = known().any(|(one, _)| one == collection);
    let right = known().any(|(one, module)| one == collection && module == short);
    let other = known().find(|(_, module)| *module == short).filter(|_| ours && !right)?;
    Some(format!("`{collection}` has no module `{short}`, but `{}` has.", other.0))
}

/// A word of a line that is almost a setting of the kernel.
fn kernel(line: &str) -> Option<(&str, &'static str)> {
    let mut words = line.split(|c: char| !(c.is_ascii_alphanumeric() || "._-".contains(c)));
    words.find_map(|word| {
        let begins = ["fs.", "kernel.", "net.", "vm."].iter().any(|start| word.starts_with(start));
        let near = nearest(word, &KERNEL).filter(|_| begins && !KERNEL.contains(&word))?;
        if SETTINGS.split_whitespace().any(|known| known == word) {
            return None;
        }
        // `ipv4` and `ipv6`, `rmem` and `wmem`, `all` and `default` have the same settings.
        let twin = word.len() == near.len() && word.split('.').count() > 2;
        (!twin || word.starts_with("vm.")).then_some((word, near))
    })
}
