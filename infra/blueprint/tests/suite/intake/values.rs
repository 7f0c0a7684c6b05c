//! Values in the words that people use for them: ports, addresses, places, sizes, versions, numbers, frequencies, and their
//! corrections. Most conversations were written without looking at the rules.

use super::accounts::{after_agreement, each};

#[tokio::test]
async fn ports_are_opened_to_the_outside_and_for_ssh() {
    after_agreement(&[
        (
            &["server. ubuntu 24.04. ssh key only. root login off. 443 open, 80 shut."],
            &["open-ports 443"],
            &["443 open |", "| shut"],
        ),
        (
            &["Hetzner Nürnberg, ein gehärteter Server, Port 443 offen, sonst nur SSH aus 192.0.2.0/24."],
            &["open ports: 443 | built", "ssh-from 192.0.2.0/24"],
            &["open ports: none", "sonst"],
        ),
        (
            &["A plain hardened VPS with 25, 465, 587 and 993 open will do; leave 143 and 110 closed"],
            &["open-ports 25,465,587,993"],
            &["not understood"],
        ),
        (
            &["Ein VPS. Port 8080 nur intern, nach außen 443"],
            &["open-ports 443", "port 8080 nur intern"],
            &[],
        ),
        (
            &[
                "two hetzner boxes, the first in Nuremberg and the second in Helsinki, ssh on 2222 for the first",
                "yes, but swap on the Helsinki one after all, 2 GB",
                "and the ssh port of the first should be 2022, I mistyped",
            ],
            &["location nbg1", "ssh on port 2022 | instead: on port 22", "second in helsinki", "swap"],
            &["ssh on port 2222", "of memory"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn an_address_is_let_in_by_ssh_only_if_it_is_said_to_be() {
    after_agreement(&[
        (
            &["drei Server: zwei in Falkenstein, einen in Helsinki. SSH überall auf 2200."],
            &["ssh-from sandbox", "ssh on port 2200", "helsinki | instead: in falkenstein"],
            &["0.0.0.0/0"],
        ),
        (
            &[
                "quiero un postgres 15 con copia cada 12 horas. que no este abierto a internet, solo desde 172.16.5.0/24.",
                "mejor cada 8 horas",
            ],
            &["ssh-from sandbox", "solo desde 172.16.5.0/24", "8 hours | instead: nightly"],
            &["from: 172.16.5.0/24", "12 horas |", "nightly backups | built"],
        ),
        (
            &[
                "Serveur durci à Nuremberg. SSH sur 2222, uniquement depuis 203.0.113.5.",
                "Plutôt 203.0.113.50, j'ai oublié un zéro",
            ],
            &["ssh-from 203.0.113.50/32", "ssh on port 2222 | instead"],
            &["203.0.113.5/32"],
        ),
        (
            &[
                "A VPS. SSH was restricted to the office (203.0.113.0/28), and the office range became 198.51.100.16/29.",
            ],
            &["ssh-from 198.51.100.16/29"],
            &["203.0.113.0/28 | built"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_refused_place_is_avoided_and_a_place_of_something_else_is_not_taken() {
    after_agreement(&[
        (
            &["Ein VPS, Hauptsache Europa, aber nich Deutschland. Server mit 16 GB"],
            &["location hel1", "server-type cx43"],
            &["not understood"],
        ),
        (
            &["appli Django en France exclusivement, plutôt que de me proposer l'Allemagne"],
            &["location hel1", "france | instead: in helsinki"],
            &["location: nbg1"],
        ),
        (
            &["MySQL 8.4. Une réplique, celle-ci ailleurs qu'en Allemagne."],
            &["location nbg1", "ailleurs qu'en allemagne"],
            &["location: nbg1 | built"],
        ),
        (
            &["Máquina EC2 en París, no en Irlanda, tipo t4g.medium"],
            &["region eu-west-3", "instance-type t4g.medium"],
            &["not understood"],
        ),
        (
            &["Web estática en S3 con CDN. Solo Europa en el CDN."],
            &["solo europa"],
            &["region: eu-central-1"],
        ),
        (
            &["k3s en dos nodos. Que no se pueda entrar al API desde fuera de España."],
            &["desde fuera de españa | not understood"],
            &["spain | instead"],
        ),
        (
            &[
                "dos VPS en Hetzner, uno en Núremberg y otro en Helsinki",
                "Helsinki queda muy lejos",
            ],
            &["location nbg1"],
            &["location hel1"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn the_server_has_the_size_and_the_cores_that_are_asked_of_it() {
    after_agreement(&[
        (
            &["Un VPS durci, serveur 4 Go donc maintenant 8, et 2 Go de swap"],
            &["server-type cx33", "swap"],
            &["maintenant 8"],
        ),
        (
            &["Serveur ARM, 4 coeurs, Debian 13, pas aux Etats-Unis ni à Singapour"],
            &["server-type cax21", "location nbg1"],
            &["not understood"],
        ),
        (
            &["Un VPS con 8 vCPU dedicadas, no compartidas"],
            &["server-type ccx33"],
            &["not understood"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn versions_numbers_and_frequencies_are_read_without_their_nouns() {
    each(&[
        (
            &["Need a Postgres 16 for our team, not 15, not 17."],
            &["postgres 16 | instead", "not postgresql 17 | instead: postgresql 17"],
            &["not 15"],
        ),
        (
            &["One MySQL 8.0 (8.4 breaks our app)"],
            &["mysql 8.0 | instead: mysql 8.4", "not mysql 8.4 | instead: mysql 8.4"],
            &["8.4 breaks"],
        ),
        (
            &[
                "postgres 16, sauvegarde toutes les 6h, 30 jours de rétention",
                "finalement toutes les 3h",
            ],
            &["toutes les 3h | instead: nightly", "dump-days 30"],
            &["nightly backups | built", "6h |"],
        ),
    ])
    .await;
    after_agreement(&[
        (&["Necesitamos MySQL en Falkenstein, versión 8.4."], &["vps-mysql ·"], &["8.4 |"]),
        (
            &["un service web qui écoute sur le port 8000", "non pas 8000, 8001"],
            &["port 8001"],
            &["8000 |", "not understood"],
        ),
        (
            &["MySQL, dumps kept 14 days", "14 days is wrong, legal says 7"],
            &["dump-days 7"],
            &["14 days |", "dump-days 14"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn an_excepted_address_is_not_let_in() {
    after_agreement(&[
        (
            &["cpx11 ash, nom : hirondelle. ssh depuis 203.0.113.0/27 sauf 203.0.113.30."],
            &[
                "name hirondelle",
                "203.0.113.0/27 sauf 203.0.113.30 | instead: 203.0.113.0/28, 203.0.113.16/29",
                "203.0.113.28/31,203.0.113.31/32 ·",
            ],
            &["203.0.113.30/32", "ssh-from 203.0.113.0/27"],
        ),
        (
            &["Ein Server. Zugang nur aus 198.51.100.8/30, ausgenommen 198.51.100.9."],
            &["ssh-from 198.51.100.10/31,198.51.100.8/32 ·"],
            &["198.51.100.9/32", "not understood"],
        ),
        (
            &["Un VPS. SSH desde 10.0.0.0/8 salvo 10.1.2.3."],
            &["ssh-from sandbox", "10.0.0.0/8 salvo 10.1.2.3 | instead: only this sandbox"],
            &["10.1.2.3/32"],
        ),
        (
            &["A VPS. SSH from everywhere except 203.0.113.9."],
            &["ssh-from sandbox", "except 203.0.113.9 | instead: only this sandbox"],
            &["0.0.0.0/0"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn an_address_of_something_else_is_not_a_source_of_ssh() {
    after_agreement(&[
        (
            &[
                "Dos servidores detrás de HAProxy",
                "Añada un tercero. Limite a 20 peticiones por segundo por visitante, menos a nuestra oficina 192.0.2.9, a esa ningún límite.",
            ],
            &["ssh-from sandbox", "menos a nuestra oficina 192.0.2.9 |", "app-servers 3"],
            &["192.0.2.9/32"],
        ),
        (
            &[
                "WordPress at wollenwoods.example",
                "My daughter says the login page should only answer to our house, that's 203.0.113.88.",
            ],
            &["ssh-from sandbox", "203.0.113.88 | not understood"],
            &["203.0.113.88/32"],
        ),
        (
            &["MySQL 8.4 auf cx42. Nutzer lager darf nur von 10.1.0.7, Nutzer bericht nur lesend."],
            &["ssh-from sandbox", "lager darf nur von 10.1.0.7 | not understood"],
            &["10.1.0.7/32"],
        ),
        (
            &["Supervision Prometheus/Grafana. Alerte vers https://astreinte.example/p"],
            &["alerts-to webhook", "https://astreinte.example/p | instead: the webhook"],
            &["watch https://astreinte"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_name_a_place_and_a_size_are_not_read_from_other_words() {
    after_agreement(&[
        (
            &["base de datos gestionada de ellos, mysql."],
            &["database app", "gestionada | not understood"],
            &["database gestionada"],
        ),
        (
            &["Namens und in Vollmacht meiner Mandantin bitte ich um einen Server in Nürnberg"],
            &["name my-server", "location nbg1"],
            &["server name: und"],
        ),
        (
            &[
                "Forty pages on S3 with CloudFront. Bucket in Frankfurt.",
                "And nobody outside Europe and America reads me, so the cheapest price class.",
            ],
            &["region eu-central-1"],
            &["region us-east-1"],
        ),
        (
            &["FYI: \"Four app servers behind HAProxy. Load balancer a cx22, app servers cpx31.\""],
            &["cpx31 | not understood"],
            &[],
        ),
        (
            &[
                "PostgreSQL 17 samt Redis mit Passwort",
                "Redis bitte doch auf eine eigene kleine Maschine",
            ],
            &["eigene kleine maschine | not understood"],
            &[],
        ),
        (
            &["la pile Elastic et un Kibana à part"],
            &["à part | not understood"],
            &["without kibana"],
        ),
        (
            &[
                "300 sensores que hablan MQTT, lecturas en InfluxDB y un aviso por SMS",
                "El SMS fuera; mejor un webhook a https://riego.example/aviso.",
            ],
            &["https://riego.example/aviso |"],
            &["monitoring-stack ·"],
        ),
        (
            &["j'ai une petite page et je voudrais qu'elle soit en ligne sur pivoines.example en https"],
            &["nginx-site ·", "domain pivoines.example"],
            &["local-web-service ·"],
        ),
    ])
    .await;
}

/// “root” is a user of MySQL and of the server, so the address is not let in until the user says which one is meant.
#[tokio::test]
async fn a_login_of_the_database_is_not_one_by_ssh() {
    const ASKED: &[&str] = &["ssh-from sandbox", "203.0.113.5 | not understood"];
    const LACKS: &[&str] = &["ssh allowed from: 203"];
    after_agreement(&[
        (&["MySQL in Nuremberg", "root may log in from 203.0.113.5"], ASKED, LACKS),
        (&["MySQL in Nuremberg. root may log in from 203.0.113.5"], ASKED, LACKS),
        (&["PostgreSQL", "postgres may log in only from 203.0.113.5"], ASKED, LACKS),
        (
            &["MySQL auf einem VPS", "root darf sich von 203.0.113.5 anmelden"],
            &["ssh-from sandbox", "von 203.0.113.5 anmelden | not understood"],
            LACKS,
        ),
        (&["MySQL en un VPS", "root puede entrar desde 203.0.113.5"], ASKED, LACKS),
        (&["MySQL sur un VPS", "root peut se connecter depuis 203.0.113.5"], ASKED, LACKS),
        (&["MySQL", "root may log in by SSH from 203.0.113.5"], &["ssh-from 203.0.113.5/32"], &[]),
    ])
    .await;
}
