//! Words that tie a password to the word for it: "is", "should be", "wurde … geändert", "isn't … anymore".
//!
//! Besides the password itself, a clause about a password consists of few kinds of words, in each of the languages that
//! [`words`](super::words) knows. With the lists in this module, in lower case and without accents, [`clause`] walks
//! from "password" to its value. Where one spelling has two meanings ("a", "to", "es"), the walk decides by what it has
//! read.
//!
//! [`clause`]: super::grammar

use super::words::{Table, folded};
use std::sync::OnceLock;

/// The part of a word in a clause between a word for a password and the password.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// "is", "lautet": the value follows.
    Is,
    /// "should", "wurde", "happens": "be" or a change follows.
    May,
    /// "changed", "geändert": "to" and the value follow or came before.
    Changed,
    /// "not", "kein": the value that follows is no longer valid, but may be in use elsewhere.
    Not,
    /// "now", "noch": says when, or how surely.
    When,
    /// "anymore", "mehr": ends a denial.
    Gone,
    /// "for", "von": the name of what the password opens follows.
    Of,
    /// "I", "that": a relative clause follows.
    Who,
    /// "type", "enter": the value follows.
    Type,
    /// "asks", "prompted": someone will have to type the password.
    Asks,
    /// "if", "when".
    If,
    /// "but", "or", "and": another value may follow.
    Joins,
    /// "it", "the new one": refers to the password.
    It,
}

const PARTS: [(Part, &str); 13] = [
    (
        Part::Is,
        "is was are were be been being isnt wasnt equals becomes remains reads ist war sind waren lautet lautete heisst heissen hiess bleibt \
         ware sei es era sera sara sigue son sea est etait soit sont c'est reste sia sono eh foi sao luidt blijft wordt jest brzmi byl \
         bylo bedzie lauten sein ser seja siendo essere etre zijn byc it's that's what's",
    ),
    (
        Part::May,
        "should will would could might may must shall can has have had habe haben hab hat ho hai he ai avons soll sollte vai va wird wurde wurden muss kann konnte \
         debe deberia puede podria ha sido doit devrait peut deve dovrebbe puo potrebbe poderia pode moet zou kan werd \
         ma powinno moze zostalo happens turns going supposed meant used needs got gets",
    ),
    (
        Part::Changed,
        "set reset setz ander aender setze setzt setzen andere andert stelle imposta impostare metti cambia cambiar cambiare modifica modifier mets define altere muda mude coloca zet wijzig verander ustaw zmien changed change update updated replace replaced switch switched rotated moved gesetzt geandert gewechselt umgestellt andern \
         setzen stellen cambiada cambiado cambie cambio cambiamos puesta modifiee modifie change changee remplace mise \
         impostata cambiata modificata cambiato alterada alterei mudada mudei mudado trocada troquei definida definido \
         gewijzigd veranderd ingesteld gezet zmienione zmienilem zmieniono ustawione ustawilem ustawiono",
    ),
    (Part::Not, "not nicht no non nao niet pas nie isn wasn isnt wasnt aint ain"),
    (
        Part::When,
        "now currently still just simply again temporarily today also probably actually always literally only basically \
         already really jetzt nun noch immer einfach nur aktuell derzeit momentan wieder auch wohl ahora simplemente \
         todavia aun solo actualmente siempre maintenant juste toujours simplement desormais encore actuellement ora \
         adesso sempre semplicemente ancora agora ainda apenas simplesmente nu nog steeds gewoon momenteel teraz nadal \
         aktualnie obecnie btw though apparently likely maybe perhaps definitely yesterday gestern ayer hier ieri ontem \
         gisteren wczoraj either everywhere usual uberall ab sofort altijd zawsze habitude",
    ),
    (Part::Gone, "anymore more longer mehr mas plus piu mais meer juz"),
    (
        Part::Of,
        "of for on at in to from behind inside under between zwischen entre tra tussen auf fur fuer von vom furs aufs ins ans des der beim im am zum zur unter bei de del \
         para en al du pour sur aux au chez da do di della dello dell dei per su nel sul dos das van voor op bij aan \
         dla na z w od d l dell all nell sull dall",
    ),
    (
        Part::Who,
        "i you we they he she people everyone everybody ich du wir ihr sie man yo tu usted nosotros que je nous vous \
         noi voi eu voce ik je jij wij ktore that which who what team",
    ),
    (
        Part::Type,
        "type enter typing entering answer reply input put use try gib tippe eingeben escribe teclea introduce pon tape \
         tapez entre entrez saisis saisissez mets digita inserisci scrivi digite digita insira escreva typ voer wpisz \
         podaj types enters tippt eintippt escribe teclea digita scrive typt wpisuje typed entered verwende benutze nutze usa use utilise utilisez gebruik uzyj uso utilizo utilizzo inserisco digito scrivo introduzco \
         tecleo escribo insiro escrevo tape entre benutzen nutzen uzywam wpisuje podaje nehme pongo metto neem",
    ),
    (
        Part::Asks,
        "asks ask asked prompts prompted prompt wants demands fragt gefragt verlangt pide pida demande demandez chiede \
         pede vraagt pyta prompting asking requests",
    ),
    (
        Part::If,
        "if when once whenever wenn falls sobald cuando si quand lorsque se quando als wanneer gdy jesli kiedy",
    ),
    (
        Part::Joins,
        "but or and aber oder und sondern y o pero sino et ou mais e ma oppure mas maar en ale lub i else then",
    ),
    (
        Part::It,
        "it its it's one ones other new old second previous former neue neues alte altes nueva vieja nouveau nouvelle ancien nuova vecchia nova velha neu alt nieuwe oude nowe stare",
    ),
];

