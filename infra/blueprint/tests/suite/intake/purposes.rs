//! For whom or for what a deployment is asks for nothing, and neither does whose account it is built in.

use super::{content, rows};
use crate::support::Chat;

#[tokio::test]
async fn a_purpose_of_the_deployment_has_no_row() {
    for wish in [
        "A Postgres 17 box for our analytics team",
        "A static site on S3 for the choir",
        "A k3s cluster for our staging with 3 nodes",
        "WordPress for staging, my Hetzner account exists",
        "A VPS in our AWS or Hetzner account",
        "Einen Server mit MySQL 8.4 für unser Warenwirtschaftssystem",
        "Wir sind ein Verein mit 200 Mitgliedern und brauchen WordPress",
        "Un sitio estático con nginx para mi portafolio",
        "Un site statique sur S3 pour la mairie",
    ] {
        let (_, answers) = Chat::gatherer().turn(wish).await;
        assert!(content(&answers).contains("Blueprint: "), "{wish}: {}", content(&answers));
        assert!(
            !rows(content(&answers)).contains("not understood"),
            "{wish}: {}",
            content(&answers)
        );
    }
}

#[tokio::test]
async fn what_restricts_a_feature_or_names_a_thing_keeps_its_row() {
    for (wish, row) in [
        ("A VPS with a frobnicator for our staff", "frobnicator"),
        ("PostgreSQL with backups for the uploads", "uploads"),
        ("A VPS reachable for our accountants only", "accountants"),
        ("nginx for grpc", "grpc"),
        ("A VPS with a service account", "account"),
        ("A VPS with two environments, staging and production", "environments"),
    ] {
        let (_, answers) = Chat::gatherer().turn(wish).await;
        assert!(rows(content(&answers)).contains(row), "{wish}: {}", content(&answers));
    }
}

#[tokio::test]
async fn a_plain_server_has_several_names() {
    for messages in [
        ["Kannst du mir einen Nextcloud-Server aufsetzen?", "Dann halt nur einen nackten Server"],
        ["Quiero un servidor de Minecraft", "pues entonces un servidor pelado"],
    ] {
        let (chat, _) = Chat::gatherer().turn(messages[0]).await;
        let (_, answers) = chat.turn(messages[1]).await;
        assert!(content(&answers).contains("Blueprint: basic-vps"), "{}", content(&answers));
    }
}

#[tokio::test]
async fn an_address_for_alerts_is_not_built_silently() {
    let wish = "Grafana and Prometheus to watch https://a.example.net, alert me at ops@example.net";
    let (_, answers) = Chat::gatherer().turn(wish).await;
    let listed = rows(content(&answers));
    assert!(listed.contains("ops@example.net | instead: to a webhook"), "{listed}");
}
