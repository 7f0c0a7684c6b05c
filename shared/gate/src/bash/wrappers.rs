//! Puts the command of a function that only calls `ssh` in the place of each call: `remote 'systemctl reload nginx'`.

use super::{KEYWORDS, Piece, Script, Word, assignment, base};

impl Script {
    /// Replaces the calls of such functions.
    pub(super) fn without_wrappers(mut self) -> Self {
        for (name, at, prefix) in self.wrappers() {
            for (index, command) in self.commands.iter_mut().enumerate() {
                let own = |word: &Word| {
                    !KEYWORDS.contains(&word.text.as_str()) && assignment(&word.text).is_none()
                };
                let call = command.words.iter().position(own);
                let call = call.filter(|call| index != at && command.words[*call].text == name);
                if let Some(call) = call {
                    command.words.splice(call..=call, prefix.iter().cloned());
                }
            }
        }
        self
    }

    /// The functions of the form `remote() { ssh -o BatchMode=yes "$HOST" "$@"; }`, each with its command and the words
    /// before its arguments.
    fn wrappers(&self) -> Vec<(String, usize, Vec<Word>)> {
        let mut found = Vec::new();
        for (place, piece) in self.pieces.iter().enumerate() {
            let Piece::Function(name) = piece else { continue };
            // The brace may be alone on its line.
            let mut body = self.pieces[place + 1..].iter().filter_map(|piece| match piece {
                Piece::Command(at) => Some((*at, self.commands.get(*at)?)),
                _ => None,
            });
            let brace = |words: &[Word]| words.iter().all(|word| word.text == "{");
            let Some((at, command)) = body.find(|(_, command)| !brace(&command.words)) else {
                continue;
            };
            let words = command.words.iter();
            let words: Vec<&Word> =
                words.skip_while(|word| KEYWORDS.contains(&word.text.as_str())).collect();
            let [first, inner @ .., last] = words.as_slice() else { continue };
            if base(&first.text) == "ssh" && ["$@", "$*"].contains(&last.text.as_str()) {
                let words = std::iter::once(*first).chain(inner.iter().copied());
                found.push((name.clone(), at, words.cloned().collect()));
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use crate::bash::read;

    #[test]
    fn a_call_of_a_function_around_ssh_is_one_of_ssh() {
        let script = read(
            "remote() { ssh -o BatchMode=yes \"$HOST\" \"$@\"; }\nrun() {\n  ssh db \"$@\"\n}\nif ! remote 'nft -f a'; then exit; fi\nrun bash -s <<'E'\nif true\nE\nprintf a | remote 'cat > b'",
        );
        let argvs: Vec<_> = script.commands.iter().map(|it| it.argv().join(" ")).collect();
        for call in ["ssh -o BatchMode=yes $HOST nft -f a", "ssh db bash -s"] {
            assert!(argvs.iter().any(|argv| argv == call), "{argvs:?}");
        }
        assert!(script.inner().iter().any(|(_, text)| text == "if true\n"), "{:?}", script.inner());
        assert!(script.inner().iter().any(|(_, text)| text == "nft -f a"), "{:?}", script.inner());
    }

    #[test]
    fn another_function_stays_a_call() {
        let script =
            read("on() { echo a; ssh db \"$@\"; }\nssh_all() { ssh db uptime; }\non b\nssh_all c");
        let argvs: Vec<_> = script.commands.iter().map(|it| it.argv().join(" ")).collect();
        assert!(
            argvs.contains(&"on b".to_owned()) && argvs.contains(&"ssh_all c".to_owned()),
            "{argvs:?}"
        );
    }
}
