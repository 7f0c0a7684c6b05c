//! Finds variables of psql that nothing sets.

use crate::bash::is_name;

/// What sets the variable whose name follows.
const SETTERS: [&str; 3] = ["\\set", "\\getenv", "\\prompt"];

/// The variables in quotes (`:'name'`, `:"name"`) that neither the text sets nor one of the commands around it.
pub(super) fn unset(text: &str, around: &str) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    for (at, line) in text.lines().enumerate() {
        for name in used(line) {
            let known = is_set(text, name)
                || is_set(around, name)
                || is_tested(text, name)
                // psql itself has names in capitals.
                || !name.contains(|c: char| c.is_ascii_lowercase());
            let message = format!(
                "psql has no variable `{name}`: nothing sets it with `\\set`, `\\getenv` or `-v`."
            );
            if !known && !found.iter().any(|(_, said)| *said == message) {
                found.push((at + 1, message));
            }
        }
    }
    found
}

/// The names of the variables in a line.
fn used(line: &str) -> Vec<&str> {
    let mut names = Vec::new();
    for (at, _) in line.match_indices(':') {
        let before = line[..at].chars().next_back().unwrap_or(' ');
        let Some(quote) = line[at + 1..].chars().next().filter(|c| ['\'', '"'].contains(c)) else {
            continue;
        };
        let name = line[at + 2..].split_once(quote).map(|(name, _)| name);
        let free = before.is_whitespace() || "(=,|".contains(before);
        names.extend(name.filter(|name| free && is_name(name)));
    }
    if line.trim_start().starts_with("--") { Vec::new() } else { names }
}

/// Whether a text sets a variable, as a command of psql or as an option with `name=`.
fn is_set(text: &str, name: &str) -> bool {
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<String>>();
    let mut lines = text.lines().map(words);
    let command = lines.any(|words| {
        let setter = words.iter().position(|word| SETTERS.contains(&word.as_str()));
        // The text before the name of `\prompt` may have several words.
        setter.is_some_and(|at| words[at + 1..].iter().any(|word| word == name))
    });
    // `\gset` sets a variable for each column.
    let column = text.contains("\\gset")
        && text.match_indices(name).any(|(at, _)| !text[..at].ends_with(['\'', '"']));
    let option = text.match_indices(&format!("{name}=")).any(|(at, _)| {
        let before = text[..at].chars().next_back().unwrap_or(' ');
        !before.is_alphanumeric() && before != '_' || text[..at].ends_with("-v")
    });
    command || column || option || text.contains("[@]}")
}

/// Whether a text asks whether a variable is set: `:{?name}`.
fn is_tested(text: &str, name: &str) -> bool {
    text.contains(&format!(":{{?{name}}}"))
}

#[cfg(test)]
mod tests {
    use super::unset;

    #[test]
    fn variables_of_psql_are_set() {
        for (text, around) in [
            ("\\set user app\nALTER ROLE :\"usr\" PASSWORD 'a';\n", "psql"),
            ("SELECT format('%L', :'secret') \\gexec\n", "psql -v secrets=a -v ON_ERROR_STOP=1"),
            ("INSERT INTO a VALUES (1, :'b');\n", ""),
        ] {
            assert_eq!(unset(text, around).len(), 1, "{text}");
        }
        for (text, around) in [
            ("\\getenv secret SECRET\nSELECT :'secret';\n", "psql"),
            ("SELECT :'secret', a::\"char\", '{\"b\":\"c\"}';\n", "psql -vsecret=$SECRET"),
            ("SELECT :'a' ;\n", "psql --set=a=1"),
            ("SELECT now() AS a \\gset\nSELECT :'a', :'DBNAME';\n", "psql"),
            ("\\prompt 'Which one? ' a\nSELECT :'a'; -- :'b'\n-- :'c'\n", "psql"),
        ] {
            let found: Vec<_> = unset(text.split(" -- ").next().unwrap(), around);
            assert!(found.is_empty(), "{text}: {found:?}");
        }
    }
}
