//! Words that speak about a password. After "the password is" they describe it; any other word is the password.
//!
//! A password of plain words does not look like one. But only a few words can follow "is" and describe a password,
//! while any word can be one. So this module lists those few, in lower case and without accents, and treats any other
//! word as a secret.

use super::things::is_prose;
use super::words::{Table, folded};
use std::borrow::Cow;
use std::sync::OnceLock;

/// What a word says about the text around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Says {
    /// It links two nouns: "of", "mit".
    Links,
    /// It joins words, also inside a passphrase: "the", "in".
    Joins,
    /// It begins another part of the sentence, asks, or denies: "until", "not", "please".
    Parts,
    /// It says how a password is, or how it is handled: "wrong", "short", "stored".
    Describes,
    /// It speaks about the form of passwords, or about where they are kept: "characters", "vault".
    About,
}

const WORDS: [(Says, &str); 5] = [
    (
        Says::Links,
        "of and with de del di da do du des della dello dos das und mit der met y con e ed com et avec van i oraz z d",
    ),
    (
        Says::Joins,
        "a an the in on at under over by without or to into onto near behind between above below upon for from die \
         den dem ein eine einen einem einer im am beim vom zum zur ohne unter uber oder auf aus bei vor hinter neben \
         zwischen nach von fur furs durch el la los las un una unos unas al en sin sobre bajo o por para junto entre tras \
         desde le les une au aux ou dans sur sous sans chez pour par vers derriere devant l il lo gli uno nel nella \
         nello nei sul sulla sullo sui dal dalla dei delle su tra fra per os as um uma no na nos nas ao aos em sem \
         sob ate pelo pela het een op te zonder naast achter voor aan bij uit w we ze od po pod nad przed za przy bez \
         dla lub",
    ),
    (
        Says::Parts,
        "is are was were be been being isn aren wasn has have had does did doesn don didn will would shall should can \
         could cannot may might must ought need needs not never neither nor none nobody nothing you he she it they me \
         him her us them my your his its our their mine yours ours theirs this that these those who whom whose which \
         what when where why how whoever whatever whichever if unless until till while because since though although \
         but so than then too very quite rather just only also even ever still already yet again soon currently \
         temporarily actually now today tomorrow yesterday ayer ieri etwas irgendwas irgendetwas algo quelque qualcosa iets later always often sometimes usually perhaps maybe really \
         probably here there everywhere anywhere somewhere nowhere please thanks sorry during before after \
         about against across through via off out up down let lets try tried ask asks asked something anything \
         everything someone anyone see use using used works work worked set rotate keep store change leave generate \
         choose pick enter type contact check read run get put send all any both each every few many more most much \
         other others another some such same different own one habe hab hast habt ich er sie es wir ihr mich dich uns \
         mein dein sein unser euer dieser diese dieses jener welche welcher wer wenn weil dass ob bis seit wahrend \
         bevor nachdem sobald aber denn doch nicht kein keine keinen nie niemals nichts ist sind war waren wird \
         werden wurde wurden hat haben hatte kann konnen muss mussen soll sollte darf gibt liegt steht aktuell \
         derzeit momentan noch schon nur auch sehr zu zuruck hier dort jetzt heute morgen gestern immer wieder bitte danke \
         siehe wie wo warum alle alles jeder jede viele mehr anders anderes selbe gleiche derselbe dasselbe dieselbe \
         yo tu usted nosotros ellos mi sus nuestro este esta esto ese esa eso que quien cual cuando donde como porque \
         si pero aunque mientras hasta antes despues nunca jamas nada nadie ni son era fue ser estar estan estaba ha \
         han hay tiene debe puede muy mas menos tan ya aun todavia solo tambien siempre ahora hoy aqui alli ahi otra \
         otro mismo misma todo todos cada algun ninguna favor gracias ver je nous vous ils elles mon ton notre votre \
         leur ce cet cette ces qui quoi dont quand comment pourquoi mais donc car puisque lorsque jusque jusqu avant \
         apres pendant depuis quel quelle quels quelles qual quais quale quali cual cuales jaki jaka jakie welk pas ne plus jamais rien personne est sont etait sera etre ete ont avait doit peut tres \
         trop peu bien encore deja aussi toujours maintenant ici demain aujourd meme autre tout tous chaque aucun \
         merci voir c j m n s t qu io lui lei noi voi loro mio tuo suo questo questa quello quella che chi cui dove \
         come perche se ma anche finche prima dopo mentre non mai niente nulla nessuno sono stato essere hanno deve \
         puo molto troppo poco piu meno gia ancora sempre adesso ora oggi ieri domani li altro altra stesso stessa \
         tutto ogni grazie eu ele ela eles voce meu minha seu sua isso isto aquele onde embora quando nao ninguem foi \
         sao estao estava tem pode muito ainda ja agora hoje ontem amanha ali outro outra mesmo mesma obrigado veja \
         ik jij hij zij wij jullie mij ons deze dit dat wat waar wanneer hoe waarom als omdat totdat tot sinds maar \
         niet geen nooit niets niemand zijn wordt worden werd heeft hebben kan kunnen moet moeten mag zal zou nog \
         alleen ook zeer erg daar nu vandaag gisteren altijd weer dezelfde hetzelfde ander andere elke staat ligt zie \
         ty ona wy oni moj twoj jego jej nasz ten ta kto co ktory ktore ktora kiedy gdzie jak dlaczego jesli bo ale \
         az poniewaz zanim potem nigdy nic nikt jest sa byl bylo byla bedzie byc musi moze trzeba bardzo juz jeszcze \
         tylko tez zawsze teraz dzis wczoraj jutro tutaj tam inne inny samo kazdy wszystko prosze zobacz wunsch myself yourself himself herself itself ourselves yourselves themselves selbst selber zelf sama prompts asks prints \
         returns outputs expects bedankt dank btw lol haha ok pls plz thx tho fyi imo fails danke thanks dzieki cheers celui celle pregunta preguntale preguntar pide pidele pedir demander demandez demande ask asking fragen frag frage chiedi chiedere chiedilo pergunte pergunta perguntar peca vraag vragen zapytaj pytaj spytaj setze setzen lassen hence therefore stad dlatego wiec daher deshalb entonces quindi dunque portanto dziala zadziala gebe sende schicke changer alors wozu wofur weshalb wieso warum woher wegen trotz segun selon malgre laut gemass direkt directly directement directamente sofort affiche afficher zeige zeig muestra wait warte wartet attends attendez espera esperen moment momento kommt folgt viene llega vient arrive beaucoup viel mucho bastante demasiado assez tellement ziemlich jedes jeden moi-meme toi-meme lui-meme elle-meme nous-memes vous-memes hilfe help ayuda aide",
    ),
    (
        Says::Describes,
        "definir definire definieren bestimmen tbd read-only readonly write-only read-write stockes stocke stored saved sichergestellt recuperavel recuperable recuperables recuperabile expirou expiro expiree scaduto hoofdlettergevoelig written geschrieben escrita escrito scritta scritto geschreven zapisane part subject tied wrong right correct incorrect valid invalid good bad better best worse weak weaker weakest strong stronger \
         strongest secure insecure safe unsafe short shorter long longer new newer old older simple complex easy hard \
         obvious trivial difficult guessable predictable common unique random temporary permanent private public \
         confidential secret visible invisible hidden empty blank missing present absent available unavailable known \
         unknown unset undefined null true false yes default optional mandatory necessary unnecessary required \
         sensitive insensitive plain clear local remote global initial current previous next last first old-fashioned \
         stale fresh fine okay ok ready pending due late dead useless pointless important critical bogus broken lost \
         gone case-sensitive kept held sent shown given taken written built bound found made chosen forgotten stolen \
         hardcoded tbd rubbish garbage annoying boring confusing expiring failing obligatorisk obligatoriskt \
         pakollinen vergessen working lacking differents differentes distincts distinctes identiques diversi diverse identici identiche verschillend rozne identyczne boolean string numeric alphanumeric integer text readable unreadable \
         typical similar identical equal deprecated static dynamic automatic manual internal external pflicht keins \
         keines keiner void falsch richtig korrekt gultig ungultig gut schlecht schwach stark sicher unsicher kurz \
         lang neu alt einfach komplex leicht schwer zufallig geheim vertraulich sichtbar leer bekannt unbekannt \
         erforderlich notwendig notig fehlt verloren weg egal abgelaufen incorrecta correcta incorrecto correcto \
         valida invalida buena mala debil fuerte segura insegura corta larga nueva vieja antigua facil dificil \
         incorreta incorreto secreta publica privada vacia aleatoria aleatorio aleatoire casuale aleatoriamente obligatoria obligatorias obligatorios obrigatorias obrigatorios obligatoires obbligatori obbligatorie opcionales correctas correctos validas validos opcional necesaria erronea equivocada caducada desconocida faux \
         fausse bon bonne mauvais mauvaise faible fort forte sure court courte longue nouveau nouvelle vieux ancien \
         facile difficile secrete publique prive vide obligatoire facultatif requis inconnu perdu expire sbagliata \
         corretta errata buona cattiva debole sicura insicura lunga nuova vecchia semplice segreta pubblica privata \
         distinta distinto distintas distintos igual iguales iguais uguale uguali diversa \
         diverso diferente diferentes vuota obbligatoria opzionale necessaria scaduta sconosciuta errada correta boa ruim fraca curta longa nova \
         velha simples vazia obrigatoria expirada fallita fallito fallida fallido falhou falhada mislukt nieudane gereset gewist verkeerd fout juist geldig ongeldig goed slecht zwak sterk veilig \
         onveilig bekend kort nieuw oud simpel makkelijk moeilijk openbaar leeg verplicht optioneel nodig verlopen onbekend \
         kwijt nieprawidlowe bledne poprawne wazne niewazne dobre zle slabe silne bezpieczne krotkie dlugie nowe \
         stare proste trudne tajne publiczne puste wymagane opcjonalne potrzebne nieznane wygaslo \
         planned scheduled geplant vorgesehen angesetzt prevu prevue prevus prevues planifie planifiee planifies planifiees \
         previsto prevista previstos previstas programado programada planificado planificada pianificata gepland abschalten \
         ausschalten einschalten deaktivieren aktivieren erlauben verbieten zulassen sperren speichern \
         vergessen eingeben eintippen erneuern rotieren hinterlegen ablegen loschen teilen generieren erzeugen erzwingen getippt vertippt cifrar descifrar firmar chiffrer signer verschlusseln entschlusseln foranea compuesta etrangere \
         abgelehnt accepte accepted aceptada actif activa activada activee actual actualizada actuel added ajoute \
         aktiv aktiviert aktualisiert akzeptiert allowed anadida ancienne angefordert angelegt anterior approuve \
         approved aprobada ausente ausstehend automatica automatique automatisch autorise bald bestatigt bientot \
         bisherig bloque bloqueada borrada cache cambiada changed chiffre cifrada compartida comprometida compromis \
         compromised confidencial confidentiel configurada configure confirmed conseille creada created cree \
         dauerhaft deaktiviert debloque defini definida deleted delivered denegada desactivada desactive \
         desbloqueada disabled discouraged disponible done echoue efface eingerichtet eingetragen eliminada \
         empfangen empfohlen enabled encrypted enmascarada enregistre entfernt entsperrt enviada envoye erfolgreich \
         erlaubt erledigt errone expired expose exposed expuesta fait fehlend fehlgeschlagen filtrada forbidden \
         fourni freiwillig geandert geerbt gehasht geleakt geloscht genehmigt generada generated genere generiert \
         gepruft geschutzt geschwarzt gesetzt gespeichert gesperrt geteilt gleich guardada hache hasheada hashed \
         hecha heredada herite hinterlegt hinzugefugt identica identique identisch ignorada ignore ignored \
         ignoriert inactif inactiva inaktiv inchange incluida inherited interdit kompromittiert leaked legible \
         lesbar lisible locked luego manana manuel manuell masked maskiert masque matched mismatch mitgeliefert \
         modifie necessaire needed nein obsoleta oculta offentlich olvidada omitida omitted optionnel oublie oui \
         outdated overdue partage pendiente perdida perime permitida possibly precedent predeterminada privat \
         prohibida prohibited pronto protege protegida provided provisoire quiza received rechazada recibida \
         recomendada recommande recommended recu redacted refuse refused reinitialise rejected rejete removed \
         renouvele requerida requested restablecida reussi revocada revoked revoque rotada rotated rotiert sensibel \
         sensible shared skipped solicitada soportada spater standard successful supported supprime temporaire \
         temporal temporar uberfallig ubersprungen unchanged ungepruft ungeschutzt ungesetzt unlocked unprotected \
         unsichtbar unsupported unterschiedlich unterstutzt unverandert unverified upcoming updated vencida \
         veraltet verborgen verboten vererbt verfugbar verificada verifie verified verpflichtend verrouille \
         verschickt verschieden verschlusselt versteckt verweigert vielleicht vorgeschrieben vorhanden vorlaufig \
         widerrufen",
    ),
    (
        Says::About,
        "production productie produktion produccion produzione producao produkcji staging password passwords passphrase passwd secrets token key keys credential credentials login logins user users \
         username account accounts admin root policy rule rules manager vault keychain wallet keepass bitwarden \
         lastpass hashicorp aws azure gcp terraform ansible kubernetes docker github gitlab keycloak ldap kerberos \
         sso mfa oauth database server servers config configuration file files env environment variable variables \
         parameter field form character characters chars letter letters digit digits symbol symbols byte bytes bit \
         bits length minimum maximum min max least case entropy hash hashes salt bcrypt argon2 scram base64 encoded \
         encoding plaintext cleartext generator generation rotation reset recovery prompt authentication auth \
         authorization permission denied error blad fatal failed failure access expiry expiration day days week weeks \
         month months year years hour hours minute minutes time times value str bool int fn vec option struct mut hint note \
         notes example examples placeholder documentation docs readme wiki ticket mail email slack signal knowledge \
         supplied specific dependent related aware protected based passwort kennwort schlussel benutzer zeichen \
         buchstaben ziffern worter tresor datei richtlinie tage wochen monate jahre mindestens beispiel hinweis \
         contrasena clave usuario caracteres letras digitos palabras boveda gestor archivo politica dias semanas \
         meses anos ejemplo minimo mot passe cle utilisateur lettres chiffres mots coffre gestionnaire fichier \
         politique jours semaines mois ans exemple parola chiave utente caratteri lettere cifre parole cassaforte \
         gestore giorni settimane mesi anni esempio senha chave palavras cofre gerenciador arquivo exemplo wachtwoord \
         sleutel gebruiker tekens cijfers woorden kluis beheerder bestand dagen weken maanden jaren voorbeeld haslo \
         klucz uzytkownik znakow znaki liter cyfr slow sejf menedzer plik dni tygodni miesiecy lat przyklad longueur longitud lange \
         lunghezza taille duree duracion dauer expiration caducidad ablauf historique historial verlauf",
    ),
];

