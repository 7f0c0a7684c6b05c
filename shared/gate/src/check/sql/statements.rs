//! Checks the shapes of SQL's statements: what `GRANT` and its like cannot do without, commas between columns, and values
//! for each column. Only what PostgreSQL, MySQL and SQLite agree about is judged.

mod rights;

use super::TYPES;
use crate::check::spelling::nearest;

/// A part of a statement and its line, from 1. A text in quotes is one part that begins with its quote.
#[derive(Debug, Clone)]
struct Part {
    line: usize,
    text: String,
}

impl Part {
    fn is(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.text.eq_ignore_ascii_case(word))
    }
}

type Mistakes = Vec<(usize, String)>;

pub(super) fn mistakes(text: &str) -> Mistakes {
    // A client of MySQL ends statements with another sign then.
    if text.to_uppercase().contains("DELIMITER") || text.contains("{{") || text.contains("{%") {
        return Vec::new();
    }
    let Some(statements) = statements(text) else { return Vec::new() };
    statements.iter().flat_map(|statement| judge(statement)).collect()
}

fn judge(statement: &[Part]) -> Mistakes {
    let Some(first) = statement.first() else { return Vec::new() };
    let mut found = Mistakes::new();
    found.extend(verb(first).into_iter().chain(kind(statement)).chain(altered(statement)));
    found.extend(needed(statement).into_iter().chain(rights::joined(statement)));
    found.extend(created(statement));
    found.extend(inserted(statement));
    found.extend(unfinished(statement));
    found
}

/// Words with which statements begin.
const VERBS: [&str; 17] = [
    "ALTER", "ANALYZE", "BEGIN", "COMMENT", "COMMIT", "CREATE", "DELETE", "DROP", "EXPLAIN",
    "FLUSH", "GRANT", "INSERT", "REVOKE", "SELECT", "TRUNCATE", "UPDATE", "VACUUM",
];

/// Words with which some statements begin and that are almost one of the others.
const OTHER_VERBS: [&str; 9] =
    ["ABORT", "ANALYSE", "CALL", "COPY", "DETACH", "ATTACH", "RESET", "START", "SET"];

/// A misspelled first word.
fn verb(first: &Part) -> Option<(usize, String)> {
    let word = first.text.to_uppercase();
    let known = VERBS.iter().chain(&OTHER_VERBS).any(|verb| *verb == word);
    let near = nearest(&word, &VERBS).filter(|_| !known && word.len() > 3)?;
    Some((first.line, format!("SQL has no statement `{}`, but it has `{near}`.", first.text)))
}

/// What statements create, alter and drop.
const KINDS: [&str; 16] = [
    "COLLATION",
    "DATABASE",
    "DOMAIN",
    "EXTENSION",
    "FUNCTION",
    "INDEX",
    "POLICY",
    "PROCEDURE",
    "PUBLICATION",
    "SCHEMA",
    "SEQUENCE",
    "SUBSCRIPTION",
    "TABLE",
    "TABLESPACE",
    "TRIGGER",
    "VIEW",
];

/// A misspelled kind of object.
fn kind(statement: &[Part]) -> Option<(usize, String)> {
    let [verb, kind, ..] = statement else { return None };
    let word = kind.text.to_uppercase();
    let judged = verb.is(&["ALTER", "CREATE", "DROP"]) && !KINDS.contains(&word.as_str());
    let near = nearest(&word, &KINDS).filter(|_| judged)?;
    Some((kind.line, format!("SQL has no `{}` to {}, but it has `{near}`.", kind.text, verb.text)))
}

/// What `ALTER TABLE` does to columns and constraints; only these words are looked for without an action before them.
const ALTERED: [&str; 3] = ["COLUMN", "CONSTRAINT", "TYPE"];

/// A change of a table without its action: `ALTER TABLE a COLUMN b …`.
fn altered(statement: &[Part]) -> Option<(usize, String)> {
    let [alter, table, _, word, ..] = statement else { return None };
    let wrong = alter.is(&["ALTER"]) && table.is(&["TABLE"]) && word.is(&ALTERED);
    let message = format!("`ALTER TABLE` needs `ADD`, `ALTER` or `DROP` before `{}`.", word.text);
    wrong.then_some((word.line, message))
}

