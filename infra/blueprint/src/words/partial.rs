//! Whether a message rules something out for only one of several servers: “no fail2ban on the one in Helsinki”.

use super::Words;

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
        for text in ["no fail2ban", "a server in helsinki without fail2ban", "fail2ban on the first"] {
            assert!(!Words::of(text).excludes_for_one("fail2ban"), "{text}");
        }
    }
}
