//! Turns a command into the script that runs in the sandbox.

use domain::step::CommandTarget;

/// The line that ends the command on its way to the server; longer if the command contains it.
const END: &str = "END_OF_COMMAND";

/// Carries an approved command to the server, with the deployment's own configuration, which may have a jump host.
const APPROVED: &str =
    "ssh -F ssh/config -o BatchMode=yes -o ConnectTimeout=10 server bash -s <<'END_OF_COMMAND";

/// Carries a command without an approval to the server.
///
/// ssh obeys its configuration: `ProxyCommand`, `Match exec`, `Include` and a dozen others start programs or read other
/// files. So this script takes only addresses and key names from the workspace's file, one plain word each, for the
/// first block of the alias `server`, and gives ssh all other settings itself. It names programs by their full path, to
/// avoid programs of the same name in the home. On the server, the command gets a clean environment, without the
/// server's proxies, and a minute.
const UNAPPROVED: &str = r#"config=$(/usr/bin/mktemp) && trap '/usr/bin/rm -f "$config"' EXIT
/usr/bin/grep -Ei '^[[:blank:]]*(Host|HostName|User|Port|IdentityFile)[[:blank:]]+"?[[:alnum:]_./:-]+"?([[:blank:]]+[[:alnum:]_.-]+)*[[:blank:]]*$' ssh/config >"$config"
/usr/bin/ssh -F "$config" -a -x -T -o BatchMode=yes -o ConnectTimeout=10 -o ProxyCommand=none -o ProxyJump=none \
  -o PermitLocalCommand=no -o KnownHostsCommand=none -o ControlPath=none -o ClearAllForwardings=yes -o PKCS11Provider=none \
  -o CanonicalizeHostname=no -o GSSAPIAuthentication=no -o UpdateHostKeys=no -o IdentitiesOnly=yes -o IdentityAgent=none \
  -o ServerAliveInterval=15 -o StrictHostKeyChecking=yes -o UserKnownHostsFile=ssh/known_hosts -o GlobalKnownHostsFile=/dev/null \
  server 'env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME="$HOME" LANG=C.UTF-8 timeout -k 5 60 bash -s' \
  <<'END_OF_COMMAND"#;

/// Goes before a command without an approval on the server, where nothing confines it: it writes no file and gets 30 seconds
/// of processor time and 2 GiB for each program, and curl obeys neither a configuration nor a proxy.
const BOUNDS: &str =
    "for bound in '-f 0' '-c 0' '-t 30' '-v 2097152'; do ulimit $bound 2>/dev/null; done
