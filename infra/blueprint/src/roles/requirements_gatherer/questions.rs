//! Answers to the user's questions: the general ones from one table, and those about the deployment from its own texts.

use crate::catalogue::ec2_ssh::cost;
use crate::catalogue::prices::{self, Monthly};
use crate::catalogue::questions::Question;
use crate::catalogue::{Blueprint, Place, town};
use crate::choice::Choice;
use crate::reading::dialogue::Dialogue;
use crate::reading::sentences;
use crate::texts::{self, say};
use crate::words::Words;
use crate::words::language::Language;

/// The server that the plans take if the user names none, for the price of an unknown plan.
const USUAL: (&str, &str) = ("cx23", "nbg1");

/// The answers to the questions of the latest message.
pub fn answers(dialogue: &Dialogue, message: &str) -> Vec<String> {
    let (language, choice) = (dialogue.language, dialogue.choice());
    let general = dialogue.latest.questions.iter();
    let general: Vec<String> = general
        .filter_map(|question| general_answer(language, question, choice.as_ref()))
        .collect();
    if !general.is_empty() || !dialogue.latest.question {
        return general;
    }
    choice.and_then(|choice| own_answer(dialogue, &choice, message)).into_iter().collect()
}

/// The answer to a general question, with the price of the deployment.
fn general_answer(
    language: Language,
    question: &Question,
    choice: Option<&Choice>,
) -> Option<String> {
    let at = match language {
        Language::English | Language::Other => 0,
        Language::German => 1,
        Language::Spanish => 2,
        Language::French => 3,
    };
    let answer = question.answer.get(at)?;
    let gap = "{price}";
    Some(if answer.contains(gap) {
        answer.replace(gap, &price(language, choice))
    } else {
        answer.clone()
    })
}

/// What the deployment's own texts answer. They are in English, so in another language they answer only what nothing but
/// asks, and say so.
fn own_answer(dialogue: &Dialogue, choice: &Choice, message: &str) -> Option<String> {
    let language = dialogue.language;
    let words = Words::translated(&sentences::to_english(message, language));
    // “Can I have Elasticsearch?” asks to build it.
    let only_asks = words.sentences().iter().any(|sentence| words.only_asks(sentence.start));
    if dialogue.latest.chosen && !only_asks {
        return None;
    }
    let english = say(language, &texts::ANSWER_IN_ENGLISH);
    if !english.is_empty() && !only_asks {
        return None;
    }
    let answer = choice.answer(&words.asking())?;
    Some(if english.is_empty() { answer } else { format!("{english} {answer}") })
}

/// What the deployment costs in a month, and who is paid.
fn price(language: Language, choice: Option<&Choice>) -> String {
    let provider = match choice.map(|choice| (choice, choice.blueprint.place)) {
        None => {
            let price = prices::hetzner_month(USUAL.0, USUAL.1);
            server(language, USUAL.0, 1, price).unwrap_or_default()
        }
        Some((_, Place::Sandbox)) => say(language, &texts::PRICE_SANDBOX).to_string(),
        Some((choice, Place::Hetzner)) => {
            let kind = choice.value("server-type");
            let price = prices::hetzner_month(kind, choice.value("location"));
            let page =
                || texts::fill(language, &texts::PRICE_PAGE, "https://www.hetzner.com/cloud");
            server(language, kind, servers(choice), price).unwrap_or_else(page)
        }
        Some((choice, Place::Aws)) => at_aws(language, choice),
    };
    format!("{provider} {}", say(language, &texts::PRICE_OF_GROUNDCREW))
}

/// The price of servers at Hetzner.
fn server(language: Language, kind: &str, count: u64, price: Option<Monthly>) -> Option<String> {
    let Monthly { cents, as_of, at } = price?;
    let euros = |cents| amount(language, "€", cents);
    let (day, place, one) =
        (day(language, as_of), town(language, Place::Hetzner, at), euros(cents));
    let (number, all) = (count.to_string(), euros(cents * count));
    let parts = [&day, kind, &place, &one, &number, &all];
    let text = if count == 1 { &texts::PRICE_SERVER } else { &texts::PRICE_SERVERS };
    Some(texts::fill_all(language, text, &parts))
}

/// How many servers a deployment at Hetzner has.
fn servers(choice: &Choice) -> u64 {
    let number = |key: &str| choice.value(key).parse::<u64>().ok();
    number("servers").or(number("app-servers").map(|behind| behind + 1)).unwrap_or(1)
}

/// The price of what is at AWS: of a server its sum, of a site that it is small.
fn at_aws(language: Language, choice: &Choice) -> String {
    if !Blueprint::has_server(choice.blueprint) {
        return say(language, &texts::PRICE_STATIC).to_string();
    }
    let kind = choice.value("instance-type");
    let disk = choice.value("volume-gb").parse().unwrap_or_default();
    match cost::month(kind, disk, choice.value("region")) {
        Some(Monthly { cents, as_of, at }) => {
            let (day, price) = (day(language, as_of), amount(language, "$", cents));
            let place = town(language, Place::Aws, at);
            texts::fill_all(language, &texts::PRICE_AWS, &[&day, kind, &place, &price])
        }
        None => texts::fill(language, &texts::PRICE_PAGE, "https://aws.amazon.com/ec2/pricing/"),
    }
}

/// An amount of money as people write it in the language.
fn amount(language: Language, currency: &str, cents: u64) -> String {
    let (whole, rest) = (cents / 100, cents % 100);
    match language {
        Language::English | Language::Other => format!("{currency}{whole}.{rest:02}"),
        _ => format!("{whole},{rest:02} {currency}"),
    }
}

/// A date such as 2026-11-21 as people write it in the language.
fn day(language: Language, iso: &str) -> String {
    let parts: Vec<&str> = iso.split('-').collect();
    match (language, parts.as_slice()) {
        (Language::German, [year, month, day]) => format!("{day}.{month}.{year}"),
        (Language::Spanish | Language::French, [year, month, day]) => {
            format!("{day}/{month}/{year}")
        }
        _ => iso.to_string(),
    }
}