/// Endings of words that say what was done to a password, and the least length of such a word, in bytes.
const DONE: [(&str, usize); 26] = [
    ("ed", 6),
    ("able", 7),
    ("ible", 7),
    ("iert", 7),
    ("bar", 7),
    ("lich", 7),
    ("ado", 7),
    ("ada", 7),
    ("ido", 7),
    ("ida", 7),
    ("ados", 8),
    ("adas", 8),
    ("idos", 8),
    ("idas", 8),
    ("ato", 7),
    ("ata", 7),
    ("ito", 8),
    ("ita", 8),
    ("uto", 8),
    ("uta", 8),
    ("isee", 7),
    ("cree", 6),
    ("chee", 7),
    ("duit", 7),
    ("eerd", 7),
    ("aard", 7),
];

/// The same for Polish. Many nouns of other languages have these endings too: "saxophone", "melanzana".
const DONE_IN_POLISH: [&str; 8] = ["ony", "one", "ona", "ane", "any", "ana", "iete", "alne"];
/// The least length of such a word, in bytes.
const POLISH_BYTES: usize = 8;

/// What a word near a Polish word for a password says.
pub fn says_in_polish(word: &str) -> Option<Says> {
    let folded = folded(word);
    let done = || DONE_IN_POLISH.iter().any(|end| folded.ends_with(end));
    says(word).or_else(|| (folded.len() >= POLISH_BYTES && done()).then_some(Says::Describes))
}

