//! Names of devices.

/// How the usual names of network interfaces begin, before a number. No module of the kernel has such a name.
const BEFORE_A_NUMBER: [&str; 14] = [
    "bond", "br", "cni", "docker", "eno", "enp", "ens", "eth", "tap", "tun", "virbr", "wg", "wlan",
    "wlp",
];

/// How they begin before hexadecimal digits, and how many of these there are.
const BEFORE_DIGITS: [(&str, usize); 3] = [("br-", 12), ("enx", 12), ("veth", 7)];

/// Whether a word is a usual name of a network interface: `eth0`, `enp0s31f6`, `br-0123456789ab`, `eth0.100`.
///
/// The kernel looks for the module of any other name that it is asked for, and loads it for the superuser:
/// `ip link show dccp`, `ethtool cramfs`.
pub(super) fn is_interface(word: &str) -> bool {
    let hex = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
    let numbered = |rest: &str| {
        rest.starts_with(|c: char| c.is_ascii_digit())
            && rest.chars().all(|c| c.is_ascii_alphanumeric() || c == '.')
    };
    word == "lo"
        || BEFORE_A_NUMBER.iter().filter_map(|begin| word.strip_prefix(begin)).any(numbered)
        || BEFORE_DIGITS.iter().any(|(begin, digits)| {
            word.strip_prefix(begin)
                .is_some_and(|rest| rest.len() == *digits && rest.chars().all(hex))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interface_has_a_usual_name() {
        for name in ["lo", "eth0", "eth0.100", "ens3", "enp0s31f6", "br-0123456789ab", "docker0"] {
            assert!(is_interface(name), "{name}");
        }
        for name in [
            "",
            "dccp",
            "cramfs",
            "usb-storage",
            "tunl0",
            "sit0",
            "tun",
            "enc28j60",
            "br_netfilter",
        ] {
            assert!(!is_interface(name), "{name}");
        }
    }
}
