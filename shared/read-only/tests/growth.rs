//! Commands are judged, and files are searched for keys, in time in proportion to their length.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use growth::{assert_linear, repeated};
use read_only::{Place, Reading, private_files};

/// The shorter length of a file, in bytes.
const BYTES: usize = 16 * 1024;
/// The shorter length of a command, in bytes. The longest command that is judged is four times as long.
const COMMAND_BYTES: usize = 250;

#[test]
fn commands_are_judged_in_linear_time() {
    for piece in [
        "ls ",
        "ls;",
        "ls|cat|",
        "cat a;",
        "|",
        "&&",
        "'",
        "\"a\" ",
        "''",
        "-",
        "-- ",
        "a/",
        "../",
        "./",
        "\\",
        "curl http://localhost:80/ ",
        "http://localhost:80/",
        "grep -n a ",
        "head -n 1 ",
        "awk '{print $1}' ",
        "find . -name a -o ",
        "[[",
        "a=b ",
        "é",
        "%41",
        "?",
        "{a,",
        "sed -n 1p ",
        "jq . ",
        "docker ps --format {{.Names}}",
    ] {
        for place in [Place::Sandbox, Place::Server, Place::Terminal] {
            let make = |bytes| repeated(piece, bytes);
            assert_linear(piece, COMMAND_BYTES, make, |text| {
                std::hint::black_box(Reading::of(text, place));
            });
        }
    }
}

#[test]
fn files_are_searched_for_keys_in_linear_time() {
    for piece in [
        "-----BEGIN ",
        "-----BEGIN PRIVATE KEY",
        "-----",
        "-",
        "PRIVATE KEY-----\n",
        "-----BEGIN OPENSSH PRIVATE ",
        "PuTTY-User-Key-File-",
        "\0",
        "\n",
        "a",
        "LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0",
        "LS0tLS1CRUdJTi\n",
        "FUWS2LJNIJCUOSKO\n",
        "00000000: 2d2d 2d2d 2d42 4547\n",
        "0000000   -   -   -   B\n",
        "055 055 ",
        "45, ",
        "\\n",
        "\"kty\": \"d\": ",
        "privateExponent: ",
        "=",
        ":",
    ] {
        let make = |bytes| repeated(piece, bytes).into_bytes();
        assert_linear(piece, BYTES, make, |content| {
            std::hint::black_box(private_files::holds_private_key(content));
        });
    }
}
