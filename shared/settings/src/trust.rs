//! The certificate authorities that the AWS SDKs trust: the five roots of Amazon Trust Services, which certify all AWS
//! endpoints.
//!
//! By default the SDK reads every certificate of the system when a function starts. Here these are two bundles and a
//! folder of some three hundred files, which take 3 ms of the start's 7 ms. Trusting only Amazon's roots is also safer,
//! because no other authority can vouch for AWS. If `SSL_CERT_FILE` or `SSL_CERT_DIR` is set, as for endpoints behind a
//! private authority or in the regions of China, the SDK uses the system's certificates as usual.

use aws_smithy_http_client::Builder;
use aws_smithy_http_client::tls::rustls_provider::CryptoMode;
use aws_smithy_http_client::tls::{Provider, TlsContext, TrustStore};
use aws_smithy_runtime_api::client::http::SharedHttpClient;

/// The roots, as <https://www.amazontrust.com/repository/> publishes them.
const ROOTS: &str = include_str!("amazon-roots.pem");

/// The variables that name the certificates of the system.
const OWN: [&str; 2] = ["SSL_CERT_FILE", "SSL_CERT_DIR"];

/// The client for all AWS SDKs; `None` if the operator names certificates.
pub fn client() -> Option<SharedHttpClient> {
    if OWN.iter().any(|name| std::env::var_os(name).is_some()) {
        return None;
    }
    let roots = TrustStore::empty().with_pem_certificate(ROOTS);
    let context = TlsContext::builder().with_trust_store(roots).build().ok()?;
    let provider = Provider::Rustls(CryptoMode::AwsLc);
    Some(Builder::new().tls_provider(provider).tls_context(context).build_https())
}
