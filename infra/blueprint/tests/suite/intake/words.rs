//! Wishes as people put them: closed and open ports, counts by roles, one machine or several, and what is left out.

use super::accounts::{after_agreement, each};

#[tokio::test]
async fn closing_a_port_leaves_the_ports_that_a_site_needs() {
    each(&[
        (&["nginx for a.de, only SSH keys and port 25 closed"], &["open-ports 80,443"], &["25 |"]),
        (
            &["nginx und TLS für a.de, nur SSH-Schlüssel und Port 25 zu"],
            &["open-ports 80,443"],
            &["ssh on port 25", "25 |"],
        ),
        (&["nginx for a.de, close port 25"], &["open-ports 80,443"], &["25 |"]),
        (&["nginx für a.de, Port 25 schließen"], &["open-ports 80,443"], &["25 |"]),
        (&["nginx para a.de, cierra el puerto 25"], &["open-ports 80,443"], &["25 |"]),
        (&["nginx pour a.de, ferme le port 25"], &["open-ports 80,443"], &["25 |"]),
        (
            &["nginx for a.de, close port 80"],
            &["open-ports 80,443", "port 80 closed | instead: 80 and 443 stay open"],
            &[],
        ),
        (
            &["nginx for a.de", "only 443 open"],
            &["open-ports 80,443", "port 80 closed | instead"],
            &[],
        ),
        (&["nginx for a.de, close port 25 outgoing"], &["port 25 outgoing"], &[]),
        (&["A VPS, only ssh"], &["open-ports none"], &[]),
        (&["A VPS, only SSH keys, port 443 open"], &["open-ports 443"], &[]),
        (&["A VPS, firewall offen nur für 80 und 443"], &["open-ports 80,443"], &[]),
        (&["Un VPS ouvert seulement pour 80 et 443"], &["open-ports 80,443"], &[]),
    ])
    .await;
}

