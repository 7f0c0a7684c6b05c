//! Finds statements of nginx that have no semicolon, and directives that neither nginx nor its usual modules have.

use crate::Written;
use crate::check::config::code;
use crate::check::spelling::{nearest, table};

/// A directive with its words, up to its semicolon or brace.
struct Statement {
    /// Each word with its line, from 1, and whether it begins that line.
    words: Vec<(usize, bool, String)>,
    /// What ends it: `;`, `{` or `}`.
    end: char,
    /// The directive of the block around it.
    block: String,
}

/// Directives that begin a line and are not values of another one, besides those with an underscore.
const SHORT: [&str; 11] = [
    "expires",
    "gzip",
    "include",
    "index",
    "keepalive",
    "listen",
    "location",
    "return",
    "root",
    "server",
    "rewrite",
];

/// Blocks whose lines are not directives.
const FREE: [&str; 7] = ["charset_map", "geo", "geoip2", "map", "match", "split_clients", "types"];

pub(super) fn mistakes(file: &Written) -> Vec<(usize, String)> {
    let ends = ["", "conf", "j2", "tftpl", "tpl", "template", "tmpl"];
    if !ends.contains(&file.extension().as_str()) && !file.path.contains("nginx") {
        return Vec::new();
    }
    let known = table("nginx");
    let begins = |word: &str| {
        SHORT.contains(&word)
            || (word.contains('_') && word != "proxy_protocol" && known.contains(&word))
    };
    let mut found = Vec::new();
    for Statement { words, end, block } in statements(file) {
        let Some((line, _, first)) = words.first() else { continue };
        let free = FREE.contains(&block.as_str()) || block.contains("_by_lua");
        if free || first == "x" || first.contains("_by_lua") {
            continue;
        }
        let next = words.iter().skip(1).find(|(_, starts, word)| *starts && begins(word));
        let judged = known.contains(&first.as_str());
        if judged && (next.is_some() || end == '}') {
            let until = next.map_or(usize::MAX, |(line, ..)| *line);
            let own = words.iter().filter(|(line, ..)| *line < until);
            let own: Vec<&str> = own.map(|(_, _, word)| word.as_str()).collect();
            let last = words.iter().rev().find(|(line, ..)| *line < until).map_or(*line, |it| it.0);
            found.push((last, format!("nginx needs a semicolon after `{}`.", own.join(" "))));
        }
        let plain = first.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
        let named = plain && first.len() > 3 && first.starts_with(|c: char| c.is_ascii_lowercase());
        if named && !judged && nearest(first, &known).is_none() && end != '}' {
            found.push((*line, format!("nginx has no directive `{first}`.")));
        }
    }
    found
}

fn statements(file: &Written) -> Vec<Statement> {
    let (mut found, mut blocks) = (Vec::new(), Vec::<String>::new());
    let mut words: Vec<(usize, bool, String)> = Vec::new();
    for (at, line) in file.filled().lines().enumerate() {
        let line = code(line);
        let mut word = String::new();
        let mut starts = true;
        // A line that only a template's command fills has no words.
        if line == "x" {
            continue;
        }
        for c in line.chars().chain(std::iter::once(' ')) {
            if !c.is_whitespace() && !matches!(c, ';' | '{' | '}') {
                word.push(c);
                continue;
            }
            if !word.is_empty() {
                words.push((at + 1, starts, std::mem::take(&mut word)));
                starts = false;
            }
            if !matches!(c, ';' | '{' | '}') {
                continue;
            }
            let block = blocks.last().cloned().unwrap_or_default();
            if c == '{' {
                blocks.push(words.first().map(|word| word.2.clone()).unwrap_or_default());
            } else if c == '}' {
                blocks.pop();
            }
            found.push(Statement { words: std::mem::take(&mut words), end: c, block });
            starts = true;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Vec<usize> {
        let file = Written {
            path: "/etc/nginx/conf.d/a.conf".into(),
            text: text.into(),
            expands: false,
            line: 1,
        };
        mistakes(&file).into_iter().map(|(line, _)| line).collect()
    }

    #[test]
    fn statements_end_and_name_a_directive() {
        for (text, line) in [
            ("server {\n  server_tokens off\n\n  location / {\n    return 204;\n  }\n}\n", 2),
            ("server {\n  listen 80\n}\n", 2),
            ("location / { proxy_pass http://a }\n", 1),
            ("location / {\n  proxy_timeout_read 60s;\n}\n", 2),
            ("server {\n  ssl_ciphers A:\n    B\n  ssl_protocols TLSv1.3;\n}\n", 3),
        ] {
            assert_eq!(said(text), [line], "{text}");
        }
    }

    #[test]
    fn words_that_are_not_directives_are_left_alone() {
        for text in [
            "map $a $b {\n  default 1;\n  something 2;\n}\ntypes { text/html html; }\n",
            "log_format main '$a'\n  'b $c';\nadd_header A\n  \"b c\"\n  always;\n",
            "server {\n  listen 443 ssl\n    proxy_protocol;\n  {% if a %}\n  http2 on;\n  {% endif %}\n}\n",
            "location / {\n  content_by_lua_block {\n    ngx.say(\"a\")\n    unknown_call()\n  }\n}\n",
            "more_set_headers 'A: b';\nbrotli on; js_content main.hello;\n",
        ] {
            assert!(said(text).is_empty(), "{text}: {:?}", said(text));
        }
    }
}
