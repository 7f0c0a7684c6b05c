//! Words about secrets, in several languages.
//!
//! The list covers English, German, Spanish, French, Italian, Portuguese, Dutch and Polish, and the words for a
//! password also in the other larger languages of Europe and in Chinese, Japanese and Korean. Words are looked up in
//! lower case and without accents ([`fold`]), so the list has each of them only once.

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::OnceLock;

/// "for", before an owner or a use.
pub const FOR: [&str; 7] = ["for", "para", "für", "pour", "per", "voor", "dla"];

/// "and", between two of a kind.
pub const AND: [&str; 8] = ["and", "und", "y", "e", "et", "en", "i", "ed"];

/// "of", before what something belongs to.
pub const OF: [&str; 14] =
    ["of", "von", "vom", "der", "des", "de", "del", "della", "du", "van", "di", "do", "da", "dei"];

/// Users that machines and programs have from the start, in lower case.
pub const FIRST_USERS: &str = "root admin administrator administrador supervisor user ubuntu debian postgres mysql sa ops deploy backup \
     pi guest ftp support test";

/// The longest word that is looked up, in bytes.
const WORD_BYTES: usize = 40;

/// The role of a word in a sentence about secrets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// A secret that people choose: "password", "Kennwort".
    Password,
    /// A password, in a word that has another meaning too: "pass", "clave". A sign or "is" must follow.
    MaybePassword,
    /// A secret that a machine makes: "token", "secret".
    Token,
    /// A key, which is a secret only beside a [`Role::Qualifier`].
    Key,
    /// A word that makes a key a secret: "api", "access".
    Qualifier,
    /// Signing in: a name and a password follow.
    Login,
    /// A wireless network: its name and its password follow, with a slash between them.
    Network,
    /// Codes and seeds, which are secrets only beside a word that says so: "recovery codes".
    Code,
    /// A program whose arguments contain a password in no fixed position.
    Program,
    /// "is", "lautet", "to": the value follows.
    Copula,
    /// "with", "using".
    With,
    /// "as", "als": the value came before the word.
    As,
    /// A person or a place: a sign after it introduces a name, not a secret.
    Subject,
    /// The name of a value in a program or document: `"name": "password", "value": …`.
    Value,
    /// A word that names a thing and does not open a context: "id", "digest".
    Name,
    /// A word without a role: "the", "currently".
    Filler,
}

