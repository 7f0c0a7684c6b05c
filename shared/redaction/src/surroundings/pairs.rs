//! Recognizes pairs with a slash between them that are not a user and a password: rights, and places with a network.

use super::Place;
use crate::words::lists;

/// What somebody may do with files and data.
const RIGHTS: &str = "read write execute lesen schreiben ausführen lesend schreibend lectura escritura ejecución lecture écriture \
     exécution lettura scrittura esecuzione leitura escrita execução";
/// Places after which people name networks.
const VENUES: &str = "restaurant cafe café bar hotel lobby reception office warehouse workshop kitchen lounge conference meeting classroom \
     library garage garden terrace showroom büro werkstatt küche empfang besprechung restaurante oficina almacén cocina taller recepción \
     bureau entrepôt cuisine atelier accueil ristorante ufficio magazzino cucina officina escritório armazém cozinha receção";
/// The shortest key of a wireless network, in bytes, as its standard requires it.
const KEY_BYTES: usize = 8;

/// Whether a value is the second of such a pair.
pub(super) fn is_of_pair(place: &Place<'_>) -> bool {
    let Place { value, before, .. } = *place;
    let Some(first) = before.trim_end().strip_suffix('/') else { return false };
    let value = value.trim_end_matches(['.', ',', '!', '?']);
    if !value.chars().all(char::is_alphabetic) {
        return false;
    }
    let first = first.trim_end();
    let word = first.rsplit([' ', ':', '=', '(']).next().unwrap_or_default().to_lowercase();
    let lower = value.to_lowercase();
    if lists(RIGHTS, &lower) && lists(RIGHTS, &word) {
        return true;
    }
    let label = first.split(':').next().unwrap_or_default().to_lowercase();
    let network = ["wifi", "wi-fi", "wlan", "ssid"].iter().any(|known| label.contains(known));
    network && (lists(VENUES, &lower) || value.len() < KEY_BYTES)
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn rights_and_places_with_a_slash_between_them_stay() {
        for text in [
            "wifi: Cafe / Restaurant",
            "WLAN: Büro / Lager",
            "accès: lecture / écriture",
            "Zugriff: lesen / schreiben",
            "acceso: lectura / escritura",
        ] {
            assert_eq!(redacted(text), text);
        }
        seals(&[
            ("wifi: Office-Guest / Sonnenblume", &["Sonnenblume"]),
            ("accès: lecture / printemps", &["printemps"]),
        ]);
    }
}
