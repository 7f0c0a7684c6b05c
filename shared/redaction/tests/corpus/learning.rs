//! Learns the weights of `redaction::model` from the corpus, and measures them on messages that they were not learned
//! from.
//!
//! The model learns from the held-out sets, from the generated kinds, and from `lessons`: short messages that say little
//! about their secret, harmless ones that look like them, and messages that authors wrote for it who knew no rule.
//! Each secret is learned in several versions with other words and digits, so that the model learns the message and the
//! shape instead of the value. Messages are also learned with references in place of secrets: in those, nothing more must be found.
//!
//! Everything is deterministic, down to the exponential function, so that a test can compare the weights byte by byte.
//! After a change of the corpus, write them anew:
//! `cargo test --release -p redaction --test corpus -- --ignored write_the_weights`

mod fresh;
mod identifiers;
mod things;

use crate::values::Values;
use crate::{TALK, harmless, held_out, kinds, look_alikes, relatives};
use redaction::model::{Candidate, Token, UNITS, WEIGHTS, candidates, chosen};
use std::ops::Range;

const LESSONS: &str = include_str!("lessons/secrets.txt");
const HARMLESS_LESSONS: &str = include_str!("lessons/harmless.txt");
/// Messages of authors who knew no rule, and harmless ones of the same authors.
const AUTHORS: [(&str, &str); 12] = [
    (include_str!("lessons/authors/product.txt"), include_str!("lessons/authors/calm_product.txt")),
    (include_str!("lessons/authors/chats.txt"), include_str!("lessons/authors/calm_chats.txt")),
    (
        include_str!("lessons/authors/languages.txt"),
        include_str!("lessons/authors/calm_languages.txt"),
    ),
    (include_str!("lessons/authors/pastes.txt"), include_str!("lessons/authors/calm_pastes.txt")),
    (
        include_str!("lessons/authors/requests.txt"),
        include_str!("lessons/authors/calm_requests.txt"),
    ),
    (include_str!("lessons/authors/answers.txt"), include_str!("lessons/authors/calm_answers.txt")),
    (
        include_str!("lessons/authors/commands.txt"),
        include_str!("lessons/authors/calm_commands.txt"),
    ),
    (include_str!("lessons/authors/kinds.txt"), include_str!("lessons/authors/calm_kinds.txt")),
    (
        include_str!("lessons/authors/templates.txt"),
        include_str!("lessons/authors/calm_templates.txt"),
    ),
    (include_str!("lessons/authors/forms.txt"), include_str!("lessons/authors/calm_forms.txt")),
    (include_str!("lessons/authors/sticky.txt"), include_str!("lessons/authors/calm_sticky.txt")),
    (
        include_str!("lessons/authors/european.txt"),
        include_str!("lessons/authors/calm_european.txt"),
    ),
];

/// How many versions of a message are learned, each with other secrets or names.
const VERSIONS: usize = 6;
const LESSON_VERSIONS: usize = 4;
const HARMLESS_VERSIONS: usize = 8;
const KIND_VERSIONS: usize = 2;
const CALM_VERSIONS: usize = 3;
/// How often each message is learned.
const ROUNDS: usize = 4;
const RATE: f64 = 0.15;
/// How strongly weights are drawn to zero.
const DECAY: f64 = 3e-4;
/// An error too small to learn from.
const LEAST_ERROR: f64 = 1e-4;

/// Pseudo-random choices that are the same everywhere and always.
pub struct Chance(u64);

impl Chance {
    fn below(&mut self, end: usize) -> usize {
        const TIMES: u64 = 6_364_136_223_846_793_005;
        const PLUS: u64 = 1_442_695_040_888_963_407;
        self.0 = self.0.wrapping_mul(TIMES).wrapping_add(PLUS);
        usize::try_from(self.0 >> 33).unwrap() % end
    }

    /// One of the words of a list.
    fn one<'a>(&mut self, list: &'a str) -> &'a str {
        let count = list.split_whitespace().count();
        list.split_whitespace().nth(self.below(count)).unwrap()
    }

    fn digit(&mut self) -> char {
        char::from_digit(u32::try_from(self.below(10)).unwrap(), 10).unwrap()
    }

    /// 8 to 15 of these characters.
    fn text(&mut self, of: &str) -> String {
        let length = 8 + self.below(8);
        (0..length).map(|_| char::from(of.as_bytes()[self.below(of.len())])).collect()
    }
}

/// A message, and where its secrets are.
#[derive(Clone)]
struct Message {
    text: String,
    secrets: Vec<Range<usize>>,
}

