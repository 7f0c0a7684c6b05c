//! Splits a message into words, and remembers the user's own word for each translated one.

use super::named::people;
use super::{BREAK, Words};
use crate::words::language::{Language, Weight};

/// A part of a message: the user's words, and the same in English.
#[derive(Debug, Clone, PartialEq)]
pub struct Piece {
    pub said: String,
    pub english: String,
    /// The language of the user's words.
    pub language: Language,
}

/// Information about a value in addition to its text.
#[derive(Clone)]
pub(super) struct Token {
    /// The user's words, if they were translated: all values of one phrase have the same words here.
    said: Option<String>,
    /// Index of the message's part that it comes from.
    piece: usize,
    language: Language,
    /// Index of its sentence.
    pub(super) sentence: usize,
    /// Whether a clause ends after it.
    pub(super) ends: bool,
    /// Whether it is inside a quotation.
    pub(super) quoted: bool,
    /// How many quotations begin before it, its own included.
    quotation: usize,
    /// Whether a semicolon follows.
    pub(super) pauses: bool,
    /// Whether its sentence ends with a question mark; set only for the last value of a sentence.
    pub(super) asks: bool,
}

impl Words {
    pub fn of(text: &str) -> Words {
        let language = Language::English;
        Words::translated(&[Piece { said: text.into(), english: text.into(), language }])
    }

    /// The words of a message that was translated part by part.
    pub fn translated(pieces: &[Piece]) -> Words {
        let mut words = Words {
            text: String::new(),
            values: Vec::new(),
            tokens: Vec::new(),
            plain: Vec::new(),
            origins: Vec::new(),
        };
        let mut at = At::default();
        for (index, piece) in pieces.iter().enumerate() {
            // What a quotation says stays in the user's language.
            let before = at.quoted;
            words.add(index, piece, &mut at);
            words.text.push_str(if before && at.quoted { &piece.said } else { &piece.english });
        }
        let said: String = pieces.iter().map(|piece| piece.said.as_str()).collect();
        words.forget_names(&people(&said));
        words
    }

    /// The message without its quotations; `None` if it has none, or nothing else.
    pub fn outside_quotations(&self) -> Option<Words> {
        let quoted = (0..self.tokens.len()).filter(|at| self.tokens[*at].quoted);
        let quoted: std::collections::BTreeSet<usize> = quoted.collect();
        let some = !quoted.is_empty() && quoted.len() < self.values.len();
        some.then(|| self.clone().without(&quoted))
    }

