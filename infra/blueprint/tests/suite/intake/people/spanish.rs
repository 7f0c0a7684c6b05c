//! Conversations in Spanish.

use crate::intake::accounts::Case;

pub const SPANISH: &[Case] = &[
    (
        &[
            "postgres en ashburn, copias de seguridad durante 2 años, puerto 5432 solo desde 10.0.0.0/8",
            "mejor 1 año",
        ],
        &["dump-days 365", "location ash", "ssh-from sandbox", "puerto 5432 solo desde 10.0.0.0/8"],
        &["2 años |"],
    ),
    (
        &[
            "Hola, tengo una peluquería y quiero una página web con WordPress en www.rizos.example, reservas en línea y que cueste menos de 8 euros al mes",
            "sin reservas entonces",
        ],
        &[
            "wordpress ·",
            "domain www.rizos.example",
            "8 euros a month",
            "reservas en línea",
            "sin reservas",
        ],
        &[],
    ),
    (
        &[
            "elk con retención de tres meses, heap de 12 GB en un cx33",
            "cambia el servidor al que haga falta",
        ],
        &[
            "elk ·",
            "retention-days 90",
            "server-type cx33",
            "heap-gb 4",
            "elasticsearch's heap: 12 | instead: 4",
            "cambia",
        ],
        &["heap: 12 | built", "| 12 gb |"],
    ),
    (
        &[
            "monitorización con alertas solo de día por Telegram, vigilar https://tienda.example.com",
            "alertas a cualquier hora",
        ],
        &["https://tienda.example.com", "telegram", "solo de día", "cualquier hora"],
        &[],
    ),
    (
        &[
            "mysql con la base ventas, 3306 abierto solo para la oficina 203.0.113.15, root sin contraseña no",
            "la oficina ahora es 203.0.113.16",
        ],
        &[
            "vps-mysql ·",
            "database ventas",
            "ssh-from sandbox",
            "3306 abierto solo para la oficina 203.0.113.15",
            "sin contraseña",
            "203.0.113.16",
        ],
        &["203.0.113.16/32"],
    ),
    (
        &[
            "una instancia ec2 t3.micro en Virginia, disco de 30 GB, apagada los domingos",
            "mejor en São Paulo",
        ],
        &["region sa-east-1", "instance-type t3.micro", "volume-gb 30", "apagada los domingos"],
        &["são paulo |"],
    ),
    (
        &[
            "k3s con tres nodos en helsinki, el primero con 16 GB de RAM y los otros con 4",
            "los tres iguales",
        ],
        &["servers 3", "location hel1", "16 gb", "otros con 4", "iguales"],
        &[],
    ),
    (
        &[
            "nginx con certificado para www.ejemplo.com, www2.ejemplo.com y api.ejemplo.com, límite de 10 peticiones por segundo",
            "quita api.ejemplo.com",
        ],
        &[
            "domain www.ejemplo.com",
            "www2.ejemplo.com | not built",
            "límite de 10 peticiones por segundo",
        ],
        &["| api.ejemplo.com"],
    ),
    (
        &[
            "django en app.ejemplo.es con postgres 16, 3 workers de celery y tareas cada 10 minutos",
            "con postgres 17 vale, adelante",
        ],
        &[
            "django ·",
            "domain app.ejemplo.es",
            "postgres 16 | instead: postgres 17",
            "3 workers",
            "tareas cada 10 minutos",
        ],
        &["vps-postgresql ·"],
    ),
    (
        &[
            "sitio estático con cloudfront, dominio www.ejemplo.org, que solo se vea en España, registros durante 13 meses",
            "que se vea en todo el mundo",
        ],
        &[
            "site-domain www.ejemplo.org",
            "region us-east-1",
            "solo se vea en españa",
            "registros durante 13 meses",
        ],
        &["eu-south-2"],
    ),
    (
        &[
            "servicio web llamado saludo en el puerto 8095 que diga \"Buenos días\" por la mañana y \"Buenas noches\" por la noche",
            "solo \"Buenos días\"",
        ],
        &[
            "name saludo",
            "port 8095",
            "greeting buenos días",
            "mañana y buenas noches",
            "por la noche",
        ],
        &[],
    ),
    (
        &[
            "un vps sin ipv6, zona horaria Europe/Madrid, swap de 2 GB y usuario marta con sudo",
            "el usuario se llama martina",
        ],
        &[
            "basic-vps ·",
            "without ipv6 | instead",
            "europe/madrid",
            "swap",
            "usuario marta con sudo",
            "martina",
        ],
        &[],
    ),
    (
        &["quiero dos servidores: uno con mysql y otro con wordpress", "vale, todo en uno"],
        &["wordpress ·", "mysql | instead: mariadb", "two servers | instead: one"],
        &[],
    ),
    (
        &[
            "necesito algo para guardar los datos de mis clientes, que cumpla el RGPD, unos 5.000 registros",
            "mysql mismo, en Alemania, copias 30 días",
        ],
        &["vps-mysql ·", "location nbg1", "dump-days 30", "rgpd", "5.000 registros"],
        &[],
    ),
    (
        &[
            "un vps barato en Núremberg con redis de 256 MB y puertos 80 y 443 abiertos de lunes a viernes",
            "abiertos siempre. y I also need port 8443 open",
        ],
        &[
            "open-ports 80,443,8443",
            "redis-memory-mb 256",
            "location nbg1",
            "lunes a viernes",
            "abiertos siempre",
        ],
        &[],
    ),
];
