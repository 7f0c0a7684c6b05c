//! Secrets that are known by their shape.

use super::Found;
use super::strength::is_random;
use std::ops::Range;

/// A vendor's token: how it begins, what it goes on with, and how long it is after that.
struct Token {
    prefixes: &'static [&'static str],
    body: fn(char) -> bool,
    length: Range<usize>,
    name: &'static str,
}

const fn long(min: usize) -> Range<usize> {
    min..1024
}

const TOKENS: [Token; 15] = [
    Token {
        prefixes: &["AKIA", "ASIA"],
        body: |c| c.is_ascii_uppercase() || c.is_ascii_digit(),
        length: 16..17,
        name: "AWS_ACCESS_KEY_ID",
    },
    Token {
        prefixes: &["ghp_", "gho_", "ghu_", "ghs_", "ghr_"],
        body: word,
        length: long(36),
        name: "GITHUB_TOKEN",
    },
    Token { prefixes: &["github_pat_"], body: word, length: long(22), name: "GITHUB_TOKEN" },
    Token {
        prefixes: &[
            "glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glimt-", "glagent-",
            "gloas-", "glsoat-",
        ],
        body: |c| word(c) || c == '-' || c == '.',
        length: long(20),
        name: "GITLAB_TOKEN",
    },
    Token {
        prefixes: &["dop_v1_", "doo_v1_", "dor_v1_"],
        body: |c| c.is_ascii_hexdigit(),
        length: 64..65,
        name: "DIGITALOCEAN_ACCESS_TOKEN",
    },
    Token { prefixes: &["sk-ant-"], body: dashed, length: long(24), name: "ANTHROPIC_API_KEY" },
    Token { prefixes: &["sk-proj-"], body: dashed, length: long(32), name: "OPENAI_API_KEY" },
    Token {
        prefixes: &["sk_live_", "sk_test_", "rk_live_", "rk_test_"],
        body: word,
        length: long(16),
        name: "STRIPE_SECRET_KEY",
    },
    Token {
        prefixes: &["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-"],
        body: dashed,
        length: long(20),
        name: "SLACK_TOKEN",
    },
    Token { prefixes: &["AIza"], body: dashed, length: 35..36, name: "GOOGLE_API_KEY" },
    Token { prefixes: &["npm_"], body: word, length: 36..37, name: "NPM_TOKEN" },
    Token { prefixes: &["hf_"], body: word, length: long(30), name: "HF_TOKEN" },
    Token { prefixes: &["hvs."], body: dashed, length: long(24), name: "VAULT_TOKEN" },
    Token { prefixes: &["pul-"], body: word, length: 40..41, name: "PULUMI_ACCESS_TOKEN" },
    Token {
        prefixes: &["SG."],
        body: |c| dashed(c) || c == '.',
        length: long(60),
        name: "SENDGRID_API_KEY",
    },
];

/// Length of an AWS secret access key.
const AWS_SECRET_CHARS: usize = 40;
/// Length of a token of Hetzner Cloud.
const HETZNER_CHARS: usize = 64;
/// The least base64 in a line of a private key that was cut off.
const KEY_LINE_CHARS: usize = 16;

/// What a text is about: some secrets have no mark of their own.
pub struct Hints {
    aws: bool,
    hetzner: bool,
}

impl Hints {
    /// The hints in a text.
    pub fn of(text: &str) -> Self {
        let lower = text.to_lowercase();
        let any = |words: &[&str]| words.iter().any(|word| lower.contains(word));
        Self {
            aws: any(&["aws", "akia", "access key", "access_key", "accesskey"]),
            hetzner: any(&["hetzner", "hcloud"]),
        }
    }
}

/// Secrets whose shape tells what they are.
pub fn find(text: &str, hints: &Hints) -> Vec<Found> {
    let mut found = private_keys(text);
    found.extend(words(text, |c| word(c) || c == '-' || c == '.').flat_map(|span| {
        let word = &text[span.clone()];
        let end = span.start + word.trim_end_matches(['.', '-']).len();
        known_token(&text[span.start..end], span.start)
            .or_else(|| jwt(&text[span.start..end], span.start))
    }));
    found.extend(connection_strings(text));
    if hints.aws {
        let body = |c: char| c.is_ascii_alphanumeric() || c == '/' || c == '+' || c == '=';
        found.extend(random_words(text, body, AWS_SECRET_CHARS, "AWS_SECRET_ACCESS_KEY"));
    }
    if hints.hetzner {
        found.extend(random_words(text, word, HETZNER_CHARS, "HCLOUD_TOKEN"));
    }
    found
}

fn word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn dashed(c: char) -> bool {
    word(c) || c == '-'
}

/// Maximal runs of such characters.
fn words(text: &str, of: fn(char) -> bool) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut from = 0;
    std::iter::from_fn(move || {
        let start = from + text[from..].find(of)?;
        let end = text[start..].find(|c| !of(c)).map_or(text.len(), |length| start + length);
        from = end;
        Some(start..end)
    })
}

