//! A later message that exchanges a component of the deployment, or puts something on it, does not replace it.

use super::accounts::after_agreement;

/// The deployment stays, and a row says that the exchange is not built.
#[tokio::test]
async fn an_exchanged_component_keeps_the_deployment() {
    after_agreement(&[
        (
            &["Django for app.acme.io", "with MySQL instead of PostgreSQL"],
            &[
                "blueprint: django",
                "domain app.acme.io",
                "| mysql instead of postgresql | not built",
            ],
            &["postgresql | not built: as you asked"],
        ),
        (
            &["Django für app.firma.de", "mit MySQL statt PostgreSQL"],
            &["blueprint: django", "domain app.firma.de", "| mysql statt postgresql | not built"],
            &[],
        ),
        (
            &["Django pour app.exemple.fr", "avec MySQL au lieu de PostgreSQL"],
            &["blueprint: django", "| mysql au lieu de postgresql | not built"],
            &[],
        ),
        (
            &["WordPress para www.acme.io", "usa PostgreSQL en lugar de MySQL"],
            &["blueprint: wordpress", "| postgresql en lugar de mysql | not built"],
            &[],
        ),
        (
            &["ELK", "with Grafana instead of Kibana"],
            &["blueprint: elk", "| grafana instead of kibana | not built"],
            &["please say which one holds"],
        ),
        (
            &["WordPress for www.acme.io", "HAProxy instead of nginx in front"],
            &["blueprint: wordpress", "| haproxy instead of nginx | not built"],
            &[],
        ),
        (
            &["Django for app.acme.io", "PostgreSQL instead of MySQL"],
            &["blueprint: django"],
            &["instead of mysql | not built"],
        ),
        (
            &["Monitoring with Grafana", "Telegram instead of mail"],
            &["| telegram | not built", "left out, as asked: mail"],
            &[],
        ),
    ])
    .await;
}

/// What a message puts on the planned deployment has a row.
#[tokio::test]
async fn what_is_put_on_the_deployment_keeps_it() {
    after_agreement(&[
        (
            &["EC2 in Frankfurt", "with PostgreSQL on it"],
            &["blueprint: ec2-ssh", "region eu-central-1", "| postgresql | not built"],
            &[],
        ),
        (
            &["EC2 in Frankfurt", "mit PostgreSQL darauf"],
            &["blueprint: ec2-ssh", "| postgresql | not built"],
            &[],
        ),
        (
            &["EC2 en Fráncfort", "con MySQL encima"],
            &["blueprint: ec2-ssh", "| mysql | not built"],
            &[],
        ),
        (
            &["EC2 à Francfort", "installe MySQL dessus"],
            &["blueprint: ec2-ssh", "| mysql | not built"],
            &[],
        ),
        (
            &["Django for app.acme.io", "use MySQL as its database"],
            &["blueprint: django", "| mysql | not built"],
            &[],
        ),
        (
            &["WordPress for www.acme.io", "put HAProxy in front of it"],
            &["blueprint: wordpress", "| haproxy | not built"],
            &[],
        ),
        (
            &["k3s with three servers", "with a monitoring stack"],
            &["blueprint: k3s", "monitoring stack | not built"],
            &[],
        ),
    ])
    .await;
}

/// Another whole replaces the deployment, and what only that had has a row.
#[tokio::test]
async fn another_whole_replaces_the_deployment() {
    after_agreement(&[
        (
            &[
                "Brauche Loadbalancer vor zwei Webservern, alles neu, Hetzner",
                "Die Webserver liefern eine Seite mit nginx aus. Domain kino.example.",
                "Doch nur ein Webserver und kein Loadbalancer, der Chef hat den Preis gesehen.",
            ],
            &["blueprint: nginx-site", "domain kino.example"],
            &["vor zwei webservern |"],
        ),
        (
            &["Django for app.acme.io", "no, I want MySQL instead"],
            &["blueprint: vps-mysql", "| app.acme.io | not built"],
            &[],
        ),
        (
            &["Django für app.firma.de", "nein, lieber einen MySQL-Server"],
            &["blueprint: vps-mysql", "| app.firma.de | not built"],
            &[],
        ),
        (
            &["Django for app.acme.io", "WordPress instead of Django"],
            &["blueprint: wordpress"],
            &[],
        ),
        (&["PostgreSQL", "MySQL instead of PostgreSQL"], &["blueprint: vps-mysql"], &[]),
        (&["A Prometheus server", "ELK instead of Prometheus"], &["blueprint: elk"], &[]),
        (
            &["A VPS in Helsinki", "with PostgreSQL on it"],
            &["blueprint: vps-postgresql", "location hel1"],
            &[],
        ),
        (
            &["A VPS in Helsinki", "it will run WordPress"],
            &["blueprint: wordpress", "location hel1"],
            &[],
        ),
    ])
    .await;
}

/// CloudFront is a component of the static site, so another server in its place leaves the site.
#[tokio::test]
async fn nginx_in_place_of_the_cdn_keeps_the_static_site() {
    after_agreement(&[
        (
            &[
                "A static website on S3 with CloudFront for www.acme.io",
                "nginx instead of CloudFront",
            ],
            &["blueprint: static-site", "| nginx instead of cloudfront | not built"],
            &[],
        ),
        (
            &[
                "Eine statische Website auf S3 mit CloudFront für www.acme.io",
                "nginx statt CloudFront",
            ],
            &["blueprint: static-site", "| nginx statt cloudfront | not built"],
            &[],
        ),
        (
            &["Un sitio estático en S3 con CloudFront", "nginx en lugar de CloudFront"],
            &["blueprint: static-site", "cloudfront | not built"],
            &[],
        ),
        (
            &["Un site statique sur S3 avec CloudFront", "nginx à la place de CloudFront"],
            &["blueprint: static-site", "cloudfront | not built"],
            &[],
        ),
    ])
    .await;
}
