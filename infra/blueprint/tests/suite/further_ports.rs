//! Ports beside the usual ones: the web server of a deployment listens on them, and a check proves it. Where nothing
//! can listen, a row says so.

use crate::support::{Answer, Chat, Project};

/// The line of values and the list after a conversation.
async fn planned(messages: &[&str]) -> (String, String) {
    let (mut chat, mut answers) = (Chat::gatherer(), Vec::<Answer>::new());
    for message in messages {
        (chat, answers) = chat.turn(message).await;
    }
    let content = answers[0].str("content").to_owned();
    let line = content.lines().find(|line| line.starts_with("Blueprint: ")).unwrap().to_owned();
    let (_, list) = content.split_once("## What you asked for").unwrap_or_default();
    (line, list.split("\n#").next().unwrap().split("\n---\n").next().unwrap().to_owned())
}

#[tokio::test]
async fn a_web_server_listens_on_every_further_port_in_four_languages() {
    for (messages, ports) in [
        (&["A website with nginx for www.acme.com, also open 8443"][..], "80,443,8443"),
        (&["A website with nginx for www.acme.com, also listen on 8080"], "80,443,8080"),
        (&["A website with nginx for www.acme.com", "listen on 8080 too"], "80,443,8080"),
        (&["A WordPress for www.acme.com, also on port 8443"], "80,443,8443"),
        (&["HAProxy with two app servers", "also open 8080"], "80,8080"),
        (&["WordPress für www.acme.com", "auch auf Port 8443 lauschen"], "80,443,8443"),
        (
            &["Un sitio web con nginx para www.acme.com", "abre también el puerto 8443"],
            "80,443,8443",
        ),
        (&["Un site nginx pour www.acme.com", "écouter aussi sur le port 8443"], "80,443,8443"),
    ] {
        let (line, list) = planned(messages).await;
        assert!(line.contains(&format!("open-ports {ports}")), "{messages:?}: {line} {list}");
        assert!(list.contains(&format!("| Open ports: {ports} | will be built |")), "{list}");
        assert!(!list.contains("not understood"), "{messages:?}: {list}");
    }
}

#[tokio::test]
async fn a_port_of_the_application_behind_the_web_server_is_not_opened() {
    for message in [
        "Django at app.acme.com, the app listens on port 8000",
        "A WordPress for www.acme.com that must not listen on 8080",
        "A website with nginx for www.acme.com, SSH also on port 2222",
    ] {
        let (line, list) = planned(&[message]).await;
        assert!(line.contains("open-ports 80,443"), "{message}: {line}");
        assert!(!line.contains("80,443,"), "{message}: {line} {list}");
    }
}

#[tokio::test]
async fn a_row_names_the_open_ports_on_which_nothing_answers() {
    const SILENT: &str = "open in the firewall, but nothing in this plan answers there";
    for (messages, row) in [
        (["Django at app.acme.com", "also open port 5432"], "port 5432"),
        (["A WordPress for www.acme.com", "also open port 25"], "port 25"),
        (["HAProxy with two app servers", "also open 443"], "port 443"),
        (["Releases without downtime for my own program", "also open 8443"], "port 8443"),
    ] {
        let (_, list) = planned(&messages).await;
        assert!(list.contains(&format!("| {row} | instead: {SILENT} |")), "{messages:?}: {list}");
    }
    let closed = ["Django at app.acme.com", "also open port 5432", "close 5432 again"];
    let (_, list) = planned(&closed).await;
    assert!(!list.contains(SILENT), "{list}");
    let (_, list) = planned(&["A VPS", "also open port 5432"]).await;
    assert!(!list.contains(SILENT), "the user's own programs listen on a plain server: {list}");
}

#[tokio::test]
async fn a_row_names_the_ports_that_stay_closed_where_only_ssh_is_open() {
    const CLOSED: &str = "instead: closed, because only SSH is open in this plan";
    for (message, row) in [
        ("A VPS with PostgreSQL, also open 8443", "port 8443 open"),
        ("An EC2 server with ports 80 and 443 open", "ports 80, 443 open"),
        ("A monitoring stack, open port 3000 too", "port 3000 open"),
        ("Un VPS con PostgreSQL, abre el puerto 8443", "port 8443 open"),
    ] {
        let (_, list) = planned(&[message]).await;
        assert!(list.contains(&format!("| {row} | {CLOSED} |")), "{message}: {list}");
        assert!(!list.contains("not understood"), "{message}: {list}");
    }
}

#[tokio::test]
async fn a_further_port_is_written_checked_and_undone() {
    for (wish, setting, check) in [
        (
            "A website with nginx on a server named web for www.acme.com, use the defaults",
            "nginx_further_ports: [8443]",
            "redirect_url",
        ),
        (
            "WordPress on a VPS named web for blog.acme.com, use the defaults",
            "nginx_further_ports: [8443]",
            "login on port $port",
        ),
        (
            "A Django app with Celery and Redis on a VPS named web for app.acme.com, use the defaults",
            "nginx_further_ports: [8443]",
            "health on port $port",
        ),
        (
            "HAProxy in front of two application servers named web, use the defaults",
            "haproxy_further_ports: [8443]",
            "http://127.0.0.1:$port/",
        ),
    ] {
        let before = Project::planned(wish).await;
        let with = before.changed("Also open port 8443").await;
        let playbook = titled(&with, "Write the Ansible playbook");
        assert!(with.script(playbook).await.contains(setting), "{wish}");
        assert!(with.requirements.contains("answers on port 8443 as well"), "{wish}");
        let checks = with.check_scripts().await;
        let proves = |script: &&String| script.contains("further=(8443)") && script.contains(check);
        assert!(checks.iter().any(|script| proves(&script)), "{wish}");
        let back = with.changed("Undo change 2").await;
        let playbook = titled(&back, "Write the Ansible playbook");
        assert!(back.script(playbook).await.contains("further_ports: []"), "{wish}");
        let checks = back.check_scripts().await;
        assert!(checks.iter().any(|script| script.contains("further=()")), "{wish}");
    }
}

/// The number of a project's step with this title.
fn titled(project: &Project, title: &str) -> usize {
    project.titles().iter().position(|one| *one == title).unwrap() + 1
}
