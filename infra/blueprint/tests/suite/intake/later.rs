//! What is for later, and sizes, places and numbers that belong to something.

use super::accounts::{after_agreement, each};

#[tokio::test]
async fn what_is_for_later_is_not_built_now() {
    each(&[
        (
            &["Just a hardened VPS now. Later, in spring, we add nginx for a.example.org; don't build that yet."],
            &["blueprint: basic-vps", "nginx for a.example.org | later, as asked"],
            &["domain", "nginx-site"],
        ),
        (
            &["PostgreSQL and, at some point, Redis"],
            &["redis | later, as asked"],
            &["additions redis", "| redis | not built"],
        ),
        (
            &["Ein VPS mit MySQL, Redis erst später"],
            &["redis | later, as asked"],
            &["additions redis"],
        ),
        (
            &["Ein gehärteter Server. Später kommt WordPress dazu, aber noch nicht jetzt."],
            &["blueprint: basic-vps", "wordpress", "later, as asked"],
            &["blueprint: wordpress"],
        ),
        (
            &["Un VPS endurecido; más adelante pondremos Django en app.example.org."],
            &["blueprint: basic-vps", "django en app.example.org | later, as asked"],
            &["blueprint: django"],
        ),
        (
            &["Un VPS avec MySQL. Plus tard, un cluster k3s."],
            &["blueprint: vps-mysql", "k3s | later, as asked"],
            &["blueprint: k3s"],
        ),
        (
            &["PostgreSQL now; the read replica and pgBouncer come in a later phase"],
            &["blueprint: vps-postgresql", "read replica and pgbouncer", "later, as asked"],
            &["replica | not built"],
        ),
        (&["MySQL 8.4 or later, no later than Friday"], &[], &["later, as asked"]),
    ])
    .await;
    after_agreement(&[(
        &["A VPS, Redis later", "add Redis now"],
        &["additions redis"],
        &["later, as asked"],
    )])
    .await;
}

#[tokio::test]
async fn the_size_of_the_server_is_compared_with_what_servers_have() {
    each(&[
        (
            &["A VPS with 2 cores, 4 GB RAM and 40 GB disk"],
            &["server-type cx23", "2 cores | built", "4 gb of memory | built", "40 gb of disk |"],
            &["not built"],
        ),
        (&["Ein VPS mit 8 GB RAM"], &["server-type cx33", "8 gb of memory | built"], &[]),
        (&["MySQL con 16 GB de RAM"], &["server-type cx43", "16 gb of memory | built"], &[]),
        (&["Un VPS, 2 Go de RAM"], &["at least 2 gb of memory, a cx23 has 4 | built"], &[]),
        (&["ELK on one machine with 8 GB"], &["server-type cx33", "8 gb of memory | built"], &[]),
        (&["A cx23 VPS with 16 GB RAM"], &["server-type cx23", "16 gb | not built"], &[]),
        (&["A VPS with 2 TB RAM"], &["2 tb | not built"], &[]),
        (&["Django for a.example.org, uploads up to 8 GB"], &["8 gb | not"], &["cx33"]),
    ])
    .await;
}

#[tokio::test]
async fn places_spans_and_addresses_belong_to_what_they_are_said_of() {
    each(&[
        (
            &["PostgreSQL with two replicas, one of them in Helsinki"],
            &["location nbg1", "helsinki | not understood"],
            &[],
        ),
        (
            &["PostgreSQL mit zwei Replikaten, eins davon in Helsinki"],
            &["location nbg1", "helsinki"],
            &["location hel1"],
        ),
        (
            &["PostgreSQL, a WAL archive in a bucket, kept 30 days"],
            &["dump-days 14", "30 days | not understood"],
            &[],
        ),
        (
            &["Un cluster k3s, l'API seulement depuis 198.51.100.0/24"],
            &["ssh-from sandbox", "198.51.100.0/24"],
            &[],
        ),
        (
            &["nginx für a.example.org, Zugriff aus den USA sperren"],
            &["location nbg1", "usa"],
            &["location: ash"],
        ),
        (
            &["Un VPS, l'interface d'administration seulement depuis 198.51.100.4"],
            &["ssh-from sandbox", "198.51.100.4"],
            &[],
        ),
        (&["MySQL, dump toutes les 4 heures conservé 10 jours"], &["dump-days 10"], &[]),
    ])
    .await;
}

