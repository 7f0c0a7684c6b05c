//! The Terraform configuration of the static site on S3 and CloudFront, and its steps, checks and removal with stubs in
//! place of AWS.

use std::path::Path;

use serde_json::{Value, json};

use crate::stubs::{is_valid, must_run, run, stub, text};
use crate::support::Project;

mod edge;

const WISH: &str = "A static site on S3 with CloudFront named web, no domain, use the defaults";
const KEYS: &[(&str, &str)] =
    &[("AWS_ACCESS_KEY_ID", "test"), ("AWS_SECRET_ACCESS_KEY", "not-a-secret")];

/// A stub of Terraform. Its state contains a site after the plan that makes it is applied, until the plan that destroys
/// it is.
const TERRAFORM: &str = r#"
case "$*" in
  *" plan "*-destroy*-out=tfplan*) echo destroys >terraform/tfplan ;;
  *" plan "*-out=tfplan*) echo makes >terraform/tfplan ;;
  *" plan "*-detailed-exitcode*) if [[ -f drift ]]; then echo 'Plan: 1 to add'; exit 2; fi ;;
  *" apply "*tfplan*) if grep -q makes terraform/tfplan; then echo x >>made; else rm -f made; fi ;;
  *" state list"*) [[ ! -f made ]] || echo aws_s3_bucket.site ;;
  *"show -json"*) cat state.json ;;
  *"show -no-color tfplan"*) [[ -f terraform/tfplan ]] ;;
  *"output -raw bucket"*) echo web-1 ;;
  *"output -raw region"*) echo us-east-1 ;;
  *"output -raw distribution_id"*) echo E1 ;;
  *"output -raw site_host"* | *"output -raw distribution_host"*) cat host 2>/dev/null || echo d1.cloudfront.net ;;
  *"output -no-color"*) echo 'site_host = "d1.cloudfront.net"' ;;
  *) echo "unexpected: terraform $*" >&2; exit 9 ;;
esac
"#;

/// A stub of CloudFront and the bucket: it serves pages from the folder `served`, and only through CloudFront.
const CURL: &str = r#"
output=/dev/stdout; headers=/dev/null; format=; fail=
while (($#)); do
  case $1 in
    --output) output=$2; shift ;;
    --dump-header) headers=$2; shift ;;
    --write-out) format=$2; shift ;;
    --max-time) shift ;;
    --fail) fail=1 ;;
    --*) ;;
    *) url=$1 ;;
  esac
  shift
done
moved=
case $url in
  https://web-1.s3.*) code=$(cat past 2>/dev/null || echo 403); page=/dev/null ;;
  http://*) code=301; page=/dev/null; moved=https://${url#http://} ;;
  */) code=200; page=served/index.html ;;
  *) code=404; page=served/404.html ;;
esac
[[ -e $page ]] || exit 6
printf 'Strict-Transport-Security: x\r\nX-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\nReferrer-Policy: x\r\n' >"$headers"
[[ -z $fail || $code == 200 ]] || exit 22
cat "$page" >"$output"
format=${format//'%{http_code}'/$code}
printf '%s' "${format//'%{redirect_url}'/$moved}"
"#;

/// A stub of the AWS CLI: it serves synchronized files, and removes deleted files from the list of versions. Like the real
/// one, it ends a list in pages with the line None.
const AWS: &str = r#"
set -e
echo "aws $*" >>aws.log
case "$*" in
  "s3 sync site s3://web-1 "*) rm -rf served; cp -r site served ;;
  "s3 ls "*) ls served ;;
  "cloudfront create-invalidation "*) echo I1 ;;
  "cloudfront wait "*) ;;
  *list-object-versions*not_null*) if [[ -s versions ]]; then echo some; fi
    if [[ ! -s versions || $* != *" --no-paginate "* ]]; then echo None; fi ;;
  *list-object-versions*) python3 -c '
import json
lines = open("versions").read().split()
named = [{"Key": line, "VersionId": "v-" + line} for line in lines[:2]]
print(json.dumps({"Versions": named[:1], "DeleteMarkers": named[1:]}) if named else "")' ;;
  *delete-objects*) words=$*; file=${words#*file://}; python3 -c '
import json, sys
gone = [one["Key"] for one in json.load(open(sys.argv[1]))["Objects"]]
left = [line for line in open("versions").read().split() if line not in gone]
open("versions", "w").write("\n".join(left))' "${file%% *}"; echo None ;;
  *) echo "unexpected: aws $*" >&2; exit 9 ;;
esac
"#;

/// A folder with all of these stubs.
fn played() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("terraform")).unwrap();
    for (name, body) in [("terraform", TERRAFORM), ("curl", CURL), ("aws", AWS)] {
        stub(folder.path(), name, body);
    }
    state(folder.path(), &mended());
    folder
}