/// Whether a word is listed, and does not merely have the ending of a word that describes a password.
pub fn is_listed(word: &str) -> bool {
    let folded = folded(word);
    table().get(&folded).is_some() || is_prose(&folded)
}

fn table() -> &'static Table<Says> {
    static TABLE: OnceLock<Table<Says>> = OnceLock::new();
    let pairs = || {
        WORDS.into_iter().flat_map(|(says, words)| words.split_whitespace().map(move |w| (w, says)))
    };
    TABLE.get_or_init(|| Table::of(pairs()))
}

/// What a word says about the text around it; `None` for a word that may be a password.
pub fn says(word: &str) -> Option<Says> {
    let folded = folded(word);
    let done = || DONE.iter().any(|(end, least)| folded.len() >= *least && folded.ends_with(end));
    // "geändert", "verschlüsselt", "abgelaufen"; "gewijzigd", "versleuteld"
    let prefixed = || {
        let apart = ["ab", "an", "auf", "aus", "ein", "zu"]
            .iter()
            .find_map(|part| folded.strip_prefix(part));
        let begun =
            |word: &str| ["ge", "ver", "ent", "zer"].iter().any(|start| word.starts_with(start));
        let ended = folded.ends_with(['t', 'd']) || folded.ends_with("en");
        folded.len() >= 8
            && ended
            && (begun(&folded) || apart.is_some_and(|rest| rest.starts_with("ge")))
    };
    // "créé", "oublié", "demandée"
    let accented = || word.len() >= 6 && (word.ends_with('é') || word.ends_with("ée"));
    table().get(&folded).or_else(|| {
        (is_prose(&folded) || done() || accented() || prefixed()).then_some(Says::Describes)
    })
}

