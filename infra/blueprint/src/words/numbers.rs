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
