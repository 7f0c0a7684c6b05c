//! Signs calls with the function's role.

use aws_credential_types::Credentials;
use aws_credential_types::provider::{ProvideCredentials, SharedCredentialsProvider};
use aws_sigv4::http_request::{SignableBody, SignableRequest, SigningSettings, sign};
use aws_sigv4::sign::v4::SigningParams;
use settings::SdkConfig;
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use tokio::sync::Mutex;

/// The name under which Bedrock's runtime checks signatures.
const SERVICE: &str = "bedrock";
/// The first label of the runtime's address, with the region in the next one.
const HOSTS: [&str; 2] = ["bedrock-runtime", "bedrock-runtime-fips"];
/// How long before credentials expire new ones are requested.
const BEFORE_THE_END: Duration = Duration::from_secs(5 * 60);

/// Why a call cannot be signed. The error contains nothing of a credential.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unsigned {
    /// The function's role, or the environment, provides no credentials.
    #[error("there are no AWS credentials to sign with")]
    NoCredentials,
    /// Neither the address nor the environment names a region.
    #[error("no AWS region is configured")]
    NoRegion,
    /// The address or a header cannot be signed.
    #[error("the call cannot be signed")]
    Malformed,
}

/// Signs calls of Bedrock with the AWS SDK's own credentials: in Lambda, those of the function's role. Cheap to clone.
#[derive(Clone)]
pub struct Signer {
    provider: Option<SharedCredentialsProvider>,
    region: Option<String>,
    /// Credentials that expire; others cost nothing to request.
    kept: Arc<Mutex<Option<Credentials>>>,
}

impl Signer {
    /// Requests credentials at the first call, from the same sources as the SDK.
    pub fn new(sdk: &SdkConfig) -> Self {
        Self {
            provider: sdk.credentials_provider(),
            region: sdk.region().map(ToString::to_string),
            kept: Arc::default(),
        }
    }

    /// Bedrock's address in the region of the environment.
    pub fn base_url(&self) -> Result<String, Unsigned> {
        let region = self.region.as_deref().ok_or(Unsigned::NoRegion)?;
        let domain = if region.starts_with("cn-") { "amazonaws.com.cn" } else { "amazonaws.com" };
        Ok(format!("https://bedrock-runtime.{region}.{domain}"))
    }

    /// The headers with which the role makes a POST of `body` to `url`, including those of `headers`.
    pub async fn sign(
        &self,
        url: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> Result<Vec<(String, String)>, Unsigned> {
        let region = region_of(url).or(self.region.as_deref()).ok_or(Unsigned::NoRegion)?;
        let identity = self.credentials().await?.into();
        let parameters = SigningParams::builder()
            .identity(&identity)
            .region(region)
            .name(SERVICE)
            .time(SystemTime::now())
            .settings(SigningSettings::default())
            .build();
        let parameters = parameters.map_err(|_| Unsigned::Malformed)?.into();
        let given = headers.iter().copied();
        let request = SignableRequest::new("POST", url, given, SignableBody::Bytes(body));
        let request = request.map_err(|_| Unsigned::Malformed)?;
        let signed = sign(request, &parameters).map_err(|_| Unsigned::Malformed)?;
        let (instructions, _) = signed.into_parts();
        let signature = instructions.headers();
        let all = headers.iter().copied().chain(signature);
        Ok(all.map(|(name, value)| (name.to_owned(), value.to_owned())).collect())
    }

    async fn credentials(&self) -> Result<Credentials, Unsigned> {
        let mut kept = self.kept.lock().await;
        let lasts = |credentials: &&Credentials| {
            let soon = SystemTime::now() + BEFORE_THE_END;
            credentials.expiry().is_some_and(|end| end > soon)
        };
        if let Some(kept) = kept.as_ref().filter(lasts) {
            return Ok(kept.clone());
        }
        let provider = self.provider.as_ref().ok_or(Unsigned::NoCredentials)?;
        let given = provider.provide_credentials().await.map_err(|_| Unsigned::NoCredentials)?;
        *kept = Some(given.clone());
        Ok(given)
    }
}

/// The region in an address of the runtime, including an endpoint in a VPC: a call is signed for the region that it
/// goes to.
fn region_of(url: &str) -> Option<&str> {
    let host = url.split_once("://")?.1.split(['/', ':']).next()?;
    let mut labels = host.split('.');
    labels.find(|label| HOSTS.contains(label))?;
    labels.next().filter(|region| region.contains('-'))
}

/// Shows no credential.
impl std::fmt::Debug for Signer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Signer").field("region", &self.region).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aws_credential_types::provider::future::ProvideCredentials as Future;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Provides credentials that are valid for this long, and counts how often it was asked.
    #[derive(Debug)]
    struct Counted(Option<Duration>, Arc<AtomicUsize>);

