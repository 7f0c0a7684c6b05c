//! What a message does not say is not planned as if it did: a deployment for a provider's name, a new server for a machine
//! of the user, a name, a disk.

use super::accounts::after_agreement;
use super::content;
use crate::support::Chat;

/// A provider's name alone chooses no deployment: it is where copies go, or where the user has an account.
#[tokio::test]
async fn a_provider_alone_chooses_nothing() {
    for message in [
        "Wir brauchen Backups auf die Hetzner Storage Box, verschlüsselt. Das Programm läuft im Keller.",
        "Customs messages queued and parsed. Paying per use. Cape Town AWS region.",
        "los cinco años son para deportes, y con la clave de Amazon nos vale",
    ] {
        let (_, answers) = Chat::gatherer().turn(message).await;
        let said = &answers.last().unwrap().text;
        assert!(!content(&answers).contains("Blueprint:"), "{message}: {said}");
    }
    after_agreement(&[
        (&["A Debian at Hetzner"], &["blueprint: basic-vps"], &[]),
        (&["a t3.small in AWS"], &["blueprint: ec2-ssh"], &[]),
    ])
    .await;
}

/// The service for a first try is not built in place of something that is to run at a provider.
#[tokio::test]
async fn a_first_try_stands_in_for_nothing() {
    for messages in [
        &["FastAPI service, 3 endpoints, on AWS"][..],
        &[
            "Rota application in Rust on two app servers at Hetzner.",
            "Health check path is /healthz. TLS",
        ],
    ] {
        let mut chat = Chat::gatherer();
        let mut last = String::new();
        for message in messages {
            let (next, answers) = chat.turn(message).await;
            (chat, last) = (next, content(&answers).to_owned());
        }
        assert!(!last.contains("Blueprint: local-web-service"), "{messages:?}: {last}");
    }
}

/// The European Union is a place, and a database that is not wanted is left out.
#[tokio::test]
async fn the_union_is_a_place_and_no_database_is_a_wish() {
    after_agreement(&[
        (&["WordPress en un servidor en la UE"], &["location: nbg1 | built"], &[]),
        (&["An EC2 server in the EU"], &["region: eu-central-1 | built"], &[]),
        (
            &["WordPress for a guild at maple.example. US location, under $12 a month."],
            &["location: ash | built"],
            &[],
        ),
        (&["a website for a.example, no database"], &["left out, as asked: database"], &[]),
        (
            &["Our server in the cellar has 128 GB of memory, install PostgreSQL there"],
            &["on an existing server | instead"],
            &["128 gb of memory | built"],
        ),
    ])
    .await;
}

/// What a later message gives up, or only stays with, does not change the deployment.
#[tokio::test]
async fn what_stays_is_not_replaced() {
    after_agreement(&[
        (
            &["A VPS with Redis and PostgreSQL", "kill the redis"],
            &["blueprint: vps-postgresql"],
            &["also on the server: redis"],
        ),
        (
            &["A k3s cluster with three servers", "Monitoring natürlich mit Grafana"],
            &["blueprint: k3s"],
            &["blueprint: monitoring"],
        ),
        (
            &["HAProxy with two app servers in Ashburn", "lol ok, stay on postgres for the data"],
            &["blueprint: haproxy"],
            &["blueprint: vps-postgresql"],
        ),
    ])
    .await;
}

/// A name that somebody has or wants to see is not the server's.
#[tokio::test]
async fn a_persons_name_is_not_the_servers_name() {
    after_agreement(&[
        (
            &["un WordPress pour harmonie.example, et le président veut son nom en haut"],
            &["name my-server"],
            &["server name: haut"],
        ),
        (
            &["Il manque une supervision digne de ce nom : Prometheus, Grafana"],
            &["name my-server"],
            &["server name: prometheus"],
        ),
        (
            &["un WordPress. Le nom public est dispatch.taxi.example"],
            &["domain dispatch.taxi.example"],
            &["server name: public"],
        ),
    ])
    .await;
}

