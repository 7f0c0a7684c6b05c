//! PEM blocks in base64, as `client-key-data` of Kubernetes: a private key is a secret, and a certificate or a public key is
//! none.

use super::Framed;
use crate::Raw;
use crate::SecretKind::PrivateKey;
use crate::bare::decode;
use crate::places::places;
use std::ops::Range;

/// `-----BEGIN ` in base64, up to the last whole group of letters.
const BEGIN: &str = "LS0tLS1CRUdJTi";
/// The shortest such block and the longest that is read, in bytes.
const BYTES: Range<usize> = 40..32 * 1024;

/// Such blocks of a text.
pub fn find(text: &str) -> Framed {
    let mut framed = Framed { secrets: Vec::new(), public: Vec::new() };
    let mut from = 0;
    for at in places(text, BEGIN) {
        if at < from {
            continue;
        }
        let base64 = |b: &u8| b.is_ascii_alphanumeric() || b"+/=".contains(b);
        let length = text.as_bytes()[at..].iter().take_while(|b| base64(b)).count();
        from = at + length;
        let body = text[at..from].trim_end_matches('=');
        // What follows the last whole group may be cut off.
        let whole = &body[..body.len().min(BYTES.end) / 4 * 4];
        if body.len() < BYTES.start || text[..at].ends_with(|c: char| c.is_ascii_alphanumeric()) {
            continue;
        }
        let Some(block) = decode(whole) else { continue };
        let block = String::from_utf8_lossy(&block);
        if block.contains("PRIVATE KEY") || block.contains("OpenVPN") {
            framed.secrets.push(Raw::sure(at..from, "PRIVATE_KEY", PrivateKey));
        } else if ["CERT", "PUBLIC", "X509", "TRUSTED", "PARAMETERS"]
            .iter()
            .any(|word| block.lines().next().is_some_and(|label| label.contains(word)))
        {
            framed.public.push(at..from);
        }
    }
    framed
}

#[cfg(test)]
mod tests {
    use crate::tests::found;

    #[test]
    fn only_private_keys_are_secrets() {
        let private = "LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQpNSUlFb3dJQkFBS0NBUUVBdXR5a1NX";
        for name in ["client-key-data", "tls.key", "b64"] {
            assert_eq!(found(&format!("    {name}: {private}\n")), [private], "{name}");
        }
        for public in [
            "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSURJVENDQWdtZ0F3SUJBZ0lJUWtpVnhZQ1",
            "LS0tLS1CRUdJTiBQVUJMSUMgS0VZLS0tLS0KTUlJQklqQU5CZ2txaGtpRzl3MEJBUUVGQUFP",
        ] {
            for name in ["certificate-authority-data", "client-certificate-data", "jwt_secret"] {
                assert_eq!(found(&format!("    {name}: {public}\n")), [""; 0], "{name}");
            }
        }
    }
}
