//! Checks rules of nftables: the line that hooks a chain, words with which statements begin, verdicts, and commas in sets.

use super::config::code;
use super::error;
use crate::files::filled;
use crate::{FILES, Unit};
use domain::gate::Finding;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for file in unit.written().filter(|file| is_ruleset(&file.text) && !file.text.contains("{%")) {
        for (line, message) in mistakes(&file.filled()) {
            findings.push(error(FILES, message).at(Some(&file.path), line));
        }
    }
    for shell in unit.everywhere() {
        for command in shell.script.commands.iter().filter(|it| it.program() == Some("nft")) {
            let fed = command.heredocs.iter().filter_map(|at| shell.script.heredocs.get(*at));
            for heredoc in fed.filter(|heredoc| is_ruleset(&heredoc.text)) {
                for (line, message) in mistakes(&filled(&heredoc.text, heredoc.expands)) {
                    let line = heredoc.line + line - 1 + shell.offset;
                    findings.push(error(FILES, message).at(shell.file.as_deref(), line));
                }
            }
        }
    }
}

/// The families of tables.
const FAMILIES: [&str; 6] = ["arp", "bridge", "inet", "ip", "ip6", "netdev"];

fn is_ruleset(text: &str) -> bool {
    let table = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        matches!(words.as_slice(), ["table", family, _, "{"] if FAMILIES.contains(family))
    };
    text.lines().any(table) && text.contains("chain ")
}

/// A statement: its words, its line and the first word of the block around it.
struct Statement {
    line: usize,
    words: Vec<String>,
    block: String,
}

type Mistakes = Vec<(usize, String)>;

fn mistakes(text: &str) -> Mistakes {
    let mut found = Mistakes::new();
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.contains('#')) {
        if line.matches('"').count() % 2 == 1 {
            found.push((at + 1, "This string is not closed: `\"`.".to_owned()));
        }
    }
    let sets = sets(text);
    for Statement { line, words, block } in statements(text) {
        found.extend(unset(&words, &sets, text).map(|said| (line, said)));
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        found.extend(separated(&words).map(|said| (line, said)));
        if block != "chain" {
            continue;
        }
        let said = match words.as_slice() {
            ["type", rest @ ..] => hooked(rest),
            ["policy", "accept" | "drop"] => None,
            ["policy", rest @ ..] => Some(format!(
                "The policy of a chain is `accept` or `drop`, followed by a semicolon, not `{}`.",
                rest.join(" ")
            )),
            [first, ..] => begun(first)
                .or_else(|| field(&words))
                .or_else(|| decided(&words))
                .or_else(|| several(&words)),
            [] => None,
        };
        found.extend(said.map(|said| (line, said)));
    }
    found
}

/// The names of the sets and maps that a text makes.
fn sets(text: &str) -> Vec<&str> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let makes = |at: &usize| ["set", "map", "flowtable", "meter"].contains(&words[*at]);
    let name = |at: usize| {
        // `add set inet filter admins { … }` names the table first.
        let family = words.get(at + 1).is_some_and(|word| FAMILIES.contains(word));
        words.get(at + if family { 3 } else { 1 }).map(|word| word.trim_end_matches('{'))
    };
    (0..words.len()).filter(makes).filter_map(name).collect()
}

/// A set that a statement names and that the text does not make, although it makes others.
fn unset(words: &[String], sets: &[&str], text: &str) -> Option<String> {
    // `@th,16,16` is a place in a packet, and an included file may make sets.
    let named = words.iter().filter_map(|word| word.trim_end_matches(',').strip_prefix('@'));
    let mut named = named.filter(|name| !name.contains([',', '$']) && !name.is_empty());
    let whole = text.contains("flush ruleset") && !text.contains("include ");
    let lost = named.find(|name| whole && !sets.contains(name))?;
    Some(format!("Nothing here makes the set `{lost}`."))
}

/// Kinds of chains and the places where they hook in.
const TYPES: [&str; 3] = ["filter", "nat", "route"];
const HOOKS: [&str; 7] =
    ["egress", "forward", "ingress", "input", "output", "postrouting", "prerouting"];

/// Names of priorities.
const PRIORITIES: [&str; 7] = ["dstnat", "filter", "mangle", "out", "raw", "security", "srcnat"];

/// What is wrong after the `type` of a chain.
fn hooked(words: &[&str]) -> Option<String> {
    let (kind, hook, rest) = match words {
        [kind, "hook", hook, rest @ ..] => (kind, hook, rest),
        _ => {
            let message = "A chain takes a hook as `type KIND hook HOOK priority NUMBER;`.";
            return Some(message.to_owned());
        }
    };
    let open = |word: &str| word == "x" || word.starts_with('$');
    if !TYPES.contains(kind) && !open(kind) {
        return Some(format!("A chain has no type `{kind}`: {}.", TYPES.join(", ")));
    }
    if !HOOKS.contains(hook) && !open(hook) {
        return Some(format!("There is no hook `{hook}`: {}.", HOOKS.join(", ")));
    }
    let at = rest.iter().position(|word| *word == "priority");
    let Some(behind) = at.map(|at| &rest[at + 1..]) else {
        return Some("A chain with a hook needs a `priority`.".to_owned());
    };
    let number = |word: &str| word.trim_start_matches(['-', '+']).parse::<u32>().is_ok();
    let whole = match behind {
        [one] => number(one) || PRIORITIES.contains(one) || open(one),
        [name, "-" | "+", by] => {
            (PRIORITIES.contains(name) || open(name)) && (number(by) || open(by))
        }
        [name, by] => PRIORITIES.contains(name) && number(by),
        _ => false,
    };
    let message = format!(
        "`priority` takes a number or a name, followed by a semicolon, not `{}`.",
        behind.join(" ")
    );
    (!whole).then_some(message)
}