impl Message {
    fn harmless(text: String) -> Self {
        Self { text, secrets: Vec::new() }
    }

    fn marked(line: &str) -> Self {
        let (text, secrets) = held_out::read(line);
        Self { text, secrets }
    }

    /// The message with other secrets, and in place of some of them, with references.
    fn changed(&self, percent_sealed: usize, chance: &mut Chance) -> Self {
        let (mut text, mut secrets, mut at) = (String::new(), Vec::new(), 0);
        for secret in &self.secrets {
            text.push_str(&self.text[at..secret.start]);
            if chance.below(100) < percent_sealed {
                text.push_str("{{secret:PASSWORD}}");
            } else {
                let start = text.len();
                text.push_str(&fresh::like(&self.text[secret.clone()], chance));
                secrets.push(start..text.len());
            }
            at = secret.end;
        }
        text.push_str(&self.text[at..]);
        Self { text, secrets }
    }

    fn versions(self, count: usize, chance: &mut Chance) -> Vec<Self> {
        let mut all: Vec<_> = (0..count).map(|_| self.changed(0, chance)).collect();
        all.push(self.changed(100, chance));
        if self.secrets.len() > 1 {
            all.extend([self.changed(50, chance), self.changed(50, chance)]);
        }
        all.push(self);
        all
    }

    fn is_secret(&self, span: &Range<usize>) -> bool {
        self.secrets.iter().any(|secret| secret.start < span.end && span.start < secret.end)
    }
}

/// What the model learns from besides the held-out sets.
fn basics() -> Vec<Message> {
    let mut all: Vec<_> = TALK.lines().map(|line| Message::harmless(line.to_owned())).collect();
    let mut values = Values::of(11);
    for kind in harmless::HARMLESS.iter().chain(look_alikes::LOOK_ALIKES) {
        let kind = kind.replace("{uuid}", "{h8}-{h4}-{h4}-{h4}-{h12}");
        all.extend((0..CALM_VERSIONS).map(|_| Message::harmless(values.fill(&kind).0)));
    }
    for kind in kinds::TUNED.iter().chain(kinds::HELD_OUT).chain(relatives::RELATIVES) {
        for _ in 0..KIND_VERSIONS {
            let (text, values) = values.fill(kind);
            let spans = values.iter().flat_map(|value| {
                text.match_indices(value.as_str()).map(|(at, _)| at..at + value.len())
            });
            let secrets = spans.collect();
            all.push(Message { text, secrets });
        }
    }
    let mut chance = Chance(5);
    for line in LESSONS.lines() {
        all.extend(Message::marked(line).versions(LESSON_VERSIONS, &mut chance));
    }
    for line in HARMLESS_LESSONS.lines() {
        let line = line.replace('⏎', "\n");
        let version = |_| Message::harmless(things::fill(&line, &mut chance));
        all.extend((0..HARMLESS_VERSIONS).map(version));
    }
    all
}

/// What the model learns from some of the held-out sets.
fn sets(of: impl Iterator<Item = usize>) -> Vec<Message> {
    let mut chance = Chance(99);
    of.flat_map(|set| versions(held_out::SETS[set], &mut chance)).collect()
}

/// The messages of a set and of its harmless ones, in their versions.
fn versions((secrets, calm): (&str, &str), chance: &mut Chance) -> Vec<Message> {
    let secrets = secrets.lines().flat_map(|line| Message::marked(line).versions(VERSIONS, chance));
    let mut all: Vec<_> = secrets.collect();
    for line in calm.lines() {
        let message = Message::harmless(line.replace('⏎', "\n"));
        all.extend(vec![message; CALM_VERSIONS]);
    }
    all
}

/// What the model learns from authors who wrote for it.
fn authors() -> Vec<Message> {
    let mut chance = Chance(77);
    AUTHORS.iter().flat_map(|set| versions(*set, &mut chance)).collect()
}

/// e to the power of x, by operations that give the same result on every machine.
fn exp(x: f64) -> f64 {
    (0..10).fold(1.0 + x.clamp(-500.0, 500.0) / 1024.0, |power, _| power * power)
}

