//! A cache of what a function remembers between messages.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The most entries; a full memory is emptied and filled again.
const MOST: usize = 4096;

/// Values, and how old each is.
#[derive(Clone, Debug)]
pub(crate) struct Remembered<K, V>(Arc<Mutex<HashMap<K, (V, Instant)>>>);

impl<K, V> Default for Remembered<K, V> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<K: Hash + Eq, V: Clone> Remembered<K, V> {
    /// A value, and its age.
    pub fn get<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Option<(V, Duration)>
    where
        K: Borrow<Q>,
    {
        let (value, since) = self.lock().get(key).cloned()?;
        Some((value, since.elapsed()))
    }

    /// Remembers a value from now on.
    pub fn remember(&self, key: K, value: V) {
        let mut known = self.lock();
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(key, (value, Instant::now()));
    }

    pub fn forget<Q: Hash + Eq + ?Sized>(&self, key: &Q)
    where
        K: Borrow<Q>,
    {
        self.lock().remove(key);
    }

    /// A panic during an insert leaves the map usable.
    fn lock(&self) -> MutexGuard<'_, HashMap<K, (V, Instant)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_cache_is_emptied_before_the_next_entry() {
        let remembered = Remembered::default();
        for number in 0..=MOST {
            remembered.remember(number, "value");
        }
        assert!(remembered.get(&0).is_none());
        let young = |(value, age)| value == "value" && age < Duration::from_secs(60);
        assert!(remembered.get(&MOST).is_some_and(young));
        remembered.forget(&MOST);
        assert!(remembered.get(&MOST).is_none());
    }
}