const WORDS: [(Role, &str); 16] = [
    (
        Role::Password,
        "password passwords assword passwd pwd passphrase passphrases passcode pswd psw passwrd passwort \
         passworter passwoerter kennwort kennworter losungswort codewort geheimwort wachtzin wachtwoordzin passsatz kennsatz codeword codewords contrasena contrasenas passe mdp \
         senha senhas wachtwoord wachtwoorden haslo hasla haslem hasel rootpw dbpw dbpass rootpass \
         userpass adminpass identified requirepass masterauth userpassword pw userpw kw \
         losenord losenordet adgangskode adgangskoden kodeord kodeordet passord passordet salasana salasanan heslo hesla \
         heslem jelszo jelszava jelszot parole parolei parolasi sifre sifresi lozinka lozinke lozinku zaporka geslo \
         contrasenya contrasinal pasahitza slaptazodis slaptazodi parool parooli lykilorð fjalekalimi fjalekalim \
         pasfhocal cyfrinair wagwoord sandi psk khẩu khau პაროლი գաղտնաբառ סיסמה סיסמא पासवर्ड รหัสผ่าน \
         пароль пароля паролем паролі пароли парола паролата лозинка κωδικος κωδικου συνθηματικο 密码 口令 密碼 \
         パスワード 비밀번호 암호",
    ),
    (Role::MaybePassword, "pass pin puk clave parola auth المرور السر"),
    (
        Role::Token,
        "token tokens secret secrets apikey apikeys bearer geheimnis jeton jetons sekret segreto \
         segredo secreto geheim zugriffstoken zugangstoken apitoken accountkey sharedaccesskey accesskey secretkey privatekey authkey \
         sessiontoken authtoken accesstoken clientsecret",
    ),
    (
        Role::Key,
        "key keys claves chiavi klucze llaves schlussel schluessel cle cles clef clefs llave chiave chiavi chave chaves sleutel \
         sleutels klucz klucza",
    ),
    (
        Role::Qualifier,
        "api access secret private auth signing encryption master account storage shared consumer \
         license licence deploy service admin webhook client app application zugriffs zugangs \
         geheimer geheime secrete secreta segreta secreto segreto acces accès acceso accesso acesso \
         toegangs dostepu tajny root join registration host primary secondary stripe openai aws azure \
         hetzner github gitlab datadog grafana sendgrid twilio slack vault cloudflare digitalocean",
    ),
    (
        Role::Login,
        "login log logon signin sign signs signed logs logged credential credentials creds cred zugangsdaten anmeldedaten \
         connecte logga kirjaudu entra logge ingresa acesse acede acessar \
         einloggen anmelden anmeldung melde meldet identifiants identifiant connexion connecter connectez \
         credenciales credencial acceso iniciar entrar credenziali accedi accesso credenciais \
         zugang inloggegevens inloggen aanmelden logowania zaloguj loguje connect ssh sftp ftp rdp vnc telnet winrm",
    ),
    (Role::Network, "wifi wi-fi wlan ssid hotspot"),
    (
        Role::Code,
        "code codes seed seeds phrase phrases frase frases kod kody codice codici codigo codigos koodi herstelcode herstelcodes noodcodes backupcodes reservecodes wiederherstellungscode \
         wiederherstellungscodes",
    ),
    (
        Role::Program,
        "htpasswd chpasswd sqlplus impdp expdp sqlldr rman rabbitmqctl useradd usermod kinit sshpass smbpasswd vncpasswd",
    ),
    (
        Role::Copula,
        "is are was be equals to ist lautet sind heisst war es son sera est sont e sao is zijn luidt \
         jest brzmi becomes it's its set by etait era fue ware bleibt reste remains siendo ar er este ir je есть это ειναι",
    ),
    (Role::With, "with using use via mit con avec com met z uso usando verwende benutze gebruik"),
    (Role::As, "as als como comme come jako"),
    (
        Role::Subject,
        "servidor servidores serveur serwer serwera username users host hostname servers server port db database email mail e-mail \
         benutzer benutzername nutzer usuario usuarios utilisateur utente gebruiker gebruikersnaam \
         uzytkownik uzytkownika account uid dbname hosts machine region type url uri endpoint",
    ),
    (Role::Value, "value val valor wert valeur valore"),
    (
        Role::Name,
        "id kid ids digest digests checksum checksums hash hashes fingerprint etag version versionid \
         versions request requestid commit sha sha1 sha256 sha512 md5 integrity arn uuid guid nonce \
         cursor trace traceid span spanid revision serial signature oid public pubkey publickey image layer \
         build tag ref rev object session thread run",
    ),
    (
        Role::Filler,
        "the a an my our your this that der die das den dem mein meine unser la le les el los il lo \
         o os de het mon ma mi mio minha currently now still just here follows aktuell also and und \
         y et ou or i en please new old same only root user admin jetzt nun ahora actualmente maintenant desormais adesso \
         agora statt anstatt",
    ),
];

/// The role of a word; `None` if it has none.
pub fn role(word: &str) -> Option<Role> {
    static TABLE: OnceLock<Table<Role>> = OnceLock::new();
    TABLE.get_or_init(|| Table::of(roles())).get(word)
}

/// The words with a role. The first role of a word counts.
pub fn roles() -> impl Iterator<Item = (&'static str, Role)> {
    WORDS.into_iter().flat_map(|(role, words)| words.split_whitespace().map(move |w| (w, role)))
}

/// Words and their meanings, for one look-up per word of a text.
pub struct Table<T> {
    words: HashMap<&'static str, T, BuildHasherDefault<Fnv>>,
    /// For each first byte, the lengths of the words that begin with it: most words of a text are not in the table.
    lengths: [u64; 256],
}

