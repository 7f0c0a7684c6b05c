//! The requests: data alone, in `requests/*.toml`.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What a user asks for, and the checks that show whether they got it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// Its name in files and on the command line.
    pub id: String,
    /// For the report.
    pub title: String,
    /// What the person says, message by message, until the requirements are ready.
    pub says: Vec<String>,
    /// What it takes to carry the plan out.
    #[serde(default)]
    pub needs: Needs,
    /// What must come of it.
    #[serde(default)]
    pub wants: Wants,
    /// Words of the wish that the replies or the requirements must name, in lower case: each is built or said not to be.
    #[serde(default)]
    pub names: Vec<String>,
    /// Endings of files that a second run may write anew, such as logs.
    #[serde(default)]
    pub may_change: Vec<String>,
    /// Credentials that its owner enters beside the provider's own, by name.
    #[serde(default)]
    pub secrets: BTreeMap<String, String>,
    /// What its plan needs and cannot be had where it is carried out: then it ends with the plan, and this is the reason.
    pub lacks: Option<String>,
    /// Where what it lacks is needed by its last steps alone: words of the title of the first of them. Those before it are
    /// carried out.
    pub until: Option<String>,
    /// What must hold once it is built.
    #[serde(default, rename = "check")]
    pub checks: Vec<Check>,
    /// The file that it stands in, without its ending.
    #[serde(skip)]
    pub suite: String,
}

/// A command that must succeed: of the sandbox's terminal where that is where the request is built, else of a look at the
/// server that knows nothing of the product.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Check {
    /// What it shows, for the report.
    pub about: String,
    /// One line of shell.
    pub run: String,
    /// What it prints, among other things.
    pub prints: Option<String>,
    /// Where a server is looked at from.
    #[serde(default)]
    pub from: From,
    /// Whether the server is restarted before.
    #[serde(default)]
    pub restart: bool,
}

/// Where a server is looked at from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum From {
    /// Its own console, as root.
    #[default]
    Console,
    /// Another machine, to which `$ADDRESS` is the server's.
    Outside,
}

/// Where a plan can be carried out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Needs {
    /// In the project's sandbox.
    #[default]
    Sandbox,
    /// On a Debian server.
    Server,
    /// In an AWS account.
    Aws,
}

/// What must come of a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Wants {
    /// It is built, or refused by name.
    #[default]
    Build,
    /// It is not clear, contradicts itself or cannot be: it is not taken for clear at the first message.
    Question,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    request: Vec<Request>,
}

/// The folder of this crate.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

/// Every request, by suite.
pub fn requests() -> Vec<Request> {
    let files = std::fs::read_dir(folder().join("requests")).expect("the folder of requests");
    let mut files: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    files.sort();
    let read = |path: PathBuf| {
        let suite = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).expect("a readable file");
        let file: File = toml::from_str(&text).unwrap_or_else(|e| panic!("{suite}.toml: {e}"));
        file.request.into_iter().map(move |request| Request { suite: suite.clone(), ..request })
    };
    files.into_iter().flat_map(read).collect()
}
