//! Lists under a label that says what they are: “Out of scope: Kubernetes, autoscaling” asks for none of it, and
//! “Existing services: MySQL, nginx” says what there is already.

use std::collections::BTreeSet;
use std::ops::Range;

use super::Words;

/// Labels of lists of what is not wanted, in the user's own words.
const UNWANTED: &[&str] = &[
    "out of scope",
    "not in scope",
    "not included",
    "excluded",
    "not needed",
    "not wanted",
    "nicht im umfang",
    "außerhalb des umfangs",
    "nicht enthalten",
    "nicht gewünscht",
    "nicht nötig",
    "ausgeschlossen",
    "fuera de alcance",
    "fuera del alcance",
    "no incluido",
    "no incluye",
    "excluido",
    "hors périmètre",
    "hors du périmètre",
    "hors scope",
    "non inclus",
    "exclus",
];

/// First words of a label of a list of what there is already, and the most words of such a label.
const EXISTING: &[&str] = &[
    "existing",
    "already there",
    "already running",
    "already installed",
    "bestehende",
    "bestehendes",
    "vorhandene",
    "vorhandenes",
    "bereits vorhanden",
    "läuft schon",
    "existente",
    "existentes",
    "ya instalado",
    "ya existe",
    "existant",
    "existants",
    "déjà en place",
    "déjà installé",
];
const LABEL_WORDS: usize = 3;

impl Words {
    /// The message without the lists under such labels, and each thing of a list of what is not wanted.
    pub fn without_labeled(self) -> (Words, Vec<String>) {
        let mut gone = self.existing();
        let mut unwanted = Vec::new();
        for sentence in self.sentences() {
            let listed = self.label(&sentence).filter(|(label, _)| UNWANTED.contains(&&**label));
            if let Some((_, list)) = listed {
                unwanted.extend(self.things(list));
                gone.extend(sentence);
            }
        }
        if gone.is_empty() { (self, unwanted) } else { (self.without(&gone), unwanted) }
    }

    /// Positions of the sentences that list what there is already.
    pub fn existing(&self) -> BTreeSet<usize> {
        let sentences = self.sentences().into_iter();
        let lists = |sentence: &Range<usize>| {
            self.label(sentence).is_some_and(|(label, _)| {
                let said = format!(" {label} ");
                EXISTING.iter().any(|word| said.contains(&format!(" {word} ")))
            })
        };
        sentences.filter(lists).flatten().collect()
    }

    /// The label at the beginning of a sentence, in the user's own words, and the list behind its colon.
    fn label(&self, sentence: &Range<usize>) -> Option<(String, Range<usize>)> {
        // The text may be a translation, in which the label's last word is another one.
        let text = self.text().to_lowercase();
        let colon = |word: &str| {
            let blanks = ["", " ", "\u{a0}", "\u{202f}"];
            blanks.iter().any(|blank| text.contains(&format!("{word}{blank}:")))
        };
        let most = sentence.end.min(sentence.start + LABEL_WORDS);
        (sentence.start + 1..=most).find_map(|end| {
            let label = self.said_in(sentence.start..end).to_lowercase();
            let last = [self.values[end - 1].to_lowercase(), self.said(end - 1).0.to_lowercase()];
            let signed = last.iter().any(|last| colon(last));
            (signed && end < sentence.end).then_some((label, end..sentence.end))
        })
    }

    /// The things of a list, in the user's own words.
    fn things(&self, list: Range<usize>) -> Vec<String> {
        let mut things = Vec::new();
        let mut at = list.start;
        while at < list.end {
            let end = self.clause(at).end.min(list.end);
            things.push(self.said_in(at..end).to_lowercase());
            at = end;
        }
        things
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (String, Vec<String>) {
        let (words, unwanted) = Words::of(text).without_labeled();
        (words.values().collect::<Vec<_>>().join(" "), unwanted)
    }

    #[test]
    fn a_list_of_what_is_out_of_scope_is_not_wanted() {
        let (rest, unwanted) = read("A VPS with MySQL. Out of scope: Kubernetes, multi-region.");
        assert!(!rest.contains("kubernetes") && rest.contains("mysql"), "{rest}");
        assert_eq!(unwanted, ["kubernetes", "multi-region"]);
        let (rest, unwanted) = read("Fuera de alcance: Kubernetes, autoescalado. Un VPS");
        assert!(!rest.contains("kubernetes"), "{rest}");
        assert_eq!(unwanted, ["kubernetes", "autoescalado"]);
        let (rest, _) = read("Kubernetes is not out of scope, a VPS");
        assert!(rest.contains("kubernetes"), "{rest}");
    }

    #[test]
    fn a_list_of_what_exists_asks_for_nothing() {
        let (rest, unwanted) = read("Existing services: Ghost, MySQL. Deploy an API with Redis");
        assert!(!rest.contains("mysql") && rest.contains("redis"), "{rest}");
        assert!(unwanted.is_empty());
        let (rest, _) = read("The existing MySQL stays, with Redis");
        assert!(rest.contains("mysql"), "{rest}");
    }
}
