//! Recognizes settings and options without their values: commented out, in a list of keywords, or left to fill in.

use super::{Place, announces, last_name};
use crate::words::lists;

/// Whether a value is such a setting or option.
pub(super) fn is_setting(place: &Place<'_>) -> bool {
    let Place { value, before, after, .. } = *place;
    is_commented(before, value, after)
        || is_keyword_of_sshd(place)
        || is_option(place)
        || is_filled_in(before, value)
        || is_of_environment(before, value)
        || is_of_other(place)
        // `bin/reset-password -u elastic`, `$mail->Port = 587`
        || value.split(' ').skip(1).any(is_flag)
        || (value.starts_with('$') && value.contains("->") && after.trim_start().starts_with('='))
        // A variable of AppArmor, an object as Ruby prints it
        || value.starts_with("@{")
        || value.contains("#<")
        // `- key: show_all_hosts`
        || (before.trim() == "- key:"
            && value.contains('_')
            && value.bytes().all(|b| b.is_ascii_lowercase() || b == b'_'))
}

/// `#HandlePowerKey=poweroff`, `#initdb_options = ''`: a setting that is commented out.
fn is_commented(before: &str, value: &str, after: &str) -> bool {
    let Some(setting) = value.strip_prefix('#') else { return false };
    let name = setting.split(['=', ':']).next().unwrap_or_default();
    let tied = name.len() < setting.len() || after.trim_start().starts_with(['=', ':']);
    let part = |b: u8| b.is_ascii_alphabetic() || b"_-.".contains(&b);
    let mut turns = name.as_bytes().windows(2);
    let turn = |of: &[u8]| of[0].is_ascii_lowercase() && of[1].is_ascii_uppercase();
    let joined = name.contains('_') || turns.any(turn);
    let pam = value.starts_with("#%PAM-");
    before.trim().is_empty()
        && (pam || (tied && joined && !name.is_empty() && name.bytes().all(part)))
}

/// `KbdInteractiveAuthentication no` on a line of its own: a setting of an SSH server or client.
fn is_keyword_of_sshd(place: &Place<'_>) -> bool {
    const ENDS: [&str; 26] = [
        "Authentication",
        "File",
        "Files",
        "Forwarding",
        "Login",
        "Passwords",
        "Passwd",
        "Command",
        "CommandUser",
        "Users",
        "Groups",
        "Keys",
        "Key",
        "Modes",
        "Level",
        "Facility",
        "Interval",
        "Max",
        "Time",
        "Ciphers",
        "Algorithms",
        "Environment",
        "Path",
        "Family",
        "PAM",
        "Checking",
    ];
    let Place { value, before, after, .. } = *place;
    let mut humps = value.as_bytes().windows(2);
    before.trim().is_empty()
        && value.starts_with(|c: char| c.is_ascii_uppercase())
        && value.bytes().all(|b| b.is_ascii_alphabetic())
        && humps.any(|of| of[0].is_ascii_alphabetic() && of[1].is_ascii_uppercase())
        && ENDS.iter().any(|end| value.ends_with(end))
        && after.starts_with([' ', '\t'])
        && !after.trim().is_empty()
        && !after.trim().contains(' ')
}

/// `htpasswd [-cimB]`, `--password[=name]`, `--passphrase=PHRASE   passphrase of the key`: an option in a manual.
fn is_option(place: &Place<'_>) -> bool {
    let Place { value, before, after, .. } = *place;
    let bracketed = after.starts_with(']')
        && (before.ends_with("[=") || (value.starts_with('-') && before.ends_with('[')));
    let capitals = value.bytes().all(|b| b.is_ascii_uppercase()) && after.starts_with("  ");
    bracketed || (capitals && before.ends_with('=') && before.contains("--"))
}

/// `Environment=PORT=8080`, also after another one: a variable of a unit of systemd whose name is not that of a secret.
fn is_of_environment(before: &str, value: &str) -> bool {
    let variable = |b: u8| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_';
    let before = before.trim_start();
    let next = before.starts_with("Environment=") && before.ends_with([' ', '"', '\'']);
    (next || before == "Environment=")
        && value.split_once('=').is_some_and(|(name, _)| {
            !name.is_empty() && name.bytes().all(variable) && !announces(name)
        })
}

/// `-u`
fn is_flag(word: &str) -> bool {
    let flag = word.strip_prefix('-').unwrap_or_default();
    flag.len() == 1 && flag.bytes().all(|b| b.is_ascii_alphabetic())
}

