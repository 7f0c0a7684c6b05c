//! Values that a later message corrects in words that no rule lists, and things that are to be closed: most conversations
//! were written without looking at the rules.

use super::accounts::{after_agreement, each};

#[tokio::test]
async fn a_correction_in_any_words_replaces_the_value() {
    after_agreement(&[
        (
            &[
                "a box in Helsinki, ssh only from 203.0.113.40 and the office 198.51.100.0/28",
                "correction, office is 198.51.100.16/28, i typed it from memory",
            ],
            &["ssh-from 203.0.113.40/32,198.51.100.16/28", "left out, as asked: 198.51.100.0/28."],
            &["198.51.100.0/28 |"],
        ),
        (
            &[
                "Un VPS, ssh uniquement depuis 203.0.113.7 et 203.0.113.8",
                "enlève 203.0.113.8, c'était le stagiaire",
            ],
            &["ssh-from 203.0.113.7/32 ·"],
            &["203.0.113.8/32"],
        ),
        (
            &[
                "EC2 in Ohio, ssh from my home 198.51.100.23 only. It talks to a license server at 203.0.113.200 on port 27000",
                "my ISP gave me a new address: 198.51.100.31",
            ],
            &["ssh-from 198.51.100.31/32"],
            &["198.51.100.23/32"],
        ),
        (
            &["Postgres, SSH von 203.0.113.50", "Statt 203.0.113.50 bitte 203.0.113.51"],
            &["ssh-from 203.0.113.51/32"],
            &["203.0.113.50"],
        ),
        (
            &["mysql, ssh solo desde 203.0.113.0/30", "pero la 203.0.113.3 no, que es la impresora"],
            &["203.0.113.3 no | instead: 203.0.113.0/31, 203.0.113.2/32"],
            &["203.0.113.3/32"],
        ),
        (
            &["k3s, three nodes", "make that two nodes... hm no, two is bad. back to three"],
            &["servers: 3 | built"],
            &["two nodes |", "back to three |"],
        ),
        (
            &["HAProxy mit vier Appservern dahinter", "Vier is z'vü, nehma drei."],
            &["application servers: 3 | built"],
            &[],
        ),
        (
            &["HAProxy vor drei Servern, Nürnberg, cx33", "cx33 ist übertrieben, cx23. Nürnberg ist voll, dann eben Helsinki"],
            &["location hel1", "server-type cx23"],
            &["instead: in"],
        ),
        (
            &["site WordPress carnet.example.fr", "remplacez carnet.example.fr par journal.example.fr"],
            &["domain journal.example.fr"],
            &["carnet.example.fr"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_value_that_may_have_changed_is_asked_about() {
    each(&[
        (
            &["Prometheus und Grafana, 30 Tage", "Die Revision verlangt 60 Tage"],
            &["kept for: 60 tage | instead: 30 so far"],
            &["kept for: 30 | built"],
        ),
        (
            &["k3s con tres nodos", "con dos nos apañamos"],
            &["servers: dos | instead: 3 so far"],
            &["servers: 3 | built"],
        ),
        (
            &[
                "a box, ssh from 203.0.113.20 and 203.0.113.30",
                "203.0.113.30 was Tom, and Tom has left",
            ],
            &["ssh allowed from: 203.0.113.30 | instead: 203.0.113.20/32, 203.0.113.30/32 so far"],
            &["203.0.113.30/32 | built"],
        ),
        (
            &["two app servers behind haproxy", "one more app server wouldn't hurt"],
            &["instead: 2 so far"],
            &["servers: 2 | built"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn what_is_to_be_closed_and_is_closed_is_built() {
    after_agreement(&[
        (
            &["un servidor, abran el 443 y el 25565, el 21 cerradísimo", "el 25565 no, era del server viejo"],
            &["open-ports 443 ·", "nothing open but what is planned | built"],
            &["25565 no", "cerradísimo"],
        ),
        (
            &["Postgres. Auf keinen Fall darf die Datenbank aus dem Internet erreichbar sein."],
            &["nothing open but what is planned | built"],
            &["not understood"],
        ),
        (
            &["Elasticsearch, Logstash and Kibana. Do not expose 9200 to the internet."],
            &["nothing open but what is planned | built"],
            &["not understood"],
        ),
        (
            &["un nginx en Ashburn para flujos.example.com, de 4 vCPU. Si pasa de 30 dólares, bajen a 2 vCPU."],
            &["server-type cpx31", "4 cores | built"],
            &["2 cores"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_number_counts_only_what_its_noun_or_unit_says() {
    each(&[
        (
            &[
                "Redis as a cache on its own server, maxmemory 512 MB, port 6379 only for 198.51.100.70 und .71",
                "mach 768 MB",
                ".71 bitte wieder raus, dafür .72",
            ],
            &["redis-memory-mb 768", ".72 | not understood"],
            &["72 | built"],
        ),
        (
            &["Quiero un Redis dedicated, con password, maxmemory 4 GB", "memory down to 3 GB"],
            &["redis-memory-mb 3072"],
            &["server size: at least"],
        ),
        (
            &["I need un Redis, mot de passe, maxmemory 256 Mo", "Make it 1 Go."],
            &["redis-memory-mb 1024"],
            &[],
        ),
        (
            &["ELK pour quatre machines, garder dix jours", "des journaux de la machine cinq, donc cinq en tout"],
            &["retention-days 10"],
            &["kept for: 5"],
        ),
        (
            &[
                "MySQL, dump each night, stored for ten years",
                "I was told ten years of nightly dumps is silly. Keep 35 days.",
                "Budget is now 25.",
            ],
            &["dump-days 35"],
            &["dumps kept: 25"],
        ),
        (
            &[
                "Postgres, nightly dumps kept 14 days",
                "version bump approved, make it 16 instead of 15",
                "retention per audit is 30 not 14. Also 5432 additionally from 198.51.100.8/32.",
            ],
            &["dumps kept: 30 | built"],
            &["dumps kept: 16"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_later_value_is_read_in_tables_and_by_what_it_was() {
    each(&[
        (
            &["k3s de tres nodos en Núremberg", "nodos: 3 → 2"],
            &["servers: 2 | built"],
            &["servers: 3 | built"],
        ),
        (
            &[
                "| load balancer | HAProxy | 1x | ; | app servers | 2 | port 8080 |",
                "app servers: 2 -> 3",
            ],
            &["app-servers 3"],
            &[],
        ),
        (
            &["ein k3s auf drei Servern", "Doch nicht, zurück auf einen."],
            &["servers: 1 | built"],
            &["servers: 3 | built"],
        ),
        (
            &["Prometheus y Grafana, retención de 15 días", "Retención: el doble."],
            &["kept for: 30 | built"],
            &["doble"],
        ),
        (
            &["PostgreSQL primaire, base commandes, rétention 10 j", "rétention 25 j"],
            &["dumps kept: 25 | built"],
            &[],
        ),
        (
            &[
                "HAProxy mit zwei App-Servern, SSH von 192.0.2.50",
                "192.0.2.50 bleibt, 192.0.2.51 auch",
            ],
            &["ssh-from 192.0.2.50/32,192.0.2.51/32"],
            &[],
        ),
        (
            &[
                "un servidor con nginx y TLS, cascarrabias.example",
                "Abre también el 8080.",
                "El 8080 no, perdona; era el 8081.",
            ],
            &["open-ports 80,443,8081"],
            &[],
        ),
    ])
    .await;
}

#[tokio::test]
async fn ports_places_and_names_of_other_things_are_not_taken() {
    each(&[
        (
            &["ein server namens midgard, udp 2456 bis 2458 offen"],
            &["open-ports none", "udp 2456 bis 2458 offen | not understood"],
            &[],
        ),
        (
            &["PostgreSQL in Nürnberg", "Nehmen Sie statt Nürnberg doch Falkenstein."],
            &["location: fsn1 | built"],
            &["hel1"],
        ),
        (
            &["k3s, nombre de los nodos: roble, encina, olmo", "olmo pasa a llamarse fresno"],
            &["olmo pasa a llamarse fresno | not understood"],
            &["name fresno"],
        ),
    ])
    .await;
}
