//! What the requirements gatherer says, in its four languages. Documents are in English.

use crate::catalogue::deployments;
use crate::catalogue::parameters::Parameter;
use crate::catalogue::translations::translated;
use crate::words::language::Language;

/// A sentence in English, German, Spanish and French; `{}` is a placeholder.
pub type Text = [&'static str; 4];

/// The sentence in a language; English if the model does not speak the language.
pub fn say(language: Language, text: &Text) -> &'static str {
    match language {
        Language::English | Language::Other => text[0],
        Language::German => text[1],
        Language::Spanish => text[2],
        Language::French => text[3],
    }
}

/// Like [`say`], with `{}` filled in.
pub fn fill(language: Language, text: &Text, value: &str) -> String {
    say(language, text).replace("{}", value)
}

/// Like [`fill`], with a value for each `{}`.
pub fn fill_all(language: Language, text: &Text, values: &[&str]) -> String {
    let text = say(language, text).to_string();
    values.iter().fold(text, |text, value| text.replacen("{}", value, 1))
}

/// The name of a parameter.
pub fn label(language: Language, parameter: &Parameter) -> String {
    translated(language, parameter.label)
}

pub const ONLY_ENGLISH: &str = "I speak English, German, Spanish and French only, and may have misread this message; please say it in one of them.";

