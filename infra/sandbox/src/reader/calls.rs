//! The system calls of a reader: those that programs need for reading, and no others.
//!
//! Landlock does not cover changes of a file's mode, owner or times, signals in its first versions, or sockets other
//! than TCP. So every call that is not listed appears not to exist (`ENOSYS`, for which libraries have a fallback),
//! including calls through another ABI of the same machine.

use std::collections::BTreeMap;

use anyhow::Context;
use libc::{
    AF_NETLINK, AF_UNIX, SYS_bind, SYS_brk, SYS_capget, SYS_chdir, SYS_clock_getres,
    SYS_clock_gettime, SYS_clock_nanosleep, SYS_clone, SYS_close, SYS_close_range, SYS_connect,
    SYS_dup, SYS_dup3, SYS_epoll_create1, SYS_epoll_ctl, SYS_epoll_pwait, SYS_epoll_pwait2,
    SYS_eventfd2, SYS_execve, SYS_exit, SYS_exit_group, SYS_faccessat, SYS_faccessat2,
    SYS_fadvise64, SYS_fchdir, SYS_fcntl, SYS_fstat, SYS_fstatfs, SYS_futex, SYS_get_robust_list,
    SYS_getcpu, SYS_getcwd, SYS_getdents64, SYS_getegid, SYS_geteuid, SYS_getgid, SYS_getgroups,
    SYS_getitimer, SYS_getpeername, SYS_getpgid, SYS_getpid, SYS_getppid, SYS_getpriority,
    SYS_getrandom, SYS_getresgid, SYS_getresuid, SYS_getrusage, SYS_getsid, SYS_getsockname,
    SYS_getsockopt, SYS_gettid, SYS_gettimeofday, SYS_getuid, SYS_ioctl, SYS_lseek, SYS_madvise,
    SYS_membarrier, SYS_mincore, SYS_mmap, SYS_mprotect, SYS_mremap, SYS_munmap, SYS_nanosleep,
    SYS_newfstatat, SYS_openat, SYS_openat2, SYS_pipe2, SYS_ppoll, SYS_prctl, SYS_pread64,
    SYS_preadv, SYS_prlimit64, SYS_pselect6, SYS_pwrite64, SYS_pwritev, SYS_read, SYS_readahead,
    SYS_readlinkat, SYS_readv, SYS_recvfrom, SYS_recvmsg, SYS_restart_syscall, SYS_rseq,
    SYS_rt_sigaction, SYS_rt_sigpending, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_rt_sigsuspend,
    SYS_rt_sigtimedwait, SYS_sched_getaffinity, SYS_sched_getparam, SYS_sched_getscheduler,
    SYS_sched_yield, SYS_sendfile, SYS_sendmsg, SYS_sendto, SYS_set_robust_list,
    SYS_set_tid_address, SYS_setitimer, SYS_setpgid, SYS_setsid, SYS_setsockopt, SYS_shutdown,
    SYS_sigaltstack, SYS_socket, SYS_socketpair, SYS_splice, SYS_statfs, SYS_statx, SYS_sysinfo,
    SYS_timer_create, SYS_timer_delete, SYS_timer_settime, SYS_timerfd_create, SYS_timerfd_settime,
    SYS_times, SYS_umask, SYS_uname, SYS_wait4, SYS_waitid, SYS_write, SYS_writev,
};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, apply_filter,
};

use super::Plan;

