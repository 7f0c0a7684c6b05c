//! Coverage: how far each requirement is built and proved.

use super::{Fate, Requirement, cell};
use crate::step::StepStatus;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A step or a check, and the requirements that it claims to serve.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trace<'a> {
    /// The step's number in its plan, from 1.
    pub number: u32,
    /// Ids of requirements.
    pub requirements: &'a [String],
    /// Its status.
    pub status: StepStatus,
    /// Whether it is a check that passed before a step ran again.
    pub outdated: bool,
}

/// A step or a check that serves a requirement, with its status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Traced {
    /// Its place in its plan, from 1.
    pub number: u32,
    /// Its status.
    pub status: StepStatus,
    /// Whether it is a check that passed before a step ran again, and so proves nothing about what exists now.
    pub outdated: bool,
}

/// The state of a requirement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = RequirementVerdict)]
pub enum Verdict {
    /// Each of its checks passed.
    Proved,
    /// A step or a check of it failed.
    Failed,
    /// Some of its checks have not finished.
    Unchecked,
    /// Its checks passed, but some of them before a step ran again.
    Outdated,
    /// No check names it.
    NotProved,
    /// It is not built, so it needs no proof.
    NotBuilt,
}

impl Verdict {
    /// In words, for a table.
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Proved => "proved",
            Self::Failed => "failed",
            Self::Unchecked => "not checked yet",
            Self::Outdated => "not checked since a step ran again",
            Self::NotProved => "not proved: no check names it",
            Self::NotBuilt => "not built",
        }
    }
}

/// A requirement, the steps that build it, and its proof.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = RequirementCoverage)]
pub struct Coverage {
    /// `R1`, `R2` and so on.
    pub id: String,
    /// The user's wish.
    pub wish: String,
    /// Its outcome.
    pub fate: Fate,
    /// The replacement, or the reason why it is not built; empty if it is built as asked.
    pub how: String,
    /// The steps that build it; empty if no step of the plan names it.
    pub steps: Vec<Traced>,
    /// The checks that prove it; empty if no check names it.
    pub checks: Vec<Traced>,
    /// Its state.
    pub verdict: Verdict,
}

/// A requirement by its id and its words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = NamedRequirement)]
pub struct Named {
    /// `R1`, `R2` and so on.
    pub id: String,
    /// The user's wish.
    pub wish: String,
}

/// The existing requirements among these ids, in their order and without those that are not built.
pub fn named(requirements: &[Requirement], ids: &[String]) -> Vec<Named> {
    let status = StepStatus::Pending;
    let one = [Trace { number: 1, requirements: ids, status, outdated: false }];
    let serves = |requirement: &&Requirement| {
        requirement.asked.fate != Fate::Not && !serving(&requirement.id, &one).is_empty()
    };
    let name = |Requirement { id, asked }: &Requirement| Named {
        id: id.clone(),
        wish: asked.wish.clone(),
    };
    requirements.iter().filter(serves).map(name).collect()
}

