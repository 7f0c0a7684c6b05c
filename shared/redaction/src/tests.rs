mod kinds;
mod properties;
mod public;
mod surroundings;

use super::*;

const HEX64: &str = "0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9";
const HETZNER: &str = "LRK9DAWQ1ZAEFSrCNEEzLCUwhYX1U3g7wMg4dTlkkDC96fyDuyJ39nVbVjCKSDfj";
const AWS_SECRET: &str = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYzK1pQw9dLe";

fn made(prefix: &str, length: usize) -> String {
    let body = "q7Zx2Lm9Kp4Vt8Rb3Nc6Wd1Hf5Js0GyAeTuXoQiPaSzMvBn";
    format!("{prefix}{}", body.chars().cycle().take(length).collect::<String>())
}

fn key(label: &str) -> String {
    let line = "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtz";
    format!("-----BEGIN {label}-----\n{line}\n{line}\nQyNTUxOQAAACA=\n-----END {label}-----")
}

/// The values that are found in a text.
pub(super) fn found(text: &str) -> Vec<String> {
    redact(text).secrets.into_iter().map(|secret| secret.value).collect()
}

/// The matches of each text, as `NAME=value`.
fn secrets_of(text: &str) -> Vec<String> {
    redact(text).secrets.into_iter().map(|s| format!("{}={}", s.name, s.value)).collect()
}

#[test]
fn secrets_are_found_and_named() {
    let github = made("ghp_", 36);
    let pat = made("github_pat_", 82);
    let gitlab = made("glpat-", 20);
    let ocean = format!("dop_v1_{HEX64}");
    let jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P";
    let (openssh, rsa) = (key("OPENSSH PRIVATE KEY"), key("RSA PRIVATE KEY"));
    let cut = openssh[..120].to_owned();
    let table = [
        (
            "my id is AKIAIOSFODNN7EXAMPLE.".to_owned(),
            vec!["AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE".to_owned()],
        ),
        (
            format!("AWS keys: AKIAIOSFODNN7EXAMPLE / {AWS_SECRET}"),
            vec![
                "AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE".to_owned(),
                format!("AWS_SECRET_ACCESS_KEY={AWS_SECRET}"),
            ],
        ),
        (
            format!("aws_secret_access_key = {AWS_SECRET}"),
            vec![format!("AWS_SECRET_ACCESS_KEY={AWS_SECRET}")],
        ),
        (
            format!("export AWS_SECRET_ACCESS_KEY={AWS_SECRET}\n"),
            vec![format!("AWS_SECRET_ACCESS_KEY={AWS_SECRET}")],
        ),
        (
            format!("secret access key: {AWS_SECRET}"),
            vec![format!("AWS_SECRET_ACCESS_KEY={AWS_SECRET}")],
        ),
        (format!("use {github}, please"), vec![format!("GITHUB_TOKEN={github}")]),
        (format!("access_token: {github}"), vec![format!("GITHUB_TOKEN={github}")]),
        (format!("DEPLOY_TOKEN={github}"), vec![format!("DEPLOY_TOKEN={github}")]),
        (format!("({pat})"), vec![format!("GITHUB_TOKEN={pat}")]),
        (
            format!("https://oauth2:{gitlab}@gitlab.com/a/b.git"),
            vec![format!("GITLAB_TOKEN={gitlab}")],
        ),
        (format!("it is {ocean}"), vec![format!("DIGITALOCEAN_ACCESS_TOKEN={ocean}")]),
        (format!("Hetzner token: {HETZNER}"), vec![format!("HCLOUD_TOKEN={HETZNER}")]),
        (format!("for hcloud use {HETZNER}"), vec![format!("HCLOUD_TOKEN={HETZNER}")]),
        (format!("Authorization: Bearer {jwt}"), vec![format!("JWT_TOKEN={jwt}")]),
        (
            "Authorization: Bearer f81c9eB7a2D04f6c9a1e".to_owned(),
            vec!["BEARER_TOKEN=f81c9eB7a2D04f6c9a1e".to_owned()],
        ),
        (format!("here:\n{openssh}\nthanks"), vec![format!("SSH_PRIVATE_KEY={openssh}")]),
        (format!("key = \"{rsa}\""), vec![format!("PRIVATE_KEY={rsa}")]),
        (cut.clone(), vec![format!("SSH_PRIVATE_KEY={cut}")]),
        (
            "postgres://app:s3cr3t-Pw@db:5432/app".to_owned(),
            vec!["POSTGRES_PASSWORD=s3cr3t-Pw".to_owned()],
        ),
        (
            "mysql+pymysql://root:hunter22@10.0.0.5/shop".to_owned(),
            vec!["MYSQL_PASSWORD=hunter22".to_owned()],
        ),
        ("redis://:Zk9rT3xQ@cache:6379".to_owned(), vec!["REDIS_PASSWORD=Zk9rT3xQ".to_owned()]),
        ("password=hunter2".to_owned(), vec!["PASSWORD=hunter2".to_owned()]),
        ("DB_PASSWORD='Tr0ub4dor&3'".to_owned(), vec!["DB_PASSWORD=Tr0ub4dor&3".to_owned()]),
        (
            "{\"apiKey\": \"9f8e7d6c5b4a3210ff\"}".to_owned(),
            vec!["API_KEY=9f8e7d6c5b4a3210ff".to_owned()],
        ),
        ("db-password: correct7horse!".to_owned(), vec!["DB_PASSWORD=correct7horse!".to_owned()]),
        ("mysql --password S3cretPw9 -e x".to_owned(), vec!["PASSWORD=S3cretPw9".to_owned()]),
        ("The root password is Tr0ub4dor3, ok?".to_owned(), vec!["PASSWORD=Tr0ub4dor3".to_owned()]),
        ("**Password:** Tr0ub4dor&3".to_owned(), vec!["PASSWORD=Tr0ub4dor&3".to_owned()]),
        (
            "client_secret = pQ8~xK2vR7mN4tY9bL1c".to_owned(),
            vec!["CLIENT_SECRET=pQ8~xK2vR7mN4tY9bL1c".to_owned()],
        ),
        (
            "password=kT41bx27! password=Rm93dv40!".to_owned(),
            vec!["PASSWORD=kT41bx27!".to_owned(), "PASSWORD_2=Rm93dv40!".to_owned()],
        ),
        ("пароль: password=Zürich8!x".to_owned(), vec!["PASSWORD=Zürich8!x".to_owned()]),
    ];
    for (text, wanted) in table {
        assert_eq!(secrets_of(&text), wanted, "{text}");
    }
}

