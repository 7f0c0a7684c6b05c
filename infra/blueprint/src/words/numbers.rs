//! Numbers in digits and in words.

const WORDS: &[(&str, u32)] = &[
    ("one", 1),
    ("two", 2),
    ("three", 3),
    ("four", 4),
    ("five", 5),
    ("six", 6),
    ("seven", 7),
    ("eight", 8),
    ("nine", 9),
    ("ten", 10),
    ("eleven", 11),
    ("twelve", 12),
    ("fourteen", 14),
    ("fifteen", 15),
    ("twenty", 20),
    ("thirty", 30),
    ("forty", 40),
    ("fifty", 50),
    ("sixty", 60),
    ("ninety", 90),
    ("hundred", 100),
];

/// Parts of compound numbers in other languages.
const PARTS: &[(&str, u32)] = &[
    ("ein", 1),
    ("zwei", 2),
    ("drei", 3),
    ("vier", 4),
    ("fünf", 5),
    ("sechs", 6),
    ("sieben", 7),
    ("acht", 8),
    ("neun", 9),
    ("zwanzig", 20),
    ("dreißig", 30),
    ("vierzig", 40),
    ("fünfzig", 50),
    ("sechzig", 60),
    ("siebzig", 70),
    ("achtzig", 80),
    ("neunzig", 90),
    ("un", 1),
    ("deux", 2),
    ("trois", 3),
    ("quatre", 4),
    ("cinq", 5),
    ("sept", 7),
    ("huit", 8),
    ("neuf", 9),
    ("dix", 10),
    ("vingt", 20),
    ("trente", 30),
    ("quarante", 40),
    ("cinquante", 50),
    ("soixante", 60),
];

/// A number such as “30”, “thirty”, “forty-five”, “fünfundvierzig” or “quarante-cinq”.
pub fn read(word: &str) -> Option<u32> {
    simple(word).or_else(|| {
        let part = |word: &str| {
            let named = PARTS.iter().find(|(name, _)| *name == word).map(|(_, number)| *number);
            simple(word).filter(|_| word.starts_with(char::is_alphabetic)).or(named)
        };
        let (tens, unit) = match word.split_once("und") {
            Some((unit, tens)) => (tens, unit),
            None => word.split_once('-')?,
        };
        let (tens, unit) = (part(tens)?, part(unit)?);
        (tens >= 20 && tens % 10 == 0 && unit < 20).then_some(tens + unit)
    })
}

/// Number words of the languages that are said one after the other: “ciento veintiocho”, “cinq cent douze”.
const SPELLED: &[(&str, u32)] = &[
    ("uno", 1),
    ("dos", 2),
    ("tres", 3),
    ("cuatro", 4),
    ("cinco", 5),
    ("seis", 6),
    ("siete", 7),
    ("ocho", 8),
    ("nueve", 9),
    ("diez", 10),
    ("once", 11),
    ("doce", 12),
    ("trece", 13),
    ("catorce", 14),
    ("quince", 15),
    ("dieciséis", 16),
    ("veinte", 20),
    ("veintiuno", 21),
    ("veintidós", 22),
    ("veintitrés", 23),
    ("veinticuatro", 24),
    ("veinticinco", 25),
    ("veintiséis", 26),
    ("veintisiete", 27),
    ("veintiocho", 28),
    ("veintinueve", 29),
    ("treinta", 30),
    ("cuarenta", 40),
    ("cincuenta", 50),
    ("sesenta", 60),
    ("setenta", 70),
    ("ochenta", 80),
    ("noventa", 90),
    ("cien", 100),
    ("ciento", 100),
    ("doscientos", 200),
    ("trescientos", 300),
    ("cuatrocientos", 400),
    ("quinientos", 500),
    ("seiscientos", 600),
    ("setecientos", 700),
    ("ochocientos", 800),
    ("novecientos", 900),
    ("douze", 12),
    ("seize", 16),
    ("twelve", 12),
    ("thirteen", 13),
    ("sixteen", 16),
    ("seventeen", 17),
    ("eighteen", 18),
    ("nineteen", 19),
    ("seventy", 70),
    ("eighty", 80),
    ("zwölf", 12),
    ("sechzehn", 16),
];