#[tokio::test]
async fn a_site_closed_to_everyone_contradicts_its_open_ports() {
    const OPEN: &str = "| instead: open to everybody on 80 and 443";
    each(&[
        (&["An nginx server that isn't reachable from the internet"], &[OPEN], &[]),
        (&["nginx for a.de, not reachable from outside"], &[OPEN], &[]),
        (&["nginx für a.de, von außen nicht erreichbar"], &[OPEN], &[]),
        (&["WordPress for a.de, the database is not reachable from outside"], &[], &[OPEN]),
        (&["nginx for a.de, nothing else reachable from the internet"], &[], &[OPEN]),
        (
            &["PostgreSQL, kein Zugriff von außen"],
            &["nothing open but what is planned"],
            &["zugriff"],
        ),
        (
            &["PostgreSQL, rien d'exposé sur internet"],
            &["nothing open but what is planned"],
            &["rien"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn the_servers_of_a_cluster_may_be_counted_by_their_roles() {
    each(&[
        (&["k3s with one master and two workers"], &["servers 3"], &["workers |"]),
        (&["k3s mit einem Master und zwei Workern"], &["servers 3"], &["workern |"]),
        (&["k3s with a control plane and one worker"], &["servers 2"], &["worker |"]),
        (&["k3s with two agents"], &["servers 3"], &["agents |"]),
        (&["k3s with 3 nodes: 1 master, 2 workers"], &["servers 3"], &["| 1 master", "workers |"]),
        (
            &["Un cluster k3s avec 1 master et 3 workers"],
            &["servers 3", "1 master et 3 workers | instead: one to three servers"],
            &["| 1 master |"],
        ),
        (&["k3s with five workers"], &["servers 3", "five workers | instead"], &[]),
    ])
    .await;
}

#[tokio::test]
async fn one_machine_or_another_is_a_wish() {
    each(&[
        (&["WordPress with MySQL on another machine"], &["another machine"], &[]),
        (&["WordPress con MySQL en otra máquina"], &["another machine"], &[]),
        (
            &["WordPress mit der Datenbank auf einem anderen Server"],
            &["another server | instead: one", "datenbank | not understood"],
            &[],
        ),
        (&["nginx for a.de, all on the same box"], &[], &["same box"]),
        (&["HAProxy before two servers, all on the same box"], &["same box | not"], &[]),
        (&["nginx für a.de, alles auf demselben Server"], &[], &["same", "demselben"]),
    ])
    .await;
}

#[tokio::test]
async fn the_reply_says_what_is_left_out() {
    each(&[
        (&["k3s without Traefik"], &["left out, as asked: traefik."], &[]),
        (&["k3s ohne Traefik"], &["left out, as asked: traefik."], &[]),
        (&["nginx for a.de, no swap file"], &["left out, as asked: swap file."], &["| file"]),
        (&["PostgreSQL sin Docker"], &["left out, as asked: docker."], &[]),
        (&["A VPS, sans Docker ni Redis"], &["left out, as asked: docker, redis."], &[]),
        (&["MySQL sin Docker"], &["without docker | instead"], &["left out"]),
    ])
    .await;
    // A thing that is wanted after all is no longer left out.
    after_agreement(&[(
        &["A VPS without Redis", "and Redis after all"],
        &["redis"],
        &["left out"],
    )])
    .await;
}

#[tokio::test]
async fn a_website_with_a_domain_is_served_by_nginx() {
    each(&[
        (
            &["A website for www.example.org over https"],
            &["blueprint: nginx-site · domain www.example.org"],
            &["instead"],
        ),
        (&["Eine Website für www.example.org"], &["blueprint: nginx-site"], &["instead"]),
        (&["A website www.example.org"], &["blueprint: nginx-site"], &["instead"]),
        (&["A website"], &["blueprint: nginx-site"], &["instead"]),
    ])
    .await;
}

#[tokio::test]
async fn a_database_alone_is_not_taken_for_an_application() {
    after_agreement(&[
        (&["A database with TLS", "PostgreSQL"], &["blueprint: vps-postgresql", "tls"], &[]),
        (&["Django for a.de with a worker queue", "PostgreSQL then"], &["blueprint: django"], &[]),
    ])
    .await;
}

#[tokio::test]
async fn the_defaults_may_be_accepted_in_many_words() {
    after_agreement(&[
        (&["PostgreSQL, bitte auf Deutsch", "übernimm die Vorgaben"], &[], &["still open"]),
        (
            &["Un VPS avec PostgreSQL", "prends les valeurs par défaut"],
            &[],
            &["still open", "prends"],
        ),
        (
            &["Un VPS avec PostgreSQL", "prenez les réglages par défaut"],
            &[],
            &["still open", "prenez"],
        ),
        (&["Un VPS con PostgreSQL", "toma los valores por defecto"], &[], &["still open", "toma"]),
    ])
    .await;
}

#[tokio::test]
async fn parts_of_a_deployment_are_known_by_their_short_names() {
    each(&[
        (&["nginx with a Let's Encrypt cert for a.de"], &["TLS with a certificate"], &["| cert |"]),
        (&["Monitoring with node_exporter"], &[], &["node_exporter |"]),
        (&["Django with nginx in front for a.de"], &[], &["front"]),
        (
            &["S3 mit Versionierung und CloudFront"],
            &["former versions are kept"],
            &["versionierung"],
        ),
        (&["WordPress, solo se entra con llave ssh"], &["ssh logins by key only"], &["entra"]),
        (&["PostgreSQL, pas d'accès root"], &["no login as root"], &["pas d'accès"]),
    ])
    .await;
}

#[tokio::test]
async fn what_is_excepted_from_a_prohibition_is_wanted() {
    const WITHOUT: &str = "without ssh";
    each(&[
        (&["MySQL, not reachable from the public internet except over SSH"], &[], &[WITHOUT]),
        (&["MySQL, nichts von außen erreichbar außer SSH"], &[], &[WITHOUT]),
        (&["MySQL, nada accesible desde fuera salvo SSH"], &[], &[WITHOUT]),
        (&["MySQL, rien d'accessible à part SSH"], &[], &[WITHOUT]),
        (&["MySQL without SSH"], &[WITHOUT], &[]),
    ])
    .await;
}

#[tokio::test]
async fn what_is_switched_off_is_not_built_in_silence() {
    const ON: &str = "security updates that install themselves | built";
    each(&[
        (&["k3s, automatic updates disabled"], &["without update"], &[ON]),
        (&["k3s, automatische Updates deaktiviert"], &["without update"], &[ON]),
        (&["k3s, actualizaciones automáticas desactivadas"], &["without update"], &[ON]),
        (&["k3s, mises à jour automatiques désactivées"], &["without update"], &[ON]),
        (&["k3s with Traefik turned off"], &["left out, as asked: traefik."], &["traefik |"]),
        (&["WordPress con copia de seguridad cada semana"], &["weekly | instead: nightly"], &[]),
    ])
    .await;
}

#[tokio::test]
async fn wishes_that_contradict_each_other_are_named() {
    const CONTRADICT: &str = "because they contradict each other";
    each(&[
        (
            &["Postgres completely offline with no network at all, users connect over the internet on 5432"],
            &[CONTRADICT],
            &[],
        ),
        (
            &["Postgres komplett offline, ohne Netzwerk, und aus dem Internet auf 5432 erreichbar"],
            &[CONTRADICT],
            &[],
        ),
        (&["Postgres sin red, y accesible desde internet en el 5432"], &[CONTRADICT], &[]),
        (&["Postgres hors ligne, et joignable depuis internet sur 5432"], &[CONTRADICT], &[]),
        (&["MySQL, no SSH, and SSH only from my IP 203.0.113.9"], &[CONTRADICT], &[]),
        (&["MySQL, kein SSH, und SSH nur von meiner IP 203.0.113.9"], &[CONTRADICT], &[]),
        (&["MySQL, sin SSH, y SSH solo desde mi IP 203.0.113.9"], &[CONTRADICT], &[]),
        (&["MySQL, même pas SSH, et je me connecte en SSH depuis n'importe où"], &[CONTRADICT], &[]),
        (&["MySQL, no SSH passwords, SSH only from 203.0.113.9"], &[], &[CONTRADICT]),
        (&["MySQL, no network at all"], &[], &[CONTRADICT]),
    ])
    .await;
    for (wish, said) in [
        ("MySQL, no SSH, and SSH only from my IP", "these contradict each other"),
        ("Ich möchte MySQL, kein SSH, und SSH nur von meiner IP", "das widerspricht sich"),
        ("Quiero MySQL, sin SSH, y SSH solo desde mi IP", "se contradicen"),
        ("Je voudrais MySQL, pas de SSH, et SSH seulement depuis mon IP", "cela se contredit"),
    ] {
        let (_, answers) = crate::support::Chat::gatherer().turn(wish).await;
        let all: String = answers.iter().map(|answer| answer.text.as_str()).collect();
        assert!(all.contains(said), "{wish}: {all}");
    }
}

#[tokio::test]
async fn what_is_built_under_another_name_is_not_denied() {
    const NOT: &str = "not understood";
    each(&[
        (
            &["WordPress for a.example.org with the padlock in the browser and nightly copies"],
            &["nightly backups | built", "certificate that is valid | built"],
            &[NOT],
        ),
        (
            &["WordPress für a.example.org mit Schloss im Browser und nächtlichen Kopien"],
            &["nightly backups | built"],
            &[NOT],
        ),
        (
            &["WordPress para a.example.org con candado y copias nocturnas"],
            &["nightly backups | built"],
            &[NOT],
        ),
        (
            &["WordPress pour a.example.org avec le cadenas et une copie chaque nuit"],
            &["nightly backups | built"],
            &[NOT],
        ),
        (&["WordPress for a.example.org without xmlrpc"], &["xml-rpc is closed | built"], &[NOT]),
        (&["WordPress für a.example.org, kein xmlrpc"], &["xml-rpc is closed | built"], &[NOT]),
        (&["WordPress para a.example.org, sin xmlrpc"], &["xml-rpc is closed | built"], &[NOT]),
        (&["WordPress, xmlrpc.php désactivé"], &["xml-rpc is closed | built"], &[NOT]),
        (
            &["A static site on S3 with CloudFront, old versions can be restored"],
            &["former versions are kept | built"],
            &[NOT, "restored"],
        ),
        (
            &["Statische Seite auf S3 mit CloudFront, alte Versionen wiederherstellbar"],
            &["former versions are kept | built"],
            &[NOT, "restorable"],
        ),
        (
            &["Sitio estático en S3 con CloudFront, versiones del bucket activadas"],
            &["former versions are kept | built"],
            &[NOT],
        ),
        (
            &["Site statique sur S3 avec CloudFront, anciennes versions restaurables"],
            &["former versions are kept | built"],
            &[NOT],
        ),
        (
            &["A static site on S3 with CloudFront, OAC, HSTS, 404 page is /404.html"],
            &[],
            &[NOT, "not built"],
        ),
        (
            &["EC2 in Frankfurt, IMDSv1 forbidden, 30 GB gp3 disk"],
            &["imdsv2 is required | built", "volume-gb 30"],
            &[NOT],
        ),
        (&["EC2 in Frankfurt, IMDSv1 verboten, gp3"], &["imdsv2 is required | built"], &[NOT]),
        (&["EC2 en Madrid, IMDSv1 prohibido"], &["imdsv2 is required | built"], &["imdsv1"]),
        (&["EC2 à Paris, IMDSv1 interdit"], &["imdsv2 is required | built"], &[NOT]),
        (&["nginx for a.example.org without a database"], &[], &[NOT]),
        (&["nginx für a.example.org ohne Datenbank"], &[], &[NOT]),
        (&["nginx para a.example.org sin base de datos"], &[], &[NOT]),
        (&["nginx pour a.example.org sans base de données"], &[], &[NOT]),
        (&["Releases, keep the last 5 releases, rollback with one command"], &[], &[NOT]),
        (&["Releases, keep the last 7 releases"], &["7 releases"], &[]),
        (
            &["A website for a.example.org, I upload the files by SFTP"],
            &["blueprint: nginx-site"],
            &[],
        ),
        (&["Una web para a.example.org, subo todo por SFTP"], &["blueprint: nginx-site"], &[]),
        (&["A VPS with Redis only on localhost"], &["additions redis"], &[NOT, "not built"]),
    ])
    .await;
}

#[tokio::test]
async fn ports_before_their_own_words_are_opened_and_closed_in_one_clause() {
    each(&[
        (&["A VPS with port 5000 open and 25 closed"], &["open-ports 5000"], &["not understood"]),
        (&["Ein VPS, Port 5000 offen und 25 zu"], &["open-ports 5000"], &["not understood"]),
        (
            &["Un VPS con el puerto 5000 abierto y el 25 cerrado"],
            &["open-ports 5000"],
            &["not understood"],
        ),
        (
            &["Un VPS avec le port 5000 ouvert et le 25 fermé"],
            &["open-ports 5000"],
            &["not understood"],
        ),
        (
            &["A VPS, port 443 open, everything else closed"],
            &["open-ports 443", "nothing open but what is planned | built"],
            &["not understood"],
        ),
        (
            &["Ein VPS, Port 443 offen, sonst alles zu"],
            &["open-ports 443", "nothing open but what is planned | built"],
            &["not understood"],
        ),
        (
            &["A VPS, port 22 reachable just from 203.0.113.7"],
            &["ssh-from 203.0.113.7/32"],
            &["not understood"],
        ),
    ])
    .await;
}
