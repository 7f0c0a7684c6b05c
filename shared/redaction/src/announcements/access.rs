//! Finds what opens doors and accounts without a word for a password: the codes of alarms, gates and safes, and the
//! answers to security questions.

use super::{COMPARED_BYTES, Line, Sign, fits, trim};
use crate::lexicon::{Part, part};
use crate::talk::says;
use crate::words::lists;
use std::ops::Range;

/// What a code opens.
const PLACES: &str = "cage rack colo alarm alarme alarma allarme alarmu alarmanlage door doors doorway gate safe keypad lockbox keybox garage \
     tür haustür hintertür türe tor hoftor tresor schlüsselkasten schlüsseltresor schlüsselsafe portail porte porche \
     coffre puerta portón porton caja porta portão portao cancello portone cassaforte cofre deur voordeur kluis poort \
     sleutelkastje dect-basis voicemail anrufbeantworter mailbox buzón drzwi drzwiach brama bramy sejf sejfu domofon lift aufzug elevator";
/// What people call such a code.
const CODES: &str = "code codes kod código codigo codice combination combo kombination zahlenkombination zahlenschloss zahlenschloß codeschloss geheimzahl geheimnummer digicode combinaison combinación \
     combinacion combinazione combinatie combinação kombinacja türcode alarmcode torcode";
/// Parts of words for a code.
pub(super) const STEMS: [&str; 8] =
    ["cod", "kod", "cód", "comb", "komb", "geheim", "schlo", "clave"];
/// Words that are both: they need no other.
const BOTH: &str = "zahlenschloss zahlenschloß codeschloss geheimzahl geheimnummer digicode";
/// Other things with a number.
const OTHERS: [&str; 33] = [
    "gemeldet",
    "meldet",
    "saltó",
    "disparó",
    "déclench",
    "ausgelöst",
    "went off",
    "triggered",
    "reported",
    "raised",
    "acknowledged",
    "error",
    "exit",
    "status",
    "http",
    "fehler",
    "erreur",
    "errore",
    "fout",
    "błąd",
    "erro ",
    "return",
    "response",
    "zip",
    "country",
    "area",
    "postal",
    "promo",
    "product",
    "ticket",
    "version",
    "quality",
    "event",
];
/// The most words between the word for a code and the code.
const BETWEEN: usize = 8;
/// Numbers that people type on a keypad.
const DIGITS: Range<usize> = 4..9;
/// The most words of an answer.
const ANSWER_WORDS: usize = 3;

/// `the alarm in the cellar: code 7395`, `Tresor im Büro: 48-12-73`.
pub(super) fn code(line: &Line) -> Option<Range<usize>> {
    let number = line.digits > 0;
    let told = || line.signs.has(Sign::Code) || line.text.contains(": ");
    if line.text.len() > COMPARED_BYTES
        || !number
        || !told()
        || OTHERS.iter().any(|other| line.lower.contains(other))
    {
        return None;
    }
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let any = |list| {
        let words = line.lower.split_whitespace();
        words.map(|word| word.trim_matches(|c: char| !c.is_alphanumeric())).any(|word| {
            lists(list, word) || word.split_once('-').is_some_and(|(one, _)| lists(list, one))
        })
    };
    let (placed, both) = (any(PLACES), any(BOTH));
    if !placed && !both {
        return None;
    }
    // "la clave de la puerta": elsewhere, the word has other meanings.
    let is_code = |word: &&str| {
        let word = bare(word);
        lists(CODES, word.rsplit('-').next().unwrap_or_default()) || word == "clave"
    };
    // "the alarm went off with code 5031"
    let mut with = false;
    let mut words = line.words().filter(|word| {
        let skipped = with && lists(CODES, &bare(word));
        with = ["with", "mit", "con", "avec", "com", "met"].contains(&bare(word).as_str());
        !skipped
    });
    let value = match words.find(is_code) {
        Some(_) => {
            let mut next = words.by_ref().take(BETWEEN);
            next.find(|word| word.contains(|c: char| c.is_ascii_digit()))
        }
        None => {
            let last = line.text.split_once(": ").map(|(_, value)| value.trim());
            last.filter(|value| {
                let value = value.trim_end_matches(['.', '!']);
                is_combination(value) || (value.ends_with(['#', '*']) && is_typed(value))
            })
        }
    }?;
    let value = trim(value.trim_matches(['.', ',', ';', '!', '?', '(', ')', ':', '*', '`']));
    // "Zahlenschloss Modell 4711", "digicode installé en 2024"
    let before = line.text[..line.span(value).start - line.start].trim_end();
    let last = before.rsplit(' ').next().unwrap_or_default();
    let tied = last.ends_with([':', '=']) || is_code(&last) || part(last) == Some(Part::Is);
    ((placed || tied) && (is_combination(value) || is_typed(value))).then(|| line.span(value))
}

/// `4821`, `4821B`, `C7719`, `2580#`
fn is_typed(value: &str) -> bool {
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let inner = value.trim_matches(|c: char| c.is_ascii_uppercase() || c == '#' || c == '*');
    DIGITS.contains(&digits) && inner.len() == digits && value.len() - digits <= 2
}

/// `17-34-08`
fn is_combination(value: &str) -> bool {
    let part =
        |part: &str| (1..=2).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit());
    (3..=5).contains(&value.split('-').count()) && value.split('-').all(part)
}