/// What the DevOps helper says in another language before its English answer.
pub const ENGLISH_HERE: Text = [
    "",
    "Ich verstehe einfache Fragen auf Deutsch, antworte hier aber auf Englisch.",
    "Entiendo preguntas sencillas en español, pero aquí respondo en inglés.",
    "Je comprends les questions simples en français, mais je réponds ici en anglais.",
];
pub const HELLO: Text = ["Hello.", "Hallo.", "Hola.", "Bonjour."];
pub const SECRET: Text = [
    "I never see secrets typed here, and nothing uses them. Enter yours in the credentials form: “Add” or “Manage” beside “Credentials”.",
    "Geheimnisse, die hier getippt werden, sehe ich nie, und nichts verwendet sie. Geben Sie sie im Formular für Zugangsdaten ein: „Add“ oder „Manage“ neben „Credentials“.",
    "Nunca veo los secretos escritos aquí y nada los usa. Introdúzcalos en el formulario de credenciales: «Add» o «Manage» junto a «Credentials».",
    "Je ne vois jamais les secrets tapés ici, et rien ne les utilise. Saisissez-les dans le formulaire d'identifiants : « Add » ou « Manage » à côté de « Credentials ».",
];
pub const CHOSEN: Text = ["", "Gewählt: **{}**.", "Elegido: **{}**.", "Choisi : **{}**."];
pub const NOTED: Text = ["Noted: {}.", "Notiert: {}.", "Anotado: {}.", "Noté : {}."];
pub const VERY_WELL: Text = ["Very well.", "Sehr gut.", "Muy bien.", "Très bien."];
pub const NO_HURRY: Text = ["No hurry.", "Keine Eile.", "Sin prisa.", "Rien ne presse."];
pub const GATHER: Text = [
    "I gather what is needed for a deployment. Today I can build:",
    "Ich sammle, was für ein Deployment nötig ist. Bauen kann ich zurzeit:",
    "Reúno lo necesario para un despliegue. Hoy puedo construir:",
    "Je rassemble ce qu'il faut pour un déploiement. Aujourd'hui, je peux construire :",
];
/// `{}` stands for quotations of the user's words.
pub const NO_MATCH: Text = [
    "I cannot tell from {} what to build.",
    "Aus {} erkenne ich nicht, was ich bauen soll.",
    "Con {} no sé todavía qué construir.",
    "{} ne me dit pas encore quoi construire.",
];
pub const NO_WISH: Text = [
    "Tell me in a sentence what you need.",
    "Sagen Sie mir in einem Satz, was es sein soll.",
    "Dígame en una frase qué quiere.",
    "Dites-moi en une phrase ce que vous voulez.",
];
pub const FOR_EXAMPLE: Text = [
    "For example, I can build:",
    "Bauen kann ich zum Beispiel:",
    "Puedo construir, por ejemplo:",
    "Je peux construire, par exemple :",
];
pub const TAKE_ONE: Text = [
    "Name one of them, or say in your own words what you need. Say “list” to see everything I can build.",
    "Nennen Sie eines davon, oder sagen Sie mit eigenen Worten, was Sie brauchen. Sagen Sie „Liste“, um alles zu sehen, was ich bauen kann.",
    "Nombre una de estas opciones o diga con sus palabras qué necesita. Diga «lista» para ver todo lo que puedo construir.",
    "Nommez-en un, ou dites avec vos mots ce qu'il vous faut. Dites « liste » pour voir tout ce que je peux construire.",
];
pub const LIST_ABOVE: Text = [
    "You have the list of everything I can build above.",
    "Die Liste all dessen, was ich bauen kann, steht oben.",
    "La lista de todo lo que puedo construir está más arriba.",
    "La liste de tout ce que je peux construire est plus haut.",
];
pub const WHICH: Text = [
    "Which one would you like? A sentence is enough, and “use the defaults” saves you the questions.",
    "Was soll es sein? Ein Satz genügt, und „Standardwerte“ erspart Ihnen die Fragen.",
    "¿Cuál quiere? Basta una frase, y «valores por defecto» le ahorra las preguntas.",
    "Lequel voulez-vous ? Une phrase suffit, et « valeurs par défaut » vous évite les questions.",
];
pub const CANNOT: Text = [
    "I cannot build this: {}. I am the blueprint model and follow fixed blueprints, so I would rather say so than build something else.",
    "Das kann ich nicht bauen: {}. Ich bin das eingebaute Modell und folge festen Bauplänen; ich sage das lieber, als etwas anderes zu bauen.",
    "Esto no lo puedo construir: {}. Soy el modelo incluido y sigo planos fijos; prefiero decirlo antes que construir otra cosa.",
    "Je ne peux pas construire ceci : {}. Je suis le modèle intégré et je suis des plans fixes ; je préfère le dire plutôt que de construire autre chose.",
];
/// `{}` stands for the place of what is planned: “at Hetzner”.
pub const NOT_YOUR_SERVER: Text = [
    "You have a server already: this plan does not use it. It makes something new {}. To have your own server configured, connect a model.",
    "Sie haben schon einen Server: Dieser Plan benutzt ihn nicht, er legt etwas Neues an, {}. Damit Ihr eigener Server eingerichtet wird, verbinden Sie ein Modell.",
    "Ya tiene un servidor: este plan no lo usa, crea algo nuevo {}. Para que se configure su propio servidor, conecte un modelo.",
    "Vous avez déjà un serveur : ce plan ne l'utilise pas, il crée quelque chose de nouveau {}. Pour faire configurer votre propre serveur, connectez un modèle.",
];
/// `{}` stands for the place of what is planned: “at Hetzner”.
pub const A_NEW_SERVER: Text = [
    "You have a server already: it is not used. This plan buys a new one {}. To have your own server configured, connect a model.",
    "Sie haben schon einen Server: Er wird nicht benutzt. Dieser Plan mietet einen neuen {}. Damit Ihr eigener Server eingerichtet wird, verbinden Sie ein Modell.",
    "Ya tiene un servidor: no se usa. Este plan contrata uno nuevo {}. Para que se configure su propio servidor, conecte un modelo.",
    "Vous avez déjà un serveur : il n'est pas utilisé. Ce plan en loue un nouveau {}. Pour faire configurer votre propre serveur, connectez un modèle.",
];
pub const ONLY_NEW_SERVERS: Text = [
    "You have the server already, and I cannot work on it: everything I build goes to a new one. To have your own server configured, connect a model.",
    "Den Server haben Sie schon, und auf ihm kann ich nicht arbeiten: Alles, was ich baue, kommt auf einen neuen. Damit Ihr eigener Server eingerichtet wird, verbinden Sie ein Modell.",
    "El servidor ya lo tiene, y en él no puedo trabajar: todo lo que construyo va en uno nuevo. Para que se configure su propio servidor, conecte un modelo.",
    "Le serveur, vous l'avez déjà, et je ne peux pas y travailler : tout ce que je construis va sur un nouveau. Pour faire configurer votre propre serveur, connectez un modèle.",
];
pub const ALSO_UNKNOWN: Text = [
    "And these words mean nothing to me, so they would not be planned: {}.",
    "Und diese Wörter verstehe ich nicht, also wären sie nicht geplant: {}.",
    "Y estas palabras no las entiendo, así que no estarían en el plan: {}.",
    "Et je ne comprends pas ces mots, donc ils ne seraient pas prévus : {}.",
];
pub const LEFT_OUT: Text = [
    "Left out, as asked: {}.",
    "Wie gewünscht weggelassen: {}.",
    "Omitido, como pidió: {}.",
    "Laissé de côté, comme demandé : {}.",
];
pub const NEAREST: Text = [
    "The nearest that I can build:",
    "Das Nächste, was ich bauen kann:",
    "Lo más cercano que puedo construir:",
    "Le plus proche de ce que je peux construire :",
];
pub const TAKE_NEAREST: Text = [
    "Say “the nearest” to take the first, or name another. Say “list” to see everything I can build.",
    "Sagen Sie „das nächste“, um das erste zu nehmen, oder nennen Sie ein anderes. Sagen Sie „Liste“, um alles zu sehen, was ich bauen kann.",
    "Diga «lo más cercano» para elegir lo primero, o nombre otra opción. Diga «lista» para ver todo lo que puedo construir.",
    "Dites « le plus proche » pour prendre le premier, ou nommez-en un autre. Dites « liste » pour voir tout ce que je peux construire.",
];
pub const PLANNED: Text =
    ["I would build: {}.", "Geplant ist: {}.", "Construiría: {}.", "Je construirais : {}."];
