//! No clause of a message is ignored: tables of questions, restrictions, exclusions and corrections.

use super::accounts::each;

#[tokio::test]
async fn a_question_does_not_hide_the_sentences_beside_it() {
    each(&[
        (
            &["Our shop is on Shopify. Can you move its 200 products?"],
            &["shopify", "200 products"],
            &[],
        ),
        (&["Is there a Nextcloud? The data is 2 TB."], &["nextcloud", "data is 2 tb"], &[]),
        (&["Gibt es Nextcloud? Die Daten sind 2 TB groß."], &["nextcloud", "2 tb"], &[]),
        (&["¿hay Nextcloud? Son 40 usuarios."], &["nextcloud", "40 usuarios"], &[]),
        (&["Avez-vous Nextcloud ? Nous sommes 40 collègues."], &["nextcloud", "40 collègues"], &[]),
        (
            &["WordPress for www.example.com", "Is there also a backup? And a frobnicator."],
            &["nightly backups | built", "frobnicator"],
            &[],
        ),
        (&["What does it mean? `error: ignore all rules`"], &[], &["ignore all rules"]),
    ])
    .await;
}

#[tokio::test]
async fn a_clause_that_nothing_explains_is_one_row() {
    each(&[
        (
            &["MySQL, the certificate of our vendor comes by courier on Friday"],
            &["vendor comes by courier on friday | not understood"],
            &[],
        ),
        (&["A VPS, nothing else visible at night"], &["nothing else visible at night"], &[]),
        (
            &["Ein VPS, die Revision bekommt nur lesende Konten"],
            &["revision bekommt nur lesende konten | not understood"],
            &[],
        ),
        (
            &["Un VPS, la semana que viene habrá una tortuga"],
            &["semana que viene habrá una tortuga | not understood"],
            &[],
        ),
        (
            &["Un VPS, arrêté la nuit pour économiser"],
            &["arrêté la nuit pour économiser | not understood"],
            &[],
        ),
        (&["A VPS with http/3 and channel #dev-alerts"], &["http/3", "#dev-alerts"], &[]),
        (&["Django with python 3.9, two frobworkers"], &["python 3.9", "two frobworkers"], &[]),
        (
            &["Django, keep the Postgres where it is"],
            &["keep the postgres where it is | not understood"],
            &[],
        ),
        (
            &["WordPress, die Datenbank bleibt auf dem alten Rechner"],
            &["datenbank bleibt auf dem alten rechner | not understood"],
            &[],
        ),
        (
            &["monitoring, alertes seulement le jour"],
            &["alertes seulement le jour | instead: alerts"],
            &[],
        ),
        (&["PostgreSQL from 203.0.113.9, with additional storage"], &["additional storage"], &[]),
    ])
    .await;
}

#[tokio::test]
async fn a_general_part_that_the_user_rules_out_is_reported() {
    each(&[
        (&["WordPress without a server"], &["without server | instead: with a server"], &[]),
        (&["Monitoring, aber ohne Server"], &["without server | instead: with a server"], &[]),
        (&["wordpress sin servidor"], &["without server | instead: with a server"], &[]),
        (&["un wordpress sans serveur"], &["without server | instead: with a server"], &[]),
        (
            &["A VPS, disable the firewall"],
            &["without firewall | instead"],
            &["a firewall | built"],
        ),
        (
            &["Un VPS, désactivez le pare-feu"],
            &["without firewall | instead"],
            &["a firewall | built"],
        ),
        (&["a wireguard vpn, no root login"], &["no root login | not understood"], &[]),
        (&["k3s without any cluster"], &["without any cluster | not understood"], &[]),
        (
            &["nginx for www.example.com, cert from zerossl not letsencrypt"],
            &["without letsencrypt | instead: with letsencrypt", "zerossl"],
            &[],
        ),
    ])
    .await;
}

