//! Lists under a label, as people paste them from a ticket: what is out of scope, and what exists already.

use super::accounts::{Case, each};

#[tokio::test]
async fn what_is_out_of_scope_chooses_nothing_and_is_left_out() {
    const CASES: &[Case] = &[
        (
            &["PostgreSQL and Redis on one VPS. Out of scope: Kubernetes, multi-region."],
            &["blueprint: vps-postgresql", "additions redis", "left out, as asked: kubernetes"],
            &["k3s", "kubernetes | not"],
        ),
        (
            &["PostgreSQL y Redis en un VPS. Fuera de alcance: Kubernetes, autoescalado."],
            &["blueprint: vps-postgresql", "left out, as asked: kubernetes, autoescalado"],
            &["fuera | not", "kubernetes | not"],
        ),
        (
            &["Ein VPS mit PostgreSQL. Nicht enthalten: Kubernetes, Monitoring."],
            &["blueprint: vps-postgresql", "left out, as asked: kubernetes, monitoring"],
            &["kubernetes | not", "enthalten"],
        ),
        (
            &["Un VPS avec MySQL. Hors périmètre : Redis, Kubernetes"],
            &["blueprint: vps-mysql", "additions none", "left out, as asked: redis, kubernetes"],
            &["kubernetes | not"],
        ),
    ];
    each(CASES).await;
}

#[tokio::test]
async fn a_list_of_what_exists_asks_for_none_of_it() {
    const CASES: &[Case] = &[
        (
            &["Existing services: Ghost, MySQL, nginx. A VPS with PostgreSQL"],
            &["blueprint: vps-postgresql"],
            &["ghost", "| mysql", "| nginx"],
        ),
        (
            &["WordPress für www.acme.com. Bestehende Dienste: Mailserver, Nextcloud."],
            &["blueprint: wordpress"],
            &["nextcloud", "bestehende"],
        ),
    ];
    each(CASES).await;
}

#[tokio::test]
async fn a_host_that_the_site_leaves_is_not_its_domain() {
    const CASES: &[Case] = &[
        (
            &["Move the WordPress site currently at old.acme.org to www.acme.com"],
            &["domain www.acme.com"],
            &[],
        ),
        (
            &["A WordPress site called www.acme.com as a replacement for the acme.org website"],
            &["domain www.acme.com"],
            &[],
        ),
    ];
    each(CASES).await;
}

#[tokio::test]
async fn what_a_deployment_has_in_another_form_is_not_called_missing() {
    const CASES: &[Case] = &[
        (
            &["WordPress for www.acme.com with Apache and MySQL"],
            &["apache | instead: nginx", "mysql | instead: mariadb"],
            &["apache | not", "mysql | not"],
        ),
        (
            &["Ein WP mit MySQL für www.acme.com"],
            &["blueprint: wordpress", "mysql | instead: mariadb"],
            &[],
        ),
        (
            &["Another server with 1 GB memory, install Redis"],
            &["redis-memory-mb 256"],
            &["redis's memory"],
        ),
        (
            &["Create the shop_prod database on MySQL, nightly dumps, 7-day retention"],
            &["database shop_prod", "dump-days 7"],
            &[],
        ),
        (
            &["Una base de datos inicial en MySQL"],
            &["blueprint: vps-mysql", "database app"],
            &["database inicial"],
        ),
    ];
    each(CASES).await;
}