#[test]
fn texts_that_only_look_like_secrets_stay_readable() {
    let table = [
        "A small VPS in Nuremberg with nginx, 2 vCPUs and 4 GB of memory.",
        "The password must be at least 12 characters long and rotate every 90 days.",
        "password: at least 12 characters",
        "ssh -i ssh/shop_ed25519 deploy@203.0.113.7",
        "sftp -i keys/web1_ed25519 backup",
        "password: <your password>",
        "password=changeme123",
        "password: ${DB_PASSWORD}",
        "password = var.db_password1",
        "password = random_password.db.result",
        "token: {{ .Values.token1 }}",
        "DB_PASSWORD={{secret:DB_PASSWORD}}",
        "token = file(\"~/.token1\")",
        "password_file: /run/secrets/db1",
        "token_url: https://auth.example.com/oauth2/token",
        "max_tokens: 4096",
        "secret: my-database-credentials-v2",
        "secretName: tls-cert-2024",
        "auth token: optional, see oauth2-proxy",
        "The secret is simple: use less.",
        "my password is safe with you",
        "The token is base64url-encoded.",
        "git checkout 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b on aws",
        "AWS image sha256:0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9",
        "hetzner checksum 0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9",
        "arn:aws:iam::123456789012:role/service-role/MyLambdaExecutionRole",
        "s3://my-bucket/path/with/a/very/long/name/That/Has/Capitals/in/aws",
        "postgres://app@db:5432/app",
        "postgres://user:password@localhost/db",
        "postgres://user:$PGPASSWORD@localhost/db",
        "https://example.com:8443/a@b",
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGx2Zm9vYmFyYmF6cXV4cXV1eGNvcmdlZ3JhdWx0 me@host",
        "What does -----BEGIN RSA PRIVATE KEY----- mean?",
        "-----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgIUQ1Q9\n-----END CERTIFICATE-----",
        "AKIA is the prefix of an access key",
        "ghp_short",
        "instance type t3.micro, ami-0abcdef1234567890, vpc-0a1b2c3d4e5f67890",
        "uuid 123e4567-e89b-12d3-a456-426614174000",
        "bearer authentication over TLSv1.2",
        "pass: 3 of 4 checks",
        "secret:",
        "",
    ];
    for text in table {
        assert_eq!(redact(text), Redacted { text: text.to_owned(), secrets: vec![] }, "{text}");
    }
}

#[test]
fn a_secret_is_replaced_in_every_place_and_its_surroundings_stay() {
    let redacted = redact("url postgres://app:s3cr3t-Pw@db/app, and again: s3cr3t-Pw.");
    assert_eq!(
        redacted.text,
        "url postgres://app:{{secret:POSTGRES_PASSWORD}}@db/app, and again: {{secret:POSTGRES_PASSWORD}}."
    );
    assert_eq!(redacted.secrets.len(), 1);
}

