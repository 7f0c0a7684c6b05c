//! Addresses that a user gives, places and names of a part of the servers, and what a user brings.

use super::accounts::after_agreement;

/// Nothing here needs the address that nearly everybody gives, and the row says so.
#[tokio::test]
async fn an_address_is_not_a_wish_for_mail() {
    const ROW: &str = "| instead: no address is needed: nothing here sends mail";
    const NOT: &[&str] = &["mail | not built", "not understood"];
    after_agreement(&[
        (
            &[
                "WordPress for crumb.example in Nuremberg. My email for whatever you need it for is kim@crumb.example.",
            ],
            &["kim@crumb.example", ROW],
            NOT,
        ),
        (&["WordPress, Domain nadel.example, Mail ink@nadel.example"], &["ink@nadel.example", ROW], NOT),
        (&["nginx site for app.example with TLS. ACME mail ops@peltier.example."], &["ops@peltier.example", ROW], NOT),
        (
            &["un wordpress para barro.example. el correo para el certificado: joan@barro.example"],
            &["joan@barro.example", ROW],
            NOT,
        ),
        (
            &["un wordpress pour gite.example. Mon adresse mail : odile@gite.example."],
            &["odile@gite.example", ROW],
            NOT,
        ),
    ])
    .await;
    // What is to be sent there is not built.
    after_agreement(&[(
        &["Prometheus and Grafana for four hosts, mail alerts to noc@crumb.example"],
        &["mail alerts | instead: to a webhook"],
        &["no address is needed"],
    )])
    .await;
}

#[tokio::test]
async fn what_is_said_of_a_part_is_not_said_of_all() {
    after_agreement(&[
        (
            &[
                "hardened debian x4, cpx21, 2 in fsn1 + 2 in hel1.",
                "three boxes will do, so only one in hel1.",
            ],
            &["location fsn1", "only one in hel1 | not understood"],
            &["location: hel1"],
        ),
        (
            &[
                "PostgreSQL 15 con réplica. Primario en fsn1, réplica en hel1.",
                "La réplica al final también en fsn1, con hel1 la latencia nos mata.",
            ],
            &["location fsn1"],
            &["location: hel1"],
        ),
        (
            &["HAProxy neu, 3 Webserver, nbg1. Server sollen web-01 bis web-05 heißen."],
            &["name my-server", "web-01 bis web-05"],
            &["Server name: web-05"],
        ),
        (
            &["k3s cluster with 3 control-plane nodes at Hetzner nbg1"],
            &["control plane nodes | instead: one server runs the control plane"],
            &[],
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_type_is_not_a_domain_and_https_is_not_http() {
    after_agreement(&[
        (
            &["A static site on S3 with CloudFront in eu-central-1, a server t3.medium, domain in Route 53: kaminholz.example"],
            &["domain kaminholz.example"],
            &["Domain: t3.medium"],
        ),
        (&["une page locale sur le port 8090. pas de https"], &["port 8090"], &["without http |"]),
    ])
    .await;
}

/// “The 31st” names a day and not a port, and “swap X for Y” asks for no swap space.
#[tokio::test]
async fn a_word_with_two_meanings_has_that_of_its_sentence() {
    after_agreement(&[
        (
            &["un serveur debian à nbg1, port 443 ouvert. l'ancien hébergeur ferme le 31"],
            &["open-ports 443"],
            &["port 31"],
        ),
        (
            &[
                "Prometheus + Grafana for 3 hosts. PagerDuty alerts.",
                "Swap PagerDuty for plain email to noc@crumb.example",
            ],
            &["pagerduty | not built"],
            &["swap | not built"],
        ),
        (
            &[
                "nginx Seite für brunner.example mit TLS",
                "die Adresse mit www davor soll auch gehen",
            ],
            &["www"],
            &["passes nothing on"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn wordpress_keeps_its_dumps_as_long_as_asked() {
    after_agreement(&[
        (
            &["wordpress for a.example in nbg1, saved every night, and that we can go back at least three weeks"],
            &["dump-days 21", "Dumps kept: 21 | built", "Nightly backups | built"],
            &["three weeks | not"],
        ),
        (
            &[
                "un wordpress para a.example. Copias de seguridad todas las noches, guardadas 14 días.",
                "mejor las copias a la 1 de la madrugada.",
            ],
            &["dump-days 14"],
            &["14 días | not", "Dumps kept: 1 "],
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_refusal_may_come_after_its_thing() {
    after_agreement(&[
        (
            &["wordpress, domain nadel.example", "und backup brauch ich keins"],
            &["without backup | instead: with nightly dumps"],
            &["Nightly backups | built"],
        ),
        (
            &["un wordpress, domaine nadel.example. des sauvegardes je n'en ai pas besoin"],
            &["without backup | instead: with nightly dumps"],
            &["Nightly backups | built"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn pages_that_the_user_brings_are_not_another_wish() {
    after_agreement(&[(
        &["need a website for the choir. html pages exist. choir.example. padlock yes."],
        &["domain choir.example"],
        &["html |"],
    )])
    .await;
    after_agreement(&[(
        &["quiero una pagina web sencilla, ya tengo los html hechos. dominio taller.example"],
        &["domain taller.example"],
        &["html |", "domain | instead"],
    )])
    .await;
}
