//! The quotas of an AWS account that are reached first, from AWS's service quota pages of November 2026, and how much
//! of each one active user takes.

use super::habits::{Habit, Work};

/// The ratio of the busiest second of an hour to the average one.
const PEAK: f64 = 3.0;
const HOUR_SECONDS: f64 = 3600.0;
/// vCPUs of a sandbox: `SandboxCpu` of the template, by default.
const SANDBOX_CPUS: f64 = 1.0;

/// A quota, and a user's share of it.
pub struct Quota {
    pub what: &'static str,
    pub most: f64,
    pub per_user: f64,
    /// The remedy when the quota is reached.
    pub remedy: &'static str,
}

impl Quota {
    /// How many users may be active at once.
    pub fn users(&self) -> f64 {
        (self.most / self.per_user).floor()
    }
}

/// The quotas, tightest first.
pub fn of(habits: &[Habit]) -> Vec<Quota> {
    let hour = habits.iter().fold(Work::default(), |sum, habit| sum + habit.work);
    let second = |per_hour: f64| PEAK * per_hour / HOUR_SECONDS;
    let sandboxes = hour.sandbox_hours;
    let mut quotas = vec![
        Quota {
            what: "Lambda: concurrent executions (new accounts may begin with 10)",
            most: 1_000.0,
            per_user: second(hour.function_seconds),
            remedy: "request an increase; RequestConcurrency and its siblings divide it among the functions",
        },
        Quota {
            what: "Fargate: vCPUs on demand (new accounts begin with 6)",
            most: 4_000.0,
            per_user: sandboxes * SANDBOX_CPUS,
            remedy: "request an increase; lower SandboxCpu; stop idle sandboxes earlier",
        },
        Quota {
            what: "Fargate: RunTask, tasks per second",
            most: 20.0,
            per_user: second(hour.starts),
            remedy: "start tasks ahead of demand (SandboxPoolSize)",
        },
        Quota {
            what: "API Gateway: REST calls per second, region",
            most: 10_000.0,
            per_user: second(hour.rest_calls),
            remedy: "request an increase",
        },
        Quota {
            what: "API Gateway: new WebSocket connections per second",
            most: 500.0,
            // Two connections, each renewed once in two hours.
            per_user: second(2.0),
            remedy: "request an increase",
        },
        Quota {
            what: "SQS FIFO: calls per second of a queue with high throughput",
            most: 70_000.0,
            per_user: second(hour.queue_requests / 2.0),
            remedy: "request an increase",
        },
        Quota {
            what: "DynamoDB: reads per second, table",
            most: 40_000.0,
            per_user: second(hour.reads),
            remedy: "request an increase",
        },
        Quota {
            what: "DynamoDB: writes per second, table",
            most: 40_000.0,
            per_user: second(hour.writes),
            remedy: "request an increase",
        },
    ];
    quotas.sort_by(|a, b| a.users().total_cmp(&b.users()));
    quotas
}
