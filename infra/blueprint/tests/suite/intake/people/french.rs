//! Conversations in French.

use crate::intake::accounts::Case;

pub const FRENCH: &[Case] = &[
    (
        &[
            "postgresql à helsinki, sauvegardes gardées 2 ans, accès ssh depuis 198.51.100.12 uniquement",
            "non, 90 jours suffisent",
        ],
        &["dump-days 90", "location hel1", "ssh-from 198.51.100.12/32"],
        &["2 ans |"],
    ),
    (
        &[
            "Bonjour, nous sommes une petite association et nous voudrions un site WordPress pour www.asso-exemple.fr, avec un formulaire de don et une newsletter. Budget : 15 euros par mois maximum.",
            "la newsletter on verra plus tard",
        ],
        &[
            "wordpress ·",
            "domain www.asso-exemple.fr",
            "15 euros a month",
            "formulaire de don et une newsletter",
            "newsletter on verra | later, as asked",
        ],
        &[],
    ),
    (
        &[
            "supervision avec alertes seulement le jour et rétention de 60 jours",
            "alertes aussi la nuit finalement",
        ],
        &["retention-days 60", "seulement le jour", "la nuit"],
        &[],
    ),
    (
        &["pile elk, tas de 16 Go sur un cx33, journaux conservés 18 mois", "plutôt 8 Go de tas"],
        &[
            "elk ·",
            "server-type cx33",
            "heap-gb 4",
            "elasticsearch's heap: 8 | instead: 4",
            "18 mois | instead: 366 days",
        ],
        &["heap: 16", "| 8 gb |"],
    ),
    (
        &[
            "un vps, le port 5432 ouvert seulement pour 10.0.0.0/8, les ports 80 et 443 pour tout le monde",
            "ferme le 80",
        ],
        &[
            "open-ports 443",
            "ssh-from sandbox",
            "open ports: 5432 seulement pour 10.0.0.0/8 | instead: closed",
        ],
        &["5432 | built"],
    ),
    (
        &[
            "Je veux mysql 8.0, base boutique, utilisateur lecture seule pour le comptable, dumps toutes les 6 heures",
            "une fois par jour ça ira",
        ],
        &[
            "vps-mysql ·",
            "database boutique",
            "mysql 8.0 | instead: mysql 8.4",
            "utilisateur lecture seule pour le comptable",
            "nightly backups | built",
        ],
        &["6 h |", "6 heures |", "fois par jour"],
    ),
    (
        &[
            "django sur resa.exemple.fr, code sur gitlab.com/exemple/resa, python 3.13, sans celery",
            "avec celery d'accord",
        ],
        &["django ·", "domain resa.exemple.fr", "gitlab.com/exemple/resa"],
        &["without celery"],
    ),
    (
        &["un serveur ec2 à paris, le moins cher possible, éteint le week-end", "t3.nano alors"],
        &["region eu-west-3", "instance-type t3.nano", "éteint le week-end"],
        &[],
    ),
    (
        &[
            "k3s sur deux serveurs à falkenstein, sans load balancer, avec cert-manager et argo cd",
            "un troisième serveur en plus",
        ],
        &["servers 3", "location fsn1", "cert manager | not built", "argo cd | not built"],
        &["servers 2"],
    ),
    (
        &[
            "site statique cloudfront pour www.exemple.com, page d'erreur 404 en français, cache d'une heure",
            "pas de domaine pour l'instant",
        ],
        &[
            "site-domain none",
            "| a page of your own for what is missing | built |",
            "français",
            "cache d'une heure",
        ],
        &[],
    ),
    (
        &[
            "nginx avec un certificat pour www.exemple.fr, limité aux visiteurs de France et de Belgique",
            "laisse tomber la Belgique",
        ],
        &["domain www.exemple.fr", "limité aux visiteurs de france | not"],
        &["belgique"],
    ),
    (
        &[
            "un service web nommé meteo sur le port 8070 qui renvoie la température de Lyon",
            "en fait le port 8071",
        ],
        &["name meteo", "port 8071", "renvoie la température de lyon"],
        &[],
    ),
    (
        &[
            "Redis 8 avec 1 Go de mémoire et un mot de passe, accessible depuis mon autre serveur 198.51.100.90",
            "ajoute-le à un vps basique",
        ],
        &[
            "basic-vps ·",
            "additions redis",
            "redis-memory-mb 1024",
            "ssh-from sandbox",
            "redis 8",
            "serveur 198.51.100.90",
        ],
        &[],
    ),
    (
        &[
            "il me faut une base de données pour 500 utilisateurs, haute disponibilité 99,9 %, dans deux régions",
            "postgresql, une seule région c'est bon",
        ],
        &["vps-postgresql ·", "high availability", "500 users"],
        &[],
    ),
    (
        &[
            "Un VPS à Singapour avec Docker, Portainer et un nom d'hôte srv-42, mises à jour le dimanche à 4h",
            "pas de portainer, merci. Please also open port 9443.",
        ],
        &[
            "location sin",
            "open-ports 9443",
            "docker",
            "server name: srv-42 | built",
            "updates on sundays | instead: once a day",
            "4h",
        ],
        &["security updates that install themselves | built", "portainer"],
    ),
];
