//! `infra/publish-sandbox.sh`, with a fake `docker` and a fake `aws` that record their calls.
//!
//! `tests/deploy/emulator` runs it against an engine and a registry, for the one architecture that the machine has.
use deploy_tests::repository;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

const REPOSITORY: &str = "123456789012.dkr.ecr.eu-central-1.amazonaws.com/crew-sandbox";
const DIGEST: &str = "sha256:0123";

/// Every `docker` command succeeds except the one in `FAILS`; it reads a password if its arguments announce one.
const DOCKER: &str = r#"#!/bin/sh
echo "docker $*" >>"$ASKED"
case "$*" in *--password-stdin*) echo "password $(cat)" >>"$ASKED" ;; esac
[ "$1" != "$FAILS" ]
"#;

/// The stack `crew`, its repository, and a registry that has the pushed image.
const AWS: &str = r#"#!/bin/sh
case "$*" in
*SandboxRepositoryUri*) echo "$REPOSITORY" ;;
*"ParameterKey=='Architecture'"*) echo "$ARCHITECTURE" ;;
*"[ParameterKey,ParameterValue]"*)
  [ "$FAILS" != parameters ] || exit 254
  printf 'Architecture\t%s\nSandboxImage\t%s\nLogLevel\tinfo\n' "$ARCHITECTURE" "$RUNS" ;;
*get-login-password*) echo secret ;;
*describe-images*) echo "aws $*" >>"$ASKED"; echo "$DIGEST" ;;
*update-stack*|*stack-update-complete*) echo "aws $*" >>"$ASKED" ;;
*) echo "no one answers: aws $*" >&2; exit 254 ;;
esac
"#;

struct Publication {
    output: Output,
    /// The calls of `docker`, and those of `aws` about the image and the stack, in order.
    asked: Vec<String>,
}

fn program(folder: &Path, name: &str, script: &str) {
    let file = folder.join(name);
    std::fs::write(&file, script).unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// Publishes for a stack of this architecture that runs this image. One Docker command may fail, or the call that lists
/// the stack's parameters.
fn publish(architecture: &str, runs: &str, fails: &str) -> Publication {
    let folder = TempDir::new().unwrap();
    program(folder.path(), "docker", DOCKER);
    program(folder.path(), "aws", AWS);
    let asked = folder.path().join("asked");
    std::fs::write(&asked, "").unwrap();
    let path = std::env::var("PATH").unwrap();
    let mut script = Command::new(repository().join("infra/publish-sandbox.sh"));
    script.args(["crew", "--build-arg", "BASE_IMAGE=mirror/debian"]);
    script.env("PATH", format!("{}:{path}", folder.path().display())).env("ASKED", &asked);
    script.envs([("ARCHITECTURE", architecture), ("RUNS", runs), ("FAILS", fails)]);
    let output = script.envs([("REPOSITORY", REPOSITORY), ("DIGEST", DIGEST)]).output().unwrap();
    let asked = std::fs::read_to_string(asked).unwrap().lines().map(str::to_owned).collect();
    Publication { output, asked }
}

#[test]
fn the_stack_runs_what_was_pushed_by_its_digest_and_keeps_everything_else() {
    let Publication { output, asked } = publish("x86_64", "", "");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let [build, login, password, push, digest, update, wait] = asked.as_slice() else {
        panic!("{asked:?}")
    };
    let pushed = push.strip_prefix("docker push ").unwrap();
    let (repository, tag) = pushed.rsplit_once(':').unwrap();
    assert_eq!(repository, REPOSITORY);
    assert_eq!(
        build,
        &format!(
            "docker build --platform linux/amd64 --file infra/sandbox/Dockerfile --tag {pushed} \
             --build-arg BASE_IMAGE=mirror/debian ."
        )
    );
    let (registry, name) = REPOSITORY.split_once('/').unwrap();
    assert_eq!(login, &format!("docker login --username AWS --password-stdin {registry}"));
    assert_eq!(password, "password secret");
    let wanted = format!("--repository-name {name} --image-ids imageTag={tag} ");
    assert!(digest.contains(&wanted), "{digest}");
    let parameters = format!(
        "--parameters ParameterKey=Architecture,UsePreviousValue=true \
         ParameterKey=SandboxImage,ParameterValue={REPOSITORY}@{DIGEST} \
         ParameterKey=LogLevel,UsePreviousValue=true"
    );
    assert!(update.contains("update-stack --stack-name crew --use-previous-template"), "{update}");
    assert!(update.ends_with(&parameters), "{update}");
    assert!(wait.contains("wait stack-update-complete --stack-name crew"), "{wait}");
    let printed = String::from_utf8(output.stdout).unwrap();
    assert_eq!(printed, format!("{REPOSITORY}@{DIGEST}\n"));
}

#[test]
fn the_image_has_the_architecture_of_the_stack() {
    let built = publish("arm64", "", "").asked.remove(0);
    assert!(built.starts_with("docker build --platform linux/arm64 "), "{built}");
    let unknown = publish("riscv64", "", "");
    assert!(!unknown.output.status.success());
    assert!(unknown.asked.is_empty(), "{:?}", unknown.asked);
    let why = String::from_utf8(unknown.output.stderr).unwrap();
    assert!(why.contains("riscv64"), "{why}");
}

#[test]
fn a_failed_publication_leaves_the_stack_unchanged() {
    for fails in ["build", "login", "push", "parameters"] {
        let Publication { output, asked } = publish("x86_64", "", fails);
        assert!(!output.status.success(), "{fails}");
        assert!(!asked.iter().any(|line| line.contains("update-stack")), "{fails}: {asked:?}");
    }
}

#[test]
fn an_image_that_the_stack_runs_already_updates_nothing() {
    let Publication { output, asked } = publish("x86_64", &format!("{REPOSITORY}@{DIGEST}"), "");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(asked.last().unwrap().contains("describe-images"), "{asked:?}");
}
