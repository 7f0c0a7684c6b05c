//! What a message tells or restricts beside its wish: a size of the past, another disk, a name that changes, a price.

use super::accounts::after_agreement;

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