/// Statements and the words of which each has at least one.
const NEEDED: [(&str, &[&str]); 9] = [
    ("CREATE INDEX", &["ON"]),
    ("CREATE POLICY", &["ON"]),
    ("CREATE TRIGGER", &["ON"]),
    ("CREATE UNIQUE INDEX", &["ON"]),
    ("CREATE VIEW", &["AS"]),
    ("DELETE", &["FROM"]),
    ("GRANT", &["TO"]),
    ("REVOKE", &["FROM"]),
    ("UPDATE", &["SET"]),
];

/// A word without which a statement is not whole.
fn needed(statement: &[Part]) -> Option<(usize, String)> {
    let begins = |words: &str| {
        let mut words = words.split(' ').enumerate();
        words.all(|(at, word)| statement.get(at).is_some_and(|part| part.is(&[word])))
    };
    let (begin, words) = NEEDED.iter().find(|(begin, _)| begins(begin))?;
    let first = statement.first()?;
    if statement.iter().any(|part| part.is(words)) {
        return None;
    }
    Some((first.line, format!("This `{begin}` has no `{}`.", words.join("` or `"))))
}

/// Words that begin entries other than columns in the definition of a table.
const NO_COLUMNS: [&str; 12] = [
    "CHECK",
    "CONSTRAINT",
    "EXCLUDE",
    "FOREIGN",
    "FULLTEXT",
    "INDEX",
    "KEY",
    "LIKE",
    "PERIOD",
    "PRIMARY",
    "SPATIAL",
    "UNIQUE",
];

/// Words after which a type belongs to the column that it follows.
const BEFORE_TYPES: [&str; 16] = [
    "AS",
    "AT",
    "CHARACTER",
    "COLLATE",
    "COMMENT",
    "DEFAULT",
    "IS",
    "NOT",
    "OR",
    "AND",
    "RETURNING",
    "SET",
    "TO",
    "USING",
    "WITH",
    "WITHOUT",
];

/// Conditions and columns in the definition of a table.
fn created(statement: &[Part]) -> Mistakes {
    let mut found = Mistakes::new();
    let verb = statement.first().map(|part| part.text.to_uppercase()).unwrap_or_default();
    for three in statement.windows(3) {
        let [condition, not, exists] = three else { continue };
        let wrong = (verb == "CREATE" && condition.is(&["IF"]) && not.is(&["EXISTS"]))
            || (verb == "DROP"
                && condition.is(&["IF"])
                && not.is(&["NOT"])
                && exists.is(&["EXISTS"]));
        if wrong {
            let right = if verb == "CREATE" { "IF NOT EXISTS" } else { "IF EXISTS" };
            found.push((condition.line, format!("`{verb}` takes `{right}`.")));
        }
    }
    let table = statement.iter().take(4).position(|part| part.is(&["TABLE"]));
    let open = statement.iter().position(|part| part.text == "(");
    let (Some(table), Some(open)) = (table.filter(|_| verb == "CREATE"), open) else {
        return found;
    };
    // `CREATE TABLE a AS SELECT (…)`, `PARTITION OF`
    if statement[table..open].iter().any(|part| part.is(&["AS", "OF", "SELECT"])) {
        return found;
    }
    for column in listed(&statement[open..]) {
        if column.first().is_none_or(|first| first.is(&NO_COLUMNS)) {
            continue;
        }
        let odd = column.windows(2).skip(2).find(|two| {
            let [name, kind] = two else { return false };
            is_identifier(name) && kind.is(&TYPES) && !name.is(&TYPES) && !name.is(&BEFORE_TYPES)
        });
        // `a double precision`, `a time without time zone` and the like have their type in the first words.
        if let Some([name, _]) = odd {
            found.push((
                name.line,
                format!("A comma is missing before the column `{}`.", name.text),
            ));
        }
    }
    found
}

/// The entries of the list with which the parts begin, without what is in further brackets.
fn listed(parts: &[Part]) -> Vec<Vec<Part>> {
    let (mut entries, mut depth) = (vec![Vec::new()], 0_usize);
    for part in parts {
        match part.text.as_str() {
            "(" => depth += 1,
            ")" if depth <= 1 => break,
            ")" => depth -= 1,
            "," if depth == 1 => entries.push(Vec::new()),
            _ if depth == 1 => {
                if let Some(entry) = entries.last_mut() {
                    entry.push(part.clone());
                }
                continue;
            }
            _ => continue,
        }
        // A bracket keeps what surrounds it apart.
        if depth >= 1
            && part.text != ","
            && let Some(entry) = entries.last_mut().filter(|entry| !entry.is_empty())
        {
            entry.push(part.clone());
        }
    }
    entries
}

