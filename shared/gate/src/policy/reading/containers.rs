//! Finds the commands of Docker, Compose and Kubernetes that change something.

/// Options of Docker and Compose that take a value.
const DOCKER_VALUED: [&str; 11] = [
    "-c",
    "-f",
    "-H",
    "-p",
    "--context",
    "--env-file",
    "--file",
    "--host",
    "--profile",
    "--project-directory",
    "--project-name",
];

/// The words after a program's own options.
fn words<'a, 'b>(mut rest: &'a [&'b str], valued: &[&str]) -> &'a [&'b str] {
    while let Some(first) = rest.first().filter(|word| word.starts_with('-')) {
        let takes = usize::from(valued.contains(first) && rest.len() > 1);
        rest = &rest[1 + takes..];
    }
    rest
}

pub(super) fn containers(rest: &[&str]) -> bool {
    let lasting = [
        "build", "commit", "create", "import", "kill", "load", "pause", "prune", "pull", "push",
        "rename", "restart", "rm", "rmi", "start", "stop", "tag", "unpause", "update",
    ];
    let groups = [
        "builder",
        "container",
        "context",
        "image",
        "network",
        "secret",
        "service",
        "stack",
        "swarm",
        "system",
        "volume",
    ];
    let more = ["connect", "disconnect", "deploy", "init", "join", "leave", "remove", "scale"];
    match words(rest, &DOCKER_VALUED) {
        ["compose", rest @ ..] => compose(rest),
        // A container that is removed when it ends is scratch.
        ["run", rest @ ..] => !rest.contains(&"--rm"),
        [group, verb, ..] if groups.contains(group) => {
            lasting.contains(verb) || more.contains(verb)
        }
        [verb, ..] => lasting.contains(verb),
        [] => false,
    }
}

pub(super) fn compose(rest: &[&str]) -> bool {
    let lasting = [
        "build", "create", "down", "kill", "pause", "pull", "push", "restart", "rm", "scale",
        "start", "stop", "unpause", "up", "watch",
    ];
    match words(rest, &DOCKER_VALUED) {
        ["run", rest @ ..] => !rest.contains(&"--rm"),
        [verb, ..] => lasting.contains(verb),
        [] => false,
    }
}

/// Options of kubectl that take a value.
const CLUSTER_VALUED: [&str; 6] =
    ["-n", "--namespace", "--context", "--kubeconfig", "--cluster", "--user"];

pub(super) fn cluster(rest: &[&str]) -> bool {
    let lasting = [
        "annotate",
        "apply",
        "autoscale",
        "cordon",
        "create",
        "delete",
        "drain",
        "edit",
        "expose",
        "label",
        "patch",
        "replace",
        "scale",
        "set",
        "taint",
        "uncordon",
    ];
    match words(rest, &CLUSTER_VALUED) {
        ["rollout", verb, ..] => ["pause", "restart", "resume", "undo"].contains(verb),
        ["run", rest @ ..] => !rest.contains(&"--rm"),
        [verb, ..] => lasting.contains(verb),
        [] => false,
    }
}
