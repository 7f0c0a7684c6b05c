//! A small web service with a health check in the sandbox. It needs no account and no key.

use super::parameters::{Found, Parameter, accept_name, find_name};
use super::{Blueprint, Diagnosis, Place, Values, check, document, facts, files, removals, step};
use crate::words::Words;
use crate::words::language::Weight;

mod access;
mod commands;
mod greeting;

pub use access::ROTATE as ROTATES;

/// Everything about the deployment.
pub const BLUEPRINT: Blueprint = Blueprint {
    id: "local-web-service",
    title: "A small web service with a health check",
    detail: "inside the sandbox itself; needs no cloud account",
    welcome: "A small web service with a health check, inside the sandbox: no cloud account needed.",
    before_confirming: "",
    strong_cues: &[
        "web service",
        "health check",
        "healthz",
        "local service",
        "local one",
        "local web",
        "small service",
        "http service",
        "inside the sandbox",
        "hello world",
        "toy service",
    ],
    weak_cues: &[
        "sandbox", "service", "web", "website", "http", "page", "local", "locally", "python", "api",
    ],
    place: Place::Sandbox,
    brings: &["healthcheck"],
    parameters: &[
        Parameter {
            key: "name",
            label: "Service name",
            question: "what should it be called?",
            default: "hello-service",
            asked: true,
            accept: accept_name,
            find: find_name,
        },
        Parameter {
            key: "port",
            label: "Port",
            question: "which port should it listen on?",
            default: "8080",
            asked: true,
            accept: accept_port,
            find: find_port,
        },
        Parameter {
            key: "health-path",
            label: "Health check path",
            question: "where should the health check answer?",
            default: "/healthz",
            asked: false,
            accept: accept_path,
            find: find_path,
        },
        Parameter {
            key: "greeting",
            label: "Greeting",
            question: "what should the page say?",
            default: "Hello from your sandbox.",
            asked: false,
            accept: greeting::accept,
            find: greeting::find,
        },
        access::ACCESS,
    ],
    derive: &derive,
    requirements: document!("local-web-service", "requirements"),
    architecture: document!("local-web-service", "architecture"),
    implementation: document!("local-web-service", "implementation"),
    answers: document!("local-web-service", "answers"),
    steps: &[
        step!(
            "local-web-service",
            "1-write-service",
            "Write the service and its health check",
            "Writes service.py, its settings, a start/stop script and a health check script to @name@/, and checks their syntax."
        ),
        step!(
            "local-web-service",
            "2-start",
            "Start the service",
            "Starts @name@ in the background on 127.0.0.1:@port@; a running one is restarted."
        ),
        step!(
            "local-web-service",
            "3-check-health",
            "Check its health",
            "Asks http://127.0.0.1:@port@@health_path@ until it answers, and checks the page."
        ),
        step!(
            "local-web-service",
            "4-write-compose",
            "Write the Docker Compose file and the README",
            "Writes docker-compose.yml and README.md to @name@/ for running the service elsewhere."
        ),
        step!(
            "local-web-service",
            "5-verify",
            "Verify everything",
            "Lists the files and checks the process and its health; changes nothing."
        ),
    ],
    checks: &[
        check!(
            "local-web-service",
            "1-health",
            "Health answers 200 with status ok",
            "Asks the health check once and reads its answer; changes nothing."
        ),
        check!(
            "local-web-service",
            "2-page",
            "The page is served",
            "Fetches the page and a page that is not there; changes nothing."
        ),
        check!(
            "local-web-service",
            "3-loopback",
            "The port listens on loopback only",
            "Reads the list of listening sockets and tries the other addresses; changes nothing."
        ),
        check!(
            "local-web-service",
            "4-current",
            "It runs what its files say",
            "Compares when @name@ was started with when its files changed; changes nothing."
        ),
        check!(
            "local-web-service",
            "5-single",
            "It runs exactly once",
            "Asks for its process and counts the processes that run it; changes nothing."
        ),
        check!(
            "local-web-service",
            "6-files",
            "The files are as planned",
            "Checks the presence, syntax and settings of the files; changes nothing."
        ),
    ],
    validation: document!("local-web-service", "validation"),
    documentation: document!("local-web-service", "documentation"),
    quickstart: document!("local-web-service", "quickstart"),
    facts: &[facts!("local-web-service")],
    findings: &[],
    commands: &[commands::COMMANDS],
    files: &[files!("local-web-service":
        "service.py", "service.json", "control.sh", "check-health.sh", "docker-compose.yml", "README.md",
    )],
    diagnoses: &[DIAGNOSES],
    removal: &removals::SERVICE,
};