/// Words with which rules and other statements of a chain begin.
const BEGINS: &str = "accept add ah arp audit comment comp continue counter ct cgroup cpu day dccp delete destroy devices \
    device dnat drop dst dup elements esp ether exthdr fib flags flow frag fwd goto gre hbh hour ibrname icmp icmpv6 igmp iif iifgroup \
    iifname iiftype include insert ip ip6 ipsec jhash jump last length limit log mark masquerade meta meter mh nfproto \
    nftrace notrack numgen obrname oif oifgroup oifname oiftype osf packets pkttype policy priority protocol queue quota \
    random redefine redirect reject replace reset return rt rtclassid sctp secmark set skgid skuid snat socket symhash \
    synproxy tcp th time tproxy type udp udplite undefine define update vlan vxlan geneve gretap xt l4proto x hook";

/// A word with which no statement begins.
fn begun(first: &str) -> Option<String> {
    let plain =
        first.len() > 1 && first.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    let known = BEGINS.split_whitespace().any(|word| word == first);
    (plain && !known).then(|| format!("No nftables rule begins with `{first}`."))
}

/// Protocols with ports, the fields of their headers, and words before such a protocol that only compare it.
const PROTOCOLS: [&str; 6] = ["tcp", "udp", "udplite", "sctp", "dccp", "th"];
const FIELDS: &str = "sport dport sequence ackseq doff reserved flags window checksum urgptr option length csumcov vtag type chunk";
const COMPARE: &str = "protocol l4proto nexthdr proto { , . : == != -";

/// A field that no header has: `tcp port 22`.
fn field(words: &[&str]) -> Option<String> {
    let lists = |list: &str, word: &str| list.split_whitespace().any(|known| known == word);
    words.windows(2).enumerate().find_map(|(at, pair)| {
        let [protocol, next] = pair else { return None };
        let compared = at > 0 && lists(COMPARE, words[at - 1]);
        let plain = next.len() > 1 && next.bytes().all(|b| b.is_ascii_lowercase());
        let wrong = PROTOCOLS.contains(protocol) && !compared && plain && !lists(FIELDS, next);
        wrong.then(|| format!("`{protocol}` has no `{next}`: a port is its `dport` or `sport`."))
    })
}

/// Verdicts with nothing but a comment after them.
const VERDICTS: [&str; 3] = ["accept", "drop", "return"];

/// What follows the verdict of a rule.
fn decided(words: &[&str]) -> Option<String> {
    let mut depth = 0_usize;
    for (at, word) in words.iter().enumerate() {
        match *word {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            verdict if depth == 0 && VERDICTS.contains(&verdict) => {
                let next = words.get(at + 1).filter(|next| **next != "comment")?;
                return Some(format!("A rule ends with `{verdict}`: `{next}` begins another one."));
            }
            _ => {}
        }
    }
    None
}

/// Fields that take several values only as a set in braces.
const SINGLE: [&str; 12] = [
    "daddr", "dport", "iif", "iifname", "l4proto", "mark", "nexthdr", "oif", "oifname", "protocol",
    "saddr", "sport",
];

/// Several values of a field without the braces of a set.
fn several(words: &[&str]) -> Option<String> {
    let mut depth = 0_usize;
    for (at, word) in words.iter().enumerate() {
        match *word {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            "," if depth == 0 => {
                let before = words.get(..at.saturating_sub(1)).unwrap_or_default();
                let before = before.iter().rev().find(|word| !["==", "!=", ","].contains(*word));
                let field = before.filter(|word| SINGLE.contains(*word))?;
                return Some(format!("Several values of `{field}` are a set: `{{ 80, 443 }}`."));
            }
            _ => {}
        }
    }
    None
}

/// Two members of a set without a comma between them.
fn separated(words: &[&str]) -> Option<String> {
    let member = |word: &str| {
        let number = word.chars().all(|c| c.is_ascii_digit() || c == '-');
        let address = word.contains(['.', ':'])
            && word.chars().all(|c| c.is_ascii_hexdigit() || ".:/-".contains(c));
        (number || address) && word.starts_with(|c: char| c.is_ascii_hexdigit())
    };
    let mut depth = 0_usize;
    for (at, word) in words.iter().enumerate() {
        match *word {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            one if depth > 0 && member(one) => {
                if let Some(next) = words.get(at + 1).filter(|next| member(next)) {
                    return Some(format!("A comma is missing between `{one}` and `{next}`."));
                }
            }
            _ => {}
        }
    }
    None
}

