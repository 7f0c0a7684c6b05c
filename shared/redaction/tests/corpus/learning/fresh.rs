//! Secrets like others: of the same kind, but of other words, digits and signs.

use super::Chance;

const WORDS: &str = "harbor lantern copper velvet maple thunder pebble orchid falcon gravel whistle biscuit marmalade \
     tractor pigeon saddle candle bramble otter walrus cobalt ginger saffron pumpkin anchor meadow \
     granite cricket teapot badger Regenschirm Schnecke Ofenrohr Kartoffel Nebel Dachs Fahrrad Wolke \
     Laterne Brunnen Apfelbaum Zwiebel Kuckuck Hafen Schubkarre Winterdeich Amsel mariposa lluvia naranja \
     tormenta ventana camino conejo girasol sardina montaña caracol tambor chocolate zapato luciernaga \
     chaussette papillon moutarde escargot brouillard tournesol bateau pamplemousse fromage moulin \
     hirondelle cerise tartaruga lampione ombrello zucchero farfalla gelato montagna pioggia cinghiale \
     ponte girasole melone barco velho sardinha castelo laranja chuva janela cavalo formiga abacaxi \
     Stroopwafel fiets molen kaas tulp regenjas zwaluw brug paraplu pindakaas kikker chmurka zebra zubr \
     kasztan wiosna jablko rower parasol bocian zamek malina";
const SIGNS: &str = "! # & ? % + @ $ * !! . - _ =";
const END_SIGNS: &str = "! # & ? % +";
const ALPHANUMERIC: &str = "abcdefghkmnpqrstuvwxyzABCDEFGHKLMNPQRSTUVWXYZ23456789";
const SIGNED: &str = "abcdefghkmnpqrstuvwxyzABCDEFGHKLMNPQRSTUVWXYZ23456789!#%&*+?";
/// The longest secret that a person makes up, in bytes.
const MADE_UP_BYTES: usize = 26;

fn capital(word: &str) -> String {
    let mut chars = word.chars();
    let first = chars.next().into_iter().flat_map(char::to_uppercase);
    first.chain(chars).collect()
}

fn number(chance: &mut Chance) -> String {
    match chance.below(4) {
        0 => chance.below(10).to_string(),
        1 => (10 + chance.below(90)).to_string(),
        2 => (1950 + chance.below(80)).to_string(),
        _ => (100 + chance.below(900)).to_string(),
    }
}

fn digits(old: &str, chance: &mut Chance) -> String {
    let digit = |c: char| if c.is_ascii_digit() { chance.digit() } else { c };
    old.chars().map(digit).collect()
}

/// Another secret of the kind of an old one.
pub fn like(old: &str, chance: &mut Chance) -> String {
    if old.chars().all(|c| c.is_ascii_digit()) {
        return digits(old, chance);
    }
    if old.chars().all(|c| c.is_alphabetic() || c == ' ') {
        let word = |part: &str| {
            let word = chance.one(WORDS);
            if part.starts_with(char::is_uppercase) { capital(word) } else { word.to_lowercase() }
        };
        return old.split(' ').map(word).collect::<Vec<_>>().join(" ");
    }
    if old.contains([' ', '/', '\\', '\n', ':']) || old.len() > MADE_UP_BYTES {
        return digits(old, chance);
    }
    let (one, other) = (chance.one(WORDS).to_lowercase(), chance.one(WORDS).to_lowercase());
    let (sign, number) = (chance.one(SIGNS), number(chance));
    let leet = one.replace('o', "0").replace('e', "3");
    let (title, other_title) = (capital(&one), capital(&other));
    if old.chars().all(char::is_alphanumeric) {
        return match chance.below(6) {
            0 => one + &number,
            1 => title + &number,
            2 => title + &other_title + &number,
            3 => leet + &number,
            4 => number + &one,
            _ => chance.text(ALPHANUMERIC),
        };
    }
    match chance.below(9) {
        0 => title + sign + &number,
        1 => format!("{one}-{other}-{number}"),
        2 => title + &number + chance.one(END_SIGNS),
        3 => one + sign + &other_title + &number,
        4 => format!("{one}.{other}{number}"),
        5 => one + sign + &other,
        6 => leet + sign + &number,
        7 => format!("{number}-{title}"),
        _ => chance.text(SIGNED),
    }
}
