//! Nets under the readers: no phrase that no reader knows builds what the user refuses or changes a value without a word.

use super::accounts::{after_agreement, each};

/// A deployment that is named only to be refused is not chosen, whatever the phrase.
#[tokio::test]
async fn a_refused_deployment_is_not_chosen() {
    each(&[
        (
            &["Bonjour, un serveur Debian chez Hetzner, nom \"goeland\", port 443 ouvert. Docker oui, Kubernetes surtout pas."],
            &["Blueprint: basic-vps", "name goeland"],
            &["k3s"],
        ),
        (
            &["Ich brauche eine MySQL-Datenbank auf einem VPS, Name der DB \"imkerei\". WordPress? Bloß nicht."],
            &["Blueprint: vps-mysql", "database imkerei"],
            &[],
        ),
        (
            &["PostgreSQL en Falkenstein, base \"olivar\", copias 90 días. Kubernetes ni verlo."],
            &["Blueprint: vps-postgresql", "database olivar"],
            &[],
        ),
        (
            &["A website for our society, nginx, plots.example. WordPress was suggested at the meeting and voted down."],
            &["Blueprint: nginx-site", "plots.example"],
            &[],
        ),
        (
            &["Redis cache server with 512 MB, Falkenstein. MySQL isn't part of this."],
            &["Blueprint: basic-vps", "redis-memory-mb 512"],
            &[],
        ),
    ])
    .await;
}

/// A port is not opened to everybody if only some may connect, and those of earlier messages stay open.
#[tokio::test]
async fn a_port_for_some_stays_closed() {
    after_agreement(&[
        (
            &[
                "Un servidor Debian en Hetzner, SSH solo desde 203.0.113.17, abiertos 80 y 443.",
                "Abre también el 9443 pero solo para esa misma IP.",
            ],
            &["open-ports 80,443 ", "| 9443 pero solo para esa misma ip | not understood"],
            &[],
        ),
        (
            &[
                "Two-node k3s in Helsinki, ports 80, 443 open.",
                "And open 8443 as well, but just for 198.51.100.7.",
            ],
            &["open-ports 80,443", "8443 | not understood"],
            &["443,8443"],
        ),
        (
            &["Ein Server bei Hetzner. Offen sein sollen 443 und 8443, Port 80 bitte zu."],
            &["open-ports 443,8443"],
            &[],
        ),
    ])
    .await;
}

/// An address that a message gives up by the name of who has it is not let in, or the row asks.
#[tokio::test]
async fn an_address_may_be_withdrawn_by_its_name() {
    after_agreement(&[
        (
            &[
                "Ein Server bei Hetzner, SSH nur vom Büro (203.0.113.20) und von meinem Zuhause (203.0.113.21).",
                "Das Zuhause kann wieder raus, ich geh eh übers Büro-VPN.",
            ],
            &["ssh-from 203.0.113.20/32"],
            &["203.0.113.21/32"],
        ),
        (
            &[
                "A Debian server at Hetzner, SSH from 203.0.113.5 (office) and 203.0.113.77 (Ruth).",
                "Ruth has left the company, so she doesn't need access.",
            ],
            &["| SSH allowed from: ruth | instead: 203.0.113.5/32, 203.0.113.77/32 so far"],
            &["/32 | built"],
        ),
        (
            &[
                "Supervision Prometheus et Grafana, SSH depuis 203.0.113.60 (bureau) et 203.0.113.61 (Paul).",
                "Paul est parti, enlevez-le.",
            ],
            &["| SSH allowed from: paul | instead: "],
            &["/32 | built"],
        ),
        (
            &["k3s. API (6443) only via 203.0.113.64/28. ssh same range."],
            &["ssh-from 203.0.113.64/28"],
            &[],
        ),
    ])
    .await;
}

/// The last value counts, upward and downward, in the message or after it.
#[tokio::test]
async fn the_last_value_counts() {
    after_agreement(&[
        (
            &[
                "PostgreSQL, máquina en Helsinki con 8 vCPU",
                "mejor 4 vCPU, que no llegamos con el presupuesto.",
            ],
            &["server-type cx33", "Server size: 4 cores | built"],
            &["cx43"],
        ),
        (
            &[
                "Del pliego antiguo: \"Plataforma de registros basada en ELK. Retención mínima: 365 días.\" La retención ahora son 120 días.",
            ],
            &["retention-days 120"],
            &["retention-days 365"],
        ),
        (
            &[
                "HAProxy with two web servers behind it.",
                "Three web servers rather than two, the exam season was bad last time.",
            ],
            &["app-servers 3"],
            &[],
        ),
        (
            &["HAProxy with three app servers behind it.", "Drop one of the app servers."],
            &["| Application servers: drop one of the app servers | instead: 3 so far"],
            &["Application servers: 3 | built"],
        ),
        (
            &["ELK en Núremberg, 30 días, heap de 2 GB.", "Subid el heap a 4 y la retención a 60."],
            &["heap-gb 4", "retention-days 60"],
            &[],
        ),
    ])
    .await;
}

/// What the nets must leave alone: a negation of something else, a part of the same sentence, and a person's name.
#[tokio::test]
async fn a_net_does_not_doubt_what_is_clear() {
    after_agreement(&[
        (&["WordPress without comments for blog.example"], &["Blueprint: wordpress"], &[]),
        (
            &["k3s, trois nœuds. Le port 443 ouvert, 6443 seulement depuis 198.51.100.90."],
            &["open-ports 443", "Open ports: 443 | built"],
            &[],
        ),
        (
            &[
                "Ein WordPress für st-veit.example in Nürnberg.",
                "Herr Falkenstein (Kassier) bittet, dass der Server in Helsinki steht.",
            ],
            &["location hel1", "Location: hel1 | built"],
            &[],
        ),
        (
            &[
                "k3s, three nodes",
                "make that two nodes, hm no, two is bad, isn't it? back to three",
            ],
            &["servers 3", "Servers: 3 | built"],
            &[],
        ),
    ])
    .await;
}

