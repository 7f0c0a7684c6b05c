//! Finds truth values with two letters swapped or one letter doubled: `ture`, `flase`, `truee`. No program has such a word,
//! and most take it for false or refuse the whole file.

use super::{FILES, error};
use crate::Unit;
use domain::gate::Finding;

/// Ends of the names of files that hold settings.
const ENDS: [&str; 14] = [
    "cfg", "cnf", "conf", "env", "ini", "json", "service", "socket", "tf", "tfvars", "timer",
    "toml", "yaml", "yml",
];

const TRUTHS: [&str; 3] = ["true", "false", "yes"];

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for file in unit.written().filter(|file| ENDS.contains(&file.extension().as_str())) {
        for (at, line) in file.text.lines().enumerate() {
            let comment = line.trim_start().starts_with(['#', ';', '/']);
            let Some((word, meant)) = value(line).filter(|_| !comment) else { continue };
            let message = format!("`{word}` is not a truth value, but `{meant}` is.");
            findings.push(error(FILES, message).at(Some(&file.path), at + 1));
        }
    }
}

/// The only word of a setting's value, if it is almost a truth value, and that value.
fn value(line: &str) -> Option<(&str, &'static str)> {
    let line = line.split(" #").next()?.trim_end_matches([' ', '\t', ';', ',', '\r']);
    let line = line.trim();
    let (name, word) = line.split_once(['=', ':']).or_else(|| line.split_once([' ', '\t']))?;
    let word = word.trim();
    if name.trim().is_empty() || word.contains(char::is_whitespace) {
        return None;
    }
    let bare = word.trim_matches(['"', '\'']);
    let lower = bare.to_lowercase();
    let meant = TRUTHS.iter().find(|truth| is_twisted(&lower, truth))?;
    Some((bare, meant))
}

/// Whether a word is another one with two letters swapped, or with one doubled.
fn is_twisted(word: &str, of: &str) -> bool {
    let (word, of) = (word.as_bytes(), of.as_bytes());
    let same = word.iter().zip(of).take_while(|(one, other)| one == other).count();
    if word.len() == of.len() {
        let (one, other) = (&word[same..], &of[same..]);
        one.len() > 1 && one[0] == other[1] && one[1] == other[0] && one[2..] == other[2..]
    } else {
        word.len() == of.len() + 1
            && same > 0
            && word[same] == word[same - 1]
            && word[same + 1..] == of[same..]
    }
}

#[cfg(test)]
mod tests {
    use super::value;

    #[test]
    fn a_truth_value_with_a_slip_is_found() {
        for line in [
            "KeepAlive=ture",
            "  tls: flase",
            "read only = yse",
            "  \"on\": truee,",
            "ssl_enable yess;",
            "- enabled: 'treu' # why",
        ] {
            assert!(value(line).is_some(), "{line}");
        }
        for line in [
            "a = true",
            "a: no",
            "word ture is said",
            "name: tree",
            "ture",
            "a = trues",
            "host: yesod",
            "a = on",
        ] {
            assert_eq!(value(line), None, "{line}");
        }
    }
}
