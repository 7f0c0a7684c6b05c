//! Confinement by another user of the same container.

use std::fs;
use std::os::unix::fs::chown;
use std::path::Path;

use anyhow::{Context, bail, ensure};
use rustix::process::getuid;
use tokio::process::Command;

use super::{Inside, Plan, find, this_program};

/// The user that commands run as; the image has a user of this name.
const USER: &str = "sandbox";

pub async fn start(plan: &Plan) -> anyhow::Result<Inside> {
    ensure!(
        getuid().is_root(),
        "confinement `user` changes to the user `{USER}`, which only root can: start the container as root, or \
         ask for `bubblewrap`"
    );
    let accounts = fs::read_to_string("/etc/passwd").context("cannot read /etc/passwd")?;
    let Some((uid, gid)) = ids(&accounts, USER) else {
        bail!("there is no user `{USER}` in this container: the image must create it");
    };
    let setpriv = find("setpriv").context("setpriv is not installed: install util-linux")?;
    let home = plan.home();
    for folder in [&home, &home.join("workspace")] {
        fs::create_dir_all(folder)?;
        chown(folder, Some(uid), Some(gid))?;
    }
    let mut starting = super::spawn(
        Command::new(setpriv)
            .args(["--reuid", &uid.to_string(), "--regid", &gid.to_string()])
            .args(["--init-groups", "--no-new-privs", "--inh-caps=-all"])
            .args(["--bounding-set=-all", "--"])
            .arg(this_program()?)
            .args(["supervise", &plan.workspace_bytes.to_string(), "--limited"])
            .current_dir(Path::new("/"))
            .env_clear()
            .env("HOME", &home)
            .env("USER", &plan.user),
    )?;
    starting.ready().await?;
    Ok(starting.begin(None, None))
}

/// The user and group id of `name` in the text of `/etc/passwd`.
fn ids(accounts: &str, name: &str) -> Option<(u32, u32)> {
    accounts.lines().find_map(|line| {
        let mut fields = line.split(':');
        (fields.next()? == name).then_some(())?;
        let uid = fields.nth(1)?.parse().ok()?;
        Some((uid, fields.next()?.parse().ok()?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_found_by_the_whole_name() {
        let accounts = "root:x:0:0::/root:/bin/bash\nsandboxer:x:1:1::/:/bin/sh\nsandbox:x:1000:1001::/home:/bin/sh\n";
        assert_eq!(ids(accounts, "sandbox"), Some((1000, 1001)));
        assert_eq!(ids(accounts, "missing"), None);
    }
}
