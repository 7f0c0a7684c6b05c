//! Each line of the list quotes the words of the user that it was read from.

use domain::requirement::words::Said;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

use super::conversations::CONVERSATIONS;
use super::people::EVERYONE;
use crate::support::{Answer, Chat, fence};

/// The least percentage of lines with a quotation.
const LEAST: usize = 95;
/// The longest answer to a conversation of twenty messages, on a machine that does other things as well.
const LONGEST: Duration = Duration::from_secs(5);
/// How often the time is taken.
const ATTEMPTS: u32 = 3;

/// A conversation whose tool takes the list.
fn gatherer() -> Chat {
    let text = json!({"type": "string"});
    let properties = json!({"content": text, "asked": {"type": "array"},
        "ready_to_continue": {"type": "boolean"}});
    Chat::with(&[("update_requirements", properties)])
}

fn lines(answer: &Answer) -> Vec<(String, String)> {
    let text = |line: &Value, name: &str| line[name].as_str().unwrap().to_owned();
    let lines = answer.argument("asked").as_array().unwrap().iter();
    lines.map(|line| (text(line, "wish"), text(line, "words"))).collect()
}

async fn last_lines(messages: &[&str]) -> Vec<(String, String)> {
    let mut chat = gatherer();
    for message in messages {
        chat = chat.user(message);
    }
    lines(&chat.ask_whole().await)
}

/// Checks the quotations of some lines.
async fn quoted(messages: &[&str], expected: &[(&str, &str)]) {
    let lines = last_lines(messages).await;
    for (wish, words) in expected {
        let line = lines.iter().find(|(line, _)| line == wish);
        let line = line.unwrap_or_else(|| panic!("{wish} is not in {lines:?}"));
        assert_eq!(line.1, *words, "{wish}: {lines:?}");
    }
}

#[tokio::test]
async fn a_wish_is_quoted_alone_and_a_value_with_the_words_beside_it() {
    quoted(
        &["A VPS named shop in Nuremberg with TLS and a frobnicator, use the defaults"],
        &[
            ("A basic VPS", "VPS"),
            ("Server name: shop", "A VPS named shop in Nuremberg with TLS"),
            ("Location: nbg1", "VPS named shop in Nuremberg with TLS"),
            ("tls", "TLS"),
            ("frobnicator", "frobnicator"),
        ],
    )
    .await;
    // The words of another clause are not quoted.
    quoted(
        &["A VPS, in Nuremberg, named shop"],
        &[("Server name: shop", "named shop"), ("Location: nbg1", "in Nuremberg")],
    )
    .await;
}

#[tokio::test]
async fn a_quotation_has_no_words_of_another_wish() {
    let wish = "A WordPress site for our bakery with a contact form and https on www.brotkorb.de";
    quoted(
        &[wish],
        &[
            ("TLS with a certificate that is valid", "https on www.brotkorb.de"),
            ("A WordPress site", "WordPress"),
            ("contact form", "contact form"),
        ],
    )
    .await;
    let german = "Ein Kubernetes Cluster mit drei Knoten. Longhorn für den Speicher, Monitoring";
    quoted(&[german], &[("monitoring", "Monitoring")]).await;
    let ports = "Un VPS con los puertos 80 y 443 abiertos";
    quoted(&[ports], &[("Open ports: 80,443", "puertos 80 y 443 abiertos")]).await;
}

#[tokio::test]
async fn the_words_are_in_the_language_of_the_user() {
    quoted(
        &["Ich möchte einen VPS in Nürnberg, Port 8443 zusätzlich offen"],
        &[("A basic VPS", "VPS"), ("Location: nbg1", "VPS in Nürnberg")],
    )
    .await;
    quoted(
        &["Quiero PostgreSQL en Helsinki"],
        &[("Location: hel1", "Quiero PostgreSQL en Helsinki")],
    )
    .await;
    quoted(&["Je voudrais un VPS à Falkenstein"], &[("Location: fsn1", "VPS à Falkenstein")]).await;
}

