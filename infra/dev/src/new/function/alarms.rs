//! A function's place in the alarms that add up one metric of all functions of its kind.
//!
//! CloudWatch limits the metrics of an alarm. When the last alarm of a kind is full, another follows with the name of the
//! first, a number, and otherwise the same properties.

use super::Draft;
use crate::routes::TEMPLATE;
use anyhow::{Result, ensure};

/// How many metrics one alarm may have, including its sum.
const METRICS_OF_ALARM: usize = 10;
/// What the line of an alarm's metric begins with.
const METRIC: &str = "        - {Id: ";
/// What the line of its sum begins with.
const SUM: &str = "        - {Id: sum,";

/// Adds a metric of the function `id` to the last alarm of the kind that `first` begins.
pub fn add(draft: &mut Draft<'_>, first: &str, metric: &str, id: &str) -> Result<()> {
    let alarm = alarm_with_room(draft, first)?;
    let metrics = metrics_of(&block(&draft.read(TEMPLATE)?, &alarm));
    let addition = format!(
        "{METRIC}f{metrics}, ReturnData: false, MetricStat: {{Stat: Sum, Period: 300,
            Metric: {{Namespace: AWS/Lambda, MetricName: {metric}, Dimensions: [{{Name: FunctionName, Value: !Ref {id}Function}}]}}}}}}"
    );
    let last =
        |line: &str| line.starts_with(SUM) || line.contains("Dimensions: [{Name: FunctionName, ");
    draft.add_after(TEMPLATE, |line| line == head(&alarm), last, &addition)
}

/// The last alarm of the kind, or a new one after it if that is full.
fn alarm_with_room(draft: &mut Draft<'_>, first: &str) -> Result<String> {
    let template = draft.read(TEMPLATE)?;
    let name = |number: usize| match number {
        1 => first.to_owned(),
        _ => format!("{first}{number}"),
    };
    let count = (1..).take_while(|number| !block(&template, &name(*number)).is_empty()).count();
    ensure!(count > 0, "{TEMPLATE} has no {first}");
    let (last, next) = (name(count), name(count + 1));
    let alarm = block(&template, &last);
    if metrics_of(&alarm) < METRICS_OF_ALARM {
        return Ok(last);
    }
    let copy = without_functions(&alarm, &next);
    draft.add_after(TEMPLATE, |line| line == head(&last), |_| true, &copy)?;
    Ok(next)
}

fn head(alarm: &str) -> String {
    format!("  {alarm}:")
}

/// The lines of an alarm; none if there is no such alarm.
fn block<'a>(template: &'a str, alarm: &str) -> Vec<&'a str> {
    let head = head(alarm);
    let lines = template.lines().skip_while(|line| *line != head);
    lines.take_while(|line| !line.is_empty()).collect()
}

fn metrics_of(alarm: &[&str]) -> usize {
    alarm.iter().filter(|line| line.starts_with(METRIC)).count()
}

/// The alarm under another name and without the functions' metrics, which come last, after an empty line.
fn without_functions(alarm: &[&str], name: &str) -> String {
    let sum = alarm.iter().position(|line| line.starts_with(SUM)).unwrap_or_default();
    format!("\n{}\n{}", head(name), alarm[1..=sum].join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::root;

    const FIRST: &str = "RequestErrorsAlarm";

    /// The template after this many new functions.
    fn with_functions(count: usize) -> String {
        let root = root();
        let mut draft = Draft::new(&root);
        for number in 0..count {
            add(&mut draft, FIRST, "Errors", &format!("New{number}")).unwrap();
        }
        draft.read(TEMPLATE).unwrap()
    }

    #[test]
    fn any_number_of_functions_finds_a_place_in_an_alarm() {
        let template = with_functions(15);
        let names = [FIRST.to_owned(), format!("{FIRST}2"), format!("{FIRST}3")];
        let alarms = names.each_ref().map(|name| block(&template, name));
        let watched = alarms.concat().join("\n");
        for number in 0..15 {
            assert_eq!(watched.matches(&format!("!Ref New{number}Function}}")).count(), 1);
        }
        let [first, second, third] = alarms.each_ref().map(|alarm| metrics_of(alarm));
        assert_eq!([first, second], [METRICS_OF_ALARM; 2]);
        assert!((2..=METRICS_OF_ALARM).contains(&third), "{third}");
    }

    #[test]
    fn a_further_alarm_differs_from_the_first_in_its_name_and_its_functions() {
        let (before, after) = (with_functions(0), with_functions(15));
        let common = |name: &str| without_functions(&block(&after, name), "Alarm");
        assert_eq!(common(&format!("{FIRST}2")), common(FIRST));
        let ids = |name: &str| -> Vec<String> {
            let alarm = block(&after, name);
            let metrics =
                alarm.iter().filter_map(|line| line.strip_prefix(METRIC)?.split(',').next());
            metrics.map(str::to_owned).collect()
        };
        assert_eq!(ids(&format!("{FIRST}2")), ids(FIRST));
        let others = |text: &str| {
            text.replace(
                &text[text.find(FIRST).unwrap()..text.find("  StreamErrorsAlarm:").unwrap()],
                "",
            )
        };
        assert_eq!(others(&after), others(&before), "nothing else changes");
    }
}
