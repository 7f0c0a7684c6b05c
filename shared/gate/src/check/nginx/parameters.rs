//! Finds parameters that an nginx directive does not take, and regular expressions with unclosed brackets.

use crate::Written;
use crate::check::config::code;

/// Directives, how many words come before their parameters, and the parameters; those with a value end in `=`.
const DIRECTIVES: [(&str, usize, &[&str]); 4] = [
    ("limit_conn_zone", 1, &["zone="]),
    ("limit_req", 0, &["burst=", "delay=", "nodelay", "zone="]),
    ("limit_req_zone", 1, &["rate=", "sync", "zone="]),
    (
        "server",
        1,
        &[
            "backup",
            "down",
            "drain",
            "fail_timeout=",
            "max_conns=",
            "max_fails=",
            "resolve",
            "route=",
            "service=",
            "slow_start=",
            "weight=",
        ],
    ),
];

pub(super) fn mistakes(file: &Written) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (at, line) in file.filled().lines().enumerate() {
        let bare = line.trim();
        if let Some(pattern) = pattern(bare).filter(|pattern| !is_balanced(pattern)) {
            found
                .push((at + 1, format!("A bracket in this expression is unmatched: `{pattern}`.")));
        }
        let code = code(line);
        let Some(directive) = code.trim().strip_suffix(';') else { continue };
        let words: Vec<&str> = directive.split_whitespace().collect();
        let Some((first, rest)) = words.split_first() else { continue };
        if let Some(wrong) = measured(first, rest) {
            found.push((at + 1, format!("`{first}` of nginx does not take `{wrong}`.")));
            continue;
        }
        let Some((_, skip, known)) = DIRECTIVES.iter().find(|(name, ..)| name == first) else {
            continue;
        };
        let is =
            |word: &str| {
                known.iter().any(|one| {
                    if one.ends_with('=') { word.starts_with(one) } else { word == *one }
                })
            };
        let wrong = rest
            .iter()
            .skip(*skip)
            .find(|word| !is(word) && **word != "x" && !word.contains(['$', '{']));
        if let Some(wrong) = wrong {
            found.push((at + 1, format!("`{first}` of nginx does not take `{wrong}`.")));
        }
    }
    found
}

/// The levels of nginx' log of errors.
const LEVELS: [&str; 8] = ["alert", "crit", "debug", "emerg", "error", "info", "notice", "warn"];

/// A level or a time that a directive does not take: `error_log a warning`, `fail_timeout=30sec`.
fn measured<'a>(first: &str, rest: &[&'a str]) -> Option<&'a str> {
    let level = |word: &&str| LEVELS.contains(word) || word.contains(['$', '{']);
    if first == "error_log" {
        return rest.get(1).copied().filter(|word| !level(word) && *word != "x");
    }
    let times = ["fail_timeout=", "inactive=", "slow_start=", "valid="];
    let timed = ["proxy_cache_path", "resolver", "server"].contains(&first);
    rest.iter().copied().filter(|_| timed).find(|word| {
        let time = times.iter().find_map(|name| word.strip_prefix(name));
        let unit = time.map(|time| time.trim_start_matches(|c: char| c.is_ascii_digit()));
        let units = ["", "ms", "s", "m", "h", "d", "w", "M", "y"];
        unit.is_some_and(|unit| {
            !units.contains(&unit) && unit.chars().all(|c| c.is_ascii_alphabetic()) && unit != "x"
        })
    })
}

/// The regular expression in a line: of a location, of a name of a server, or of a map.
fn pattern(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace();
    let found = words.find(|word| word.starts_with('~'))?;
    let found = if ["~", "~*"].contains(&found) { words.next()? } else { found };
    // A quantifier in braces needs quotes around the whole expression.
    (!found.contains(['"', '\''])).then_some(found.trim_end_matches(';'))
}

/// Whether every parenthesis outside of character classes is matched.
fn is_balanced(pattern: &str) -> bool {
    let (mut depth, mut class) = (0_i32, false);
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => drop(chars.next()),
            '[' => class = true,
            ']' => class = false,
            '(' if !class => depth += 1,
            ')' if !class => depth -= 1,
            _ => {}
        }
    }
    depth == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_and_patterns_are_read() {
        let said = |text: &str| {
            let file =
                Written { path: "a.conf".into(), text: text.into(), expands: false, line: 1 };
            mistakes(&file).len()
        };
        for text in [
            "limit_req zone=a burst 10 nodelay;",
            "limit_req_zone $remote_addr zone=a:1m rate 5r/s;",
            "server 10.0.0.1:80 max_fail=3;",
            "server 10.0.0.1:80 fail_timeout=30sec;",
            "resolver 127.0.0.53 valid=30sec;",
            "error_log /var/log/nginx/error.log warning;",
            "location ~ \\.(php|phtml$ {",
            "~\\.(?<ext>css|js$ 7d;",
        ] {
            assert_eq!(said(text), 1, "{text}");
        }
        for text in [
            "limit_req zone=a burst=10 nodelay;",
            "server 10.0.0.1:80 weight=2 backup;",
            "server 10.0.0.1:80 fail_timeout=30s;",
            "error_log /var/log/nginx/error.log warn;",
            "server {",
            "location ~* \\.(png|jpe?g)$ {",
            "server_name ~^(?<tenant>[a-z(]+)\\.example\\.com$;",
        ] {
            assert_eq!(said(text), 0, "{text}");
        }
    }
}
