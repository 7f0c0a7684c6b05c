//! Finds unmatched brackets and quotes that a parser takes for text: in plain values of YAML, in templates, in the
//! heads of sections, in commands of images, and in addresses that nginx listens on.

use super::config::{UNITS, is_nginx, kind};
use super::{FILES, error};
use crate::places::{is_compose, is_dockerfile, is_template, is_yaml};
use crate::yaml::{self, Node};
use crate::{Unit, Written};
use domain::gate::Finding;

type Mistakes = Vec<(usize, String)>;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for file in unit.written() {
        let found = [expressions(file), values(file), heads(file), commands(file), listens(file)];
        for (line, message) in found.into_iter().flatten() {
            findings.push(error(FILES, message).at(Some(&file.path), line));
        }
    }
}

/// Expressions of templates that begin with one brace and end with two.
fn expressions(file: &Written) -> Mistakes {
    let mut found = Vec::new();
    if !is_yaml(file) && !is_template(&file.path) {
        return found;
    }
    for (at, line) in file.text.lines().enumerate() {
        for (end, _) in line.match_indices("}}") {
            let Some(start) = line[..end].rfind('{') else { continue };
            let inner = line[start + 1..end].trim();
            let doubled = line[..start].ends_with('{') || line[start + 1..].starts_with(['%', '#']);
            let name = inner.trim_start_matches(['$', '.']);
            let plain = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
                && !inner.contains([':', ',', '"', '\'', '}']);
            if !doubled && plain && line[start + 1..].starts_with([' ', '-']) {
                let message =
                    format!("This expression needs two braces at its start: `{{{{ {inner} }}}}`.");
                found.push((at + 1, message));
            }
        }
    }
    found
}

/// Plain values of YAML with a bracket or a quote too many, and variables of Compose without an end.
fn values(file: &Written) -> Mistakes {
    if !is_yaml(file) || file.text.contains("{%") {
        return Vec::new();
    }
    let documents = yaml::documents(&file.filled()).unwrap_or_default();
    let mut found = Vec::new();
    for node in documents.iter().flat_map(Node::all) {
        let Some(text) = node.text().filter(|text| !text.contains('\n')) else { continue };
        let variable = is_compose(file) && !file.expands && text.replace("$$", "").contains("${");
        if variable && text.matches("${").count() > text.matches('}').count() {
            found.push((node.line, format!("A variable in this value is not closed: `{text}`.")));
            continue;
        }
        if node.quoted || text.contains('\\') {
            continue;
        }
        let lone = |open: char, close: char| {
            text.ends_with(close) && text.matches(open).count() < text.matches(close).count()
        };
        let quotes = text.matches('"').count();
        let message = if lone('[', ']') || (lone('{', '}') && !text.contains("}}")) {
            format!("A bracket closes nothing here: `{text}`.")
        } else if quotes % 2 == 1
            && !text.ends_with("=\"")
            && (text.ends_with('"') || text.starts_with('"'))
        {
            format!("A quotation mark closes nothing here: `{text}`.")
        } else {
            continue;
        };
        found.push((node.line, message));
    }
    found
}

/// Heads of sections without a beginning, such as `sshd]`.
fn heads(file: &Written) -> Mistakes {
    let kind = kind(file);
    let known = ["cfg", "cnf", "conf", "ini", "local", "toml"];
    if !known.contains(&kind.as_str()) && !UNITS.contains(&kind.as_str()) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut open = 0_usize;
    for (at, line) in file.text.lines().enumerate() {
        let name = line.trim().strip_suffix(']').unwrap_or_default();
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_.:@ ".contains(c);
        let letter = name.starts_with(|c: char| c.is_ascii_alphabetic());
        if open == 0 && letter && name.chars().all(plain) {
            found
                .push((at + 1, format!("This section header does not begin with `[`: `{name}]`.")));
        }
        open = (open + line.matches('[').count()).saturating_sub(line.matches(']').count());
    }
    found
}

