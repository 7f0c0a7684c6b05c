//! Finds the files that a script writes, from its text; the page shows them by the same rules.

use crate::bash::{self, Command, Piece, Script, Sign};

/// A file that a script writes from a here-document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// Relative to the workspace, or absolute; `~` is the home.
    pub path: String,
    /// Its content.
    pub text: String,
    /// Whether bash replaces `$NAME` in it.
    pub expands: bool,
    /// Its first line in the script, from 1.
    pub line: usize,
}

impl Written {
    /// The last part of its path.
    pub fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }

    /// Whether it is a workflow of GitHub Actions.
    pub fn is_workflow(&self) -> bool {
        self.path.contains(".github/workflows/")
    }

    /// The folder it is in; empty for the workspace itself.
    pub fn folder(&self) -> &str {
        self.path.rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    /// The extension of its name, in lower case.
    pub fn extension(&self) -> String {
        let name = self.name();
        name.rsplit_once('.').map(|(_, end)| end.to_lowercase()).unwrap_or_default()
    }

    /// Its text with a placeholder word for each expansion of bash.
    pub fn filled(&self) -> String {
        filled(&self.text, self.expands)
    }

    /// Whether it is in the workspace.
    pub fn in_workspace(&self) -> bool {
        !self.path.starts_with(['/', '~', '$', '…'])
            && !self.path.contains(['$', '*', '?', '`'])
            && !self.path.split('/').any(|part| part == "..")
    }
}

/// The files of a script, in order; the parts of a file that is appended to are joined.
pub fn written(script: &Script) -> Vec<Written> {
    let mut files: Vec<Written> = Vec::new();
    for (command, folder) in in_folders(script) {
        for index in &command.heredocs {
            let Some(heredoc) = script.heredocs.get(*index) else { continue };
            let Some((path, appends)) = target(command) else { continue };
            let path = placed(&known(&path, script), folder.as_deref());
            let (text, expands) = (heredoc.text.clone(), heredoc.expands);
            match files.iter_mut().find(|file| appends && file.path == path) {
                Some(file) => {
                    file.text.push_str(&text);
                    file.expands |= expands;
                }
                None => files.push(Written { path, text, expands, line: heredoc.line }),
            }
        }
    }
    files
}

/// The start of the path of a text that a program reads from its standard input, so that no file has it.
pub(crate) const STREAM: &str = "…/stdin-";

/// Texts that reach a file or a program through another one: `cat <<E | tee a`, `ssh host 'tee a' <<E`, `kubectl apply -f -`.
pub(crate) fn streamed(script: &Script) -> Vec<Written> {
    let mut files = Vec::new();
    for (index, (command, folder)) in in_folders(script).enumerate() {
        if target(command).is_some() {
            continue;
        }
        for heredoc in command.heredocs.iter().filter_map(|at| script.heredocs.get(*at)) {
            let mut takers = vec![command.clone()];
            if command.program() == Some("cat") {
                takers = behind(script, index).into_iter().cloned().collect();
            }
            for taker in &takers {
                let path = match taker.argv().as_slice() {
                    ["ssh", ..] => on_server(taker),
                    ["kubectl" | "oc", rest @ ..] => {
                        let reads = rest.windows(2).any(|two| two == ["-f", "-"])
                            || rest.iter().any(|word| ["-f-", "--filename=-"].contains(word));
                        reads.then(|| format!("{STREAM}{}.yaml", heredoc.line))
                    }
                    ["crontab", rest @ ..] if rest.last().is_none_or(|word| *word == "-") => {
                        Some(format!("{STREAM}{}/crontab", heredoc.line))
                    }
                    // A function of the script that gets a path writes to it.
                    [name, rest @ ..] if script.functions.contains(*name) => {
                        let path =
                            rest.iter().find(|word| word.starts_with('/') && !word.contains(' '));
                        path.map(|path| (*path).to_owned())
                    }
                    _ => target(taker)
                        .map(|(path, _)| placed(&known(&path, script), folder.as_deref())),
                };
                let Some(path) = path else { continue };
                let (text, expands) = (heredoc.text.clone(), heredoc.expands);
                files.push(Written { path, text, expands, line: heredoc.line });
                break;
            }
        }
    }
    files
}