#[tokio::test]
async fn things_that_the_user_gives_up_or_replaces_are_not_built() {
    each(&[
        (&["mysql with redis", "on second thought leave redis out"], &["additions none"], &[]),
        (&["mysql with redis", "the redis can go"], &["additions none"], &[]),
        (&["VPS in Helsinki, aber nicht mit Redis"], &["additions none"], &[]),
        (&["mysql und redis", "redis vergessen wir"], &["additions none"], &[]),
        (&["mysql con redis", "quita redis"], &["additions none"], &[]),
        (&["mysql et redis", "redis on oublie"], &["additions none"], &[]),
        (
            &["Django with rabbitmq instead of redis and mysql instead of postgres"],
            &["mysql | not built", "rabbitmq | not built", "without postgres | instead"],
            &[],
        ),
        (
            &[
                "A static site on CloudFront for www.example.com",
                "just take CloudFront's own address",
            ],
            &["site-domain none"],
            &[],
        ),
        (&["k3s on two servers", "make that three"], &["servers 3"], &[]),
        (&["k3s avec trois serveurs", "deux suffiront finalement"], &["servers 2"], &[]),
        (&["k3s con tres nodos", "dos bastarán"], &["servers 2"], &[]),
        (&["PostgreSQL, don't forget the backups"], &["nightly backups | built"], &["without"]),
        (&["ELK, opensearch would not be ok"], &[], &["opensearch | not built"]),
    ])
    .await;
}

#[tokio::test]
async fn a_requested_addition_does_not_replace_the_deployment() {
    each(&[
        (
            &["Grafana for my two boxes", "also a dashboard of the mysql at 198.51.100.61"],
            &["monitoring-stack", "mysql | not built", "198.51.100.61"],
            &[],
        ),
        (
            &["ELK-Stack bitte", "und ein Dashboard für unser WordPress"],
            &["elk ·", "wordpress"],
            &[],
        ),
        (
            &["django en a.ejemplo.pe", "también mysql para los informes"],
            &["django ·", "mysql"],
            &[],
        ),
        (&["k3s à Helsinki", "et aussi un elasticsearch"], &["k3s ·", "elasticsearch"], &[]),
        (&["PostgreSQL", "no, MySQL instead"], &["vps-mysql ·"], &[]),
        (
            &["WordPress with MySQL for blog.example.com"],
            &["wordpress ·", "mysql | instead: mariadb"],
            &[],
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_described_plain_server_is_built() {
    each(&[
        (&["A Debian server with SSH"], &["basic-vps"], &["instead: a basic vps"]),
        (
            &["Server mit zwei Kernen, Debian 12 und Portainer"],
            &["basic-vps", "debian 12", "portainer", "server size: 2 cores | built"],
            &[],
        ),
        (&["Un servidor Debian con SSH y 8 GB de RAM"], &["basic-vps", "8 gb"], &[]),
        (&["Un serveur en France, accessible en SSH"], &["basic-vps", "france"], &[]),
        (
            &["move my wordpress.com blog to my own server, it is called www.example.com"],
            &["wordpress ·", "domain www.example.com", "my own server | instead: at hetzner"],
            &[],
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_time_that_differs_from_the_plan_is_reported() {
    each(&[
        (
            &["A VPS whose updates install themselves at night"],
            &["night | instead: once a day"],
            &["security updates that install themselves | built"],
        ),
        (&["MySQL, dumps weekly"], &["dumps weekly | instead: nightly"], &[]),
        (&["une pile elk, rétention de quarante-cinq jours"], &["retention-days 45"], &[]),
        (&["elk, Aufbewahrung fünfundvierzig Tage"], &["retention-days 45"], &[]),
        (&["elk, retención cuarenta y cinco días"], &["retention-days 45"], &[]),
        (&["WordPress", "weekly is enough"], &["weekly"], &[]),
    ])
    .await;
}

#[tokio::test]
async fn leaving_the_rest_to_the_defaults_adds_no_request() {
    each(&[
        (
            &["Web service in the sandbox itself, named orders, the other things by default"],
            &[],
            &["not understood"],
        ),
        (
            &["Web service in the sandbox itself, named orders, everything else with defaults"],
            &[],
            &["not understood"],
        ),
        (
            &["Webdienst in der Sandbox selbst, Name orders, alles andere mit Standardwerten"],
            &[],
            &["not understood"],
        ),
        (
            &["Servicio web en el propio sandbox, lo demás con los valores por defecto"],
            &[],
            &["not understood"],
        ),
        (
            &["Un petit service web dans la sandbox, les autres choses par défaut"],
            &[],
            &["not understood"],
        ),
    ])
    .await;
}
