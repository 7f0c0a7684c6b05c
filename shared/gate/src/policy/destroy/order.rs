//! Finds a cleanup that removes the newest of what it lists, or all of it: `sort -r | head -n -5 | xargs rm`.

/// Whether a line of a pipeline removes what it should keep; a sentence without its end.
pub(super) fn newest(line: &str) -> Option<String> {
    let parts: Vec<&str> = line.split('|').map(str::trim).collect();
    let removes = |part: &&str| {
        let deletes = part.contains("rm ") || part.ends_with("rm") || part.contains("delete");
        (part.starts_with("xargs") || part.starts_with("while ")) && deletes
    };
    let end = parts.iter().position(removes)?;
    let list = parts.get(..end)?;
    let (mut newest_first, mut taken) = (None, None);
    for part in list {
        let part = part.trim_start_matches("sudo ");
        // A pipeline may begin after another command.
        let part = part.rsplit(['(', '&', ';']).next().unwrap_or(part).trim();
        let words: Vec<&str> = part.split_whitespace().collect();
        let flags: String = words
            .iter()
            .filter(|word| word.starts_with('-') && !word.starts_with("--"))
            .flat_map(|word| word.chars().skip(1))
            .collect();
        let reverse = flags.contains('r') || words.contains(&"--reverse");
        match words.iter().find(|word| ["ls", "sort", "tac", "head", "tail"].contains(word)) {
            Some(&"ls") => newest_first = Some(flags.contains('t') && !reverse),
            Some(&"sort") => newest_first = Some(reverse),
            Some(&"tac") => newest_first = newest_first.map(|it: bool| !it),
            Some(program) => taken = Some((*program, count(&words)?)),
            None => {}
        }
    }
    let (program, count) = taken?;
    let newest_first = newest_first?;
    // From the Nth line on, all but the last N, the last N, or the first N.
    let keeps = match (program, count.chars().next()) {
        ("tail", Some('+')) if count == "+1" || count == "+0" => {
            return Some("This removes all that it lists".to_owned());
        }
        ("tail", _) => newest_first,
        (_, Some('-')) if count == "-0" => {
            return Some("This removes all that it lists".to_owned());
        }
        _ => !newest_first,
    };
    (!keeps).then(|| "This removes the newest and keeps the oldest".to_owned())
}

/// The number that `head` or `tail` gets: `-n -5`, `-n5`, `--lines=-5`, `-5`.
fn count<'a>(words: &[&'a str]) -> Option<&'a str> {
    let lines = words.windows(2).find(|two| ["-n", "--lines"].contains(&two[0]));
    let joined = || {
        words.iter().find_map(|word| {
            let rest = word.strip_prefix("--lines=").or_else(|| word.strip_prefix("-n"))?;
            (!rest.is_empty()).then_some(rest)
        })
    };
    let short = || {
        words.iter().find_map(|word| {
            let rest = word.strip_prefix('-').or_else(|| word.starts_with('+').then_some(*word))?;
            rest.trim_start_matches('+').parse::<u32>().ok().map(|_| rest)
        })
    };
    let number = lines.map(|two| two[1]).or_else(joined).or_else(short)?;
    Some(number.trim_matches(['"', '\'']))
}

#[cfg(test)]
mod tests {
    use super::newest;

    #[test]
    fn the_newest_are_kept() {
        for line in [
            "find releases -type d | sort -r | head -n -5 | xargs -r rm -rf --",
            "ls -1dt releases/* | head -n 5 | xargs -r rm -rf --",
            "ls -1t releases | head -n -5 | xargs -r rm -rf",
            "ls -1dtr releases/* | tail -n +6 | xargs -r rm -rf --",
            "find releases -type d | sort | tail -n +6 | xargs -r rm -rf --",
            "ls a/*.dump | sort | tail -n 5 | xargs rm -f",
            "ls -1dt releases/* | tail -n +1 | xargs -r rm -rf --",
            "ls -1t a/*.dump | head -7 | while read -r f; do rm -f \"$f\"; done",
            "find a | sort | tac | head -n -3 | xargs rm",
        ] {
            assert!(newest(line).is_some(), "{line}");
        }
        for line in [
            "find releases -type d | sort | head -n -5 | xargs -r rm -rf --",
            "ls -1dt releases/* | tail -n +6 | xargs -r rm -rf --",
            "ls -1 releases | sort -r | tail -n +6 | xargs -r -I{} rm -rf releases/{}",
            "ls -1tr releases | head -n \"-$keep\" | xargs -r rm -rf",
            "find a -mtime +7 | xargs rm -f",
            "ls -1t releases | head -n 5 | xargs echo",
        ] {
            assert_eq!(newest(line), None, "{line}");
        }
    }
}
