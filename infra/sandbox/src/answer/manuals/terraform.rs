//! Terraform's types: finds the provider that defines one and asks it for the schema. [`manuals`](crate::answer::manuals)
//! explains why the provider's program may run.

use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use protocol::{ManualKind, Topic};
use rustix::fs::{Mode, OFlags, open};

use super::{Found, Shelf, complaint, is_installed, schema};

/// The file in which `terraform init` records the providers and their versions.
const LOCK_FILE: &str = ".terraform.lock.hcl";

/// The longest lock file that is read, in bytes.
const LOCK_BYTES: u64 = 256 * 1024;

/// The most that `terraform providers schema` prints for one provider, in bytes; the AWS provider's schema is 15 MB.
const SCHEMA_BYTES: usize = 64 * 1024 * 1024;

/// Types that Terraform includes without a provider to install.
const BUILT_IN: [&str; 2] = ["terraform_data", "terraform_remote_state"];
const BUILT_IN_ADDRESS: &str = "terraform.io/builtin/terraform";

/// A provider as the lock file names it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Provider {
    /// `registry.terraform.io/hashicorp/aws`
    address: String,
    version: String,
}

impl Provider {
    fn kind(&self) -> &str {
        self.address.rsplit('/').next().unwrap_or_default()
    }
}

pub(super) async fn describe(shelf: &Shelf, workspace: &Path, topic: &Topic) -> io::Result<Found> {
    if !is_installed("terraform") {
        return Ok(Found::nothing("Terraform is not installed in this sandbox."));
    }
    let (address, version, programs) = match BUILT_IN.contains(&topic.name()) {
        true => (BUILT_IN_ADDRESS.to_owned(), String::new(), Vec::new()),
        false => match installed(shelf, workspace, topic)? {
            Ok((provider, package)) => (provider.address, provider.version, vec![package]),
            Err(reason) => return Ok(Found::Nothing(reason)),
        },
    };
    fs::write(shelf.desk.join("main.tf"), required(&address, &version))?;
    let ran = shelf.run("terraform providers schema -json", programs, SCHEMA_BYTES).await?;
    if ran.code != Some(0) || ran.cut {
        let words = complaint(&ran.stderr);
        return Ok(Found::nothing(match ran.code {
            None => format!("The provider {address} did not describe its types in time."),
            Some(_) => {
                format!("Terraform could not read the types of the provider {address}. {words}")
            }
        }));
    }
    let is_resource = topic.kind() == ManualKind::TerraformResource;
    let provider = format!("{address} {version}");
    Ok(schema::describe(&ran.stdout, is_resource, topic.name(), provider.trim_end()))
}

/// A configuration that requires this provider and has nothing else.
fn required(address: &str, version: &str) -> String {
    let version =
        if version.is_empty() { String::new() } else { format!(", version = \"{version}\"") };
    format!(
        "terraform {{\n  required_providers {{\n    it = {{ source = \"{address}\"{version} }}\n  }}\n}}\n"
    )
}

/// Finds the provider of a type among those that an approved step has installed, and lays out its package; or says what is
/// missing.
fn installed(
    shelf: &Shelf,
    workspace: &Path,
    topic: &Topic,
) -> io::Result<Result<(Provider, PathBuf), String>> {
    let shown = if topic.folder().is_empty() { "the workspace" } else { topic.folder() };
    let Some(root) = below(workspace, topic.folder().split('/').filter(|part| !part.is_empty()))
    else {
        return Ok(Err(format!("There is no folder `{shown}` in the workspace.")));
    };
    let Some(lock) = read(&root.join(LOCK_FILE)) else {
        return Ok(Err(format!(
            "`terraform init` has not run in {shown}: no provider is installed there yet, so its resources cannot be looked up."
        )));
    };
    let locked = locked(&lock);
    let Some(provider) = provider_of(topic.name(), &locked) else {
        let known: Vec<&str> = locked.iter().map(|provider| provider.address.as_str()).collect();
        return Ok(Err(format!(
            "No provider installed in {shown} has the name with which `{}` begins. Installed: {}.",
            topic.name(),
            known.join(", ")
        )));
    };
    let place =
        format!(".terraform/providers/{}/{}/{}", provider.address, provider.version, platform());
    let Some(package) = below(&root, place.split('/')) else {
        return Ok(Err(format!(
            "The provider {} {} is not installed in {shown}, or is a link to somewhere else: let `terraform init` install it \
             there.",
            provider.address, provider.version
        )));
    };
    let here = shelf.desk.join(&place);
    if let Some(parent) = here.parent() {
        fs::create_dir_all(parent)?;
    }
    symlink(&package, &here)?;
    fs::write(shelf.desk.join(LOCK_FILE), lock)?;
    Ok(Ok((provider, package)))
}

