//! Only what a message asks for chooses a deployment: not what the user had, what somebody else runs, or what it leaves.

use super::accounts::after_agreement;

#[tokio::test]
async fn what_runs_elsewhere_is_not_planned() {
    after_agreement(&[
        (
            &["Our Kubernetes cluster lives at DigitalOcean and stays there. A bare Debian box in Helsinki called \"relay1\", ssh only from 198.51.100.7"],
            &["blueprint: basic-vps", "name relay1"],
            &["k3s | built"],
        ),
        (
            &["The kubernetes thing is run by head office, nothing to do with us. We only want a MySQL in Falkenstein, database called stockroom."],
            &["blueprint: vps-mysql", "database stockroom"],
            &["blueprint: k3s"],
        ),
        (
            &["Für die Buchhaltung brauche ich eine MySQL-Datenbank namens fibu auf einem eigenen Server. Der Rest (Kubernetes, Grafana, ELK) steht bei unserem Dienstleister und bleibt da."],
            &["blueprint: vps-mysql", "database fibu"],
            &[],
        ),
        (
            &["Grafana betreibt unser Rechenzentrum, Elasticsearch auch. Von euch bräuchten wir bloß PostgreSQL, Datenbank \"lager\", Nürnberg."],
            &["blueprint: vps-postgresql", "database lager"],
            &["monitoring stack | built"],
        ),
        (
            &["Necesitamos MySQL para la gestoría, base \"clientes\", en Falkenstein. Ojo: Django, Redis y todo eso está en otra parte y no se toca."],
            &["blueprint: vps-mysql", "additions none"],
            &["redis | built"],
        ),
        (
            &["Une machine toute simple, Helsinki, ports 80 et 443 ouverts. La surveillance par Grafana se fait déjà depuis chez mon neveu."],
            &["blueprint: basic-vps", "location hel1"],
            &["monitoring stack | built"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn what_the_user_had_or_leaves_is_not_planned() {
    after_agreement(&[
        (
            &["At first we wanted WordPress, then a colleague built the pages by hand so it's just html now. please put it at www.larkandloom.example on one of your servers with https."],
            &["blueprint: nginx-site", "domain www.larkandloom.example"],
            &["wordpress site | built"],
        ),
        (
            &["Wir wollen weg von WordPress. Die neue Seite ist schon fertig als reines HTML, gehört auf einen kleinen Server mit nginx, kaeserei.example"],
            &["blueprint: nginx-site"],
            &["wordpress site | built"],
        ),
        (
            &["Hasta ahora teníamos WordPress en un hosting. Ahora la web es HTML puro. La queremos en un servidor pequeño con nginx, quesos.example"],
            &["blueprint: nginx-site", "domain quesos.example"],
            &["wordpress site | built"],
        ),
        (
            &["On avait un cluster Kubernetes chez OVH, trop compliqué, on arrête. À la place : notre appli Python (Django, avec celery), domaine app.example.org."],
            &["blueprint: django", "domain app.example.org"],
            &["blueprint: k3s"],
        ),
        (
            &["Un copain m'a dit de prendre un WordPress mais je ne veux pas de WordPress. C'est juste une page avec mes horaires, pizza.example, sur un petit serveur."],
            &["blueprint: nginx-site"],
            &["wordpress site | built"],
        ),
        (
            &["We thought about HAProxy. In the end one machine is plenty: Falkenstein, called \"wren\", ssh from 198.51.100.60."],
            &["blueprint: basic-vps", "name wren"],
            &["haproxy in front"],
        ),
        (
            &["On m'avait vendu un Elasticsearch, je n'ai jamais compris pourquoi. Ce que je veux : un MySQL, base « stock »."],
            &["blueprint: vps-mysql", "database stock"],
            &["elk stack | built"],
        ),
        (&["We thought about k3s with three nodes"], &["blueprint: k3s", "servers 3"], &[]),
        (
            &["Move our Django app (it runs on Heroku at the moment) to one of your servers, app.example.org."],
            &["blueprint: django", "domain app.example.org"],
            &[],
        ),
        // What a predecessor asked for may hold, and a site with its address may move.
        (&["Il avait demandé un MySQL 8.4, base compta. Restez là-dessus."], &["blueprint: vps-mysql"], &[]),
        (&["WordPress bei euch unter verein.example, die Mail bleibt bei Strato"], &["blueprint: wordpress"], &[]),
    ])
    .await;
}

#[tokio::test]
async fn a_refused_server_is_never_planned() {
    after_agreement(&[
        (
            &["My daughter made me a site, a folder with an index.html and photos. She says there's no need to rent a machine for that, Amazon can just hand the files out. claybarn.example"],
            &["blueprint: static-site"],
            &["ec2 server"],
        ),
        (
            &["Mein Sohn sagt, für meine Speisekarte (drei fertige Seiten und Bilder) muss man keinen Server mieten, das legt man bei Amazon in einen Speicher."],
            &["blueprint: static-site"],
            &["ec2 server"],
        ),
        (
            &["Tengo mis cuentos en páginas ya hechas. Mi nieto dice que sin servidor, que Amazon los reparte por el mundo."],
            &["blueprint: static-site"],
            &["ec2 server"],
        ),
        (&["Amazon, but we need no server at all for our numbers"], &[], &["blueprint:"]),
    ])
    .await;
}

#[tokio::test]
async fn a_message_may_mention_a_goal_and_count_servers_together() {
    after_agreement(&[
        (
            &["I wrote a program in Rust that answers web requests (it listens on 7700). When I put a new version up, if the new one is bad I want yesterday's back in a second."],
            &["blueprint: releases"],
            &["inside the sandbox"],
        ),
        (
            &["Unser Dienst in Node lauscht auf 4500. Wir spielen oft eine neue Version ein, und wenn sie nichts taugt, soll sofort die alte wieder da sein. Die Datenbank (MySQL) bleibt bei IONOS."],
            &["blueprint: releases"],
            &["blueprint: vps-mysql"],
        ),
        (
            &["Load balancer for our two app boxes please. Together with the balancer that makes three machines."],
            &["app-servers 2", "three machines | instead: 2 application servers, and another one for haproxy"],
            &["application servers: 3 | built"],
        ),
        (
            &["2 Server Hetzner, Falkenstein, Namen srv-lisse und srv-tulp.\nlisse: HAProxy vor tulp"],
            &["app-servers 2", "2 server | instead: 2 application servers, and another one for haproxy"],
            &["application servers: 2 | built"],
        ),
        (&["HAProxy in front of two app servers"], &["application servers: 2 | built"], &["instead"]),
    ])
    .await;
}

#[tokio::test]
async fn a_host_that_is_elsewhere_is_not_the_sites() {
    after_agreement(&[
        (
            &["WordPress pour l'association, l'ancien site www.vieux.example est chez OVH, le nouveau sera www.neuf.example"],
            &["domain www.neuf.example"],
            &[],
        ),
        (
            &["Django con celery; el código sale de gitlab.com, la web es panel.olivar.example"],
            &["domain panel.olivar.example"],
            &[],
        ),
        (
            &["Un serveur tout bête à Falkenstein, nom « pinson », ssh depuis 82.64.1.2. La base de données est chez OVH, le site chez Wix, la supervision Grafana chez notre infogérant : rien de tout ça ici."],
            &["blueprint: basic-vps", "open-ports none"],
            &["monitoring stack | built"],
        ),
        (&["WordPress at club.example, and the mail stays with Fastmail"], &["blueprint: wordpress", "domain club.example"], &[]),
    ])
    .await;
}

#[tokio::test]
async fn a_server_with_most_of_its_values_is_planned_without_what_is_not_built_on_it() {
    after_agreement(&[
        (
            &["For the seed library: Debian, hardened, Hetzner hel1, cx33, name \"pollen\". 443 open and nothing else. WireGuard for four people. restic to Wasabi every six hours."],
            &["blueprint: basic-vps", "name pollen", "location hel1", "open-ports 443", "wireguard | not built", "restic | not built"],
            &["(none chosen)"],
        ),
        (
            &["1) Debian, gehärtet, Hetzner FSN1, 2 vCPU\n2) Port 8883 offen, sonst nichts\n3) restic nach Wasabi\n4) Mosquitto als Broker"],
            &["blueprint: basic-vps", "location fsn1", "restic | not built", "mosquitto"],
            &[],
        ),
        (
            &["Lista:\n- Hetzner, Nuremberg, cpx31, nombre \"gubia\"\n- Debian 12 endurecido\n- abrir 443 y nada más\n- restic a Backblaze"],
            &["blueprint: basic-vps", "name gubia", "location nbg1", "server-type cpx31", "restic | not built"],
            &[],
        ),
        (
            &["Serveur Hetzner, fsn1, cx32, nom « fauvette ». Debian durci. WireGuard port 51999. Restic vers Scaleway Object Storage."],
            &["blueprint: basic-vps", "name fauvette", "location fsn1", "wireguard | not built"],
            &[],
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_value_is_not_taken_from_what_something_else_is_called_or_has() {
    after_agreement(&[
        (
            &["Il nous faudrait une base MySQL, nommée herissons, propriétaire « veto »."],
            &["database herissons", "database owner | not built"],
            &["database veto"],
        ),
        (
            &["Die Kehrbuch-Datenbank soll nicht mehr auf Ullis Rechner liegen. PostgreSQL. Name: kehrbuch."],
            &["database kehrbuch", "name my-server"],
            &[],
        ),
        (
            &["3 nodos k3s en Hetzner, uno por ubicación (fsn1, nbg1, hel1).", "Corrijo: la latencia a Helsinki nos mata etcd, así que los tres en fsn1."],
            &["servers 3", "location fsn1", "hel1 | instead: in falkenstein"],
            &["please say which one holds"],
        ),
        (
            &["§3 Der Webserver (nginx) liefert die Spielpläne unter kuppel.sternwarte-hain.example aus.\n§4 TLS; HTTP wird umgeleitet."],
            &["domain kuppel.sternwarte-hain.example"],
            &[],
        ),
        (
            &["HAProxy in front of two app nodes, 10.0.3.11:9000 and 10.0.3.12:9000. The nodes are run by another team.", "they also moved the second node: 10.0.3.27 now"],
            &["10.0.3.11, 10.0.3.12 | instead: 2 new application servers, and none that exists"],
            &["application servers: 2 | built"],
        ),
        (
            &["HAProxy vor unsere Backends: berg 10.8.1.5, tal 10.8.1.6, mitte 10.8.1.7"],
            &["app-servers 3", "instead: 3 new application servers"],
            &[],
        ),
        (
            &["Ma page est faite, c'est un dossier. On m'a dit qu'elle pouvait être « posée chez Amazon ». L'adresse serait tisanes.example."],
            &["blueprint: static-site"],
            &["ec2 server"],
        ),
        (
            &["The appointments are in a program called TuneBook on Windows, which is fine and which we keep. What I am missing is a simple page in the web under strings.example."],
            &["blueprint: nginx-site", "domain strings.example", "name my-server"],
            &[],
        ),
        (
            &["Quisiéramos una página muy sencilla en gigantes.example. Tenemos los ficheros hechos."],
            &["blueprint: nginx-site", "domain gigantes.example"],
            &[],
        ),
        (
            &["Spec for box \"gannet-02\":\n* Debian, Hetzner, nbg1\n* ssh by key only, sources 10.44.0.0/16 + 193.62.81.14\n* open: 443/tcp, 51820/udp"],
            &["name gannet-02", "ssh-from 10.44.0.0/16,193.62.81.14/32", "open-ports 443", "51820/udp | not understood"],
            &["443/tcp | not understood"],
        ),
        (&["Grafana/Prometheus, 180 Tage Historie"], &["retention-days 180"], &[]),
    ])
    .await;
}
