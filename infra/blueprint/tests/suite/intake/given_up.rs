//! A deployment that the user gives up, and names that ask for nothing.

use super::accounts::after_agreement;

#[tokio::test]
async fn a_deployment_that_is_given_up_is_not_planned() {
    after_agreement(&[
        (
            &["SQS y Lambda en eu-west-1. También un cluster k3s de 3 nodos.", "Olvida el k3s por completo.", "Reintentos: 6."],
            &["lambda | not built", "left out, as asked: k3s."],
            &["blueprint:", "instead: with k3s", "6 servers"],
        ),
        (
            &["A k3s cluster with two nodes in Helsinki please.", "Actually Kubernetes is too much for us, forget it."],
            &[],
            &["blueprint:", "| built"],
        ),
        (
            &["SQS -> Lambda. Also a k3s cluster with three nodes.", "CTO says k3s is overkill, drop it. The API goes on a plain EC2 with ssh from 203.0.113.128/26."],
            &["blueprint: ec2-ssh", "203.0.113.128/26"],
            &["k3s | built"],
        ),
        (
            &["Last time your thing gave me a Kubernetes cluster when I asked for one box. nginx for grumbler.example, TLS. No k3s."],
            &["blueprint: nginx-site", "domain grumbler.example", "when i asked for one box | not understood"],
            &["instead: with k3s", "| one box"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_persons_name_is_neither_a_place_nor_a_product() {
    after_agreement(&[
        (
            &[
                "WordPress für st-veit.example.",
                "Herr Falkenstein (Kassier) bittet, dass der Server in Helsinki steht.",
            ],
            &["location hel1"],
            &["instead: in falkenstein"],
        ),
        (
            &[
                "WordPress, saint-aubin.example.",
                "M. Nuremberg, trésorier, demande que le serveur soit à Falkenstein.",
            ],
            &["location fsn1"],
            &["instead: in nuremberg"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn nothing_of_a_second_bucket_is_claimed() {
    after_agreement(&[(
        &["A static site on S3 with CloudFront at docs.heron.example. Also a private bucket with versioning for the invoices."],
        &["blueprint: static-site", "private bucket | not built", "bucket versioning | not built"],
        &["former versions are kept | built", "a private bucket | built"],
    )])
    .await;
}

#[tokio::test]
async fn a_game_and_a_longer_name_leave_the_rest_as_it_is() {
    after_agreement(&[
        (
            &["a minecraft server, hetzner cpx31 in ashburn, name creeper-cove, port 25565 open for everyone"],
            &["blueprint: basic-vps", "name creeper-cove", "server-type cpx31", "minecraft | not built"],
            &[],
        ),
        (
            &["k3s sur trois serveurs. Pas de Terraform Cloud."],
            &["blueprint: k3s", "left out, as asked: terraform cloud."],
            &["without terraform"],
        ),
        (
            &["Django con celery para panel.roble.example, base de datos Postgres."],
            &["postgresql for the application | built"],
            &[],
        ),
    ])
    .await;
}

/// What a message takes back is left out, as the user asked; it is not “not built”.
#[tokio::test]
async fn what_is_taken_back_is_left_out_as_asked() {
    const OUT: &str = "left out, as asked: kafka";
    const NOT: &str = "kafka | not built";
    after_agreement(&[
        (&["A VPS with Kafka", "forget Kafka"], &[OUT], &[NOT]),
        (&["Ein VPS mit Kafka", "Kafka lassen wir weg"], &[OUT], &[NOT]),
        (&["Un VPS avec Kafka", "oubliez Kafka"], &[OUT], &[NOT]),
        (&["PostgreSQL with two replicas", "drop one replica"], &["| not built"], &["left out"]),
        (&["Un VPS con Kafka", "olvida Kafka"], &[OUT], &[NOT]),
    ])
    .await;
}

/// A provider that the user names has a row also while nothing is planned there.
#[tokio::test]
async fn a_provider_has_a_row_while_nothing_is_planned() {
    for (message, row) in [
        ("A mail server at Hetzner", "at hetzner | not built"),
        ("Ein Mailserver bei Hetzner", "at hetzner | not built"),
        ("Un servidor de correo en AWS", "at aws | not built"),
        ("Un serveur mail chez Hetzner", "at hetzner | not built"),
    ] {
        let (_, answers) = crate::support::Chat::gatherer().turn(message).await;
        let list = super::content(&answers).to_lowercase();
        assert!(list.contains(row), "{message}: {list}");
    }
}
