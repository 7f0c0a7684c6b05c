//! Kinds of messages that once were read wrongly.

use crate::{Choices, Taken, redact, redact_with};

#[test]
fn what_names_no_secret_is_left_alone() {
    for text in [
        // A question's sign belongs to the question, and a name before "!" to whom it is said.
        "can you disable password login for ops on prod-2?",
        "what is the difference between a client secret and a client id in Auth0?",
        "never write passwords into the chat, Jonas!",
        // Whom to ask, and how to find out.
        "Contraseña de jump: pregunta a Ivy",
        "Mot de passe de 10.219.69.190 : demander à Nora",
        "Wozu ist die Passphrase auf dem SSH-Schlüssel gut?",
        // What users, files and settings are called.
        "sudo passwd anna",
        "pveum passwd root@pam",
        "auth users = backupuser\nsecrets file = /etc/rsyncd.secrets",
        "https POST api.example.com/session password=@/run/secrets/pw",
        "sqlplus hr@//ora12.corp.local:1521/ORCLPDB1",
        "keytool -genkeypair -alias tomcat -storepass:env STOREPASS",
        "influx -username admin -password '' -execute 'SHOW DATABASES'",
        "set DB_PASS=<contraseña> and restart",
        "POSTGRES_PASSWORD: \"\" although there is an env_file",
        // Machines, by the words around them.
        "He olvidado la contraseña de root en db-prod-2, ¿cómo la restablezco?",
        "Wie setze ich das Root-Passwort auf bastion3 zurück?",
        "the password is expired and ci-runner4 wants a new one",
        "useradd -m ops && passwd ops && passwd -e ops # cache1",
        "a password for ann? Thanks!",
        // What is public, masked or said about secrets.
        "Accepted publickey for deploy: ED25519 SHA256:iST/82gMM6wzygRX1FFY1U4ZrQcJqq3x2M+qxCC37Zl",
        "script-src 'nonce-rAnd0mNonceValue2xK9q' 'strict-dynamic'",
        "The WireGuard public key of db01 is VO7ITMG687Gg7y/xd4Kt/5pgdwGi3hXTNqQez5g5RLc=, a peer",
        "peer: hNDphAH8jv8dY36Zb0S8G2qUG4O9JPNmrdF5mRD+8CQ=\n  endpoint: 192.168.9.115:51820",
        "El hash del fichero es 39845efe7affc04ca1cffcc3a346f020ec27b8debb2dff8377d735cbab2b1c13.",
        "the credentials live in arn:aws:secretsmanager:eu-west-1:314732653794:secret:dev/shop-AbXq78",
        "the copy is at QmSZFdetsois4zdGekhUoxQMNCmaBUbT1Z7ffbWcudAYaz, mirror it",
        "password = os.environ[\"APP_PASSWORD\"]\nconn = connect(host=\"10.16.236.98\")",
        "HTTP/2 502, server: cloudflare, cf-ray: 38040b96c53ac0ad-GRU",
        "your one-time code was sent to ***-***-4471",
        "https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX",
        "The secret to a fast database is enough memory, I guess",
        "Wir speichern Kennwörter ausschließlich als Argon2id-Hash.",
        "ohne Passwort: Gäste bekommen einen Voucher",
        "a frase-senha da chave PGP não é recuperável",
        "the password is still the same as before the migration to web-node3",
    ] {
        assert_eq!(redact(text).text, text);
    }
}

#[test]
fn a_secret_may_look_like_a_host_a_version_or_a_placeholder() {
    for (text, secret) in [
        ("the passphrase is lantern.saddle.gravel.magnet", "lantern.saddle"),
        ("la password di root è Postgres412.", "Postgres412"),
        ("my password for deploy is Changeme2014%", "Changeme2014%"),
        ("the API key for Mapbox is eb9888f4-dfd9-45e3-aa2d-0d0c0691805f", "eb9888f4"),
        ("set the header X-Api-Key to 160f9947-ead6-4615-b7df-777872bc3dd6", "160f9947"),
        ("the Gitea password is 23.03.2007", "23.03.2007"),
        ("7z a -p09.06.1961 -mhe=on backup.7z /srv/data", "09.06.1961"),
        ("[smtp.example.org]:587 mailer@example.org:saddlerocket", "saddlerocket"),
        ("the Zabbix password is still pelican.Violin.compass.Anvil.", "pelican.Violin"),
        ("setze das Passwort auf hunter22", "hunter22"),
        ("change the password from dylan1972 to lime_88", "dylan1972"),
        ("login: www, hasło: herbata", "herbata"),
        ("Connecte-toi en tant que ops avec Zp7!kq-Loire et installe Docker", "Zp7!kq-Loire"),
    ] {
        let found = redact_with(text, &Choices::default(), &Taken::default()).text;
        assert!(!found.contains(secret), "{found}");
    }
    for text in ["the password for db.staging is in the vault", "password: changeme123"] {
        assert_eq!(redact(text).text, text);
    }
}

#[test]
fn words_with_dots_are_a_password_where_one_must_be() {
    for text in [
        "curl -u reporting:lantern.saddle.gravel https://pg.example.org/health",
        "sshpass -p 'lantern.saddle.gravel' scp a.tar.gz root@vpn2.example.org:/srv/",
        "smbclient //192.0.2.7/share -U maria%lantern.saddle.gravel",
        "postgresql://kim:lantern.saddle.gravel@db.example.org/app",
        "REDIS_URL=redis://:lantern.saddle.gravel@app1.example.org:6379/0",
        "the pasword for app is lantern.saddle.gravel sorry for the late reply",
        "Sure! The password you need is: lantern.saddle.gravel",
    ] {
        assert!(!redact(text).text.contains("saddle"), "{text}");
    }
    for text in [
        "password: config.database.main",
        "password: params.customer.form,",
        "mysql -u root -p$(cat /run/secrets/db)",
        "the password is read from orders.customer.name",
        "curl -u \"$USER:$PASSWORD\" https://shop.example.berlin/login",
        "the password for shop.example.berlin is unknown",
        "we deployed lantern.saddle.gravel as the new service",
    ] {
        assert_eq!(redact(text).text, text);
    }
}

#[test]
fn a_key_of_a_vendor_may_have_the_form_of_an_identifier() {
    let text = "Scaleway secret key is 6f9f70df-ee1b-4622-a106-e107d14b0251";
    assert!(!redact(text).text.contains("6f9f70df"));
    let text = "kind: Secret\ndata:\n  password: NXckKkdKbEQhPSpOMQ==";
    assert!(!redact(text).text.contains("NXckKkdK"));
    let text = "The secret key id is 6f9f70df-ee1b-4622-a106-e107d14b0251";
    assert_eq!(redact(text).text, text);
}
