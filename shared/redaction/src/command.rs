//! Finds passwords in command lines, by the options of their programs.
//!
//! A line is read word by word, with one look-up per word. A program brings its options. Some options count only beside
//! another word: `docker run -p` takes a port, and `docker login -p` takes a password. The same table holds the words
//! that name a user and the programs that read a password from standard input.

use super::words::{Table, lists};
use std::sync::OnceLock;

/// How an option takes a password.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// In the same word: `-pSECRET`.
    Attached,
    /// In the same word or the next: `-p SECRET`.
    Either,
    /// Only in the next word, because longer options begin the same way: `-k SECRET` beside `-kfile`.
    Next,
    /// After the user's name, in the same word or the next: `-u me:SECRET`.
    Pair,
    /// In the word after the user's name: `/user:me SECRET`.
    After,
}

/// An option, how it takes a password, and another word that must come before it in the line (empty for none).
type Takers = &'static [(&'static str, Takes, &'static str)];

/// Programs and their options.
type Program = (&'static str, Takers);

use Takes::{After, Attached, Either, Next, Pair};

static PROGRAMS: [Program; 53] = [
    ("net", &[("/user:", After, "use"), ("-U", Pair, "rpc")]),
    (
        "mysql mysqldump mysqladmin mysqlimport mysqlcheck mysqlslap mysqlpump mysqlbinlog mysql_upgrade mariadb mariadb-dump \
         mariadb-admin mariadb-check mariadb-import mariadb-backup mycli mysqlsh",
        &[("-p", Attached, "")],
    ),
    ("sshpass", &[("-p", Either, "")]),
    (
        "curl",
        &[("-u", Pair, ""), ("--user", Pair, ""), ("-U", Pair, ""), ("--proxy-user", Pair, "")],
    ),
    ("http https xh httpie", &[("-a", Pair, ""), ("--auth", Pair, "")]),
    ("redis-cli valkey-cli redli iredis keydb-cli", &[("-a", Either, ""), ("--pass", Either, "")]),
    ("mongo mongosh mongodump mongorestore mongoexport mongoimport cqlsh", &[("-p", Either, "")]),
    (
        "docker podman nerdctl buildah skopeo helm oc nexus ibmcloud cf faas-cli oras crane regctl buildctl apptainer",
        &[
            ("-p", Either, "login"),
            ("--creds", Pair, ""),
            ("--src-creds", Pair, ""),
            ("--dest-creds", Pair, ""),
        ],
    ),
    (
        "az",
        &[
            ("-p", Either, "login"),
            ("-p", Either, "sql"),
            ("-p", Either, "mysql"),
            ("-p", Either, "postgres"),
            ("-p", Next, "vm"),
            ("--value", Either, "keyvault"),
        ],
    ),
    ("aws", &[("--value", Either, "securestring"), ("--secret-string", Either, "secretsmanager")]),
    ("gh", &[("--body", Either, "secret"), ("-b", Either, "secret")]),
    (
        "ldapsearch ldapadd ldapmodify ldapwhoami ldapdelete ldapcompare ldapmodrdn",
        &[("-w", Either, "")],
    ),
    ("ldappasswd", &[("-w", Either, ""), ("-s", Either, ""), ("-a", Either, "")]),
    ("openssl", &[("-k", Next, ""), ("-K", Next, "")]),
    ("smbclient rpcclient smbget smbmap smbcacls", &[("-U", Pair, ""), ("-p", Either, "")]),
    ("sqlcmd bcp mosquitto_pub mosquitto_sub ipmitool isql tsql osql", &[("-P", Either, "")]),
    ("7z 7za 7zz 7zr rar unrar", &[("-hp", Attached, ""), ("-p", Attached, "")]),
    ("zip unzip zipcloak", &[("-P", Either, "")]),
    ("ssh-keygen", &[("-N", Either, ""), ("-P", Either, "")]),
    (
        "xfreerdp wlfreerdp xfreerdp3 sdl-freerdp rdesktop",
        &[("/p:", Attached, ""), ("-p", Either, "")],
    ),
    (
        "snmpwalk snmpget snmpset snmpbulkwalk snmptrap snmptable",
        &[("-A", Either, ""), ("-X", Either, ""), ("-c", Either, "")],
    ),
    ("lftp ncftp", &[("-u", Pair, "")]),
    ("plink pscp psftp", &[("-pw", Either, "")]),
    ("keytool jarsigner", &[("-storepass", Either, ""), ("-keypass", Either, "")]),
    ("influx cypher-shell", &[("-password", Either, ""), ("-p", Either, "")]),
    ("cmdkey", &[("/pass:", Attached, "")]),
    (
        "schtasks taskkill tasklist systeminfo gpresult driverquery openfiles",
        &[("/rp", Next, ""), ("/p", Next, "")],
    ),
    ("psexec nxc crackmapexec netexec evil-winrm", &[("-p", Either, ""), ("-H", Next, "")]),
    (
        "hydra medusa ncrack wpscan ncftpput ncftpget twine tdsql snowsql \
         beeline elasticsearch-users youtube-dl yt-dlp clickhouse-client",
        &[("-p", Either, "")],
    ),
    ("useradd usermod", &[("-p", Next, "")]),
    ("kadmin kadmin.local", &[("-w", Either, ""), ("-pw", Either, "")]),
    ("dsadd dsmod", &[("-pwd", Next, "")]),
    ("x11vnc vncserver", &[("-passwd", Next, "")]),
    ("ykman", &[("-P", Next, ""), ("-p", Next, ""), ("-n", Next, "")]),
    ("ncat", &[("--proxy-auth", Pair, "")]),
    ("etcdctl", &[("--user", Pair, "")]),
    ("jenkins-cli jenkins-cli.jar", &[("-auth", Pair, "")]),
    (
        "oathtool",
        &[
            ("-b", Next, ""),
            ("--base32", Next, ""),
            ("--totp", Next, ""),
            ("--totp=sha256", Next, ""),
            ("--totp=sha512", Next, ""),
            ("--hotp", Next, ""),
        ],
    ),
    ("nmcli", &[("-password", Either, "")]),
    ("ctr", &[("-u", Pair, ""), ("--user", Pair, "")]),
    ("ab siege", &[("-A", Pair, ""), ("-P", Pair, "")]),
    ("certutil signtool", &[("-p", Next, ""), ("/p", Next, "")]),
    (
        "security",
        &[
            ("-p", Next, "unlock-keychain"),
            ("-p", Next, "create-keychain"),
            ("-k", Next, "set-key-partition-list"),
            ("-w", Next, "add-generic-password"),
            ("-w", Next, "add-internet-password"),
            ("-P", Next, "import"),
        ],
    ),
    ("knife", &[("-P", Next, "")]),
    ("gotify", &[("-t", Next, ""), ("--token", Either, "")]),
    ("mcrcon rcon rcon-cli rconc", &[("-p", Next, "")]),
    ("dotnet", &[("-p", Next, "nuget"), ("-k", Next, "nuget")]),
    ("codecov", &[("-t", Next, "")]),
    ("virsh", &[("--value", Either, "")]),
    ("kcadm kcadm.sh kcreg kcreg.sh", &[("-p", Next, "")]),
    ("rabbitmqadmin mydumper myloader mongofiles mongostat mongotop winrm", &[("-p", Next, "")]),
    ("wmic", &[("/password:", Attached, "")]),
    ("sc sc.exe", &[("password=", Next, "")]),
];

/// Words that make some options count.
const ALSO: &str = "login use rpc sql mysql postgres keyvault securestring secretsmanager secret vm nuget import unlock-keychain \
     create-keychain set-key-partition-list add-generic-password add-internet-password";
/// Words for a user. Any program may have them as options.
const USERS: &str =
    "u user username benutzer usuario utilisateur identifiant utente gebruiker uzytkownik";
/// Programs and options that read a password from standard input.
const READERS: &str = "cryptsetup chpasswd kinit passwd stdin passphrase-fd password-stdin pass-stdin smbpasswd load-key veracrypt \
     keepassxc-cli ssh-add vncpasswd with-token stdinpass wrangler vercel insert secrets netlify";

/// The effect of a word on its line.
#[derive(Clone, Copy, Default)]
struct Heard {
    program: Option<&'static Program>,
    also: &'static str,
    user: bool,
    reader: bool,
}

/// The programs in one line that take a password.
#[derive(Debug, Clone, Copy, Default)]
pub struct CommandLine {
    program: Option<&'static Program>,
    /// One bit for each word of [`ALSO`] in the line so far.
    also: u32,
    /// Whether an option of any program names a user: `-u`, `--user`.
    has_user: bool,
    /// Whether a program in the line reads a password from standard input.
    pub reads: bool,
}

/// The bit of one of the words of [`ALSO`].
fn bit(word: &str) -> u32 {
    ALSO.split(' ').position(|known| known == word).map_or(0, |at| 1 << at)
}

/// All words that have a meaning, each in the table once.
fn table() -> &'static Table<Heard> {
    static TABLE: OnceLock<Table<Heard>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let programs = PROGRAMS.iter().flat_map(|program| program.0.split_ascii_whitespace());
        let words = programs
            .chain([ALSO, USERS, READERS].iter().flat_map(|list| list.split_ascii_whitespace()));
        let heard = |word: &'static str| Heard {
            program: PROGRAMS.iter().find(|program| lists(program.0, word)),
            also: if lists(ALSO, word) { word } else { "" },
            user: lists(USERS, word),
            reader: lists(READERS, word),
        };
        Table::of(words.map(|word| (word, heard(word))).collect::<Vec<_>>().into_iter())
    })
}

