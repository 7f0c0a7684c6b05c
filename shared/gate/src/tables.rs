//! Judges the settings of services by tables: one file of data for each service, in `tables/data/`.
//!
//! A table says which files it is for and how they are written, which names of settings there are, what some of them
//! take, and which values are dangerous. `tables/data/README.md` describes the format. To teach the gate another
//! service, add a file there and name it in `TABLES`; no other code knows the services.

mod bind;
mod entries;
mod table;

use crate::check::{error, fits};
use crate::placed::placed;
use crate::{FILES, POLICY, Unit, Written};
use domain::gate::Finding;
use entries::{Entry, Read};
use table::{Form, Order, Refusal, Table};

/// The tables, as texts: only those that a script needs are parsed.
const TABLES: [&str; 42] = [
    // Its folder has files with the names of other services.
    include_str!("tables/data/sysctl.txt"),
    include_str!("tables/data/apache.txt"),
    include_str!("tables/data/argocd.txt"),
    include_str!("tables/data/auditd.txt"),
    include_str!("tables/data/bind.txt"),
    include_str!("tables/data/chrony.txt"),
    include_str!("tables/data/cloud-init.txt"),
    include_str!("tables/data/consul.txt"),
    include_str!("tables/data/consul-hcl.txt"),
    include_str!("tables/data/dnsmasq.txt"),
    include_str!("tables/data/dovecot.txt"),
    include_str!("tables/data/elasticsearch.txt"),
    include_str!("tables/data/gitea.txt"),
    include_str!("tables/data/grafana.txt"),
    include_str!("tables/data/ipsec.txt"),
    include_str!("tables/data/jenkins.txt"),
    include_str!("tables/data/kafka.txt"),
    include_str!("tables/data/keepalived.txt"),
    include_str!("tables/data/kerberos.txt"),
    include_str!("tables/data/kustomization.txt"),
    include_str!("tables/data/ldif.txt"),
    include_str!("tables/data/mongodb.txt"),
    include_str!("tables/data/mosquitto.txt"),
    include_str!("tables/data/mysql.txt"),
    include_str!("tables/data/nomad.txt"),
    include_str!("tables/data/opendkim.txt"),
    include_str!("tables/data/openvpn.txt"),
    include_str!("tables/data/pgbouncer.txt"),
    include_str!("tables/data/php-fpm.txt"),
    include_str!("tables/data/postfix.txt"),
    include_str!("tables/data/postgresql.txt"),
    include_str!("tables/data/rabbitmq.txt"),
    include_str!("tables/data/samba.txt"),
    include_str!("tables/data/slurm.txt"),
    include_str!("tables/data/snmpd.txt"),
    include_str!("tables/data/squid.txt"),
    include_str!("tables/data/sssd.txt"),
    include_str!("tables/data/synapse.txt"),
    include_str!("tables/data/tor.txt"),
    include_str!("tables/data/unbound.txt"),
    include_str!("tables/data/vault.txt"),
    include_str!("tables/data/vsftpd.txt"),
];

pub(crate) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    let written: Vec<&Written> = unit.written().collect();
    let mut elsewhere = None;
    for file in written {
        let found = table_of(&file.path, file).or_else(|| {
            // A file that commands copy to its place has another name before.
            let placed = elsewhere.get_or_insert_with(|| placed(unit));
            let copies = placed.iter().filter(|one| one.source.path == file.path);
            copies.into_iter().find_map(|one| table_of(&one.copy.path, file))
        });
        let Some(table) = found else { continue };
        for (line, tool, message) in judged(file, &Table::new(table)) {
            let line = u32::try_from(line).ok();
            let known =
                findings.iter().any(|it| it.line == line && it.file.as_ref() == Some(&file.path));
            if !known && (tool == FILES || !unit.context.check) {
                let line = line.map_or(1, |line| line as usize);
                findings.push(error(tool, message).at(Some(&file.path), line));
            }
        }
    }
}

/// The table for a file at a path.
fn table_of(path: &str, file: &Written) -> Option<&'static str> {
    let path = ENDINGS.iter().fold(path, |path, end| path.strip_suffix(end).unwrap_or(path));
    let of_other = |folder: &str| OTHERS.contains(&folder) || folder.ends_with(".service.d");
    if path.rsplit('/').skip(1).any(of_other) {
        return None;
    }
    TABLES.iter().copied().find(|text| {
        let head = text.lines().take_while(|line| !line.starts_with("known "));
        head.filter_map(|line| line.split_once(' ')).any(|(word, rest)| match word {
            "place" => rest.split(' ').any(|pattern| table::is_like(pattern, path)),
            "sign" => {
                let mut signs = rest.split(' ');
                // `=` stands for a space.
                let starts = |line: &str, sign: &str| line.replace(' ', "=").starts_with(sign);
                signs.any(|sign| match sign.contains('=') {
                    true => file.text.lines().any(|line| starts(line, sign)),
                    false => file.text.lines().any(|line| line.starts_with(sign)),
                })
            }
            _ => false,
        })
    })
}

/// What names end with until a program has filled in, checked or renamed the file.
const ENDINGS: [&str; 6] = [".j2", ".new", ".next", ".part", ".tmp", ".tpl"];

/// Folders in which other programs keep a file for each service, by its name.
const OTHERS: [&str; 16] = [
    "conf.avail",
    "fail2ban",
    "filter.d",
    "jail.d",
    "limits.d",
    "logrotate.d",
    "logwatch",
    "monit",
    "nginx",
    "proftpd",
    "rsyslog.d",
    "supervisor",
    "sysusers.d",
    "systemd",
    "telegraf.d",
    "tmpfiles.d",
];

