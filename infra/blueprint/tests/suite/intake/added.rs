//! What a later message adds to a list, and addresses and times that belong to something else.

use super::accounts::after_agreement;

/// A watched address of an earlier message stays, unless the message replaces or restricts it.
#[tokio::test]
async fn further_addresses_are_watched_as_well() {
    const BOTH: &[&str] = &["watch https://a.example.org,https://b.example.org"];
    const SECOND: &[&str] = &["watch https://b.example.org "];
    const FIRST: &str = "Monitoring stack that watches https://a.example.org";
    after_agreement(&[
        (&[FIRST, "and https://b.example.org"], BOTH, &[]),
        (&[FIRST, "watch https://b.example.org"], BOTH, &[]),
        (
            &[
                "Überwachung mit Grafana",
                "überwache https://a.example.org",
                "und https://b.example.org",
            ],
            BOTH,
            &[],
        ),
        (
            &[
                "Monitorización con Grafana",
                "vigila https://a.example.org",
                "y https://b.example.org",
            ],
            BOTH,
            &[],
        ),
        (
            &[
                "Supervision avec Grafana",
                "surveille https://a.example.org",
                "et https://b.example.org",
            ],
            BOTH,
            &[],
        ),
        (&[FIRST, "https://b.example.org instead"], SECOND, &[]),
        (&[FIRST, "no, watch https://b.example.org"], SECOND, &[]),
        (&[FIRST, "only https://b.example.org"], SECOND, &[]),
    ])
    .await;
}

/// The first of several domains stays, and the others have rows.
#[tokio::test]
async fn a_further_domain_does_not_replace_the_first() {
    const FIRST: &[&str] = &["domain a.example.org", "| b.example.org | not built"];
    after_agreement(&[
        (
            &["WordPress for a.example.org", "actually two sites, a.example.org and b.example.org"],
            FIRST,
            &[],
        ),
        (
            &[
                "WordPress für a.example.org",
                "eigentlich zwei Seiten, a.example.org und b.example.org",
            ],
            FIRST,
            &[],
        ),
        (
            &["WordPress para a.example.org", "dos sitios, a.example.org y b.example.org"],
            FIRST,
            &[],
        ),
        (&["WordPress pour a.example.org", "et b.example.org"], FIRST, &[]),
        (
            &["WordPress for a.example.org", "use b.example.org instead"],
            &["domain b.example.org"],
            &[],
        ),
        (
            &["WordPress for a.example.org", "and change the domain to b.example.org"],
            &["domain b.example.org"],
            &[],
        ),
        (
            &["WordPress for a.example.org", "not a.example.org but b.example.org"],
            &["domain b.example.org"],
            &[],
        ),
    ])
    .await;
}

/// The address at which the stack itself is to be found is not watched.
#[tokio::test]
async fn the_address_of_grafana_is_not_watched() {
    const OWN: &[&str] = &["| https://grafana.acme.io | not built"];
    const WATCHED: &[&str] = &["watch https://grafana.acme.io"];
    after_agreement(&[
        (&["Monitoring stack where Grafana is reachable at https://grafana.acme.io"], OWN, WATCHED),
        (
            &["Monitoring-Stack, Grafana soll unter https://grafana.acme.io erreichbar sein"],
            OWN,
            WATCHED,
        ),
        (&["Monitorización donde Grafana esté accesible en https://grafana.acme.io"], OWN, WATCHED),
        (&["Supervision où Grafana est accessible à https://grafana.acme.io"], OWN, WATCHED),
        (&["Monitoring stack", "the dashboard should be at https://grafana.acme.io"], OWN, WATCHED),
        (&["Monitoring stack that watches https://grafana.acme.io"], WATCHED, &[]),
        (&["Monitoring with Grafana for https://grafana.acme.io"], WATCHED, &[]),
        (
            &["Monitoring stack", "Grafana at https://grafana.acme.io should be watched too"],
            WATCHED,
            &[],
        ),
    ])
    .await;
}

/// A country for whose people a site is does not choose the region.
#[tokio::test]
async fn an_audience_is_not_a_region() {
    const REGIONS: &[&str] = &["eu-west-3", "eu-south-2"];
    after_agreement(&[
        (
            &["A static site on S3 with CloudFront, only for France"],
            &["only for france | not understood"],
            REGIONS,
        ),
        (
            &["Eine statische Website auf S3 mit CloudFront, nur für Frankreich"],
            &["nur für frankreich | not understood"],
            REGIONS,
        ),
        (
            &["Un sitio estático en S3 con CloudFront, solo para España"],
            &["solo para españa | not understood"],
            REGIONS,
        ),
        (
            &["Un site statique sur S3 avec CloudFront, seulement pour la France"],
            &["seulement pour la france | not understood"],
            REGIONS,
        ),
    ])
    .await;
    after_agreement(&[
        (&["A static site on S3 with CloudFront in Ireland"], &["region eu-west-1"], &[]),
        (&["EC2 in France"], &["region eu-west-3"], &[]),
        (&["A static site on S3 with CloudFront for us in France"], &["region eu-west-3"], &[]),
    ])
    .await;
}

/// HAProxy checks each second, and a row says so if another interval is asked for.
#[tokio::test]
async fn health_checks_at_another_interval_have_a_row() {
    const EVERY: &str = "| instead: health checks every second |";
    after_agreement(&[
        (
            &["HAProxy with two servers, health checks every 2 s"],
            &[EVERY],
            &["health checks | built"],
        ),
        (
            &["HAProxy with two servers, health checks every 2 seconds"],
            &[EVERY],
            &["health checks | built"],
        ),
        (&["HAProxy mit zwei Servern, Health-Check alle 5 Sekunden"], &[EVERY], &[]),
        (&["HAProxy con dos servidores, comprobación de salud cada 10 segundos"], &[EVERY], &[]),
        (&["HAProxy avec deux serveurs, contrôle de santé toutes les 5 secondes"], &[EVERY], &[]),
        (
            &["HAProxy with two servers, health checks every second"],
            &["health checks | built"],
            &[EVERY],
        ),
        (&["HAProxy with two servers and health checks"], &["health checks | built"], &[EVERY]),
    ])
    .await;
}

/// The longest of several times counts for everything, and a row says so.
#[tokio::test]
async fn different_times_for_different_logs_have_a_row() {
    const LONGEST: &[&str] = &["retention-days 90", "instead: 90 days for everything"];
    after_agreement(&[
        (&["ELK, delete debug logs after 3 days, keep error logs for 90 days"], LONGEST, &[]),
        (&["ELK, Debug-Logs nach 3 Tagen löschen, Fehlerlogs 90 Tage aufbewahren"], LONGEST, &[]),
        (&["ELK, logs de errores 90 días, logs de acceso 14 días"], LONGEST, &[]),
        (&["ELK, logs d'accès 14 jours, logs d'erreurs 90 jours"], LONGEST, &[]),
        (
            &["ELK, logs kept 30 days", "no, logs 60 days"],
            &["retention-days 60"],
            &["for everything"],
        ),
        (&["ELK, keep the logs 30 days"], &["retention-days 30"], &["for everything"]),
        (
            &["PostgreSQL, daily backups 7 days, weekly backups 60 days"],
            &["dump-days 60", "60 days for everything"],
            &[],
        ),
    ])
    .await;
}
