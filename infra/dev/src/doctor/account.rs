//! Checks a deployed stack, in the order in which it is set up: deployment, sandbox image, secrets, web application.

use super::Finding;
use std::path::PathBuf;
use std::process::Command;

/// The output with the id of the model key's secret. A model on Bedrock has none.
const MODEL_KEY: (&str, &str) = ("ModelApiKeySecretId", "the model's key");

/// The other outputs with the id of a secret, and what the secret is.
const SECRETS: [(&str, &str); 5] = [
    ("GithubClientSecretId", "the GitHub App's client secret"),
    ("GithubWebhookSecretId", "the GitHub App's webhook secret"),
    ("GithubPrivateKeySecretId", "the GitHub App's private key, for pushes to repositories"),
    ("StripeApiKeySecretId", "Stripe's secret API key"),
    ("StripeWebhookSecretId", "the signing secret of Stripe's webhook"),
];

/// The smallest account concurrency that leaves AWS's own hundred besides the template's reservations.
const CONCURRENCY: u32 = 945;

/// A stack in the account that the `aws` command uses.
pub struct Account<'a> {
    stack: &'a str,
    aws: PathBuf,
}

impl<'a> Account<'a> {
    /// Uses the `aws` command on the path.
    pub fn new(stack: &'a str) -> Self {
        Self { stack, aws: "aws".into() }
    }

    /// The findings. A check that depends on something missing is left out.
    pub fn findings(&self, site: Option<&str>) -> Vec<Finding> {
        let mut findings = Vec::new();
        match self.ask(&["sts", "get-caller-identity", "--query", "Account"]) {
            Ok(account) => findings.push(Finding::good(format!("the account {account}"))),
            Err(error) => {
                findings.push(Finding::missing("access to an account", error));
                return findings;
            }
        }
        findings.push(self.concurrency());
        match self.describe("Stacks[0].StackStatus") {
            Ok(status) => {
                let finding = self.status(&status);
                let stands = finding.remedy.is_none() || finding.optional;
                findings.push(finding);
                if !stands {
                    return findings;
                }
            }
            Err(error) => {
                let remedy = format!("sam build && sam deploy --guided ({error})");
                findings.push(Finding::missing(format!("the stack {}", self.stack), remedy));
                return findings;
            }
        }
        findings.push(self.image());
        findings.push(self.model());
        findings.extend(SECRETS.map(|(output, what)| self.secret(output, what)));
        findings.push(self.web());
        findings.push(self.health(site));
        findings
    }

    /// What the stack's status means. After an update that failed, the version before it runs.
    fn status(&self, status: &str) -> Finding {
        let stack = self.stack;
        let incomplete = || format!("a complete stack; this one is {status}");
        let cause = "find the cause with aws cloudformation describe-stack-events";
        match status {
            "CREATE_COMPLETE" | "UPDATE_COMPLETE" | "IMPORT_COMPLETE" => {
                Finding::good(format!("the stack {stack}: {status}"))
            }
            "UPDATE_ROLLBACK_COMPLETE" | "IMPORT_ROLLBACK_COMPLETE" => Finding::missing(
                format!("the last deployment; {stack} runs the version before it ({status})"),
                format!("{cause}; see docs/operations.md, \"Rollback\""),
            )
            .or_without(),
            // The first deployment failed. CloudFormation refuses another one, and nothing runs yet.
            "ROLLBACK_COMPLETE" => Finding::missing(
                incomplete(),
                format!(
                    "{cause}; then aws cloudformation delete-stack --stack-name {stack}, and deploy again"
                ),
            ),
            _ => Finding::missing(
                incomplete(),
                format!("{cause}; see docs/operations.md, \"Rollback\""),
            ),
        }
    }

    fn concurrency(&self) -> Finding {
        let query =
            ["lambda", "get-account-settings", "--query", "AccountLimit.ConcurrentExecutions"];
        match self.ask(&query).map(|limit| (limit.parse::<u32>(), limit)) {
            Ok((Ok(limit), _)) if limit >= CONCURRENCY => {
                Finding::good(format!("{limit} functions can run at once"))
            }
            Ok((_, limit)) => Finding::missing(
                format!("a quota above {limit} functions at once"),
                "request an increase in Service Quotas, and deploy with ReserveConcurrency=false until then",
            )
            .or_without(),
            Err(error) => Finding::missing("the account's concurrency", error).or_without(),
        }
    }

    fn image(&self) -> Finding {
        let what = "the sandbox image";
        let publish = format!("infra/publish-sandbox.sh {}", self.stack);
        let image = match self.parameter("SandboxImage") {
            Ok(image) if image.contains("@sha256:") => image,
            Ok(_) => return Finding::missing(what, publish),
            Err(error) => return Finding::missing(what, error),
        };
        let (repository, digest) = image.split_once('@').unwrap_or_default();
        // The operator takes care of an image in another registry.
        let Some((_, name)) = repository.split_once(".amazonaws.com/") else {
            return Finding::good(format!("{what}: {image}"));
        };
        let wanted = format!("imageDigest={digest}");
        let query = [
            "ecr",
            "describe-images",
            "--repository-name",
            name,
            "--image-ids",
            &wanted,
            "--query",
            "imageDetails[0].imagePushedAt",
        ];
        match self.ask(&query) {
            Ok(pushed) => Finding::good(format!("{what}, pushed {pushed}")),
            Err(error) => Finding::missing(
                format!("{what} that the stack uses"),
                format!("{publish} ({error})"),
            ),
        }
    }

