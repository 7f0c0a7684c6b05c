//! Finds a missing comma between the rights that `GRANT` gives or `REVOKE` takes.

use super::Part;

/// Rights of one word.
const RIGHTS: [&str; 17] = [
    "ALTER",
    "CONNECT",
    "CREATE",
    "DELETE",
    "DROP",
    "EVENT",
    "EXECUTE",
    "FILE",
    "INDEX",
    "INSERT",
    "PROCESS",
    "REFERENCES",
    "SELECT",
    "TRIGGER",
    "TRUNCATE",
    "UPDATE",
    "USAGE",
];

/// Two rights without a comma between them.
pub(super) fn joined(statement: &[Part]) -> Option<(usize, String)> {
    let (verb, rest) = statement.split_first().filter(|(verb, _)| verb.is(&["GRANT", "REVOKE"]))?;
    let rights = rest.iter().position(|part| part.is(&["ON"])).map_or(rest, |on| &rest[..on]);
    rights.windows(2).find_map(|pair| {
        let [one, next] = pair else { return None };
        let message = format!(
            "A comma is missing between `{}` and `{}` in this `{}`.",
            one.text, next.text, verb.text
        );
        (one.is(&RIGHTS) && next.is(&RIGHTS)).then_some((next.line, message))
    })
}

#[cfg(test)]
mod tests {
    use super::super::mistakes;

    #[test]
    fn rights_have_commas_between_them() {
        for text in [
            "GRANT SELECT, INSERT UPDATE ON a TO b;\n",
            "REVOKE USAGE CREATE ON SCHEMA a FROM b;\n",
        ] {
            assert_eq!(mistakes(text).len(), 1, "{text}");
        }
        for text in [
            "GRANT SELECT, CREATE VIEW, CREATE TEMPORARY TABLES, ALTER ROUTINE ON a.* TO 'b'@'c';\n",
            "GRANT SELECT (a), UPDATE (b) ON c TO d;\nGRANT ALL PRIVILEGES ON DATABASE a TO b;\n",
        ] {
            assert!(mistakes(text).is_empty(), "{text}");
        }
    }
}
