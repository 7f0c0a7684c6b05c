//! What the readers of the chosen deployment understand: its values, and the words by which they find them.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::catalogue::covers::Cover;
use crate::catalogue::parameters::{Found, Parameter, kinds};
use crate::catalogue::spans;
use crate::catalogue::{self, Blueprint, additions, deployments, networks, places, sizes};
use crate::reading::wishes::open::same;
use crate::words::Words;
use crate::words::numbers;

/// Tells which words of a message the readers of the chosen deployment have used.
pub struct Context<'a> {
    pub blueprint: Option<&'static Blueprint>,
    /// The features of the deployment and its additions.
    pub covers: Vec<Cover>,
    /// The parameters of the deployment and its additions.
    pub parameters: Vec<&'static Parameter>,
    /// The values that are set now, by the keys of their parameters.
    pub values: &'a BTreeMap<&'static str, String>,
    /// Values that the user asked for and that differ from the chosen ones, as a row says.
    pub wanted: Vec<&'a str>,
    /// The values that the latest message replaced.
    pub former: Vec<&'a str>,
    /// The keys of the values that the latest message changed.
    pub changed: Vec<&'static str>,
    /// Whether the reply answers questions, so that a sentence that only asks one contains no wish.
    pub answers: bool,
    /// The deployments that the chosen one replaced, if the message is from before that: their names ask for nothing.
    pub replaced: Vec<&'static Blueprint>,
}

/// Words that occur in requests for any server or project.
const GENERAL: &str = "server hetzner aws amazon debian linux vm virtual ssh credentials credential key secret token \
                       terraform ansible";

/// Keys of the parameters whose values are spans of time.
pub const DAYS: &[&str] = &["dump-days", "retention-days"];

/// Whether a word is an address, with or without its scheme: `www.example.com` and `https://www.example.com/`.
fn is_address(word: &str, address: &str) -> bool {
    let bare = |text: &str| {
        text.split_once("://").map_or(text, |(_, rest)| rest).trim_matches('/').to_lowercase()
    };
    // A colon ends a word, so “http://example.com:8080” is two words.
    let begins = word.contains("://") && address.starts_with(&format!("{word}:"));
    word.contains(['.', '/']) && (begins || bare(word) == bare(address))
}