/// What security questions ask for.
const ASKED: [&str; 24] = [
    "maiden",
    "first pet",
    "pet's",
    "mother",
    "school",
    "street",
    "hometown",
    "first car",
    "mädchenname",
    "haustier",
    "mutter",
    "schule",
    "soltera",
    "mascota",
    "madre",
    "jeune fille",
    "animal",
    "nubile",
    "solteira",
    "estimação",
    "huisdier",
    "meisjesnaam",
    "panieńskie",
    "zwierz",
];
pub(super) const QUESTIONS: [&str; 10] = [
    "security question",
    "secret question",
    "sicherheitsfrage",
    "geheimfrage",
    "pregunta de seguridad",
    "question secrète",
    "domanda di sicurezza",
    "pergunta de segurança",
    "beveiligingsvraag",
    "pytanie",
];

/// `security question, first pet: Marmaduke`
pub(super) fn answer(line: &Line) -> Option<Range<usize>> {
    let asked = |before: &str| {
        QUESTIONS.iter().any(|question| before.contains(question))
            && ASKED.iter().any(|asked| before.contains(asked))
    };
    let (before, value) = line.text.rsplit_once([':', '='])?;
    let value = trim(value.trim_end_matches(['.', '!']));
    let words = value.split_whitespace().count();
    let made = value.contains(|c: char| c.is_uppercase() || c.is_ascii_digit());
    let told = (1..=ANSWER_WORDS).contains(&words)
        && made
        && !value.ends_with('?')
        && value.split(' ').all(|word| says(word).is_none());
    (told && line.text.len() <= COMPARED_BYTES && asked(&before.to_lowercase()) && fits(value))
        .then(|| line.span(value))
}

/// What two people say to recognize each other, in lower case.
pub(super) const CODEWORDS: [&str; 17] = [
    "security word",
    "secret word",
    "duress word",
    "codeword",
    "code word",
    "safe word",
    "safeword",
    "codewort",
    "losungswort",
    "losung",
    "palabra clave",
    "palabra secreta",
    "contraseña telefónica",
    "mot de code",
    "mot secret",
    "parola d'ordine",
    "telefonkennwort",
];

/// `the answer to the security question (first pet) is walnut`, `our codeword with the provider is walnut`
pub(super) fn said(line: &Line) -> Option<Range<usize>> {
    const TIES: [&str; 13] = [
        " it's ",
        " c'est ",
        " c’est ",
        " is ",
        " ist ",
        " es ",
        " est ",
        " lautet ",
        " was ",
        " war ",
        " è ",
        " é ",
        ": ",
    ];
    if line.text.len() > COMPARED_BYTES {
        return None;
    }
    let told = |parts: &[&str]| parts.iter().any(|part| line.lower.contains(part));
    let question = told(&QUESTIONS);
    if !question && !told(&CODEWORDS) {
        return None;
    }
    let (at, tie) = TIES
        .iter()
        .filter_map(|tie| Some((line.text.rfind(tie)?, tie)))
        .max_by_key(|(at, _)| *at)?;
    let before = line.text[..at].to_lowercase();
    let answers = ["answer", "antwort", "respuesta", "réponse", "risposta", "resposta"];
    let named = CODEWORDS.iter().any(|word| before.contains(word))
        || (question && answers.iter().any(|word| before.contains(word)));
    let value = line.text[at + tie.len()..].trim_start();
    let value = value.split([',', ';', '(', '?']).next()?.split(". ").next()?;
    let value = trim(value.trim_end_matches(['.', '!', ' ']));
    let words = value.split(' ').count();
    let plain = value.split(' ').all(|word| says(word).is_none() && word.len() > 1);
    ((1..=ANSWER_WORDS).contains(&words) && named && plain && fits(value)).then(|| line.span(value))
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn what_opens_a_door_or_proves_a_person_is_found() {
        seals(&[
            ("the alarm in the cellar: code 6395, you have 20 seconds", &["6395"]),
            ("Tresor im Keller: 41-10-77", &["41-10-77"]),
            ("le code du portail est 5832B", &["5832B"]),
            ("Geheimzahl 7185, aber nicht weitersagen", &["7185"]),
            ("digicode : 38784", &["38784"]),
            ("cage 14: 88213#", &["88213#"]),
            ("Rack-Code 4471*, Schrank 3", &["4471*"]),
            ("Zahlenschloss am Rack: 2072", &["2072"]),
            ("clave de la puerta: 55120", &["55120"]),
            ("The answer to the security question (first pet) is marmalade.", &["marmalade"]),
            ("Our callback codeword with the datacenter is pumpernickel.", &["pumpernickel"]),
            ("security question, first pet: Marmaduke", &["Marmaduke"]),
            ("Sicherheitsfrage (Mädchenname der Mutter): Federspiel", &["Federspiel"]),
        ]);
    }

    #[test]
    fn other_numbers_and_questions_stay() {
        for text in [
            "The alarm went off with code 5031, see the log.",
            "the door sensor returned error code 4012",
            "Le code postal est 75011 et le portail est vert",
            "security question: what is your first pet called?",
            "alarm name: HighCPU-2041",
            "Zahlenschloss Modell 4711 bestellt",
            "digicode installé en 2024, notice page 12",
            "The answer to the security question was rejected.",
        ] {
            assert_eq!(redacted(text), text);
        }
    }
}
