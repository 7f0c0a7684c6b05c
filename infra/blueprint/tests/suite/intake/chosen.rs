//! Which deployment a message asks for, and which words only mention something.

use super::accounts::{after_agreement, each};

const TOY: &str = "blueprint: local-web-service";

#[tokio::test]
async fn the_service_for_a_first_try_never_stands_in_for_a_named_technology() {
    each(&[
        (
            &["HAProxy in front of two app servers with a health check on /ready"],
            &["blueprint: haproxy", "app-servers 2", "/ready"],
            &[TOY],
        ),
        (&["HAProxy vor zwei Servern mit Gesundheitsprüfung"], &["blueprint: haproxy"], &[TOY]),
        (&["HAProxy con comprobación de salud y tres backends"], &["app-servers 3"], &[TOY]),
        (&["Un HAProxy devant deux serveurs, health check sur /etat"], &["app-servers 2"], &[TOY]),
        (&["An API in Spring Boot, highly available"], &["spring boot"], &["blueprint:"]),
        (&["A Rails web service with a health check"], &["rails | not built"], &["blueprint:"]),
        (
            &["Eine Docker-Compose-App mit API und Worker, hochverfügbar"],
            &["high availability"],
            &["blueprint:"],
        ),
        (&["Una API con Laravel"], &["laravel"], &["blueprint:"]),
    ])
    .await;
}

#[tokio::test]
async fn a_toy_is_what_a_beginner_asks_for() {
    each(&[
        (&["A toy service on port 9000, made with Terraform"], &[TOY, "port 9000"], &[]),
        (&["Einen Spieldienst mit Health-Endpunkt auf Port 9001"], &[TOY, "port 9001"], &[]),
        (&["Un servicio de juguete en el puerto 9002, con Ansible"], &[TOY, "port 9002"], &[]),
        (&["Un service jouet sur le port 9003"], &[TOY, "port 9003"], &[]),
    ])
    .await;
}

#[tokio::test]
async fn a_part_of_a_deployment_does_not_replace_the_whole() {
    each(&[
        (
            &["k3s with ingress-nginx, cert-manager and a certificate for *.a.example.org"],
            &["blueprint: k3s", "ingress nginx | not built", "cert manager | not built"],
            &["nginx-site", "TLS with a certificate that is valid | built"],
        ),
        (
            &["Kubernetes mit nginx als Ingress und Let's Encrypt für www.example.org"],
            &["blueprint: k3s", "nginx"],
            &["nginx-site"],
        ),
        (
            &["Django con despliegues sin cortes en app.example.org"],
            &["blueprint: django", "zero downtime"],
            &["blueprint: releases"],
        ),
        (&["WordPress derrière nginx, avec un CDN"], &["blueprint: wordpress", "cdn"], &[]),
    ])
    .await;
}