#[tokio::test]
async fn an_answer_to_a_question_is_quoted() {
    quoted(
        &["a web service", "call it orders", "9090"],
        &[("Service name: orders", "call it orders"), ("Port: 9090", "9090")],
    )
    .await;
}

#[tokio::test]
async fn what_was_said_before_the_deployment_was_chosen_is_quoted_where_it_was_said() {
    quoted(
        &["A database with TLS and a frobnicator in Falkenstein", "PostgreSQL"],
        &[
            ("Location: fsn1", "frobnicator in Falkenstein"),
            ("tls", "TLS"),
            ("frobnicator", "frobnicator"),
        ],
    )
    .await;
}

#[tokio::test]
async fn a_later_value_is_quoted_in_place_of_an_earlier_one() {
    quoted(
        &["A VPS in Nuremberg", "no, in Helsinki please"],
        &[("Location: hel1", "in Helsinki please"), ("A basic VPS", "VPS")],
    )
    .await;
}

#[tokio::test]
async fn what_is_ruled_out_has_a_line_that_quotes_it_and_stays_in_the_document() {
    quoted(&["A VPS with MySQL, without Redis"], &[("redis", "without Redis")]).await;
    let answer = gatherer().user("A VPS with MySQL, without Redis").ask_whole().await;
    let (document, _) = answer.str("content").split_once("| asked").unwrap();
    let row = "| id | asked | your words | outcome |\n|---|---|---|---|\n\
               | R4 | redis | “without Redis” | not built: as you asked |\n";
    let (_, line) = answer.str("content").rsplit_once("\n---\n").unwrap();
    let document = fence("requirements", &format!("{document}{row}\n---\n{line}"));
    let note = "[Earlier messages of this conversation are left out.]";
    let message = format!("{note}\n\n{document}\n\nin Helsinki");
    let lines = lines(&gatherer().user(&message).ask_whole().await);
    assert!(lines.contains(&("redis".into(), "without Redis".into())), "{lines:?}");
}

#[tokio::test]
async fn defaults_have_no_line() {
    let lines = last_lines(&["A VPS", "yes, the defaults"]).await;
    assert_eq!(lines, [("A basic VPS".to_owned(), "VPS".to_owned())]);
}

#[tokio::test]
async fn lines_of_a_document_keep_their_quotations_when_messages_are_left_out() {
    let answer = gatherer().user("A VPS in Nuremberg with TLS").ask_whole().await;
    let quoted = "## What you asked for\n\n| id | asked | your words | outcome |\n|---|---|---|---|\n\
                  | R1 | A basic VPS | “VPS” | built |\n| R2 | Location: nbg1 | “in Nuremberg” | built |\n\
                  | R3 | tls | “TLS” | not built |\n";
    let (before, rest) = answer.str("content").split_once("## What you asked for").unwrap();
    let after = rest.find("\n## ").map_or("", |at| &rest[at..]);
    let document = fence("requirements", &format!("{before}{quoted}{after}"));
    let note = "[Earlier messages of this conversation are left out.]";
    let message = format!("{note}\n\n{document}\n\nand open port 8443");
    let lines = lines(&gatherer().user(&message).ask_whole().await);
    for (wish, words) in
        [("A basic VPS", "VPS"), ("Location: nbg1", "in Nuremberg"), ("tls", "TLS")]
    {
        assert!(lines.contains(&(wish.into(), words.into())), "{wish}: {lines:?}");
    }
    let ports = lines.iter().find(|(wish, _)| wish.contains("8443"));
    assert!(ports.is_some_and(|(_, words)| words.contains("8443")), "{lines:?}");
}

#[tokio::test]
async fn a_refusal_because_of_a_quotation_is_corrected_without_it() {
    let chat = gatherer().user("A VPS in Nuremberg, use the defaults");
    let first = chat.ask().await;
    let refusal = "Error: “tls” quotes “TLS”, which the user never said. In `words`, copy them.";
    let second = chat.tool_result(&first, refusal).ask().await;
    assert!(lines(&second).iter().all(|(_, words)| words.is_empty()), "{second:?}");
}

