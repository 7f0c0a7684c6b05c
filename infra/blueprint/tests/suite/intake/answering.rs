//! How the model answers: few suggestions in the user's language, answers to questions, defaults for what the user
//! leaves open, and what would be built.

use super::{blueprint, content, ready, rows};
use crate::support::{Answer, Chat};

/// The answers to a conversation's last message.
async fn last(messages: &[&str]) -> Vec<Answer> {
    let (mut chat, mut answers) = (Chat::gatherer(), Vec::new());
    for message in messages {
        (chat, answers) = chat.turn(message).await;
    }
    answers
}

/// The text after the call.
fn text(answers: &[Answer]) -> &str {
    &answers.last().unwrap().text
}

/// A part of each answer must be there, and another must not.
async fn says(cases: &[(&[&str], &[&str], &[&str])]) {
    for (messages, there, missing) in cases {
        let answers = last(messages).await;
        let text = text(&answers);
        for part in *there {
            assert!(text.contains(part), "{messages:?}: {part}: {text}");
        }
        for part in *missing {
            assert!(!text.contains(part), "{messages:?}: {part}: {text}");
        }
    }
}

const LAST_OF_ALL: [&str; 4] = [
    "14. **Releases without downtime",
    "14. **Veröffentlichungen ohne Ausfall",
    "14. **Versiones sin interrupción",
    "14. **Mises en production sans interruption",
];

