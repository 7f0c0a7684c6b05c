//! What a negation, an exception or an exchange is about, and what it leaves untouched.

use super::accounts::after_agreement;

#[tokio::test]
async fn an_exception_from_all_places_is_avoided() {
    const US: &[&str] = &["location ash", "location hil", "region us-"];
    after_agreement(&[
        (&["Un servidor PostgreSQL. Región: cualquiera menos Estados Unidos."], &["postgres"], US),
        (
            &["A static site on S3 for docs.acme.io, bucket in Frankfurt", "keep it out of the US"],
            &["region eu-central-1"],
            US,
        ),
        (&["A VPS, any region but Germany"], &["location hel1"], &["not in germany"]),
        (
            &["Ein Server mit PostgreSQL, auf keinen Fall außerhalb der EU"],
            &["location nbg1"],
            &["not in eu", "außerhalb"],
        ),
        (&["A basic VPS, it must live in Germany"], &["location nbg1", "location: nbg1"], &[]),
    ])
    .await;
}

#[tokio::test]
async fn a_provider_that_is_refused_in_a_place_is_refused_for_the_place() {
    after_agreement(&[
        (
            &["Ein VPS in Ashburn", "Kein Hetzner in den USA bitte, lieber Nürnberg"],
            &["location nbg1"],
            &["not at hetzner"],
        ),
        (&["A VPS", "no Hetzner in Germany please"], &["location hel1"], &["not at hetzner"]),
        (&["A VPS in Helsinki, not at Hetzner"], &["not at hetzner"], &[]),
    ])
    .await;
}

#[tokio::test]
async fn a_negation_ends_before_another_wish() {
    after_agreement(&[
        (
            &["django app domain app.loopback.club with celery but no redis use rabbitmq instead"],
            &["rabbitmq | not built", "without redis"],
            &["left out, as asked"],
        ),
        (
            &["HAProxy con 2 servidores de app sin ssl en Falkenstein"],
            &["location fsn1"],
            &["understood"],
        ),
        (
            &["nginx for lesloups.org pas de www certificat letsencrypt"],
            &["domain lesloups.org"],
            &["without certificate"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn what_the_deployment_has_is_not_left_out() {
    after_agreement(&[(
        &["django mais sans celery ni redis postgres ok domaine suivi.atelier42.fr"],
        &["without celery", "without redis"],
        &["left out, as asked", "without postgres"],
    )])
    .await;
}

#[tokio::test]
async fn a_component_that_a_message_refuses_for_another_stays_in_its_deployment() {
    after_agreement(&[
        (
            &["WordPress für tsv-altenfels.de", "Die Datenbank soll MySQL sein, nicht MariaDB"],
            &["blueprint: wordpress", "mysql | instead: with mariadb"],
            &["left out, as asked: wordpress", "blueprint: vps-mysql", "datenbank |"],
        ),
        (
            &[
                "Il nous faut un répartiteur de charge avec deux serveurs",
                "trois plutôt, et pas de HAProxy, on préfère nginx",
            ],
            &["blueprint: haproxy", "app-servers 3", "nginx | instead: with haproxy"],
            &["blueprint: nginx-site", "deux serveurs"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_port_beside_that_of_ssh_is_opened() {
    after_agreement(&[
        (
            &["just want a vps ubuntu 24.04 ssh on 2222 and 443 open nothing else 4gb ram under \
                8 bucks"],
            &["open-ports 443", "ssh on port 2222", "8 bucks"],
            &[],
        ),
        (&["ein VPS, ssh nur mit key un port 80 443 offen"], &[], &["ssh on port 80"]),
    ])
    .await;
}

#[tokio::test]
async fn a_single_machine_of_the_past_counts_no_application_servers() {
    after_agreement(&[(
        &["El año pasado todo corría en una sola máquina. Queremos un balanceador con tres \
           servidores de aplicación en Falkenstein."],
        &["app-servers 3"],
        &["one server", "un servidor"],
    )])
    .await;
}

#[tokio::test]
async fn what_a_company_does_today_is_not_the_main_wish() {
    after_agreement(&[(
        &["Right now we deploy by FTP (I know). What we want: deploys without downtime on one \
            Hetzner \
           server in Helsinki."],
        &["blueprint: releases", "location hel1"],
        &["not at hetzner"],
    )])
    .await;
}

#[tokio::test]
async fn corrections_leave_no_row_of_their_own() {
    after_agreement(&[
        (
            &["k3s with three nodes in Helsinki", "two is enough, and we don't need Traefik"],
            &["servers 2", "left out, as asked: traefik"],
            &["three nodes"],
        ),
        (
            &["k3s Cluster mit einem Server in Falkenstein", "Nein, andersrum: drei Server"],
            &["servers 3"],
            &["andersrum"],
        ),
        (
            &["PostgreSQL in Helsinki for 200 members, budget 12 euros a month"],
            &["12 euros"],
            &["| budget |"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_name_with_one_wrong_letter_is_understood() {
    after_agreement(&[
        (&["need wordpess for sharonsbakes.co.uk"], &["blueprint: wordpress"], &["wordpess"]),
        (&["a VPS in Falkenstien"], &["location fsn1"], &["understood"]),
    ])
    .await;
}

#[tokio::test]
async fn what_is_joined_to_a_closed_negation_is_asked_for() {
    after_agreement(&[
        (&["a vps 443 open nothing else and a mail server"], &["mail server | not built"], &[]),
        (
            &["Un stack ELK. Los registros llegan por syslog UDP al puerto 514 y hoy nadie los \
                mira."],
            &["514", "syslog"],
            &[],
        ),
        (&["k3s sans load balancer falkenstein"], &["location fsn1"], &["understood"]),
    ])
    .await;
}

#[tokio::test]
async fn the_only_wish_counts_beside_what_a_company_has() {
    after_agreement(&[(
        &["Our shop is Magento, all on one old Dell. I don't want to move the shop yet. I just \
            want a \
           MySQL server."],
        &["blueprint: vps-mysql", "magento"],
        &[],
    )])
    .await;
}

#[tokio::test]
async fn a_servers_name_may_follow_its_noun_in_all_languages() {
    const NAMED: &[&str] = &["name rails-prod"];
    after_agreement(&[
        (&["PostgreSQL, nom du serveur rails-prod"], NAMED, &["| rails |"]),
        (&["Ein Server mit PostgreSQL, Name des Servers: rails-prod"], NAMED, &["| rails |"]),
        (&["PostgreSQL, nombre del servidor rails-prod"], NAMED, &["| rails |"]),
    ])
    .await;
}

#[tokio::test]
async fn the_scheme_of_an_address_asks_for_nothing() {
    after_agreement(&[(
        &["Grafana, we only watch https://status.orchard.example"],
        &["watch https://status.orchard.example"],
        &["only https"],
    )])
    .await;
}

#[tokio::test]
async fn the_sentence_after_a_second_best_keeps_its_rows() {
    after_agreement(&[(
        &["Wir möchten Veröffentlichungen ohne Ausfall. Am liebsten auf dem bestehenden Server, \
           notfalls auf einem neuen. Die Anwendung hört auf 9000."],
        &["blueprint: releases", "9000", "existing server"],
        &[],
    )])
    .await;
}
