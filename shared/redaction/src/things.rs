//! Recognizes texts that are never secrets, however they look: addresses, dates, sizes, versions, and placeholders.

mod dotted;
pub mod marks;
mod products;
mod sizes;

use super::leet::{is_leet_name, is_leet_word};
use super::talk::is_description;
use super::weight::{Kinds, is_hex, is_random, is_wordy};
use super::words::Table;
use dotted::is_dotted_phrase;
pub use dotted::{
    dotted, is_dotted_pair, is_dotted_password, is_dotted_secret, is_dotted_title, is_dotted_words,
    is_hyphenated_secret,
};
use marks::{CharSet, Marks};
pub use products::{is_of_product, is_product};
pub use sizes::{is_birthday, is_digits_and_word};
use sizes::{is_date_or_version, is_size};
use std::sync::OnceLock;

/// Parts of placeholders and of references to secrets.
const STAND_INS: &str = "your example placeholder redacted xxxx insert sample dummy environ getenv sensitive \
     tu_contrase su_contrase _aqui _aquí votre_ _ici dein_ ihr_passw _hier_ sua_senha tua_password twoje_ twoj_ jouw_ replace_ replaceme replace-me \
     vervang_ inserisci_ ersetze_ ersetzen remplacer_ _remplacer _reemplazar reemplaza_ substitua_ preencha_ uzupelnij_ wstaw_ fill_in fill-in remplir eintragen ausfuellen ausfüllen rellenar_ compilare_ invullen_ preencher_";
/// References that contain more than letters.
const REFERENCES: &str = ":: (& ). )? &mut &[ &str **** .... var. local. env. secrets. module. config. settings. self. this. opts. args. params. props. values. (sensitive {{ ${ $( $env( <% :// lookup( ref: $__ enc[ #secret #password #token #ext #{ \
     vault: ssm:/ keyring: secretsmanager: vault_ convertto- random_ _here -here process.";

/// Words that come after a word for a secret and are not secrets.
const PROSE: &str = "none null true false string required optional password passwd passwort secret token unset empty \
     hidden yes enabled disabled default unknown missing invalid wrong correct expired stored saved \
     managed encrypted hashed rotated generated random needed given protected authentication \
     authenticated login username user admin prompt manager policy reset change changed minimum maximum \
     length strong weak safe secure security there here below above following follows same different \
     unique shared private public undefined nil text varchar boolean integer number file stdin \
     environment variable value field column bitwarden keepass vault 1password lastpass keychain ansible \
     terraform kubernetes oidc ldap saml sso iam mfa totp webauthn passkeys kerberos mtls bcrypt argon2 scram plain basic strings mandatory prompted obligatoria obligatorio obligatoire obbligatoria \
     obrigatoria requerida requise richiesta erforderlich verplicht wymagane vide vacia vuota leer nothing spaces leerzeichen espacios espaces spazi espaços spaties spacjami \
     incorrecta incorrecto incorrecte falsch ungültig ungueltig onjuist ongeldig verkeerd errata errato sbagliata sbagliato \
     inválida inválido incorreta incorreto nieprawidłowe błędne throw raise forgot \
     normal normale normales chiffré verschlüsselt unverschlüsselt cifrada cifrado celui celle pendiente pendientes pending ausstehend";

/// Names of things that are written with digits at the end.
const THINGS: &str = "ubuntu debian fedora centos rocky alma rhel windows macos node nodejs python php java jdk ruby go \
     golang rust mysql mariadb postgres postgresql psql mongo mongodb redis sha md base oauth oidc saml \
     ipv tls tlsv ssl sslv rsa aes ecdsa utf http web db app host vm server eu us version step stage port \
     page chapter section option day week phase ntlmv pbkdf bcrypt user cx cpx cax ccx";

/// Databases, whose versions have at most two digits without a dot.
const DATABASES: [&str; 8] =
    ["mysql", "mariadb", "postgres", "postgresql", "psql", "mongo", "mongodb", "redis"];