#[tokio::test]
async fn a_refusal_names_at_most_three_deployments_in_the_users_language() {
    says(&[
        (&["A mail server"], &["1. **A basic VPS**: an empty", "Say “list”"], &["4. **"]),
        (
            &["Ich möchte einen Minecraft-Server"],
            &["Das Nächste", "1. **Ein einfacher VPS**: ein leerer", "„Liste“"],
            &["4. **", "A basic VPS"],
        ),
        (&["Quiero OpenShift"], &["1. **Un clúster de Kubernetes", "«lista»"], &["4. **"]),
        (&["Je veux WireGuard"], &["1. **Un VPS simple**", "« liste »"], &["4. **", "hardened"]),
        (
            &["asdf qwer"],
            &["from “asdf qwer” what to build", "3. **A WordPress site**"],
            &["4. **"],
        ),
        (&["blubber bla wumms"], &["1. **"], &["nichts zuordnen"]),
        (
            &["Bonjour"],
            &["Je peux construire, par exemple", "1. **Un petit service web"],
            &["4. **"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn everything_is_listed_only_for_who_asks_and_never_twice_in_a_row() {
    let asked = [
        ("what can you build?", "list"),
        ("was kannst du?", "Liste"),
        ("¿qué puedes construir?", "lista"),
        ("que sais-tu faire ?", "liste"),
    ];
    for ((question, again), last_of_all) in asked.iter().zip(LAST_OF_ALL) {
        says(&[
            (&[question], &[last_of_all], &[]),
            (&[question, again], &[], &[last_of_all]),
            (&["OpenShift", question], &[last_of_all], &[]),
        ])
        .await;
    }
    // Within a deployment, the list comes beside what is open.
    says(&[
        (
            &["A VPS", "what else can you build?"],
            &[LAST_OF_ALL[0], "**Location**"],
            &["understand"],
        ),
        (&["Ein VPS", "zeig mir die Liste"], &[LAST_OF_ALL[1], "**Standort**"], &["verstanden"]),
    ])
    .await;
    for message in ["A list of users in PostgreSQL", "Can you build a VPS with a wish list?"] {
        let answers = last(&[message]).await;
        assert!(!text(&answers).contains("14. **"), "{message}: {}", text(&answers));
    }
}

#[tokio::test]
async fn a_number_chooses_from_the_list_that_was_shown() {
    for (messages, id) in [
        (&["hello", "the second one"][..], Some("nginx-site")),
        (&["Hallo", "das dritte"], Some("wordpress")),
        (&["Hallo", "bitte die dritte"], Some("wordpress")),
        (&["Hola", "el segundo"], Some("nginx-site")),
        (&["Bonjour", "3"], Some("wordpress")),
        (&["what can you build?", "the second one"], Some("ec2-ssh")),
        (&["que sais-tu faire ?", "12"], Some("k3s")),
        (&["OpenShift", "the first one"], Some("k3s")),
        (&["hello", "7"], None),
        (&["hello", "WireGuard for 2 people"], None),
    ] {
        let answers = last(messages).await;
        let chosen = blueprint(content(&answers));
        assert_eq!(chosen, id, "{messages:?}: {}", content(&answers));
        let number = messages[1].split(' ').next_back().unwrap_or_default();
        assert!(id.is_none() || !rows(content(&answers)).contains(number), "{messages:?}");
    }
}

#[tokio::test]
async fn questions_are_answered_and_lead_back_to_what_is_open() {
    says(&[
        (&["what does it cost?"], &["€5.99 a month", "prepaid credits", "Say “list”"], &["I cannot tell"]),
        (&["Ein VPS", "Was kostet das im Monat?"], &["5,99 € im Monat", "**Standort**"], &[]),
        (&["Un VPS con cx33", "¿cuánto cuesta al mes?"], &["8,99 € al mes", "**Ubicación**"], &[]),
        (&["HAProxy devant deux serveurs", "combien ça coûte ?"], &["3 serveurs, 17,97 €"], &[]),
        (&["An EC2 server in Frankfurt", "is it free?"], &["Not quite", "$13.36 a month"], &[]),
        (&["c'est gratuit ?"], &["Pas tout à fait", "5,99 €"], &["quoi construire"]),
        (&["Brauche ich eine Domain?"], &["Eine Domain ist der Name"], &["nicht bauen"]),
        (&["¿Qué es un dominio?"], &["Un dominio es el nombre"], &["no sé todavía"]),
        (&["Ein VPS", "gibt es auch eine kostenlose Domain?"], &["keine verschenken"], &["Nicht ganz"]),
        (
            &["Je n'ai pas de clé SSH, c'est quoi ?"],
            &["Une clé SSH est une paire de fichiers"],
            &["quoi construire"],
        ),
        (&["no sé qué es eso del proveedor"], &["Un proveedor alquila servidores"], &["no sé todavía"]),
        (&["Wo liegen meine Daten?"], &["in Ihrem eigenen Konto beim Anbieter"], &["erkenne ich nicht"]),
        (
            &["¿Quién tiene acceso a mis datos si creo aquí un servidor? ¿Vosotros guardáis las claves?"],
            &["Solo puede entrar la clave SSH", "se guardan sellados", "por ejemplo"],
            &["no sé todavía", "no se construye"],
        ),
        (&["Do you keep my passwords?"], &["stored sealed"], &["I cannot tell"]),
        (
            &["what's the difference between running on my own server and using AWS here?"],
            &["I build only new servers", "For example"],
            &["EC2 server with SSH access** at AWS"],
        ),
        (&["is docker the same thing as a server?"], &["No: a server is a computer"], &["I cannot tell"]),
        (&["C'est quoi Docker ?"], &["Non : un serveur est un ordinateur"], &["quoi construire"]),
        (&["k3s", "do we really need it?"], &["a single server is enough", "Kubernetes"], &[]),
        (&["Wozu brauche ich Kubernetes?"], &["Ein einzelner Server genügt"], &["Geplant"]),
        (&["A VPS", "what happens next?"], &["each step is shown to you", "**Location**"], &[]),
        (&["¿y ahora qué?"], &["No se construye ni se contrata nada"], &[]),
        (&["Who are you?"], &["blueprint model"], &["I cannot tell"]),
    ])
    .await;
}

#[tokio::test]
async fn words_that_ask_for_something_are_not_a_question() {
    for (message, listed) in [
        ("A VPS, nothing too expensive", "nothing too expensive"),
        ("A VPS with a price list generator", "price list generator"),
        ("Can you set up a VPS with a frobnicator, and what does it cost?", "frobnicator"),
        ("Ein VPS mit TLS. Was kostet das?", "tls"),
        ("A VPS with Docker Swarm", "swarm"),
        ("Un VPS con un quitanieves, ¿cuánto cuesta?", "quitanieves"),
        ("WordPress for a.de, do I need a domain example.org, too?", "example.org"),
        ("Un VPS avec une cafetière, c'est gratuit ?", "cafetière"),
    ] {
        let answers = last(&[message]).await;
        assert!(rows(content(&answers)).contains(listed), "{message}: {}", content(&answers));
    }
    for (message, id) in [
        ("What does a server in Helsinki cost? I want WordPress.", "location hel1"),
        ("Wie viel RAM hat er? Ein VPS mit MySQL", "vps-mysql"),
        ("Can you do WordPress?", "wordpress"),
        ("¿Podéis montar PostgreSQL?", "vps-postgresql"),
        ("Könnt ihr einen VPS mit MySQL bauen?", "vps-mysql"),
    ] {
        let answers = last(&[message]).await;
        assert!(content(&answers).contains(id), "{message}: {}", content(&answers));
    }
}

#[tokio::test]
async fn what_the_user_leaves_open_takes_the_defaults() {
    for messages in [
        &["A VPS", "you pick one"][..],
        &["A VPS", "I don't know, whatever"],
        &["A VPS", "I have no server yet, you choose"],
        &["Ein VPS", "egal"],
        &["Ein VPS", "weiß nicht, such dir was aus"],
        &["Un VPS", "da igual"],
        &["Un VPS con MySQL", "no sé, lo que sea"],
        &["Je voudrais WordPress", "peu importe"],
        &["Je voudrais un VPS", "aucune idée, comme vous voulez"],
    ] {
        let answers = last(messages).await;
        assert!(ready(&answers), "{messages:?}: {}", text(&answers));
        assert_eq!(rows(content(&answers)).trim(), "", "{messages:?}");
    }
    // Nothing else is agreed to, and what is left open is not asked again.
    for messages in [
        &["A VPS with TLS", "whatever"][..],
        &["Ein VPS mit einer Replik", "egal"],
        &["Un VPS con TLS, elige tú"],
        &["Je voudrais un VPS avec une cafetière", "peu importe"],
    ] {
        let answers = last(messages).await;
        assert!(!ready(&answers), "{messages:?}");
        assert!(!text(&answers).contains("`nbg1`"), "{messages:?}: {}", text(&answers));
    }
    // Only the question that the user names
    says(&[
        (
            &["A VPS", "the location doesn't matter"],
            &["in Nuremberg", "**Server size**"],
            &["nbg1"],
        ),
        (&["Ein VPS", "Größe egal"], &["**Standort**"], &["**Servergröße**"]),
        (&["Un VPS", "el tamaño da igual"], &["**Ubicación**"], &["**Tamaño"]),
        (
            &["Un VPS, s'il vous plaît", "la taille, peu importe"],
            &["**Emplacement**"],
            &["**Taille"],
        ),
        (
            &["Quiero WordPress", "el proveedor me da igual mientras esté en la UE"],
            &["**Dominio**", "**Tamaño"],
            &[],
        ),
        (&["A VPS", "I don't care about the frobnicator"], &["**Location**", "frobnicator"], &[]),
    ])
    .await;
}

#[tokio::test]
async fn not_having_a_server_is_not_a_wish_to_go_without() {
    for message in [
        "WordPress for a.de. I have no server, you pick one.",
        "WordPress for a.de, I don't have a server yet",
        "WordPress für a.de, einen Server habe ich noch nicht",
        "WordPress für a.de, ich habe keinen Server",
        "WordPress para a.es, todavía no tengo servidor",
        "WordPress pour a.fr, je n'ai pas encore de serveur",
    ] {
        let answers = last(&[message]).await;
        assert!(!rows(content(&answers)).contains("server"), "{message}: {}", content(&answers));
    }
    for message in ["WordPress for a.de without a server", "WordPress für a.de, bitte ohne Server"]
    {
        let answers = last(&[message]).await;
        assert!(rows(content(&answers)).contains("server"), "{message}: {}", content(&answers));
    }
}

#[tokio::test]
async fn an_answer_says_what_would_be_built_now() {
    says(&[
        (
            &["PostgreSQL in Falkenstein"],
            &["I would build: **A VPS with PostgreSQL** in Falkenstein."],
            &[],
        ),
        (
            &["Ein VPS mit MySQL in Singapur", "lieber PostgreSQL, ohne MySQL"],
            &["Geplant ist: **Ein VPS mit PostgreSQL** in Singapur."],
            &[],
        ),
        (
            &["Quiero WordPress en Helsinki"],
            &["Construiría: **Un sitio de WordPress** en Helsinki."],
            &[],
        ),
        (
            &["Un EC2 à Paris"],
            &["Je construirais : **Un serveur EC2 avec accès SSH** à Paris."],
            &[],
        ),
        (&["Ein VPS mit Redis"], &["**Ein einfacher VPS** bei Hetzner, mit Redis."], &[]),
    ])
    .await;
}

#[tokio::test]
async fn reasons_labels_and_notes_are_in_the_users_language() {
    says(&[
        (
            &["Ein VPS mit Postgres 16 bei AWS, mein Schlüssel: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGh2k8"],
            &["stattdessen: bei Hetzner", "stattdessen: PostgreSQL 17", "ein neuer Schlüssel nur für"],
            &["at Hetzner", "postgres 17", "a new key"],
        ),
        (
            &["k3s con cinco nodos en Irlanda"],
            &["en su lugar: en Núremberg", "de uno a tres servidores", "**Tamaño del servidor**"],
            &["nuremberg", "one to three", "Server size"],
        ),
        (
            &["Un VPS avec sauvegardes toutes les heures et MySQL, valeurs par défaut", "vas-y"],
            &["jeton d'API Hetzner Cloud", "- Taille du serveur: `cx23`"],
            &["is needed", "Needed are", "nightly", "Server size"],
        ),
        (
            &["WordPress para a.es con HTTPS, valores por defecto", "adelante"],
            &["- Dominio: `a.es`", "Hacen falta un token"],
            &["Domain:", "credentials"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn the_reply_says_once_how_to_connect_a_model() {
    let connect = ["MODEL_PROVIDER"];
    for (first, next) in [
        ("A VPS with TLS", "in Helsinki"),
        ("Ein VPS mit einer Replik", "in Helsinki"),
        ("Quiero un servidor de correo", "¿cuánto cuesta?"),
        ("Je veux WireGuard", "pour huit personnes"),
    ] {
        says(&[(&[first], &connect, &[]), (&[first, next], &[], &connect)]).await;
    }
    // The reply also says what is new beside an agreement.
    says(&[(
        &["Quiero un servidor de correo", "valores por defecto, y con un quitanieves"],
        &["Aún no hay nada elegido", "quitanieves"],
        &[],
    )])
    .await;
}

#[tokio::test]
async fn a_few_words_do_not_change_the_language() {
    says(&[
        (&["Quiero un VPS", "da igual"], &["Es todo lo que necesito"], &[]),
        (&["Je voudrais un VPS", "ok"], &["C'est tout ce qu'il me faut"], &[]),
        (&["Hello", "Ich hätte gern einen VPS"], &["Einiges ist noch offen"], &[]),
        (&["Quiero un VPS", "please continue in English, thank you"], &["I would build"], &[]),
    ])
    .await;
}

/// A message that begins with “ok” and says something else takes no defaults for what is open.
#[tokio::test]
async fn only_agreement_alone_takes_the_defaults() {
    for (message, open) in [
        ("ok, with nginx on port 8443 too", "SSH allowed from"),
        ("Ok, dann mit Redis", "SSH erlaubt von"),
        ("bueno vale, con claves", "SSH permitido desde"),
        ("D'accord, alors avec fail2ban", "SSH autorisé depuis"),
        ("Helsinki is fine", "SSH allowed from"),
        ("passt, aber ohne Docker", "SSH erlaubt von"),
    ] {
        let answers = last(&["A VPS", message]).await;
        assert!(text(&answers).contains(open), "{message}: {}", text(&answers));
    }
    for message in ["ok", "sounds good", "passt", "vale", "d'accord", "use the defaults"] {
        let answers = last(&["A VPS", message]).await;
        assert!(ready(&answers), "{message}: {}", text(&answers));
    }
}