/// Nouns that end like a participle or such an adjective, in Spanish, Italian, Portuguese, French, German and English: a
/// password is one of them more often than somebody calls a password "lemonaded".
const CALLED_DONE: &str = "limonada limonata naranjada laranjada ensalada empanada empanadas enchilada tostada granada \
     cascada cascata balada ballata serenata fachada facciata almohada cruzada crociata manada jornada giornata \
     escalada madrugada alborada alvorada nevada nevicata helada gelato cabalgata espada empada feijoada goiabada \
     marmelada marmellata mermelada salada insalata frittata piadina grigliata peperonata cioccolata crostata \
     mozzarella pomada pomata calzada posada morada emboscada embajada embaixada ambasciata temporada ensenada \
     avenida corrida florida guarida comida bebida partida medida batida margarita carlota estrada entrada escada \
     fragata regata sonata cantata calamita carbonara granita pepita visita gravita sabato mercato soldado soldato \
     abogado advogado avvocato tornado dourado eldorado colorado mikado avocado bacalhau senado senato condado \
     telhado tejado machado apellido vestido sentido marido partido hermanita senorita favorita estampida pescado \
     poupee fusee musee bebe araignee cheminee orchidee azalee epee maree vallee armee rosee dragee fumee puree trophee lycee \
     scarabee camee bouee fiancee canape gespenst verstand gegenstand widerstand gewand entenbraten vegetable constable \
     timetable turntable seaweed hundred thoroughbred crossbar handlebar crowbar minibar milchbar";

