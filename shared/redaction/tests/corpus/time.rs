//! Redaction takes linear time for every text, and no text takes much longer than plain words.
//!
//! The tests compare the CPU time of this thread, so other work on the machine does not count.

use crate::kinds;
use crate::values::Values;
use redaction::{Choices, Taken, redact, redact_with};
use std::time::Duration;

/// The length of the shorter text in bytes, and how many times as long the other one is. The shorter text is longer
/// than any secret may be: a text that is one single secret costs less than two such texts.
const BYTES: usize = 10_000;
const TIMES: usize = 8;
/// How much more than linear the longer text may take, for noise and cache misses.
const SLACK: u32 = 3;

/// How much of a text is compared with plain words, in bytes.
const COMPARED_BYTES: usize = 32_000;
/// How many times the time of plain words a text may take. Plain words are the cheapest text, so making them cheaper
/// makes the others more expensive in comparison. The most expensive text takes 18 times as long on an idle machine, and
/// up to 31 times alongside other tests, which leave it less of the caches.
const DEARER: u32 = 40;

/// Texts that are hard for scanners.
const MEAN: [&str; 101] = [
    "AK=a1b2c3d4e5f60718 CK=a1b2c3d4e5f60718 ",
    "mdp root noix et mdp mysql ",
    "root pw a db pw b ",
    "with secret walnut-river-lamp-",
    "for restic: a b c d\n",
    "ab/Cdef_1 works\n",
    "the key opens with a b c d\n",
    "password=a1B2c3d4,",
    "pw:Kestrel9,user:a,",
    "arn:pass=Kd8sQ2x1|",
    "a,password\n",
    "passwords:\na b1c2d3e4\n",
    "passwords:\n\n\n",
    "what is the pw?\na: b_c\n",
    "alarm code 1\n",
    "'$2b$12$",
    "$argon2,$argon2",
    "Cookie: sid=a1; ",
    "pw below\nAbcdefg1\n\n",
    "a:1:b:c:d1\n",
    "machine a\npassword b1\n",
    "\"sea horse\" as the password ",
    "password is sea horse ",
    "root / ",
    "root@",
    "admin ",
    "password=",
    "password: \"",
    "token token ",
    "\"",
    "'`\"",
    "\\\"a",
    "\"a 'b `c ",
    "a.",
    "a)",
    "((",
    "[{(<",
    "password (a) ",
    "sk-ant-",
    "ghp_",
    "eyJ",
    "eyJhbGciOiJIUzI1NiJ9.",
    "://u:p",
    "://",
    "@",
    "-----BEGIN PRIVATE KEY-----",
    "-----BEGIN CERTIFICATE-----\n",
    "{{secret:",
    "{{secret:A}}",
    "Private-Lines:\n",
    "log in with ",
    "login a1b2 ",
    "AAAAaaaa1111",
    "1a2B3c4D5e",
    "q7Zx2Lm9Kp4Vt8Rb3Nc6Wd1Hf5Js0GyA/",
    "Basic ",
    "Basic/",
    "curl -u ",
    "curl -u a:b ",
    "password is ",
    "password is Tr0ub4dor&3 ",
    "password a1,",
    "password,a",
    "\\\"",
    "key|",
    "key:",
    "key,",
    "key&",
    "key;",
    "key=",
    "key'",
    "key\"a",
    "key)",
    "root:",
    "root:x9",
    "echo a1|",
    "passwd\necho a1",
    "x",
    "A",
    "1",
    "-",
    "=",
    "|",
    " ",
    "\n",
    "a-",
    "DB_PASSWORD=x\n",
    "password={a",
    "pwd={}}",
    "&key=0a1b2c3d",
    "alarm_a:\ncode: 44\n",
    "psk=\"a b\n",
    "recovery codes: 4821 9930 ",
    "PIN 4711 and the a for ",
    "root / a_B7 ",
    "пароль ",
    "密码：",
    "é",
    "e\u{301}",
    "\u{200b}",
    "𝐩𝐚𝐬𝐬",
];

/// Texts that people paste and commands print: an access log, a log in JSON, a document in Markdown, a template in YAML,
/// an encoded file.
const USUAL: [&str; 5] = [
    "10.0.3.14 - - [29/Nov/2026:12:41:07 +0000] \"GET /api/items/7919?page=3 HTTP/1.1\" 200 5311 \"https://shop.example.com/\" \"Mozilla/5.0 (X11; Linux x86_64) Firefox/128.0\"\n",
    "{\"time\":\"2026-11-29T12:41:07.318Z\",\"level\":\"info\",\"target\":\"api::orders\",\"request_id\":\"9e3779b1-02c4-4b1d-9c3e-0a5f3c7d1e42\",\"status\":200,\"path\":\"/orders/4711\",\"ms\":31}\n",
    "## Backups\n\n- `backup.timer` starts `restic backup /srv` at 03:00 (see [restore](restore.md#files)).\n- **Keep** 7 daily and 4 weekly copies; `infra/template.yaml` sets `BackupBucket`.\n\n| what | where | how long |\n|---|---|---|\n| database | `s3://backups/db` | 30 days |\n\n",
    "  OrdersFunction:\n    Type: AWS::Serverless::Function\n    Properties:\n      CodeUri: target/lambda/orders/\n      Environment:\n        Variables:\n          TABLE_NAME: !Ref Table\n          KMS_KEY_ID: !GetAtt Key.Arn\n      Timeout: 29 # seconds\n",
    "q7Zx2Lm9Kp4Vt8Rb3Nc6Wd1Hf5Js0GyAeTuXoQiPaSzMvBnCk7rEw2YtUgIhOjPlDfKxZcVbNmQ9\n",
];

