//! Counts the quotes of PostgreSQL that consist of dollar signs.

/// How many signs like `$$` and `$body$` a line has; a here-document writes them as `\$body\$`.
pub(super) fn quotes(code: &str) -> usize {
    let code = code.replace("\\$", "$");
    let (mut count, mut rest) = (0, code.as_str());
    while let Some((_, after)) = rest.split_once('$') {
        let tag = after.split(|c: char| !c.is_ascii_alphabetic() && c != '_').next();
        let behind = after.strip_prefix(tag.unwrap_or_default()).unwrap_or(after);
        rest = match behind.strip_prefix('$') {
            Some(behind) => {
                count += 1;
                behind
            }
            None => after,
        };
    }
    count
}

#[cfg(test)]
mod tests {
    #[test]
    fn dollar_signs_around_a_name_are_quotes() {
        for (line, count) in [
            ("DO $$ BEGIN", 1),
            ("DO \\$do\\$", 1),
            ("AS $body$ SELECT 1 $body$;", 2),
            ("VALUES ($1, $2)", 0),
            ("$a$$b$", 2),
        ] {
            assert_eq!(super::quotes(line), count, "{line}");
        }
    }
}