/// The part of a word; `None` for a word that may belong to a value or a name.
pub fn part(word: &str) -> Option<Part> {
    static TABLE: OnceLock<Table<Part>> = OnceLock::new();
    let pairs = || {
        PARTS.into_iter().flat_map(|(part, words)| words.split_whitespace().map(move |w| (w, part)))
    };
    // "is" in Italian and Portuguese. Without its accent, the word means "and".
    if matches!(word, "è" | "é" | "È" | "É" | "e'" | "E'") {
        return Some(Part::Is);
    }
    let folded = folded(word);
    TABLE.get_or_init(|| Table::of(pairs())).get(&folded)
}

/// Words between "changed" and the new value.
pub fn is_to(word: &str) -> bool {
    matches!(
        word,
        "to" | "auf" | "in" | "a" | "à" | "para" | "por" | "en" | "na" | "naar" | "op" | "zu"
    )
}

/// Words between "changed" and the old value.
pub fn is_from(word: &str) -> bool {
    matches!(word, "from" | "von" | "de" | "da" | "van" | "z")
}

/// Whether a word is a misspelled "password": a letter missing, added or replaced, or two letters swapped.
pub fn is_misspelled(folded: &str) -> bool {
    // Most words end here.
    if !(4..=12).contains(&folded.len()) || !folded.starts_with(['p', 'c', 'w', 's', 'k']) {
        return false;
    }
    const RIGHT: [&str; 6] =
        ["password", "passwort", "passphrase", "contrasena", "wachtwoord", "kennwort"];
    // "senha" is too short for a rule: "sena", "tenha" and "Sneha" are other words.
    const SHORT: [&str; 8] =
        ["snha", "seha", "sehna", "senah", "sennha", "seenha", "senhha", "ssenha"];
    if folded.len() < 7 {
        return SHORT.contains(&folded) || is_crippled(folded);
    }
    let known = ["passwords", "passworter", "passworts", "passport", "passports"].contains(&folded);
    !known
        && folded.is_ascii()
        && (RIGHT.iter().any(|right| is_near(folded.as_bytes(), right.as_bytes()))
            || is_crippled(folded))
}

