//! Cells of CSV files.

/// Quotes a cell. A spreadsheet would run a cell that begins like a formula, so such a cell is marked as text.
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
    fn a_cell_stays_text_however_it_begins() {
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
