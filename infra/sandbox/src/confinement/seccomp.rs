//! A BPF program for bubblewrap that blocks system calls that no program in a sandbox needs.
//!
//! The sandbox has no capabilities; this filter closes what the kernel offers without any: new namespaces (in which a
//! process has capabilities again), keyrings, which no namespace separates, and large interfaces with a history of
//! flaws. `clone3` hides its flags from a filter, so the filter reports that it does not exist, and libraries fall back
//! to `clone`. Sockets to a hypervisor (vsock) belong to no network namespace, and the kernel's cipher sockets also
//! have a history of flaws.

use libc::{
    AF_ALG, AF_VSOCK, EPERM, SYS_add_key, SYS_bpf, SYS_clone, SYS_clone3, SYS_fsconfig,
    SYS_fsmount, SYS_fsopen, SYS_fspick, SYS_io_uring_enter, SYS_io_uring_register,
    SYS_io_uring_setup, SYS_kexec_file_load, SYS_kexec_load, SYS_keyctl, SYS_mount,
    SYS_mount_setattr, SYS_move_mount, SYS_open_by_handle_at, SYS_open_tree, SYS_perf_event_open,
    SYS_pivot_root, SYS_request_key, SYS_setns, SYS_socket, SYS_umount2, SYS_unshare,
    SYS_userfaultfd,
};

const FORBIDDEN: [i64; 24] = [
    SYS_add_key,
    SYS_bpf,
    SYS_fsconfig,
    SYS_fsmount,
    SYS_fsopen,
    SYS_fspick,
    SYS_io_uring_enter,
    SYS_io_uring_register,
    SYS_io_uring_setup,
    SYS_kexec_file_load,
    SYS_kexec_load,
    SYS_keyctl,
    SYS_mount,
    SYS_mount_setattr,
    SYS_move_mount,
    SYS_open_by_handle_at,
    SYS_open_tree,
    SYS_perf_event_open,
    SYS_pivot_root,
    SYS_request_key,
    SYS_setns,
    SYS_umount2,
    SYS_unshare,
    SYS_userfaultfd,
];

/// The `clone` flags that create namespaces: cgroup, uts, ipc, user, pid, net, mount.
const NEW_NAMESPACES: u32 = 0x7e02_0000;

#[cfg(target_arch = "x86_64")]
const ARCHITECTURE: u32 = 0xc000_003e;
#[cfg(target_arch = "aarch64")]
const ARCHITECTURE: u32 = 0xc000_00b7;

/// Calls through another ABI of the same machine (x32) have this bit set and would slip past the numbers.
const FOREIGN_BIT: u32 = 0x4000_0000;

const LOAD: u16 = 0x20;
const JUMP_EQUAL: u16 = 0x15;
const JUMP_AT_LEAST: u16 = 0x35;
const JUMP_ANY_BIT: u16 = 0x45;
const RETURN: u16 = 0x06;

const NUMBER: u32 = 0;
const ARCH: u32 = 4;
const FIRST_ARGUMENT: u32 = 16;

const ALLOW: u32 = 0x7fff_0000;
const FAIL: u32 = 0x0005_0000;

/// The program in the kernel's own layout.
pub fn program() -> Vec<u8> {
    let refuse = FAIL | EPERM.cast_unsigned();
    let absent = FAIL | libc::ENOSYS.cast_unsigned();
    let mut code = vec![
        (LOAD, 0, 0, ARCH),
        (JUMP_EQUAL, 1, 0, ARCHITECTURE),
        (RETURN, 0, 0, refuse),
        (LOAD, 0, 0, NUMBER),
        (JUMP_AT_LEAST, 0, 1, FOREIGN_BIT),
        (RETURN, 0, 0, refuse),
    ];
    for call in FORBIDDEN {
        code.push((JUMP_EQUAL, 0, 1, number(call)));
        code.push((RETURN, 0, 0, refuse));
    }
    code.extend([
        (JUMP_EQUAL, 0, 5, number(SYS_socket)),
        (LOAD, 0, 0, FIRST_ARGUMENT),
        (JUMP_EQUAL, 1, 0, AF_VSOCK.cast_unsigned()),
        (JUMP_EQUAL, 0, 1, AF_ALG.cast_unsigned()),
        (RETURN, 0, 0, refuse),
        (RETURN, 0, 0, ALLOW),
        (JUMP_EQUAL, 0, 1, number(SYS_clone3)),
        (RETURN, 0, 0, absent),
        (JUMP_EQUAL, 0, 3, number(SYS_clone)),
        (LOAD, 0, 0, FIRST_ARGUMENT),
        (JUMP_ANY_BIT, 0, 1, NEW_NAMESPACES),
        (RETURN, 0, 0, refuse),
        (RETURN, 0, 0, ALLOW),
    ]);
    code.into_iter()
        .flat_map(|(operation, yes, no, value): (u16, u8, u8, u32)| {
            let [a, b] = operation.to_ne_bytes();
            let [w, x, y, z] = value.to_ne_bytes();
            [a, b, yes, no, w, x, y, z]
        })
        .collect()
}

fn number(call: i64) -> u32 {
    u32::try_from(call).unwrap_or(u32::MAX)
}