/// A process's timers are its own: shellcheck does not start without them.
const LOOKING: [i64; 118] = [
    SYS_bind,
    SYS_brk,
    SYS_capget,
    SYS_chdir,
    SYS_clock_getres,
    SYS_clock_gettime,
    SYS_clock_nanosleep,
    SYS_close,
    SYS_close_range,
    SYS_connect,
    SYS_dup,
    SYS_dup3,
    SYS_epoll_create1,
    SYS_epoll_ctl,
    SYS_epoll_pwait,
    SYS_epoll_pwait2,
    SYS_eventfd2,
    SYS_execve,
    SYS_exit,
    SYS_exit_group,
    SYS_faccessat,
    SYS_faccessat2,
    SYS_fadvise64,
    SYS_fchdir,
    SYS_fcntl,
    SYS_fstat,
    SYS_fstatfs,
    SYS_futex,
    SYS_get_robust_list,
    SYS_getcpu,
    SYS_getcwd,
    SYS_getdents64,
    SYS_getegid,
    SYS_geteuid,
    SYS_getgid,
    SYS_getgroups,
    SYS_getitimer,
    SYS_getpeername,
    SYS_getpgid,
    SYS_getpid,
    SYS_getppid,
    SYS_getpriority,
    SYS_getrandom,
    SYS_getresgid,
    SYS_getresuid,
    SYS_getrusage,
    SYS_getsid,
    SYS_getsockname,
    SYS_getsockopt,
    SYS_gettid,
    SYS_gettimeofday,
    SYS_getuid,
    SYS_ioctl,
    SYS_lseek,
    SYS_madvise,
    SYS_membarrier,
    SYS_mincore,
    SYS_mmap,
    SYS_mprotect,
    SYS_mremap,
    SYS_munmap,
    SYS_nanosleep,
    SYS_newfstatat,
    SYS_openat,
    SYS_openat2,
    SYS_pipe2,
    SYS_ppoll,
    SYS_prctl,
    SYS_pread64,
    SYS_preadv,
    SYS_pselect6,
    SYS_pwrite64,
    SYS_pwritev,
    SYS_read,
    SYS_readahead,
    SYS_readlinkat,
    SYS_readv,
    SYS_recvfrom,
    SYS_recvmsg,
    SYS_restart_syscall,
    SYS_rseq,
    SYS_rt_sigaction,
    SYS_rt_sigpending,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_rt_sigsuspend,
    SYS_rt_sigtimedwait,
    SYS_sched_getaffinity,
    SYS_sched_getparam,
    SYS_sched_getscheduler,
    SYS_sched_yield,
    SYS_sendfile,
    SYS_sendmsg,
    SYS_sendto,
    SYS_set_robust_list,
    SYS_set_tid_address,
    SYS_setitimer,
    SYS_setpgid,
    SYS_setsid,
    SYS_setsockopt,
    SYS_shutdown,
    SYS_sigaltstack,
    SYS_splice,
    SYS_statfs,
    SYS_statx,
    SYS_sysinfo,
    SYS_timer_create,
    SYS_timer_delete,
    SYS_timer_settime,
    SYS_timerfd_create,
    SYS_timerfd_settime,
    SYS_times,
    SYS_umask,
    SYS_uname,
    SYS_wait4,
    SYS_waitid,
    SYS_write,
    SYS_writev,
];

/// The older equivalents that only this architecture still has.
#[cfg(target_arch = "x86_64")]
const OLDER: [i64; 22] = [
    libc::SYS_access,
    libc::SYS_arch_prctl,
    libc::SYS_alarm,
    libc::SYS_dup2,
    libc::SYS_epoll_create,
    libc::SYS_epoll_wait,
    libc::SYS_eventfd,
    libc::SYS_fork,
    libc::SYS_getdents,
    libc::SYS_getpgrp,
    libc::SYS_getrlimit,
    libc::SYS_lstat,
    libc::SYS_open,
    libc::SYS_pause,
    libc::SYS_pipe,
    libc::SYS_poll,
    libc::SYS_readlink,
    libc::SYS_select,
    libc::SYS_stat,
    libc::SYS_time,
    libc::SYS_vfork,
    libc::SYS_signalfd4,
];
#[cfg(not(target_arch = "x86_64"))]
const OLDER: [i64; 0] = [];

/// The additional calls for a scratch folder: Landlock limits writing to that folder.
const WRITING: [i64; 9] = [
    libc::SYS_copy_file_range,
    libc::SYS_fdatasync,
    libc::SYS_flock,
    libc::SYS_fsync,
    libc::SYS_ftruncate,
    libc::SYS_mkdirat,
    libc::SYS_renameat2,
    libc::SYS_symlinkat,
    libc::SYS_unlinkat,
];

