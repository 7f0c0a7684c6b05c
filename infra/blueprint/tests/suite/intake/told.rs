//! What a message tells or restricts beside its wish: a size of the past, another disk, a name that changes, a price.

use super::accounts::after_agreement;
use crate::support::Chat;

/// A size of the past is not the wish, and neither is one that the message calls too small.
#[tokio::test]
async fn the_size_that_is_needed_counts_and_not_the_former_one() {
    after_agreement(&[
        (
            &["A PostgreSQL server. It was 4 GB of RAM before, I need 16"],
            &["16 gb of memory | built"],
            &["4 gb of memory", "| 16 |"],
        ),
        (
            &["Ein Server in Helsinki. Der alte hatte 8 GB RAM, jetzt sollen es 32 sein."],
            &["32 gb of memory | built"],
            &["8 gb of memory", "| 32 |"],
        ),
        (
            &["Un servidor con MySQL. Antes eran 4 GB de RAM, necesito 16."],
            &["16 gb of memory | built"],
            &["| server size: 4 gb", "| 16 |"],
        ),
        (
            &["Un PostgreSQL avec Redis. C'était 4 Go de RAM ; il m'en faut 16."],
            &["16 gb of memory | built"],
            &["| server size: 4 gb", "| redis's memory"],
        ),
        (
            &["Un VPS. 4 GB de RAM no me llegan, ponme 8"],
            &["8 gb of memory | built"],
            &["| server size: 4 gb"],
        ),
        (&["A VPS with MySQL. I had 8 GB of RAM in mind."], &["8 gb of memory | built"], &[]),
        (&["Ein VPS mit 8 GB RAM wie der alte"], &["8 gb of memory | built"], &[]),
    ])
    .await;
}

/// A disk beside the server's own says nothing of the server's size.
#[tokio::test]
async fn another_disk_is_none_of_the_server() {
    const OWN: &str = "only the server's own disk of 40 gb";
    after_agreement(&[
        (
            &["A VPS in Helsinki with a 100 GB volume attached"],
            &["100 gb volume attached", OWN],
            &["of disk | built", "| 100 gb |"],
        ),
        (
            &["Ein VPS in Helsinki, dazu ein zusätzliches Volume mit 100 GB"],
            &["zusätzliches volume mit 100 gb", OWN],
            &["| 100 gb |"],
        ),
        (
            &["Un VPS à Helsinki avec un volume de 100 Go en plus"],
            &["volume de 100 go", OWN],
            &["| 100 gb |"],
        ),
        (
            &["Un VPS en Helsinki. Volumen aparte, 100 GB."],
            &["volumen aparte 100 gb", OWN],
            &["| 100 gb |"],
        ),
        (
            &["MySQL at Hetzner, data on a second disk, 200 GB, not on the root disk"],
            &["second disk 200 gb not on the root disk", OWN],
            &["| no login as root", "of disk | built"],
        ),
        (
            &["An EC2 instance with an extra 100 GB EBS volume"],
            &["only the server's own disk of 10 gb"],
            &["| root volume: 100"],
        ),
        (&["An EC2 instance with an encrypted 40 GB volume"], &["root volume: 40 | built"], &[]),
        (&["MySQL bei Hetzner, 100 GB Festplatte"], &["100 gb of disk"], &[OWN]),
        (
            &["A VPS with a 100 GB volume attached", "make it a cx43"],
            &["only the server's own disk of 160 gb"],
            &["of 40 gb"],
        ),
    ])
    .await;
}

/// “Not on the root disk” and “I can't give you root” say nothing of root's login.
#[tokio::test]
async fn root_is_not_always_a_login() {
    after_agreement(&[
        (&["Ein VPS, die Daten nicht auf der Root-Platte"], &[], &["| no login as root"]),
        (&["A VPS. I can't give you root on it."], &[], &["| no login as root"]),
        (&["A VPS, no root"], &["no login as root | built"], &[]),
        (&["Un VPS sin acceso como root"], &["no login as root | built"], &[]),
    ])
    .await;
}