    /// Whether the functions can call the model: with its key, or with permissions of their roles.
    fn model(&self) -> Finding {
        let (output, what) = MODEL_KEY;
        match self.parameter("ModelProvider").as_deref() {
            Ok("bedrock") => match self.parameter("BedrockModelArns") {
                Ok(models) if !models.is_empty() => {
                    Finding::good(format!("permission to call {models}"))
                }
                Ok(_) => Finding::missing(
                    "permission to call the model",
                    "deploy with BedrockModelArns (docs/configuration.md, \"Models on Bedrock\")",
                ),
                Err(error) => Finding::missing("permission to call the model", error),
            },
            _ => self.secret(output, what),
        }
    }

    fn secret(&self, output: &str, what: &str) -> Finding {
        let id = match self.output(output) {
            Ok(id) => id,
            Err(error) => return Finding::missing(what, error),
        };
        let query = "length(Versions[?contains(VersionStages, 'AWSCURRENT')])";
        let asked =
            ["secretsmanager", "list-secret-version-ids", "--secret-id", &id, "--query", query];
        match self.ask(&asked).as_deref() {
            Ok("0") => Finding::missing(
                what,
                format!(
                    "aws secretsmanager put-secret-value --secret-id {id} --secret-string file://value"
                ),
            ),
            Ok(_) => Finding::good(format!("{what} has a value")),
            Err(error) => Finding::missing(what, error),
        }
    }

    fn web(&self) -> Finding {
        let publish = format!("infra/publish-web.sh {}", self.stack);
        let page = self.output("WebBucketName").and_then(|bucket| {
            self.ask(&[
                "s3api",
                "head-object",
                "--bucket",
                &bucket,
                "--key",
                "index.html",
                "--query",
                "LastModified",
            ])
        });
        match page {
            Ok(when) => Finding::good(format!("the web application, published {when}")),
            Err(_) => Finding::missing("the web application", publish),
        }
    }

    fn health(&self, site: Option<&str>) -> Finding {
        let site = match site.map_or_else(|| self.output("SiteUrl"), |site| Ok(site.to_owned())) {
            Ok(site) => site,
            Err(error) => return Finding::missing("the site's address", error),
        };
        let url = format!("{}/api/health", site.trim_end_matches('/'));
        let mut curl = Command::new("curl");
        curl.args([
            "--silent",
            "--show-error",
            "--fail",
            "--max-time",
            "10",
            "--output",
            "/dev/null",
            &url,
        ]);
        match run(&mut curl) {
            Ok(_) => Finding::good(format!("{site} answers")),
            Err(error) => Finding::missing(
                format!("an answer from {url}"),
                format!(
                    "{error}; a new distribution takes minutes to deploy. See docs/runbooks.md, \"A function fails\""
                ),
            ),
        }
    }

    fn output(&self, name: &str) -> Result<String, String> {
        let value =
            self.describe(&format!("Stacks[0].Outputs[?OutputKey=='{name}'].OutputValue"))?;
        if value.is_empty() {
            Err(format!("the stack has no output {name}: deploy this version"))
        } else {
            Ok(value)
        }
    }

    fn parameter(&self, name: &str) -> Result<String, String> {
        let query = format!("Stacks[0].Parameters[?ParameterKey=='{name}'].ParameterValue");
        self.describe(&query)
    }

    fn describe(&self, query: &str) -> Result<String, String> {
        self.ask(&[
            "cloudformation",
            "describe-stacks",
            "--stack-name",
            self.stack,
            "--query",
            query,
        ])
    }

    fn ask(&self, arguments: &[&str]) -> Result<String, String> {
        // Version 2 would show its answer in a pager otherwise.
        let mut aws = Command::new(&self.aws);
        run(aws.env("AWS_PAGER", "").args(arguments).args(["--output", "text"]))
    }
}