/// The commands to which a pipe leads from a command, in order.
pub(crate) fn behind(script: &Script, command: usize) -> Vec<&Command> {
    let mut found = Vec::new();
    let at = script.pieces.iter().position(|piece| *piece == Piece::Command(command));
    let mut rest = at.and_then(|at| script.pieces.get(at + 1..)).unwrap_or_default();
    while let [Piece::Sign(Sign::Pipe), after @ ..] = rest {
        let next = after.iter().position(|piece| matches!(piece, Piece::Command(_)));
        let Some(next) = next else { break };
        if let Some(Piece::Command(index)) = after.get(next) {
            found.extend(script.commands.get(*index));
        }
        rest = after.get(next + 1..).unwrap_or_default();
    }
    found
}

/// The file on a server to which a command there writes its input.
pub(crate) fn on_server(command: &Command) -> Option<String> {
    let remote = bash::read(&bash::said(command)?);
    let nested = remote.commands.iter().flat_map(|command| remote.inner_of(command));
    let nested: Vec<Script> = nested.map(|(_, text)| bash::read(&text)).collect();
    let commands = remote.commands.iter().chain(nested.iter().flat_map(|script| &script.commands));
    commands.filter(|command| !command.argv().is_empty()).find_map(target).map(|(path, _)| path)
}

/// The commands of a script, each with the folder in which it starts, relative to the workspace; `None` if that is not
/// known.
pub(crate) fn in_folders(script: &Script) -> impl Iterator<Item = (&Command, Option<String>)> {
    let mut next = Some(String::new());
    script.commands.iter().map(move |command| {
        let folder = next.clone();
        if let ["cd", rest @ ..] = command.argv().as_slice() {
            let wish = rest.iter().find(|word| !word.starts_with("--"));
            next = wish.and_then(|wish| entered(&known(wish, script), folder.as_deref()));
        }
        (command, folder)
    })
}

/// The file to which a command writes what a pipe brings, here or on a server.
pub(crate) fn taken(command: &Command) -> Option<String> {
    match command.argv().as_slice() {
        ["ssh", ..] => on_server(command),
        ["tee", ..] | [] => target(command).map(|(path, _)| path),
        _ => None,
    }
}

/// The file to which a command writes its here-document, and whether it appends.
pub(crate) fn target(command: &Command) -> Option<(String, bool)> {
    let argv = command.argv();
    match argv.as_slice() {
        ["cat", ..] => command.writes.last().cloned(),
        ["tee", rest @ ..] => {
            let appends = rest.iter().any(|word| *word == "-a" || *word == "--append");
            let path = rest.iter().find(|word| !word.starts_with('-'))?;
            Some(((*path).to_owned(), appends))
        }
        ["install", rest @ ..] if rest.contains(&"/dev/stdin") => {
            rest.last().map(|path| ((*path).to_owned(), false))
        }
        [] => command.writes.last().cloned(),
        _ => None,
    }
}

/// A path with the values of the known names.
pub(crate) fn known(path: &str, script: &Script) -> String {
    let mut filled = path.replace("${HOME}", "~").replace("$HOME", "~");
    for (name, value) in &script.assigned {
        let Some(value) = value else { continue };
        filled = filled.replace(&format!("${{{name}}}"), value);
        if let Some(at) = filled.find(&format!("${name}")) {
            let end = at + name.len() + 1;
            let whole =
                filled[end..].chars().next().is_none_or(|c| !c.is_alphanumeric() && c != '_');
            if whole {
                filled.replace_range(at..end, value);
            }
        }
    }
    filled.replace("${HOME}", "~").replace("$HOME", "~").replace("$PWD/", "./")
}

