//! What a message says of the end of what it asks for: “we'll delete it in two weeks”. The tear-down is offered at
//! any time, so it asks for nothing. “Delete it on Friday” does, because no plan has a date.

use std::collections::BTreeSet;
use std::ops::Range;

use super::{Words, is_negation, lists};

/// Verbs for tearing down, by their beginnings.
const TEARING: &str = "delete destroy remove dismantle wipe lösch abreiß abbau wegwerf borr \
    elimin destru suprim supprim détrui";

/// Words by which the users do that themselves, or may: “we'll delete it”, “you can delete it”.
const OURSELVES: &str = "we we'll i i'll wir ich nous on je can may könn kann können darf podéis \
    puedes pueden puede podremos podemos pourrez pourrons pouvez peut pourra";

/// The first person of these verbs in Spanish, which needs no pronoun.
const SPANISH: &str = "destruimos destruiremos borramos borraremos eliminamos eliminaremos destruiré borraré eliminaré";

/// Words for the end of the project, or of a time.
const LATER: &str = "later after afterwards when once in end später danach wenn nach ende \
    después luego cuando tras dentro en fin final finales après quand dans plus";

/// Words for all that is built; everything else that is deleted is a thing of its own.
const ALL: &str = "it everything all server servers vps machine instance whole them that es \
    alles das ihn sie ganze todo lo la los las tout le les l' la this thing demo";

/// Things that a plan may delete.
const THINGS: &str = "log logs data dump dumps backup backups copy copies file files user users \
    old password root account database db metrics snapshots";

impl Words {
    /// The message without the clauses by which the users say that they will tear everything down.
    pub fn without_farewells(self) -> Words {
        let word = |at: usize, list: &str| {
            let (said, _) = self.said(at);
            lists(list, &self.values[at]) || said.split(' ').any(|said| lists(list, said))
        };
        let tears = |at: usize| {
            let (said, _) = self.said(at);
            let begins =
                |start: &str| said.starts_with(start) || self.values[at].starts_with(start);
            TEARING.split_ascii_whitespace().any(begins)
        };
        let parts = |clause: Range<usize>| {
            let has = |list: &str| clause.clone().any(|at| word(at, list));
            let fits = clause.clone().any(tears)
                && (has(OURSELVES) || has(SPANISH))
                && has(LATER)
                && has(ALL)
                && !has(THINGS)
                && !clause.clone().any(|at| is_negation(&self.values[at]) && !tears(at));
            fits.then_some(clause)
        };
        let gone: BTreeSet<usize> =
            self.clauses().into_iter().filter_map(parts).flatten().collect();
        if gone.is_empty() { self } else { self.without(&gone) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_later_tear_down_by_the_users_asks_for_nothing() {
        for text in [
            "a vps, we'll delete it in two weeks",
            "a vps. You can destroy everything when the demo is over",
            "a vps. Löschen können wir das später",
            "a vps. Vous pourrez la supprimer à la fin du mois",
            "a vps, y la destruimos en dos semanas",
        ] {
            assert_eq!(Words::of(text).without_farewells().values.join(" "), "a vps", "{text}");
        }
        for text in [
            "we delete the logs after 14 days",
            "delete it on friday",
            "we can't delete it later",
            "you can remove redis when you are done",
        ] {
            let words = Words::of(text);
            assert_eq!(words.clone().without_farewells().count(), words.count(), "{text}");
        }
    }
}
