//! One credential in the output of many programs; each row names the program that printed it.

use super::*;

const SECRET: &str = "kR7/vWq2'Zt\"Y9<m>X&b4+L $C\\8!e";

#[rustfmt::skip]
const PRINTED: &[(&str, &str)] = &[
    ("set -x", "kR7/vWq2'\\''Zt\"Y9<m>X&b4+L $C\\8!e"),
    ("printf %q", "kR7/vWq2\\'Zt\\\"Y9\\<m\\>X\\&b4+L\\ \\$C\\\\8\\!e"),
    ("declare -p", "kR7/vWq2'Zt\\\"Y9<m>X&b4+L \\$C\\\\8!e"),
    ("shlex.quote", "kR7/vWq2'\"'\"'Zt\"Y9<m>X&b4+L $C\\8!e"),
    ("Python repr", "kR7/vWq2\\'Zt\"Y9<m>X&b4+L $C\\\\8!e"),
    ("Python bytes", "kR7/vWq2\\'Zt\"Y9<m>X&b4+L $C\\\\8!e"),
    ("JSON", "kR7/vWq2'Zt\\\"Y9<m>X&b4+L $C\\\\8!e"),
    ("JSON in JSON", "kR7/vWq2'Zt\\\\\\\"Y9<m>X&b4+L $C\\\\\\\\8!e"),
    ("YAML, single quotes", "kR7/vWq2''Zt\"Y9<m>X&b4+L $C\\8!e"),
    ("XML text", "kR7/vWq2'Zt\"Y9&lt;m&gt;X&amp;b4+L $C\\8!e"),
    ("XML attribute", "kR7/vWq2'Zt&quot;Y9&lt;m&gt;X&amp;b4+L $C\\8!e"),
    ("HTML", "kR7/vWq2&#x27;Zt&quot;Y9&lt;m&gt;X&amp;b4+L $C\\8!e"),
    ("URL", "kR7%2FvWq2%27Zt%22Y9%3Cm%3EX%26b4%2BL%20%24C%5C8%21e"),
    ("form", "kR7%2FvWq2%27Zt%22Y9%3Cm%3EX%26b4%2BL+%24C%5C8%21e"),
    ("hex", "6b52372f76577132275a742259393c6d3e582662342b4c2024435c382165"),
    ("HEX", "6B52372F76577132275A742259393C6D3E582662342B4C2024435C382165"),
    ("hex with colons", "6b:52:37:2f:76:57:71:32:27:5a:74:22:59:39:3c:6d:3e:58:26:62:34:2b:4c:20:24:43:5c:38:21:65"),
    ("base32", "NNJDOL3WK5YTEJ22OQRFSOJ4NU7FQJTCGQVUYIBEINODQILF"),
    ("base64 behind 0", "a1I3L3ZXcTInWnQiWTk8bT5YJmI0K0wgJENcOCFl"),
    ("base64 behind 1", "dWtSNy92V3EyJ1p0Ilk5PG0+WCZiNCtMICRDXDghZQ=="),
    ("base64 behind 2", "dXVrUjcvdldxMidadCJZOTxtPlgmYjQrTCAkQ1w4IWU="),
    ("base64 in lines", "a1I3L3ZXcTInWnQiWTk8bT5YJmI0K0wgJENcOCFla1I3L3ZXcTInWnQiWTk8bT5YJmI0K0wgJENc\nOCFla1I3L3ZXcTInWnQiWTk8bT5YJmI0K0wgJENcOCFl\n"),
    ("od -c", "0000000   k   R   7   /   v   W   q   2   '   Z   t   \"   Y   9   <   m\n0000020   >   X   &   b   4   +   L       $   C   \\   8   !   e\n0000036\n"),
    ("od -tx1", "0000000 6b 52 37 2f 76 57 71 32 27 5a 74 22 59 39 3c 6d\n0000020 3e 58 26 62 34 2b 4c 20 24 43 5c 38 21 65\n0000036\n"),
    ("od -b", "0000000 153 122 067 057 166 127 161 062 047 132 164 042 131 071 074 155\n0000020 076 130 046 142 064 053 114 040 044 103 134 070 041 145\n0000036\n"),
    ("od -x", "0000000 526b 2f37 5776 3271 5a27 2274 3959 6d3c\n0000020 583e 6226 2b34 204c 4324 385c 6521\n0000036\n"),
    ("xxd", "00000000: 6b52 372f 7657 7132 275a 7422 5939 3c6d  kR7/vWq2'Zt\"Y9<m\n00000010: 3e58 2662 342b 4c20 2443 5c38 2165       >X&b4+L $C\\8!e\n"),
    ("hexdump -C", "00000000  6b 52 37 2f 76 57 71 32  27 5a 74 22 59 39 3c 6d  |kR7/vWq2'Zt\"Y9<m|\n00000010  3e 58 26 62 34 2b 4c 20  24 43 5c 38 21 65        |>X&b4+L $C\\8!e|\n0000001e\n"),
    ("fold -w 5", "kR7/v\nWq2'Z\nt\"Y9<\nm>X&b\n4+L $\nC\\8!e"),
    ("between colors", "\u{1b}[30mk\u{1b}[0m\u{1b}[31mR\u{1b}[0m\u{1b}[32m7\u{1b}[0m\u{1b}[33m/\u{1b}[0m\u{1b}[34mv\u{1b}[0m\u{1b}[35mW\u{1b}[0m\u{1b}[36mq\u{1b}[0m\u{1b}[37m2\u{1b}[0m\u{1b}[30m'\u{1b}[0m\u{1b}[31mZ\u{1b}[0m\u{1b}[32mt\u{1b}[0m\u{1b}[33m\"\u{1b}[0m\u{1b}[34mY\u{1b}[0m\u{1b}[35m9\u{1b}[0m\u{1b}[36m<\u{1b}[0m\u{1b}[37mm\u{1b}[0m\u{1b}[30m>\u{1b}[0m\u{1b}[31mX\u{1b}[0m\u{1b}[32m&\u{1b}[0m\u{1b}[33mb\u{1b}[0m\u{1b}[34m4\u{1b}[0m\u{1b}[35m+\u{1b}[0m\u{1b}[36mL\u{1b}[0m\u{1b}[37m \u{1b}[0m\u{1b}[30m$\u{1b}[0m\u{1b}[31mC\u{1b}[0m\u{1b}[32m\\\u{1b}[0m\u{1b}[33m8\u{1b}[0m\u{1b}[34m!\u{1b}[0m\u{1b}[35me\u{1b}[0m"),
    ("octal", "\\153\\122\\067\\057\\166\\127\\161\\062\\047\\132\\164\\042\\131\\071\\074\\155\\076\\130\\046\\142\\064\\053\\114\\040\\044\\103\\134\\070\\041\\145"),
    ("decimal", "[107, 82, 55, 47, 118, 87, 113, 50, 39, 90, 116, 34, 89, 57, 60, 109, 62, 88, 38, 98, 52, 43, 76, 32, 36, 67, 92, 56, 33, 101]"),
];

