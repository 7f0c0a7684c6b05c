//! The reading end of a stream: records when each word arrived, and whether the words arrived as they were sent.

use super::provider::Speech;
use futures::{Stream, StreamExt};
use std::time::{Duration, Instant};

/// The result of one stream.
#[derive(Default)]
pub struct Heard {
    /// The number of each word and when it arrived.
    words: Vec<(usize, Instant)>,
    /// Words that shared an event with the previous one.
    merged: usize,
}

/// The delays and errors of a stream.
#[derive(Default)]
pub struct Passage {
    /// From the call to its arrival at the provider.
    pub request: Duration,
    /// From the provider's first word to its arrival.
    pub first: Duration,
    /// The same for all later words.
    pub later: Vec<Duration>,
    /// Words lost, out of order, repeated, or merged with another.
    pub wrong: usize,
}

/// Reads a stream to its end.
pub async fn read<B: AsRef<[u8]>, E: std::fmt::Debug>(
    pieces: impl Stream<Item = Result<B, E>>,
) -> Heard {
    let mut pieces = std::pin::pin!(pieces);
    let (mut heard, mut unread) = (Heard::default(), String::new());
    while let Some(piece) = pieces.next().await {
        let now = Instant::now();
        let piece = piece.expect("a stream that does not break");
        unread.push_str(&String::from_utf8_lossy(piece.as_ref()).replace('\r', ""));
        while let Some((event, rest)) = unread.split_once("\n\n") {
            heard.take(event, now);
            unread = rest.to_owned();
        }
    }
    heard
}

impl Heard {
    /// Records the words of an event.
    fn take(&mut self, event: &str, now: Instant) {
        let mut words = 0;
        for (at, _) in event.match_indices('w') {
            let number = event.get(at + 1..at + 7).and_then(|digits| digits.parse().ok());
            if let Some(number) = number {
                self.words.push((number, now));
                words += 1;
            }
        }
        self.merged += usize::saturating_sub(words, 1);
    }

    /// Compares this with the provider's record.
    pub fn beside(&self, called: Instant, speech: &Speech) -> Passage {
        let since = |(number, came): &(usize, Instant)| {
            let said = speech.words.get(*number)?;
            Some(came.saturating_duration_since(*said))
        };
        let mut took = self.words.iter().filter_map(since);
        let in_place = self.words.iter().enumerate().filter(|(at, (number, _))| at == number);
        let longest = self.words.len().max(speech.words.len());
        Passage {
            request: speech.asked.saturating_duration_since(called),
            first: took.next().unwrap_or(Duration::MAX),
            later: took.collect(),
            wrong: longest - in_place.count() + self.merged,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::provider::word;
    use super::*;
    use futures::executor::block_on;
    use futures::stream;

    fn passage(pieces: &[&str], said: usize) -> Passage {
        let called = Instant::now();
        let speech = Speech { asked: called, words: vec![called; said] };
        let pieces = stream::iter(pieces.iter().map(Ok::<_, ()>));
        block_on(read(pieces)).beside(called, &speech)
    }

    fn event(words: &[usize]) -> String {
        let words: Vec<_> = words.iter().map(|number| word(*number)).collect();
        format!("data: {{\"content\":\"{} \"}}\n\n", words.join(" "))
    }

    #[test]
    fn words_in_order_count_as_right_however_the_network_cuts_them() {
        let whole = event(&[0]) + &event(&[1]) + &event(&[2]);
        let (head, tail) = whole.split_at(17);
        let passage = passage(&[head, tail, "data: [DONE]\n\n"], 3);
        assert_eq!((passage.wrong, passage.later.len()), (0, 2));
    }

    #[test]
    fn lost_swapped_and_merged_words_are_counted() {
        let of = |events: &[&[usize]], said| {
            let events: Vec<_> = events.iter().map(|words| event(words)).collect();
            passage(&events.iter().map(String::as_str).collect::<Vec<_>>(), said).wrong
        };
        assert_eq!(of(&[&[0]], 2), 1);
        assert_eq!(of(&[&[0], &[2], &[1]], 3), 2);
        assert_eq!(of(&[&[0, 1]], 2), 1);
        assert_eq!(of(&[&[0], &[1], &[1]], 2), 1);
    }
}
