//! Finds secrets with a known shape: tokens that begin with their vendor's mark.
//!
//! The marks come from the vendors' documentation. We keep our own table instead of a maintained set of rules: gitleaks
//! (MIT) and kingfisher-rules (Apache-2.0) consist of hundreds of regular expressions. They take megabytes of the
//! binary, and compiling them takes many times the 5 ms in which a function has to start. A lookup in a prefix table
//! takes nanoseconds.

use super::Raw;
use super::SecretKind::Token as TokenKind;
use super::surroundings::manuals::is_documented;
use std::ops::Range;
use std::sync::OnceLock;

/// The longest token, in bytes.
const LONGEST: usize = 2048;

/// The length of a group of a license key, in bytes, and how many groups it has.
const GROUP_BYTES: std::ops::RangeInclusive<usize> = 4..=6;
const GROUPS: Range<usize> = 4..9;

/// A vendor's token: its prefix, its alphabet, and its length after the prefix.
struct VendorToken {
    /// Separated by spaces.
    prefixes: &'static str,
    body: Body,
    length: Range<usize>,
    name: &'static str,
}

#[derive(Clone, Copy)]
enum Body {
    Upper,
    Hex,
    /// Letters, digits and `_`.
    Word,
    /// The same, and `-`.
    Dashed,
    /// The same, and `.`.
    Dotted,
    /// Base64 of either alphabet.
    Base64,
}

impl Body {
    fn holds(self, byte: u8) -> bool {
        let word = byte.is_ascii_alphanumeric() || byte == b'_';
        match self {
            Self::Upper => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
            Self::Hex => byte.is_ascii_hexdigit(),
            Self::Word => word,
            Self::Dashed => word || byte == b'-',
            Self::Dotted => word || byte == b'-' || byte == b'.',
            Self::Base64 => word || b"-+/=".contains(&byte),
        }
    }
}

const fn of(
    prefixes: &'static str,
    body: Body,
    min: usize,
    max: usize,
    name: &'static str,
) -> VendorToken {
    VendorToken { prefixes, body, length: min..max + 1, name }
}

use Body::{Base64, Dashed, Dotted, Hex, Upper, Word};