/// A number that only belongs to something else gives no days, servers or disk, and the plan keeps its value.
#[tokio::test]
async fn a_number_counts_only_for_what_it_stands_beside() {
    after_agreement(&[
        (
            &[
                "Anforderungen PostgreSQL:\n- Version 15, nicht 16\n- DB fuhrpark, Eigentümer disponent\n- Dump 23:45, 45 Tage aufheben\n- max_connections 250",
            ],
            &["dump-days 45 ", "| max_connections 250 | not understood"],
            &["dump-days 250"],
        ),
        (
            &[
                "Bitte ELK aufsetzen. Quellen: rsyslog von zwanzig Switches auf UDP 514 und Filebeat auf 5044. Aufbewahrung 14 Tage.",
                "514 bitte auch TCP. Und statt 14 Tage einen Monat.",
            ],
            &["retention-days 30"],
            &["366"],
        ),
        (
            &[
                "Un serveur PostgreSQL, sauvegardes 20 jours.",
                "50 connexions simultanées, pas 20.",
            ],
            &["dump-days 20", "| 50 connexions simultanées | not understood"],
            &["dump-days 50"],
        ),
        (
            &[
                "k3s with three nodes in Falkenstein.",
                "The deployment needs 2 replicas, not 3.",
            ],
            &["servers 3"],
            &["servers 2"],
        ),
        (
            &[
                "PostgreSQL en Núremberg, base de datos \"pedidos\", copias 20 días.",
                "puerto 300 en vez de 20",
            ],
            &["dump-days 20"],
            &["dump-days 300"],
        ),
        (
            &[
                "EC2 t3.micro in Ireland with 30 GB disk. Our S3 bucket holds 500 GB.",
                "the bucket now has 600 GB",
            ],
            &["volume-gb 30"],
            &["volume-gb 600", "volume-gb 500"],
        ),
        // A number that belongs to nothing else is still the value's.
        (&["MySQL en Nuremberg, copias 30 días.", "mejor 45"], &["dump-days 45"], &["so far"]),
    ])
    .await;
}

/// A name is the server's or the database's only by its own noun.
#[tokio::test]
async fn a_name_belongs_to_its_own_noun() {
    each(&[
        (
            &["A MySQL server in Nuremberg. Schema's called stockroom, app user picker."],
            &["database stockroom", "name my-server"],
            &["Server name: "],
        ),
        (
            &["Releases without downtime for our Go binary called tollgate, systemd, rollback."],
            &["Blueprint: releases", "name my-server", "tollgate | not understood"],
            &["Server name: "],
        ),
        (
            &["Un servidor en Hetzner; el programa se llama tejado. La máquina se llama alero."],
            &["name alero"],
            &[],
        ),
        (
            &["Un serveur PostgreSQL, l'utilisateur s'appelle cariste, le schéma s'appelle entrepot."],
            &["database entrepot", "name my-server"],
            &[],
        ),
    ])
    .await;
}

/// What a deployment brings although the user rules it out is never called built.
#[tokio::test]
async fn what_is_ruled_out_and_comes_anyway_has_a_row() {
    each(&[
        (
            &["Django-Projekt mit Celery und Redis, DB ist MySQL 8 (historisch gewachsen, Postgres kommt nicht in Frage). TLS für kurse.example."],
            &["| without postgres | instead: with PostgreSQL"],
            &["| PostgreSQL for the application | built"],
        ),
        (
            &["Une application Django avec Celery pour cours.example. Hors de question d'avoir PostgreSQL, on garde SQLite."],
            &["| without postgresql | instead: with PostgreSQL"],
            &["| PostgreSQL for the application | built"],
        ),
        (
            &["WordPress para blog.example. MariaDB queda descartada."],
            &["| without mariadb | instead: with mariadb"],
            &[],
        ),
    ])
    .await;
}

/// The main wish is planned although the message also names what only goes with it.
#[tokio::test]
async fn the_main_wish_is_planned() {
    each(&[
        (
            &["Requirements for the new box:\n* hostname bastion-02, Helsinki\n* CX22 or whatever is closest\n* ssh from 198.51.100.0/28, nothing else\n* restic to our S3 bucket ops-restic"],
            &["Blueprint: basic-vps", "name bastion-02", "| restic | not built"],
            &[],
        ),
        (
            &["Auszug aus dem Lastenheft:\na) Dreiknotiger Kubernetes-Verbund (k3s zulässig), Standort Nürnberg\nd) Überwachung mit Prometheus und Grafana"],
            &["Blueprint: k3s", "servers 3", "| prometheus | not built"],
            &[],
        ),
        (
            &["Pouvez-vous installer HAProxy devant nos deux WordPress existants ? Certificat pour www.confitures.example."],
            &["Blueprint: haproxy"],
            &["| A WordPress site | built"],
        ),
        (
            &["Je développe un binaire Go, port 8088, avec systemd. Garder 4 versions. J'aimerais Singapour."],
            &["Blueprint: releases", "location sin"],
            &[],
        ),
        (
            &["Könnt ihr auch Windows Server 2022? Falls nein: dann wenigstens einen Linux-Server in Deutschland."],
            &["Blueprint: basic-vps", "| windows server | instead:"],
            &[],
        ),
    ])
    .await;
}
