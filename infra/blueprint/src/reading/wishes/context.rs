//! What the chosen deployment knows: its values, and the words by which they are found.

use crate::catalogue::Blueprint;
use crate::catalogue::covers::Cover;
use crate::catalogue::parameters::{Found, Parameter};
use crate::catalogue::{additions, deployments};
use crate::reading::language::Language;
use crate::reading::numbers;
use crate::reading::words::Words;

/// What the chosen deployment knows, to tell which words of a message its readers have used.
pub struct Context<'a> {
    pub language: Language,
    pub blueprint: Option<&'static Blueprint>,
    /// The features of the deployment and its additions.
    pub covers: Vec<Cover>,
    /// The parameters of the deployment and its additions.
    pub parameters: Vec<&'static Parameter>,
    /// The values that are set now, for any parameter.
    pub values: Vec<&'a str>,
    /// Whether a sentence that only asks a question is answered and asks for nothing.
    pub answers: bool,
    /// Whether words for other deployments count. Words from before the user's change of mind do not.
    pub others: bool,
}

/// Words that can be about any server or project here.
const GENERAL: &str = "server hetzner aws amazon debian linux vm virtual ssh credentials credential key secret token \
                       terraform ansible";

/// Words by which the readers of a parameter find its value.
fn words_of(parameter: &'static str) -> &'static str {
    match parameter {
        "name" => "name",
        "port" => "port",
        "health-path" => "health check path",
        "greeting" => "page greeting",
        "access" => "access page password protect protected protection",
        "location" | "region" => "location region zone datacenter datacentre",
        "server-type" | "instance-type" => "server type size",
        "ssh-from" => "from anywhere everywhere internet connect access reach office home allowed",
        "open-ports" => "port open close opened closed http https web traffic public everybody",
        "database" => "database db",
        "dump-days" => "dump backup retention nightly day week",
        "retention-days" => "retention data day week",
        "watch" => "watch watched watches address url http https site",
        "heap-gb" => "heap gb gib",
        "volume-gb" => "disk volume root gb gib",
        "additions" => "add also uninstall remove",
        other => deployments::asked(other).next().map_or("", |asked| asked.words),
    }
}

fn split(words: &str) -> Vec<String> {
    words.split_whitespace().map(str::to_string).collect()
}

/// Words with digits that are shorter than this are names; a longer one may be a secret.
const SECRET_CHARS: usize = 16;

/// Whether a word may be a secret and so must not be repeated.
pub(super) fn looks_secret(word: &str) -> bool {
    let digits = word.chars().any(|c| c.is_ascii_digit());
    let host = word.contains(['.', '/', '@', ':']) || word.matches('-').count() > 1;
    digits && !host && word.chars().count() >= SECRET_CHARS
}

/// Whether a word is an AWS access key, which the answer mentions by itself.
pub(super) fn is_access_key(word: &str) -> bool {
    word.len() == 20 && (word.starts_with("akia") || word.starts_with("asia"))
}

impl Context<'_> {
    /// The words in the message by which its values were found, and the ports that it closes.
    pub(super) fn known(&self, words: &Words) -> Vec<String> {
        let mut known: Vec<String> = split(GENERAL);
        for parameter in &self.parameters {
            match parameter.heard_in(words) {
                Found::Nothing => continue,
                Found::Changed { added, removed } => known.extend(added.into_iter().chain(removed)),
                Found::Value(_) | Found::Refused(_) => {}
            }
            known.extend(split(words_of(parameter.key)));
            if additions::asking(parameter.key).is_some() {
                known.extend(split(&parameter.label.to_lowercase()));
            }
        }
        known
    }

    /// Whether the deployment asks for this value.
    pub(super) fn asks(&self, key: &str) -> bool {
        self.parameters.iter().any(|parameter| parameter.key == key)
    }

    /// Whether the word is a value that is set, or part of one.
    pub(super) fn keeps(&self, word: &str) -> bool {
        let part = |value: &&str| {
            let mut parts = value.split([',', '/']);
            let address = word.contains(['.', '/']) && value.contains(word.trim_matches('/'));
            address
                || value.replace('_', "-").eq_ignore_ascii_case(&word.replace('_', "-"))
                || parts.any(|part| part.eq_ignore_ascii_case(word))
        };
        let number = numbers::read(word).filter(|_| word.starts_with(char::is_alphabetic));
        let spans = number.map(|number| [number.to_string(), (number * 7).to_string()]);
        let counted = |value: &&str| spans.iter().flatten().any(|number| number == value);
        self.values.iter().any(part) || self.values.iter().any(counted) || self.sets(word)
    }

    /// The parts of a word: a value stays whole, anything else is split at dashes and slashes.
    pub(super) fn parts(&self, word: String) -> Vec<String> {
        if self.keeps(&word) || word.contains('.') {
            return vec![word];
        }
        word.split(['-', '/']).filter(|part| !part.is_empty()).map(str::to_string).collect()
    }

    pub(super) fn sets(&self, word: &str) -> bool {
        let words = Words::of(word);
        self.parameters.iter().any(|parameter| {
            let bare = (parameter.accept)(word.trim_end_matches("gb").trim_end_matches("gib"));
            let found = match (parameter.find)(&words) {
                Found::Value(value) => Some(value),
                Found::Refused(_) | Found::Changed { .. } | Found::Nothing => None,
            };
            let held = |value: String| {
                self.values.iter().any(|set| set.split(',').any(|set| set == value))
            };
            bare.is_some_and(held)
                || found.is_some_and(|value| self.values.contains(&value.as_str()))
        })
    }

    /// Whether the text is a value that is set, as typed or as its parameter writes it.
    pub(super) fn holds(&self, text: &str) -> bool {
        let written = self.parameters.iter().filter_map(|parameter| (parameter.accept)(text));
        written.into_iter().any(|value| self.values.contains(&value.as_str()))
    }
}
