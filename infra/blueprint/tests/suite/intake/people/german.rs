//! Conversations in German.

use crate::intake::accounts::Case;

pub const GERMAN: &[Case] = &[
    (
        &[
            "Postgres für unsere Vereinsverwaltung, Backups 6 Monate aufheben, Server in Falkenstein",
            "nein, ein Jahr bitte",
        ],
        &["vps-postgresql ·", "dump-days 365", "location fsn1"],
        &["dump-days 180", "6 monate |"],
    ),
    (
        &[
            "Moin, ich bräuchte nen kleinen Server für mein Hobbyprojekt, max. 6 Euro im Monat, SSH nur von zuhause (198.51.100.77), sonst alles dicht",
            "achso und Port 25565 für meine Freunde aufmachen",
        ],
        &[
            "basic-vps ·",
            "ssh-from 198.51.100.77/32",
            "6 euros a month",
            "nothing open but what is planned | built",
            "port 25565 für meine freunde",
        ],
        &["25565 | built"],
    ),
    (
        &[
            "ELK-Stack, Logs 2 Jahre aufbewahren, Heap 8 GB auf einem cx23",
            "dann eben 90 Tage und der Heap 2 GB",
        ],
        &["elk ·", "retention-days 90", "heap-gb 2", "server-type cx23"],
        &["2 jahre", "| 8 gb |"],
    ),
    (
        &[
            "Überwachung für drei Server mit Prometheus, Alarme nur tagsüber von 7 bis 19 Uhr per E-Mail an technik@beispiel.de, Daten 30 Tage",
            "Alarme am Wochenende bitte nicht",
        ],
        &[
            "monitoring-stack ·",
            "retention-days 30",
            "nur tagsüber von 7 bis 19 uhr",
            "technik@beispiel.de",
            "alarme am wochenende bitte nicht",
        ],
        &["without alert"],
    ),
    (
        &[
            "WordPress unter www.baeckerei-beispiel.de, PHP 8.3, mit WooCommerce und deutschsprachig, Backup jede Stunde",
            "jeden Tag reicht",
        ],
        &[
            "wordpress ·",
            "domain www.baeckerei-beispiel.de",
            "php 8.3",
            "woocommerce",
            "deutschsprachig",
            "nightly backups | built",
        ],
        &["every hour", "jeden tag"],
    ),
    (
        &[
            "MySQL mit Port 3306 nur für 10.0.0.0/8 offen, die Datenbank heißt lager, zwei Benutzer: einer darf nur lesen",
            "doch PostgreSQL",
        ],
        &[
            "vps-postgresql ·",
            "database lager",
            "ssh-from sandbox",
            "port 3306 nur für 10.0.0.0/8 offen",
            "zwei benutzer",
            "nur lesen",
        ],
        &[],
    ),
    (
        &[
            "Django auf app.beispiel.org, Redis brauchen wir nicht, 4 Worker, E-Mails über smtp.beispiel.org Port 587",
            "mit Redis ist auch ok",
        ],
        &["django ·", "domain app.beispiel.org", "4 worker", "smtp.beispiel.org", "port 587"],
        &["without redis", "587 | built"],
    ),
    (
        &[
            "EC2 in Frankfurt, t3.small, 50 GB Platte, Port 443 für alle, Port 9000 nur für unser Büronetz 203.0.113.0/26",
            "Region doch lieber Irland",
        ],
        &[
            "region eu-west-1",
            "instance-type t3.small",
            "volume-gb 50",
            "ssh-from sandbox",
            "port 443",
            "port 9000 nur für unser büronetz 203.0.113.0/26",
        ],
        &[],
    ),
    (
        &[
            "k3s mit vier Knoten in Nürnberg, ein Knoten davon mit GPU",
            "dann drei Knoten, GPU weglassen",
        ],
        &["servers 3", "location nbg1"],
        &["vier knoten |", "| gpu"],
    ),
    (
        &[
            "Statische Seite über CloudFront, Domain www.beispiel.com, Daten dürfen die EU nicht verlassen",
            "Domain erstmal keine",
        ],
        &["site-domain none", "region: eu-central-1 | built", "nicht verlassen"],
        &[],
    ),
    (
        &[
            "Ein Server, der nachts Backups von unserem NAS holt und sie 12 Monate behält",
            "gut, dann nimm einen einfachen VPS",
        ],
        &["basic-vps ·", "backups", "nas holt", "12 monate"],
        &[],
    ),
    (
        &[
            "nginx mit Zertifikat für shop.beispiel.de, TLS mindestens 1.3, Weiterleitung von beispiel.de",
            "Port 80 bitte komplett zu",
        ],
        &[
            "domain shop.beispiel.de",
            "mindestens 1.3",
            "| beispiel.de | not built",
            "weiterleitung",
            "port 80 closed | instead: 80 and 443 stay open",
        ],
        &["nothing open but what is planned | built"],
    ),
    (
        &[
            "PostgreSQL 15 mit PostGIS, 16 GB RAM, 200 GB SSD, Replik in Helsinki, Wartungsfenster sonntags 3 Uhr",
            "ohne Replik, Rest so lassen",
        ],
        &[
            "vps-postgresql ·",
            "location nbg1",
            "postgresql 15 | instead",
            "postgis",
            "16 gb",
            "200 gb",
            "wartungsfenster sonntags 3 uhr",
        ],
        &["| replica |"],
    ),
    (
        &[
            "Ich will einen VPS, aber nicht in Deutschland und auf keinen Fall mit Passwort-Login",
            "Helsinki passt. Wie teuer wird das im Jahr?",
        ],
        &["basic-vps ·", "location hel1", "ssh logins by key only | built"],
        &["password login"],
    ),
    (
        &[
            "Webdienst namens zaehler auf Port 8090 in der Sandbox, der alle 5 Minuten ins Log schreibt",
            "The port should be 8091, and please answer in English from now on",
        ],
        &["name zaehler", "port 8091", "alle 5 minuten ins log schreibt"],
        &[],
    ),
];
