//! What a message only speaks of, takes back, asks about or makes depend on something changes no plan.

use super::accounts::after_agreement;

/// A number that a user takes back at once gives way to the one after it.
#[tokio::test]
async fn a_value_that_is_taken_back_at_once_is_not_built() {
    after_agreement(&[
        (
            &["MySQL at Hetzner", "keep dumps 10 days. no wait make that 20"],
            &["dump-days 20"],
            &["dumps kept: 10"],
        ),
        (
            &["MySQL bei Hetzner", "Sicherungen 10 Tage behalten. nein warte, lieber 20"],
            &["dump-days 20"],
            &["dumps kept: 10"],
        ),
        (
            &["MySQL en Hetzner", "guarda las copias 10 días. no espera, mejor 20"],
            &["dump-days 20"],
            &["dumps kept: 10"],
        ),
        (
            &["MySQL chez Hetzner", "garde les sauvegardes 10 jours. non attends, plutôt 20"],
            &["dump-days 20"],
            &["dumps kept: 10"],
        ),
        (
            &[
                "a small web service in the sandbox on port 8000",
                "somebody says 8000 is blocked here; take 8044 then",
            ],
            &["port 8044"],
            &["port: 8000"],
        ),
        (
            &[
                "ein lokaler Webdienst in der Sandbox auf Port 8000",
                "8000 ist bei uns gesperrt; nehmen Sie dann 8044",
            ],
            &["port 8044"],
            &["port: 8000"],
        ),
        (
            &["MySQL at Hetzner, cutover Sunday 03:00-05:00, dumps kept 60 days"],
            &["dump-days 60"],
            &["so far"],
        ),
        (
            &[
                "un servidor Debian en Hetzner, puertos 80 y 443",
                "el 80 sí, hace falta para el certificado",
            ],
            &["open-ports 80,443"],
            &["so far"],
        ),
        (&["MySQL at Hetzner", "no backups on the weekend"], &["vps-mysql"], &[]),
    ])
    .await;
}

/// A later size takes the place of an earlier one.
#[tokio::test]
async fn a_size_before_its_machine_is_read() {
    after_agreement(&[
        (
            &["ELK at Hetzner, 32 GB of RAM", "rather a 16 GB one"],
            &["16 gb of memory | built"],
            &["32 gb of memory"],
        ),
        (&["ELK at Hetzner", "a 16 GB machine please"], &["16 gb of memory | built"], &[]),
        (&["ELK at Hetzner, 32GB mem"], &["32 gb of memory"], &["32 gb of disk"]),
        (
            &["HAProxy for 3 existing app servers at Hetzner: check inter 2s fall 3 rise 2"],
            &["2 so far; please say which one holds"],
            &[],
        ),
        (
            &["HAProxy for 3 existing app servers at Hetzner"],
            &["2 so far; please say which one holds"],
            &["app servers: 2 | built"],
        ),
    ])
    .await;
}

/// What the user asks for by its name replaces a service for a first try that only a health check chose.
#[tokio::test]
async fn a_health_check_gives_way_to_what_is_asked_for() {
    after_agreement(&[
        (
            &[
                "health check on /healthz, not only tcp",
                "so HAProxy at Hetzner, and another one like the old",
            ],
            &["blueprint: haproxy"],
            &["health check path: /healthz | built"],
        ),
        (
            &["Health-Check auf /healthz", "dann auch HAProxy bei Hetzner"],
            &["blueprint: haproxy"],
            &["| instead: inside the sandbox"],
        ),
        (&["a health check on /healthz", "also MySQL at Hetzner"], &["blueprint: vps-mysql"], &[]),
        (
            &["a small web service in the sandbox with /healthz", "also Prometheus"],
            &["blueprint: local-web-service"],
            &[],
        ),
    ])
    .await;
}

/// What runs on a machine that exists, and what an application stores its data in, do not choose.
#[tokio::test]
async fn what_exists_or_is_a_part_does_not_choose() {
    after_agreement(&[
        (
            &["My friend says we need a HAProxy before our two shops. There's a third machine, nothing runs on it."],
            &["blueprint: haproxy"],
            &[],
        ),
        (&["Django with Celery and MySQL for a.example", "we switch to PostgreSQL after all"], &["blueprint: django"], &["left out, as asked: django"]),
        (&["Django avec Celery pour a.example. La base est en MySQL", "on passe à PostgreSQL finalement"], &["blueprint: django"], &["left out, as asked: django"]),
        (&["Django for a.example", "forget Django, just PostgreSQL"], &["blueprint: vps-postgresql"], &[]),
        (&["A server at Hetzner. There is a domain as well: a.example"], &["blueprint: basic-vps"], &[]),
    ])
    .await;
}