/// Memory is not a disk, and neither are the user's data.
#[tokio::test]
async fn only_a_disk_gives_the_root_volume() {
    after_agreement(&[
        (
            &["une VM chez AWS à Francfort, 4 cœurs, 16 Go"],
            &["volume-gb 10", "16 gb | not built"],
            &["root volume: 16"],
        ),
        (
            &["An EC2 server in Frankfurt. The documents are 350 GB so far."],
            &["volume-gb 10"],
            &["root volume: 350"],
        ),
        (&["An EC2 server with a 40 GB disk"], &["volume-gb 40"], &[]),
    ])
    .await;
}

/// A deployment makes a new server, and the model says so to a user who means a machine of their own.
#[tokio::test]
async fn a_machine_of_the_user_is_not_built_on() {
    const ROW: &str = "on an existing server | instead: on a new server at hetzner";
    after_agreement(&[
        (
            &["Hay un servidor Debian 12 con 128 GB de memoria. Instalen ahí PostgreSQL."],
            &[ROW],
            &[],
        ),
        (&["Zwei PostgreSQL-Server auf unserer Hardware im RZ Frankfurt"], &[ROW], &[]),
        (&["un k3s à trois nœuds sur nos serveurs du sous-sol"], &[ROW], &[]),
        (&["nginx site for a.example on the server in our basement"], &[ROW], &[]),
        (&["Monitoring, sur une machine dédiée que nous fournirons"], &[ROW], &[]),
        (&["nginx für a.example auf dem Rechner im Keller"], &[ROW], &[]),
        (&["PostgreSQL on a server we already pay for"], &[ROW], &[]),
        (
            &["WordPress para radio.example; es un VPS con debian que ya anda, ip 45.79.201.8"],
            &[ROW],
            &[],
        ),
        (&["PostgreSQL for patient data; the machine is 10.20.4.11"], &[ROW], &[]),
    ])
    .await;
    // The planned server is the user's as well.
    after_agreement(&[
        (&["A VPS in Helsinki", "Redis on our server as well"], &[], &[ROW]),
        (&["our server shall be in Nuremberg"], &[], &[ROW]),
        (&["hay que poner el servidor en Falkenstein, con PostgreSQL"], &[], &[ROW]),
        (&["PostgreSQL on a server that we rent at Hetzner"], &[], &[ROW]),
        (&["Für WordPress auf dem Server zahlen wir höchstens 20 Euro"], &[], &[ROW]),
        (&["Prometheus for the exporters on our machines"], &[], &[ROW]),
        (
            &["A server, SSH only from 203.0.113.7 in our office"],
            &["ssh-from 203.0.113.7/32"],
            &[ROW],
        ),
        (
            &["PostgreSQL, nothing may sit outside our own server room"],
            &[],
            &["own server | not built: as you asked", "left out, as asked: our own server"],
        ),
    ])
    .await;
}

/// What nothing happens without is wanted, copies elsewhere are not built as asked, and a year is not a port.
#[tokio::test]
async fn needs_places_of_copies_and_years_are_read_as_such() {
    after_agreement(&[
        (
            &["PostgreSQL para una clínica; no se debe poder entrar sin VPN"],
            &["vpn | not built"],
            &["left out, as asked"],
        ),
        (
            &["A VPS, not in Germany and without password login"],
            &["ssh logins by key only | built"],
            &["password login | not built"],
        ),
        (
            &["PostgreSQL. Nightly dumps to an S3 bucket"],
            &["nightly dumps to an s3", "| instead: nightly dumps"],
            &["nightly backups | built"],
        ),
        (
            &["PostgreSQL sur un serveur que personne n'ose redémarrer depuis 2022"],
            &[],
            &["left out, as asked: port 2022"],
        ),
    ])
    .await;
}