/// The domain of subdomains is none of the site, and a name that changes is none of the server.
#[tokio::test]
async fn a_name_that_is_open_is_not_taken() {
    after_agreement(&[
        (
            &["WordPress for our clubs, subdomains of oakridge.example"],
            &["oakridge.example | not built"],
            &["| domain: oakridge.example"],
        ),
        (
            &["WordPress para los clubes, subdominios de oakridge.example"],
            &["oakridge.example | not built"],
            &["| domain: oakridge.example"],
        ),
        (
            &["WordPress pour les clubs, sous-domaines de oakridge.example"],
            &["oakridge.example | not built"],
            &["| domain: oakridge.example"],
        ),
        (
            &["WordPress on the subdomain blog.oakridge.example"],
            &["domain: blog.oakridge.example | built"],
            &[],
        ),
        (
            &["Ein VPS in Helsinki. Der Name ändert sich noch."],
            &["| a basic vps | built"],
            &["| server name:"],
        ),
        (
            &["A VPS in Helsinki. The name is going to change later."],
            &["| a basic vps | built", "location: hel1 | built"],
            &["| server name:", "later, as asked"],
        ),
        (&["A VPS in Helsinki. Its name is heron."], &["server name: heron | built"], &[]),
    ])
    .await;
}

/// A deployment that opens ports does not fulfill a wish for none.
#[tokio::test]
async fn no_port_at_all_is_not_built() {
    after_agreement(&[
        (
            &["Prometheus and Grafana at Hetzner, no open ports at all"],
            &["ssh is open, on port 22"],
            &["| nothing open but"],
        ),
        (
            &["WordPress für blog.example, nichts von außen erreichbar"],
            &["open to everybody on 80 and 443"],
            &["| nothing open but"],
        ),
        (
            &["WordPress pour blog.example, aucun port ouvert"],
            &["open to everybody on 80 and 443"],
            &["| nothing open but"],
        ),
        (
            &["WordPress para blog.example, ningún puerto abierto"],
            &["open to everybody on 80 and 443"],
            &["| nothing open but"],
        ),
        (
            &["A VPS with MySQL, no other open ports"],
            &["nothing open but what is planned | built"],
            &["ssh is open"],
        ),
        (&["A VPS, no open ports except SSH"], &[], &["ssh is open"]),
    ])
    .await;
}

/// What is to be left out at a price is a condition of its own, and leaves nothing out.
#[tokio::test]
async fn a_condition_about_the_price_is_repeated() {
    after_agreement(&[
        (
            &["A VPS with Prometheus. If it costs extra, leave the monitoring out"],
            &["if it costs extra leave the monitoring out | not understood"],
            &["without monitoring"],
        ),
        (
            &["PostgreSQL mit Redis. Wenn Redis extra kostet, dann lass es."],
            &["wenn redis extra kostet dann lass es", "redis | built"],
            &[],
        ),
        (
            &["PostgreSQL con Redis. Si cuesta más, déjalo."],
            &["si cuesta más déjalo", "redis | built"],
            &[],
        ),
        (
            &["PostgreSQL avec Redis. Laissez tomber Redis s'il coûte plus cher."],
            &["redis | built"],
            &[],
        ),
        (&["PostgreSQL without Redis"], &[], &["redis | built"]),
    ])
    .await;
}

/// A later percentage takes the place of the one in its row.
#[tokio::test]
async fn a_percentage_is_corrected_in_its_row() {
    after_agreement(&[
        (
            &["Prometheus, Grafana, alert when the disk is over 80 percent", "not 80, 90 percent"],
            &["disk is over 90 percent"],
            &["over 80", "| not 80", "| 90 percent"],
        ),
        (
            &["Prometheus, Grafana, Alarm bei Platte über 85 Prozent", "Mach 90 Prozent draus"],
            &["platte über 90 prozent"],
            &["über 85", "| 90 prozent"],
        ),
        (
            &["Prometheus, Grafana, alerte si le disque dépasse 80 %", "plutôt 90 %"],
            &["disque dépasse 90"],
            &["dépasse 80", "| 90 |"],
        ),
        (
            &[
                "Prometheus, Grafana, alert when the disk is over 80 percent",
                "and 90 percent of memory",
            ],
            &["disk is over 80 percent"],
            &[],
        ),
    ])
    .await;
}

/// A site with a certificate needs a domain, and says so if an address is to be enough.
#[tokio::test]
async fn an_address_alone_is_not_enough_for_a_certificate() {
    const NEEDED: &str = "with a domain, which the certificate needs";
    after_agreement(&[
        (&["Django app, an IP address is enough"], &[NEEDED], &[]),
        (&["Django-App, die IP reicht"], &[NEEDED], &[]),
        (&["App Django, con una dirección IP me basta"], &[NEEDED], &[]),
        (&["Appli Django, une adresse IP suffit"], &[NEEDED], &[]),
        (&["Django app, we have no domain"], &[NEEDED], &[]),
        (&["Django app for app.example.org, one IP is enough for SSH"], &[], &[NEEDED]),
    ])
    .await;
}

