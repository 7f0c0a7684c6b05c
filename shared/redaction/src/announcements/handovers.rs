//! Finds keys that the author hands over: after "here you go", or after the name of the service that they open.

use super::{COMPARED_BYTES, Line, trim};
use crate::identifiers::is_service;
use crate::lexicon::{Part, part};
use crate::things::is_uuid;
use crate::weight::{is_hex, is_random};
use crate::words::{Role, folded, lists, role};
use std::ops::Range;

/// What people say when they hand something over.
const HERE: [&str; 26] = [
    "here you go",
    "here it is",
    "here is it",
    "here's the one",
    "take this one",
    "take this",
    "use this one",
    "hier bitte",
    "da hast du",
    "nimm den",
    "aquí tienes",
    "aqui tienes",
    "voilà",
    "ecco",
    "aqui está",
    "proszę",
    "please use",
    "use",
    "set it to",
    "the new one is",
    "gebruik",
    "benutze",
    "verwende",
    "utilise",
    "usa",
    "użyj",
];
/// Lengths of keys in hexadecimal digits.
const HEX_DIGITS: [usize; 4] = [32, 40, 48, 64];
/// The most words between the name of a service and a key.
const WORDS: usize = 2;

/// `here you go 9f8a…`, `datadog 9ad3…, site datadoghq.eu`
pub(super) fn key(line: &Line) -> Option<Range<usize>> {
    if !line.may_have_key {
        return None;
    }
    let mut words = line.words();
    let at = words.clone().position(is_key)?;
    let value = words.nth(at)?;
    let before = line.text[..value.as_ptr() as usize - line.text.as_ptr() as usize].trim_end();
    let said = before.to_lowercase();
    let said = said.trim_end_matches([':', ',', '-', '–', '.', '!']).trim_end();
    let handed = HERE.iter().any(|here| said.ends_with(here));
    let plain = |word: &str| folded(word.trim_matches([':', ','])).into_owned();
    let named = (1..=WORDS).contains(&at)
        && line.words().take(at).all(|word| {
            let word = plain(word);
            is_service(&word) || ["my", "the", "our", "mein", "mi", "mon"].contains(&word.as_str())
        })
        && line.words().take(at).any(|word| is_service(&plain(word)));
    let value = trim(value.trim_end_matches([',', '.', ';', '!']));
    (handed || named).then(|| line.span(value))
}

/// `Cloudflare global key 8100…`: only this key has as many hexadecimal digits.
pub(super) fn global(line: &Line) -> Option<Range<usize>> {
    const DIGITS: usize = 37;
    if !line.may_have_key {
        return None;
    }
    let is_key = |word: &&str| {
        word.len() == DIGITS
            && is_hex(word)
            && word.bytes().filter(u8::is_ascii_digit).count() > 5
            && word.bytes().filter(u8::is_ascii_alphabetic).count() > 5
    };
    let sign = |c: char| !c.is_ascii_alphanumeric();
    let value = line.words().map(|word| word.trim_matches(sign)).find(is_key)?;
    ["key", "cloudflare", "token"]
        .iter()
        .any(|noun| line.lower.contains(noun))
        .then(|| line.span(value))
}

/// `TOTP secret SJBOKDRNDNUMWEIB`, `OIDC secret ea8d6af7-04c0-…`: a form that only its noun makes a secret.
pub(super) fn named(line: &Line) -> Option<Range<usize>> {
    const ONE_TIME: [&str; 5] = ["totp", "otp", "2fa", "mfa", "hotp"];
    const CLIENTS: [&str; 5] = ["oidc", "oauth", "client", "keycloak", "oauth2"];
    if !line.may_have_key || !line.lower.contains("secret") {
        return None;
    }
    let words = line.first_words(4 * KEY_BYTES);
    words.windows(3).find_map(|of| {
        let value = of[2].trim_end_matches([',', '.', ';']);
        let seed = value.len() >= KEY_BYTES
            && value.bytes().all(|b| b.is_ascii_uppercase() || (b'2'..=b'7').contains(&b));
        let first = of[0].to_lowercase();
        let own = (seed && ONE_TIME.contains(&first.as_str()))
            || (is_uuid(&value.to_ascii_lowercase()) && CLIENTS.contains(&first.as_str()));
        (own && of[1].trim_end_matches(':').eq_ignore_ascii_case("secret"))
            .then(|| line.span(value))
    })
}

