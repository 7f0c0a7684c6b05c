//! The `/etc` of a confined system: its own accounts and names, and only those host files that programs need.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The user id inside.
pub const UID: u32 = 1000;

/// The name server inside: slirp4netns answers there and forwards to the host's.
const NAME_SERVER: &str = "10.0.2.3";

/// The visible parts of the host's `/etc`: certificates, linker and tool settings, nothing about its users.
pub const FROM_HOST: [&str; 15] = [
    "alternatives",
    "ansible",
    "bash.bashrc",
    "bash_completion.d",
    "ca-certificates",
    "debian_version",
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "localtime",
    "mime.types",
    "os-release",
    "protocols",
    "services",
    "ssl",
];

/// Writes the files generated for the sandbox and returns their folder.
pub fn write(state: &Path, user: &str) -> io::Result<PathBuf> {
    let folder = state.join("etc");
    fs::create_dir_all(&folder)?;
    let files = [
        (
            "passwd",
            format!(
                "root:x:0:0:root:/nonexistent:/usr/sbin/nologin\n{user}:x:{UID}:{UID}::/home/{user}:/bin/bash\n"
            ),
        ),
        ("group", format!("root:x:0:\n{user}:x:{UID}:\n")),
        ("hosts", "127.0.0.1 localhost sandbox\n::1 localhost\n".to_owned()),
        ("hostname", "sandbox\n".to_owned()),
        ("resolv.conf", format!("nameserver {NAME_SERVER}\n")),
        ("nsswitch.conf", "passwd: files\ngroup: files\nhosts: files dns\n".to_owned()),
    ];
    for (name, text) in files {
        fs::write(folder.join(name), text)?;
    }
    Ok(folder)
}

/// The files that [`write()`] creates.
pub const MADE: [&str; 6] =
    ["passwd", "group", "hosts", "hostname", "resolv.conf", "nsswitch.conf"];