    fn add(&mut self, piece: usize, added: &Piece, at: &mut At) {
        let said = (added.said != added.english).then(|| bare(&added.said));
        let At { sentence, quoted, quotations } = at;
        // A translated phrase is inside a quotation as a whole.
        let phrase = said.is_some().then(|| {
            let passages = passages(&added.said, quoted);
            let inside = passages.iter().any(|(text, inside)| *inside && !text.is_empty());
            *quotations += passages.iter().skip(1).filter(|(_, inside)| *inside).count();
            inside
        });
        let lower = added.english.to_lowercase().replace('’', "'");
        let lower = lower.replace(['(', ')', '–', '—', '+', '\n'], " , ").replace(" - ", " , ");
        // A dash between spaces divides: “a VPS - kept 30 days”.
        let lower = if ["-", "–"].contains(&lower.trim()) { ",".into() } else { lower };
        let splits = |c: char| c.is_whitespace() || "\"“”„«»[]{}=`".contains(c);
        let passages = match phrase {
            Some(inside) => vec![(lower, inside)],
            None => passages(&lower, quoted),
        };
        let mut words = Vec::new();
        for (index, (text, quoted)) in passages.iter().enumerate() {
            *quotations += usize::from(index > 0 && *quoted);
            words.extend(text.split(splits).map(|word| (word, *quoted, *quotations)));
        }
        for (word, quoted, quotation) in words {
            for part in parts(word) {
                let ends = part.ends_with([',', '.', ';', '!', '?']) || part.len() < word.len();
                for value in part.split([',', ';']) {
                    let value = trimmed(value);
                    if value.is_empty() {
                        continue;
                    }
                    self.values.push(value.to_string());
                    let (said, sentence) = (said.clone(), *sentence);
                    let ends = part.contains([',', ';']);
                    let language = added.language;
                    let pauses = part.ends_with(';');
                    self.tokens.push(Token {
                        said,
                        piece,
                        language,
                        sentence,
                        ends,
                        quoted,
                        quotation,
                        pauses,
                        asks: false,
                    });
                    let product = HOSTED.iter().find(|(host, _)| *host == value);
                    let phrase = product.map_or(value, |(_, product)| *product);
                    // “We only watch https://a.example.com” does not ask for only HTTPS.
                    let phrase = phrase.split_once("://").map_or(phrase, |(_, rest)| rest);
                    // The “redis” of “redis-cola.example.com” is a name.
                    let splits = |c: char| match c {
                        '-' => !is_a_host(phrase),
                        c => "/_:".contains(c),
                    };
                    let words = phrase.split(splits).filter(|word| !word.is_empty());
                    self.plain.extend(words.map(str::to_string));
                    self.origins.resize(self.plain.len(), self.values.len() - 1);
                }
                if ends {
                    self.plain.push(BREAK.to_string());
                    self.origins.push(self.values.len().saturating_sub(1));
                    if let Some(last) = self.tokens.last_mut() {
                        last.ends = true;
                        last.asks |= part.contains('?');
                    }
                    *sentence += usize::from(part.ends_with(['.', '!', '?']));
                }
            }
        }
    }

    /// The user's own words for a value, and the index of the message's part that they come from.
    pub fn said(&self, at: usize) -> (&str, Option<usize>) {
        let value = self.values.get(at).map_or("", String::as_str);
        match self.tokens.get(at) {
            Some(Token { said: Some(said), piece, .. }) => (said, Some(*piece)),
            _ => (value, None),
        }
    }

    /// The user's own words for the values at these positions; a phrase that was translated as a whole occurs once.
    pub fn said_in(&self, range: std::ops::Range<usize>) -> String {
        let mut words: Vec<(&str, Option<usize>)> = range.map(|at| self.said(at)).collect();
        words.dedup_by(|next, before| next.1.is_some() && next.1 == before.1);
        words.into_iter().map(|(said, _)| said).collect::<Vec<_>>().join(" ")
    }

    /// The language of a value, before its translation.
    pub fn language(&self, at: usize) -> Language {
        self.tokens.get(at).map_or(Language::English, |token| token.language)
    }

    /// How much a value says about what the user wants.
    pub fn weighs(&self, at: usize) -> Weight {
        self.values.get(at).map_or(Weight::Empty, |value| self.language(at).weight(value))
    }

