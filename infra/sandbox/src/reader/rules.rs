//! A reader's view of the file system, as Landlock's rules.

use std::path::Path;

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd,
    Ruleset, RulesetAttr, RulesetCreated, RulesetCreatedAttr, RulesetError, Scope,
};

use super::{Plan, view};

/// Programs, libraries and system settings, which every user of a sandbox may read.
const SYSTEM: [&str; 8] = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc", "/opt"];

/// Kernel data that programs read, none of it about other processes. ansible-lint fails if it sees the limits of its
/// processor time and cannot read them.
const MACHINE: [&str; 11] = [
    "/proc/cpuinfo",
    "/proc/filesystems",
    "/proc/loadavg",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/uptime",
    "/proc/version",
    "/sys/devices/system/cpu",
    "/sys/fs/cgroup/cpu.max",
    "/sys/fs/cgroup/cpu/cpu.cfs_period_us",
    "/sys/fs/cgroup/cpu/cpu.cfs_quota_us",
];

const DEVICES: [&str; 4] = ["/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/// Denies everything that the kernel can deny. The rights of Landlock's first version are required; for later ones
/// (truncating, sockets, signals) the system call filter is enough.
fn ruleset() -> Result<RulesetCreated, RulesetError> {
    Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(ABI::V1))?
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(ABI::V5))?
        .handle_access(AccessNet::from_all(ABI::V4))?
        .scope(Scope::from_all(ABI::V6))?
        .create()
}

/// Whether this kernel can confine a reader.
pub fn is_possible() -> bool {
    ruleset().is_ok()
}

pub(super) fn restrict(plan: &Plan, script: &str) -> anyhow::Result<()> {
    let read = AccessFs::ReadFile | AccessFs::ReadDir;
    let mut rules = ruleset()?;
    for path in SYSTEM {
        rules = allow(rules, Path::new(path), read | AccessFs::Execute)?;
    }
    for path in MACHINE.iter().chain(&DEVICES) {
        rules = allow(rules, Path::new(path), read)?;
    }
    rules = allow(rules, Path::new("/dev/null"), AccessFs::ReadFile | AccessFs::WriteFile)?;
    if plan.processes {
        rules = allow(rules, Path::new("/proc"), read)?;
    }
    rules = allow(rules, &plan.home, read)?;
    if let Some(scratch) = &plan.scratch {
        rules = allow(rules, scratch, AccessFs::from_all(ABI::V5))?;
    }
    for path in &plan.programs {
        rules = allow(rules, path, read | AccessFs::Execute)?;
    }
    if !plan.processes {
        let whole = plan.parts.as_ref().map(|marks| view::Whole { script, marks });
        rules = view::show(rules, &plan.workspace, whole)?;
    }
    rules.restrict_self()?;
    Ok(())
}

/// Allows a path; a missing path needs no rule.
fn allow(
    rules: RulesetCreated,
    path: &Path,
    access: BitFlags<AccessFs>,
) -> anyhow::Result<RulesetCreated> {
    let Ok(opened) = PathFd::new(path) else { return Ok(rules) };
    let access = if path.is_dir() { access } else { access & AccessFs::from_file(ABI::V5) };
    Ok(rules.add_rule(PathBeneath::new(opened, access))?)
}