impl<T: Copy> Table<T> {
    /// A table of words and their meanings. If a word is repeated, its first meaning wins.
    pub fn of(pairs: impl Iterator<Item = (&'static str, T)>) -> Self {
        let mut table = Self { words: HashMap::default(), lengths: [0; 256] };
        for (word, meaning) in pairs {
            table.words.entry(word).or_insert(meaning);
            table.lengths[usize::from(word.as_bytes()[0])] |= 1 << word.len();
        }
        table
    }

    /// The meaning of a word.
    #[inline]
    pub fn get(&self, word: &str) -> Option<T> {
        let first = *word.as_bytes().first()?;
        let known =
            word.len() <= WORD_BYTES && self.lengths[usize::from(first)] >> word.len() & 1 == 1;
        if known { self.words.get(word).copied() } else { None }
    }
}

impl Table<()> {
    /// A table of words without meanings; `words` separates them by spaces.
    pub fn listed(words: &'static str) -> Self {
        Self::of(words.split_whitespace().map(|word| (word, ())))
    }
}

/// The Fowler–Noll–Vo hash. The words are ours, so no attacker can make them collide.
#[derive(Default)]
pub struct Fnv(u64);

impl Hasher for Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// The word in lower case and without accents; empty if the word is too long for the table.
pub fn fold(word: &str, folded: &mut String) {
    folded.clear();
    if word.len() > WORD_BYTES {
        return;
    }
    if word.is_ascii() {
        folded.push_str(word);
        folded.make_ascii_lowercase();
        return;
    }
    let word = unspaced(word);
    let mixed = !word.is_ascii() && word.bytes().any(|byte| byte.is_ascii_alphabetic());
    for c in word.chars() {
        match c {
            'A'..='Z' => folded.push(c.to_ascii_lowercase()),
            _ if c.is_ascii() => folded.push(c),
            'ä' | 'Ä' | 'á' | 'Á' | 'à' | 'À' | 'â' | 'Â' | 'ã' | 'Ã' | 'å' | 'Å' | 'ą' | 'ă' =>
            {
                folded.push('a');
            }
            'é' | 'É' | 'è' | 'È' | 'ê' | 'Ê' | 'ë' | 'ę' | 'Ę' | 'ě' => folded.push('e'),
            'í' | 'Í' | 'ì' | 'î' | 'ï' | 'ı' | 'İ' => folded.push('i'),
            'ó' | 'Ó' | 'ò' | 'ô' | 'õ' | 'Õ' | 'ö' | 'Ö' | 'ő' | 'Ő' | 'ø' | 'Ø' => {
                folded.push('o')
            }
            'ú' | 'Ú' | 'ù' | 'û' | 'ü' | 'Ü' | 'ű' | 'ů' => folded.push('u'),
            'ñ' | 'Ñ' | 'ń' => folded.push('n'),
            'ç' | 'Ç' | 'ć' | 'č' | 'Č' => folded.push('c'),
            'ł' | 'Ł' => folded.push('l'),
            'ś' | 'Ś' | 'ş' | 'Ş' | 'š' | 'Š' | 'ș' | 'Ș' => folded.push('s'),
            'ż' | 'ź' | 'Ż' | 'Ź' | 'ž' | 'Ž' => folded.push('z'),
            'ß' => folded.push_str("ss"),
            // Most letters of other scripts, without a lookup in Unicode's tables.
            'а'..='я' if !mixed => folded.push(c),
            _ if is_east_asian(c) => folded.push(c),
            _ if mixed && let Some(latin) = look_alike(c) => folded.push(latin),
            'ό' | 'Ό' => folded.push('ο'),
            'ί' | 'Ί' => folded.push('ι'),
            other => folded.extend(other.to_lowercase()),
        }
    }
}

/// Like [`fold`], but without a copy if the word is plain already, as most words are.
pub fn folded(word: &str) -> Cow<'_, str> {
    let plain = |b: u8| b.is_ascii() && !b.is_ascii_uppercase();
    if word.len() <= WORD_BYTES && word.bytes().all(plain) {
        return Cow::Borrowed(word);
    }
    let mut folded = String::new();
    fold(word, &mut folded);
    Cow::Owned(folded)
}

/// Whether a character belongs to a word, without a lookup in Unicode's tables: beyond ASCII, all but signs do.
pub fn is_letter(c: char) -> bool {
    match c {
        _ if c.is_ascii() => c.is_ascii_alphanumeric(),
        '\u{80}'..='\u{bf}' | '×' | '÷' => false,
        '\u{2000}'..='\u{2bff}' | '\u{3000}'..='\u{303f}' | '\u{ff00}'..='\u{ff20}' => false,
        _ => true,
    }
}

