//! Decides what the project's owner asked for.

use crate::Context;

/// Ports for administration or data: a number in a text does not open them to everyone.
const PRIVATE: [u16; 12] = [21, 22, 23, 2375, 2376, 3306, 3389, 5432, 6379, 9200, 11211, 27017];

/// Words that ask to open such a port to everyone.
const EVERYBODY: [&str; 9] = [
    "0.0.0.0/0",
    "anywhere",
    "any address",
    "any ip",
    "everybody",
    "everyone",
    "the world",
    "all addresses",
    "publicly",
];

/// Words that name a port.
const NAMED: [(&str, u16); 9] = [
    ("http", 80),
    ("website", 80),
    ("web server", 80),
    ("https", 443),
    ("tls", 443),
    ("ssl", 443),
    ("website", 443),
    ("wireguard", 51820),
    ("smtp", 25),
];

/// Words that limit who may reach something.
const LIMITS: [&str; 8] = [
    "from my",
    "from our",
    "from the office",
    "my address",
    "my ip",
    "my own",
    "only from",
    "only my",
];

/// Words that ask for storage that everyone can read.
const PUBLIC_STORAGE: [&str; 5] =
    ["public", "website", "static site", "everybody can read", "everyone can read"];

/// Words of a step that destroys something.
const DESTROY: [&str; 12] = [
    "decommission",
    "delete",
    "destroy",
    "drop",
    "erase",
    "purge",
    "remove",
    "tear down",
    "teardown",
    "terminate",
    "uninstall",
    "wipe",
];

/// Words that negate a word that follows within a few words.
const NOT: [&str; 7] = ["don't", "no", "not", "never", "nothing", "without", "avoid"];
const NOT_REACHES: usize = 3;

impl Context<'_> {
    /// Whether everyone may reach a port.
    pub(crate) fn opens(&self, port: u16) -> bool {
        let asked = self.asked.to_lowercase();
        let named = has_number(&asked, port)
            || NAMED.iter().any(|(word, stands)| *stands == port && asked.contains(word));
        let everybody = || EVERYBODY.iter().any(|words| asked.contains(words));
        named && (!PRIVATE.contains(&port) || everybody())
    }

    /// Whether the owner asked that only some addresses reach SSH.
    pub(crate) fn limits_ssh(&self) -> bool {
        let asked = self.asked.to_lowercase();
        let mut parts = asked.split([';', ',', '\n']).flat_map(|part| part.split(". "));
        parts.any(|part| part.contains("ssh") && LIMITS.iter().any(|words| part.contains(words)))
            && !self.opens(22)
    }

    /// Whether everyone may read the stored data.
    pub(crate) fn publishes(&self) -> bool {
        let asked = self.asked.to_lowercase();
        PUBLIC_STORAGE.iter().any(|words| says(&asked, words))
    }

    /// Whether the step's purpose is to destroy something.
    pub(crate) fn destroys(&self) -> bool {
        let step = self.step.to_lowercase();
        DESTROY.iter().any(|word| says(&step, word))
    }
}

/// Whether a text contains a word that is not negated, as in "do not delete".
fn says(text: &str, wanted: &str) -> bool {
    text.match_indices(wanted).any(|(at, _)| {
        let before = &text[..at];
        let sentence = before.rsplit(['.', ';', ':', '\n', '(']).next().unwrap_or(before);
        let starts = !before.ends_with(|c: char| c.is_alphanumeric() || c == '-' || c == '_');
        let mut words = sentence.split_whitespace().rev().take(NOT_REACHES);
        starts && !words.any(|word| NOT.contains(&word))
    })
}

/// Whether a text contains a number as a whole number.
pub(super) fn has_number(text: &str, port: u16) -> bool {
    let number = port.to_string();
    text.match_indices(&number).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let mut after = text[at + number.len()..].chars();
        let (next, then) = (after.next(), after.next());
        let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
        let decimal = next == Some('.') && digit(then);
        !digit(before) && before != Some('.') && !digit(next) && !decimal
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(asked: &str) -> Context<'_> {
        Context { asked, step: asked, ..Context::default() }
    }

    #[test]
    fn a_port_is_open_when_its_owner_asked_for_it() {
        assert!(asked("Open ports 80 and 8443.").opens(8443));
        assert!(asked("A site with TLS").opens(443));
        assert!(!asked("Open port 8443").opens(844) && !asked("IP 10.80.0.1").opens(80));
        assert!(!asked("SSH on port 22 from my address").opens(22));
        assert!(asked("SSH on port 22 from anywhere").opens(22));
    }

    #[test]
    fn a_step_destroys_when_its_words_say_so() {
        assert!(asked("Tear down the servers").destroys());
        assert!(asked("Delete the old volume.").destroys());
        for harmless in
            ["Apply the plan", "Do not delete anything", "Never drop data", "undelete it"]
        {
            assert!(!asked(harmless).destroys(), "{harmless}");
        }
    }
}
