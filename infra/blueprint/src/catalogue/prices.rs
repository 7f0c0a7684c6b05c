//! Server prices from one dated file: AWS by region, Hetzner by location.
//!
//! If the file has no price, the texts state none, and never the price of another region. They name the region and the
//! date of each price, or where to find the current one.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use super::folder;

/// The contents of `prices.json`.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct Prices {
    aws: Vec<Region>,
    s3: Vec<Storage>,
    hetzner: Vec<Location>,
}

/// Storage prices of S3 in one region.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Storage {
    region: String,
    as_of: String,
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "a maintainer looks here to update the prices")
    )]
    source: String,
    /// One GB-month in the standard class.
    hundredths_of_cents_gb_month: u64,
}

/// AWS's list prices for on-demand Linux in one region.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Region {
    pub region: String,
    /// The date of the prices, such as 2026-11-21.
    pub as_of: String,
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "a maintainer looks here to update the prices")
    )]
    source: String,
    pub hundredths_of_cents: Aws,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Aws {
    /// One GB-month of gp3.
    pub gp3_gb_month: u64,
    /// One hour of a public IPv4 address.
    pub ipv4_hour: u64,
    pub instance_hour: BTreeMap<String, u64>,
}

/// Hetzner's monthly prices, without VAT and with an IPv4 address, in locations where they are the same.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Location {
    locations: Vec<String>,
    as_of: String,
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "a maintainer looks here to update the prices")
    )]
    source: String,
    euro_cents_month: BTreeMap<String, u64>,
    /// The types for which Hetzner took no orders on that day, each with the next one that it sold.
    sold_out: BTreeMap<String, String>,
}

static PRICES: LazyLock<Prices> =
    LazyLock::new(|| serde_json::from_str(folder::text("prices.json")).unwrap_or_default());

/// AWS's prices in a region.
pub fn aws(region: &str) -> Option<&'static Region> {
    PRICES.aws.iter().find(|prices| prices.region == region)
}

/// The known storage price of S3, in a sentence.
pub fn s3(region: &str) -> String {
    const PAGE: &str = "https://aws.amazon.com/s3/pricing/";
    let Some(prices) = PRICES.s3.iter().find(|prices| prices.region == region) else {
        return format!("What S3 takes in `{region}` is on {PAGE}.");
    };
    let (as_of, price) = (&prices.as_of, prices.hundredths_of_cents_gb_month);
    let (dollars, rest) = (price / 10_000, price % 10_000);
    format!(
        "On {as_of} S3 took ${dollars}.{rest:04} for a gigabyte a month in `{region}`; today's price is on {PAGE}."
    )
}

/// What something costs in a month: in cents of the provider's currency, on a day, at a place.
pub struct Monthly {
    pub cents: u64,
    pub as_of: &'static str,
    pub at: &'static str,
}

/// The monthly price of a Hetzner server without VAT, at the location or else at the first one with a price.
pub fn hetzner_month(kind: &str, location: &str) -> Option<Monthly> {
    let (prices, cents) = known(kind, location)?;
    let here = prices.locations.iter().find(|one| *one == location);
    let at = here.or(prices.locations.first())?;
    Some(Monthly { cents, as_of: &prices.as_of, at })
}

/// The prices that have a server type, those of the location first, and its price in cents.
fn known(kind: &str, location: &str) -> Option<(&'static Location, u64)> {
    let is_here = |prices: &&Location| prices.locations.iter().any(|one| one == location);
    let here = PRICES.hetzner.iter().filter(is_here);
    let elsewhere = PRICES.hetzner.iter().filter(|prices| !is_here(prices));
    here.chain(elsewhere).find_map(|prices| Some((prices, *prices.euro_cents_month.get(kind)?)))
}

/// The known price of a Hetzner server, in one to three sentences.
pub fn hetzner(kind: &str, location: &str) -> String {
    const PAGE: &str = "https://www.hetzner.com/cloud";
    let today = format!("Today's price of a `{kind}` in `{location}` is on {PAGE}.");
    let Some((prices, _)) = known(kind, location) else { return today };
    let Some(Monthly { cents, as_of, at }) = hetzner_month(kind, location) else { return today };
    let price = format!("€{}.{:02}", cents / 100, cents % 100);
    let mut text = format!(
        "On {as_of} a `{kind}` with an IPv4 address in `{at}` cost {price} a month without VAT. "
    );
    if let Some(next) = prices.sold_out.get(kind) {
        text += &format!(
            "Hetzner took no new orders for that type on that day: if it still refuses them, ask for a `{next}`. "
        );
    }
    text + &today
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_complete_and_every_price_has_a_date_and_a_source() {
        let prices: Prices = serde_json::from_str(folder::text("prices.json")).unwrap();
        let aws = prices.aws.iter().map(|region| (&region.as_of, &region.source));
        let hetzner = prices.hetzner.iter().map(|location| (&location.as_of, &location.source));
        let s3 = prices.s3.iter().map(|region| (&region.as_of, &region.source));
        let mut entries = 0;
        for (as_of, source) in aws.chain(s3).chain(hetzner) {
            entries += 1;
            assert_eq!(as_of.len(), "2026-11-21".len(), "{as_of}");
            assert!(source.contains("://"), "{source}");
        }
        assert!(entries >= 3);
    }

    /// AWS charges for public IPv4 addresses since 2024-02-01, so a list with that price cannot be older.
    #[test]
    fn no_list_is_older_than_a_price_in_it() {
        for region in &PRICES.aws {
            let charged = region.hundredths_of_cents.ipv4_hour > 0;
            assert!(!charged || region.as_of.as_str() >= "2024-02-01", "{}", region.region);
        }
    }

    #[test]
    fn a_price_names_its_location_and_date() {
        let known = hetzner("cx33", "nbg1");
        for part in ["€8.99", "in `nbg1` cost", "2026-09-04", "in `nbg1` is on"] {
            assert!(known.contains(part), "{part}: {known}");
        }
        let elsewhere = hetzner("cpx22", "ash");
        assert!(elsewhere.contains("in `fsn1` cost €19.99"), "{elsewhere}");
        assert!(!hetzner("cpx99", "nbg1").contains('€'));
        let known = s3("us-east-1");
        assert!(known.contains("On 2026-03-13 S3 took $0.0230"), "{known}");
        assert!(!s3("eu-central-1").contains('$'));
    }

    #[test]
    fn a_type_that_was_sold_out_names_one_that_was_sold() {
        let sold_out = hetzner("cx23", "hel1");
        assert!(sold_out.contains("no new orders") && sold_out.contains("a `cpx22`"), "{sold_out}");
        assert!(!hetzner("cpx22", "hel1").contains("no new orders"));
        for prices in &PRICES.hetzner {
            for (kind, next) in &prices.sold_out {
                assert!(prices.euro_cents_month.contains_key(kind), "{kind}");
                assert!(prices.euro_cents_month.contains_key(next), "{next}");
                assert!(!prices.sold_out.contains_key(next), "{next}");
            }
        }
    }
}
