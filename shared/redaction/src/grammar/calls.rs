//! Finds passwords among the arguments of a function: `smtp.login("kim", "⟦walnut⟧")`, `new PDO(dsn, 'app',
//! '⟦walnut⟧')`.
//!
//! A function that signs in, opens a connection or hashes takes the password in a fixed position, and its name is the
//! only word that says so. The argument must be a string: a name of a variable is not a secret.

use super::Reader;
use super::plain::is_tool;
use crate::talk::says;
use crate::weight::{Weight, weigh};
use crate::words::{Role, Table, folded, role};
use crate::{Raw, SecretKind, blocks, names};
use std::ops::Range;
use std::sync::OnceLock;

/// How much of a call is read, in bytes.
const CALL_BYTES: usize = 320;

/// For each position, counted from zero, the functions that take a password there.
static CALLS: [(usize, &str); 4] = [
    (
        0,
        "hashpw password_hash set_password setpassword generate_password_hash make_password password_verify \
         buffer.from getbytes btoa b64encode base64encode base64_encode tobase64 encodetostring \
         passwordcredential withpassword with_password sethttpbasicpassword hash_password fernet hashsync hmac.new aes.new secretkeyspec",
    ),
    (
        1,
        "login ftp_login networkcredential pscredential usernamepasswordcredentials usernamepasswordcredential \
         passwordauthentication httpbasicauth httpdigestauth basicauth basic_auth basicauthentication \
         addbasicauth setbasicauth basic set_basic_auth auth authenticate basiccredentials plainauthenticator \
         plaintextauthprovider plain_auth userauth_password username_pw_set auth_basic setcredentials setauth \
         withcredentials with_credentials basiccreds useraccount createhmac jwt.sign jwt.verify jwt.encode \
         jwt.decode pgp_sym_encrypt pgp_sym_decrypt aes_encrypt aes_decrypt hmacsha1 hmacsha256 hmacsha512",
    ),
    (
        2,
        "pdo getconnection mysqli mysqli_connect mysql_connect pg_connect create_superuser create_user plainauth \
         smtp.plainauth ssh2_auth_password real_connect mysqli_real_connect oci_connect odbc_connect ldap_bind \
         setdatasource createdatasource connect_db hash_hmac",
    ),
    (3, "mysql_real_connect connect"),
];

/// Functions that take a user and a password in one string.
const PAIRS: [&str; 8] = [
    "buffer.from",
    "getbytes",
    "btoa",
    "b64encode",
    "base64encode",
    "base64_encode",
    "tobase64",
    "encodetostring",
];

/// Functions that set the value of a name: `props.setProperty("mail.password", "⟦walnut⟧")`.
const SETTERS: [&str; 9] = [
    "setproperty",
    "addproperty",
    "set",
    "put",
    "setenv",
    "putstring",
    "setconfig",
    "setparameter",
    "setattribute",
];

fn position(name: &str) -> Option<usize> {
    static TABLE: OnceLock<Table<usize>> = OnceLock::new();
    let pairs =
        || CALLS.into_iter().flat_map(|(at, names)| names.split_whitespace().map(move |n| (n, at)));
    TABLE.get_or_init(|| Table::of(pairs())).get(name)
}

impl Reader<'_> {
    /// Takes the password among the arguments of the function whose name, in lower case, ends here.
    pub(super) fn call(&mut self, name: &str, end: usize) -> bool {
        let rest = &self.open()[end..];
        // Most words of a text are not followed by a bracket.
        let Some(open) = opening(rest) else { return false };
        let last = name.rsplit('.').next().unwrap_or_default();
        let set = || {
            let named = argument(rest, open, 0).is_some_and(|key| is_key(&rest[key]));
            (SETTERS.contains(&last) && named).then_some(1)
        };
        let Some(at) = position(name).or_else(|| position(last)).or_else(set) else { return false };
        let Some(span) = argument(rest, open, at) else { return false };
        // `base64("kim:walnut")`
        let pair = PAIRS.contains(&last) || PAIRS.contains(&name);
        let user = if pair { rest[span.clone()].find(':').map(|user| user + 1) } else { Some(0) };
        let Some(user) = user else { return false };
        let span = span.start + user..span.end;
        let value = &rest[span.clone()];
        let own = weigh(value) >= Weight::Weak
            && says(value).is_none()
            && role(&folded(value)).is_none()
            && !is_tool(value)
            && !value.contains('{')
            && (!value.contains(' ') || is_grouped(value))
            && blocks::is_password(value);
        // `jwt.sign(payload, 'RS256')`
        let algorithm = value.len() == 5 && value[2..].bytes().all(|b| b.is_ascii_digit());
        if !own || algorithm {
            return false;
        }
        self.take(Raw::likely(end + span.start..end + span.end, "PASSWORD", SecretKind::Password));
        true
    }
}