/// Words before the braces of blocks; other braces are those of sets.
const BLOCKS: [&str; 9] =
    ["chain", "counter", "ct", "flowtable", "limit", "map", "quota", "set", "table"];

fn statements(text: &str) -> Vec<Statement> {
    let (mut found, mut blocks) = (Vec::new(), Vec::<String>::new());
    let (mut words, mut from, mut depth) = (Vec::<String>::new(), 0, 0_usize);
    for (at, line) in text.lines().enumerate() {
        // A backslash joins lines.
        let joined = line.trim_end().ends_with('\\');
        let line = code(line).replace('{', " { ").replace('}', " } ");
        let line = line.replace(';', " ; ").replace(',', " , ");
        for word in line.split_whitespace().chain((!joined).then_some("\n")) {
            if words.is_empty() {
                from = at + 1;
            }
            let block = blocks.last().cloned().unwrap_or_default();
            let heads =
                depth == 0 && words.first().is_some_and(|first| BLOCKS.contains(&first.as_str()));
            match word {
                "{" if heads && (block.is_empty() || block == "table") => {
                    blocks.extend(words.first().cloned());
                    words.clear();
                }
                "{" => {
                    depth += 1;
                    words.push(word.to_owned());
                }
                "}" if depth > 0 => {
                    depth -= 1;
                    words.push(word.to_owned());
                }
                ";" | "\n" | "}" if depth == 0 => {
                    if !words.is_empty() {
                        found.push(Statement {
                            line: from,
                            words: std::mem::take(&mut words),
                            block,
                        });
                    }
                    if word == "}" {
                        blocks.pop();
                    }
                }
                ";" | "\n" => {}
                _ => words.push(word.to_owned()),
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(body: &str) -> Vec<usize> {
        let text = format!("table inet filter {{\n{body}}}\n");
        assert!(is_ruleset(&text));
        mistakes(&text).into_iter().map(|(line, _)| line).collect()
    }

    #[test]
    fn statements_of_nftables_are_whole() {
        for (body, line) in [
            ("  chain a {\n    type filter hook input priority 0 policy drop;\n  }\n", 3),
            ("  chain a {\n    type filter hook inputs priority 0; policy drop;\n  }\n", 3),
            ("  chain a {\n    type filter hook input priority filter; policy deny;\n  }\n", 3),
            ("  chain a {\n    ct state invalid drop tcp dport 22 accept\n  }\n", 3),
            ("  chain a {\n    ip saddr 10.0.0.1 udp port 53 accept\n  }\n", 3),
            ("  chain a {\n    accept\n    tcpp dport 22 accept\n  }\n", 4),
            ("  chain a {\n    tcp dport { 22 80, 443 } accept\n  }\n", 3),
            ("  chain a {\n    tcp dport 80, 443 accept\n  }\n", 3),
            ("  chain a {\n    iifname != lo, eth0 drop\n  }\n", 3),
            (
                "  set b {\n    type ipv4_addr\n    elements = { 10.0.0.1\n      10.0.0.2 }\n  }\n  chain a { }\n",
                4,
            ),
        ] {
            assert_eq!(said(body), [line], "{body}");
        }
    }

    #[test]
    fn rules_of_all_kinds_are_right() {
        for body in [
            "  chain a {\n    type nat hook postrouting priority srcnat + 5; policy accept;\n    oifname != \"lo\" masquerade\n  }\n",
            "  chain a { type filter hook ingress device eth0 priority -500; policy accept; }\n",
            "  set b {\n    type ipv4_addr; flags interval\n    elements = {\n      10.0.0.0/8, # why\n      192.168.0.1-192.168.0.9,\n    }\n  }\n  chain c {\n    ip saddr @b tcp dport { 80,\n      443 } accept comment \"web\"\n  }\n",
            "  chain a {\n    ct state vmap { established : accept, related : accept, invalid : drop }\n    ip daddr . tcp dport { 10.0.0.1 . 80, 10.0.0.2 . 443 } counter drop\n    limit rate over 10/second burst 5 packets drop\n  }\n",
            "  chain a {\n    icmp type echo-request \\\n      limit rate 4/second accept\n    log prefix \"in: \" flags all counter reject with icmpx type admin-prohibited\n    jump b\n    add @c { ip saddr timeout 5m }\n  }\n",
            "  chain a {\n    ct state established,related accept\n    tcp flags syn,ack accept\n  }\n",
            "  chain a {\n    ip protocol tcp accept\n    meta l4proto { tcp, udp } th dport 53 accept\n    tcp flags syn / syn,ack accept\n  }\n",
            "  chain a {\n    ip protocol . th dport vmap { tcp . 22 : accept, udp . 53 : accept }\n    dnat ip to 10.0.0.1:80\n    iifname { lo, eth0 } accept\n  }\n",
        ] {
            assert!(said(body).is_empty(), "{body}: {:?}", said(body));
        }
    }
}