    /// Whether the value is inside a quotation.
    pub fn is_quoted(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| token.quoted)
    }

    /// The position of the quotation that the value is in, among those of the message.
    pub fn quotation(&self, at: usize) -> Option<usize> {
        let token = self.tokens.get(at).filter(|token| token.quoted)?;
        token.quotation.checked_sub(1)
    }

    /// Whether a clause ends after the value.
    pub fn ends_clause(&self, at: usize) -> bool {
        at + 1 >= self.tokens.len() || self.tokens[at].ends
    }

    /// Whether the sentence around a value ends with a question mark.
    pub fn ends_in_question(&self, at: usize) -> bool {
        self.sentence(at).any(|at| self.tokens.get(at).is_some_and(|token| token.asks))
    }

    /// All clauses, as positions of values.
    pub fn clauses(&self) -> Vec<std::ops::Range<usize>> {
        let mut clauses = Vec::new();
        let mut at = 0;
        while at < self.values.len() {
            let clause = self.clause(at);
            at = clause.end;
            clauses.push(clause);
        }
        clauses
    }

    /// All sentences, as positions of values.
    pub fn sentences(&self) -> Vec<std::ops::Range<usize>> {
        let mut sentences = Vec::new();
        let mut at = 0;
        while at < self.values.len() {
            let sentence = self.sentence(at);
            at = sentence.end;
            sentences.push(sentence);
        }
        sentences
    }

    /// The value that a word of [`Words::phrase`] comes from.
    pub fn origin(&self, plain: usize) -> usize {
        self.origins.get(plain).copied().unwrap_or_default()
    }

    /// The values that the words at a place of [`Words::phrase`] come from.
    pub fn values_of(&self, place: &std::ops::Range<usize>) -> std::ops::Range<usize> {
        self.origin(place.start)..self.origin(place.end.saturating_sub(1)) + 1
    }

    /// The clause around a value, as positions of values.
    pub fn clause(&self, at: usize) -> std::ops::Range<usize> {
        let first = (0..at).rev().find(|before| self.ends_clause(*before)).map_or(0, |at| at + 1);
        let last = (at..self.values.len()).find(|at| self.ends_clause(*at)).unwrap_or(at);
        first..last + 1
    }

    /// The sentence around a value, as positions of values.
    pub fn sentence(&self, at: usize) -> std::ops::Range<usize> {
        let of = |at: usize| self.tokens.get(at).map(|token| token.sentence);
        let first = (0..at).rev().take_while(|before| of(*before) == of(at)).last().unwrap_or(at);
        let last = (at..self.values.len()).take_while(|after| of(*after) == of(at)).last();
        first..last.unwrap_or(at) + 1
    }
}

/// Where the reading of a message is.
#[derive(Default)]
struct At {
    sentence: usize,
    quoted: bool,
    quotations: usize,
}

/// A word without the punctuation around it. “.72” is the end of an address, and not the number 72.
fn trimmed(word: &str) -> &str {
    let mark = ['.', '!', '?', '¿', '¡', '\'', '*', '<', '>'];
    let value = word.trim_matches(mark);
    let dotted = word.len() - word.trim_start_matches(mark).len();
    let digits = value.bytes().all(|byte| byte.is_ascii_digit());
    match dotted
        .checked_sub(1)
        .filter(|dot| digits && !value.is_empty() && word[*dot..].starts_with('.'))
    {
        Some(dot) => word[dot..].trim_end_matches(mark),
        None => value,
    }
}

/// Whether a value is a host, and no file: “shop-eu.example.com”, but not “docker-compose.yml”.
fn is_a_host(value: &str) -> bool {
    let Some((host, last)) = value.rsplit_once('.') else { return false };
    last.len() > 1
        && last.chars().all(char::is_alphabetic)
        && !is_a_file(value)
        && !host.contains(['/', ':'])
}

/// Whether a value with a dot is the name of a file or of a package: “docker-compose.yml”, “main.go”, “asp.net”.
pub fn is_a_file(value: &str) -> bool {
    // No top-level domain is among them, except those in `COUNTRIES`.
    const ENDINGS: &str = "yml yaml json toml conf cfg ini env sh py js php html css md txt csv log sql gz tgz zip xz bz2 tar \
        deb jar war exe dll pdf iso go rb rs ts tsx jsx mjs vue java kt cs cpp lua tf hcl lock xml svg png jpg jpeg \
        webp ico gif bak dump pem crt whl rpm img ps1 bat sqlite db xlsx docx htm scss service timer socket mod sum erb";
    // Endings of files that are also those of countries: “www.tienda.com.py” is a host.
    const COUNTRIES: &[&str] = &["py", "sh", "md", "rs", "tf"];
    // Packages whose names look like hosts.
    const PACKAGES: &[&str] = &["asp.net", "ado.net", "ml.net", "socket.io"];
    let host = value.starts_with("www.") || value.matches('.').count() > 1;
    PACKAGES.contains(&value)
        || value.rsplit_once('.').is_some_and(|(_, ending)| {
            super::lists(ENDINGS, ending) && !(host && COUNTRIES.contains(&ending))
        })
}

