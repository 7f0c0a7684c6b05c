//! Sixty first conversations in four languages: the model drops no request silently.
//!
//! A request ends in one of two ways. Either the model chooses the right deployment and reports what it lacks before
//! the user can confirm, or it chooses nothing and says what cannot be built, what comes nearest, and how to connect a
//! model that can build it.

mod accounts;
mod added;
mod answering;
mod apart;
mod bindings;
mod bound;
mod choosing;
mod chosen;
mod clauses;
mod contacts;
mod conversations;
mod corrected;
mod everyday;
mod exchanged;
mod facts;
mod for_some;
mod fulfilled;
mod given_up;
mod held;
mod hosts;
mod labels;
mod later;
mod limits;
mod nets;
mod people;
mod places;
mod ports;
mod purposes;
mod qualified;
mod quotes;
mod refusals;
mod replaced;
mod scopes;
mod slips;
mod spoken;
mod standing;
mod thresholds;
mod told;
mod unsaid;
mod values;
mod words;

use crate::support::{Answer, Chat};
use conversations::Outcome::{Built, Refused};
use conversations::{CONVERSATIONS, Outcome, Speaker};

/// First messages that fit several deployments or none.
#[tokio::test]
async fn a_vague_request_selects_no_deployment() {
    for wish in [
        "Which server would you take?",
        "I want a databse",
        "Bitte kein Hetzner, lieber Azure",
        "Un serveur de jeu pour mon projet",
        "Delete my server",
    ] {
        let (_, answers) = Chat::gatherer().turn(wish).await;
        assert_eq!(blueprint(content(&answers)), None, "{wish}: {}", content(&answers));
        assert!(!ready(&answers), "{wish}");
    }
}

#[tokio::test]
async fn requests_from_before_the_deployment_was_chosen_are_kept() {
    let (chat, _) =
        Chat::gatherer().turn("A database with TLS and a frobnicator in Falkenstein").await;
    let (chat, answers) = chat.turn("PostgreSQL").await;
    assert!(content(&answers).contains("location fsn1"), "{}", content(&answers));
    for word in ["tls", "frobnicator"] {
        assert!(rows(content(&answers)).contains(word), "{}", content(&answers));
    }
    let (_, answers) = chat.turn("no, MySQL instead").await;
    assert_eq!(blueprint(content(&answers)), Some("vps-mysql"));
    assert!(rows(content(&answers)).contains("tls") && !ready(&answers));
}

#[tokio::test]
async fn ports_are_opened_and_closed_one_by_one_and_unclear_requests_are_asked_about() {
    for (messages, ports) in [
        (["A VPS with ports 80 and 443 open", "also open 8443"], "open-ports 80,443,8443"),
        (["A VPS with ports 80 and 443 open", "close 80"], "open-ports 443"),
        (
            ["Ein VPS, Port 80 und 443 offen", "Port 8443 zusätzlich offen"],
            "open-ports 80,443,8443",
        ),
        (["Un VPS con los puertos 80 y 443 abiertos", "cierra el puerto 80"], "open-ports 443"),
        (["Un VPS avec les ports 80 et 443 ouverts", "ferme le port 443"], "open-ports 80"),
        (["Ein VPS, Port 80 offen", "Port 8443 offen, Port 80 zu"], "open-ports 8443"),
        (["Ein VPS, Port 80 offen", "Öffne 8443, 80 zu"], "open-ports 80"),
    ] {
        let (chat, _) = Chat::gatherer().turn(messages[0]).await;
        let (_, answers) = chat.turn(messages[1]).await;
        let content = content(&answers);
        assert!(content.contains(&format!("· {ports}")), "{messages:?}: {content}");
    }
}

#[tokio::test]
async fn the_list_also_names_what_is_built() {
    let (_, answers) =
        Chat::gatherer().turn("A VPS named shop in Helsinki with TLS, use the defaults").await;
    let (_, list) = content(&answers).split_once("## What you asked for").unwrap();
    for row in [
        "| A basic VPS | will be built |",
        "| Server name: shop | will be built |",
        "| Location: hel1 | will be built |",
        "| tls | not built |",
    ] {
        assert!(list.contains(row), "{row} is not in {list}");
    }
}

