//! The user's home and workspace.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

use super::replace;

/// The working folder and environment of every process.
#[derive(Debug, Clone)]
pub struct Home {
    pub path: PathBuf,
    pub workspace: PathBuf,
    user: String,
}

/// The standard folders of a workspace.
pub const ROOMS: [&str; 3] = ["ssh", "terraform", "ansible"];

/// The search path for programs, after the user's own folders.
const PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// A login shell reads this file instead of `.bashrc`; the system's profile has already set its own prompt.
const BASH_PROFILE: &str = "[ -f ~/.bashrc ] && . ~/.bashrc\n";

/// The prompt: the user in green and the folder in blue, as on common servers.
const BASHRC: &str = r#"PS1='\[\e[32m\]\u\[\e[0m\]:\[\e[34m\]\w\[\e[0m\]\$ '
case $EUID in 0) PS1=${PS1//\\u/$USER}; PS1=${PS1//\\$/$} ;; esac
# Says that this shell prompts, with a word that no other program knows; without it nothing that is typed for you runs
# before you press Enter.
if [ -n "${PROMPT_WORD_FILE-}" ]; then
  read -r groundcrew_word <"$PROMPT_WORD_FILE"
  rm -f -- "$PROMPT_WORD_FILE"
  unset PROMPT_WORD_FILE
fi
PROMPT_COMMAND='printf "\e]133;A;%s\a" "${groundcrew_word-}"'
HISTCONTROL=ignoredups
alias ls='ls --color=auto' grep='grep --color=auto'
"#;

/// Creates the missing parts of the home that the confinement set.
pub fn prepare() -> io::Result<Home> {
    let path =
        PathBuf::from(env::var_os("HOME").ok_or_else(|| io::Error::other("HOME is not set"))?);
    let user = env::var("USER").map_err(io::Error::other)?;
    let workspace = path.join("workspace");
    fs::create_dir_all(&workspace)?;
    replace::recover(&workspace)?;
    for room in ROOMS {
        fs::create_dir_all(workspace.join(room))?;
    }
    write_if_absent(&path.join(".bash_profile"), BASH_PROFILE)?;
    write_if_absent(&path.join(".bashrc"), BASHRC)?;
    Ok(Home { path, workspace, user })
}

fn write_if_absent(path: &Path, text: &str) -> io::Result<()> {
    if path.exists() {
        return Ok(());
    }
    fs::write(path, text)
}

impl Home {
    /// A command in the workspace with a minimal environment.
    pub fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        let own = self.path.join(".local/bin");
        command
            .current_dir(&self.workspace)
            .env_clear()
            .env("HOME", &self.path)
            .env("USER", &self.user)
            .env("LOGNAME", &self.user)
            .env("SHELL", "/bin/bash")
            .env("LANG", "C.UTF-8")
            .env("PATH", format!("{}:{PATH}", own.display()));
        command
    }
}
