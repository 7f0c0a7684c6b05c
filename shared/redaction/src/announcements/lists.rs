//! Finds passwords in a list of names with their passwords, below a heading that says so.

use super::signs::Sign;
use super::{COMPARED_BYTES, Line, fits, is_made_up, trim};
use crate::grammar::{is_plain, is_tool};
use crate::names::is_opened;
use crate::talk::{is_listed, says};
use crate::weight::{MIN_BYTES, Weight, weigh};
use crate::words::{FIRST_USERS, folded, lists};
use crate::{Raw, SecretKind};
use std::collections::HashSet;
use std::ops::Range;

/// Words of a heading that announces several passwords.
const HEADINGS: [&str; 22] = [
    "passwords",
    "passphrases",
    "passwörter",
    "kennwörter",
    "passwoerter",
    "kennwoerter",
    "contraseñas",
    "contrasenas",
    "claves",
    "mots de passe",
    "wachtwoorden",
    "senhas",
    "hasła",
    "hasla",
    "le password",
    "delle password",
    "pws",
    "mdps",
    // PgBouncer's file of users
    "userlist.txt",
    // rsync's file of users, and Exim's
    "rsyncd.secrets",
    "passwd.client",
    "sasl_passwd",
];
/// Titles above users with their passwords.
const LOGINS: [&str; 14] = [
    "logins",
    "login",
    "credentials",
    "creds",
    "zugänge",
    "zugangsdaten",
    "anmeldedaten",
    "credenciales",
    "accesos",
    "identifiants",
    "accès",
    "credenziali",
    "accessi",
    "acessos",
];
/// The longest of them, in bytes.
const HEADING_BYTES: usize = 14;
/// Words of a heading above accounts, of which one has a password that was found.
const ACCOUNTS: [&str; 17] = [
    "accounts",
    "logins",
    "users",
    "mailboxes",
    "konten",
    "zugänge",
    "benutzer",
    "postfächer",
    "cuentas",
    "usuarios",
    "buzones",
    "comptes",
    "utilisateurs",
    "boîtes",
    "utenti",
    "contas",
    "konta",
];
/// Parts of headings that say how passwords must be, or where they are.
const OTHERS: [&str; 34] = [
    "polic",
    "rule",
    "requirement",
    "must",
    "should",
    "never",
    " are ",
    " is ",
    " have ",
    "vault",
    "manager",
    "reset",
    "rotat",
    "regel",
    "richtlinie",
    "anforderung",
    " sind ",
    "müssen",
    "soll",
    " son ",
    " deben ",
    "requisit",
    " sont ",
    "doivent",
    "règle",
    " sono ",
    "devono",
    "regole",
    " zijn ",
    "moeten",
    " são ",
    "devem",
    " są ",
    "muszą",
];
/// Signs between a name and its password.
const SIGNS: [&str; 12] =
    [" / ", ": ", " = ", " - ", " – ", " -> ", " → ", "\t", ", ", "=", " ", ":"];
/// Departments and teams, folded.
const DEPARTMENTS: &str = "marketing sales finance accounting billing support engineering development operations legal purchasing logistics      management research design product security hr helpdesk frontend backend vertrieb buchhaltung einkauf personal verkauf lager      entwicklung geschaftsfuhrung ventas contabilidad compras finanzas logistica soporte desarrollo comptabilite ventes achats direction      finances vendite contabilita acquisti amministrazione contabilidade vendas financeiro suporte";
/// The most words of a name, and of an item with its sign and its password.
const NAME_WORDS: usize = 3;
const ITEM_WORDS: usize = NAME_WORDS + 4;
/// How many empty lines may be below the heading.
const EMPTY_LINES: usize = 1;

/// `- name / value`, `2. name: value`, `name value`: the sign and the place of the value.
fn item(line: &Line) -> Option<(&'static str, Range<usize>)> {
    // Most lines are sentences.
    if line.text.len() > COMPARED_BYTES || line.words().nth(ITEM_WORDS).is_some() {
        return None;
    }
    let text = line.text.trim_start().trim_start_matches(['-', '*', '•']);
    let bare = text.trim_start().trim_start_matches(|c: char| c.is_ascii_digit());
    let text = bare.strip_prefix(['.', ')']).unwrap_or(text).trim();
    let (sign, at) = SIGNS.iter().find_map(|sign| Some((*sign, text.find(sign)?)))?;
    let (name, value) = (text[..at].trim(), trim(&text[at + sign.len()..]));
    let plain = !value.contains([' ', '\t'])
        && (1..=NAME_WORDS).contains(&name.split_whitespace().count())
        && value.len() >= 4;
    plain.then(|| (sign, line.span(value)))
}

/// Whether a line is a heading above passwords.
fn heads(line: &Line) -> bool {
    let text = line.lower.trim_end_matches([' ', '*', '\r']);
    (text.ends_with(':') || (text.len() <= HEADING_BYTES && HEADINGS.contains(&text)))
        && text.len() <= COMPARED_BYTES
        && HEADINGS.iter().any(|heading| text.contains(heading))
        && !OTHERS.iter().any(|other| outside(text).any(|part| part.contains(other)))
}

