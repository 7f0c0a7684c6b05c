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
use domain::{PlanId, Scope};
use http_kit::ApiError;
use runs::refuse;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Names whose credentials are to be tried.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct CredentialTrial {
    /// `aws`, `digitalocean` or `hetzner`.
    pub provider: Provider,
}

/// A call that a provider answers if the credentials work.
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
# Reads one line of the list of regions, which every token may read. Changes nothing.
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
# Reads one line of the list of locations, which every token may read. Changes nothing.
set -euo pipefail
PATH=/usr/local/bin:/usr/bin:/bin
printf 'Authorization: Bearer %s' \"$HCLOUD_TOKEN\" |
  curl --disable --silent --show-error --fail --max-time 20 --header @- --output /dev/null \\
    'https://api.hetzner.cloud/v1/locations?per_page=1'
echo 'Hetzner Cloud accepts the token.'
",
};

impl Trial {
    fn of(provider: Provider) -> Option<Self> {
        match provider {
            Provider::Aws => Some(AWS),
            Provider::Digitalocean => Some(DIGITALOCEAN),
            Provider::Hetzner => Some(HETZNER),
            Provider::Ssh | Provider::Other | Provider::Chat => None,
        }
    }
}

impl App {
    /// The trial of a provider's credentials, which waits for its owner's decision; one that already waits is not
    /// repeated.
    pub(crate) async fn try_credentials(
        &self,
        scope: Scope,
        provider: Provider,
    ) -> Result<ProposedCommand, ApiError> {
        let trial = Trial::of(provider).ok_or_else(|| {
            let detail =
                "These credentials cannot be tried: only their own server or service can check them.";
            ApiError::unprocessable("cannot_be_tried", detail)
        })?;
        let (commands, names) =
            tokio::try_join!(self.commands.load(scope), self.credentials.names(scope))?;
        let commands = commands.ok_or_else(ApiError::not_found)?;
        let lacks = |name: &&&str| !names.iter().any(|known| known == **name);
        if let Some(missing) = trial.needs.iter().find(lacks) {
            let detail = format!("The project has no {missing}. Save it first.");
            return Err(ApiError::conflict("credentials_missing", detail));
        }
        let mut waiting = commands.steps.iter().rev().filter_map(open);
        let same =
            |command: &ProposedCommand| command.needs_approval && command.script == trial.script;
        if let Some(command) = waiting.find(same) {
            return Ok(command);
        }
        let plan = PlanId::from(PLAN);
        let added = self.commands.add(scope, &plan, COMMANDS_KEPT, |number| {
            proposed(number, trial.reason, trial.script, None, None)
        });
        let added = added.await.map_err(refuse)?;
        added.as_ref().and_then(open).ok_or_else(ApiError::not_found)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use std::io::{Read, Write};
    use std::net::{TcpListener, TcpStream};
    use std::path::Path;
    use std::process::{Command, Output, Stdio};

    const SECRET: &str = "a-secret-value";

    /// A program that fails if its arguments contain the secret, and answers like the provider if it finds the secret
    /// elsewhere.
    const PROVIDER: &str = r#"#!/bin/bash
case "$*" in *a-secret-value*) exit 99;; esac
case "$0" in
  */aws) [ "$AWS_SECRET_ACCESS_KEY" = a-secret-value ] && echo arn:aws:iam::123456789012:user/crew;;
  *) [ "$(cat)" = 'Authorization: Bearer a-secret-value' ];;