fn random_words<'a>(
    text: &'a str,
    of: fn(char) -> bool,
    length: usize,
    name: &'static str,
) -> impl Iterator<Item = Found> + 'a {
    let fits = move |span: &Range<usize>| {
        span.len() == length && !text[span.clone()].contains('=') && is_random(&text[span.clone()])
    };
    // `KEY=value` is one run of base64's characters: what stands before the last `=` is its name.
    let values = words(text, of).map(move |span| {
        let word = &text[span.clone()];
        let name_end = word.trim_end_matches('=').rfind('=').map_or(0, |at| at + 1);
        span.start + name_end..span.end
    });
    values.filter(fits).map(move |span| Found { span, name: name.to_owned() })
}

fn known_token(word: &str, at: usize) -> Option<Found> {
    TOKENS.iter().find_map(|token| {
        let body = token.prefixes.iter().find_map(|prefix| word.strip_prefix(prefix))?;
        let fits = token.length.contains(&body.len()) && body.chars().all(token.body);
        fits.then(|| Found { span: at..at + word.len(), name: token.name.to_owned() })
    })
}

/// Three parts of base64, the first two being JSON objects.
fn jwt(word: &str, at: usize) -> Option<Found> {
    let parts: Vec<_> = word.split('.').collect();
    let [header, claims, signature] = parts.as_slice() else { return None };
    let object = |part: &str| part.starts_with("eyJ") && part.len() >= 10;
    let fits = object(header) && object(claims) && signature.len() >= 10;
    fits.then(|| Found { span: at..at + word.len(), name: "JWT_TOKEN".to_owned() })
}

/// PEM blocks from `BEGIN` to `END`; one that was cut off, as far as it looks like one.
fn private_keys(text: &str) -> Vec<Found> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(start) = text[from..].find("-----BEGIN ").map(|at| from + at) {
        let label = text[start + "-----BEGIN ".len()..].split("-----").next().unwrap_or_default();
        let body = start + "-----BEGIN ".len() + label.len();
        from = body;
        let private = label.contains("PRIVATE KEY") && label.len() < 64 && !label.contains('\n');
        let Some(body) = text[body..].strip_prefix("-----").filter(|_| private) else { continue };
        let body_at = text.len() - body.len();
        let end_mark = format!("-----END {label}-----");
        let end = body.find(&end_mark).map(|at| body_at + at + end_mark.len());
        let Some(end) = end.or_else(|| cut_off(body).map(|length| body_at + length)) else {
            continue;
        };
        let name = if label.contains("OPENSSH") { "SSH_PRIVATE_KEY" } else { "PRIVATE_KEY" };
        found.push(Found { span: start..end, name: name.to_owned() });
        from = end;
    }
    found
}

/// Length of the lines of base64 that a text begins with.
fn cut_off(body: &str) -> Option<usize> {
    let mut length = 0;
    for line in body.split_inclusive('\n') {
        let content = line.trim();
        let base64 = |c: char| c.is_ascii_alphanumeric() || "+/=".contains(c);
        let is_key = content.len() >= KEY_LINE_CHARS && content.chars().all(base64);
        if !is_key && !content.is_empty() {
            break;
        }
        length += line.len();
    }
    let lines = &body[..length];
    (!lines.trim().is_empty()).then_some(lines.trim_end().len())
}

/// The passwords of `scheme://user:password@host`.
fn connection_strings(text: &str) -> Vec<Found> {
    let found = text.match_indices("://").filter_map(|(at, mark)| {
        let before = &text[..at];
        let scheme_at = before
            .rfind(|c: char| !c.is_ascii_alphanumeric() && c != '+')
            .map_or(0, |i| i + before[i..].chars().next().map_or(1, char::len_utf8));
        let scheme = &before[scheme_at..];
        let rest = &text[at + mark.len()..];
        let ends = |c: char| c.is_whitespace() || "/?#\"'`<>,;".contains(c);
        let authority = &rest[..rest.find(ends).unwrap_or(rest.len())];
        let (user, _host) = authority.rsplit_once('@')?;
        let (user, password) = user.split_once(':')?;
        let start = at + mark.len() + user.len() + 1;
        let name = format!("{}_PASSWORD", database(scheme)?);
        is_password(password).then_some(Found { span: start..start + password.len(), name })
    });
    found.collect()
}

/// What the scheme speaks to, as a variable is called after it.
fn database(scheme: &str) -> Option<String> {
    let plain = scheme.split('+').next().unwrap_or_default().to_ascii_uppercase();
    Some(match plain.as_str() {
        "" => return None,
        "POSTGRESQL" | "POSTGRES" => "POSTGRES".to_owned(),
        "REDISS" => "REDIS".to_owned(),
        "AMQPS" => "AMQP".to_owned(),
        "HTTP" | "HTTPS" => "HTTP".to_owned(),
        _ => plain,
    })
}

fn is_password(password: &str) -> bool {
    let stand_ins = ["password", "passwd", "secret", "pass", "changeme", "example"];
    let lower = password.to_lowercase();
    password.len() >= super::MIN_SECRET_BYTES
        && !password.starts_with(['$', '<', '{', '%', '[', '('])
        && !lower.contains("your")
        && !lower.chars().all(|c| c == 'x' || c == '*' || c == '.')
        && !stand_ins.contains(&lower.as_str())
}
