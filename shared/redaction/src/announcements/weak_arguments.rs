//! Finds weak passwords that commands and statements use: `redis-cli -a secret ping`, `CREATE USER app PASSWORD 'secret'`.
//!
//! A command line that somebody ran has its real arguments. One from a manual leaves others to fill in as well, or stands in
//! a sentence; only the former begins its line with the program.

use super::weak_values::{is_about_examples, is_weak};
use super::{COMPARED_BYTES, Line};
use crate::words::lists;
use std::ops::Range;

/// Programs with a password among their arguments.
const PROGRAMS: [&str; 26] = [
    "mysql",
    "mysqldump",
    "mysqladmin",
    "mariadb",
    "mariadb-dump",
    "redis-cli",
    "sshpass",
    "mongosh",
    "mongo",
    "mongodump",
    "mongorestore",
    "docker",
    "podman",
    "curl",
    "wget",
    "psql",
    "sqlcmd",
    "ldapsearch",
    "rclone",
    "restic",
    "smbclient",
    "influx",
    "clickhouse-client",
    "cqlsh",
    "http",
    "xfreerdp",
];
/// Words before a program.
const BEFORE: &str = "$ # > sudo time";
/// Options whose next word is a password.
const OPTIONS: &str = "--password --pass --pwd --passwd";
/// Those of one program each, by one letter.
const SHORT: [(&str, &str); 8] = [
    ("redis-cli", "-a"),
    ("sshpass", "-p"),
    ("mongosh", "-p"),
    ("mongo", "-p"),
    ("docker", "-p"),
    ("sqlcmd", "-P"),
    ("ldapsearch", "-w"),
    ("cqlsh", "-p"),
];
/// Programs with the password behind `-p`, without a space.
const GLUED: &str = "mysql mysqldump mysqladmin mariadb mariadb-dump";
/// How statements about users begin, and what is before a password in them.
const STATEMENTS: [&str; 7] = [
    "create user ",
    "alter user ",
    "create role ",
    "alter role ",
    "create login ",
    "alter login ",
    "grant ",
];
const SAYS: [&str; 3] = ["password '", "identified by '", "password = '"];

/// The password.
pub(super) fn value(line: &Line<'_>) -> Option<Range<usize>> {
    let has = |sign| line.chars.has(sign);
    if line.text.len() > COMPARED_BYTES || has(b'{') || (has(b'<') && has(b'>')) {
        return None;
    }
    let value = of_command(line).or_else(|| of_statement(line))?;
    (!is_about_examples(line)).then(|| line.span(value))
}

/// The password among the arguments of a program with which the line begins.
fn of_command<'a>(line: &Line<'a>) -> Option<&'a str> {
    let before = |word: &&str| word.len() <= "sudo".len() && lists(BEFORE, word);
    let mut words = line.words().skip_while(before);
    let program = words.next().filter(|word| PROGRAMS.contains(word))?;
    // `docker run -p`: a port
    let logs_in = program != "docker" || words.clone().next() == Some("login");
    let takes = |word: &str| lists(OPTIONS, word) || (logs_in && SHORT.contains(&(program, word)));
    let glued = |word: &'a str| {
        let short = word.strip_prefix("-p").filter(|_| lists(GLUED, program));
        short.or_else(|| {
            let (name, value) = word.split_once('=')?;
            lists(OPTIONS, name).then_some(value)
        })
    };
    let next = words.clone().skip(1);
    let split = words.clone().zip(next).find_map(|(word, next)| takes(word).then_some(next));
    let value = split.into_iter().chain(words.filter_map(glued));
    value.map(|value| value.trim_matches(['"', '\''])).find(|value| is_weak(value))
}

/// The password in quotes of a statement about a user.
fn of_statement<'a>(line: &Line<'a>) -> Option<&'a str> {
    // Lower case has as many bytes: statements are in ASCII.
    let first = line.lower.trim_start().starts_with(['c', 'a', 'g']);
    if !first || !line.chars.has(b'\'') || !line.text.is_ascii() {
        return None;
    }
    let begins =
        STATEMENTS.iter().find(|statement| line.lower.trim_start().starts_with(**statement))?;
    let at = SAYS.iter().find_map(|says| Some(line.lower.find(says)? + says.len()))?;
    let value = line.text[at..].split('\'').next()?;
    let user = line.lower.trim_start()[begins.len()..].split_whitespace().next()?;
    let user = user.split('@').next()?.trim_matches(['\'', '"', '`']);
    (is_weak(value) && !lists("user username myuser", user)).then_some(value)
}

#[cfg(test)]
mod tests {
    use crate::announcements::tests::redacted;

    #[test]
    fn a_command_that_somebody_ran_has_its_real_password() {
        for text in [
            "redis-cli -a secret ping",
            "mysql -u root -psecret shop < dump.sql",
            "$ sudo mysqldump -u root --password=password shop",
            "sshpass -p password ssh root@10.0.0.4",
            "docker login -u acme -p password registry.acme.io",
            "CREATE USER app WITH PASSWORD 'secret';",
            "ALTER USER 'root'@'localhost' IDENTIFIED BY 'password';",
        ] {
            assert!(redacted(text).contains("{{secret:"), "{text}");
        }
    }

    #[test]
    fn a_command_of_a_manual_stays() {
        for text in [
            "mysql -u <user> -ppassword",
            "run mysql -u root -ppassword to connect",
            "for example redis-cli -a secret",
            "docker run -p test:80 nginx",
            "CREATE USER username WITH PASSWORD 'password';",
            "psql --password -h db",
        ] {
            assert_eq!(redacted(text), text);
        }
    }
}
