//! Ordinary first wishes of people who do not know the list of deployments: a database of any kind, an application of their
//! own, a safe server, a place. And words that ask for nothing: comparisons, what exists already, what people do themselves.

use super::accounts::{after_agreement, each};
use super::{blueprint, content};
use crate::support::Chat;

#[tokio::test]
async fn a_database_of_no_named_product_is_postgresql() {
    for (wish, id) in [
        ("I need a database", "vps-postgresql"),
        ("Ich brauche eine Datenbank", "vps-postgresql"),
        ("Necesito una base de datos", "vps-postgresql"),
        ("Il me faut une base de données", "vps-postgresql"),
        ("a database for our application, mysql", "vps-mysql"),
        ("Mysql or postgres, I don't care", "vps-mysql"),
        ("PostgreSQL oder MySQL, egal", "vps-postgresql"),
    ] {
        let (_, answers) = Chat::gatherer().turn(wish).await;
        assert_eq!(blueprint(content(&answers)), Some(id), "{wish}");
    }
    each(&[
        (&["Mysql or postgres, I don't care"], &[], &["| postgres"]),
        (&["A database", "MySQL ou PostgreSQL, peu importe"], &["postgresql"], &["| mysql"]),
        (&["PostgreSQL for my app on Hetzner"], &["vps-postgresql"], &["my app"]),
        (&["The database of our shop is at Strato, it stays there"], &[], &["blueprint:"]),
        (&["Which database would you take?"], &[], &["blueprint:"]),
        (&["our graph database is slow"], &[], &["blueprint:"]),
    ])
    .await;
}