impl CommandLine {
    /// Notes a word of the line after the text `before`. A file name does not count as a program that reads a password, and
    /// an option of Windows not as a program: `schtasks /sc daily`.
    pub fn hear(&mut self, word: &str, before: &str) {
        let name = word.strip_suffix(".exe").unwrap_or(word);
        let Some(heard) = table().get(name) else { return };
        let is_file = before.ends_with("/etc/");
        if !before.ends_with(" /") {
            self.program = heard.program.or(self.program);
        }
        self.also |= bit(heard.also);
        self.has_user |= heard.user;
        self.reads |= heard.reader && !is_file;
    }

    /// Whether the line names a program.
    pub fn has_program(&self) -> bool {
        self.program.is_some()
    }

    /// Whether an option may take a password.
    pub fn has_options(&self) -> bool {
        self.has_program() || self.has_user
    }

    /// What an option in this line takes, and the length of the option's name.
    pub fn option(&self, word: &str) -> Option<(Takes, usize)> {
        let Some((_, options)) = self.program else {
            return (self.has_user && word == "-p").then_some((Either, word.len()));
        };
        let flags = word.strip_prefix('-').and_then(|flags| flags.strip_suffix('u')).unwrap_or("-");
        if options[0] == ("-u", Pair, "") && flags.bytes().all(|b| b.is_ascii_alphabetic()) {
            // `-su`: several flags in one word; the last one takes a value.
            return Some((Pair, word.len()));
        }
        options.iter().find_map(|(option, takes, also)| {
            let rest = after_option(word, option)?;
            let long = option.starts_with("--");
            let fits = if *takes == Next {
                rest.is_empty()
            } else if long {
                rest.is_empty() || rest.starts_with('=')
            } else {
                true
            };
            let heard = also.is_empty() || self.also & bit(also) > 0;
            let skipped = option.len() + usize::from(rest.starts_with('=') && long);
            let skipped = if *takes == After { word.len() } else { skipped };
            (fits && heard).then_some((*takes, skipped))
        })
    }
}

