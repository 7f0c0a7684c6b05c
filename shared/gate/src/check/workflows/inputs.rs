//! Finds inputs of common actions that have almost another name.

use super::Mistakes;
use crate::check::spelling::nearest;
use crate::yaml::Node;

/// Actions and their inputs. A list may lack some, so only a name that is close to one of them is found.
const ACTIONS: [(&str, &str); 13] = [
    (
        "actions/cache",
        "enableCrossOsArchive fail-on-cache-miss key lookup-only path restore-keys save-always upload-chunk-size",
    ),
    (
        "actions/checkout",
        "clean fetch-depth fetch-tags filter lfs path persist-credentials ref repository set-safe-directory sparse-checkout ssh-key submodules token",
    ),
    (
        "actions/download-artifact",
        "artifact-ids github-token merge-multiple name path pattern repository run-id",
    ),
    (
        "actions/setup-go",
        "architecture cache cache-dependency-path check-latest go-version go-version-file token",
    ),
    (
        "actions/setup-java",
        "architecture cache check-latest distribution gpg-private-key java-package java-version java-version-file server-id",
    ),
    (
        "actions/setup-node",
        "always-auth architecture cache cache-dependency-path check-latest node-version node-version-file registry-url scope token",
    ),
    (
        "actions/setup-python",
        "allow-prereleases architecture cache cache-dependency-path check-latest python-version python-version-file token update-environment",
    ),
    (
        "actions/upload-artifact",
        "compression-level if-no-files-found include-hidden-files name overwrite path retention-days",
    ),
    (
        "aws-actions/configure-aws-credentials",
        "audience aws-access-key-id aws-region aws-secret-access-key aws-session-token mask-aws-account-id output-credentials role-duration-seconds role-session-name role-to-assume",
    ),
    (
        "docker/build-push-action",
        "add-hosts allow attests build-args build-contexts builder cache-from cache-to context file labels load network no-cache outputs platforms provenance pull push sbom secrets shm-size ssh tags target ulimit",
    ),
    ("docker/login-action", "ecr logout password registry username"),
    ("docker/metadata-action", "annotations bake-target context flavor images labels tags"),
    (
        "hashicorp/setup-terraform",
        "cli_config_credentials_hostname cli_config_credentials_token terraform_version terraform_wrapper",
    ),
];

pub(super) fn mistakes(job: &Node) -> Mistakes {
    let mut found = Vec::new();
    for step in job.get("steps").map(Node::list).unwrap_or_default() {
        let action = step.get("uses").and_then(Node::text).unwrap_or_default();
        let name = action.split('@').next().unwrap_or_default();
        let Some((_, inputs)) = ACTIONS.iter().find(|(known, _)| *known == name) else { continue };
        let known: Vec<&str> = inputs.split(' ').collect();
        for entry in step.get("with").map(Node::map).unwrap_or_default() {
            let key = entry.key.as_str();
            let part = |one: &&&str| {
                one.ends_with(&format!("-{key}")) || one.ends_with(&format!("_{key}"))
            };
            let near = nearest(key, &known).or_else(|| known.iter().find(part).copied());
            if let Some(near) = near.filter(|_| !known.contains(&key)) {
                let message = format!("`{name}` has no input `{key}`, but it has `{near}`.");
                found.push((entry.line, message));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    #[test]
    fn actions_have_their_inputs() {
        let said = |action: &str, input: &str| {
            let text = format!(
                "cat >.github/workflows/a.yml <<'E'\non: push\njobs:\n  a:\n    runs-on: ubuntu-24.04\n    steps:\n      - uses: {action}@v1\n        with:\n          {input}: a\nE\n"
            );
            crate::testing::said(super::super::examine, &text).len()
        };
        assert_eq!(said("hashicorp/setup-terraform", "version"), 1);
        assert_eq!(said("actions/setup-node", "node_version"), 1);
        assert_eq!(said("actions/checkout", "fetch-dept"), 1);
        assert_eq!(said("actions/checkout", "fetch-depth"), 0);
        assert_eq!(said("actions/checkout", "something-new"), 0);
        assert_eq!(said("own/action", "version"), 0);
    }
}