#[tokio::test]
async fn a_program_of_the_user_has_the_nearest_deployment_for_programs() {
    for wish in [
        "host my Flask app on Hetzner",
        "Ich möchte meine Node-App hosten",
        "Quiero alojar mi app de Python",
        "Je veux héberger mon appli en Go",
        "my Telegram bot has to run all day",
        "something like Heroku",
        "so was wie Heroku für meine Projekte",
        "una app Spring Boot",
    ] {
        let (_, answers) = Chat::gatherer().turn(wish).await;
        assert_eq!(blueprint(content(&answers)), None, "{wish}");
        let said = &answers.last().unwrap().text;
        let titles = [
            "**Releases without downtime",
            "**Veröffentlichungen ohne Ausfall",
            "**Versiones sin interrupción",
            "**Mises en production sans interruption",
        ];
        assert!(titles.iter().any(|title| said.contains(title)), "{wish}: {said}");
    }
    for (wish, nearest) in [
        ("quiero una tienda online con WooCommerce", "**Un sitio de WordPress"),
        ("Serveur Minecraft Java pour dix joueurs", "**Un VPS simple"),
        ("our shop on Shopware", "**A basic VPS"),
    ] {
        let (_, answers) = Chat::gatherer().turn(wish).await;
        let said = &answers.last().unwrap().text;
        assert!(said.contains(nearest), "{wish}: {said}");
    }
    const PLUGIN: &str = "instead: wordpress without a shop's plugin";
    each(&[
        (&["WordPress mit Shop-Plugin für laden.de"], &["blueprint: wordpress", PLUGIN], &[]),
        (&["Je veux héberger mon appli Django"], &["blueprint: django"], &["my app"]),
        (
            &["A server behind a web application firewall"],
            &["blueprint: basic-vps"],
            &["web app |"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_safe_server_a_docker_host_and_the_smallest_one_are_servers() {
    each(&[
        (&["I want a secure server"], &["blueprint: basic-vps", "| hardening | built"], &[]),
        (
            &["ein sicherer Server bei Hetzner"],
            &["blueprint: basic-vps", "| hardening | built"],
            &[],
        ),
        (&["un servidor seguro"], &["blueprint: basic-vps", "| hardening | built"], &[]),
        (&["un serveur sécurisé"], &["blueprint: basic-vps", "| hardening | built"], &[]),
        (&["a docker host in Helsinki"], &["blueprint: basic-vps", "docker | not built"], &[]),
        (&["Hetzner, the smallest server"], &["server size: cx23 | built"], &[]),
        (&["le plus petit serveur chez Hetzner"], &["server size: cx23 | built"], &[]),
        (&["el servidor más barato de Hetzner"], &["server size: cx23 | built"], &[]),
        (&["der kleinste Server bei Hetzner bitte"], &["server size: cx23 | built"], &[]),
        (&["A VPS with 8 GB, the cheapest"], &[], &["server size: cx23 | built"]),
        (&["Zwei CPX31 bei Hetzner"], &["two cpx31 | instead: one"], &[]),
        (
            &["tell me if my site is down, https://example.org"],
            &["blueprint: monitoring-stack"],
            &["tell"],
        ),
        (
            &["static docs site at docs.example.org on AWS"],
            &["blueprint: static-site"],
            &["understood"],
        ),
        (
            &["Quiero publicar mi página en HTML y no quiero mantener ningún servidor"],
            &["blueprint: static-site", "left out, as asked: server"],
            &[],
        ),
        (&["PostgreSQL in my own Hetzner account"], &["blueprint: vps-postgresql"], &["account"]),
    ])
    .await;
}

#[tokio::test]
async fn naming_a_product_is_not_a_wish_for_another_one() {
    each(&[
        (
            &["host my Python app", "Actually there is a database, it's SQLite, just a file."],
            &["sqlite | not"],
            &["blueprint: vps-postgresql"],
        ),
        (
            &["una base de datos SQLite para mi web"],
            &["sqlite | not"],
            &["blueprint: vps-postgresql"],
        ),
        (&["A Django app with SQLite"], &["blueprint: django", "sqlite | not"], &[]),
    ])
    .await;
}

#[tokio::test]
async fn a_place_is_read_where_something_is_hosted() {
    each(&[
        (&["une VM chez AWS à Paris"], &["region eu-west-3"], &[]),
        (&["eine VM bei AWS in Deutschland"], &["region eu-central-1"], &[]),
        (&["MongoDB en replica set sur AWS Paris", "alors une EC2"], &["region eu-west-3"], &[]),
        (&["Redis chez AWS à Francfort"], &["frankfurt | instead: in nuremberg"], &[]),
        (&["nginx for a.de in eu-west-3"], &["eu-west-3 | instead: in nuremberg"], &[]),
        (&["a website for my bakery in Paris at a.fr"], &[], &["paris | instead"]),
    ])
    .await;
}

#[tokio::test]
async fn a_comparison_or_a_doubt_chooses_nothing() {
    for wish in [
        "What's the difference between my own server and AWS?",
        "Is Kubernetes really needed for a small shop?",
        "Was ist besser, PostgreSQL oder MySQL?",
        "¿Qué diferencia hay entre un VPS y AWS?",
    ] {
        let (_, answers) = Chat::gatherer().turn(wish).await;
        assert_eq!(blueprint(content(&answers)), None, "{wish}");
    }
    each(&[
        (
            &["My boss says we need Kubernetes", "MySQL on one server at Hetzner then"],
            &["blueprint: vps-mysql"],
            &["| a kubernetes cluster"],
        ),
        (
            &["Mi jefe dice que necesitamos Kubernetes", "MySQL en un solo servidor entonces"],
            &["blueprint: vps-mysql"],
            &["| a kubernetes cluster"],
        ),
        (&["My boss says we need Kubernetes"], &["blueprint: k3s"], &[]),
    ])
    .await;
}

#[tokio::test]
async fn what_the_user_has_or_does_is_left_out() {
    each(&[
        (
            &["A VPS, Jenkins we install by hand"],
            &["left out, as asked: jenkins"],
            &["jenkins | not"],
        ),
        (
            &["Ein VPS, Logs haben wir schon in Graylog"],
            &["left out, as asked: graylog"],
            &["logs"],
        ),
        (
            &["Un VPS, on installera Mongo nous-mêmes"],
            &["left out, as asked: mongo"],
            &["mongo | not"],
        ),
        (&["A VPS with Jenkins"], &["jenkins | not built"], &["blueprint:"]),
        (
            &["Un VPS, PostgreSQL ne convient pas"],
            &["left out, as asked: postgresql"],
            &["postgresql | not"],
        ),
        (
            &["Un VPS, PostgreSQL no nos sirve"],
            &["left out, as asked: postgresql"],
            &["postgresql | not"],
        ),
        (&["Ein VPS, TLS brauche ich intern nicht"], &["blueprint: basic-vps"], &["tls | not"]),
        (&["Loki für die Logs", "nur journald und nginx"], &[], &["blueprint:"]),
        (
            &[
                "copias de seguridad de mi servidor",
                "Es un VPS en Contabo. Quiero guardar la base de datos MySQL",
            ],
            &["backups of my server | not built"],
            &["blueprint:"],
        ),
        (
            &["Centraliser les logs avec Loki", "Grafana est en version 11 sur mon-01"],
            &[],
            &["blueprint:"],
        ),
        (
            &["HAProxy, die Backends existieren"],
            &["existing application servers | instead: new ones at hetzner"],
            &[],
        ),
        (&["WordPress for a.de with about 2 GB of images"], &[], &["2 gb", "images"]),
    ])
    .await;
}

#[tokio::test]
async fn an_address_of_a_machine_or_of_a_service_does_not_open_ssh() {
    const LET_IN: &str = "ssh allowed from";
    after_agreement(&[
        (
            &["A VPS. The Ubuntu box in my office at 192.168.1.40 must see it"],
            &["192.168.1.40"],
            &["ssh-from 192"],
        ),
        (
            &["Ein Redis mit Passwort", "Nur aus 10.0.0.0/24 erreichbar"],
            &["nur aus 10.0.0.0/24 erreichbar"],
            &["ssh-from 10"],
        ),
        (
            &["Un Redis, accessible seulement depuis 10.0.0.0/24"],
            &["10.0.0.0/24"],
            &["ssh-from 10"],
        ),
        (&["A VPS, only reachable from 203.0.113.7"], &[LET_IN, "ssh-from 203.0.113.7/32"], &[]),
        (&["A VPS", "SSH only reachable from 203.0.113.7"], &["ssh-from 203.0.113.7/32"], &[]),
        (&["A VPS, only my office at 203.0.113.7 may log in"], &["ssh-from 203.0.113.7/32"], &[]),
    ])
    .await;
}

#[tokio::test]
async fn a_wish_is_not_listed_as_the_plain_thing() {
    const OWN_NAMES: &str = "instead: a certificate that every browser knows";
    each(&[
        (&["nginx for a.de with a wildcard certificate"], &[OWN_NAMES], &["valid | built"]),
        (
            &["nginx for a.de with certificates of our internal CA"],
            &[OWN_NAMES],
            &["valid | built"],
        ),
        (
            &["A VPS, only the keys of Karim and Solène"],
            &["instead: a new key of its own"],
            &["by key only | built"],
        ),
        (
            &["Ein VPS, nur die Schlüssel von Anna und Jan"],
            &["instead: a new key of its own"],
            &["by key only | built"],
        ),
        (
            &["WordPress for a.de, backups with restic to another provider"],
            &["instead: nightly dumps"],
            &["backups | built"],
        ),
        (
            &["WordPress pour a.fr, sauvegardes vers un autre fournisseur"],
            &["instead: nightly dumps"],
            &["backups | built"],
        ),
        (
            &["PostgreSQL, delete everything after three months"],
            &["after three months"],
            &["dumps kept: 90"],
        ),
        (
            &["Redis. The cart must survive a restart"],
            &["cart must survive a restart"],
            &["reboot | built"],
        ),
        (
            &["Prometheus und Grafana, Alarme per E-Mail"],
            &["alerts mail | instead: to a webhook"],
            &["| alerts | built"],
        ),
    ])
    .await;
    after_agreement(&[
        (&["WordPress für a.de, Zertifikat von Let's Encrypt"], &["valid | built"], &[OWN_NAMES]),
        (&["A VPS, key login only"], &["by key only | built"], &["new key"]),
        (&["WordPress for a.de, nightly backups"], &["backups | built"], &[]),
        (&["PostgreSQL, keep dumps three months"], &["dumps kept: 90"], &[]),
        (&["A VPS, everything must survive a reboot"], &["reboot | built"], &[]),
    ])
    .await;
}

#[tokio::test]
async fn a_remark_about_a_part_does_not_replace_the_deployment() {
    each(&[
        (
            &["nginx for a.de", "a shared Postgres is fine"],
            &["blueprint: nginx-site", "postgres | not built"],
            &[],
        ),
        (
            &["k3s en tres nodos", "Prometheus y Grafana fuera del clúster, en una máquina aparte"],
            &["blueprint: k3s", "prometheus | not built", "grafana | not built"],
            &["servers: 1"],
        ),
        (
            &["k3s with two nodes", "Grafana on a separate machine"],
            &["blueprint: k3s", "grafana | not built"],
            &[],
        ),
        (
            &["Django for a.de", "then Postgres on a separate EC2"],
            &["blueprint: django", "ec2"],
            &[],
        ),
        (
            &["k3s with two nodes", "Prometheus, Grafana"],
            &["blueprint: monitoring-stack", "k3s | not built"],
            &[],
        ),
        (
            &[
                "static site on S3 with CloudFront, blog.example.dev, example.dev redirects to it",
                "the other way round",
            ],
            &["instead: blog.example.dev so far; please say which one holds"],
            &["domain: blog.example.dev | built"],
        ),
    ])
    .await;
    after_agreement(&[
        (
            &["nginx for a.de", "PostgreSQL instead"],
            &["blueprint: vps-postgresql", "left out, as asked: nginx."],
            &["nginx |"],
        ),
        (
            &["A VPS with MySQL", "PostgreSQL"],
            &["blueprint: vps-postgresql", "left out, as asked: mysql."],
            &["mysql |"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn ssh_returns_to_its_own_port() {
    after_agreement(&[
        (
            &["A VPS, SSH on port 2222", "leave SSH on 22 after all"],
            &["blueprint: basic-vps"],
            &["2222 |", "| 22"],
        ),
        (&["Ein VPS, SSH auf Port 2222", "SSH doch auf Port 22 lassen"], &[], &["2222 |", "| 22"]),
        (
            &["Un VPS, SSH en el puerto 2222", "al final SSH en el puerto 22"],
            &[],
            &["2222 |", "| 22"],
        ),
        (
            &["Un VPS, SSH sur le port 2222", "finalement laissez SSH sur 22"],
            &[],
            &["2222 |", "| 22"],
        ),
        (
            &["A VPS, SSH on port 2222", "SSH on port 2022, please"],
            &["ssh on port 2022"],
            &["2222 |"],
        ),
        (&["A VPS, SSH on port 2222", "and no SSH on 22"], &["ssh on port 2222"], &[]),
    ])
    .await;
}
