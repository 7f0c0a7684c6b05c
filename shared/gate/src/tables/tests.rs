use super::*;

fn said(path: &str, text: &str) -> Vec<String> {
    crate::testing::said(examine, &format!("cat >{path} <<'E'\n{text}\nE\n"))
}

#[test]
fn every_table_can_be_read() {
    for text in TABLES {
        let head = text.lines().next().unwrap_or_default();
        assert!(text.starts_with("# "), "{head}");
        assert!(text.lines().any(|line| ["place ", "sign "].iter().any(|it| line.starts_with(it))));
        let words = [
            "#", "case", "form", "free", "known", "link", "names", "order", "place", "refuse",
            "same", "sections", "sign", "skip", "spaces", "take",
        ];
        let count = |word: &str| text.lines().filter(|line| line.starts_with(word)).count();
        for line in text.lines() {
            let word = line.split(' ').next().unwrap_or_default();
            assert!(words.contains(&word), "{head}: {line}");
        }
        let table = Table::new(text);
        assert_eq!(table.refusals.len(), count("refuse "), "{head}");
        assert_eq!(table.takes.len(), count("take "), "{head}");
        assert_eq!(table.links.len(), count("link "), "{head}");
        assert_eq!(table.orders.len(), count("order "), "{head}");
        for refusal in &table.refusals {
            assert!(!refusal.values.is_empty() && refusal.why.ends_with('.'), "{}", refusal.name);
        }
    }
}

