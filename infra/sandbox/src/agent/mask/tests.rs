use super::*;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use proptest::prelude::*;

fn masked(values: &[&str], pieces: &[&str]) -> String {
    let mut mask = Mask::of(values.iter().copied());
    let said: String = pieces.iter().map(|piece| mask.push(piece)).collect();
    said + &mask.end()
}

#[test]
fn a_credential_is_masked_wherever_its_pieces_are_cut() {
    assert_eq!(masked(&["hunter2!"], &["a hunter2! b"]), "a *** b");
    assert_eq!(masked(&["hunter2!"], &["a hun", "te", "r2! b"]), "a *** b");
    assert_eq!(masked(&["hunter2!"], &["hunter2!hunter2!"]), "***");
    assert_eq!(masked(&["hunter2!"], &["hunter2", "?"]), "hunter2?");
    assert_eq!(masked(&["abcdef", "cdefgh"], &["xabcdefghx"]), "x***x");
    assert_eq!(masked(&["abcdef", "abcdefgh"], &["abcdefg abcdefgh"]), "***g ***");
}

#[test]
fn text_that_cannot_become_a_credential_is_released_at_once() {
    let mut mask = Mask::of(["hunter2!"]);
    assert_eq!(mask.push("Creating network... h"), "Creating network... ");
    assert_eq!(mask.push("ello\n"), "hello\n");
}

#[test]
fn a_short_value_is_masked_as_a_word_of_its_own() {
    for (value, text, shown) in [
        ("zebra", "a zebra b", "a *** b"),
        ("zebra", "zebra", "***"),
        ("zebra", "zebras and azebra and zebra1", "zebras and azebra and zebra1"),
        ("zebra", "zebra\n-pzebra 'zebra',zebra:zebra", "***\n-pzebra '***',***:***"),
        ("zebra", "user:zebra@host?x=zebra&y", "user:***@host?x=***&y"),
        ("zebra", "zezebra zzebra zebr zebra", "zezebra zzebra zebr ***"),
        ("zebra", "ézebra zebraé “zebra” →zebra→", "ézebra zebraé “***” →***→"),
        (" s3c!\n", "s3c! s3c!x s3c!! xs3c!", "*** s3c!x ***! xs3c!"),
        ("éé", "éé ééé a éé", "*** ééé a ***"),
        ("a a a", "a a a a", "***"),
        ("zebra", "Zebra ZEBRA", "Zebra ZEBRA"),
    ] {
        assert_eq!(masked(&[value], &[text]), shown, "{value}: {text}");
        let pieces: Vec<String> = text.chars().map(String::from).collect();
        let pieces: Vec<&str> = pieces.iter().map(String::as_str).collect();
        assert_eq!(masked(&[value], &pieces), shown, "{value}: {text} in pieces");
        // Beside a long one, the text is read byte by byte in other places.
        assert_eq!(masked(&[value, "hunter2!zeb"], &[text]), shown, "{value}: {text}");
    }
    assert_eq!(masked(&["zebra", "hunter2!zebra"], &["hunter2!zebra zebra"]), "*** ***");
}

#[test]
fn a_short_value_at_the_end_waits_for_the_next_character() {
    let mut mask = Mask::of(["zebra"]);
    assert_eq!(mask.push("a zebra"), "a ");
    assert_eq!(mask.push("s, zebr"), "zebras, ");
    assert_eq!(mask.beginning("a zebra"), "a ");
    assert_eq!(mask.push("a."), "***.");
    assert_eq!(mask.push("z"), "");
    assert_eq!(mask.end(), "z");
}

#[test]
fn usual_words_and_numbers_are_not_masked() {
    let usual = ["a", "", "yes", "true", "root", "8080", " 12345 "];
    let text = "-rw-r--r-- 1 root root 8080 true 12345 a yes";
    assert_eq!(masked(&usual, &[text]), text);
}

#[test]
fn a_mask_does_not_complete_a_credential() {
    assert_eq!(masked(&["ab***cd", "hunter2!"], &["abhunter2!cd"]), "ab•••cd");
}

#[test]
fn encoded_credentials_are_masked_too() {
    let secret = "p@ss/w+rd?&é\"1";
    for before in ["", "u", "us", "user:"] {
        for after in ["", "\n", ":more"] {
            let encoded = STANDARD.encode(format!("{before}{secret}{after}"));
            let shown = masked(&[secret], &[&encoded]);
            // Some bits of its first and last characters belong to the surrounding text.
            let core = &STANDARD.encode(secret)[..4];
            assert!(shown.contains("***") && !shown.contains(core), "{encoded} → {shown}");
        }
    }
    for encoded in [
        "p%40ss%2Fw%2Brd%3F%26%C3%A9%221",
        "p%40ss%2fw%2brd%3f%26%c3%a9%221",
        "p%40ss/w%2Brd%3F%26%C3%A9%221",
        "p@ss/w+rd?&é\\\"1",
    ] {
        assert_eq!(masked(&[secret], &["x ", encoded, " y"]), "x *** y");
    }
}

