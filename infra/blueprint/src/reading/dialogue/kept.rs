//! Keeps two lists: the requests that the deployment also builds, and those that it builds differently or not at all.

use super::Dialogue;
use crate::reading::wishes::{Asked, Fate};
use crate::reading::words::Words;

impl Dialogue {
    /// Adds requests that the deployment also builds.
    pub(super) fn cover(&mut self, wishes: Vec<&'static str>) {
        let new = wishes.into_iter().filter(|wish| !self.covered.contains(wish));
        let new: Vec<_> = new.collect();
        self.covered.extend(new);
    }

    /// Moves requests that only a removed addition covered to the requests that are not built.
    pub(super) fn lose_what_went(&mut self) {
        let Some(choice) = self.choice() else { return };
        let has: Vec<_> = choice.covers().into_iter().map(|cover| cover.feature.wish()).collect();
        let (kept, lost): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.covered).into_iter().partition(|wish| has.contains(wish));
        self.covered = kept;
        let lost =
            lost.into_iter().map(|wish| Asked { what: wish.to_lowercase(), fate: Fate::Not });
        self.lack(lost.collect());
    }

    /// Forgets requests that are not built and that the message withdraws: “drop the load balancer”.
    pub(super) fn withdraw(&mut self, words: &Words) {
        let phrase = |what: &str| what.replace(['-', '/', '_'], " ");
        let gone = |asked: &Asked| {
            !matches!(asked.fate, Fate::Differently(_)) && words.excludes(&phrase(&asked.what))
        };
        let (withdrawn, kept): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.asked).into_iter().partition(gone);
        self.asked = kept;
        self.withdrawn = withdrawn.into_iter().map(|asked| asked.what).collect();
    }

    /// Adds requests that are not built as asked; the user has to agree to them.
    pub(super) fn lack(&mut self, mut asked: Vec<Asked>) {
        asked.retain(|asked| !self.asked.contains(asked));
        self.unagreed |= !asked.is_empty();
        self.asked.extend(asked.iter().cloned());
        self.heard.asked.extend(asked);
    }
}
