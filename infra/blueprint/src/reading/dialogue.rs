//! What the user wants, from all that the user said.
//!
//! The whole conversation is heard again for each answer, message by message, so that a change of
//! mind is simply the later word, and nothing needs to be remembered between requests.

use std::collections::BTreeMap;

use super::words::Words;
use crate::catalogue::parameters::{Found, Parameter};
use crate::catalogue::{self, Blueprint, STRONG};
use crate::choice::Choice;

/// The user's wishes so far.
#[derive(Default)]
pub struct Dialogue {
    pub blueprint: Option<&'static Blueprint>,
    values: BTreeMap<&'static str, String>,
    confirmed: bool,
    /// The user asked to wait, and has not said to go on since.
    held: bool,
    /// What the latest message brought.
    pub heard: Heard,
}

/// What one message brought.
#[derive(Default)]
pub struct Heard {
    /// A deployment was chosen, or another than before.
    pub chosen: bool,
    pub changed: Vec<(&'static Parameter, String)>,
    /// Reasons why something asked for cannot be had.
    pub refused: Vec<String>,
    pub confirmed: bool,
    pub withdrawn: bool,
    pub question: bool,
    pub greeting: bool,
    /// Something that looks like a credential was typed.
    pub secret: bool,
}

/// Heading of the questions that a requirements document still has.
pub const STILL_OPEN: &str = "## Still open";

/// A number chooses from the catalogue only in a message this short: “the first one, with defaults”.
const ORDINAL_WORDS: usize = 6;

/// Words that settle everything, wherever they stand.
const GO_AHEAD: &[&str] = &[
    "default",
    "go ahead",
    "you choose",
    "you decide",
    "whatever",
    "up to you",
    "your choice",
    "do it",
    "proceed",
];
/// The same within a question: “can you use the defaults?”, but not “what are the defaults?”.
const DEFAULTS: &[&str] =
    &["use the default", "use default", "with the default", "with default", "take the default"];
/// Words that settle it in answer to a question.
const AGREED: &[&str] = &[
    "yes",
    "yep",
    "yeah",
    "sure",
    "ok",
    "okay",
    "fine",
    "good",
    "great",
    "perfect",
    "lgtm",
    "confirm",
    "confirmed",
    "continue",
    "ready",
    "that's all",
    "thats all",
    "agreed",
    "correct",
];
const WAIT: &[&str] = &["wait", "hold on", "not yet", "not ready", "stop"];
const GREETINGS: &[&str] =
    &["hi", "hello", "hey", "good morning", "good evening", "good afternoon"];

impl Dialogue {
    /// Hears every message in order.
    pub fn replay(mut self, messages: &[String]) -> Dialogue {
        for message in messages {
            self.hear(message);
        }
        self
    }

    /// Starts from a choice that was made before.
    pub fn continuing(choice: &Choice) -> Dialogue {
        Dialogue {
            blueprint: Some(choice.blueprint),
            values: choice.values().clone(),
            confirmed: true,
            held: false,
            heard: Heard::default(),
        }
    }

    /// Starts from requirements written before, for a conversation whose beginning is not shown.
    pub fn resuming(requirements: &str) -> Dialogue {
        let Some(choice) = Choice::from_document(requirements) else { return Dialogue::default() };
        let mut dialogue = Dialogue::continuing(&choice);
        let open = requirements.split_once(STILL_OPEN).map_or("", |(_, open)| open);
        for parameter in choice.blueprint.parameters {
            if open.contains(&format!("- {}:", parameter.label)) {
                dialogue.values.remove(parameter.key);
            }
        }
        dialogue.confirmed = open.is_empty();
        dialogue
    }

    /// Hears one more message.
    pub fn hear(&mut self, message: &str) {
        let words = Words::of(message);
        let known_before = self.blueprint.is_some();
        self.heard = Heard {
            question: words.is_question(),
            greeting: words.means_any(GREETINGS),
            secret: looks_like_a_secret(message),
            ..Heard::default()
        };
        self.hear_deployment(&words);
        self.hear_values(&words);
        self.hear_agreement(&words, known_before);
    }

    /// The choice so far, with defaults where nothing was said.
    pub fn choice(&self) -> Option<Choice> {
        self.blueprint.map(|blueprint| Choice::new(blueprint, &self.values))
    }

