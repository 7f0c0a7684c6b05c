//! `cargo dev capacity`: the costs of a number of users, and the AWS quotas that they reach first.
//!
//! This is a model, not a measurement: [`habits`] lists a person's actions in an hour, [`prices`] AWS's charges for them,
//! [`quotas`] how many of them an account may do at once. Operators change the numbers that do not match their own;
//! `docs/capacity.md` is this command's output.

mod habits;
mod prices;
mod quotas;

use anyhow::{Result, ensure};
use clap::Args;
use habits::{HOUR, Work};
use std::fmt::Write;

/// Hours in a month, as AWS counts them.
const MONTH_HOURS: f64 = 730.0;
const MILLION: f64 = 1e6;
/// The numbers of the template's resources, which tests count. CloudWatch charges for each metric that an alarm watches.
const ALARM_METRICS: u32 = 48;
const SECRETS: u32 = 9;
const KEYS: u32 = 3;
/// How many pollers Lambda keeps at each mapped queue, at least; each polls every 20 s.
const IDLE_POLLERS: f64 = 5.0;
const IDLE_POLL_SECONDS: f64 = 20.0;
const QUEUES: u32 = 2;
/// The reaper's sweep, once a minute. It reads eleven lists (four of holds, the pool and the deletions twice, running
/// sandboxes, turns, schedules), as an emulator's log of IAM's decisions shows; 5 ms for each is an assumption.
const SWEEPS_PER_HOUR: f64 = 60.0;
const SWEEP_READS: f64 = 11.0;
const SWEEP_SECONDS: f64 = SWEEP_READS * 0.005;
/// A sandbox: `SandboxCpu` and `SandboxMemory` of the template, by default.
const SANDBOX_CPUS: f64 = 1.0;
const SANDBOX_GB: f64 = 2.0;

/// Print what that many users cost, and which quotas they reach first
#[derive(Args)]
pub struct Capacity {
    /// Users who are active at the same time
    #[arg(long, default_value_t = 100.0)]
    users: f64,
    /// Hours per month that each of them is active
    #[arg(long, default_value_t = 20.0)]
    hours: f64,
}

impl Capacity {
    pub fn print(&self) -> Result<()> {
        ensure!(
            self.users.is_finite()
                && self.users >= 0.0
                && (0.0..=MONTH_HOURS).contains(&self.hours),
            "--users must be at least 0, and --hours between 0 and {MONTH_HOURS}"
        );
        print!("{}", self.text()?);
        Ok(())
    }

    fn text(&self) -> Result<String> {
        let mut out = String::new();
        writeln!(out, "## An hour of one user's work\n\n| what | US$ |\n|---|---:|")?;
        for habit in &HOUR {
            writeln!(out, "| {} | {:.4} |", habit.what, dollars(&habit.work))?;
        }
        let hour = dollars(&habits::hour());
        writeln!(out, "| **total**, without the model's tokens | **{hour:.4}** |")?;
        writeln!(out, "\n## A month without users\n\n| what | US$ |\n|---|---:|")?;
        for (what, price) in idle() {
            writeln!(out, "| {what} | {price:.2} |")?;
        }
        let idle: f64 = idle().iter().map(|(_, price)| price).sum();
        writeln!(out, "| **total** | **{idle:.2}** |")?;
        let (users, hours) = (self.users, self.hours);
        let month = idle + users * hours * hour;
        writeln!(out, "\nA month with {users} users of {hours} hours each: ${month:.2}.")?;
        writeln!(out, "\n## Concurrent users, by the quota that limits them\n")?;
        writeln!(out, "| quota | limit | per user | users | remedy |")?;
        writeln!(out, "|---|---:|---:|---:|---|")?;
        for quota in quotas::of(&HOUR) {
            let (most, each, fit) = (quota.most, quota.per_user, quota.users());
            let mark = if fit < users { " **too few**" } else { "" };
            writeln!(
                out,
                "| {} | {most} | {each:.4} | {fit}{mark} | {} |",
                quota.what, quota.remedy
            )?;
        }
        Ok(out)
    }
}