#[tokio::test]
async fn what_only_resembles_a_deployment_does_not_choose_it() {
    each(&[
        (
            &["A VPS with file integrity monitoring"],
            &["blueprint: basic-vps", "file integrity monitoring | not built"],
            &["monitoring-stack"],
        ),
        (
            &["A hardened Debian server at Hetzner with metrics for our Prometheus"],
            &["blueprint: basic-vps", "prometheus"],
            &["monitoring-stack"],
        ),
        (
            &["Ein VPS, Metriken für unser Prometheus"],
            &["blueprint: basic-vps", "prometheus"],
            &["monitoring-stack"],
        ),
        (
            &["Send the logs of nginx with Filebeat to our Elasticsearch at https://es.example.org:9200"],
            &["filebeat", "es.example.org"],
            &["blueprint: nginx-site", "blueprint: elk", "| built |"],
        ),
        (
            &["Enviar los logs de nginx a Elasticsearch, ya lo tenemos en https://es.example.org:9200"],
            &["es.example.org"],
            &["blueprint:"],
        ),
        (
            &["Unsere Prometheus-Instanz soll einen gehärteten VPS überwachen"],
            &["blueprint: basic-vps"],
            &["monitoring-stack"],
        ),
        (
            &["A server that exports metrics to the Prometheus we already have"],
            &["prometheus | not built"],
            &["monitoring-stack"],
        ),
        (
            &["Una web para taller.example.es con https"],
            &["blueprint: nginx-site", "domain: taller.example.es | built"],
            &[TOY],
        ),
        (
            &["Un VPS con un cortafuegos de aplicaciones"],
            &["application firewall | not built"],
            &["a firewall | built"],
        ),
        (
            &["nginx pour a.example.org, avec un pare-feu applicatif"],
            &["application firewall | not built"],
            &["a firewall | built"],
        ),
        (
            &["nginx für a.example.org, kein Ansible-Tower"],
            &["left out, as asked: ansible tower"],
            &["without ansible"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_database_of_another_application_is_a_part_of_it() {
    each(&[
        (
            &["Ghost with MySQL on one machine"],
            &["ghost | not built", "mysql | not built"],
            &["blueprint:"],
        ),
        (&["n8n mit PostgreSQL in Docker Compose"], &["n8n | not built"], &["blueprint:"]),
        (&["Un docker-compose avec Metabase et Postgres"], &["metabase"], &["blueprint:"]),
        (&["PostgreSQL para nuestro Metabase"], &["blueprint: vps-postgresql", "metabase"], &[]),
    ])
    .await;
}

#[tokio::test]
async fn a_deployment_that_the_message_names_again_stays() {
    after_agreement(&[
        (
            &["k3s on two servers", "k3s then, but on three machines, and add Grafana"],
            &["blueprint: k3s", "servers 3", "grafana | not built"],
            &[],
        ),
        (
            &[
                "k3s en dos máquinas",
                "Entonces k3s, no en dos sino en tres máquinas. Añade Grafana",
            ],
            &["blueprint: k3s", "grafana"],
            &["monitoring-stack"],
        ),
        (
            &["nginx for a.example.org", "no, rather WordPress behind nginx"],
            &["blueprint: wordpress"],
            &[],
        ),
    ])
    .await;
}

#[tokio::test]
async fn an_existing_server_is_not_replaced_in_silence() {
    const NEW: &str = "on an existing server | instead: on a new server at hetzner";
    each(&[
        (&["Monitoring on a server that already exists, 198.51.100.7"], &[NEW, "198.51"], &[]),
        (&["I already have a server, install MySQL on it"], &[NEW], &[]),
        (&["MySQL, wir haben schon einen Server, bitte keinen neuen"], &[NEW], &[]),
        (&["PostgreSQL, ya tengo un servidor"], &[NEW], &[]),
        (&["MySQL, le serveur existe déjà, n'en créez pas"], &[NEW], &[]),
        (
            &["Wir haben bereits einen Server (203.0.113.77). Dort bitte PostgreSQL installieren"],
            &[NEW, "ssh-from sandbox"],
            &[],
        ),
        (&["A new server with MySQL"], &[], &[NEW]),
    ])
    .await;
    after_agreement(&[(
        &["MySQL, our server already exists", "ok, a new server then"],
        &["blueprint: vps-mysql"],
        &["existing"],
    )])
    .await;
}

#[tokio::test]
async fn accepting_the_defaults_after_a_refusal_says_how_to_go_on() {
    for (wish, accepted, answer, nearest) in [
        ("A Windows server", "use the defaults", "Nothing is chosen yet", "A basic VPS"),
        (
            "Ich möchte einen Windows-Server",
            "die Standardwerte bitte",
            "Noch ist nichts gewählt",
            "Ein einfacher VPS",
        ),
        (
            "Quiero un servidor Windows",
            "valores por defecto",
            "Aún no hay nada elegido",
            "Un VPS básico",
        ),
        (
            "Je voudrais un serveur Windows",
            "valeurs par défaut",
            "Rien n'est encore choisi",
            "Un VPS simple",
        ),
    ] {
        let (chat, _) = crate::support::Chat::gatherer().turn(wish).await;
        let (_, answers) = chat.turn(accepted).await;
        let said = &answers.last().unwrap().text;
        assert!(said.contains(answer) && said.contains(nearest), "{wish}: {said}");
    }
}

#[tokio::test]
async fn alerts_go_to_the_address_after_them_and_do_not_watch_it() {
    const ENTERED: &str = "hooks.example.com/ops | instead: the webhook that you enter";
    const WATCHED: &str = "watched addresses: https://hooks.example.com";
    each(&[
        (
            &["Prometheus, alerts to webhook https://hooks.example.com/ops"],
            &["alerts-to webhook", ENTERED],
            &[WATCHED],
        ),
        (
            &["Prometheus, Alarme an https://hooks.example.com/ops"],
            &["alerts-to webhook", ENTERED],
            &[WATCHED],
        ),
        (
            &["Grafana, alertas al webhook https://hooks.example.com/ops"],
            &["alerts-to webhook", ENTERED],
            &[WATCHED],
        ),
        (
            &["Grafana, Alertmanager vers https://hooks.example.com/ops"],
            &["alerts-to webhook", ENTERED],
            &[WATCHED],
        ),
        (
            &["Prometheus, alert me when https://www.example.com is down"],
            &["alerts-to none", "watched addresses: https://www.example.com | built"],
            &["instead"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn nginx_before_an_application_is_not_a_site_of_files() {
    const FILES: &str = "instead: nginx serves files from a folder";
    each(&[
        (&["A Go binary on 8081, nginx in front for a.example.org"], &[FILES], &[]),
        (&["nginx as a reverse proxy for a.example.org"], &["reverse proxy | not built"], &[]),
        (&["Ein Go-Programm auf 8081, nginx davor für a.example.org"], &[FILES], &[]),
        (&["Una API en el 8000, nginx delante para a.example.org"], &[FILES], &[]),
        (&["Une app sur 8000, nginx devant pour a.example.org"], &[FILES], &[]),
        (&["Django with nginx in front for a.example.org"], &[], &[FILES]),
    ])
    .await;
}

#[tokio::test]
async fn logs_for_a_cluster_that_runs_already_build_no_new_one() {
    each(&[(
        &["Ship nginx and auth logs to an Elasticsearch cluster we already run at es.example.org:9200"],
        &["elasticsearch", "es.example.org"],
        &["blueprint: elk", "blueprint: nginx-site", "| built |"],
    )])
    .await;
}

#[tokio::test]
async fn who_may_reach_the_database_may_not_log_in_for_that() {
    const NOBODY: &str = "ssh-from sandbox";
    each(&[
        (&["A PostgreSQL database. Access only from 203.0.113.0/24"], &[NOBODY, "203.0.113"], &[]),
        (
            &["Eine PostgreSQL-Datenbank. Zugriff nur aus dem Netz 203.0.113.0/24, Verbindung per TLS"],
            &[NOBODY, "203.0.113"],
            &[],
        ),
        (
            &["postgres, que pueda conectarme desde mi casa (ip 203.0.113.90)"],
            &[NOBODY, "203.0.113"],
            &[],
        ),
        (&["PostgreSQL, SSH access only from 203.0.113.9"], &["203.0.113.9/32"], &[]),
    ])
    .await;
}
