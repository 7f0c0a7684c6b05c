//! First messages of users, and the deployment or the refusal that must follow.

/// How a wish must end.
pub enum Outcome {
    /// With this deployment, and these words reported as not built as stated.
    Built(&'static str, &'static [&'static str]),
    /// With no deployment, and these words reported as impossible to build.
    Refused(&'static [&'static str]),
}

use Outcome::{Built, Refused};

/// A language: how its speaker agrees to everything, and a sentence that identifies the replies in it.
pub struct Speaker {
    pub agrees: &'static [&'static str],
    pub signs: &'static [&'static str],
}

const ENGLISH: &Speaker = &Speaker {
    agrees: &["use the defaults", "go ahead"],
    signs: &["Confirm the requirements", "I cannot build this", "Not everything is built"],
};
const GERMAN: &Speaker = &Speaker {
    agrees: &["die Standardwerte", "weiter"],
    signs: &["Bestätigen Sie die Anforderungen", "Das kann ich nicht bauen", "Nicht alles wird"],
};
const SPANISH: &Speaker = &Speaker {
    agrees: &["por defecto", "adelante"],
    signs: &["Confirme los requisitos", "Esto no lo puedo construir", "No todo se construye"],
};
const FRENCH: &Speaker = &Speaker {
    agrees: &["les valeurs par défaut", "vas-y"],
    signs: &["Confirmez les exigences", "Je ne peux pas construire", "Tout n'est pas construit"],
};

