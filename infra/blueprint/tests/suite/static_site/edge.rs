//! The parts of the site that visitors reach first: the certificate, and the edge function that resolves folders.

use std::path::Path;
use std::process::Command;

use hcl::eval::{Context, Evaluate};
use hcl::{Block, Body, Value as Hcl};
use serde_json::json;

use super::{WISH, mended, played, state};
use crate::stubs::{must_run, run, stub, text};
use crate::support::Project;

const OWN_DOMAIN: &str =
    "A static site on S3 with CloudFront named web for www.example.com, use the defaults";

/// A stub of OpenSSL that uses the real program without a connection: it shows the certificate in `shown.pem`, verified
/// for the requested name and with itself as the authority.
const OPENSSL: &str = r#"
real=$(type -aP openssl | sed -n 2p)
[[ $1 == s_client ]] || exec "$real" "$@"
name=
refuses=
while (($#)); do
  case $1 in
    -verify_hostname) name=$2 ;;
    -verify_return_error) refuses=1 ;;
  esac
  shift
done
if ! "$real" verify -CAfile shown.pem -verify_hostname "$name" shown.pem >/dev/null 2>&1 && [[ -n $refuses ]]; then
  exit 1
fi
cat shown.pem
"#;

/// Makes a certificate for this name that expires after this many days.
fn shows(folder: &Path, name: &str, days: u32) {
    let mut openssl = Command::new("openssl");
    openssl.args(["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]);
    openssl.args(["-nodes", "-keyout", "key.pem", "-out", "shown.pem", "-subj", "/CN=site"]);
    openssl.args(["-days", &days.to_string(), "-addext", &format!("subjectAltName=DNS:{name}")]);
    let made = openssl.current_dir(folder).output().expect("openssl is needed for this test");
    assert!(made.status.success(), "{}", text(&made));
}

/// Writes Terraform's state for a site whose distribution accepts this protocol and newer ones.
fn takes(folder: &Path, least: &str) {
    let mut with = mended();
    let site = &mut with["values"]["root_module"]["resources"][6]["values"];
    site["viewer_certificate"] = json!([{"minimum_protocol_version": least}]);
    state(folder, &with);
}

#[tokio::test]
async fn the_certificate_check_finds_a_wrong_name_a_near_expiry_and_an_old_protocol() {
    let check = Project::planned(OWN_DOMAIN).await.check_scripts().await.pop().unwrap();
    assert!(check.contains("Reads the certificate"));
    let folder = played();
    let folder = folder.path();
    stub(folder, "openssl", OPENSSL);
    let finds = |expected: &str| {
        let said = run(folder, &check, &[]);
        assert!(!said.status.success() && text(&said).contains(expected), "{}", text(&said));
    };
    shows(folder, "www.example.com", 90);
    takes(folder, "TLSv1.2_2021");
    finds("the site is at d1.cloudfront.net, and not at www.example.com");
    std::fs::write(folder.join("host"), "www.example.com").unwrap();
    let said = must_run(folder, &check, &[]);
    assert!(said.contains("Verified: the certificate of www.example.com"), "{said}");

    takes(folder, "TLSv1");
    finds("least protocol: TLSv1\n");
    takes(folder, "TLSv1.2_2021");
    shows(folder, "www.example.com", 6);
    finds("the certificate ends within a week");
    shows(folder, "shop.example.com", 90);
    finds("the certificate of www.example.com is not valid for it");
    std::fs::remove_file(folder.join("shown.pem")).unwrap();
    finds("is not valid for it");
}

#[tokio::test]
async fn cloudfronts_own_certificate_is_checked_without_a_protocol() {
    let check = Project::planned(WISH).await.check_scripts().await.pop().unwrap();
    let folder = played();
    let folder = folder.path();
    stub(folder, "openssl", OPENSSL);
    shows(folder, "*.cloudfront.net", 90);
    assert!(
        must_run(folder, &check, &[]).contains("Verified: the certificate of d1.cloudfront.net")
    );
    shows(folder, "*.example.com", 90);
    assert!(!run(folder, &check, &[]).status.success());
}

fn file(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("catalogue/static-site/files");
    std::fs::read_to_string(folder.join(name)).unwrap()
}

fn block<'a>(body: &'a Body, path: &[&str]) -> &'a Block {
    let (first, rest) = path.split_first().unwrap();
    let mut names = first.split(' ');
    let (kind, label) = (names.next().unwrap(), names.next());
    let is = |block: &&Block| {
        block.identifier.as_str() == kind
            && label.is_none_or(|label| block.labels.iter().any(|one| one.as_str() == label))
    };
    let found = body.blocks().find(is).unwrap_or_else(|| panic!("no {first}"));
    if rest.is_empty() { found } else { block(&found.body, rest) }
}

/// The value of an attribute, with or without a custom domain.
fn value(block: &Block, name: &str, own_domain: bool) -> Hcl {
    let attribute = block.body.attributes().find(|attribute| attribute.key.as_str() == name);
    let attribute = attribute.unwrap_or_else(|| panic!("no {name}"));
    let mut context = Context::new();
    context.declare_var("local", hcl::value!({ "own_domain" = own_domain }));
    let validated = hcl::value!({ "site" = [{ "certificate_arn" = "validated" }] });
    context.declare_var("aws_acm_certificate_validation", validated);
    context
        .declare_var("aws_cloudfront_function", hcl::value!({ "folders" = { "arn" = "folders" } }));
    attribute.expr.evaluate(&context).unwrap()
}