/// A file of each form, a line that is wrong in it, and what the finding names.
const WRONG: [(&str, &str, &str); 41] = [
    ("/etc/snmp/snmpd.conf", "agentaddress udp:0.0.0.0:161", "its own address"),
    ("/etc/snmp/snmpd.conf", "agentAdress 127.0.0.1", "agentAddress"),
    ("/etc/postgresql/16/main/conf.d/a.conf", "effective_cache_sise = 1GB", "effective_cache_size"),
    ("/etc/postgresql/16/main/conf.d/a.conf", "wal_keep_size = 512M", "512M"),
    ("/etc/postgresql/16/main/conf.d/a.conf", "ssl = maybe", "maybe"),
    ("/etc/mysql/conf.d/a.cnf", "[mysqld]\nskip-grant-tables", "without a password"),
    ("/etc/mysql/conf.d/a.cnf", "[mysqld]\ninnodb_bufer_pool_size = 1G", "innodb-buffer-pool-size"),
    ("/etc/mongod.conf", "storage:\n  dbpath: /a", "dbpath"),
    ("/etc/mongod.conf", "security:\n  authorization: disabled", "obeys anyone"),
    (
        "/etc/apache2/sites-available/a.conf",
        "<VirtualHost *:80>\n<Directory /a>\n</VirtualHost>",
        "is open",
    ),
    ("/etc/apache2/sites-available/a.conf", "ProxyPreservHost On", "ProxyPreserveHost"),
    ("/etc/apache2/sites-available/a.conf", "SSLProtocol all -SSLv3", "TLS before 1.2"),
    (
        "/etc/postfix/main.cf",
        "smtp_sasl_securty_options = noanonymous",
        "smtp_sasl_security_options",
    ),
    ("/etc/postfix/main.cf", "smtpd_relay_restrictions = permit", "for anyone"),
    ("/etc/dovecot/local.conf", "ssl_minimum_protocol = TLSv1.2", "ssl_min_protocol"),
    (
        "/etc/dovecot/local.conf",
        "service imap-login {\n  inet_listener imap {\n    port = 0\n}",
        "Nothing closes",
    ),
    (
        "/etc/bind/named.conf.options",
        "options {\n  recursion no\n  allow-query { any; };\n};",
        "`;` is missing",
    ),
    ("/etc/bind/named.conf.options", "options {\n  dnssec-validate auto;\n};", "dnssec-validation"),
    (
        "/etc/bind/named.conf.options",
        "options {\n  recursion yes;\n  allow-query { any; };\n};",
        "every question",
    ),
    (
        "/etc/unbound/unbound.conf.d/a.conf",
        "server:\n  access-control: 0.0.0.0/0 allow",
        "every question",
    ),
    ("/etc/unbound/unbound.conf.d/a.conf", "server:\n  rrsets-cache-size: 8m", "rrset-cache-size"),
    ("/etc/chrony/chrony.conf", "makesteps 1.0 3", "makestep"),
    ("/etc/chrony/chrony.conf", "cmdallow all", "watch the clock"),
    ("/etc/samba/smb.conf", "[a]\n  directry mask = 2770", "directory mask"),
    ("/etc/samba/smb.conf", "[a]\n  guest ok = yes\n  read only = no", "without a password"),
    ("/etc/krb5.conf", "[libdefaults]\n  allow_weak_crypto = true", "broken"),
    ("/etc/krb5.conf", "[realms]\n  A = {\n    kdc = a\n[domain_realm]", "Nothing closes"),
    (
        "/etc/grafana/grafana.ini",
        "[auth.anonymous]\nenabled = true\norg_role = Admin",
        "every dashboard",
    ),
    ("/opt/kafka/config/server.properties", "allow.everyone.if.no.acl.found=true", "Every client"),
    (
        "/opt/kafka/config/server.properties",
        "listeners=A://:1\ninter.broker.listener.name=B",
        "`B`",
    ),
    (
        "/etc/elasticsearch/elasticsearch.yml",
        "network.host: 0.0.0.0\nxpack.security.http.ssl.enabled: false",
        "plain text",
    ),
    ("/etc/gitea/app.ini", "[security]\nINSTALL_LOCK = false", "first visitor"),
    (
        "casc/jenkins.yaml",
        "jenkins:\n  authorizationStrategy:\n    unsecured: {}",
        "require an account",
    ),
    ("/etc/consul.d/consul.json", "{\"acl\": {\"default_policy\": \"allow\"}}", "use `deny`"),
    ("/etc/vault.d/vault.hcl", "storage \"raft\" {\n  path = \"/a\"", "cannot be read"),
    (
        "/etc/vault.d/vault.hcl",
        "listener \"tcp\" {\n  address = \"0.0.0.0:8200\"\n  tls_disable = true\n}",
        "plain text",
    ),
    ("k8s/kustomization.yaml", "images:\n  - name: a\n    newTags: b", "newTag"),
    (
        "/etc/php/8.2/fpm/pool.d/a.conf",
        "[a]\npm = dynamic\npm.min_spare_servers = 4\npm.max_spare_servers = 2",
        "is larger than",
    ),
    ("/etc/php/8.2/fpm/pool.d/a.conf", "[a]\nlisten.mode = 0666", "use `0660`"),
    (
        "a.yaml",
        "apiVersion: argoproj.io/v1alpha1\nkind: Application\nspec:\n  source:\n    targetRevision: latest",
        "whatever is published",
    ),
    ("a.ldif", "dn: cn=config\nchangetype: modifiy", "changetype"),
];

#[test]
fn what_a_table_knows_is_found() {
    for (path, text, part) in WRONG {
        let found = said(path, text);
        assert!(found.iter().any(|message| message.contains(part)), "{text}: {found:?}");
    }
}