/// `Graine TOTP du compte : HFVS…`, "der Schlüssel für die Authenticator-App lautet …": the seed of one-time codes in base32.
pub(super) fn seed(line: &Line) -> Option<Range<usize>> {
    const SAID: [&str; 4] = ["totp", "authenticator", "2fa", "mfa"];
    const LEAST_DIGITS: usize = 1;
    const LENGTHS: [usize; 6] = [16, 20, 24, 26, 32, 52];
    if !line.may_have_key || !SAID.iter().any(|said| line.lower.contains(said)) {
        return None;
    }
    let seed = |word: &&str| {
        let digits = word.bytes().filter(u8::is_ascii_digit).count();
        LENGTHS.contains(&word.len())
            && digits >= LEAST_DIGITS
            && digits < word.len() / 2
            && word.bytes().all(|b| b.is_ascii_uppercase() || (b'2'..=b'7').contains(&b))
    };
    let sign = |c: char| !c.is_ascii_alphanumeric();
    let value = line.words().map(|word| word.trim_matches(sign)).find(seed)?;
    Some(line.span(value))
}

/// `the Splunk HEC token is abb65246-…`, `Consul token: …`, `clé secrète Scaleway …`: tokens and keys in the form of an
/// identifier, right after their noun and the service that makes them so.
pub(super) fn token(line: &Line) -> Option<Range<usize>> {
    const SERVICES: &str = "hec splunk nomad consul heroku circleci acl management duckdns desec postmark scaleway tailscale ngrok \
         statuspage netlify";
    const TOKENS: &str = "token jeton apitoken";
    const KEYS: &str = "key cle clave schlussel chiave chave";
    const SECRET: &str = "secret secrete secreta geheimer geheimen segreta secreta api";
    /// How many words before the value are read.
    const REACH: usize = 7;
    if !line.may_have_key {
        return None;
    }
    let words = line.first_words(4 * KEY_BYTES);
    let shown = |at: usize| trim(words[at].trim_end_matches([',', '.', ';']));
    let at = (0..words.len()).find(|at| is_uuid(&shown(*at).to_ascii_lowercase()))?;
    let before: Vec<_> = words[..at]
        .iter()
        .rev()
        .take_while(|word| !word.ends_with([',', '.', ';']))
        .take(REACH)
        .map(|word| folded(word.trim_end_matches([':', '='])).into_owned())
        .collect();
    let service = before.iter().any(|word| lists(SERVICES, word));
    let noun = before.iter().enumerate().position(|(far, word)| {
        let secret = || {
            // "secret key", "clé secrète", "chave de API"
            let beside = [far.checked_sub(1), far.checked_sub(2), Some(far + 1)];
            let beside = beside.into_iter().flatten();
            beside.filter_map(|at| before.get(at)).any(|word| lists(SECRET, word))
        };
        lists(TOKENS, word) || (lists(KEYS, word) && secret())
    })?;
    // "a chave de API que me deram foi …"
    let is = before.first().is_some_and(|word| part(word) == Some(Part::Is));
    let relative = is
        && before[..noun].iter().any(|word| part(word) == Some(Part::Who))
        && !before[..noun].iter().any(|word| role(word) == Some(Role::Name));
    // Between the noun and the value: "secrète", "de Scaleway", "is", "for the log forwarder"
    let tied = relative
        || before[..noun].iter().all(|word| {
            matches!(part(word), Some(Part::Is | Part::Of))
                || lists(SERVICES, word)
                || lists(SECRET, word)
                || matches!(word.as_str(), "" | "-" | "→")
        });
    (tied && (service || lists(KEYS, &before[noun]))).then(|| line.span(shown(at)))
}

/// The shortest key, in bytes.
const KEY_BYTES: usize = 16;

