//! Tokens that look as random as a password and are none: amounts of money, and the names of firms.

/// Signs of currencies.
const CURRENCIES: &str = "€$£¥₹₽₺₩";

/// Whether a token is an amount of money, perhaps for each of something: "40€/Monat", "~US$120.50/month".
pub fn is_amount(word: &str) -> bool {
    let (amount, per) = word.split_once('/').unwrap_or((word, ""));
    let signs = amount.chars().filter(|c| CURRENCIES.contains(*c)).count();
    let number = amount.trim_start_matches(['~', '<', '>', '≤', '≥', '±']);
    let number = number.strip_prefix("US").or_else(|| number.strip_prefix("CA")).unwrap_or(number);
    let plain = |c: char| c.is_ascii_digit() || ".,'’-–".contains(c) || CURRENCIES.contains(c);
    let rest = number.strip_suffix(['k', 'K', 'm', 'M']).unwrap_or(number);
    signs == 1
        && rest.contains(|c: char| c.is_ascii_digit())
        && rest.chars().all(plain)
        && per.chars().all(|c| c.is_alphabetic() || c == '.')
}

/// Whether a token is names that "&" joins, as firms have them: "Müller&Söhne".
pub fn is_firm(word: &str) -> bool {
    let is_name = |part: &str| {
        let mut chars = part.chars();
        chars.next().is_some_and(char::is_uppercase) && chars.all(char::is_alphabetic)
    };
    word.contains('&') && word.split('&').all(is_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_of_money_are_ordinary() {
        for word in [
            "40€/Monat",
            "35,50€/Monat",
            "$120/mo",
            "~US$1.500/year",
            "£40",
            "10-20€/Tag",
            "$5k/month",
        ] {
            assert!(is_amount(word), "{word}");
        }
        for word in ["pa$$w0rd", "Hugo$5", "40/Monat", "€", "$", "5€Monat7", "9$/x7Kq", "4$2€"]
        {
            assert!(!is_amount(word), "{word}");
        }
    }

    #[test]
    fn names_of_firms_are_ordinary() {
        for word in ["Müller&Söhne", "B&B", "Johnson&Johnson", "Smith&Wesson&Co"] {
            assert!(is_firm(word), "{word}");
        }
        for word in ["Blau&weiss", "Müller&Söhne7", "&Söhne", "Müller&", "Sommer"] {
            assert!(!is_firm(word), "{word}");
        }
    }
}
