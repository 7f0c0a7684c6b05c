//! Finds irreversible actions in a step that has another purpose.

mod applications;
mod formats;
mod kept;
mod lessened;
mod order;
mod places;
mod programs;
mod removals;
mod renewed;

use crate::check::{error, task_documents, tasks, warning};
use crate::hcl::{self, attribute};
use crate::yaml::Node;
use crate::{POLICY, Unit};
use domain::gate::Finding;
use kept::Kept;
use places::{is_root, mirrors, swept};
use programs::destroyed;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    if unit.context.destroys() {
        return;
    }
    let kept = Kept::new(unit);
    let texts: String = unit.texts().collect::<Vec<_>>().join("\n");
    for shell in unit.everywhere() {
        let guarded = formats::guarded(&shell.script);
        for (at, command) in shell.script.commands.iter().enumerate() {
            let argv = command.argv();
            let what = destroyed(&argv)
                .filter(|_| !guarded.contains(&at))
                .or_else(|| kept.deleted(&argv, &shell.script))
                .or_else(|| removals::command(&argv))
                .or_else(|| removals::reinstalled(&argv, &texts))
                .or_else(|| applications::command(&argv))
                .or_else(|| lessened::command(&argv))
                .or_else(|| swept(&argv, &texts));
            if let Some(what) = what {
                let line = command.line + shell.offset;
                findings.push(destructive(&what).at(shell.file.as_deref(), line));
            }
        }
    }
    for (line, file) in renewed::secrets(unit) {
        let message = format!(
            "A second run replaces the secret in `{file}`, which is in use by then: keep it with `[ -s {file} ] ||`."
        );
        findings.push(error(POLICY, message).at(None, line));
    }
    statements(unit, findings);
    playbooks(unit, &kept, findings);
    for (file, line, what) in removals::blocks(unit).into_iter().chain(applications::written(unit))
    {
        findings.push(destructive(&what).at(Some(&file), line));
    }
    lessened::examine(unit, findings);
    guards(unit, findings);
}

fn destructive(what: &str) -> Finding {
    error(POLICY, format!("{what}, and this step is not meant to destroy anything."))
}

/// SQL statements that delete data.
const STATEMENTS: [&str; 10] = [
    "DROP COLLECTION",
    "DROP COLUMN",
    "DROP DATABASE",
    "DROP KEYSPACE",
    "DROP SCHEMA",
    "DROP TABLE",
    "DROP USER",
    "DROP ROLE",
    "DROP OWNED",
    "TRUNCATE TABLE",
];

/// Parts of names of test copies.
const COPIES: [&str; 6] = ["CHECK", "COPY", "RESTORE", "SCRATCH", "TEST", "TMP"];

/// Whether an upper-case text begins with the name of a test copy.
pub(super) fn names_a_copy(text: &str) -> bool {
    let text = text.strip_prefix("IF NOT EXISTS").unwrap_or(text).trim_start();
    let name = text.split([' ', ';', '"', '\'', ')', '(']).next().unwrap_or_default();
    COPIES.iter().any(|part| name.contains(part))
}

/// Whether what a line drops, from `at` on, is a copy: by its name, or because the same script has created it.
fn is_copy(line: &str, at: usize, whole: &str) -> bool {
    let after = line.get(at..).unwrap_or_default().trim_start();
    let after = after.strip_prefix("IF EXISTS").unwrap_or(after).trim_start();
    let name = after.split([' ', ';', '"', '\'', ')']).next().unwrap_or_default();
    let made = ["CREATE DATABASE ", "CREATE SCHEMA ", "CREATE TABLE "];
    !name.is_empty()
        && (names_a_copy(name)
            || made.iter().any(|create| whole.contains(&format!("{create}{name}"))))
}

/// Whether an upper-case line empties a table: a statement, neither a right nor the program of this name.
fn empties(upper: &str, whole: &str) -> bool {
    upper.match_indices("TRUNCATE ").any(|(at, sign)| {
        let before = upper[..at].trim_end();
        let begins =
            before.is_empty() || before.ends_with([';', '"', '\'', '`']) || before == "BEGIN";
        let after = upper[at + sign.len()..].trim_start();
        let name = |c: char| c.is_ascii_alphanumeric() || "_.\"`".contains(c);
        let rest = after.trim_start_matches(name).trim_start();
        let ends = ["", ";", ",", "\"", "'", "RESTART", "CASCADE", "CONTINUE"];
        let table = after.starts_with(name) && !after.starts_with("ON ");
        let ended =
            ends.iter().any(|end| rest == *end || (!end.is_empty() && rest.starts_with(end)));
        begins && table && ended && !is_copy(upper, at + sign.len(), whole)
    })
}

