//! A message in which one passage stands in the place of another: “4 GB of memory, sorry, 8 GB” as “8 GB of memory”.

use std::ops::Range;

use super::{BREAK, Words};

impl Words {
    /// The message with the later values in the place of the earlier ones, and without what stood between both except
    /// for these. Unlike [`Words::without`], it leaves what surrounds the earlier values in one clause with the later
    /// ones.
    pub fn spliced(self, old: &Range<usize>, kept: &Range<usize>, new: &Range<usize>) -> Words {
        let (first, last) = (old.start, new.end - 1);
        let order: Vec<usize> = (0..first)
            .chain(new.clone())
            .chain(kept.clone())
            .chain(new.end..self.values.len())
            .collect();
        let moved = first + new.len() + kept.len();
        let Words { text, values, mut tokens, plain, origins } = self;
        let (sentence, other) = (tokens[first].sentence, tokens[last].sentence);
        let (ends, pauses) = (tokens[last].ends, tokens[last].pauses);
        let asks = tokens[last].asks && sentence == other;
        for at in new.clone().chain(kept.clone()) {
            let token = &mut tokens[at];
            (token.sentence, token.pauses) = (sentence, false);
            // A comma inside what was kept still divides it.
            token.ends &= kept.contains(&at) && at + 1 < kept.end;
            token.asks = false;
        }
        if let Some(token) = moved.checked_sub(1).and_then(|at| tokens.get_mut(order[at])) {
            (token.ends, token.pauses) = (ends || sentence != other, pauses);
            token.asks = asks;
        }
        let mut words = Words {
            text,
            values: order.iter().map(|at| values[*at].clone()).collect(),
            tokens: order.iter().map(|at| tokens[*at].clone()).collect(),
            plain: Vec::new(),
            origins: Vec::new(),
        };
        for (place, at) in order.iter().enumerate() {
            let here = (0..plain.len()).filter(|one| origins[*one] == *at);
            let rearranged = (first..moved).contains(&place);
            let said = here.map(|one| plain[one].clone());
            let said = said.filter(|word| !rearranged || word != BREAK);
            let divides = rearranged && words.tokens[place].ends;
            for word in said.chain(divides.then(|| BREAK.to_string())) {
                words.plain.push(word);
                words.origins.push(place);
            }
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_later_passage_takes_the_place_of_an_earlier_one() {
        let words = Words::of("a vps in Nuremberg, no, Helsinki, with redis");
        let words = words.spliced(&(3..4), &(4..4), &(5..6));
        assert_eq!(words.values.join(" "), "a vps in helsinki with redis");
        assert!(words.has("in helsinki") && words.ends_clause(3) && words.count() == 6);
        let words = Words::of("20 GB of disk, sorry, 40. Then more");
        let words = words.spliced(&(0..1), &(1..4), &(5..6));
        assert_eq!(words.values.join(" "), "40 gb of disk then more");
        assert!(words.has("40 gb of disk") && !words.has("disk then"));
        assert_eq!(words.sentences(), [0..4, 4..6]);
    }
}
