//! Terminals over the WebSocket.

use api_tests::{Actor, Refused, Socket, World, soon};
use protocol::{FromBrowser, LinkState, ToBrowser};
use serde_json::json;
use store::tokens::{Grant, Tokens};

#[tokio::test]
async fn a_ticket_opens_one_socket() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Shell").await;
    let body = project.post("/terminal/ticket", json!({})).await.is(200).json();
    assert_eq!(body["expires_in"], 30);
    let ticket = project.ticket().await;
    let first = Socket::open(&ticket).await.unwrap();
    assert_eq!(Socket::open(&ticket).await.err(), Some(Refused(401)));
    first.close().await;
    assert_eq!(
        Socket::open(&ticket).await.err(),
        Some(Refused(401)),
        "and not after it was closed"
    );
}

#[tokio::test]
async fn without_a_valid_ticket_there_is_no_socket() {
    let World { app, owner, .. } = World::start().await;
    let project = owner.project("Shell").await;
    let address = app.url("/ws").replacen("http", "ws", 1);
    let tokens = Tokens::new(&app.table());
    let (scope, session) = (project.scope(), String::new());
    let expired = tokens.issue(Grant::Browser { scope, session }, -1).await.unwrap();
    for query in ["", "?ticket=", "?ticket=guessed", &format!("?ticket={}", expired.expose())] {
        let refused = Socket::open(&format!("{address}{query}")).await.err();
        assert_eq!(refused, Some(Refused(401)), "{query}");
    }
    project.within("").post("/terminal/ticket", json!({})).await.refuses(404, "not_found");
    owner.post("/terminal/ticket", json!({})).await.refuses(400, "project_missing");
}

#[tokio::test]
async fn the_oldest_of_many_sockets_makes_room_for_a_new_one() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Shell").await;
    let mut sockets = Vec::new();
    for _ in 0..33 {
        sockets.push(project.socket().await);
    }
    let terminal = protocol::MAIN_TERMINAL.to_owned();
    let attach = FromBrowser::Attach { terminal, offset: 0, rows: 24, cols: 80 };
    assert!(sockets[0].next::<ToBrowser>().await.is_none(), "it is closed");
    for socket in &mut sockets[1..] {
        socket.send(&attach).await;
        socket.wait(|message| matches!(message, ToBrowser::Status { .. }).then_some(())).await;
    }
}

#[tokio::test]
async fn typed_commands_run_in_the_sandbox_and_their_output_returns() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Shell").await;
    project.sandbox_is_up().await;
    let mut terminal = project.terminal().await;
    terminal.attach().await;
    terminal.types("echo $((6 * 7)) \"$PWD\"\r").await;
    let home = format!("42 /home/{}/workspace", project.scope().username());
    terminal.shows(&home).await;
    let echoed = terminal.shown.find("echo $((6").expect("the PTY echoes what is typed");
    assert!(echoed < terminal.shown.find(&home).unwrap());
}

#[tokio::test]
async fn a_terminal_continues_where_another_browser_left_it() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Shell").await;
    project.sandbox_is_up().await;
    let mut first = project.terminal().await;
    first.attach().await;
    first.types("echo be''fore\r").await;
    first.shows("before\r\n").await;
    let (seen, shown) = (first.next, first.shown.clone());
    first.socket.close().await;

    // From the beginning: all output again, byte for byte.
    let mut second = project.terminal().await;
    second.attach().await;
    second.shows("before\r\n").await;
    assert!(second.shown.starts_with(&shown), "{:?} / {:?}", second.shown, shown);
    // From the first terminal's position: only the new output.
    let mut third = project.terminal().await;
    third.next = seen;
    third.attach().await;
    third.types("echo af''ter\r").await;
    third.shows("after\r\n").await;
    assert!(!third.shown.contains("before\r\n"), "{:?}", third.shown);
    // Every viewer sees it, too.
    second.shows("after\r\n").await;
}

#[tokio::test]
async fn a_flood_arrives_whole_and_in_order() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Shell").await;
    project.sandbox_is_up().await;
    let mut terminal = project.terminal().await;
    terminal.attach().await;
    terminal.types("stty -echo; seq 1 20000; echo en''d\r").await;
    terminal.shows("\nend\r\n").await;
    let numbers: String = (1..=20_000).map(|n| format!("{n}\r\n")).collect();
    assert!(terminal.shown.contains(&numbers), "every line is there, in order");
}

#[tokio::test]
async fn keys_keep_their_order_and_none_is_lost() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Shell").await;
    project.sandbox_is_up().await;
    let mut terminal = project.terminal().await;
    terminal.attach().await;
    terminal.types("stty -echo; echo re''ady; cat > typed.txt; echo do''ne\r").await;
    // While the shell still edits its line, the terminal does not turn a carriage return into a line feed.
    terminal.shows("ready\r\n").await;
    let text: String = (0..25).map(|n| format!("line {n}\r")).collect();
    // One key per message, faster than a person types: the gateway handles many at once, and they overtake each other.
    for (seq, key) in (1..).zip(text.chars()) {
        let input =
            json!({"type": "input", "input": key.to_string(), "terminal": "main", "seq": seq});
        terminal.socket.send(&input).await;
    }
    let end = json!({"type": "input", "input": "\u{4}", "terminal": "main", "seq": text.chars().count() + 1});
    terminal.socket.send(&end).await;
    terminal.shows("done\r\n").await;
    assert_eq!(project.files().await["typed.txt"], text.replace('\r', "\n"));
}

