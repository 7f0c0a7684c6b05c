//! Tries a provider's credentials before a step needs them.
//!
//! A trial is a harmless call of the provider: it names the account and changes nothing. It is a command like any other
//! of the helper's, so its owner reads and approves it, the sandbox runs it with the project's credentials, and the
//! audit names both. Bash runs the command without options, so each script sets the options that end it at any failure.
//! Secrets reach the programs by their environment or standard input, never as an argument, because every process of
//! the sandbox can read arguments. A trial ignores everything that earlier commands left in the home: programs of the
//! same name, and curl's or AWS's settings, which could send the credentials elsewhere.

use crate::App;
use crate::commands::open;
use crate::desk::{COMMANDS_KEPT, PLAN, proposed};
use domain::chat::ProposedCommand;
use domain::credential::Provider;
use domain::step::CommandTarget;
use domain::step::Step;
use domain::{PlanId, Scope};
use http_kit::{ApiError, ErrorCode};
use runs::refuse;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Names the credentials to try.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct CredentialTrial {
    /// `aws`, `digitalocean`, `hetzner` or `ssh`; `other` and `chat` with a name.
    pub provider: Provider,
    /// The credential to try, such as `GITHUB_TOKEN`; only for `other` and `chat`, whose names say which service each
    /// belongs to.
    #[serde(default)]
    pub name: Option<String>,
}

/// A call that a provider answers if the credentials work.
#[derive(Clone)]
struct Trial {
    needs: &'static [&'static str],
    reason: &'static str,
    script: &'static str,
}

const AWS: Trial = Trial {
    needs: &["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"],
    reason: "Try the AWS credentials",
    script: "\
# Asks AWS whose credentials these are. Needs no permission and changes nothing.
set -euo pipefail
PATH=/usr/local/bin:/usr/bin:/bin HOME=/nonexistent
export AWS_CONFIG_FILE=/dev/null AWS_SHARED_CREDENTIALS_FILE=/dev/null
export AWS_EC2_METADATA_DISABLED=true AWS_MAX_ATTEMPTS=1
aws sts get-caller-identity --region \"${AWS_REGION:-us-east-1}\" \\
  --cli-connect-timeout 10 --cli-read-timeout 10 --query Arn --output text
",
};

const DIGITALOCEAN: Trial = Trial {
    needs: &["DIGITALOCEAN_TOKEN"],
    reason: "Try the DigitalOcean token",
    script: "\
# Reads one entry of the list of regions, which every token may read. Changes nothing.
set -euo pipefail
PATH=/usr/local/bin:/usr/bin:/bin
printf 'Authorization: Bearer %s' \"$DIGITALOCEAN_TOKEN\" |
  curl --disable --silent --show-error --fail --max-time 20 --header @- --output /dev/null \\
    'https://api.digitalocean.com/v2/regions?per_page=1'
echo 'DigitalOcean accepts the token.'
",
};

const HETZNER: Trial = Trial {
    needs: &["HCLOUD_TOKEN"],
    reason: "Try the Hetzner Cloud token",
    script: "\
# Reads one entry of the list of locations, which every token may read. Changes nothing.
set -euo pipefail
PATH=/usr/local/bin:/usr/bin:/bin
printf 'Authorization: Bearer %s' \"$HCLOUD_TOKEN\" |
  curl --disable --silent --show-error --fail --max-time 20 --header @- --output /dev/null \\
    'https://api.hetzner.cloud/v1/locations?per_page=1'
echo 'Hetzner Cloud accepts the token.'
",
};

const CLOUDFLARE: Trial = Trial {
    needs: &["CLOUDFLARE_API_TOKEN"],
    reason: "Try the Cloudflare token",
    script: "\
# Asks Cloudflare whether the token is active. Needs no permission and changes nothing.
set -euo pipefail
PATH=/usr/local/bin:/usr/bin:/bin
printf 'Authorization: Bearer %s' \"$CLOUDFLARE_API_TOKEN\" |
  curl --disable --silent --show-error --fail --max-time 20 --header @- --output /dev/null \\
    'https://api.cloudflare.com/client/v4/user/tokens/verify'
echo 'Cloudflare accepts the token.'
",
};

const GITHUB: Trial = Trial {
    needs: &["GITHUB_TOKEN"],
    reason: "Try the GitHub token",
    script: "\
# Reads the token's rate limit, which every token may read. Changes nothing.
set -euo pipefail
PATH=/usr/local/bin:/usr/bin:/bin
printf 'Authorization: Bearer %s' \"$GITHUB_TOKEN\" |
  curl --disable --silent --show-error --fail --max-time 20 --header @- --output /dev/null \\
    'https://api.github.com/rate_limit'
echo 'GitHub accepts the token.'
",
};

