//! Placeholders of the shared scripts for what a deployment has on its server in addition to the common parts.

use super::listed_ports;
use crate::catalogue::Values;
use crate::render;

/// Adds what the proof of the playbook's run checks on the server in addition to its hardening.
pub fn derive_proof(placeholders: &mut Values, on_server: &str) {
    let proof = render::fill(on_server.trim_end(), placeholders);
    placeholders.insert("proof_on_server".into(), proof);
}

/// Adds what a deployment has in addition to the open ports, for the check that reports every port without a
/// description: ports that listen but that the network's firewall blocks from the internet, and rules of the server's
/// own firewall, as bash patterns.
pub fn derive_ports(placeholders: &mut Values, listens: &[u16], rules: &[&str]) {
    let listens: Vec<String> = listens.iter().map(u16::to_string).collect();
    let rules: String = rules.iter().map(|rule| format!(" | {rule}")).collect();
    placeholders.insert("own_ports".into(), listens.join(" "));
    placeholders.insert("own_rules".into(), rules);
}

/// Adds the open ports on which the deployment itself listens beside its usual ones, in the notations of YAML, the
/// shell and the documents.
pub fn derive_further_ports(placeholders: &mut Values, serves: impl Fn(&str) -> bool) {
    let open = placeholders.get("open_ports").map_or("", String::as_str);
    let further: Vec<&str> = listed_ports(open).filter(|port| serves(port)).collect();
    let words = match further.as_slice() {
        [] => String::new(),
        [port] => format!(" The site answers on port {port} as well."),
        ports => format!(" The site answers on ports {} as well.", ports.join(", ")),
    };
    let texts = [
        ("further_ports_yaml", further.join(", ")),
        ("further_ports_sh", further.join(" ")),
        ("further_ports_words", words),
    ];
    placeholders.extend(texts.map(|(key, text)| (key.to_owned(), text)));
}

/// Adds what the playbook's run tries on the finished server, and the words for it. The trial changes something, as a
/// restart of a service does, so it cannot be a check: checks run again later and only read.
pub fn derive_trial(placeholders: &mut Values, script: &str, words: &str) {
    for (key, text) in [("try_on_server", script), ("try_words", words)] {
        let text = render::fill(text.trim_end(), placeholders);
        placeholders.insert(key.into(), text);
    }
}
