//! Creates the resources that `template.yaml` creates in the cloud; existing ones stay.

use crate::engines::Engines;
use crate::engines::sqs::QueueSettings;
use crate::github::GitHub;
use crate::names;
use crate::stripe::Stripe;
use anyhow::Result;

/// A queue, its visibility timeout in seconds, and the number of receives after which a message goes to the dead-letter
/// queue.
type Queue = (&'static str, u32, Option<(u32, &'static str)>);

/// Dead-letter queues come first because the others refer to them.
const QUEUES: [Queue; 4] = [
    (names::AGENT_RUNS_DEAD, names::AGENT_RUNS_VISIBILITY_SECONDS, None),
    (names::STEPS_DEAD, names::STEPS_VISIBILITY_SECONDS, None),
    (
        names::AGENT_RUNS,
        names::AGENT_RUNS_VISIBILITY_SECONDS,
        Some((names::AGENT_RUNS_RECEIVES, names::AGENT_RUNS_DEAD)),
    ),
    (
        names::STEPS,
        names::STEPS_VISIBILITY_SECONDS,
        Some((names::STEPS_RECEIVES, names::STEPS_DEAD)),
    ),
];

/// Creates the table, the bucket, the secrets, the key and the queues.
pub async fn provision(engines: &Engines, github: &GitHub, stripe: &Stripe) -> Result<()> {
    let secrets = [
        (names::GITHUB_CLIENT_SECRET_ID, github.client_secret()),
        (names::STRIPE_API_KEY_SECRET_ID, stripe.api_key()),
        (names::STRIPE_WEBHOOK_SECRET_ID, stripe.webhook_secret()),
        (names::GITHUB_WEBHOOK_SECRET_ID, github.webhook_secret()),
        (names::GITHUB_PRIVATE_KEY_SECRET_ID, github.private_key()),
    ];
    if let Some(elsewhere) = &engines.elsewhere {
        elsewhere.create_table(names::TABLE).await?;
        elsewhere.create_bucket(names::BUCKET).await?;
        for (id, value) in &secrets {
            elsewhere.set_secret(id, value).await?;
        }
        elsewhere.create_key(names::CREDENTIALS_KEY).await?;
        for (name, seconds, redrive) in QUEUES {
            let redrive = redrive.map(|(receives, dead)| (receives, dead.to_owned()));
            elsewhere.create_queue(name, seconds, redrive).await?;
        }
        return Ok(());
    }
    engines.dynamodb.create_table(names::TABLE)?;
    engines.s3.create_bucket(names::BUCKET)?;
    for (id, value) in &secrets {
        engines.secrets.set(id, value).await?;
    }
    engines.kms.create_key(names::CREDENTIALS_KEY).await?;
    for (name, visibility_seconds, redrive) in QUEUES {
        let redrive = redrive.map(|(receives, dead)| (receives, dead.to_owned()));
        let settings = QueueSettings { visibility_seconds, redrive, content_based: false };
        engines.sqs.create_queue(name, settings).await?;
    }
    Ok(())
}
