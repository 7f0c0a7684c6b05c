//! Finds parameters that a directive of nginx does not take, and regular expressions whose brackets do not end.

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
            found.push((
                at + 1,
                format!("A bracket in this expression has no partner: `{pattern}`."),
            ));
        }
        let code = code(line);
        let Some(directive) = code.trim().strip_suffix(';') else { continue };
        let words: Vec<&str> = directive.split_whitespace().collect();
        let Some((first, rest)) = words.split_first() else { continue };
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

/// The regular expression in a line: of a location, of a name of a server, or of a map.
fn pattern(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace();
    let found = words.find(|word| word.starts_with('~'))?;
    let found = if ["~", "~*"].contains(&found) { words.next()? } else { found };
    // A quantifier in braces needs quotes around the whole expression.
    (!found.contains(['"', '\''])).then_some(found.trim_end_matches(';'))
}

/// Whether each round bracket outside of classes has a partner.
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
            "location ~ \\.(php|phtml$ {",
            "~\\.(?<ext>css|js$ 7d;",
        ] {
            assert_eq!(said(text), 1, "{text}");
        }
        for text in [
            "limit_req zone=a burst=10 nodelay;",
            "server 10.0.0.1:80 weight=2 backup;",
            "server {",
            "location ~* \\.(png|jpe?g)$ {",
            "server_name ~^(?<tenant>[a-z(]+)\\.example\\.com$;",
        ] {
            assert_eq!(said(text), 0, "{text}");
        }
    }
}
