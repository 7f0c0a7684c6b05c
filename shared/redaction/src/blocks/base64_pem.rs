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
/// The longest end of a quoted line, in bytes.
const QUOTE_BYTES: usize = 4;
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
            from = end_of_lines(text, at, from);
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

/// The end of a block whose first line is at this place, in further lines of base64: `base64` and YAML break a long text
/// into lines of one length, of which only the last one is shorter. Before each is what is before the first one.
fn end_of_lines(text: &str, at: usize, first_end: usize) -> usize {
    const SHORTEST: usize = 16;
    let first = first_end - at;
    let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let before = at - line;
    let base64 = |b: &u8| b.is_ascii_alphanumeric() || b"+/=".contains(b);
    let mut end = first_end;
    if first < SHORTEST {
        return end;
    }
    loop {
        let rest = &text.as_bytes()[end..];
        // The end of a line may be written as `\n`, and a quoted one ends with a quote.
        let quote = rest.iter().take_while(|b| b"\"', \t\r".contains(b)).count().min(QUOTE_BYTES);
        let rest = &rest[quote..];
        let (mark, lead) = match rest {
            [b'\n', ..] => (1, before),
            [b'\\', b'n', ..] => (2, 0),
            _ => return end,
        };
        let rest = &rest[mark..];
        let sign = |b: &&u8| !base64(b) && **b != b'\n' && **b != b'\\';
        let run = |lead: usize| {
            let rest = rest.get(lead..)?;
            let length = rest.iter().take_while(|b| base64(b)).count();
            let ends = rest.get(length).is_none_or(|b| b"\n\r\"' \\".contains(b));
            ((1..=first).contains(&length) && ends).then_some((lead, length))
        };
        // Before a line may be signs alone, or its number, as long as that of the first one.
        let signs = rest.iter().take_while(sign).count();
        let Some((lead, length)) = run(signs).or_else(|| run(lead)) else { return end };
        if end - at > BYTES.end {
            return end;
        }
        end += quote + mark + lead + length;
        if length < first {
            return end;
        }
    }
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
    #[test]
    fn all_lines_of_a_private_key_are_secret() {
        let first = "LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQpNSUlFb3dJQkFBS0NBUUVBdXR5a1NX";
        let second = "bm90IGEga2V5IGJ1dCBhIHRleHQgb2YgdGhlIHNhbWUgbGVuZ3RoLCB3aGljaCBpcyBoaWRk";
        let last = "LS0tLS1FTkQgUlNBIFBSSVZBVEUgS0VZLS0tLS0K";
        for (before, end) in [("", "\n"), ("    ", "\n"), ("> ", "\n"), ("# ", "\r\n"), ("", "\\n")]
        {
            let key: Vec<_> =
                [first, second, last].iter().map(|line| format!("{before}{line}{end}")).collect();
            let text = format!("key: |\n{}other: value\n", key.concat());
            let shown = found(&text).concat();
            for line in [first, second, last] {
                assert!(shown.contains(line), "{text}: {shown}");
            }
            assert!(!shown.contains("other"), "{text}: {shown}");
        }
        let numbered = format!("  1\t{first}\n  2\t{second}\n  3\t{last}\nend\n");
        assert!(found(&numbered).concat().contains(last));
    }
}
