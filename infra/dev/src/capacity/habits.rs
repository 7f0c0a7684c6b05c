//! A person's actions in an hour of work, and the load of each.
//!
//! The intervals of the page's polls come from `web/src/api`. The number of reads per call comes from the benchmark,
//! which counts them at the table: a poll that finds nothing new reads the session's item and its own. The run time of
//! a function in AWS was not measured; `POLL_SECONDS` and `CALL_SECONDS` assume two and six DynamoDB calls of 5 ms
//! each, and are the least certain numbers here.

/// The memory of a function, in gigabytes: `MemorySize` of the template.
const FUNCTION_GB: f64 = 0.25;
/// A function's time to serve a poll, in seconds.
const POLL_SECONDS: f64 = 0.010;
/// A function's time to serve a call that changes something, in seconds.
const CALL_SECONDS: f64 = 0.030;
/// API Gateway answers pings itself. AWS does not say whether it charges for them, so they count as messages here.
const PING_AND_ANSWER: f64 = 2.0;
/// The read units for a step with a script of 2 KB and a full output.
const STEP_UNITS: f64 = 3.0;
/// The read units for the messages of a conversation of 24 KB.
const CONVERSATION_UNITS: f64 = 6.0;
/// Announced changes: three for each of 10 steps.
const ANNOUNCEMENTS: f64 = 30.0;
/// The log lines of one call, in gigabytes: Lambda's report and the access log.
const LOG_GB_PER_CALL: f64 = 0.6e-6;

/// The load of an action per hour.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Work {
    /// Calls of the REST API.
    pub rest_calls: f64,
    /// Messages of the WebSocket API, both ways.
    pub socket_messages: f64,
    /// Minutes of open WebSocket connections.
    pub socket_minutes: f64,
    /// Invocations of functions, and their total run time in seconds.
    pub invocations: f64,
    pub function_seconds: f64,
    /// Read and write units of the table.
    pub reads: f64,
    pub writes: f64,
    /// Messages of queues: sent, received, deleted.
    pub queue_requests: f64,
    /// Hours of a sandbox.
    pub sandbox_hours: f64,
    /// Sandboxes that start.
    pub starts: f64,
}

impl Work {
    /// A number of polls per hour, each with two reads of at most 4 KB.
    const fn polls(per_hour: f64) -> Self {
        Self {
            rest_calls: per_hour,
            invocations: per_hour,
            function_seconds: per_hour * POLL_SECONDS,
            reads: per_hour * 2.0,
            ..Self::NONE
        }
    }

    const NONE: Self = Self {
        rest_calls: 0.0,
        socket_messages: 0.0,
        socket_minutes: 0.0,
        invocations: 0.0,
        function_seconds: 0.0,
        reads: 0.0,
        writes: 0.0,
        queue_requests: 0.0,
        sandbox_hours: 0.0,
        starts: 0.0,
    };

    /// Lambda charges memory in gigabytes times seconds.
    pub fn gigabyte_seconds(&self) -> f64 {
        self.function_seconds * FUNCTION_GB
    }

    /// The size of the log lines, in gigabytes.
    pub fn log_gigabytes(&self) -> f64 {
        self.invocations * LOG_GB_PER_CALL
    }
}

impl std::ops::Add for Work {
    type Output = Self;

    fn add(self, more: Self) -> Self {
        Self {
            rest_calls: self.rest_calls + more.rest_calls,
            socket_messages: self.socket_messages + more.socket_messages,
            socket_minutes: self.socket_minutes + more.socket_minutes,
            invocations: self.invocations + more.invocations,
            function_seconds: self.function_seconds + more.function_seconds,
            reads: self.reads + more.reads,
            writes: self.writes + more.writes,
            queue_requests: self.queue_requests + more.queue_requests,
            sandbox_hours: self.sandbox_hours + more.sandbox_hours,
            starts: self.starts + more.starts,
        }
    }
}

/// An action, or something that stays open.
pub struct Habit {
    pub what: &'static str,
    pub work: Work,
}

