//! Trials of credentials, with programs in the place of the tools.

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
    std::fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
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
        plant(folder.path(), program, &format!("#!/bin/sh\n/usr/bin/touch {}\n", canary.display()));
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
        let script = trial.script.replace(&format!("https://{host}"), &format!("http://{address}"));
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
    let note = format!("#!/bin/bash\n/usr/bin/cat \"$4\" >{}; echo \"$@\"\n", signed_in.display());
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
    assert!(said.contains("/config -i ") && said.contains(" server true\n"), "{said}");
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
fn only_the_key_on_trial_signs_in() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("ssh")).unwrap();
    std::fs::write(folder.path().join("other"), "IdentityFile /other/included\n").unwrap();
    let config = format!(
        "Host jump server\n  HostName 192.0.2.1\n  IdentityFile /other/a\n\tidentityfile=/other/b\n\
             Host *\n  CertificateFile /other/c\n  Include {}\n  Port 2222\n",
        folder.path().join("other").display()
    );
    std::fs::write(folder.path().join("ssh/config"), config).unwrap();
    let made = folder.path().join("made").display().to_string();
    let args = ["-q", "-t", "ed25519", "-N", "", "-f", &made];
    assert!(Command::new("ssh-keygen").args(args).status().unwrap().success());
    let script = SSH.script.replace("\nssh -F", "\nssh -G -F");
    let mut bash = Command::new("bash");
    bash.args(["-c", &script]).current_dir(folder.path()).env_clear();
    bash.env("SSH_PRIVATE_KEY", std::fs::read_to_string(&made).unwrap());
    let output = bash.stdin(Stdio::null()).output().unwrap();
    let settings = String::from_utf8(output.stdout).unwrap();
    let keys: Vec<&str> =
        settings.lines().filter(|line| line.starts_with("identityfile ")).collect();
    assert!(!keys.is_empty() && keys.iter().all(|key| key.ends_with("/key")), "{keys:?}");
    assert!(!settings.contains("/other/"), "{settings}");
    assert!(settings.contains("\nport 2222\n"), "{settings}");
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
