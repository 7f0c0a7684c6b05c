//! Recognizes keys whose name says that anyone may have them: `VAPID_PUBLIC_KEY=…`, `stripe.publishableKey: …`, the site
//! key of a form.

use super::{IS, Place, last_name};
use crate::words::lists;

/// Words in the name of a key that anyone may have, and in the name of one that stays secret all the same.
const OPEN: &str =
    "public publishable pub pubkey publickey sitekey publica publico publique offentlich";
const CLOSED: &str = "secret private password passwd pass pwd token priv";
/// What precedes the key of a page's form, in lower case.
const SITE_KEYS: [&str; 12] = [
    "site key",
    "site-key",
    "sitekey",
    "clave del sitio",
    "clave de sitio",
    "clé du site",
    "clé de site",
    "cle du site",
    "cle de site",
    "websiteschlüssel",
    "website-schlüssel",
    "site-schlüssel",
];
/// A part of each of them.
const SITE: &str = "sit";
/// The shortest of these names, in bytes: most finds have less before them.
const LEAST_BYTES: usize = 7;
/// The shortest id of a client, in bytes.
const ID_BYTES: usize = 8;
/// How many words may come between these and the key: "of reCAPTCHA", "(pública) de hCaptcha".
const BETWEEN: usize = 5;

/// Whether a value is such a key.
pub(super) fn is_publishable(place: &Place<'_>) -> bool {
    is_named_so(place.before)
        || is_of_site(place.before)
        || (place.value.len() >= ID_BYTES && is_of_client(place.before))
}

/// Whether the words before the value call it the id of a client: "client_id is …", "die Client-ID lautet …".
fn is_of_client(before: &str) -> bool {
    const IDS: [&str; 9] = [
        "client_id",
        "client id",
        "client-id",
        "clientid",
        "id de cliente",
        "id del cliente",
        "id client",
        "id cliente",
        "client-kennung",
    ];
    // Most finds end here.
    if before.len() <= LEAST_BYTES || before.ends_with(['=', ':']) {
        return false;
    }
    let joined = before.trim_end_matches([' ', '"', '\'', '`']);
    let Some((name, last)) = joined.rsplit_once(' ') else { return false };
    IS.contains(&last) && {
        let name = name.trim_end_matches(['"', '\'', '`']).to_lowercase();
        IDS.iter().any(|id| name.ends_with(id))
    }
}

/// Whether the name that the value is assigned to says so.
fn is_named_so(before: &str) -> bool {
    // Most finds end here.
    if !before.contains(['k', 'K']) {
        return false;
    }
    let joined = before.trim_end_matches(['"', '\'', '`']).trim_end();
    let Some(named) = joined.strip_suffix(['=', ':']).or_else(|| joined.strip_suffix("=>")) else {
        return false;
    };
    let named = named.trim_end().trim_end_matches(['"', '\'', '`', ']']);
    let name = last_name(named);
    if name.len() < LEAST_BYTES {
        return false;
    }
    let parts = parts(name);
    let site = || parts.windows(2).any(|of| of[0] == "site" && of[1] == "key");
    let says = |words: &str| parts.iter().any(|part| lists(words, part));
    parts.len() > 1 && (says(OPEN) || site()) && !says(CLOSED)
}

/// The words of a name, in lower case: `stripe`, `publishable`, `key` of `stripe.publishableKey`.
fn parts(name: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut small = false;
    for c in name.chars() {
        let joint = !c.is_ascii_alphanumeric();
        if joint || (small && c.is_ascii_uppercase()) {
            parts.push(String::new());
        }
        if let Some(last) = parts.last_mut().filter(|_| !joint) {
            last.push(c.to_ascii_lowercase());
        }
        small = c.is_ascii_lowercase();
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// Whether the words before the value call it the key of a site.
fn is_of_site(before: &str) -> bool {
    let clause = before.rsplit(['.', ',', ';']).next().unwrap_or_default();
    if clause.len() < LEAST_BYTES {
        return false;
    }
    let clause = clause.to_lowercase();
    // Most clauses end here.
    if !clause.contains(SITE) {
        return false;
    }
    let after = SITE_KEYS.iter().find_map(|name| Some(clause.rsplit_once(name)?.1));
    after.is_some_and(|after| {
        after.split_whitespace().count() <= BETWEEN && !after.contains("secret")
    })
}

#[cfg(test)]
mod tests {
    use super::{SITE, SITE_KEYS};
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn each_name_of_a_sites_key_has_what_is_looked_for_first() {
        assert!(SITE_KEYS.iter().all(|name| name.contains(SITE)));
    }

    #[test]
    fn keys_that_anyone_may_have_stay() {
        for text in [
            "VAPID_PUBLIC_KEY=BDdyz27KIipR2AOAtHW7SpLJdoZJjP08YshieHfYQSMN0mh3S3y6S859ywAZaGZ73MBd",
            "STRIPE_PUBLISHABLE_KEY=BDdyz27KIipR2AOAtHW7SpLJdoZJjP08YshieHfYQSMN0mh3S",
            "RECAPTCHA_SITE_KEY: \"6LfrTncnAAAAA6fK1q11fqicqDhVzPiZC9A6Tilp\"",
            "NEXT_PUBLIC_MAPS_KEY=fb38e0a1c0d3e5f7a9b1c3d5e7f90a1b",
            "stripe.publishableKey = 'BDdyz27KIipR2AOAtHW7SpLJdoZJjP08YshieHfYQSMN0mh3S'",
            "Clave del sitio (pública) de reCAPTCHA: 6LfrTncnAAAAA6fK1q11fqicqDhVzPiZC9A6Tilp",
            "clé du site reCAPTCHA : 6LfrTncnAAAAA6fK1q11fqicqDhVzPiZC9A6Tilp",
            "client_id is 0qbtKyE8hz0ObL74M1YW, the secret is in the vault",
            "die Client-ID lautet 0qbtKyE8hz0ObL74M1YW, das Secret liegt im Tresor",
        ] {
            assert_eq!(redacted(text), text);
        }
        seals(&[
            (
                "VAPID_PRIVATE_KEY=Ddyz27KIipR2AOAtHW7SpLJdoZJjP08YshieHfYQSMN",
                &["Ddyz27KIipR2AOAtHW7SpLJdoZJjP08YshieHfYQSMN"],
            ),
            (
                "NEXT_PUBLIC_API_SECRET=fb38e0a1c0d3e5f7a9b1c3d5e7f90a1b",
                &["fb38e0a1c0d3e5f7a9b1c3d5e7f90a1b"],
            ),
            (
                "client_id is kim, client_secret is Ddyz27KIipR2AOAtHW7SpLJdoZJjP0",
                &["Ddyz27KIipR2AOAtHW7SpLJdoZJjP0"],
            ),
            (
                "RECAPTCHA_SECRET_KEY=6LfrTncnAAAAA6fK1q11fqicqDhVzPiZC9A6Tilp",
                &["6LfrTncnAAAAA6fK1q11fqicqDhVzPiZC9A6Tilp"],
            ),
        ]);
    }
}