/// Older equivalents on this architecture; Python uses them.
#[cfg(target_arch = "x86_64")]
const WRITING_OLDER: [i64; 4] =
    [libc::SYS_mkdir, libc::SYS_rename, libc::SYS_rmdir, libc::SYS_unlink];
#[cfg(not(target_arch = "x86_64"))]
const WRITING_OLDER: [i64; 0] = [];

/// Reading and listing a file's further attributes: `ls -l` asks for them, and is silent about a file system without
/// any, but not about a kernel without the call.
const ATTRIBUTES: [i64; 6] = [
    libc::SYS_getxattr,
    libc::SYS_lgetxattr,
    libc::SYS_fgetxattr,
    libc::SYS_listxattr,
    libc::SYS_llistxattr,
    libc::SYS_flistxattr,
];

/// The additional calls with which a Terraform provider accepts connections.
const SERVING: [i64; 2] = [libc::SYS_listen, libc::SYS_accept4];

/// The `clone` flags that create namespaces: cgroup, uts, ipc, user, pid, net, mount.
const NEW_NAMESPACES: u64 = 0x7e02_0000;

pub(super) fn restrict(plan: &Plan) -> anyhow::Result<()> {
    let mut calls: BTreeMap<i64, Vec<SeccompRule>> =
        LOOKING.iter().chain(&OLDER).map(|call| (*call, Vec::new())).collect();
    if plan.scratch.is_some() {
        let writing = WRITING.iter().chain(&WRITING_OLDER);
        calls.extend(writing.map(|call| (*call, Vec::new())));
    }
    if !plan.programs.is_empty() {
        calls.extend(SERVING.iter().map(|call| (*call, Vec::new())));
    }
    calls.insert(SYS_clone, vec![when(0, SeccompCmpOp::MaskedEq(NEW_NAMESPACES), 0)?]);
    // A process may change only its own limits.
    calls.insert(SYS_prlimit64, vec![when(0, SeccompCmpOp::Eq, 0)?]);
    // Netlink shows interfaces and sockets; changing them takes a capability that no process here has.
    let mut families = vec![AF_NETLINK];
    if plan.loopback || !plan.programs.is_empty() {
        families.push(AF_UNIX);
    }
    let families = families
        .into_iter()
        .map(|family| when(0, SeccompCmpOp::Eq, u64::from(family.cast_unsigned())));
    calls.insert(SYS_socket, families.collect::<Result<_, _>>()?);
    calls.insert(
        SYS_socketpair,
        vec![when(0, SeccompCmpOp::Eq, u64::from(AF_UNIX.cast_unsigned()))?],
    );
    let machine = std::env::consts::ARCH.try_into().context("an unknown architecture")?;
    // The stricter of two filters counts, so the second one lets through what the first one refuses.
    let attributes: BTreeMap<_, _> = ATTRIBUTES.iter().map(|call| (*call, Vec::new())).collect();
    let none = SeccompAction::Errno(libc::EOPNOTSUPP.cast_unsigned());
    let first = SeccompFilter::new(attributes.clone(), SeccompAction::Allow, none, machine)?;
    apply_filter(&BpfProgram::try_from(first)?)?;
    calls.extend(attributes);
    let absent = SeccompAction::Errno(libc::ENOSYS.cast_unsigned());
    let filter = SeccompFilter::new(calls, absent, SeccompAction::Allow, machine)?;
    Ok(apply_filter(&BpfProgram::try_from(filter)?)?)
}

/// A rule on the first 32 bits of this argument: the kernel reads no more than that for a family or a process id.
fn when(argument: u8, is: SeccompCmpOp, value: u64) -> anyhow::Result<SeccompRule> {
    let length = match is {
        SeccompCmpOp::MaskedEq(_) => SeccompCmpArgLen::Qword,
        _ => SeccompCmpArgLen::Dword,
    };
    Ok(SeccompRule::new(vec![SeccompCondition::new(argument, length, is, value)?])?)
}
