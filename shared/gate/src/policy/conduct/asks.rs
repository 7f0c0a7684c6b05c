//! Finds commands that ask something, although no person is there to answer.

use crate::bash::Command;

/// Programs that talk to a person.
const TALKERS: [&str; 12] = [
    "dialog",
    "emacs",
    "htop",
    "less",
    "mysql_secure_installation",
    "nano",
    "passwd",
    "top",
    "vi",
    "vim",
    "visudo",
    "whiptail",
];

/// What a command asks, which no person is there to answer. `piped` says whether a pipe answers it.
pub(super) fn unanswered(command: &Command, piped: bool) -> Option<String> {
    let argv = command.argv();
    let (program, rest) = argv.split_first()?;
    let verb = rest.iter().find(|word| !word.starts_with('-')).copied().unwrap_or_default();
    let fed = piped || !command.reads.is_empty() || !command.heredocs.is_empty();
    let call = Call { rest, verb, fed };
    if call.has(&["--help", "--version", "-h"]) || call.is_open() {
        return None;
    }
    let wish = match *program {
        "apt" | "apt-get" => call.apt(),
        "dnf" | "yum" => call.dnf(),
        "ssh-keygen" => call.ssh_keygen(),
        "certbot" => call.certbot(),
        "ufw" => call.ufw(),
        "docker" | "podman" => call.docker(),
        "openssl" => call.openssl(),
        "npm" => call.npm(),
        "adduser" => call.adduser(),
        "read" => return call.prompts().then(|| waits(&argv)),
        "visudo" => return (!call.letter('c')).then(|| talks(program)),
        name if TALKERS.contains(&name) && !fed => {
            return (!call.is_batch()).then(|| talks(program));
        }
        _ => None,
    }?;
    Some(format!(
        "`{program} {verb}` asks for confirmation, and no person is there to answer: `{wish}`."
    ))
}

fn talks(program: &str) -> String {
    format!("`{program}` is interactive, and no person is there.")
}

fn waits(argv: &[&str]) -> String {
    format!("`{}` waits for an answer, and no person is there to give it.", argv.join(" "))
}

/// A call of a program that may ask something. The methods with a program's name return the option with which it asks
/// nothing, if the call lacks it.
struct Call<'a> {
    /// The words after the program's name.
    rest: &'a [&'a str],
    /// The first of them that is not an option.
    verb: &'a str,
    /// Whether its standard input has an answer.
    fed: bool,
}

impl Call<'_> {
    /// Whether it has one of these options, with a value after `=` or without one.
    fn has(&self, words: &[&str]) -> bool {
        self.rest.iter().any(|word| {
            words.iter().any(|wanted| {
                word == wanted
                    || word.strip_prefix(wanted).is_some_and(|rest| rest.starts_with('='))
            })
        })
    }

    /// Whether it has an option of one letter. They may be joined, as in `-qy`.
    fn letter(&self, wanted: char) -> bool {
        let joined = |word: &&str| word.starts_with('-') && !word.starts_with("--");
        self.rest.iter().any(|word| joined(word) && word.contains(wanted))
    }

    fn does(&self, verbs: &[&str]) -> bool {
        verbs.contains(&self.verb)
    }

    /// Whether variables such as `"$@"` bring more words.
    fn is_open(&self) -> bool {
        self.rest.iter().any(|word| {
            word.contains("[@]") || (word.starts_with(['$', '"']) && word.contains('@'))
        })
    }

    fn apt(&self) -> Option<&'static str> {
        let works = ["install", "upgrade", "dist-upgrade", "full-upgrade", "remove", "purge"];
        let agreed = self.letter('y')
            || self.letter('s')
            || self.has(&["--yes", "--assume-yes", "--assume-no", "--dry-run", "--simulate"])
            || self.has(&["--download-only"]);
        (self.does(&works) && !agreed && !self.fed).then_some("-y")
    }

    fn dnf(&self) -> Option<&'static str> {
        let agreed = self.letter('y') || self.has(&["--assumeyes", "--assumeno"]);
        let works = ["install", "upgrade", "update", "remove"];
        (self.does(&works) && !agreed && !self.fed).then_some("-y")
    }

    fn ssh_keygen(&self) -> Option<&'static str> {
        let other = ["-y", "-l", "-R", "-F", "-H", "-p", "-A", "-s", "-B", "-Y", "-e", "-i"];
        // Letters may be joined: `-lf`.
        let joined = ['y', 'l', 'R', 'F', 'B', 'Y'].into_iter().any(|letter| self.letter(letter));
        let other = joined || other.iter().any(|flag| self.rest.contains(flag));
        let agreed = self.rest.iter().any(|word| word.starts_with("-N")) || self.letter('N');
        (!other && !agreed).then_some("-N")
    }

    fn certbot(&self) -> Option<&'static str> {
        let agreed = self.letter('n') || self.has(&["--non-interactive", "--noninteractive"]);
        (self.does(&["certonly", "run", "install"]) && !agreed).then_some("--non-interactive")
    }

    fn ufw(&self) -> Option<&'static str> {
        let forced = self.has(&["--force"]);
        (self.does(&["enable", "reset"]) && !forced && !self.fed).then_some("--force")
    }

    fn docker(&self) -> Option<&'static str> {
        let forced = self.letter('f') || self.has(&["--force"]);
        if self.rest.contains(&"prune") && !forced && !self.fed {
            return Some("--force");
        }
        let given = self.has(&["--password-stdin", "--password"])
            || self.rest.iter().any(|word| word.starts_with("-p"));
        (self.does(&["login"]) && !given).then_some("--password-stdin")
    }

    fn openssl(&self) -> Option<&'static str> {
        let makes = self.does(&["req"]) && self.has(&["-new", "-x509", "-newkey"]);
        let agreed = self.has(&["-subj", "-batch", "-config", "-in", "-CA"]);
        (makes && !agreed && !self.fed).then_some("-subj")
    }

    fn npm(&self) -> Option<&'static str> {
        let agreed = self.letter('y') || self.has(&["--yes"]);
        (self.does(&["init"]) && !agreed).then_some("--yes")
    }

    fn adduser(&self) -> Option<&'static str> {
        // The first two are options of BusyBox.
        let agreed =
            self.has(&["-D", "-S", "--disabled-password", "--system", "--gecos", "--comment"]);
        let grouped = self.rest.iter().filter(|word| !word.starts_with('-')).count() > 1;
        (!agreed && !grouped && !self.fed && !self.rest.is_empty()).then_some("--disabled-password")
    }

    /// Whether bash's `read` shows a prompt: `read -p`, `read -rp`.
    fn prompts(&self) -> bool {
        let option = |word: &&str| word.starts_with('-') && !word.starts_with("--");
        !self.fed && self.rest.iter().any(|word| option(word) && word.ends_with('p'))
    }

    /// Whether a program that talks to a person does not do so here.
    fn is_batch(&self) -> bool {
        self.letter('b') || self.has(&["--batch", "--stdin", "-l", "-d", "-S"])
    }
}