/// `db_user = odoo`, `tz: Europe/Madrid`, `interface=ether1`: a setting beside that of a secret.
fn is_of_other(place: &Place<'_>) -> bool {
    const OTHERS: &str = "user username dbuser dbname database db host hostname server interface iface priv privileges encryption connection \
         driver engine timezone tz region zone id mode method port path dir bucket charset collation protocol scheme realm domain \
         queue version image level";
    const MOST_BYTES: usize = 24;
    let Place { value, before, above, .. } = *place;
    // "Passwords:", and below it "- db: walnut7": no setting in a file, where the name would be indented
    let listed = !before.starts_with([' ', '\t']) || before.trim_start().starts_with(['-', '*']);
    if listed && above.ends_with(':') && announces(above) {
        return false;
    }
    let quoted = before.trim_end_matches(['"', '\'', '`']);
    let named = quoted.trim_end();
    let Some(named) = named.strip_suffix(['=', ':']) else { return false };
    let named = named.trim_end().trim_end_matches(['"', '\'', ']']);
    let name = last_name(named);
    if value.len() > MOST_BYTES || name.is_empty() {
        return false;
    }
    let last = name.rsplit(['_', '-', '.']).next().unwrap_or_default().to_ascii_lowercase();
    // A name in a program or a file, and not the label of a sentence: "password for db: walnut"
    let file = || {
        let first = named[..named.len() - name.len()].chars().all(|c| " \t-\"'{,".contains(c));
        name.contains('_') || quoted.trim_end().ends_with('=') || first
    };
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./*:".contains(c);
    let capital = value.chars().skip(1).any(|c| c.is_ascii_uppercase());
    lists(OTHERS, &last)
        && value.chars().all(plain)
        && !(capital && value.contains(|c: char| c.is_ascii_digit()))
        && file()
        && !announces(name)
}

/// `--private-key=LOCAL_FILE_PATH`, `--password=PASS`: what a manual leaves to fill in.
fn is_filled_in(before: &str, value: &str) -> bool {
    // Most finds end here.
    if !value.bytes().all(|b| b.is_ascii_uppercase() || b == b'_') {
        return false;
    }
    let option = before.strip_suffix('=').and_then(|before| before.rsplit(' ').next());
    option
        .and_then(|option| option.strip_prefix("--"))
        .is_some_and(|option| value.contains('_') || option.to_ascii_uppercase().starts_with(value))
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::{redacted, seals};

    #[test]
    fn settings_without_a_value_stay() {
        for text in [
            "# Keys and passwords:\n#HandlePowerKey=poweroff\n#HandlePowerKeyLongPress=ignore\n#ReserveVT=6",
            "usage: htpasswd [-cimB25dpsDv] [-C cost] passwordfile username",
            "AuthorizedKeysFile .ssh/authorized_keys\nKbdInteractiveAuthentication no",
            "  -w, --passphrase[=phrase]  Passphrase of the key",
            "the docs say `mysql --user=USER --password=PASS`",
            "  -P, --passphrase=PHRASE   passphrase of the key",
            "db_user = odoo",
            "[Service]\nUser=ansible\nEnvironment=PORT=8080\nEnvironmentFile=/etc/shop/secrets.env",
        ] {
            assert_eq!(redacted(text), text);
        }
        for (text, kept) in [
            ("Environment=\"SMTP_PASSWORD=walnut.7\" \"PORT=8080\"", "PORT=8080"),
            (
                "admin_passwd = walnut77X\ndb_host = srv3.example.org\ndb_user = odoo\ndb_password = tom.77",
                "odoo",
            ),
            (
                "psycopg2.connect(host=\"192.168.32.21\", password=\"I-q1kSEbxi\", dbname=\"stock\")",
                "stock",
            ),
            (
                "mysql_root_password: 2iy7-gafs-eacbdk\nroot_password: 'w3Bl_*4pp6f'\ntz: Europe/Madrid",
                "Europe/Madrid",
            ),
            (
                "/interface add user=kim@example.org password=ovoQJLsInd32hl_Z09 interface=ether1",
                "ether1",
            ),
        ] {
            let sealed = redacted(text);
            assert!(sealed.contains(kept), "{sealed}");
        }
        seals(&[
            ("Passwords:\n- db: walnut77\n- redis: plum88", &["walnut77", "plum88"]),
            ("password: #Walnut77=tree", &["#Walnut77=tree"]),
            ("the password:\n#Walnut77tree", &["Walnut77tree"]),
        ]);
    }
}
