//! Answers to questions, from a blueprint's `answers.md`: each section's heading lists the words that select it.

use crate::words::Words;

/// The section whose heading shares the most words with the question.
pub fn find<'a>(document: &'a str, question: &Words) -> Option<&'a str> {
    document
        .split("## ")
        .filter_map(|section| section.split_once('\n'))
        .map(|(cues, answer)| {
            let score = cues.split_whitespace().filter(|cue| question.has(cue)).count();
            (score, answer.trim())
        })
        .fold(
            (0, None),
            |best, (score, answer)| {
                if score > best.0 { (score, Some(answer)) } else { best }
            },
        )
        .1
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENT: &str = "## cost price\nNothing.\n\n## backup data\nNone yet.\n";

    #[test]
    fn the_best_matching_section_is_the_answer() {
        assert_eq!(find(DOCUMENT, &Words::of("What does it cost?")), Some("Nothing."));
        assert_eq!(find(DOCUMENT, &Words::of("Are there backups?")), Some("None yet."));
        assert_eq!(find(DOCUMENT, &Words::of("Hello")), None);
    }
}