/// A program's output; if it fails, the last line of its error output. `None` is how `aws` prints an empty value.
fn run(command: &mut Command) -> Result<String, String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| format!("{program} cannot be run: {error}"))?;
    if output.status.success() {
        let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        return Ok(if text == "None" { String::new() } else { text });
    }
    let complaint = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    let last = complaint.lines().last().unwrap_or("no message").trim();
    Err(last.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    /// A fake `aws` that answers according to these lines of a shell's `case`.
    fn findings(cases: &str) -> Vec<Finding> {
        let folder = tempfile::tempdir().unwrap();
        let aws = folder.path().join("aws");
        let script = format!(
            "#!/bin/sh\ncase \"$*\" in\n{cases}\n*) echo \"no such call: $*\" >&2; exit 254;;\nesac\n"
        );
        std::fs::write(&aws, script).unwrap();
        std::fs::set_permissions(&aws, std::fs::Permissions::from_mode(0o755)).unwrap();
        // Nothing listens on a port that cannot be reached.
        Account { stack: "crew", aws }.findings(Some("http://127.0.0.1:1"))
    }

    const DEPLOYED: &str = "*get-caller-identity*) echo 123456789012;;
*get-account-settings*) echo 1000;;
*StackStatus*) echo UPDATE_COMPLETE;;
*OutputKey==*SecretId*) echo arn:secret;;
*OutputKey==*WebBucketName*) echo bucket;;";

    fn missing(findings: &[Finding]) -> Vec<(&str, &str)> {
        let lines =
            findings.iter().filter_map(|one| Some((one.what.as_str(), one.remedy.as_deref()?)));
        lines.collect()
    }

    #[test]
    fn without_credentials_the_account_gets_no_further_calls() {
        let found =
            findings("*get-caller-identity*) echo 'Unable to locate credentials' >&2; exit 253;;");
        assert_eq!(missing(&found), [("access to an account", "Unable to locate credentials")]);
        assert_eq!(found.len(), 1);
    }

    #[test]
    fn a_new_deployment_gets_a_list_of_the_remaining_steps() {
        let cases = format!(
            "{DEPLOYED}
*SandboxImage*) echo None;;
*list-secret-version-ids*) echo 0;;
*head-object*) echo 'Not Found' >&2; exit 254;;"
        );
        let found = findings(&cases);
        let missing = missing(&found);
        assert_eq!(missing[0], ("the sandbox image", "infra/publish-sandbox.sh crew"));
        let keys = missing
            .iter()
            .filter(|(_, remedy)| remedy.contains("put-secret-value --secret-id arn:secret"));
        assert_eq!(keys.count(), SECRETS.len() + 1, "including the model's key");
        assert!(missing.contains(&("the web application", "infra/publish-web.sh crew")));
        assert!(missing.last().unwrap().0.contains("http://127.0.0.1:1/api/health"));
    }

    #[test]
    fn an_image_that_is_not_in_the_repository_is_reported() {
        let image = "123456789012.dkr.ecr.eu-central-1.amazonaws.com/crew-sandbox@sha256:00";
        let cases = |answer: &str| {
            format!(
                "{DEPLOYED}
*SandboxImage*) echo {image};;
*list-secret-version-ids*) echo 1;;
*head-object*) echo 2026-11-20;;
*'--repository-name crew-sandbox --image-ids imageDigest=sha256:00'*) {answer};;"
            )
        };
        let there = findings(&cases("echo 2026-11-19"));
        assert_eq!(missing(&there).len(), 1, "only the site does not answer: {there:?}");
        let gone = findings(&cases("echo ImageNotFoundException >&2; exit 254"));
        assert!(missing(&gone)[0].1.contains("ImageNotFoundException"));
    }

    #[test]
    fn a_model_on_bedrock_needs_a_right_and_no_key() {
        let cases = |arns: &str| {
            format!(
                "{DEPLOYED}
*ParameterKey==*ModelProvider*) echo bedrock;;
*ParameterKey==*BedrockModelArns*) echo {arns};;
*OutputKey==*ModelApiKey*) exit 9;;
*SandboxImage*) echo None;;
*list-secret-version-ids*) echo 1;;
*head-object*) echo 2026-11-20;;"
            )
        };
        let granted = findings(&cases("arn:aws:bedrock:eu-west-1::foundation-model/m"));
        let right = "permission to call arn:aws:bedrock:eu-west-1::foundation-model/m";
        assert!(granted.iter().any(|one| one.what == right && one.remedy.is_none()), "{granted:?}");
        let without = findings(&cases("None"));
        let missing = missing(&without);
        assert!(missing.iter().any(|(what, _)| *what == "permission to call the model"));
        assert!(!without.iter().any(|one| one.what.contains("the model's key")));
    }

    #[test]
    fn a_small_account_gets_a_warning_and_the_checks_continue() {
        let found = findings("*get-caller-identity*) echo 1;;\n*get-account-settings*) echo 10;;");
        assert!(found[1].optional && found[1].what.contains("10 functions"));
        assert!(found[2].what.contains("the stack crew") && !found[2].optional);
    }

    #[test]
    fn a_stack_whose_deployment_failed_is_not_complete() {
        let cases = |status: &str| {
            format!(
                "*get-caller-identity*) echo 1;;\n*get-account-settings*) echo 1000;;\n*StackStatus*) echo {status};;"
            )
        };
        let first = findings(&cases("ROLLBACK_COMPLETE"));
        assert_eq!(first.len(), 3, "nothing else is asked about: {first:?}");
        assert!(first[2].remedy.as_ref().unwrap().contains("delete-stack --stack-name crew"));
        let update = findings(&cases("UPDATE_ROLLBACK_COMPLETE"));
        assert!(update[2].optional && update[2].what.contains("the version before it"));
        assert!(update.len() > 3, "the version before it is checked");
        let deployed = findings(&cases("CREATE_COMPLETE"));
        assert!(deployed[2].remedy.is_none(), "{deployed:?}");
    }
}