fn is_identifier(part: &Part) -> bool {
    part.text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_' || c == '"' || c == '`')
}

/// Rows of values that are longer or shorter than the list of columns.
fn inserted(statement: &[Part]) -> Mistakes {
    let mut found = Mistakes::new();
    let [insert, into, _, open, ..] = statement else { return found };
    let values = statement.iter().position(|part| part.is(&["VALUES"]));
    let plain = insert.is(&["INSERT"]) && into.is(&["INTO"]) && open.text == "(";
    let Some(values) = values.filter(|_| plain) else { return found };
    let columns = listed(&statement[3..]).len();
    let mut at = values + 1;
    while statement.get(at).is_some_and(|part| part.text == "(") {
        let row = listed(&statement[at..]).len();
        if row != columns {
            let message = format!("This row has {row} values for {columns} columns.");
            found.push((statement[at].line, message));
        }
        at = behind(statement, at);
        if statement.get(at).is_some_and(|part| part.text == ",") {
            at += 1;
        }
    }
    found
}

/// The place after the bracket that opens at a place.
fn behind(parts: &[Part], from: usize) -> usize {
    let mut depth = 0_usize;
    for (at, part) in parts.iter().enumerate().skip(from) {
        match part.text.as_str() {
            "(" => depth += 1,
            ")" if depth <= 1 => return at + 1,
            ")" => depth -= 1,
            _ => {}
        }
    }
    parts.len()
}

/// Words after which a statement goes on.
const OPEN: [&str; 14] = [
    "AND", "BY", "FROM", "HAVING", "IN", "INTO", "JOIN", "LIKE", "LIMIT", "OR", "SELECT", "SET",
    "TABLE", "WHERE",
];

/// Words with which the next part of a statement begins, so that nothing can come between them and those before.
const NEXT: [&str; 6] = ["FROM", "GROUP", "HAVING", "LIMIT", "ORDER", "WHERE"];

/// A part of a statement of which only the first word is there.
fn unfinished(statement: &[Part]) -> Option<(usize, String)> {
    let last = statement.last()?;
    if last.is(&OPEN) && statement.len() > 1 {
        return Some((last.line, format!("Something is missing after this `{}`.", last.text)));
    }
    let clause = ["FROM", "WHERE", "HAVING", "AND", "OR", "BY"];
    let gap = statement.windows(2).find(|two| {
        let [word, next] = two else { return false };
        word.is(&clause) && (next.is(&NEXT) || next.text == ")")
    });
    let word = gap?.first()?;
    Some((word.line, format!("Something is missing after this `{}`.", word.text)))
}

/// The statements of a text; `None` if a quote or a body does not end.
fn statements(text: &str) -> Option<Vec<Vec<Part>>> {
    let mut found = vec![Vec::new()];
    let (mut rest, mut line) = (text, 1);
    while let Some(c) = rest.chars().next() {
        let begins = |sign: &str| rest.starts_with(sign);
        let mut part = true;
        let len = if begins("--") || begins("#") || begins("\\") {
            // A command of psql may end the statement: `\gexec`.
            if begins("\\g") {
                found.push(Vec::new());
            }
            part = false;
            rest.find('\n').unwrap_or(rest.len())
        } else if begins("/*") {
            part = false;
            rest.find("*/")? + 2
        } else if let Some(mark) = dollar(rest) {
            mark.len() * 2 + rest[mark.len()..].find(mark)?
        } else if c == '\'' || c == '"' || c == '`' {
            1 + rest[1..].find(c)? + 1
        } else if c.is_alphanumeric() || c == '_' {
            rest.find(|c: char| !c.is_alphanumeric() && !"_.$".contains(c)).unwrap_or(rest.len())
        } else {
            part = !c.is_whitespace() && c != ';';
            if c == ';' {
                found.push(Vec::new());
            }
            c.len_utf8()
        };
        if part && let Some(statement) = found.last_mut() {
            statement.push(Part { line, text: rest[..len].to_owned() });
        }
        line += rest[..len].matches('\n').count();
        rest = &rest[len..];
    }
    Some(found)
}

