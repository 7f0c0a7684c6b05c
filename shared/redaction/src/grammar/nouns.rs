//! Recognizes words that name a secret only together with another word: "access code", "clé wifi", "magic word",
//! "signing key".
//!
//! Alone, such a word has too many other meanings. In Germanic languages, the word that decides comes before it; in
//! Romance and Slavic ones, after it: "network key" is "clé du réseau".

use super::Reader;
use super::context::Tie;
use super::plain::words_before;
use crate::names;
use crate::words::{Role, Table, folded, is_letter, is_other_code, is_rescue, lists, role};
use std::borrow::Cow;
use std::sync::OnceLock;

/// How much of the text after a word is read, in bytes.
const AFTER_BYTES: usize = 32;

/// Words that come before "code".
const OPENED: &str = "access door alarm unlock login entry gate security verification confirmation authentication auth 2fa mfa otp \
     sms pin one-time time entrance garage safe lock keypad lockbox activation wifi-";
/// Words that come after "code".
const OPENS: &str = "acceso acces accesso acesso puerta porte porta coffre cofre caja cassaforte sejfu czytnika kluis alarma \
         alarme allarme seguridad securite sicurezza seguranca verificacion verification verifica verificacao pin \
         dostepu drzwi alarmu desbloqueo entrada entree sblocco deblocage desbloqueio odblokowania ontgrendeling unlock \
     armoire portail casier garage cadenas digicode armario taquilla garaje candado verja armadio cancello armadietto \
     lucchetto portone portao cadeado cacifo garagem kast deur poort szafy szafki bramy klodki furtki domofonu cabinet \
     door gate safe locker padlock lockbox keypad entrance schrank schranks schranke tur tors tresor tresors schloss";
/// Articles and prepositions before such a word, in addition to [`LINKS`].
const BEFORE_OPENS: &str =
    "of for the fur fuer den dem das vom zum zur am pour para per dla al alla na de";
/// What a German or Dutch word ends with, and how it begins.
const COMPOUNDS: &str = "pin zugangs tur tuer sicherheits zutritts freischalt alarm bestatigungs entsperr zugriffs tor toegangs deur \
     beveiligings verificatie inlog login ontgrendel schloss tresor";
/// Words before "code" that make it a different one.
const OTHER_NOUNS: [&str; 12] = [
    "error", "status", "exit", "return", "source", "http", "zip", "country", "bar", "qr", "sample",
    "example",
];
/// How far to look for what a code opens, in bytes.
const DOOR_BYTES: usize = 48;
/// Wireless networks, whose keys are passwords.
const NETWORKS: &str =
    "wifi wi-fi wlan wpa wpa2 wpa3 wep network netzwerk reseau rete red rede netwerk sieci hotspot";
/// Words that come before a key that people choose.
const CHOSEN: &str = "wifi wi-fi wlan wpa wpa2 wpa3 wep network pre-shared preshared shared encryption signing master \
     hmac session cookie jwt vpn ipsec tacacs radius bgp ospf vrrp backup";
/// Words that come before a secret that people choose.
const SECRETS: &str = "shared webhook api client consumer old new vpn our my ipsec radius jwt session hmac app cookie auth \
     signing nextauth oauth encryption token";
/// The first half of "user/pass".
const USERS: &str = "u usr user username login benutzer benutzername nutzer usuario utilisateur identifiant utente gebruiker \
     gebruikersnaam uzytkownik account name id";
/// Articles and prepositions between a noun and the noun that describes it.
const LINKS: &str =
    "de del du d' di da do della dello dell' van voor do der des la le el l' het il o a";

/// Whether a word may name a secret together with another.
fn is_first(folded_word: &str) -> bool {
    const FIRST: &str = "word wort mot parola answer palabra frase palavra phrase fraza string eap xauth sessionid sid phpsessid \
         jsessionid sessid acesso acceso accesso acces zugriff dostep toegang p ww otp tan codes kod kody codigo \
         codice codici";
    static TABLE: OnceLock<Table<()>> = OnceLock::new();
    TABLE.get_or_init(|| Table::listed(FIRST)).get(folded_word).is_some()
}

