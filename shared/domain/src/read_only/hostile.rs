//! Commands that need approval in every place, grouped by the trick that they try.

use super::{Place, Reading};

/// One command per line; the test suite with a hostile model uses the same list.
const CALLS: &str = include_str!("../../../../tests/hostile/calls.txt");

/// The least number of tricks in the table, each in a different command.
const LEAST: usize = 300;

fn calls() -> Vec<String> {
    let lines = CALLS.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(unescaped).collect()
}

/// A line of the table, as a model would write it.
fn unescaped(line: &str) -> String {
    let mut text = String::new();
    let mut rest = line.chars();
    while let Some(c) = rest.next() {
        if c != '\\' {
            text.push(c);
            continue;
        }
        text.push(match rest.next().unwrap() {
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'x' => code(&rest.by_ref().take(2).collect::<String>()),
            'u' => {
                code(rest.by_ref().skip(1).take_while(|c| *c != '}').collect::<String>().as_str())
            }
            c => c,
        });
    }
    text
}

fn code(hex: &str) -> char {
    char::from_u32(u32::from_str_radix(hex, 16).unwrap()).unwrap()
}

#[test]
fn every_other_command_needs_approval() {
    let hostile: std::collections::BTreeSet<_> = calls().into_iter().collect();
    assert!(hostile.len() >= LEAST, "{}", hostile.len());
    for place in [Place::Sandbox, Place::Server, Place::Terminal] {
        let passed: Vec<_> =
            hostile.iter().filter(|command| Reading::of(command, place).is_some()).collect();
        assert!(passed.is_empty(), "{place:?}: taken for reading: {passed:#?}");
    }
}

#[test]
fn no_hostile_command_passes_beside_a_harmless_one() {
    for command in calls() {
        for line in [
            format!("ls; {command}"),
            format!("{command} | head"),
            format!("true && {command} || true"),
            format!("cat a.txt | {command}"),
        ] {
            assert!(Reading::of(&line, Place::Sandbox).is_none(), "{line:?}");
        }
    }
}

#[test]
fn without_confinement_fewer_commands_pass_as_reading() {
    let not_in = |place, commands: &[&str]| {
        for command in commands {
            assert!(Reading::of(command, place).is_none(), "{place:?}: {command}");
        }
    };
    not_in(
        Place::Server,
        &[
            "cat main.tf",
            "jq .a b.json",
            "tree .",
            "strings a",
            "file a",
            "cd a",
            "cat relative.log",
        ],
    );
    let outward = [
        "curl http://localhost/",
        "jq .a b.json",
        "docker ps",
        "terraform version",
        "ps -e",
        "cd a",
    ];
    not_in(Place::Terminal, &outward);
    not_in(
        Place::Sandbox,
        &[
            "docker ps",
            "journalctl -n 5",
            "systemctl status x",
            "crontab -l",
            "cat /var/log/a.log",
            "ls /etc",
            "terraform show",
            "terraform show tfplan",
            "terraform -chdir=terraform show -json tfplan",
            "terraform state list",
            "terraform state pull",
            "terraform output",
        ],
    );
}

#[test]
fn a_program_that_reads_only_a_pipe_needs_one() {
    for place in [Place::Sandbox, Place::Server, Place::Terminal] {
        for command in ["uniq", "uniq -c", "column", "column -t"] {
            assert!(Reading::of(command, place).is_none(), "{place:?}: {command}");
            for joint in [";", "&&", "||"] {
                let line = format!("uptime {joint} {command}");
                assert!(Reading::of(&line, place).is_none(), "{place:?}: {line}");
            }
            assert!(Reading::of(&format!("uptime | {command}"), place).is_some(), "{command}");
        }
    }
}

#[test]
fn every_name_that_is_closed_to_a_reader_needs_approval() {
    for name in [
        "store.jks",
        "team.kdbx",
        "deploy.ppk",
        "AuthKey_1.p8",
        "client.ovpn",
        "wallet.dat",
        "htpasswd",
        "my.netrc",
        "pgpass.conf",
        "a.agekey",
        "store.jceks",
        "store.bks",
        "x.pkcs8",
        "host_dsa",
    ] {
        assert!(!crate::private_files::is_shown(name, false), "{name}");
        for command in [format!("cat {name}"), format!("cat a/{name}/b"), format!("ls -l {name}")] {
            assert!(Reading::of(&command, Place::Sandbox).is_none(), "{command}");
        }
        let url = format!("curl http://localhost:8000/{name}");
        assert!(Reading::of(&url, Place::Server).is_none(), "{url}");
    }
}
