//! Reading regions, instance types and disk sizes.

use crate::catalogue::parameters::Found;
use crate::catalogue::places::{self, Places};
use crate::reading::words::Words;

/// Names of places as people use them, with the region of each.
pub const PLACES: Places = &[
    ("virginia", "us-east-1"),
    ("ohio", "us-east-2"),
    ("california", "us-west-1"),
    ("oregon", "us-west-2"),
    ("canada", "ca-central-1"),
    ("frankfurt", "eu-central-1"),
    ("germany", "eu-central-1"),
    ("europe", "eu-central-1"),
    ("the us", "us-east-1"),
    ("usa", "us-east-1"),
    ("united states", "us-east-1"),
    ("zurich", "eu-central-2"),
    ("ireland", "eu-west-1"),
    ("london", "eu-west-2"),
    ("paris", "eu-west-3"),
    ("stockholm", "eu-north-1"),
    ("milan", "eu-south-1"),
    ("spain", "eu-south-2"),
    ("tokyo", "ap-northeast-1"),
    ("seoul", "ap-northeast-2"),
    ("osaka", "ap-northeast-3"),
    ("singapore", "ap-southeast-1"),
    ("sydney", "ap-southeast-2"),
    ("mumbai", "ap-south-1"),
    ("sao paulo", "sa-east-1"),
    ("são paulo", "sa-east-1"),
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

pub fn accept_region(text: &str) -> Option<String> {
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

pub fn find_region(words: &Words) -> Found {
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

const SIZES: &[&str] = &[
    "nano", "micro", "small", "medium", "large", "xlarge", "2xlarge", "4xlarge", "8xlarge",
    "12xlarge", "16xlarge", "24xlarge", "metal",
];

pub fn accept_type(text: &str) -> Option<String> {
    let kind = text.trim().to_lowercase();
    let (family, size) = kind.split_once('.')?;
    let letters = family.bytes().take_while(u8::is_ascii_lowercase).count();
    let shaped = (1..=4).contains(&letters)
        && family[letters..].starts_with(|first: char| first.is_ascii_digit())
        && family.len() <= 8
        && family.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    (shaped && SIZES.contains(&size)).then(|| kind.clone())
}

pub fn find_type(words: &Words) -> Found {
    Found::maybe(words.values().find_map(accept_type))
}

/// The architecture of an instance type: Graviton families have a `g` after their generation, as in t4g and m7gd.
pub fn architecture(kind: &str) -> &'static str {
    let family = kind.split('.').next().unwrap_or_default();
    let after_generation = family.trim_start_matches(|c: char| !c.is_ascii_digit());
    if after_generation.contains('g') { "arm64" } else { "amd64" }
}

/// Volume sizes in GB: the Debian image needs 8 GB, and gp3 ends at 16 TiB.
const VOLUME_GB: std::ops::RangeInclusive<u32> = 8..=16384;

pub fn accept_volume(text: &str) -> Option<String> {
    let gigabytes: u32 = text.trim().parse().ok()?;
    VOLUME_GB.contains(&gigabytes).then(|| gigabytes.to_string())
}

pub fn find_volume(words: &Words) -> Found {
    let values: Vec<&str> = words.values().collect();
    let joined = values.iter().find_map(|value| number_before_unit(value));
    let apart = || {
        let pair = values.windows(2).find(|pair| ["gb", "gib", "gigabytes"].contains(&pair[1]));
        pair.map(|pair| pair[0].to_string()).filter(|number| number.parse::<u32>().is_ok())
    };
    // “64 GB RAM” is not the size of a disk.
    let number = joined.or_else(apart).filter(|_| !words.means_any(&["ram", "memory"]));
    let Some(number) = number else { return Found::Nothing };
    accept_volume(&number).map_or_else(
        || {
            let (least, most) = (VOLUME_GB.start(), VOLUME_GB.end());
            Found::Refused(format!(
                "A root volume of {number} GB is not to be had: {least} to {most} GB are."
            ))
        },
        Found::Value,
    )
}

fn number_before_unit(value: &str) -> Option<String> {
    let number = value.strip_suffix("gb").or_else(|| value.strip_suffix("gib"))?;
    number.parse::<u32>().ok().map(|_| number.to_string())
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

    #[test]
    fn an_instance_type_determines_its_architecture() {
        assert_eq!(find_type(&Words::of("a t4g.small, please")), Found::Value("t4g.small".into()));
        assert_eq!(architecture("t4g.small"), "arm64");
        assert_eq!(architecture("g5.xlarge"), "amd64");
        assert_eq!(accept_type("t3.gigantic"), None);
        assert_eq!(accept_type("é3.micro"), None);
    }

    #[test]
    fn disks_are_found_within_their_limits() {
        assert_eq!(find_volume(&Words::of("20 GB disk")), Found::Value("20".into()));
        assert_eq!(find_volume(&Words::of("a 30gb disk")), Found::Value("30".into()));
        assert!(matches!(find_volume(&Words::of("4 GB disk")), Found::Refused(_)));
    }
}