/// What is only spoken of does not choose, and does not replace what is planned.
#[tokio::test]
async fn what_is_only_spoken_of_does_not_replace() {
    after_agreement(&[
        (
            &[
                "PostgreSQL at Hetzner",
                "monitoring only if it comes anyway, we'd rather have Checkmk than Prometheus",
            ],
            &["blueprint: vps-postgresql"],
            &[],
        ),
        (
            &["Postgres bei Hetzner", "Monitoring nur falls eh dabei"],
            &["blueprint: vps-postgresql"],
            &[],
        ),
        (
            &["PostgreSQL en Hetzner", "monitorización solo si ya viene incluida"],
            &["blueprint: vps-postgresql"],
            &[],
        ),
        (
            &["PostgreSQL at Hetzner", "rather Prometheus and Grafana"],
            &["blueprint: monitoring-stack"],
            &[],
        ),
        (
            &["An ELK stack for the logs of our servers at Hetzner", "only nginx + app logs"],
            &["blueprint: elk"],
            &["blueprint: nginx-site"],
        ),
        (
            &[
                "Our auditor spoke of ELK. The auditor sprach von ELK",
                "the place is Germany, Hetzner is fine",
            ],
            &["blueprint: elk"],
            &["blueprint: basic-vps"],
        ),
        (
            &["My boss says we need HAProxy", "a plain Debian server at Hetzner is plenty"],
            &["blueprint: basic-vps"],
            &[],
        ),
    ])
    .await;
}

/// A refusal that the same message takes back or makes depend on something is not called the user's wish.
#[tokio::test]
async fn a_doubtful_refusal_is_not_left_out() {
    after_agreement(&[
        (
            &["EC2 in Ireland", "no elastic ip needed. hm wait, yes we do, a partner knows it"],
            &["elastic ip |"],
            &["left out, as asked: elastic ip"],
        ),
        (
            &["EC2 in Irland", "keine Elastic IP. Warte, doch, ein Partner kennt sie"],
            &["elastic ip |"],
            &["left out, as asked: elastic ip"],
        ),
        (
            &["EC2 en Irlanda", "sin elastic ip. Espera, sí, un socio la conoce"],
            &["elastic ip |"],
            &["left out, as asked: elastic ip"],
        ),
        (
            &["PostgreSQL at Hetzner", "a replica if that's easy, otherwise leave the replica out"],
            &["replica"],
            &["left out, as asked: replica"],
        ),
        (&["EC2 in Ireland", "no elastic ip needed"], &["left out, as asked: elastic ip"], &[]),
    ])
    .await;
}

/// What somebody asks about, prefers or pays at most gives no value.
#[tokio::test]
async fn a_question_and_a_condition_give_no_value() {
    after_agreement(&[
        (
            &[
                "Django for a.example",
                "Helsinki is fine, right?? No wait, they say Germany. So Germany.",
            ],
            &["location nbg1"],
            &["location hel1"],
        ),
        (
            &[
                "WordPress for a.example in Falkenstein",
                "not Falkenstein, the client wants Helsinki",
            ],
            &["location hel1"],
            &["nbg1"],
        ),
        (
            &[
                "WordPress für a.example in Falkenstein",
                "nicht Falkenstein, der Kunde will Helsinki",
            ],
            &["location hel1"],
            &["nbg1"],
        ),
        (
            &["ELK at Hetzner, 16 GB of RAM", "and 32 GB instead of 16"],
            &["32 gb of memory"],
            &["32 gb | not built"],
        ),
        (
            &["ELK bei Hetzner, 16 GB RAM", "32 GB statt 16"],
            &["32 gb of memory"],
            &["32 gb | not built"],
        ),
        (
            &["WordPress for a.example", "a backup every night, around three"],
            &["dump-days 14"],
            &["dumps kept: 3"],
        ),
        (
            &["WordPress für a.example", "jede Nacht eine Sicherung, gegen drei"],
            &["dump-days 14"],
            &["dumps kept: 3"],
        ),
        (&["MySQL at Hetzner", "keep the dumps around 20 days"], &["dump-days 20"], &[]),
        (
            &[
                "k3s with 3 servers at Hetzner",
                "as long as it stays below 45 euros a month, otherwise back to 2 servers",
            ],
            &["servers 3"],
            &["servers 2"],
        ),
    ])
    .await;
}

/// An arrow leads from the old value to the new one.
#[tokio::test]
async fn an_arrow_leads_to_the_new_value() {
    after_agreement(&[
        (
            &["MySQL at Hetzner, keep dumps 20 days", "retention 20 -> 25 days"],
            &["dump-days 25"],
            &["dumps kept: 20"],
        ),
        (
            &["MySQL bei Hetzner, Sicherungen 20 Tage", "Aufbewahrung 20 → 25 Tage"],
            &["dump-days 25"],
            &["dumps kept: 20"],
        ),
        (
            &["MySQL en Hetzner, copias 20 días", "retención 20 -> 25 días"],
            &["dump-days 25"],
            &["dumps kept: 20"],
        ),
        (
            &["MySQL at Hetzner, keep dumps 20 days", "alert -> #ops, 25 people read it"],
            &["dump-days 20"],
            &[],
        ),
    ])
    .await;
}

/// What is not there yet, or cannot be done yet, is not for later.
#[tokio::test]
async fn what_is_not_there_yet_is_not_postponed() {
    after_agreement(&[
        (&["A server at Hetzner, user deploy, nothing on it yet"], &[], &["later, as asked"]),
        (
            &["MySQL bei Hetzner. MySQL 8.0, unser Shopsystem kann das noch nicht"],
            &[],
            &["later, as asked"],
        ),
        (&["nginx for a.example. Redis, but not yet"], &["redis | later, as asked"], &[]),
        (
            &["WordPress for a.example", "autoscaling please", "autoscaling can go then"],
            &["left out, as asked: autoscaling"],
            &["autoscaling | not built"],
        ),
    ])
    .await;
}