fn content(answers: &[Answer]) -> &str {
    answers[0].str("content")
}

fn said(answers: &[Answer]) -> String {
    let texts: Vec<String> = answers.iter().map(|answer| answer.text.to_lowercase()).collect();
    texts.join("\n")
}

/// The rows of the list that are not built as requested.
fn rows(content: &str) -> String {
    let (_, list) = content.split_once("## What you asked for").unwrap_or_default();
    let list = list.split("\n#").next().unwrap().split("\n---\n").next().unwrap().to_lowercase();
    let rows = list.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| asked "));
    rows.filter(|row| !row.ends_with("| will be built |")).collect::<Vec<_>>().join("\n")
}

fn blueprint(content: &str) -> Option<&str> {
    content.lines().find_map(|line| line.strip_prefix("Blueprint: ")?.split(" · ").next())
}

fn ready(answers: &[Answer]) -> bool {
    answers[0].argument("ready_to_continue") == true
}

async fn refused((speaker, wish, _): &(&Speaker, &str, Outcome), words: &[&str]) {
    let (chat, answers) = Chat::gatherer().turn(wish).await;
    assert!(!ready(&answers), "{wish}");
    assert_eq!(blueprint(content(&answers)), None, "{wish}: {}", content(&answers));
    let said = said(&answers);
    for word in words {
        assert!(rows(content(&answers)).contains(word), "{wish}, {word}: {}", content(&answers));
    }
    assert!(said.contains("model_provider"), "{wish}: {said}");
    assert!(speaker.signs.iter().any(|sign| said.contains(&sign.to_lowercase())), "{wish}: {said}");
    // Agreeing to a refusal does not build anything.
    let (_, answers) = chat.turn(speaker.agrees[0]).await;
    assert!(!ready(&answers) && blueprint(content(&answers)).is_none(), "{wish}");
}

async fn built((speaker, wish, _): &(&Speaker, &str, Outcome), id: &str, lacking: &[&str]) {
    let (mut chat, mut answers) = Chat::gatherer().turn(wish).await;
    assert_eq!(blueprint(content(&answers)), Some(id), "{wish}: {}", content(&answers));
    let listed = rows(content(&answers));
    for word in lacking {
        assert!(listed.contains(word), "{wish}, {word}: {listed:?}");
    }
    assert_eq!(lacking.is_empty(), listed.trim().is_empty(), "{wish}: {listed:?}");
    assert!(lacking.is_empty() || !ready(&answers), "{wish}");
    for word in speaker.agrees {
        (chat, answers) = chat.turn(word).await;
    }
    assert!(ready(&answers), "{wish}: {answers:?}");
    assert_eq!(blueprint(content(&answers)), Some(id), "{wish}");
    assert_eq!(rows(content(&answers)).trim(), listed.trim(), "{wish}: the list changed");
    let said = said(&answers);
    assert!(speaker.signs.iter().any(|sign| said.contains(&sign.to_lowercase())), "{wish}: {said}");
}

#[tokio::test]
async fn in_sixty_conversations_no_request_is_replaced_silently() {
    assert!(CONVERSATIONS.len() >= 60);
    for conversation in CONVERSATIONS {
        match &conversation.2 {
            Built(id, lacking) => built(conversation, id, lacking).await,
            Refused(words) => refused(conversation, words).await,
        }
    }
}

#[tokio::test]
async fn a_user_cannot_agree_to_a_list_that_they_have_not_seen() {
    let wish = "A VPS with PostgreSQL 12 and TLS, use the defaults, go ahead";
    let (chat, answers) = Chat::gatherer().turn(wish).await;
    assert!(!ready(&answers), "the user has not seen this list before");
    let (chat, answers) = chat.turn("go ahead").await;
    assert!(ready(&answers));
    let (_, answers) = chat.turn("and RabbitMQ").await;
    assert!(!ready(&answers) && rows(content(&answers)).contains("rabbitmq"));
}

