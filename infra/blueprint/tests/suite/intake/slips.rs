//! Messages that correct themselves, and those that tell of their writers.

use super::{content, rows};
use crate::support::Chat;

/// The requirements after these messages.
async fn after(messages: &[&str]) -> String {
    let mut chat = Chat::gatherer();
    let mut last = String::new();
    for message in messages {
        let (next, answers) = chat.turn(message).await;
        (chat, last) = (next, content(&answers).to_owned());
    }
    last
}

#[tokio::test]
async fn a_value_that_a_message_corrects_is_the_one_that_is_built() {
    for (message, built, given_up) in [
        ("A VPS with PostgreSQL in Nuremberg, no, Helsinki", "location hel1", "nuremberg"),
        ("Could it be a VPS in Hillsboro, or rather Ashburn?", "location ash", "hillsboro"),
        ("Ein VPS mit MySQL in Nürnberg, nein, doch lieber Helsinki", "location hel1", "nürnberg"),
        ("Un VPS. Abre el puerto 8080, perdón, el 9090", "open-ports 9090", "8080"),
        (
            "Un nginx, domaine a.example.fr, non pardon, b.example.fr",
            "domain b.example.fr",
            "a.example.fr",
        ),
        ("A VPS with ports 80 and 443, no, only 443", "open-ports 443", "80"),
        ("A VPS with a website, port 443 open but not 80", "open-ports 443", "80,"),
        ("An EC2 server, 20 GB of disk, sorry, 40", "volume-gb 40", "20"),
    ] {
        let content = after(&[message]).await;
        assert!(content.contains(built), "{message}: {content}");
        assert!(!rows(&content).contains(given_up), "{message}: {}", rows(&content));
    }
}

#[tokio::test]
async fn every_size_of_several_servers_is_built_or_listed() {
    let message =
        "A VPS with PostgreSQL: staging with 2 GB of RAM, and production with 8 GB of RAM";
    let content = after(&[message]).await;
    assert!(content.contains("server-type cx33"), "{content}");
    assert!(rows(&content).contains("| staging 2 gb | instead: 8 gb of memory |"), "{content}");
    let later = "32 is too much, 16 will do. Keep the logs for three weeks";
    let content = after(&["An ELK stack with 32 GB of RAM", later]).await;
    assert!(content.contains("server-type cx43"), "{content}");
}

#[tokio::test]
async fn the_time_of_the_backups_is_a_row_and_the_number_of_copies_a_value() {
    let content = after(&["A VPS with MySQL, backups every night at 3 and keep 21 of them"]).await;
    assert!(content.contains("dump-days 21"), "{content}");
    assert_eq!(rows(&content), "| backups at 3 | instead: at 02:15 utc |");
    let content = after(&["Un VPS con MySQL. Copias los lunes a las 6"]).await;
    assert!(rows(&content).contains("a las 6 | instead: nightly |"), "{content}");
}

#[tokio::test]
async fn words_about_the_writer_and_reasons_get_no_row() {
    for message in [
        "Hi there! We are a small restaurant and need a VPS with PostgreSQL. Thanks a lot!",
        "Ein VPS mit MySQL in Helsinki, weil unsere Kunden dort wohnen. Wir betreiben eine Kanzlei.",
        "Somos una panadería de Valencia y queremos un VPS con MySQL. Un saludo",
        "Je suis fleuriste à Lyon et je voudrais un VPS avec MySQL. Merci beaucoup !",
        "A VPS with MySQL, the developer prefers it. We'll delete it in two weeks.",
    ] {
        let content = after(&[message]).await;
        assert_eq!(rows(&content), "", "{message}");
    }
    for (message, row) in [
        ("We are a bakery and need a VPS with telnet", "telnet"),
        ("A VPS, because we need telnet", "telnet"),
        ("A VPS. We run a mail server on it", "mail"),
        ("A VPS. Delete it on Friday", "friday"),
    ] {
        let content = after(&[message]).await;
        assert!(rows(&content).contains(row), "{message}: {}", rows(&content));
    }
}

#[tokio::test]
async fn a_product_that_is_not_built_does_not_name_the_database() {
    let content = after(&["Una base de datos Oracle, y si no se puede, PostgreSQL"]).await;
    assert!(!content.contains("database oracle ·"), "{content}");
    assert!(rows(&content).contains("oracle"), "{content}");
}