/// Before a step has written `ssh/config`, no server is known: the trial then says only whether the key can be used.
const SSH: Trial = Trial {
    needs: &["SSH_PRIVATE_KEY"],
    reason: "Try the SSH key",
    script: "\
# Reads the private key and signs in to the server of ssh/config, if there is one. Changes nothing.
set -euo pipefail
PATH=/usr/local/bin:/usr/bin:/bin
umask 077
folder=$(mktemp -d)
trap 'rm -rf \"$folder\"' EXIT
key=$folder/key
printf '%s\\n' \"$SSH_PRIVATE_KEY\" >\"$key\"
ssh-keygen -y -P '' -f \"$key\" >/dev/null
echo 'The key is a private key without a passphrase.'
if [ ! -f ssh/config ]; then
  echo 'No step has written ssh/config yet, so no server was asked.'
  exit 0
fi
# The configuration with this key in the place of its own, so that no other key signs in.
sed -E \"/^[[:blank:]]*(Include|CertificateFile)[[:blank:]=]/Id
  s|^[[:blank:]]*IdentityFile[[:blank:]=].*|IdentityFile $key|I\" ssh/config >\"$folder/config\"
ssh -F \"$folder/config\" -i \"$key\" -a -x -T -o BatchMode=yes -o ConnectTimeout=10 \\
  -o IdentitiesOnly=yes -o IdentityAgent=none -o ControlPath=none server true
echo 'The server of ssh/config lets it sign in.'
",
};

/// The trials of single credentials, by the names under which they are usually kept.
const BY_NAME: [(&str, Trial); 7] = [
    ("AWS_ACCESS_KEY_ID", AWS),
    ("AWS_SECRET_ACCESS_KEY", AWS),
    ("CLOUDFLARE_API_TOKEN", CLOUDFLARE),
    ("DIGITALOCEAN_TOKEN", DIGITALOCEAN),
    ("GITHUB_TOKEN", GITHUB),
    ("HCLOUD_TOKEN", HETZNER),
    ("SSH_PRIVATE_KEY", SSH),
];

impl Trial {
    fn of(request: &CredentialTrial) -> Option<Self> {
        let named = |(name, _): &&(&str, Self)| request.name.as_deref() == Some(*name);
        match request.provider {
            Provider::Aws => Some(AWS),
            Provider::Digitalocean => Some(DIGITALOCEAN),
            Provider::Hetzner => Some(HETZNER),
            Provider::Ssh => Some(SSH),
            Provider::Other | Provider::Chat => {
                BY_NAME.iter().find(named).map(|(_, trial)| trial.clone())
            }
        }
    }
}

impl App {
    /// The trial of a provider's credentials, which waits for its owner's decision; one that already waits is not
    /// repeated.
    pub(crate) async fn try_credentials(
        &self,
        scope: Scope,
        request: &CredentialTrial,
    ) -> Result<ProposedCommand, ApiError> {
        let trial = Trial::of(request).ok_or_else(|| {
            let detail =
                "No call is known that tries this: only the service that it belongs to can check it.";
            ApiError::unprocessable(ErrorCode::CannotBeTried, detail)
        })?;
        let (commands, names) =
            tokio::try_join!(self.commands.load(scope), self.credentials.names(scope))?;
        let commands = commands.ok_or_else(ApiError::not_found)?;
        let lacks = |name: &&&str| !names.iter().any(|known| known == **name);
        if let Some(missing) = trial.needs.iter().find(lacks) {
            let detail = format!("The project has no {missing}. Save it first.");
            return Err(ApiError::conflict(ErrorCode::CredentialsMissing, detail));
        }
        let mut waiting = commands.steps.iter().rev().filter_map(open);
        let same =
            |command: &ProposedCommand| command.needs_approval && command.script == trial.script;
        if let Some(command) = waiting.find(same) {
            return Ok(command);
        }
        let plan = PlanId::from(PLAN);
        let step = proposed(CommandTarget::Sandbox, trial.reason, trial.script, None, None)
            .map_err(ApiError::internal)?;
        let added = self
            .commands
            .add(scope, &plan, COMMANDS_KEPT, |number| Step { number, ..step.clone() });
        let added = added.await.map_err(refuse)?;
        added.as_ref().and_then(open).ok_or_else(ApiError::not_found)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
