//! Whether a message rules something out: before it (“no Redis”) or after it (“Redis is not needed”).
//!
//! The lists hold words of all languages, because users mix languages and the translation keeps many words as they are.

use super::language::Weight;
use super::{BREAK, Words, lists, mind, same};

/// Words that negate what follows, or what precedes them at the end of a clause.
const NEGATIONS: &[&str] = &[
    "not",
    "no",
    "without",
    "don't",
    "dont",
    "doesn't",
    "doesnt",
    "didn't",
    "can't",
    "cant",
    "cannot",
    "won't",
    "wont",
    "wouldn't",
    "shouldn't",
    "shouldnt",
    "mustn't",
    "mustnt",
    "needn't",
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
    "keins",
    "keinerlei",
    "keinem",
    "niemand",
    "nicht",
    "nich",
    "nix",
    "nichts",
    "nie",
    "niemals",
    "weder",
    "sin",
    "nada",
    "ni",
    "nunca",
    "nadie",
    "jamás",
    "ningún",
    "ninguna",
    "ninguno",
    "tampoco",
    "sans",
    "pas",
    "rien",
    "personne",
    "aucun",
    "aucune",
    "jamais",
    "non",
];

/// Verbs by which a user gives up what follows.
const GIVING_UP: &[&str] = &[
    "skip",
    "stop",
    "forget",
    "scrap",
    "ditch",
    "kill",
    "nuke",
    "axe",
    "drop",
    "exclude",
    "excluding",
    "except",
    "avoid",
    "omit",
    "remove",
    "uninstall",
    "disable",
    "deactivate",
];

/// Verbs by which a user gives up what is between them and one of [`OUT`]: “leave Redis out”.
const LEAVING: &[&str] =
    &["leave", "take", "throw", "kick", "pull", "strip", "cut", "turn", "switch"];

const OUT: &[&str] = &["out", "off", "away", "aside"];

/// Words after a thing that already say that it is not wanted, without a negation.
const NOT_NEEDED: &str = "unnecessary disabled deactivated weg raus fuera gone obsolete unneeded \
     unwanted overkill übertrieben excesivo excessif démesuré wrong falsch überflüssig unnötig innecesario innecesaria superflu superflue inutile";

/// Words for an exception, and how far before it is what it excepts from.
pub(super) const EXCEPTING: &[&str] = &["except", "excluding"];
const EXCEPTION_REACH: usize = 12;

/// Words that shut out what is not excepted.
const SHUT: &[&str] = &["close", "closed", "blocked", "forbidden", "denied"];

/// How many words before a cue a negation may be: “not on an EC2 …”.
pub(super) const BEFORE_REACH: usize = 4;

/// How many words after a cue a negation may be: “backups are really not needed”.
const AFTER_REACH: usize = 5;

/// Words between a thing and a negation after it.
const BETWEEN: &str = "stays stay remains bleibt bleiben reste restent queda quedan sigue siguen for now erstmal first is are was do does i we you it that they should shall will would can may must be need needs want really \
                       actually still also please anymore then so yes after all \
                       wieder lass lasst laßt kann können ich wir brauche brauchen brauchst braucht benötige benötigen will wollen möchte möchten ist \
                       sind soll sollen wird werden es das doch bitte dann jetzt aber eigentlich mir uns \
                       lo la los las ya al final es son mejor me nos \
                       convient conviennent plaît plaisent passt passen eignet eignen sich hab habe haben tengo tenemos ai avons have \
                       intern internally für us for pour para surtout vraiment absolument really definitely absolutely certainly unbedingt definitiv \
                       n'est ne n'en est sont en on il je j'en finalement c'est";

/// Words after a negation that belong to it and do not begin what it rules out.
const BELONGING: &str = "needed required necessary wanted need want use used anymore more longer please thanks at \
                         all either then allowed permitted possible installed nötig notwendig erforderlich gewünscht \
                         mehr bitte wir brauche brauchen benötigt gebraucht danke überhaupt sein werden haben erlaubt installiert \
                         instales instalen pongas pongan montes monten uses usamos necesario necesaria necesarios necesarias hace hacen falta gracias quiero necesito \
                         suit suits fit convence convencen sirve sirven gusta gustan encaja conviene \
                         nécessaire nécessaires besoin merci plus du tout and or but with quiere queremos quieren";

/// Words between a negation after a thing and the verb: “Redis no lo quiero”.
const PRONOUNS: &[&str] = &["lo", "la", "los", "las", "nos", "me"];

/// Words after “not be” that rule something out.
const FITTING: &str =
    "ok okay fine good needed used installed included there necessary acceptable allowed";

/// Things that users ask for with a negation, which does not extend further: “no root login and a firewall”.
const TURNED_DOWN: &[&str] =
    &["root", "password", "superuser", "www", "downtime", "outage", "interruption"];

/// Words that end the reach of a negation: “no Redis but RabbitMQ”, “ohne Redis und mit RabbitMQ”.
const ENDING: &[&str] = &[BREAK, "but", "with", "prefer", "sondern", "sino", "add", "install"];

