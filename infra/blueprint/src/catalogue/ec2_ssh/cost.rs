//! The cost of the server: AWS's list prices for on-demand Linux, from the price file.

use crate::catalogue::prices;

/// Hours in a month, as AWS's calculator counts them.
const HOURS: u64 = 730;

/// The monthly costs together; `None` if a price is unknown.
pub fn month(kind: &str, gigabytes: u64, region: &str) -> Option<prices::Monthly> {
    let region = prices::aws(region)?;
    let prices = &region.hundredths_of_cents;
    let hourly = (prices.instance_hour.get(kind)? + prices.ipv4_hour) * HOURS;
    let cents = (hourly + gigabytes * prices.gp3_gb_month + 50) / 100;
    Some(prices::Monthly { cents, as_of: &region.as_of, at: &region.region })
}

/// The monthly costs as a Markdown table; without a total if a price is unknown.
pub fn table(kind: &str, gigabytes: u64, region: &str) -> String {
    let head = "| item | a month |\n|---|---|";
    let Some(prices) = prices::aws(region) else {
        let see = format!("see AWS's price list for `{region}`");
        return format!(
            "{head}\n| `{kind}` | {see} |\n| {gigabytes} GB gp3 | {see} |\n| public IPv4 address | {see} |"
        );
    };
    let prices = &prices.hundredths_of_cents;
    let disk = gigabytes * prices.gp3_gb_month;
    let address = prices.ipv4_hour * HOURS;
    let price = prices.instance_hour.get(kind);
    let mut rows = vec![head.to_string()];
    rows.push(match price {
        Some(hour) => {
            format!("| `{kind}` at {} an hour | {} |", exactly(*hour), dollars(hour * HOURS))
        }
        None => format!("| `{kind}` | see AWS's price list |"),
    });
    let gigabyte = exactly(prices.gp3_gb_month);
    rows.push(format!("| {gigabytes} GB gp3 at {gigabyte} a GB | {} |", dollars(disk)));
    let hour = exactly(prices.ipv4_hour);
    rows.push(format!("| public IPv4 address at {hour} an hour | {} |", dollars(address)));
    if let Some(hour) = price {
        let total = dollars(hour * HOURS + disk + address);
        rows.push(format!("| **together** | **{total}** |"));
    }
    rows.join("\n")
}

/// Source and date of the prices.
pub fn note(region: &str) -> String {
    prices::aws(region).map_or_else(
        || format!("The prices of `{region}` are not known here, and those of another region would mislead."),
        |prices| {
            let as_of = &prices.as_of;
            format!("AWS's list prices for on-demand Linux in `{region}`, as noted on {as_of}, 730 hours a month.")
        },
    )
}

fn exactly(hundredths_of_cents: u64) -> String {
    let text = format!("${}.{:04}", hundredths_of_cents / 10_000, hundredths_of_cents % 10_000);
    let short = text.trim_end_matches('0');
    if short.len() > "$0.00".len() { short.to_string() } else { text[.."$0.00".len()].to_string() }
}

fn dollars(hundredths_of_cents: u64) -> String {
    let cents = (hundredths_of_cents + 50) / 100;
    format!("${}.{:02}", cents / 100, cents % 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_each_price_and_the_total() {
        let virginia = ["$0.0104", "$7.59", "$0.08 a GB", "$0.80", "$0.005", "$3.65", "**$12.04**"];
        let frankfurt = ["$0.012 an", "$8.76", "$0.0952", "$0.95", "$3.65", "**$13.36**"];
        for (region, amounts) in [("us-east-1", &virginia[..]), ("eu-central-1", &frankfurt)] {
            let table = table("t3.micro", 10, region);
            for amount in amounts {
                assert!(table.contains(amount), "{amount} in {table}");
            }
            let month = month("t3.micro", 10, region).unwrap().cents;
            assert!(table.contains(&format!("${}.{:02}", month / 100, month % 100)));
        }
    }

    #[test]
    fn an_unknown_price_is_not_invented() {
        assert!(!super::table("x9.huge", 10, "us-east-1").contains("together"));
        let elsewhere = super::table("t3.micro", 10, "ap-south-1");
        assert!(!elsewhere.contains('$') && elsewhere.contains("ap-south-1"), "{elsewhere}");
        assert!(super::note("ap-south-1").contains("not known"));
        assert!(super::note("eu-central-1").contains("2024-02-01"));
    }
}
