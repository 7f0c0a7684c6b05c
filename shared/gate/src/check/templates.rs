//! Makes YAML of templates of YAML, as far as a parser can judge it.

use crate::files::Written;

/// What the names of templates end with.
const ENDS: [&str; 6] = [".j2", ".jinja2", ".jinja", ".tftpl", ".tpl", ".tmpl"];

/// The text of a template of YAML with `x` in place of each value; `None` for other files and for templates whose form
/// depends on what fills them.
pub(super) fn yaml(file: &Written) -> Option<String> {
    let end = ENDS.iter().find(|end| file.path.ends_with(*end))?;
    let inner = file.path.strip_suffix(end)?;
    if !inner.ends_with(".yml") && !inner.ends_with(".yaml") {
        return None;
    }
    let terraform = *end == ".tftpl" || file.text.contains("%{");
    let mut text = String::new();
    for line in file.filled().lines() {
        let bare = line.trim();
        let signs = if terraform { ("%{", "}") } else { ("{%", "%}") };
        if bare.starts_with("{#") && bare.ends_with("#}") {
            text.push('\n');
            continue;
        }
        if bare.contains(signs.0) {
            let branches = ["else", "elif", "macro", "include", "raw", "block", "filter"];
            let words = bare.trim_start_matches(['{', '%', '-', '~', '+', ' ']);
            let alone = bare.starts_with(signs.0)
                && bare.ends_with(signs.1)
                && bare.matches(signs.0).count() == 1;
            if !alone || branches.iter().any(|word| words.starts_with(word)) {
                return None;
            }
            text.push('\n');
            continue;
        }
        // A value at the beginning of a line may be a part of the document.
        if bare.starts_with("{{") || bare.starts_with("${") || bare.starts_with("{#") {
            return None;
        }
        let line = if terraform { crate::files::filled(line, true) } else { filled(line)? };
        text.push_str(&line);
        text.push('\n');
    }
    Some(text)
}

/// A line with `x` in place of `{{ … }}`; `None` if one of them goes on in the next line.
fn filled(line: &str) -> Option<String> {
    let mut text = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("{{") {
        text.push_str(before);
        text.push('x');
        rest = after.split_once("}}")?.1;
    }
    Some(text + rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simple_templates_become_yaml() {
        let made = |path: &str, text: &str| {
            let file = Written { path: path.into(), text: text.into(), expands: false, line: 1 };
            yaml(&file)
        };
        let loops = "a: {{ b }}\n{% for c in d %}\n- {{ c }}\n{% endfor %}\n";
        assert_eq!(made("a.yml.j2", loops).unwrap(), "a: x\n\n- x\n\n");
        assert_eq!(
            made("a.yaml.tftpl", "a: ${b}\n%{ if c }\nd: 1\n%{ endif }\n").unwrap(),
            "a: x\n\nd: 1\n\n"
        );
        for text in [
            "{{ a | to_nice_yaml }}\n",
            "a: {% if b %}c{% endif %}\n",
            "{% if a %}\nb: 1\n{% else %}\nb: 2\n{% endif %}\n",
        ] {
            assert_eq!(made("a.yml.j2", text), None, "{text}");
        }
        assert_eq!(made("a.conf.j2", "a"), None);
    }
}
