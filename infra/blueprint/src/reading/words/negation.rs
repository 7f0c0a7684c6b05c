//! Whether a message rules something out: before it (“no Redis”) or after it (“Redis is not needed”).
//!
//! The words of all languages are here, because users mix them and a translation keeps many as they are.

use super::{BREAK, Words, same};

/// Words that negate what follows, or what stands before them at the end of a clause.
const NEGATIONS: &[&str] = &[
    "not",
    "no",
    "without",
    "don't",
    "dont",
    "doesn't",
    "doesnt",
    "never",
    "isn't",
    "aren't",
    "neither",
    "nor",
    "none",
    "nothing",
    "nobody",
    "ohne",
    "kein",
    "keine",
    "keinen",
    "keiner",
    "keines",
    "keinerlei",
    "nicht",
    "nichts",
    "nie",
    "niemals",
    "weder",
    "sin",
    "nada",
    "ni",
    "nunca",
    "jamás",
    "ningún",
    "ninguna",
    "ninguno",
    "tampoco",
    "sans",
    "pas",
    "rien",
    "aucun",
    "aucune",
    "jamais",
    "non",
];

/// Verbs that give up what follows.
const GIVING_UP: &[&str] =
    &["skip", "forget", "scrap", "ditch", "drop", "exclude", "excluding", "except", "avoid"];

/// Words after something that say by themselves that it is not wanted.
const NOT_NEEDED: &[&str] = &[
    "unnecessary",
    "weg",
    "raus",
    "fuera",
    "unneeded",
    "unwanted",
    "überflüssig",
    "unnötig",
    "innecesario",
    "innecesaria",
    "superflu",
    "superflue",
    "inutile",
];

/// How many words before a cue a negation may be: “not on an EC2 …”.
const BEFORE_REACH: usize = 4;

/// How many words after a cue a negation may be: “backups are really not needed”.
const AFTER_REACH: usize = 5;

/// Words between something and the negation after it.
const BETWEEN: &str = "is are was do does i we you it that they should shall will would can may must be need needs want really \
                       actually still also please anymore then so yes after all \
                       wieder kann können ich wir brauche brauchen brauchst braucht benötige benötigen will wollen möchte möchten ist \
                       sind soll sollen wird werden es das doch bitte dann jetzt aber eigentlich mir uns \
                       lo la los las ya al final es son mejor me nos \
                       n'est ne n'en est sont en on il je j'en finalement c'est";

/// Words after a negation that belong to it, and do not begin something that it rules out.
const BELONGING: &str = "needed required necessary wanted need want use used anymore any more longer please thanks at \
                         all either allowed permitted possible installed nötig notwendig erforderlich gewünscht \
                         mehr bitte brauche brauchen benötigt gebraucht danke überhaupt sein werden haben erlaubt \
                         necesario necesaria necesarios necesarias hace hacen falta gracias quiero necesito \
                         nécessaire nécessaires besoin merci plus du tout and or but with";

/// Things that users ask for by ruling them out. Their negation does not reach further: “no root login and a firewall”.
const TURNED_DOWN: &[&str] = &["root", "password", "superuser"];

/// Words before which a negation ends: “no Redis but RabbitMQ”, “ohne Redis und mit RabbitMQ”.
const ENDING: &[&str] = &[BREAK, "but", "with", "prefer", "sondern", "sino"];

/// Whether a word negates.
pub fn is_negation(word: &str) -> bool {
    NEGATIONS.contains(&word) || GIVING_UP.contains(&word)
}

fn lists(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|listed| listed == word)
}

impl Words {
    /// Whether what stands between two positions is ruled out.
    pub(super) fn negated(&self, first: usize, last: usize) -> bool {
        self.negated_before(first) || self.negated_after(last)
    }

    fn negated_before(&self, position: usize) -> bool {
        let clause: Vec<&str> = self.plain[..position]
            .iter()
            .rev()
            .take(BEFORE_REACH)
            .map(String::as_str)
            .take_while(|word| !ENDING.contains(word))
            .collect();
        let pair = |first, second| clause.windows(2).any(|words| words == [second, first]);
        // “not only Redis” asks for Redis.
        let negates = |at: usize| {
            let next = at.checked_sub(1).and_then(|at| clause.get(at));
            is_negation(clause[at]) && next.is_none_or(|next| !["only", "just"].contains(next))
        };
        let negation = (0..clause.len()).find(|at| negates(*at));
        // The words in between are what the negation is about.
        let mut between = clause.iter().take(negation.unwrap_or_default());
        let spent = between.any(|word| TURNED_DOWN.iter().any(|down| same(down, word)));
        (!spent && negation.is_some()) || pair("instead", "of") || pair("rather", "than")
    }

    /// “backups are not needed”, “Redis brauche ich nicht”: but not “MySQL not PostgreSQL”.
    fn negated_after(&self, position: usize) -> bool {
        let after = self.plain.get(position + 1..).unwrap_or_default().iter().map(String::as_str);
        let clause: Vec<&str> = after.take_while(|word| *word != BREAK).collect();
        let within = clause.len().min(AFTER_REACH);
        let negation = clause[..within].iter().position(|word| !lists(BETWEEN, word));
        let Some(at) = negation else { return false };
        if NOT_NEEDED.contains(&clause[at]) {
            return true;
        }
        NEGATIONS.contains(&clause[at])
            && clause.get(at + 1).is_none_or(|next| lists(BELONGING, next))
    }

    /// Whether a phrase is ruled out as a whole: “no SSH”, but not “no SSH passwords”.
    pub fn excludes_whole(&self, phrase: &str) -> bool {
        let last = phrase.split_whitespace().count();
        let whole = |first: usize| {
            let next = self.plain.get(first + last).map(String::as_str);
            next.is_none_or(|next| {
                next == BREAK || next == "access" || lists(BELONGING, next) || lists(BETWEEN, next)
            })
        };
        self.excludes(phrase)
            && self.occurrences(phrase).any(|first| whole(first) || self.negated_after(first))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_negation_may_follow() {
        for text in [
            "backups are not needed",
            "backups brauche ich not",
            "backups doch not",
            "postgres, backups no hacen falta",
            "backups not",
            "please skip the backups",
            "nothing about backups",
        ] {
            assert!(Words::of(text).excludes("backup"), "{text}");
        }
        for text in [
            "backups not dumps",
            "not only backups",
            "no redis but backups",
            "without redis and with backups",
            "backups, not redis",
        ] {
            assert!(Words::of(text).means("backup"), "{text}");
        }
    }

    #[test]
    fn a_whole_is_ruled_out_but_not_what_belongs_to_it() {
        assert!(Words::of("not even ssh, please").excludes_whole("ssh"));
        assert!(!Words::of("no ssh passwords").excludes_whole("ssh"));
    }
}
