//! The port that a message gives for SSH, in any phrasing: “SSH on port 2222”, “ssh auf 2222”, “2222 for SSH”.

use super::Words;

/// Maximum distance, in words, between “SSH” and the number of its port.
const REACH: usize = 8;

/// SSH's own port. A smaller number is a count.
const OWN: u16 = 22;

/// Words right before the number of a port.
const BEFORE: &[&str] = &[
    "port", "on", "in", "to", "via", "over", "at", "is", "be", "auf", "über", "por", "sur", "en",
    "a", "à", "est", "es", "ist",
];

/// Words between one of them and the number.
const ARTICLES: &[&str] = &["the", "el", "le", "la", "den", "dem", "puerto", "number", "port"];

/// Words that begin something else.
const JOINING: &[&str] = &["and", "or", "but", "y", "und", "et", "from"];

/// Words after a number that counts something.
const COUNTED: &[&str] = &[
    "servers", "server", "machines", "hosts", "boxes", "nodes", "users", "days", "minutes",
    "seconds", "hours", "people", "gb", "mb", "bit", "bits", "percent", "times",
];

/// Words for everybody's addresses.
const ANYWHERE: &[&str] = &["anywhere", "everywhere"];

impl Words {
    /// The port that the message gives for SSH.
    pub fn ssh_port(&self) -> Option<&str> {
        let values: Vec<&str> = self.values().collect();
        (0..values.len()).find_map(|at| {
            let named = ["ssh", "sshd", "ssh-port"].contains(&values[at]);
            let port = named.then(|| self.port_after(&values, at))?;
            port.or_else(|| self.port_before(&values, at))
                .or_else(|| self.port_in_a_clause(&values, at))
                .map(|at| values[at])
        })
    }

    /// Whether the message names SSH's own port for it, and no other: “leave SSH on 22”.
    pub fn keeps_ssh_port(&self) -> bool {
        let values: Vec<&str> = self.values().collect();
        let own = |at: usize| {
            let mut clause = self.clause(at);
            values[at] == "ssh" && clause.any(|at| values[at] == "22" && self.means_value(at))
        };
        self.ssh_port().is_none_or(|port| port == "22") && (0..values.len()).any(own)
    }

    /// “SSH on 2222”, “the SSH port should be 2222”, “SSH port: 2222”.
    fn port_after(&self, values: &[&str], ssh: usize) -> Option<usize> {
        let mut end = self.clause(ssh).end;
        let before = &values[self.clause(ssh).start..=ssh];
        let mut named = before.contains(&"port") || values[ssh] == "ssh-port";
        // “(port 2222)”, “SSH port: 2222”
        let bracketed = self.text().to_lowercase().contains("(port");
        let continues = end == ssh + 1
            && self.sentence(ssh).contains(&end)
            && ((values[end] == "port" && bracketed) || (named && is_port(values[end])));
        if continues {
            end = self.clause(end).end;
        }
        let at = (ssh + 1..end.min(ssh + REACH)).find(|at| values[*at].parse::<u16>().is_ok())?;
        // “SSH only from 203.0.113.5 on port 2222”
        let address = |at: usize| {
            let next = values.get(at + 1).copied().unwrap_or_default();
            values[at] == "from" && (next.contains('.') || ANYWHERE.contains(&next))
        };
        if (ssh + 1..at).any(|other| JOINING.contains(&values[other]) && !address(other)) {
            return None;
        }
        named |= values[ssh..at].contains(&"port");
        let near = (ssh + 1..at).rev().find(|at| !ARTICLES.contains(&values[*at]));
        let near = near.is_some_and(|at| BEFORE.contains(&values[at]));
        let counts = values.get(at + 1).is_some_and(|next| COUNTED.contains(next));
        // “SSH in 2027”
        let year = values[at - 1] == "in" && values[at].len() == 4 && values[at].starts_with("20");
        // “SSH only by key, port 80 443 open”: these are the ports of a website.
        named &= near || !["80", "443"].contains(&values[at]);
        ((named || near) && is_port(values[at]) && !counts && !year).then_some(at)
    }

    /// “SSH only from the office (203.0.113.5) on port 2222”: the clause after an address says only the port.
    fn port_in_a_clause(&self, values: &[&str], ssh: usize) -> Option<usize> {
        let sentence = self.sentence(ssh);
        let at = (ssh + 3..sentence.end).find(|at| is_port(values[*at]))?;
        let clause = self.clause(at);
        let begins = clause.start >= 1 && values[clause.start - 1].contains('.');
        let next = clause.start == self.clause(ssh).end;
        let before = &values[clause.start..at];
        let only = before == ["on", "port"] || (next && before == ["port"]);
        let only = only && at + 1 == clause.end;
        (begins && only && named_alone(values, ssh, clause.start)).then_some(at)
    }

    /// “2222 for SSH”.
    fn port_before(&self, values: &[&str], ssh: usize) -> Option<usize> {
        const FOR: &[&str] = &["for", "für", "para", "pour"];
        let number = ssh.checked_sub(2).filter(|number| *number >= self.clause(ssh).start)?;
        (FOR.contains(&values[ssh - 1]) && is_port(values[number])).then_some(number)
    }
}

/// Whether no other port is named between SSH and this position.
fn named_alone(values: &[&str], ssh: usize, end: usize) -> bool {
    !values[ssh..end].iter().any(|value| is_port(value) || *value == "port")
}

fn is_port(value: &str) -> bool {
    value.parse::<u16>().is_ok_and(|port| port > OWN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_port_of_ssh_is_found_in_any_phrasing() {
        for text in [
            "SSH on port 2222",
            "ssh on 2222 for the first",
            "SSH anywhere on 2222",
            "SSH por el 2222 en los dos",
            "SSH sur 2222, only from 203.0.113.5",
            "the ssh port of the first should be 2222",
            "move ssh to 2222",
            "2222 for ssh",
            "ssh-port 2222",
            "ssh from anywhere on port 2222",
            "SSH only from the office (203.0.113.5) on port 2222",
            "port ssh: 2222",
            "SSH (port 2222)",
            "SSH only from 203.0.113.5 on port 2222",
            "SSH only from 203.0.113.0/26, port 2222",
        ] {
            assert_eq!(Words::of(text).ssh_port(), Some("2222"), "{text}");
        }
        for text in [
            "only SSH keys and port 25 closed",
            "SSH on 30 servers",
            "SSH, 80 and 443 open",
            "ssh for 3 users",
            "ssh on 22",
            "ssh access in 2027",
            "ssh keys at 4096 bits",
            "ssh with a key un port 80 443 open",
            "SSH from 203.0.113.7, port 8080 open",
            "a server with ssh. Port 8080",
        ] {
            assert_eq!(Words::of(text).ssh_port(), None, "{text}");
        }
    }
}
