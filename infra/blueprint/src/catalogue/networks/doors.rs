//! Words for connecting to the server, and to other things.

/// Words for logging in to the server.
pub const SSH: &[&str] = &["ssh", "sftp", "log in", "login", "shell"];

/// Those of them that also mean logging in to something else: “the login page”.
pub const LOGIN: &[&str] = &["log in", "login"];

pub const SSH_PORT: &str = "22";

/// Words for access in general, which mean SSH if the clause names nothing else that one can connect to.
pub const WAY_IN: &[&str] = &[
    "from", "access", "allow", "allowed", "connect", "ip", "address", "only", "office", "home",
    "network", "we", "sit", "reach",
];

/// Things other than SSH to which one can connect.
pub const OTHER_DOORS: &[&str] = &[
    "mysql",
    "postgres",
    "postgresql",
    "database",
    "db",
    "redis",
    "psql",
    "grafana",
    "kibana",
    "prometheus",
    "elasticsearch",
    "elk",
    "wordpress",
    "django",
    "kubernetes",
    "k3s",
    "k8s",
    "api",
    "dashboard",
    "port",
    "http",
    "https",
    "admin",
    "website",
    "page",
    "site",
    "app",
    "administration",
    "interface",
    "console",
    "panel",
    "ui",
    "verwaltung",
    "oberfläche",
    "administración",
];

/// Verbs for connecting to one of [`OTHER_DOORS`].
pub const REACHING: &[&str] = &[
    "access",
    "connect",
    "reach",
    "reachable",
    "accessible",
    "available",
    "open",
    "remote",
    "directly",
    "talk",
    "port",
    "only",
    "allow",
    "allowed",
];

/// Words for incoming data and for monitored machines.
pub const FLOWS: &[&str] = &[
    "come in",
    "comes in",
    "send",
    "sends",
    "sent",
    "push",
    "ship",
    "receive",
    "accepts",
    "ingest",
    "scrape",
    "write",
    "syslog",
    "beats",
    "logs",
    "metrics",
    "traffic",
    "monitoring",
    "monitor",
    "watch",
    "replica",
    "dns",
];

/// Words for copies, which go to an address or are fetched from it. “SFTP” then is a way of the copies.
pub const COPIES: &[&str] = &[
    "backup",
    "copy",
    "copies",
    "copia",
    "copie",
    "dump",
    "restic",
    "nas",
    "storage box",
    "restore",
    "upload",
];

/// Databases, and words for connecting to the one that a message asks for.
pub const DATABASES: &[&str] = &["mysql", "postgres", "postgresql", "database", "db"];
pub const OPENING: &[&str] = &[
    "access",
    "connect",
    "reach",
    "reachable",
    "accessible",
    "connection",
    "open",
    "opened",
    "exposed",
    "internet",
    "public",
    "visible",
    "listen",
    "listening",
    "talk",
    "talks",
];

/// Words for the server itself.
pub const MACHINES: &[&str] = &["server", "machine", "vps", "vm", "box", "host", "instance"];

/// Verbs for connecting to a server.
pub const CONNECTING: &[&str] = &["access", "connect", "get in"];

/// Words for getting in, which need no other words about the server.
pub const ENTERING: &[&str] = &["access", "connect", "get in", "reach", "log in", "login"];

/// Words for keeping an address out.
pub const BLOCKING: &[&str] = &[
    "block", "blocked", "ban", "banned", "bannir", "bloquer", "bloquear", "sperren", "sperre",
    "deny",
];
