//! Recognizes what anyone may read: pictures, signatures, certificates, names of a payment service's objects, keys for a
//! network's peers.

use super::Place;
use crate::bare::is_base64;
use crate::weight::is_hex;
use crate::words::lists;
use std::ops::Range;

/// The length of a key of WireGuard, in bytes.
const KEY_BYTES: usize = 44;

/// Whether a value has the form of a key of WireGuard.
pub(super) fn is_key_of_wireguard(value: &str) -> bool {
    value.len() == KEY_BYTES && value.ends_with('=')
}

/// Whether a value is the content of an address such as `data:image/png;base64,…`, which every visitor of a page loads.
/// A text in such an address may be a script with secrets.
pub(super) fn is_media(begun: &str) -> bool {
    const KINDS: [&str; 5] = ["image/", "font/", "audio/", "video/", "application/"];
    begun.contains(',')
        && begun.rsplit_once("data:").is_some_and(|(_, kind)| {
            KINDS.iter().any(|known| kind.starts_with(known)) && kind.contains("base64,")
        })
}

/// Whether a value belongs to a mail or an event: its identifier before `@host`, or a signature in a header.
pub(super) fn is_of_mail(place: &Place<'_>, begun: &str) -> bool {
    let Place { before, after, .. } = *place;
    let host = after.strip_prefix('@').is_some_and(|host| {
        host.starts_with(|c: char| c.is_ascii_alphanumeric()) && host.contains(['.', '>'])
    });
    let signed =
        ["b=", "bh="].contains(&begun) && before.contains("a=") && before.contains("sha256");
    // `<CA+dng=` before the rest of a mail's identifier; an address with a login has a scheme
    let identified = begun == "UID:" || (begun.starts_with('<') && !begun.contains(['/', ':']));
    signed || begun == "header.b=" || (host && identified)
}

/// Whether a value is the public part of a peer or a person: a key of WireGuard after "peer", a node of Tailscale, a
/// fingerprint for GnuPG.
pub(super) fn is_of_peer(place: &Place<'_>, begun: &str) -> bool {
    const NODES: [&str; 3] = ["nodekey:", "discokey:", "mkey:"];
    let Place { value, before, .. } = *place;
    let last = place.last();
    let lower = before.to_ascii_lowercase();
    let sentence = lower.rsplit([',', ';']).next().unwrap_or_default();
    let public = ["ffentlich", "public", "blica", "pubblic", "publique"];
    let whole = is_key_of_wireguard(value)
        || (value.len() == KEY_BYTES - 1 && place.after.starts_with('='));
    let peer = whole
        && (["peer", "peer:"].contains(&last)
            || (public.iter().any(|word| sentence.contains(word)) && !sentence.contains("priva")));
    let known = || ["recv-key", "gpg", "keyserver"].iter().any(|word| lower.contains(word));
    let gnupg = || known() && !lower.contains("passphrase");
    peer || NODES.iter().any(|node| begun.ends_with(node)) || (is_hex(value) && gnupg())
}

/// Whether a value belongs to a name with a scheme, or to a call that makes an identifier of it: `urn:uuid:…`,
/// `spotify:track:…`, `ObjectId("…`.
pub(super) fn is_urn(begun: &str, run: &str) -> bool {
    const SCHEMES: [&str; 13] = [
        "urn:", "did:", "spotify:", "doi:", "cpe:", "pkg:", "gid:", "magnet:", "matrix:", "iqn.",
        "nqn.", "naa.", "eui.",
    ];
    if !begun.contains(':') && !run.contains(':') {
        return false;
    }
    let start = [begun, run].concat();
    let start = start.trim_start_matches(['"', '\'', '<', '(', '[', '`']);
    SCHEMES.iter().any(|scheme| start.starts_with(scheme))
        || ["Id(\"", "Id('"].iter().any(|call| begun.ends_with(call))
}

/// Whether a value is encrypted for one cluster of Kubernetes: the data of a `SealedSecret`.
pub(super) fn is_sealed(text: &str, span: &Range<usize>, begun: &str, run: &str) -> bool {
    const ABOVE_BYTES: usize = 4_000;
    let from = text.floor_char_boundary(span.start.saturating_sub(ABOVE_BYTES));
    (begun.starts_with("Ag") || (begun.is_empty() && run.starts_with("Ag")))
        && text[from..span.start].contains("encryptedData:")
}

/// Whether a value counts the clicks on an advertisement, or names what a page of a console shows: `?gclid=…`,
/// `…/secret?name=prod%2Fdb`.
pub(super) fn is_click(begun: &str) -> bool {
    if begun.ends_with("?name=") && begun.contains("://") {
        return true;
    }
    ["gclid=", "fbclid=", "msclkid=", "ttclid=", "yclid="].iter().any(|name| begun.ends_with(name))
}

/// Whether a value is the name of an object of Stripe, or a key that its pages show: `cus_…`, `ch_…`, `pk_live_…`.
pub(super) fn is_object(value: &str) -> bool {
    const KINDS: &str = "acct ch cs cus dp evt ii il in li mandate pi pk pl pm po price prod promo re req seti si src sub tr txn txr we";
    const LEAST_BYTES: usize = 14;
    value.split_once('_').is_some_and(|(kind, id)| {
        let id = ["live_", "test_"].iter().find_map(|mode| id.strip_prefix(mode)).unwrap_or(id);
        lists(KINDS, kind)
            && id.len() >= LEAST_BYTES
            && id.bytes().all(|b| b.is_ascii_alphanumeric())
            && id.bytes().any(|b| b.is_ascii_digit())
            && id.bytes().any(|b| b.is_ascii_uppercase())
            && id.bytes().any(|b| b.is_ascii_lowercase())
    })
}

/// Whether a value is a line of a certificate whose end is below it, or a part of one in XML or in a set of keys:
/// `<ds:X509Certificate>MII…`, `"x5c":["MII…`; or of a signature or an encrypted text in XML: `<DigestValue>HjY8…`.
pub(super) fn is_certificate(text: &str, span: &Range<usize>) -> bool {
    const FAR_BYTES: usize = 4_000;
    const LEAST_BYTES: usize = 20;
    const ELEMENTS: [&str; 4] =
        ["X509Certificate>", "DigestValue>", "SignatureValue>", "CipherValue>"];
    let value = &text[span.clone()];
    if value.contains(ELEMENTS[0]) {
        return true;
    }
    if value.len() < LEAST_BYTES || !value.bytes().all(|b| is_base64(b) || b == b'\n') {
        return false;
    }
    let until = text.floor_char_boundary(span.end + FAR_BYTES);
    let from = text.floor_char_boundary(span.start.saturating_sub(FAR_BYTES));
    let plain = |between: &str, signs: &[u8]| {
        between.bytes().all(|b| is_base64(b) || b.is_ascii_whitespace() || signs.contains(&b))
    };
    let above = &text[from..span.start];
    // The search for one byte is fast, and in most texts there is none.
    let element = || {
        let (before, between) = above.split_at(above.rfind('>')? + 1);
        Some(ELEMENTS.iter().any(|mark| before.ends_with(mark)) && plain(between, b":[\","))
    };
    let in_keys = || {
        let (_, between) = above.rfind('"').and_then(|_| above.rsplit_once("\"x5c\""))?;
        Some(plain(between, b":[\","))
    };
    let ended = || {
        let (between, _) = text[span.end..until].split_once("-----END CERTIFICATE")?;
        Some(plain(between, b""))
    };
    element() == Some(true) || in_keys() == Some(true) || ended() == Some(true)
}
