//! The sandbox for what needs a server, and a server for what runs in the sandbox; a domain that only stands for one.

use super::{content, ready, rows, said};
use crate::support::Chat;

#[tokio::test]
async fn another_kind_of_place_than_the_planned_one_has_a_row() {
    for (wish, move_it, row) in [
        (
            "A VPS with nginx",
            "can you run it in the sandbox instead?",
            "in the sandbox | instead: at hetzner",
        ),
        ("Ein VPS", "Geht das auch in der Sandbox?", "in der sandbox | instead: at hetzner"),
        (
            "Un VPS",
            "fais-le plutôt dans le bac à sable",
            "dans le bac à sable | instead: at hetzner",
        ),
        (
            "A web service in the sandbox",
            "can you run it on a server instead?",
            "on a server | instead: inside the sandbox",
        ),
        (
            "Ein Webdienst in der Sandbox",
            "doch lieber auf einem Server",
            "auf einem server | instead: inside the sandbox",
        ),
        (
            "Un servicio web en el sandbox",
            "ponlo en un servidor de verdad",
            "en un servidor | instead: inside the sandbox",
        ),
    ] {
        let (chat, _) = Chat::gatherer().turn(wish).await;
        let (_, answers) = chat.turn(move_it).await;
        let listed = rows(content(&answers));
        assert!(listed.contains(row) && !ready(&answers), "{move_it}: {listed}");
    }
    let (_, answers) = Chat::gatherer().turn("A web service on a VPS at Hetzner, port 8080").await;
    let listed = rows(content(&answers));
    assert_eq!(listed.lines().count(), 1, "{listed}");
    assert!(listed.contains("on a vps at hetzner | instead: inside the sandbox"), "{listed}");
}

#[tokio::test]
async fn the_sandbox_itself_is_not_a_difference() {
    for wish in [
        "A web service in the sandbox",
        "A web service, not on a server",
        "Un petit service de démo dans le bac à sable, port 8090",
        "A VPS, let only the sandbox connect",
    ] {
        let (_, answers) = Chat::gatherer().turn(wish).await;
        assert!(!rows(content(&answers)).contains("instead:"), "{wish}: {}", content(&answers));
    }
}

#[tokio::test]
async fn a_domain_that_only_stands_for_one_is_named_before_the_user_confirms() {
    for (wish, says) in [
        ("WordPress on example.com, use the defaults", "example.com** only stands for"),
        ("nginx for your-domain.com, use the defaults", "your-domain.com** only stands for"),
        ("Ein WordPress auf meine-domain.de, Standardwerte", "meine-domain.de** steht nur für"),
        ("WordPress, use the defaults", "blog.example.org** only stands for"),
    ] {
        let (_, answers) = Chat::gatherer().turn(wish).await;
        assert!(said(&answers).contains(says), "{wish}: {}", said(&answers));
    }
    let (_, answers) =
        Chat::gatherer().turn("WordPress on www.brotkorb.de, use the defaults").await;
    assert!(!said(&answers).contains("only stands for"));
}

#[tokio::test]
async fn a_token_in_the_chat_is_answered_with_the_place_for_it_and_never_repeated() {
    const TOKEN: &str = "hJ3kd83jKSd93kd93kKDk39dkD93kd93kdk39dKDk39dkd93kd";
    for wish in ["A VPS, my hcloud token is", "Here is my API token:"] {
        let (_, answers) = Chat::gatherer().turn(&format!("{wish} {TOKEN}")).await;
        assert!(said(&answers).contains("beside “credentials”"), "{}", said(&answers));
        let all = format!("{answers:?}").to_lowercase();
        assert!(!all.contains(&TOKEN.to_lowercase()), "{all}");
    }
    let (_, answers) = Chat::gatherer().turn(&format!("A VPS, the password is {TOKEN}")).await;
    assert!(rows(content(&answers)).contains("instead: only what you enter"), "{answers:?}");
}
