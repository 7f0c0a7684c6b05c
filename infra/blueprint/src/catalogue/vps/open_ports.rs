//! Ports that a VPS opens to everyone.

mod denied;
mod mentions;

pub use denied::{Denied, denied};
pub use mentions::all_that_stay_open;

use crate::catalogue;
use crate::catalogue::parameters::{Found, Parameter};
use crate::catalogue::{Values, additions};
use crate::words::Words;

pub const OPEN_PORTS: Parameter = Parameter {
    key: "open-ports",
    label: "Open ports",
    question: "which ports should be open to everybody, such as 80 and 443?",
    default: NONE,
    asked: false,
    accept,
    find,
};

const NONE: &str = "none";

/// Maximum number of ports that a deployment opens.
const MAX_PORTS: usize = 10;

/// Ports that usually belong to a program other than a web server: mail, names, files, directories and messages.
const OF_OTHERS: &[u16] = &[
    20, 21, 23, 25, 53, 67, 69, 110, 111, 123, 135, 139, 143, 161, 179, 389, 445, 465, 514, 587,
    631, 636, 853, 873, 993, 995, 1194, 1433, 1521, 1883, 2049, 2379, 3389, 4369, 5222, 5269, 5671,
    5672, 6379, 6443, 8883, 9092, 10250, 11211, 22000, 25565, 27017, 51820,
];

/// Ports that the validation expects to be closed unless the user opens them.
const CLOSED: &[u16] = &[80, 443, 3000, 3306, 5432, 5601, 9090, 9200];

fn accept(text: &str) -> Option<String> {
    if text.trim() == NONE {
        return Some(NONE.into());
    }
    let ports: Vec<u16> = text
        .split(',')
        .map(|port| port.trim().parse().ok().filter(|p| *p > 0))
        .collect::<Option<_>>()?;
    let mut ports = ports;
    ports.sort_unstable();
    ports.dedup();
    (ports.len() <= MAX_PORTS && !ports.contains(&22)).then(|| joined(&ports, ","))
}

/// “open ports 80 and 443”, “also open 8443”, “close 80”, “only 443”, “a web server with https”.
fn find(words: &Words) -> Found {
    // “443 open, otherwise only SSH”
    let opens = || mentions::of(words).iter().any(|mention| mention.opens);
    if words.means_any(&["no open port", "no ports", "close all"])
        || (opens_only_ssh(words) && !opens() && !serves_the_web(words))
    {
        return Found::Value(NONE.into());
    }
    if let Some(ports) = mentions::all_that_stay_open(words) {
        return Found::maybe(accept(&joined(&ports, ",")));
    }
    if mentions::are_unclear(words) {
        return Found::Refused(
            "I am not sure which ports to open and which to close. Please put the word before them, such as “open 8443, close 80”.".into(),
        );
    }
    let mentions = mentions::of(words);
    let (mut added, mut removed) = (Vec::new(), Vec::new());
    removed.extend(mentions::restricted(words).iter().map(u16::to_string));
    if serves_the_web(words) {
        // “A website, port 443 but not 80”
        let values: Vec<&str> = words.values().collect();
        let refused =
            |port: &&str| (0..values.len()).any(|at| values[at] == *port && !words.means_value(at));
        let web = ["80", "443"].into_iter().filter(|port| !refused(port));
        added.extend(web.map(str::to_string));
    }
    for mention in &mentions {
        let list = if mention.opens { &mut added } else { &mut removed };
        list.push(mention.port.to_string());
    }
    removed.dedup();
    added.retain(|port| !removed.contains(port));
    if added.is_empty() && removed.is_empty() {
        return Found::Nothing;
    }
    if mentions.iter().any(|mention| mention.only) && removed.is_empty() {
        return Found::maybe(accept(&added.join(",")));
    }
    Found::Changed { added, removed }
}

/// Whether a port usually belongs to a program other than a web server, so that “also open 5432” does not ask for a
/// website on that port.
pub fn is_of_another_program(port: u16) -> bool {
    let web = [80, 443].contains(&port);
    (CLOSED.contains(&port) || OF_OTHERS.contains(&port)) && !web
}

