//! The memory of Hetzner's servers.

/// Memory in GB by server type, from Hetzner's list of 2026.
const MEMORY_GB: &[(&str, u32)] = &[
    ("cx22", 4),
    ("cx23", 4),
    ("cx32", 8),
    ("cx33", 8),
    ("cx42", 16),
    ("cx43", 16),
    ("cx52", 32),
    ("cx53", 32),
    ("cpx11", 2),
    ("cpx21", 4),
    ("cpx31", 8),
    ("cpx41", 16),
    ("cpx51", 32),
    ("cax11", 4),
    ("cax21", 8),
    ("cax31", 16),
    ("cax41", 32),
    ("ccx13", 8),
    ("ccx23", 16),
    ("ccx33", 32),
    ("ccx43", 64),
    ("ccx53", 128),
    ("ccx63", 192),
];

/// Server types with growing memory: shared ones, and dedicated ones where no shared one has enough.
const GROWING: &[&str] = &["cx23", "cx33", "cx43", "cx53", "ccx43", "ccx53", "ccx63"];

/// The memory of a server type in GB; `None` if it is not in the list.
pub fn memory_gb(kind: &str) -> Option<u32> {
    MEMORY_GB.iter().find(|(known, _)| *known == kind).map(|(_, memory)| *memory)
}

/// The smallest server type with at least this much memory in GB.
pub fn with_memory_gb(needed: u32) -> Option<&'static str> {
    let fits = |kind: &&&str| memory_gb(kind).is_some_and(|memory| memory >= needed);
    GROWING.iter().find(fits).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_server_that_fits_is_chosen() {
        assert_eq!(with_memory_gb(8), Some("cx33"));
        assert_eq!(with_memory_gb(62), Some("ccx43"));
        assert_eq!(with_memory_gb(1000), None);
        assert!(GROWING.iter().all(|kind| memory_gb(kind).is_some()));
    }
}