const DIAGNOSES: &[Diagnosis] = &[
    Diagnosis {
        sign: "address already in use",
        meaning: "Another process listens on port @port@. If it is one of yours, stop it in the terminal; otherwise choose another port in the requirements.",
        redo: None,
    },
    Diagnosis {
        sign: "@name@/control.sh: no such file",
        meaning: "The service's files are missing, so this attempt writes them first.",
        redo: Some(0),
    },
    Diagnosis {
        sign: "@name@/check-health.sh: no such file",
        meaning: "The service's files are missing, so this attempt writes them first.",
        redo: Some(0),
    },
    Diagnosis {
        sign: "missing: @name@/",
        meaning: "A file is missing, so this attempt writes the service's files first.",
        redo: Some(0),
    },
    Diagnosis {
        sign: "no healthy answer",
        meaning: "The service did not answer, so this attempt restarts it first.",
        redo: Some(1),
    },
    Diagnosis {
        sign: "not running",
        meaning: "The service was not running, so this attempt restarts it first.",
        redo: Some(1),
    },
];

fn derive(values: &mut Values) {
    let greeting = values.get("greeting").cloned().unwrap_or_default();
    access::derive(values);
    values.insert("greeting_json".into(), serde_json::Value::String(greeting).to_string());
}

/// Allowed ports. Lower ports need root, which commands in the sandbox do not have.
const PORTS: std::ops::RangeInclusive<u32> = 1024..=65535;

fn accept_port(text: &str) -> Option<String> {
    let port: u32 = text.trim().parse().ok()?;
    PORTS.contains(&port).then(|| port.to_string())
}

/// A bare number is a port only in a message of at most this many words: “orders, 9090”.
const BARE_NUMBER_WORDS: usize = 4;

/// Words right before a port.
const LISTENING: &[&str] = &["on", "at", "listens", "listening"];

fn find_port(words: &Words) -> Found {
    let is_number = |value: &&str| value.bytes().all(|byte| byte.is_ascii_digit());
    let named = words.value_after("port").filter(is_number);
    // “Not 8000, 8001”
    let meant = words.values().enumerate().filter(|(at, _)| words.means_value(*at));
    let mut meant = meant.map(|(_, value)| value);
    let bare = meant.find(|value| is_number(value) && value.len() > 2);
    // “Vuelve a poner el 8080”: no other word says anything.
    let says = |at: usize| {
        let number = words.values().nth(at).is_some_and(|value| is_number(&value));
        !number && matches!(words.weighs(at), Weight::Full | Weight::Negation)
    };
    let alone = || !(0..words.count()).any(says);
    let bare =
        bare.filter(|_| words.count() <= BARE_NUMBER_WORDS || words.means("localhost") || alone());
    // “listening on 9191”
    let listening = || {
        let values: Vec<&str> = words.values().collect();
        let on = |pair: &&[&str]| LISTENING.contains(&pair[0]) && accept_port(pair[1]).is_some();
        values.windows(2).find(on).map(|pair| pair[1])
    };
    let Some(number) = named.or(bare).or_else(listening) else { return Found::Nothing };
    match accept_port(number) {
        Some(port) => Found::Value(port),
        None => Found::Refused(format!(
            "Port {number} is not available: the sandbox is unprivileged, so it must be between {} and {}.",
            PORTS.start(),
            PORTS.end()
        )),
    }
}

/// Maximum length of the health path, in characters.
const PATH_CHARS: usize = 60;

fn accept_path(text: &str) -> Option<String> {
    let path = text.trim();
    let good =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"/-_.".contains(&byte);
    let fits = path.len() > 1 && path.len() <= PATH_CHARS && path.starts_with('/');
    (fits && path.bytes().all(good)).then(|| path.to_string())
}

fn find_path(words: &Words) -> Found {
    if !words.has("health") && !words.has("path") {
        return Found::Nothing;
    }
    Found::maybe(words.values().find(|value| value.starts_with('/')).and_then(accept_path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_are_found_within_their_limits() {
        let find = |text: &str| find_port(&Words::of(text));
        assert_eq!(find("make it port 9090"), Found::Value("9090".into()));
        assert_eq!(find("9090"), Found::Value("9090".into()));
        assert_eq!(find("not 8000, 8001"), Found::Value("8001".into()));
        assert_eq!(find("listening on port: 3001."), Found::Value("3001".into()));
        assert!(matches!(find("port 80 please"), Found::Refused(_)));
        assert!(matches!(find("port 99999"), Found::Refused(_)));
        assert_eq!(find("in 2026 we want a service that everybody likes"), Found::Nothing);
    }

    #[test]
    fn paths_and_greetings_are_checked() {
        assert_eq!(
            find_path(&Words::of("health check at /status")),
            Found::Value("/status".into())
        );
        assert_eq!(accept_path("/a b"), None);
        assert_eq!(accept_path("/$(id)"), None);
        assert_eq!(greeting::accept("`id`"), None);
    }
}
