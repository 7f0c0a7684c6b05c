//! Unique passwords, tokens and keys.

use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};

const LOWER: &[u8] = b"abcdefghijkmnpqrstuvwxyz";
const UPPER: &[u8] = b"ABCDEFGHJKLMNPQRSTUVWXYZ";
const DIGITS: &[u8] = b"23456789";
const WORDS: [&str; 24] = [
    "dragon", "sommer", "winter", "falcon", "marble", "copper", "garden", "planet", "thunder",
    "silver", "pepper", "monkey", "orange", "rocket", "castle", "bridge", "forest", "violet",
    "hunter", "shadow", "tiger", "coffee", "summer", "banana",
];

/// Makes values.
pub struct Values(StdRng);

impl Values {
    pub fn of(seed: u64) -> Self {
        Self(StdRng::seed_from_u64(seed))
    }

    fn some(&mut self, from: &[u8], length: usize) -> String {
        (0..length).map(|_| char::from(*from.choose(&mut self.0).unwrap())).collect()
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of.choose(&mut self.0).unwrap()
    }

    /// A typical password: chosen by a person, with the required capital, digit and sign.
    pub fn password(&mut self) -> String {
        let word = self.one(&WORDS).to_owned();
        let capital = word[..1].to_uppercase() + &word[1..];
        match self.0.random_range(0..6) {
            0 => format!(
                "{}{}{}",
                leet(&capital),
                self.one(&["!", "#", "&", "?x", "%z", "+1"]),
                self.0.random_range(1..99)
            ),
            1 => format!("{}{}{}", self.some(UPPER, 2), self.some(LOWER, 4), self.some(DIGITS, 3)),
            2 => {
                format!("{}-{}{}!", self.some(LOWER, 4), self.some(UPPER, 3), self.some(DIGITS, 3))
            }
            3 => format!(
                "{}{}{}{}",
                self.some(DIGITS, 2),
                self.some(LOWER, 3),
                self.some(UPPER, 3),
                self.some(b"!#$%&*+=", 2)
            ),
            4 => {
                let mixed = [LOWER, UPPER, DIGITS].concat();
                format!(
                    "{}{}{}{}",
                    self.some(UPPER, 1),
                    self.some(DIGITS, 1),
                    self.some(&mixed, 10),
                    self.some(LOWER, 1)
                )
            }
            _ => format!("{}@{}{}", leet(&capital), self.some(UPPER, 2), self.some(DIGITS, 2)),
        }
    }

    /// A word and digits.
    pub fn simple(&mut self) -> String {
        let word = self.one(&WORDS);
        let digits = self.0.random_range(100..9999).to_string();
        if self.0.random() {
            format!("{word}{digits}")
        } else {
            format!("{}{}{digits}", word[..1].to_uppercase(), &word[1..])
        }
    }

    /// A word.
    pub fn word(&mut self) -> String {
        let (one, other) = (self.one(&WORDS), self.one(&WORDS));
        format!("{one}{other}")
    }

    /// A word, a sign and digits: `Falcon_77`.
    pub fn signed(&mut self) -> String {
        let word = self.one(&WORDS);
        let sign = self.one(&["_", "#", "_", "!"]);
        format!("{}{}{sign}{}", word[..1].to_uppercase(), &word[1..], self.0.random_range(11..999))
    }

    /// Four words.
    pub fn phrase(&mut self) -> String {
        [(); 4].map(|()| self.one(&WORDS).to_owned()).join(" ")
    }

    pub fn user(&mut self) -> &'static str {
        self.one(&["root", "admin", "deploy", "postgres", "ubuntu", "jane", "app", "backup"])
    }

    pub fn host(&mut self) -> String {
        match self.0.random_range(0..3) {
            0 => format!("10.0.{}.{}", self.0.random_range(0..255), self.0.random_range(1..255)),
            1 => format!("db-{:02}.example.com", self.0.random_range(1..99)),
            _ => format!("srv{}.internal.acme.io", self.0.random_range(1..40)),
        }
    }

    pub fn class(&mut self, class: char, length: usize) -> String {
        let of = match class {
            'h' => b"0123456789abcdef".to_vec(),
            'U' => [UPPER, b"234567"].concat(),
            'b' => [LOWER, UPPER, DIGITS, b"/+"].concat(),
            'd' => [LOWER, UPPER, DIGITS, b"-_"].concat(),
            'l' => [LOWER, DIGITS].concat(),
            'n' => b"123456789".to_vec(),
            _ => [LOWER, UPPER, DIGITS].concat(),
        };
        loop {
            let made = self.some(&of, length);
            let ends = made.starts_with(|c: char| c.is_ascii_alphanumeric())
                && made.ends_with(|c: char| c.is_ascii_alphanumeric());
            if ends && (class == 'n' || made.bytes().any(|b| b.is_ascii_digit())) {
                return made;
            }
        }
    }

    /// Fills each place in a template with a value; returns the text and the secrets in it.
    ///
    /// `{P}` and `{Q}` are passwords, `{W}` a simple one, `{S}` one that looks like a name of a file, `{L}` letters, `{F}` a
    /// passphrase of four words; `{x40}` is a random text of class `x`;
    /// `{user}` and `{host}` are not secrets. A text in `‹…›` is one secret.
    pub fn fill(&mut self, template: &str) -> (String, Vec<String>) {
        let (mut text, mut secrets, mut whole) = (String::new(), Vec::new(), None);
        let mut rest = template;
        while let Some(at) = rest.find(['{', '‹', '›']) {
            text.push_str(&rest[..at]);
            let mark = rest[at..].chars().next().unwrap();
            rest = &rest[at + mark.len_utf8()..];
            match mark {
                '‹' => whole = Some(text.len()),
                '›' => secrets.push(text[whole.take().unwrap()..].to_owned()),
                _ => {
                    let Some(end) = rest.find('}') else {
                        text.push('{');
                        continue;
                    };
                    let name = &rest[..end];
                    let (value, secret) = match name {
                        "P" | "Q" => (self.password(), true),
                        "W" => (self.simple(), true),
                        "L" => (self.word(), true),
                        "F" => (self.phrase(), true),
                        "S" => (self.signed(), true),
                        "user" => (self.user().to_owned(), false),
                        "host" => (self.host(), false),
                        _ if name.len() > 1
                            && name[1..].bytes().all(|b| b.is_ascii_digit())
                            && name.is_ascii() =>
                        {
                            let class = name.chars().next().unwrap();
                            (self.class(class, name[1..].parse().unwrap()), true)
                        }
                        _ => {
                            text.push('{');
                            continue;
                        }
                    };
                    if secret && whole.is_none() {
                        secrets.push(value.clone());
                    }
                    text.push_str(&value);
                    rest = &rest[end + 1..];
                }
            }
        }
        text.push_str(rest);
        (text, secrets)
    }
}

fn leet(word: &str) -> String {
    word.replace('o', "0").replace('e', "3").replace('a', "4")
}
