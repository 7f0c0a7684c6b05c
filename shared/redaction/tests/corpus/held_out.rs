//! Messages that were written before any rule was changed for them, and how many of their secrets the rules found at
//! first.
//!
//! Each line is one message, with `⏎` for a line end and each secret in `⟦…⟧`. On the first run, the rules found the
//! secrets of 98 of the 160 messages of the first set. Improved with those misses, they found 75 of the 107 in the
//! second set. Improved again, they found 54 of the third set's 60. The third set has shaped no rule: a rule made for
//! its misses would turn the measure into one more set of examples, so a new measure needs a new set.
//!
//! The fourth and the fifth set are stricter: each word of a secret must be found, most secrets are plain words or are
//! in files and tables, and each set has harmless messages as well. On the first run, the rules found 72 of the
//! fourth's 172 and changed 1 of its 184 harmless messages. Improved with those, they found 136 of the fifth's 154 and
//! changed 4 of 181. Both sets have shaped the rules since.
//!
//! The sixth and the seventh set, in English, German, Spanish and French, were written together. They are mostly plain
//! words beside a word for a password, pairs, command lines, configurations and tables. On the first run, the rules
//! found 64 of the sixth's 120 and changed none of its 122 harmless messages. Improved with its misses alone, they
//! found 34 of the seventh's 60 and changed 1 of 60. That change, and two words that were taken for passwords, have
//! shaped the rules since; the rest of the seventh has not.
//!
//! The eighth and the ninth set, in English, Spanish, Italian, Portuguese, French and German, were written together.
//! They are about secrets of plain words, pairs in sentences, and options of programs. On the first run, the rules
//! found 28 of the eighth's 60 and changed none of its 60 harmless messages; they found 15 of the ninth's 30 and
//! changed 2 of 30. Improved with the misses of the eighth and with those two changes, they find 41 and 20 and change
//! none.
//!
//! The tenth to the thirteenth set are in English, German, Spanish, French, Italian, Portuguese, Dutch and Polish:
//! chats, command lines, configurations. Each was written before any rule was changed for it, and after the rules had
//! been improved with the sets before it. On the first run, the rules found 77 of the tenth's 120 and changed 3 of its
//! 120 harmless messages; of the eleventh, 34 of 60 and 2 of 60; of the twelfth, 51 of 60 and 2 of 60; of the
//! thirteenth, 48 of 60 and 1 of 30. The rules from before the tenth set find 77, 25, 41 and 39 of them. All four sets
//! have shaped the rules since, and so have the misses of the sixth to the ninth, including the seventh's.
//!
//! The fourteenth set, in the same languages, has longer messages: forwarded mails, tickets, logs, histories of a
//! terminal, and corrections that no longer say "password". On the first run, the rules found 97 of its 120 and changed
//! 6 of its 120 harmless messages; the rules from before it find 91 and change 5. Improved with those, they found 63 of
//! the fifteenth's 80 and changed 5 of 80, where the rules from before both sets find 60. Improved once more, they
//! found 50 of the sixteenth's 80 and changed 4 of 80; the rules from before the three sets find 48. So each set says
//! little about the next: their messages have few phrasings in common. All three have shaped the rules since.
//!
//! The seventeenth set was written by a person who knew no rule. On the first run, the rules found 72 of its 80 and
//! changed 7 of its 120 harmless messages; those from before the fourteenth set find 64 and change 8. It has shaped the
//! rules since. We took one of its harmless messages out: it quotes `password: changeme`, which may be a real password.
//! 119 are left.
//!
//! The eighteenth and the nineteenth set were written by two people who knew no rule. On the first run, the rules found
//! 71 and 70 of the 80 messages with secrets, and changed 4 and 9 of the 120 harmless ones. Both sets have shaped the
//! rules since, which now find 79 and 80; a new measure needs a new set. The one that stays missed is "le wifi c'est
//! X", because X may as well be the name of the network.
//!
//! The twentieth and the twenty-first set, 40 messages each, were written after the rules were finished and the model
//! of `redaction::model` had learned, with 200 harmless messages. They are short, and half of them say nothing about a
//! password. On the first run, the rules alone found 43 of the 80 and changed none of the harmless ones; with the
//! model, they found 52 and changed 2. Those two changes have shaped the model's threshold and its harmless lessons
//! since; the misses have shaped nothing.
//!
//! The twenty-second set, 220 messages of 129 kinds and 110 harmless ones in eight languages, was written by a person
//! who knew neither the rules nor the model. On the first run, both together found all secrets of 202 messages, and
//! changed 7 of the harmless ones. It has shaped the rules of `redaction::announcements` since; the model has not
//! learned from it.
//!
//! The twenty-third, the twenty-fourth and the twenty-fifth set, about 100 messages each with 60 harmless ones in eight
//! languages, were written one after the other by a person who knew the rules, each before any rule was changed for it.
//! On the first run, the rules and the model found the secrets of 82 of the 100 messages of the twenty-third and
//! changed 1 of its harmless ones; improved with those, they found 87 of the twenty-fourth's 99 and changed 6; improved
//! again, they found 89 of the twenty-fifth's 100 and changed 6. The rules from before the three sets find as many of
//! the last two, and change 5 and 4: again, one set says little about the next. Many harmless messages were written to
//! look like what the newest rules seek. All three sets have shaped the rules since; the model has not learned from
//! them.
//!
//! The twenty-sixth set, 60 messages and 40 harmless ones, was written after that by the same person. On the first run,
//! the rules and the model found 47 and changed 1; those from before the twenty-third set find 46 and change 1. It has
//! shaped nothing.
//!
//! Because one set says so little about the next, five more authors, who knew neither the rules nor the model, wrote
//! for the model instead of for the rules: `lessons/authors`. On the first run, the rules and the model found 206 of
//! 350 `chats` and changed 5 of the 250 harmless ones; 161 of 360 in other `languages` and 3 of 240; 283 of 320
//! `pastes` and 29 of 280; 143 of 300 `requests` and 7 of 320, most of which say nothing about a password; and 173 of
//! 200 of the `product` set and 11 of 200. The harmless ones that were changed have shaped `redaction::surroundings`.
//! The model has learned from all of them, and from the twentieth to the twenty-fifth set.
//!
//! The twenty-seventh set, 150 messages of as many kinds and 150 harmless ones, is by a sixth such author. The rules
//! and the model from before found 136 and changed 2; since then, they find 139 and change 1. It has shaped nothing;
//! only how many were found was known while the model's threshold was chosen.
//!
//! Eight more authors wrote after that, one after the other, and each set was read before anything was changed for it.
//! Four wrote single messages: short `answers` (200 of 400 found, 0 of 350 harmless ones changed), `commands` and
//! pastes (370 of 400, 20 of 350), `sticky` notes and stories (296 of 400, 16 of 350), and seven `european` languages
//! (271 of 420, 15 of 350). Most of what was missed has no word for a secret at all. Four wrote generators of more than
//! 1,000 messages of 200 kinds, and as many harmless ones: `kinds` (1,140 of 1,200 found, 51 of 1,200 changed),
//! `templates` (1,162 of 1,200, 33 of 1,200) and `forms` (1,142 of 1,200, 27 of 1,200), from which rules and model have
//! learned, and last the twenty-eighth set: 1,090 of 1,100 found, 23 of 1,100 changed, of nine kinds. These nine have
//! shaped `redaction::surroundings` since; the model has not learned from the set. Two messages of each kind are kept
//! here.
//!
//! The twenty-ninth set is by another author who knew no rule, and wrote a generator too. On the first run, the rules
//! and the model found the secrets of 1,175 of its 1,200 messages, of 200 kinds, and changed 36 of 1,320 harmless ones,
//! of 220 kinds. The 15 kinds with a miss and the 8 with a change have shaped `redaction::identifiers`,
//! `redaction::surroundings`, `redaction::announcements` and the lessons since. Of the other kinds, a quarter is kept
//! here, with one message each: they were found and left alone from the start, so they only show what a later change
//! breaks.
//!
//! The thirtieth set is by an author like the one of the twenty-ninth: 1,108 of 1,120 messages were found on the first
//! run, and 24 of 1,250 harmless ones changed. A third of the kinds that shaped nothing is kept here.
//!
//! The thirty-first set is by two authors who knew no rule and wrote what people ordinarily write and paste. On the
//! first run, 615 of 624 messages of the first were found and 11 of 1,126 harmless ones changed; of the second, 594 of
//! 600, and 41 of 1,200. All but five kinds have shaped the rules since; the address of a project at Sentry stays a
//! match, because other authors took it for a secret. Every sixth to tenth message is kept here, with one of each kind
//! that was changed.
//!
//! The thirty-second set is by another such author: on the first run, 597 of 600 messages were found and 31 of 1,200
//! harmless ones changed, of 20 kinds of 703. All but one have shaped the rules since. Every eighth message is kept
//! here, with all that were missed or changed, and with relatives of them that the rules' author wrote: 47 of 334 of
//! these changed on their first run, of 26 kinds of 167, and 10 now.
//!
//! The thirty-third set is by another such author, who pasted more and longer: on the first run, 579 of 600 messages of
//! 430 kinds were found, and 59 of 1,200 harmless ones of 493 kinds changed, of 25 kinds. All changes and most misses
//! have shaped the rules since, which now find 593 and change none. Every eighth message is kept here, with all that
//! were missed or changed.
//!
//! The thirty-fourth set is by the rules' author: 269 ordinary harmless messages, written without regard to the rules,
//! of which 6 changed on their first run. Its messages with secrets are relatives of what another author's set showed
//! to be missed. All have shaped the rules since.
//!
//! The thirty-fifth set is by the rules' author as well, in four languages and in words that the rules did not know: on
//! the first run, the secrets of 110 of 187 messages were found, and 32 of 188 harmless ones changed. All have shaped
//! the rules since; the harmless ones that still change are left out.
//!
//! The thirty-sixth set is by eight authors who knew no rule. Each wrote a generator, in English or in German, Spanish
//! and French, of six messages of each kind. On the first run, 1,241 of 1,266 messages with secrets of 211 kinds were
//! found. Of the harmless ones, 10 of 732 and 13 of 468 changed; after those had shaped the rules, 2 of 564 and 6 of
//! 486 of other authors'; after those, 1 of 552 and 16 of 516: the last author's messages are full of users such as
//! `kim52`. A message of every second or third kind is kept here, with all that were missed or changed.

