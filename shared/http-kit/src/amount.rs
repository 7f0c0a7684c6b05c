//! Reads numbers of a JSON body digit by digit.

use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

/// The digits of a JSON number, so that an amount of money never becomes a float.
///
/// Any other value (text, `null`, nothing) has no digits; the reader refuses it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct JsonNumber(pub String);

impl<'de> Deserialize<'de> for JsonNumber {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        Ok(Self(raw.get().to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_keeps_its_digits() {
        #[derive(Deserialize)]
        struct Body {
            #[serde(default)]
            amount: JsonNumber,
        }
        let read = |text: &str| serde_json::from_str::<Body>(text).unwrap().amount.0;
        assert_eq!(read(r#"{"amount": 0.290000000000000001}"#), "0.290000000000000001");
        assert_eq!(read(r#"{"amount": 1e400}"#), "1e400");
        assert_eq!(read(r#"{"amount": "5"}"#), "\"5\"");
        assert_eq!(read("{}"), "");
    }
}