#[tokio::test]
async fn a_number_that_is_corrected_or_ruled_out_does_not_count() {
    each(&[
        (&["HAProxy before two web servers, no, better three"], &["app-servers 3"], &[]),
        (&["Zwei Webserver hinter HAProxy, nein, lieber drei"], &["app-servers 3"], &[]),
        (&["Dos servidores web, no, mejor tres, detrás de HAProxy"], &["app-servers 3"], &[]),
        (&["HAProxy devant deux serveurs web, non, plutôt trois"], &["app-servers 3"], &[]),
        (
            &["EKS with five nodes, or else k3s on two machines"],
            &["servers 2", "five nodes | instead", "eks"],
            &[],
        ),
    ])
    .await;
    after_agreement(&[
        (
            &["HAProxy devant deux serveurs", "Pas besoin du troisième serveur"],
            &["app-servers 2"],
            &[],
        ),
        (
            &["HAProxy before two servers", "the servers are named web-a and web-b"],
            &["name my-server"],
            &[],
        ),
        (
            &["nginx for a.example.org", "a second domain: b.example.org"],
            &["domain a.example.org", "b.example.org | not built"],
            &[],
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_balancer_opens_no_port_that_it_does_not_serve() {
    each(&[
        (&["HAProxy, redirect http to https, two web servers"], &["open-ports 80"], &["80,443"]),
        (&["HAProxy vor zwei Webservern, HTTP antwortet nicht"], &["open-ports 80"], &["80,443"]),
        (&["A VPS, everything closed except 80 and 443"], &["open-ports 80,443"], &["closed"]),
        (&["Un VPS, tous les ports fermés sauf 443"], &["open-ports 443"], &[]),
        (&["Un VPS, todo cerrado excepto 80 y 443"], &["open-ports 80,443"], &[]),
        (&["Ein VPS, alles geschlossen außer 80 und 443"], &["open-ports 80,443"], &[]),
    ])
    .await;
}

#[tokio::test]
async fn a_public_key_is_not_a_secret_and_is_not_taken() {
    const KEY: &str = "AAAAC3NzaC1lZDI1NTE5AAAAIJq8u0yq3m2o0Rk2cX3hH2i9l6pXn0b0k6Zc1mJ4tQ2v";
    for wish in ["A VPS, my key is", "Ein VPS, mein Schlüssel ist", "Un VPS, mi clave es"] {
        let message = format!("{wish} ssh-ed25519 {KEY} ada@laptop");
        let (_, answers) = crate::support::Chat::gatherer().turn(&message).await;
        let rows = super::rows(super::content(&answers));
        assert!(rows.contains("your own ssh key | instead: a new key of its own"), "{rows}");
        assert!(!rows.contains("secret") && !rows.contains("aaaac3"), "{rows}");
    }
}

#[tokio::test]
async fn a_place_of_something_else_is_not_the_place_of_the_deployment() {
    after_agreement(&[
        (
            &[
                "PostgreSQL and a replica, in Falkenstein",
                "rather two replicas, the second in Helsinki",
            ],
            &["location fsn1"],
            &["location hel1"],
        ),
        (
            &["Una réplica de MySQL", "mejor dos réplicas, la segunda en Helsinki"],
            &["replica"],
            &["location hel1"],
        ),
        (
            &["EC2 à Paris", "et bascule automatique vers l'Irlande en cas de panne de région"],
            &["region eu-west-3", "failover"],
            &["eu-west-1"],
        ),
        (
            &["EC2 in Frankfurt", "with a failover to Ireland"],
            &["region eu-central-1", "failover"],
            &["eu-west-1"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_size_without_a_noun_is_the_memory_of_the_server() {
    each(&[
        (
            &["PostgreSQL in Falkenstein, 16 GB"],
            &["server-type cx43", "16 gb of memory | built"],
            &[],
        ),
        (&["MySQL en Helsinki, 8 GB cada uno"], &["8 gb of memory | built"], &[]),
        (&["Django mit Celery und Redis auf einer Maschine mit 4 GB"], &["4 gb of memory"], &[]),
        (&["PostgreSQL, 500 GB"], &["500 gb | not built"], &["of memory"]),
        (&["A VPS with Redis, 2 GB for Redis"], &["redis-memory-mb 2048"], &["of memory"]),
    ])
    .await;
    after_agreement(&[(
        &["A VPS with Redis, 512 MB", "instead of 512 MB take 1 GB for Redis"],
        &["redis-memory-mb 1024"],
        &[],
    )])
    .await;
}

#[tokio::test]
async fn a_number_of_other_servers_does_not_count_those_of_the_deployment() {
    each(&[
        (
            &["HAProxy in front of 5 application servers, /api goes to two dedicated servers"],
            &["app-servers 3", "5 application | instead: two or three servers"],
            &["application servers: 2 | built"],
        ),
        (
            &["HAProxy devant 5 serveurs, et /api vers deux serveurs dédiés"],
            &["app-servers 3", "5 serveurs | instead"],
            &["application servers: 2 | built"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_country_outside_is_named_with_the_place_instead() {
    each(&[
        (&["A VPS in Switzerland"], &["switzerland | instead: in nuremberg"], &[]),
        (&["Ein VPS in der Schweiz"], &["switzerland | instead: in nuremberg"], &[]),
        (&["PostgreSQL en Suiza"], &["switzerland | instead: in nuremberg"], &[]),
        (&["PostgreSQL en Suisse"], &["switzerland | instead: in nuremberg"], &[]),
        (&["EC2 in Switzerland"], &["region eu-central-2"], &["instead"]),
        (&["MySQL, our customers are in Austria"], &["austria"], &["| instead: in"]),
        (&["MySQL, never in the United States"], &["location nbg1"], &["not understood"]),
        (&["MySQL, keine US-Anbieter, Daten nur in der EU"], &[], &["not understood"]),
        (&["PostgreSQL, nunca en Estados Unidos"], &[], &["not understood"]),
        (&["PostgreSQL, pas d'hébergement américain"], &[], &["not understood"]),
        (
            &["A static site on S3 with CloudFront, not in the US"],
            &["region eu-central-1"],
            &["not understood", "instead"],
        ),
        (&["EC2, data only in the EU"], &["region: eu-central-1 | built"], &["not understood"]),
    ])
    .await;
}

#[tokio::test]
async fn a_later_message_corrects_or_withdraws_a_row() {
    after_agreement(&[
        (
            &["postgres 16", "actually make it 17 not 16"],
            &["blueprint: vps-postgresql"],
            &["16 |", "not understood"],
        ),
        (
            &[
                "HAProxy before two servers, sticky sessions via cookie",
                "drop the sticky sessions again",
            ],
            &["blueprint: haproxy"],
            &["sticky"],
        ),
        (
            &[
                "Un HAProxy devant deux serveurs, déploiement canari à 10 %",
                "Laissez tomber le canari.",
            ],
            &["blueprint: haproxy"],
            &["laissez"],
        ),
        (
            &["PostgreSQL with a NAT only if it costs not more than 20 euros a month"],
            &["20 euros"],
            &[],
        ),
        (&["PostgreSQL mit einem Replika", "ohne Replika"], &[], &["replica | not built"]),
    ])
    .await;
}