use redaction::{Choices, Found, Taken, find, find_with};
use std::ops::Range;

pub const FIRST: &str = include_str!("held_out/first.txt");
pub const SECOND: &str = include_str!("held_out/second.txt");
pub const THIRD: &str = include_str!("held_out/third.txt");
pub const FOURTH: &str = include_str!("held_out/fourth.txt");
pub const FIFTH: &str = include_str!("held_out/fifth.txt");
pub const SIXTH: &str = include_str!("held_out/sixth.txt");
pub const CALM_SIXTH: &str = include_str!("held_out/calm_sixth.txt");
pub const SEVENTH: &str = include_str!("held_out/seventh.txt");
pub const CALM_SEVENTH: &str = include_str!("held_out/calm_seventh.txt");
pub const EIGHTH: &str = include_str!("held_out/eighth.txt");
pub const CALM_EIGHTH: &str = include_str!("held_out/calm_eighth.txt");
pub const NINTH: &str = include_str!("held_out/ninth.txt");
pub const CALM_NINTH: &str = include_str!("held_out/calm_ninth.txt");
pub const TENTH: &str = include_str!("held_out/tenth.txt");
pub const CALM_TENTH: &str = include_str!("held_out/calm_tenth.txt");
pub const ELEVENTH: &str = include_str!("held_out/eleventh.txt");
pub const CALM_ELEVENTH: &str = include_str!("held_out/calm_eleventh.txt");
pub const TWELFTH: &str = include_str!("held_out/twelfth.txt");
pub const CALM_TWELFTH: &str = include_str!("held_out/calm_twelfth.txt");
pub const THIRTEENTH: &str = include_str!("held_out/thirteenth.txt");
pub const CALM_THIRTEENTH: &str = include_str!("held_out/calm_thirteenth.txt");
pub const FOURTEENTH: &str = include_str!("held_out/fourteenth.txt");
pub const CALM_FOURTEENTH: &str = include_str!("held_out/calm_fourteenth.txt");
pub const FIFTEENTH: &str = include_str!("held_out/fifteenth.txt");
pub const CALM_FIFTEENTH: &str = include_str!("held_out/calm_fifteenth.txt");
pub const SIXTEENTH: &str = include_str!("held_out/sixteenth.txt");
pub const CALM_SIXTEENTH: &str = include_str!("held_out/calm_sixteenth.txt");
pub const SEVENTEENTH: &str = include_str!("held_out/seventeenth.txt");
pub const CALM_SEVENTEENTH: &str = include_str!("held_out/calm_seventeenth.txt");
pub const EIGHTEENTH: &str = include_str!("held_out/eighteenth.txt");
pub const CALM_EIGHTEENTH: &str = include_str!("held_out/calm_eighteenth.txt");
pub const NINETEENTH: &str = include_str!("held_out/nineteenth.txt");
pub const CALM_NINETEENTH: &str = include_str!("held_out/calm_nineteenth.txt");
pub const CALM_FIFTH: &str = include_str!("held_out/calm_fifth.txt");
pub const CALM_FOURTH: &str = include_str!("held_out/calm_fourth.txt");