/// Shortest piece of a printed form that would reveal something, in bytes.
const PIECE_BYTES: usize = 6;

/// Whether a piece of the printed form remains; the addresses of dumps may remain.
fn shows(shown: &str, printed: &str) -> bool {
    let address = |piece: &&[u8]| !piece.iter().all(|b| b"01236e:\n ".contains(b));
    let mut pieces = printed.as_bytes().windows(PIECE_BYTES).filter(address);
    pieces.any(|piece| shown.as_bytes().windows(PIECE_BYTES).any(|s| s == piece))
}

#[test]
fn a_credential_is_masked_in_every_form_in_which_programs_print_it() {
    assert!(PRINTED.len() >= 26);
    let mask = Mask::of([SECRET]);
    for (what, printed) in PRINTED {
        let shown = mask.whole(&format!("before {printed} after\nnext line\n"));
        assert!(shown.contains("***") && !shows(&shown, printed), "{what}: {shown:?}");
        assert!(
            shown.starts_with("before ") && shown.ends_with("next line\n"),
            "{what}: {shown:?}"
        );
    }
}

#[test]
fn the_masked_text_does_not_depend_on_how_it_is_cut() {
    let mut mask = Mask::of([SECRET]);
    for (what, printed) in PRINTED {
        let text = format!("before {printed} after\nnext line\n");
        let whole = mask.whole(&text);
        for size in [1, 2, 3, 7, 16, 100] {
            let mut said = String::new();
            for piece in text.as_bytes().chunks(size) {
                said.push_str(&mask.push(std::str::from_utf8(piece).unwrap()));
            }
            said.push_str(&mask.end());
            assert_eq!(said, whole, "{what} in pieces of {size}");
        }
    }
}

#[test]
fn ordinary_output_stays_as_it_is() {
    let output = "\u{1b}[1mPlan:\u{1b}[0m 3 to add, 0 to change\n00000000: 6865 6c6c 6f0a                           hello.\n\
        0000000   h   e   l   l   o  \\n\nsha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824\n";
    let mask = Mask::of([SECRET, "another-Secret-9"]);
    assert_eq!(mask.whole(output), output);
}
