//! Programs that show how busy a machine is, what its kernel reports, and which processes have a name.

use super::{BOTH, FEW, Name, PRIORITIES, Program, SERVER, Shape, program};

const IOSTAT: Shape = SERVER.letters("cdhkmtxyz");

pub(super) const PROGRAMS: &[Program] = &[
    program(&["vmstat"], &[BOTH.processes(), BOTH.first(&[FEW, FEW]).processes()]),
    program(&["iostat"], &[IOSTAT, IOSTAT.first(&[FEW, FEW])]),
    program(&["mpstat"], &[SERVER, SERVER.first(&[FEW, FEW])]),
    // Between two readings, to see whether something lasts.
    program(&["sleep"], &[BOTH.first(&[FEW])]),
    // Whole words and no letters together: `-c`, `-C`, `-D`, `-E` and `-n` change the buffer or the console.
    program(
        &["dmesg"],
        &[SERVER
            .told()
            .flags(&["-T", "--ctime", "-x", "--decode", "-k", "--kernel"])
            .valued(&[("-l", PRIORITIES), ("--level", PRIORITIES)])],
    ),
    // Only by names, not by arguments (`-f`), and never shown with them (`-a`).
    program(&["pgrep"], &[BOTH.letters("lxc").first(&[Name]).processes()]),
    program(&["pidof"], &[BOTH.first(&[Name]).processes()]),
];
