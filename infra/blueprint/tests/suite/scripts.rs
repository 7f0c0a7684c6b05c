//! Runs shellcheck on every script that the model proposes or writes.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use domain::step::MAX_SCRIPT_BYTES;

use crate::described::described;
use crate::support::Project;

/// What the product adds to a script and its proof, in bytes.
const MARGIN: usize = 100;

const WISHES: &[&str] = &[
    "A web service named orders on port 9090 that says \"It's here, welcome!\", use the defaults",
    "An EC2 server, SSH from 203.0.113.7 and 198.51.100.0/24, use the defaults",
    "An EC2 server, use the defaults",
    "A VPS in Helsinki with ports 80 and 443 open, use the defaults",
    "A VPS in Helsinki with Redis, give Redis 512 MB, use the defaults",
    "A VPS with PostgreSQL and a database called orders, use the defaults",
    "A VPS with MySQL and a database called orders, use the defaults",
    "An ELK stack, keep logs 30 days, use the defaults",
    "A monitoring stack that watches https://example.com/health, use the defaults",
    "A monitoring stack that sends its alerts to a webhook, use the defaults",
];

/// The wishes above, and those of the deployments that consist of data alone.
pub fn wishes() -> Vec<String> {
    let described = described().into_iter().map(|described| described.wish);
    WISHES.iter().map(|wish| wish.to_string()).chain(described).collect()
}

pub fn shellcheck(file: &Path) {
    let output = Command::new("shellcheck").args(["-s", "bash"]).arg(file).output();
    let output = output.expect("shellcheck is needed for this test");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

#[tokio::test]
async fn proposed_scripts_pass_shellcheck() {
    let folder = tempfile::tempdir().unwrap();
    // Projects share most of their scripts.
    let mut scripts = BTreeSet::new();
    for wish in wishes() {
        let planned = Project::planned(&wish).await;
        for planned in [&planned.torn_down().await, &planned] {
            scripts.extend(planned.scripts().await);
            scripts.extend(planned.proofs().await);
            scripts.extend(planned.check_scripts().await);
        }
    }
    for (number, script) in scripts.iter().enumerate() {
        let file = folder.path().join(format!("{number}.sh"));
        std::fs::write(&file, script).unwrap();
        shellcheck(&file);
    }
}

#[tokio::test]
async fn every_script_fits_with_its_proof_also_with_the_longest_answers() {
    let address = |number: usize| format!("https://h{number}.{}.example.com/", "a".repeat(60));
    let addresses: Vec<_> = (0..10).map(address).collect();
    let watched = addresses.join(" and ");
    let mut all = wishes();
    all.push(format!(
        "A monitoring stack that sends alerts to a webhook and watches {watched}, use the defaults"
    ));
    for wish in all {
        let project = Project::planned(&wish).await;
        let scripts = project.scripts().await.into_iter().zip(project.proofs().await);
        for (number, (script, proof)) in (1..).zip(scripts) {
            let bytes = script.len() + proof.len();
            assert!(bytes <= MAX_SCRIPT_BYTES - MARGIN, "{wish}, step {number}: {bytes} bytes");
        }
    }
}

#[test]
fn the_catalogues_own_scripts_pass_shellcheck() {
    let catalogue = Path::new(env!("CARGO_MANIFEST_DIR")).join("catalogue");
    let scripts = shell_files(&catalogue);
    assert!(scripts.len() > 10);
    // A part of a script that runs on the server contains placeholders until the script is complete.
    let whole = |script: &&PathBuf| !script.to_string_lossy().ends_with("-server.proof.sh");
    scripts.iter().filter(whole).for_each(|script| shellcheck(script));
}

#[tokio::test]
async fn no_proof_succeeds_in_an_empty_folder() {
    for wish in wishes() {
        let planned = Project::planned(&wish).await;
        for (number, proof) in (1..).zip(planned.proofs().await) {
            let empty = tempfile::tempdir().unwrap();
            let said = crate::stubs::run(empty.path(), &proof, &[]);
            assert!(!said.status.success(), "{wish}, step {number}: {}", crate::stubs::text(&said));
        }
    }
}

pub fn shell_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(shell_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "sh") {
            found.push(path);
        }
    }
    found
}
