//! The only port of a web service: a message moves it, or asks for another one beside it, which is not built.

use super::{content, rows, said};
use crate::support::Chat;

/// The port that is planned after these messages, and the rows of what is not built as asked.
async fn planned(messages: &[&str]) -> (String, String) {
    let (mut chat, mut answers) = (Chat::gatherer(), Vec::new());
    for message in messages {
        (chat, answers) = chat.turn(message).await;
    }
    let line = content(&answers).lines().find(|line| line.starts_with("Blueprint: ")).unwrap();
    let port = line.split(" · ").find_map(|value| value.strip_prefix("port ")).unwrap();
    (port.to_owned(), rows(content(&answers)))
}

#[tokio::test]
async fn a_port_beside_the_only_one_moves_nothing_and_is_listed() {
    for messages in [
        ["A web service in the sandbox on port 8080", "also open port 8443"],
        ["A web service in the sandbox on port 8080", "additionally port 8443"],
        ["A web service in the sandbox", "please listen on 8443 as well"],
        ["Ein Webdienst in der Sandbox", "öffne auch noch Port 8443"],
        ["Un servicio web en el sandbox", "abre además el puerto 8443"],
        ["Un service web dans le bac à sable", "ouvre aussi le port 8443"],
        ["Hello", "A web service in the sandbox on ports 8080 and 8443"],
    ] {
        let (port, rows) = planned(&messages).await;
        assert_eq!(port, "8080", "{messages:?}: {rows}");
        assert!(rows.contains("8443 | instead: only port 8080"), "{messages:?}: {rows}");
    }
    let many = ["A web service on port 9000", "also open 9001", "also open 9002"];
    let (_, rows) = planned(&many).await;
    assert!(rows.contains("9001, 9002 | instead: only port 9000"), "{rows}");
}

#[tokio::test]
async fn a_port_in_place_of_the_only_one_moves_it() {
    for messages in [
        ["A web service in the sandbox on port 8080", "move it to 8443"],
        ["A web service in the sandbox on port 8080", "port 8443 instead of 8080"],
        ["A web service in the sandbox on port 8080", "also, change the port to 8443"],
        ["Ein Webdienst auf Port 8080", "nimm lieber 8443"],
        ["Un servicio web en el puerto 9001", "vuelve a poner el 8443"],
    ] {
        let (port, rows) = planned(&messages).await;
        assert_eq!((port.as_str(), rows.as_str()), ("8443", ""), "{messages:?}");
    }
    let taken = ["A web service on port 9000", "also open 9001", "use 9001 instead of 9000"];
    assert_eq!(planned(&taken).await, ("9001".to_owned(), String::new()));
}

#[tokio::test]
async fn closing_the_only_port_says_what_stays_and_closing_another_is_fulfilled() {
    for (close, port) in [("close port 8080", "8080"), ("schließe den Port 8080", "8080")] {
        let (planned, rows) = planned(&["A web service in the sandbox", close]).await;
        assert_eq!(planned, port);
        assert!(rows.contains("instead: port 8080 answers inside the sandbox only"), "{rows}");
    }
    let (chat, _) = Chat::gatherer().turn("A web service in the sandbox").await;
    let (_, answers) = chat.turn("close port 80").await;
    assert!(content(&answers).contains("Left out, as asked: port 80"), "{}", content(&answers));
    assert!(!said(&answers).contains("not available"), "{}", said(&answers));
}

#[tokio::test]
async fn a_password_that_does_not_exist_is_not_rotated_silently() {
    for rotate in ["rotate the password", "Give it a new password"] {
        let (chat, _) = Chat::gatherer().turn("A web service in the sandbox").await;
        let (chat, answers) = chat.turn(rotate).await;
        assert!(content(&answers).contains("access open"), "{}", content(&answers));
        assert!(rows(content(&answers)).contains("instead: nothing, because the page"), "{rotate}");
        let (chat, answers) = chat.turn("protect the page with a password").await;
        assert!(content(&answers).contains("access password-1"), "{}", content(&answers));
        assert!(!rows(content(&answers)).contains("instead: nothing"), "{rotate}");
        let (_, answers) = chat.turn("rotate the password").await;
        assert!(content(&answers).contains("access password-2"), "{}", content(&answers));
    }
}

#[tokio::test]
async fn a_first_port_beside_another_wish_is_the_port() {
    for wish in [
        "A web service that listens on port 8443 and add a health check at /status",
        "A web service, also on port 8443",
        "Ein Webdienst, auf Port 8443 zu starten",
    ] {
        let (port, rows) = planned(&[wish]).await;
        assert_eq!(port, "8443", "{wish}: {rows}");
        assert!(!rows.contains("also port"), "{wish}: {rows}");
    }
    let messages = ["A web service on port 9000", "also open 9001", "move it to 8443"];
    let (port, rows) = planned(&messages).await;
    assert_eq!(port, "8443");
    assert!(rows.contains("also port 9001 | instead: only port 8443"), "{rows}");
}
