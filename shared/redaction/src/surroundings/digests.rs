//! Recognizes digests after their names, and fingerprints.

use super::{Place, announces};
use crate::weight::is_hex;
use crate::words::{FOR, OF};

/// Words for a digest in a sentence.
const SAID: [&str; 16] = [
    "hash",
    "checksum",
    "digest",
    "fingerprint",
    "thumbprint",
    "fingerabdruck",
    "empreinte",
    "huella",
    "prüfsumme",
    "suma de ",
    "somme de ",
    "suma kontrolna",
    "sha",
    "commit",
    "bisect",
    "révision",
];
/// Names of digests before `=` or `:`.
const NAMES: [&str; 13] = [
    "md5",
    "sha1",
    "sha224",
    "sha256",
    "sha384",
    "sha512",
    "blake3",
    "rmd160",
    "ripemd160",
    "tiger",
    "whirlpool",
    "crc32",
    "haval",
];
/// The shortest digest that only its name announces, in bytes.
const LEAST_BYTES: usize = 32;
/// The same in base64.
const BASE64_BYTES: usize = 8;

/// Whether a value is a digest. The clause is what comes before it, in lower case; the run is the text between spaces.
pub(super) fn is_digest(place: &Place<'_>, clause: &str, run: &str) -> bool {
    let Place { value, before, .. } = *place;
    let begun = place.begun();
    let fingerprint = ["SHA256:", "sha256:", "MD5:"]
        .iter()
        .any(|digest| value.contains(digest) || begun.starts_with(digest));
    fingerprint
        || is_of_module(run, begun)
        || (is_hex(value) && place.above.starts_with("HEAD is now at "))
        || run.contains("@sha256:")
        || value.strip_prefix("hmac-sha256:").is_some_and(is_hex)
        || is_named(before, value)
        || is_listed(before, value)
        || (is_hex(value) && is_said(clause))
}

/// `h1:X2zg81sL…=`: a package in a lock file of Terraform or Go, in base64.
fn is_of_module(run: &str, begun: &str) -> bool {
    const BYTES: usize = 44;
    let whole = [begun, run].concat();
    let digest = whole.trim_start_matches(['"', '\'', '`', '(']).strip_prefix("h1:");
    digest.is_some_and(|digest| {
        let digest = digest.trim_end_matches(['"', '\'', '`', ')', ',', '.']);
        digest.len() == BYTES && digest.ends_with('=')
    })
}

/// "the fingerprint of the AES key is 9f8a…": what comes after the word is about the digest.
fn is_said(clause: &str) -> bool {
    SAID.iter().any(|digest| {
        clause
            .rsplit_once(digest)
            .filter(|(_, between)| *digest != "sha" || !between.starts_with(char::is_alphabetic))
            .is_some_and(|(_, between)| !announces(between) || is_of(between))
    })
}

/// Whether a digest is of the secret that a text names: "of the AES key is", "des Schlüssels lautet".
fn is_of(between: &str) -> bool {
    let next = between.split_whitespace().next().unwrap_or_default();
    between.starts_with(' ')
        && (OF.contains(&next) || FOR.contains(&next))
        && !between.contains([',', '.', ';', ':'])
}

/// `sha256=684f6849…`, `checksum/secret: cd46…`
fn is_named(before: &str, value: &str) -> bool {
    let (name, digits) = value.split_once(['=', ':']).unwrap_or((before, value));
    let tied = digits.len() < value.len() || before.trim_end().ends_with(['=', ':']);
    let name = name.trim_end_matches([' ', '"', '\'', '=', ':']);
    let field = name.rsplit([' ', '"', '\'', ',', '{']).next().unwrap_or_default();
    let last = field.rsplit(['-', '_']).next().unwrap_or_default();
    digits.len() >= LEAST_BYTES
        && is_hex(digits)
        && tied
        && (NAMES.contains(&last) || field.starts_with("checksum/"))
}

/// `RMD160   : moyQ1YskQQbidX+Lusv3g2wf1gQ=`: a digest in base64, as AIDE prints it.
fn is_listed(before: &str, value: &str) -> bool {
    let Some(name) = before.trim_end().strip_suffix(':').map(str::trim_end) else { return false };
    let name = name.rsplit(' ').next().unwrap_or_default();
    name.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit())
        && NAMES.contains(&name.to_ascii_lowercase().as_str())
        && value.len() >= BASE64_BYTES
        && value.bytes().all(|b| b.is_ascii_alphanumeric() || b"+/=".contains(&b))
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn digests_stay() {
        let digest = "cd46894eb910e55aaaf73b1c5e631ea137b274893f18f10a7c58090e82df4a91";
        for text in [
            &format!("rails (7.1.2) sha256={digest}"),
            &format!("checksum/secret: {digest}"),
            &format!("The fingerprint of the AES key is {digest}"),
            &format!("git bisect shows {} first (hashes of passwords)", &digest[..40]),
            &format!("HEAD is now at 3b21c15 rotate keys\nfull: {}", &digest[..40]),
            ">   RMD160   : moyQ1YskQQbidX+Lusv3g2wf1gQ=\n>   TIGER    : 7WoOWfxfXJ8Zf0xo0tTKFJ1Ew1fSzJkC",
            "provider h1:X2zg81sLnVffqzenNtw59kFDtVjf+wr0z+LLKwGpFcs= in .terraform.lock.hcl",
            "my key's fingerprint is SHA256:bfQp6uiKu28dt7DDlZ1ekTA4aZA6tKBIwZOwCuIl1Dk, Sarah's is \
             SHA256:7M0FdlIysr8qpSRYTm2rP/vAVO5Jxz80IoBw5q6KvTg",
        ] {
            assert_eq!(&redacted(text), text);
        }
        seals(&[(
            "secret: cd46894eb910e55aaaf73b1c5e631ea1",
            &["cd46894eb910e55aaaf73b1c5e631ea1"],
        )]);
    }
}
