//! Times, limits and restrictions: tables of values outside their limits, and of wishes for some times or some people.

use super::accounts::each;

#[tokio::test]
async fn a_span_of_time_is_read_in_months_and_years() {
    each(&[
        (&["PostgreSQL, keep the backups for 3 months"], &["dump-days 90"], &["not understood"]),
        (&["MySQL, dumps for half a year"], &["dump-days 182"], &["not understood"]),
        (&["ELK, Logs ein Jahr aufbewahren"], &["retention-days 365"], &["not understood"]),
        (&["elk, journaux conservés six mois"], &["retention-days 180"], &["not understood"]),
        (&["mysql con copias durante dos meses"], &["dump-days 60"], &["not understood"]),
        (&["monitoring, 14d"], &["retention-days 14"], &["not understood"]),
    ])
    .await;
}

#[tokio::test]
async fn a_span_outside_the_limits_becomes_the_nearest_one_and_a_row() {
    each(&[
        (
            &["ELK, keep logs for 2 years"],
            &["retention-days 366", "| 2 years | instead: 366 days, the longest here"],
            &["kept for: "],
        ),
        (
            &["ELK, keep logs for 2 years", "180 days, then"],
            &["retention-days 180"],
            &["2 years |"],
        ),
        (
            &["MySQL, Backups zehn Jahre aufheben", "doch PostgreSQL"],
            &["vps-postgresql ·", "dump-days 366", "zehn jahre | instead: 366 days"],
            &[],
        ),
        (&["k3s with seven nodes"], &["servers 3", "seven nodes | instead: one to three"], &[]),
        (&["k3s with seven nodes", "two will do"], &["servers 2"], &["seven nodes |"]),
    ])
    .await;
}

#[tokio::test]
async fn a_span_of_something_else_is_not_how_long_data_is_kept() {
    each(&[
        (
            &["PostgreSQL, the certificate is for 90 days"],
            &["dump-days 14", "90 days | not understood"],
            &[],
        ),
        (
            &["PostgreSQL, keep access logs 20 days"],
            &["dump-days 14", "access logs 20 days | not understood"],
            &[],
        ),
        (&["A VPS for a month"], &["a month | not understood"], &[]),
        (&["MySQL at 3:30 every day"], &["3:30"], &[]),
    ])
    .await;
}

#[tokio::test]
async fn a_port_for_some_is_neither_open_to_all_nor_a_way_in_by_ssh() {
    each(&[
        (
            &["MySQL. 3306 must only be open to 10.0.0.0/8"],
            &["ssh-from sandbox", "3306 must only be open to 10.0.0.0/8 | not understood"],
            &[],
        ),
        (
            &["EC2, ssh from 10.8.0.0/16, port 8080 reachable from 10.8.0.0/16 too"],
            &["ssh-from 10.8.0.0/16", "port 8080 reachable from 10.8.0.0/16 | not understood"],
            &[],
        ),
        (
            &["A VPS, ports 80 and 8443 open, but 8443 only for the office 203.0.113.40"],
            &["open-ports 80", "ssh-from sandbox", "8443 only for the office 203.0.113.40"],
            &["80,8443"],
        ),
        (
            &["A VPS, ports 80 and 8443 open", "8443 only from 203.0.113.40 please"],
            &["open-ports 80", "| open ports: 8443 only from 203.0.113.40 | instead: closed"],
            &["80,8443"],
        ),
        (&["Ein VPS, Port 8443 für alle"], &["open-ports 8443"], &["not understood"]),
        (
            &["MySQL, 3306 solo desde 203.0.113.15", "la oficina ahora es 203.0.113.16"],
            &["ssh-from sandbox", "203.0.113.16 | not understood"],
            &[],
        ),
        (
            &["nginx für www.beispiel.de", "Port 80 bitte ganz sperren"],
            &["port 80"],
            &["nothing open"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_wish_for_some_times_does_not_count_for_all_times() {
    each(&[
        (
            &["monitoring, alertes seulement le jour et rétention de 60 jours"],
            &["retention-days 60", "alertes seulement le jour | instead: alerts"],
            &[],
        ),
        (&["monitoring with alerts by day"], &["day | not understood"], &[]),
        (
            &["monitoring with alerts", "no alerts on weekends"],
            &["alerts | built", "no alerts on weekends | not understood"],
            &["without alert"],
        ),
        (
            &["MySQL, am Wochenende keine Backups"],
            &["am wochenende keine backups | not understood"],
            &["without backup"],
        ),
        (&["PostgreSQL, backups for 3 months except on sundays"], &["except on sundays"], &[]),
    ])
    .await;
}

#[tokio::test]
async fn a_later_message_adds_to_a_list_or_takes_away_from_it() {
    each(&[
        (
            &["monitoring, watch https://a.example.com", "also watch https://b.example.com"],
            &["watch https://a.example.com,https://b.example.com"],
            &[],
        ),
        (
            &[
                "monitoring, watch https://a.example.com, https://b.example.com",
                "drop https://a.example.com",
            ],
            &["watch https://b.example.com"],
            &["a.example.com"],
        ),
        (
            &["A VPS, ssh from 203.0.113.7", "also ssh from 203.0.113.9"],
            &["ssh-from 203.0.113.7/32,203.0.113.9/32"],
            &[],
        ),
        (&["nginx for www.example.com", "drop example.net"], &["domain www.example.com"], &[]),
        (
            &["nginx for www.example.com and example.com"],
            &["domain www.example.com", "| example.com | not built"],
            &[],
        ),
        (&["k3s on two nodes", "and a third node"], &["servers 3"], &["third"]),
    ])
    .await;
}

#[tokio::test]
async fn a_part_of_the_deployment_does_not_replace_it() {
    each(&[
        (
            &["Django at app.example.com with PostgreSQL 16", "use postgres 17 then"],
            &["django ·", "postgresql 16 | instead: postgresql 17"],
            &[],
        ),
        (&["Django at app.example.com", "just PostgreSQL"], &["vps-postgresql ·"], &[]),
        (&["Django ohne Redis", "mit Redis ist auch gut"], &["django ·"], &["without redis"]),
        (&["A VPS without IPv6"], &["without ipv6 | instead: with ipv6"], &[]),
        (&["elk without TLS"], &["without tls | instead"], &[]),
        (
            &["MySQL with two databases, crm and shop", "rename crm to leads"],
            &["rename crm to leads"],
            &["· name crm"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_sentence_in_another_language_is_understood() {
    each(&[
        (
            &["Ich möchte PostgreSQL in Helsinki. Please keep the backups for two months. Und Redis dazu."],
            &["location hel1", "dump-days 60", "additions redis"],
            &["not understood"],
        ),
        (
            &["quiero un VPS en Helsinki", "sin Redis, por favor. Please also open port 9443."],
            &["open-ports 9443", "additions none"],
            &["not understood"],
        ),
        (&["I want MySQL. Die Datenbank heißt lager. Danke."], &["database lager"], &["danke"]),
    ])
    .await;
}