#[test]
fn a_key_is_masked_line_by_line_and_in_lines_of_base64() {
    let line = "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtz";
    let end = "QyNTUxOQAAACCqMadeUpAndForATest==";
    let key = format!("-----BEGIN KEY-----\n{line}\n{end}\n-----END KEY-----\n");
    assert_eq!(masked(&[&key], &[&key]), "***");
    assert_eq!(masked(&[&key], &[key.trim()]), "***");
    let indented = format!("  {line}\n  {end}\n");
    assert_eq!(masked(&[&key], &[&indented]), "  ***\n  ***\n");
    for length in [76, 64] {
        let encoded = STANDARD.encode(&key);
        let lines: Vec<_> = encoded
            .as_bytes()
            .chunks(length)
            .map(|line| std::str::from_utf8(line).unwrap())
            .collect();
        let shown = masked(&[&key], &[&lines.join("\n")]);
        assert!(lines.iter().all(|line| line.len() < 16 || !shown.contains(line)), "{shown}");
    }
}

#[test]
fn a_mask_can_hold_all_credentials_of_a_project() {
    let value = |n: usize| (0..1024).map(move |i| char::from(b'!' + ((n * 31 + i * 7) % 90) as u8));
    let values: Vec<String> = (0..32).map(|n| value(n).collect()).collect();
    let mask = Mask::of(values.iter().map(String::as_str));
    assert_eq!(mask.whole(&values[7]), "•••");
}

/// Which bytes of a text belong to a form of a credential without gaps.
fn covered(values: &[String], text: &str) -> Vec<bool> {
    let words: Vec<_> = values.iter().flat_map(|value| forms::of(value)).collect();
    let mut covered = vec![false; text.len()];
    for word in &words {
        for at in 0..text.len() {
            if text.as_bytes()[at..].starts_with(word) {
                covered[at..at + word.len()].fill(true);
            }
        }
    }
    covered
}

fn values() -> impl Strategy<Value = Vec<String>> {
    proptest::collection::vec("[ab*é]{1,9}|[!-~]{6,20}|[a-c\n]{6,40}", 0..4)
}

/// Texts made of credentials, their prefixes, their encodings, and other things.
fn text(values: Vec<String>) -> impl Strategy<Value = (Vec<String>, String)> {
    let some = values.clone();
    let pieces =
        (any::<prop::sample::Index>(), any::<prop::sample::Index>(), "[ab*é\n]{0,6}", 0..4u8);
    proptest::collection::vec(pieces, 0..10).prop_map(move |pieces| {
        let mut text = String::new();
        for (which, cut, other, kind) in pieces {
            text.push_str(&other);
            if some.is_empty() {
                continue;
            }
            let value = which.get(&some);
            match kind {
                0 => text.push_str(value),
                1 => text.push_str(&value[..value.floor_char_boundary(cut.index(value.len() + 1))]),
                2 => text.push_str(&STANDARD.encode(value)),
                _ => text.push_str(&STANDARD.encode(format!("{other}{value}"))),
            }
        }
        (some.clone(), text)
    })
}

/// How many inputs are tried; `PROPTEST_CASES` overrides it.
fn cases() -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(1000)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), ..ProptestConfig::default() })]

    #[test]
    fn any_cut_gives_the_same_text_and_never_a_credential(
        (values, text) in values().prop_flat_map(text),
        cuts in proptest::collection::vec(1usize..12, 1..8)
    ) {
        let mut mask = Mask::of(values.iter().map(String::as_str));
        let (mut said, mut rest, mut sizes) = (String::new(), text.as_str(), cuts.iter().cycle());
        while !rest.is_empty() {
            let cut = rest.ceil_char_boundary((*sizes.next().unwrap()).min(rest.len()));
            said.push_str(&mask.push(&rest[..cut]));
            rest = &rest[cut..];
        }
        said.push_str(&mask.end());
        prop_assert_eq!(&said, &mask.whole(&text));
        // The text between masks appears in the original, in the same order, where nothing is covered.
        let covered = covered(&values, &text);
        let mut at = 0;
        let clear = mask.mask.chars().all(|c| !text.contains(c));
        for piece in said.split(&mask.mask).filter(|piece| clear && !piece.is_empty()) {
            let open = |start: &usize| {
                text.as_bytes()[*start..].starts_with(piece.as_bytes())
                    && covered[*start..*start + piece.len()].iter().all(|c| !c)
            };
            let found = (at..text.len()).find(open);
            prop_assert!(found.is_some(), "{piece:?} of {said:?}");
            at = found.unwrap() + piece.len();
        }
        for value in values.iter().map(|value| value.trim()).filter(|value| value.len() >= MIN_BYTES) {
            prop_assert!(!said.contains(value), "{value:?} in {said:?}");
        }
    }
}

#[test]
fn lines_of_digits_are_not_a_dump_even_next_to_a_credential_of_digits() {
    let password = "0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0";
    let text: String = (1..=20_000).map(|n| format!("{n}\n")).collect();
    let mut mask = Mask::of([password]);
    let said = mask.push(&text);
    let held = text.len() - said.len();
    assert!(held < 1_000, "{held} bytes are held back");
    assert_eq!(said + &mask.end(), text);
}
