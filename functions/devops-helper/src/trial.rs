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
key=$(mktemp)
trap 'rm -f \"$key\"' EXIT
printf '%s\\n' \"$SSH_PRIVATE_KEY\" >\"$key\"
ssh-keygen -y -P '' -f \"$key\" >/dev/null
echo 'The key is a private key without a passphrase.'
if [ ! -f ssh/config ]; then
  echo 'No step has written ssh/config yet, so no server was asked.'
  exit 0
fi
ssh -F ssh/config -i \"$key\" -a -x -T -o BatchMode=yes -o ConnectTimeout=10 server true
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
    fn of(wish: &CredentialTrial) -> Option<Self> {
        let named = |(name, _): &&(&str, Self)| wish.name.as_deref() == Some(*name);
        match wish.provider {
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
        wish: &CredentialTrial,
    ) -> Result<ProposedCommand, ApiError> {
        let trial = Trial::of(wish).ok_or_else(|| {
            let detail =
                "No call is known that tries this: only the service that it belongs to can check it.";
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
        for trial in [AWS, CLOUDFLARE, DIGITALOCEAN, GITHUB, HETZNER] {
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
        for (trial, host) in [
            (CLOUDFLARE, "api.cloudflare.com"),
            (DIGITALOCEAN, "api.digitalocean.com"),
            (GITHUB, "api.github.com"),
            (HETZNER, "api.hetzner.cloud"),
        ] {
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
    fn an_ssh_key_is_read_and_signs_in_to_the_configured_server() {
        let folder = tempfile::tempdir().unwrap();
        let (signed_in, bin) = (folder.path().join("signed-in"), folder.path().join("bin"));
        std::fs::create_dir(&bin).unwrap();
        // Programs in the place of the system's: ssh notes how it was called.
        let note =
            format!("#!/bin/bash\n/usr/bin/cat \"$4\" >{}; echo \"$@\"\n", signed_in.display());
        plant(&bin, "ssh", &note);
        let path = format!("PATH={}:/usr/bin:/bin", bin.display());
        let script = SSH.script.replace(OWN_PATH, &path);
        let try_key = |key: &str| {
            let mut bash = Command::new("bash");
            bash.args(["-c", &script]).current_dir(folder.path()).env_clear();
            bash.env("SSH_PRIVATE_KEY", key).stdin(Stdio::null()).output().unwrap()
        };
        let made = folder.path().join("made");
        let keygen = |passphrase: &str| {
            let _ = std::fs::remove_file(&made);
            let made = made.display().to_string();
            let args = ["-q", "-t", "ed25519", "-C", "", "-N", passphrase, "-f", &made];
            assert!(Command::new("ssh-keygen").args(args).status().unwrap().success());
            std::fs::read_to_string(&made).unwrap()
        };
        let key = keygen("");
        let early = try_key(key.trim_end());
        assert_eq!(early.status.code(), Some(0), "{early:?}");
        assert!(String::from_utf8(early.stdout).unwrap().contains("no server was asked"));
        assert!(!signed_in.exists());

        std::fs::create_dir(folder.path().join("ssh")).unwrap();
        std::fs::write(folder.path().join("ssh/config"), "Host server\n").unwrap();
        let good = try_key(&key);
        assert_eq!(good.status.code(), Some(0), "{good:?}");
        let said = String::from_utf8(good.stdout).unwrap();
        assert!(said.contains("-F ssh/config -i ") && said.contains(" server true\n"), "{said}");
        assert!(said.ends_with("lets it sign in.\n"), "{said}");
        assert_eq!(std::fs::read_to_string(&signed_in).unwrap().trim_end(), key.trim_end());

        std::fs::remove_file(&signed_in).unwrap();
        for bad in ["not a key", &keygen("a passphrase")] {
            let refused = try_key(bad);
            assert_ne!(refused.status.code(), Some(0), "{refused:?}");
            assert!(!signed_in.exists(), "no server sees a key that cannot be used");
        }
        plant(&bin, "ssh", "#!/bin/sh\nexit 255\n");
        assert_eq!(try_key(&key).status.code(), Some(255), "the server refuses it");
    }

    #[test]
    fn a_trial_is_known_by_its_provider_or_by_the_credentials_usual_name() {
        let of = |provider, name: Option<&str>| {
            let name = name.map(str::to_owned);
            Trial::of(&CredentialTrial { provider, name }).map(|trial| trial.reason)
        };
        for provider in Provider::ALL {
            let alone = !matches!(provider, Provider::Other | Provider::Chat);
            assert_eq!(of(provider, None).is_some(), alone, "{provider}");
            assert_eq!(of(provider, Some("SMTP_PASSWORD")).is_some(), alone, "{provider}");
        }
        for (name, trial) in BY_NAME {
            assert_eq!(of(Provider::Other, Some(name)), Some(trial.reason));
            assert!(trial.needs.contains(&name), "{name}");
        }
    }
}
