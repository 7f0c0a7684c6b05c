//! Limits a sandbox's share of the machine.
//!
//! Where the agent may create a cgroup of version 2 (as root, or in a part of the tree that was delegated to its user,
//! as systemd does), the sandbox gets one with bounds on memory, processes and processor time. In every case the
//! supervisor and all its children have their own limits, which the kernel counts per process or, in a user namespace,
//! per sandbox: they apply without a cgroup too, but are looser.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Memory of a whole sandbox, in bytes: as much as the task on Fargate has.
const MEMORY_BYTES: u64 = 4 * 1024 * 1024 * 1024;

/// Processes and threads of a whole sandbox.
const PROCESSES: u64 = 1024;

/// Processor time of a whole sandbox: microseconds in each period of microseconds.
const CPU_MICROS: (u64, u64) = (200_000, 100_000);

/// How much memory one process may use, in bytes.
const DATA_BYTES: u64 = MEMORY_BYTES;

/// How many files one process may have open.
const OPEN_FILES: u64 = 8192;

/// Where cgroups of version 2 are mounted, alone or next to those of version 1.
const MOUNTS: [&str; 2] = ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"];

/// A cgroup for one sandbox; dropping this value removes it once the sandbox is gone.
#[derive(Debug)]
pub struct Cgroup(PathBuf);

impl Drop for Cgroup {
    fn drop(&mut self) {
        // It is busy while one of its processes is being reaped; a leftover cgroup holds nothing.
        if let Err(error) = fs::remove_dir(&self.0) {
            tracing::debug!(%error, "a cgroup could not be removed");
        }
    }
}

impl Cgroup {
    /// Creates a cgroup with the bounds and moves the process into it before the process has started anything.
    pub fn hold(pid: u32) -> anyhow::Result<Self> {
        let own = fs::read_to_string("/proc/self/cgroup").context("/proc/self/cgroup")?;
        let path =
            own.lines().find_map(|line| line.strip_prefix("0::/")).context("no cgroup v2")?;
        let mounted = |mount: &&Path| mount.join("cgroup.controllers").exists();
        let mount =
            MOUNTS.iter().map(Path::new).find(mounted).context("cgroup v2 is not mounted")?;
        let start = mount.join(path);
        // A cgroup with processes gives its children no controllers, so ancestors are tried as well.
        let mut parents = start.ancestors().take_while(|parent| parent.starts_with(mount));
        let made = parents.find_map(|parent| Self::below(parent).ok());
        let group = made.context("no cgroup here has the controllers memory and pids")?;
        fs::write(group.0.join("cgroup.procs"), pid.to_string()).context("cgroup.procs")?;
        Ok(group)
    }

    fn below(parent: &Path) -> anyhow::Result<Self> {
        let path = parent.join(format!("groundcrew-{}", std::process::id()));
        fs::create_dir(&path)?;
        let group = Self(path);
        let (quota, period) = CPU_MICROS;
        for (file, bound) in [
            ("memory.max", MEMORY_BYTES.to_string()),
            ("memory.swap.max", "0".to_owned()),
            ("pids.max", PROCESSES.to_string()),
            ("cpu.max", format!("{quota} {period}")),
        ] {
            match fs::write(group.0.join(file), bound) {
                // Kernels without swap accounting do not have this file, and some trees do not delegate the processor.
                Err(_) if ["memory.swap.max", "cpu.max"].contains(&file) => {}
                written => written.context(file)?,
            }
        }
        Ok(group)
    }
}

/// Limits this process and all its children.
pub fn limit_this() -> anyhow::Result<()> {
    for (resource, most) in [
        (Resource::Nproc, PROCESSES),
        (Resource::Data, DATA_BYTES),
        (Resource::Nofile, OPEN_FILES),
        (Resource::Core, 0),
    ] {
        // A process may not raise a limit that the host has set lower.
        let most = getrlimit(resource).maximum.map_or(most, |maximum| maximum.min(most));
        setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) })
            .with_context(|| format!("cannot limit {resource:?}"))?;
    }
    Ok(())
}
