//! Tells which known name a word almost is.

/// The shortest name that can be misspelled, in characters: shorter ones resemble too many others.
const SHORTEST: usize = 5;

/// The name that a word almost is: one letter, or two in a long name, are wrong.
pub(crate) fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    if word.len() < SHORTEST {
        return None;
    }
    let allowed = if word.len() > 9 { 2 } else { 1 };
    known.iter().copied().find(|name| name.len() + 1 >= SHORTEST && distance(word, name) <= allowed)
}

/// How many letters differ: added, left out, replaced, or exchanged with the next one.
fn distance(left: &str, right: &str) -> usize {
    let (left, right): (Vec<char>, Vec<char>) = (left.chars().collect(), right.chars().collect());
    if left.len().abs_diff(right.len()) > 2 {
        return usize::MAX;
    }
    let mut rows: Vec<Vec<usize>> = vec![(0..=right.len()).collect()];
    for i in 1..=left.len() {
        let mut row = vec![i; right.len() + 1];
        for j in 1..=right.len() {
            let cost = usize::from(left[i - 1] != right[j - 1]);
            row[j] = (rows[i - 1][j] + 1).min(row[j - 1] + 1).min(rows[i - 1][j - 1] + cost);
            if i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1] {
                row[j] = row[j].min(rows[i - 2][j - 2] + 1);
            }
        }
        rows.push(row);
    }
    rows[left.len()][right.len()]
}
