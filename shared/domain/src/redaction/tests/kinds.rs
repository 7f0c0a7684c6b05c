//! Kinds of messages that once were read wrongly.

use crate::redaction::{Choices, Taken, redact, redact_with};

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
        // What is public, masked or said about secrets.
        "Accepted publickey for deploy: ED25519 SHA256:iST/82gMM6wzygRX1FFY1U4ZrQcJqq3x2M+qxCC37Zl",
        "script-src 'nonce-rAnd0mNonceValue2xK9q' 'strict-dynamic'",
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
