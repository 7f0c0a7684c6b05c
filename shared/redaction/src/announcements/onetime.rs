//! Finds one-time codes by the words around them, and the seeds of such codes in groups of letters.

use super::{COMPARED_BYTES, Line};
use crate::lexicon::{Part, part};
use crate::words::{Role, folded, role};
use std::ops::Range;

/// Words for a one-time code, in lower case.
const CODES: [&str; 62] = [
    "code from the app",
    "code from my app",
    "code aus der app",
    "código de la app",
    "code de l'app",
    "code by sms",
    "code by text",
    "code per sms",
    "code via sms",
    "code par sms",
    "código por sms",
    "codigo por sms",
    "whatsapp code",
    "whatsapp-code",
    "telegram code",
    "sms code",
    "sms-code",
    "código de whatsapp",
    "verification code",
    "security code",
    "one-time code",
    "one time code",
    "one-time password",
    "one time password",
    "authentication code",
    "confirmation code",
    "login code",
    "sign-in code",
    "signin code",
    "access code",
    "2fa code",
    "mfa code",
    "totp code",
    "otp",
    "passcode",
    "bestätigungscode",
    "sicherheitscode",
    "einmalcode",
    "einmal-code",
    "einmalpasswort",
    "einmalkennwort",
    "verifizierungscode",
    "anmeldecode",
    "google-code",
    "2fa-code",
    "totp-code",
    "freigabecode",
    "código de verificación",
    "código de seguridad",
    "código de confirmación",
    "código de un solo uso",
    "código de acceso",
    "codigo de verificacion",
    "código de verificação",
    "code de vérification",
    "code de validation",
    "code de sécurité",
    "code de confirmation",
    "code à usage unique",
    "code unique",
    "code d'accès",
    "codice di verifica",
];
/// What names the seed of such codes, in lower case.
const SEEDS: [&str; 26] = [
    "setup key",
    "set-up key",
    "setup code",
    "secret key",
    "manual entry key",
    "totp key",
    "totp secret",
    "totp seed",
    "otp secret",
    "2fa key",
    "2fa secret",
    "authenticator key",
    "authenticator secret",
    "einrichtungsschlüssel",
    "einrichtungscode",
    "totp-schlüssel",
    "totp-secret",
    "totp-geheimnis",
    "2fa-schlüssel",
    "clave de configuración",
    "clave totp",
    "secreto totp",
    "clé de configuration",
    "clé totp",
    "secret totp",
    "chiave di configurazione",
];
/// A part of each word for a code, and of each name of a seed.
pub(super) const STEMS: [&str; 5] = ["cod", "cód", "otp", "einmal", "one"];
pub(super) const NAMES: [&str; 10] = [
    "key",
    "otp",
    "2fa",
    "schlüssel",
    "clave",
    "clé",
    "chiave",
    "authenticator",
    "einricht",
    "setup",
];
/// Words for how a code came.
const RECEIVED: [&str; 18] = [
    "sms", "text", "whatsapp", "mail", "email", "e-mail", "app", "phone", "got", "received", "per",
    "bekommen", "recibí", "recibido", "por", "reçu", "par", "telegram",
];
/// The lengths of a code in digits.
const DIGITS: std::ops::RangeInclusive<usize> = 6..=8;
/// The letters of a group, and how many groups a seed has.
const GROUP_BYTES: usize = 4;
const GROUPS: std::ops::RangeInclusive<usize> = 4..=16;
/// How many words may come between a code and the word for it.
const BETWEEN: usize = 6;
/// How many places of a line are tried.
const TRIES: usize = 48;

/// `G-482913 is your Google verification code`, "my app shows 482 913 as the login code".
pub(super) fn code(line: &Line) -> Option<Range<usize>> {
    if line.digits < *DIGITS.start() || line.text.len() > COMPARED_BYTES {
        return None;
    }
    if let Some(number) = requested(line).or_else(|| texted(line)) {
        return Some(number);
    }
    if !CODES.iter().any(|code| line.lower.contains(code)) {
        return None;
    }
    numbers(line.text)
        .into_iter()
        .find(|number| {
            let at = line.span(number).start - line.start;
            let (before, after) = (&line.text[..at], &line.text[at + number.len()..]);
            let marked =
                before.trim_end_matches(['"', ' ', '(']).ends_with("G-") || before.ends_with("G-");
            comes_before(after)
                || comes_after(before, number.contains([' ', '-']))
                || (marked && names(after))
        })
        .map(|number| line.span(number))
}

