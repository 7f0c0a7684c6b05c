//! Recognizes words of forms: fields, pages, buttons.

use crate::words::lists;
use std::ops::Range;

/// Whether a word belongs to a form and is not a secret: "il campo password è rosso", a button below the labels,
/// "GitHub2FA".
pub(super) fn is_of_form(text: &str, span: &Range<usize>) -> bool {
    const PAGES: &str = "campo pagina página champ pole strona feld veld formulario formulaire modulo maschera casella casilla \
         schermata pantalla écran tela ekran bouton botón bottone botão przycisk";
    const IS: [&str; 9] = ["è", "e'", "es", "est", "é", "ist", "jest", "is", "in"];
    const CLAUSE_BYTES: usize = 48;
    const WORDS: usize = 6;
    const BUTTONS: &str = "submit cancel save absenden abbrechen speichern enviar guardar envoyer annuler invia annulla \
         verzenden annuleren";
    let Some(value) = text.get(span.clone()) else { return false };
    if value.ends_with("2FA") {
        return true;
    }
    if text[..span.start].ends_with(":\n") && lists(BUTTONS, &value.to_lowercase()) {
        return true;
    }
    if !value.chars().all(char::is_lowercase) {
        return false;
    }
    let from = text.floor_char_boundary(span.start.saturating_sub(CLAUSE_BYTES));
    let before = text[from..span.start].to_lowercase();
    let clause = before.rsplit(['\n', '.', ',', ':']).next().unwrap_or_default();
    let mut words = clause.split_whitespace().rev();
    words.next().is_some_and(|word| IS.contains(&word))
        && words.take(WORDS).any(|word| lists(PAGES, word))
}
