//! Words that change what a wish asks for: “weekly”, “on another server”, “except on Sundays”, “only for the shop”.
//!
//! A feature is claimed as built only if its clause has none of these, except for those that the feature knows. The list
//! is closed. It holds words of all languages, because the translation keeps many words as they are.

mod phrases;

use std::collections::BTreeSet;
use std::ops::Range;

use super::{BREAK, Near, Words, is_negation, numbers};
use phrases::{PHRASES, PLACES, UNITS};

/// How a qualifier changes a wish.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// How often: “hourly”, “every 5 minutes”.
    Frequency,
    /// How many: “two”, “another”.
    Count,
    /// Something that the user has: “our own”, “existing”, “that we have”.
    Owned,
    /// Something that comes from elsewhere: “import”, “moved from”.
    Moved,
    /// Only for some: “only for the shop”, “read-only”.
    Restricted,
    /// “Encrypted with GPG”.
    Encrypted,
    /// “On another server”.
    Elsewhere,
    /// “Except on Sundays”.
    Excepted,
    /// At which moment: “before each deployment”.
    Moment,
    /// “Instead of …”.
    Replacing,
}

impl Kind {
    /// The name by which a feature's data says that the feature knows all qualifiers of this kind.
    fn name(self) -> &'static str {
        match self {
            Kind::Frequency => "frequency",
            Kind::Count => "count",
            Kind::Owned => "owned",
            Kind::Moved => "moved",
            Kind::Restricted => "restricted",
            Kind::Encrypted => "encrypted",
            Kind::Elsewhere => "elsewhere",
            Kind::Excepted => "excepted",
            Kind::Moment => "moment",
            Kind::Replacing => "replacing",
        }
    }

    /// Whether the rest of the clause belongs to it: “only for outages of an hour”.
    fn is_open(self) -> bool {
        !matches!(self, Kind::Frequency | Kind::Count | Kind::Encrypted | Kind::Elsewhere)
    }
}

/// Where a qualifier is, seen from what it qualifies.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    /// At most [`CLOSE`] words before it.
    Before,
    After,
    Both,
}

/// How many words before what it qualifies some qualifiers may be.
const CLOSE: usize = 3;

/// How many words away the others may be.
const REACH: usize = 7;

/// Words before something that the wish is for, and that may be the user's.
const OF: &[&str] = &["for", "of", "für", "von", "de", "del", "du", "pour", "para"];

/// Words with which what follows “with” is the user's.
const OURS: &[&str] =
    &["our", "my", "unserem", "unserer", "meinem", "nuestra", "nuestro", "mi", "notre", "mon"];

/// Words that begin the way in which something happens: “only at night by mail”.
const BY: &[&str] = &["by", "via", "per", "por", "par", "over", "through"];

/// Programs that copy to another place: “backups with restic”.
const COPYING: &[&str] = &["restic", "borg", "borgbackup", "duplicity", "kopia", "rclone"];

/// Words that begin something else in the same clause.
const JOINING: &[&str] =
    &["and", "but", "with", "plus", "und", "y", "et", "mit", "con", "avec", "sowie"];

/// What a feature's data says if the feature is built daily.
const DAILY: &str = "daily";

/// Whether a frequency is once a day or night.
fn is_daily(said: &str) -> bool {
    const DAYS: &[&str] = &["day", "night", "tag", "nacht", "día", "noche", "jour", "nuit"];
    const ONCE: &[&str] = &[
        "every", "each", "jeden", "jede", "cada", "chaque", "tous", "toutes", "les", "once", "a",
        "per", "einmal", "am", "pro", "in", "der", "una", "vez", "al", "por", "une", "fois", "par",
        "one", "time",
    ];
    let day = |word: &str| DAYS.contains(&word.strip_suffix('s').unwrap_or(word));
    let mut words = said.split(' ');
    ["daily", "nightly"].contains(&said)
        || (words.clone().any(day) && words.all(|word| day(word) || ONCE.contains(&word)))
}

/// A qualifier in a message.
#[derive(Debug, PartialEq)]
pub struct Qualifier {
    pub kind: Kind,
    /// Its words, as positions among the words of [`Words::phrase`].
    pub place: Range<usize>,
}

impl Qualifier {
    /// Whether the list of names and phrases, separated by commas, has it.
    pub fn is_known(&self, words: &Words, known: &str) -> bool {
        let said = words.phrase(self.place.clone());
        let daily = self.kind == Kind::Frequency && is_daily(&said);
        known
            .split(", ")
            .any(|known| known == self.kind.name() || known == said || (known == DAILY && daily))
    }
}

/// The part of a clause that is about a phrase.
struct Part<'a> {
    near: &'a Near,
    plain: &'a [String],
    /// Where qualifiers are looked for.
    near_by: Range<usize>,
    /// Where the part ends.
    end: usize,
}

