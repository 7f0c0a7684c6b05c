//! Ports that a later message wants open only for some, which no deployment can do.

use super::accounts::after_agreement;

/// A port that only some may reach stays closed, and its address does not open SSH.
#[tokio::test]
async fn a_later_restriction_belongs_to_the_port() {
    const CLOSED: &str = "| instead: closed, because an open port is open to everybody |";
    const ROW: &[&str] = &["open-ports none ", "203.0.113.0/24 | instead: closed, because"];
    const SSH: &[&str] = &["ssh-from 203.0.113.0/24", "ssh allowed from: 203.0.113.0/24"];
    after_agreement(&[
        (&["A basic VPS", "open port 8080 to everyone", "no, only for 203.0.113.0/24"], ROW, SSH),
        (&["Ein VPS", "öffne Port 8080 für alle", "nein, nur für 203.0.113.0/24"], ROW, SSH),
        (&["Un VPS", "abre el puerto 8080 a todos", "no, solo para 203.0.113.0/24"], ROW, SSH),
        (&["Un VPS", "ouvre le port 8080 à tous", "non, seulement pour 203.0.113.0/24"], ROW, SSH),
        (&["A VPS", "open 9000", "Only our colleagues may use it, 203.0.113.0/24"], ROW, SSH),
        (&["Ein VPS", "öffne Port 3000", "nur von meinem Büro, 203.0.113.0/24"], ROW, SSH),
    ])
    .await;
    after_agreement(&[
        (
            &[
                "A VPS",
                "open port 3000",
                "only from our office, 203.0.113.0/24",
                "and SSH from anywhere",
            ],
            &[
                "open-ports none ",
                "ssh-from 0.0.0.0/0",
                "| open ports: 3000 only from our office",
                CLOSED,
            ],
            &[],
        ),
        (
            &["A VPS with ports 80 and 443 open", "also open 8080", "just for 198.51.100.9"],
            &["open-ports 80,443 ", "open ports: 8080 just for 198.51.100.9", CLOSED],
            &["ssh-from 198.51.100.9"],
        ),
        (
            &["A VPS", "open port 8080", "only for 203.0.113.0/24", "open 8080 to everybody"],
            &["open-ports 8080 ", "open ports: 8080 | built"],
            &[CLOSED],
        ),
        (
            &["A VPS with port 8080 open", "only from 203.0.113.0/24 please"],
            &["open-ports none ", "ssh-from 203.0.113.0/24", CLOSED],
            &[],
        ),
    ])
    .await;
}

/// An address that answers the question about SSH, or that a message gives to SSH, closes no port.
#[tokio::test]
async fn an_address_of_ssh_closes_no_port() {
    after_agreement(&[
        (
            &["A VPS with ports 80 and 443 open", "only from 198.51.100.7"],
            &["open-ports 80,443 ", "ssh-from 198.51.100.7/32"],
            &["instead: closed"],
        ),
        (
            &["A VPS", "open port 8080", "SSH only from 198.51.100.7"],
            &["open-ports 8080 ", "ssh-from 198.51.100.7/32"],
            &["instead: closed"],
        ),
        (
            &["Ein VPS", "öffne Port 8080", "auf den Server darf nur 198.51.100.7"],
            &["open-ports 8080 "],
            &["instead: closed"],
        ),
        (
            &["Un VPS", "abre el puerto 8080", "198.51.100.7"],
            &["open-ports 8080 ", "ssh-from 198.51.100.7/32"],
            &["instead: closed"],
        ),
        (
            &["Un VPS", "SSH depuis partout", "non, seulement depuis 198.51.100.7"],
            &["ssh-from 198.51.100.7/32"],
            &["instead: closed"],
        ),
    ])
    .await;
}

/// SSH alone is not the only open port if the message serves the web as well.
#[tokio::test]
async fn ssh_for_some_and_the_web_for_everybody() {
    const BOTH: &[&str] = &["open-ports 80,443 ", "ssh-from 203.0.113.5/32"];
    after_agreement(&[
        (&["A VPS, only SSH from 203.0.113.5, and HTTP for everybody"], BOTH, &[]),
        (&["Ein VPS, nur SSH von 203.0.113.5 und HTTP für alle"], BOTH, &[]),
        (&["Un VPS, solo SSH desde 203.0.113.5 y HTTP para todos"], BOTH, &[]),
        (&["Un VPS, seulement SSH depuis 203.0.113.5 et HTTP pour tous"], BOTH, &[]),
        (&["A VPS, only SSH open, no website"], &[], &["open-ports 80"]),
    ])
    .await;
}

/// A port that a message names after an addition may be the addition's, so it is not opened without a word.
#[tokio::test]
async fn the_port_of_an_addition_is_not_opened() {
    after_agreement(&[
        (
            &["Redis on a VPS", "port 6380"],
            &["open-ports none ", "| open ports: 6380 | instead: none so far"],
            &[],
        ),
        (&["Redis auf einem VPS", "Port 6380"], &["open-ports none "], &["6380 | built"]),
        (&["Redis en un VPS", "puerto 6380"], &["open-ports none "], &["6380 | built"]),
        (&["Redis sur un VPS", "port 6380"], &["open-ports none "], &["6380 | built"]),
        (&["Redis on a VPS", "open port 8080"], &["open-ports 8080 "], &[]),
        (&["Redis on a VPS", "ports 80 and 443"], &["open-ports 80,443 "], &[]),
    ])
    .await;
}

/// One message may name the port and who may connect; the row is that of two messages.
#[tokio::test]
async fn a_message_names_a_port_for_some() {
    const CLOSED: &str =
        "203.0.113.0/24 | instead: closed, because an open port is open to everybody |";
    const SHUT: &[&str] = &["ssh-from sandbox", "open-ports none", CLOSED];
    const LACKS: &[&str] = &["not understood"];
    after_agreement(&[
        (&["A server at Hetzner, port 3000 only from 203.0.113.0/24"], SHUT, LACKS),
        (
            &["A VPS. Only 203.0.113.0/24 may reach port 3000"],
            &["open-ports none"],
            &["| built | 3000"],
        ),
        (&["A server at Hetzner", "open port 3000 only for 203.0.113.0/24"], SHUT, LACKS),
        (&["Ein Server bei Hetzner, Port 3000 nur von 203.0.113.0/24"], SHUT, LACKS),
        (
            &["A VPS, port 3000 only from 203.0.113.0/24, ports 80 and 443 open", "close 80"],
            &["open-ports 443", CLOSED],
            &["left out"],
        ),
        (
            &["A VPS, port 3000 only from 203.0.113.0/24", "open 3000 to everybody after all"],
            &["open-ports 3000"],
            &[CLOSED],
        ),
        (&["Un servidor en Hetzner, puerto 3000 solo desde 203.0.113.0/24"], SHUT, LACKS),
        (&["Un serveur chez Hetzner, port 3000 uniquement depuis 203.0.113.0/24"], SHUT, LACKS),
        (
            &["A VPS, SSH on port 22 only from 203.0.113.0/24"],
            &["ssh-from 203.0.113.0/24"],
            &["open ports: 22"],
        ),
    ])
    .await;
}
