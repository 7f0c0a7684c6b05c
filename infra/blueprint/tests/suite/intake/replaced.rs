//! A later message replaces the deployment, in many words, and what the earlier one asked for beside it stays in the list.

use super::accounts::{after_agreement, each};
use crate::support::Chat;

/// The phrases that replace everything, in four languages; `{}` is the new wish.
const REPLACING: [&[&str]; 4] = [
    &[
        "Actually no, make it {} instead.",
        "Forget that, I want {}.",
        "Change of plan: {} please.",
        "On second thought, {} would be better.",
        "Scrap all of it. {} is what we need.",
        "My boss said no. We go with {}.",
        "I changed my mind, I'd rather have {}.",
        "Never mind the first idea; set up {} for me.",
    ],
    &[
        "Nein, doch lieber {}.",
        "Vergiss das, ich will {}.",
        "Planänderung: bitte {}.",
        "Machen wir stattdessen {}.",
        "Alles verwerfen. Wir brauchen {}.",
        "Mein Chef hat Nein gesagt. Wir nehmen {}.",
        "Ich habe es mir anders überlegt, ich hätte lieber {}.",
    ],
    &[
        "Mejor no, hazlo con {}.",
        "Olvida eso, quiero {}.",
        "Cambio de planes: {}, por favor.",
        "Hagamos {} en su lugar.",
        "Descarta todo. Necesitamos {}.",
        "He cambiado de opinión, prefiero {}.",
    ],
    &[
        "En fait non, fais plutôt {}.",
        "Oublie ça, je veux {}.",
        "Changement de plan : {} s'il te plaît.",
        "Faisons {} à la place.",
        "Abandonne tout. Il nous faut {}.",
        "J'ai changé d'avis, je préfère {}.",
    ],
];

/// Deployments as people name them in these languages.
const WISHES: [(&str, [&str; 4]); 4] = [
    (
        "basic-vps",
        [
            "a plain server at Hetzner",
            "einen einfachen Server bei Hetzner",
            "un servidor normal en Hetzner",
            "un simple serveur chez Hetzner",
        ],
    ),
    (
        "vps-postgresql",
        [
            "a PostgreSQL server",
            "einen PostgreSQL-Server",
            "un servidor PostgreSQL",
            "un serveur PostgreSQL",
        ],
    ),
    ("k3s", ["a k3s cluster", "einen k3s-Cluster", "un clúster k3s", "un cluster k3s"]),
    (
        "static-site",
        [
            "a static website on S3 with CloudFront",
            "eine statische Website auf S3 mit CloudFront",
            "un sitio estático en S3 con CloudFront",
            "un site statique sur S3 avec CloudFront",
        ],
    ),
];

/// A first wish for something else.
const FIRST: [&str; 4] = [
    "A WordPress site for blog.example.com, please.",
    "Eine WordPress-Seite für blog.example.com, bitte.",
    "Un sitio WordPress para blog.example.com, por favor.",
    "Un site WordPress pour blog.example.com, s'il vous plaît.",
];

#[tokio::test]
async fn whoever_changes_their_mind_gets_what_they_name_last() {
    for (language, phrases) in REPLACING.iter().enumerate() {
        for (n, phrase) in phrases.iter().enumerate() {
            let (id, wishes) = &WISHES[n % WISHES.len()];
            // The plain server is the one that a message asks for without a name of its own.
            for (id, wish) in [(*id, wishes[language]), (WISHES[0].0, WISHES[0].1[language])] {
                let (chat, _) = Chat::gatherer().turn(FIRST[language]).await;
                let message = phrase.replace("{}", wish);
                let (_, answers) = chat.turn(&message).await;
                let content = answers[0].str("content");
                assert!(content.contains(&format!("Blueprint: {id}")), "{message}: {content}");
            }
        }
    }
}

#[tokio::test]
async fn a_simple_server_may_also_be_the_size_of_the_one_that_is_planned() {
    each(&[
        (
            &["WordPress for blog.example.com", "No, a simple server is enough for it"],
            &["blueprint: wordpress"],
            &[],
        ),
        (
            &["WordPress for blog.example.com", "Actually a server in Helsinki, please"],
            &["blueprint: wordpress", "location hel1"],
            &[],
        ),
        (
            &["Django at app.example.com", "Can it be on a plain server instead of a big one?"],
            &["blueprint: django"],
            &[],
        ),
    ])
    .await;
}

#[tokio::test]
async fn what_was_asked_beside_the_replaced_deployment_stays_in_the_list() {
    each(&[
        (
            &[
                "Two servers with HAProxy in front in Falkenstein, Redis as cache on each",
                "Drop HAProxy, I just want a single PostgreSQL server instead.",
            ],
            &["blueprint: vps-postgresql", "redis | not built"],
            &["two servers |"],
        ),
        (
            &[
                "A static site with CloudFront on AWS for www.example.com",
                "Forget that, a PostgreSQL server instead.",
            ],
            &["blueprint: vps-postgresql", "aws | instead: at hetzner"],
            &["cloudfront |", "static site"],
        ),
        (
            &[
                "A static site with CloudFront on AWS for www.example.com",
                "Forget that, a PostgreSQL server at Hetzner instead.",
            ],
            &["blueprint: vps-postgresql"],
            &["aws |"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn other_ordinary_wishes_are_understood() {
    after_agreement(&[
        (&["monitor my servers"], &["blueprint: monitoring-stack"], &["not understood"]),
        (&["Ich will meine Server überwachen"], &["blueprint: monitoring-stack"], &[]),
        (&["monitorizar mis servidores"], &["blueprint: monitoring-stack"], &[]),
        (&["surveiller mes serveurs"], &["blueprint: monitoring-stack"], &[]),
        (&["a blog"], &["blueprint: wordpress", "blog | instead: a wordpress site"], &[]),
        (&["deploy my Go binary without downtime"], &["blueprint: releases"], &[]),
    ])
    .await;
}

#[tokio::test]
async fn an_ordinary_website_is_built() {
    const SITES: &[&str] = &[
        "A static website",
        "I want to host a static website on a server",
        "A hardened server at Hetzner that serves a static website with TLS",
        "Host my static site for example.com",
        "I need a homepage for my bakery",
        "A landing page with HTTPS",
        "A simple website on a VPS",
        "Eine statische Website auf einem Server",
        "Eine kleine Website mit TLS auf einem Server bei Hetzner",
        "Eine Website für meinen Verein",
        "A web server",
        "Un sitio web estático",
        "Quiero una página web estática en un servidor",
        "Un site web statique",
        "Je voudrais un site statique sur un serveur avec TLS",
    ];
    for site in SITES {
        let (_, answers) = Chat::gatherer().turn(site).await;
        let content = answers[0].str("content").to_lowercase();
        assert!(content.contains("blueprint: nginx-site"), "{site}: {content}");
        assert!(!content.contains("instead:"), "{site}: {content}");
    }
    after_agreement(&[(&["A static website on AWS"], &["blueprint: static-site"], &["instead:"])])
        .await;
}