/// Words by which the readers of a parameter find its value.
fn words_of(parameter: &'static str) -> &'static str {
    match parameter {
        "name" => "name hostname",
        "port" => "port",
        "health-path" => "health check path",
        "greeting" => "page greeting",
        "access" => "access page password protect protected protection basic auth authentication",
        "location" | "region" => "location region zone datacenter datacentre",
        "server-type" | "instance-type" => "server type size",
        "ssh-from" => {
            "from anywhere everywhere internet connect access reach office home allowed log"
        }
        "open-ports" => {
            "port open close opened closed reopen http https web traffic public everybody reachable \
             accessible internet outside world"
        }
        "database" => "database db",
        "dump-days" => "dump backup retention nightly max maximum máximo",
        "retention-days" => {
            "retention data max maximum máximo delete deleted purge löschen gelöscht borrar purga"
        }
        "watch" => "watch watched watches watching address url http https site",
        "redis-memory-mb" => "maxmemory max maximum memory",
        "heap-gb" => "heap gb gib",
        "volume-gb" => "disk volume root gb gib",
        "additions" => "add also uninstall remove",
        other => deployments::asked(other).next().map_or("", |asked| asked.words),
    }
}

/// A word that counts as explained, in some or all sentences.
pub(super) struct Known {
    word: String,
    /// The sentences in which it counts as explained, as positions of values; `None` for all.
    sentences: Option<Vec<Range<usize>>>,
}

impl Known {
    fn everywhere(word: &str) -> Known {
        Known { word: word.into(), sentences: None }
    }

    /// Whether it explains a word at this position.
    pub(super) fn explains(&self, word: &str, at: usize) -> bool {
        let here =
            |sentences: &Vec<Range<usize>>| sentences.iter().any(|range| range.contains(&at));
        same(word, &self.word) && self.sentences.as_ref().is_none_or(here)
    }
}

/// Words and signs for money after a number.
const MONEY: &[&str] =
    &["€", "euro", "euros", "eur", "$", "dollars", "usd", "pounds", "£", "francs", "pesos"];

/// Shorter words with digits are names; words of at least this length may be secrets.
const SECRET_CHARS: usize = 16;

/// Whether a word may be a secret and so must not be repeated.
pub fn looks_secret(word: &str) -> bool {
    let digits = word.chars().any(|c| c.is_ascii_digit());
    let host = word.contains(['.', '/', '@', ':']) || word.matches('-').count() > 1;
    digits && !host && word.chars().count() >= SECRET_CHARS
}

/// Whether a word is an AWS access key, which the reply handles separately.
pub(super) fn is_access_key(word: &str) -> bool {
    word.len() == 20 && (word.starts_with("akia") || word.starts_with("asia"))
}

/// The sentences in which a parameter finds its value; `None` if it finds the value only in several sentences together.
fn found_in(parameter: &Parameter, words: &Words) -> Option<Vec<Range<usize>>> {
    let found = |range: &Range<usize>| {
        let sentence = Words::of(&words.clauses_in(range.clone()));
        (parameter.find)(&sentence) != Found::Nothing
    };
    let sentences: Vec<Range<usize>> = words.sentences().into_iter().filter(found).collect();
    (!sentences.is_empty()).then_some(sentences)
}

impl Context<'_> {
    /// The words in the message by which the deployment's readers found its values.
    pub(super) fn known(&self, words: &Words) -> Vec<Known> {
        let mut known: Vec<Known> = GENERAL.split_whitespace().map(Known::everywhere).collect();
        if self.asks("database") {
            known.extend(["database", "db"].map(Known::everywhere));
        }
        if self.changed.contains(&"redis-memory-mb") {
            known.push(Known::everywhere("maxmemory"));
        }
        for parameter in &self.parameters {
            match parameter.found_in(words) {
                Found::Nothing => continue,
                Found::Changed { added, .. } => {
                    known.extend(added.iter().map(|value| Known::everywhere(value)));
                }
                Found::Value(_) | Found::Nearest { .. } | Found::Refused(_) => {}
            }
            let sentences = found_in(parameter, words);
            let label = parameter.label.to_lowercase();
            let label =
                if additions::asking(parameter.key).is_some() { label.as_str() } else { "" };
            let near = words_of(parameter.key).split_whitespace().chain(label.split_whitespace());
            known
                .extend(near.map(|word| Known { word: word.into(), sentences: sentences.clone() }));
        }
        known
    }

    fn values(&self) -> impl Iterator<Item = &str> {
        // The domain of a deployment that was replaced is lost.
        let own = self.values.iter();
        let own = own.filter(|(key, value)| self.asks(key) || !value.contains('.'));
        own.map(|(_, value)| value.as_str()).chain(self.wanted.iter().copied())
    }

    /// Whether a parameter has this value.
    pub(super) fn has_value(&self, value: &str) -> bool {
        self.values().any(|set| set == value)
    }

    /// Positions of the values that give a span of time that the plan keeps something for, or its nearest span.
    pub(super) fn spans(&self, words: &Words) -> Vec<usize> {
        let all = spans::all(words);
        let taken = self.parameters.iter().filter_map(|parameter| {
            let set =
                self.values.get(parameter.key).filter(|_| self.changed.contains(&parameter.key));
            let (value, days) = match parameter.found_in(words) {
                // What the user says beside a quotation counts.
                Found::Value(_) if let Some(set) = set => (set.clone(), set.clone()),
                Found::Value(value) => (value.clone(), value),
                Found::Nearest { value, asked, .. } => (value, asked),
                _ => return None,
            };
            let said = |span: &&spans::Span| {
                span.days.to_string() == days || words.said_in(span.values.clone()) == days
            };
            let kept = DAYS.contains(&parameter.key)
                && self.values.get(parameter.key).is_some_and(|set| *set == value);
            // “Debug logs 3 days, error logs 90 days”
            let from = |first: &spans::Span| words.clause(first.values.start).start;
            let several = all.iter().flat_map(|first| {
                all.iter().map(move |last| from(first)..last.values.end.max(from(first)))
            });
            let mut several = several.filter(|range| words.said_in(range.clone()) == days);
            let own = all.iter().find(said).map(|span| span.values.clone());
            own.or_else(|| several.next()).filter(|_| kept)
        });
        taken.flatten().collect()
    }

    /// Positions of the words by which the message deletes what the plan keeps for a time: “delete … after 14 days”.
    pub(super) fn deletions(&self, words: &Words) -> BTreeSet<usize> {
        let spans = self.spans(words).into_iter();
        spans.flat_map(|at| spans::deletions(words, &(at..at + 1))).collect()
    }

    /// Positions of the values that count the servers of a cluster by their roles, if the plan has as many or says so.
    pub(super) fn roles(&self, words: &Words) -> Vec<usize> {
        let planned = self.values.get("servers").and_then(|count| count.parse::<u32>().ok());
        let counted = kinds::counted_by_roles(words).filter(|_| self.asks("servers"));
        let counted = counted.filter(|(_, count)| planned == Some((*count).clamp(1, 3)));
        counted.map(|(place, _)| place.collect()).unwrap_or_default()
    }

    /// What the planned server has.
    fn capacity(&self) -> Option<sizes::Capacity> {
        let server = self.parameters.iter().find(|parameter| parameter.key == "server-type")?;
        sizes::of(self.values.get(server.key).map_or(server.default, String::as_str))
    }

    /// Whether the planned server has a memory or a disk of this size: “4 gb”.
    pub(super) fn server_has(&self, size: &str) -> bool {
        let number = size.trim_end_matches("gb").trim_end().parse().ok();
        let number = number.filter(|_| size.ends_with("gb"));
        let kinds = [sizes::Kind::Memory, sizes::Kind::Disk];
        let has = |server: sizes::Capacity| {
            number.is_some_and(|number: u32| kinds.iter().any(|kind| server.has(*kind) == number))
        };
        self.capacity().is_some_and(has)
    }

    /// Positions of the values that give a size which the server has.
    pub(super) fn sizes_of_the_server(&self, words: &Words) -> Vec<Range<usize>> {
        let place = |at: usize| at..at + 1;
        let Some(capacity) = self.capacity() else { return Vec::new() };
        let asked = sizes::asked(words);
        let told = if asked.is_empty() { Vec::new() } else { sizes::told(words) };
        let enough = asked.into_iter().filter(|size| capacity.has(size.kind) >= size.number);
        let enough =
            enough.flat_map(|size| size.former.into_iter().map(place).chain([size.values]));
        enough.chain(told.into_iter().map(place)).collect()
    }

    /// Whether a clause says how long the plan keeps something, in its only words about that: “keep data 60 days”.
    pub(super) fn keeps_for_days(&self, words: &Words, at: usize) -> bool {
        let clause = words.clause(at);
        self.spans(words).iter().any(|span| clause.contains(span))
    }

    /// The ports that are open to everyone.
    pub(super) fn open_ports(&self) -> impl Iterator<Item = &str> {
        let open = self.parameters.iter().find(|parameter| parameter.key == "open-ports");
        let open =
            open.map_or("", |open| self.values.get(open.key).map_or(open.default, String::as_str));
        catalogue::listed_ports(open)
    }

    /// Whether the message names a port that is open to everyone.
    pub(super) fn keeps_a_port_open(&self, words: &Words) -> bool {
        let values: Vec<&str> = words.values().collect();
        // “80 € a year”
        let paid = |at: usize| values.get(at + 1).is_some_and(|next| MONEY.contains(next));
        let named = |at: usize| self.open_ports().any(|port| port == values[at]);
        (0..values.len()).any(|at| named(at) && !paid(at))
    }

    /// Positions of the values that name the place where the deployment is built.
    pub(super) fn place(&self, words: &Words) -> Vec<usize> {
        let places = self.blueprint.map(|blueprint| places::of(blueprint.place));
        let code = ["location", "region"].iter().find_map(|key| self.values.get(key));
        match (places, code) {
            (Some(places), Some(code)) => places::named(words, places, code),
            _ => Vec::new(),
        }
    }

    /// The provider's code of the place where the deployment is built.
    pub(super) fn place_code(&self) -> Option<&str> {
        let mut placed = self.parameters.iter().filter(|p| ["location", "region"].contains(&p.key));
        placed.next().map(|place| self.values.get(place.key).map_or(place.default, String::as_str))
    }

    /// Positions of values that name the place or the network of something else.
    pub(super) fn elsewhere(&self, words: &Words) -> BTreeSet<usize> {
        let own = self.blueprint.map(|blueprint| places::of(blueprint.place));
        let mut elsewhere = own.map(|own| places::elsewhere(words, own)).unwrap_or_default();
        if self.asks("ssh-from") {
            let let_in = self.values.get("ssh-from").map_or("", String::as_str);
            let known = [vec![let_in], self.former.clone()].concat().join(",");
            elsewhere.extend(networks::not_by_ssh(words, &known));
        }
        // “The mail says: a cx22, and cpx31 for the others”: one of them is not built.
        let kinds = self.parameters.iter().find(|parameter| parameter.key == "server-type");
        let other = |value: &str| {
            let kind = kinds.and_then(|kinds| (kinds.accept)(value));
            kind.is_some_and(|kind| !self.has_value(&kind))
        };
        let quoted = words.values().enumerate().filter(|(at, _)| words.is_quoted(*at));
        let others = quoted.filter(|(at, value)| other(value) && words.means_value(*at));
        elsewhere.extend(others.map(|(at, _)| at));
        elsewhere
    }

    /// The addresses that the message shuts out and that are not let in.
    pub(super) fn shut_out(&self, words: &Words) -> Vec<String> {
        let let_in = self.values.get("ssh-from").filter(|_| self.asks("ssh-from"));
        let Some(let_in) = let_in else { return Vec::new() };
        let values: Vec<&str> = words.values().collect();
        let out = networks::ruled_out(words).into_iter().filter_map(|at| values.get(at));
        let out = out.filter(|address| !networks::lets_in(let_in, address));
        out.map(|address| address.to_string()).collect()
    }

    /// Whether the deployment has a parameter with this key.
    pub(super) fn asks(&self, key: &str) -> bool {
        self.parameters.iter().any(|parameter| parameter.key == key)
    }

    /// The key of the question about the number of servers, if the deployment can have several.
    pub(super) fn counted(&self) -> Option<&'static str> {
        ["servers", "app-servers"].into_iter().find(|key| self.asks(key))
    }

    /// Whether the word is one of the current values, or part of one.
    pub(super) fn keeps(&self, word: &str) -> bool {
        let part = |value: &&str| {
            let mut parts = value.split([',', '/']);
            let mut addresses = value.split(',');
            addresses.any(|address| is_address(word, address))
                || value.replace('_', "-").eq_ignore_ascii_case(&word.replace('_', "-"))
                || parts.any(|part| part.eq_ignore_ascii_case(word))
                || !word.is_ascii() && kinds::domains::accept_domain(word).as_deref() == Some(value)
        };
        let number = numbers::read(word).filter(|_| word.starts_with(char::is_alphabetic));
        let number = number.map(|number| number.to_string());
        let counted = |value: &&str| number.as_deref() == Some(*value);
        self.values().any(|value| part(&value) || counted(&value)) || self.sets(word)
    }

    /// Whether the latest message replaced the value: “203.0.113.50 is 203.0.113.51 now”.
    pub(super) fn replaced(&self, word: &str) -> bool {
        let listed = |value: &&str| value.bytes().all(|byte| byte.is_ascii_digit() || byte == b',');
        let former = self.former.iter().filter(|value| !listed(value));
        former.flat_map(|value| value.split(',')).any(|part| {
            let part = part.strip_suffix("/32").unwrap_or(part);
            is_address(word, part) || part.eq_ignore_ascii_case(word)
        })
    }

    /// The parts of a word: a current value stays whole, and anything else is split at hyphens and slashes.
    pub(super) fn parts(&self, word: String) -> Vec<String> {
        let parts: Vec<&str> = word.split(['-', '/']).filter(|part| !part.is_empty()).collect();
        // “http/2” and “europe-west1” stay whole.
        let numbered = parts.len() > 1 && parts.iter().any(|part| part.parse::<u32>().is_ok());
        // A path such as “/ready” is not the word “ready”.
        let path = word.starts_with('/') && parts.len() == 1;
        if self.keeps(&word) || word.contains('.') || numbered || path {
            return vec![word];
        }
        parts.into_iter().map(str::to_string).collect()
    }

    pub(super) fn sets(&self, word: &str) -> bool {
        let words = Words::of(word);
        self.parameters.iter().any(|parameter| {
            let bare = (parameter.accept)(word.trim_end_matches("gb").trim_end_matches("gib"));
            let found = match (parameter.find)(&words) {
                Found::Value(value) => Some(value),
                Found::Nearest { .. }
                | Found::Refused(_)
                | Found::Changed { .. }
                | Found::Nothing => None,
            };
            let held =
                |value: String| self.values().any(|set| set.split(',').any(|set| set == value));
            bare.is_some_and(held) || found.is_some_and(|value| self.has_value(&value))
        })
    }

    /// Whether the text is one of the current values, as typed or as its parameter writes it.
    pub(super) fn holds(&self, text: &str) -> bool {
        let written = self.parameters.iter().filter_map(|parameter| (parameter.accept)(text));
        written.into_iter().any(|value| self.has_value(&value))
    }
}