/// Commands of an image that look like a list but are not one, so that a shell gets them with their brackets.
fn commands(file: &Written) -> Mistakes {
    if !is_dockerfile(file) || file.expands {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut lines = file.text.lines().enumerate();
    while let Some((at, line)) = lines.next() {
        let mut whole = line.trim().to_owned();
        while whole.ends_with('\\') {
            whole.pop();
            let Some((_, next)) = lines.next() else { break };
            whole.push_str(next.trim());
        }
        let Some((word, rest)) = whole.split_once(' ') else { continue };
        let rest = rest.trim();
        let listed = ["CMD", "ENTRYPOINT", "SHELL", "VOLUME"].contains(&word);
        let begins = rest.starts_with("[\"");
        let ends = rest.starts_with('"') && rest.ends_with(']');
        let read = serde_json::from_str::<Vec<String>>(rest).is_ok();
        if listed && (begins || ends) && !read {
            let message =
                format!("This list is not valid JSON, so Docker takes it for words: `{rest}`.");
            found.push((at + 1, message));
        }
    }
    found
}

/// Addresses of version 6 without their brackets.
fn listens(file: &Written) -> Mistakes {
    if !is_nginx(file) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (at, line) in file.filled().lines().enumerate() {
        let mut words = line.trim().split([' ', ';']).filter(|word| !word.is_empty());
        if words.next() != Some("listen") {
            continue;
        }
        let place = words.next().unwrap_or_default();
        let six = place.contains("::") || place.contains(['[', ']']);
        let whole = place.starts_with('[') && place.contains(']');
        if six && !whole && !place.contains(['{', '$']) {
            found.push((at + 1, format!("An IPv6 address needs brackets, unlike `{place}`.")));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    #[test]
    fn brackets_and_quotes_have_partners() {
        let said = |path: &str, text: &str| {
            crate::testing::said(super::examine, &format!("cat >{path} <<'E'\n{text}\nE\n")).len()
        };
        for (path, text, count) in [
            ("a.yml", "a: \"{ backup_dir }}\"", 1),
            ("a.yml", "a: ${ matrix.node }}", 1),
            ("a.j2", "a = { key }}", 1),
            ("a.j2", "a = {{ key }} {\"b\": {\"c\": 1}}", 0),
            ("a.yml", "a: \"{{ backup_dir }}\"\nb: {c: { d: e }}", 0),
            ("a.yml", "a: ${{ matrix.node }}", 0),
            ("a.yml", "a: certbot, nginx]", 1),
            ("a.yml", "a: /b/{{ c }}/d\"", 1),
            ("a.yml", "- [b, 60\"]", 1),
            ("a.yml", "a: echo \"b\" [c] {d}", 0),
            ("a.yml", "a: '[[]b]]'\nb: |\n  c]", 0),
            ("compose.yaml", "services:\n  a:\n    environment:\n      B: ${C:?\n", 1),
            ("compose.yaml", "services:\n  a:\n    environment:\n      B: ${C:?}\n", 0),
            ("jail.local", "sshd]\nenabled = true", 1),
            ("jail.local", "[sshd]\nenabled = true", 0),
            ("a.toml", "a = [\n  b\n]\n", 0),
            ("Dockerfile", "FROM a:1\nCMD \"b\", \"c\"]", 1),
            ("Dockerfile", "FROM a:1\nCMD [\"b\" \"c\"]", 1),
            ("Dockerfile", "FROM a:1\nCMD [\"b\", \\\n  \"c\"]\nRUN [ -f a ]", 0),
            ("nginx.conf", "server {\n  listen ::]:80;\n}", 1),
            ("nginx.conf", "server {\n  listen [::]:80;\n  listen 80;\n}", 0),
        ] {
            assert_eq!(said(path, text), count, "{path}: {text}");
        }
    }
}
