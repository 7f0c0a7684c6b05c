//! What the server costs: AWS's list prices for on-demand Linux in us-east-1.

/// Hours of a month, as AWS's own calculator counts them.
const HOURS: u64 = 730;
/// A GB of gp3 for a month, in hundredths of a cent.
const GP3_GB: u64 = 800;
/// A public IPv4 address for an hour, in hundredths of a cent.
const IPV4_HOUR: u64 = 50;

/// An hour of common instance types, in hundredths of a cent.
const INSTANCE_HOUR: &[(&str, u64)] = &[
    ("t3.nano", 52),
    ("t3.micro", 104),
    ("t3.small", 208),
    ("t3.medium", 416),
    ("t3.large", 832),
    ("t3.xlarge", 1664),
    ("t4g.nano", 42),
    ("t4g.micro", 84),
    ("t4g.small", 168),
    ("t4g.medium", 336),
    ("t4g.large", 672),
    ("m5.large", 960),
    ("c5.large", 850),
];

/// The monthly costs as a Markdown table; without a total when the type's price is not known here.
pub fn table(kind: &str, gigabytes: u64) -> String {
    let disk = gigabytes * GP3_GB;
    let address = IPV4_HOUR * HOURS;
    let price = INSTANCE_HOUR.iter().find(|(name, _)| *name == kind).map(|(_, hour)| *hour);
    let mut rows = vec!["| item | a month |".to_string(), "|---|---|".to_string()];
    rows.push(match price {
        Some(hour) => format!(
            "| `{kind}` at ${}.{:04} an hour | {} |",
            hour / 10_000,
            hour % 10_000,
            dollars(hour * HOURS)
        ),
        None => format!("| `{kind}` | see AWS's price list |"),
    });
    rows.push(format!("| {gigabytes} GB gp3 at $0.08 a GB | {} |", dollars(disk)));
    rows.push(format!("| public IPv4 address at $0.005 an hour | {} |", dollars(address)));
    if let Some(hour) = price {
        let total = dollars(hour * HOURS + disk + address);
        rows.push(format!("| **together** | **{total}** |"));
    }
    rows.join("\n")
}

fn dollars(hundredths_of_cents: u64) -> String {
    let cents = (hundredths_of_cents + 50) / 100;
    format!("${}.{:02}", cents / 100, cents % 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adds_up() {
        let table = table("t3.micro", 10);
        for amount in ["$7.59", "$0.80", "$3.65", "**$12.04**"] {
            assert!(table.contains(amount), "{amount} in {table}");
        }
    }

    #[test]
    fn a_price_that_is_not_known_is_not_made_up() {
        assert!(!super::table("x9.huge", 10).contains("together"));
    }
}
