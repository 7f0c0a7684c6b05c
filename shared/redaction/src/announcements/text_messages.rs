//! Finds one-time codes that came to a phone, by how people speak about it: "Code reçu par SMS : 604915", "the code on my phone
//! right now is 402 817", and codes that switch an alarm off.

use super::{COMPARED_BYTES, Line, hyphenated, onetime};
use crate::lexicon::{Part, part};
use crate::words::lists;
use std::ops::Range;

/// How such a code comes, in lower case.
const CHANNELS: [&str; 20] = [
    "sms",
    "text message",
    "a text:",
    "a text ",
    "2fa",
    "mfa",
    "two-factor",
    "zwei-faktor",
    "doble factor",
    "double facteur",
    "authenticator",
    "otp",
    "on my phone",
    "auf dem handy",
    "auf meinem handy",
    "en el móvil",
    "en mi móvil",
    "sur mon téléphone",
    "push tan",
    "whatsapp",
];
/// A part of each channel and of each word for an alarm: most lines have none.
pub(super) const SIGNS: [&str; 16] = [
    "sms",
    "text",
    "2fa",
    "mfa",
    "factor",
    "faktor",
    "facteur",
    "authenticator",
    "otp",
    "phone",
    "alarm",
    "tan",
    "handy",
    "móvil",
    "téléphone",
    "whatsapp",
];
/// Parts of words for a code, in lower case.
const CODES: [&str; 7] = ["code", "código", "codigo", "codice", "tan", "bestätigung", "pin"];
/// Words right before a code: those for it, and how it came.
const LAST: &str = "code código codigo codice kod tan otp pin sms sms-code sms-tan mtan sms-pin bestätigungscode einmalcode says said shows reads sagt zeigt \
     steht kam kommt came got dice muestra pone llegó dit affiche indique reçu sms-bestätigung";
/// The same before "is".
const SUBJECTS: &str =
    "code código codigo codice kod tan otp pin now jetzt phone handy ahora maintenant";
/// Parts of words for other numbers.
const OTHERS: [&str; 20] = [
    "ticket",
    "order",
    "error",
    "fehler",
    "status",
    "auftrag",
    "bestell",
    "kunden",
    "incidencia",
    "pedido",
    "commande",
    "product",
    "postal",
    "promo",
    "exit",
    "http",
    "zip",
    "störung",
    "numéro de",
    "vorgang",
];
/// What switches an alarm off, in lower case.
const ALARMS: [&str; 5] = ["alarm", "alarma", "alarme", "alarmanlage", "alarmsystem"];
const OFF: &str = "off disarm disarms coupez couper coupe désactive désactiver désactivez éteindre quita quitar desactiva desactivar desactívala apaga aus \
     ausschalten entschärfen entschärft unscharf scharf deaktivieren arm arms enter type gib tippe eingeben teclea tapez";
const FIRED: [&str; 6] = ["went off", "goes off", "going off", "gone off", "set off", "ausgelöst"];
const CODE_DIGITS: std::ops::RangeInclusive<usize> = 4..=8;
/// The most words of a line that are read, and those before a code.
const WORDS: usize = 60;
const BEFORE: usize = 9;

/// The code of such a line.
pub(super) fn code(line: &Line) -> Option<Range<usize>> {
    if line.text.len() > COMPARED_BYTES || line.digits < *CODE_DIGITS.start() {
        return None;
    }
    let other = || OTHERS.iter().any(|other| line.lower.contains(other));
    if other() {
        return None;
    }
    received(line).or_else(|| disarming(line))
}

fn received(line: &Line) -> Option<Range<usize>> {
    let told = |parts: &[&str]| parts.iter().any(|part| line.lower.contains(part));
    let coded = told(&CODES);
    told(&CHANNELS).then_some(())?;
    onetime::numbers(line.text).into_iter().map(|number| line.span(number)).find(|span| {
        let before = line.text[..span.start - line.start].trim_end_matches(['"', '\'', '(', '*']);
        let mut words =
            before.split_whitespace().rev().map(hyphenated).filter(|word| !word.is_empty());
        let last = words.next().unwrap_or_default();
        let is = part(&last) == Some(Part::Is);
        // "El código que me sale en el móvil es 553 019"
        let subject = || words.clone().take(BEFORE).any(|word| lists(SUBJECTS, &word));
        let closed = before.trim_end().ends_with(':');
        // "just got the SMS: 553019"
        if !coded {
            return closed && lists("sms mtan", &last);
        }
        closed || lists(LAST, &last) || (is && subject())
    })
}

/// `Coupez l'alarme avec le code 4417`, `Die Alarmanlage geht mit 4711 aus`
fn disarming(line: &Line) -> Option<Range<usize>> {
    const WITH: &str = "with mit con avec code código type enter gib tippe teclea introduce tapez entrez saisissez";
    ALARMS.iter().any(|alarm| line.lower.contains(alarm)).then_some(())?;
    let words = line.first_words(WORDS);
    // "the alarm went off with code 5031"
    let fired = FIRED.iter().any(|fired| line.lower.contains(fired));
    (!fired && words.iter().any(|word| lists(OFF, &hyphenated(word)))).then_some(())?;
    words.windows(2).find_map(|of| {
        let code = of[1].trim_matches(|c: char| !c.is_alphanumeric());
        let digits = CODE_DIGITS.contains(&code.len()) && code.bytes().all(|b| b.is_ascii_digit());
        (digits && lists(WITH, &hyphenated(of[0]))).then(|| line.span(code))
    })
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn a_code_on_a_phone_is_found() {
        seals(&[
            ("Code reçu par SMS : 604917, vite il expire", &["604917"]),
            ("The code on my phone right now is 402 819, it is the 2FA code", &["402 819"]),
            ("Die SMS-Bestätigung sagt 839207, der Code gilt fünf Minuten.", &["839207"]),
            ("Me ha llegado por SMS el código 550177", &["550177"]),
            ("Coupez l'alarme avec le code 418267 en arrivant.", &["418267"]),
            ("Die Alarmanlage geht mit 4719 aus", &["4719"]),
        ]);
        for text in [
            "The SMS gateway returned 202 for 481902 messages, code unchanged",
            "Per SMS kam die Meldung zum Auftrag 553108, der Code folgt",
            "The alarm went off with code 5031",
            "La alarma de disco saltó con 481902 entradas",
        ] {
            assert_eq!(redacted(text), text);
        }
    }
}
