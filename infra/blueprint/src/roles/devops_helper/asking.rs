//! What the user asks of the helper, in any of the four languages.
//!
//! The dictionaries of the requirements hold what people want to have built. Here they speak of a service that runs: they
//! restart it, look for its log and ask whether it is alive. So this module adds the English words for that.

use crate::reading::sentences;
use crate::words::language::Language;
use crate::words::{Words, is_negation, lists};

/// A message to the helper.
pub struct Message {
    pub language: Language,
    /// Its words, in English as far as they are known.
    pub words: Words,
    asks_how: bool,
    orders: bool,
}

/// Words that follow each other in a message, with others in between, and the English word for them. A star stands for any
/// ending. The first that fits a verb counts.
const VERBS: &[(&[&str], &str)] = &[
    (&["start*", "neu"], "restart"),
    (&["neu", "start*"], "restart"),
    (&["neustart*"], "restart"),
    (&["neuzustarten"], "restart"),
    (&["reinici*"], "restart"),
    (&["rearranc*"], "restart"),
    (&["redémarr*"], "restart"),
    (&["relanc*"], "restart"),
    (&["start*"], "start"),
    (&["arranc*"], "start"),
    (&["inici*"], "start"),
    (&["démarr*"], "start"),
    (&["lanc*"], "start"),
    (&["stopp*"], "stop"),
    (&["halt*", "an"], "stop"),
    (&["anhalten"], "stop"),
    (&["anzuhalten"], "stop"),
    (&["parar"], "stop"),
    (&["paro"], "stop"),
    (&["detener"], "stop"),
    (&["detén*"], "stop"),
    (&["detengo"], "stop"),
    (&["arrêt*"], "stop"),
];

/// Words for what can be looked at, and the English word for each.
const THINGS: &[(&str, &str)] = &[
    (
        "log logs logdatei logdateien protokoll protokolle registro registros journal journaux",
        "logs",
    ),
    ("läuft laeuft lebt gesund funktioniert funciona vivo marche fonctionne vivant", "working"),
    ("speicherplatz plattenplatz platz festplatte espacio disco espace disque", "disk space"),
    (
        "einstellung einstellungen konfiguration configuración ajustes réglages configuration",
        "settings",
    ),
    ("zertifikat zertifikats certificado certificat", "certificate"),
    ("sicherung sicherungen copia copias sauvegarde sauvegardes", "backup"),
];

const HOW: &str = "wie cómo como comment";
const CAN_YOU: &str = "kannst könntest können könnten puedes puede podrías podría peux-tu pouvez-vous pourrais-tu \
    pourriez-vous";
/// Words before the one with which a message begins.
const BEFORE: &str = "hallo bitte und hola por favor y bonjour et";

impl Message {
    pub fn of(message: &str) -> Message {
        let language = Language::of(message, Language::English).unwrap_or(Language::English);
        let mut pieces = sentences::to_english(message, language);
        let lower = message.to_lowercase().replace('’', "'");
        let said: Vec<&str> = lower
            .split(|c: char| !(c.is_alphanumeric() || "'-".contains(c)))
            .filter(|word| !word.is_empty())
            .collect();
        let foreign = language != Language::English;
        if foreign && !said.iter().any(|word| is_negation(word)) {
            for english in named(&said) {
                let english = format!(", {english}");
                pieces.push(crate::words::Piece { said: english.clone(), english, language });
            }
        }
        let first = said.iter().copied().find(|word| !lists(BEFORE, word)).unwrap_or_default();
        Message {
            language,
            words: Words::translated(&pieces),
            asks_how: foreign && lists(HOW, first),
            orders: foreign && lists(CAN_YOU, first),
        }
    }

    /// Whether the message asks to do something: “Can you restart it?”
    pub fn is_order(&self) -> bool {
        let mut said = self.words.values();
        let first = said.next().unwrap_or_default();
        let can = ["can", "could", "would", "will", "please"].contains(&first);
        self.orders || can && said.next() == Some("you")
    }

    pub fn asks_how(&self) -> bool {
        const HOW: &[&str] = &["how do i", "how can i", "how to", "how would i", "how is"];
        self.asks_how || self.words.means_any(HOW)
    }
}

/// The English words for what the message says of a running service.
fn named(said: &[&str]) -> Vec<&'static str> {
    let follows = |parts: &[&str]| {
        let mut rest = said.iter();
        parts.iter().all(|part| rest.any(|word| is(part, word)))
    };
    let verb = VERBS.iter().find(|(parts, _)| follows(parts)).map(|(_, english)| *english);
    let things = THINGS.iter().filter(|(list, _)| said.iter().any(|word| lists(list, word)));
    verb.into_iter().chain(things.map(|(_, english)| *english)).collect()
}

fn is(part: &str, word: &str) -> bool {
    part.strip_suffix('*').map_or(part == word, |start| word.starts_with(start))
}