#[test]
fn what_a_service_takes_is_left_alone() {
    for (path, text) in [
        (
            "/etc/postgresql/16/main/conf.d/a.conf",
            "work_mem 4MB\nssl = on\npg_stat_statements.max = 1\nwal_keep_size = 512MB\nlog_min_duration_statement = -1",
        ),
        (
            "/etc/mysql/conf.d/a.cnf",
            "[client]\nuser = a\n[mysqld]\nskip-name-resolve\ninnodb_buffer_pool_size = 1G\n!includedir /etc/a",
        ),
        ("/etc/mongod.conf", "storage:\n  dbPath: /a\nsetParameter:\n  any: 1"),
        (
            "/etc/apache2/sites-available/a.conf",
            "<VirtualHost *:80>\n<IfModule mod_ssl.c>\nSSLProtocol all -SSLv3 -TLSv1 -TLSv1.1\n</IfModule>\n</VirtualHost>",
        ),
        (
            "/etc/postfix/main.cf",
            "smtpd_relay_restrictions =\n  permit_mynetworks,\n  reject\nown_setting = a",
        ),
        (
            "/etc/dovecot/local.conf",
            "ssl_cert = </a/b\nplugin {\n  own_sizes = 1\n}\nprotocol imap {\n}",
        ),
        (
            "/etc/bind/named.conf.options",
            "acl own { 10.0.0.0/8; };\ncontrols {\n  inet 127.0.0.1 port 953\n    allow { 127.0.0.1; } keys { \"rndc\"; };\n};\noptions {\n  recursion yes; // inside\n  allow-query { any; };\n  allow-recursion { own; };\n};",
        ),
        (
            "/etc/unbound/unbound.conf.d/a.conf",
            "server:\n  access-control: 0.0.0.0/0 refuse\nforward-zone:\n  name: \".\"",
        ),
        ("/etc/chrony/chrony.conf", "allow 10.0.0.0/8\n! a comment\nmakestep 1 3"),
        (
            "/etc/samba/smb.conf",
            "[a]\n  guest ok = yes\n  read only = yes\n  fruit:metadata = stream\n  Path = /a",
        ),
        (
            "/etc/krb5.conf",
            "[libdefaults]\n  default_realm = A\n[realms]\n  A = {\n    kdc = a\n  }",
        ),
        (
            "/etc/grafana/grafana.ini",
            "[auth.anonymous]\nenabled = true\norg_role = Viewer\n;own = a",
        ),
        (
            "/opt/kafka/config/server.properties",
            "listeners=A://:1,B://:2\ninter.broker.listener.name=B\nlistener.name.b.ssl.client.auth=none",
        ),
        ("a.yaml", "#cloud-config\npackages: [a]\nusers:\n  - name: a\n    sudo: b"),
        ("k8s/kustomization.yaml", "resources: [a.yaml]\nimages:\n  - name: a\n    newTag: b"),
        ("/etc/mosquitto/conf.d/a.conf", "plugin /usr/lib/a.so\nplugin_opt_config_file /etc/a"),
        ("/etc/postgresql/16/main/postgresql.conf", "max_connections = 100\t\t# (restart)"),
        ("/etc/fail2ban/filter.d/vsftpd.conf", "[Definition]\nfailregex = a <HOST>"),
        ("/etc/sysctl.d/mongodb.conf", "vm.max_map_count = 1\nnet.ipv4.conf.lo.arp_ignore = 1"),
        ("/etc/bind/named.conf.options", "options {\n  minimal-responses no-auth;\n};"),
        (
            "/etc/php/8.2/fpm/pool.d/a.conf",
            "pm = static\npm.max_children = 2\npm.max_spare_servers = 3",
        ),
        (
            "/etc/vault.d/vault.hcl",
            "listener \"tcp\" { address = \"127.0.0.1:8200\" tls_disable = 1 }",
        ),
        (
            "/etc/squid/squid.conf",
            "http_port 443 accel\ncache_peer 10.0.0.5 parent 80 0\nhttp_access allow all",
        ),
        ("/etc/keepalived/keepalived.conf", "vrrp_instance A {\n  state BACKUP ! the second\n}"),
    ] {
        assert_eq!(said(path, text), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn a_file_is_judged_by_the_place_where_it_ends() {
    let text = "cat >build/main.cf <<'E'\nsmtp_sasl_securty_options = a\nE\n";
    let copied = format!("{text}scp build/main.cf server:/etc/postfix/main.cf\n");
    let found = |text: &str| crate::testing::said(examine, text).len();
    assert_eq!((found(text), found(&copied)), (0, 1));
}