/// The open ports of a deployment that listens on them: as [`find`], and “also listen on 8443”, “also on port 8443”.
pub fn find_served(words: &Words) -> Found {
    let served = mentions::served(words);
    let ports = || served.iter().map(u16::to_string);
    match find(words) {
        found if served.is_empty() => found,
        Found::Nothing => Found::Changed { added: ports().collect(), removed: Vec::new() },
        Found::Changed { mut added, removed } => {
            let new: Vec<String> =
                ports().filter(|p| !added.contains(p) && !removed.contains(p)).collect();
            added.extend(new);
            Found::Changed { added, removed }
        }
        found => found,
    }
}

/// The ports that a message opens.
pub fn opened(words: &Words) -> Vec<u16> {
    let opened = mentions::of(words).into_iter().filter(|mention| mention.opens);
    opened.map(|mention| mention.port).collect()
}

/// Whether a word names some who may connect, and not everybody: “office”.
pub fn names_some(word: &str) -> bool {
    mentions::FOR_SOME.contains(&word)
}

/// The ports of a list as the parameter writes it: none of “none”.
pub fn listed(list: &str) -> impl Iterator<Item = &str> {
    list.split(',').filter(|port| port.parse::<u16>().is_ok())
}

/// Whether SSH alone is to be open: “only ssh”, “only SSH open”, but not “only SSH keys”.
fn opens_only_ssh(words: &Words) -> bool {
    const ENDS: &[&str] = &[
        "",
        ",",
        "open",
        "port",
        "22",
        "is",
        "be",
        "shall",
        "should",
        "must",
        "may",
        "please",
        "for",
        "from",
        "access",
        "reachable",
        "accessible",
        "available",
        "exposed",
        "allowed",
    ];
    words.meant_at("only ssh").into_iter().any(|place| {
        let next = words.phrase(place.end..place.end + 1);
        ENDS.contains(&next.as_str())
    })
}

/// The ports that a message closes.
pub fn closed(words: &Words) -> Vec<String> {
    let closed = mentions::of(words).into_iter().filter(|mention| !mention.opens);
    closed.map(|mention| mention.port.to_string()).collect()
}

/// Whether the server answers web requests: “it will serve https”, but not “http/2” or the “https” of a URL.
fn serves_the_web(words: &Words) -> bool {
    let scheme = |scheme: &str| words.values().any(|value| value == scheme) && words.means(scheme);
    // “The site is at Wix” opens nothing.
    let asked = |cue: &&str| {
        let mut places = words.meant_at(cue).into_iter();
        places.any(|place| catalogue::is_asked_at(cue, &place, words))
    };
    ["web server", "website", "web traffic"].iter().any(asked) || scheme("http") || scheme("https")
}

/// Adds the ports in the notations of Terraform, YAML, the shell and the documents.
pub fn derive(placeholders: &mut Values) {
    let value = placeholders.get("open_ports").map_or("", String::as_str);
    let added = placeholders.get("additions").map_or("", String::as_str);
    let added = additions::of_list(added).flat_map(|addition| addition.closed_ports);
    let closed: Vec<u16> = CLOSED.iter().chain(added).copied().collect();
    let ports: Vec<u16> = value.split(',').filter_map(|port| port.parse().ok()).collect();
    let quoted: Vec<String> = ports.iter().map(|port| format!("\"{port}\"")).collect();
    let words =
        if ports.is_empty() { "nothing".into() } else { format!("ports {}", joined(&ports, ", ")) };
    let before = |separator: &str| -> String {
        ports.iter().map(|port| format!("{separator}{port}")).collect()
    };
    let texts = [
        ("open_ports_tf", quoted.join(", ")),
        ("open_ports_yaml", joined(&ports, ", ")),
        ("open_ports_words", format!("{words}.")),
        ("open_ports_sh", before(" ")),
        ("open_ports_md", before(", ")),
        (
            "closed_ports",
            closed
                .iter()
                .filter(|port| !ports.contains(port))
                .map(u16::to_string)
                .collect::<Vec<_>>()
                .join(" "),
        ),
    ];
    placeholders.extend(texts.map(|(key, text)| (key.to_string(), text)));
}