/// A folder below another one, never reached through a link.
fn below<'a>(folder: &Path, parts: impl Iterator<Item = &'a str>) -> Option<PathBuf> {
    let mut path = folder.to_owned();
    for part in parts {
        path.push(part);
        if !path.symlink_metadata().is_ok_and(|found| found.is_dir()) {
            return None;
        }
    }
    Some(path)
}

fn read(file: &Path) -> Option<String> {
    let how = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let opened = File::from(open(file, how, Mode::empty()).ok()?);
    let mut text = String::new();
    opened
        .metadata()
        .ok()?
        .is_file()
        .then(|| opened.take(LOCK_BYTES).read_to_string(&mut text))?
        .ok()?;
    Some(text)
}

/// The providers in a lock file whose names have Terraform's own form.
fn locked(text: &str) -> Vec<Provider> {
    let quoted = |line: &str| line.split('"').nth(1).map(str::to_owned);
    let plain = |text: &str| {
        text.starts_with(|c: char| c.is_ascii_alphanumeric())
            && text.chars().all(|c| c.is_ascii_alphanumeric() || "._-+".contains(c))
    };
    let mut found = Vec::new();
    let mut address = None;
    for line in text.lines().map(str::trim) {
        if line.starts_with("provider \"") {
            address = quoted(line)
                .filter(|address| address.split('/').count() == 3 && address.split('/').all(plain));
        } else if line.starts_with("version ")
            && let Some(version) = quoted(line).filter(|version| plain(version))
            && let Some(address) = address.take()
        {
            found.push(Provider { address, version });
        }
    }
    found
}

/// The provider of a type: `aws_instance` belongs to `aws`, or to a provider whose name begins with it, such as
/// `google-beta` for `google`.
fn provider_of(name: &str, locked: &[Provider]) -> Option<Provider> {
    let prefix = name.split('_').next()?;
    let exact = locked.iter().find(|provider| provider.kind() == prefix);
    let begins = || {
        locked.iter().find(|provider| {
            provider.kind().strip_prefix(prefix).is_some_and(|rest| rest.starts_with('-'))
        })
    };
    exact.or_else(begins).cloned()
}

/// Terraform's name for this platform.
fn platform() -> &'static str {
    match std::env::consts::ARCH {
        "aarch64" => "linux_arm64",
        _ => "linux_amd64",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOCK: &str = r#"# This file is maintained automatically by "terraform init".
provider "registry.terraform.io/hashicorp/aws" {
  version     = "6.2.0"
  constraints = "~> 6.0"
  hashes = ["h1:x"]
}
provider "registry.terraform.io/hashicorp/google-beta" {
  version = "7.0.1"
}
provider "registry.terraform.io/../../etc/x" {
  version = "1.0.0"
}
provider "registry.terraform.io/a/evil" {
  version = "../../../ssh"
}
"#;

    #[test]
    fn the_provider_of_a_type_comes_from_the_lock_file() {
        let locked = locked(LOCK);
        let names: Vec<_> = locked.iter().map(|provider| provider.kind().to_owned()).collect();
        assert_eq!(names, ["aws", "google-beta"], "no name leads out of the folder");
        let of = |name| provider_of(name, &locked).map(|provider| provider.version);
        assert_eq!(of("aws_instance").as_deref(), Some("6.2.0"));
        assert_eq!(of("google_compute_instance").as_deref(), Some("7.0.1"));
        assert_eq!(of("awscc_x"), None);
        assert_eq!(of("random_id"), None);
    }

    #[test]
    fn a_package_is_never_reached_through_a_link() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("a/b")).unwrap();
        symlink(folder.path().join("a"), folder.path().join("link")).unwrap();
        let reach = |path: &str| below(folder.path(), path.split('/')).is_some();
        assert!(reach("a/b") && !reach("link/b") && !reach("link") && !reach("a/c"));
        fs::write(folder.path().join("lock"), "x").unwrap();
        symlink(folder.path().join("lock"), folder.path().join("other")).unwrap();
        assert_eq!(read(&folder.path().join("lock")).as_deref(), Some("x"));
        assert_eq!(read(&folder.path().join("other")), None);
        assert_eq!(read(folder.path()), None);
    }
}