/// The sentence before an answer that exists only in English.
pub const ANSWER_IN_ENGLISH: Text = [
    "",
    "Dazu habe ich eine Antwort nur auf Englisch:",
    "A eso solo puedo responder en inglés:",
    "Je n'ai de réponse qu'en anglais :",
];
/// The values are a date, a type, a location and a price.
pub const PRICE_SERVER: Text = [
    "On {}, a `{}` {} cost {} a month without VAT, and Hetzner bills you for it.",
    "Am {} kostete ein `{}` {} {} im Monat ohne Mehrwertsteuer; die Rechnung stellt Ihnen Hetzner.",
    "El {}, un `{}` {} costaba {} al mes sin IVA, y se lo factura Hetzner.",
    "Le {}, un `{}` {} coûtait {} par mois hors TVA, facturés par Hetzner.",
];
/// The same for several servers, with their number and their price together.
pub const PRICE_SERVERS: Text = [
    "On {}, a `{}` {} cost {} a month without VAT: for {} servers {} together, and Hetzner bills you for them.",
    "Am {} kostete ein `{}` {} {} im Monat ohne Mehrwertsteuer: für {} Server zusammen {}; die Rechnung stellt Ihnen Hetzner.",
    "El {}, un `{}` {} costaba {} al mes sin IVA: por {} servidores, {} en total, y se los factura Hetzner.",
    "Le {}, un `{}` {} coûtait {} par mois hors TVA : pour {} serveurs, {} en tout, facturés par Hetzner.",
];
pub const PRICE_AWS: Text = [
    "On {}, a `{}` {} with its disk and its address cost {} a month by AWS's list, and AWS bills you for it.",
    "Am {} kostete ein `{}` {} mit Platte und Adresse nach der Liste von AWS {} im Monat; die Rechnung stellt Ihnen AWS.",
    "El {}, un `{}` {} con su disco y su dirección costaba {} al mes según la lista de AWS, y se lo factura AWS.",
    "Le {}, un `{}` {} avec son disque et son adresse coûtait {} par mois selon la liste d'AWS, facturés par AWS.",
];
pub const PRICE_STATIC: Text = [
    "S3 and CloudFront bill what is stored and what visitors fetch: a small site costs cents a month, and AWS bills you for it.",
    "S3 und CloudFront berechnen, was gespeichert und was abgerufen wird: Eine kleine Website kostet Cents im Monat; die Rechnung stellt Ihnen AWS.",
    "S3 y CloudFront cobran lo que se guarda y lo que se descarga: un sitio pequeño cuesta céntimos al mes, y se lo factura AWS.",
    "S3 et CloudFront facturent ce qui est stocké et ce qui est consulté : un petit site coûte quelques centimes par mois, facturés par AWS.",
];
pub const PRICE_SANDBOX: Text = [
    "There are no cloud resources: it runs in the sandbox, so no provider bills you.",
    "Es gibt keine Cloud-Ressourcen: Es läuft in der Sandbox, also stellt kein Anbieter eine Rechnung.",
    "No hay recursos en la nube: funciona en el sandbox, así que ningún proveedor le factura.",
    "Il n'y a pas de ressources dans le cloud : cela tourne dans le bac à sable, donc aucun fournisseur ne facture.",
];
pub const PRICE_PAGE: Text = [
    "I do not know that price; today's is on {}.",
    "Diesen Preis kenne ich nicht; der heutige steht auf {}.",
    "No conozco ese precio; el de hoy está en {}.",
    "Je ne connais pas ce prix ; celui d'aujourd'hui est sur {}.",
];
pub const PRICE_OF_GROUNDCREW: Text = [
    "Groundcrew's own usage is paid from your prepaid credits.",
    "Die Nutzung von Groundcrew selbst wird von Ihrem Guthaben bezahlt.",
    "El uso de Groundcrew se paga aparte, con su saldo prepagado.",
    "L'usage de Groundcrew même est payé sur votre crédit prépayé.",
];
pub const NOTHING_OF: Text = ["nothing {}", "{}: nichts", "{}: nada", "{} : rien"];
pub const IN_VAIN: Text = [
    "Nothing is chosen yet, so there is nothing to start with: what you asked for is not in my list.",
    "Noch ist nichts gewählt, also gibt es nichts zu beginnen: Was Sie wünschen, steht nicht auf meiner Liste.",
    "Aún no hay nada elegido, así que no hay con qué empezar: lo que pidió no está en mi lista.",
    "Rien n'est encore choisi, il n'y a donc rien à commencer : ce que vous demandez n'est pas dans ma liste.",
];
pub const CONNECT: Text = [
    "To have it built as you asked, connect a model: set `MODEL_PROVIDER`, `MODEL_NAME`, `MODEL_BASE_URL` and `MODEL_API_KEY` and start Groundcrew again.",
    "Damit es so gebaut wird, wie Sie es wünschen, verbinden Sie ein Modell: Setzen Sie `MODEL_PROVIDER`, `MODEL_NAME`, `MODEL_BASE_URL` und `MODEL_API_KEY`, und starten Sie Groundcrew neu.",
    "Para construirlo tal como lo pidió, conecte un modelo: defina `MODEL_PROVIDER`, `MODEL_NAME`, `MODEL_BASE_URL` y `MODEL_API_KEY` y reinicie Groundcrew.",
    "Pour le construire comme demandé, connectez un modèle : définissez `MODEL_PROVIDER`, `MODEL_NAME`, `MODEL_BASE_URL` et `MODEL_API_KEY`, puis redémarrez Groundcrew.",
];
pub const STOPPED: Text = [
    "You said “{}”, so nothing is built for now. Say “go ahead” to have it built anyway.",
    "Sie sagten „{}“, also wird vorerst nichts gebaut. Sagen Sie „weiter“, wenn es trotzdem gebaut werden soll.",
    "Usted dijo «{}», así que por ahora no se construye nada. Diga «adelante» si aun así debe construirse.",
    "Vous avez dit « {} », donc rien n'est construit pour l'instant. Dites « vas-y » pour le construire quand même.",
];
pub const NOT_AS_ASKED: Text = [
    "Not everything is built as you asked:",
    "Nicht alles wird so gebaut, wie Sie es wünschen:",
    "No todo se construye como lo pidió:",
    "Tout n'est pas construit comme demandé :",
];
pub const WILL_NOT: Text =
    ["not built", "wird nicht gebaut", "no se construye", "n'est pas construit"];
