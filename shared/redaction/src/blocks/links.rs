//! Finds the codes of links that sign somebody in: to reset a password, to accept an invitation, to log in without a
//! password.

use crate::Raw;
use crate::SecretKind::Token;
use crate::places::places;
use crate::things::is_uuid;
use crate::weight::{Weight, is_hex, is_random, weigh};
use crate::words::{Table, lists};
use std::ops::Range;
use std::sync::OnceLock;

/// The longest address that is read, in bytes.
const ADDRESS_BYTES: usize = 1024;
/// The most parts of a path, and parameters.
const PARTS: usize = 24;
/// Lengths of a code, in bytes.
const CODE_BYTES: Range<usize> = 20..513;
/// The longest user in the path of a link, in bytes.
const USER_BYTES: usize = 8;
/// The longest name behind a code in the path of a link, in bytes.
const NAME_BYTES: usize = 16;
/// The longest part of a path that may be one of them, in bytes.
const DOOR_BYTES: usize = 32;
/// Parts of a path, without their joints, at which a code signs somebody in.
const DOORS: &str = "reset resetpassword passwordreset setpassword newpassword changepassword forgotpassword recover recovery password \
     magic magiclink magiclogin emaillogin loginlink signinlink login signin verify verifyemail confirm confirmation confirmemail \
     activate activation invite invites invitation invitations acceptinvite acceptinvitation join onboarding unlock passwordless onetimelogin \
     einladung zurucksetzen passwortzurucksetzen aktivieren invitacion activar restablecer reinitialiser activer invito reimposta convite \
     redefinir uitnodiging zaproszenie reinitialisation reinitialisermotdepasse motdepasseoublie motdepasse lostpassword forgotten forgot \
     passwortvergessen neuespasswort passwort kennwortvergessen recuperar recuperarclave restablecercontrasena contrasena clave olvido \
     recuperacion reimpostazione verifica verificar verifier bestatigen bestaetigen";
/// Parts of a path between a door and a code: `reset/form/4f…`.
const BETWEEN: &str =
    "form new neu nuevo nueva nouveau nouvelle confirm token code link step change set do v1";
/// Parameters that have the code there.
const CODES: &str = "code token t k c key otp ticket secret hash sig signature oobcode confirmation invite invitation jwt";
/// How a parameter begins that has a code at any path: `reset_password_token`.
const TOKENS: &str = "reset resetpassword password confirmation confirm invitation invite unlock login signin magic magiclink activation \
     verification passwordreset onetime";

/// The codes of such links. None crosses a wall.
pub fn find(text: &str, walls: &[Range<usize>]) -> Vec<Raw> {
    const MARK: &str = "://";
    // An address in the parameters of another is read with it.
    let (mut found, mut read) = (Vec::new(), 0);
    for at in places(text, MARK) {
        let start = at + MARK.len();
        if start < read {
            continue;
        }
        let next = walls.partition_point(|wall| wall.end <= start);
        let wall = walls.get(next).map_or(text.len(), |wall| wall.start);
        let until = text.floor_char_boundary(start + ADDRESS_BYTES).min(wall);
        let Some(rest) = text.get(start..until) else { continue };
        let ends = |c: char| c.is_whitespace() || "\"'`<>)|\\".contains(c);
        let address = &rest[..rest.find(ends).unwrap_or(rest.len())];
        read = start + address.len();
        let address = address.trim_end_matches(['.', ',', ';', '!', '?']);
        let place = |part: &str| part.as_ptr() as usize - text.as_ptr() as usize;
        let found_here = code(address).map(|code| place(code)..place(code) + code.len());
        found.extend(found_here.map(|span| Raw::sure(span, "LOGIN_CODE", Token)));
    }
    found
}

/// The code of an address, without its scheme.
fn code(address: &str) -> Option<&str> {
    let (page, query) = address.split_once(['?', '#']).unwrap_or((address, ""));
    let (_, path) = page.split_once('/')?;
    let path = path.trim_end_matches('/');
    if let Some(code) = pushed(path).or_else(|| private(path)) {
        return Some(code);
    }
    let door = path.split('/').take(PARTS).any(is_door);
    // `reset/5v2-…/anna`: a user or a step may follow the code.
    let behind = |skipped: usize| behind_door(path.rsplit('/').skip(skipped));
    let shown = |name: &str| name.len() <= NAME_BYTES && !name.contains('.');
    let end = path.rsplit('/').next().is_some_and(shown);
    if let Some(code) = behind(0).or_else(|| behind(1).filter(|_| end)) {
        return Some(code);
    }
    query.split(['&', '#', '?']).take(PARTS).find_map(|field| {
        let (name, value) = field.split_once('=')?;
        let name = joined(name);
        let named = name.strip_suffix("token").is_some_and(|what| lists(TOKENS, what));
        ((named || (door && lists(CODES, &name))) && is_code(value)).then_some(value)
    })
}

