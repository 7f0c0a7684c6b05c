//! Cells of CSV files.

/// A cell. A spreadsheet takes what begins like a formula for one, and would run it.
pub fn csv_cell(text: &str) -> String {
    let formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let guarded = if formula { format!("'{text}") } else { text.to_owned() };
    match guarded.contains(['"', ',', '\r', '\n']) {
        true => format!("\"{}\"", guarded.replace('"', "\"\"")),
        false => guarded,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_text_whatever_it_begins_with() {
        for (text, written) in [
            ("Card", "Card"),
            ("=1+1", "'=1+1"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("-2", "'-2"),
            ("a, \"b\"", "\"a, \"\"b\"\"\""),
            ("=a\nb", "\"'=a\nb\""),
        ] {
            assert_eq!(csv_cell(text), written);
        }
    }
}