/// Words with digits inside that are not secrets.
const TECHNICAL: &str = "argon2id argon2i argon2d apr1 ed25519 ed448 x25519 x86_64 k8s k3s s3cmd ec2 i18n l10n a11y b2b p2p h2o \
     oauth2 log4j neo4j f5 x509 wpa2 wpa3 auth0 fail2ban zigbee2mqtt tls1 tls1.3 tls1.2 c++17 c++20 mp3 h264 aes256gcm chacha20poly1305";

/// "Username:" and "Password:" in base64, as mail servers ask for them and write them into their logs.
const PROMPTS: [&str; 6] = [
    "VXNlcm5hbWU6",
    "UGFzc3dvcmQ6",
    "dXNlcm5hbWU6",
    "cGFzc3dvcmQ6",
    "VXNlciBOYW1lAA",
    "UGFzc3dvcmQA",
];

/// Whether a lower-case word describes a secret without being one.
pub fn is_prose(lower: &str) -> bool {
    static TABLE: OnceLock<Table<()>> = OnceLock::new();
    TABLE.get_or_init(|| Table::listed(PROSE)).get(lower).is_some()
}

/// Whether a word is a placeholder for a secret.
pub fn is_placeholder(word: &str) -> bool {
    static MARKS: Marks = Marks::new();
    MARKS.are_in(word, STAND_INS) || asks_for_change(word) || is_to_do(word)
}

/// `TODO`, `todo_token`: not `Ortodoncia77`.
fn is_to_do(word: &str) -> bool {
    let mut parts = word.split(|c: char| !c.is_alphabetic());
    parts.any(|part| part.eq_ignore_ascii_case("todo"))
}

/// `changeme`, `<change-me>`, `changeme123`: not `changeme1` and `Changeme2014%`, which a person made of it.
fn asks_for_change(word: &str) -> bool {
    const ASKS: [&str; 3] = ["changeme", "change_me", "change-me"];
    // Nearly all words end here.
    let has = |letter: u8| word.bytes().any(|byte| byte.eq_ignore_ascii_case(&letter));
    if word.len() < ASKS[0].len() || !(has(b'g') && has(b'h') && has(b'm')) {
        return false;
    }
    let lower = word.to_ascii_lowercase();
    ASKS.iter().any(|asks| {
        let rest = lower.split_once(asks).map(|(_, rest)| rest);
        rest.is_some_and(|rest| {
            let digits: String = rest.chars().filter(char::is_ascii_digit).collect();
            digits.is_empty() || digits == "123"
        })
    })
}

fn is_reference(value: &str) -> bool {
    static MARKS: Marks = Marks::new();
    MARKS.are_in(value, REFERENCES)
}

/// Whether a word is the name of a thing, or a technical word with digits inside.
pub fn is_named_thing(lower: &str) -> bool {
    static THINGS_TABLE: OnceLock<Table<()>> = OnceLock::new();
    static TECHNICAL_TABLE: OnceLock<Table<()>> = OnceLock::new();
    let lower = lower.strip_suffix('?').unwrap_or(lower);
    let word = lower.trim_end_matches(|c: char| c.is_ascii_digit() || ".-_".contains(c));
    let things = || THINGS_TABLE.get_or_init(|| Table::listed(THINGS)).get(word).is_some();
    // `mysql991` is not a version of MySQL.
    let version = || !DATABASES.contains(&word) || lower.len() - word.len() < 3;
    let technical =
        |word: &str| TECHNICAL_TABLE.get_or_init(|| Table::listed(TECHNICAL)).get(word).is_some();
    // "Argon2id-Hash"
    let compound = lower.split_once('-').is_some_and(|(first, rest)| {
        technical(first) && rest.bytes().all(|b| b.is_ascii_alphabetic())
    });
    technical(lower) || compound || (word.len() < lower.len() && things() && version())
}