/// An hour of work: the user plans, executes and validates a project, with the terminal open.
pub const HOUR: [Habit; 12] = [
    // Progress every 30 s, because the terminal's connection announces changes; sandbox, costs, credits and the list of
    // projects every 10 s.
    Habit { what: "the page's polls", work: Work::polls(120.0 + 4.0 * 360.0) },
    // Every 10 s, because another tab or a colleague may write to it: the session, the project, the thread and its
    // messages.
    Habit {
        what: "the conversation beside them",
        work: Work { reads: 360.0 * (3.0 + CONVERSATION_UNITS), ..Work::polls(360.0) },
    },
    // 10 steps change three times each without a call of the page: prepared, accepted, reported. A function finds the
    // page's connection and posts to it.
    Habit {
        what: "announced changes and their reads",
        work: Work {
            socket_messages: ANNOUNCEMENTS,
            function_seconds: 2.0 * ANNOUNCEMENTS * POLL_SECONDS,
            reads: 2.5 * ANNOUNCEMENTS,
            ..Work::polls(ANNOUNCEMENTS)
        },
    },
    // 10 steps change their status five times each, and for a quarter of the hour there is new output between two
    // polls: each time the page reads the 10 steps again, at most 12 KB each.
    Habit {
        what: "the steps that these reads return",
        work: Work { reads: (10.0 * 5.0 + 30.0) * 10.0 * STEP_UNITS, ..Work::NONE },
    },
    // Once a second for a quarter of the hour: the session, the header and the step.
    Habit {
        what: "a running step's output",
        work: Work { reads: 900.0 * (2.0 + STEP_UNITS), ..Work::polls(900.0) },
    },
    Habit {
        what: "12 messages to agents, 30 s each",
        work: Work {
            rest_calls: 12.0,
            invocations: 12.0,
            function_seconds: 12.0 * 30.0,
            reads: 12.0 * 20.0,
            writes: 12.0 * 40.0,
            ..Work::NONE
        },
    },
    Habit {
        what: "10 steps: prepared, approved, run, reported",
        work: Work {
            rest_calls: 10.0,
            invocations: 10.0 * 6.0,
            function_seconds: 10.0 * (40.0 + 5.0 * CALL_SECONDS),
            reads: 10.0 * 40.0,
            writes: 10.0 * 80.0,
            queue_requests: 10.0 * 2.0 * 3.0,
            ..Work::NONE
        },
    },
    // One request a minute; while an agent answers, and 15 s longer, a function that waits and checks twice a second.
    Habit {
        what: "the stream of terminal commands",
        work: Work {
            rest_calls: 60.0 + 24.0,
            invocations: 60.0 + 24.0,
            function_seconds: 60.0 * POLL_SECONDS + 12.0 * (30.0 + 15.0),
            reads: 84.0 * 2.0 + 12.0 * 45.0 * 2.0 * 0.5,
            ..Work::NONE
        },
    },
    // A key takes two messages, from browser to function to agent, and its echo takes two more.
    Habit {
        what: "1,000 keys and their echoes",
        work: Work {
            socket_messages: 4_000.0,
            invocations: 2_000.0,
            function_seconds: 2_000.0 * POLL_SECONDS,
            reads: 2_000.0,
            ..Work::NONE
        },
    },
    // Frames of at most 32 KB every 16 ms during output, for two minutes. A ping every 2 s confirms them.
    Habit {
        what: "two minutes of terminal output",
        work: Work {
            socket_messages: 2.0 * 60.0 * 60.0 * 2.0 + 60.0 * PING_AND_ANSWER,
            invocations: 2.0 * 60.0 * 60.0,
            function_seconds: 2.0 * 60.0 * 60.0 * POLL_SECONDS,
            reads: 2.0 * 60.0 * 60.0,
            ..Work::NONE
        },
    },
    // The page's connection and the agent's; the agent sends a heartbeat every 30 s and a ping every 20 s.
    Habit {
        what: "two open connections",
        work: Work {
            socket_messages: 120.0 + 180.0 * PING_AND_ANSWER,
            socket_minutes: 120.0,
            invocations: 120.0,
            function_seconds: 120.0 * POLL_SECONDS,
            reads: 120.0 * 2.0,
            writes: 120.0,
            ..Work::NONE
        },
    },
    // It stops half an hour after the last use, and that time is charged as well.
    Habit {
        what: "a sandbox, including the idle half hour after it",
        work: Work {
            rest_calls: 2.0,
            invocations: 10.0,
            function_seconds: 10.0 * CALL_SECONDS,
            writes: 60.0,
            sandbox_hours: 1.5,
            starts: 1.0,
            ..Work::NONE
        },
    },
];

/// The sum of all habits.
pub fn hour() -> Work {
    HOUR.iter().fold(Work::NONE, |sum, habit| sum + habit.work)
}
