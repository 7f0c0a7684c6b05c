//! Passwords in command lines, where an option of the program says so.

use super::words::Table;
use std::sync::OnceLock;

/// How an option takes a password.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// In the same word: `-pSECRET`.
    Attached,
    /// In the same word or the next: `-p SECRET`.
    Either,
    /// In the next word alone, because longer options begin alike: `-k SECRET` beside `-kfile`.
    Next,
    /// After the user's name, in the same word or the next: `-u me:SECRET`.
    Pair,
    /// In the word after the user's name: `/user:me SECRET`.
    After,
}

/// A program, the word that must stand in its line as well (or none), and its options.
type Program = (&'static str, &'static str, &'static [(&'static str, Takes)]);

use Takes::{After, Attached, Either, Next, Pair};

static PROGRAMS: [Program; 22] = [
    ("net", "use", &[("/user:", After)]),
    (
        "mysql mysqldump mysqladmin mysqlimport mysqlcheck mysqlslap mariadb mariadb-dump mariadb-admin mycli mysqlsh",
        "",
        &[("-p", Attached)],
    ),
    ("sshpass", "", &[("-p", Either)]),
    ("curl", "", &[("-u", Pair), ("--user", Pair), ("-U", Pair), ("--proxy-user", Pair)]),
    ("http https xh httpie", "", &[("-a", Pair), ("--auth", Pair)]),
    ("redis-cli valkey-cli", "", &[("-a", Either), ("--pass", Either)]),
    ("mongo mongosh mongodump mongorestore mongoexport mongoimport cqlsh", "", &[("-p", Either)]),
    ("docker podman nerdctl buildah skopeo helm az oc nexus ibmcloud", "login", &[("-p", Either)]),
    ("ldapsearch ldapadd ldapmodify ldapwhoami ldapdelete ldapcompare", "", &[("-w", Either)]),
    ("ldappasswd", "", &[("-w", Either), ("-s", Either)]),
    ("openssl", "", &[("-k", Next)]),
    ("smbclient rpcclient smbget", "", &[("-U", Pair)]),
    ("sqlcmd bcp mosquitto_pub mosquitto_sub ipmitool", "", &[("-P", Either)]),
    ("7z 7za rar unrar", "", &[("-p", Attached)]),
    ("zip unzip", "", &[("-P", Either)]),
    ("ssh-keygen", "", &[("-N", Either), ("-P", Either)]),
    ("xfreerdp wlfreerdp rdesktop", "", &[("/p:", Attached), ("-p", Either)]),
    ("snmpwalk snmpget snmpset", "", &[("-A", Either), ("-X", Either), ("-c", Either)]),
    ("lftp ncftp", "", &[("-u", Pair)]),
    ("plink pscp psftp", "", &[("-pw", Either)]),
    ("keytool jarsigner", "", &[("-storepass", Either), ("-keypass", Either)]),
    ("influx cypher-shell nmcli impdp expdp", "", &[("-password", Either), ("-p", Either)]),
];

/// The programs of one line that take a password.
#[derive(Debug, Clone, Copy, Default)]
pub struct Line {
    program: Option<&'static Program>,
    logs_in: bool,
    uses: bool,
    /// An option of any program names a user: `-u`, `--user`.
    has_user: bool,
    /// A program of it reads a password from its standard input.
    pub reads: bool,
}

impl Line {
    /// Takes note of a word of the line.
    pub fn hear(&mut self, word: &str) {
        self.logs_in |= word == "login";
        self.uses |= word == "use";
        self.has_user |= matches!(
            word,
            "u" | "user"
                | "username"
                | "benutzer"
                | "usuario"
                | "utilisateur"
                | "identifiant"
                | "utente"
                | "gebruiker"
                | "uzytkownik"
        );
        static TABLE: OnceLock<Table<&'static Program>> = OnceLock::new();
        let pairs = || PROGRAMS.iter().flat_map(|p| p.0.split(' ').map(move |name| (name, p)));
        if let Some(program) = TABLE.get_or_init(|| Table::of(pairs())).get(word) {
            self.program = Some(program);
        }
    }

    /// Whether a program was named.
    pub fn has_program(&self) -> bool {
        self.program.is_some()
    }

    /// Whether an option may take a password.
    pub fn has_options(&self) -> bool {
        self.has_program() || self.has_user
    }

    /// What an option of this line takes, and the length of its name.
    pub fn option(&self, word: &str) -> Option<(Takes, usize)> {
        let Some((_, also, options)) = self.program else {
            return (self.has_user && word == "-p").then_some((Either, word.len()));
        };
        let heard = match *also {
            "" => true,
            "use" => self.uses,
            _ => self.logs_in,
        };
        if !heard {
            return None;
        }
        let long = |option: &str| option.starts_with("--");
        let flags = word.strip_prefix('-').and_then(|flags| flags.strip_suffix('u')).unwrap_or("-");
        if options[0].1 == Pair && flags.bytes().all(|b| b.is_ascii_alphabetic()) {
            // `-su`: flags in one word, the last of which takes a value.
            return Some((Pair, word.len()));
        }
        options.iter().find_map(|(option, takes)| {
            let rest = word.strip_prefix(option)?;
            let fits = if *takes == Next {
                rest.is_empty()
            } else if long(option) {
                rest.is_empty() || rest.starts_with('=')
            } else {
                true
            };
            let skipped = usize::from(rest.starts_with('=') && long(option));
            let skipped = if *takes == After { word.len() } else { option.len() + skipped };
            fits.then_some((*takes, skipped))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_option_belongs_to_its_program() {
        let line = |words: &str| {
            let mut line = Line::default();
            words.split(' ').for_each(|word| line.hear(word));
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
        assert_eq!(line("winrm u admin").option("-p"), Some((Either, 2)));
        assert_eq!(line("winrm admin").option("-p"), None);
    }
}
