use super::*;

fn unread(messages: &[&str], quotations: &[&str]) -> Vec<String> {
    Said::of(messages).unread(quotations)
}

#[test]
fn a_quotation_is_found_whatever_its_case_spaces_and_typography() {
    let said =
        Said::of(["A VPS called “Order Service”, in\n  Nürnberg – for 5 €", "**TLS**, please"]);
    for quotation in [
        "vps",
        "called \"order service\"",
        "‘Order Service’, in Nürnberg",
        "in NÜRNBERG - for 5",
        "TLS",
        "A VPS … in Nürnberg",
        "A VPS [...] for 5 €.",
        "“in Nürnberg”",
    ] {
        assert!(said.contains(quotation), "{quotation}");
    }
}

#[test]
fn words_that_the_user_did_not_say_are_not_found() {
    let said = Said::of(["A VPS in Nuremberg", "with MySQL 5.7"]);
    for quotation in [
        "",
        "…",
        "?!",
        "in Frankfurt",
        // A part of a word is another word.
        "Nurem",
        "SQL 5.7",
        // Pieces keep their order and come from one message.
        "Nuremberg … VPS",
        "VPS … MySQL",
        "A … VPS … in … Nuremberg … with",
    ] {
        assert!(!said.contains(quotation), "{quotation}");
    }
    assert!(said.beside(["Shop in Frankfurt"]).contains("in Frankfurt"));
}

#[test]
fn scripts_without_spaces_are_quoted_in_part() {
    assert!(Said::of(["日本語でお願いします"]).contains("日本語"));
    assert!(Said::of(["我要PostgreSQL数据库"]).contains("PostgreSQL"));
}

#[test]
fn a_sealed_secret_is_quoted_by_any_of_its_names() {
    let said = Said::of(["The password is {{secret:PASSWORD}}, on port 5433"]);
    assert!(said.contains("password is {{secret:DB_PASSWORD}}, on port"));
    assert!(said.contains("{{secret:PASSWORD}}"));
    assert!(!said.contains("password is hunter2"));
    assert!(!said.contains("password is secret"));
}

#[test]
fn what_no_quotation_covers_is_unread() {
    let message = "Hello! I'd like PostgreSQL in Helsinki, nightly backups and a second replica. \
                   It must survive a full moon.";
    let all = unread(&[message], &["PostgreSQL", "Helsinki", "nightly backups"]);
    assert_eq!(all, ["a second replica", "It must survive a full moon"]);
    let none = unread(&[message], &["a second replica", "PostgreSQL … backups", "full moon"]);
    assert_eq!(none, [""; 0]);
    assert_eq!(unread(&["TLS; backups\n- a mirror"], &["TLS"]), ["backups", "a mirror"]);
}

#[test]
fn neighbors_in_a_sentence_are_one_part() {
    let message = "A VPS, three replicas, a mirror. And a queue";
    assert_eq!(unread(&[message], &["VPS"]), ["three replicas, a mirror", "a queue"]);
}

#[test]
fn small_talk_and_plain_questions_are_not_unread() {
    for message in [
        "Hi there!",
        "Thanks, that's great.",
        "yes, use the defaults",
        "Ja, passt so, danke",
        "sí, adelante",
        "Oui, d’accord, merci beaucoup",
        "What does it cost a month?",
        "Wie teuer wird das?",
        "Combien ça coûte ?",
        "🙂",
        "",
    ] {
        assert_eq!(unread(&[message], &[]), [""; 0], "{message}");
    }
}

#[test]
fn a_question_that_asks_for_something_is_unread() {
    assert_eq!(unread(&["Can you add TLS?"], &[]), ["Can you add TLS?"]);
    assert_eq!(unread(&["Kannst du auch Redis einrichten?"], &[]).len(), 1);
}

#[test]
fn the_same_words_are_unread_once_and_cut_to_their_limit() {
    assert_eq!(unread(&["a mirror", "a mirror"], &[]), ["a mirror"]);
    let long = "frobnicate ".repeat(40);
    let [cut]: [String; 1] = unread(&[&long], &[]).try_into().unwrap();
    assert!(cut.len() <= MAX_QUOTE_BYTES && cut.ends_with("frobnicate…"), "{cut}");
    assert!(Said::of([&long]).contains(&cut));
    let long = "長".repeat(400);
    assert!(Said::of([&long]).contains(&shortened(&long)));
    assert_eq!(shortened(" “in \n Nuremberg” "), "in Nuremberg");
}
