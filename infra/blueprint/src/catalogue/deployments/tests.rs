use super::*;
use crate::catalogue;
use crate::catalogue::parameters::kinds;
use crate::catalogue::{server, vps};

/// Documents that each deployment has.
const DOCUMENTS: [&str; 7] = [
    "requirements",
    "architecture",
    "implementation",
    "validation",
    "documentation",
    "quickstart",
    "answers",
];

/// Everything that a folder lacks, each in a sentence that says where to add it.
fn faults(id: &'static str, text: &str) -> Vec<String> {
    let described: Description = match serde_json::from_str(text) {
        Ok(described) => described,
        Err(error) => return vec![format!("{id}/{DESCRIPTION}: {error}")],
    };
    let mut faults = Vec::new();
    let mut must = |holds: bool, fault: String| {
        if !holds {
            faults.push(fault);
        }
    };
    let folders = folders(id, &described.parts);
    let has =
        |path: &str| folders.iter().any(|one| !folder::text(&format!("{one}/{path}")).is_empty());
    let documents = DOCUMENTS.map(|name| format!("{name}.md"));
    let writing = match described.ground {
        Ground::Server => {
            let told = described.write_playbook.is_some() && described.write_terraform.is_none();
            must(told, format!("{id}/{DESCRIPTION}: a server needs write_playbook alone"));
            &["steps/write-playbook.md", "files/site.yml", "files/group-vars.yml"][..]
        }
        Ground::Aws => {
            let told = described.write_terraform.is_some() && described.write_playbook.is_none();
            must(told, format!("{id}/{DESCRIPTION}: services need write_terraform alone"));
            &[
                "steps/write-terraform.md",
                "steps/write-terraform.sh",
                "steps/write-terraform.proof.sh",
                "removal/what-goes.md",
            ]
        }
    };
    for path in documents.into_iter().chain(writing.iter().map(|path| path.to_string())) {
        must(has(&path), format!("{id}/{path} is missing or empty"));
    }
    let steps = [("steps", &described.steps), ("removal/steps", &described.removal.steps)];
    let checks = [("checks", &described.checks), ("removal/checks", &described.removal.checks)];
    for (kind, titled) in steps.into_iter().chain(checks) {
        let ends =
            if kind.ends_with("steps") { &["md", "sh", "proof.sh"][..] } else { &["md", "sh"] };
        for (one, end) in titled.iter().flat_map(|one| ends.iter().map(move |end| (one, end))) {
            let path = format!("{kind}/{}.{end}", one.name());
            must(has(&path), format!("{id}/{path} is missing or empty"));
        }
    }
    let usual = described.ground.questions(described.takes_additions);
    for (key, default) in &described.defaults {
        let question = usual.iter().find(|question| question.key == key);
        let accepted = question.and_then(|question| (question.accept)(default.0));
        must(
            accepted.as_deref() == Some(default.0),
            format!("{id}/{DESCRIPTION}: no server asks for {key}, or not so: {}", default.0),
        );
    }
    let titles: Vec<&str> = described.checks.iter().map(Titled::title).collect();
    for question in &described.questions {
        let (key, kind) = (question.key(), question.kind());
        match kinds::by_name(kind) {
            None => must(false, format!("{id}/{DESCRIPTION}: {key} has the unknown kind {kind}")),
            Some((accept, _)) => must(
                accept(question.default()).as_deref() == Some(question.default()),
                format!("{id}/{DESCRIPTION}: {key} does not take its own default"),
            ),
        }
        must(
            question.translations.is_some(),
            format!(
                "{id}/{DESCRIPTION}: {key} has no translations into German, Spanish and French"
            ),
        );
        must(
            !question.checks.is_empty()
                && question.checks.iter().all(|check| titles.contains(&check.0)),
            format!("{id}/{DESCRIPTION}: {key} names no check of the deployment that looks at it"),
        );
    }
    faults.extend(unwritten(id, described.ground, &folders));
    faults
}

