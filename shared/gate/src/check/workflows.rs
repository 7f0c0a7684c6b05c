//! Checks workflows of GitHub: names of steps, jobs and values of a matrix, and versions that YAML would shorten.

mod expressions;
mod inputs;

use super::error;
use crate::places::is_yaml;
use crate::yaml::{self, Node};
use crate::{FILES, Unit};
use domain::gate::Finding;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for file in unit.files.iter().filter(|file| is_yaml(file) && !file.expands) {
        if !file.is_workflow() {
            continue;
        }
        let Ok(documents) = yaml::documents(&file.text) else { continue };
        let unset = |document: &Node| unset(document, &file.text);
        let found = documents.iter().flat_map(|one| [mistakes(one), unset(one)].concat());
        let open = documents.iter().flat_map(|one| expressions::open(one, &file.text));
        for (line, message) in found.chain(tagged(&file.text)).chain(open) {
            findings.push(error(FILES, message).at(Some(&file.path), line));
        }
    }
}

type Mistakes = Vec<(usize, String)>;

/// Conditions that begin with `!`, which YAML takes for a tag and leaves out.
fn tagged(text: &str) -> Mistakes {
    let lines = text.lines().enumerate().filter(|(_, line)| {
        let line = line.trim_start().trim_start_matches("- ");
        line.strip_prefix("if:").is_some_and(|rest| rest.trim_start().starts_with('!'))
    });
    let message = "YAML takes `!` for a tag, so this condition loses it: put it in `${{ … }}`.";
    lines.map(|(at, _)| (at + 1, message.to_owned())).collect()
}

fn mistakes(document: &Node) -> Mistakes {
    let jobs = document.get("jobs").map(Node::map).unwrap_or_default();
    let names: Vec<&str> = jobs.iter().map(|job| job.key.as_str()).collect();
    let mut found = Vec::new();
    for job in jobs {
        let needs = job.value.get("needs");
        let needed: Vec<&str> = needs
            .into_iter()
            .flat_map(|needs| needs.list().iter().chain(std::iter::once(needs)))
            .filter_map(Node::text)
            .collect();
        for name in needed.iter().filter(|name| !names.contains(name) && !name.contains("${{")) {
            let line = needs.map_or(job.line, |needs| needs.line);
            found.push((line, format!("`needs` names `{name}`, but no job has that name.")));
        }
        let steps = job.value.get("steps").map(Node::list).unwrap_or_default();
        for step in steps.iter().filter(|step| !step.map().is_empty()) {
            if ["run", "uses", "<<"].iter().all(|key| step.get(key).is_none()) {
                let message = "This step has neither `run` nor `uses`.";
                found.push((step.line, message.to_owned()));
            }
        }
        let ids: Vec<&str> =
            steps.iter().filter_map(|step| step.get("id").and_then(Node::text)).collect();
        let strategy = job.value.get("strategy").and_then(|strategy| strategy.get("matrix"));
        let matrix = strategy.map(Node::map).unwrap_or_default();
        // `include` adds names, and an expression may be any object.
        let open = strategy.is_some_and(|matrix| matrix.text().is_some());
        let included = matrix.iter().filter(|entry| entry.key == "include");
        let included = included.flat_map(|entry| entry.value.list()).flat_map(Node::map);
        let axes: Vec<&str> =
            matrix.iter().chain(included).map(|entry| entry.key.as_str()).collect();
        let uses = job.value.get("uses").is_some();
        for node in job.value.all() {
            let Some(text) = node.text() else { continue };
            for (begin, known, what) in [
                ("steps.", &ids, "step has the id"),
                ("needs.", &needed, "job is needed with the name"),
            ] {
                for name in named(text, begin).filter(|name| !known.contains(&name.as_str())) {
                    found.push((node.line, format!("No {what} `{name}`.")));
                }
            }
            for name in &needed {
                let other = jobs.iter().find(|job| job.key == *name);
                let outputs = other.and_then(|job| job.value.get("outputs"));
                let called = other.is_some_and(|job| job.value.get("uses").is_some());
                let begin = format!("needs.{name}.outputs.");
                for output in named(text, &begin).filter(|_| !called) {
                    if outputs.and_then(|outputs| outputs.get(&output)).is_none() {
                        found.push((
                            node.line,
                            format!("The job `{name}` has no output `{output}`."),
                        ));
                    }
                }
            }
            for name in named(text, "matrix.").filter(|_| !open && !uses) {
                if !axes.contains(&name.as_str()) {
                    found.push((node.line, format!("The matrix has no `{name}`.")));
                }
            }
        }
        found.extend(expressions::unwritten(&job.value));
        found.extend(inputs::mistakes(&job.value));
        let versions = matrix.iter().flat_map(|entry| entry.value.list());
        let given = steps.iter().filter_map(|step| step.get("with")).flat_map(Node::map);
        let given = given.filter(|entry| entry.key.ends_with("version")).map(|entry| &entry.value);
        for node in versions.chain(given) {
            let text = node.text().unwrap_or_default();
            let shortened =
                text.contains('.') && text.ends_with('0') && text.parse::<f64>().is_ok();
            if !node.quoted && shortened {
                let short = text.trim_end_matches('0').trim_end_matches('.');
                found.push((node.line, format!("Without quotes, YAML reads `{text}` as {short}.")));
            }
        }
    }
    found
}

