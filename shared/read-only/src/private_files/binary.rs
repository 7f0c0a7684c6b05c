//! Recognizes private keys that are not text: DER, key stores, and packed files, in which no key can be found.
//!
//! A key in DER is a sequence with a beginning that no public file has: the version of a private key and the fields
//! after it. The search looks at every byte, because a file may hold a key among other things. The beginning is too
//! long to occur in a picture by chance.

/// Tags of ASN.1.
const INTEGER: u8 = 0x02;
const OCTETS: u8 = 0x04;
const OBJECT: u8 = 0x06;
const SEQUENCE: u8 = 0x30;

/// PKCS #7 data, which a PKCS #12 file wraps, as the first element of a sequence.
const DATA: &[u8] = b"\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x01";
/// How the names of password-based encryptions begin, PKCS #5 and #12.
const BY_PASSWORD: [&[u8]; 2] =
    [b"\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x05", b"\x06\x0a\x2a\x86\x48\x86\xf7\x0d\x01\x0c\x01"];
/// The shortest modulus or prime of a key, in bytes.
const LEAST_MODULUS: usize = 32;
/// The lengths of a private number on an elliptic curve, in bytes.
const SCALARS: std::ops::RangeInclusive<usize> = 20..=72;

/// How key stores begin: Java's two, Bouncy Castle's two, `KeePass`, and the keychain of macOS.
const STORES: [&[u8]; 6] = [
    b"\xfe\xed\xfe\xed",
    b"\xce\xce\xce\xce",
    b"\0\0\0\x01\0\0\0\x14",
    b"\0\0\0\x02\0\0\0\x14",
    b"\x03\xd9\xa2\x9a",
    b"kych",
];
/// The longest packet of an `OpenPGP` key, in bytes.
const PGP_BYTES: usize = 16 * 1024;
/// The versions of an `OpenPGP` key, and the algorithms.
const PGP_VERSIONS: std::ops::RangeInclusive<u8> = 3..=6;
const PGP_ALGORITHMS: [u8; 12] = [1, 2, 3, 16, 17, 18, 19, 22, 25, 26, 27, 28];

/// How packed, compressed or encrypted files begin.
const PACKED: [&[u8]; 21] = [
    b"PK\x03\x04",
    b"PK\x05\x06",
    b"\x1f\x8b",
    b"\x1f\x9d",
    b"BZh",
    b"\xfd7zXZ\0",
    b"\x5d\0\0",
    b"\x28\xb5\x2f\xfd",
    b"\x04\x22\x4d\x18",
    b"7z\xbc\xaf\x27\x1c",
    b"Rar!\x1a\x07",
    b"LZIP",
    b"MSCF",
    b"!<arch>\n",
    b"\xed\xab\xee\xdb",
    b"hsqs",
    b"070701",
    b"070707",
    b"Salted__",
    b"LUKS\xba\xbe",
    b"age-encryption.org/",
];
/// The offset of a tar's signature, and the signature.
const TAR: (usize, &[u8]) = (257, b"ustar");
/// The last record of a zip, which may follow a program, and its length in bytes.
const ZIP_END: (&[u8], usize) = (b"PK\x05\x06", 22);

/// Whether a file is a key store or holds a secret key of `OpenPGP`.
pub(super) fn is_store(content: &[u8]) -> bool {
    STORES.iter().any(|store| content.starts_with(store)) || is_pgp_key(content)
}

/// Whether a file is packed, compressed or encrypted.
pub(super) fn is_packed(content: &[u8]) -> bool {
    let tar = content.get(TAR.0..).is_some_and(|rest| rest.starts_with(TAR.1));
    let (end, length) = ZIP_END;
    let zip = content.len().checked_sub(length).is_some_and(|at| content[at..].starts_with(end));
    tar || zip || PACKED.iter().any(|packed| content.starts_with(packed))
}

/// Whether a private key in DER, or a PKCS #12 file, begins somewhere.
pub(super) fn holds_der_key(content: &[u8]) -> bool {
    let begins = |window: &[u8]| window[0] == SEQUENCE && matches!(window[1], 4..=0x84);
    let places = content.windows(2).enumerate().filter(|(_, window)| begins(window));
    places.into_iter().any(|(at, _)| is_key(&content[at..]).unwrap_or(false))
}

/// An element of ASN.1, and the bytes after it.
struct Element<'a> {
    tag: u8,
    content: &'a [u8],
    rest: &'a [u8],
}

fn element(bytes: &[u8]) -> Option<Element<'_>> {
    let (&tag, bytes) = bytes.split_first()?;
    let (&length, bytes) = bytes.split_first()?;
    let (length, bytes) = match length {
        0..0x80 => (usize::from(length), bytes),
        // An element of indefinite length extends to the end.
        0x80 => (bytes.len(), bytes),
        0x81..=0x84 => {
            let (digits, bytes) = bytes.split_at_checked(usize::from(length - 0x80))?;
            (digits.iter().fold(0, |sum, digit| sum << 8 | usize::from(*digit)), bytes)
        }
        _ => return None,
    };
    // A key that is cut off counts as a key.
    let (content, rest) = bytes.split_at(length.min(bytes.len()));
    Some(Element { tag, content, rest })
}

/// Whether a key begins here.
fn is_key(bytes: &[u8]) -> Option<bool> {
    let outer = element(bytes)?;
    let first = element(outer.content)?;
    let second = element(first.rest)?;
    let third = || element(second.rest).map(|third| third.tag);
    Some(match (first.tag, first.content, second.tag) {
        // PKCS #8: a version, an algorithm, and the key.
        (INTEGER, [0 | 1], SEQUENCE) => {
            second.content.first() == Some(&OBJECT) && third() == Some(OCTETS)
        }
        // PKCS #1 and DSA: a version, a modulus, an exponent.
        (INTEGER, [0 | 1], INTEGER) => {
            second.content.len() >= LEAST_MODULUS && third() == Some(INTEGER)
        }
        // SEC 1: a version and a number on a curve.
        (INTEGER, [1], OCTETS) => SCALARS.contains(&second.content.len()),
        // PKCS #12.
        (INTEGER, [3], SEQUENCE) => second.content.starts_with(DATA),
        // PKCS #8 by a password.
        (SEQUENCE, algorithm, OCTETS) => {
            BY_PASSWORD.iter().any(|begin| algorithm.starts_with(begin))
        }
        _ => false,
    })
}

/// Whether the first packet is a secret key or a secret subkey of `OpenPGP`.
fn is_pgp_key(content: &[u8]) -> bool {
    let Some((tag, rest)) = content.split_first() else { return false };
    let lengths = match (tag, rest.first()) {
        (0x94 | 0x9c, _) => 1,
        (0x95 | 0x9d, _) => 2,
        (0x96 | 0x9e, _) => 4,
        (0x97 | 0x9f, _) => 0,
        (0xc5 | 0xc7, Some(0..192)) => 1,
        (0xc5 | 0xc7, Some(192..224)) => 2,
        (0xc5 | 0xc7, Some(255)) => 5,
        _ => return false,
    };
    let length = rest.iter().take(lengths).fold(0, |sum, digit| sum << 8 | usize::from(*digit));
    if tag & 0x40 == 0 && length > PGP_BYTES {
        return false;
    }
    // A version, four bytes of time, two more in version 3, and the algorithm.
    let Some([version, behind @ ..]) = rest.get(lengths..) else { return false };
    let algorithm = behind.get(if *version == 3 { 6 } else { 4 });
    PGP_VERSIONS.contains(version) && algorithm.is_some_and(|it| PGP_ALGORITHMS.contains(it))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