/// `Use 482913 to verify your account. Do not share this code.`
fn requested(line: &Line) -> Option<Range<usize>> {
    const USES: [&str; 12] = [
        "use ",
        "enter ",
        "type ",
        "nutze ",
        "nutzen sie ",
        "verwende ",
        "verwenden sie ",
        "usa ",
        "introduce ",
        "utilisez ",
        "entrez ",
        "saisissez ",
    ];
    const TO: [&str; 15] = [
        " to verify",
        " to sign in",
        " to sign up",
        " to log in",
        " to log on",
        " to confirm",
        " to complete",
        " to finish",
        " to authenticate",
        " um ",
        " zum ",
        " zur ",
        " para ",
        " pour ",
        " as your ",
    ];
    let told = |text: &str, parts: &[&str]| parts.iter().any(|part| text.ends_with(part));
    numbers(line.text).into_iter().map(|number| line.span(number)).find(|span| {
        let (from, to) = (span.start - line.start, span.end - line.start);
        let before = line.text[..from].to_lowercase();
        let after = line.text[to..].to_lowercase();
        let round = line.text[from..to].ends_with("00");
        !round && told(&before, &USES) && TO.iter().any(|to| after.starts_with(to))
    })
}

/// "j'ai reçu le code 905 334 par sms": a code that came by SMS.
fn texted(line: &Line) -> Option<Range<usize>> {
    const CODE: [&str; 3] = ["code ", "código ", "codigo "];
    const BY: [&str; 6] =
        [" par sms", " per sms", " by sms", " via sms", " por sms", " by text message"];
    numbers(line.text).into_iter().map(|number| line.span(number)).find(|span| {
        let before = line.text[..span.start - line.start].to_lowercase();
        let after = line.text[span.end - line.start..].to_lowercase();
        CODE.iter().any(|code| before.ends_with(code)) && BY.iter().any(|by| after.starts_with(by))
    })
}

/// The numbers of six to eight digits in a text, perhaps in two groups.
pub(super) fn numbers(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut at = 0;
    for _ in 0..TRIES {
        let Some(start) = text[at..].find(|c: char| c.is_ascii_digit()).map(|n| at + n) else {
            break;
        };
        let part = |from: usize| text[from..].bytes().take_while(u8::is_ascii_digit).count();
        let first = start + part(start);
        let grouped = if text[first..].starts_with([' ', '-']) { part(first + 1) } else { 0 };
        let halves = grouped == first - start && matches!(grouped, 3 | 4);
        let end = if halves { first + 1 + grouped } else { first };
        let own = if halves { 2 * grouped } else { first - start };
        let before = text[..start].strip_suffix("G-").unwrap_or(&text[..start]);
        let open =
            before.chars().next_back().is_none_or(|c| c.is_whitespace() || "\"'`(:=*".contains(c));
        let closed = text[end..]
            .chars()
            .next()
            .is_none_or(|c| c.is_whitespace() || "\"'`),.;:!?*".contains(c))
            && !(text[end..].starts_with(['.', ',', ':'])
                && text[end + 1..].starts_with(|c: char| c.is_ascii_digit()));
        if DIGITS.contains(&own) && open && closed {
            found.push(&text[start..end]);
        }
        at = end;
    }
    found
}

/// Whether a text begins with a word for a code: "Google verification code".
fn names(text: &str) -> bool {
    let lower = text.to_lowercase();
    CODES.iter().any(|code| {
        lower.find(code).is_some_and(|at| {
            let between = &lower[..at];
            between.split_whitespace().count() <= BETWEEN
                && !between.contains(['.', ',', ';', '?', ':'])
        })
    })
}

/// Whether a text goes on as "is your Google verification code", "as the login code".
fn comes_before(after: &str) -> bool {
    let after = after.trim_start_matches(['"', '\'', '`', ')', ' ']);
    let first = after.split(' ').next().unwrap_or_default();
    let folded = folded(first);
    let tied =
        part(first) == Some(Part::Is) || matches!(role(&folded), Some(Role::Copula | Role::As));
    let denies = after.to_lowercase();
    let denies = ["not ", "nicht ", "no ", "pas ", "kein"]
        .iter()
        .any(|no| denies.split_once(' ').is_some_and(|(_, rest)| rest.starts_with(no)));
    tied && !denies && names(&after[first.len()..])
}

