//! The table of `cargo dev model-check`.

use agents::{TrialRow, Verdict};

/// The overall result of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sum {
    /// Agents can work with this model.
    Usable,
    /// Something is broken, or was not tried.
    NotUsable,
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Good => "good",
        Verdict::Limited => "limited",
        Verdict::Broken => "BROKEN",
        Verdict::Untried => "untried",
    }
}

/// The rows as lines, followed by the overall result.
pub fn table(name: &str, rows: &[TrialRow]) -> String {
    let mut text = format!("{name}\n\n");
    for row in rows {
        text += &format!("  {:<8} {:<30} {}\n", word(row.verdict), row.what, row.note);
    }
    let count = |verdict| rows.iter().filter(|row| row.verdict == verdict).count();
    text += &format!("\n  {} of {} rows are good", count(Verdict::Good), rows.len());
    for verdict in [Verdict::Limited, Verdict::Broken, Verdict::Untried] {
        if count(verdict) > 0 {
            text += &format!(", {} {}", count(verdict), word(verdict).to_lowercase());
        }
    }
    text += match sum(rows) {
        Sum::Usable => ": agents can work with this model.\n",
        Sum::NotUsable => ": agents cannot work with this model as it is.\n",
    };
    text
}

/// A model is usable if nothing that agents need is broken or unknown.
pub fn sum(rows: &[TrialRow]) -> Sum {
    let fine = |row: &TrialRow| matches!(row.verdict, Verdict::Good | Verdict::Limited);
    if rows.iter().all(fine) { Sum::Usable } else { Sum::NotUsable }
}