#[tokio::test]
async fn a_terminal_without_a_sandbox_says_so() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Down").await;
    let mut terminal = project.terminal().await;
    terminal.attach().await;
    let ToBrowser::Status { state, detail, .. } = terminal.socket.next().await.unwrap() else {
        panic!("no status");
    };
    assert_eq!((state, detail.as_str()), (LinkState::Lost, "The sandbox is not running."));
}

#[tokio::test]
async fn an_invalid_message_gets_an_answer_and_the_socket_stays_open() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Shell").await;
    project.sandbox_is_up().await;
    let mut terminal = project.terminal().await;
    for nonsense in
        [json!({"type": "reboot"}), json!([]), json!({"type": "run.finished", "run_id": "1-x"})]
    {
        terminal.socket.send(&nonsense).await;
        let detail = terminal.socket.wait(|message| match message {
            ToBrowser::Error { detail } => Some(detail),
            _ => None,
        });
        assert!(!detail.await.is_empty());
    }
    terminal.attach().await;
    terminal.types("echo st''ill\r").await;
    terminal.shows("still").await;
}

#[tokio::test]
async fn a_strangers_socket_reaches_only_their_own_sandbox() {
    let World { owner, stranger, .. } = World::start().await;
    let (mine, theirs) = (owner.project("Mine").await, stranger.project("Theirs").await);
    stranger.within(mine.id).post("/terminal/ticket", json!({})).await.refuses(404, "not_found");
    mine.sandbox_is_up().await;
    theirs.sandbox_is_up().await;
    let mut my = mine.terminal().await;
    my.attach().await;
    my.types("echo sec''ret\r").await;
    my.shows("secret").await;

    let mut their = theirs.terminal().await;
    their.attach().await;
    their.types("ls -d /home/*; echo do''ne\r").await;
    their.shows("done").await;
    assert!(!their.shown.contains("secret"), "{}", their.shown);
    assert!(!their.shown.contains(&mine.scope().username()), "{}", their.shown);
    // The owner's terminal shows nothing of it.
    my.types("echo qui''et\r").await;
    my.shows("quiet").await;
    assert!(!my.shown.contains(&theirs.scope().username()), "{}", my.shown);
}

#[tokio::test]
async fn a_ticket_does_not_connect_a_sandbox_and_a_sandboxs_token_is_not_a_ticket() {
    let World { app, owner, .. } = World::start().await;
    let project = owner.project("Keys").await;
    project.sandbox_is_up().await;
    // A browser that pretends to be an agent is not accepted: its run never ends here.
    let as_agent = project.ticket().await.replace("?ticket=", "?token=");
    let mut socket = Socket::open(&as_agent).await.unwrap();
    let hello = json!({"type": "hello", "seq": 0, "version": 1, "terminals": [], "unrecorded": []});
    socket.send(&hello).await;
    let answer: ToBrowser = soon("an answer", socket.next()).await.unwrap();
    assert!(matches!(answer, ToBrowser::Error { .. }), "{answer:?}");
    // An agent of an earlier generation is stopped; the current agent stays connected.
    let before = project.kept_sandbox().await;
    let old = Grant::Sandbox { scope: project.scope(), generation: before.generation - 1 };
    let token = Tokens::new(&app.table()).issue(old, 60).await.unwrap();
    let address = app.url("/ws").replacen("http", "ws", 1);
    let mut old = Socket::open(&format!("{address}?token={}", token.expose())).await.unwrap();
    old.send(&hello).await;
    let last = old.next::<serde_json::Value>().await.unwrap();
    assert_eq!(last["type"], "stop");
    assert_eq!(project.kept_sandbox().await.connection_id, before.connection_id);
}

#[tokio::test]
async fn signing_out_gives_no_further_tickets() {
    let World { app, owner, .. } = World::start().await;
    let project = owner.project("Out").await;
    let browser = Actor::signed_in(&app, "owner").await.within(project.id);
    browser.post("/github/logout", json!({})).await.is(200);
    browser.post("/terminal/ticket", json!({})).await.refuses(401, "signed_out");
}

#[tokio::test]
async fn a_socket_is_opened_only_by_our_pages_and_by_agents() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Shell").await;
    for origin in [Some("https://evil.example"), Some("null"), Some(""), None] {
        let ticket = project.ticket().await;
        let refused = Socket::open_from(&ticket, origin).await.err();
        assert_eq!(refused, Some(Refused(403)), "{origin:?}");
        Socket::open(&ticket).await.expect("a foreign page does not use up the ticket");
    }
    let ticket = project.ticket().await;
    let both = Socket::open(&format!("{ticket}&token=x")).await.err();
    assert_eq!(both, Some(Refused(403)));
    let as_agent = ticket.replace("?ticket=", "?token=");
    let site = owner.app().url("");
    assert_eq!(Socket::open_from(&as_agent, Some(&site)).await.err(), Some(Refused(403)));
}