/// Imperatives that begin another wish after what a negation rules out: “no Redis use RabbitMQ”, “kein Redis nimm
/// RabbitMQ”.
const ASKING: &str = "use take put nimm nehmt nehmen verwende verwendet nutze usa usad usen pon \
    poned utilise utilisez prends prenez \
    mets mettez";

/// Words after which “but” rules out what follows: “anything but Redis”.
const ANYTHING: &str = "anything everything all alles todo tout";

/// Words that begin another thing. “instead of” rules out only one thing: “X instead of Y and Z”.
const JOINING: &[&str] = &["and", "or", "with", "for"];

/// Whether a word is a negation.
pub fn is_negation(word: &str) -> bool {
    NEGATIONS.contains(&word) || GIVING_UP.contains(&word)
}

/// Whether a word is a verb by which a user gives up what follows.
pub fn gives_up(word: &str) -> bool {
    GIVING_UP.contains(&word)
}

/// Whether a word rules out what is beside it, before or after it: “no”, “remove”, “weg”.
pub fn denies(word: &str) -> bool {
    is_negation(word) || is_not_needed(word)
}

/// Whether a word says of what precedes that it is not wanted: “disabled”, “weg”.
pub(super) fn is_not_needed(word: &str) -> bool {
    lists(NOT_NEEDED, word)
}

impl Words {
    /// Whether the words between two positions are ruled out. A negation of one version does not rule out the thing: “no TLS 1.0”.
    pub(super) fn negated(&self, first: usize, last: usize) -> bool {
        if self.is_one_version(last) {
            return false;
        }
        self.is_turned_down(last)
            || self.negated_before(first, last)
            || self.has_nothing_to_do_with(first)
            || self.negated_after(last)
            || self.left_out(first, last)
    }

    fn negated_before(&self, position: usize, last: usize) -> bool {
        let before = self.plain[..position].iter().rev().map(String::as_str);
        let before: Vec<&str> = before.take(BEFORE_REACH).collect();
        // “not with Redis”: a word right after the negation does not end its reach.
        // “Anything but Redis”
        let anything_but = |at: usize| {
            before[at] == "but" && before.get(at + 1).is_some_and(|word| lists(ANYTHING, word))
        };
        let asks = |at: usize| {
            let thing = before.get(at + 1).is_some_and(|word| !is_negation(word));
            let full = || self.weighs(self.origin(position - at - 2)) == Weight::Full;
            thing && lists(ASKING, before[at]) && full()
        };
        let ends = |at: usize| {
            let negated = before.get(at + 1).is_some_and(|word| is_negation(word));
            let negated = negated || anything_but(at);
            before[at] == BREAK
                || (ENDING.contains(&before[at]) && !negated)
                || self.allows(position - at - 1)
                || asks(at)
        };
        let length = (0..before.len()).find(|at| ends(*at)).unwrap_or(before.len());
        let clause = &before[..length];
        let pair = |first, second| {
            let place = clause.windows(2).position(|words| words == [second, first]);
            place.is_some_and(|at| !clause[..at].iter().any(|word| JOINING.contains(word)))
        };
        // “not only Redis” and “don't forget Redis” ask for Redis.
        let negates = |at: usize| {
            let next = at.checked_sub(1).and_then(|at| clause.get(at));
            let undone = GIVING_UP.contains(&clause[at])
                && clause.get(at + 1).is_some_and(|before| is_negation(before));
            let undoes = |next: &&&str| mind::undoes(clause[at], next);
            // “Docker mag ich nicht, und Swap”, “das brauche ich nicht und Swap” and “nothing else and Swap”
            let closed = next.is_some_and(|next| ["and", "y", "et", "und", "else"].contains(next));
            is_negation(clause[at])
                && !closed
                && !undone
                && !next.is_some_and(|next| undoes(&next))
                && !self.denies_a_statement(position - at - 1, position..last + 1)
        };
        let negation = (0..clause.len()).find(|at| negates(*at));
        // If one of `TURNED_DOWN` is in between, the negation applies only to that.
        let mut between = clause.iter().take(negation.unwrap_or_default());
        let spent = between.any(|word| TURNED_DOWN.iter().any(|down| same(down, word)));
        // “Sans Celery ni Redis PostgreSQL ok”: “ni” rules out the noun after it.
        let noun = |at: usize| self.weighs(self.origin(position - at - 1)) == Weight::Full;
        let ni = negation.filter(|at| clause[*at] == "ni");
        let spent = spent || ni.is_some_and(|ni| (0..ni).any(noun));
        (!spent && negation.is_some())
            || (0..clause.len()).any(anything_but)
            || pair("instead", "of")
            || pair("rather", "than")
            || pair("turn", "off")
            || pair("switch", "off")
    }