const TOKENS: [VendorToken; 60] = [
    of("AKIA ASIA ABIA ACCA", Upper, 16, 16, "AWS_ACCESS_KEY_ID"),
    of("ghp_ gho_ ghu_ ghs_ ghr_", Word, 36, LONGEST, "GITHUB_TOKEN"),
    of("github_pat_", Word, 22, LONGEST, "GITHUB_TOKEN"),
    of(
        "glpat- gldt- glrt- glcbt- glptt- glft- glimt- glagent- gloas- glsoat- glffct-",
        Dotted,
        20,
        LONGEST,
        "GITLAB_TOKEN",
    ),
    of("dop_v1_ doo_v1_ dor_v1_", Hex, 64, 64, "DIGITALOCEAN_ACCESS_TOKEN"),
    of("sk-ant-", Dashed, 24, LONGEST, "ANTHROPIC_API_KEY"),
    of("sk-proj- sk-svcacct- sk-admin- sk-None-", Dashed, 32, LONGEST, "OPENAI_API_KEY"),
    of("sk-or-v1-", Hex, 64, 64, "OPENROUTER_API_KEY"),
    of("sk-lf- pk-lf-", Dashed, 36, 36, "LANGFUSE_KEY"),
    of("sk-", Word, 20, 128, "OPENAI_API_KEY"),
    of("sk_live_ sk_test_ rk_live_ rk_test_", Word, 16, LONGEST, "STRIPE_SECRET_KEY"),
    of("whsec_", Base64, 24, 128, "WEBHOOK_SECRET"),
    of("xoxb- xoxp- xoxa- xoxr- xoxs- xoxe- xoxe.xoxp- xapp-", Dashed, 20, LONGEST, "SLACK_TOKEN"),
    of("AIza", Dashed, 35, 35, "GOOGLE_API_KEY"),
    of("ya29.", Dashed, 20, LONGEST, "GOOGLE_ACCESS_TOKEN"),
    of("GOCSPX-", Dashed, 24, 64, "GOOGLE_CLIENT_SECRET"),
    of("npm_", Word, 36, 36, "NPM_TOKEN"),
    of("hf_ api_org_", Word, 30, 64, "HF_TOKEN"),
    of("hvs. hvb. hvr.", Dashed, 20, LONGEST, "VAULT_TOKEN"),
    of("pul-", Hex, 40, 40, "PULUMI_ACCESS_TOKEN"),
    of("SG.", Dotted, 60, 128, "SENDGRID_API_KEY"),
    of("gsk_", Word, 40, 128, "GROQ_API_KEY"),
    of("pypi-", Dashed, 50, LONGEST, "PYPI_TOKEN"),
    of("dckr_pat_ dckr_oat_", Dashed, 20, 128, "DOCKER_TOKEN"),
    of("tskey-", Dashed, 20, 128, "TAILSCALE_AUTH_KEY"),
    of("AGE-SECRET-KEY-1 AGE-PLUGIN-", Upper, 50, 128, "AGE_SECRET_KEY"),
    of("sntrys_ sntryu_", Base64, 40, LONGEST, "SENTRY_AUTH_TOKEN"),
    of("lin_api_ lin_oauth_", Word, 32, 128, "LINEAR_API_KEY"),
    of("ntn_", Word, 40, 64, "NOTION_TOKEN"),
    of("figd_ figo_", Dashed, 36, 128, "FIGMA_TOKEN"),
    of("shpat_ shpss_ shpca_ shppa_", Hex, 32, 64, "SHOPIFY_TOKEN"),
    of("sq0atp- sq0csp- EAAAl", Dashed, 22, 128, "SQUARE_TOKEN"),
    of("dapi", Hex, 32, 34, "DATABRICKS_TOKEN"),
    of("dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.", Dotted, 40, 80, "DOPPLER_TOKEN"),
    of("xai-", Word, 60, 128, "XAI_API_KEY"),
    of("r8_", Word, 37, 40, "REPLICATE_API_TOKEN"),
    of("pplx-", Word, 40, 64, "PERPLEXITY_API_KEY"),
    of("nvapi-", Dashed, 50, 128, "NVIDIA_API_KEY"),
    of("AKCp", Word, 60, 80, "ARTIFACTORY_API_KEY"),
    of("glsa_ glc_", Base64, 32, 256, "GRAFANA_TOKEN"),
    of("NRAK- NRII- NRJS-", Word, 19, 64, "NEW_RELIC_API_KEY"),
    of("dt0c01. dt0s01.", Dotted, 60, 128, "DYNATRACE_TOKEN"),
    of("ATATT3 ATCTT3 ATOA", Base64, 60, 256, "ATLASSIAN_TOKEN"),
    of("ATBB", Word, 24, 40, "BITBUCKET_APP_PASSWORD"),
    of("HRKU-", Dashed, 36, 80, "HEROKU_API_KEY"),
    of("rnd_", Word, 24, 40, "RENDER_API_KEY"),
    of("fm1r_ fm1a_ fm2_ fo1_", Base64, 40, LONGEST, "FLY_API_TOKEN"),
    of(
        "nfp_ sbp_ sqp_ squ_ sqa_ CCIPAT_ bkua_ rubygems_ napi_ tfp_ pnu_ pcsk_",
        Word,
        32,
        128,
        "API_TOKEN",
    ),
    of(
        "PMAK- key- xkeysib- xsmtpsib- phx_ rdme_ pscale_tkn_ pscale_pw_ pscale_oauth_",
        Dashed,
        32,
        128,
        "API_KEY",
    ),
    of("EAAC EAAG EAAB", Word, 80, 512, "FACEBOOK_TOKEN"),
    of("pat", Dotted, 79, 79, "AIRTABLE_TOKEN"),
    of("cio", Word, 32, 32, "CARGO_REGISTRY_TOKEN"),
    of("oy2", Word, 43, 43, "NUGET_API_KEY"),
    of("SCW", Upper, 17, 17, "SCW_ACCESS_KEY"),
    of("EXO", Hex, 24, 24, "EXOSCALE_API_KEY"),
    of("ops_eyJ", Base64, 100, LONGEST, "OP_SERVICE_ACCOUNT_TOKEN"),
    of("hcaik_ hcxik_ hcamk_ hcxmk_ hcalk_ hcxlk_ hcbik_", Word, 32, 80, "HONEYCOMB_API_KEY"),
    of("CLOJARS_", Hex, 60, 60, "CLOJARS_TOKEN"),
    of("SK", Hex, 32, 32, "TWILIO_API_KEY"),
    of("ck_ cs_", Hex, 40, 40, "WOOCOMMERCE_KEY"),
];