type Found = Vec<(usize, &'static str, String)>;

fn judged(file: &Written, table: &Table) -> Found {
    let text = file.filled();
    let Read { entries, mistakes } = match table.form {
        Form::Bind => bind::read(&text, &table.known),
        _ => entries::read(&text, table),
    };
    let mut found: Found =
        mistakes.into_iter().map(|(line, message)| (line, FILES, message)).collect();
    // A template sets names, too.
    let whole = !file.text.contains("{%");
    for entry in &entries {
        if whole && let Some(message) = table.unknown(entry) {
            found.push((entry.line, FILES, message));
            continue;
        }
        let name = table.name(entry);
        let value = entry.value.as_deref().unwrap_or_default();
        let taken = table.takes.iter().find(|(_, names)| {
            names
                .iter()
                .any(|one| *one == name || table.any_case && one.eq_ignore_ascii_case(&name))
        });
        // A table writes a word with a space with another sign, as it does for names.
        let word = table.space().map(|sign| value.replace(' ', &sign.to_string()));
        let takes = |kinds: &str| {
            fits(kinds, value) || word.as_deref().is_some_and(|word| fits(kinds, word))
        };
        if let Some((kinds, _)) = taken.filter(|(kinds, _)| !takes(kinds)) {
            let message = format!(
                "`{}` does not take `{value}`, but {}.",
                entry.key,
                kinds.replace(' ', ", ")
            );
            found.push((entry.line, FILES, message));
        }
        for (_, targets) in table.links.iter().filter(|(name, _)| table.is_named(name, entry)) {
            let lost = lost(value, targets, &entries);
            let message = |name| format!("Nothing here defines `{name}`.");
            found.extend(lost.map(|name| (entry.line, FILES, message(name))));
        }
        for order in table.orders.iter().filter(|it| table.has_key(it.small, entry)) {
            let Order { small, large, with } = *order;
            let beside = |name: &'static str| {
                let beside = entries.iter().filter(|it| it.parent() == entry.parent());
                beside.into_iter().find(|it| table.has_key(name, it))?.value.as_deref()
            };
            let counts = with.is_none_or(|(name, word)| has(beside(name), word));
            if let (Some(own), Some(most)) = (number(value), beside(large).and_then(number))
                && counts
                && own > most
            {
                found.push((entry.line, FILES, format!("`{small}` is larger than `{large}`.")));
            }
        }
        let refusal = table.refusals.iter().find(|it| is_refused(table, it, entry, &entries));
        found.extend(refusal.map(|it| (entry.line, POLICY, it.why.to_owned())));
    }
    found
}

/// A value that is only a number.
fn number(value: &str) -> Option<i64> {
    value.trim_matches(['"', '\'']).parse().ok()
}

/// A name in a value that none of the settings or sections defines in which it must be defined.
fn lost<'a>(value: &'a str, targets: &[&str], all: &[Entry]) -> Option<&'a str> {
    let separates = |c: char| c.is_whitespace() || ",;\"'".contains(c);
    let mut names = value.split(separates).filter(|name| !name.is_empty());
    let defines = |entry: &Entry, target: &str, name: &str| match target.strip_suffix('*') {
        Some(start) => {
            let rest = entry.path.strip_prefix(start).and_then(|rest| rest.strip_prefix(name));
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        }
        None => {
            let value = entry.value.as_deref().unwrap_or_default();
            entry.key == target
                && value.split([',', ' ']).any(|part| part.split(':').next() == Some(name))
        }
    };
    let is_there = |target: &&str| {
        all.iter().any(|it| it.key == **target || it.path.starts_with(target.trim_end_matches('*')))
    };
    let open = |name: &str| name == "x" || name.contains(['$', '{', '%']);
    let opens = |it: &Entry| it.value.as_deref().is_some_and(open);
    if !targets.iter().any(is_there)
        || all.iter().any(|it| targets.contains(&it.key.as_str()) && opens(it))
    {
        return None;
    }
    names.find(|name| {
        let defined = |it: &Entry| targets.iter().any(|target| defines(it, target, name));
        !open(name) && !all.iter().any(defined)
    })
}

/// Whether a table refuses the value of a setting, with what else is set beside it.
fn is_refused(table: &Table, refusal: &Refusal, entry: &Entry, all: &[Entry]) -> bool {
    let beside = |name: &'static str| {
        all.iter()
            .filter(move |other| other.parent() == entry.parent() && table.has_key(name, other))
    };
    table.is_named(refusal.name, entry)
        && refusal.values.iter().any(|wanted| has(entry.value.as_deref(), wanted))
        && refusal
            .with
            .is_none_or(|(name, word)| beside(name).any(|other| has(other.value.as_deref(), word)))
        && !refusal.without.iter().any(|name| beside(name).next().is_some())
}

/// Whether a value has all words of a pattern, which `&` joins: `^` asks for the first one, `!` for none, and `+` for
/// words that follow each other. No value at all is `on`.
fn has(value: Option<&str>, pattern: &str) -> bool {
    let value = value.unwrap_or("on").to_lowercase();
    let separates = |c: char| c.is_whitespace() || ",;\"'{}".contains(c);
    let words: Vec<&str> = value.split(separates).filter(|word| !word.is_empty()).collect();
    pattern.split('&').all(|part| {
        if let Some(first) = part.strip_prefix('^') {
            words.first() == Some(&first)
        } else if let Some(other) = part.strip_prefix('!') {
            !words.contains(&other)
        } else if part == "\"\"" {
            words.is_empty()
        } else if part.len() > 1 && part[1..].contains('+') {
            let parts: Vec<&str> = part.split('+').collect();
            words.windows(parts.len()).any(|window| window == parts)
        } else {
            words.contains(&part)
        }
    })
}

#[cfg(test)]
mod tests;
