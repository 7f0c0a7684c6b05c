//! What belongs to its own noun: days to metrics, logs or copies, a database to each of several people, and the
//! internet to what comes in or goes out.

use super::accounts::after_agreement;

/// Nothing keeps a server from the internet, and a server that may not reach it closes no port.
#[tokio::test]
async fn servers_without_internet_access_are_not_built_as_asked() {
    const ALLOWED: &str = "| instead: outgoing connections are allowed";
    const CLOSED: &str = "nothing open but what is planned";
    after_agreement(&[
        (&["A VPS with no internet access"], &[ALLOWED], &[CLOSED]),
        (&["Ein VPS ohne Internetzugang, Redis"], &[ALLOWED], &[CLOSED]),
        (&["Un VPS sin acceso a internet"], &[ALLOWED], &[CLOSED]),
        (&["Un VPS sans accès à internet"], &[ALLOWED], &[CLOSED]),
        (&["PostgreSQL on a server. It has no internet access."], &[ALLOWED], &[CLOSED]),
        (&["A VPS, not reachable from the internet"], &[CLOSED], &[ALLOWED]),
        (&["PostgreSQL, kein Zugriff aus dem Internet"], &[], &[ALLOWED]),
    ])
    .await;
}

/// Days of logs are not days of metrics, also when a later message only gives the number.
#[tokio::test]
async fn days_belong_to_what_is_kept() {
    const METRICS: &str = "retention-days 15";
    after_agreement(&[
        (&["Grafana and Loki. Keep 14 days", "Actually make it 30 days"], &[METRICS], &[]),
        (&["Prometheus mit Grafana. Logs 60 Tage aufheben"], &[METRICS], &[]),
        (&["Prometheus y Grafana, los logs 60 días"], &[METRICS], &[]),
        (&["Prometheus et Grafana. Garder les logs 60 jours"], &[METRICS], &[]),
        (&["Prometheus with Grafana, keep metrics 60 days"], &["kept for: 60 | built"], &[]),
        (
            &["Prometheus, Metriken 60 Tage aufheben", "doch lieber 90 Tage"],
            &["kept for: 90 | built"],
            &[],
        ),
        (&["ELK, keep the logs 60 days", "make it 90 days"], &["kept for: 90 | built"], &[]),
        (&["PostgreSQL, dumps kept 20 days", "make it 30 days"], &["dumps kept: 30 | built"], &[]),
    ])
    .await;
}

/// One database is planned, and the model says so to a user who asks for several.
#[tokio::test]
async fn a_database_for_each_is_one_for_all() {
    const ONE: &str = "| instead: one database for all";
    after_agreement(&[
        (&["PostgreSQL for 30 students, each their own database"], &[ONE], &[]),
        (&["PostgreSQL für fünf Teams, je eine eigene Datenbank"], &[ONE], &[]),
        (&["MySQL para tres clientes, cada uno su base de datos"], &[ONE], &[]),
        (&["PostgreSQL pour trois équipes, chacun sa base"], &[ONE], &[]),
        (&["MySQL, a separate database per app, and every app a database of its own"], &[ONE], &[]),
        (&["PostgreSQL, a backup of the database every night"], &[], &[ONE]),
        (&["PostgreSQL, jede Nacht eine Sicherung der Datenbank"], &[], &[ONE]),
        (&["MySQL with its own database called shop"], &[], &[ONE]),
    ])
    .await;
}