impl Reader<'_> {
    /// What a word is listed as, unless the text around it gives it another meaning.
    pub(super) fn known_role(&self, word: &str, folded_word: &str) -> Option<Role> {
        // "le mot de pase"; most words end at the first letter.
        if folded_word.as_bytes().first() == Some(&b'p')
            && matches!(folded_word, "pase" | "passse" | "pas" | "pass" | "paasse")
            && self.text[..self.at - word.len()].ends_with("mot de ")
        {
            return Some(Role::Password);
        }
        role(folded_word).filter(|role| match role {
            // `sftp://backup@nas1/data2`; PowerShell's `Get-Credential` asks.
            Role::Login => {
                !self.text[self.at..].starts_with("://")
                    && !word.starts_with("Get-")
                    && (!matches!(folded_word, "log" | "logs") || self.logs_in())
            }
            _ => true,
        })
    }

    /// Whether "in" or "on" follows "log" soon: "from the log:" refers to lines that a program wrote.
    fn logs_in(&self) -> bool {
        const WORDS: usize = 2;
        let rest = self.open()[self.at..].split(|c: char| !c.is_alphanumeric());
        let mut rest = rest.filter(|word| !word.is_empty()).take(WORDS);
        rest.any(|word| matches!(word, "in" | "on" | "into" | "onto" | "IN" | "In"))
    }

    /// A variable was read. As the argument of an option such as `-Credential $admin`, it has all that the option takes.
    pub(super) fn reference_passed(&mut self) {
        if self.context.as_ref().is_some_and(|c| c.role == Role::Login && c.tie == Tie::Option) {
            self.context = None;
        }
    }

    /// Whether a code is one for something that it opens: "code de l'armoire", "code for the server cabinet".
    fn is_of_door(&self, before: &str) -> bool {
        let rest = &self.open()[self.at..];
        let rest = rest[..rest.floor_char_boundary(DOOR_BYTES)].split('\n').next();
        let mut passed = false;
        for word in rest.unwrap_or_default().split([' ', '\'']).skip(1) {
            let ends = word.find(|c: char| !(is_letter(c) || c == '-')).unwrap_or(word.len());
            let folded = folded(&word[..ends]);
            if lists(OPENS, &folded) {
                return !OTHER_NOUNS.contains(&before);
            }
            let link = lists(LINKS, &folded) || lists(BEFORE_OPENS, &folded);
            // An English noun has the one that describes it before it.
            if ends < word.len() || ends == 0 || passed {
                return false;
            }
            passed = !link;
        }
        false
    }

    /// What a word names together with the word before or after it.
    pub(super) fn noun_beside(&self, word: &str, folded_word: &str) -> Option<Role> {
        // Most words end here.
        if !folded_word.ends_with("code") && !is_first(folded_word) {
            return None;
        }
        let before = || match word.rsplit_once(['-', '_']) {
            Some((head, _)) => folded(head),
            None => folded(&self.text[self.before_span.clone()]),
        };
        match folded_word {
            "word" | "parola" | "mot" | "answer" | "wort" => {
                let before = before();
                let leads = match folded_word {
                    "answer" => matches!(before.as_ref(), "secret" | "security"),
                    _ => matches!(before.as_ref(), "secret" | "magic" | "safe" | "geheime"),
                };
                (leads && self.is_beside_word(word)).then_some(Role::Password)
            }
            "palabra" | "frase" | "palavra" | "phrase" | "fraza" => {
                let after = self.described()?;
                let rescue =
                    is_rescue(&after) || after.starts_with("recup") || after.starts_with("odzysk");
                (rescue || matches!(after.as_ref(), "secreta" | "paso" | "passe" | "magica"))
                    .then_some(Role::Password)
            }
            "string" => (before() == "community").then_some(Role::Password),
            // `Cookie: sessionid=…`
            "sessionid" | "sid" | "phpsessid" | "jsessionid" | "sessid" => {
                self.open()[self.at..].starts_with('=').then_some(Role::Token)
            }
            // "segue o acesso do servidor: root / walnut"
            "acesso" | "acceso" | "accesso" | "acces" | "zugriff" | "dostep" | "toegang" => {
                let rest = self.open()[self.at..].split('\n').next().unwrap_or_default();
                let rest = &rest[..rest.floor_char_boundary(2 * AFTER_BYTES)];
                rest.contains(": ").then_some(Role::Login)
            }
            // `carol : EAP "walnut"`
            "eap" | "xauth" => self.open()[self.at..].starts_with(" \"").then_some(Role::Password),
            // "u/p: kim / walnut"
            "p" => {
                let signed = self.open()[self.at..].starts_with([':', '=']);
                let mut words = words_before(self.sentence_before(self.at - 1), 0).skip(1);
                let named = words.next().is_some_and(|(_, word)| word == "u:" || word == "user:");
                (signed && (named || before() == "u")).then_some(Role::MaybePassword)
            }
            // Dutch; three of these letters begin most addresses.
            "ww" => self.open()[self.at..].starts_with([' ', ':', '=']).then_some(Role::Password),
            "otp" | "tan" => {
                self.open()[self.at..].starts_with([' ', ':']).then_some(Role::MaybePassword)
            }
            "code" | "codes" | "kod" | "kody" | "codigo" | "codice" | "codici" => {
                let before = before();
                let network = lists(NETWORKS, &before)
                    || words_before(self.sentence_before(self.at - word.len()), 0).any(
                        |(_, word)| {
                            matches!(word, "wifi" | "WiFi" | "Wifi" | "WLAN" | "wlan" | "Wi-Fi")
                        },
                    )
                    || self.described().is_some_and(|after| lists(NETWORKS, &after));
                let number = lists(OPENED, &before) || self.is_of_door(&before);
                if network { Some(Role::Password) } else { number.then_some(Role::Password) }
            }
            _ if folded_word.ends_with("code") => {
                let head = folded_word.strip_suffix("code")?.trim_end_matches('-');
                // A German noun, but not "Statuscode".
                let german =
                    word.starts_with(char::is_uppercase) && head.len() >= 6 && !is_other_code(head);
                (german || lists(COMPOUNDS, head)).then_some(Role::Password)
            }
            _ => None,
        }
    }

    /// Whether a key or a secret is one that people choose: "wifi key", "clave de la red", `JWT_SECRET`.
    pub(super) fn is_chosen(&self, word: &str, folded_word: &str) -> bool {
        let tail = names::last_part(word);
        let head = word[..tail].trim_end_matches(['_', '-', '.']);
        let before = match head.is_empty() {
            true => folded(&self.text[self.before_span.clone()]),
            false => folded(&head[names::last_part(head)..]),
        };
        // `client_secret: Option<String>`
        if !head.is_empty() && !self.is_set() {
            return false;
        }
        let beside = !head.is_empty() || self.is_beside_word(word);
        match folded_word {
            "secret" => lists(SECRETS, &before),
            "token" | "tokens" => false,
            _ => {
                (beside && lists(CHOSEN, &before))
                    || (!head.is_empty() && before == "secret")
                    || self.described().is_some_and(|after| lists(NETWORKS, &after))
            }
        }
    }

    /// Whether a sign and a value follow an identifier as in a configuration, and not as in a declaration.
    fn is_set(&self) -> bool {
        let rest = self.open()[self.at..].split('\n').next().unwrap_or_default();
        let rest = rest[..rest.floor_char_boundary(2 * AFTER_BYTES)]
            .trim_start_matches(['"', '\'', ' ', '\t', ']']);
        let Some(value) = rest.strip_prefix([':', '=']) else { return false };
        let value = value.trim_start_matches([' ', '\t']);
        let plain = |c: char| c.is_alphanumeric() || "-_!@#%^*+.$".contains(c);
        rest.starts_with('=')
            || value.starts_with(['"', '\''])
            || value.trim_end().chars().all(plain)
    }

    /// Whether the word for a password is the second half of "user/pass", so that both values follow it.
    pub(super) fn is_heading(&self, start: usize) -> bool {
        let before = &self.text[self.before_span.clone()];
        lists(USERS, &folded(before))
            && start == self.before_span.end + 1
            && self.text[..start].ends_with(['/', ':', '&', '+'])
    }

    /// Whether the word before is part of the same noun.
    fn is_beside_word(&self, word: &str) -> bool {
        let start = self.at - word.len();
        start == self.before_span.end + 1
    }

    /// The noun that describes the word that ends here: "du wifi", "de acceso", "wifi".
    fn described(&self) -> Option<Cow<'_, str>> {
        let rest = &self.open()[self.at..];
        let rest = &rest[..rest.floor_char_boundary(AFTER_BYTES)];
        let mut rest = rest.strip_prefix(' ')?;
        loop {
            let link = rest.find(|c: char| !is_letter(c)).unwrap_or(rest.len());
            let end = link + usize::from(rest[link..].starts_with('\''));
            if lists(LINKS, &folded(&rest[..end])) && end < rest.len() {
                rest = rest[end..].trim_start_matches(' ');
                continue;
            }
            let end = rest.find(|c: char| !(is_letter(c) || c == '-')).unwrap_or(rest.len());
            return (end > 0).then(|| folded(&rest[..end]));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::found;

    #[test]
    fn two_words_together_name_a_secret() {
        for (text, secret) in [
            ("the door code is 4711", "4711"),
            ("Der Zugangscode ist 4711", "4711"),
            ("le code du coffre : 91 04 77", "91 04 77"),
            ("la clé wifi est noisette", "noisette"),
            ("the network key is walnut", "walnut"),
            ("tacacs key is molehill", "molehill"),
            ("the magic word is walnut", "walnut"),
            ("user/pass: kim/walnut", "walnut"),
            ("JWT_SECRET: walnut", "walnut"),
            ("et le code de l'armoire réseau 4096B merci", "4096B"),
            ("the code of the server cabinet is 2207C", "2207C"),
            ("il codice di sblocco è Ombrello giallo Rimini 1985", "Ombrello giallo Rimini 1985"),
            ("la frase de paso es nogal", "nogal"),
        ] {
            assert_eq!(found(text), [secret], "{text}");
        }
    }

    #[test]
    fn one_of_the_words_alone_names_no_secret() {
        for text in [
            "the error code is 4711",
            "the error code of the gate is 4711",
            "the code of the page behind the door is 4711",
            "Der Statuscode ist 4711",
            "the primary key is walnut",
            "the last word is walnut",
            "user/pass login is disabled",
            "client_secret: Option<Walnut>,",
            "use crate::secret_key::walnut;",
        ] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
    }
}