    /// What is asked for and was not answered.
    pub fn missing(&self) -> Vec<&'static Parameter> {
        let Some(blueprint) = self.blueprint else { return Vec::new() };
        let open =
            |parameter: &&Parameter| parameter.asked && !self.values.contains_key(parameter.key);
        blueprint.parameters.iter().filter(open).collect()
    }

    /// Whether everything is known, or the user is content with the defaults.
    pub fn ready(&self) -> bool {
        self.blueprint.is_some() && !self.held && (self.confirmed || self.missing().is_empty())
    }

    fn hear_deployment(&mut self, words: &Words) {
        let named = catalogue::recognise(words).or_else(|| self.by_number(words));
        let Some((blueprint, score)) = named else { return };
        match self.blueprint {
            Some(current) if current.id == blueprint.id => {}
            // Leaving a deployment takes a clear word for another: many words fit several.
            Some(current) if blueprint.clear_score(words) <= current.clear_score(words) => {}
            // “Which services do you offer?” chooses nothing.
            None if score < STRONG && words.means_any(&["offer", "which", "what", "how"]) => {}
            _ => {
                self.heard.chosen = true;
                self.blueprint = Some(blueprint);
                self.confirmed = false;
            }
        }
    }

    /// “2” or “the second one” in answer to the numbered catalogue.
    fn by_number(&self, words: &Words) -> Option<(&'static Blueprint, usize)> {
        const ORDINALS: &[&[&str]] = &[
            &["1", "first"],
            &["2", "second"],
            &["3", "third"],
            &["4", "fourth"],
            &["5", "fifth"],
            &["6", "sixth"],
            &["7", "seventh"],
        ];
        if self.blueprint.is_some() || words.count() > ORDINAL_WORDS {
            return None;
        }
        let said = |ordinal: &&str| {
            let mut words = words.text().split_whitespace();
            words.any(|word| {
                word.trim_matches(['.', ',', '!', '#', ')']).eq_ignore_ascii_case(ordinal)
            })
        };
        let number = ORDINALS.iter().position(|ordinal| ordinal.iter().any(said))?;
        catalogue::ALL.get(number).map(|blueprint| (*blueprint, STRONG))
    }

    fn hear_values(&mut self, words: &Words) {
        let Some(blueprint) = self.blueprint else { return };
        for parameter in blueprint.parameters {
            match (parameter.find)(words) {
                Found::Value(value) => self.set(parameter, value),
                Found::Refused(reason) => self.heard.refused.push(reason),
                Found::Nothing => {}
            }
        }
        if self.heard.changed.is_empty() && self.heard.refused.is_empty() {
            self.hear_bare_answer(words);
        }
    }

    /// One word in answer to a question: the strictest reader that takes it has it, a name last.
    fn hear_bare_answer(&mut self, words: &Words) {
        let settled = words.means_any(GO_AHEAD)
            || words.means_any(AGREED)
            || words.means_any(GREETINGS)
            || words.means_any(WAIT)
            || words.means_any(&["no", "nope", "thanks", "help", "cancel"]);
        if words.count() != 1 || self.heard.chosen || settled {
            return;
        }
        if self.heard.question || self.heard.secret {
            return;
        }
        let Some(word) = words.values().next() else { return };
        let taken = self
            .missing()
            .into_iter()
            .rev()
            .find_map(|parameter| (parameter.accept)(word).map(|value| (parameter, value)));
        if let Some((parameter, value)) = taken {
            self.set(parameter, value);
        }
    }

    fn set(&mut self, parameter: &'static Parameter, value: String) {
        let known = self.values.get(parameter.key);
        if known != Some(&value) {
            self.heard.changed.push((parameter, value.clone()));
            self.values.insert(parameter.key, value);
        }
    }

    fn hear_agreement(&mut self, words: &Words, known_before: bool) {
        if self.heard.changed.is_empty() && !self.heard.question && words.means_any(WAIT) {
            self.heard.withdrawn = true;
            self.held = true;
            return;
        }
        let agreed = match self.heard.question {
            true => words.means_any(DEFAULTS),
            false => words.means_any(GO_AHEAD) || (known_before && words.means_any(AGREED)),
        };
        let refused = !self.heard.refused.is_empty();
        if self.blueprint.is_some() && !refused && agreed {
            self.heard.confirmed = true;
            self.confirmed = true;
            self.held = false;
        }
    }
}