pub const CONVERSATIONS: &[(&Speaker, &str, Outcome)] = &[
    (ENGLISH, "I want a Kubernetes cluster with three nodes", Built("k3s", &[])),
    (ENGLISH, "k3s on two servers in Helsinki", Built("k3s", &[])),
    (ENGLISH, "A k3s cluster with Helm", Built("k3s", &["helm"])),
    (ENGLISH, "EKS in Frankfurt", Refused(&["eks"])),
    (ENGLISH, "Please set up WordPress on a VPS", Built("wordpress", &[])),
    (ENGLISH, "I need a GitLab runner at Hetzner", Refused(&["gitlab runner"])),
    (ENGLISH, "A load balancer in front of two VPS", Built("haproxy", &[])),
    (
        ENGLISH,
        "HAProxy in front of two web servers, without a lost request when one restarts",
        Built("haproxy", &[]),
    ),
    (ENGLISH, "A load balancer with TLS for example.org", Built("haproxy", &["tls"])),
    (ENGLISH, "HAProxy in front of five servers", Built("haproxy", &["five servers"])),
    (
        ENGLISH,
        "Zero-downtime releases of my application on a VPS, with a rollback",
        Built("releases", &[]),
    ),
    (ENGLISH, "Releases without downtime on a VPS, with a rollback", Built("releases", &[])),
    (ENGLISH, "An NLB on AWS", Refused(&["nlb"])),
    (ENGLISH, "RDS with an ALB in Frankfurt", Refused(&["rds", "alb"])),
    (ENGLISH, "A Windows server please", Refused(&["windows server"])),
    (ENGLISH, "Build me a Minecraft server for ten friends", Refused(&["minecraft"])),
    (ENGLISH, "PostgreSQL with a replica on GCP", Built("vps-postgresql", &["replica", "gcp"])),
    (ENGLISH, "A VPS with MySQL 5.7", Built("vps-mysql", &["mysql 5.7"])),
    (ENGLISH, "A VPS with 512 GB RAM in Helsinki", Built("basic-vps", &["512 gb"])),
    (ENGLISH, "A VPS with TLS for example.org", Built("basic-vps", &["tls", "example.org"])),
    (ENGLISH, "An ELK stack on a VPS at Hetzner", Built("elk", &[])),
    (ENGLISH, "S3 with CloudFront for my static site", Built("static-site", &[])),
    (ENGLISH, "A Django app with Celery and Redis", Built("django", &[])),
    (ENGLISH, "Redis please", Built("basic-vps", &[])),
    (ENGLISH, "MariaDB on a VPS", Refused(&["mariadb"])),
    (
        ENGLISH,
        "A monitoring stack that pages us on Slack",
        Built("monitoring-stack", &["slack", "pages"]),
    ),
    (ENGLISH, "PostgreSQL on AWS", Built("vps-postgresql", &["aws"])),
    (ENGLISH, "An EC2 server with Docker and nginx", Built("ec2-ssh", &["nginx", "docker"])),
    (ENGLISH, "A VPS with Ubuntu 22.04", Built("basic-vps", &["ubuntu", "22.04"])),
    (ENGLISH, "MySQL and PostgreSQL on one VPS", Built("vps-mysql", &["postgresql"])),
    (ENGLISH, "A basic VPS in Helsinki", Built("basic-vps", &[])),
    (ENGLISH, "A web service named orders on port 9090", Built("local-web-service", &[])),
    (ENGLISH, "A VPS with a frobnicator", Built("basic-vps", &["frobnicator"])),
    (ENGLISH, "A VPS with backups and three users", Built("basic-vps", &["backups", "users"])),
    (ENGLISH, "An EC2 server with 512 GB RAM", Built("ec2-ssh", &["512 gb"])),
    (ENGLISH, "A VPN with WireGuard for our team", Refused(&["wireguard"])),
    (ENGLISH, "Three VPS in Nuremberg", Built("basic-vps", &["three vps"])),
    (
        ENGLISH,
        "Prometheus and Grafana without Docker",
        Built("monitoring-stack", &["without docker"]),
    ),
    (GERMAN, "Ich möchte einen Kubernetes-Cluster bei Hetzner", Built("k3s", &[])),
    (GERMAN, "Ich möchte k3s auf drei Servern", Built("k3s", &[])),
    (GERMAN, "Bitte installiere WordPress auf einem Server", Built("wordpress", &[])),
    (GERMAN, "Ich brauche einen Lastverteiler vor zwei Servern", Built("haproxy", &[])),
    (
        GERMAN,
        "HAProxy vor zwei Webservern, ohne verlorene Anfrage beim Neustart eines Servers",
        Built("haproxy", &[]),
    ),
    (
        GERMAN,
        "Veröffentlichungen meiner Anwendung ohne Ausfallzeit auf einem VPS, mit Rollback",
        Built("releases", &[]),
    ),
    (GERMAN, "Einen Windows-Server bitte", Refused(&["windows"])),
    (GERMAN, "Ich möchte einen Minecraft-Server", Refused(&["minecraft"])),
    (
        GERMAN,
        "Ich möchte einen VPS mit PostgreSQL und einer Replik",
        Built("vps-postgresql", &["replica"]),
    ),
    (GERMAN, "Einen VPS mit MySQL 5.7 bitte", Built("vps-mysql", &["mysql 5.7"])),
    (GERMAN, "Ein VPS mit 512 GB Arbeitsspeicher", Built("basic-vps", &["512 gb"])),
    (GERMAN, "Ein ELK-Stack auf einem VPS bei Hetzner", Built("elk", &[])),
    (
        GERMAN,
        "Ich brauche einen kleinen Webdienst namens kasse auf Port 9091",
        Built("local-web-service", &[]),
    ),
    (
        GERMAN,
        "Ein VPS in Nürnberg mit einem Zertifikat für beispiel.de",
        Built("basic-vps", &["certificate", "beispiel.de"]),
    ),
    (
        GERMAN,
        "Ich möchte eine Überwachung mit Prometheus und Grafana",
        Built("monitoring-stack", &[]),
    ),
    (GERMAN, "Ich brauche einen EC2-Server in Frankfurt", Built("ec2-ssh", &[])),
    (
        GERMAN,
        "Ich möchte einen VPS mit einer Kaffeemaschine",
        Built("basic-vps", &["kaffeemaschine"]),
    ),
    (SPANISH, "Quiero un clúster de Kubernetes", Built("k3s", &[])),
    (SPANISH, "Quiero k3s con tres nodos", Built("k3s", &[])),
    (SPANISH, "Quiero WordPress en un servidor", Built("wordpress", &[])),
    (SPANISH, "Necesito un balanceador de carga con dos servidores", Built("haproxy", &[])),
    (
        SPANISH,
        "Quiero HAProxy delante de dos servidores web, sin perder peticiones al reiniciar un servidor",
        Built("haproxy", &[]),
    ),
    (
        SPANISH,
        "Quiero lanzamientos de mi aplicación sin tiempo de inactividad en un VPS, con vuelta atrás",
        Built("releases", &[]),
    ),
    (SPANISH, "Quisiera un servidor de correo", Refused(&["mail server"])),
    (
        SPANISH,
        "Necesito un VPS con PostgreSQL y una réplica",
        Built("vps-postgresql", &["replica"]),
    ),
    (SPANISH, "Quiero un VPS con MySQL 5.7", Built("vps-mysql", &["mysql 5.7"])),
    (SPANISH, "Quiero un VPS en Helsinki", Built("basic-vps", &[])),
    (
        SPANISH,
        "Quiero un servicio web llamado tienda en el puerto 9092",
        Built("local-web-service", &[]),
    ),
    (SPANISH, "Quiero monitorización con Prometheus y Grafana", Built("monitoring-stack", &[])),
    (SPANISH, "Necesito un ELK en un VPS de Hetzner", Built("elk", &[])),
    (SPANISH, "Quiero un VPS con una cafetera", Built("basic-vps", &["cafetera"])),
    (FRENCH, "Je voudrais un cluster Kubernetes", Built("k3s", &[])),
    (FRENCH, "Je voudrais k3s sur trois serveurs", Built("k3s", &[])),
    (FRENCH, "Je veux WordPress sur un serveur", Built("wordpress", &[])),
    (FRENCH, "Il me faut un répartiteur de charge devant deux serveurs", Built("haproxy", &[])),
    (
        FRENCH,
        "Je veux HAProxy devant deux serveurs web, sans perdre de requête au redémarrage d'un serveur",
        Built("haproxy", &[]),
    ),
    (
        FRENCH,
        "Je veux des mises en production de mon application sans interruption sur un VPS, avec retour arrière",
        Built("releases", &[]),
    ),
    (FRENCH, "Je voudrais un serveur de messagerie", Refused(&["mail server"])),
    (
        FRENCH,
        "Je voudrais un VPS avec PostgreSQL et une réplique",
        Built("vps-postgresql", &["replica"]),
    ),
    (FRENCH, "Je veux un VPS avec MySQL 5.7", Built("vps-mysql", &["mysql 5.7"])),
    (FRENCH, "Je voudrais un VPS à Helsinki", Built("basic-vps", &[])),
    (
        FRENCH,
        "Je voudrais un service web nommé boutique sur le port 9093",
        Built("local-web-service", &[]),
    ),
    (
        FRENCH,
        "Je voudrais une supervision avec Prometheus et Grafana",
        Built("monitoring-stack", &[]),
    ),
    (FRENCH, "Je veux un ELK sur un VPS chez Hetzner", Built("elk", &[])),
    (FRENCH, "Je voudrais un VPS avec une cafetière", Built("basic-vps", &["cafetière"])),
    // Parts that the user rules out and the deployment has anyway.
    (ENGLISH, "MySQL, but no Docker please", Built("vps-mysql", &["without docker"])),
    (ENGLISH, "PostgreSQL, but not on Hetzner", Built("vps-postgresql", &["not at hetzner"])),
    (
        ENGLISH,
        "A monitoring stack without Grafana",
        Built("monitoring-stack", &["without grafana"]),
    ),
    (ENGLISH, "ELK without Kibana", Built("elk", &["without kibana"])),
    (ENGLISH, "PostgreSQL without backups", Built("vps-postgresql", &["without backup"])),
    (ENGLISH, "A VPS without a firewall", Built("basic-vps", &["without firewall"])),
    (ENGLISH, "A VPS, no Docker please", Built("basic-vps", &[])),
    (GERMAN, "Einen VPS ohne Docker bitte", Built("basic-vps", &[])),
    (GERMAN, "MySQL ohne Docker", Built("vps-mysql", &["without docker"])),
    (SPANISH, "Un VPS sin Docker, por favor", Built("basic-vps", &[])),
    (FRENCH, "Je veux un VPS sans Docker", Built("basic-vps", &[])),
    // Places, versions, sizes and counts.
    (ENGLISH, "A VPS in Tokyo", Built("basic-vps", &["tokyo"])),
    (ENGLISH, "A VPS with Debian 12", Built("basic-vps", &["debian 12"])),
    (ENGLISH, "A VPS and a second VPS with MySQL", Built("vps-mysql", &["second vps"])),
    (
        ENGLISH,
        "A VPS with a floating IP and a private network",
        Built("basic-vps", &["floating ip", "private network"]),
    ),
    (ENGLISH, "SSH on port 2222 on a VPS", Built("basic-vps", &["ssh on port 2222"])),
    (ENGLISH, "A VPS with a user called bob", Built("basic-vps", &["user", "bob"])),
    (ENGLISH, "A VPS with the timezone Europe/Berlin", Built("basic-vps", &["timezone"])),
    (ENGLISH, "ELK with 3 nodes and 16 GB heap for 1 year", Built("elk", &["3 nodes", "year"])),
    (ENGLISH, "PostgreSQL with a backup every hour", Built("vps-postgresql", &["hour"])),
    (GERMAN, "Ein Server mit 32 GB RAM und 8 Kernen in Falkenstein", Built("basic-vps", &[])),
    (SPANISH, "Quiero PostgreSQL 14 en un VPS", Built("vps-postgresql", &["postgresql 14"])),
    (FRENCH, "Un VPS avec 512 Go de RAM", Built("basic-vps", &["512 gb"])),
    (FRENCH, "Une base de données MySQL chez OVH", Built("vps-mysql", &["ovh"])),
    // Alerts, shops and other requests.
    (
        GERMAN,
        "Monitoring, das mir bei Ausfall eine SMS schickt",
        Built("monitoring-stack", &["sms"]),
    ),
    (SPANISH, "Quiero Grafana con alertas por correo", Built("monitoring-stack", &["email"])),
    (FRENCH, "Je veux une supervision avec alertes par SMS", Built("monitoring-stack", &["sms"])),
    (ENGLISH, "Deploy my Git repo to a VPS", Refused(&["git repo"])),
    (SPANISH, "Necesito una tienda en línea con WordPress", Built("wordpress", &["online shop"])),
    (FRENCH, "Un serveur Minecraft pour dix amis", Refused(&["minecraft"])),
    (
        ENGLISH,
        "A VPS with nginx, a certificate for shop.example.org, and fail2ban",
        Built("nginx-site", &["fail2ban"]),
    ),
    (GERMAN, "Ich möchte einen nginx mit TLS für www.beispiel.de", Built("nginx-site", &[])),
    (SPANISH, "Quiero nginx con un certificado para www.ejemplo.es", Built("nginx-site", &[])),
    (FRENCH, "Je voudrais nginx avec un certificat pour www.exemple.fr", Built("nginx-site", &[])),
    (
        ENGLISH,
        "nginx as a reverse proxy with Let's Encrypt for www.example.com",
        Built("nginx-site", &["reverse proxy"]),
    ),
    (
        ENGLISH,
        "A static website on S3 behind a CDN for www.example.com with a certificate, encrypted at rest",
        Built("static-site", &[]),
    ),
    (
        ENGLISH,
        "A static site with a CDN, a firewall and Lambda",
        Built("static-site", &["firewall", "lambda"]),
    ),
    (ENGLISH, "A static site with CloudFront on Ubuntu", Built("static-site", &["ubuntu"])),
    (ENGLISH, "An S3 static site without a CDN", Built("static-site", &["without cdn"])),
    (ENGLISH, "A Hugo site on CloudFront", Built("static-site", &["hugo"])),
    (ENGLISH, "An S3 bucket for our uploads", Refused(&["bucket"])),
    (ENGLISH, "A VPS with PostgreSQL and backups to S3", Built("vps-postgresql", &["s3"])),
    (
        GERMAN,
        "Ich möchte eine statische Website auf S3 mit CloudFront für www.beispiel.de",
        Built("static-site", &[]),
    ),
    (GERMAN, "Ich möchte eine statische Seite mit CDN bei Azure", Built("static-site", &["azure"])),
    (SPANISH, "Quiero un sitio web estático en S3 con CloudFront", Built("static-site", &[])),
    (SPANISH, "Quiero un bucket de S3 para mis fotos", Refused(&["bucket"])),
    (
        FRENCH,
        "Je voudrais un site statique sur S3 avec CloudFront pour www.exemple.fr",
        Built("static-site", &[]),
    ),
];