/// The coverage of each requirement.
pub fn coverage(
    requirements: &[Requirement],
    steps: &[Trace<'_>],
    checks: &[Trace<'_>],
) -> Vec<Coverage> {
    requirements.iter().map(|requirement| of(requirement, steps, checks)).collect()
}

fn of(requirement: &Requirement, steps: &[Trace<'_>], checks: &[Trace<'_>]) -> Coverage {
    let Requirement { id, asked } = requirement;
    let (steps, checks) = (serving(id, steps), serving(id, checks));
    let failed = |traced: &Traced| traced.status == StepStatus::Failed;
    let verdict = match asked.fate {
        Fate::Not => Verdict::NotBuilt,
        _ if steps.iter().chain(&checks).any(failed) => Verdict::Failed,
        _ if checks.is_empty() => Verdict::NotProved,
        _ if checks.iter().any(|check| check.status != StepStatus::Completed) => Verdict::Unchecked,
        _ if checks.iter().any(|check| check.outdated) => Verdict::Outdated,
        _ => Verdict::Proved,
    };
    let (wish, how) = (asked.wish.clone(), asked.how.clone());
    Coverage { id: id.clone(), wish, fate: asked.fate, how, steps, checks, verdict }
}

fn serving(id: &str, traces: &[Trace<'_>]) -> Vec<Traced> {
    let serves = |trace: &&Trace<'_>| {
        trace.requirements.iter().any(|named| named.trim().eq_ignore_ascii_case(id))
    };
    let traced =
        |&Trace { number, status, outdated, .. }: &Trace<'_>| Traced { number, status, outdated };
    traces.iter().filter(serves).map(traced).collect()
}

/// The same as a table in markdown; empty without requirements.
pub fn table(coverage: &[Coverage]) -> String {
    if coverage.is_empty() {
        return String::new();
    }
    let row = |covered: &Coverage| {
        let asked = match covered.fate {
            Fate::Differently => format!("{} (instead: {})", covered.wish, covered.how),
            Fate::Built | Fate::Not => covered.wish.clone(),
        };
        let numbers = |thing: &str, traced: &[Traced]| match traced {
            [] => format!("no {thing} names it"),
            [one] => format!("{thing} {}", one.number),
            many => {
                let numbers: Vec<_> = many.iter().map(|one| one.number.to_string()).collect();
                format!("{thing}s {}", numbers.join(", "))
            }
        };
        let (built, proof) = match covered.verdict {
            Verdict::NotBuilt => ("–".to_owned(), "–".to_owned()),
            _ => (numbers("step", &covered.steps), numbers("check", &covered.checks)),
        };
        let verdict = covered.verdict.in_words();
        format!("| {} | {} | {built} | {proof} | {verdict} |", covered.id, cell(&asked))
    };
    let rows: Vec<String> = coverage.iter().map(row).collect();
    format!(
        "| id | asked | built by | proved by | verdict |\n|---|---|---|---|---|\n{}",
        rows.join("\n")
    )
}

#[cfg(test)]
mod tests {
    use super::super::{Asked, Wish};
    use super::*;
    use StepStatus::{Completed, Failed, InProgress, Pending};

    fn requirements() -> Vec<Requirement> {
        let wish = |wish: &str, fate, how: &str| {
            let words = String::new();
            Wish { wish: wish.into(), fate, how: how.into(), words }
        };
        let wishes = vec![
            wish("a VPS", Fate::Built, ""),
            wish("MySQL 5.7", Fate::Differently, "MySQL 8.4"),
            wish("Redis", Fate::Not, ""),
        ];
        Asked::default().renewed(wishes).requirements
    }

    /// The ids of the steps or checks of a requirement, and their common status.
    type Given<'a> = (&'a [&'a str], StepStatus);

    fn verdicts(steps: &[Given<'_>], checks: &[Given<'_>]) -> Vec<Verdict> {
        type Owned = (Vec<String>, StepStatus);
        fn owned(given: &[Given<'_>]) -> Vec<Owned> {
            let ids = |ids: &[&str]| ids.iter().map(|id| id.to_string()).collect();
            given.iter().map(|(named, status)| (ids(named), *status)).collect()
        }
        fn traces(owned: &[Owned]) -> Vec<Trace<'_>> {
            let numbered = (1..).zip(owned);
            numbered
                .map(|(number, (requirements, status))| Trace {
                    number,
                    requirements,
                    status: *status,
                    outdated: false,
                })
                .collect()
        }
        let (steps, checks) = (owned(steps), owned(checks));
        let covered = coverage(&requirements(), &traces(&steps), &traces(&checks));
        covered.iter().map(|one| one.verdict).collect()
    }

    #[test]
    fn a_requirement_is_proved_only_if_all_of_its_checks_passed() {
        use Verdict::{NotBuilt, NotProved, Proved, Unchecked};
        let both: &[&str] = &["R1", "r2 "];
        assert_eq!(verdicts(&[(both, Completed)], &[]), [NotProved, NotProved, NotBuilt]);
        let steps: &[Given<'_>] = &[(both, Completed)];
        let proved = verdicts(steps, &[(&["R1"], Completed), (both, Pending)]);
        assert_eq!(proved, [Unchecked, Unchecked, NotBuilt]);
        let proved = verdicts(steps, &[(&["R1"], Completed), (&["R2"], InProgress)]);
        assert_eq!(proved, [Proved, Unchecked, NotBuilt]);
        let all = verdicts(steps, &[(both, Completed), (&["R2", "R3"], Completed)]);
        assert_eq!(all, [Proved, Proved, NotBuilt], "a check cannot prove what is not built");
        assert_eq!(verdicts(&[], &[(both, Completed)]), [Proved, Proved, NotBuilt]);
    }

    #[test]
    fn a_failed_step_or_check_fails_its_requirement() {
        let failed = verdicts(&[(&["R1"], Failed)], &[(&["R1", "R2"], Completed)]);
        assert_eq!(failed, [Verdict::Failed, Verdict::Proved, Verdict::NotBuilt]);
        let failed = verdicts(&[], &[(&["R1"], Completed), (&["R1"], Failed)]);
        assert_eq!(failed[0], Verdict::Failed);
    }

    #[test]
    fn an_outdated_check_proves_nothing() {
        let ids = ["R1".to_owned()];
        let check = |status, outdated| Trace { number: 1, requirements: &ids, status, outdated };
        let verdict = |checks: &[Trace<'_>]| coverage(&requirements(), &[], checks)[0].verdict;
        let (fresh, outdated) = (check(Completed, false), check(Completed, true));
        assert_eq!(verdict(&[fresh.clone(), outdated.clone()]), Verdict::Outdated);
        assert_eq!(verdict(&[outdated.clone(), check(Pending, false)]), Verdict::Unchecked);
        assert_eq!(verdict(&[outdated, check(Failed, false)]), Verdict::Failed);
        assert_eq!(verdict(&[fresh]), Verdict::Proved);
    }

    #[test]
    fn a_check_names_the_requirements_that_are_built() {
        let ids = ["r2 ".to_owned(), "R3".to_owned(), "R9".to_owned()];
        let [one]: [Named; 1] = named(&requirements(), &ids).try_into().unwrap();
        assert_eq!((one.id.as_str(), one.wish.as_str()), ("R2", "MySQL 5.7"));
        assert_eq!(named(&requirements(), &[]), []);
    }

    #[test]
    fn the_table_names_steps_and_checks_and_marks_missing_ones() {
        let ids = ["R1".to_owned()];
        let trace = |number, status| Trace { number, requirements: &ids, status, outdated: false };
        let (steps, checks) = ([trace(1, Completed), trace(3, Completed)], [trace(2, Completed)]);
        let rows = table(&coverage(&requirements(), &steps, &checks));
        assert!(rows.contains("| R1 | a VPS | steps 1, 3 | check 2 | proved |"), "{rows}");
        let missing = "| R2 | MySQL 5.7 (instead: MySQL 8.4) | no step names it | no check names it | not proved: no check names it |";
        assert!(rows.contains(missing), "{rows}");
        assert!(rows.contains("| R3 | Redis | – | – | not built |"), "{rows}");
        assert_eq!(table(&[]), "");
    }
}
