//! Reading instance types and disk sizes.

use crate::catalogue::parameters::Found;
use crate::catalogue::sizes::{self, Kind, volumes};
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
    let sizes = sizes::asked(words);
    // “4 cores, 16 GB” is a size of memory.
    let cores = sizes.iter().any(|size| size.kind == Kind::Cores);
    let disk = sizes.iter().find(|size| size.kind == Kind::Disk && !(size.alone && cores));
    let disk = disk.map(|size| size.number).or_else(|| of_a_volume(words));
    let Some(number) = disk.map(|number| number.to_string()) else { return Found::Nothing };
    accept_volume(&number).map_or_else(
        || {
            let (least, most) = (VOLUME_GB.start(), VOLUME_GB.end());
            Found::Refused(format!(
                "A root volume of {number} GB is not available: choose {least} to {most} GB."
            ))
        },
        Found::Value,
    )
}

/// The size in a clause that speaks of a volume as AWS does: “root volume 30 GB”, “30 GB gp3”.
fn of_a_volume(words: &Words) -> Option<u32> {
    const VOLUMES: &[&str] = &["volume", "root", "ebs", "gp2", "gp3"];
    let values: Vec<&str> = words.values().collect();
    let is_unit = |word: &str| ["gb", "gib", "gigabytes"].contains(&word);
    let size = |at: usize| {
        let joined = values[at].strip_suffix("gb").or_else(|| values[at].strip_suffix("gib"));
        let apart = values.get(at + 1).filter(|next| is_unit(next)).map(|_| values[at]);
        joined.or(apart)?.parse().ok()
    };
    let named = |at: usize| values[words.clause(at)].iter().any(|word| VOLUMES.contains(word));
    // “An extra volume of 100 GB” is not the root volume.
    let extra = volumes::extra(words);
    let beside = |at: usize| extra.iter().any(|extra| extra.beside && extra.said.contains(&at));
    let named = |at: usize| named(at) && !beside(at);
    (0..values.len()).filter(|at| named(*at)).find_map(size)
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
        assert_eq!(find_volume(&Words::of("t3.small, 20 GB")), Found::Value("20".into()));
        assert_eq!(find_volume(&Words::of("a root volume of 25 GB")), Found::Value("25".into()));
        assert_eq!(find_volume(&Words::of("25gb gp3")), Found::Value("25".into()));
        assert!(matches!(find_volume(&Words::of("4 GB disk")), Found::Refused(_)));
        for text in ["4 cores, 16 GB", "64 GB RAM", "the bucket has 350 GB", "350 GB of documents"]
        {
            assert_eq!(find_volume(&Words::of(text)), Found::Nothing, "{text}");
        }
    }
}