/// A path relative to the workspace, where scripts start.
pub(crate) fn placed(path: &str, folder: Option<&str>) -> String {
    if let Some(inside) = path.strip_prefix("~/workspace/") {
        return inside.to_owned();
    }
    let inside = path.strip_prefix("./").unwrap_or(path);
    if inside.starts_with(['/', '~', '$']) {
        return inside.to_owned();
    }
    match folder {
        None => format!("…/{inside}"),
        Some("") => inside.to_owned(),
        Some(folder) => format!("{folder}/{inside}"),
    }
}

/// The folder after `cd`; `None` if it is not known.
fn entered(wish: &str, folder: Option<&str>) -> Option<String> {
    let wish = wish.trim_end_matches('/');
    match wish {
        "~/workspace" => return Some(String::new()),
        "." => return folder.map(str::to_owned),
        _ if wish.contains('$') || wish.split('/').any(|part| part == "..") || wish == "-" => {
            return None;
        }
        _ => {}
    }
    Some(placed(wish, folder))
}

/// The same for JSON, where a word without quotes has no meaning but a number has one.
pub(crate) fn filled_json(text: &str, expands: bool) -> String {
    if expands { replaced(text, '0') } else { text.to_owned() }
}

/// The text of a here-document with a placeholder word for each expansion of bash.
pub(crate) fn filled(text: &str, expands: bool) -> String {
    if expands { without_expansions(text) } else { text.to_owned() }
}

/// A text with `x` in place of `$NAME`, `${…}`, `$(…)` and backticks.
fn without_expansions(text: &str) -> String {
    replaced(text, 'x')
}

/// A text with a sign in place of each expansion of bash.
fn replaced(text: &str, sign: char) -> String {
    let mut filled = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        match char {
            '\\' => match chars.next() {
                Some(escaped) if "$`\\".contains(escaped) => filled.push(escaped),
                Some('\n') => {}
                Some(other) => filled.extend(['\\', other]),
                None => filled.push('\\'),
            },
            '$' => match chars.peek() {
                Some(open @ ('{' | '(')) => {
                    let (open, close) = if *open == '{' { ('{', '}') } else { ('(', ')') };
                    skip_pair(&mut chars, open, close);
                    filled.push(sign);
                }
                Some(c) if c.is_ascii_alphabetic() || *c == '_' => {
                    while chars.next_if(|c| c.is_ascii_alphanumeric() || *c == '_').is_some() {}
                    filled.push(sign);
                }
                _ => filled.push('$'),
            },
            '`' => {
                chars.by_ref().find(|c| *c == '`');
                filled.push(sign);
            }
            _ => filled.push(char),
        }
    }
    filled
}

fn skip_pair(chars: &mut std::iter::Peekable<std::str::Chars>, open: char, close: char) {
    let mut depth = 0_usize;
    for char in chars.by_ref() {
        if char == open {
            depth += 1;
        } else if char == close {
            depth -= 1;
            if depth == 0 {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(text: &str) -> Vec<String> {
        written(&bash::read(text)).into_iter().map(|file| file.path).collect()
    }

    #[test]
    fn files_have_the_path_that_the_script_gives_them() {
        let text = "dir=~/workspace/ansible\ncat >a.tf <<'E'\nE\ncd terraform\ncat <<E > \"b.tf\"\nE\ncat > $dir/site.yml <<E\nE\nsudo tee -a /etc/x.conf >/dev/null <<E\nE\ncd \"$UNKNOWN\"\ncat >c <<E\nE\nmysql <<E\nE\n";
        let expected = ["a.tf", "terraform/b.tf", "ansible/site.yml", "/etc/x.conf", "…/c"];
        assert_eq!(paths(text), expected);
    }

    #[test]
    fn an_expansion_of_bash_counts_as_a_word() {
        let filled = without_expansions("a: $b\nc: ${d:-{e}}\nf: $(g \"$(h)\") \\$i 5$\n");
        assert_eq!(filled, "a: x\nc: x\nf: x $i 5$\n");
    }

    #[test]
    fn appended_parts_form_one_file() {
        let files = written(&bash::read("cat >a <<E\n1\nE\ncat >>a <<E\n2\nE\n"));
        assert_eq!(files.len(), 1);
        assert_eq!(files[0].text, "1\n2\n");
    }
}
