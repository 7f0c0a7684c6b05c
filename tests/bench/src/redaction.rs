//! What a message waits for before it is stored: finding its secrets.

use crate::Bench;
use crate::figure::Figure;
use crate::report::Report;
use crate::samples::Samples;
use redaction::{Choices, Taken, redact, redact_with};
use std::time::Instant;

/// The longest message of a chat, in bytes, and the longer text of the second target.
const MESSAGE_BYTES: usize = 20_000;
const MEGABYTE: usize = 1 << 20;
const READINGS: usize = 11;

const TALK: &str =
    "\nWe need two servers in Nuremberg with nginx in front, and a backup every night.\n";
/// Secrets, each in about a kilobyte of talk, as in a long conversation.
const SECRETS: [&str; 8] = [
    "The root password is Tr0ub4dor&3, please change it after the first login.",
    "mysql -uroot -pWalnut77 -h db1 -e 'show databases'",
    "export AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYzEXAMPLEKEY",
    "Das Passwort für die Datenbank lautet Sommer-Regen-42.",
    "use \"correct horse battery staple\" as the password",
    "DATABASE_URL=postgres://app:s3cr3t-9f@db1.example.org:5432/app",
    "curl -u admin:hunter22 https://registry.example.org/v2/_catalog",
    "la contraseña del usuario deploy es Girasol2024!",
];

pub fn measure(bench: &Bench, report: &mut Report) {
    let (message, megabyte) = (conversation(MESSAGE_BYTES), conversation(MEGABYTE));
    let prose = TALK.repeat(MEGABYTE / TALK.len());
    let found = redact(&message).secrets.len();
    assert!(found >= SECRETS.len() / 2, "{found} secrets are found");
    let whole: [(_, _, fn(&str), _); 3] = [
        ("redaction: 20,000 characters, p50", message.as_str(), as_message, 2.0),
        ("redaction: 1 MB of conversation, p50", &megabyte, as_output, 50.0),
        ("redaction: 1 MB without secrets, p50", &prose, as_output, 50.0),
    ];
    for (what, text, read, most) in whole {
        let rounds: Vec<_> = (0..bench.rounds).map(|_| times(text, read)).collect();
        report.add(Figure::quantile(what, 0.5, &rounds).at_most(most));
    }
}

fn conversation(bytes: usize) -> String {
    let mut text = String::new();
    for secret in SECRETS.iter().cycle() {
        text.push_str(secret);
        text.push_str(&TALK.repeat(10));
        if text.len() >= bytes {
            break;
        }
    }
    text.truncate(text.floor_char_boundary(bytes));
    text
}

/// What a person wrote is also read by the learned model.
fn as_message(text: &str) {
    std::hint::black_box(redact_with(text, &Choices::default(), &Taken::default()));
}

fn as_output(text: &str) {
    std::hint::black_box(redact(text));
}

fn times(text: &str, read: fn(&str)) -> Samples {
    let once = |_| {
        let begin = Instant::now();
        read(std::hint::black_box(text));
        begin.elapsed()
    };
    Samples::of((0..READINGS).map(once))
}