/// A text without what it says in brackets: "passwords (please move them to the vault)".
fn outside(text: &str) -> impl Iterator<Item = &str> {
    text.split('(').enumerate().map(|(at, part)| match part.split_once(')') {
        Some((_, rest)) if at > 0 => rest,
        _ => part,
    })
}

/// Passwords in Spanish, anywhere in a line.
pub(super) const KEYS: [&str; 1] = ["claves"];

/// Whether a list of passwords may follow, although the line has no word for one.
pub(super) fn begins(line: &Line) -> bool {
    line.signs.has(Sign::Keys)
        || heads(line)
        || (line.text.ends_with(':') && (of_accounts(line) || is_title(line)))
}

/// Whether a line is nothing but a title above logins.
fn is_title(line: &Line) -> bool {
    LOGINS.contains(&line.lower.trim_end_matches([' ', '*', '\r', ':']))
}

fn of_accounts(line: &Line) -> bool {
    let title = line.lower.trim_end_matches([' ', '*', '\r']);
    title.ends_with(':')
        && title.len() <= COMPARED_BYTES
        && ACCOUNTS.iter().any(|word| title.contains(word))
}

/// The values of lists below a heading, and the other values of a list in which one was found.
pub(super) fn values(lines: &[Line], found: &[Raw]) -> Vec<Range<usize>> {
    let is_found = |span: &Range<usize>| {
        let next = found.partition_point(|raw| raw.span.end <= span.start);
        found
            .get(next)
            .is_some_and(|raw| raw.span.start < span.end && raw.kind == SecretKind::Password)
    };
    // A heading is the line above, or the line above an empty one.
    let headed = |at: usize| {
        let above = &lines[at.saturating_sub(EMPTY_LINES + 1)..at];
        above.iter().any(|line| line.speaks || line.text.contains(':'))
    };
    let mut more = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let Some((sign, first)) = Some(at).filter(|at| headed(*at)).and_then(|at| item(&lines[at]))
        else {
            at += 1;
            continue;
        };
        let mut values = vec![(&lines[at], first)];
        let rest = lines[at + 1..].iter().map_while(|line| {
            item(line).filter(|(other, _)| *other == sign).map(|(_, span)| (line, span))
        });
        values.extend(rest);
        let mut above = lines[..at].iter().rev();
        let heading = above.clone().next().filter(|line| !line.text.trim().is_empty());
        let heading = heading.or_else(|| above.nth(EMPTY_LINES));
        at += values.len();
        let Some(heading) = heading.filter(|_| values.len() > 1) else { continue };
        let value = |line: &Line<'_>, span: &Range<usize>| {
            line.text[span.start - line.start..span.end - line.start].to_owned()
        };
        let known = values.iter().any(|(_, span)| is_found(span));
        let made = || {
            values.iter().map(|(line, span)| value(line, span)).any(|value| {
                weigh(&value) >= Weight::Fair
                    || (is_made_up(&value) && value.contains(char::is_uppercase))
            })
        };
        // A list with spaces between names and values needs a heading: most lines of two words are not entries.
        let speaks = heading.speaks && known && sign != " ";
        let accounts = of_accounts(heading)
            && known
            && sign != " "
            && values.iter().all(|(line, span)| is_mixed(&value(line, span)));
        // "Passwords:" alone, and below it "db = walnut": each name says what its password opens.
        let plain = || {
            let title = heading.lower.trim_end_matches([' ', '*', '\r', ':']);
            HEADINGS.contains(&title)
                && values.iter().all(|(line, span)| is_opened_by(line, span, &value(line, span)))
        };
        let entries = || is_plain_list(heading, sign, &values);
        if !speaks && !accounts && !(heads(heading) && (known || made() || plain())) && !entries() {
            continue;
        }
        for (line, span) in values {
            let value = value(line, &span);
            // In a file of users, no line describes a password: "granizado" is one.
            let described = if sign == ":" { is_listed(&value) } else { says(&value).is_some() };
            if !is_found(&span) && fits(&value) && !described {
                more.push(span);
            }
        }
    }
    more
}

/// Whether a title alone says that entries with plain words follow: "Logins:" and below it `anna / walnut`.
///
/// Each entry has another word, because roles, teams and states repeat. One word for a department makes all of them
/// departments.
fn is_plain_list(heading: &Line, sign: &str, values: &[(&Line, Range<usize>)]) -> bool {
    let title = heading.lower.trim_end_matches([' ', '*', '\r', ':']);
    let passwords = HEADINGS.contains(&title);
    // `anna: monday` may be a duty, and with only a space between them `rotate quarterly` is advice.
    let joint = match sign {
        " " => passwords && values.iter().all(|(line, span)| is_machine(line, span)),
        ": " | " - " | " – " => passwords,
        _ => passwords || LOGINS.contains(&title),
    };
    let mut known = HashSet::new();
    joint
        && values.iter().all(|(line, span)| {
            let at = span.start - line.start;
            let value = &line.text[at..span.end - line.start];
            if lists(DEPARTMENTS, &folded(value)) {
                return false;
            }
            let name = line.text[..at].trim_matches(|c: char| !c.is_alphanumeric());
            let short = name.len() < MIN_BYTES;
            let own = short || is_plain(name) || is_opened(name) || is_machine(line, span);
            own && !name.contains(' ') && is_plain(value) && !is_tool(value) && known.insert(value)
        })
}

