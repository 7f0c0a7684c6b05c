//! Keeps two lists: the requests that the deployment fulfills, and those that it fulfills differently or not at all.

use super::Dialogue;
use crate::reading::wishes::{self, Asked, Fate};
use crate::words::language::Weight;
use crate::words::{Words, gives_up};

/// The things that each clause gives up: the words after its first word, if that is a verb for giving up.
fn given_up(words: &Words, full: impl Fn(&&str) -> bool) -> Vec<Vec<String>> {
    let values: Vec<&str> = words.values().collect();
    let gone = |clause: std::ops::Range<usize>| {
        let mut rest =
            values[clause].iter().copied().skip_while(|word| !full(word) && !gives_up(word));
        rest.next().filter(|verb| gives_up(verb))?;
        let gone: Vec<String> = rest.filter(|word| full(word)).map(str::to_string).collect();
        (!gone.is_empty() && gone.iter().all(|word| words.excludes(word))).then_some(gone)
    };
    words.clauses().into_iter().filter_map(gone).collect()
}

impl Dialogue {
    /// Adds requests that the deployment fulfills.
    pub(super) fn cover(&mut self, wishes: Vec<&'static str>) {
        let new = wishes.into_iter().filter(|wish| !self.covered.contains(wish));
        let new: Vec<_> = new.collect();
        self.covered.extend(new);
    }

    /// Moves the requests that only a removed addition fulfilled to the list of what is not built.
    pub(super) fn drop_removed(&mut self) {
        let Some(choice) = self.choice() else { return };
        let has: Vec<_> = choice.covers().into_iter().map(|cover| cover.feature.wish()).collect();
        let (kept, lost): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.covered).into_iter().partition(|wish| has.contains(wish));
        self.covered = kept;
        let lost =
            lost.into_iter().map(|wish| Asked { what: wish.to_lowercase(), fate: Fate::Not });
        self.lack(lost.collect());
    }

    /// Removes requests from the list of what is not built if the message withdraws them: “drop the load balancer”.
    pub(super) fn withdraw(&mut self, words: &Words) {
        let phrase = |what: &str| what.replace(['-', '/', '_'], " ");
        let full = |word: &&str| self.language.weight(word) == Weight::Full;
        // A row is a whole clause: it is removed if the message rules out each of its words that can be a wish.
        let every = |what: &str| {
            let words_of = phrase(what);
            let mut wishes = words_of.split_whitespace().filter(full).peekable();
            wishes.peek().is_some() && wishes.all(|word| words.excludes(word))
        };
        // “Drop the sticky sessions” withdraws “sticky sessions via cookie”.
        let given_up = given_up(words, full);
        let is_given_up = |what: &str| {
            let words_of = phrase(what);
            given_up
                .iter()
                .any(|gone| gone.iter().all(|word| words_of.split(' ').any(|w| w == word)))
        };
        let gone = |asked: &Asked| {
            // “17, not 16” corrects “postgresql 16”.
            if let (Fate::Differently(_), Some((_, version))) =
                (&asked.fate, asked.what.rsplit_once(' '))
                && version.chars().all(|c| c.is_ascii_digit() || c == '.')
                && words.excludes(version)
            {
                return true;
            }
            let excluded = words.excludes(&phrase(&asked.what))
                || words.excludes(phrase(&asked.what).trim_end_matches('s'))
                || every(&asked.what);
            // “With Redis, then” withdraws “without Redis”.
            if asked.what == wishes::EXISTING_SERVER {
                return words.means_any(wishes::NEW_SERVER);
            }
            // “Now nginx as well” takes up what was for later.
            if asked.fate == Fate::Later {
                let phrase = phrase(&asked.what);
                return excluded || phrase.split_whitespace().filter(full).all(|w| words.means(w));
            }
            let denied = asked.what.strip_prefix("without ").filter(|_| asked.fate != Fate::Not);
            match asked.fate {
                Fate::Differently(_) => denied.is_some_and(|denied| words.means(denied)),
                Fate::NotUnderstood => excluded || is_given_up(&asked.what),
                _ => excluded,
            }
        };
        let (withdrawn, kept): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.asked).into_iter().partition(gone);
        self.asked = kept;
        self.withdrawn = withdrawn.into_iter().map(|asked| asked.what).collect();
        // The clause that withdraws a row is no wish of its own.
        let said = given_up.into_iter().filter(|gone| {
            let all =
                |what: &String| gone.iter().all(|word| phrase(what).split(' ').any(|w| w == word));
            self.withdrawn.iter().any(all)
        });
        let said: Vec<String> = said.map(|gone| gone.join(" ")).collect();
        self.withdrawn.extend(said);
    }

    /// Reports a later message that changed nothing, because it may be a correction that no reader understands.
    pub(super) fn report_ineffective(&mut self, words: &Words) {
        let latest = &self.latest;
        let answered = latest.chosen
            || latest.confirmed
            || latest.withdrawn
            || latest.question
            || latest.greeting
            || latest.secret
            || !(latest.changed.is_empty() && latest.asked.is_empty() && latest.refused.is_empty());
        if answered || !self.withdrawn.is_empty() {
            return;
        }
        let context = self.context(true, false);
        let account = wishes::account(words, &context);
        if account.covered.is_empty() && account.asked.is_empty() {
            let unexplained = wishes::unexplained(words, &context);
            self.lack(unexplained);
        }
    }

    /// Lists what the user wants later.
    pub(super) fn postpone(&mut self, later: Vec<String>) {
        self.lack(later.into_iter().map(|what| Asked { what, fate: Fate::Later }).collect());
    }

    /// Adds requests that are not built as stated; the user has to agree to them.
    pub(super) fn lack(&mut self, mut asked: Vec<Asked>) {
        asked.retain(|asked| !self.asked.contains(asked));
        self.unagreed |= !asked.is_empty();
        self.asked.extend(asked.iter().cloned());
        self.latest.asked.extend(asked);
    }
}
