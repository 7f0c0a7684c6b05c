//! Recognizes numbers that a word behind "code" shows to be harmless: "le code postal est 75013", "código de error: 1045".

use super::Place;
use crate::words::{folded, lists};

/// Words for a code in the Romance languages, where what kind of code it is comes behind them.
const CODES: &str = "code codigo codice codi";
/// Links between the two.
const LINKS: &str = "de del du d di do da della dello of";
/// What codes are harmless, folded.
const KINDS: &str = "postal postale postaux avviamento erreur error errore erro retour retorno ritorno salida uscita sortie saida statut estado stato \
     pays pais paese region produit producto prodotto produto client cliente barres barras barre promo promotion promocional \
     source fuente fonte fiscal fiscale article articulo articolo artigo iban swift bic naf ape insee http";
/// The most words of the clause that are read.
const WORDS: usize = 24;

/// Whether a value is such a number.
pub(super) fn is_other_code(place: &Place<'_>) -> bool {
    let Place { value, before, .. } = *place;
    // Most finds end here.
    if !value.bytes().all(|b| b.is_ascii_digit()) {
        return false;
    }
    let clause = before.rsplit(['.', ';', ',', '!', '?']).next().unwrap_or_default();
    let words = clause.split([' ', '\'', '’', ':']).filter(|word| !word.is_empty()).take(WORDS);
    let mut words = words.map(folded).skip_while(|word| !lists(CODES, word)).skip(1);
    words.find(|word| !lists(LINKS, word)).is_some_and(|word| lists(KINDS, &word))
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn what_is_behind_the_word_for_a_code_says_which_it_is() {
        for text in [
            "le code postal du datacenter est 75013",
            "le code d'erreur est 75013",
            "il codice di avviamento postale è 20121",
            "el código de error es 28013",
        ] {
            assert_eq!(redacted(text), text);
        }
        seals(&[
            ("le code du portail est 75013", &["75013"]),
            ("code postal 75011, code du portail : 4821", &["4821"]),
        ]);
    }
}
