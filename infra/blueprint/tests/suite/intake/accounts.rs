//! Every word of a message is explained or reported: tables of messages.

use super::{content, ready, rows};
use crate::support::Chat;

/// A user's messages, texts that the document must contain, and texts that it must not contain.
pub type Case = (&'static [&'static str], &'static [&'static str], &'static [&'static str]);

/// Checks the last documents. A document with something that is not built as requested is not ready.
pub async fn each(cases: &[Case]) {
    check(cases, |document, ready| !ready || rows(document).is_empty()).await;
}

/// Checks the last documents of users who may have agreed to what is not built as requested.
pub async fn after_agreement(cases: &[Case]) {
    check(cases, |_, _| true).await;
}

async fn check(cases: &[Case], holds: fn(&str, bool) -> bool) {
    let mut wrong = Vec::new();
    for (messages, has, lacks) in cases {
        let (mut chat, mut answers) = Chat::gatherer().turn(messages[0]).await;
        for message in &messages[1..] {
            (chat, answers) = chat.turn(message).await;
        }
        let document = content(&answers);
        // The cases say “built” for short.
        let content = document.to_lowercase().replace("| will be built |", "| built |");
        let missing = has.iter().filter(|text| !content.contains(&text.to_lowercase()));
        let extra = lacks.iter().filter(|text| content.contains(&text.to_lowercase()));
        let missing: Vec<_> = missing.chain(extra).collect();
        if !missing.is_empty() || !holds(document, ready(&answers)) {
            let list = content.split_once("| asked").map_or("", |(_, list)| list).to_owned();
            wrong.push(format!("{messages:?}: {missing:?}: {list}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn no_word_with_a_meaning_is_ignored() {
    each(&[
        (&["MySQL with max_connections 500"], &["max_connections 500"], &[]),
        (&["A VPS with 3 frobnicators"], &["3 frobnicators"], &[]),
        (&["PostgreSQL with a staging environment"], &["staging environment"], &[]),
        (&["nginx for www.example.com with basic auth"], &["basic auth"], &[]),
        (&["PostgreSQL, mail to ada@example.com"], &["ada@example.com"], &[]),
        (
            &["PostgreSQL with postgis, timescale and pgvector"],
            &["postgis", "timescale", "pgvector"],
            &[],
        ),
        (&["ELK mit Anmeldung über Keycloak, 2 Mandanten"], &["keycloak", "2 mandanten"], &[]),
        (&["WordPress con un entorno de pruebas"], &["entorno"], &[]),
        (&["une pile elk, certificats conservés un an"], &["un an", "retention-days 15"], &[]),
        (&["PostgreSQL with zq4f8kd81hjs92kf0aqx as a word"], &["may be a secret"], &["zq4f8"]),
    ])
    .await;
}

#[tokio::test]
async fn every_entry_of_a_long_list_is_listed_or_counted() {
    const WISH: &str = "PostgreSQL with alphagraph, bravograph, charliegraph, deltagraph, echograph, foxtrotgraph, \
                        hotelgraph, indiagraph and juliettgraph kilograph limagraph mikegraph oscargraph";
    const NAMED: &[&str] = &["alphagraph", "juliettgraph", "limagraph", "oscargraph"];
    each(&[(&[WISH], NAMED, &[])]).await;
    let many: Vec<String> = (0..60).map(|n| format!("frob{}", "x".repeat(n + 1))).collect();
    let (_, answers) = Chat::gatherer().turn(&format!("A VPS with {}", many.join(", "))).await;
    assert!(content(&answers).contains("20 more things, from frob"), "{}", content(&answers));
}

#[tokio::test]
async fn a_question_may_ask_to_build_something() {
    each(&[
        (&["PostgreSQL", "can you also add pgbouncer?"], &["pgbouncer"], &[]),
        (&["PostgreSQL", "what does it cost? and pgbouncer too."], &["pgbouncer"], &[]),
        (&["PostgreSQL bitte", "kannst du auch pgbouncer einrichten?"], &["pgbouncer"], &[]),
        (&["quiero PostgreSQL", "¿es posible añadir pgbouncer?"], &["pgbouncer"], &[]),
        (&["je veux PostgreSQL", "est-il possible d'avoir pgbouncer ?"], &["pgbouncer"], &[]),
        (&["PostgreSQL", "how does the frobnication work?"], &[], &["frobnication"]),
    ])
    .await;
}

#[tokio::test]
async fn an_address_may_connect_by_ssh_only_if_the_message_says_so() {
    each(&[
        (
            &["nginx on my own server at 10.0.0.5"],
            &["ssh-from sandbox", "10.0.0.5", "my own server"],
            &[],
        ),
        (
            &["MySQL, 203.0.113.5 must connect to the database"],
            &["ssh-from sandbox", "203.0.113.5"],
            &[],
        ),
        (
            &["PostgreSQL, Port 5432 offen für 203.0.113.5"],
            &["ssh-from sandbox", "203.0.113.5"],
            &[],
        ),
        (&["MySQL con acceso remoto desde 203.0.113.5"], &["ssh-from sandbox", "203.0.113.5"], &[]),
        (&["PostgreSQL sur mon propre serveur 10.0.0.5"], &["ssh-from sandbox", "10.0.0.5"], &[]),
        (&["A VPS, our office is 203.0.113.5"], &["ssh-from 203.0.113.5/32"], &[]),
        (
            &["Ein VPS, SSH nur von 203.0.113.5 und 203.0.113.6"],
            &["ssh-from 203.0.113.5/32,203.0.113.6/32"],
            &[],
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_name_goes_to_the_thing_that_it_names() {
    each(&[
        (&["a postgres db called crm, server named box1"], &["database crm", "name box1"], &[]),
        (&["MySQL, db name inventory"], &["database inventory", "name my-server"], &[]),
        (&["MySQL, the user is called bob"], &["database app", "name my-server", "bob"], &[]),
        (&["PostgreSQL, die Datenbank soll kunden heißen"], &["database kunden"], &[]),
        (&["k3s, der Server soll waldkauz heißen"], &["name waldkauz"], &[]),
        (&["ein Webdienst namens hallo"], &["name hallo"], &[]),
        (
            &["una base de datos postgres en Helsinki llamada tienda"],
            &["database tienda", "location hel1"],
            &[],
        ),
        (&["une base PostgreSQL à Falkenstein, nommée compta"], &["database compta"], &[]),
        (
            &["django from github.com/acme/shop to shop.example.com"],
            &["domain shop.example.com", "github.com/acme/shop"],
            &[],
        ),
        (
            &["quiero PostgreSQL", "mejor en Helsinki y que se llame bodega"],
            &["database app", "name my-server", "bodega"],
            &[],
        ),
    ])
    .await;
}

#[tokio::test]
async fn nothing_that_the_user_rules_out_is_built_silently() {
    each(&[
        (
            &["PostgreSQL, backups are not needed"],
            &["| without backup | instead: with nightly dumps"],
            &["nightly backups"],
        ),
        (
            &["PostgreSQL, Backups brauche ich nicht"],
            &["| without backup | instead: with nightly dumps"],
            &["nightly backups"],
        ),
        (
            &["PostgreSQL, las copias de seguridad no hacen falta"],
            &["| without backup | instead"],
            &["nightly backups"],
        ),
        (
            &["PostgreSQL, les sauvegardes ne sont pas nécessaires"],
            &["| without backup | instead"],
            &["nightly backups"],
        ),
        (
            &["nginx mit eigenem Zertifikat (nicht Let's Encrypt)"],
            &["own certificate | not built", "without let's encrypt | instead"],
            &[],
        ),
        (
            &["Django ohne Redis, lieber RabbitMQ"],
            &["without redis | instead: with redis", "rabbitmq"],
            &[],
        ),
        (
            &["django avec rabbitmq au lieu de redis"],
            &["without redis | instead: with redis", "rabbitmq"],
            &[],
        ),
        (
            &["PostgreSQL, no quiero nada en la nube"],
            &["not in the cloud | instead: at hetzner"],
            &[],
        ),
        (&["PostgreSQL, Hetzner nicht"], &["not at hetzner | instead: at hetzner"], &[]),
        (&["PostgreSQL, not even ssh may be open"], &["without ssh | instead"], &[]),
        (&["PostgreSQL, don't create anything new"], &["don't create anything new"], &[]),
        (&["A VPS without a frobnicator"], &["without a frobnicator"], &[]),
        (
            &["MySQL with hourly backups"],
            &["hourly backups | instead: nightly"],
            &["nightly backups"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_correction_overrides_an_earlier_request() {
    each(&[
        (&["k3s on two servers", "one is enough"], &["servers 1"], &[]),
        (&["k3s mit zwei Knoten", "ein Knoten reicht auch"], &["servers 1"], &[]),
        (&["k3s con tres nodos", "al final un solo nodo"], &["servers 1"], &[]),
        (&["k3s avec trois serveurs", "finalement un seul serveur"], &["servers 1"], &[]),
        (&["PostgreSQL und Redis", "Redis doch nicht"], &["additions none"], &[]),
        (&["PostgreSQL with Redis", "redis is not needed anymore"], &["additions none"], &[]),
        (&["monitoring, 90 days", "bitte nur dreißig Tage"], &["retention-days 30"], &[]),
        (&["PostgreSQL with a frobnicator", "drop the frobnicator"], &[], &["frobnicator"]),
        (&["k3s with five nodes"], &["five nodes | instead: one to three servers"], &[]),
        (&["MySQL", "forget the office access"], &["forget the office"], &[]),
    ])
    .await;
}

#[tokio::test]
async fn the_users_own_server_is_reported_before_they_can_agree() {
    for wish in [
        "PostgreSQL on my own server, use the defaults",
        "PostgreSQL auf unserem eigenen Server, nimm die Standardwerte",
        "PostgreSQL en mi propio servidor, usa los valores por defecto",
        "PostgreSQL sur notre propre serveur, utilise les valeurs par défaut",
        "PostgreSQL on premises, use the defaults",
    ] {
        let (_, answers) = Chat::gatherer().turn(wish).await;
        assert!(rows(content(&answers)).contains("instead: at hetzner"), "{wish}");
        assert!(!ready(&answers), "{wish}");
    }
}