/// `gouy ppvr ayqm qhej`: as mail services show the password of a program.
fn is_grouped(value: &str) -> bool {
    const GROUPS: usize = 4;
    let group = |part: &str| part.len() == 4 && part.bytes().all(|b| b.is_ascii_lowercase());
    value.split(' ').count() == GROUPS
        && value.split(' ').all(|part| group(part) && says(part).is_none())
}

/// Whether a name ends with a word for a password.
fn is_key(name: &str) -> bool {
    let tail = folded(&name[names::last_part(name)..]).into_owned();
    names::key(name, &tail, None) == Some(Role::Password)
}

/// Where the arguments begin: after `(`, `=(`, `: [`, `]::new(`.
fn opening(rest: &str) -> Option<usize> {
    const OPENINGS: [&str; 8] = ["(", "=(", " = (", ": [", "=[", "]::new(", "::new(", "::basic("];
    let first = rest.as_bytes().first()?;
    let spaced = *first == b' ' && !rest.starts_with(" = (");
    if spaced || !b"(=: ]".contains(first) {
        return None;
    }
    OPENINGS.iter().find(|open| rest.starts_with(**open)).map(|open| open.len())
}

/// The string in a position of the arguments that begin here.
fn argument(text: &str, from: usize, position: usize) -> Option<Range<usize>> {
    let text = &text[..text.floor_char_boundary(CALL_BYTES)];
    let bytes = text.as_bytes();
    let (mut at, mut passed, mut depth) = (from, 0, 0_usize);
    while at < bytes.len() {
        match bytes[at] {
            quote @ (b'"' | b'\'' | b'`') => {
                let start = at + 1;
                let length = bytes[start..].iter().position(|b| *b == quote || *b == b'\n')?;
                if bytes[start + length] == b'\n' {
                    return None;
                }
                at = start + length;
                if passed == position && depth == 0 {
                    return Some(start..at);
                }
            }
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' if depth == 0 => return None,
            b')' | b']' | b'}' => depth -= 1,
            b',' if depth == 0 => passed += 1,
            b';' | b'\n' if depth == 0 && passed == 0 => return None,
            _ => {}
        }
        at += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use crate::tests::found;

    #[test]
    fn a_function_takes_a_password_in_its_position() {
        for text in [
            "smtp.login(\"kim@example.org\", \"walnut\")",
            "$db = new PDO('mysql:host=db;dbname=shop', 'app', 'walnut');",
            "DriverManager.getConnection(\"jdbc:mysql://db/shop\", \"app\", \"walnut\")",
            "requests.get(url, auth=(\"kim\", \"walnut\"))",
            "new NetworkCredential(\"kim\", \"walnut\")",
            "bcrypt.hashpw(b\"walnut\", bcrypt.gensalt())",
            "props.setProperty(\"mail.smtp.password\", \"walnut\");",
            "System.setProperty(\"javax.net.ssl.keyStorePassword\", \"walnut\")",
            "config.set('db.password', 'walnut')",
            "const token = jwt.sign(payload, 'walnut', { expiresIn: '1h' });",
        ] {
            assert_eq!(found(text), ["walnut"], "{text}");
        }
        let grouped = "server.login(\"kim@example.org\", \"walw nutt qrst vwxz\")";
        assert_eq!(found(grouped), ["walw nutt qrst vwxz"]);
    }

    #[test]
    fn signs_in_a_row_do_not_join_a_name() {
        assert_eq!(found("jwt.sign(payload, '9--imxcl_.FV', {})"), ["9--imxcl_.FV"]);
    }

    #[test]
    fn a_variable_is_not_a_secret() {
        for text in [
            "smtp.login(user, password)",
            "new PDO($dsn, $user, $pass)",
            "login(\"page\", {title: \"Sign in\"})",
            "bcrypt.hashpw(password, salt)",
            "jwt.sign(payload, 'RS256')",
            "auth.login(username=\"kim\", otp=code)",
            "login('/login', \"Please sign in\")",
            "labels.put(\"password\", \"Kennwort\")",
            "cache.set(\"password_policy\", \"walnut\")",
            "env.put(\"DB_PASSWORD\", password)",
        ] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
    }
}
