//! What the surroundings of a match say about it.

use crate::announcements::tests::redacted;
use crate::{find, redact};

#[test]
fn what_everyone_may_read_stays() {
    for text in [
        "selector._domainkey TXT \"v=DKIM1; k=rsa; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQC7vXm2tRz7LkYw9N\"",
        "google-site-verification=kQm2VtYwLz9NpBc4sHd1FjGaU6eKo3iXT8RkxZv5rCb goes to the apex",
        "_acme-challenge.example.org. 60 IN TXT \"gfj9Xq-Rg85nM4kQm2VtYwLz9NpBc4sHd1FjGaU6eKo\"",
        "The publishable key is pk_live_51NqT8vKw3RzYbL0mXcP7dHgJ2sFaU9eQ",
        "customer cus_Kx8Zb0Vt7Yn2Lg was charged twice: ch_3NqT8vKw3RzYbL0m and ch_3NqT9aKw3RzYbL0n",
        "lease_id=auth/approle/login/h7f3e2",
        "https://panel.example.org/auth/login?redirect=%2Fdashboard%2Fservers",
        "La palabra clave del anuncio es «servidores baratos»",
        "|1|kQm2VxZt9LwRb4YnJc0HdFs1Gak=|Kl7PeTo8UiWqXvMyZt9LwRb4Ynk= ssh-ed25519",
        "{\"kty\":\"RSA\",\"n\":\"u1SU1LfVLPHCozMxH2Mo4lgOEePzNm0tRgeLezV6ffAt0gun\"}",
        "deploy:x:1001:1001:Deploy,,,:/home/deploy:/bin/bash",
    ] {
        assert_eq!(redact(text).text, text);
    }
}

#[test]
fn code_and_the_output_of_programs_stay() {
    for text in [
        "password: !vault-ref secret/data/app#db_password",
        "ssh server 'systemctl is-active postgresql@15-main'",
        "export BORG_PASSCOMMAND='cat /etc/borg/passphrase'\nexport BORG_RSH='ssh -i /etc/borg/id -o BatchMode=yes'",
        "return pbkdf2_sha256.verify(password, user.password_hash)",
        "fn hash_password(password: &str, salt: &SaltString) -> Result<String, Error> {",
        "e.g. user:password@tcp(host:3306)/db",
        "description = \"SSH for the administrator\"\n  for_each = toset([80, 443])",
        "Enter keystore password:\nKeystore type: PKCS12",
        "9f2a41d drop hardcoded password\n0b7e94a add a test\n638f2c4 bump",
        "kubectl create secret generic stripe --from-literal=api-key=\"$STRIPE_KEY\"",
        "CF-Ray: 8821f0c3be7d4e86-FRA\nx-amz-id-2: vlR7PnpV2Ce81l0PRw6jlUpck7Jo5ZsQjryTjKlc5aLWGVHP",
        "-----BEGIN RSA PRIVATE KEY-----\n(removed)\n-----END RSA PRIVATE KEY-----",
        "22/tcp open ssh OpenSSH 9.2p1 Debian 2+deb12u2",
        "  password\\s*[:=]\\s*\\S+",
        "mkdir -p a && cp -p b a/ && ssh -p 2222 deploy@web1 true",
        "| host | user | auth |\n|---|---|---|\n| web1 | deploy | ssh key |",
        "Seit dem Update von redis kommen keine Mails mehr an, das ist für uns ein großes Problem!",
        "chmod 600 ~/.pgpass && psql \"host=ci-eu-04 user=m.lopez dbname=shop sslmode=verify-full\"",
        "I don't have the root password for db-prod-22, Priya will send it to you tomorrow.",
        "Sanne de Vries soll Zugang zu mail-prod-17 bekommen, aber ohne sudo.",
        "Serial of the broken switch: CGB4835MTMJQ, model CRS326-24G, support case 32487281.",
        "if (!password_verify($input, $user->password)) { return false; }",
        "kind: SealedSecret\nspec:\n  encryptedData:\n    password: AgB7fzabINJVbxJh3alLm9X1EcgHHFqcTQd6ZoGp52jRRD51cGNVVkPx",
        "ansible-playbook -i hosts site.yml --ask-vault-pass --limit web03,web04 --check",
        "database:\n  user: shop\n  password: \"%env(SHOP_PASSWORD)%\"",
        "ExecStart=/usr/bin/shop --password-file=%d/shop-db",
        "{\"codigo\": 403, \"mensaje\": \"La clave de API no tiene permiso\", \"traza\": \"7c1401823a5536e1\"}",
        "IMAP: imap.example.org, Port 993, SSL/TLS, Kennwort: normal\nBenutzername ist die Adresse",
        "SMTP : smtp.example.org, port 587\nMot de passe : celui de votre session",
        "service | compte | mot de passe\nGitea | admin | dans le coffre\nBox | admin | étiquette sous la box",
        "La phrase secrète est sous enveloppe chez la directrice.",
        "Identifiant du projet : 3bcbee00-2137-4ac3-9bef-0e1836e69032",
        "secret santa list: Mehmet Aydin, Carlos Ruiz, Maria Lopez",
    ] {
        assert_eq!(redact(text).text, text);
    }
}

