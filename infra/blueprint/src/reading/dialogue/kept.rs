//! Keeps two lists: the requests that the deployment fulfills, and those that it fulfills differently or not at all.

use std::collections::BTreeSet;

use super::Dialogue;
use crate::catalogue::parameters::Found;
use crate::catalogue::{networks, places};
use crate::reading::sentences;
use crate::reading::wishes::{self, Asked, Fate};
use crate::words::Words;
use crate::words::language::Weight;
use crate::words::withdrawals::GivenUp;

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
    /// Returns the positions of the values that say so.
    pub(super) fn withdraw(&mut self, words: &Words) -> BTreeSet<usize> {
        // “203.0.113.0/27 except 203.0.113.30” takes nothing back.
        let narrowed = |asked: &mut Asked| {
            matches!(asked.fate, Fate::Differently(_)) && networks::is_narrowed(&asked.what)
        };
        let kept: Vec<Asked> = self.asked.extract_if(.., narrowed).collect();
        let spent = self.withdraw_rows(words);
        self.asked.splice(0..0, kept);
        spent
    }

    fn withdraw_rows(&mut self, words: &Words) -> BTreeSet<usize> {
        let phrase = |what: &str| what.replace(['-', '/', '_'], " ");
        let language = self.language;
        let full = |word: &&str| language.weight(word) == Weight::Full;
        // A row is a whole clause: it is removed if the message rules out each of its words that can be a wish.
        let every = |what: &str| {
            let words_of = phrase(what);
            let mut wishes = words_of.split_whitespace().filter(full).peekable();
            wishes.peek().is_some() && wishes.all(|word| words.excludes(word))
        };
        // “Drop the sticky sessions” withdraws “sticky sessions via cookie”.
        let given_up = words.given_up();
        let parts = self.keep_the_rest(&given_up);
        let rows: Vec<String> = self.asked.iter().map(|asked| phrase(&asked.what)).collect();
        let is_given_up =
            |what: &str| given_up.iter().any(|gone| gone.withdraws(&phrase(what), &rows));
        let gone = |asked: &Asked| {
            // “17, not 16” corrects “postgresql 16”.
            if let (Fate::Differently(_), Some((_, version))) =
                (&asked.fate, asked.what.rsplit_once(' '))
                && version.chars().all(|c| c.is_ascii_digit() || c == '.')
                && !networks::has_address(version)
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
                return excluded
                    || phrase.split_ascii_whitespace().filter(full).all(|w| words.means(w));
            }
            let denied = asked.what.strip_prefix("without ").filter(|_| asked.fate != Fate::Not);
            match (&asked.fate, denied) {
                (Fate::Differently(_), Some(denied)) => words.means(denied),
                (Fate::Differently(_), None) => is_given_up(&asked.what),
                _ => excluded || is_given_up(&asked.what),
            }
        };
        let (withdrawn, kept): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.asked).into_iter().partition(gone);
        self.asked = kept;
        // What is taken back is left out, as the user asked, and was never lost.
        // “Drop one replica” leaves the others, which are not built.
        const ONE: &[&str] = &["one", "a", "ein", "eine", "einen", "un", "una", "une"];
        let one = |what: &str| {
            let single = what.strip_suffix('s').unwrap_or_default();
            !single.is_empty() && ONE.iter().any(|one| words.has(&format!("{one} {single}")))
        };
        let (some, withdrawn): (Vec<Asked>, Vec<Asked>) =
            withdrawn.into_iter().partition(|row| row.fate == Fate::Not && one(&row.what));
        self.asked.extend(some);
        let known = withdrawn.iter().filter(|row| row.fate == Fate::Not);
        let new = known.map(|row| &row.what).filter(|what| !self.left_out.contains(what));
        let new: Vec<String> = new.cloned().collect();
        self.left_out.extend(new);
        self.second_best.retain(|row| !withdrawn.contains(row));
        self.stated.retain(|row| !withdrawn.contains(row));
        if !withdrawn.is_empty() {
            self.gone.clone_from(&withdrawn);
        }
        self.withdrawn.extend(withdrawn.into_iter().map(|asked| asked.what).chain(parts));
        self.forget_sizes(words, &given_up);
        // The clause that withdraws a row does not ask for anything itself.
        let said = given_up.into_iter().filter(|gone| {
            self.withdrawn.iter().any(|what| gone.withdraws(&phrase(what), &[]))
                && !self.has_a_feature_in(gone)
        });
        said.flat_map(|gone| gone.clause).collect()
    }

    /// Whether the deployment has a feature that the clause gives up. Then the list says that it comes anyway.
    fn has_a_feature_in(&self, gone: &GivenUp) -> bool {
        let covers = self.choice().map(|choice| choice.covers()).unwrap_or_default();
        let text = Words::of(&gone.english());
        covers.iter().any(|cover| cover.feature.cues().any(|cue| text.has(cue)))
    }

    /// Removes the sizes of a withdrawn thing: “200 GB” with “a second disk with 200 GB”.
    fn forget_sizes(&mut self, words: &Words, given_up: &[GivenUp]) {
        const NEAR: usize = 4;
        let starts = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
        let withdrawn =
            |gone: &&GivenUp| self.withdrawn.iter().any(|what| gone.withdraws(what, &[]));
        let gone = given_up.iter().filter(withdrawn).map(GivenUp::english);
        let gone: Vec<String> = gone.collect();
        let near = |size: &str| {
            self.said.iter().any(|said| {
                said.places(size).iter().any(|place| {
                    let before = said.phrase(place.start.saturating_sub(NEAR)..place.start);
                    gone.iter().any(|what| before.contains(what.as_str()))
                })
            })
        };
        let lost =
            |asked: &Asked| starts(&asked.what) && !words.has(&asked.what) && near(&asked.what);
        let lost: Vec<Asked> = self.asked.iter().filter(|asked| lost(asked)).cloned().collect();
        self.asked.retain(|asked| !lost.contains(asked));
    }

    /// Takes up again what an earlier message withdrew: “fine, keep it”. Returns the positions of the values that say so.
    pub(super) fn keep_it(&mut self, words: &Words) -> BTreeSet<usize> {
        const KEEPING: &[&str] = &[
            "keep it",
            "keep them",
            "leave it in",
            "leave them in",
            "put it back",
            "put them back",
            "want it after all",
        ];
        const WORDS: usize = 8;
        if self.gone.is_empty() || words.count() > WORDS || !words.means_any(KEEPING) {
            return BTreeSet::new();
        }
        let gone = std::mem::take(&mut self.gone);
        self.lack(gone);
        (0..words.count()).collect()
    }

    /// Shortens the rows of which the message gives up only a part: “a fixed IP and a weekly copy”, “weekly backups to our
    /// NAS”. Returns those parts.
    fn keep_the_rest(&mut self, given_up: &[GivenUp]) -> Vec<String> {
        const JOINING: &[&str] = &["and", "y", "e", "et", "und"];
        const LEADING: &[&str] = &["our", "own", "my", "to", "on", "in"];
        let language = self.language;
        let full =
            |part: &str| part.split_whitespace().any(|word| language.weight(word) == Weight::Full);
        let gone = |part: &str| given_up.iter().any(|gone| gone.withdraws(part, &[]));
        let mut lost = Vec::new();
        for asked in &mut self.asked {
            let words: Vec<&str> = asked.what.split(' ').collect();
            let parts: Vec<String> = match asked.fate {
                Fate::NotUnderstood => words
                    .split(|word| JOINING.contains(word))
                    .map(|part| part.join(" "))
                    .filter(|part| !part.is_empty())
                    .collect(),
                // The size of another disk goes with the disk.
                Fate::Differently(ref how) if how.starts_with(wishes::OWN_DISK) => continue,
                Fate::Differently(_) if gone(&asked.what) => {
                    let named = |word: &&&str| given_up.iter().any(|gone| gone.names(word));
                    let (said, rest): (Vec<&str>, Vec<&str>) =
                        words.iter().partition(|word| named(word));
                    let rest = rest.into_iter().filter(|word| !LEADING.contains(word));
                    vec![rest.collect::<Vec<_>>().join(" "), said.join(" ")]
                }
                _ => continue,
            };
            let kept = parts.iter().filter(|part| !gone(part) && full(part));
            let kept: Vec<String> = kept.cloned().collect();
            if !kept.is_empty() && kept.len() < parts.len() {
                lost.extend(parts.into_iter().filter(|part| gone(part)));
                asked.what = kept.join(", ");
            }
        }
        lost
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
        let context = self.context(Vec::new(), false);
        let account = wishes::account(words, &context);
        if account.covered.is_empty() && account.asked.is_empty() {
            let unexplained = wishes::unexplained(words, &context);
            self.lack(unexplained);
        }
    }

    /// Removes what was for later and is so now: “three nodes later”, and then “make it three at once”.
    pub(super) fn take_up_postponed(&mut self) {
        let (changed, language) = (&self.latest.changed, self.language);
        let now = |what: &str| {
            let words = Words::translated(&sentences::to_english(what, language));
            changed.iter().any(|(one, value)| (one.find)(&words) == Found::Value(value.clone()))
        };
        self.asked.retain(|asked| asked.fate != Fate::Later || !now(&asked.what));
    }

    /// Lists what the user wants later.
    pub(super) fn postpone(&mut self, later: Vec<String>) {
        self.lack(later.into_iter().map(|what| Asked { what, fate: Fate::Later }).collect());
    }

    /// Moves the rows that say where something is built instead to the new place, and removes those of the place itself.
    pub(super) fn relocate(&mut self, old: &str, new: &str) {
        let Some(blueprint) = self.blueprint else { return };
        let all = places::of(blueprint.place);
        let name = |code: &str| all.iter().find(|(_, own)| *own == code).map(|(name, _)| *name);
        let (Some(old), Some(place)) = (name(old), name(new)) else { return };
        let before = Fate::Differently(format!("in {old}"));
        let here = |what: &str| {
            places::contains(what, new)
                || all.iter().any(|(name, code)| *name == what && *code == new)
        };
        self.asked.retain(|asked| asked.fate != before || !here(&asked.what));
        for asked in self.asked.iter_mut().filter(|asked| asked.fate == before) {
            asked.fate = Fate::Differently(format!("in {place}"));
        }
    }

    /// Removes the rows of places that the message rules out: “Helsinki is too far away”.
    pub(super) fn drop_refused_places(&mut self, words: &Words) {
        let Some(blueprint) = self.blueprint else { return };
        let all = places::own(words, places::of(blueprint.place)).into_iter();
        let refused: Vec<&str> =
            all.filter(|mention| mention.refused).map(|mention| mention.name).collect();
        self.asked.retain(|asked| !refused.contains(&asked.what.as_str()));
    }

    /// Removes the row about an earlier port of SSH: “the SSH port should be 2022, I mistyped”.
    pub(super) fn replace_ssh_port(&mut self, new: &[Asked]) {
        let port = |asked: &Asked| asked.what.starts_with(wishes::SSH_PORT);
        let other = |asked: &Asked| !new.contains(asked);
        if new.iter().any(port) {
            self.asked.retain(|asked| !(port(asked) && other(asked)));
        }
    }

    /// Removes the row about another port of SSH if the message returns to SSH's own: “leave SSH on 22 after all”. Returns the
    /// positions of the values that say so.
    pub(super) fn keep_ssh_port(&mut self, words: &Words) -> BTreeSet<usize> {
        let port = |asked: &Asked| asked.what.starts_with(wishes::SSH_PORT);
        if !words.keeps_ssh_port() || !self.asked.iter().any(port) {
            return BTreeSet::new();
        }
        self.asked.retain(|asked| !port(asked));
        let said = |value: &str| ["ssh", "port", "22"].contains(&value);
        words.values().enumerate().filter(|(_, value)| said(value)).map(|(at, _)| at).collect()
    }

    /// Adds requests that are not built as stated; the user has to agree to them.
    pub(super) fn lack(&mut self, mut asked: Vec<Asked>) {
        asked.retain(|asked| !self.asked.contains(asked));
        self.unagreed |= !asked.is_empty();
        self.asked.extend(asked.iter().cloned());
        self.latest.asked.extend(asked);
    }
}
