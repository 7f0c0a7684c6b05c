//! Which host of a message is the site's, and whose a name, a version, a size or a port is.

use super::accounts::{after_agreement, each};

/// A host that a label names is the site's, whatever else the application talks to.
#[tokio::test]
async fn the_labeled_host_is_the_sites() {
    each(&[
        (
            &["Django, nom d'hôte api01. FQDN api.brumeval.example. CORS limité à https://app.brumeval.example."],
            &["domain api.brumeval.example", "name api01"],
            &[],
        ),
        (
            &["On veut l'équivalent avec nginx. vhost intranet.fauvel.example. Auth LDAP sur ldap.fauvel.example."],
            &["domain intranet.fauvel.example"],
            &[],
        ),
        (
            &["nginx, TLS pour lacriee-revue.example. Redirection depuis l'ancien domaine lacriee.example."],
            &["domain lacriee-revue.example"],
            &[],
        ),
        (
            &["WordPress bitte, die Seite soll blütenwerk-lenz.example heissen."],
            &["domain xn--bltenwerk-lenz-hsb.example"],
            &["not understood"],
        ),
    ])
    .await;
}

/// A name belongs to the noun after it if its clause has none before it.
#[tokio::test]
async fn a_name_belongs_to_the_noun_after_it() {
    each(&[
        (
            &["Trasladar MySQL a un servidor como Dios manda, con el nombre de cofradia para la base."],
            &["database cofradia", "name my-server"],
            &[],
        ),
        (
            &["A MySQL server, please, with the name ledger for the database"],
            &["database ledger", "name my-server"],
            &[],
        ),
        (
            &["A MySQL server, please, the server named ledger for the database of our books"],
            &["name ledger"],
            &[],
        ),
    ])
    .await;
}

/// A version belongs to the product named before it, and a number at the end of a sentence counts nothing of the next.
#[tokio::test]
async fn a_number_belongs_to_its_own_sentence_and_product() {
    each(&[
        (
            &["k3s, 3 noeuds, Helsinki. Un PostgreSQL à côté (hors cluster) version 16."],
            &["servers 3", "| version 16 | not built"],
            &["k3s 16"],
        ),
        (
            &["HAProxy 1.5 en CentOS 6. Backends: web01:80, web02:80. Lo mismo en Debian."],
            &["app-servers 2"],
            &["| 6 |"],
        ),
        (
            &["Server bei Hetzner, CX32 oder was halt 8 GB hat, Nürnberg."],
            &["server-type cx32", "| Server size: 8 GB of memory | built"],
            &["not built"],
        ),
    ])
    .await;
}

/// A port that was closed opens again when a later message needs it, unless only some may reach it.
#[tokio::test]
async fn a_port_that_is_needed_after_all_opens_again() {
    after_agreement(&[
        (
            &[
                "Debian en Hetzner, abrid 443 y 8443, el 80 no.",
                "Perdón, sí hace falta el 80 para renovar el certificado.",
            ],
            &["open-ports 80,443,8443"],
            &[],
        ),
        (
            &[
                "Ein Server bei Hetzner. Offen sein sollen 443 und 8443, Port 80 bitte zu.",
                "80 brauchen wir doch, aber nur für 198.51.100.7.",
            ],
            &["open-ports 443,8443"],
            &["open-ports 80"],
        ),
        (
            &["Un serveur Debian chez Hetzner. Ports 443 et 51820/udp."],
            &["open-ports 443", "| 51820/udp | not understood"],
            &[],
        ),
    ])
    .await;
}

/// A second best that the plan does not have either is not a substitute.
#[tokio::test]
async fn a_second_best_that_is_not_built_replaces_nothing() {
    each(&[(
        &[
            "Server in Nürnberg bei Hetzner, Docker drauf",
            "Docker doch nicht, wir nehmen Podman, falls das geht. Wenn nicht dann halt Docker.",
        ],
        &["podman", "| not built"],
        &["instead: docker"],
    )])
    .await;
}

/// “Gehört” after “hab” is what somebody heard.
#[tokio::test]
async fn having_heard_of_a_server_is_not_owning_it() {
    each(&[(
        &["Ich hab gehört WordPress geht auch für Shops, dann nehmen wir das."],
        &["Blueprint: wordpress"],
        &["owns"],
    )])
    .await;
}

/// A place after an added replica is the replica's, “3x cpx31” are three servers, and a person's name is not a server's.
#[tokio::test]
async fn an_addition_a_count_or_a_story_changes_nothing_else() {
    after_agreement(&[
        (
            &[
                "Hetzner, nbg1, PostgreSQL, db \"ledger\"",
                "Keep the dumps 35 days. And add a streaming replica, db-prod-03, in fsn1.",
            ],
            &["location nbg1", "dump-days 35"],
            &[],
        ),
        (&["Need k3s HA, 3x cpx31 @ hel1"], &["servers 3", "server-type cpx31"], &[]),
        (&["k3s, 3 x CX32 in Helsinki"], &["servers 3", "server-type cx32"], &[]),
        (
            &["We had a man called Derek who hosted a Joomla thing. We'd like WordPress at www.oars.example"],
            &["name my-server", "domain www.oars.example"],
            &["name derek"],
        ),
        (
            &["nginx, docs.quillet.example with TLS", "Status moves to Statuspage.io."],
            &["domain docs.quillet.example"],
            &[],
        ),
    ])
    .await;
}

/// A user's name chooses no deployment, nor does what a provider built years ago.
#[tokio::test]
async fn a_users_name_and_an_old_cluster_choose_nothing() {
    each(&[
        (
            &["Postgres, database \"telemetry\", user grafana_ro that may only read."],
            &["Blueprint: vps-postgresql", "database telemetry"],
            &["monitoring-stack"],
        ),
        (
            &["Hace unos años un proveedor nos montó un clúster de Kubernetes que jamás funcionó bien, y no quisiéramos repetir aquella experiencia. Un patrono nos sugirió Amazon, con S3 y CloudFront, y nos parece bien."],
            &["Blueprint: static-site"],
            &["k3s"],
        ),
        (
            &["PostgreSQL, base facturacion. El programa usa la versión 18 de node."],
            &["Blueprint: vps-postgresql", "| version 18 | not built"],
            &["postgresql 18"],
        ),
    ])
    .await;
}