pub const TWENTIETH: &str = include_str!("held_out/twentieth.txt");
pub const CALM_TWENTIETH: &str = include_str!("held_out/calm_twentieth.txt");
pub const TWENTY_FIRST: &str = include_str!("held_out/twenty_first.txt");
pub const CALM_TWENTY_FIRST: &str = include_str!("held_out/calm_twenty_first.txt");

pub const TWENTY_SECOND: &str = include_str!("held_out/twenty_second.txt");
pub const CALM_TWENTY_SECOND: &str = include_str!("held_out/calm_twenty_second.txt");
pub const TWENTY_THIRD: &str = include_str!("held_out/twenty_third.txt");
pub const CALM_TWENTY_THIRD: &str = include_str!("held_out/calm_twenty_third.txt");
pub const TWENTY_FOURTH: &str = include_str!("held_out/twenty_fourth.txt");
pub const CALM_TWENTY_FOURTH: &str = include_str!("held_out/calm_twenty_fourth.txt");
pub const TWENTY_FIFTH: &str = include_str!("held_out/twenty_fifth.txt");
pub const CALM_TWENTY_FIFTH: &str = include_str!("held_out/calm_twenty_fifth.txt");
pub const TWENTY_SIXTH: &str = include_str!("held_out/twenty_sixth.txt");
pub const CALM_TWENTY_SIXTH: &str = include_str!("held_out/calm_twenty_sixth.txt");
pub const TWENTY_SEVENTH: &str = include_str!("held_out/twenty_seventh.txt");
pub const CALM_TWENTY_SEVENTH: &str = include_str!("held_out/calm_twenty_seventh.txt");
pub const TWENTY_EIGHTH: &str = include_str!("held_out/twenty_eighth.txt");
pub const CALM_TWENTY_EIGHTH: &str = include_str!("held_out/calm_twenty_eighth.txt");
pub const TWENTY_NINTH: &str = include_str!("held_out/twenty_ninth.txt");
pub const CALM_TWENTY_NINTH: &str = include_str!("held_out/calm_twenty_ninth.txt");
pub const THIRTIETH: &str = include_str!("held_out/thirtieth.txt");
pub const CALM_THIRTIETH: &str = include_str!("held_out/calm_thirtieth.txt");
pub const THIRTY_FIRST: &str = include_str!("held_out/thirty_first.txt");
pub const CALM_THIRTY_FIRST: &str = include_str!("held_out/calm_thirty_first.txt");
pub const THIRTY_SECOND: &str = include_str!("held_out/thirty_second.txt");
pub const CALM_THIRTY_SECOND: &str = include_str!("held_out/calm_thirty_second.txt");
pub const THIRTY_THIRD: &str = include_str!("held_out/thirty_third.txt");
pub const CALM_THIRTY_THIRD: &str = include_str!("held_out/calm_thirty_third.txt");
pub const THIRTY_FOURTH: &str = include_str!("held_out/thirty_fourth.txt");
pub const CALM_THIRTY_FOURTH: &str = include_str!("held_out/calm_thirty_fourth.txt");
pub const THIRTY_FIFTH: &str = include_str!("held_out/thirty_fifth.txt");
pub const CALM_THIRTY_FIFTH: &str = include_str!("held_out/calm_thirty_fifth.txt");
pub const THIRTY_SIXTH: &str = include_str!("held_out/thirty_sixth.txt");
pub const CALM_THIRTY_SIXTH: &str = include_str!("held_out/calm_thirty_sixth.txt");