/// Files of the deployment that no script writes, and missing files that a script writes.
fn unwritten(id: &'static str, ground: Ground, folders: &[String]) -> Vec<String> {
    let order = |line: &'static str| line.strip_prefix("#@write ")?.split_once(' ');
    let start = ("", folder::text("parts/vps/steps/playbook-start.sh"));
    let scripts = folder::below(id).chain((ground == Ground::Server).then_some(start));
    let written = scripts.flat_map(|(_, text)| text.lines().filter_map(order));
    let written: Vec<&str> = written.map(|(name, _)| name).collect();
    let below = |folder: &str| -> Vec<&'static str> {
        folder::below(&format!("{folder}/files")).map(|(name, _)| name).collect()
    };
    let found: Vec<&str> = folders.iter().flat_map(|one| below(one)).collect();
    let shared = |name: &str| server::FILES.iter().chain(vps::FILES).any(|(file, _)| *file == name);
    let idle = below(id).into_iter().filter(|name| !written.contains(name));
    let idle = idle.map(|name| format!("{id}/files/{name} is written by no step"));
    let absent = written.iter().filter(|name| !found.contains(name) && !shared(name));
    idle.chain(absent.map(|name| format!("{id}/files/{name} is written and not there"))).collect()
}

#[test]
fn every_folder_is_a_complete_deployment() {
    let found: Vec<String> = descriptions().flat_map(|(id, text)| faults(id, text)).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
    assert_eq!(all().count(), descriptions().count());
}

#[test]
fn an_incomplete_folder_is_refused_with_what_is_missing() {
    let text = folder::text("basic-vps/deployment.json");
    let told = |before: &str, after: &str, expected: &str| {
        assert!(text.contains(before), "{before}");
        let found = faults("basic-vps", &text.replacen(before, after, 1));
        assert!(found.iter().any(|fault| fault.contains(expected)), "{expected}: {found:?}");
    };
    told("\"position\"", "\"place\"", "unknown field `place`");
    told("\"title\"", "\"on\": \"aws\", \"title\"", "services need write_terraform alone");
    told("\"title\"", "\"on\": \"aws\", \"title\"", "removal/what-goes.md is missing");
    told(
        "\"checks\": []",
        "\"checks\": [{\"name\": \"a\", \"title\": \"b\", \"summary\": \"c\"}]",
        "basic-vps/checks/a.md is missing",
    );
    told(
        "\"defaults\": {}",
        "\"defaults\": {\"server-type\": \"huge\"}",
        "server-type, or not so: huge",
    );
    let question = "\"questions\": [{\"key\": \"k\", \"label\": \"K\", \"question\": \"?\", \"default\": \"x\", \"asked\": false, \"kind\": \"odd\"}]";
    told("\"questions\": []", question, "k has the unknown kind odd");
    told("\"questions\": []", question, "k has no translations");
}

/// Every folder in the catalogue is a deployment of this module or one that is written in Rust.
#[test]
fn every_folder_of_the_catalogue_belongs_to_a_deployment() {
    let known = |id: &str| {
        ["additions", "parts"].contains(&id) || catalogue::ALL.iter().any(|one| one.id == id)
    };
    for (path, _) in folder::all() {
        let Some((id, _)) = path.split_once('/') else { continue };
        assert!(known(id), "{id} has no {DESCRIPTION}");
    }
}

#[test]
fn no_two_deployments_share_a_title_or_a_cue() {
    for (_, one) in all() {
        for other in catalogue::ALL.iter().filter(|other| other.id != one.id) {
            assert_ne!(one.title, other.title);
            let shared: Vec<_> =
                one.own_cues().filter(|cue| other.strong_cues.contains(cue)).collect();
            assert!(shared.is_empty(), "{} and {} share {shared:?}", one.id, other.id);
        }
        let mut titles: Vec<_> =
            one.steps.iter().chain(one.checks).map(|step| step.title).collect();
        titles.sort_unstable();
        let before = titles.len();
        titles.dedup();
        assert_eq!(titles.len(), before, "{}: two steps have the same title", one.id);
    }
}

#[test]
fn every_sample_request_selects_its_deployment() {
    for (id, text) in descriptions() {
        let described: Description = serde_json::from_str(text).unwrap();
        let words = crate::words::Words::of(&described.wish);
        let recognized = catalogue::recognize(&words).map(|(blueprint, _)| blueprint.id);
        assert_eq!(recognized, Some(id), "{}", described.wish);
    }
}