pub const NOT_NOW: Text = [
    "later, as you asked",
    "später, wie Sie es wünschen",
    "más adelante, como pidió",
    "plus tard, comme demandé",
];
pub const INSTEAD: Text = ["instead: {}", "stattdessen: {}", "en su lugar: {}", "à la place : {}"];
pub const CONTRADICTION: Text = [
    "these contradict each other, so only one of them can be built; please say which one holds",
    "das widerspricht sich, also lässt sich nur eines davon bauen; bitte sagen Sie, was gilt",
    "se contradicen, así que solo se puede construir una de las dos cosas; diga cuál vale",
    "cela se contredit, donc une seule des deux choses peut être construite ; dites laquelle vaut",
];
pub const DOUBT: Text = [
    "so far {}; please say which one holds",
    "bisher {}; bitte sagen Sie, was gilt",
    "por ahora {}; diga cuál vale",
    "pour l'instant {} ; dites ce qui vaut",
];
/// `{}` stands for quotations of the user's words.
pub const NOT_UNDERSTOOD: Text = [
    "I did not understand these words, so they are not planned: {}. Background can stay as it is; please put anything to be built in other words.",
    "Diese Wörter habe ich nicht verstanden, also sind sie nicht geplant: {}. Hintergrund kann so bleiben; was gebaut werden soll, sagen Sie bitte mit anderen Worten.",
    "No he entendido estas palabras, así que no están en el plan: {}. El contexto puede quedar así; lo que deba construirse, dígalo con otras palabras.",
    "Je n'ai pas compris ces mots, ils ne sont donc pas prévus : {}. Le contexte peut rester tel quel ; ce qui doit être construit, dites-le autrement.",
];
pub const QUOTED: Text = ["“{}”", "„{}“", "«{}»", "« {} »"];
pub const ACCEPT: Text = [
    "Say “go ahead” to have it built this way, or tell me what to change.",
    "Sagen Sie „weiter“, um es so bauen zu lassen, oder was geändert werden soll.",
    "Diga «adelante» para construirlo así, o dígame qué cambiar.",
    "Dites « vas-y » pour le construire ainsi, ou dites-moi quoi changer.",
];
pub const ONE_OPEN: Text = [
    "One thing is open:",
    "Eines ist noch offen:",
    "Queda una cosa por decidir:",
    "Un point reste ouvert :",
];
pub const SOME_OPEN: Text = [
    "A few things are open:",
    "Einiges ist noch offen:",
    "Quedan algunas cosas por decidir:",
    "Quelques points restent ouverts :",
];
pub const TELL_ME: Text = [
    "Tell me, or say “use the defaults”.",
    "Sagen Sie es mir, oder sagen Sie „Standardwerte“.",
    "Dígamelo, o diga «valores por defecto».",
    "Dites-le-moi, ou dites « valeurs par défaut ».",
];
pub const SAY_WHEN: Text = [
    "Say “go ahead” when the requirements are as you want them.",
    "Sagen Sie „weiter“, wenn die Anforderungen so stimmen.",
    "Diga «adelante» cuando los requisitos estén como los quiere.",
    "Dites « vas-y » quand les exigences vous conviennent.",
];
pub const ALL_I_NEED: Text = [
    "That is all I need:",
    "Mehr brauche ich nicht:",
    "Es todo lo que necesito:",
    "C'est tout ce qu'il me faut :",
];
pub const CONFIRM: Text = [
    "Confirm the requirements to continue, or tell me what to change.",
    "Bestätigen Sie die Anforderungen, um fortzufahren, oder sagen Sie, was zu ändern ist. Die Dokumente sind auf Englisch.",
    "Confirme los requisitos para continuar, o dígame qué cambiar. Los documentos están en inglés.",
    "Confirmez les exigences pour continuer, ou dites-moi quoi changer. Les documents sont en anglais.",
];
pub const DEFAULT: Text = ["default", "Standard", "por defecto", "par défaut"];