curl() { command curl -q --noproxy '*' --max-time 20 \"$@\"; }
";

/// The most that a command without an approval prints on the server, in bytes; it ends there.
const PRINTED_BYTES: usize = 1_000_000;

/// The complete script of a command that needs approval: its owner sees and approves exactly what runs.
pub(crate) fn approved(target: CommandTarget, command: &str) -> String {
    match target {
        CommandTarget::Sandbox => command.to_owned(),
        CommandTarget::Server => to_server(&without_input(command), APPROVED),
    }
}

/// The script of a command that only reads.
pub(crate) fn unapproved(target: CommandTarget, reading: &str) -> String {
    match target {
        CommandTarget::Sandbox => reading.to_owned(),
        CommandTarget::Server => to_server(&bounded(reading), UNAPPROVED),
    }
}

/// The command with its bounds; its exit code stays.
fn bounded(reading: &str) -> String {
    let reading = without_input(reading);
    format!(
        "{BOUNDS}{reading} 2>&1 | head -c {PRINTED_BYTES}
code=${{PIPESTATUS[0]}}
[ \"$code\" != 141 ] || echo 'Only the beginning of the output is shown.'
exit \"$code\""
    )
}

/// The command as one group, which bash parses whole before it runs, and whose programs have no input. The command is
/// itself the input of bash on the server: a program that reads its input would otherwise take the lines after its own,
/// and bash would end there with exit code 0.
fn without_input(command: &str) -> String {
    format!("{{ {command}\n}} </dev/null")
}

/// The deployment has written `ssh/config` in the workspace, whose alias `server` reaches the server. The command
/// travels as standard input, so no quoting of it can go wrong.
fn to_server(command: &str, carrier: &str) -> String {
    let mut more = String::new();
    while command.contains(&format!("{END}{more}")) {
        more.push('_');
    }
    format!("{carrier}{more}'\n{command}\n{END}{more}\n")
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use read_only::{Place, Reading};
    use std::io::{Read, Write};
    use std::net::{TcpListener, TcpStream};
    use std::path::Path;
    use std::process::{Command, Stdio};

    #[test]
    fn a_command_cannot_end_its_own_quotation() {
        let script = approved(CommandTarget::Server, "echo a\nEND_OF_COMMAND\nrm -rf ~");
        let end = script.lines().last().unwrap();
        assert_eq!(script.lines().filter(|line| *line == end).count(), 1);
    }

    #[test]
    fn a_command_for_the_sandbox_runs_unchanged() {
        assert_eq!(approved(CommandTarget::Sandbox, "df -h"), "df -h");
        assert_eq!(unapproved(CommandTarget::Sandbox, "df -h"), "df -h");
    }

    /// Runs the script in `workspace` as a sandbox does, with a planted program that comes before the system's.
    fn run(workspace: &Path, script: &str) {
        let path = format!("{}:/usr/bin:/bin", workspace.join("bin").display());
        let mut bash = Command::new("bash");
        bash.arg("-c")
            .arg(script)
            .current_dir(workspace)
            .env_clear()
            .env("HOME", workspace)
            .env("PATH", path);
        bash.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
    }

    #[test]
    fn ssh_runs_no_program_from_the_workspaces_configuration_and_still_finds_the_server() {
        let folder = tempfile::tempdir().unwrap();
        let workspace = folder.path();
        for made in ["ssh", "bin", ".ssh"] {
            std::fs::create_dir(workspace.join(made)).unwrap();
        }
        let server = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = server.local_addr().unwrap().port();
        let canary = workspace.join("canary");
        let touch = format!("/usr/bin/touch {}", canary.display());
        let more = workspace.join("more");
        std::fs::write(&more, format!("Match exec \"{touch}\"\n  ProxyCommand {touch}\n")).unwrap();
        let config = format!(
            "Include {more}\nMatch exec \"{touch}\"\nHost server web\n  HostName 127.0.0.1\n  User deploy\n  Port {port}\n  \
             ProxyCommand {touch}\n  ProxyCommand={touch}\n  KnownHostsCommand {touch}\n  PermitLocalCommand yes\n  LocalCommand {touch}\n  \
             ControlMaster auto\n  ControlPath {workspace}/control\n  PKCS11Provider {workspace}/evil.so\n  \
             IdentityFile \"{workspace}/ssh/key\"\n",
            more = more.display(),
            workspace = workspace.display(),
        );
        for file in ["ssh/config", ".ssh/config"] {
            std::fs::write(workspace.join(file), &config).unwrap();
        }
        for program in ["ssh", "grep", "mktemp", "rm"] {
            let planted = workspace.join("bin").join(program);
            std::fs::write(&planted, format!("#!/bin/sh\n{touch}\n")).unwrap();
            std::fs::set_permissions(&planted, std::os::unix::fs::PermissionsExt::from_mode(0o755))
                .unwrap();
        }
        // The deployment's own configuration obeys, which shows that the planted program works.
        run(workspace, &approved(CommandTarget::Server, "uptime"));
        assert!(canary.exists());
        std::fs::remove_file(&canary).unwrap();

        let script = unapproved(CommandTarget::Server, "uptime");
        let received = std::thread::scope(|scope| {
            let greeting = scope.spawn(|| {
                let mut greeting = [0; 4];
                let (mut connection, _) = server.accept().unwrap();
                connection.read_exact(&mut greeting).ok().map(|()| greeting)
            });
            run(workspace, &script);
            // Ends the server if no client has connected.
            drop(TcpStream::connect(("127.0.0.1", port)));
            greeting.join().unwrap()
        });
        assert!(!canary.exists(), "a program was started");
        assert_eq!(received, Some(*b"SSH-"));
        assert!(!workspace.join("control").exists());
    }

    /// Runs a command as the server does, whose user has a proxy and a configuration of curl; returns what it printed.
    fn on_server(home: &Path, proxy: &str, command: &str) -> String {
        let script = unapproved(CommandTarget::Server, command);
        let (_, remote) = script.split_once("\n  server ").unwrap();
        let mut bash = Command::new("bash");
        bash.arg("-c").arg(format!("bash -c {remote}")).env("HOME", home).env("http_proxy", proxy);
        let output = bash.stdin(Stdio::null()).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    }

    /// What an approved command prints on the server, and its exit code.
    fn approved_on_server(command: &str) -> (String, Option<i32>) {
        let script = approved(CommandTarget::Server, command);
        let (_, remote) = script.split_once(" server ").unwrap();
        let mut bash = Command::new("bash");
        let output = bash.arg("-c").arg(remote).stdin(Stdio::null()).output().unwrap();
        (String::from_utf8(output.stdout).unwrap(), output.status.code())
    }

    #[test]
    fn a_program_that_reads_its_input_does_not_take_the_rest_of_the_command() {
        let home = tempfile::tempdir().unwrap();
        for (command, printed) in [
            ("cat\necho two", "two\n"),
            ("read -r x || echo none\necho two", "none\ntwo\n"),
            ("cat <<'A'\none\nA", "one\n"),
            ("echo one # the last line", "one\n"),
        ] {
            assert_eq!(approved_on_server(command), (printed.to_owned(), Some(0)), "{command}");
            assert_eq!(on_server(home.path(), "", command), printed, "{command}");
        }
        assert_eq!(approved_on_server("echo one\nexit 3\necho two"), ("one\n".to_owned(), Some(3)));
    }

    #[test]
    fn a_command_with_a_syntax_error_does_not_run_halfway_on_the_server() {
        for command in ["echo one\nif true; then", "echo one\n(("] {
            let (printed, code) = approved_on_server(command);
            assert_eq!((printed.as_str(), code), ("", Some(2)), "{command}");
        }
    }

    #[test]
    fn a_command_without_an_approval_is_bounded_on_the_server() {
        let home = tempfile::tempdir().unwrap();
        let bounds = on_server(home.path(), "", "ulimit -f; ulimit -t; ulimit -v; echo $PATH");
        let path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
        assert_eq!(bounds, format!("0\n30\n2097152\n{path}\n"));
        let file = home.path().join("written");
        on_server(home.path(), "", &format!("echo words >{}", file.display()));
        assert_eq!(std::fs::read(file).unwrap_or_default(), b"");
    }

    #[test]
    fn the_output_of_a_command_without_an_approval_is_bounded() {
        let home = tempfile::tempdir().unwrap();
        let long = on_server(home.path(), "", "head -c 3000000 /dev/zero | tr '\\0' x");
        assert!(long.starts_with('x') && long.ends_with("is shown.\n"));
        assert!(long.len() < PRINTED_BYTES + 100, "{}", long.len());
        let errors = "for n in $(seq 40000); do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx >&2; done";
        assert!(on_server(home.path(), "", errors).len() < PRINTED_BYTES + 100);
        assert_eq!(
            on_server(home.path(), "", "echo out; ls nowhere 2>/dev/null; echo err >&2"),
            "out\nerr\n"
        );
        let code = to_server(&bounded("true | false"), "bash -s <<'END_OF_COMMAND");
        assert_eq!(Command::new("bash").arg("-c").arg(code).status().unwrap().code(), Some(1));
    }

    /// A log, read as on a server; the folder stands for `/var/log`.
    fn log_on_server(folder: &Path, command: &str) -> String {
        let remote = Reading::of(command, Place::Server).unwrap().remote();
        let here = folder.canonicalize().unwrap();
        on_server(folder, "", &remote.replace("/var/log", here.to_str().unwrap()))
    }

    #[test]
    fn a_log_on_the_server_is_read_only_under_its_own_name() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("real")).unwrap();
        std::fs::write(at("real/a.log"), "one\ntwo\nthree\n").unwrap();
        let shown = log_on_server(folder.path(), "tail -n 2 /var/log/real/a.log | grep -n two");
        assert_eq!(shown, "1:two\n");
        assert_eq!(log_on_server(folder.path(), "wc -l /var/log/real/a.log"), "3\n");

        std::os::unix::fs::symlink(at("real/a.log"), at("link.log")).unwrap();
        std::os::unix::fs::symlink(at("real"), at("other")).unwrap();
        for path in ["/var/log/link.log", "/var/log/other/a.log"] {
            let refused = log_on_server(folder.path(), &format!("cat {path} || echo refused"));
            assert!(refused.ends_with("only with an approval.\nrefused\n"), "{refused}");
            assert!(!refused.contains("two"), "{refused}");
        }
        let missing =
            log_on_server(folder.path(), "cat /var/log/missing.log 2>/dev/null || echo none");
        assert_eq!(missing, "none\n");
    }

    #[test]
    fn curl_obeys_neither_the_servers_proxy_nor_its_configuration() {
        let home = tempfile::tempdir().unwrap();
        let proxy = TcpListener::bind("127.0.0.1:0").unwrap();
        let site = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", proxy.local_addr().unwrap());
        let configured = format!("proxy = \"{address}\"\nfail\n");
        std::fs::write(home.path().join(".curlrc"), configured).unwrap();
        let command = format!("curl -sS http://{}/words", site.local_addr().unwrap());
        let printed = std::thread::scope(|scope| {
            scope.spawn(|| {
                let (mut visitor, _) = site.accept().unwrap();
                let mut asked = [0; 1024];
                let _ = visitor.read(&mut asked).unwrap();
                visitor.write_all(b"HTTP/1.1 500 Down\r\ncontent-length: 4\r\n\r\nhere").unwrap();
            });
            on_server(home.path(), &address, &command)
        });
        assert_eq!(printed, "here");
        proxy.set_nonblocking(true).unwrap();
        assert!(proxy.accept().is_err(), "the proxy was asked");
    }
}
