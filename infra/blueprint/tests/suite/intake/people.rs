//! Sixty conversations as people lead them: terse or chatty, contradictory, with a change of mind, and with requests
//! that the catalogue does not have. They were written without looking at the rules, and each answer was judged by hand.
//!
//! The last document has each value and each request, and every answer is in the user's language.

mod english;
mod french;
mod german;
mod spanish;

use super::accounts::{Case, after_agreement};
use crate::support::Chat;

/// Every conversation, by language.
pub const EVERYONE: [&[Case]; 4] =
    [english::ENGLISH, french::FRENCH, german::GERMAN, spanish::SPANISH];

/// Sentences that identify an answer's language.
const ENGLISH: &[&str] = &[
    "Not everything is built",
    "I did not understand these words",
    "are open",
    "is open",
    "That is all I need",
    "I cannot build",
];
const GERMAN: &[&str] = &[
    "Nicht alles wird",
    "Diese Wörter habe ich nicht verstanden",
    "Einiges ist noch offen",
    "Mehr brauche ich nicht",
    "Zurzeit gibt es",
];
const FRENCH: &[&str] = &[
    "Tout n'est pas construit",
    "Je n'ai pas compris ces mots",
    "Quelques points restent ouverts",
    "Je ne peux pas construire",
];
const SPANISH: &[&str] =
    &["No todo se construye", "No he entendido estas palabras", "Quedan algunas cosas"];

/// Checks the language of each answer. A user who asks for another language gets it.
async fn answered_in(signs: &[&str], cases: &[Case]) {
    for (messages, ..) in cases {
        let mut chat = Chat::gatherer();
        for message in *messages {
            let (next, answers) = chat.turn(message).await;
            chat = next;
            let said = answers.last().unwrap().text.clone();
            let asks_for_english = message.contains("answer in English");
            let signs = if asks_for_english { ENGLISH } else { signs };
            assert!(signs.iter().any(|sign| said.contains(sign)), "{message}: {said}");
        }
    }
}

#[tokio::test]
async fn fifteen_people_speak_english() {
    after_agreement(english::ENGLISH).await;
    answered_in(ENGLISH, english::ENGLISH).await;
}

#[tokio::test]
async fn fifteen_people_speak_german() {
    after_agreement(german::GERMAN).await;
    answered_in(GERMAN, german::GERMAN).await;
}

#[tokio::test]
async fn fifteen_people_speak_french() {
    after_agreement(french::FRENCH).await;
    answered_in(FRENCH, french::FRENCH).await;
}

#[tokio::test]
async fn fifteen_people_speak_spanish() {
    after_agreement(spanish::SPANISH).await;
    answered_in(SPANISH, spanish::SPANISH).await;
}
