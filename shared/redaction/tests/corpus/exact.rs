//! A sealed value is exactly the secret: without the option before it and the quote behind it. A command that gets the
//! sealed value back would otherwise fail, and masks would not find the secret itself in an output.

use crate::{classes, held_out, kinds, messages, relatives};
use redaction::{Choices, Redacted, Taken, redact, redact_with};

/// The least share of messages whose secrets are sealed exactly, in percent.
const EXACT: usize = 97;

fn composed(text: &str) -> Redacted {
    redact_with(text, &Choices::default(), &Taken::default())
}

fn is_exact(sealed: &Redacted, secrets: &[String]) -> bool {
    secrets.iter().all(|secret| sealed.secrets.iter().any(|found| found.value == *secret))
}

#[test]
fn exactly_the_secret_is_sealed() {
    let messages = messages(kinds::TUNED);
    let exact = |read: fn(&str) -> Redacted| {
        messages.iter().filter(|(_, text, secrets)| is_exact(&read(text), secrets)).count()
    };
    let (by_rules, in_messages) = (exact(redact), exact(composed));
    let all = messages.len();
    println!("exactly sealed: {by_rules} of {all} by the rules, {in_messages} in messages");
    assert!(by_rules.min(in_messages) * 100 >= EXACT * all, "{by_rules}, {in_messages} of {all}");
}

#[test]
fn what_the_rules_seal_exactly_the_composer_seals_exactly() {
    let kinds = [kinds::TUNED, kinds::HELD_OUT, relatives::RELATIVES, classes::RULES];
    let made = kinds.into_iter().flat_map(messages).map(|(_, text, secrets)| (text, secrets));
    let written = held_out::SETS.iter().flat_map(|(secret, _)| secret.lines()).map(|line| {
        let (text, spans) = held_out::read(line);
        let secrets = spans.into_iter().map(|span| text[span].to_owned()).collect();
        (text, secrets)
    });
    let all: Vec<(String, Vec<String>)> = made.chain(written).collect();
    let widened: Vec<_> = all
        .iter()
        .filter(|(text, secrets)| is_exact(&redact(text), secrets))
        .map(|(text, secrets)| (text, secrets, composed(text)))
        .filter(|(_, secrets, sealed)| !is_exact(sealed, secrets))
        .map(|(text, _, sealed)| format!("{text}\n  → {}", sealed.text))
        .collect();
    println!("widened in messages: {} of {}", widened.len(), all.len());
    assert!(widened.is_empty(), "{}", widened.join("\n"));
}
