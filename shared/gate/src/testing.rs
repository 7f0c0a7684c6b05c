//! What the tests of single checks share.

use crate::{Context, Unit};
use domain::gate::Finding;

/// The messages of one check's findings in a script, under no special conditions.
pub(crate) fn said(examine: fn(&Unit, &mut Vec<Finding>), text: &str) -> Vec<String> {
    said_when("", examine, text)
}

/// The same for a step of which this was asked.
pub(crate) fn said_when(
    asked: &str,
    examine: fn(&Unit, &mut Vec<Finding>),
    text: &str,
) -> Vec<String> {
    let context = Context { asked, ..Context::default() };
    let unit = Unit::new(text, &context);
    let mut findings = Vec::new();
    examine(&unit, &mut findings);
    findings.into_iter().map(|found| found.message).collect()
}
