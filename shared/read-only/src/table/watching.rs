//! Programs that show how busy a machine is, what its kernel reports, and which processes have a name.

use super::{FEW, Name, PRIORITIES, Program, SANDBOX_AND_SERVER, SERVER, Shape, program};

const IOSTAT: Shape = SERVER.letters("cdhkmtxyz");

pub(super) const PROGRAMS: &[Program] = &[
    program(
        &["vmstat"],
        &[SANDBOX_AND_SERVER.processes(), SANDBOX_AND_SERVER.first(&[FEW, FEW]).processes()],
    ),
    program(&["iostat"], &[IOSTAT, IOSTAT.first(&[FEW, FEW])]),
    program(&["mpstat"], &[SERVER, SERVER.first(&[FEW, FEW])]),
    // Between two readings, to see whether something lasts.
    program(&["sleep"], &[SANDBOX_AND_SERVER.first(&[FEW])]),
    // Whole words and no letters together: `-c`, `-C`, `-D`, `-E` and `-n` change the buffer or the console.
    program(
        &["dmesg"],
        &[SERVER
            .shows_written_lines()
            .flags(&["-T", "--ctime", "-x", "--decode", "-k", "--kernel"])
            .valued(&[("-l", PRIORITIES), ("--level", PRIORITIES)])],
    ),
    // Only by names, not by arguments (`-f`), and never shown with them (`-a`).
    program(&["pgrep"], &[SANDBOX_AND_SERVER.letters("lxc").first(&[Name]).processes()]),
    program(&["pidof"], &[SANDBOX_AND_SERVER.first(&[Name]).processes()]),
];
