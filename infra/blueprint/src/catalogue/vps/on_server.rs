//! What a deployment has on its server beside what every one has: placeholders of the shared scripts.

use crate::catalogue::Values;
use crate::render;

/// Adds what the proof of the playbook's run asks the server beside its hardening.
pub fn derive_proof(placeholders: &mut Values, on_server: &str) {
    let proof = render::fill(on_server.trim_end(), placeholders);
    placeholders.insert("proof_on_server".into(), proof);
}

/// Adds what a deployment has beside the open ports, for the check that names every port which is not described: ports that
/// listen and that the network's firewall keeps from the world, and rules of the server's own firewall, as patterns of bash.
pub fn derive_ports(placeholders: &mut Values, listens: &[u16], rules: &[&str]) {
    let listens: Vec<String> = listens.iter().map(u16::to_string).collect();
    let rules: String = rules.iter().map(|rule| format!(" | {rule}")).collect();
    placeholders.insert("own_ports".into(), listens.join(" "));
    placeholders.insert("own_rules".into(), rules);
}

/// Adds what the playbook's run tries on the server once it is set up, and the words that say so. What a trial changes, such
/// as a service that it restarts, is why it is no check: checks run again later and only read.
pub fn derive_trial(placeholders: &mut Values, script: &str, words: &str) {
    for (key, text) in [("try_on_server", script), ("try_words", words)] {
        let text = render::fill(text.trim_end(), placeholders);
        placeholders.insert(key.into(), text);
    }
}
