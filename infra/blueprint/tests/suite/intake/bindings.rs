//! A value belongs to the thing that the message names with it: tables of ports, addresses, places, names and sizes.

use super::accounts::{after_agreement, each};

#[tokio::test]
async fn a_port_is_opened_to_everybody_only_if_the_message_says_so() {
    each(&[
        (
            &["nginx for www.example.com as a proxy for my node app on port 3000"],
            &["open-ports 80,443", "port 3000 | not understood"],
            &["80,443,"],
        ),
        (
            &["A VPS, open 9100 for 10.20.0.0/16"],
            &["open-ports none", "open 9100 for 10.20.0.0/16 | not understood"],
            &[],
        ),
        (&["A VPS with FrobDB 7, open 8081"], &["open-ports 8081", "frobdb 7"], &[]),
        (
            &["Ein VPS, Port 9000 darf nicht offen sein"],
            &["open-ports none", "nothing open but what is planned | built"],
            &["open ports: "],
        ),
        (
            &["Django unter shop.beispiel.de, unsere Datenbank ist 203.0.113.9, Port 5433"],
            &["open-ports 80,443", "203.0.113.9", "port 5433"],
            &["80,443,"],
        ),
        (
            &["django en citas.ejemplo.pe, nuestra API está en 198.51.100.9, puerto 8081"],
            &["open-ports 80,443", "198.51.100.9", "puerto 8081"],
            &["80,443,"],
        ),
        (
            &["MySQL à Helsinki, le port 3306 ne doit pas être ouvert"],
            &["nothing open but what is planned | built"],
            &["port 3306 | not"],
        ),
        (
            &["Un VPS con el puerto 22 cerrado"],
            &["22", "instead: ssh is open, on port 22"],
            &["nothing open but what is planned | built"],
        ),
        (
            &["nginx for a.example.com from https://example.org/code"],
            &[],
            &["open ports: 80,443 |"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn only_addresses_of_people_who_log_in_may_connect_by_ssh() {
    each(&[
        (
            &["A postgres db called sales, nightly backups, must be reachable from 192.0.2.9 only"],
            &["ssh-from sandbox", "reachable from 192.0.2.9 only | not understood"],
            &[],
        ),
        (
            &["An ELK stack, logs arrive over syslog from 10.1.0.0/16"],
            &["ssh-from sandbox", "10.1.0.0/16"],
            &[],
        ),
        (
            &["nginx for www.example.com, reachable from anywhere"],
            &["ssh-from sandbox", "reachable from anywhere | not understood"],
            &[],
        ),
        (
            &["PostgreSQL-Datenbank namens lager, Zugriff nur von 192.0.2.80"],
            &["ssh-from sandbox", "zugriff nur von 192.0.2.80 | not understood"],
            &[],
        ),
        (
            &["Ein VPS, SSH ausschließlich aus unserem Büro (192.0.2.17)"],
            &["ssh-from 192.0.2.17/32"],
            &["not understood"],
        ),
        (
            &["MySQL en helsinki, acceso únicamente desde 198.51.100.7"],
            &["ssh-from sandbox", "acceso únicamente desde 198.51.100.7 | not understood"],
            &[],
        ),
        (
            &["Un VPS, acceso por SSH solamente desde la oficina (203.0.113.8)"],
            &["ssh-from 203.0.113.8/32"],
            &["not understood"],
        ),
        (
            &["nginx pour www.exemple.fr, et bannir l'ip 192.0.2.66"],
            &["ssh-from sandbox", "bannir l'ip 192.0.2.66 | not understood"],
            &[],
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_place_counts_only_if_the_message_says_to_build_there() {
    each(&[
        (
            &["PostgreSQL in Nuremberg with Redis", "and a read replica in Falkenstein"],
            &["location nbg1", "falkenstein"],
            &[],
        ),
        (
            &["A static site on S3 with CloudFront, our visitors are in Germany"],
            &["region us-east-1", "visitors are in germany | not understood"],
            &[],
        ),
        (&["A VPS, Backups nach Helsinki"], &["location nbg1", "helsinki"], &[]),
        (
            &["WordPress für blog.beispiel.de, nur aus Finnland erreichbar"],
            &["location nbg1", "nur aus finnland erreichbar | not understood"],
            &[],
        ),
        (
            &["MySQL, hoy está en RDS (us-east-1)"],
            &["location nbg1", "us-east-1 | not understood", "rds | not built"],
            &[],
        ),
        (
            &["un site statique sur S3 avec CloudFront, pas de données aux états-unis"],
            &["pas de données aux états-unis | not understood"],
            &[],
        ),
        (&["Ein VPS für unsere Kunden, am besten in Helsinki"], &["location hel1"], &[]),
        (&["A VPS in Germany, best in Falkenstein"], &["location fsn1"], &[]),
    ])
    .await;
}

#[tokio::test]
async fn a_name_that_the_plan_spells_differently_is_reported() {
    each(&[
        (&["A VPS named web_01"], &["name web-01", "| web_01 | instead: web-01 |"], &[]),
        (
            &["MySQL mit der Datenbank lager-2025"],
            &["database lager_2025", "| lager-2025 | instead: lager_2025 |"],
            &[],
        ),
        (&["una instancia EC2 llamada pasarela_2"], &["| pasarela_2 | instead: pasarela-2 |"], &[]),
        (&["un service web nommé compteur_3"], &["| compteur_3 | instead: compteur-3 |"], &[]),
        (
            &["WordPress for www.example.com", "and a staging copy at staging.example.com"],
            &["domain www.example.com", "staging.example.com | not built"],
            &["staging-example-com"],
        ),
        (&["PostgreSQL base ventas_2 utilisateur ana"], &["database ventas_2"], &[]),
    ])
    .await;
}

#[tokio::test]
async fn a_request_that_needs_more_memory_gets_a_larger_server() {
    each(&[
        (
            &["ELK with a heap of 12 GB"],
            &["server size: cx53 | built", "heap: 12 | built"],
            &["cx33"],
        ),
        (
            &["An ELK stack on a cx33 with 8 GB heap"],
            &[
                "server-type cx33",
                "heap-gb 4",
                "elasticsearch's heap: 8 | instead: 4, the most for cx33, which has 8 gb",
            ],
            &["8 | built", "| 8 gb |"],
        ),
        (
            &["An ELK stack on a cx33 with 8 GB heap", "then take a cx43"],
            &["server-type cx43", "heap-gb 8", "elasticsearch's heap: 8 | built"],
            &["instead"],
        ),
        (
            &["An ELK stack on a cx33 with 8 GB heap", "a heap of 3 GB will do"],
            &["server-type cx33", "elasticsearch's heap: 3 | built"],
            &["instead"],
        ),
        (
            &["Un VPS cx23 con Redis, 8 GB para Redis"],
            &["redis-memory-mb 3072", "redis's memory in mb: 8192 | instead: 3072, the most"],
            &[],
        ),
        (&["Ein VPS mit Redis, 6 GB für Redis"], &["server size: cx33 | built"], &[]),
    ])
    .await;
}

/// An address connects by SSH only if nothing says that it is a machine's, or that copies go there.
#[tokio::test]
async fn the_address_of_a_machine_or_of_copies_is_not_let_in() {
    const OTHER: &[&str] = &["ssh allowed from: 45.79.201.8", "ssh allowed from: 81.250.14.9"];
    after_agreement(&[
        (
            &["es un VPS con debian 12 que ya anda, ip 45.79.201.8. necesitamos wordpress para radio.example"],
            &["ssh-from sandbox", "on an existing server | instead"],
            OTHER,
        ),
        (
            &["A VPS in Helsinki. Backups at 81.250.14.9 by SFTP. SSH only from 203.0.113.7."],
            &["ssh-from 203.0.113.7/32", "81.250.14.9 | not understood"],
            OTHER,
        ),
        (
            &["WordPress pour gite.example. Copie nocturne sur notre disque en vallée, via SFTP, 81.250.14.9."],
            &["ssh-from sandbox", "81.250.14.9 | not understood"],
            OTHER,
        ),
        (
            &["Ein gehärteter Debian-Server. Die IPs sind 192.168.10.21 bis .25. SSH nur mit Schlüssel."],
            &["ssh-from sandbox", "192.168.10.21"],
            &["ssh allowed from: 192"],
        ),
        // An answer needs no more than the address.
        (&["A VPS in Helsinki", "my ip is 203.0.113.7"], &["ssh-from 203.0.113.7/32"], &[]),
        (&["A VPS in Helsinki", "ip 203.0.113.7"], &["ssh-from 203.0.113.7/32"], &[]),
        (&["A VPS in Helsinki, access to the server only from 203.0.113.7"], &["ssh-from 203.0.113.7/32"], &[]),
    ])
    .await;
}

/// An hour or a day of a month is not a number of days for which dumps are kept.
#[tokio::test]
async fn hours_and_dates_are_not_days() {
    after_agreement(&[
        (
            &[
                "A Windows VM, and beside it a Linux box with PostgreSQL.",
                "If Windows is out of the question then leave that part. I need dumps kept for 90 days on the NAS, 10.20.4.30, encrypted. No cloud bucket, please. Security updates automatic but reboots only Sunday before 6 am.",
            ],
            &[],
            &["dumps kept: 6"],
        ),
        (
            &[
                "PostgreSQL auf einem Server. Sicherung täglich, sonst 90 Tage.",
                "Doch anders: Abnahme spätestens 15. Januar.",
            ],
            &["dump-days 90"],
            &["dumps kept: 15"],
        ),
    ])
    .await;
}
