//! Names of the resources that the stack creates here and `template.yaml` creates in the cloud.

/// The account in every ARN and queue address; no real account has this number.
pub const ACCOUNT: &str = "000000000000";
/// The region in every ARN, credential scope and event.
pub const REGION: &str = "us-east-1";
/// Access key id and secret access key of the engines.
pub const CREDENTIAL: &str = "local";

/// The one DynamoDB table.
pub const TABLE: &str = "groundcrew";
/// The one S3 bucket.
pub const BUCKET: &str = "groundcrew";
/// Alias of the KMS key that seals credentials.
pub const CREDENTIALS_KEY: &str = "alias/groundcrew-credentials";
/// The key for fingerprints of credentials.
pub const FINGERPRINT_KEY: &str = "local-fingerprints";
/// ECS cluster of the sandboxes.
pub const CLUSTER: &str = "groundcrew";
/// ECS task definition of the sandboxes.
pub const TASK_DEFINITION: &str = "groundcrew-sandbox";
/// The container of the task definition.
pub const SANDBOX_CONTAINER: &str = "agent";
/// Docker image that `--sandbox docker` runs tasks in.
pub const SANDBOX_IMAGE: &str = "groundcrew-sandbox";

/// Queue of agent turns.
pub const AGENT_RUNS: &str = "agent-runs.fifo";
/// Dead-letter queue of agent turns that their runner could not even mark as failed.
pub const AGENT_RUNS_DEAD: &str = "agent-runs-dead.fifo";
/// Queue of approved steps.
pub const STEPS: &str = "steps.fifo";
/// Dead-letter queue of steps that their runner could not even mark as failed.
pub const STEPS_DEAD: &str = "steps-dead.fifo";
/// Deliveries of an agent turn before it is moved to the dead-letter queue.
pub const AGENT_RUNS_RECEIVES: u32 = 100;
/// Deliveries of a step before it is moved to the dead-letter queue: the most that SQS allows.
pub const STEPS_RECEIVES: u32 = 1000;
/// Visibility timeout of agent turns, in seconds: one bounded turn of ten minutes fits.
pub const AGENT_RUNS_VISIBILITY_SECONDS: u32 = 720;
/// Visibility timeout of steps, in seconds: several times what handing a step over takes.
pub const STEPS_VISIBILITY_SECONDS: u32 = 45;

/// Slug of the local GitHub App.
pub const GITHUB_APP_SLUG: &str = "groundcrew-local";
/// OAuth client id of the local GitHub App.
pub const GITHUB_CLIENT_ID: &str = "Iv1.0123456789abcdef";
/// Secrets Manager id of the local GitHub App's client secret.
pub const GITHUB_CLIENT_SECRET_ID: &str = "groundcrew/github-client-secret";
/// Secrets Manager id of the secret with which the local GitHub App's webhooks are signed.
pub const GITHUB_WEBHOOK_SECRET_ID: &str = "groundcrew/github-webhook-secret";
/// Secrets Manager id of the local GitHub App's private key.
pub const GITHUB_PRIVATE_KEY_SECRET_ID: &str = "groundcrew/github-private-key";

/// Secrets Manager id of the local Stripe's API key.
pub const STRIPE_API_KEY_SECRET_ID: &str = "groundcrew/stripe-api-key";
/// Secrets Manager id of the secret with which the local Stripe signs its webhooks.
pub const STRIPE_WEBHOOK_SECRET_ID: &str = "groundcrew/stripe-webhook-secret";
/// Dollars in a new account's balance, so that the product can be tried at once.
pub const OPENING_CREDIT: &str = "25";

/// The sender of mail.
pub const MAIL_FROM: &str = "mail@groundcrew.example";

/// ARN of a queue.
pub fn queue_arn(queue: &str) -> String {
    format!("arn:aws:sqs:{REGION}:{ACCOUNT}:{queue}")
}
