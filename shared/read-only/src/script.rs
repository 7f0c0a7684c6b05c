//! Scripts that only read, because each of their lines does.

use super::{Place, Reach, Reading, is_apart};

/// The line that sets how bash runs a script; every rebuilt script begins with it.
const STRICT: &str = "set -euo pipefail";

/// Other spellings of this line, and parts of it.
const STRICTNESS: [&str; 5] =
    [STRICT, "set -e", "set -eu", "set -o pipefail", "set -Eeuo pipefail"];

/// The line between a script and its proof if the script's last line may fail unnoticed: it fails with the same code.
/// Approved, the two are separate scripts, and the proof runs only if the first one ended well.
const ENDS: &str = "(exit $?)";

/// The most lines that are judged; a person should review a longer script anyway.
const LINES: usize = 60;

/// A script that only reads, as it is to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadingScript {
    /// The script, rebuilt line by line from the judged words; its proof, if it has one, comes last.
    pub script: String,
    /// What the script may reach.
    pub reach: Reach,
}

impl ReadingScript {
    /// Recognizes a script with its proof as one that only reads in `place`; `None` for every other script.
    ///
    /// Each line is judged alone, so the judge understands nothing that spans lines: no loop, no function, no
    /// here-document. The script ends at the first line that fails, as every step does.
    pub fn of(script: &str, proof: Option<&str>, place: Place) -> Option<Self> {
        let (mut reach, mut workspace) = (Reach::default(), false);
        let mut written = vec![STRICT.to_owned()];
        let mut fails_unnoticed = false;
        for part in [Some(script), proof].into_iter().flatten() {
            if fails_unnoticed {
                written.push(ENDS.to_owned());
            }
            let said = part.lines().map(str::trim);
            let said = said.filter(|line| !line.is_empty() && !line.starts_with('#'));
            for line in said.filter(|line| !STRICTNESS.contains(line)) {
                let reading = Reading::of(line, place)?;
                reach = reach.with(&reading.reach)?;
                workspace |= reading.workspace;
                fails_unnoticed = reading.line.hides_failures();
                written.push(reading.script());
            }
        }
        let found = (2..=LINES).contains(&written.len()) && is_apart(place, &reach, workspace);
        found.then(|| Self { script: format!("{}\n", written.join("\n")), reach })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn read(script: &str) -> Option<ReadingScript> {
        ReadingScript::of(script, None, Place::Sandbox)
    }

    fn read_with_proof(script: &str, proof: &str) -> Option<ReadingScript> {
        ReadingScript::of(script, Some(proof), Place::Sandbox)
    }

    #[test]
    fn a_script_in_which_every_line_only_reads_is_rebuilt() {
        let text = "#!/bin/bash\nset -euo pipefail\n\n# How full is it?\n  free -m | sort\ncat 'notes.txt'\n";
        let found = read(text).unwrap();
        assert_eq!(found.script, "set -euo pipefail\nfree -m | sort\ncat notes.txt\n");
        let proved = read_with_proof("ls -l\n", "grep -q ready state.txt\n").unwrap();
        assert_eq!(proved.script, "set -euo pipefail\nls -l\ngrep -q ready state.txt\n");
    }

    #[test]
    fn a_proof_does_not_hide_that_the_script_before_it_failed() {
        let proved = read_with_proof("ls\ntest -f a && grep -q x a\n", "true\n").unwrap();
        let rebuilt = "set -euo pipefail\nls\ntest -f a && grep -q x a\n(exit $?)\ntrue\n";
        assert_eq!(proved.script, rebuilt);
        let alone = "test -f a && grep -q x a\n";
        assert_eq!(read(alone).unwrap().script, format!("{STRICT}\n{alone}"));
    }

    #[test]
    fn one_line_that_may_change_something_makes_the_whole_script_need_approval() {
        for line in [
            "rm x",
            "for f in a b; do",
            "cat <<'EOF'",
            "x=1",
            "ls > out.txt",
            "curl http://example.com/",
            "cat notes.txt \\",
            "set +e",
            "set -e; rm x",
            "echo 'a",
        ] {
            assert_eq!(read(&format!("ls\n{line}\nls\n")), None, "{line}");
        }
        assert_eq!(read("# nothing\n"), None);
        assert_eq!(read(""), None);
        assert_eq!(read(&"ls\n".repeat(LINES + 1)), None);
    }

    #[test]
    fn a_script_shows_either_processes_or_the_workspace() {
        assert!(read("ps -e\n").is_some() && read("cat notes.txt\n").is_some());
        assert_eq!(read("ps -e\ncat notes.txt\n"), None);
        assert_eq!(read("ls\nuptime\nss -tlnp\n"), None);
    }

    #[test]
    fn a_script_reaches_at_most_one_port() {
        let one = "curl -s http://127.0.0.1:8080/\ncurl -s http://localhost:8080/health\n";
        assert_eq!(read(one).unwrap().reach.loopback_port, Some(8080));
        assert_eq!(read(&format!("{one}curl -s http://127.0.0.1:9090/\n")), None);
    }
}
