//! Tests of what the model understands from a conversation.

use super::*;

fn after(messages: &[&str]) -> Dialogue {
    let messages: Vec<String> = messages.iter().map(|message| message.to_string()).collect();
    Dialogue::default().replay(&messages)
}

fn line(dialogue: &Dialogue) -> String {
    dialogue.choice().map(|choice| choice.line()).unwrap_or_default()
}

#[test]
fn one_message_may_say_everything() {
    let dialogue = after(&[
        "A small web service with a health check inside the sandbox itself, use the defaults",
    ]);
    assert!(dialogue.ready());
    assert!(
        line(&dialogue)
            .starts_with("Blueprint: local-web-service · name hello-service · port 8080")
    );
}

#[test]
fn answers_may_come_one_by_one() {
    let mut dialogue = after(&["I need a web service", "orders"]);
    assert!(!dialogue.ready());
    dialogue.read("9090");
    assert!(dialogue.ready());
    assert!(line(&dialogue).contains("name orders · port 9090"));
}

#[test]
fn the_latest_request_overrides_earlier_ones() {
    let dialogue = after(&["web service, use the defaults", "make it port 9090", "no, port 9191"]);
    assert!(dialogue.ready() && line(&dialogue).contains("port 9191"));
    let dialogue = after(&["web service, defaults", "Actually I want an EC2 server instead"]);
    assert!(line(&dialogue).starts_with("Blueprint: ec2-ssh") && !dialogue.ready());
    let dialogue = after(&["EC2 please", "not EC2, the web service"]);
    assert!(line(&dialogue).starts_with("Blueprint: local-web-service"));
}

#[test]
fn a_mention_of_another_deployment_does_not_switch_to_it() {
    let dialogue = after(&[
        "An EC2 server in Frankfurt",
        "allow SSH from the sandbox and make it a web page server",
    ]);
    assert!(line(&dialogue).starts_with("Blueprint: ec2-ssh"));
}

#[test]
fn a_question_does_not_count_as_agreement() {
    let dialogue = after(&["a web service", "sounds great, but what does it cost?"]);
    assert!(!dialogue.ready());
    for message in ["don't use the defaults", "what are the defaults?", "how do I stop it?"] {
        assert!(!after(&["a web service", message]).ready(), "{message}");
    }
    assert!(after(&["a web service", "can you just use the defaults?"]).ready());
    assert!(after(&["a web service, use the defaults", "how do I stop it?"]).ready());
    assert!(after(&["which services do you offer?"]).blueprint.is_none());
    assert!(after(&["can you build me a website?"]).blueprint.is_some());
}

#[test]
fn asking_to_wait_makes_a_dialogue_unready() {
    let dialogue = after(&["a web service with the defaults", "wait, not yet"]);
    assert!(!dialogue.ready());
    assert!(after(&["a web service with the defaults", "hold on", "ok, go ahead"]).ready());
}

#[test]
fn every_deployment_is_recognized_by_its_name() {
    for (wish, id) in [
        ("a basic VPS", "basic-vps"),
        ("a VPS with MySQL please", "vps-mysql"),
        ("postgres please", "vps-postgresql"),
        ("an ELK stack on a VPS", "elk"),
        ("Prometheus and Grafana", "monitoring-stack"),
        ("an EC2 server with SSH", "ec2-ssh"),
    ] {
        assert_eq!(after(&[wish]).blueprint.map(|found| found.id), Some(id), "{wish}");
    }
    let dialogue = after(&["a VPS", "actually a VPS with MySQL"]);
    assert_eq!(dialogue.blueprint.map(|found| found.id), Some("vps-mysql"));
}

#[test]
fn secrets_are_recognized() {
    assert!(after(&["my key is AKIAIOSFODNN7EXAMPLE"]).latest.secret);
    assert!(after(&["key {{secret:AWS_ACCESS_KEY_ID}}"]).latest.secret);
    assert!(!after(&["hello"]).latest.secret);
}

#[test]
fn ports_are_added_and_closed_one_by_one() {
    let dialogue = after(&["a VPS with ports 80 and 443 open", "also open port 8443"]);
    assert!(line(&dialogue).contains("open-ports 80,443,8443"), "{}", line(&dialogue));
    let dialogue = after(&["a VPS with ports 80 and 443 open", "close 80"]);
    assert!(line(&dialogue).contains("open-ports 443"), "{}", line(&dialogue));
    let dialogue = after(&["a VPS with port 80 open", "close port 80"]);
    assert!(line(&dialogue).contains("open-ports none"), "{}", line(&dialogue));
}