/// The code in the address of a calendar or a feed: `ical/kim%40example.org/private-6370354e…/basic.ics`.
fn private(path: &str) -> Option<&str> {
    let mut parts = path.split('/').take(PARTS);
    parts.find_map(|part| part.strip_prefix("private-").filter(|code| is_code(code)))
}

/// The code of an address that takes what a monitor sends: `status.example.org/api/push/q5jSjbZMRk`. It is short.
fn pushed(path: &str) -> Option<&str> {
    const CODE_BYTES: Range<usize> = 10..33;
    let code = path.strip_prefix("api/push/")?;
    let has = |kind: fn(&u8) -> bool| code.bytes().any(|b| kind(&b));
    let mixed = has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase);
    let plain = code.bytes().all(|b| b.is_ascii_alphanumeric());
    (CODE_BYTES.contains(&code.len()) && plain && mixed).then_some(code)
}

/// The code at the end of a path, given from its end, behind a door.
fn behind_door<'p>(mut back: impl Iterator<Item = &'p str>) -> Option<&'p str> {
    let (last, before) = (back.next()?, back.next()?);
    // `reset/MQ/5v2-…`: the user comes before the code.
    let user = before.len() <= USER_BYTES && before.contains(|c: char| !c.is_ascii_lowercase());
    let between = user || lists(BETWEEN, before);
    let behind = is_door(before) || (between && back.next().is_some_and(is_door));
    Some(last).filter(|last| behind && is_code(last))
}

fn is_door(part: &str) -> bool {
    static TABLE: OnceLock<Table<()>> = OnceLock::new();
    (part.len() <= DOOR_BYTES)
        && TABLE.get_or_init(|| Table::listed(DOORS)).get(&joined(part)).is_some()
}

/// A part of an address in lower case and without its joints: `Reset-Password` becomes `resetpassword`.
fn joined(part: &str) -> String {
    let letters = part.chars().filter(char::is_ascii_alphanumeric);
    letters.map(|c| c.to_ascii_lowercase()).collect()
}

/// Whether a text has capitals where no words have them. A short code may have too few digits to be random.
fn is_made(value: &str) -> bool {
    weigh(value) == Weight::Strong
        && value.bytes().all(|b| b.is_ascii_alphanumeric())
        && value.bytes().filter(u8::is_ascii_uppercase).count() > 3
}

/// Whether a machine made a text, which is then not the name of a page: `how-to-invite-people-2024`.
fn is_code(value: &str) -> bool {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-_.%".contains(&b);
    CODE_BYTES.contains(&value.len())
        && value.bytes().all(plain)
        && (is_uuid(value) || is_hex(value) || is_random(value) || is_made(value))
}

#[cfg(test)]
mod tests {
    use crate::tests::found;

    const CODE: &str = "dkbJuJBw1tBNGiIfvQJ27cOXnnJ3uOukT8Yk";
    const HEX: &str = "9b1f0c27d4e86a35f0a1c2d3e4b59687";

    #[test]
    fn the_code_of_a_private_calendar_is_found() {
        let text =
            format!("https://calendar.example.org/ical/kim%40example.org/private-{HEX}/basic.ics");
        assert_eq!(found(&text), [HEX]);
    }

    #[test]
    fn the_code_of_a_sign_in_link_is_found() {
        for path in [
            "reset?code=",
            "auth/magic-link?lang=de&code=",
            "users/password/edit?reset_password_token=",
            "sign-in?ticket=",
            "invite/",
            "magic-login/",
            "reset/MQ/",
            "account/reset_password/",
            "app#confirmation_token=",
        ] {
            for code in [CODE, HEX] {
                let text = format!("open https://shop.example.org/{path}{code}.");
                assert_eq!(found(&text), [code], "{text}");
            }
        }
    }

    #[test]
    fn other_parts_of_an_address_stay() {
        for text in [
            format!("https://docs.example.org/articles/{HEX}/how-to-reset-a-password"),
            format!("https://shop.example.org/verify?order={HEX}"),
            format!("https://shop.example.org/orders?code={HEX}"),
            format!("https://git.example.org/acme/login/commit/{HEX}"),
            format!("https://cdn.example.org/signin/{HEX}/logo.png"),
            "https://shop.example.org/reset?code=expired_or_invalid_link".to_owned(),
            "https://shop.example.org/invite/how-to-invite-people-2024".to_owned(),
        ] {
            assert_eq!(found(&text), [""; 0], "{text}");
        }
    }
}