#[test]
fn a_new_secret_does_not_take_the_name_of_an_older_reference() {
    let redacted = redact("use {{secret:PASSWORD}}; root has password=Tr0ub4dor3");
    assert_eq!(redacted.secrets[0].name, "PASSWORD_2");
}

#[test]
fn a_value_that_is_its_own_name_is_not_shown_by_the_reference() {
    let text = "A1B2C3_PASSWORD=xYz12345! and A1B2C3_PASSWORD";
    let choices = Choices { secrets: std::iter::once(30..45).collect(), not_secrets: Vec::new() };
    let redacted = redact_with(text, &choices, &Taken::default());
    assert!(!redacted.text.contains("A1B2C3_PASSWORD"), "{}", redacted.text);
    assert_eq!(redacted.secrets.len(), 2, "{redacted:?}");
}

#[test]
fn a_text_marked_as_harmless_stays_in_every_place() {
    let text = "password=Tr0ub4dor3 token=Zm9vYmFyYmF6cXV4MTIz, again Tr0ub4dor3";
    let choices = Choices { secrets: Vec::new(), not_secrets: std::iter::once(12..13).collect() };
    let redacted = redact_with(text, &choices, &Taken::default());
    assert_eq!(redacted.text, "password=Tr0ub4dor3 token={{secret:TOKEN}}, again Tr0ub4dor3");
}

#[test]
fn a_secret_does_not_print() {
    let redacted = redact("password=Tr0ub4dor3");
    assert!(!format!("{redacted:?}").contains("Tr0ub4dor3"));
}

#[test]
fn an_ordinary_word_that_is_a_password_stays_readable_elsewhere() {
    let text = "image: postgres:15\nPOSTGRES_USER=postgres\nPOSTGRES_PASSWORD=postgres";
    let redacted = redact(text);
    assert_eq!(
        redacted.text,
        "image: postgres:15\nPOSTGRES_USER=postgres\nPOSTGRES_PASSWORD={{secret:POSTGRES_PASSWORD}}"
    );
}

#[test]
fn a_generators_words_are_a_password_where_one_must_be_and_a_name_elsewhere() {
    for made in ["tulip-walnut-harbor71", "xkh2-UCV5-swew", "lantern-quartz-meadow-oyster"] {
        for text in [format!("the password is now {made}."), format!("DB_PASSWORD={made}")] {
            assert!(!redact(&text).text.contains(made), "{text}");
        }
        let text = format!("restart {made}, its password stays");
        assert_eq!(redact(&text).text, text);
    }
    let text = "password: password-reset-policy12";
    assert_eq!(redact(text).text, text);
}

#[test]
fn a_closing_quote_does_not_begin_a_value() {
    let text = "$cfg['password'] = 'Tr0ub4dor&3'; os.environ[\"DB_PASSWORD\"] = \"c0rrect-H0rse\"";
    assert_eq!(secrets_of(text), ["PASSWORD=Tr0ub4dor&3", "DB_PASSWORD=c0rrect-H0rse"]);
}

#[test]
fn any_number_of_values_may_follow_one_word() {
    let many: String = (0..400).map(|i| format!("a{i}B7#x{i} ")).collect();
    let redacted = redact(&format!("password: {many}"));
    assert!(!redacted.text.contains("a0B7#x0"), "{}", redacted.text);
    let listed = "{{secret:A}} ".repeat(400);
    assert!(redact(&format!("login: {listed}")).secrets.is_empty());
}

/// The project's credentials, as a vault knows them.
fn taken(known: &[(&str, &str)], text: &str) -> Vec<String> {
    let name_of = |value: &str| {
        known.iter().find(|(_, kept)| *kept == value).map(|(name, _)| (*name).to_owned())
    };
    let names = known.iter().map(|(name, _)| (*name).to_owned()).collect();
    let taken = Taken { names, name_of: Some(&name_of) };
    let redacted = redact_with(text, &Choices::default(), &taken);
    redacted.secrets.into_iter().map(|s| format!("{}={}", s.name, s.value)).collect()
}

#[test]
fn a_secret_begins_after_its_option_and_ends_before_its_quote() {
    for (text, secret) in [
        ("mysql -uroot -pKrokodil9 -h db1 orders", "Krokodil9"),
        ("sshpass -pKrokodil9 ssh root@10.0.0.7", "Krokodil9"),
        ("7z a -p'Krokodil9!' backup.7z /srv", "Krokodil9!"),
        ("{\"user\": \"app\", \"password\": \"Krokodil9\"}", "Krokodil9"),
        ("ansible-playbook a.yml --extra-vars \"db_password=Krokodil9\"", "Krokodil9"),
        ("please set up postgres (superuser password Krokodil9)", "Krokodil9"),
        ("INSERT INTO members (nick, password) VALUES ('app', 'Krokodil_9');", "Krokodil_9"),
    ] {
        assert_eq!(found(text), [secret], "{text}");
        let composed = redact_with(text, &Choices::default(), &Taken::default());
        assert_eq!(composed, redact(text), "{text}");
    }
}