fn state(folder: &Path, state: &Value) {
    std::fs::write(folder.join("state.json"), state.to_string()).unwrap();
}

/// Terraform's state after the configuration is applied.
fn mended() -> Value {
    let managed =
        |kind: &str, values: Value| json!({"mode": "managed", "type": kind, "values": values});
    let blocks = json!({
        "block_public_acls": true, "block_public_policy": true, "ignore_public_acls": true, "restrict_public_buckets": true,
    });
    let encryption =
        json!([{"apply_server_side_encryption_by_default": [{"sse_algorithm": "AES256"}]}]);
    let resources = [
        managed("aws_s3_bucket", json!({"bucket": "web-1", "region": "us-east-1"})),
        managed("aws_s3_bucket_public_access_block", blocks),
        managed(
            "aws_s3_bucket_ownership_controls",
            json!({"rule": [{"object_ownership": "BucketOwnerEnforced"}]}),
        ),
        managed(
            "aws_s3_bucket_versioning",
            json!({"versioning_configuration": [{"status": "Enabled"}]}),
        ),
        managed("aws_s3_bucket_server_side_encryption_configuration", json!({"rule": encryption})),
        managed(
            "aws_cloudfront_origin_access_control",
            json!({"id": "OAC1", "signing_behavior": "always"}),
        ),
        managed(
            "aws_cloudfront_distribution",
            json!({
                "enabled": true, "http_version": "http2and3", "price_class": "PriceClass_100",
                "default_cache_behavior": [{"compress": true}],
                "origin": [{"origin_access_control_id": "OAC1"}],
            }),
        ),
    ];
    json!({"values": {
        "root_module": {"resources": resources},
    }})
}

#[tokio::test]
async fn the_configuration_is_well_formed_and_has_the_requested_values() {
    let wish =
        "A static site on S3 with CloudFront for www.example.com in Frankfurt, use the defaults";
    let project = Project::planned(wish).await;
    let folder = tempfile::tempdir().unwrap();
    let script = project.script(1).await;
    must_run(folder.path(), &script, &[]);
    must_run(folder.path(), &script, &[]);
    let terraform = folder.path().join("terraform");
    let mut resources = Vec::new();
    for file in ["versions", "variables", "bucket", "distribution", "domain", "outputs"] {
        let source = std::fs::read_to_string(terraform.join(format!("{file}.tf"))).unwrap();
        let body = hcl::parse(&source).unwrap_or_else(|error| panic!("{file}: {error}"));
        let blocks = body.blocks().filter(|block| block.identifier.as_str() == "resource");
        resources.extend(blocks.map(|block| block.labels[0].as_str().to_string()));
    }
    for resource in [
        "aws_s3_bucket_public_access_block",
        "aws_s3_bucket_versioning",
        "aws_s3_bucket_server_side_encryption_configuration",
        "aws_cloudfront_origin_access_control",
        "aws_cloudfront_distribution",
        "aws_acm_certificate_validation",
    ] {
        assert!(resources.iter().any(|found| found == resource), "{resource}");
    }
    let values = std::fs::read_to_string(terraform.join("terraform.tfvars")).unwrap();
    assert!(values.contains("\"eu-central-1\"") && values.contains("\"www.example.com\""));
    assert!(project.architecture.contains("What S3 takes in `eu-central-1` is on"));

    is_valid(folder.path(), &project.script(2).await);
}

#[tokio::test]
async fn a_site_is_planned_applied_and_published_and_its_own_pages_are_kept() {
    let project = Project::planned(WISH).await;
    let folder = played();
    let folder = folder.path();
    let without = run(folder, &project.script(3).await, &[]);
    assert!(!without.status.success() && text(&without).contains("credentials form"));
    let mut said = String::new();
    for number in 3..=6 {
        let (script, proof) = project.proved_script(number).await;
        said.push_str(&must_run(folder, &script, KEYS));
        assert!(must_run(folder, &proof, KEYS).contains("Proved: "), "step {number}");
    }
    assert!(
        !said.contains("not-a-secret")
            && said.contains("The site is at https://d1.cloudfront.net/")
    );

    let page = folder.join("site/index.html");
    assert!(std::fs::read_to_string(&page).unwrap().contains("<title>web</title>"));
    std::fs::write(&page, "my own").unwrap();
    must_run(folder, &project.script(5).await, &[]);
    assert_eq!(std::fs::read_to_string(&page).unwrap(), "my own");
    let (publish, proof) = project.proved_script(6).await;
    let stale = run(folder, &proof, KEYS);
    assert!(!stale.status.success(), "CloudFront still serves the former page");
    must_run(folder, &publish, KEYS);
    must_run(folder, &proof, KEYS);
    let log = std::fs::read_to_string(folder.join("aws.log")).unwrap();
    assert_eq!(log.matches("cloudfront wait invalidation-completed").count(), 2, "{log}");

    let (apply, proof) = project.proved_script(4).await;
    assert!(must_run(folder, &apply, KEYS).contains("Applied already"));
    assert_eq!(std::fs::read_to_string(folder.join("made")).unwrap(), "x\n");
    std::fs::write(folder.join("drift"), "").unwrap();
    let drifted = run(folder, &apply, KEYS);
    assert!(!drifted.status.success() && text(&drifted).contains("'Plan the changes' again"));
    let unproved = run(folder, &proof, KEYS);
    assert!(!unproved.status.success() && text(&unproved).contains("Plan: 1 to add"));
}

