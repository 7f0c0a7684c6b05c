//! Values that must fit each other: the server needs enough memory for what runs on it.

use super::Dialogue;
use crate::catalogue::sizes;
use crate::choice::Choice;

/// A server needs this many times the memory of Elasticsearch's heap.
const HEAPS: u32 = 2;

/// The percentage of a server's memory that Redis may use; the system needs the rest.
const REDIS_PERCENT: u32 = 75;

const MB_PER_GB: u32 = 1024;

impl Dialogue {
    /// Chooses a larger server if the requested values do not fit, or reports that the server the user chose is too
    /// small.
    pub(super) fn fit_the_server(&mut self) {
        let Some(choice) = self.choice().filter(|choice| choice.has("server-type")) else { return };
        let kind = choice.value("server-type").to_string();
        let needed = self.needed_gb(&choice);
        let Some(has) = sizes::memory_gb(&kind).filter(|has| *has < needed) else { return };
        let mut parameters = choice.parameters();
        let server = parameters.find(|parameter| parameter.key == "server-type");
        match (server, sizes::with_memory_gb(needed)) {
            (Some(server), Some(larger)) if !self.named.contains("server-type") => {
                self.set(server, larger.to_string());
            }
            _ => {
                let known = self.asked.len();
                let how = format!("{kind} has {has} GB, which is too little");
                self.lacking(format!("{needed} GB of memory"), &how);
                self.unagreed |= self.asked.len() > known;
            }
        }
    }

    /// The memory in GB that the user's values need.
    fn needed_gb(&self, choice: &Choice) -> u32 {
        let named = |key: &&str| self.named.contains(*key) && choice.has(key);
        let number = |key: &str| {
            Some(key).filter(named).and_then(|key| choice.value(key).parse::<u32>().ok())
        };
        let heap = number("heap-gb").unwrap_or(0) * HEAPS;
        let redis = number("redis-memory-mb").unwrap_or(0) * 100 / REDIS_PERCENT;
        heap.max(redis.div_ceil(MB_PER_GB))
    }
}
