//! Two things of one conversation keep their own values: a size, a name or a number of one never goes to the other.

use super::accounts::after_agreement;

#[tokio::test]
async fn a_memory_goes_to_the_program_or_machine_beside_it() {
    after_agreement(&[
        (
            &["Postgres with 8 GB of RAM and Redis with 1 GB"],
            &["redis-memory-mb 1024", "server-type cx33", "8 gb of memory | built"],
            &[],
        ),
        (
            &["MySQL mit 16 GB RAM und ein Redis mit 512 MB"],
            &["redis-memory-mb 512", "server-type cx43"],
            &[],
        ),
        (
            &["PostgreSQL con 8 GB y Redis con 1 GB"],
            &["redis-memory-mb 1024", "8 gb of memory | built"],
            &["8 gb | not built"],
        ),
        (
            &["Postgres on a 4 GB server and Redis on a 2 GB server"],
            &["redis-memory-mb 256", "4 gb of memory | built", "2 gb | not built"],
            &[],
        ),
        (&["MySQL with 16 GB RAM and Redis"], &["16 gb of memory | built"], &["16 gb | not"]),
        (&["WordPress for www.example.com with 8 GB"], &["8 gb of memory | built"], &[]),
    ])
    .await;
}

#[tokio::test]
async fn a_number_with_another_unit_is_not_the_planned_one() {
    after_agreement(&[
        (
            &["HAProxy in front of two app servers, the balancer with 2 GB"],
            &["app-servers 2", "2 gb of memory"],
            &[],
        ),
        (&["k3s with 3 nodes, 3 cores for the database"], &["servers 3", "3 cores"], &[]),
    ])
    .await;
}

#[tokio::test]
async fn the_name_of_a_second_database_is_not_that_of_the_first() {
    after_agreement(&[
        (
            &["A PostgreSQL database and a second database named customers"],
            &["database app", "customers | not understood", "second database | instead: one"],
            &[],
        ),
        (
            &["PostgreSQL, the database is called orders and another one called stats"],
            &["database orders", "stats"],
            &["database: stats"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn two_databases_are_built_if_redis_is_one_of_them() {
    const ONE: &str = "two databases | instead: one";
    after_agreement(&[
        (&["Two databases: Postgres for the app and Redis for the queue"], &["redis"], &[ONE]),
        (&["Two databases: Postgres for the app and MySQL for the shop"], &[ONE], &[]),
    ])
    .await;
}

#[tokio::test]
async fn a_second_server_takes_no_disk_of_the_first() {
    after_agreement(&[(
        &["An EC2 server with 100 GB disk and a second EC2 with 20 GB disk"],
        &["volume-gb 100", "second ec2 | instead: one", "20 gb | not built"],
        &[],
    )])
    .await;
}

#[tokio::test]
async fn a_file_or_package_is_not_a_domain() {
    after_agreement(&[
        (&["A VPS with nginx for main.go"], &["domain www.example.org", "main.go"], &[]),
        (&["nginx in front of worker.rb"], &["domain www.example.org", "worker.rb"], &[]),
        (&["nginx, the app uses socket.io"], &["domain www.example.org", "socket.io"], &[]),
        (&["nginx for www.firma.rs"], &["domain www.firma.rs"], &[]),
    ])
    .await;
}

#[tokio::test]
async fn a_server_that_the_user_has_is_in_the_list() {
    const NEW: &str = "on an existing server | instead: on a new server at hetzner";
    after_agreement(&[
        (&["I already have two boxes at Hetzner, set up Postgres on one of them"], &[NEW], &[]),
        (&["Wir haben bei Hetzner schon zwei Server, bitte PostgreSQL einrichten"], &[NEW], &[]),
        (&["Our VPS from OVH should get WordPress for www.example.com"], &[NEW], &[]),
        (&["I rent a root server from Strato and want MySQL on it"], &[NEW], &[]),
        (&["PostgreSQL sur un VPS chez OVH que nous avons déjà"], &[NEW], &[]),
        (&["I have a server at OVH. Please build a PostgreSQL at Hetzner"], &[], &[NEW]),
        (&["I want to rent a server with MySQL"], &[], &[NEW]),
        (&["Our server should be in Falkenstein, with PostgreSQL"], &[], &[NEW]),
    ])
    .await;
}

#[tokio::test]
async fn a_wish_for_production_alone_is_in_the_list() {
    after_agreement(&[
        (&["Monitoring with Grafana, only in production"], &["only in production"], &[]),
        (&["WordPress, only for staging"], &["only for staging"], &[]),
    ])
    .await;
}

#[tokio::test]
async fn a_database_that_must_not_be_public_is_asked_for_all_the_same() {
    after_agreement(&[
        (
            &["nginx and a database, no public access to the database"],
            &["database | not understood", "nothing open but what is planned | built"],
            &[],
        ),
        (
            &["nginx y una base de datos, sin acceso público a la base de datos"],
            &["base de datos | not understood"],
            &[],
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_later_size_without_a_noun_is_that_of_the_disk() {
    after_agreement(&[
        (&["EC2 with a 30 GB disk", "make that 50 GB"], &["volume-gb 50"], &["50 gb | not built"]),
        (&["EC2 with a 30 GB disk", "and 50 GB of backups"], &["volume-gb 30"], &[]),
        (&["EC2 with a 30 GB disk", "does 50 GB cost more?"], &["volume-gb 30"], &[]),
        (
            &["Postgres with Redis", "set maxmemory to 512mb"],
            &["redis-memory-mb 512"],
            &["| maxmemory"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn more_workers_than_a_cluster_has_are_in_the_list() {
    after_agreement(&[
        (
            &["k3s, ein Master und zwei Worker", "doch drei Worker"],
            &["drei worker | instead: one to three servers"],
            &["3 so far"],
        ),
        (
            &["k3s with one master and two workers", "actually three workers"],
            &["three workers | instead: one to three servers"],
            &[],
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_size_of_each_machine_is_that_of_the_server() {
    after_agreement(&[
        (
            &["Two app servers behind HAProxy, 2 cores each"],
            &["2 cores | built", "app-servers 2"],
            &[],
        ),
        (
            &["HAProxy before two app servers, the balancer with 2 GB and the apps with 8 GB each"],
            &["8 gb of memory | built", "2 gb | instead: 8 gb of memory"],
            &[],
        ),
        (&["k3s mit drei Knoten, je 8 GB"], &["8 gb of memory | built"], &["| je |"]),
        (
            &["k3s with 3 workers with 4 GB each and a control plane with 8 GB"],
            &["4 gb of memory | built", "8 gb | not built"],
            &[],
        ),
    ])
    .await;
}

#[tokio::test]
async fn the_place_beside_the_deployment_is_its_own() {
    after_agreement(&[
        (
            &["Two servers: one in Nuremberg for the files, the other in Helsinki for PostgreSQL"],
            &["location hel1", "nuremberg | instead: in helsinki"],
            &[],
        ),
        (&["PostgreSQL in Falkenstein and Redis in Helsinki"], &["location fsn1"], &[]),
    ])
    .await;
}

#[tokio::test]
async fn what_is_left_of_a_disk_asks_for_no_disk() {
    after_agreement(&[(
        &["I already rent a VPS from DigitalOcean (10 GB disk left), put Postgres on it"],
        &["on an existing server | instead: on a new server at hetzner"],
        &["at least 10 gb"],
    )])
    .await;
}