/// The question about a parameter.
pub fn question(language: Language, parameter: &Parameter) -> &'static str {
    let own = QUESTIONS.iter().find(|(key, _)| *key == parameter.key);
    let own = own.map(|(_, texts)| *texts);
    let described = deployments::asked(parameter.key).find_map(|asked| asked.translations);
    let described = described.map(|[german, spanish, french]| ["", german, spanish, french]);
    match (language, own.or(described)) {
        (Language::English | Language::Other, _) | (_, None) => parameter.question,
        (_, Some(texts)) => say(language, &texts),
    }
}

/// Questions by the parameter's key. The English question is part of the parameter.
const QUESTIONS: &[(&str, Text)] = &[
    ("name", ["", "wie soll es heißen?", "¿cómo debe llamarse?", "comment doit-il s'appeler ?"]),
    (
        "port",
        [
            "",
            "auf welchem Port soll es lauschen?",
            "¿en qué puerto debe escuchar?",
            "sur quel port doit-il écouter ?",
        ],
    ),
    (
        "location",
        [
            "",
            "wo: Nürnberg, Falkenstein, Helsinki, Ashburn, Hillsboro oder Singapur?",
            "¿dónde: Núremberg, Falkenstein, Helsinki, Ashburn, Hillsboro o Singapur?",
            "où : Nuremberg, Falkenstein, Helsinki, Ashburn, Hillsboro ou Singapour ?",
        ],
    ),
    (
        "server-type",
        [
            "",
            "welcher Servertyp von Hetzner?",
            "¿qué tipo de servidor de Hetzner?",
            "quel type de serveur Hetzner ?",
        ],
    ),
    (
        "ssh-from",
        [
            "",
            "von welcher Adresse oder welchem Netz (wie 203.0.113.7) darf man sich verbinden? Diese Sandbox darf immer, für den Test.",
            "¿desde qué dirección o red (como 203.0.113.7) se puede conectar? Este sandbox siempre puede, para la prueba.",
            "depuis quelle adresse ou quel réseau (comme 203.0.113.7) peut-on se connecter ? Ce bac à sable le peut toujours, pour le test.",
        ],
    ),
    (
        "database",
        [
            "",
            "wie sollen die Datenbank und ihr Login heißen?",
            "¿cómo deben llamarse la base de datos y su usuario?",
            "comment doivent s'appeler la base de données et son utilisateur ?",
        ],
    ),
    (
        "watch",
        [
            "",
            "welche Adressen (wie https://example.com) sollen überwacht werden?",
            "¿qué direcciones (como https://example.com) se deben vigilar?",
            "quelles adresses (comme https://example.com) faut-il surveiller ?",
        ],
    ),
    (
        "region",
        ["", "in welcher AWS-Region?", "¿en qué región de AWS?", "dans quelle région AWS ?"],
    ),
    (
        "instance-type",
        ["", "welche Servergröße?", "¿qué tamaño de servidor?", "quelle taille de serveur ?"],
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue;

    #[test]
    fn every_question_exists_in_every_language() {
        for blueprint in catalogue::ALL.iter() {
            for parameter in blueprint.parameters.iter().filter(|parameter| parameter.asked) {
                let mut said = std::collections::BTreeSet::new();
                for language in
                    [Language::English, Language::German, Language::Spanish, Language::French]
                {
                    let question = question(language, parameter);
                    assert!(!question.is_empty() && said.insert(question), "{}", parameter.key);
                }
            }
        }
    }
}