/// Whether a value is a reference, a path, a hash, or one of the words of [`is_placeholder`].
pub fn is_stand_in(value: &str) -> bool {
    // Most values have no sign, and all forms below but these three have one.
    if value.bytes().all(|b| b.is_ascii_alphanumeric()) {
        return PROMPTS.contains(&value) || is_description(value) || is_placeholder(value);
    }
    let signs = CharSet::of(value);
    let bare = value.trim_matches(['.', '!', '?', '*']);
    // `$1` is an argument, and `$5JS` is nothing.
    let variable = |name: &str| {
        let digits = name.bytes().take_while(u8::is_ascii_digit).count();
        !name.is_empty()
            && (digits == 0 || digits == name.len())
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
    };
    // A backslash before the closing quote belongs to the quote, and Compose writes `$$NAME` for a shell's `$NAME`.
    let name = value.strip_suffix('\\').unwrap_or(value);
    let in_compose = |name: &str| variable(name) && !name.contains(char::is_lowercase);
    let referred = || {
        name.strip_prefix('$').is_some_and(|name| variable(name) && !is_leet_name(name))
        // `admin:$PW`, `app/$PW@db`
        || name.rsplit_once(":$").is_some_and(|(_, name)| variable(name))
        || name.split_once("/$").is_some_and(|(user, name)| {
            variable(user) && variable(name.split('@').next().unwrap_or_default())
        })
        || name.strip_prefix("$$").is_some_and(in_compose)
        // `$PW@db`
        || name.strip_prefix('$').and_then(|name| name.split_once('@')).is_some_and(|(name, _)| in_compose(name))
        || value
            .strip_prefix('@')
            .is_some_and(|name| variable(name) && !name.starts_with(|c: char| c.is_ascii_digit()) && !is_leet_name(name) && !is_leet_word(value))
        || value.strip_prefix('%').and_then(|v| v.strip_suffix('%')).is_some_and(variable)
    };
    // Without a digit, a text that is not a word is far more often `Stripe's`, `a?b=c` or `if(x)` than a password.
    let hard = |c: char| "!#$%^*+@~|&".contains(c);
    let plain = || !value.contains(|c: char| c.is_ascii_digit() || hard(c));
    let marks = || value.contains(|c: char| !c.is_alphanumeric() && !"-_./: ".contains(c));
    (signs.has_any(b"$@%") && referred())
        || is_glued(value)
        || is_built_on(value)
        || is_format(value)
        || (signs.has(b'@') && (is_release(value) || is_place(value)))
        || value.strip_prefix("\\\\").is_some_and(|path| path.contains('\\'))
        || PROMPTS.contains(&value.trim_end_matches('='))
        || (signs.has(b'/') && (value.contains("/resourceGroups/") || value.contains("/providers/")))
        || (plain() && marks() && !is_padded(value))
        || (signs.has(b'"') && (value.contains("\\\"") || value.contains("\":")))
        || value.starts_with(['<', '~'])
        || (value.starts_with('/') && !is_base64(value))
        || is_braced(value)
        || value.starts_with("./")
        || value.starts_with("--")
        || is_option(value)
        // httpie's `password=@/run/secrets/db`, and sqlplus's `app@//db1:1521/orders`
        || (signs.has(b'@') && (value.starts_with("@/") || value.contains("@//")))
        // keytool's `-storepass:env NAME`
        || matches!(value, ":env" | ":file")
        // wpa_supplicant's `psk=ext:home`
        || value.starts_with("ext:")
        || value.starts_with("$2")
        || (value.starts_with('.') && value.len() <= 5) // `.p12`
        || ["SHA256:", "sha256:", "MD5:"].iter().any(|digest| value.starts_with(digest))
        || (signs.has(b'(')
            && (value.ends_with(')') || value.contains("(\"") || value.contains("('")))
        || (signs.has(b'_') && is_attribute(value))
        || is_service_token(value)
        || is_description(bare)
        || is_placeholder(value)
        || (is_reference(value) && !is_tangled(value))
}

/// `NXckKkdKbEQhPSpOMQ==`: base64 with its padding, and letters of both cases where no word has them.
fn is_padded(value: &str) -> bool {
    const LEAST_BYTES: usize = 12;
    let body = value.trim_end_matches('=');
    body.len() < value.len()
        && value.len() >= LEAST_BYTES
        && value.len().is_multiple_of(4)
        && body.bytes().all(|b| b.is_ascii_alphanumeric() || b"+/".contains(&b))
        && body.bytes().skip(1).filter(u8::is_ascii_uppercase).count() > 2
        && body.bytes().filter(u8::is_ascii_lowercase).count() > 2
}

