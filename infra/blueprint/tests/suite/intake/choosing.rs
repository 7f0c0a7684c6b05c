//! Which deployment a conversation chooses: never one that the user refuses or has already, the one that the user returns to,
//! and a plain server for “a server”. And what the user says under a condition.

use super::accounts::{after_agreement, each};
use super::{blueprint, content, ready, rows};
use crate::support::Chat;

#[tokio::test]
async fn a_refused_deployment_is_not_chosen() {
    each(&[
        (
            &["Unsre Anwendung läuft als systemd-Dienst. Deploy ohne Unterbrechung, Rückfall auf die Vorversion. Bitte nix mit Kubernetes und auch keine Container."],
            &["blueprint: releases", "left out, as asked: container, kubernetes."],
            &["| a kubernetes cluster"],
        ),
        (
            &["Wir hätten gern einen kleinen Server für unser Lager. Apache weg, kein Redis, und Kubernetes auf gar keinen Fall."],
            &["blueprint: basic-vps", "left out, as asked: apache, kubernetes, redis."],
            &[],
        ),
        (
            &["A server in Ashburn. MySQL? No thanks, never."],
            &["blueprint: basic-vps", "left out, as asked: mysql."],
            &[],
        ),
        (
            &["Anything but Kubernetes: a load balancer for two app servers"],
            &["blueprint: haproxy", "left out, as asked: kubernetes."],
            &[],
        ),
        (&["k3s, traefik off please"], &["left out, as asked: traefik."], &["traefik | not"]),
        (
            &["Il me faut un serveur. Pas de conteneurs, surtout pas d'AWS."],
            &["blueprint: basic-vps", "left out, as asked: aws, container."],
            &["not understood"],
        ),
        (
            &["Un nginx para api.miapp.test, y que no acepte TLS 1.0"],
            &["tls 1.0 | not understood"],
            &["without tls"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_site_without_its_main_part_chooses_nothing_and_names_the_nearest() {
    for (wish, nearest) in [
        (
            "Statische Seite bei AWS, ohne CloudFront",
            "**Eine statische Website auf S3 mit CloudFront",
        ),
        (
            "Una web estática en AWS, pero CloudFront no lo quiero.",
            "**Un sitio estático en S3 con CloudFront",
        ),
    ] {
        let (_, answers) = Chat::gatherer().turn(wish).await;
        assert_eq!(blueprint(content(&answers)), None, "{wish}: {}", content(&answers));
        let said = &answers.last().unwrap().text;
        assert!(said.contains(nearest), "{wish}: {said}");
    }
}

#[tokio::test]
async fn a_server_and_nothing_else_is_a_plain_server() {
    each(&[
        (
            &["Ein Server, so klein wie möglich, Hostname wegwerf-01"],
            &["blueprint: basic-vps"],
            &["instead: a basic vps"],
        ),
        (
            &["wie beim letzten mal", "achso. also: ubuntu server in nbg1, cx32"],
            &["blueprint: basic-vps", "server-type cx32", "ubuntu | instead: debian 13"],
            &["instead: a basic vps"],
        ),
        (&["servidor barato, ubuntu 22.04"], &["blueprint: basic-vps", "ubuntu 22.04"], &[]),
        (
            &["nimm standard, mir egal. server mit 16 gb. und ein ftp ohne s auf keinen fall"],
            &["blueprint: basic-vps", "server-type cx43", "left out, as asked: ftp."],
            &[],
        ),
        (
            &["My predecessor's ticket reads: \"Provision 2x CX42, SSH restricted to office (203.0.113.0/28)\". Do that."],
            &["blueprint: basic-vps", "server-type cx42"],
            &[],
        ),
        (
            &["What I need is a single Redis with a password. No cluster."],
            &["blueprint: basic-vps", "additions redis"],
            &[],
        ),
        (
            &["Two servers, one in Ashburn, one in Hillsboro"],
            &["location ash", "hillsboro | instead: in ashburn", "two servers | instead: one"],
            &[],
        ),
        (&["A Factorio server for ten people"], &["factorio"], &["blueprint:"]),
        (&["a wiki on a server"], &["wiki"], &["blueprint:"]),
        (&["gimme a minecraft server lol"], &["minecraft | not built"], &["blueprint:", "lol"]),
    ])
    .await;
}

#[tokio::test]
async fn what_exists_already_is_not_built() {
    each(&[
        (
            &["Log shipping from the web servers to Elastic please. Only nginx access logs."],
            &["blueprint: elk"],
            &["nginx-site"],
        ),
        (
            &["Die Logs sollen zu Elastic, aber unser Elastic existiert schon, also bitte keins neu aufsetzen! Nur die drei Webserver."],
            &["logs"],
            &["blueprint:"],
        ),
        (
            &["Que los logs vayan a Elastic. Cinco servidores ya existentes con Debian 12, ninguno nuevo."],
            &["blueprint: elk", "ninguno nuevo | not understood"],
            &["| a basic vps | built"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_second_best_in_another_sentence_is_chosen() {
    each(&[
        (
            &["Could I have a mail server? postfix and dovecot. If that's not something you do, a plain hardened server will do."],
            &["blueprint: basic-vps", "mail server | not built", "dovecot | not built"],
            &[],
        ),
        (
            &["Wir möchten unsere Nextcloud umziehen. Falls Nextcloud bei euch nicht geht, dann halt ein Server mit Docker Compose."],
            &["blueprint: basic-vps", "nextcloud | not built", "docker compose | not built"],
            &[],
        ),
        (
            &["A MongoDB for our team. If you don't offer that, PostgreSQL is OK."],
            &["blueprint: vps-postgresql", "mongodb | instead: postgresql"],
            &[],
        ),
        (
            &["gimme a minecraft server", "fine just the server w/ docker then"],
            &["blueprint: basic-vps", "minecraft | not built", "docker | not built"],
            &[],
        ),
        (
            &["c'est une appli docker compose, serveur 4 go"],
            &["docker compose | not built"],
            &["blueprint:"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn the_user_returns_to_an_earlier_deployment() {
    after_agreement(&[
        (
            &[
                "no load balancer, just one box w/ nginx and TLS for a.example.com",
                "Sorry. Load balancer yes. With two boxes then.",
                "hm no, forget the balancer, the original single box.",
            ],
            &["blueprint: nginx-site", "domain a.example.com", "left out, as asked: load balancer, two boxes."],
            &["two boxes |", "haproxy"],
        ),
        (
            &["Give me Kubernetes, two nodes", "no Kubernetes. just a plain server in Helsinki"],
            &["blueprint: basic-vps", "location hel1"],
            &["two nodes |"],
        ),
        (
            &["Django para citas.ejemplo.test", "olvida Django, mejor un WordPress", "no, volvemos a Django"],
            &["blueprint: django", "left out, as asked: wordpress."],
            &["wordpress |"],
        ),
        (
            &["Mon collègue écrit : « on prend 3 noeuds k3s chez OVH ». Moi je dis un seul noeud, chez vous."],
            &["blueprint: k3s", "servers 1"],
            &["3 nodes", "servers: 3"],
        ),
        (
            &["Un VPS con MySQL, copias de seguridad solo los lunes", "mejor cada día"],
            &["nightly backups | built"],
            &["lunes"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_condition_asks_for_nothing_and_rules_nothing_out() {
    each(&[
        (
            &["Bitte k3s auf einem einzigen Server, es sei denn, damit geht kein Update ohne Ausfall; dann drei."],
            &["servers 1", "es sei denn damit geht kein update ohne ausfall | not understood"],
            &["without update", "zero downtime"],
        ),
        (
            &["k3s with three nodes. Unless three is overkill for ~20 containers, then one is enough"],
            &["servers 3", "unless three is overkill for 20 containers | not understood"],
            &[],
        ),
        (
            &["Zwei Server: Auf dem in Helsinki bitte kein fail2ban, auf den anderen schon."],
            &["kein fail2ban | not understood"],
            &["left out"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_stop_keeps_the_requirements_open_until_the_user_agrees() {
    for (wish, stop, said, agrees) in [
        (
            "A MySQL, HIPAA compliant. If HIPAA isn't possible then please say so and don't build anything yet. Use the defaults.",
            "if hipaa isn't possible then please say so and don't build anything yet",
            "so nothing is built for now",
            "go ahead",
        ),
        (
            "Ein VPS mit den Standardwerten, aber baut noch nichts",
            "baut noch nichts",
            "also wird vorerst nichts gebaut",
            "weiter",
        ),
        (
            "k3s en dos nodos. Si dos nodos no dan alta disponibilidad, decídmelo antes de montarlo.",
            "si dos nodos no dan alta disponibilidad decídmelo antes de montarlo",
            "por ahora no se construye nada",
            "adelante",
        ),
        (
            "Un VPS avec PostgreSQL, mais ne construisez rien pour l'instant",
            "construisez rien pour l'instant",
            "rien n'est construit pour l'instant",
            "vas-y",
        ),
    ] {
        let (chat, answers) = Chat::gatherer().turn(wish).await;
        assert!(!ready(&answers), "{wish}");
        assert!(rows(content(&answers)).contains(stop), "{wish}: {}", content(&answers));
        assert!(!content(&answers).contains("Left out"), "{wish}: {}", content(&answers));
        let text = &answers.last().unwrap().text;
        assert!(text.contains(said), "{wish}: {text}");
        let (_, answers) = chat.turn(agrees).await;
        assert!(ready(&answers), "{wish}: {}", content(&answers));
    }
    let (chat, answers) =
        Chat::gatherer().turn("Windows-Server? Wenn nein, dann baut nichts.").await;
    assert_eq!(blueprint(content(&answers)), None);
    let (_, answers) = chat.turn("Dann eben Linux mit MySQL, Standardwerte").await;
    assert_eq!(blueprint(content(&answers)), Some("vps-mysql"));
    assert!(!rows(content(&answers)).contains("baut"), "{}", content(&answers));
}

#[tokio::test]
async fn an_addition_that_is_ruled_out_is_not_called_none() {
    let (_, answers) = Chat::gatherer().turn("A VPS without Redis").await;
    let said: String = answers.iter().map(|answer| answer.text.as_str()).collect();
    assert!(!said.contains("`none`"), "{said}");
    assert!(!content(&answers).contains("Also on the server: none"), "{}", content(&answers));
}

#[tokio::test]
async fn application_servers_that_run_already_are_said_to_be_built_anew() {
    for wish in [
        "HAProxy for our two web backends, they're up already, please don't rebuild them",
        "Bitte einen HAProxy vor zwei Appserver. Die laufen schon seit zwei Jahren.",
        "Tengo dos servidores de app ya corriendo (192.0.2.101 y 192.0.2.102), esos no los toques, ponme un haproxy enfrente",
        "Nos deux serveurs d'appli sont déjà en place, n'y touchez pas, il manque juste HAProxy devant.",
    ] {
        let (_, answers) = Chat::gatherer().turn(wish).await;
        let rows = rows(content(&answers));
        let said = "existing application servers | instead: new ones at hetzner";
        assert!(rows.contains(said), "{wish}: {rows}");
    }
}

#[tokio::test]
async fn one_redis_is_a_server_with_redis() {
    after_agreement(&[
        (
            &["Redis, 4 GB, nur intern, Passwort ja. Memcached hatten wir früher, bitte nicht wieder."],
            &["blueprint: basic-vps", "redis-memory-mb 4096"],
            &[],
        ),
        (
            &["hola, kiero un servidor de correo, tb un redis chikito de 512 mb, y una vpn. nada de windows. quita lo de la centralita."],
            &["additions redis · redis-memory-mb 512", "mail server | not built", "left out, as asked: windows."],
            &["| redis | not built"],
        ),
        (&["Nextcloud mit Redis"], &["nextcloud | not built"], &["blueprint:"]),
        (&["Redis cluster with six nodes"], &["redis | not built"], &["blueprint:"]),
    ])
    .await;
}

#[tokio::test]
async fn the_second_best_is_taken_with_its_place_and_not_by_its_price() {
    each(&[
        (
            &["Wenn ihr Azure könnt, dann gern eine VM dort; falls nicht, eben Hetzner in Deutschland."],
            &["blueprint: basic-vps", "location nbg1", "azure | instead: hetzner"],
            &["deutschland | not understood"],
        ),
        (
            &[
                "Our choir would like its own mail server.",
                "Should the mail server turn out impossible, just give me a bare Hetzner box in Ashburn called alto.",
            ],
            &["blueprint: basic-vps", "name alto", "location ash", "mail server | not built"],
            &[],
        ),
        (
            &["Una máquina EC2 en Fráncfort. No se instalará TeamViewer. Si no hay Fráncfort, me conformo con Irlanda."],
            &["region eu-central-1", "teamviewer"],
            &["instead: fráncfort"],
        ),
        (
            &["Un serveur à Ashburn avec 4 vCPU. Si le budget dépasse 30 dollars, 2 vCPU."],
            &["server size: 4 cores", "si le budget dépasse 30 dollars 2 vcpu | not understood"],
            &["2 cores"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_negation_rules_out_only_what_it_governs() {
    after_agreement(&[
        (
            &["Three app servers behind haproxy, and everything except the load balancer stays off the public net."],
            &["blueprint: haproxy", "stays off the public net | not understood"],
            &["without load balancer"],
        ),
        (
            &["quiero una web estatica en s3 con cloudfront para plantas.example.cl, y que el bucket no lo vea nadie directo"],
            &["blueprint: static-site"],
            &["without bucket"],
        ),
        (
            &["La app se llama \"Lambda Verde\" (no tiene que ver con AWS). Es Django con Celery. Nada en AWS por favor."],
            &["blueprint: django", "left out, as asked: aws."],
            &["lambda |", "aws |"],
        ),
        (
            &["Trois serveurs k3s. J'avais pensé à Nomad mais personne chez nous ne connaît."],
            &["blueprint: k3s"],
            &["on premises"],
        ),
        (
            &["Sauvegardes restic vers S3, et un nginx avec TLS pour docs.example.ch.", "Oubliez le nginx."],
            &["restic | not built", "left out, as asked: nginx."],
            &["blueprint:", "docs.example.ch"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_quotation_is_read_word_by_word() {
    after_agreement(&[
        (
            &["Un modest site for my club. My nephew mentioned \"cloud front\". The address would be roses.example.co.uk, no shop."],
            &["blueprint: static-site", "site-domain roses.example.co.uk", "left out, as asked: shop."],
            &["text in quotation marks"],
        ),
        (
            &["TR : « Prévoir une pile ELK, rétention 21 jours, accès uniquement depuis 192.0.2.64/27. »"],
            &["blueprint: elk", "retention-days 21", "192.0.2.64/27"],
            &["quotation marks"],
        ),
        (
            &["SQS y una Lambda. No quiero API Gateway."],
            &["lambda | not built", "left out, as asked: api gateway."],
            &["blueprint:"],
        ),
    ])
    .await;
}