/// Whether a word with a number, as machines are named, or a user that each machine has comes before a value.
fn is_machine(line: &Line, span: &Range<usize>) -> bool {
    let name = line.lower[..span.start - line.start].trim_matches(|c: char| !c.is_alphanumeric());
    let numbered = name.starts_with(char::is_alphabetic)
        && name.ends_with(|c: char| c.is_ascii_digit())
        && !name.contains(' ');
    numbered || lists(FIRST_USERS, name)
}

/// Whether the name before a value is that of something that a password opens, and the value is a plain word or words
/// with a number.
fn is_opened_by(line: &Line, span: &Range<usize>, value: &str) -> bool {
    let name = line.lower.get(..span.start - line.start).unwrap_or_default();
    let name = name.trim_matches(|c: char| !c.is_alphanumeric());
    let bare = value.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches(['_', '-']);
    (is_opened(name) || lists(FIRST_USERS, name) || name == "cache")
        && is_plain(bare)
        && !is_tool(bare)
}

/// Whether a value has more than lower-case letters after its first letter: a password, and not the role of an account.
fn is_mixed(value: &str) -> bool {
    value.chars().skip(1).any(|c| !c.is_lowercase())
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn the_heading_of_a_list_says_that_it_has_passwords() {
        seals(&[
            (
                "mots de passe :\n- wiki = Lavande_5\n- mail = jonquille",
                &["Lavande_5", "jonquille"],
            ),
            (
                "in /etc/rsyncd.secrets there is:\nbackup:kX7mq_LoPs9dWm\nmirror:tostado",
                &["kX7mq_LoPs9dWm", "tostado"],
            ),
            (
                "Kennwörter:\n1. Firewall: Fuchs-im-Bau!\n2. Switch: iltis22",
                &["Fuchs-im-Bau!", "iltis22"],
            ),
            (
                "Passwords (not for the vault):\ngrafana Loris&2\nloki tarsier",
                &["Loris&2", "tarsier"],
            ),
        ]);
        seals(&[
            ("Passwörter:\ndb = Linde\nredis = Eiche", &["Linde", "Eiche"]),
            ("contraseñas\n* db: roble_1\n* web: pino_2", &["roble_1", "pino_2"]),
            ("passwords:\nweb1 alpha-Dog\nweb2 tulip", &["alpha-Dog", "tulip"]),
            ("passwords:\nanna: tulip\nbernd: daisy", &["tulip", "daisy"]),
            ("Logins:\nanna / erdbeere\nbernd / himbeere", &["erdbeere", "himbeere"]),
            ("accesos:\nana:girasol\nluis:mariposa", &["girasol", "mariposa"]),
        ]);
        seals(&[
            (
                "accounts for the workshop:\nstudent1 / zL5wD3XS\nstudent2 / QLaGgGcE",
                &["zL5wD3XS", "QLaGgGcE"],
            ),
            (
                "users for the new mail server:\ninfo@example.com: amber-walnut-66-thunder\nsales@example.com: \
                 RFktI8m6mvWhYWvOGaJ",
                &["amber-walnut-66-thunder", "RFktI8m6mvWhYWvOGaJ"],
            ),
            (
                "userlist.txt for pgbouncer:\n\"vera\" \"iXh9OW-S6H0oQ-rHSt\"\n\"stats\" \"xxjEX9-ppEEI1\"",
                &["iXh9OW-S6H0oQ-rHSt", "xxjEX9-ppEEI1"],
            ),
        ]);
        for text in [
            "accounts of the shop:\nann / Admin\nbob / viewer",
            "Passwords:\n- minimum: twelve\n- history: five",
            "Passwords:\n- db: rotate\n- redis: vault",
            "Passwords:\nrotate quarterly\navoid reuse",
            "Logins:\nanna: monday\nbernd: tuesday",
            "Logins:\nanna / marketing\nbernd / marketing",
            "Logins:\nanna / marketing\nbernd / lantern",
            "Logins:\nanna / Vertrieb\nbernd / Einkauf",
            "Logins:\n- grafana / sso\n- jenkins / ldap",
            "Passwords are in the vault:\n- web: web-01\n- db: db-02",
            "Passwords and where to find them:\n- web: vault/web\n- db: vault/db",
        ] {
            assert_eq!(redacted(text), text);
        }
    }
}