#[test]
fn a_reference_in_a_part_that_is_not_read_again_says_nothing_about_the_next_line() {
    let text = "\r\n{{secret:A}}\n密码| mysql ghp_16C7e42F292c6912E7710c838347Ae178B4aroot";
    let redacted = redact(text).text;
    assert_eq!(redact(&redacted).text, redacted);
}

#[test]
fn the_beginning_of_a_reference_is_not_a_secret() {
    let text = "y\nQ\nBl\n{{secret:{{secret:: ";
    let redacted = redact_with(text, &Choices::default(), &Taken::default());
    assert_eq!(redacted.text, text);
}

#[test]
fn a_second_secret_of_a_kind_gets_a_number_in_its_message_and_in_its_project() {
    let two = "password: Tr0ub4dor&3, and for the other one password: c0rrect-H0rse";
    assert_eq!(secrets_of(two), ["PASSWORD=Tr0ub4dor&3", "PASSWORD_2=c0rrect-H0rse"]);
    let known = [("PASSWORD", "first-S3cret"), ("PASSWORD_2", "c0rrect-H0rse")];
    assert_eq!(taken(&known, two), ["PASSWORD_3=Tr0ub4dor&3", "PASSWORD_2=c0rrect-H0rse"]);
}

#[test]
fn the_same_secret_keeps_its_name_however_often_it_is_sent() {
    let known = [("PASSWORD", "first-S3cret"), ("DB_PASSWORD", "Tr0ub4dor&3")];
    assert_eq!(taken(&known, "password: Tr0ub4dor&3"), ["DB_PASSWORD=Tr0ub4dor&3"]);
    assert_eq!(taken(&known, "DB_PASSWORD=Tr0ub4dor&3"), ["DB_PASSWORD=Tr0ub4dor&3"]);
}

#[test]
fn a_new_value_for_a_name_that_the_author_wrote_replaces_it_even_a_numbered_one() {
    let known = [("API_KEY_2", "0ld-Value-7q"), ("DB_PASSWORD", "0ld-Value-8r")];
    assert_eq!(taken(&known, "DB_PASSWORD=n3w-Value-9s"), ["DB_PASSWORD=n3w-Value-9s"]);
    assert_eq!(taken(&known, "export API_KEY_2=\"n3w-Value-9s\""), ["API_KEY_2=n3w-Value-9s"]);
    // A word that is only like the name does not say which one is meant.
    assert_eq!(taken(&known, "db_password: n3w-Value-9s"), ["DB_PASSWORD_2=n3w-Value-9s"]);
    // One name has one value in a message.
    let twice = taken(&known, "DB_PASSWORD=n3w-Value-9s then DB_PASSWORD=0ther-Value-1t");
    assert_eq!(twice, ["DB_PASSWORD=n3w-Value-9s", "DB_PASSWORD_2=0ther-Value-1t"]);
    let back = taken(&known, "DB_PASSWORD=n3w-Value-9s instead of password 0ld-Value-8r");
    assert_eq!(back[0], "DB_PASSWORD=n3w-Value-9s");
    assert!(back[1..].iter().all(|found| !found.starts_with("DB_PASSWORD=")), "{back:?}");
}

#[test]
fn a_statement_ends_what_a_word_for_a_password_opened() {
    let statements = "CREATE USER 'www-data'@'localhost' IDENTIFIED VIA unix_socket;\nGRANT ALL ON app.* TO 'www-data'@'localhost';\n";
    assert_eq!(redact(statements).text, statements);
    let redacted =
        redact("CREATE USER 'app' IDENTIFIED BY 'Tr0ub4dor3';\nGRANT ALL ON app.* TO 'app';\n");
    assert!(!redacted.text.contains("Tr0ub4dor3"), "{}", redacted.text);
}

#[test]
fn a_variable_in_a_compose_file_is_not_a_secret() {
    let test = r#"test: ["CMD-SHELL", "mysql --user=app --password=\"$$MYSQL_PASSWORD\" --execute='SELECT 1'"]"#;
    assert_eq!(redact(test).text, test);
    let redacted = redact("mysql --user=app --password='$$ecret-Pw9'");
    assert!(!redacted.text.contains("ecret-Pw9"), "{}", redacted.text);
}