impl<'a> Part<'a> {
    fn of(near: &'a Near, words: &'a Words) -> Part<'a> {
        let plain = words.plain.as_slice();
        let ends = |at: &usize| ends(plain, *at);
        let first = near.first.saturating_sub(REACH);
        let start = (first..near.first).rev().find(ends).map_or(first, |at| at + 1);
        let end = (near.last + 1..plain.len()).find(ends).unwrap_or(plain.len());
        Part { near, plain, near_by: start..end.min(near.last + 1 + REACH), end }
    }

    /// Whether it ends in a negation: “alerts on weekends, please not” asks for fewer alerts, in separate words.
    fn is_denied(&self) -> bool {
        let last = self.end.checked_sub(1).filter(|last| *last > self.near.last);
        last.is_some_and(|last| is_negation(&self.plain[last]) && self.plain[last] != "except")
    }

    /// The qualifier that the phrase gives at this position.
    fn qualifier(&self, kind: Kind, side: Side, phrase: &str, at: usize) -> Option<Qualifier> {
        let count = matches(phrase, &self.plain[at..self.near_by.end])?;
        let place = at..at + count;
        let (first, last) = (self.near.first, self.near.last);
        let fits = match side {
            Side::Before => place.end <= first && place.end + CLOSE > first,
            Side::After => at >= first,
            Side::Both => true,
        };
        let own = place.clone().all(|at| self.near.words.contains(&at));
        // “Keep the backups after all”
        let all = self.plain.get(place.end).is_some_and(|word| word == "all");
        if !fits || own || (kind == Kind::Moment && all) || self.is_of_another(kind, at) {
            return None;
        }
        let by = (place.end..self.end).find(|at| BY.contains(&self.plain[*at].as_str()));
        let open = kind.is_open() && at > last;
        Some(Qualifier { kind, place: at..if open { by.unwrap_or(self.end) } else { place.end } })
    }

    /// Whether it is something else that is the user's: “TLS for our own domain”.
    fn is_of_another(&self, kind: Kind, at: usize) -> bool {
        let mut before = self.plain[..at].iter().rev().map(String::as_str);
        let before = before.find(|word| !OURS.contains(word));
        kind == Kind::Owned && at > self.near.last && before.is_some_and(|word| OF.contains(&word))
    }
}

/// Whether something else begins at this position. “Between 9 and 17” and “with our own key” go on.
fn ends(plain: &[String], at: usize) -> bool {
    let next = plain.get(at + 1).map(String::as_str);
    let goes_on = next.is_some_and(|word| {
        numbers::read(word).is_some() || OURS.contains(&word) || COPYING.contains(&word)
    });
    plain[at] == BREAK || (JOINING.contains(&plain[at].as_str()) && !goes_on)
}

impl Near {
    /// What changes the meaning of the phrase, in its part of the clause. Its own words change nothing.
    pub fn qualifiers(&self, words: &Words) -> Vec<Qualifier> {
        let part = Part::of(self, words);
        let mut found: Vec<Qualifier> = Vec::new();
        if part.is_denied() {
            return found;
        }
        for (kind, side, phrases) in PHRASES {
            for phrase in *phrases {
                let here = part.near_by.clone();
                for one in here.filter_map(|at| part.qualifier(*kind, *side, phrase, at)) {
                    let inside = |other: &Qualifier| {
                        other.place.start <= one.place.start && one.place.end <= other.place.end
                    };
                    if !found.iter().any(inside) {
                        found.push(one);
                    }
                }
            }
        }
        found
    }

    /// Whether it only says when something else happens: the update of “backups before each update”.
    pub fn is_a_moment(&self, words: &Words) -> bool {
        const WHEN: &[&str] =
            &["before", "after", "vor", "nach", "antes", "después", "avant", "après"];
        const BETWEEN: &[&str] = &[
            "the", "a", "an", "each", "every", "any", "jedem", "jeder", "dem", "der", "einem",
            "de", "cada", "la", "el", "chaque", "une", "un",
        ];
        let before = words.plain[..self.first].iter().rev().map(String::as_str);
        let mut before = before.skip_while(|word| BETWEEN.contains(word));
        before.next().is_some_and(|word| WHEN.contains(&word))
    }

    /// Its words, in the order of the message and in the user's language.
    pub fn said(&self, words: &Words) -> String {
        let places: BTreeSet<usize> = self.words.iter().map(|at| words.origin(*at)).collect();
        let mut said: Vec<(&str, Option<usize>)> =
            places.into_iter().map(|at| words.said(at)).collect();
        said.dedup_by(|next, before| next.1.is_some() && next.1 == before.1);
        said.into_iter().map(|(said, _)| said).collect::<Vec<_>>().join(" ")
    }

    /// The phrase with the words of a qualifier.
    pub fn qualified(mut self, by: &Qualifier) -> Near {
        self.words.extend(by.place.clone());
        self
    }
}

