//! Finds passwords that a command prints for the next one to read: `echo walnut | passwd --stdin`.

use super::{Reader, Role};
use crate::value::paired;
use crate::weight::{MIN_BYTES, Weight, weigh};
use crate::{Raw, SecretKind};
use std::ops::Range;

/// How many finds may follow the output of `echo` on its line.
const LAST_FINDS: usize = 8;

impl Reader<'_> {
    /// Notes the argument of `echo` or `printf` that begins here.
    pub(super) fn hear_echo(&mut self) {
        self.echoed = self.values.candidate(self.open(), self.at).map(|found| found.span);
        // The value that a program prints comes after a format and options.
        let before = |span: &Range<usize>| {
            let word = &self.text[span.clone()];
            let user = self.text[..span.start].trim_end_matches([' ', '"', '\'']);
            (word.len() < 8 && word.contains("%s"))
                || (word.len() <= 3 && word.starts_with('-'))
                || user.trim_end_matches("\\n").ends_with("%s:%s")
        };
        self.echo = self.echoed.as_ref().is_some_and(before);
    }

    /// Takes the argument of `echo` at a word for a program or an option that reads a secret.
    pub(super) fn pipes_into(&mut self, role: Role, word: &str, folded: &str) {
        if self.echoed.is_none() {
            return;
        }
        if folded == "chpasswd" {
            return self.piped_logins();
        }
        let reads = match role {
            Role::Program => true,
            Role::Password => folded == "passwd",
            Role::Token => word.ends_with("with-token"),
            Role::Key => word.ends_with("load-key"),
            _ => false,
        };
        if reads {
            self.piped();
        }
    }

    /// Whether a word says that a program reads a secret from its standard input: `secret create`, `--passphrase-fd`.
    pub(super) fn reads_secret(&self, span: &Range<usize>) -> bool {
        let (word, before) = (&self.text[span.clone()], &self.text[self.before_span.clone()]);
        word.ends_with("passphrase-fd") || (word == "create" && before == "secret")
    }

    /// Takes the argument of an `echo` that is piped into a program that reads a password.
    pub(super) fn piped(&mut self) {
        let Some(span) = self.echoed.take() else { return };
        let span = paired(self.open(), &span).unwrap_or(span);
        // `echo -e "X\nX"`: programs ask twice.
        let shown = self.text[span.clone()].split("\\n").next().unwrap_or_default();
        if !self.is_found(&span) && weigh(shown) >= Weight::Weak {
            self.found.push(Raw::likely(span, "PASSWORD", SecretKind::Password));
        }
    }

    /// Takes the passwords of `echo "root:walnut\nkim:hazel" | chpasswd`.
    fn piped_logins(&mut self) {
        let Some(span) = self.echoed.take() else { return };
        let printed = &self.text[span.clone()];
        let mut at = span.start;
        for login in printed.split("\\n") {
            let start = at;
            at += login.len() + "\\n".len();
            let Some((user, password)) = login.split_once(':') else { continue };
            let start = start + user.len() + 1;
            let span = start..start + password.len();
            if password.len() >= MIN_BYTES
                && weigh(password) >= Weight::Weak
                && !self.is_found(&span)
            {
                self.found.push(Raw::likely(span, "PASSWORD", SecretKind::Password));
            }
        }
        if !printed.contains(':') && !self.text[span.end..].starts_with(':') {
            self.echoed = Some(span);
            self.piped();
        }
    }

    /// Whether one of the last finds has a part of this place.
    fn is_found(&self, span: &Range<usize>) -> bool {
        let mut last = self.found.iter().rev().take(LAST_FINDS);
        last.any(|raw| raw.span.start < span.end && span.start < raw.span.end)
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::found;

    #[test]
    fn what_a_program_reads_from_a_pipe_is_found() {
        for (text, secrets) in [
            ("echo 'root:walnut' | chpasswd", vec!["walnut"]),
            ("RUN echo kim:hazel | sudo chpasswd", vec!["hazel"]),
            ("printf 'root:walnut\\nkim:hazel\\n' | chpasswd", vec!["walnut", "hazel"]),
            ("printf '%s:%s\\n' kim 'Walnut#77' | sudo chpasswd", vec!["Walnut#77"]),
            ("echo 'walnut harbor' | zfs load-key tank/home", vec!["walnut harbor"]),
            ("echo walnutharbor | zfs load-key -a", vec!["walnutharbor"]),
        ] {
            assert_eq!(found(text), secrets, "{text}");
        }
        for text in [
            "echo \"root:$PW\" | chpasswd",
            "echo done; zfs load-key tank/home",
            "echo 'load-key failed' | mail root",
            "echo kim | sort",
        ] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
    }
}
