//! What sections need from elsewhere, fetched ahead of them.
//!
//! Packages of Debian, npm and PyPI take minutes to arrive on a new machine, and hardly any processor time. So a thread
//! fetches them in the order of the sections, while the first sections compile and test; a section waits only for what it
//! needs itself.

use crate::machine;
use crate::sections::Section;
use anyhow::Result;
use std::collections::HashSet;
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::thread;

/// Fetches what a section needs and this machine lacks.
pub fn fetch(root: &Path, section: &Section) -> Result<()> {
    machine::provide(section.needs);
    section.fetches.iter().try_for_each(|one| one.run(root))
}

/// The sections whose needs are being fetched.
pub struct Prefetch {
    fetched: Receiver<&'static str>,
    ready: HashSet<&'static str>,
}

impl Prefetch {
    /// Starts to fetch what these sections need: all Debian packages first, so that the same programs are there for every
    /// test, then the rest in the order of the sections.
    pub fn of(root: &Path, sections: Vec<&'static Section>) -> Self {
        let (sender, fetched) = channel();
        let root = root.to_owned();
        thread::spawn(move || {
            let needs: Vec<_> =
                sections.iter().flat_map(|section| section.needs).copied().collect();
            machine::provide(&needs);
            for section in sections {
                // The section tries again and reports its error.
                let _ = fetch(&root, section);
                if sender.send(section.name).is_err() {
                    return;
                }
            }
        });
        Self { fetched, ready: HashSet::new() }
    }

    /// Waits until what this section needs has been fetched, or could not be.
    pub fn wait_for(&mut self, section: &Section) {
        if section.needs.is_empty() && section.fetches.is_empty() {
            return;
        }
        while !self.ready.contains(section.name) {
            let Ok(name) = self.fetched.recv() else { return };
            self.ready.insert(name);
        }
    }

    /// Waits until everything has been fetched, or could not be.
    pub fn wait_for_all(&mut self) {
        self.ready.extend(self.fetched.iter());
    }
}
