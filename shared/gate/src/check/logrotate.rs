//! Finds words after directives of logrotate that take none, such as two directives on one line, sizes with more than
//! one letter, and a mode after its owner.

use super::{FILES, error};
use crate::Unit;
use domain::gate::Finding;

/// Directives without an argument.
const ALONE: [&str; 23] = [
    "compress",
    "copytruncate",
    "daily",
    "dateext",
    "delaycompress",
    "endscript",
    "hourly",
    "ifempty",
    "missingok",
    "monthly",
    "nocompress",
    "nocreate",
    "nodateext",
    "nodelaycompress",
    "nomail",
    "nomissingok",
    "nosharedscripts",
    "notifempty",
    "postrotate",
    "prerotate",
    "sharedscripts",
    "shred",
    "yearly",
];

/// Whether a word is a number, or stands for one.
fn is_count(word: &str) -> bool {
    word.trim_start_matches('-').parse::<u32>().is_ok() || word == "x" || word.contains(['{', '$'])
}

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for file in unit.written().filter(|file| file.path.contains("logrotate")) {
        let mut script = false;
        for (at, line) in file.filled().lines().enumerate() {
            let words: Vec<&str> =
                line.split_whitespace().take_while(|word| !word.starts_with('#')).collect();
            let first = words.first().copied().unwrap_or_default();
            let inside = script && first != "endscript";
            script =
                inside || ["postrotate", "prerotate", "firstaction", "lastaction"].contains(&first);
            let sized = ["maxsize", "minsize", "size"].contains(&first);
            let size = words.get(1).map(|size| size.trim_end_matches(['k', 'M', 'G']));
            let odd =
                size.filter(|size| sized && size.ends_with(|c: char| c.is_ascii_alphabetic()));
            if odd.is_some_and(|size| size.starts_with(|c: char| c.is_ascii_digit())) && !inside {
                let message =
                    format!("`{first}` of logrotate takes a number with `k`, `M` or `G`.");
                findings.push(error(FILES, message).at(Some(&file.path), at + 1));
            }
            let counted = ["maxage", "minage", "rotate", "shredcycles", "start"].contains(&first);
            let count = words.get(1).filter(|count| counted && !inside && !is_count(count));
            if let Some(count) = count {
                let message = format!("`{first}` of logrotate takes a number, not `{count}`.");
                findings.push(error(FILES, message).at(Some(&file.path), at + 1));
            }
            if let ["create", first, .., last] = words.as_slice()
                && is_mode(last)
                && !is_mode(first)
                && !inside
            {
                let message = "`create` of logrotate takes the mode first: `create 0640 root adm`.";
                findings.push(error(FILES, message).at(Some(&file.path), at + 1));
            }
            let more = words.len() > 1 && ALONE.contains(&first);
            if more && !inside && !line.contains('{') {
                let message = format!("logrotate needs `{first}` alone on its line.");
                findings.push(error(FILES, message).at(Some(&file.path), at + 1));
            }
        }
    }
}

/// `0640`
fn is_mode(word: &str) -> bool {
    (3..=4).contains(&word.len()) && word.bytes().all(|b| (b'0'..=b'7').contains(&b))
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_directive_without_an_argument_stands_alone() {
        let said = |text: &str| {
            let text = format!("cat >/etc/logrotate.d/a <<'E'\n/var/log/a {{\n{text}}}\nE\n");
            crate::testing::said(super::examine, &text).len()
        };
        assert_eq!(said("    monthly rotate 6\n    compress delaycompress\n"), 2);
        assert_eq!(
            (said("    create root adm 0640\n"), said("    create 0640 root adm\n")),
            (1, 0)
        );
        assert_eq!((said("    size 100MB\n"), said("    size 100M\n")), (1, 0));
        assert_eq!((said("    rotate many\n"), said("    rotate 7\n")), (1, 0));
        let script = "    weekly # each Monday\n    rotate 6\n    postrotate\n        daily report\n    endscript\n";
        assert_eq!(said(script), 0);
    }
}