/// Another system and its version are one wish.
#[tokio::test]
async fn a_version_of_another_system_is_in_its_row() {
    after_agreement(&[
        (
            &["A VPS with Ubuntu 24.04"],
            &["| ubuntu 24.04 | instead: debian 13"],
            &["| ubuntu |", "not understood, so"],
        ),
        (
            &["EC2 mit Amazon Linux 2023"],
            &["| amazon linux 2023 | instead: debian"],
            &["not understood, so"],
        ),
        (&["Un VPS con Ubuntu"], &["| ubuntu | instead: debian 13"], &[]),
    ])
    .await;
}

/// A program on its own machine is not on a machine of the user.
#[tokio::test]
async fn a_machine_of_its_own_is_none_of_the_user() {
    after_agreement(&[
        (
            &["Django mit Celery, Postgres auf eigener Maschine"],
            &["postgres"],
            &["| on an existing server"],
        ),
        (
            &["Django avec Celery, Postgres sur sa propre machine"],
            &["postgres"],
            &["| on an existing server"],
        ),
        (&["PostgreSQL auf unserer eigenen Maschine im Keller"], &["| on an existing server"], &[]),
    ])
    .await;
}

/// A server type that the model takes for a size is in the row for the size.
#[tokio::test]
async fn a_size_has_one_row() {
    after_agreement(&[
        (&["A VPS with 8 GB of RAM"], &["8 gb of memory | built"], &["| server size: cx33 |"]),
        (
            &["Ein VPS mit 8 GB RAM", "doch 16 GB RAM"],
            &["16 gb of memory | built"],
            &["| server size: cx43 |"],
        ),
        (&["A VPS, cx33"], &["| server size: cx33 | built"], &[]),
        (&["A VPS, cx33 with 8 GB of RAM"], &["| server size: cx33 | built"], &[]),
    ])
    .await;
}

/// A key by which the user logs in is what every server asks for.
#[tokio::test]
async fn a_login_with_a_key_is_built() {
    after_agreement(&[
        (&["A VPS, I log in with an SSH key"], &["ssh logins by key only | built"], &[]),
        (&["Ein VPS, Anmeldung mit SSH-Schlüssel"], &["ssh logins by key only | built"], &[]),
        (&["Un VPS con clave SSH"], &["ssh logins by key only | built"], &[]),
        (&["Un VPS avec une clé SSH"], &["ssh logins by key only | built"], &[]),
        (&["A VPS, I have no SSH key"], &[], &["ssh logins by key only | built"]),
    ])
    .await;
}

/// A domain that the user has is not a thing that they want left out, so their words are not repeated for it.
#[tokio::test]
async fn a_domain_that_the_user_has_is_not_new_one() {
    for (message, named) in [
        (
            "WordPress. Die Domain ist blog.example, ich habe sie schon bei OVH gekauft.",
            "eine neue Domain.",
        ),
        (
            "Un WordPress. Le nom de domaine est blog.example, il est déjà acheté chez OVH.",
            "un nouveau domaine.",
        ),
        ("Un WordPress. El dominio es blog.example, ya está comprado en OVH.", "un dominio nuevo."),
        ("A WordPress. The domain is blog.example, already bought at OVH.", "a new domain."),
    ] {
        let (_, answers) = Chat::gatherer().turn(message).await;
        let said: String = answers.iter().map(|answer| answer.text.as_str()).collect();
        assert_eq!(said.matches(named.trim_end_matches('.')).count(), 1, "{message}: {said}");
        assert!(said.contains(named), "{message}: {said}");
    }
}

/// What stays off was ruled out before, and is not a new wish.
#[tokio::test]
async fn what_stays_off_is_not_asked_for() {
    after_agreement(&[
        (&["Postgres ohne TLS", "TLS bleibt aus"], &[], &["| tls | not built"]),
        (&["postgres, no TLS", "TLS stays off"], &[], &["| tls | not built"]),
        (&["postgres", "with TLS, please"], &["| tls | not built"], &[]),
    ])
    .await;
}