/// `/pCiPTPdU0Rhh/UVzV86pM3n5qirZcZc`: not a path.
fn is_base64(value: &str) -> bool {
    const LEAST_BYTES: usize = 20;
    let part = value.trim_start_matches('/').trim_end_matches('=');
    let any = |f: fn(&u8) -> bool| part.as_bytes().iter().filter(|b| f(b)).count();
    part.len() >= LEAST_BYTES
        && part.bytes().all(|b| b.is_ascii_alphanumeric() || b"+/".contains(&b))
        && any(u8::is_ascii_digit) > 1
        && any(u8::is_ascii_uppercase) > 3
        && any(u8::is_ascii_lowercase) > 3
        && part.split('/').any(|part| part.len() > 8 && (!is_wordy(part) || is_random(part)))
}

/// `{{ name }}`, `[a-z]`, `{plain`: not `{x9]Q[v}7(&)k`.
fn is_braced(value: &str) -> bool {
    let random = || {
        value.contains(|c: char| c.is_ascii_digit()) && value.contains(|c| "#&!%^$@*".contains(c))
    };
    value.starts_with(['{', '[']) && (value.ends_with(['}', ']']) || !random())
}

/// `{x9]Q[v}7(&)k`: brackets that do not belong together, among letters and digits.
fn is_tangled(value: &str) -> bool {
    let kinds =
        ["()", "[]", "{}"].iter().filter(|pair| value.contains(|c| pair.contains(c))).count();
    kinds == 3
        && value.len() <= 24
        && !value.contains(['$', '"', '\''])
        && value.contains(|c: char| c.is_ascii_digit())
}

/// `%env(DB_PASSWORD)%`, `%(password)s`, `%d/dbpass`: what a program or systemd fills in.
fn is_format(value: &str) -> bool {
    let Some(rest) = value.strip_prefix('%') else { return false };
    let name = |text: &str| {
        !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"_:.-".contains(&b))
    };
    let called = |rest: &str, close: char| {
        rest.split_once(close).is_some_and(|(text, end)| name(text) && end.len() <= 1)
    };
    let path = rest.get(1..).and_then(|rest| rest.strip_prefix('/'));
    let inner = rest.trim_start_matches(|c: char| c.is_ascii_lowercase());
    inner.strip_prefix('(').is_some_and(|rest| called(rest, ')'))
        || rest.strip_prefix('{').is_some_and(|rest| called(rest, '}'))
        || (rest.starts_with(|c: char| c.is_ascii_alphabetic())
            && path.is_some_and(|path| path.split('/').all(name)))
}

/// `login-action@v3`: a version of something, or a commit of it.
fn is_release(text: &str) -> bool {
    const COMMIT_BYTES: usize = 40;
    text.rsplit_once('@').is_some_and(|(_, version)| {
        let number = version.strip_prefix('v').unwrap_or_default();
        (!number.is_empty() && number.bytes().all(|b| b.is_ascii_digit() || b == b'.'))
            || (version.len() == COMMIT_BYTES && version.bytes().all(|b| b.is_ascii_hexdigit()))
    })
}

/// `backup@nas:/data`: a path on a server.
fn is_place(value: &str) -> bool {
    value.split_once(":/").is_some_and(|(target, _)| {
        let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b"-_.@".contains(&b);
        target.contains('@') && target.bytes().all(plain)
    })
}

/// `-execute`: the next option, after an empty argument.
fn is_option(value: &str) -> bool {
    const LEAST_BYTES: usize = 5;
    value.strip_prefix('-').is_some_and(|name| {
        name.len() >= LEAST_BYTES && name.bytes().all(|b| b.is_ascii_lowercase()) && is_wordy(name)
    })
}

/// `-p"$PW`: an option with a variable.
fn is_glued(value: &str) -> bool {
    let argument = value.strip_prefix('-').and_then(|option| option.get(1..));
    argument.is_some_and(|argument| {
        let name = argument.trim_start_matches('"').strip_prefix('$');
        name.is_some_and(|name| name.starts_with(|c: char| c.is_ascii_uppercase() || c == '{'))
    })
}