/// Whether an option, from its name on, takes no value: it asks for one or denies it (`--ask-vault-pass`), or another option
/// follows (`--password --user kim`).
pub fn takes_nothing(before: &str, option: &str) -> bool {
    const ASKS: [&str; 8] = ["ask", "prompt", "no", "show", "without", "skip", "generate", "read"];
    let part = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let (name, rest) = option.split_at(option.find(|c| !part(c)).unwrap_or(option.len()));
    let asks = name.split_once('-').is_some_and(|(verb, _)| ASKS.contains(&verb));
    let next = rest.strip_prefix(" --").unwrap_or_default();
    before.ends_with("--")
        && ((asks && !rest.starts_with('=')) || next.starts_with(|c: char| c.is_ascii_lowercase()))
}

/// The rest of a word that begins with an option. Windows reads options with a slash regardless of case.
fn after_option<'t>(word: &'t str, option: &str) -> Option<&'t str> {
    if !option.starts_with('/') {
        return word.strip_prefix(option);
    }
    let (start, rest) = word.split_at_checked(option.len())?;
    start.eq_ignore_ascii_case(option).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_option_counts_only_after_its_program() {
        let line = |words: &str| {
            let mut line = CommandLine::default();
            words.split(' ').for_each(|word| line.hear(word, ""));
            line
        };
        assert_eq!(line("mysql").option("-phunter22"), Some((Attached, 2)));
        assert_eq!(line("curl").option("--user"), Some((Pair, 6)));
        assert_eq!(line("curl").option("--user-agent"), None);
        assert_eq!(line("docker run").option("-p"), None);
        assert_eq!(line("docker login").option("-p"), Some((Either, 2)));
        assert_eq!(line("ssh").option("-p"), None);
        assert_eq!(line("openssl enc").option("-k"), Some((Next, 2)));
        assert_eq!(line("openssl enc").option("-kfile"), None);
        assert_eq!(line("net use").option("/user:me"), Some((After, 8)));
        assert_eq!(line("net use").option("/USER:me"), Some((After, 8)));
        assert_eq!(line("net use").option("/P:Yes"), None);
        assert_eq!(line("schtasks").option("/RP"), Some((Next, 3)));
        assert_eq!(line("wsl u admin").option("-p"), Some((Either, 2)));
        assert_eq!(line("wsl admin").option("-p"), None);
        assert_eq!(line("az sql server create").option("-p"), Some((Either, 2)));
        assert_eq!(line("az webapp create").option("-p"), None);
        assert_eq!(line("aws put-parameter string").option("--value"), None);
    }

    #[test]
    fn an_option_that_asks_takes_no_value() {
        for option in
            ["ask-vault-pass --limit web1", "ask-become-pass site.yml", "password --user kim"]
        {
            assert!(takes_nothing("run --", option), "{option}");
        }
        for option in
            ["password walnut", "ask-pass=walnut", "passphrase -walnut", "notes-password walnut"]
        {
            assert!(!takes_nothing("run --", option), "{option}");
        }
    }

    #[test]
    fn a_file_of_that_name_is_not_a_program_that_reads_a_password() {
        let mut line = CommandLine::default();
        line.hear("passwd", "cat /etc/");
        assert!(!line.reads);
        line.hear("passwd", "sudo ");
        assert!(line.reads);
    }
}
