//! Finds the ports on which services inside listen.
//!
//! The kernel lists the sockets of a network namespace, and each process's folder in `/proc` says which it holds. Only
//! sockets of the supervisor's descendants count: scripts, terminals and the daemons that they started.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use crate::process::living_descendants;

/// The code of a listening socket in the kernel's list.
const LISTEN: &str = "0A";

/// A service that listens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listener {
    /// The loopback address that reaches it.
    pub address: IpAddr,
    /// The name of its program.
    pub program: Option<String>,
}

/// The services that listen, by port.
pub fn listening() -> BTreeMap<u16, Listener> {
    let owners = owners();
    let sockets = ["/proc/self/net/tcp6", "/proc/self/net/tcp"].into_iter().flat_map(|list| {
        let text = fs::read_to_string(list).unwrap_or_default();
        text.lines().skip(1).filter_map(read).collect::<Vec<_>>()
    });
    // IPv4 comes last and so wins: a service that listens on both is the same.
    let found = sockets.filter_map(|(address, port, inode)| {
        let program = owners.get(&inode)?.clone();
        Some((port, Listener { address: reached(address)?, program }))
    });
    found.collect()
}

/// The program of each socket of a descendant, by the socket's number.
fn owners() -> HashMap<u64, Option<String>> {
    let mut owners = HashMap::new();
    for pid in living_descendants() {
        let folder = format!("/proc/{}", pid.as_raw_nonzero());
        let program = fs::read_to_string(format!("{folder}/comm")).ok();
        let program = program.map(|name| name.trim().to_owned());
        for entry in fs::read_dir(format!("{folder}/fd")).into_iter().flatten().flatten() {
            let link = fs::read_link(entry.path()).ok();
            let socket = link.as_ref().and_then(|link| link.to_str()).and_then(|link| {
                link.strip_prefix("socket:[")?.strip_suffix(']')?.parse::<u64>().ok()
            });
            if let Some(socket) = socket {
                owners.insert(socket, program.clone());
            }
        }
    }
    owners
}

/// Address, port and number of a listening socket in a line of the kernel's list.
fn read(line: &str) -> Option<(IpAddr, u16, u64)> {
    let fields: Vec<&str> = line.split_whitespace().collect();
    let [_, local, _, state, _, _, _, _, _, inode, ..] = fields.as_slice() else { return None };
    if *state != LISTEN {
        return None;
    }
    let (address, port) = local.split_once(':')?;
    Some((read_address(address)?, u16::from_str_radix(port, 16).ok()?, inode.parse().ok()?))
}

/// The kernel prints each word of an address as a number in this machine's byte order.
fn read_address(text: &str) -> Option<IpAddr> {
    let word = |at: usize| {
        let word = u32::from_str_radix(text.get(at..at + 8)?, 16).ok()?;
        Some(word.to_ne_bytes())
    };
    match text.len() {
        8 => Some(IpAddr::V4(Ipv4Addr::from(word(0)?))),
        32 => {
            let mut bytes = [0; 16];
            for (part, at) in bytes.chunks_mut(4).zip([0, 8, 16, 24]) {
                part.copy_from_slice(&word(at)?);
            }
            Some(IpAddr::V6(Ipv6Addr::from(bytes)))
        }
        _ => None,
    }
}

/// The loopback address that reaches a socket bound to `address`; `None` if it is bound to another interface.
fn reached(address: IpAddr) -> Option<IpAddr> {
    match address {
        IpAddr::V4(v4) if v4.is_loopback() => Some(address),
        IpAddr::V4(v4) => v4.is_unspecified().then_some(IpAddr::V4(Ipv4Addr::LOCALHOST)),
        IpAddr::V6(v6) => match v6.to_ipv4_mapped() {
            Some(v4) => reached(IpAddr::V4(v4)),
            None if v6.is_loopback() || v6.is_unspecified() => {
                Some(IpAddr::V6(Ipv6Addr::LOCALHOST))
            }
            None => None,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listening_sockets_are_read_from_the_kernels_list() {
        let line = "   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 4711 1 0 100 0 0 10 0";
        let read_line = read(line).unwrap();
        assert_eq!(read_line, (IpAddr::V4(Ipv4Addr::LOCALHOST), 8080, 4711));
        assert_eq!(read(&line.replace(" 0A ", " 01 ")), None, "a connection does not listen");
        assert_eq!(read("nonsense"), None);
        let six = line.replace("0100007F", "00000000000000000000000001000000");
        assert_eq!(read(&six).unwrap().0, IpAddr::V6(Ipv6Addr::LOCALHOST));
    }

    #[test]
    fn only_the_loopback_interface_is_reached() {
        let reach = |text: &str| reached(text.parse().unwrap()).map(|ip| ip.to_string());
        for (address, way) in [("0.0.0.0", "127.0.0.1"), ("127.0.0.2", "127.0.0.2"), ("::", "::1")]
        {
            assert_eq!(reach(address).as_deref(), Some(way));
        }
        assert_eq!(reach("::ffff:127.0.0.1").as_deref(), Some("127.0.0.1"));
        for elsewhere in ["10.0.2.100", "169.254.169.254", "fe80::1", "::ffff:10.0.0.1"] {
            assert_eq!(reach(elsewhere), None, "{elsewhere}");
        }
    }

    #[test]
    fn a_service_of_this_process_itself_is_not_listed() {
        let own = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = own.local_addr().unwrap().port();
        assert!(!listening().contains_key(&port));
    }
}
