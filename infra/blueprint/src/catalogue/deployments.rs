//! Deployments that consist of data alone: each folder of `catalogue/` with a `deployment.json`.
//!
//! Each is built on its [`Ground`]: a server at Hetzner that `vps` makes and hardens, or AWS services without a server.
//! Its folder has everything else: the words by which users name it, its questions, its part of the playbook or its
//! Terraform configuration, further steps, checks and documents. The Rust code names no such deployment. A test of this
//! module reports what a folder lacks.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use super::described::{Operation, Output, Question, Sign, Text, Titled, kept};
use super::parameters::Parameter;
use super::vps::{self, Secret};
use super::{Blueprint, databases, folder};
use ground::Ground;

mod ground;

/// The file that makes a folder a deployment.
const DESCRIPTION: &str = "deployment.json";

/// The contents of `deployment.json`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Description {
    /// Its position in the list of what can be built, counted from 1.
    position: usize,
    #[serde(default, rename = "on")]
    ground: Ground,
    title: Text,
    detail: Text,
    welcome: Text,
    before_confirming: Text,
    strong_cues: Vec<Text>,
    weak_cues: Vec<Text>,
    /// Words for its components. They explain a wish but do not choose the deployment.
    #[serde(default)]
    brings: Vec<Text>,
    /// Folders of `catalogue/parts` that it shares with others. It also finds files, steps and checks there.
    #[serde(default)]
    parts: Vec<Text>,
    #[serde(default)]
    takes_additions: bool,
    /// Whether it asks for how many days its nightly dumps are kept: `@dump_days@` in its files.
    #[serde(default)]
    keeps_dumps: bool,
    /// Ports on which it listens in addition to the open ones. They cannot be reached from the internet.
    #[serde(default)]
    own_ports: Vec<u16>,
    /// Rules that it adds to the server's firewall in addition to the open ports, as bash patterns.
    #[serde(default)]
    own_rules: Vec<Text>,
    /// On which of the open ports it listens; none if the user's own programs listen there.
    #[serde(default)]
    listens: Option<Listens>,
    /// Names of its secrets in addition to the cloud's, and the purpose of each.
    secrets: Vec<(Text, Text)>,
    /// Defaults for the ground's questions, where they differ from the usual ones.
    #[serde(default)]
    defaults: BTreeMap<String, Text>,
    /// Its questions, which come before the ground's.
    questions: Vec<Question>,
    /// With a server: what the step that writes the playbook does, in one sentence.
    #[serde(default)]
    write_playbook: Option<Text>,
    /// Without a server: what the step that writes the Terraform configuration does, in one sentence.
    #[serde(default)]
    write_terraform: Option<Text>,
    /// Steps after the playbook's run or after the apply.
    steps: Vec<Titled>,
    /// Checks after those of the ground.
    checks: Vec<Titled>,
    /// Without a server: the removal's own steps and checks.
    #[serde(default)]
    removal: Leaving,
    /// Values from Terraform's outputs.
    #[serde(default)]
    findings: Vec<Output>,
    commands: Vec<Operation>,
    diagnoses: Vec<Sign>,
    /// A message that chooses it and answers every question, for the catalogue's tests.
    #[cfg_attr(not(test), expect(dead_code, reason = "only tests plan it unasked"))]
    wish: String,
}

/// The deployment's own steps and checks in its removal.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct Leaving {
    steps: Vec<Titled>,
    checks: Vec<Titled>,
}

/// What a folder says about a question, in addition to its parameter.
pub struct Asked {
    key: &'static str,
    /// The question in German, Spanish and French.
    pub translations: Option<[&'static str; 3]>,
    /// Words by which the question's reader finds the value.
    pub words: &'static str,
    /// Titles of further steps that use the value.
    pub steps: &'static [&'static str],
    /// Titles of the checks that test the value.
    pub checks: &'static [&'static str],
}

/// The open ports on which a deployment listens beside its usual ones.
#[derive(Deserialize, Clone, Copy)]
#[serde(deny_unknown_fields)]
pub struct Listens {
    /// Whether it listens on every further port.
    further: bool,
    /// Further ports on which it does not, such as that of its database.
    #[serde(default)]
    except: Except,
}

/// Ports that live as long as the program.
#[derive(Deserialize, Clone, Copy, Default)]
#[serde(from = "Vec<u16>")]
struct Except(&'static [u16]);

impl From<Vec<u16>> for Except {
    fn from(ports: Vec<u16>) -> Self {
        Except(ports.leak())
    }
}

impl Listens {
    /// Whether it listens on a port that is not one of its usual ones.
    pub fn on(self, port: u16) -> bool {
        self.further && !self.except.0.contains(&port) && !vps::is_of_another_program(port)
    }
}

/// A deployment, and what its folder says about its questions.
struct Described {
    position: usize,
    blueprint: Blueprint,
    asked: Vec<Asked>,
    listens: Option<Listens>,
}

static ALL: LazyLock<Vec<Described>> = LazyLock::new(|| {
    let read = |(id, text)| read(id, text).ok();
    let mut all: Vec<Described> = descriptions().filter_map(read).collect();
    all.sort_by_key(|described| described.position);
    all
});

/// All deployments of this kind with their positions, sorted by position.
pub fn all() -> impl Iterator<Item = (usize, &'static Blueprint)> {
    ALL.iter().map(|described| (described.position, &described.blueprint))
}

/// What each such deployment that asks the question says about it.
pub fn asked(key: &str) -> impl Iterator<Item = &'static Asked> {
    ALL.iter().flat_map(|described| &described.asked).filter(move |asked| asked.key == key)
}