#[tokio::test]
async fn asking_for_the_nearest_deployment_selects_it() {
    for (wish, nearest) in [
        ("OpenShift", "the nearest please"),
        ("Ich möchte OpenShift haben", "das nächste bitte"),
        ("Quiero OpenShift", "lo más cercano"),
        ("Je voudrais OpenShift", "le plus proche"),
    ] {
        let (chat, _) = Chat::gatherer().turn(wish).await;
        let (_, answers) = chat.turn(nearest).await;
        assert_eq!(blueprint(content(&answers)), Some("k3s"), "{wish}: {}", content(&answers));
        assert!(rows(content(&answers)).contains("openshift"), "{wish}");
    }
}

#[tokio::test]
async fn greetings_and_questions_are_in_the_users_language() {
    for (hello, greeting, wish, question) in [
        ("Hello", "Hello.", "I want a basic VPS", "which Hetzner server type?"),
        ("Hallo", "Hallo.", "Ich möchte einen VPS", "welcher Servertyp von Hetzner?"),
        ("¡Hola!", "Hola.", "Quiero un VPS", "¿qué tipo de servidor de Hetzner?"),
        ("Bonjour", "Bonjour.", "Je voudrais un VPS", "quel type de serveur Hetzner ?"),
    ] {
        let (chat, answers) = Chat::gatherer().turn(hello).await;
        assert!(answers[0].text.contains(greeting), "{hello}: {}", answers[0].text);
        let (_, answers) = chat.turn(wish).await;
        assert!(answers[1].text.contains(question), "{wish}: {}", answers[1].text);
    }
}

#[tokio::test]
async fn an_unsupported_language_is_answered_with_the_supported_ones() {
    for text in ["Vorrei un server con PostgreSQL, grazie", "日本語でお願いします", "Я хочу сервер"]
    {
        let (_, answers) = Chat::gatherer().turn(text).await;
        let all: String = answers.iter().map(|answer| answer.text.as_str()).collect();
        assert!(all.contains("I speak English, German, Spanish and French"), "{text}: {all}");
    }
}

#[tokio::test]
async fn unbuilt_requests_stay_listed_when_earlier_messages_are_left_out() {
    let (_, answers) =
        Chat::gatherer().turn("A VPS with PostgreSQL and TLS, use the defaults").await;
    let requirements = crate::support::fence("requirements", content(&answers));
    let note = "[Earlier messages of this conversation are left out.]";
    let chat = Chat::gatherer();
    let (chat, answers) = chat.turn(&format!("{note}\n\n{requirements}\n\nin Helsinki")).await;
    assert!(!ready(&answers) && rows(content(&answers)).contains("tls"));
    let (_, answers) = chat.turn("go ahead").await;
    assert!(ready(&answers) && rows(content(&answers)).contains("tls"));
}

/// Prints the choice, the list with its quotations and the answer for each line of the file `MESSAGES`. What follows “ ||| ”
/// on a line is a note, and “ >>> ” separates the messages of one conversation.
#[tokio::test]
#[ignore = "reads messages of your own"]
async fn answer_messages_of_your_own() {
    let file = std::env::var("MESSAGES").expect("MESSAGES names a file");
    for line in std::fs::read_to_string(file).unwrap().lines() {
        let wish = line.split(" ||| ").next().unwrap_or_default();
        let (mut chat, mut answers) = (Chat::gatherer(), Vec::new());
        for message in wish.split(" >>> ") {
            (chat, answers) = chat.turn(message).await;
        }
        let choice = content(&answers).lines().find(|line| line.starts_with("Blueprint: "));
        println!("\n{line}\n  {} ready: {}", choice.unwrap_or("nothing chosen"), ready(&answers));
        for row in answers[0].argument("asked").as_array().into_iter().flatten() {
            let [wish, fate, how, words] = ["wish", "fate", "how", "words"].map(|key| &row[key]);
            println!("  | {wish} | {fate} | {how} | {words}");
        }
        answers
            .iter()
            .flat_map(|answer| answer.text.lines())
            .for_each(|line| println!("  > {line}"));
    }
}