const HUNDREDS: &[&str] = &["hundred", "cent", "cents", "hundert"];
const THOUSANDS: &[&str] = &["thousand", "mil", "mille", "tausend"];

/// Words between the parts of such a number.
const BETWEEN: &[&str] = &["and", "y", "et", "und", "e"];

/// The number before this position in one or several words, and where it begins: “one hundred and twenty-eight”,
/// “ciento noventa y dos”, “fünfhundertzwölf”.
pub fn spelled_before(values: &[&str], end: usize) -> Option<(u32, usize)> {
    let (mut total, mut start) = (None, end);
    for first in (0..end).rev() {
        let number = match spelled(&values[first..end]) {
            Some(number) => number,
            None if BETWEEN.contains(&values[first]) => continue,
            None => break,
        };
        (total, start) = (Some(number), first);
    }
    total.map(|number| (number, start))
}

fn spelled(values: &[&str]) -> Option<u32> {
    let (mut thousands, mut rest) = (0_u32, 0_u32);
    for (at, word) in values.iter().enumerate() {
        if at > 0 && BETWEEN.contains(word) {
            continue;
        }
        if HUNDREDS.contains(word) || (rest > 0 && rest < 10 && *word == "100") {
            rest = rest.max(1).checked_mul(100)?;
        } else if THOUSANDS.contains(word) {
            thousands = thousands.checked_add(rest.max(1).checked_mul(1000)?)?;
            rest = 0;
        } else {
            rest = rest.checked_add(one_word(word)?)?;
        }
    }
    thousands.checked_add(rest)
}

/// A number of one word, also with German hundreds: “zweihundertsechsundfünfzig”.
fn one_word(word: &str) -> Option<u32> {
    let listed = |list: &[(&str, u32)]| {
        list.iter().find(|(name, _)| *name == word).map(|(_, number)| *number)
    };
    if let Some((hundreds, rest)) = word.split_once("hundert") {
        let hundreds = if hundreds.is_empty() { 1 } else { one_word(hundreds)? };
        let rest = if rest.is_empty() { 0 } else { one_word(rest)? };
        return hundreds.checked_mul(100)?.checked_add(rest);
    }
    read(word).or_else(|| listed(SPELLED)).or_else(|| listed(PARTS))
}

fn simple(word: &str) -> Option<u32> {
    let named = WORDS.iter().find(|(name, _)| *name == word).map(|(_, number)| *number);
    named.or_else(|| word.parse().ok())
}

/// The tens in front of the number at this position, if “and” separates the two.
pub fn tens_before(values: &[&str], at: usize) -> Option<u32> {
    let and = at.checked_sub(1).filter(|and| values[*and] == "and")?;
    let tens = read(values[and.checked_sub(1)?])?;
    (tens >= 20 && tens % 10 == 0).then_some(tens)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_may_have_several_words() {
        for (text, number) in [
            ("ciento veintiocho", 128),
            ("ciento noventa y dos", 192),
            ("doscientos cincuenta y seis", 256),
            ("mil veinticuatro", 1024),
            ("cent vingt-huit", 128),
            ("cinq cent douze", 512),
            ("five 100 douze", 512),
            ("one hundred and twenty-eight", 128),
            ("two hundred fifty six", 256),
            ("zweihundertsechsundfünfzig", 256),
            ("fünfhundertzwölf", 512),
            ("384", 384),
        ] {
            let text = format!("redis de {text}");
            let values: Vec<&str> = text.split(' ').collect();
            assert_eq!(spelled_before(&values, values.len()), Some((number, 2)), "{text}");
        }
        assert_eq!(spelled_before(&["redis", "y"], 2), None);
        let many = ["thousand"; 9];
        assert_eq!(spelled_before(&many, 9).map(|(_, start)| start), Some(0));
    }
}
