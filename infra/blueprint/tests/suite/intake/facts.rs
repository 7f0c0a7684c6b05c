//! No hard fact of a message is lost without a word: an address, a host, a number or a known name is in a row of the list,
//! in its text or in the words that it quotes.

use serde_json::json;

use super::accounts::after_agreement;
use crate::support::Chat;

/// Sentences in one language. `{}` stands for a fact.
struct Tongue {
    openings: [&'static str; 4],
    wishes: [&'static str; 6],
    additions: [&'static str; 3],
    corrections: [&'static str; 2],
    facts: [&'static str; 12],
    /// A value, and another one for the same thing.
    values: [[&'static str; 2]; 5],
}

const ENGLISH: Tongue = Tongue {
    openings: [
        "A server at Hetzner",
        "PostgreSQL in Nuremberg",
        "WordPress for www.marigold.example",
        "An ELK stack in Helsinki",
    ],
    wishes: [
        "A server at Hetzner, with {}.",
        "PostgreSQL on a VPS. There is {} to think of.",
        "We know that {} matters, so please set up a VPS.",
        "WordPress for www.marigold.example ({}).",
        "A k3s cluster that our people use for {}, in Falkenstein",
        "{} - and a small website with nginx for www.marigold.example",
    ],
    additions: ["Also {}, please.", "And don't forget {}!", "{} only for the night shift"],
    corrections: ["No, rather {}.", "Forget that, make it {}."],
    facts: [
        "port 3000",
        "203.0.113.0/26",
        "ops@marigold.example",
        "files.marigold.example",
        "14 days",
        "512 MB",
        "99.9 % uptime",
        "3:30 at night",
        "RabbitMQ",
        "37 people",
        "a certificate",
        "2001:db8::/32",
    ],
    values: [
        ["8 GB of memory", "16 GB of memory"],
        ["port 3000", "port 4000"],
        ["old.marigold.example", "new.marigold.example"],
        ["SSH from 203.0.113.5", "SSH from 203.0.113.6"],
        ["backups kept 20 days", "backups kept 30 days"],
    ],
};

const GERMAN: Tongue = Tongue {
    openings: [
        "Ein Server bei Hetzner",
        "PostgreSQL in Nürnberg",
        "WordPress für www.marigold.example",
        "Ein ELK-Stack in Helsinki",
    ],
    wishes: [
        "Ein Server bei Hetzner, mit {}.",
        "PostgreSQL auf einem VPS. Wichtig ist uns {}.",
        "Wir denken an {}, also richte bitte einen VPS ein.",
        "WordPress für www.marigold.example ({}).",
        "Ein k3s-Cluster, den unsere Leute für {} nutzen, in Falkenstein",
        "{} - und eine kleine Website mit nginx für www.marigold.example",
    ],
    additions: ["Außerdem {}, bitte.", "Und vergiss {} nicht!", "{} nur für die Nachtschicht"],
    corrections: ["Nein, lieber {}.", "Vergiss das, nimm {}."],
    facts: [
        "Port 3000",
        "203.0.113.0/26",
        "ops@marigold.example",
        "files.marigold.example",
        "14 Tage",
        "512 MB",
        "99,9 % Verfügbarkeit",
        "3:30 Uhr",
        "RabbitMQ",
        "37 Leute",
        "ein Zertifikat",
        "2001:db8::/32",
    ],
    values: [
        ["8 GB RAM", "16 GB RAM"],
        ["Port 3000", "Port 4000"],
        ["alt.marigold.example", "neu.marigold.example"],
        ["SSH von 203.0.113.5", "SSH von 203.0.113.6"],
        ["Backups 20 Tage aufbewahren", "Backups 30 Tage aufbewahren"],
    ],
};

const SPANISH: Tongue = Tongue {
    openings: [
        "Un servidor en Hetzner",
        "PostgreSQL en Núremberg",
        "WordPress para www.marigold.example",
        "Una pila ELK en Helsinki",
    ],
    wishes: [
        "Un servidor en Hetzner, con {}.",
        "PostgreSQL en un VPS. Nos importa {}.",
        "Sabemos que {} es importante, así que monta un VPS.",
        "WordPress para www.marigold.example ({}).",
        "Un clúster k3s que nuestra gente usa para {}, en Falkenstein",
        "{} - y una web pequeña con nginx para www.marigold.example",
    ],
    additions: ["También {}, por favor.", "¡Y no olvides {}!", "{} solo para el turno de noche"],
    corrections: ["No, mejor {}.", "Olvida eso, pon {}."],
    facts: [
        "el puerto 3000",
        "203.0.113.0/26",
        "ops@marigold.example",
        "files.marigold.example",
        "14 días",
        "512 MB",
        "99,9 % de disponibilidad",
        "las 3:30",
        "RabbitMQ",
        "37 personas",
        "un certificado",
        "2001:db8::/32",
    ],
    values: [
        ["8 GB de RAM", "16 GB de RAM"],
        ["el puerto 3000", "el puerto 4000"],
        ["viejo.marigold.example", "nuevo.marigold.example"],
        ["SSH desde 203.0.113.5", "SSH desde 203.0.113.6"],
        ["copias guardadas 20 días", "copias guardadas 30 días"],
    ],
};

const FRENCH: Tongue = Tongue {
    openings: [
        "Un serveur chez Hetzner",
        "PostgreSQL à Nuremberg",
        "WordPress pour www.marigold.example",
        "Une pile ELK à Helsinki",
    ],
    wishes: [
        "Un serveur chez Hetzner, avec {}.",
        "PostgreSQL sur un VPS. Pour nous, {} compte.",
        "Nous savons que {} est important, alors installe un VPS.",
        "WordPress pour www.marigold.example ({}).",
        "Un cluster k3s que nos équipes utilisent pour {}, à Falkenstein",
        "{} - et un petit site avec nginx pour www.marigold.example",
    ],
    additions: ["Aussi {}, s'il te plaît.", "Et n'oublie pas {} !", "{} seulement pour la nuit"],
    corrections: ["Non, plutôt {}.", "Oublie ça, mets {}."],
    facts: [
        "le port 3000",
        "203.0.113.0/26",
        "ops@marigold.example",
        "files.marigold.example",
        "14 jours",
        "512 Mo",
        "99,9 % de disponibilité",
        "3:30",
        "RabbitMQ",
        "37 personnes",
        "un certificat",
        "2001:db8::/32",
    ],
    values: [
        ["8 Go de RAM", "16 Go de RAM"],
        ["le port 3000", "le port 4000"],
        ["vieux.marigold.example", "neuf.marigold.example"],
        ["SSH depuis 203.0.113.5", "SSH depuis 203.0.113.6"],
        ["sauvegardes gardées 20 jours", "sauvegardes gardées 30 jours"],
    ],
};

impl Tongue {
    /// Each fact in a first message, in a later one, and before the deployment is chosen.
    fn conversations(&self) -> Vec<Vec<String>> {
        let fill = |text: &str, at: usize| text.replace("{}", self.facts[at % self.facts.len()]);
        let all = (0..self.facts.len()).flat_map(|at| {
            let opening = self.openings[at % self.openings.len()].to_string();
            let wish = fill(self.wishes[at % self.wishes.len()], at);
            let other = fill(self.wishes[(at + 3) % self.wishes.len()], at + 5);
            let addition = fill(self.additions[at % self.additions.len()], at);
            [vec![wish], vec![fill("{}", at), opening], vec![other, addition]]
        });
        all.chain(self.corrected()).collect()
    }

    /// Each value in each deployment, replaced by another one in a later message.
    fn corrected(&self) -> Vec<Vec<String>> {
        let all = self.openings.iter().enumerate().flat_map(|(at, opening)| {
            self.values.iter().enumerate().map(move |(value, [first, second])| {
                let correction = self.corrections[(at + value) % 2].replace("{}", second);
                vec![format!("{opening}, {first}"), correction]
            })
        });
        all.collect()
    }
}

/// Everything in a message that looks like a fact: words with a digit, an at sign or a dot inside, and some known names.
fn facts(message: &str) -> Vec<String> {
    const NAMES: &[&str] =
        &["rabbitmq", "certificate", "zertifikat", "certificado", "certificat", "wordpress"];
    let marks = |c: char| !c.is_alphanumeric();
    let words = message.split_whitespace().map(|word| word.trim_matches(marks).to_lowercase());
    let is_fact = |word: &String| {
        word.contains(|c: char| c.is_ascii_digit()) && !word.starts_with("k3s")
            || word.contains('@')
            || word.contains('.')
            || NAMES.contains(&word.as_str())
    };
    words.filter(is_fact).collect()
}

/// Whether a text has the fact as a whole: “30” is not in “3000”.
fn has(text: &str, fact: &str) -> bool {
    let part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric());
    text.match_indices(fact).any(|(at, _)| {
        !part(text[..at].chars().next_back()) && !part(text[at + fact.len()..].chars().next())
    })
}

/// The rows of the list that the user sees after these messages.
async fn rows(messages: &[String]) -> Vec<String> {
    let text = json!({"type": "string"});
    let properties = json!({"content": text, "asked": {"type": "array"}, "ready_to_continue": {"type": "boolean"}});
    let mut chat = Chat::with(&[("update_requirements", properties)]);
    for message in messages {
        chat = chat.user(message);
    }
    let answer = chat.ask_whole().await;
    let lines = answer.argument("asked").as_array().unwrap().clone();
    let cell = |line: &serde_json::Value, name: &str| line[name].as_str().unwrap().to_lowercase();
    let row = |line| ["wish", "words", "how"].map(|name| cell(line, name)).join(" | ");
    lines.iter().map(row).collect()
}

/// Asserts that each fact of each message is in a row.
async fn nothing_is_lost(tongue: &Tongue) {
    let mut lost = Vec::new();
    for messages in tongue.conversations() {
        let rows = rows(&messages).await;
        let all = messages.iter().flat_map(|message| facts(message));
        let gone: Vec<String> = all.filter(|fact| !rows.iter().any(|row| has(row, fact))).collect();
        if !gone.is_empty() {
            lost.push(format!("{gone:?} of {messages:?}: {rows:#?}"));
        }
    }
    assert!(lost.is_empty(), "{} lost:\n{}", lost.len(), lost.join("\n"));
}

#[tokio::test]
async fn no_fact_is_lost_in_english() {
    nothing_is_lost(&ENGLISH).await;
}

#[tokio::test]
async fn no_fact_is_lost_in_german() {
    nothing_is_lost(&GERMAN).await;
}

#[tokio::test]
async fn no_fact_is_lost_in_spanish() {
    nothing_is_lost(&SPANISH).await;
}

#[tokio::test]
async fn no_fact_is_lost_in_french() {
    nothing_is_lost(&FRENCH).await;
}

/// What a later message takes back or replaces is listed as left out, and what the readers know is not repeated.
#[tokio::test]
async fn a_fact_is_listed_once() {
    after_agreement(&[
        (
            &["A VPS with 8 GB of memory", "no, 16 GB of memory"],
            &["| server size: 16 gb of memory | built", "left out, as asked: 8 gb"],
            &["not understood"],
        ),
        (
            &["Ein VPS, SSH auf Port 2222", "SSH lieber doch auf Port 22 lassen"],
            &[],
            &["port 22 ", "2222 | instead"],
        ),
        (
            &["Un WordPress. Le domaine est marguerite.example, acheté chez OVH."],
            &["blueprint: wordpress"],
            &["| domaine |"],
        ),
        (
            &["Ein WordPress für marguerite.example, so 2 GB mit Bildern"],
            &["blueprint: wordpress"],
            &["2 gb"],
        ),
    ])
    .await;
}
