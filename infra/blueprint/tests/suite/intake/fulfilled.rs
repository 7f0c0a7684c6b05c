//! Wishes that another row or a default fulfills, so that no row denies them, and values in the forms that people write.

use super::accounts::{after_agreement, each};

#[tokio::test]
async fn what_is_built_is_not_denied() {
    each(&[
        (
            &["I run a Django shop with Celery workers and Redis as broker."],
            &["a django application with celery and redis | built"],
            &["broker"],
        ),
        (
            &["Wir brauchen eine Homepage mit WordPress unter www.holz.example, mit Verschlüsselung."],
            &["domain: www.holz.example | built"],
            &["homepage", "encryption", "verschlüsselung"],
        ),
        (
            &["EC2 in eu-central-1, t3.small. Root-Login verbieten, Passwort-Login auch."],
            &["no login as root | built", "ssh logins by key only | built"],
            &["verbieten", "not built"],
        ),
        (
            &["Redis auf einem eigenen Server, maxmemory 2 GB"],
            &["redis-memory-mb 2048"],
            &["maxmemory |", "eigenen server"],
        ),
        (
            &["Página estática en S3 con CloudFront. Sin servidor, y el bucket privado."],
            &["a private bucket | built", "left out, as asked: server"],
            &["privado"],
        ),
        (
            &["Bitte Prometheus und Grafana. Daten 60 Tage behalten."],
            &["kept for: 60 | built"],
            &["data keep"],
        ),
        (
            &["un serveur Debian chez Hetzner. Pas de serveur web dessus."],
            &["left out, as asked: web server"],
            &["not understood"],
        ),
        (
            &["A VPS with ports 80 and 443 open, nothing else open"],
            &["open ports: 80,443 | built", "nothing open but what is planned | built"],
            &["not understood"],
        ),
        (
            &["k3s auf einem Server. Später vielleicht drei Knoten.", "Mach gleich drei Knoten draus."],
            &["servers: 3 | built"],
            &["later, as asked"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn what_is_elsewhere_is_not_built_here() {
    each(&[
        (
            &["WordPress pour www.sentiers.example. Le nom de domaine est chez OVH, il y reste."],
            &["left out, as asked: a new domain"],
            &["ovh |"],
        ),
        (
            &[
                "k3s auf zwei Servern in Helsinki",
                "Die Logs schauen wir uns in Grafana an, das läuft bei uns schon woanders.",
            ],
            &["blueprint: k3s"],
            &[],
        ),
        (
            &[
                "Cluster k3s : 1 serveur + 2 agents",
                "Un Grafana et Prometheus sur le cluster à la place de Rancher.",
            ],
            &["blueprint: k3s", "servers: 3 | built"],
            &[],
        ),
        (
            &[
                "WordPress en vecinos.example",
                "Si se puede, phpBB en foro.vecinos.example",
            ],
            &["domain: vecinos.example | built", "foro.vecinos.example | not built"],
            &[],
        ),
        (
            &["Our compose project (api, worker, nginx) on a fresh server in Helsinki with 8 GB RAM"],
            &["blueprint: basic-vps", "location: hel1 | built", "compose project | not built"],
            &["nginx-site"],
        ),
        (
            &["Go-Service, Artefakt kommt als tar.gz. Systemd, Rückweg auf alte Stände, nginx davor, pegel.example.de"],
            &["blueprint: releases"],
            &["domain tar.gz"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn values_are_read_in_the_forms_that_people_write() {
    each(&[
        (
            &["nginx für www punkt holz punkt example, ssh from 203 dot 0 dot 113 dot 9 und .10"],
            &["domain www.holz.example", "ssh-from 203.0.113.9/32,203.0.113.10/32"],
            &["punkt"],
        ),
        (
            &["ELK für unsere Logs. Aufbewahrung höchstens 7 Tage."],
            &["kept for: 7 | built"],
            &["höchstens"],
        ),
        (
            &["Postgres, base \"matriculas\", 25 GB"],
            &["server size: at least 25 gb of disk"],
            &["memory"],
        ),
        (
            &["MySQL, servidor llamado db-tienda", "Cambia el nombre a sql-tienda-01"],
            &["name sql-tienda-01"],
            &["not understood"],
        ),
        (
            &[
                "WordPress unter www.holz.example, ein Backup jede Nacht wäre gut.",
                "Nein, doch lieber nur einmal pro Woche, sonntags.",
            ],
            &["einmal pro woche, sonntags | instead: nightly"],
            &["nightly backups | built"],
        ),
        (
            &[
                "a box, ssh from 203.0.113.142",
                "make ssh 198.51.100.160/28 instead. also call it pitch-01",
            ],
            &[
                "ssh-from 198.51.100.160/28 ·",
                "name pitch-01",
                "left out, as asked: 203.0.113.142.",
            ],
            &["203.0.113.142/32"],
        ),
        (
            &[
                "ELK à Helsinki, 90 jours. Logs de 203.0.113.4 et 203.0.113.9",
                "203.0.113.9 est débranché, plus que deux donc",
            ],
            &["kept for: 90 | built"],
            &["kept for: 2"],
        ),
        (
            &[
                "Prometheus et Grafana, serveur au Canada",
                "Et si Canada impossible, alors Ashburn.",
            ],
            &["location: ash | built", "canada | instead: ashburn"],
            &[],
        ),
        (
            &["a VPS:\n- Debian, Nuremberg\n- hostname newbarn\n- ports 22, 80, 443"],
            &["name newbarn", "open-ports 80,443"],
            &["not understood"],
        ),
        (
            &["HAProxy with two frontends (80 redirect, 443 terminate), backends web-a and web-b"],
            &["app-servers 2"],
            &["two or three servers"],
        ),
        (
            &[
                "watch https://a.example and https://blog.a.example with Prometheus",
                "El blog quítalo.",
            ],
            &["watch https://a.example ·"],
            &["example,https://blog", "| https://blog"],
        ),
    ])
    .await;
}

/// Logs that are deleted after a time are kept for that time.
#[tokio::test]
async fn what_is_deleted_after_a_time_is_kept_for_it() {
    const KEPT: &[&str] = &["blueprint: elk", "retention-days 21", "| kept for: 21 | built"];
    const LACKS: &[&str] = &["not understood", "| delete"];
    after_agreement(&[
        (&["ELK at Hetzner, delete the logs after 21 days"], KEPT, LACKS),
        (&["ELK at Hetzner", "purge logs after 3 weeks"], KEPT, LACKS),
        (&["ELK bei Hetzner, lösche die Logs nach 21 Tagen"], KEPT, LACKS),
        (&["ELK bei Hetzner", "Logs nach drei Wochen löschen"], KEPT, LACKS),
        (&["ELK en Hetzner, borra los logs después de 21 días"], KEPT, LACKS),
        (&["ELK en Hetzner", "elimina los logs al cabo de 21 días"], KEPT, LACKS),
        (&["ELK chez Hetzner, supprime les logs au bout de 21 jours"], KEPT, LACKS),
        (&["ELK chez Hetzner", "efface les logs après 21 jours"], KEPT, LACKS),
    ])
    .await;
}

/// A system that every server has is built, and another version or system is not.
#[tokio::test]
async fn the_wished_system_has_a_row() {
    const BUILT: &[&str] = &["| debian 13 | built |"];
    after_agreement(&[
        (&["A Debian server at Hetzner"], BUILT, &[]),
        (&["Ein VPS mit Debian 13"], BUILT, &[]),
        (&["PostgreSQL en Hetzner, con Debian"], BUILT, &[]),
        (&["Un serveur EC2 sous Debian"], BUILT, &[]),
        (&["A Debian 12 server"], &["| debian 12 | instead: debian 13"], BUILT),
        (&["A VPS with Ubuntu 24.04"], &["| ubuntu 24.04 | instead: debian 13"], BUILT),
        (&["A VPS with Debian", "CentOS instead"], &["| centos | instead: debian 13"], BUILT),
        (&["A VPS"], &["blueprint: basic-vps"], BUILT),
    ])
    .await;
}

/// Servers that exist already are not built.
#[tokio::test]
async fn existing_servers_are_not_counted_as_new_ones() {
    after_agreement(&[
        (
            &["Je veux superviser mes 12 serveurs existants avec Prometheus"],
            &["| 12 serv"],
            &["instead: one"],
        ),
        (
            &["Quiero supervisar mis 12 servidores existentes con Prometheus"],
            &["| 12 serv"],
            &["instead: one"],
        ),
        (&["Prometheus, um meine 12 Server zu überwachen"], &["12 server"], &["instead: one"]),
        (&["Prometheus for my 12 servers"], &["12 servers"], &["instead: one"]),
    ])
    .await;
}