esac || { echo 'refused: 401' >&2; exit 22; }
"#;

    /// The line with which a trial sets the path of its programs.
    const OWN_PATH: &str = "PATH=/usr/local/bin:/usr/bin:/bin";

    fn plant(folder: &Path, program: &str, text: &str) {
        let file = folder.join(program);
        std::fs::write(&file, text).unwrap();
        std::fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o755))
            .unwrap();
    }

    /// Runs a script as in a sandbox whose home is `folder`, with the programs in it first.
    fn bash(folder: &Path, script: &str, trial: &Trial, secret: &str) -> Output {
        let mut bash = Command::new("bash");
        bash.args(["-c", script]).env_clear().env("HOME", folder);
        bash.env("PATH", format!("{}:/usr/bin:/bin", folder.display())).stdin(Stdio::null());
        bash.envs(trial.needs.iter().map(|name| (name, secret)));
        bash.output().unwrap()
    }

    fn run(folder: &Path, trial: &Trial, secret: &str) -> Output {
        for program in ["aws", "curl"] {
            plant(folder, program, PROVIDER);
        }
        let path = format!("PATH={}:/usr/bin:/bin", folder.display());
        bash(folder, &trial.script.replace(OWN_PATH, &path), trial, secret)
    }

    #[test]
    fn a_trial_succeeds_only_with_valid_credentials_and_shows_the_secret_to_no_process() {
        let folder = tempfile::tempdir().unwrap();
        for trial in [AWS, DIGITALOCEAN, HETZNER] {
            let good = run(folder.path(), &trial, SECRET);
            assert_eq!(good.status.code(), Some(0), "{}: {good:?}", trial.reason);
            let said = String::from_utf8(good.stdout).unwrap();
            assert_eq!(said.lines().count(), 1, "{said}");
            assert!(!said.contains(SECRET), "{said}");
            let bad = run(folder.path(), &trial, "another");
            assert_eq!(bad.status.code(), Some(22), "{}: {bad:?}", trial.reason);
            assert!(bad.stdout.is_empty());
        }
    }

    #[test]
    fn a_trial_ignores_programs_and_settings_in_the_home_folder() {
        let folder = tempfile::tempdir().unwrap();
        let canary = folder.path().join("canary");
        for program in ["aws", "curl", "env", "python3"] {
            plant(
                folder.path(),
                program,
                &format!("#!/bin/sh\n/usr/bin/touch {}\n", canary.display()),
            );
        }
        let settings = format!("trace-ascii = \"{}\"\n", canary.display());
        std::fs::write(folder.path().join(".curlrc"), settings).unwrap();
        for (trial, host) in
            [(DIGITALOCEAN, "api.digitalocean.com"), (HETZNER, "api.hetzner.cloud")]
        {
            let provider = TcpListener::bind("127.0.0.1:0").unwrap();
            let address = provider.local_addr().unwrap();
            let script =
                trial.script.replace(&format!("https://{host}"), &format!("http://{address}"));
            let (ran, asked) = std::thread::scope(|scope| {
                let answering = scope.spawn(|| {
                    let (mut caller, _) = provider.accept().unwrap();
                    let mut asked = [0; 4096];
                    let bytes = caller.read(&mut asked).unwrap();
                    let _ = caller.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
                    String::from_utf8_lossy(&asked[..bytes]).into_owned()
                });
                let ran = bash(folder.path(), &script, &trial, SECRET);
                // Ends the provider if no call did so.
                drop(TcpStream::connect(address));
                (ran, answering.join().unwrap())
            });
            assert_eq!(ran.status.code(), Some(0), "{ran:?}");
            assert!(asked.contains(&format!("Authorization: Bearer {SECRET}\r\n")), "{asked}");
        }
        assert!(AWS.script.contains(OWN_PATH) && AWS.script.contains("AWS_CONFIG_FILE=/dev/null"));
        let script = AWS.script.replace("aws sts", "command -v aws || true; echo \"$HOME\" #");
        let found = bash(folder.path(), &script, &AWS, SECRET);
        let found = String::from_utf8(found.stdout).unwrap();
        assert!(!found.contains(&folder.path().display().to_string()), "{found}");
        assert!(!canary.exists());
    }

    #[test]
    fn only_providers_with_a_harmless_call_are_tried() {
        for provider in Provider::ALL {
            let tried =
                matches!(provider, Provider::Aws | Provider::Digitalocean | Provider::Hetzner);
            assert_eq!(Trial::of(provider).is_some(), tried, "{provider}");
        }
    }
}