#[tokio::test]
async fn the_checks_find_an_open_bucket_and_a_wrong_page() {
    let project = Project::planned(WISH).await;
    let folder = played();
    let folder = folder.path();
    for number in [5, 6] {
        must_run(folder, &project.script(number).await, KEYS);
    }
    let checks = project.check_scripts().await;
    let [_, bucket, site, distribution, _] = checks.as_slice() else { panic!("{}", checks.len()) };
    for check in [bucket, site, distribution] {
        assert!(must_run(folder, check, &[]).contains("Verified: "));
    }

    let mut open = mended();
    open["values"]["root_module"]["resources"][3]["values"]["versioning_configuration"][0]["status"] =
        "Suspended".into();
    state(folder, &open);
    assert!(text(&run(folder, bucket, &[])).contains("NO: versions are kept"));
    state(folder, &mended());
    std::fs::write(folder.join("past"), "200").unwrap();
    let said = run(folder, bucket, &[]);
    assert!(!said.status.success() && text(&said).contains("must answer 403"), "{}", text(&said));

    std::fs::write(folder.join("served/index.html"), "another").unwrap();
    assert!(!run(folder, site, &[]).status.success());
}

#[tokio::test]
async fn a_check_finds_a_distribution_that_differs_from_the_plan() {
    let checks = Project::planned(WISH).await.check_scripts().await;
    let folder = played();
    for (at, value, said) in [
        ("/http_version", json!("http1.1"), "NO: HTTP/2 and HTTP/3 are on"),
        ("/default_cache_behavior/0/compress", json!(false), "NO: pages are compressed"),
        ("/price_class", json!("PriceClass_All"), "NO: the price class is 100"),
        (
            "/origin/0/origin_access_control_id",
            json!("another"),
            "NO: only this distribution reads the bucket",
        ),
        ("/enabled", json!(false), "NO: the distribution is on"),
    ] {
        let mut differs = mended();
        let values = &mut differs["values"]["root_module"]["resources"][6]["values"];
        *values.pointer_mut(at).unwrap() = value;
        state(folder.path(), &differs);
        let found = run(folder.path(), &checks[3], &[]);
        assert!(!found.status.success() && text(&found).contains(said), "{}", text(&found));
    }
}

#[tokio::test]
async fn removing_the_site_deletes_every_version_of_its_files() {
    let removal = Project::planned(WISH).await.torn_down().await;
    assert!(
        removal.requirements.contains("every version that it kept"),
        "{}",
        removal.requirements
    );
    let folder = played();
    let folder = folder.path();
    std::fs::write(folder.join("made"), "x\n").unwrap();
    std::fs::write(folder.join("versions"), "a\nb\nc\nd\ne").unwrap();
    std::fs::create_dir(folder.join("served")).unwrap();
    std::fs::write(folder.join("served/index.html"), "there").unwrap();
    let (scripts, proofs) = (removal.scripts().await, removal.proofs().await);
    let checks = removal.check_scripts().await;
    assert_eq!(scripts.len(), 3);
    assert!(!run(folder, &scripts[1], &[]).status.success(), "the step runs without credentials");
    assert!(!run(folder, &proofs[1], KEYS).status.success(), "versions are left");
    assert!(!run(folder, &checks[0], KEYS).status.success(), "the check passes before the removal");
    for round in 0..2 {
        for (script, proof) in scripts.iter().zip(&proofs) {
            must_run(folder, script, KEYS);
            assert!(must_run(folder, proof, KEYS).contains("Proved: "), "round {round}");
        }
    }
    assert_eq!(std::fs::read_to_string(folder.join("versions")).unwrap(), "");
    let still = run(folder, &checks[1], &[]);
    assert!(!still.status.success() && text(&still).contains("still shows a page"));
    std::fs::remove_file(folder.join("served/index.html")).unwrap();
    for check in &checks {
        assert!(must_run(folder, check, &[]).contains("Verified: "));
    }
}
