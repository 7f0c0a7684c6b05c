//! Numbers and names that belong to something other than the deployment: a threshold, a program, another server.

use super::accounts::after_agreement;

/// A number that takes the place of something else's changes no value of the plan.
#[tokio::test]
async fn correcting_a_threshold_does_not_correct_the_retention() {
    after_agreement(&[
        (
            &[
                "Prometheus + Grafana para 12 hosts. Alertas: disco por encima del 85 %. Retención de un año.",
                "85 es poco margen, pon 80.",
            ],
            &["retention-days 365", "| 80 | not understood"],
            &["Kept for: 80"],
        ),
        (
            &[
                "Surveiller quatre serveurs : Prometheus, Grafana. Conserver les mesures 90 jours. Un accès VPN pour deux adjoints.",
                "Ils seront trois finalement pour le VPN.",
            ],
            &["retention-days 90"],
            &["Kept for: trois"],
        ),
        (
            &[
                "could you put grafana somewhere for me? I've got 5 servers",
                "prometheus is fine yes. keep the numbers for half a year",
            ],
            &["retention-days 182"],
            &["a year"],
        ),
    ])
    .await;
}

/// What a program, a firm or a pronoun is called is not the server's name.
#[tokio::test]
async fn the_name_of_a_program_is_not_the_servers() {
    after_agreement(&[
        (
            &["Binario en Go (se llama tarifador). Quiero desplegarlo como servicio systemd con releases, y poder volver atrás."],
            &["name my-server"],
            &["Server name: "],
        ),
        (
            &["un site wordpress, le nom ca serait fromagerie-duval.example"],
            &["domain fromagerie-duval.example", "name my-server"],
            &["Server name: "],
        ),
    ])
    .await;
}

/// The user's own monitoring asks for none, and a managed database of AWS for none at Hetzner.
#[tokio::test]
async fn what_the_user_has_or_gives_up_chooses_nothing() {
    after_agreement(&[
        (
            &[
                "* 1x Debian, Hetzner, Standort Helsinki, CX42, Hostname lx-ablage01\n* SSH nur aus 192.0.2.0/26, Port 2222\n* 443 offen",
                "SSH bitte doch auf 22 lassen, das Monitoring kommt sonst nicht klar.",
            ],
            &["Blueprint: basic-vps", "name lx-ablage01", "open-ports 443 "],
            &["monitoring-stack", "2222 | built"],
        ),
        (
            &["VPC in eu-north-1, a t4g.small there, root disk 30 GB, IMDSv2 enforced"],
            &["Blueprint: ec2-ssh", "instance-type t4g.small", "region eu-north-1"],
            &[],
        ),
        (
            &[
                "VPC in eu-west-2, a t3.small bastion, app instance m6i.large. RDS Aurora Postgres.",
                "scrap aurora, budget said no. t3.micro is enough for the bastion",
            ],
            &[],
            &["A VPS with PostgreSQL | built", "An EC2 server with SSH access | built"],
        ),
    ])
    .await;
}

/// A missing server is not one for later, and “PG” is PostgreSQL.
#[tokio::test]
async fn what_does_not_exist_yet_is_not_postponed() {
    after_agreement(&[
        (
            &["Go-Anwendung mit Releases und Rückweg. Server gibt es noch keinen; Hetzner, Falkenstein."],
            &["Blueprint: releases", "location fsn1"],
            &["later, as asked"],
        ),
        (
            &["PG-Primary bei Hetzner, fsn1, CCX13. DB `messwerte`, Dumps 21 Tage."],
            &["Blueprint: vps-postgresql", "database messwerte", "dump-days 21"],
            &[],
        ),
    ])
    .await;
}

/// A list of ports opens with its protocols, and a port of UDP stays out of it.
#[tokio::test]
async fn ports_with_their_protocols_open() {
    after_agreement(&[
        (
            &["Debian server at Hetzner, ports 80, 443 and UDP 51820 open, everything else closed"],
            &["open-ports 80,443 ", "udp 51820"],
            &[],
        ),
        (
            &["Besoin : 1 serveur Debian chez Hetzner\n* ports : 443/tcp, 25565/tcp, rien d'autre"],
            &["open-ports 443,25565 "],
            &[],
        ),
    ])
    .await;
}