/// "paswrd", "pawsord": two letters of "password" are missing, or one is and two are swapped.
fn is_crippled(folded: &str) -> bool {
    const WORDS: [&str; 9] =
        ["paswrd", "pawsord", "pasowrd", "passrd", "passowd", "pswrd", "paswd", "psswd", "passswd"];
    folded.starts_with('p') && WORDS.contains(&folded)
}

/// The right spelling of a misspelled "secret" or "passe", which the words before make sure: "client sceret", "mot de psase".
pub fn corrected(folded: &str, before: &str) -> Option<&'static str> {
    // Most words end here.
    if !(4..=7).contains(&folded.len()) || !folded.starts_with(['p', 's']) {
        return None;
    }
    const OF_SECRETS: [&str; 12] = [
        "client ",
        "api ",
        "app ",
        "shared ",
        "webhook ",
        "jwt ",
        "oauth ",
        "oidc ",
        "scaleway ",
        "session ",
        "consumer ",
        "signing ",
    ];
    let near = |right: &str| folded != right && is_near(folded.as_bytes(), right.as_bytes());
    let led = || OF_SECRETS.iter().any(|word| ends_with(before, word));
    match folded.as_bytes()[0] {
        b'p' if near("passe") && folded != "pause" && ends_with(before, "mot de ") => Some("passe"),
        b's' if near("secret") && folded != "secrets" && led() => Some("secret"),
        _ => None,
    }
}

/// Whether a text ends with a word in either case.
fn ends_with(text: &str, word: &str) -> bool {
    let start = text.len().checked_sub(word.len());
    start.and_then(|at| text.get(at..)).is_some_and(|end| end.eq_ignore_ascii_case(word))
}

/// Whether two words differ by one typing error.
fn is_near(word: &[u8], right: &[u8]) -> bool {
    let same = word.iter().zip(right).take_while(|(a, b)| a == b).count();
    // A change of the last letter turns many words into other words.
    if same < 1 || same == right.len() || word.len().abs_diff(right.len()) > 1 {
        return false;
    }
    let (left, rest) = (&word[same..], &right[same..]);
    match (left, rest) {
        ([a, b, left @ ..], [c, d, rest @ ..]) if a == d && b == c => left == rest,
        _ if word.len() == right.len() => left[1..] == rest[1..] && left.len() > 1,
        _ if word.len() < right.len() => *left == rest[1..],
        _ => left[1..] == *rest,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_accent_distinguishes_is_from_and() {
        assert_eq!((part("è"), part("e")), (Some(Part::Is), Some(Part::Joins)));
        assert_eq!((part("Lautet"), part("geändert")), (Some(Part::Is), Some(Part::Changed)));
        assert_eq!(part("walnut"), None);
    }

    #[test]
    fn a_typing_error_does_not_hide_a_password() {
        for word in [
            "pasword",
            "passwrod",
            "passwird",
            "paswort",
            "passsword",
            "pssword",
            "paassword",
            "paswrd",
            "pawsord",
            "kennnwort",
            "snha",
            "paswd",
        ] {
            assert!(is_misspelled(word), "{word}");
        }
        for word in [
            "passport",
            "passing",
            "swordfish",
            "crossword",
            "passwords",
            "wachtwoorden",
            "sneha",
            "sena",
            "senza",
            "senja",
            "wort",
        ] {
            assert!(!is_misspelled(word), "{word}");
        }
        for (before, word, meant) in [
            ("the client ", "sceret", Some("secret")),
            ("le mot de ", "psase", Some("passe")),
            ("le mot de ", "passe", None),
            ("a ", "sceret", None),
            ("mot de ", "pause", None),
            ("the client ", "secrets", None),
        ] {
            assert_eq!(corrected(word, before), meant, "{before}{word}");
        }
    }
}