/// Logistic regression, with smaller steps for features that were often wrong.
fn learn(messages: &[Message]) -> Vec<i8> {
    let examples = messages.iter().map(|message| {
        let (tokens, all) = candidates(&message.text);
        let is_secret = |one: &Candidate| message.is_secret(&tokens[one.token].span);
        all.into_iter().map(|one| (f64::from(u8::from(is_secret(&one))), one.features)).collect()
    });
    let examples: Vec<Vec<_>> = examples.collect();
    let mut weights = vec![0.0_f64; WEIGHTS];
    let mut slopes = vec![1e-6_f64; WEIGHTS];
    let mut order: Vec<usize> = (0..examples.len()).collect();
    let mut chance = Chance(12345);
    for _ in 0..ROUNDS {
        for i in (1..order.len()).rev() {
            order.swap(i, chance.below(i + 1));
        }
        for (wanted, features) in order.iter().flat_map(|i| &examples[*i]) {
            let sum: f64 = features.iter().map(|place| weights[usize::from(*place)]).sum();
            let error = 1.0 / (1.0 + exp(-sum)) - wanted;
            if error.abs() < LEAST_ERROR {
                continue;
            }
            for place in features {
                let place = usize::from(*place);
                let slope = error + DECAY * weights[place];
                slopes[place] += slope * slope;
                weights[place] -= RATE * slope / slopes[place].sqrt();
            }
        }
    }
    let stored = |weight: f64| (weight * f64::from(UNITS)).round().clamp(-127.0, 127.0) as i8;
    weights.into_iter().map(stored).collect()
}

fn learned_from_all() -> Vec<u8> {
    let messages = [basics(), sets(0..held_out::SETS.len()), authors()].concat();
    learn(&messages).into_iter().map(i8::cast_unsigned).collect()
}

/// What some weights alone find in a text.
fn found(text: &str, weights: &[i8]) -> Vec<Range<usize>> {
    let (tokens, all): (Vec<Token>, _) = candidates(text);
    let sum = |one: &Candidate| -> i32 {
        one.features.iter().map(|place| i32::from(weights[usize::from(*place)])).sum()
    };
    let scored: Vec<_> = all.iter().map(|one| (one.token, sum(one) as f32 / UNITS)).collect();
    chosen(&tokens, &scored)
}

#[test]
fn the_weights_are_what_the_corpus_teaches() {
    let kept = include_bytes!("../../src/model/weights.bin");
    assert!(learned_from_all() == kept, "write the weights anew, as this file's first lines say");
}

#[test]
#[ignore = "writes a file of the repository"]
fn write_the_weights() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/model/weights.bin");
    std::fs::write(path, learned_from_all()).unwrap();
}

#[test]
fn the_model_changes_no_harmless_message_of_the_corpus() {
    let changed: Vec<_> = held_out::SETS
        .iter()
        .flat_map(|(_, calm)| held_out::changed(calm, held_out::in_message).1)
        .collect();
    let by_rules: usize = held_out::SETS
        .iter()
        .map(|(_, calm)| held_out::changed(calm, held_out::by_rules).1.len())
        .sum();
    assert!(changed.len() <= by_rules + 1, "{}", changed.join("\n"));
}

#[test]
fn only_what_people_write_is_read_by_the_model() {
    for text in
        ["le wifi du dépôt c'est bonsoir71", "Can you check whether Copper?Crow5 still opens it"]
    {
        assert_eq!(held_out::by_rules(text), [], "{text}");
        assert!(!held_out::in_message(text).is_empty(), "{text}");
    }
}

/// Each set is read with weights that were learned from the others, and without the rules.
#[test]
#[ignore = "learns once for each set"]
fn the_model_alone_finds_secrets_that_it_has_not_learned_from() {
    let basics = basics();
    let (mut secrets, mut missed, mut calm, mut changed) = (0, 0, 0, Vec::new());
    for (left_out, (set, harmless)) in held_out::SETS.iter().enumerate() {
        let others = sets((0..held_out::SETS.len()).filter(|set| *set != left_out));
        let weights = learn(&[basics.clone(), others].concat());
        for line in set.lines() {
            let Message { text, secrets: marked } = Message::marked(line);
            let found = found(&text, &weights);
            secrets += 1;
            missed += usize::from(marked.iter().any(|one| held_out::is_shown(&text, one, &found)));
        }
        for line in harmless.lines() {
            let text = line.replace('⏎', "\n");
            calm += 1;
            let found: Vec<_> = found(&text, &weights).into_iter().map(|at| &text[at]).collect();
            if !found.is_empty() {
                changed.push(format!("{line}: {found:?}"));
            }
        }
    }
    let (kept, spoiled) = (secrets - missed, changed.len());
    println!("{kept} of {secrets} messages; {spoiled} of {calm} harmless ones: {changed:#?}");
    assert!(100 * kept >= 45 * secrets, "{kept} of {secrets}");
    assert!(200 * spoiled <= calm, "{changed:#?}");
}
