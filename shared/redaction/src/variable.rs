//! The names that a secret may have: those of environment variables that no shell reads.
//!
//! A reference in a text holds such a name, and the value reaches a sandbox as the variable. The rule is here rather than
//! with the credentials that users enter (`domain::credential`), because what is a reference depends on it: a text in the
//! form of one with any other name is searched like the rest.

/// The longest name, in characters.
pub const MAX_NAME_CHARS: usize = 64;

/// Names that a shell or the dynamic linker reads.
const RESERVED: [&str; 17] = [
    "BASHOPTS",
    "BASH_ENV",
    "CDPATH",
    "ENV",
    "GLOBIGNORE",
    "HOME",
    "IFS",
    "LOGNAME",
    "OLDPWD",
    "PATH",
    "POSIXLY_CORRECT",
    "PROMPT_COMMAND",
    "PWD",
    "SHELL",
    "SHELLOPTS",
    "TERM",
    "USER",
];
/// Prefixes of names that the shell, the linker or the sandbox agent uses.
const RESERVED_PREFIXES: [&str; 4] = ["LD_", "BASH_", "GROUNDCREW_", "PS"];

/// Why a text cannot be the name of a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InvalidName {
    /// Not capital letters, digits and underscores with a letter first, or longer than [`MAX_NAME_CHARS`].
    Malformed,
    /// It has a meaning for the shell, the linker or the sandbox agent.
    Reserved,
}

/// Checks a name.
pub fn check_name(name: &str) -> Result<(), InvalidName> {
    let rest = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    let well_formed = name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.chars().all(rest)
        && name.len() <= MAX_NAME_CHARS;
    if !well_formed {
        return Err(InvalidName::Malformed);
    }
    let prefixed = RESERVED_PREFIXES.iter().any(|prefix| {
        // `PS` means PS1 to PS4; as a prefix it would also match names that we may need later.
        name.strip_prefix(prefix)
            .is_some_and(|rest| *prefix != "PS" || matches!(rest, "0" | "1" | "2" | "3" | "4"))
    });
    if prefixed || RESERVED.contains(&name) {
        return Err(InvalidName::Reserved);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_named_like_a_variable_that_no_shell_reads() {
        for good in ["A", "AWS_ACCESS_KEY_ID", "PSQL_PASSWORD", "PATHOLOGY", "X9", &"A".repeat(64)]
        {
            assert_eq!(check_name(good), Ok(()), "{good}");
        }
        for bad in ["", "a", "9A", "_A", "A-B", "A B", "Ä", &"A".repeat(65)] {
            assert_eq!(check_name(bad), Err(InvalidName::Malformed), "{bad}");
        }
        for reserved in ["PATH", "LD_PRELOAD", "BASH_ENV", "PS4", "GROUNDCREW_TOKEN"] {
            assert_eq!(check_name(reserved), Err(InvalidName::Reserved), "{reserved}");
        }
    }
}
