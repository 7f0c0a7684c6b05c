//! The requests, which are data in `requests/*.toml`.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What a user asks for, and the checks that show whether they got it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// Its name in files and on the command line.
    pub id: String,
    /// Its title in the report.
    pub title: String,
    /// The user's messages, in order, until the requirements are ready.
    pub says: Vec<String>,
    /// What is needed to carry out the plan.
    #[serde(default)]
    pub needs: Needs,
    /// The required result.
    #[serde(default)]
    pub wants: Wants,
    /// Words of the request, in lower case, that the replies or the requirements must name, as built or as not built.
    #[serde(default)]
    pub names: Vec<String>,
    /// Endings of files that a second run may change, such as logs.
    #[serde(default)]
    pub may_change: Vec<String>,
    /// Credentials that the owner enters in addition to the provider's, by name; `$CLOUD` in them is the address of the
    /// stand-in cloud, which keeps what is posted to its `/alerts`.
    #[serde(default)]
    pub secrets: BTreeMap<String, String>,
    /// Whether the steps pull container images. The server then has those of `ground/images`.
    #[serde(default)]
    pub images: bool,
    /// Whether the steps get a release from GitHub. The servers then find that of `ground/release.py` there.
    #[serde(default)]
    pub releases: bool,
    /// A name that its owner has lead to the server. Let's Encrypt, which is `ground/acme.py`, then certifies it.
    pub domain: Option<String>,
    /// What the plan needs and the place of its execution does not have. The request then ends with the plan, and this
    /// is the reason.
    pub lacks: Option<String>,
    /// If only the last steps need what is missing: words from the title of the first of them. The steps before it are
    /// carried out.
    pub until: Option<String>,
    /// Whether the owner tears the project down at the end. Nothing may be left then.
    #[serde(default)]
    pub tears_down: bool,
    /// What must hold for the result.
    #[serde(default, rename = "check")]
    pub checks: Vec<Check>,
    /// The name of its file, without the ending.
    #[serde(skip)]
    pub suite: String,
}

/// A command that must succeed. For a request that is built in the sandbox, it runs in the sandbox's terminal; for a
/// server, it runs outside the product.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Check {
    /// What it shows, for the report.
    pub about: String,
    /// One line of shell.
    pub run: String,
    /// Text that its output must contain.
    pub prints: Option<String>,
    /// Where a command about a server runs.
    #[serde(default)]
    pub from: From,
    /// Whether to restart the server first.
    #[serde(default)]
    pub restart: bool,
    /// Which of several servers it is about, counted from 1 in the order of their names.
    pub server: Option<usize>,
}

/// Where a command about a server runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum From {
    /// The console of the server, or of the first one by name, as root.
    #[default]
    Console,
    /// Another machine, where `$ADDRESS` is the server's address and `$CLOUD` the cloud's. Its `/sites` lists the
    /// distributions and their buckets, and `/resources/KIND` the resources of a kind, one JSON object a line.
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
    /// In an AWS account, or with the stand-in for AWS's provider.
    Aws,
}

/// The required result of a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Wants {
    /// The request is built, or refused by name.
    #[default]
    Build,
    /// The request is unclear, contradictory or impossible, so its first message must not be accepted as clear.
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

/// All requests, by suite.
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