/// The cost of some work, in dollars.
fn dollars(work: &Work) -> f64 {
    let sandbox = SANDBOX_CPUS * prices::FARGATE_CPU_HOUR
        + SANDBOX_GB * prices::FARGATE_GB_HOUR
        + prices::IPV4_HOUR;
    work.rest_calls * prices::REST_CALLS_M / MILLION
        + work.socket_messages * prices::SOCKET_MESSAGES_M / MILLION
        + work.socket_minutes * prices::SOCKET_MINUTES_M / MILLION
        + work.invocations * prices::LAMBDA_REQUESTS_M / MILLION
        + work.gigabyte_seconds() * prices::LAMBDA_GB_SECOND
        + work.reads * prices::READ_UNITS_M / MILLION
        + work.writes * prices::WRITE_UNITS_M / MILLION
        + work.queue_requests * prices::QUEUE_REQUESTS_M / MILLION
        + work.log_gigabytes() * prices::LOG_GB
        + work.sandbox_hours * sandbox
}

/// The monthly cost of an unused installation, itemized.
fn idle() -> [(&'static str, f64); 5] {
    let polls = MONTH_HOURS * 3600.0 / IDLE_POLL_SECONDS * IDLE_POLLERS * f64::from(QUEUES);
    let sweeps = MONTH_HOURS * SWEEPS_PER_HOUR;
    let swept = Work {
        invocations: sweeps,
        function_seconds: sweeps * SWEEP_SECONDS,
        reads: sweeps * SWEEP_READS,
        ..Work::default()
    };
    [
        ("alarms", f64::from(ALARM_METRICS) * prices::ALARM_METRIC_MONTH),
        ("secrets", f64::from(SECRETS) * prices::SECRET_MONTH),
        ("keys", f64::from(KEYS) * prices::KEY_MONTH),
        ("functions that poll their queues", polls * prices::QUEUE_REQUESTS_M / MILLION),
        ("the reaper's sweep each minute", dollars(&swept)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(users: f64) -> String {
        Capacity { users, hours: 20.0 }.text().unwrap()
    }

    #[test]
    fn the_costs_of_an_hour_add_up_to_its_total() {
        let parts: f64 = HOUR.iter().map(|habit| dollars(&habit.work)).sum();
        assert!((parts - dollars(&habits::hour())).abs() < 1e-9);
    }

    #[test]
    fn the_template_has_as_many_metrics_secrets_keys_and_mapped_queues_as_are_counted() {
        let template = std::fs::read_to_string(crate::root().join("infra/template.yaml")).unwrap();
        let count = |kind: &str| {
            let line = format!("Type: {kind}");
            u32::try_from(template.lines().filter(|l| l.trim() == line).count()).unwrap()
        };
        let lines = |begin: &str| template.lines().filter(|l| l.starts_with(begin)).count();
        // An alarm has either a single metric or several.
        let watched = lines("      MetricName: ") + template.matches("MetricStat: {").count();
        assert_eq!(u32::try_from(watched), Ok(ALARM_METRICS));
        assert!(count("AWS::CloudWatch::Alarm") < ALARM_METRICS);
        assert_eq!(count("AWS::SecretsManager::Secret"), SECRETS);
        assert_eq!(count("AWS::KMS::Key"), KEYS);
        assert_eq!(count("SQS"), QUEUES);
    }

    #[test]
    fn a_quota_that_users_exceed_is_marked_and_the_tightest_comes_first() {
        assert!(!text(1.0).contains("too few"));
        assert!(text(1e7).contains("too few"));
        let quotas = quotas::of(&HOUR);
        assert!(quotas.windows(2).all(|pair| pair[0].users() <= pair[1].users()));
    }

    #[test]
    fn the_document_holds_what_the_command_prints() {
        let document = std::fs::read_to_string(crate::root().join("docs/capacity.md")).unwrap();
        assert!(
            document.ends_with(&text(100.0)),
            "docs/capacity.md differs from the output of cargo dev capacity"
        );
    }

    #[test]
    fn impossible_numbers_are_refused() {
        for (users, hours) in [(-1.0, 20.0), (f64::NAN, 20.0), (1.0, 1000.0)] {
            Capacity { users, hours }.print().unwrap_err();
        }
    }
}
