//! Words that change what a wish asks for, second bests, and wishes that are taken back. Most conversations were written
//! without looking at the rules, and each line of the answers was judged by hand.

use super::accounts::{after_agreement, each};

#[tokio::test]
async fn a_feature_with_an_unknown_qualifier_is_not_claimed() {
    each(&[
        (
            &["MySQL with backups before each deployment"],
            &["backups before each deployment | instead: nightly"],
            &["nightly backups | built"],
        ),
        (
            &["PostgreSQL with a backup every night except Sundays"],
            &["backup every night except sundays | instead: nightly dumps"],
            &["nightly backups | built"],
        ),
        (
            &["PostgreSQL with encrypted backups in another region"],
            &["encrypted backups another region | instead: nightly dumps"],
            &["nightly backups | built"],
        ),
        (
            &["Monitoring for https://a.example.com, alerts only for outages longer than an hour"],
            &["alerts only for outages longer than an hour | instead: alerts"],
            &["| alerts | built"],
        ),
        (
            &["a website at quay.example, the certificate should come from our own CA"],
            &["certificate from our own ca | instead: a certificate that every browser knows"],
            &["tls with a certificate that is valid | built"],
        ),
        (
            &["MySQL 8.4, Wiederherstellung auf einem anderen Server testen"],
            &["wiederherstellung auf einem anderen server | instead: a tried restore"],
            &["a restore that is tried | built", "another server"],
        ),
        (
            &["VPS mit automatischen Updates außer am Wochenende"],
            &["automatischen updates außer am wochenende | instead: once a day"],
            &["themselves | built", "not understood"],
        ),
        (
            &["MySQL, y restaurar la copia que tengo del viernes"],
            &["restaurar que tengo del viernes | instead: a tried restore"],
            &["a restore that is tried | built"],
        ),
        (
            &["PostgreSQL avec sauvegarde quotidienne sur un autre serveur"],
            &["sauvegarde quotidienne sur un autre serveur | instead: nightly dumps"],
            &["nightly backups | built"],
        ),
        (
            &["MySQL avec restauration testée tous les trimestres"],
            &["restore tested tous les trimestres | instead: a tried restore"],
            &["a restore that is tried | built"],
        ),
        (
            &["Serveur EC2 à Paris, disque chiffré avec notre propre clé"],
            &["notre propre clé | instead: encryption at rest"],
            &["encryption at rest | built"],
        ),
        (
            &["Can you build a WordPress at wp.larch.example? We already have a certificate."],
            &["already have certificate | instead: tls"],
            &["tls with a certificate that is valid | built"],
        ),
        (
            &["VPS con actualizaciones automáticas solo los lunes"],
            &["actualizaciones automáticas solo los lunes | instead: once a day"],
            &["themselves | built"],
        ),
        (
            &["WordPress auf www.chor-nord.example mit Backup vor jedem Update"],
            &["backup vor jedem update | instead: nightly dumps"],
            &["themselves | built", "nightly backups | built"],
        ),
        (
            &["Un serveur MySQL, sauvegardes toutes les 12 heures"],
            &["backups toutes les 12 hours | instead: nightly"],
            &["nightly backups | built", "not understood"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn qualifiers_that_a_feature_knows_change_nothing() {
    each(&[
        (&["PostgreSQL with a backup once a day"], &["nightly backups | built"], &["instead"]),
        (&["PostgreSQL mit täglichem Backup"], &["nightly backups | built"], &["instead"]),
        (&["MySQL con copias cada día"], &["nightly backups | built"], &["instead"]),
        (&["MySQL avec une sauvegarde chaque jour"], &["nightly backups | built"], &["instead"]),
        (
            &["VPS with unattended upgrades only for security"],
            &["security updates that install themselves | built"],
            &["instead"],
        ),
        (
            &["Site at www.a.example with nginx, the certificate renews before it expires"],
            &["a certificate that renews itself | built"],
            &["instead"],
        ),
        (
            &["WordPress at blog.a.example with TLS for our own domain"],
            &["tls with a certificate that is valid | built"],
            &["instead"],
        ),
        (
            &["HAProxy with 2 servers, no lost request when one of two servers restarts"],
            &["no request is lost when a server restarts | built"],
            &["instead"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_word_that_switches_off_one_thing_does_not_switch_off_the_next() {
    each(&[
        (
            &["VPS en Helsinki, con el cortafuegos desactivado y acceso root por contraseña"],
            &["without firewall | instead: with a firewall", "acceso root por contraseña"],
            &["no login as root | built", "key only | built"],
        ),
        (
            &["VPS in Falkenstein, Firewall aus"],
            &["without firewall | instead: with a firewall"],
            &["a firewall | built"],
        ),
        (
            &["WordPress unter blog.a.example, Kommentare aus"],
            &["kommentare aus | not understood"],
            &[],
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_second_best_is_taken_if_the_first_wish_is_not_built() {
    each(&[
        (
            &["Database server, MariaDB; if MariaDB is not possible take MySQL. 4 GB memory, dumps kept 30 days."],
            &["blueprint: vps-mysql", "mariadb | instead: mysql", "dump-days 30", "4 gb of memory | built"],
            &["mariadb | not built"],
        ),
        (
            &["MongoDB. If that's impossible, then postgres."],
            &["blueprint: vps-postgresql", "mongodb | instead: postgres"],
            &[],
        ),
        (
            &["Postgres 17, and if you can, PostGIS, otherwise just plain Postgres."],
            &["blueprint: vps-postgresql", "postgis | instead: plain postgres"],
            &["postgis | not built"],
        ),
        (
            &["A VPS with TLS and MariaDB, or if that's not possible MySQL"],
            &["blueprint: vps-mysql", "mariadb | instead: mysql", "tls | not built"],
            &["tls and mariadb"],
        ),
        (
            &["MariaDB auf einem VPS, falls das nicht geht MySQL"],
            &["blueprint: vps-mysql", "mariadb | instead: mysql"],
            &["not understood"],
        ),
        (
            &["Wenn MongoDB nicht geht, dann PostgreSQL"],
            &["blueprint: vps-postgresql", "mongodb | instead: postgresql"],
            &[],
        ),
        (
            &["MongoDB; en caso de que no sea posible, PostgreSQL"],
            &["blueprint: vps-postgresql", "mongodb | instead: postgresql"],
            &[],
        ),
        (
            &["MariaDB en un VPS, si no MySQL. Copias diarias."],
            &["blueprint: vps-mysql", "mariadb | instead: mysql", "nightly backups | built"],
            &[],
        ),
        (
            &["MongoDB ou, à défaut, PostgreSQL"],
            &["blueprint: vps-postgresql", "mongodb | instead: postgresql"],
            &[],
        ),
    ])
    .await;
    // The first wish is built, so the second best is not asked for.
    each(&[
        (
            &["MySQL, 6 Monate Aufbewahrung für die Sicherungen, falls nicht möglich eben 3 Monate"],
            &["dump-days 180"],
            &["3 monate"],
        ),
        (
            &["PostgreSQL, if that's not possible MySQL"],
            &["blueprint: vps-postgresql"],
            &["mysql"],
        ),
    ])
    .await;
    // Neither is built, and the list has both.
    each(&[(
        &["MongoDB, or if that's not possible CouchDB"],
        &["mongodb", "couchdb"],
        &["instead"],
    )])
    .await;
}

#[tokio::test]
async fn the_list_follows_what_is_taken_back() {
    after_agreement(&[
        (
            &[
                "k3s with 3 servers, and monitoring of the nodes",
                "make it 2 servers instead of 3. And we no longer need the monitoring.",
            ],
            &["servers 2"],
            &["| monitoring", "not understood"],
        ),
        (
            &[
                "Wordpress at www.alder.example with weekly backups to our own NAS",
                "never mind the NAS",
                "weekly is wrong by the way, daily",
            ],
            &["nightly backups | built"],
            &["nas |", "weekly", "not understood"],
        ),
        (
            &[
                "Wordpress at www.alder.example with weekly backups to our own NAS",
                "never mind the NAS",
            ],
            &["weekly backups | instead: nightly"],
            &["nas |"],
        ),
        (
            &[
                "EC2 in Frankfurt, 40 GB Platte, zweite Platte mit 200 GB",
                "die zweite Platte doch nicht",
            ],
            &["volume-gb 40"],
            &["200 gb |", "zweite"],
        ),
        (
            &["VPS mit 2 Kernen und Überwachung", "keine Überwachung mehr"],
            &["blueprint: basic-vps", "2 cores | built"],
            &["monitoring"],
        ),
        (
            &[
                "Un servidor en EC2 en Irlanda, con IP fija y copia semanal del disco",
                "ya no necesito la IP fija",
            ],
            &["copia semanal del disco"],
            &["ip fija"],
        ),
        (
            &["VPS con vigilancia y Docker", "quita la vigilancia", "bueno, déjala"],
            &["vigilancia | not understood"],
            &["déjala"],
        ),
        (
            &[
                "Serveur PostgreSQL, sauvegardes hebdomadaires",
                "finalement pas hebdomadaires, quotidiennes",
            ],
            &["nightly backups | built"],
            &["weekly", "not understood"],
        ),
        (
            &["MySQL with backups before each deployment", "a backup a day is enough"],
            &["nightly backups | built"],
            &["before"],
        ),
        (
            &[
                "WordPress auf www.chor-nord.example mit Backup vor jedem Update",
                "Backup täglich genügt",
            ],
            &["nightly backups | built"],
            &["update"],
        ),
        (
            &["Monitoring for https://a.example.com, alerts to a webhook", "drop the webhook"],
            &["alerts-to none"],
            &["without webhook"],
        ),
        (
            &["Cluster k3s de 3 serveurs avec certificat", "le certificat n'est plus nécessaire"],
            &["servers 3"],
            &["| certificat"],
        ),
        (
            &["a k3s cluster with two nodes", "add a third node", "scrap the third node"],
            &["servers 2"],
            &["third"],
        ),
        (
            &["HAProxy con dos servidores", "tres en lugar de dos"],
            &["app-servers 3"],
            &["not understood"],
        ),
        (
            &[
                "releases for an app, zero downtime, with a way back",
                "I don't need the rollback after all",
                "sorry, keep the rollback after all",
            ],
            &["a rollback to the release before | built"],
            &["without rollback"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn sizes_and_ports_belong_to_what_the_message_is_about() {
    each(&[
        (
            &["Server with Redis in Helsinki, cx23.", "actually make that 384 MB of memory for it"],
            &["redis-memory-mb 384", "location hel1"],
            &["384 mb of memory"],
        ),
        (&["Ein Server mit Redis, 8 GB RAM"], &["redis-memory-mb 256", "server-type cx33"], &[]),
        (&["Un VPS con Redis de ciento veintiocho megas"], &["redis-memory-mb 128"], &["megas"]),
        (&["Un VPS con Redis de doscientos cincuenta y seis megas"], &[], &["megas", "| 6 mb"]),
        (&["Un Redis de cent vingt-huit mégas"], &["redis-memory-mb 128"], &["mégas"]),
        (&["Redis de cinq cent douze mégas sur un VPS"], &["redis-memory-mb 512"], &["mégas"]),
        (
            &["Django unter app.farn.example, Datenbank liegt schon auf db.farn.example"],
            &["domain app.farn.example", "db.farn.example | not built"],
            &[],
        ),
        (
            &["MySQL with 4 GB memory", "oh and a second server with 8 GB for reporting"],
            &["4 gb of memory | built", "second server | instead: one", "8 gb | not built"],
            &["server-type cx33"],
        ),
        (
            &["A basic VPS with a second disk of 100 GB"],
            &[
                "second disk of 100 gb | instead: only the server's own disk of 40 gb",
                "server-type cx23",
            ],
            &["of disk"],
        ),
        (
            &["HAProxy devant deux serveurs d'application à nous, déjà en place"],
            &["existing application servers | instead: new ones at hetzner"],
            &[],
        ),
        (&["Lastverteiler HAProxy, ein zweiter HAProxy"], &["second haproxy | instead: one"], &[]),
    ])
    .await;
    after_agreement(&[
        (
            &[
                "VPS mit Port 80, 443 und 25 offen",
                "Port 25 bitte zu",
                "Port 25 doch öffnen, und zusätzlich 587",
            ],
            &["open-ports 25,80,443,587"],
            &["not understood"],
        ),
        (
            &[
                "Un VPS con los puertos 80 y 8080 abiertos",
                "cierra el 8080",
                "pensándolo bien, abre otra vez el 8080 y también el 3000",
            ],
            &["open-ports 80,3000,8080"],
            &["not understood"],
        ),
        (
            &[
                "VPS avec ports 80 et 443",
                "ferme le 80",
                "finalement rouvre le 80, et le 8443 en plus",
            ],
            &["open-ports 80,443,8443"],
            &["not understood"],
        ),
    ])
    .await;
}