/// The mark of a body between dollar signs: `$$`, `$body$`.
fn dollar(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('$')?;
    let end = inner.find('$')?;
    let named = inner[..end].chars().all(|c| c.is_alphanumeric() || c == '_');
    named.then_some(&text[..end + 2])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Vec<usize> {
        mistakes(text).into_iter().map(|(line, _)| line).collect()
    }

    #[test]
    fn statements_of_the_wrong_shape_are_found() {
        for (text, line) in [
            ("CREATE TABLE a (b uuid PRIMARY KEY c text NOT NULL);\n", 1),
            ("CREATE TABLE a (\n  b numeric(10, 2) NOT NULL, c varchar(20) d int\n);\n", 2),
            ("GRANT USAGE ON SCHEMA a b;\n", 1),
            ("SELECT 1;\nREVOKE ALL ON DATABASE a PUBLIC;\n", 2),
            ("UPDATE a b = 1 WHERE c = 2;\n", 1),
            ("DELETE a WHERE b = 1;\n", 1),
            ("INSERT INTO a (b, c) VALUES\n  (1, 2),\n  (3);\n", 3),
            ("CREATE INDEX a_b (b);\n", 1),
            ("CREATE TABLE IF EXISTS a (b int);\n", 1),
            ("DROP TABLE IF NOT EXISTS a;\n", 1),
            ("SELECT a FROM b WHERE;\n", 1),
            ("SELECT a FROM WHERE b = 1;\n", 1),
            ("SELCT a FROM b;\n", 1),
            ("CREATE TABEL a (b int);\n", 1),
            ("ALTER TABLE a COLUMN b TYPE text;\n", 1),
        ] {
            assert_eq!(said(text), [line], "{text}");
        }
    }

    #[test]
    fn statements_of_each_dialect_are_right() {
        for text in [
            "CREATE TABLE a (b double precision, c timestamp without time zone DEFAULT now(), d character varying(3));\n",
            "CREATE TABLE a (b int UNSIGNED NOT NULL AUTO_INCREMENT, c char(3) CHARACTER SET utf8mb4 COMMENT 'text', PRIMARY KEY (b), KEY d (c)) ENGINE=InnoDB;\n",
            "CREATE TABLE a (b int GENERATED ALWAYS AS (c * 2) STORED, d int REFERENCES e (f) ON DELETE SET NULL, date date, text text);\n",
            "CREATE TABLE a (b timestamptz DEFAULT now() + interval '1 day', c date DEFAULT CURRENT_DATE, d int CHECK (d > 0 AND d::int < 5));\n",
            "CREATE TABLE a AS SELECT (b) FROM c;\nCREATE TABLE d PARTITION OF e FOR VALUES IN (1);\n",
            "GRANT a TO b WITH GRANT OPTION;\nGRANT SELECT ON ALL TABLES IN SCHEMA c TO d;\nREVOKE ALL ON e.* FROM 'f'@'%';\n",
            "INSERT INTO a (b, c) VALUES (1, f(2, 3)), (4, 'it''s, ok') ON CONFLICT (b) DO UPDATE SET c = EXCLUDED.c;\n",
            "INSERT INTO a SELECT 1, 2;\nINSERT INTO a DEFAULT VALUES;\nSTART TRANSACTION;\nCOPY a FROM stdin;\n",
            "SELECT 'CREATE ROLE a' WHERE NOT EXISTS (SELECT FROM b WHERE c = 'd') \\gexec\nALTER ROLE a PASSWORD :'e';\n",
            "DO $$\nBEGIN\n  UPDATE;\nEND\n$$;\nCREATE FUNCTION a() RETURNS trigger AS $b$ BEGIN; END; $b$ LANGUAGE plpgsql;\n",
            "ALTER TABLE IF EXISTS a ALTER COLUMN b TYPE text;\nCREATE OR REPLACE VIEW c AS SELECT 1;\nCREATE TYPE d AS ENUM ('e');\nALTER ROLE f PASSWORD NULL;\n",
            "-- DELETE a\n/* GRANT b; */ SELECT 1 FROM a;\nUSE mysql;\nSHOW TABLES;\nTRUNCATE a;\nSELECT count(*) FROM a;\n",
        ] {
            assert!(said(text).is_empty(), "{text}: {:?}", mistakes(text));
        }
    }
}
