//! Describes the machine and the date of a run.

use std::fs::read_to_string;
use std::process::Command;

/// Processor, memory, system, load and date in one sentence.
pub fn words() -> String {
    let cpu =
        field("/proc/cpuinfo", "model name").unwrap_or_else(|| "unknown processor".to_owned());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let memory = field("/proc/meminfo", "MemTotal")
        .and_then(|text| text.split(' ').next()?.parse::<u64>().ok())
        .map_or(0, |kilobytes| kilobytes / 1024 / 1024);
    let system = read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let load = read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').take(2).collect::<Vec<_>>().join(" and ");
    let date = Command::new("date").args(["-u", "+%Y-%m-%d %H:%M UTC"]).output();
    let date = date.map(|out| String::from_utf8_lossy(&out.stdout).trim().to_owned());
    format!(
        "Measured on {}, on {cores} cores of {cpu} with {memory} GB, Linux {}; load over the last 1 and 5 minutes at the end: {load}.",
        date.unwrap_or_default(),
        system.trim(),
    )
}

/// A `name : value` line of a file under /proc.
fn field(path: &str, name: &str) -> Option<String> {
    let text = read_to_string(path).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

/// Resident memory of a process, in megabytes.
pub fn resident(pid: u32) -> Option<f64> {
    let status = field(&format!("/proc/{pid}/status"), "VmRSS")?;
    let kilobytes: f64 = status.split(' ').next()?.parse().ok()?;
    Some(kilobytes / 1024.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_reports_its_memory_and_a_machine_its_name() {
        assert!(resident(std::process::id()).unwrap() > 0.5);
        assert_eq!(resident(u32::MAX), None);
        let words = words();
        assert!(words.contains("cores of") && words.contains("UTC"), "{words}");
    }
}
