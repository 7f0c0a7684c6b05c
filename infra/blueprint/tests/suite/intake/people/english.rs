//! Conversations in English.

use crate::intake::accounts::Case;

pub const ENGLISH: &[Case] = &[
    (
        &[
            "postgres, 2 cpus 4gb, helsinki, keep backups for 3 months",
            "actually keep them for a year. and only i should be able to ssh, my ip is 198.51.100.23",
        ],
        &[
            "dump-days 365",
            "ssh-from 198.51.100.23/32",
            "location hel1",
            "2 cores | built",
            "4 gb of memory | built",
        ],
        &["dump-days 90", "3 months |"],
    ),
    (
        &[
            "Hey! So we're a small bakery with two shops and we'd like a WordPress site at www.crumbs.example, with a photo gallery and a contact form. Budget is about 10 dollars a month.",
            "forgot to say: the shop on the corner closes in June, so the site only has to run until then",
        ],
        &[
            "wordpress ·",
            "domain www.crumbs.example",
            "10 dollars a month",
            "photo gallery and a contact form",
            "closes in june",
        ],
        &[],
    ),
    (
        &[
            "elk for our 12 web servers, about 30 GB of logs a day, keep logs for 2 years",
            "ok then 180 days",
        ],
        &["elk ·", "retention-days 180", "30 gb", "12 web"],
        &["2 years |"],
    ),
    (
        &[
            "Django app at tickets.example.org, Python 3.11, with Celery beat and a PostgreSQL 16 database",
            "use postgres 17 then. go ahead",
        ],
        &[
            "django ·",
            "domain tickets.example.org",
            "python 3.11 | instead: python 3.13",
            "postgresql 16 | instead: postgresql 17",
            "beat",
        ],
        &["vps-postgresql ·", "16 database"],
    ),
    (
        &[
            "monitoring with Grafana 11, watch https://shop.example.com and https://api.example.com every 30 seconds, alert by email only on weekdays between 9 and 17",
            "no grafana alerts at night at all",
        ],
        &[
            "https://shop.example.com,https://api.example.com",
            "grafana 11 | instead",
            "every 30 seconds",
            "alert email only on weekdays between 9 and 17 | instead: to a webhook",
            "no grafana alerts at night",
        ],
        &["without alert", "without grafana"],
    ),
    (
        &[
            "ec2 t3.large in us-west-2 with a 100 GB disk, ssh only from our vpn 10.8.0.0/16, port 8080 reachable from 10.8.0.0/16 too",
            "make it t3.medium",
        ],
        &[
            "instance-type t3.medium",
            "volume-gb 100",
            "ssh-from 10.8.0.0/16",
            "vpn",
            "port 8080 reachable from 10.8.0.0/16",
        ],
        &[],
    ),
    (
        &[
            "I need mysql. 5432 must only be open to 10.0.0.0/8 and 3306 only to 10.1.0.0/16",
            "sorry, no postgres port, just 3306",
        ],
        &[
            "vps-mysql ·",
            "ssh-from sandbox",
            "5432 must only be open to 10.0.0.0/8 and 3306 only to 10.1.0.0/16",
            "just 3306",
        ],
        &["ssh allowed from: 10"],
    ),
    (
        &[
            "A static website on S3 + CloudFront for docs.example.net, cached for one week, password protected, logs for 6 months",
            "drop the password",
        ],
        &["static-site ·", "cached for one week", "logs for 6 months"],
        &["| password"],
    ),
    (
        &[
            "k3s on 3 nodes, version 1.31, traefik disabled, with longhorn for storage",
            "2 nodes are enough and leave traefik on",
        ],
        &["servers 2", "k3s 1.31 | instead: k3s", "longhorn | not built", "traefik | not built"],
        &["servers 3"],
    ),
    (
        &[
            "vps, debian 13, ports 80 443 and 8443, but 8443 only for the office 203.0.113.40",
            "also block all traffic from 192.0.2.0/24",
        ],
        &[
            "basic-vps ·",
            "ssh-from sandbox",
            "ports 80 443 and 8443",
            "8443 only for the office 203.0.113.40",
            "block all traffic from 192.0.2.0/24",
        ],
        &["8443 | built"],
    ),
    (
        &[
            "Can you build a web service called ping on port 8085 that answers pong, and restart it every night at 3?",
            "port 8086 please",
        ],
        &["name ping", "port 8086", "answers pong", "restart it every night at 3"],
        &[],
    ),
    (
        &[
            "I want Redis and PostgreSQL on one cheap server, Redis max 512 MB, no backups on weekends",
            "backups every day are fine",
        ],
        &[
            "vps-postgresql ·",
            "additions redis",
            "redis-memory-mb 512",
            "nightly backups | built",
            "no backups on weekends",
        ],
        &["without backup"],
    ),
    (
        &[
            "nginx for www.example.com and example.com, redirect http to https, HSTS, serve files up to 200 MB, access logs kept 14 days",
            "and basic auth on /admin, user anna",
        ],
        &[
            "domain www.example.com",
            "| example.com | not built",
            "http leads to https | built",
            "hsts",
            "200 mb",
            "access logs kept 14 days",
            "basic auth on /admin",
            "user anna",
        ],
        &[],
    ),
    (
        &[
            "Set up a server that is off from 8pm to 6am to save money. Ubuntu would be nice but I don't care",
            "debian's ok. turn it off only on weekends",
        ],
        &["basic-vps", "ubuntu", "off from 8pm to 6am", "turn it off only on weekends"],
        &[],
    ),
    (
        &[
            "mysql 8.4 with 2 databases, crm and billing, one user each, dumps at 2 am kept for five weeks, server in Ashburn, cpx31",
            "rename billing to invoices",
        ],
        &[
            "vps-mysql ·",
            "name my-server",
            "location ash",
            "server-type cpx31",
            "dump-days 35",
            "2 databases | instead: one",
            "2 am",
            "rename billing to invoices",
        ],
        &["· name billing"],
    ),
];
