//! The regions of AWS, and how users name them.

use super::parameters::{Found, Parameter};
use super::places::{self, Places};
use crate::words::Words;

/// The AWS region.
pub const REGION: Parameter = Parameter {
    key: "region",
    label: "Region",
    question: "in which AWS region?",
    default: "us-east-1",
    asked: true,
    accept: accept_region,
    find: find_region,
};

/// Names of places as people use them, with the region of each.
pub const PLACES: Places = &[
    ("virginia", "us-east-1"),
    ("ohio", "us-east-2"),
    ("california", "us-west-1"),
    ("oregon", "us-west-2"),
    ("canada", "ca-central-1"),
    ("montreal", "ca-central-1"),
    ("montréal", "ca-central-1"),
    ("frankfurt", "eu-central-1"),
    ("germany", "eu-central-1"),
    ("europe", "eu-central-1"),
    ("european union", "eu-central-1"),
    ("eu", "eu-central-1"),
    ("the us", "us-east-1"),
    ("usa", "us-east-1"),
    ("united states", "us-east-1"),
    ("zurich", "eu-central-2"),
    ("switzerland", "eu-central-2"),
    ("ireland", "eu-west-1"),
    ("dublin", "eu-west-1"),
    ("london", "eu-west-2"),
    ("united kingdom", "eu-west-2"),
    ("paris", "eu-west-3"),
    ("france", "eu-west-3"),
    ("stockholm", "eu-north-1"),
    ("sweden", "eu-north-1"),
    ("milan", "eu-south-1"),
    ("italy", "eu-south-1"),
    ("spain", "eu-south-2"),
    ("tokyo", "ap-northeast-1"),
    ("japan", "ap-northeast-1"),
    ("seoul", "ap-northeast-2"),
    ("osaka", "ap-northeast-3"),
    ("singapore", "ap-southeast-1"),
    ("sydney", "ap-southeast-2"),
    ("mumbai", "ap-south-1"),
    ("sao paulo", "sa-east-1"),
    ("são paulo", "sa-east-1"),
    ("brazil", "sa-east-1"),
    ("cape town", "af-south-1"),
];

/// AWS regions that every account can use or enable, from AWS's list of 2025.
const REGIONS: &[&str] = &[
    "af-south-1",
    "ap-east-1",
    "ap-east-2",
    "ap-northeast-1",
    "ap-northeast-2",
    "ap-northeast-3",
    "ap-south-1",
    "ap-south-2",
    "ap-southeast-1",
    "ap-southeast-2",
    "ap-southeast-3",
    "ap-southeast-4",
    "ap-southeast-5",
    "ap-southeast-6",
    "ap-southeast-7",
    "ca-central-1",
    "ca-west-1",
    "eu-central-1",
    "eu-central-2",
    "eu-north-1",
    "eu-south-1",
    "eu-south-2",
    "eu-west-1",
    "eu-west-2",
    "eu-west-3",
    "il-central-1",
    "me-central-1",
    "me-south-1",
    "mx-central-1",
    "sa-east-1",
    "us-east-1",
    "us-east-2",
    "us-west-1",
    "us-west-2",
];

/// Whether a word is the code of a region: “eu-west-3”.
pub fn is_a_region(word: &str) -> bool {
    REGIONS.contains(&word)
}

fn accept_region(text: &str) -> Option<String> {
    let region = text.trim().to_lowercase();
    REGIONS.contains(&region.as_str()).then_some(region)
}

/// Whether a text has the form of a region: “us-east-5”.
fn is_like_a_region(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let [area, direction, number] = parts.as_slice() else { return false };
    let directed =
        ["north", "south", "east", "west", "central"].iter().any(|d| direction.contains(d));
    area.len() == 2 && directed && number.parse::<u8>().is_ok()
}

fn find_region(words: &Words) -> Found {
    let placed = || places::wanted(words, PLACES);
    let elsewhere = places::elsewhere(words, PLACES);
    let mut values = words.values().enumerate().filter(|(at, _)| !elsewhere.contains(at));
    let named = values.find_map(|(_, value)| accept_region(value));
    match words.values().find(|value| is_like_a_region(value)) {
        Some(unknown) if named.is_none() => {
            Found::Refused(format!("AWS has no region {unknown} that I know."))
        }
        _ => Found::maybe(named.or_else(placed)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_are_found_by_code_and_by_place() {
        assert_eq!(
            find_region(&Words::of("in EU-CENTRAL-1.")),
            Found::Value("eu-central-1".into())
        );
        assert_eq!(
            find_region(&Words::of("Frankfurt please")),
            Found::Value("eu-central-1".into())
        );
        assert_eq!(accept_region("eu-central-1; id"), None);
        assert!(matches!(find_region(&Words::of("in us-east-5")), Found::Refused(_)));
    }
}