#[test]
fn secrets_in_the_same_surroundings_are_found() {
    for (text, secret) in [
        ("define('DB_PASSWORD', 'oT(9v-Xk!2pLz');", "oT(9v-Xk!2pLz"),
        ("password: !Sesame-2024-open", "!Sesame-2024-open"),
        ("the TXT file has the password: mellow-Fig-77", "mellow-Fig-77"),
        ("Enter password:\nmellow-Fig-77", "mellow-Fig-77"),
        ("das neue Passwort ist Sommer!", "Sommer!"),
        ("the root password is db-prod-22", "db-prod-22"),
        ("the password is %d7walnut/Fig", "%d7walnut/Fig"),
        ("echo 'deploy:Eh9G1gzn1Or8fwQt' | chpasswd", "Eh9G1gzn1Or8fwQt"),
        ("tool --notes-password mellow77Fig --limit web1", "mellow77Fig"),
        ("service | user | password\nGitea | admin | mellow77Fig", "mellow77Fig"),
        ("the door PIN is 324872", "324872"),
        ("mysql -u root -p'mellow=$9Fig' shop", "mellow=$9Fig"),
        ("the root password is !Sesame", "!Sesame"),
        ("the password is admin@123", "admin@123"),
        ("the admin password is in_berlin2024", "in_berlin2024"),
        ("the wifi password is Summer.Night(7x", "Summer.Night(7x"),
        ("curl -u deploy:umNs_rdJ9kkwopa7 https://ci.example.com/hook", "umNs_rdJ9kkwopa7"),
        ("curl --user=user:umNs-rdJ99l-13x6 https://api.example.com", "umNs-rdJ99l-13x6"),
        ("http -a 'event:Qm4xTz8kLw2pVr6n' GET api.example.com/items", "Qm4xTz8kLw2pVr6n"),
        ("use the keyword argument password='mellow77Fig'", "mellow77Fig"),
        ("Enter password:\nmysql -u root -pmellow77Fig shop", "mellow77Fig"),
        (
            "the API token to set the TXT record: Kq2VtYwLz9NpBc4sHd1FjGaU6eKo3iXT8RkxZv5r",
            "Kq2VtYwLz9NpBc4sHd1FjGaU6eKo3iXT8RkxZv5r",
        ),
    ] {
        let found: Vec<_> = find(text).into_iter().map(|found| &text[found.span]).collect();
        assert_eq!(found, [secret], "{text}");
    }
}

#[test]
fn names_that_people_tell_stay() {
    for text in [
        "my username on the server is CrankyWalrus77",
        "mon pseudo c'est MorseGrognon7",
        "The new SSID is Tin-Crate-19, please rename the old one",
        "Nennen Sie den Server Blech-Kiste-19",
        "Das Secret soll shop-werkstatt heißen, das Feld darin password",
        "Outlook redemande le mot de passe de atelier@ toutes les dix minutes",
        "With Windows-Server-2022 the RDP login is slow",
        "L'élément clé, c'est qu'il n'y ait aucune panne",
        "Password changed on;By\n2024-11-02;kim",
        "Das Passwort stimmt, aber die Seite bleibt leer",
        "con la contraseña entro, pero no veo nada",
    ] {
        assert_eq!(redacted(text), text);
    }
    for (text, secret) in [
        ("das Passwort soll Blech-Kiste-19 heißen", "Blech-Kiste-19"),
        ("the password of the server is Web-Server-19", "Web-Server-19"),
    ] {
        assert!(!redacted(text).contains(secret), "{text}");
    }
}