#[test]
fn visitors_get_tls_1_2_with_a_validated_certificate_or_cloudfronts_own() {
    let distribution = hcl::parse(&file("distribution.tf")).unwrap();
    let site = block(&distribution, &["resource aws_cloudfront_distribution"]);
    let certificate = block(&site.body, &["viewer_certificate"]);
    let of = |name: &str, own_domain| value(certificate, name, own_domain);
    assert_eq!(of("acm_certificate_arn", true), Hcl::from("validated"));
    assert_eq!(of("minimum_protocol_version", true), Hcl::from("TLSv1.2_2021"));
    assert_eq!(of("ssl_support_method", true), Hcl::from("sni-only"));
    assert_eq!(of("cloudfront_default_certificate", true), Hcl::Null);
    assert_eq!(of("cloudfront_default_certificate", false), Hcl::from(true));
    for name in ["acm_certificate_arn", "minimum_protocol_version", "ssl_support_method"] {
        assert_eq!(of(name, false), Hcl::Null, "{name}");
    }
    let cache = block(&site.body, &["default_cache_behavior"]);
    assert_eq!(value(cache, "viewer_protocol_policy", true), Hcl::from("redirect-to-https"));

    // CloudFront accepts only certificates of this region.
    let domain = hcl::parse(&file("domain.tf")).unwrap();
    for resource in ["aws_acm_certificate", "aws_acm_certificate_validation"] {
        let resource = block(&domain, &[&format!("resource {resource}")]);
        let named = resource.body.attributes().find(|one| one.key.as_str() == "provider").unwrap();
        assert_eq!(hcl::format::to_string(&named.expr).unwrap(), "aws.us_east_1");
    }
    let versions = hcl::parse(&file("versions.tf")).unwrap();
    let has = |block: &&Block, name: &str, wanted: &str| {
        let mut attributes = block.body.attributes().filter(|one| one.key.as_str() == name);
        attributes.any(|one| one.expr == hcl::Expression::from(wanted))
    };
    let mut providers = versions.blocks().filter(|block| block.identifier.as_str() == "provider");
    assert!(
        providers.any(|one| has(&one, "alias", "us_east_1") && has(&one, "region", "us-east-1"))
    );
}

/// Passes each path to the edge function in Node, and prints the path that the function requests from the bucket.
const ASKS: &str = r"
const handler = new Function(`${process.env.SOURCE}; return handler;`)();
for (const uri of process.argv.slice(1)) {
  const given = { method: 'GET', uri, querystring: { a: { value: '1' } }, headers: {}, cookies: {} };
  const asked = handler({ version: '1.0', context: {}, viewer: {}, request: structuredClone(given) });
  if (JSON.stringify({ ...asked, uri }) !== JSON.stringify(given)) throw new Error('more than the address changed');
  console.log(asked.uri);
}
";

#[test]
fn the_edge_maps_a_folder_to_its_index_page() {
    let pages = [
        ("/", "/index.html"),
        ("/docs/", "/docs/index.html"),
        ("/docs", "/docs/index.html"),
        ("/docs/a/b", "/docs/a/b/index.html"),
        ("/v1.2/", "/v1.2/index.html"),
        ("/v1.2/notes", "/v1.2/notes/index.html"),
        ("/index.html", "/index.html"),
        ("/css/style.min.css", "/css/style.min.css"),
        ("/.well-known/security.txt", "/.well-known/security.txt"),
    ];
    let mut node = Command::new("node");
    node.args(["-e", ASKS]).args(pages.map(|(uri, _)| uri)).env("SOURCE", file("folders.js"));
    let said = node.output().expect("node is needed for this test");
    assert!(said.status.success(), "{}", text(&said));
    let asked = String::from_utf8(said.stdout).unwrap();
    assert_eq!(asked.lines().collect::<Vec<_>>(), pages.map(|(_, page)| page));
}

#[test]
fn the_edge_runs_the_function_for_each_request() {
    let distribution = hcl::parse(&file("distribution.tf")).unwrap();
    let path =
        ["resource aws_cloudfront_distribution", "default_cache_behavior", "function_association"];
    let association = block(&distribution, &path);
    assert_eq!(value(association, "event_type", false), Hcl::from("viewer-request"));
    assert_eq!(value(association, "function_arn", false), Hcl::from("folders"));
    let function = block(&distribution, &["resource aws_cloudfront_function"]);
    assert_eq!(function.labels[1].as_str(), "folders");
    assert_eq!(value(function, "runtime", false), Hcl::from("cloudfront-js-2.0"));
    assert_eq!(value(function, "publish", false), Hcl::from(true));
    let code = function.body.attributes().find(|one| one.key.as_str() == "code").unwrap();
    let code = hcl::format::to_string(&code.expr).unwrap();
    assert!(code.contains("folders.js"), "{code}");
}
