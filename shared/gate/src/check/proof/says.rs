//! What the findings in proofs and checks say.

pub(super) const AND: &str = "bash goes on if the command before `&&` fails here. Write one command per line, or end the line with `|| exit 1`.";
pub(super) const SWALLOWED: &str = "The command after `||` always succeeds, so the failure of the command before it is lost. Leave it out, or use `|| exit 1`.";
pub(super) const NEGATED: &str = "`set -e` does not see a command with `!` before it, so the script goes on if it succeeds. Write `if …; then exit 1; fi`.";
pub(super) const TOLD: &str = "Whatever this condition says, it only prints: the script also continues when it does not hold. Put `exit 1` there.";
pub(super) const RETRIED: &str = "When the last try of this loop fails as well, the script goes on and succeeds. Try once more after the loop, or put `exit 1` in it.";
pub(super) const UNHEEDED: &str = "The failure of this command is lost: bash ignores failures in a function that a condition calls. End the line with `|| return 1`, or call the function as a command of its own.";
pub(super) const OTHER_SHELL: &str = "The failure of this command is lost: the shell that it runs in goes on to the next one. Begin that shell's script with `set -euo pipefail`.";
pub(super) const MASKED: &str = "The failure of the command in `$(…)` is lost, because the status is that of `export`, `local` or `declare`. Assign on a line of its own.";
pub(super) const SILENT: &str = "If the command in `$(…)` fails, it prints nothing, and the script takes that for success. Assign its output to a variable on a line of its own, then test that.";
pub(super) const EMPTY: &str = "If the command that this reads from fails, there is nothing to read, and the script goes on. Assign its output to a variable first: `x=$(…)`.";
pub(super) const NOTHING: &str = "This succeeds whether or not the work was done, so it proves nothing. End with a command that fails unless the work is done.";
pub(super) const SHOWN: &str = "This only shows the state of something, and succeeds whatever it shows, so it proves nothing. State the condition: `test -s FILE`, `… | grep -q TEXT`, `[ \"$(…)\" = VALUE ]`, or a status such as that of `systemctl is-active`.";
pub(super) const STARTED: &str = "This only starts something, and does not ask it whether it works, so it proves nothing. Ask what was started: `systemctl is-active --quiet NAME`, `curl -fsS ADDRESS`, `docker compose up -d --wait`.";
pub(super) const LEAVES: &str =
    "The script ends successfully here, so nothing after this line runs.";
pub(super) const TRAPPED: &str =
    "This trap makes the script succeed, whatever failed before. Leave `exit 0` out of it.";
pub(super) const BACKGROUND: &str = "This runs in the background, and the script does not learn how it ends. Run it in the foreground.";
pub(super) const CONSTANT: &str = "This test compares strings that never change, so it says nothing about the work. Test what a command prints.";
pub(super) const MALFORMED: &str =
    "`test` cannot read these words: it takes one comparison, such as `test \"$a\" = b`.";
pub(super) const ANY_ANSWER: &str = "`curl` succeeds here even if the server answers with an error. Use `--fail`, or compare the status that `--write-out` prints.";
pub(super) const COUNTED: &str = "This counts, but nothing compares the count, so it always succeeds. Compare it: `test \"$(… | wc -l)\" -gt 0`.";
pub(super) const SWITCHED_OFF: &str = "`set -e` is off here, so the failure of this command is lost. Leave `set +e` out, or read the status right after the command and end with it: `code=$?; set -e; [ \"$code\" -eq 0 ]`.";
pub(super) const SUBSTITUTED: &str = "If the command in `$(…)` fails, this line succeeds all the same. Assign its output to a variable on a line of its own: `x=$(…)`.";
pub(super) const FOUND: &str = "`find` succeeds whatever the command after `-exec` does. Run that command in a loop, or end it with `+`.";
pub(super) const IGNORED: &str =
    "With this option, `make` ignores the failures of its commands. Leave it out.";
pub(super) const UNCHECKED: &str =
    "Python continues if this command fails. Use `subprocess.run(…, check=True)`.";
