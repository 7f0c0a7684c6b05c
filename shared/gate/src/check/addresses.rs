//! Finds addresses, networks and modes that do not exist: `10.0.0.300`, `10.0.0.0/33`, `chmod 0888`.

use super::{FILES, error};
use crate::Unit;
use domain::gate::Finding;

/// Programs that take addresses of networks.
const PROGRAMS: [&str; 7] = ["ip", "iptables", "nft", "ping", "route", "ufw", "wg"];

/// Ends of files whose numbers with dots are addresses.
const ENDS: [&str; 10] =
    ["cfg", "conf", "env", "ini", "network", "netdev", "tf", "tfvars", "yaml", "yml"];

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for file in unit.written().filter(|file| ENDS.contains(&file.extension().as_str())) {
        for (at, line) in file.text.lines().enumerate() {
            let comment = line.trim_start().starts_with(['#', ';', '/']);
            let versions = ["version", "image", "tag", "rev", "source", "url", "release"];
            let other = versions.iter().any(|word| line.to_lowercase().contains(word));
            if let Some(message) = wrong(line).filter(|_| !comment && !other) {
                findings.push(error(FILES, message).at(Some(&file.path), at + 1));
            }
        }
    }
    for shell in unit.everywhere() {
        for command in &shell.script.commands {
            let argv = command.argv();
            let Some((program, rest)) = argv.split_first() else { continue };
            let message = if PROGRAMS.contains(program) {
                rest.iter().find_map(|word| wrong(word))
            } else {
                mode(program, rest)
            };
            if let Some(message) = message {
                let line = command.line + shell.offset;
                findings.push(error(FILES, message).at(shell.file.as_deref(), line));
            }
        }
    }
}

/// The first address or network in a text that does not exist.
fn wrong(text: &str) -> Option<String> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && !"./".contains(c));
    for word in words {
        let (address, bits) =
            word.split_once('/').map_or((word, None), |(address, bits)| (address, Some(bits)));
        let parts: Vec<&str> = address.split('.').collect();
        let digits = |part: &&str| {
            !part.is_empty() && part.len() < 4 && part.chars().all(|c| c.is_ascii_digit())
        };
        if parts.len() != 4 || !parts.iter().all(digits) {
            continue;
        }
        // A version such as 16.4.1.300 is followed by a small number as often as not.
        let numbers: Vec<u32> = parts.iter().filter_map(|part| part.parse().ok()).collect();
        let mask = numbers.iter().fold(0_u32, |mask, number| mask << 8 | number & 255);
        let broken = mask.leading_ones() + mask.trailing_zeros() < u32::BITS;
        if numbers[0] == 255 && broken && bits.is_none() {
            return Some(format!("`{address}` is not a netmask: its ones do not come first."));
        }
        let private = [10, 127, 172, 192, 203, 198].contains(&numbers[0]);
        if numbers.iter().any(|number| *number > 255) && private {
            return Some(format!("`{address}` is not an address: each number is at most 255."));
        }
        // A path follows the address of a page.
        let page = text.contains(&format!("://{word}"));
        // An IPv4 address at the end of an IPv6 address has the prefix of the whole.
        let mapped = text.contains(&format!(":{word}")) && text.contains("::");
        let bits = bits.and_then(|bits| bits.parse::<u32>().ok());
        let many = bits.is_some_and(|bits| (33..=128).contains(&bits));
        if many && !page && !mapped && numbers.iter().all(|number| *number < 256) {
            return Some(format!("`{word}` is not a network: a prefix has at most 32 bits."));
        }
    }
    None
}

/// A mode with a digit above seven.
fn mode(program: &str, rest: &[&str]) -> Option<String> {
    let given = match program {
        "chmod" => rest.iter().find(|word| !word.starts_with('-')).copied(),
        "install" | "mkdir" => {
            rest.windows(2).find(|two| ["-m", "--mode"].contains(&two[0])).map(|two| two[1])
        }
        _ => None,
    }?;
    let digits = (3..=4).contains(&given.len()) && given.chars().all(|c| c.is_ascii_digit());
    (digits && given.contains(['8', '9']))
        .then(|| format!("`{given}` is not a mode: its digits are 0 to 7."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_distinguished_from_versions() {
        for text in
            ["server a 10.0.0.300:80", "ip saddr 10.0.0.0/33 accept", "cidr = \"192.168.0.0/40\""]
        {
            assert!(wrong(text).is_some(), "{text}");
        }
        for text in [
            "10.0.0.1/24",
            "5.300.1.2",
            "a.b.c.d/33",
            "10.0.0.0/8/33",
            "http://10.0.0.1/40",
            "1.2.3",
            "skip_addresses = 127.0.0.0/8,::ffff:127.0.0.0/104",
        ] {
            assert!(wrong(text).is_none(), "{text}");
        }
        assert!(
            mode("chmod", &["0888", "a"]).is_some()
                && mode("chmod", &["-R", "0755", "a"]).is_none()
        );
    }
}