/// Whether a word only ends like a participle, and is the name of something.
pub fn is_called_done(word: &str) -> bool {
    static TABLE: OnceLock<Table<()>> = OnceLock::new();
    // Most words end here.
    if !word.ends_with(['a', 'o', 's', 'e', 'é', 'd', 'r', 't', 'n']) {
        return false;
    }
    let folded = folded(word);
    let own = || table().get(&folded).is_none();
    TABLE.get_or_init(|| Table::listed(CALLED_DONE)).get(&folded).is_some() && own()
}

/// Endings that adjectives take for another gender, number or case, and what stands there in the listed form:
/// "facultative", "caducadas", "gültiges".
const INFLECTED: [(&str, &[&str]); 14] = [
    ("o", &["a", "e"]),
    ("a", &["o", "e"]),
    ("os", &["o", "a"]),
    ("as", &["o", "a"]),
    ("i", &["o", "a"]),
    ("e", &["", "a", "o"]),
    ("s", &[""]),
    ("es", &["", "e"]),
    ("er", &["", "e"]),
    ("en", &["", "e"]),
    ("em", &["", "e"]),
    ("le", &[""]),
    ("ve", &["f"]),
    ("ves", &["f"]),
];

/// Whether a whole answer only describes a password, or says when or whether there is one: "optional", "facultative",
/// "nie", "geändert".
pub fn is_description(word: &str) -> bool {
    const LEAST_BYTES: usize = 5;
    /// Those that a sentence puts after a value, or before one.
    const STATES: &str = "zuruckgesetzt andern failed denied error failure supplied keine keines aucun aucune ninguno peut-etre";
    static DESCRIBED: OnceLock<Table<()>> = OnceLock::new();
    let is_plain = |b: u8| b.is_ascii() && !b.is_ascii_uppercase();
    let lower = match word.bytes().all(is_plain) {
        true => Cow::Borrowed(word),
        false => Cow::Owned(word.to_lowercase()),
    };
    if is_prose(&lower) {
        return true;
    }
    if word.bytes().any(|b| b.is_ascii_digit() || b.is_ascii_punctuation() && b != b'-') {
        return false;
    }
    let folded = folded(word);
    let listed = |word: &str| matches!(table().get(word), Some(Says::Describes));
    let inflected = || {
        let mut whole = String::new();
        folded.len() >= LEAST_BYTES
            && INFLECTED.iter().any(|(end, forms)| {
                let stem = folded.strip_suffix(end);
                stem.is_some_and(|stem| {
                    forms.iter().any(|form| {
                        whole.clear();
                        whole.push_str(stem);
                        whole.push_str(form);
                        listed(&whole)
                    })
                })
            })
    };
    matches!(table().get(&folded), Some(Says::Describes | Says::Parts))
        || DESCRIBED.get_or_init(|| Table::listed(STATES)).get(&folded).is_some()
        || inflected()
}

