//! Good scripts of all kinds, in which the gate may find nothing, and faults in unusual places of them.
//!
//! Their authors wrote them without seeing the rules, as a model or a person would write them. What the gate missed
//! became rules by kind. What is still missed needs another program's own parser, or the files that were in the
//! workspace before. `unseen/README.md` says what is new in each list, and how much the gate found at first sight.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

use domain::gate::Finding;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// The share of faults that must be found, in percent; it only rises.
const FOUND_PERCENT: usize = 97;

const ASKED: &str = "A web shop with HTTPS on ports 80 and 443, SSH from my own address only.";

/// A script with one fault.
struct Fault {
    kind: String,
    script: String,
    /// The lines that the fault changed.
    change: String,
    text: String,
}

fn clean() -> BTreeMap<String, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clean");
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    files
        .map(|path| {
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            (name, std::fs::read_to_string(path).unwrap())
        })
        .collect()
}

/// The faults that the gate must find.
fn unseen_faults(clean: &BTreeMap<String, String>) -> Vec<Fault> {
    let lists = [
        include_str!("unseen/classes.txt"),
        include_str!("unseen/faults.txt"),
        include_str!("unseen/fifteenth.txt"),
        include_str!("unseen/conduct.txt"),
        include_str!("unseen/fourteenth.txt"),
        include_str!("unseen/habits.txt"),
        include_str!("unseen/kinds.txt"),
        include_str!("unseen/later.txt"),
        include_str!("unseen/rights.txt"),
        include_str!("unseen/schemas.txt"),
        include_str!("unseen/services.txt"),
        include_str!("unseen/settings.txt"),
        include_str!("unseen/sixteenth.txt"),
        include_str!("unseen/stacks.txt"),
        include_str!("unseen/third.txt"),
        include_str!("unseen/thirteenth.txt"),
        include_str!("unseen/twelfth.txt"),
        include_str!("unseen/wider.txt"),
        include_str!("unseen/wiring.txt"),
    ];
    lists.iter().flat_map(|list| faults(list, clean)).collect()
}

fn faults(list: &str, clean: &BTreeMap<String, String>) -> Vec<Fault> {
    let paragraphs = list.trim_end().split("\n\n");
    let faults = paragraphs.filter(|paragraph| !paragraph.starts_with('#')).map(|paragraph| {
        let (head, change) = paragraph.trim_end().split_once('\n').unwrap();
        let (kind, script) = head.split_once(" | ").unwrap();
        let lines = |sign: char| {
            let lines: Vec<&str> =
                change.lines().filter_map(|line| line.strip_prefix(sign)).collect();
            lines.join("\n")
        };
        let base = clean.get(script).unwrap_or_else(|| panic!("no script {script}"));
        assert!(base.contains(&lines('-')), "{head}: {change}");
        let text = base.replacen(&lines('-'), &lines('+'), 1);
        assert_ne!(&text, base, "{head} changes nothing");
        Fault { kind: kind.into(), script: script.into(), change: change.into(), text }
    });
    faults.collect()
}

fn examine(script: &str) -> Vec<Finding> {
    let environment = [
        "AWS_ACCESS_KEY_ID",
        "AWS_REGION",
        "CLOUDFLARE_API_TOKEN",
        "DATABASE_PASSWORD",
        "REGISTRY_TOKEN",
    ]
    .map(str::to_owned);
    let context = gate::Context {
        asked: ASKED,
        step: "Write the files and apply them",
        environment: &environment,
        earlier: &[],
        check: false,
    };
    gate::examine(script, &context)
}

/// What `bash -n` and shellcheck report, and `bash -n` of the scripts within the script.
fn tools(script: &str) -> String {
    let run = |program: &str, arguments: &[&str], script: &str| {
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{program} is needed for this test: {error}"));
        // A parser that has found an error does not read the rest.
        let _ = child.stdin.take().unwrap().write_all(script.as_bytes());
        let output = child.wait_with_output().unwrap();
        String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).trim().to_owned()
    };
    let inner =
        gate::inner_shells(script).into_iter().map(|inner| run("bash", &["-n"], &inner.text));
    run("bash", &["-n"], script)
        + &run("shellcheck", &["-s", "bash", "-S", "warning", "-"], script)
        + &inner.collect::<String>()
}

#[test]
fn good_scripts_have_no_findings() {
    let clean = clean();
    assert!(clean.len() >= 90, "{}", clean.len());
    let mut wrong = Vec::new();
    for (name, script) in &clean {
        for finding in examine(script) {
            wrong.push(format!("{name}: {finding:?}"));
        }
        let complaint = tools(script);
        if !complaint.is_empty() {
            wrong.push(format!("{name}: {complaint}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Prints how many of these faults are found, by kind; returns the missed ones.
fn missed(faults: &[Fault]) -> Vec<String> {
    let mut by_kind: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let mut missed = Vec::new();
    for fault in faults {
        let found =
            examine(&fault.text).iter().any(Finding::is_error) || !tools(&fault.text).is_empty();
        let count = by_kind.entry(&fault.kind).or_default();
        count.0 += usize::from(found);
        count.1 += 1;
        if !found {
            missed.push(format!("{} | {}\n{}\n", fault.kind, fault.script, fault.change));
        }
    }
    for (kind, (found, all)) in &by_kind {
        println!("{found:>4} of {all:>3}  {kind}");
    }
    missed
}

#[test]
fn of_every_hundred_unseen_faults_at_least_97_are_found() {
    let faults = unseen_faults(&clean());
    let missed = missed(&faults);
    let found = faults.len() - missed.len();
    assert!(faults.len() >= 450, "{}", faults.len());
    assert!(
        found * 100 >= faults.len() * FOUND_PERCENT,
        "{found} of {}; missed:\n{}",
        faults.len(),
        missed.join("\n")
    );
    println!("{found} of {}; missed:\n{}", faults.len(), missed.join("\n"));
}

/// Prints which faults of the file `FAULTS` are missed. The file is written like the lists in `unseen`.
#[test]
#[ignore = "reads faults of your own"]
fn prints_the_missed_faults_of_a_given_file() {
    let file = std::env::var("FAULTS").expect("FAULTS names a file");
    let list = std::fs::read_to_string(file).unwrap();
    let faults = faults(&list, &clean());
    let missed = missed(&faults);
    let found = faults.len() - missed.len();
    println!("{}\n{found} of {} found", missed.join("\n"), faults.len());
}
