//! Reading instance types and disk sizes.

use crate::catalogue::parameters::Found;
use crate::words::Words;

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
