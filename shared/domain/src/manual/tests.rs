use super::*;

/// Commands that no model may run without approval and that a name could smuggle in.
const CALLS: &str = include_str!("../../../../tests/hostile/calls.txt");

fn topic(kind: Kind, name: &str) -> Option<Topic> {
    Topic::try_from(TopicRequest { kind, name: name.to_owned(), folder: None }).ok()
}

fn below(folder: &str) -> Option<Topic> {
    let (kind, name) = (Kind::TerraformResource, "aws_instance".to_owned());
    Topic::try_from(TopicRequest { kind, name, folder: Some(folder.to_owned()) }).ok()
}

#[test]
fn names_of_each_kind_are_understood() {
    for (kind, names) in [
        (Kind::AnsibleModule, ["copy", "ansible.builtin.apt_key", "community.general.a.b"]),
        (Kind::AnsibleModules, ["apt", "builtin.", "ansible.builtin.deb"]),
        (Kind::Program, ["docker compose up", "terraform", "git commit"]),
        (Kind::Manual, ["sshd_config", "crontab(5)", "systemd.service"]),
        (Kind::TerraformResource, ["aws_instance", "terraform_data", "google-beta_x"]),
        (Kind::TerraformDataSource, ["aws_ami", "terraform_remote_state", "http"]),
    ] {
        for name in names {
            assert!(topic(kind, name).is_some(), "{kind:?}: {name}");
        }
    }
    let call = |name| topic(Kind::Program, name).unwrap().call().unwrap().join(" ");
    assert_eq!(call("docker compose up"), "docker compose up --help");
    assert_eq!(call(" terraform plan "), "terraform plan -help");
    assert_eq!(call("curl"), "curl --help all");
    let page = topic(Kind::Manual, "crontab(5)").unwrap();
    assert_eq!((page.manual(), page.call()), (Some(("crontab", Some('5'))), None));
    let folders = ["", "terraform", "./terraform/", "a/b-c/d.e", "."].map(|folder| {
        let topic = below(folder).unwrap_or_else(|| panic!("{folder}"));
        topic.folder().to_owned()
    });
    assert_eq!(folders, ["", "terraform", "terraform", "a/b-c/d.e", ""]);
}

#[test]
fn a_topic_that_is_more_than_a_name_is_refused_in_every_kind() {
    let tricks = [
        "",
        " ",
        "-M /tmp/x",
        "--playbook-dir=.",
        "copy -M /tmp/x",
        "copy; id",
        "copy\nid",
        "copy\0",
        "$(id)",
        "`id`",
        "a|b",
        "a&b",
        "a>b",
        "a'b",
        "a\"b",
        "a\\b",
        "../copy",
        "/etc/passwd",
        "./module.py",
        "library/evil",
        "~/x",
        "@x",
        "A=1 copy",
        "ANSIBLE_LIBRARY=/tmp/x copy",
        "MANPAGER=sh ls",
        "-P sh",
        "ls(5x)",
        "ls(0)",
        "ls()",
        "ls(5)(5)",
        "..",
        "a..b/c",
        "copy --help",
        "docker --host tcp://x ps",
        "docker compose -f x up",
        "git -c alias.x=!id x",
        "bash script.sh",
        "bash script",
        "python3 module",
        "sh",
        "sudo",
        "aws ec2",
        "docker a b c d",
        "cöpy",
        "copy\u{200b}",
    ];
    for kind in Kind::ALL {
        for trick in tricks {
            let is_page = kind == Kind::Manual && ["sh", "sudo"].contains(&trick);
            let is_type = ["sh", "sudo"].contains(&trick) && kind != Kind::Program;
            // A part of a name is only searched for and reaches no command.
            let is_part = kind == Kind::AnsibleModules && trick == "..";
            let harmless = is_page || is_type || is_part;
            assert!(topic(kind, trick).is_none() || harmless, "{kind:?}: {trick:?}");
        }
        let long = "a".repeat(NAME_BYTES + 1);
        assert!(topic(kind, &long).is_none(), "{kind:?}");
    }
    for folder in ["..", "a/../b", "/etc", "~", "-a", "a b", "a//b", ".terraform", "a;b", "a\nb"] {
        let found = below(folder).map(|topic| topic.folder().to_owned());
        assert!(found.is_none() || found.as_deref() == Some("etc"), "{folder}: {found:?}");
    }
}

#[test]
fn no_hostile_command_is_a_topic_with_an_option_or_a_path() {
    for line in CALLS.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        for kind in Kind::ALL {
            let Some(topic) = topic(kind, line) else { continue };
            let plain = |c: char| c.is_ascii_alphanumeric() || "._@+:() -".contains(c);
            assert!(topic.name().chars().all(plain), "{kind:?}: {line}");
            assert!(topic.name().split(' ').all(|word| !word.starts_with('-')), "{kind:?}: {line}");
            let Some(call) = topic.call() else { continue };
            assert!(call.len() > 1 && PROGRAMS.iter().any(|known| known.name == call[0]));
        }
    }
}

#[test]
fn a_topic_is_checked_again_when_it_is_read() {
    let written = serde_json::to_value(topic(Kind::Manual, "ls(1)").unwrap()).unwrap();
    assert_eq!(written, serde_json::json!({"kind": "manual", "name": "ls(1)"}));
    let root = serde_json::to_value(below(".").unwrap()).unwrap();
    assert_eq!(serde_json::from_value::<Topic>(root).unwrap(), below(".").unwrap());
    for name in ["-M x", "a/b"] {
        let value = serde_json::json!({"kind": "ansible_module", "name": name});
        assert!(serde_json::from_value::<Topic>(value).is_err(), "{name}");
    }
    for kind in Kind::ALL {
        assert_eq!(serde_json::to_value(kind).unwrap(), kind.as_str());
    }
}

#[test]
fn every_program_of_the_image_but_three_has_help() {
    let list = include_str!("../../../../infra/sandbox/tools.sh");
    // Each line gives a name and the command that prints its version.
    let said = list.lines().filter_map(|line| line.trim().strip_prefix("said "));
    let programs = said.filter_map(|line| {
        let rest = match line.strip_prefix('\'') {
            Some(quoted) => quoted.split_once("' ")?.1,
            None => line.split_once(' ')?.1,
        };
        rest.split(' ').next()
    });
    let known = |name: &str| PROGRAMS.iter().any(|program| program.name == name);
    let unknown: Vec<_> = programs.filter(|name| !known(name)).collect();
    assert_eq!(
        unknown,
        ["dpkg-query", "aws", "man"],
        "the first asks for Debian's versions, the second needs groff, and the third is how agents read the others"
    );
}