/// How many of the words a phrase matches from their beginning.
fn matches(phrase: &str, said: &[String]) -> Option<usize> {
    let mut count = 0;
    let mut parts = phrase.split(' ').peekable();
    while let Some(part) = parts.next() {
        let word = said.get(count)?.as_str();
        // “every 6h”
        if part == "#" && parts.peek() == Some(&"%") && is_joined(word) {
            parts.next();
            count += 1;
            continue;
        }
        let singular = word.strip_suffix('s').unwrap_or(word);
        let lists = |list: &str| list.split_ascii_whitespace().any(|w| w == word || w == singular);
        let fits = match part {
            "#" => numbers::read(word).is_some(),
            "%" => lists(UNITS),
            "&" => lists(PLACES),
            words => words.split('/').any(|alternative| alternative == word),
        };
        if !fits {
            return None;
        }
        count += 1;
    }
    Some(count)
}

/// Whether a word is a number with its unit of time: “6h”, “30min”.
fn is_joined(word: &str) -> bool {
    let unit = word.trim_start_matches(|c: char| c.is_ascii_digit());
    unit.len() < word.len()
        && ["h", "hr", "hrs", "std", "min", "mins", "m", "d", "s", "sec", "sek", "ms"]
            .contains(&unit)
}

impl Words {
    /// The frequencies that the message names: “weekly”, “every 6 hours”. They are positions among the words of
    /// [`Words::phrase`].
    pub fn frequencies(&self) -> Vec<Range<usize>> {
        let phrases = PHRASES.iter().filter(|(kind, ..)| *kind == Kind::Frequency);
        let phrases: Vec<&str> =
            phrases.flat_map(|(.., phrases)| phrases.iter().copied()).collect();
        let mut places: Vec<Range<usize>> = Vec::new();
        let mut at = 0;
        while at < self.plain.len() {
            let longest =
                phrases.iter().filter_map(|phrase| matches(phrase, &self.plain[at..])).max();
            if let Some(count) = longest {
                places.push(at..at + count);
            }
            at += longest.unwrap_or(1);
        }
        places
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, phrase: &str) -> Vec<(Kind, String)> {
        let words = Words::of(text);
        let near = words.near(phrase).expect("the phrase");
        let all = near.qualifiers(&words).into_iter();
        all.map(|qualifier| (qualifier.kind, words.phrase(qualifier.place))).collect()
    }

    #[test]
    fn words_that_change_a_wish_are_found() {
        for (text, kind, said) in [
            ("weekly backups", Kind::Frequency, "weekly"),
            ("backups every 6 hours", Kind::Frequency, "every 6 hours"),
            ("backups alle 2 Stunden", Kind::Frequency, "alle 2 stunden"),
            ("backups toutes les 6h", Kind::Frequency, "toutes les 6h"),
            ("backups every 12h", Kind::Frequency, "every 12h"),
            ("backups every 2 s", Kind::Frequency, "every 2 s"),
            ("backups alle 2s", Kind::Frequency, "alle 2s"),
            ("backups twice a day", Kind::Frequency, "twice a day"),
            ("a second backup", Kind::Count, "second"),
            ("our own backup", Kind::Owned, "our own"),
            ("the backup that we have", Kind::Owned, "we have"),
            ("import the backup", Kind::Moved, "import"),
            ("backups only for the shop", Kind::Restricted, "only for the shop"),
            ("read-only backups", Kind::Restricted, "read only"),
            ("backups with our own key", Kind::Owned, "our own key"),
            ("encrypted backups", Kind::Encrypted, "encrypted"),
            ("a backup on another server", Kind::Elsewhere, "another server"),
            ("a backup in another region", Kind::Elsewhere, "another region"),
            ("backups except on holidays", Kind::Excepted, "except on holidays"),
            ("backups before each deployment", Kind::Moment, "before each deployment"),
            ("backups instead of replicas", Kind::Replacing, "instead of replicas"),
        ] {
            assert!(found(text, "backup").contains(&(kind, said.into())), "{text}");
        }
    }

    #[test]
    fn once_a_day_is_daily() {
        let daily = |text: &str| {
            let words = Words::of(text);
            let near = words.near("backup").expect("a backup");
            near.qualifiers(&words).iter().all(|qualifier| qualifier.is_known(&words, "daily"))
        };
        for text in [
            "backups every day",
            "nightly backups",
            "backups once a day",
            "backups une fois par jour",
        ] {
            assert!(daily(text), "{text}");
        }
        for text in [
            "backups every other day",
            "backups every 2 days",
            "backups twice a day",
            "weekly backups",
        ] {
            assert!(!daily(text), "{text}");
        }
    }

    #[test]
    fn words_of_other_things_change_nothing() {
        for text in [
            "backups and a weekly report",
            "two disks with backups",
            "the existing shop, with backups",
            "a server with backups, read-only",
            "backups for our shop",
            "backups of our existing data",
            "backups for our own shop",
            "regular backups",
            "backups after all",
            "backups with snapshots",
        ] {
            assert_eq!(found(text, "backup"), [], "{text}");
        }
    }

    #[test]
    fn frequencies_are_found_with_their_units() {
        let words = Words::of("not weekly, every two days");
        let all: Vec<String> = words.frequencies().into_iter().map(|at| words.phrase(at)).collect();
        assert_eq!(all, ["weekly", "every two days"]);
    }
}
