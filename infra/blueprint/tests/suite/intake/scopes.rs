//! Words and numbers that belong to something other than the plan: a right that somebody lacks, a limit, an old machine, a
//! folder, and a word that is a name only elsewhere.

use super::accounts::after_agreement;

/// A right that somebody must not have is not listed as left out.
#[tokio::test]
async fn a_right_that_somebody_lacks_is_not_left_out() {
    for_all(&[
        (
            &["An ELK stack at Hetzner", "Mira may look, but she must not delete anything in it"],
            &["| not understood"],
        ),
        (&["PostgreSQL at Hetzner", "Tom must not delete records"], &["delete"]),
        (&["PostgreSQL bei Hetzner", "Tom darf nichts löschen"], &["löschen"]),
        (&["PostgreSQL en Hetzner", "Tomás no debe borrar nada"], &["borrar"]),
        (&["PostgreSQL chez Hetzner", "Tom ne doit rien supprimer"], &["supprimer"]),
    ])
    .await;
}

async fn for_all(cases: &[(&'static [&'static str], &'static [&'static str])]) {
    let cases: Vec<_> = cases
        .iter()
        .map(|(messages, has)| (*messages, *has, &["left out, as asked"][..]))
        .collect();
    after_agreement(&cases).await;
}

/// A word that is a name elsewhere asks for nothing, and a name that may have to change is asked about.
#[tokio::test]
async fn a_word_that_is_also_a_name_is_not_doubted() {
    after_agreement(&[
        (
            &[
                "PostgreSQL at Hetzner, the database is named members",
                "Tom has to enter new members",
            ],
            &["database: members | built"],
            &["so far"],
        ),
        (
            &["PostgreSQL bei Hetzner, Datenbank kurse", "Die Leiterin legt auch neue kurse an"],
            &["database: kurse | built"],
            &["so far"],
        ),
        (
            &[
                "PostgreSQL at Hetzner, the database is named billing",
                "role ro may select only on billing",
            ],
            &["database: billing | built"],
            &["so far"],
        ),
        (
            &["A VPS named falcon", "falcon is taken by the other team, osprey it is"],
            &["falcon so far"],
            &[],
        ),
    ])
    .await;
}

/// A limit of the disk, contents that are there, and a version give no size.
#[tokio::test]
async fn a_limit_and_contents_give_no_size() {
    after_agreement(&[
        (
            &["Prometheus and Grafana at Hetzner", "Alert if the disk has less than 25 GB free"],
            &["monitoring-stack"],
            &["25 gb of disk"],
        ),
        (
            &[
                "Prometheus und Grafana bei Hetzner",
                "Alarm, wenn auf der Platte weniger als 25 GB frei sind",
            ],
            &["monitoring-stack"],
            &["25 gb of disk"],
        ),
        (
            &[
                "Prometheus y Grafana en Hetzner",
                "avisa si en el disco quedan menos de 25 GB libres",
            ],
            &["monitoring-stack"],
            &["25 gb of disk"],
        ),
        (
            &["Prometheus et Grafana chez Hetzner", "alerte si le disque a moins de 25 Go libres"],
            &["monitoring-stack"],
            &["25 gb of disk"],
        ),
        (
            &["MySQL at Hetzner. The data (about 45 GB) moves with it."],
            &["vps-mysql"],
            &["45 gb of disk"],
        ),
        (
            &["MySQL bei Hetzner. Die Daten (ca. 45 GB) ziehen mit um."],
            &["vps-mysql"],
            &["45 gb of disk"],
        ),
        (
            &["An EC2 server in Frankfurt with a 60 GB disk", "Docker 28 on it"],
            &["volume-gb 60"],
            &["so far"],
        ),
        (
            &["Prometheus and Grafana at Hetzner, keep metrics 90 days", "alert at disk 75"],
            &["retention-days 90"],
            &["so far"],
        ),
        (&["A VPS at Hetzner, at least 35 GB free disk"], &["35 gb of disk"], &[]),
        (&["MySQL at Hetzner, disk at least 150 GB"], &["at least 150 gb of disk"], &[]),
    ])
    .await;
}