fn joined(ports: &[u16], separator: &str) -> String {
    ports.iter().map(u16::to_string).collect::<Vec<_>>().join(separator)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(added: &[&str], removed: &[&str]) -> Found {
        let list = |ports: &[&str]| ports.iter().map(|port| port.to_string()).collect();
        Found::Changed { added: list(added), removed: list(removed) }
    }

    #[test]
    fn only_allowed_ports_are_read() {
        let find = |text: &str| find(&Words::of(text));
        assert_eq!(find("open ports 8080 and 443"), changed(&["8080", "443"], &[]));
        assert_eq!(find("also open port 8443"), changed(&["8443"], &[]));
        assert_eq!(find("close 80 and open 8080"), changed(&["8080"], &["80"]));
        assert_eq!(find("don't open port 80"), changed(&[], &["80"]));
        assert_eq!(find("only open 443"), Found::Value("443".into()));
        assert_eq!(find("it will serve https"), changed(&["80", "443"], &[]));
        assert_eq!(find("a server with 4 GB"), Found::Nothing);
        assert_eq!(find("open port 80, swap 4 gb"), changed(&["80"], &[]));
        assert_eq!(find("SSH on port 2222"), Found::Nothing);
        assert!(matches!(find("open 8443, 80 closed"), Found::Refused(_)));
        assert_eq!(find("port 8443 open, port 80 closed"), changed(&["8443"], &["80"]));
        let some = "8080 should be reachable for everybody, 9000 stays shut";
        assert_eq!(find(some), changed(&["8080"], &["9000"]));
        assert_eq!(find("443 open, 80 shut"), changed(&["443"], &["80"]));
        assert_eq!(find("443 open, otherwise only ssh from 192.0.2.0/24"), changed(&["443"], &[]));
        assert_eq!(find("only 443 to the outside"), Found::Value("443".into()));
        assert_eq!(find("8080 must not be seen outside"), Found::Nothing);
        let mail = "a server with 25, 465 and 993 open will do; leave 143 and 110 closed";
        assert_eq!(find(mail), changed(&["25", "465", "993"], &["143", "110"]));
        for text in [
            "my node app listens on port 3000",
            "the database is on 203.0.113.9, port 5433",
            "open the api on 6443 for 203.0.113.0/24",
            "open 5432 for the office",
            "install Foo DB 3",
            "plain http-only app on port 8080",
            "port 22 must not be used, 2202 instead",
            "see https://example.com for the code",
        ] {
            assert_eq!(find(text), Found::Nothing, "{text}");
        }
        assert_eq!(find("8443 for 203.0.113.7, 80 for everybody"), changed(&["80"], &[]));
        assert_eq!(find("port 8080 must not be public"), changed(&[], &["8080"]));
        assert_eq!(find("port 8080 must not be open"), changed(&[], &["8080"]));
        let some = "open 80 and 8443, 8443 only for the office";
        assert_eq!(find(some), changed(&["80"], &["8443"]));
        assert_eq!(closed(&Words::of(some)), [""; 0]);
        let some = "open 9443 but only for that same ip";
        assert_eq!(find(some), changed(&[], &["9443"]));
        let some = "also open 9443, but only for that address";
        assert_eq!(find(some), changed(&[], &["9443"]));
        assert_eq!(find("3306 closed to the outside"), changed(&[], &["3306"]));
        assert_eq!(find("open 443 and install Foo 9"), changed(&["443"], &[]));
        assert_eq!(find("ports 80, 443 open, no docker"), changed(&["80", "443"], &[]));
        assert_eq!(find("a VPS, ports 80 and 443"), changed(&["80", "443"], &[]));
        assert_eq!(find("a VPS. Ports 80/tcp, 443/tcp"), changed(&["80", "443"], &[]));
        let some = "ports 80, 443 and UDP 51820 open, everything else closed";
        assert_eq!(find(some), changed(&["80", "443"], &[]));
        let except = |text: &str, ports: &str| {
            assert_eq!(find(text), Found::Value(ports.into()), "{text}");
        };
        except("all ports closed except 80 and 443", "80,443");
        except("close everything except 22, 80 and 443", "80,443");
        assert_eq!(find("everything open except 3306"), Found::Nothing);
        assert_eq!(
            find("only 22 and 8080 should be reachable from outside"),
            Found::Value("8080".into())
        );
        assert_eq!(accept("80; id"), None);
        assert_eq!(accept("22"), None);
        assert_eq!(accept("80, 443"), Some("80,443".into()));
    }
}
