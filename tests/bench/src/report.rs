//! The results of a run, as Markdown.

use crate::figure::{Figure, Verdict};
use crate::machine;

/// Figures, and what could not be measured.
#[derive(Default)]
pub struct Report {
    figures: Vec<Figure>,
    skipped: Vec<String>,
    tables: Vec<String>,
}

impl Report {
    pub fn add(&mut self, figure: Figure) {
        eprintln!("{}", figure.line());
        self.figures.push(figure);
    }

    /// Adds something that this machine cannot measure now, with the reason.
    pub fn skip(&mut self, what: &str, why: &str) {
        eprintln!("skipped: {what}: {why}");
        self.skipped.push(format!("{what}: {why}"));
    }

    /// Adds a separate table below the others.
    pub fn table(&mut self, table: String) {
        self.tables.push(table);
    }

    /// Whether no target is missed by more than the noise.
    pub fn holds(&self) -> bool {
        self.figures.iter().all(|figure| figure.verdict() != Verdict::Missed)
    }

    /// The whole report.
    pub fn markdown(&self) -> String {
        let mut text = format!("{}\n\n", machine::words());
        text += "| what | Groundcrew | noise | target | peer | ratio | verdict |\n";
        text += "|---|---|---|---|---|---|---|\n";
        for figure in &self.figures {
            text += &format!("{}\n", figure.line());
        }
        for table in &self.tables {
            text += &format!("\n{table}");
        }
        for skipped in &self.skipped {
            text += &format!("\nSkipped: {skipped}\n");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::Unit;

    #[test]
    fn one_missed_target_fails_a_run_and_skipped_figures_are_named() {
        let mut report = Report::default();
        report.add(Figure::new("echo", Unit::Milliseconds, vec![1.0]).at_most(2.0));
        report.skip("containers", "no engine runs");
        assert!(report.holds());
        report.add(Figure::new("start", Unit::Milliseconds, vec![3.0]).at_most(2.0));
        assert!(!report.holds());
        let text = report.markdown();
        assert!(text.contains("\n| start | 3.00 ms | ± 0.00 ms | ≤ 2 ms | – | – | **missed** |\n"));
        assert!(text.contains("\nSkipped: containers: no engine runs\n"), "{text}");
    }
}
