//! `infra/set-parameters.sh` and `infra/replace-edge-secret.sh`, with a fake `aws` that keeps a stack's parameters.
//!
//! `tests/deploy/emulator` runs the second one against a stack.
use deploy_tests::repository;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output};
use tempfile::TempDir;

/// The stack `crew`, whose parameters are the lines of a file. The call with the number in `FAILS` fails.
const AWS: &str = r#"#!/bin/bash
echo "aws $*" >>"$ASKED"
if [ "$(wc --lines <"$ASKED")" -eq "$FAILS" ]; then echo "ServiceUnavailable" >&2; exit 254; fi
case "$*" in
*"[ParameterKey,ParameterValue]"*) cat "$STACK" ;;
*"ParameterKey=='EdgeSends'"*) sed --quiet 's/^EdgeSends\t//p' "$STACK" ;;
*DistributionId*) echo E2CREW ;;
*update-stack*)
  for word; do
    case $word in
    *,ParameterValue=*)
      name=${word#ParameterKey=} name=${name%%,*} value=${word#*,ParameterValue=}
      sed --in-place "s|^$name\t.*|$name\t${value//\\\\,/,}|" "$STACK" ;;
    esac
  done
  echo "changed $(tr '\t\n' '= ' <"$STACK")" >>"$CHANGES" ;;
esac
"#;

const BEFORE: &str = "EdgeRotation\t1\nEdgeSpareRotation\t1\nEdgeSends\tmain\nLogLevel\tinfo\n";

struct Crew {
    folder: TempDir,
}

impl Crew {
    fn new() -> Self {
        let crew = Self { folder: TempDir::new().unwrap() };
        let aws = crew.path("aws");
        std::fs::write(&aws, AWS).unwrap();
        std::fs::set_permissions(&aws, std::fs::Permissions::from_mode(0o755)).unwrap();
        std::fs::write(crew.path("stack"), BEFORE).unwrap();
        std::fs::write(crew.path("changes"), "").unwrap();
        crew
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }

    /// Runs a script, one of whose calls of `aws` fails: the one with this number.
    fn run(&self, script: &str, arguments: &[&str], fails: usize) -> Output {
        std::fs::write(self.path("asked"), "").unwrap();
        let mut command = Command::new(repository().join("infra").join(script));
        let path = std::env::var("PATH").unwrap();
        command.args(arguments).env("PATH", format!("{}:{path}", self.folder.path().display()));
        for name in ["asked", "stack", "changes"] {
            command.env(name.to_uppercase(), self.path(name));
        }
        command.env("FAILS", fails.to_string()).output().unwrap()
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    /// The value of a parameter in these lines, or in a line of `changes`.
    fn of(text: &str, name: &str) -> String {
        let mut words = text.split(['\n', ' ']).map(|word| word.replace('\t', "="));
        words.find_map(|word| word.strip_prefix(&format!("{name}="))?.to_owned().into()).unwrap()
    }
}

#[test]
fn only_the_named_parameters_change() {
    let crew = Crew::new();
    let output = crew.run("set-parameters.sh", &["crew", "LogLevel=debug,store=trace"], 0);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(crew.read("stack"), BEFORE.replace("info", "debug,store=trace"));
    let asked = crew.read("asked");
    let kept = ["EdgeRotation", "EdgeSpareRotation", "EdgeSends"];
    for name in kept {
        assert!(asked.contains(&format!("ParameterKey={name},UsePreviousValue=true")), "{asked}");
    }
    assert!(asked.contains(r"LogLevel,ParameterValue=debug\,store=trace"), "{asked}");
    assert!(asked.trim_end().ends_with("wait stack-update-complete --stack-name crew"), "{asked}");
}

#[test]
fn a_stack_that_has_the_values_is_not_updated() {
    let crew = Crew::new();
    assert!(crew.run("set-parameters.sh", &["crew", "LogLevel=info"], 0).status.success());
    assert_eq!(crew.read("changes"), "");
}

#[test]
fn an_unknown_parameter_changes_nothing() {
    let crew = Crew::new();
    let output = crew.run("set-parameters.sh", &["crew", "LogLevel=debug", "LogLevels=x"], 0);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no parameter LogLevels"));
    assert_eq!(crew.read("stack"), BEFORE);
    for words in [&["crew", "LogLevel"][..], &["crew", "=debug"]] {
        assert_eq!(crew.run("set-parameters.sh", words, 0).status.code(), Some(2), "{words:?}");
    }
}

/// After each update, the parameters, and which of the two secrets it replaced.
fn replaced(before: &str, after: &str) -> Vec<&'static str> {
    let rotations = [("main", "EdgeRotation"), ("spare", "EdgeSpareRotation")];
    let changed =
        rotations.iter().filter(|(_, name)| Crew::of(before, name) != Crew::of(after, name));
    changed.map(|(secret, _)| *secret).collect()
}

#[test]
fn both_secrets_of_the_edge_are_replaced_and_never_the_one_that_is_sent() {
    let calls = {
        let crew = Crew::new();
        assert!(crew.run("replace-edge-secret.sh", &["crew"], 0).status.success());
        crew.read("asked").lines().count()
    };
    assert!(calls > 8, "{calls}");
    for fails in 0..=calls {
        let crew = Crew::new();
        let output = crew.run("replace-edge-secret.sh", &["crew"], fails);
        assert_eq!(output.status.success(), fails == 0, "call {fails}");
        if fails > 0 {
            assert!(crew.run("replace-edge-secret.sh", &["crew"], 0).status.success(), "{fails}");
        }
        let end = crew.read("stack");
        assert_eq!(replaced(BEFORE, &end), ["main", "spare"], "call {fails}: {end}");
        let mut before = BEFORE.to_owned();
        for after in crew.read("changes").lines() {
            let sent = [Crew::of(&before, "EdgeSends"), Crew::of(after, "EdgeSends")];
            let replaced = replaced(&before, after);
            assert!(
                !replaced.iter().any(|one| sent.contains(&(*one).to_owned())),
                "{before} {after}"
            );
            before = after.to_owned();
        }
    }
}

#[test]
fn the_former_secret_is_replaced_when_every_location_sends_the_new_one() {
    let crew = Crew::new();
    assert!(crew.run("replace-edge-secret.sh", &["crew"], 0).status.success());
    let asked = crew.read("asked");
    let steps = ["distribution-deployed", "update-stack"];
    let done: Vec<_> =
        asked.lines().filter_map(|call| steps.iter().find(|step| call.contains(**step))).collect();
    let [waits, update] = [&steps[0], &steps[1]];
    assert_eq!(done, [waits, update, update, waits, update], "{asked}");
    assert!(asked.contains("distribution-deployed --id E2CREW"), "{asked}");
}