/// Whether a text ends as "the verification code is", "Einmalcode:".
fn comes_after(before: &str, grouped: bool) -> bool {
    let lower = before.to_lowercase();
    let lower = lower.strip_suffix("g-").unwrap_or(&lower);
    let bare = lower.trim_end_matches(['"', '\'', '`', '(', ' ', '*']);
    let last = bare.rsplit(' ').next().unwrap_or_default();
    let head = if part(last) == Some(Part::Is) || role(&folded(last)) == Some(Role::Copula) {
        &bare[..bare.len() - last.len()]
    } else {
        match bare.strip_suffix([':', '=']) {
            Some(head) => head,
            None => return grouped && CODES.iter().any(|code| bare.ends_with(code)),
        }
    };
    // The line has the whole word elsewhere: "Your code is 482913. Give this verification code to no one."
    const SHORT: [&str; 4] = ["code", "código", "codigo", "codice"];
    let head = head.trim_end();
    // "the one-time code I got by SMS: …"
    let received = || {
        CODES.iter().filter_map(|code| head.rsplit_once(code)).any(|(_, between)| {
            between.starts_with([' ', ','])
                && between.split_whitespace().count() <= BETWEEN
                && !between.contains(['.', ';', '?', ':'])
                && bare.ends_with(':')
                && between.split_whitespace().any(|word| RECEIVED.contains(&word))
        })
    };
    received() || CODES.iter().chain(&SHORT).any(|code| head.ends_with(code))
}

/// `Setup key: qk7z v2md 4hxw 5tpl`
pub(super) fn seed(line: &Line) -> Option<Range<usize>> {
    if line.text.len() > COMPARED_BYTES || line.digits == 0 {
        return None;
    }
    let start = SEEDS.iter().filter_map(|name| Some(line.lower.find(name)? + name.len())).min()?;
    // Lower case may have other lengths.
    let rest = line.text.get(start..)?;
    let starts = rest.match_indices([' ', '"', '\'']).map(|(at, _)| start + at + 1);
    starts.take(TRIES).find_map(|at| {
        let words = line.text[at..]
            .split([' ', '-'])
            .map(|word| word.trim_end_matches(['.', ',', '"', '\'', ')']));
        let base32 = |word: &&str| {
            let lower = word.bytes().all(|b| b.is_ascii_lowercase() || (b'2'..=b'7').contains(&b));
            let upper = word.bytes().all(|b| b.is_ascii_uppercase() || (b'2'..=b'7').contains(&b));
            word.len() == GROUP_BYTES && (lower || upper)
        };
        let groups: Vec<_> = words.take_while(base32).collect();
        let digits = groups.iter().filter(|word| word.bytes().any(|b| b.is_ascii_digit())).count();
        let made = GROUPS.contains(&groups.len()) && digits > 1;
        let length = (groups.len() * (GROUP_BYTES + 1)).checked_sub(1)?;
        made.then(|| line.span(&line.text[at..at + length]))
    })
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn one_time_codes_are_found() {
        seals(&[
            ("G-482913 is your Google verification code.", &["482913"]),
            ("G-482913 est votre code de validation Google.", &["482913"]),
            ("my app shows 482 913 as the verification code but the VPN rejects it", &["482 913"]),
            ("meine App zeigt 482 913 als Sicherheitscode an", &["482 913"]),
            ("la app muestra 482-913 como código de verificación", &["482-913"]),
            ("Dein Bestätigungscode lautet 482 913", &["482 913"]),
            ("Your code is 482913, it is the verification code of the bank", &["482913"]),
            ("the one-time code I got by SMS: 482 913", &["482 913"]),
            ("Einmalcode, gerade per SMS bekommen: 482 913", &["482 913"]),
            ("WhatsApp code 482-913", &["482-913"]),
            ("j'ai reçu le code 482 913 par SMS", &["482 913"]),
            ("the code from the app is 482 913 right now", &["482 913"]),
            ("me llegó el código por SMS: 482913", &["482913"]),
        ]);
        for text in [
            "the verification code has 6 digits, order 482913 is affected",
            "build 482913 is the first that asks for a verification code",
            "ticket 482913 is not about the login code",
            "pages 482 913 as the review says",
        ] {
            assert_eq!(redacted(text), text);
        }
    }

    #[test]
    fn seeds_in_groups_are_one_secret() {
        seals(&[
            ("Enter this setup key: qk7z v2md 4hxw 5tpl jbsw y3dp", &["qk7z", "4hxw", "y3dp"]),
            ("Einrichtungsschlüssel: qk7z v2md 4hxw 5tpl jbsw y3dp", &["qk7z", "4hxw", "y3dp"]),
            ("clé de configuration : QK7Z V2MD 4HXW 5TPL", &["QK7Z", "5TPL"]),
        ]);
        for text in [
            "the setup key is in the vault, see page 4",
            "the setup key has four groups with four signs each",
        ] {
            assert_eq!(redacted(text), text);
        }
    }
}