/// Names a text in a message of a test.
fn shown(piece: &str) -> &str {
    &piece[..piece.floor_char_boundary(24)]
}

/// CPU time that this thread has used.
fn spent() -> Duration {
    // The kernel brings the count up to date when tasks change, and yielding is such a change.
    std::thread::yield_now();
    let counted = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    Duration::from_nanos(counted.split(' ').next().unwrap().parse().unwrap())
}

fn as_message(text: &str) {
    std::hint::black_box(redact_with(text, &Choices::default(), &Taken::default()));
}

/// What is longer than a message is read by the rules alone.
fn as_output(text: &str) {
    std::hint::black_box(redact(text));
}

/// The least time that some readings of a text took.
fn least(read: fn(&str), text: &str, readings: usize) -> Duration {
    let once = |_| {
        let start = spent();
        read(std::hint::black_box(text));
        spent() - start
    };
    (0..readings).map(once).min().unwrap()
}

/// The same for a message, which takes longer than an output.
fn time(text: &str, readings: usize) -> Duration {
    least(as_message, text, readings)
}

/// The least times that two texts took, read in turn: other work on the machine slows both down alike.
fn times(texts: [&str; 2], readings: usize) -> [Duration; 2] {
    let least = |least: [Duration; 2], _| {
        [least[0].min(time(texts[0], 1)), least[1].min(time(texts[1], 1))]
    };
    (0..readings).fold([Duration::MAX; 2], least)
}

const PROSE: &str = "We need two servers in Nuremberg with nginx in front, and a backup. ";

/// A piece repeated up to this many bytes. A text in another script has fewer characters.
fn repeated(piece: &str, bytes: usize) -> String {
    let mut text = piece.repeat(bytes.div_ceil(piece.len()));
    text.truncate(text.floor_char_boundary(bytes));
    text
}

/// A text with one secret in about a kilobyte of prose.
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
        .chain(&USUAL)
        .map(|piece| ((*piece).to_owned(), repeated(piece, BYTES), repeated(piece, BYTES * TIMES)))
        .collect();
    texts.push(("conversation".to_owned(), conversation(BYTES), conversation(BYTES * TIMES)));
    // A short text may be one single secret, and cost next to nothing.
    let plain = time(&repeated(PROSE, BYTES), 12);
    for (what, short, long) in texts {
        let one = time(&short, 6);
        let most = one.max(plain) * u32::try_from(TIMES).unwrap() * SLACK;
        let many = time(&long, 3);
        println!("{what:?}: {:.0} % of the bound", 100.0 * many.as_secs_f64() / most.as_secs_f64());
        assert!(
            many <= most,
            "{what:?}: {one:?} for {} bytes, {many:?} for {}",
            short.len(),
            long.len()
        );
    }
}

#[test]
fn no_text_takes_much_longer_than_plain_words() {
    let plain = repeated(PROSE, COMPARED_BYTES);
    let dear = MEAN.iter().chain(&USUAL).filter_map(|piece| {
        let text = repeated(piece, COMPARED_BYTES);
        let few = times([&plain, &text], 3);
        // Caches are shared with other work, so a text that seems too expensive is measured more often.
        let dear = few[1] > few[0] * DEARER;
        let [prose, taken] = if dear { times([&plain, &text], 24) } else { few };
        println!("{piece:?}: {:.1}", taken.as_secs_f64() / prose.as_secs_f64());
        (taken > prose * DEARER).then(|| format!("{piece:?}: {taken:?}, plain words {prose:?}"))
    });
    let dear: Vec<_> = dear.collect();
    assert!(dear.is_empty(), "{}", dear.join("\n"));
}

/// Run it with `--release --run-ignored all`: the limits are for a release build.
#[test]
#[ignore = "measures a release build"]
fn a_megabyte_takes_under_fifty_milliseconds() {
    let (message, megabyte) = (conversation(20_000), conversation(1 << 20));
    let plain = least(as_output, &repeated(PROSE, COMPARED_BYTES), 12);
    let prose = repeated(PROSE, 1 << 20);
    println!(
        "20 kB {:?}, 1 MB {:?}, 1 MB of prose {:?}",
        time(&message, 12),
        least(as_output, &megabyte, 12),
        least(as_output, &prose, 12)
    );
    // A cost that is small for each byte, such as the search for the start of a line, shows only in a long text.
    let long = |piece: &&str| {
        let short = least(as_output, &repeated(piece, COMPARED_BYTES), 12);
        let (long, times) =
            (least(as_output, &repeated(piece, 1 << 20), 3), (1 << 20) / COMPARED_BYTES);
        println!("1 MB of {piece:?}: {long:?}");
        let most = short.max(plain) * u32::try_from(times).unwrap() * SLACK;
        (long > most).then(|| format!("{piece:?}: {short:?}, and 1 MB: {long:?}"))
    };
    let steep: Vec<_> = MEAN.iter().chain(&USUAL).filter_map(long).collect();
    for piece in USUAL {
        let message = repeated(piece, 20_000);
        let [prose, usual] = times([&repeated(PROSE, 20_000), &message], 12);
        let times = usual.as_secs_f64() / prose.as_secs_f64();
        println!("20 kB of {:?}…: {usual:?}, {times:.1} times prose", shown(piece));
    }
    assert!(steep.is_empty(), "{}", steep.join("\n"));
    assert!(time(&message, 12) < Duration::from_millis(2));
    assert!(
        least(as_output, &megabyte, 12).max(least(as_output, &prose, 12))
            < Duration::from_millis(50)
    );
}
