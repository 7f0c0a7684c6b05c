//! Measures how many secrets are found in synthetic messages, and how many harmless messages are changed.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod classes;
mod composed;
mod exact;
mod harmless;
mod held_out;
mod kinds;
mod learning;
mod look_alikes;
mod neighbors;
mod relatives;
mod time;
mod values;

use redaction::{Choices, Taken, redact, redact_with};
use values::Values;

/// How many messages are made of each kind, with secrets or harmless.
const OF_EACH: u64 = 8;
/// The least share of secrets that must be found, in percent.
const RECALL: usize = 98;
/// Sentences about passwords that contain none, one message per line.
const TALK: &str = include_str!("talk.txt");

/// Messages of each kind, with their secrets.
fn messages(kinds: &[&'static str]) -> Vec<(&'static str, String, Vec<String>)> {
    let mut values = Values::of(7);
    let mut all = Vec::new();
    for kind in kinds {
        for _ in 0..OF_EACH {
            let (text, secrets) = values.fill(kind);
            all.push((*kind, text, secrets));
        }
    }
    all
}

/// The messages that still show a secret.
fn missed(kinds: &[&'static str]) -> (usize, Vec<String>) {
    let messages = messages(kinds);
    let mut missed = Vec::new();
    for (kind, text, secrets) in &messages {
        let shown = redact(text).text;
        if secrets.iter().any(|secret| shown.contains(secret)) {
            missed.push(format!("{kind:60} | {text}\n{:60} → {shown}", ""));
        }
    }
    (messages.len(), missed)
}

/// Returns an error if too many secrets of some kinds were missed.
fn recall(what: &str, kinds: &[&'static str]) -> Result<(), String> {
    let (messages, missed) = missed(kinds);
    let found = messages - missed.len();
    println!("{what}: {} kinds, {found} of {messages} messages", kinds.len());
    let enough = found * 100 >= RECALL * messages;
    enough
        .then_some(())
        .ok_or_else(|| format!("{what}: {found} of {messages}:\n{}", missed.join("\n")))
}

#[test]
fn secrets_are_found_in_typed_messages() {
    assert!(kinds::TUNED.len() + kinds::HELD_OUT.len() >= 150);
    let tuned = recall("kinds that the rules were made with", kinds::TUNED);
    let held_out = recall("kinds that they were not made with", kinds::HELD_OUT);
    let relatives = recall("their relatives", relatives::RELATIVES);
    if let Err(missed) = tuned.and(held_out).and(relatives) {
        panic!("{missed}");
    }
}

#[test]
fn the_composer_finds_pairs_and_what_opens_something_and_leaves_their_neighbors() {
    let composed = |text: &str| redact_with(text, &Choices::default(), &Taken::default()).text;
    let messages = messages(composed::SECRET);
    let shown = |secrets: &[String], text: &str| secrets.iter().any(|secret| text.contains(secret));
    let missed: Vec<_> = messages
        .iter()
        .map(|(_, text, secrets)| (text, secrets, composed(text)))
        .filter(|(_, secrets, sealed)| shown(secrets, sealed))
        .map(|(text, _, sealed)| format!("{text}\n  → {sealed}"))
        .collect();
    let all = messages.len();
    println!("composed: {} kinds, {} of {all} found", composed::SECRET.len(), all - missed.len());
    println!("{}", missed.join("\n"));
    assert!((all - missed.len()) * 100 >= RECALL * all, "{}", missed.join("\n"));
    let neighbors = composed::HARMLESS.lines();
    let changed: Vec<_> = neighbors.clone().map(|text| (text, composed(text))).collect();
    let changed: Vec<_> = changed.iter().filter(|(text, sealed)| text != sealed).collect();
    assert!(neighbors.count() >= 100 && changed.is_empty(), "{changed:#?}");
}

#[test]
fn classes_that_were_once_read_wrongly_are_read_rightly() {
    let composed = |text: &str| redact_with(text, &Choices::default(), &Taken::default()).text;
    let by_rules = |text: &str| redact(text).text;
    let shown = |kinds, read: &dyn Fn(&str) -> String| -> Vec<String> {
        let all = messages(kinds).into_iter();
        let read = all.map(|(_, text, secrets)| (read(&text), text, secrets));
        let shown = read.filter(|(sealed, _, secrets)| secrets.iter().any(|s| sealed.contains(s)));
        shown.map(|(sealed, text, _)| format!("{text}\n  → {sealed}")).collect()
    };
    let missed = [shown(classes::RULES, &by_rules), shown(classes::COMPOSED, &composed)].concat();
    let mut values = Values::of(13);
    let harmless = neighbors::HARMLESS.iter().map(|kind| values.fill(kind).0);
    let read = harmless.map(|text| (composed(&text), text));
    let changed: Vec<_> = read.filter(|(sealed, text)| sealed != text).collect();
    println!("classes: {} missed, {} changed", missed.len(), changed.len());
    assert!(missed.is_empty() && changed.is_empty(), "{}\n{changed:#?}", missed.join("\n"));
}

#[test]
fn harmless_messages_stay_as_they_are() {
    let mut values = Values::of(11);
    let mut changed = Vec::new();
    let mut all = 0;
    let kinds = || harmless::HARMLESS.iter().chain(look_alikes::LOOK_ALIKES).copied();
    for kind in kinds().chain(TALK.lines()) {
        for _ in 0..OF_EACH {
            let kind = kind.replace("{uuid}", "{h8}-{h4}-{h4}-{h4}-{h12}");
            let (text, _) = values.fill(&kind);
            let redacted = redact(&text);
            all += 1;
            if redacted.text != text {
                changed.push(format!("{text}\n  → {}", redacted.text));
            }
        }
    }
    println!(
        "harmless: {} kinds, {} of {all} messages changed",
        kinds().count() + TALK.lines().count(),
        changed.len()
    );
    assert!(
        all >= 1000 && changed.is_empty(),
        "{} of {all}:\n{}",
        changed.len(),
        changed.join("\n")
    );
}

#[test]
fn secrets_are_found_in_messages_that_were_written_before_their_rules() {
    let mut above = Vec::new();
    let sets = [
        ("first", held_out::FIRST, 9),
        ("second", held_out::SECOND, 7),
        ("third", held_out::THIRD, 2),
        ("fourth", held_out::FOURTH, 8),
        ("fifth", held_out::FIFTH, 4),
        ("sixth", held_out::SIXTH, 12),
        ("seventh", held_out::SEVENTH, 14),
        ("eighth", held_out::EIGHTH, 2),
        ("ninth", held_out::NINTH, 1),
        ("tenth", held_out::TENTH, 6),
        ("eleventh", held_out::ELEVENTH, 6),
        ("twelfth", held_out::TWELFTH, 0),
        ("thirteenth", held_out::THIRTEENTH, 2),
        ("fourteenth", held_out::FOURTEENTH, 1),
        ("fifteenth", held_out::FIFTEENTH, 3),
        ("sixteenth", held_out::SIXTEENTH, 8),
        ("seventeenth", held_out::SEVENTEENTH, 0),
        ("eighteenth", held_out::EIGHTEENTH, 1),
        ("nineteenth", held_out::NINETEENTH, 0),
    ];
    for (what, set, most) in sets {
        let (all, missed) = held_out::missed(set, held_out::by_rules);
        println!("{what}: {} of {all}", all - missed.len());
        if missed.len() > most {
            above.push(format!("{what}, {} of {all}:\n{}", missed.len(), missed.join("\n")));
        }
    }
    let calm = [
        ("fourth", held_out::CALM_FOURTH),
        ("fifth", held_out::CALM_FIFTH),
        ("sixth", held_out::CALM_SIXTH),
        ("seventh", held_out::CALM_SEVENTH),
        ("eighth", held_out::CALM_EIGHTH),
        ("ninth", held_out::CALM_NINTH),
        ("tenth", held_out::CALM_TENTH),
        ("eleventh", held_out::CALM_ELEVENTH),
        ("twelfth", held_out::CALM_TWELFTH),
        ("thirteenth", held_out::CALM_THIRTEENTH),
        ("fourteenth", held_out::CALM_FOURTEENTH),
        ("fifteenth", held_out::CALM_FIFTEENTH),
        ("sixteenth", held_out::CALM_SIXTEENTH),
        ("seventeenth", held_out::CALM_SEVENTEENTH),
        ("eighteenth", held_out::CALM_EIGHTEENTH),
        ("nineteenth", held_out::CALM_NINETEENTH),
    ];
    for (what, set) in calm {
        let (all, changed) = held_out::changed(set, held_out::by_rules);
        println!("{what}, harmless: {} of {all} changed", changed.len());
        if changed.len() * 200 > all {
            above.push(format!(
                "{what}, harmless, {} of {all}:\n{}",
                changed.len(),
                changed.join("\n")
            ));
        }
    }
    assert!(above.is_empty(), "{}", above.join("\n"));
}

#[test]
fn harmless_messages_of_all_sets_stay_as_they_are_in_the_composer() {
    let (mut all, mut changed) = (0, Vec::new());
    for (_, calm) in held_out::SETS {
        let (count, more) = held_out::changed(calm, held_out::in_message);
        all += count;
        changed.extend(more);
    }
    println!("harmless: {} of {all} changed", changed.len());
    assert!(changed.len() * 200 <= all, "{} of {all}:\n{}", changed.len(), changed.join("\n"));
}

#[test]
fn the_composer_finds_the_secrets_of_the_later_sets() {
    // The model does not know the last eleven.
    let sets = [
        ("twentieth", held_out::TWENTIETH, held_out::CALM_TWENTIETH, 3),
        ("twenty-first", held_out::TWENTY_FIRST, held_out::CALM_TWENTY_FIRST, 7),
        ("twenty-second", held_out::TWENTY_SECOND, held_out::CALM_TWENTY_SECOND, 1),
        ("twenty-third", held_out::TWENTY_THIRD, held_out::CALM_TWENTY_THIRD, 1),
        ("twenty-fourth", held_out::TWENTY_FOURTH, held_out::CALM_TWENTY_FOURTH, 1),
        ("twenty-fifth", held_out::TWENTY_FIFTH, held_out::CALM_TWENTY_FIFTH, 2),
        ("twenty-sixth", held_out::TWENTY_SIXTH, held_out::CALM_TWENTY_SIXTH, 11),
        ("twenty-seventh", held_out::TWENTY_SEVENTH, held_out::CALM_TWENTY_SEVENTH, 11),
        ("twenty-eighth", held_out::TWENTY_EIGHTH, held_out::CALM_TWENTY_EIGHTH, 4),
        ("twenty-ninth", held_out::TWENTY_NINTH, held_out::CALM_TWENTY_NINTH, 0),
        ("thirtieth", held_out::THIRTIETH, held_out::CALM_THIRTIETH, 1),
        ("thirty-first", held_out::THIRTY_FIRST, held_out::CALM_THIRTY_FIRST, 0),
        ("thirty-second", held_out::THIRTY_SECOND, held_out::CALM_THIRTY_SECOND, 1),
        ("thirty-third", held_out::THIRTY_THIRD, held_out::CALM_THIRTY_THIRD, 7),
        ("thirty-fourth", held_out::THIRTY_FOURTH, held_out::CALM_THIRTY_FOURTH, 0),
        ("thirty-fifth", held_out::THIRTY_FIFTH, held_out::CALM_THIRTY_FIFTH, 5),
        ("thirty-sixth", held_out::THIRTY_SIXTH, held_out::CALM_THIRTY_SIXTH, 14),
    ];
    let mut above = Vec::new();
    for (what, set, calm, most) in sets {
        let by_rules = held_out::missed(set, held_out::by_rules).1.len();
        let (all, missed) = held_out::missed(set, held_out::in_message);
        let (harmless, changed) = held_out::changed(calm, held_out::in_message);
        let found = all - missed.len();
        println!("{what}: {found} of {all}, by the rules {}", all - by_rules);
        println!("{what}, harmless: {} of {harmless} changed", changed.len());
        if missed.len() > most || changed.len() > 1 {
            above.push([missed, changed].concat().join("\n"));
        }
    }
    assert!(above.is_empty(), "{}", above.join("\n"));
}

/// Prints what is missed and what is changed in `secrets.txt` and `harmless.txt` of the folder `MESSAGES`, which are
/// written like the sets in `held_out`.
#[test]
#[ignore = "reads messages of your own"]
fn measure_messages_of_your_own() {
    let folder = std::env::var("MESSAGES").expect("MESSAGES names a folder");
    let read = |name| -> &'static str {
        std::fs::read_to_string(std::path::Path::new(&folder).join(name)).unwrap().leak()
    };
    let (all, missed) = held_out::missed(read("secrets.txt"), held_out::in_message);
    let (harmless, changed) = held_out::changed(read("harmless.txt"), held_out::in_message);
    println!("missed:\n{}\nchanged:\n{}", missed.join("\n"), changed.join("\n"));
    println!("found: {} of {all}; changed: {} of {harmless}", all - missed.len(), changed.len());
}