fn statements(unit: &Unit, findings: &mut Vec<Finding>) {
    // What the script has created before the line.
    let mut whole = String::new();
    for (at, line) in unit.text.lines().enumerate() {
        let bare = line.trim_start();
        whole.push_str(&line.to_uppercase());
        whole.push('\n');
        if bare.starts_with('#') || bare.starts_with("--") {
            continue;
        }
        let upper = line.to_uppercase();
        let found = STATEMENTS.iter().find(|words| {
            upper
                .match_indices(**words)
                .any(|(from, _)| !is_copy(&upper, from + words.len(), &whole))
        });
        // Not the names of commands that are taken away from users.
        let denied = ["RENAME-COMMAND", "ACL ", "-FLUSH", "USER "];
        let flushes = upper
            .split(|c: char| !c.is_ascii_alphanumeric())
            .any(|word| ["FLUSHALL", "FLUSHDB"].contains(&word))
            && !denied.iter().any(|sign| upper.contains(sign));
        let all = ["WHERE TRUE", "WHERE 1=1", "WHERE 1 = 1"];
        // What a variable asks for when it is missing is a sentence.
        let told = upper.find("DELETE FROM").is_some_and(|at| {
            let said = upper[..at].rfind(":?");
            said.is_some_and(|from| !upper[from..at].contains('}'))
        });
        let everything = upper.contains("DELETE FROM")
            && !told
            && (!upper.contains("WHERE") || all.iter().any(|sign| upper.contains(sign)));
        let piped = places::piped(line);
        let what = found
            .copied()
            .or(empties(&upper, &whole).then_some("TRUNCATE"))
            .or(everything.then_some("DELETE FROM without WHERE"))
            .or(flushes.then_some("FLUSHALL"))
            .or(piped.then_some("rm"));
        if let Some(what) = what {
            findings.push(destructive(&format!("`{what}` destroys data")).at(None, at + 1));
        }
        if let Some(what) = order::newest(line) {
            findings.push(destructive(&what).at(None, at + 1));
        }
    }
}

/// Ansible tasks that delete data.
fn playbooks(unit: &Unit, kept: &Kept, findings: &mut Vec<Finding>) {
    for file in &unit.files {
        for (line, what) in removals::run(file) {
            findings.push(destructive(&what).at(Some(&file.path), line));
        }
        let Some(documents) = task_documents(file) else { continue };
        let all = tasks(&documents, file);
        let made: Vec<&str> = all.iter().filter_map(removals::folder).collect();
        for task in all {
            let Some((module, given)) = task.module() else { continue };
            let short = module.rsplit('.').next().unwrap_or(module);
            let says =
                |key: &str, wanted: &str| given.get(key).and_then(Node::text) == Some(wanted);
            let absent = says("state", "absent");
            let path = given.get("path").or_else(|| given.get("dest")).and_then(Node::text);
            let what = match short {
                "file" => {
                    // `/srv/app` has what the application keeps, `/srv/app/old` is a part of it.
                    let whole = |path: &str| {
                        ["/srv/", "/home/", "/var/www/"].iter().any(|above| {
                            path.strip_prefix(above).is_some_and(|rest| {
                                !rest.trim_end_matches('/').contains(['/', '{'])
                            })
                        })
                    };
                    absent
                        && path.is_some_and(|path| {
                            is_root(path)
                                || whole(path)
                                || kept.absent(path)
                                || removals::is_needed(path, &made, file, &task)
                        })
                }
                "mysql_db" | "postgresql_db" | "postgresql_schema" | "docker_volume" | "lvol"
                | "lvg" | "s3_bucket" | "rds_instance" | "zfs" | "user" => absent,
                "ec2_instance" => absent || says("state", "terminated"),
                "filesystem" => says("force", "true") || says("force", "yes"),
                "synchronize" => {
                    let deletes = says("delete", "true") || says("delete", "yes");
                    deletes && path.is_some_and(|path| mirrors(&["--delete", path]))
                }
                "docker_compose_v2" => says("remove_volumes", "true"),
                _ => false,
            };
            if what {
                let destructive =
                    destructive(&format!("This task of `{short}` destroys what is there"));
                findings.push(destructive.at(Some(&file.path), task.node.line));
            }
        }
    }
}

/// Attributes of Terraform resources that let data be deleted with them.
fn guards(unit: &Unit, findings: &mut Vec<Finding>) {
    let (files, _) = hcl::parse(&unit.files);
    for parsed in &files {
        for (_, block) in parsed.blocks() {
            for (key, open) in [
                ("force_destroy", "true"),
                ("skip_final_snapshot", "true"),
                ("deletion_protection", "false"),
                ("force_delete", "true"),
            ] {
                if attribute(&block.body, key).is_some_and(|value| value == open) {
                    let message = format!("`{key} = {open}` deletes the data with the resource.");
                    let line = parsed.line_of(key);
                    findings.push(warning(POLICY, message).at(Some(&parsed.file.path), line));
                }
            }
        }
    }
}