/// Whether a line has a word as long as a key.
pub(super) fn may_have_key(text: &str) -> bool {
    let bytes = text.as_bytes();
    if bytes.len() > COMPARED_BYTES {
        return false;
    }
    let mut start = 0;
    while let Some(next) = bytes.get(start..start + KEY_BYTES) {
        match next.iter().rposition(|byte| *byte == b' ') {
            Some(blank) => start += blank + 1,
            None => return true,
        }
    }
    false
}

/// Whether a word looks like a key without a mark.
fn is_key(word: &str) -> bool {
    if word.len() < KEY_BYTES {
        return false;
    }
    let word = trim(word.trim_end_matches([',', '.', ';', '!']));
    let plain = word.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b));
    (HEX_DIGITS.contains(&word.len()) && is_hex(word)) || (plain && is_random(word))
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn a_key_may_follow_here_or_its_service() {
        seals(&[
            ("here you go da541247cd61c0f4135093a85530408e", &["da541247cd61c0f4135093a85530408e"]),
            ("datadog 9ad3b77673ef3f43d0bf5fe6011f451c, site datadoghq.eu", &["9ad3b77673ef"]),
            (
                "Cloudflare global key 810045f4c6dc94323f3eaccf55a7f9dc77e6b",
                &["810045f4c6dc94323f"],
            ),
            (
                "the HEC token is abb65246-a53e-4239-8267-170e7294ea61",
                &["abb65246-a53e-4239-8267-170e7294ea61"],
            ),
            (
                "keycloak client secret for blog is b893c627-ab39-4fc9-a27b-90e7a3f4361d, realm main",
                &["b893c627-ab39"],
            ),
            (
                "curl -s https://api.telegram.org/bot8627911812:AAHBEDEkkzEYqCTodXjL8-l0T_tiYDelj30/getUpdates",
                &["AAHBEDEkkzEYqCTodXjL8"],
            ),
            ("TOTP secret SJBOKDRNDNUMWEIB", &["SJBOKDRNDNUMWEIB"]),
            ("Graine TOTP du compte : HFVSIWZFQ6WEDRL2VDDPSL2ERQSSW7AX", &["HFVSIWZFQ6WEDRL2"]),
            (
                "Der Schlüssel für die Authenticator-App lautet SLRZ6AOHFLTSWIO7",
                &["SLRZ6AOHFLTSWIO7"],
            ),
            (
                "cle secrete scaleway 68255356-27d9-4df4-af9f-f7a963323788 projet par defaut",
                &["68255356-27d9-4df4-af9f-f7a963323788"],
            ),
            (
                "token de duckdns b318a1d8-9d49-48e4-b5b4-f7d9bb344bf0 para talleres.duckdns.org",
                &["b318a1d8-9d49-48e4-b5b4-f7d9bb344bf0"],
            ),
            (
                "Postmark server token 5a1c9d80-6a1e-4c0b-9a53-3d9a2c1f0b77",
                &["5a1c9d80-6a1e-4c0b-9a53-3d9a2c1f0b77"],
            ),
            (
                "a chave de API que me passaram foi 5a1c9d80-6a1e-4c0b-9a53-3d9a2c1f0b77",
                &["5a1c9d80-6a1e-4c0b-9a53-3d9a2c1f0b77"],
            ),
            (
                "er fragt nach einem PAT, benutze da541247cd61c0f4135093a85530408e",
                &["da541247cd61c0f4135093a85530408e"],
            ),
            (
                "the geocoding API key of the map, da541247cd61c0f4135093a85530408e, has a limit",
                &["da541247cd61c0f4135093a85530408e"],
            ),
            ("my openweather: 7eceda9d3239aef44b20c6bd2817ab14", &["7eceda9d3239"]),
        ]);
        for text in [
            "the request token is abb65246-a53e-4239-8267-170e7294ea61",
            "sentry event 9ad3b77673ef3f43d0bf5fe6011f451c",
            "here is commit 9ad3b77673ef3f43d0bf5fe6011f451c00aa11bb",
            "docker 9ad3b77673ef is gone",
            "the API key id that they gave me is abb65246-a53e-4239-8267-170e7294ea61",
            "the API build, 9ad3b77673ef3f43d0bf5fe6011f451c, has a key error",
        ] {
            assert_eq!(redacted(text), text);
        }
    }
}