/// On which of its open ports a deployment listens; none if the user's own programs do.
pub fn listens(id: &str) -> Option<Listens> {
    ALL.iter().find(|described| described.blueprint.id == id)?.listens
}

/// The text of each description, by the deployment's id.
fn descriptions() -> impl Iterator<Item = (&'static str, &'static str)> {
    folder::all().filter_map(|(path, text)| {
        let id = path.strip_suffix(DESCRIPTION)?.strip_suffix('/')?;
        (!id.contains('/')).then_some((id, text))
    })
}

fn read(id: &'static str, text: &str) -> serde_json::Result<Described> {
    let described: Description = serde_json::from_str(text)?;
    let ground = described.ground;
    let document = |name: &str| folder::text(&format!("{id}/{name}.md"));
    let shared = |name: &str| folder::text(&format!("{}/{name}", ground.folder()));
    let facts = [shared("facts.json"), folder::text(&format!("{id}/facts.json"))];
    let folders = folders(id, &described.parts);
    let below = |one: &String| folder::below(&format!("{one}/files")).collect::<Vec<_>>();
    let files: Vec<_> = folders.iter().flat_map(below).collect();
    let asked: Vec<Asked> = described.questions.iter().map(Asked::of).collect();
    let questions = described.questions.into_iter().filter_map(Question::parameter);
    let defaults = described.defaults;
    let listens = described.listens;
    let usual = ground.questions(described.takes_additions).into_iter().map(|question| {
        let default = defaults.get(question.key).map_or(question.default, |text| text.0);
        let serves = question.key == vps::OPEN_PORTS.key && listens.is_some();
        let find = if serves { vps::find_served_ports } else { question.find };
        Parameter { default, find, ..question }
    });
    let dumps = described.keeps_dumps.then_some(databases::DUMP_DAYS);
    let parameters: Vec<Parameter> = questions.chain(dumps).chain(usual).collect();
    let open = parameters.iter().find(|one| one.key == vps::OPEN_PORTS.key);
    let further = listens.map(|listens| (open.map_or("", |open| open.default), listens));
    let writing = described.write_playbook.or(described.write_terraform);
    let steps = ground.steps(id, writing.map_or("", |text| text.0)).into_iter();
    let steps = steps.chain(described.steps.into_iter().map(|step| step.of(&folders, "steps")));
    let own = described.checks.into_iter().map(|check| check.of(&folders, "checks"));
    let checks = ground.checks().into_iter().chain(own);
    let secrets = kept(described.secrets, |(name, what)| -> Secret { (name.0, what.0) });
    let outputs = kept(described.findings, Output::finding);
    let own_ports = kept(described.own_ports, |port| port);
    let own_rules = kept(described.own_rules, |rule| rule.0);
    let blueprint = Blueprint {
        id,
        title: described.title.0,
        detail: described.detail.0,
        welcome: described.welcome.0,
        before_confirming: described.before_confirming.0,
        strong_cues: kept(described.strong_cues, |cue| cue.0),
        weak_cues: kept(described.weak_cues, |cue| cue.0),
        place: ground.place(),
        brings: kept(described.brings, |cue| cue.0),
        parameters: parameters.leak(),
        derive: ground.derive(id, secrets, (own_ports, own_rules), further),
        requirements: document("requirements"),
        architecture: document("architecture"),
        implementation: document("implementation"),
        answers: joined(&[document("answers"), shared("answers.md")]),
        steps: steps.collect::<Vec<_>>().leak(),
        checks: checks.collect::<Vec<_>>().leak(),
        validation: document("validation"),
        documentation: joined(&[document("documentation"), shared("documentation.md")]),
        quickstart: document("quickstart"),
        facts: kept(facts.into_iter().filter(|facts| !facts.is_empty()).collect(), |facts| facts),
        findings: ground.findings(outputs),
        commands: ground.commands(kept(described.commands, Operation::command)),
        files: [vec![files.leak() as &[_]], ground.files()].concat().leak(),
        diagnoses: ground.diagnoses(kept(described.diagnoses, Sign::diagnosis)),
        removal: ground.removal(id, described.removal),
    };
    Ok(Described { position: described.position, blueprint, asked, listens })
}

/// The folder of the deployment, and those of the parts that it shares.
fn folders(id: &str, parts: &[Text]) -> Vec<String> {
    let parts = parts.iter().map(|part| format!("parts/{}", part.0));
    std::iter::once(id.to_owned()).chain(parts).collect()
}

fn joined(texts: &[&str]) -> &'static str {
    texts.concat().leak()
}

impl Asked {
    fn of(question: &Question) -> Asked {
        let texts = |texts: &[Text]| kept(texts.to_vec(), |text| text.0);
        Asked {
            key: question.key(),
            translations: question.translations.map(|texts| texts.map(|text| text.0)),
            words: question.words.map_or("", |words| words.0),
            steps: texts(&question.steps),
            checks: texts(&question.checks),
        }
    }
}

#[cfg(test)]
mod tests;