/// Checks every line at the end of these conversations.
async fn check(conversations: impl Iterator<Item = Vec<&str>>) {
    let (mut all, mut without) = (0, Vec::new());
    for messages in conversations {
        let said = Said::of(&messages);
        for (wish, words) in last_lines(&messages).await {
            all += 1;
            assert!(words.is_empty() || said.contains(&words), "{messages:?}: {words}");
            if words.is_empty() {
                without.push(format!("{messages:?}: {wish}"));
            }
        }
    }
    assert!(all > 100, "{all} lines");
    let quoted = (all - without.len()) * 100 / all;
    assert!(quoted >= LEAST, "{} of {all} lines:\n{}", without.len(), without.join("\n"));
}

#[tokio::test]
async fn every_quotation_in_sixty_conversations_is_the_users_and_nearly_every_line_has_one() {
    let first = CONVERSATIONS.iter();
    check(first.map(|(speaker, wish, _)| vec![*wish, speaker.agrees[0]])).await;
}

#[tokio::test]
async fn every_quotation_of_sixty_people_is_theirs_and_nearly_every_line_has_one() {
    let people = EVERYONE.iter().flat_map(|cases| cases.iter());
    check(people.map(|(messages, ..)| messages.to_vec())).await;
}

#[tokio::test]
async fn a_long_conversation_is_quoted_in_time() {
    const MESSAGES: [&str; 20] = [
        "Hello",
        "We want a shop with a database, with TLS and backups every night",
        "It is for about 200 people in our company, most of them in Germany",
        "PostgreSQL 16 please",
        "in Nuremberg, on a server with 8 GB of memory",
        "call the server shop",
        "the database is called orders",
        "keep the dumps for 30 days",
        "SSH only from 203.0.113.7",
        "also open port 8443",
        "and a read replica in another data center",
        "what does it cost?",
        "no, in Helsinki instead",
        "we will need Redis as well",
        "monitoring with Prometheus later on",
        "root login must be disabled, and automatic security updates",
        "time zone Europe/Berlin, and swap of 2 GB",
        "connect pgbouncer in front of it, with 500 connections",
        "does that include fail2ban?",
        "yes, use the defaults for the rest",
    ];
    // The machine may be busy with something else for a while.
    for attempt in 1.. {
        let began = Instant::now();
        let lines = last_lines(&MESSAGES).await;
        let took = began.elapsed();
        assert!(lines.iter().all(|(_, words)| !words.is_empty()), "{lines:?}");
        if took < LONGEST {
            break;
        }
        assert!(attempt < ATTEMPTS, "{took:?}");
    }
}

/// The answer says in the user's words what it did not understand, and what is not built.
#[tokio::test]
async fn an_answer_quotes_what_it_lacks_in_the_words_of_the_user() {
    for (message, says) in [
        (
            "Ein VPS mit MySQL, TLS und einem Frobnikator. Wir haben vier Filialen in Bremen.",
            [
                "- **TLS**: wird nicht gebaut",
                "„Frobnikator“, „vier Filialen in Bremen“. Hintergrund kann so bleiben",
            ],
        ),
        (
            "A VPS with MySQL, TLS and a Frobnicator. We have four branches in Leeds.",
            [
                "- **TLS**: not built",
                "so they are not planned: “Frobnicator”, “four branches in Leeds”. Background",
            ],
        ),
        (
            "Ein Kafka-Cluster mit Frobnikator",
            [
                "Das kann ich nicht bauen: Kafka-Cluster",
                "nicht geplant: „Kafka-Cluster mit Frobnikator“.",
            ],
        ),
    ] {
        let (_, answers) = gatherer().turn(message).await;
        let said = &answers[1].text;
        for part in says {
            assert!(said.contains(part), "{part}: {said}");
        }
    }
    let (_, answers) = gatherer().turn("Ein VPS mit MySQL, ohne Frobnikator und ohne Redis").await;
    assert!(answers[1].text.contains("weggelassen: ohne Redis"), "{}", answers[1].text);
}
