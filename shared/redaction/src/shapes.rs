//! Finds secrets with a known shape: tokens that begin with their vendor's mark.
//!
//! The marks come from the vendors' documentation. We keep our own table instead of a maintained set of rules: gitleaks
//! (MIT) and kingfisher-rules (Apache-2.0) consist of hundreds of regular expressions. They take megabytes of the
//! binary, and compiling them takes many times the 5 ms in which a function has to start. A lookup in a prefix table
//! takes nanoseconds.

mod marked_inside;

use super::Raw;
use super::SecretKind::Token as TokenKind;
use super::documentation::is_documented;
use std::ops::Range;
use std::sync::OnceLock;

/// The longest token, in bytes.
const LONGEST: usize = 2048;

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
    /// Hexadecimal digits and `-`.
    Uuid,
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
            Self::Uuid => byte.is_ascii_hexdigit() || byte == b'-',
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

use Body::{Base64, Dashed, Dotted, Hex, Upper, Uuid, Word};

const TOKENS: [VendorToken; 92] = [
    of("AKIA ASIA ABIA ACCA", Upper, 16, 16, "AWS_ACCESS_KEY_ID"),
    of("ghp_ gho_ ghu_ ghr_", Word, 36, LONGEST, "GITHUB_TOKEN"),
    // Newer ones end in a JWT.
    of("ghs_", Dotted, 36, LONGEST, "GITHUB_TOKEN"),
    of("github_pat_", Word, 22, LONGEST, "GITHUB_TOKEN"),
    of(
        "glpat- gldt- glrt- glcbt- glptt- glft- glimt- glagent- gloas- glsoat- glffct- glrtr- GR1348941",
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
    of(
        "sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_",
        Word,
        16,
        LONGEST,
        "STRIPE_SECRET_KEY",
    ),
    of("whsec_", Base64, 24, 128, "WEBHOOK_SECRET"),
    of(
        "xoxb- xoxp- xoxa- xoxr- xoxs- xoxe- xoxe.xoxp- xoxe.xoxb- xapp- xwfp-",
        Dashed,
        20,
        LONGEST,
        "SLACK_TOKEN",
    ),
    of("AIza", Dashed, 35, 35, "GOOGLE_API_KEY"),
    of("ya29.", Dashed, 20, LONGEST, "GOOGLE_ACCESS_TOKEN"),
    of("GOCSPX-", Dashed, 24, 64, "GOOGLE_CLIENT_SECRET"),
    of("pk1_ sk1_", Hex, 64, 64, "PORKBUN_API_KEY"),
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
    of("EAAA", Dashed, 60, 60, "SQUARE_TOKEN"),
    of("sk_", Hex, 48, 48, "ELEVENLABS_API_KEY"),
    of("1000.", Dotted, 65, 65, "ZOHO_TOKEN"),
    of("VF.DM. VF.WS.", Dotted, 41, 41, "VOICEFLOW_API_KEY"),
    of("akab-", Dashed, 33, 33, "AKAMAI_TOKEN"),
    of("SUA SAA SOA SNA SCA SXA", Upper, 55, 55, "NATS_SEED"),
    of("PMAT-", Upper, 26, 26, "POSTMAN_ACCESS_TOKEN"),
    // `dapi…-2`
    of("dapi", Uuid, 32, 34, "DATABRICKS_TOKEN"),
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
    of("EAAC EAAG EAAB EAAM", Word, 80, 512, "FACEBOOK_TOKEN"),
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
    of("pat-na1- pat-na2- pat-na3- pat-eu1- pat-ap1-", Uuid, 36, 36, "HUBSPOT_ACCESS_TOKEN"),
    of("shippo_live_ shippo_test_", Hex, 40, 40, "SHIPPO_TOKEN"),
    of("v1.0-", Uuid, 171, 171, "CLOUDFLARE_ORIGIN_CA_KEY"),
    of("cfk_ cfut_ cfat_", Word, 40, 64, "CLOUDFLARE_API_TOKEN"),
    of("sk.eyJ tk.eyJ", Dotted, 40, 512, "MAPBOX_TOKEN"),
    of("IQoJ FwoG FQoG", Base64, 100, LONGEST, "AWS_SESSION_TOKEN"),
    of("ABSK", Base64, 108, 272, "AWS_BEARER_TOKEN_BEDROCK"),
    of("LTAI", Word, 16, 24, "ALIBABA_CLOUD_ACCESS_KEY_ID"),
    of("AKID", Word, 32, 32, "TENCENTCLOUD_SECRET_ID"),
    of("sha256~", Dashed, 43, 43, "OPENSHIFT_TOKEN"),
    of("SWMTKN-1-", Dashed, 75, 76, "DOCKER_SWARM_TOKEN"),
    of("sb_secret_", Dashed, 30, 40, "SUPABASE_SECRET_KEY"),
    of("vcp_ vci_ vca_ vcr_ vck_", Word, 24, 60, "VERCEL_TOKEN"),
    of("CFPAT-", Dashed, 40, 64, "CONTENTFUL_TOKEN"),
    of("AVNS_", Dashed, 16, 24, "AIVEN_PASSWORD"),
    of("nbp_", Word, 36, 36, "NETBIRD_TOKEN"),
    of("API-", Upper, 25, 36, "OCTOPUS_API_KEY"),
    of("FLWSECK-", Dashed, 32, 64, "FLUTTERWAVE_SECRET_KEY"),
    of("FLWSECK_TEST-", Dashed, 12, 64, "FLUTTERWAVE_SECRET_KEY"),
    of(
        "access-sandbox- access-development- access-production-",
        Uuid,
        36,
        36,
        "PLAID_ACCESS_TOKEN",
    ),
    of("sdk- waka_", Uuid, 36, 36, "API_KEY"),
    of("aio_ EZAK EZTK ddp_ ddo_ ico- bkat_ tvly- sgp_ slk_ csk- p8e-", Word, 28, 128, "API_KEY"),
    of(
        "lsv2_pt_ lsv2_sk_ duffel_live_ duffel_test_ fio-u- tk-us- tk-eu- dnkey-",
        Dashed,
        40,
        128,
        "API_KEY",
    ),
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
        .or_else(|| marked_inside::jwt(text, at))
        .or_else(|| marked_inside::special(text, at))
        .or_else(|| marked_inside::join_token(text, at))
        .or_else(|| marked_inside::k3s(text, at))
        .or_else(|| marked_inside::grouped(text, at))
}

/// A token that begins with its mark.
fn token(text: &str, at: usize) -> Option<Raw> {
    let rest = &text.as_bytes()[at..];
    let candidates = &marks()[usize::from(*rest.first()?)];
    // A part of a longer text in base64
    let is_part = || text[..at].ends_with('+');
    let fits = |(prefix, token): &&(&str, &VendorToken)| {
        let body = rest.strip_prefix(prefix.as_bytes())?;
        let most = body.iter().take(token.length.end).take_while(|b| token.body.holds(**b)).count();
        let joints = body[..most].iter().rev().take_while(|b| b".-".contains(b)).count();
        // Of a length that is always the same, the last sign is a part: `AIza…-`.
        let fixed = most == token.length.start && most + 1 == token.length.end;
        let length = if fixed { most } else { most - joints };
        let goes_on =
            body.get(length).is_some_and(|b| b.is_ascii_alphanumeric() || b"_+".contains(b));
        (token.length.contains(&length) && !goes_on && is_made(&body[..length]))
            .then_some(prefix.len() + length)
    };
    candidates.iter().find_map(|candidate| {
        let is_other = |length: &usize| is_part() || is_example(text, at..at + length);
        let length = fits(&candidate).filter(|length| !is_other(length))?;
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
    (body.iter().any(u8::is_ascii_digit)
        || body.iter().filter(|b| b.is_ascii_uppercase()).count() > 2)
        && !is_filled(body)
}

/// `XXXXXXXXXXX-XXXXXXXX`, `1111…`: one character fills more than half of it, as in forms and manuals.
fn is_filled(body: &[u8]) -> bool {
    let mut counts = [0_usize; 256];
    for byte in body.iter().filter(|b| b.is_ascii_alphanumeric()) {
        counts[usize::from(*byte)] += 1;
    }
    counts.iter().any(|count| 2 * count > body.len())
}

#[cfg(test)]
mod tests {
    use crate::tests::found;

    /// A body of this many bytes in which letters and digits change places.
    fn made(alphabet: &str, length: usize) -> String {
        alphabet.chars().cycle().take(length).collect()
    }

    #[test]
    fn tokens_are_found_by_their_vendors_marks_alone() {
        let hex = |length| made("4be07fd91a3c8265", length);
        let word = |length| made("q7Zx2Lm9Kp4Vt8Rb3Nc6Wd1Hf5Js0Gy", length);
        let uuid = "fe74800c-47f1-406d-8791-71cb09ee33b8";
        let tokens = [
            format!("pat-na1-{uuid}"),
            format!("pat-eu1-{uuid}"),
            format!("shippo_live_{}", hex(40)),
            format!("shippo_test_{}", hex(40)),
            format!("v1.0-{}-{}", hex(24), hex(146)),
            format!("cfut_{}", word(48)),
            format!("sk.eyJ{}.{}", word(60), word(22)),
            format!("IQoJ{}", word(300)),
            format!("FwoG{}/{}==", word(200), word(61)),
            "wkpwnw.yr5efrig4hfe7m23".to_owned(),
            "07401b.f395accd246ae52d".to_owned(),
            format!("K10{}::server:{}", hex(64), hex(32)),
            format!("K10{}::{}", hex(64), "07401b.f395accd246ae52d"),
            format!("LTAI{}", word(20)),
            format!("sha256~{}", word(43)),
            format!("SWMTKN-1-{}-{}", hex(50), hex(25)),
            format!("sb_secret_{}_{}", word(22), word(8)),
            format!("CFPAT-{}", word(43)),
            format!("AVNS_{}", word(19)),
            format!("nbp_{}", word(36)),
            format!("API-{}", made("ANPE6X1TOGX992DQ7AJ1D3AMMG", 26)),
            format!("FLWSECK_TEST-{}-X", hex(32)),
            format!("access-production-{uuid}"),
            format!("sdk-{uuid}"),
            format!("waka_{uuid}"),
            format!("aio_{}", word(28)),
            format!("EZAK{}", word(54)),
            format!("ddp_{}", word(36)),
            format!("lsv2_pt_{}_{}", hex(32), hex(10)),
            format!("duffel_live_{}", word(43)),
            format!("xoxe.xoxb-1-{}", word(60)),
            format!("glrtr-{}", word(20)),
            format!("ghs_12345_{}.{}.{}", word(36), word(90), word(43)),
            format!("dapi{}-3", hex(32)),
            format!("SUA{}", made("ML2GCZ7IK7E7UD4VZ7ELPZW7DK2ZNL35WSMW3IOR", 55)),
            format!("AIza{}-", word(34)),
            format!("sk_{}", hex(48)),
            format!("EAAAE{}", word(59)),
            format!("1000.{}.{}", hex(32), hex(32)),
            format!("VF.DM.{}.{}", hex(24), word(16)),
            format!("PMAT-{}", made("9GP54SGZ7TS928P0BW1K3AN0WX", 26)),
            format!("akab-{}-{}", made("tblc7jkffv3wfxh3", 16), made("h5stbzeswb3v4kj3", 16)),
            "A3-ASWWYB-798JRY-LJVD4-23DC2-86TVM-H43EB".to_owned(),
            "A3-ASWWYB-798JRYLJVD4-23DC2-86TVM-H43EB".to_owned(),
            format!("access_token$production$x7kq2mpzwn4tb9vl${}", hex(32)),
            format!("GR1348941{}", word(20)),
        ];
        for token in tokens {
            for text in [format!("use {token} for it"), format!("here: {token}"), token.clone()] {
                assert_eq!(found(&text), [token.as_str()], "{text}");
            }
        }
    }

    #[test]
    fn what_only_begins_like_a_token_stays() {
        for text in [
            "v1.0-rc1 was released, v1.0-2024 too",
            "the request id is fe74800c-47f1-406d-8791-71cb09ee33b8",
            "deploy server.applicationserver1 and worker.applicationserver",
            "bundle.4be07fd91a3c8265.js is cached, so is styles.4be07fd91a3c8265",
            "image app@sha256:4be07fd91a3c82654be07fd91a3c82654be07fd91a3c82654be07fd91a3c8265",
            "pk.eyJ is how Mapbox's public tokens begin, sk.eyJ its secret ones",
            "see API-Reference, API-12345 and sdk-release-2024",
            "shippo_live_ is the prefix of Shippo",
            "src=data:image/png;base64,6wqX6fNUXA/rYqRvfQ+EZAKGqQRiRyqAFRQshGPWOIAwNWGORfKHSBnVNFtVmWYoW6PH23lkqbbDWep95C/3VmWq",
            "glpat-XXXXXXXXXXX-XXXXXXXX",
            "xoxp-XXXXXXXXXX-XXXXXXXXXX-XXXXXXXXXXX-XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX",
            "export AWS_ACCESS_KEY_ID=AKIAXXXXXXXXXXXXXXXX",
            "PREFECT_API_KEY = \"pnu_XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX\"",
            "A3-TEAM and A3-2024-06, access_token$production",
            "web-01.eu-central-1.compute, abc123.k8s.example.com",
            "run kubeadm join with a token of the form abcdef.0123456789abcdef",
        ] {
            assert_eq!(found(text), Vec::<String>::new(), "{text}");
        }
    }
}