    /// Whether the word excepts from something that is ruled out, so that what follows is wanted: “not reachable except
    /// over SSH”, “everything closed except 443”.
    fn allows(&self, at: usize) -> bool {
        let before = self.plain[..at].iter().rev().map(String::as_str).take(EXCEPTION_REACH);
        EXCEPTING.contains(&self.plain[at].as_str())
            && before.into_iter().any(|word| {
                (is_negation(word) && !EXCEPTING.contains(&word)) || SHUT.contains(&word)
            })
    }

    /// Whether a negation follows: “backups are not needed”, “Redis brauche ich nicht”, but not “MySQL not PostgreSQL”.
    fn negated_after(&self, position: usize) -> bool {
        let after = self.plain.get(position + 1..).unwrap_or_default().iter().map(String::as_str);
        let clause: Vec<&str> = after.take_while(|word| *word != BREAK).collect();
        let within = clause.len().min(AFTER_REACH);
        let negation = clause[..within].iter().position(|word| !lists(BETWEEN, word));
        if self.dropped_next(position, position + 1 + clause.len()) {
            return true;
        }
        // “FTP without its S, under no circumstances”
        let never = |phrase: &[&str]| clause.ends_with(phrase);
        if never(&["not", "at", "all"]) || never(&["under", "no", "circumstances"]) {
            return true;
        }
        let Some(at) = negation else { return false };
        // “Grafana fuera del clúster” says where.
        let outside = clause[at] == "fuera"
            && clause.get(at + 1).is_some_and(|next| ["de", "del", "of"].contains(next));
        if lists(NOT_NEEDED, clause[at]) && !outside
            || clause[at..].starts_with(&["leave", "it", "out"])
            || self.turned_off(&clause[at..])
        {
            return true;
        }
        // “Redis would not be ok”, but not “Redis must not be exposed”.
        let unfit = |at: usize| {
            clause.get(at + 1) == Some(&"be")
                && clause.get(at + 2).is_none_or(|next| lists(FITTING, next))
        };
        let closes = |at: usize| {
            let any = clause.get(at + 1) == Some(&"any")
                && clause.get(at + 2).is_none_or(|next| ["more", "longer"].contains(next));
            let next = clause.get(at + 1);
            let next = next.filter(|next| !PRONOUNS.contains(next)).or(clause.get(at + 2));
            any || unfit(at) || next.is_none_or(|next| lists(BELONGING, next))
        };
        // “The database no longer lies on our PC”, in German with the verb at the end
        let moved = ["mehr", "more", "longer"].iter().any(|more| clause.get(at + 1) == Some(more))
            && clause.last().is_some_and(|verb| ["liegt", "steht", "läuft"].contains(verb));
        if moved
            && clause.get(at + 2).is_some_and(|place| ["on", "in", "auf", "bei"].contains(place))
        {
            return false;
        }
        // “Redis can go”
        let goes =
            clause[at] == "go" && at > 0 && ["can", "may", "should"].contains(&clause[at - 1]);
        (is_negation(clause[at]) || goes) && closes(at)
    }

    /// Whether these words after a thing switch it off: “Traefik turned off”, but not “the server switched off at night”.
    fn turned_off(&self, after: &[&str]) -> bool {
        let (["turned" | "switched", "off", rest @ ..] | ["off" | "aus", rest @ ..]) = after else {
            return false;
        };
        rest.first().is_none_or(|next| lists(BELONGING, next) || *next == "because")
    }

    /// Whether a verb leaves it out: “leave Redis out”, “take it off again”.
    fn left_out(&self, first: usize, last: usize) -> bool {
        let within = |word: &&str| *word != BREAK;
        let mut before = self.plain[..first].iter().rev().map(String::as_str).take_while(within);
        let leaving = before.by_ref().take(BEFORE_REACH).any(|word| LEAVING.contains(&word));
        let after = self.plain.get(last + 1..).unwrap_or_default().iter().map(String::as_str);
        let after: Vec<&str> = after.take_while(within).collect();
        let out = after.first().is_some_and(|word| OUT.contains(word));
        leaving && out && after.get(1).is_none_or(|next| lists(BELONGING, next) || *next == "again")
    }

    /// Whether a negation right before the word rules it out and no noun follows: “without a server”, but not “no
    /// server room”.
    pub fn rules_out_right_before(&self, word: &str) -> bool {
        let right_before = |first: usize| {
            let mut before = self.plain[..first].iter().rev().map(String::as_str);
            let before =
                before.find(|word| !["a", "an", "any", "un", "une", "einen"].contains(word));
            before.is_some_and(|word| ["no", "without", "ohne", "sin", "sans"].contains(&word))
        };
        let whole = |first: usize| {
            let next = self.plain.get(first + 1).map(String::as_str);
            next.is_none_or(|next| next == BREAK || lists(BELONGING, next))
        };
        self.excludes(word) && self.occurrences(word).any(|at| right_before(at) && whole(at))
    }

    /// Whether a phrase is ruled out as a whole: “no SSH”, but not “no SSH passwords”.
    pub fn excludes_whole(&self, phrase: &str) -> bool {
        let last = phrase.split_ascii_whitespace().count();
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
mod tests;