/// The Latin letter that a letter of another script looks like when it is mixed with Latin letters.
fn look_alike(c: char) -> Option<char> {
    const PAIRS: [(char, char); 14] = [
        ('а', 'a'),
        ('е', 'e'),
        ('о', 'o'),
        ('р', 'p'),
        ('с', 'c'),
        ('у', 'y'),
        ('х', 'x'),
        ('і', 'i'),
        ('ѕ', 's'),
        ('ԁ', 'd'),
        ('ο', 'o'),
        ('α', 'a'),
        ('ρ', 'p'),
        ('ɡ', 'g'),
    ];
    PAIRS.iter().find(|(other, _)| *other == c).map(|(_, latin)| *latin)
}

/// Whether a character belongs to a script that is written without spaces, or with particles after its words.
pub fn is_east_asian(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}')
}

/// The word for a password at the end of words written together: "数据库密码是", "パスワードは".
fn unspaced(word: &str) -> &str {
    const PASSWORDS: [&str; 7] = ["密码", "口令", "密碼", "パスワード", "비밀번호", "암호", "密钥"];
    let bare = word
        .trim_end_matches(['是', '为', '為', 'は', 'が', 'を', 'も', '는', '은', '이', '가', '를']);
    if !word.contains(is_east_asian) {
        return word;
    }
    PASSWORDS.into_iter().find(|known| bare.ends_with(known)).unwrap_or(word)
}

/// Whether the word before "codes" or "key" makes them one-time passwords, or their seed.
pub fn is_one_time(word: &str) -> bool {
    matches!(word, "totp" | "hotp" | "otp" | "2fa" | "mfa" | "authenticator")
}

/// Whether the word before "codes" makes them secrets.
pub fn is_rescue(word: &str) -> bool {
    let rescue = [
        "recovery",
        "backup",
        "emergency",
        "scratch",
        "rescue",
        "seed",
        "mnemonic",
        "secours",
        "recuperacion",
        "recupero",
        "recuperacao",
        "zapasowe",
        "zapasowy",
        "awaryjne",
        "odzyskiwania",
        "emergencia",
        "emergenza",
        "respaldo",
        "reserva",
        "sauvegarde",
        "urgence",
    ];
    is_one_time(word) || rescue.contains(&word) || word.starts_with("wiederherstellung")
}

/// Whether a word is one for a number that people type, alone or in a compound: "PIN", "Kundenpin".
pub fn is_pin(word: &str) -> bool {
    const HEADS: &str = "\
        kunden geraete gerate service telefon handy sim karten support online banking bank zugangs zugriffs \
        zutritts alarm master admin user benutzer tur tuer haupt eltern jugendschutz kassen start mailbox \
        terminal chef techniker installateur wartungs web app system transport ident login konto safe tresor tor \
        wlan gast klant klanten toegangs kaart telefoon apparaat alarmpaneel notfall entsperr";
    let head = word.strip_suffix("pin").or_else(|| word.strip_suffix("puk"));
    head.is_some_and(|head| head.is_empty() || lists(HEADS, head))
}

/// Whether the beginning of a compound that ends with "code" makes it one that opens nothing: "Statuscode",
/// "Buchungscode".
pub fn is_other_code(head: &str) -> bool {
    const HEADS: &str = "status fehler error quell source barc programm postl landes lander laender unic gutschein rabatt maschinen \
        ruckgabe buchung farb waren produkt aktions";
    HEADS.split_ascii_whitespace().any(|other| head.starts_with(other))
}

/// Whether a part of an identifier makes a key a secret. For a word with two roles, this role counts here.
pub fn is_qualifier(word: &str) -> bool {
    matches!(
        word,
        "access"
            | "secret"
            | "private"
            | "account"
            | "server"
            | "hash"
            | "session"
            | "jwt"
            | "cookie"
            | "enc"
            | "aes"
            | "hmac"
    )
}

/// Whether a list of words, separated by spaces, has a word.
pub fn lists(list: &str, word: &str) -> bool {
    let (mut rest, word) = (list.as_bytes(), word.as_bytes());
    if word.is_empty() || word.iter().any(u8::is_ascii_whitespace) {
        return false;
    }
    while rest.len() >= word.len() {
        if rest.starts_with(word) && rest.get(word.len()).is_none_or(u8::is_ascii_whitespace) {
            return true;
        }
        let Some(end) = rest.iter().position(u8::is_ascii_whitespace) else { return false };
        rest = &rest[end + 1..];
    }
    false
}