/// AWS access keys, private keys, and what the product puts in their place before we see them.
fn looks_like_a_secret(message: &str) -> bool {
    let access_key = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
        word.len() == 20 && (word.starts_with("AKIA") || word.starts_with("ASIA"))
    };
    message.contains("{{secret:")
        || message.contains("PRIVATE KEY-----")
        || message.split(|c: char| c.is_whitespace() || c == '=').any(access_key)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(messages: &[&str]) -> Dialogue {
        let messages: Vec<String> = messages.iter().map(|message| message.to_string()).collect();
        Dialogue::default().replay(&messages)
    }

    fn line(dialogue: &Dialogue) -> String {
        dialogue.choice().map(|choice| choice.line()).unwrap_or_default()
    }

    #[test]
    fn everything_in_one_message() {
        let dialogue = after(&[
            "A small web service with a health check inside the sandbox itself, use the defaults",
        ]);
        assert!(dialogue.ready());
        assert!(
            line(&dialogue)
                .starts_with("Blueprint: local-web-service · name hello-service · port 8080")
        );
    }

    #[test]
    fn answers_one_by_one() {
        let mut dialogue = after(&["I need a web service", "orders"]);
        assert!(!dialogue.ready());
        dialogue.hear("9090");
        assert!(dialogue.ready());
        assert!(line(&dialogue).contains("name orders · port 9090"));
    }

    #[test]
    fn the_later_word_counts() {
        let dialogue =
            after(&["web service, use the defaults", "make it port 9090", "no, port 9191"]);
        assert!(dialogue.ready() && line(&dialogue).contains("port 9191"));
        let dialogue = after(&["web service, defaults", "Actually I want an EC2 server instead"]);
        assert!(line(&dialogue).starts_with("Blueprint: ec2-ssh") && !dialogue.ready());
        let dialogue = after(&["EC2 please", "not EC2, the web service"]);
        assert!(line(&dialogue).starts_with("Blueprint: local-web-service"));
    }

    #[test]
    fn a_hint_does_not_leave_a_deployment() {
        let dialogue = after(&[
            "An EC2 server in Frankfurt",
            "allow SSH from the sandbox and make it a web page server",
        ]);
        assert!(line(&dialogue).starts_with("Blueprint: ec2-ssh"));
    }

    #[test]
    fn a_question_does_not_agree() {
        let dialogue = after(&["a web service", "sounds great, but what does it cost?"]);
        assert!(!dialogue.ready());
        for message in ["don't use the defaults", "what are the defaults?", "how do I stop it?"] {
            assert!(!after(&["a web service", message]).ready(), "{message}");
        }
        assert!(after(&["a web service", "can you just use the defaults?"]).ready());
        assert!(after(&["a web service, use the defaults", "how do I stop it?"]).ready());
        assert!(after(&["which services do you offer?"]).blueprint.is_none());
        assert!(after(&["can you build me a website?"]).blueprint.is_some());
    }

    #[test]
    fn asking_to_wait_holds_it_back() {
        let dialogue = after(&["a web service with the defaults", "wait, not yet"]);
        assert!(!dialogue.ready());
        assert!(after(&["a web service with the defaults", "hold on", "ok, go ahead"]).ready());
    }

    #[test]
    fn every_deployment_is_known_by_its_name() {
        for (wish, id) in [
            ("a basic VPS", "basic-vps"),
            ("a VPS with MySQL please", "vps-mysql"),
            ("postgres please", "vps-postgresql"),
            ("an ELK stack on a VPS", "elk"),
            ("Prometheus and Grafana", "monitoring-stack"),
            ("an EC2 server with SSH", "ec2-ssh"),
        ] {
            assert_eq!(after(&[wish]).blueprint.map(|found| found.id), Some(id), "{wish}");
        }
        let dialogue = after(&["a VPS", "actually a VPS with MySQL"]);
        assert_eq!(dialogue.blueprint.map(|found| found.id), Some("vps-mysql"));
    }

    #[test]
    fn secrets_are_noticed() {
        assert!(after(&["my key is AKIAIOSFODNN7EXAMPLE"]).heard.secret);
        assert!(after(&["key {{secret:AWS_ACCESS_KEY_ID}}"]).heard.secret);
        assert!(!after(&["hello"]).heard.secret);
    }
}