/// Each set that has shaped the rules, and the harmless messages that were written with it. The model learns from them.
pub const SETS: [(&str, &str); 25] = [
    (FIRST, ""),
    (SECOND, ""),
    (THIRD, ""),
    (FOURTH, CALM_FOURTH),
    (FIFTH, CALM_FIFTH),
    (SIXTH, CALM_SIXTH),
    (SEVENTH, CALM_SEVENTH),
    (EIGHTH, CALM_EIGHTH),
    (NINTH, CALM_NINTH),
    (TENTH, CALM_TENTH),
    (ELEVENTH, CALM_ELEVENTH),
    (TWELFTH, CALM_TWELFTH),
    (THIRTEENTH, CALM_THIRTEENTH),
    (FOURTEENTH, CALM_FOURTEENTH),
    (FIFTEENTH, CALM_FIFTEENTH),
    (SIXTEENTH, CALM_SIXTEENTH),
    (SEVENTEENTH, CALM_SEVENTEENTH),
    (EIGHTEENTH, CALM_EIGHTEENTH),
    (NINETEENTH, CALM_NINETEENTH),
    (TWENTIETH, CALM_TWENTIETH),
    (TWENTY_FIRST, CALM_TWENTY_FIRST),
    (TWENTY_SECOND, CALM_TWENTY_SECOND),
    (TWENTY_THIRD, CALM_TWENTY_THIRD),
    (TWENTY_FOURTH, CALM_TWENTY_FOURTH),
    (TWENTY_FIFTH, CALM_TWENTY_FIFTH),
];

