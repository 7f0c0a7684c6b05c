//! Negations with a limit: of one version, at some times, or for only one of several servers; and answers that turn down
//! what a question named.

use super::{BREAK, Words, same};

/// Words for times at which something does not happen.
const TIMES: &str = "day night nighttime weekend weekday workday monday tuesday wednesday thursday friday saturday \
                     sunday morning noon evening midnight hour holiday vacation month am pm o'clock";

/// Phrases for one of several, in all languages.
const ONE_OF_THEM: &[&str] = &[
    "the one in",
    "the one at",
    "the first",
    "the second",
    "the third",
    "the latter",
    "the former",
    "dem in",
    "der in",
    "dem ersten",
    "dem zweiten",
    "dem dritten",
    "beim ersten",
    "beim zweiten",
    "le premier",
    "le second",
    "le deuxième",
    "celui de",
    "celui à",
    "celui d'",
    "el primero",
    "el segundo",
    "el primer",
    "el de",
    "la de",
    "one of them",
    "einem von",
    "einem davon",
    "uno de",
    "un de",
    "l'un des",
];

impl Words {
    /// Whether a version follows: “no TLS 1.0” rules out one version of TLS.
    pub(super) fn is_one_version(&self, last: usize) -> bool {
        const DOTS: usize = 3;
        let next = self.plain.get(last + 1).map_or("", String::as_str);
        let dots = next.matches('.').count();
        (1..DOTS).contains(&dots) && next.split('.').all(is_short_number)
    }

    /// Whether the answer to a question turns it down: “MySQL? No thanks”.
    pub(super) fn is_turned_down(&self, last: usize) -> bool {
        const THANKS: &[&str] = &[BREAK, "thanks", "thank", "danke", "gracias", "merci"];
        if !self.tokens.get(self.origins[last]).is_some_and(|token| token.asks) {
            return false;
        }
        let after = self.plain[last + 1..].iter().map(String::as_str);
        let answer: Vec<&str> = after.skip_while(|word| *word == BREAK).take(2).collect();
        let [no, rest @ ..] = answer.as_slice() else { return false };
        ["no", "nope", "nein", "non", "nee", "never"].contains(no)
            && rest.first().is_none_or(|next| THANKS.contains(next))
    }

    /// Whether every negation of the phrase applies only at some times: “no alerts at night”.
    pub fn excludes_at_times(&self, phrase: &str) -> bool {
        let last = phrase.split_ascii_whitespace().count().saturating_sub(1);
        let timed = |first: usize| {
            let within = |word: &&str| *word != BREAK;
            let before = self.plain[..first].iter().rev().map(String::as_str);
            let after = self.plain[first + last + 1..].iter().map(String::as_str);
            let mut clause = before.take_while(within).chain(after.take_while(within));
            clause.any(|word| TIMES.split_ascii_whitespace().any(|time| same(time, word)))
        };
        self.excludes(phrase) && self.occurrences(phrase).all(timed)
    }

    /// Whether each negation of the phrase is about one of several.
    pub fn excludes_for_one(&self, phrase: &str) -> bool {
        let for_one = |first: usize| {
            let clause = self.clause(self.origin(first));
            let said: Vec<&str> = clause.map(|at| self.values[at].as_str()).collect();
            let said = format!(" {} ", said.join(" "));
            ONE_OF_THEM.iter().any(|one| said.contains(&format!(" {one} ")))
        };
        self.excludes(phrase) && self.occurrences(phrase).all(for_one)
    }
}

/// Whether this is a part of a version: “1” and “13” of “1.13”.
fn is_short_number(part: &str) -> bool {
    (1..=2).contains(&part.len()) && part.chars().all(|c| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_negation_may_be_about_one_of_several() {
        for text in [
            "two servers, no fail2ban on the one in helsinki",
            "on the second no fail2ban please",
            "auf dem in helsinki bitte no fail2ban",
            "no fail2ban sur le premier",
        ] {
            assert!(Words::of(text).excludes_for_one("fail2ban"), "{text}");
        }
        for text in
            ["no fail2ban", "a server in helsinki without fail2ban", "fail2ban on the first"]
        {
            assert!(!Words::of(text).excludes_for_one("fail2ban"), "{text}");
        }
    }

    #[test]
    fn a_negation_may_apply_only_at_some_times() {
        for text in [
            "on weekends no backups",
            "no backups on weekends",
            "backups not at night",
            "no nightly backups by day",
        ] {
            assert!(Words::of(text).excludes_at_times("backup"), "{text}");
        }
        for text in ["no nightly backups", "backups on weekends", "no backups. Alerts at night"] {
            assert!(!Words::of(text).excludes_at_times("backup"), "{text}");
        }
    }

    #[test]
    fn an_answer_may_turn_down_what_its_question_named() {
        assert!(Words::of("MySQL? No thanks").excludes("mysql"));
        assert!(Words::of("MySQL? No, never").excludes("mysql"));
        assert!(Words::of("MySQL? No Redis please").means("mysql"));
    }

    #[test]
    fn ruling_out_one_version_does_not_rule_out_the_product() {
        assert!(Words::of("no tls 1.0").means("tls"));
        assert!(Words::of("no tls at all").excludes("tls"));
    }
}
