//! Answers of a server that a proof takes as they are, whether they are an error or not.

use super::only_tells;
use crate::NESTING;
use crate::bash::{self, Command, Piece, Script, Sign};

/// The line of `code=$(curl -w …)`, of which the script only prints what it says.
pub(in crate::check::proof) fn unread_answer(script: &Script) -> Option<usize> {
    kept(script).or_else(|| shown(script, 0))
}

/// The line of a `curl` whose answer a variable keeps that the proof only prints.
fn kept(script: &Script) -> Option<usize> {
    let assigned = script.commands.iter().filter(|command| command.argv().is_empty());
    let mut answers = assigned.filter_map(|command| {
        let (name, value) = bash::assignment(&command.words.first()?.text)?;
        let inner = bash::read(value.strip_prefix("$(")?.strip_suffix(')')?);
        let [only] = inner.commands.as_slice() else { return None };
        let argv = only.argv();
        (argv.first() == Some(&"curl") && !fails(&argv)).then_some((name, command.line))
    });
    let names = |command: &Command, name: &str| {
        let (plain, braced) = (format!("${name}"), format!("${{{name}"));
        let words = command.words.iter().map(|word| &word.text).chain(&command.reads);
        words.into_iter().any(|text| text.contains(&plain) || text.contains(&braced))
    };
    let (_, line) = answers.find(|(name, _)| {
        let mut uses = script.commands.iter().filter(|command| names(command, name)).peekable();
        uses.peek().is_some() && uses.all(only_tells)
    })?;
    Some(line)
}

/// Whether `curl` fails if the server answers with an error.
fn fails(argv: &[&str]) -> bool {
    argv.iter().any(|word| {
        word.starts_with("--fail")
            || (word.starts_with('-') && !word.starts_with("--") && word.contains('f'))
    })
}

/// The line of a `curl` whose answer goes only to those who read the proof's output.
fn shown(script: &Script, depth: usize) -> Option<usize> {
    let own = script.commands.iter().enumerate().find(|(at, command)| {
        let argv = command.argv();
        let starts = command.words.first().is_some_and(|word| word.text == "curl");
        starts && argv.first() == Some(&"curl") && !fails(&argv) && is_shown(script, *at, &argv)
    });
    own.map(|(_, command)| command.line).or_else(|| {
        if depth >= NESTING {
            return None;
        }
        script.commands.iter().filter(|it| is_last(script, it)).find_map(|command| {
            let inner = script.inner_of(command).into_iter();
            inner
                .filter_map(|(line, text)| Some(line + shown(&bash::read(&text), depth + 1)? - 1))
                .next()
        })
    })
}

/// Whether nothing reads what a command prints, and its status counts.
fn is_last(script: &Script, command: &Command) -> bool {
    let at = script.commands.iter().position(|other| other == command);
    let starts = |words: &[&str]| {
        command.words.first().is_some_and(|word| words.contains(&word.text.as_str()))
    };
    !starts(&["!", "elif", "if", "until", "while"]) && at.is_some_and(|at| ends(script, at))
}

/// Whether a command stands alone, or passes its output only to programs that pass it on.
fn ends(script: &Script, at: usize) -> bool {
    let Some(place) = script.pieces.iter().position(|it| *it == Piece::Command(at)) else {
        return false;
    };
    let joined = [Sign::And, Sign::Or, Sign::Pipe].map(Piece::Sign);
    let before = place.checked_sub(1).and_then(|before| script.pieces.get(before));
    if before.is_some_and(|sign| joined.contains(sign)) {
        return false;
    }
    let mut rest = &script.pieces[place + 1..];
    while let [Piece::Sign(Sign::Pipe), Piece::Command(next), after @ ..] = rest {
        let argv = script.commands[*next].argv();
        let passes =
            matches!(argv.as_slice(), ["cat" | "head" | "tail", ..] | ["tee", "/dev/null"]);
        if !passes {
            return false;
        }
        rest = after;
    }
    rest.first().is_none_or(|sign| !joined.contains(sign))
}

fn is_shown(script: &Script, at: usize, argv: &[&str]) -> bool {
    let command = &script.commands[at];
    let address = argv.iter().skip(1).any(|word| word.starts_with("http"));
    let after = |names: &[&str]| {
        argv.iter().position(|word| names.contains(word)).and_then(|at| argv.get(at + 1))
    };
    let kept = after(&["-o", "--output"]).is_some_and(|path| *path != "/dev/null")
        || command.writes.iter().any(|(path, _)| path != "/dev/null");
    // A status, or the version of TLS, may be all that the proof is about.
    let other = argv.iter().any(|word| {
        ["--tls", "--write-out", "-K", "-w", "--config"].iter().any(|it| word.starts_with(it))
    });
    address && !kept && !other && ends(script, at)
}

#[cfg(test)]
mod tests {
    use super::unread_answer;
    use crate::bash::read;

    #[test]
    fn an_answer_that_only_people_read_may_be_an_error() {
        for text in [
            "curl -sS http://127.0.0.1:8080/healthz\n",
            "curl -s -o /dev/null http://127.0.0.1/\n",
            "ssh web 'curl -sS --max-time 5 http://127.0.0.1/ | tee /dev/null'\n",
            "answer=$(curl -sS http://127.0.0.1/)\necho \"$answer\"\n",
        ] {
            assert!(unread_answer(&read(text)).is_some(), "{text}");
        }
        for text in [
            "curl -fsS http://127.0.0.1:8080/healthz\n",
            "curl -sS http://127.0.0.1/ | grep -q ok\n",
            "curl -sS -o page http://127.0.0.1/\ngrep -q ok page\n",
            "curl -sS -o /dev/null -w '%{http_code}' http://127.0.0.1/ | grep -qx 200\n",
            "if curl -sS http://127.0.0.1/; then exit 1; fi\n",
            "[ \"$(curl -sS http://127.0.0.1/)\" = ok ]\n",
            "ssh web 'curl -sS http://127.0.0.1/' | grep -q ok\n",
        ] {
            assert!(unread_answer(&read(text)).is_none(), "{text}");
        }
    }
}