/// For each byte, the tokens whose mark begins with it, longer marks first.
type TokensByMark = [Vec<(&'static str, &'static VendorToken)>; 256];

fn marks() -> &'static TokensByMark {
    static MARKS: OnceLock<TokensByMark> = OnceLock::new();
    MARKS.get_or_init(|| {
        let mut marks = [const { Vec::new() }; 256];
        for token in &TOKENS {
            for prefix in token.prefixes.split(' ') {
                marks[usize::from(prefix.as_bytes()[0])].push((prefix, token));
            }
        }
        marks.iter_mut().for_each(|marks| marks.sort_by_key(|(p, _)| std::cmp::Reverse(p.len())));
        marks
    })
}

/// The secret with a mark that begins at `at`, where a word begins.
pub fn marked(text: &str, at: usize) -> Option<Raw> {
    token(text, at)
        .or_else(|| jwt(text, at))
        .or_else(|| special(text, at))
        .or_else(|| grouped(text, at))
}

/// A token that begins with its mark.
fn token(text: &str, at: usize) -> Option<Raw> {
    let rest = &text.as_bytes()[at..];
    let candidates = &marks()[usize::from(*rest.first()?)];
    let fits = |(prefix, token): &&(&str, &VendorToken)| {
        let body = rest.strip_prefix(prefix.as_bytes())?;
        let most = body.iter().take(token.length.end).take_while(|b| token.body.holds(**b)).count();
        let joints = body[..most].iter().rev().take_while(|b| b".-".contains(b)).count();
        let length = most - joints;
        let goes_on = body.get(length).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
        (token.length.contains(&length) && !goes_on && is_made(&body[..length]))
            .then_some(prefix.len() + length)
    };
    candidates.iter().find_map(|candidate| {
        let length = fits(&candidate).filter(|length| !is_example(text, at..at + length))?;
        Some(Raw::sure(at..at + length, candidate.1.name, TokenKind))
    })
}

/// Whether a token is one of a documentation: "the AWS docs use AKIAIOSFODNN7EXAMPLE".
fn is_example(text: &str, span: Range<usize>) -> bool {
    let line_at = || text[..span.start].rfind('\n').map_or(0, |at| at + 1);
    let after = || text[span.end..].split('\n').next().unwrap_or_default();
    text[span.clone()].ends_with("EXAMPLE") && is_documented(&text[line_at()..span.start], after())
}

/// A generated token has a digit; `sk-learn-compatible-…` has none.
fn is_made(body: &[u8]) -> bool {
    body.iter().any(u8::is_ascii_digit)
        || body.iter().filter(|b| b.is_ascii_uppercase()).count() > 2
}

/// Keys in equal groups: `XXXXX-XXXXX-XXXXX-XXXXX` of a license, eight times six digits of BitLocker.
fn grouped(text: &str, at: usize) -> Option<Raw> {
    let rest = &text.as_bytes()[at..];
    let group = GROUP_BYTES.into_iter().find(|length| rest.get(*length) == Some(&b'-'))?;
    let holds = |b: &u8| b.is_ascii_uppercase() || b.is_ascii_digit();
    let mut length = 0;
    let mut groups = 0;
    while rest.get(length..length + group).is_some_and(|part| part.iter().all(holds)) {
        length += group;
        groups += 1;
        if rest.get(length) != Some(&b'-') || groups > GROUPS.end {
            break;
        }
        length += 1;
    }
    let value = &rest[..length];
    let digits = value.iter().filter(|b| b.is_ascii_digit()).count();
    let letters = value.iter().filter(|b| b.is_ascii_uppercase()).count();
    let goes_on = rest.get(length).is_some_and(|b| b.is_ascii_alphanumeric() || b"-_".contains(b));
    let (license, bitlocker) = (
        letters > GROUPS.start && (digits > 1 || (digits == 1 && groups > GROUPS.start)),
        letters == 0,
    );
    let whole = length + 1 == groups * (group + 1) && !goes_on;
    let name = match (groups, group) {
        (8, 6) if bitlocker => "BITLOCKER_RECOVERY_KEY",
        (count, 4..) if license && GROUPS.contains(&count) => "LICENSE_KEY",
        _ => return None,
    };
    whole.then(|| Raw::sure(at..at + length, name, TokenKind))
}