    impl ProvideCredentials for Counted {
        fn provide_credentials<'a>(&'a self) -> Future<'a>
        where
            Self: 'a,
        {
            self.1.fetch_add(1, Ordering::SeqCst);
            let end = self.0.map(|lasts| SystemTime::now() + lasts);
            Future::ready(Ok(Credentials::new("id", "secret", Some("session".into()), end, "test")))
        }
    }

    fn signer(lasts: Option<Duration>) -> (Signer, Arc<AtomicUsize>) {
        let asked = Arc::new(AtomicUsize::new(0));
        let provider = SharedCredentialsProvider::new(Counted(lasts, asked.clone()));
        let region = Some("eu-central-1".to_owned());
        (Signer { provider: Some(provider), region, kept: Arc::default() }, asked)
    }

    #[test]
    fn the_region_is_the_one_that_the_address_names() {
        for (url, region) in [
            ("https://bedrock-runtime.eu-west-1.amazonaws.com/model/x", Some("eu-west-1")),
            ("https://bedrock-runtime-fips.us-east-1.amazonaws.com", Some("us-east-1")),
            ("https://vpce-0a.bedrock-runtime.eu-west-3.vpce.amazonaws.com/", Some("eu-west-3")),
            ("http://127.0.0.1:4566/model/x", None),
            ("https://proxy.example/bedrock-runtime.eu-west-1/", None),
        ] {
            assert_eq!(region_of(url), region, "{url}");
        }
    }

    #[test]
    fn the_address_follows_the_region() {
        let at = |region: Option<&str>| {
            let region = region.map(str::to_owned);
            Signer { provider: None, region, kept: Arc::default() }.base_url()
        };
        assert_eq!(
            at(Some("eu-west-1")).unwrap(),
            "https://bedrock-runtime.eu-west-1.amazonaws.com"
        );
        assert!(at(Some("cn-north-1")).unwrap().ends_with(".cn-north-1.amazonaws.com.cn"));
        assert_eq!(at(None), Err(Unsigned::NoRegion));
    }

    #[tokio::test]
    async fn a_call_carries_the_signed_headers() {
        let (signer, _) = signer(None);
        let url = "https://bedrock-runtime.us-west-2.amazonaws.com/model/a%3A0/converse-stream";
        let headers = [("content-type", "application/json")];
        let signed = signer.sign(url, &headers, b"{}").await.unwrap();
        let value = |name: &str| {
            let found = signed.iter().find(|(known, _)| known == name);
            found.map(|(_, value)| value.as_str()).unwrap_or_default()
        };
        assert_eq!(value("content-type"), "application/json");
        assert_eq!(value("x-amz-security-token"), "session");
        let authorization = value("authorization");
        let scope = "/us-west-2/bedrock/aws4_request, SignedHeaders=content-type;host;x-amz-date";
        assert!(authorization.starts_with("AWS4-HMAC-SHA256 Credential=id/"), "{authorization}");
        assert!(authorization.contains(scope), "{authorization}");
    }

    #[tokio::test]
    async fn credentials_are_renewed_before_they_expire() {
        for (lasts, asked_twice) in [
            (Some(Duration::from_secs(3_600)), false),
            (Some(BEFORE_THE_END - Duration::from_secs(1)), true),
            (None, true),
        ] {
            let (signer, asked) = signer(lasts);
            for _ in 0..2 {
                signer.sign("http://localhost/", &[], b"").await.unwrap();
            }
            assert_eq!(asked.load(Ordering::SeqCst), if asked_twice { 2 } else { 1 }, "{lasts:?}");
        }
    }

    #[tokio::test]
    async fn without_credentials_or_a_region_nothing_is_signed() {
        let region = Some("eu-west-1".to_owned());
        let unsigned = Signer { provider: None, region, kept: Arc::default() };
        let signed = unsigned.sign("http://localhost/", &[], b"").await;
        assert_eq!(signed, Err(Unsigned::NoCredentials));
        let (signer, _) = signer(None);
        let nowhere = Signer { region: None, ..signer };
        let signed = nowhere.sign("http://localhost/", &[], b"").await;
        assert_eq!(signed, Err(Unsigned::NoRegion));
        assert!(!format!("{nowhere:?}").contains("secret"));
    }
}