/// `$REGISTRY_IMAGE:ea2d978a`, `$REG/shop:$TAG`: a tag or a path after a variable.
fn is_built_on(value: &str) -> bool {
    let Some(rest) = value.strip_prefix('$') else { return false };
    let Some((name, rest)) = rest.split_once(['/', ':']) else { return false };
    let variable = name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_');
    variable && rest.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-/:${}".contains(&b))
}

/// `shop-token-9san1`: how Kubernetes names the secret of a service account.
fn is_service_token(value: &str) -> bool {
    const END_BYTES: usize = 5;
    let name = value.len().checked_sub(END_BYTES).and_then(|at| value.get(..at));
    name.is_some_and(|name| {
        let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
        name.ends_with("-token-") && value.bytes().all(plain)
    })
}

/// `data.aws_secret_version.db.secret_string`: an identifier in a program, with an underscore and three or more parts.
fn is_attribute(value: &str) -> bool {
    let parts = value.split('.');
    let name = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_lowercase())
            && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
    };
    parts.clone().count() >= 3 && parts.clone().all(name)
}

/// Addresses, dates, sizes, versions, files, ids of resources.
pub fn is_thing(value: &str, kinds: Kinds) -> bool {
    let lower = value.to_ascii_lowercase();
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if is_named_thing(&lower)
        || is_size(value)
        || is_date_or_version(&lower)
        || (is_address(lower.trim_end_matches(['?', '!']))
            && !is_dotted_password(value)
            && !is_scrambled(value))
        || is_uuid(&lower)
    {
        return true;
    }
    let Some((kind, id)) = lower.rsplit_once('-') else { return false };
    // `i-0abc…`, `vpc-0abc…`, `OPS-1234`, `e2-standard-4`
    let resource = kind.len() <= 8 && (8..=17).contains(&id.len()) && is_hex(id);
    let ticket = digits(id) && kind.bytes().all(|b| b.is_ascii_lowercase()) && kinds.lower == 0;
    kinds.symbol == 0 && (resource || ticket)
}

/// `me@example.org`, `git@10.0.0.1`, `db.example.org:5432`, `2001:db8::1`
fn is_address(value: &str) -> bool {
    let host = |host: &str| {
        let name = host.split(['/', ':']).next().unwrap_or_default();
        let last = name.rsplit('.').next().unwrap_or_default();
        let labels = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '.';
        let ip = name.bytes().all(|b| b.is_ascii_digit() || b == b'.');
        name.contains('.')
            && name.chars().all(labels)
            && (ip
                || ((2..=12).contains(&last.len())
                    && last.bytes().all(|b| b.is_ascii_lowercase())
                    && !is_dotted_phrase(name)))
    };
    let ipv6 = value.bytes().filter(|b| *b == b':').count() > 2
        && value.bytes().all(|b| b.is_ascii_hexdigit() || b":./".contains(&b));
    match value.rsplit_once('@') {
        Some((user, at)) => {
            // Not an address: `jHa?!pI5y@kaB.Svx`
            !user.contains([':', '?', '!', '#', '$', '%', '^', '&', '*'])
                && (host(at) || at == "localhost")
        }
        None => ipv6 || host(value),
    }
}

/// `AzFavd@CTpYGbhG7TR.gWeKf`: what would be a host goes from small to capital letters three times.
fn is_scrambled(value: &str) -> bool {
    let turn = |of: &[u8]| of[0].is_ascii_lowercase() && of[1].is_ascii_uppercase();
    let host = value.split_once('@').map_or("", |(_, host)| host);
    host.as_bytes().windows(2).filter(|of| turn(of)).count() > 2
}

pub fn is_uuid(value: &str) -> bool {
    value.len() == 36
        && value.bytes().enumerate().all(|(i, b)| match i {
            8 | 13 | 18 | 23 => b == b'-',
            _ => b.is_ascii_hexdigit(),
        })
}