/// Hosts that stand for a product.
const HOSTED: &[(&str, &str)] = &[("wordpress.com", "wordpress"), ("wordpress.org", "wordpress")];

/// The passages of a text inside and outside quotation marks. `quoted` says whether a quotation is open before and after.
fn passages(text: &str, quoted: &mut bool) -> Vec<(String, bool)> {
    let mut passages = vec![(String::new(), *quoted)];
    for c in text.chars() {
        let inside = match c {
            '„' | '«' => true,
            '»' | '”' => false,
            '"' | '“' => !*quoted,
            _ => *quoted,
        };
        if inside != *quoted {
            *quoted = inside;
            passages.push((String::new(), inside));
        }
        if let Some((passage, _)) = passages.last_mut() {
            passage.push(c);
        }
    }
    passages
}

/// The parts of a word between colons; an address such as `https://example.com` stays whole, and so does a time.
fn parts(word: &str) -> Vec<&str> {
    let address = |(at, _): &(usize, &str)| !word[at + 1..].starts_with("//");
    let mut parts = Vec::new();
    let mut start = 0;
    let bare = word.trim_end_matches(['.', ',', ';', '!', '?']);
    if is_a_time(bare) || is_a_long_address(bare) {
        return vec![word];
    }
    for (at, colon) in word.match_indices(':').filter(address) {
        parts.push(&word[start..at]);
        start = at + colon.len();
    }
    parts.push(&word[start..]);
    parts
}

/// Whether a word is a time of the day: “3:30”.
fn is_a_time(word: &str) -> bool {
    let number = |part: &str| part.len() <= 2 && part.parse::<u8>().is_ok();
    word.contains(':') && word.split(':').all(number)
}

/// Whether a word is an address or a network of IPv6: “2001:db8::/32”.
fn is_a_long_address(word: &str) -> bool {
    word.split('/').next().is_some_and(|address| address.parse::<std::net::Ipv6Addr>().is_ok())
}

/// A phrase in lower case, without the punctuation around it.
fn bare(said: &str) -> String {
    let mark = |c: char| c.is_whitespace() || ",.;:!?¿¡()„“”«»\"".contains(c);
    said.trim_matches(mark).to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_translated_word_keeps_the_users_own_word() {
        let language = Language::German;
        let piece = |said: &str, english: &str| Piece {
            said: said.into(),
            english: english.into(),
            language,
        };
        let words = Words::translated(&[piece("Festplatte, ", "disk, "), piece("groß", "groß")]);
        assert_eq!(words.values().collect::<Vec<_>>(), ["disk", "groß"]);
        assert_eq!(words.said(0), ("festplatte", Some(0)));
        assert_eq!(words.said(1), ("groß", None));
        assert!(words.ends_clause(0));
    }

    #[test]
    fn files_and_packages_are_not_hosts() {
        for file in ["app.py", "main.go", "worker.rb", "lib.rs", "backup.sh", "asp.net", "pom.xml"]
        {
            assert!(is_a_file(file), "{file}");
        }
        for host in ["www.tienda.com.py", "www.firma.rs", "shop.example.org", "acme.io"] {
            assert!(!is_a_file(host), "{host}");
        }
    }

    #[test]
    fn clauses_and_sentences_are_separated() {
        let words = Words::of("a server (with nginx) for b. Then more, please");
        assert_eq!(words.clause(3), 2..4);
        assert_eq!(words.sentence(3), 0..6);
        assert_eq!(words.sentence(7), 6..9);
        assert_eq!(words.clause(6), 6..8);
        let words = Words::of("at 3:30, port:9090");
        assert_eq!(words.values().collect::<Vec<_>>(), ["at", "3:30", "port", "9090"]);
        let words = Words::of("s3+cloudfront");
        assert_eq!(words.values().collect::<Vec<_>>(), ["s3", "cloudfront"]);
    }
}
