//! AWS's prices in us-east-1, in US dollars without taxes and free tiers, from its price pages of November 2026.

/// A million requests to a function. Source: aws.amazon.com/lambda/pricing.
pub const LAMBDA_REQUESTS_M: f64 = 0.20;
/// A gigabyte of a function's memory for a second, arm64. Source: the same.
pub const LAMBDA_GB_SECOND: f64 = 0.000_013_333_4;
/// A million calls of the REST API. Source: aws.amazon.com/api-gateway/pricing.
pub const REST_CALLS_M: f64 = 3.50;
/// A million WebSocket messages of up to 32 KB, each way. Source: the same.
pub const SOCKET_MESSAGES_M: f64 = 1.00;
/// A million minutes of open connections. Source: the same.
pub const SOCKET_MINUTES_M: f64 = 0.25;
/// A million read units on demand; an eventually consistent read of 4 KB is half of one.
/// Source: aws.amazon.com/dynamodb/pricing/on-demand.
pub const READ_UNITS_M: f64 = 0.125;
/// A million write units on demand; each is 1 KB, twice that in a transaction. Source: the same.
pub const WRITE_UNITS_M: f64 = 0.625;
/// A million requests to FIFO queues, polling included. Source: aws.amazon.com/sqs/pricing.
pub const QUEUE_REQUESTS_M: f64 = 0.50;
/// An arm64 vCPU of Fargate for an hour. Source: aws.amazon.com/fargate/pricing.
pub const FARGATE_CPU_HOUR: f64 = 0.032_38;
/// A gigabyte of Fargate's memory for an hour. Source: the same.
pub const FARGATE_GB_HOUR: f64 = 0.003_56;
/// A public IPv4 address for an hour. Source: aws.amazon.com/vpc/pricing.
pub const IPV4_HOUR: f64 = 0.005;
/// A gigabyte of log lines taken in. Source: aws.amazon.com/cloudwatch/pricing.
pub const LOG_GB: f64 = 0.50;
/// A metric that an alarm watches, for a month. Source: the same.
pub const ALARM_METRIC_MONTH: f64 = 0.10;
/// A secret for a month. Source: aws.amazon.com/secrets-manager/pricing.
pub const SECRET_MONTH: f64 = 0.40;
/// A customer-managed key for a month. Source: aws.amazon.com/kms/pricing.
pub const KEY_MONTH: f64 = 1.00;
