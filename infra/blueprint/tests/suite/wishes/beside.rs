//! What users wish beside a deployment, in four languages, and the deployments that have it.

const SERVERS: &[&str] = &[
    "basic-vps",
    "vps-mysql",
    "vps-postgresql",
    "elk",
    "monitoring-stack",
    "nginx-site",
    "wordpress",
    "django",
    "k3s",
    "haproxy",
    "releases",
];

/// The deployments with a machine of their own, at Hetzner or at AWS.
const MACHINES: &[&str] = &[
    "ec2-ssh",
    "basic-vps",
    "vps-mysql",
    "vps-postgresql",
    "elk",
    "monitoring-stack",
    "nginx-site",
    "wordpress",
    "django",
    "k3s",
    "haproxy",
    "releases",
];

/// The deployments that Terraform makes.
const PLANNED: &[&str] = &[
    "ec2-ssh",
    "basic-vps",
    "vps-mysql",
    "vps-postgresql",
    "elk",
    "monitoring-stack",
    "nginx-site",
    "wordpress",
    "django",
    "static-site",
    "k3s",
    "haproxy",
    "releases",
];

/// A wish in four languages, the requirement that it becomes, and the deployments that fulfill it.
pub struct Beside {
    pub said: [&'static str; 4],
    pub claimed: &'static str,
    /// An English word of the wish that is in the report if a deployment does not fulfill it.
    pub named: &'static str,
    pub by: &'static [&'static str],
}

const WEB: &[&str] = &["nginx-site", "wordpress", "django"];

pub const BESIDE: &[Beside] = &[
    Beside {
        said: [
            "brotli compression",
            "Komprimierung mit Brotli",
            "compresión brotli",
            "compression brotli",
        ],
        claimed: "Pages are compressed on the way",
        named: "compression",
        by: &["static-site"],
    },
    Beside {
        said: [
            "security headers and HSTS",
            "Sicherheits-Headern und HSTS",
            "cabeceras de seguridad y HSTS",
            "en-têtes de sécurité et HSTS",
        ],
        claimed: "Headers that make browsers careful",
        named: "headers",
        by: &["static-site"],
    },
    Beside {
        said: [
            "a password that may contain quotes",
            "einem Passwort, das Anführungszeichen enthalten darf",
            "una contraseña que puede contener comillas",
            "un mot de passe qui peut contenir des guillemets",
        ],
        claimed: "Passwords may contain quotes",
        named: "quotes",
        by: &["vps-mysql", "vps-postgresql"],
    },
    Beside {
        said: [
            "something that survives a reboot",
            "einem Aufbau, der einen Neustart überlebt",
            "algo que sobrevive a un reinicio",
            "quelque chose qui survit à un redémarrage",
        ],
        claimed: "Everything comes back after a reboot",
        named: "reboot",
        by: SERVERS,
    },
    Beside {
        said: [
            "nightly backups",
            "nächtlichen Sicherungen",
            "copias de seguridad nocturnas",
            "sauvegardes nocturnes",
        ],
        claimed: "Nightly backups",
        named: "backup",
        by: &["vps-mysql", "vps-postgresql", "wordpress"],
    },
    Beside {
        said: [
            "a restore that is tested",
            "getesteter Wiederherstellung",
            "una restauración probada",
            "une restauration testée",
        ],
        claimed: "A restore that is tried",
        named: "restore",
        by: &["vps-mysql", "vps-postgresql", "wordpress"],
    },
    Beside {
        said: [
            "logins by key only",
            "Anmeldung nur mit Schlüsseln",
            "acceso solo con claves",
            "connexion uniquement par clé",
        ],
        claimed: "SSH logins by key only",
        named: "key",
        by: MACHINES,
    },
    Beside {
        said: [
            "automatic updates",
            "automatischen Aktualisierungen",
            "actualizaciones automáticas",
            "mises à jour automatiques",
        ],
        claimed: "Security updates that install themselves",
        named: "update",
        by: SERVERS,
    },
    Beside {
        said: [
            "alerts to a webhook",
            "Alarmen an einen Webhook",
            "alertas a un webhook",
            "des alertes vers un webhook",
        ],
        claimed: "Alerts that reach a webhook",
        named: "webhook",
        by: &["monitoring-stack"],
    },
    Beside {
        said: [
            "no lost request when a server restarts",
            "keiner verlorenen Anfrage beim Neustart",
            "ninguna petición perdida al reiniciar",
            "aucune requête perdue au redémarrage",
        ],
        claimed: "No request is lost when a server restarts",
        named: "request",
        by: &["haproxy", "releases"],
    },
    Beside {
        said: ["a rollback", "einem Rollback", "un rollback", "un rollback"],
        claimed: "A rollback to the release before",
        named: "rollback",
        by: &["releases"],
    },
    Beside {
        said: ["its own VPC", "einer eigenen VPC", "una VPC propia", "un VPC propre"],
        claimed: "A VPC of its own",
        named: "vpc",
        by: &["ec2-ssh"],
    },
    Beside {
        said: ["a firewall", "einer Firewall", "un cortafuegos", "un pare-feu"],
        claimed: "A firewall",
        named: "firewall",
        by: MACHINES,
    },
    Beside {
        said: [
            "everything usual, but no root login",
            "allem, aber ohne Root-Login",
            "todo, pero sin acceso root",
            "tout, mais sans connexion root",
        ],
        claimed: "No login as root",
        named: "root",
        by: MACHINES,
    },
    Beside {
        said: [
            "tables whose owner is the application's user",
            "Tabellen, die dem Benutzer der Anwendung gehören",
            "el usuario de la aplicación como propietario de sus tablas",
            "l'utilisateur de l'application comme propriétaire de ses tables",
        ],
        claimed: "The application's login owns its database",
        named: "own",
        by: &["vps-postgresql"],
    },
    Beside {
        said: ["TLS", "TLS", "TLS", "TLS"],
        claimed: "TLS with a certificate that is valid",
        named: "tls",
        by: &["nginx-site", "wordpress", "django", "static-site"],
    },
    Beside {
        said: [
            "a certificate that renews itself",
            "einem Zertifikat, das sich selbst erneuert",
            "un certificado que se renueva por sí solo",
            "un certificat qui se renouvelle tout seul",
        ],
        claimed: "A certificate that renews itself",
        named: "renew",
        by: WEB,
    },
    Beside {
        said: [
            "an encrypted disk",
            "verschlüsselter Festplatte",
            "disco cifrado",
            "disque chiffré",
        ],
        claimed: "Encryption at rest",
        named: "encrypt",
        by: &["ec2-ssh", "static-site"],
    },
    Beside {
        said: [
            "data that survives a restart",
            "dauerhaften Daten",
            "algo que conserva sus datos",
            "quelque chose qui garde ses données",
        ],
        claimed: "Data that outlives a restart",
        named: "data",
        by: &["vps-mysql", "vps-postgresql"],
    },
    Beside {
        said: [
            "a second plan that is empty",
            "einem leeren zweiten Plan",
            "un segundo plan vacío",
            "un deuxième plan vide",
        ],
        claimed: "A second plan changes nothing",
        named: "plan",
        by: PLANNED,
    },
];