/// Variables that expressions read and nothing sets, if another one is set and read nowhere: an action may set any.
fn unset(document: &Node, text: &str) -> Mistakes {
    let blocks = document.all().into_iter().filter_map(|node| node.get("env"));
    let set: Vec<&str> = blocks.flat_map(Node::map).map(|entry| entry.key.as_str()).collect();
    let read = |name: &str| {
        [format!("env.{name}"), format!("${name}"), format!("${{{name}")]
            .iter()
            .any(|place| text.contains(place.as_str()))
    };
    let Some(idle) = set.iter().find(|name| !read(name)) else { return Vec::new() };
    if text.contains("GITHUB_ENV") {
        return Vec::new();
    }
    let texts = document.all().into_iter().filter_map(|node| Some((node.line, node.text()?)));
    let names = texts.flat_map(|(line, text)| named(text, "env.").map(move |name| (line, name)));
    let wrong = names.filter(|(_, name)| !set.contains(&name.as_str()));
    let say = |name: &str| format!("Nothing sets `env.{name}`, and nothing reads `{idle}`.");
    wrong.map(|(line, name)| (line, say(&name))).collect()
}

/// The names after a prefix in the expressions of a text.
fn named<'a>(text: &'a str, begin: &'a str) -> impl Iterator<Item = String> + use<'a> {
    let expressions = text.split("${{").skip(1).filter_map(|rest| rest.split("}}").next());
    expressions.flat_map(move |expression| {
        let places = expression.match_indices(begin).filter(|(at, _)| {
            let before = expression[..*at].chars().next_back();
            before.is_none_or(|c| !c.is_alphanumeric() && !"_.-'".contains(c))
        });
        places.map(move |(at, _)| {
            let rest = &expression[at + begin.len()..];
            rest.chars()
                .take_while(|c| c.is_alphanumeric() || "_-".contains(*c))
                .collect::<String>()
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_without_a_command_is_found() {
        let found = |step: &str| {
            let text = format!("jobs:\n  a:\n    steps:\n      - name: deploy\n{step}");
            yaml::documents(&text).unwrap().iter().flat_map(mistakes).count()
        };
        assert_eq!(found("        run: make\n"), 0);
        assert_eq!(found("        uses: ./action\n"), 0);
        assert_eq!(found("        env:\n          A: b\n          run: make\n"), 1);
    }

    #[test]
    fn a_variable_of_another_name_is_found() {
        let found = |read: &str| {
            let text = format!(
                "env:\n  NODE_VERSION: 20\njobs:\n  a:\n    steps:\n      - run: echo ${{{{ env.{read} }}}}\n"
            );
            yaml::documents(&text).unwrap().iter().flat_map(|one| unset(one, &text)).count()
        };
        assert_eq!((found("NODE"), found("NODE_VERSION")), (1, 0));
    }
}
