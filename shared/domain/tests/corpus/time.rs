//! Redaction takes linear time for every text.

use crate::kinds;
use crate::values::Values;
use domain::redaction::redact;
use std::time::{Duration, Instant};

/// Bytes of the shorter text, and how many times as long the other is.
const BYTES: usize = 4_000;
const TIMES: usize = 8;
/// How much more than linear the longer text may take, for noise and cache misses.
const SLACK: u32 = 3;

/// Texts that are hard for scanners.
const MEAN: [&str; 22] = [
    "password=",
    "password: \"",
    "token token ",
    "\"",
    "'`\"",
    "a.",
    "sk-ant-",
    "ghp_",
    "eyJ",
    "://u:p",
    "://",
    "@",
    "-----BEGIN PRIVATE KEY-----",
    "{{secret:",
    "Private-Lines:\n",
    "log in with ",
    "AAAAaaaa1111",
    "1a2B3c4D5e",
    "curl -u ",
    "password is ",
    "\\\"",
    "key|",
];

fn time(text: &str) -> Duration {
    let once = || {
        let start = Instant::now();
        std::hint::black_box(redact(std::hint::black_box(text)));
        start.elapsed()
    };
    (0..12).map(|_| once()).min().unwrap()
}

fn repeated(piece: &str, bytes: usize) -> String {
    piece.chars().cycle().take(bytes).collect()
}

/// A secret in about a kilobyte of talk.
fn conversation(bytes: usize) -> String {
    const TALK: &str =
        "\nWe need two servers in Nuremberg with nginx in front, and a backup every night.\n";
    let mut values = Values::of(3);
    let mut text = String::new();
    for kind in kinds::TUNED.iter().cycle() {
        text.push_str(&values.fill(kind).0);
        text.push_str(&TALK.repeat(10));
        if text.len() >= bytes {
            break;
        }
    }
    text
}

#[test]
fn eight_times_the_text_takes_eight_times_as_long() {
    let mut texts: Vec<(String, String, String)> = MEAN
        .iter()
        .map(|piece| ((*piece).to_owned(), repeated(piece, BYTES), repeated(piece, BYTES * TIMES)))
        .collect();
    texts.push(("conversation".to_owned(), conversation(BYTES), conversation(BYTES * TIMES)));
    for (what, short, long) in texts {
        let (one, many) = (time(&short), time(&long));
        let most = one * u32::try_from(TIMES).unwrap() * SLACK;
        assert!(
            many <= most,
            "{what:?}: {one:?} for {} bytes, {many:?} for {}",
            short.len(),
            long.len()
        );
    }
}

/// Run it with `--release --run-ignored all`: the numbers are those of a release build.
#[test]
#[ignore = "measures a release build"]
fn a_megabyte_takes_under_fifty_milliseconds() {
    let (message, megabyte) = (conversation(20_000), conversation(1 << 20));
    let prose =
        repeated("We need two servers in Nuremberg with nginx in front, and a backup. ", 1 << 20);
    println!(
        "20 kB {:?}, 1 MB {:?}, 1 MB of prose {:?}",
        time(&message),
        time(&megabyte),
        time(&prose)
    );
    for piece in MEAN {
        println!("1 MB of {piece:?}: {:?}", time(&repeated(piece, 1 << 20)));
    }
    assert!(time(&message) < Duration::from_millis(2));
    assert!(time(&megabyte).max(time(&prose)) < Duration::from_millis(50));
}