/// What is said of an old machine is not said of the new one.
#[tokio::test]
async fn an_old_machine_gives_no_values() {
    after_agreement(&[
        (
            &["MySQL at Hetzner", "leave the old server running for three more weeks"],
            &["dump-days 14"],
            &["dumps kept: 21"],
        ),
        (
            &["MySQL bei Hetzner", "den alten Server noch drei Wochen stehen lassen"],
            &["dump-days 14"],
            &["dumps kept: 21"],
        ),
        (
            &["MySQL en Hetzner", "el servidor antiguo déjalo tres semanas más"],
            &["dump-days 14"],
            &["dumps kept: 21"],
        ),
        (
            &["MySQL chez Hetzner", "laissez l'ancien serveur encore trois semaines"],
            &["dump-days 14"],
            &["dumps kept: 21"],
        ),
        (&["MySQL at Hetzner. The old one: 2 cores, 4 GB, 40 GB disk."], &[], &["| server size"]),
        (&["MySQL bei Hetzner. Der alte: 2 Kerne, 4 GB, 40 GB Platte."], &[], &["| server size"]),
        (
            &["MySQL at Hetzner, 8 GB of RAM, dumps kept three weeks"],
            &["dump-days 21", "8 gb of memory"],
            &[],
        ),
    ])
    .await;
}

/// A folder asks for nothing.
#[tokio::test]
async fn a_folder_chooses_no_deployment() {
    after_agreement(&[
        (&["ship /var/log/nginx/access.log from our hosts to Elasticsearch, which we already have"], &[], &["blueprint: nginx-site"]),
        (&["nginx for a.example, logs in /var/log/nginx"], &["blueprint: nginx-site"], &[]),
    ])
    .await;
}

/// The place of readers is not the place of the site.
#[tokio::test]
async fn where_a_site_is_to_be_fast_is_not_where_it_is() {
    after_agreement(&[
        (
            &[
                "S3 and CloudFront in London for shop.example",
                "can it be quick in the US as well? We have testers in Texas",
            ],
            &["region eu-west-2"],
            &["us-east"],
        ),
        (
            &[
                "S3 und CloudFront in Frankfurt für shop.example",
                "es soll auch in Singapur schnell laden",
            ],
            &["region eu-central-1"],
            &["ap-southeast"],
        ),
        (
            &[
                "S3 con CloudFront en España para tienda.example",
                "que cargue rápido en Canadá también",
            ],
            &["region eu-south-2"],
            &["canada | instead"],
        ),
    ])
    .await;
}

/// The “https” of a wish has a row, and that of an address has none.
#[tokio::test]
async fn https_has_a_row() {
    const TLS: &str = "tls with a certificate that is valid | built";
    after_agreement(&[
        (&["Django for app.example with https"], &[TLS], &[]),
        (&["WordPress für blog.example mit https"], &[TLS], &[]),
        (&["un nginx para web.example, con https"], &[TLS], &[]),
        (&["un site nginx pour page.example, en https bien sûr"], &[TLS], &[]),
        (&["Prometheus for https://a.example/health at Hetzner"], &[], &[TLS]),
        (
            &["A VPS with ports 80 and 443 for http and https"],
            &["open-ports 80,443"],
            &["https | not"],
        ),
    ])
    .await;
}

/// A share of something, and a way that is not built, are in a row.
#[tokio::test]
async fn a_share_and_a_way_that_is_not_built_are_rows() {
    after_agreement(&[
        (
            &[
                "Prometheus and Grafana at Hetzner",
                "an alert when the disk is above ninety percent",
            ],
            &["ninety percent"],
            &[],
        ),
        (
            &["Prometheus bei Hetzner", "wenn die Platte über neunzig Prozent ist"],
            &["neunzig prozent"],
            &[],
        ),
        (
            &["A Debian server at Hetzner", "SSH only through the VPN"],
            &["ssh only through the vpn | not understood"],
            &[],
        ),
        (
            &["Ein Debian-Server bei Hetzner", "SSH nur über das VPN"],
            &["ssh nur über das vpn | not understood"],
            &[],
        ),
        (
            &["Un servidor Debian en Hetzner", "el ssh solo por la vpn"],
            &["ssh solo por la vpn | not understood"],
            &[],
        ),
        (
            &["Un serveur Debian chez Hetzner", "ssh uniquement par le VPN"],
            &["ssh uniquement par le vpn | not understood"],
            &[],
        ),
        (
            &["A Debian server at Hetzner with SSH and a VPN"],
            &["vpn | not built"],
            &["| not understood"],
        ),
    ])
    .await;
}
