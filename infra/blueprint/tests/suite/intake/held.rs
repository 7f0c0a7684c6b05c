//! Machines that the user has: no deployment is built on them, and the model says so first.

use super::accounts::after_agreement;
use super::{blueprint, content, said};
use crate::support::Chat;

/// The row for such a machine, with a plan and without one.
const NEW: &str = "on an existing server | instead: on a new server at hetzner";
const NOT: &str = "on an existing server | not built";

/// Whoever has a server learns that the plan makes a new one, however they put it.
#[tokio::test]
async fn a_machine_that_the_user_has_gets_a_row() {
    after_agreement(&[
        (&["Our own box, Ubuntu 22.04, 8 cores. Set up PostgreSQL there"], &[NEW], &["cx43"]),
        (&["PostgreSQL on a Debian box in the office"], &[NEW], &[]),
        (&["WordPress on my VPS at OVH, Debian 12"], &[NEW], &[]),
        (&["Migrer mon WordPress vers mon VPS OVH tout neuf"], &[NEW], &[]),
        (&["MySQL. El servidor es mío, está en OVH"], &[NEW], &[]),
        (&["Tenemos una máquina propia con 64 GB de RAM, instalad PostgreSQL"], &[NEW], &[]),
        (&["statische Seite für a.de auf meinem Strato-VPS, den wir schon haben"], &[NEW], &[]),
        (&["drei Raspis im Schrank, will da k3s drauf"], &[NEW], &[]),
        (&["ich hab einen Server bei Netcup, da soll WordPress für blog.de drauf"], &[NEW], &[]),
        (
            &["J'ai 4 serveurs web, je veux un HAProxy devant"],
            &["on an existing server | instead"],
            &[],
        ),
    ])
    .await;
}

/// What is to be done only on machines that exist is not built on a new one.
#[tokio::test]
async fn work_on_machines_of_the_user_alone_plans_nothing() {
    for messages in [
        &["Harden our three servers in the cellar"][..],
        &["Härten Sie meinen bestehenden Debian-Server"],
        &["Durcir nos serveurs internes"],
        &["Il nous faut deux Tomcat", "Serveurs internes RHEL 9, sans accès à internet"],
        &["Quiero reforzar mis servidores existentes"],
        &["Fail2ban and updates on my server 203.0.113.9 please"],
        &["Sauvegarde de mes serveurs", "Deux serveurs Ubuntu chez Scaleway, vers S3"],
        &[
            "Zehn Server härten, SSH auf Port 2222",
            "Sind alle Rocky Linux 9 und stehen im Rechenzentrum in Münster",
        ],
        &[
            "Zehn Server härten, SSH auf Port 2222",
            "Sind alle Rocky Linux 9 und stehen im Rechenzentrum in Münster",
            "Zwei davon sind Webserver, da müssen 80 und 443 offen bleiben!",
        ],
        &["Sauvegarde de mes serveurs", "Deux serveurs Ubuntu, plus la base PostgreSQL du premier"],
        &[
            "wireguard between our office and two AWS VPCs",
            "Office side is a Debian box behind NAT, 172.16.8.0/22",
        ],
    ] {
        let mut chat = Chat::gatherer();
        let mut last = Vec::new();
        for message in messages {
            (chat, last) = chat.turn(message).await;
        }
        let list = content(&last).to_lowercase();
        assert_eq!(blueprint(content(&last)), None, "{messages:?}: {list}");
        assert!(list.contains(NOT), "{messages:?}: {list}");
        assert!(!list.contains("ssh allowed from"), "{messages:?}: {list}");
    }
}

/// A wish for a server of one's own, an office or a server for something else is not a machine to work on.
#[tokio::test]
async fn a_new_server_is_not_one_that_the_user_has() {
    const ROW: &str = "on an existing server";
    after_agreement(&[
        (&["Ein eigener Server für mein Büro, 4 GB"], &[], &[ROW]),
        (&["Our servers shall be in Falkenstein: k3s on three nodes"], &[], &[ROW]),
        (&["PostgreSQL at Hetzner; I have a server at home for mail"], &[], &[ROW]),
        (&["I need a Debian box with 8 GB and SSH"], &["blueprint: basic-vps"], &[ROW]),
        (&["Give me an Ubuntu machine"], &["blueprint: basic-vps"], &[ROW]),
        (&["Necesito una máquina con 16 GB para mi oficina"], &["blueprint: basic-vps"], &[ROW]),
        (&["No tengo servidor, quiero WordPress para a.es"], &[], &[ROW]),
        (&["Ich habe noch keinen Server, bitte einen VPS"], &["blueprint: basic-vps"], &[ROW]),
        (&["A VPS, the users are in the office"], &["blueprint: basic-vps"], &[ROW]),
        (&["Ein VPS, Logs haben wir schon in Graylog"], &["blueprint: basic-vps"], &[ROW]),
        (&["Redis and PostgreSQL", "put PostgreSQL on its own server"], &[], &[ROW]),
        (
            &["Harden our existing servers", "a new server at Hetzner then"],
            &["blueprint: basic-vps"],
            &[],
        ),
        (&["I'd rather have a plain server at Hetzner"], &["blueprint: basic-vps"], &[ROW]),
        (&["Trois serveurs d'application derrière HAProxy"], &["blueprint: haproxy"], &[ROW]),
    ])
    .await;
}

/// The answer begins with it, in the user's language.
#[tokio::test]
async fn the_answer_says_that_the_users_server_is_not_used() {
    for (message, sentence) in [
        ("PostgreSQL on the server in our cellar", "it is not used. this plan buys a new one"),
        (
            "PostgreSQL auf dem Server in unserem Keller",
            "dieser plan mietet einen neuen bei hetzner",
        ),
        ("PostgreSQL en el servidor que ya tenemos en la oficina", "este plan contrata uno nuevo"),
        ("PostgreSQL sur le serveur de notre cave", "ce plan en loue un nouveau chez hetzner"),
        ("Harden our existing servers", "i cannot work on it"),
        ("Härten Sie unsere bestehenden Server", "auf ihm kann ich nicht arbeiten"),
    ] {
        let (_, answers) = Chat::gatherer().turn(message).await;
        assert!(said(&answers).contains(sentence), "{message}: {}", said(&answers));
    }
}