/// The shortest word that must not be shown if it is part of a secret of several words, in bytes.
const WORD_BYTES: usize = 4;

/// A message without its marks, and the places of its secrets.
pub fn read(line: &str) -> (String, Vec<Range<usize>>) {
    let (mut text, mut secrets, mut start) = (String::new(), Vec::new(), 0);
    for c in line.chars() {
        match c {
            '⟦' => start = text.len(),
            '⟧' => secrets.push(start..text.len()),
            '⏎' => text.push('\n'),
            c => text.push(c),
        }
    }
    (text, secrets)
}

/// Whether any part of a secret is shown: no match touches it, or none touches one of its words.
pub fn is_shown(text: &str, secret: &Range<usize>, found: &[Range<usize>]) -> bool {
    let hidden =
        |span: &Range<usize>| found.iter().any(|f| f.start < span.end && span.start < f.end);
    let mut at = secret.start;
    let words = text[secret.clone()].split(' ').map(|word| {
        let span = at..at + word.len();
        at = span.end + 1;
        span
    });
    let words: Vec<_> = words.filter(|word| word.len() >= WORD_BYTES).collect();
    !hidden(secret) || words.iter().any(|word| !hidden(word))
}

/// Finds secrets as in the output of a command: by the rules alone.
pub fn by_rules(text: &str) -> Vec<Found> {
    find(text)
}

/// Finds secrets as in what a person wrote: by the rules and by the model.
pub fn in_message(text: &str) -> Vec<Found> {
    find_with(text, &Choices::default(), &Taken::default())
}

fn quoted(text: &str, found: &[Range<usize>]) -> String {
    found.iter().map(|span| format!("⟦{}⟧", &text[span.clone()])).collect()
}

/// How many harmless messages a set has, and those that are changed.
pub fn changed(set: &'static str, find: fn(&str) -> Vec<Found>) -> (usize, Vec<String>) {
    let spoiled = |line: &str| {
        let text = line.replace('⏎', "\n");
        let found: Vec<_> = find(&text).into_iter().map(|found| found.span).collect();
        (!found.is_empty()).then(|| format!("{line}\n  → {}", quoted(&text, &found)))
    };
    (set.lines().count(), set.lines().filter_map(spoiled).collect())
}

/// How many messages a set has, and those that still show a secret.
pub fn missed(set: &'static str, find: fn(&str) -> Vec<Found>) -> (usize, Vec<String>) {
    let shows = |line: &str| {
        let (text, secrets) = read(line);
        let found: Vec<_> = find(&text).into_iter().map(|found| found.span).collect();
        let shown = secrets.iter().any(|secret| is_shown(&text, secret, &found));
        shown.then(|| format!("{line}\n  → {}", quoted(&text, &found)))
    };
    (set.lines().count(), set.lines().filter_map(shows).collect())
}