/// The same for a word without a digit: `oTlQh5Ed` ends as a participle does, but is not one.
pub fn says_plainly(word: &str) -> Option<Says> {
    let made = || word.contains(|c: char| c.is_ascii_digit()) && !word.contains('-');
    says(word).filter(|_| is_listed(word) || !made())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_may_only_describe() {
        for word in [
            "optional",
            "facultative",
            "opcionales",
            "gültiges",
            "caducadas",
            "rotated",
            "geändert",
            "nie",
            "luego",
            "peut-être",
            "zurückgesetzt",
            "failed",
        ] {
            assert!(is_description(word), "{word}");
        }
        for word in ["dragon", "Regenschirm", "mariposa", "goleadas", "wretched", "trovoada"] {
            assert!(!is_description(word), "{word}");
        }
    }

    #[test]
    fn words_about_passwords_are_distinguished_from_passwords() {
        for word in ["wrong", "gespeichert", "olvidada", "oublié", "Stored", "gewijzigd"] {
            assert_eq!(says(word), Some(Says::Describes), "{word}");
        }
        assert_eq!((says_in_polish("zmieniona"), says("zmieniona")), (Some(Says::Describes), None));
        assert_eq!((says("the"), says("until")), (Some(Says::Joins), Some(Says::Parts)));
        assert_eq!(says("Zeichen"), Some(Says::About));
        for word in ["dragon", "Regenschirm", "mariposa", "papillon", "wiosna", "red"] {
            assert_eq!(says(word), None, "{word}");
        }
    }
}