/// Three parts of base64, the first two of them JSON objects. An encrypted token has five parts.
fn jwt(text: &str, at: usize) -> Option<Raw> {
    let rest = &text[at..];
    if !rest.starts_with("eyJ") {
        return None;
    }
    let holds = |b: &u8| b.is_ascii_alphanumeric() || b"-_.".contains(b);
    let length = rest.bytes().take(4 * LONGEST).take_while(holds).count();
    let word = rest[..length].trim_end_matches(['.', '-']);
    let mut parts = word.split('.');
    let (header, claims, signature) = (parts.next()?, parts.next()?, parts.next()?);
    let object = header.len() >= 10 && (claims.starts_with("eyJ") || parts.next().is_some());
    (object && claims.len() >= 10 && signature.len() >= 10)
        .then(|| Raw::sure(at..at + word.len(), "JWT_TOKEN", TokenKind))
}

/// Tokens with a mark inside: Telegram bots, Terraform Cloud, Azure client secrets, Mailchimp.
fn special(text: &str, at: usize) -> Option<Raw> {
    let rest = &text[at..];
    let run = |holds: fn(u8) -> bool, most: usize| {
        rest.bytes().take(most).take_while(|b| holds(*b)).count()
    };
    // `https://api.telegram.org/bot8627911812:AAHB…/getUpdates`
    if let Some(token) = rest.strip_prefix("bot")
        && token.starts_with(|c: char| c.is_ascii_digit())
        && text[..at].ends_with('/')
    {
        return special(text, at + "bot".len());
    }
    let digits = run(|b| b.is_ascii_digit(), 11);
    if (8..=10).contains(&digits) && rest[digits..].starts_with(":AA") {
        let body = rest[digits + 1..].bytes().take(40).take_while(|b| Dashed.holds(*b)).count();
        let length = digits + 1 + body;
        return (33..=37)
            .contains(&body)
            .then(|| Raw::sure(at..at + length, "TELEGRAM_BOT_TOKEN", TokenKind));
    }
    let word = run(|b| Word.holds(b), 40);
    if word == 14 && rest[word..].starts_with(".atlasv1.") {
        let length = run(|b| Dotted.holds(b), 128);
        return (length > 70).then(|| Raw::sure(at..at + length, "TFE_TOKEN", TokenKind));
    }
    let azure = word == 5 && rest.as_bytes()[3].is_ascii_digit() && rest.get(4..6) == Some("Q~");
    if azure {
        let body =
            rest[6..].bytes().take(40).take_while(|b| Dotted.holds(*b) || *b == b'~').count();
        return (31..=36)
            .contains(&body)
            .then(|| Raw::sure(at..at + 6 + body, "AZURE_CLIENT_SECRET", TokenKind));
    }
    if word == 32 && follows_account(&text[..at], rest) {
        return Some(Raw::sure(at..at + word, "TWILIO_AUTH_TOKEN", TokenKind));
    }
    if word == 32
        && rest[..32].bytes().all(|b| b.is_ascii_hexdigit())
        && rest[32..].starts_with("-us")
    {
        let digits = rest[35..].bytes().take_while(u8::is_ascii_digit).count();
        return (1..=2)
            .contains(&digits)
            .then(|| Raw::sure(at..at + 35 + digits, "MAILCHIMP_API_KEY", TokenKind));
    }
    None
}

/// `Client("AC9f3e…", "7c1e…")`: whether 32 digits come after the account of Twilio in a call.
fn follows_account(before: &str, digits: &str) -> bool {
    const ACCOUNT_BYTES: usize = 34;
    let hex = |text: &str| text.bytes().all(|b| b.is_ascii_digit() || b"abcdef".contains(&b));
    let Some(head) = before.strip_suffix(['"', '\'']) else { return false };
    let head = head.trim_end().strip_suffix(',').and_then(|head| head.strip_suffix(['"', '\'']));
    let from = head.and_then(|head| head.len().checked_sub(ACCOUNT_BYTES));
    let account = head.zip(from).and_then(|(head, from)| head.get(from..));
    hex(&digits[..32])
        && digits[32..].starts_with(['"', '\''])
        && account.and_then(|account| account.strip_prefix("AC")).is_some_and(hex)
}
