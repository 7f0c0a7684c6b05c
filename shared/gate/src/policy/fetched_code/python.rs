//! Programs in Python that run what a server sends.

/// Calls that get something from a server.
const FETCHES: [&str; 6] =
    ["urlopen(", "urlretrieve(", "requests.get(", "httpx.get(", "session.get(", "http.request("];

/// Calls that run a text.
const RUNS: [&str; 2] = ["exec(", "eval("];

/// The lines that run such a text, each with its call.
pub(super) fn executed(text: &str) -> Vec<(usize, &'static str)> {
    let fetches = |line: &str| FETCHES.iter().any(|call| line.contains(call));
    let lines = || text.lines().enumerate().map(|(at, line)| (at + 1, line.trim()));
    let lines = || lines().filter(|(_, line)| !line.starts_with('#'));
    // Names with the answer of a server.
    let names: Vec<&str> = lines()
        .filter(|(_, line)| fetches(line))
        .filter_map(|(_, line)| {
            let name = line.split_once('=').map(|(name, _)| name.trim());
            let opened = || line.rsplit_once(" as ").map(|(_, name)| name.trim_end_matches(':'));
            name.filter(|name| is_name(name)).or_else(opened)
        })
        .collect();
    lines()
        .filter_map(|(at, line)| {
            let (call, rest) = RUNS.iter().find_map(|call| {
                let from = line.find(call)?;
                let own = line[..from].chars().next_back();
                let own = own.is_none_or(|c| !c.is_alphanumeric() && c != '_' && c != '.');
                own.then(|| (*call, &line[from + call.len()..]))
            })?;
            let rest = rest.strip_prefix("compile(").unwrap_or(rest);
            let first = rest.split(|c: char| !c.is_alphanumeric() && c != '_').next();
            let named = first.is_some_and(|first| names.contains(&first));
            (fetches(rest) || named).then_some((at, call))
        })
        .collect()
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}
