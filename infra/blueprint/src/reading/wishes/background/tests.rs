use super::*;
use crate::reading::slips;

fn left(language: Language, text: &str) -> String {
    let words = slips::heard(text, language);
    let gone = background(&words);
    let left = (0..words.count()).filter(|at| !gone.contains(at));
    left.map(|at| words.said(at).0.to_string()).collect::<Vec<_>>().join(" ")
}

#[test]
fn what_a_message_says_of_its_writer_asks_for_nothing() {
    for (language, text) in [
        (Language::English, "We are a small restaurant."),
        (Language::English, "I'm a translator and not technical at all."),
        (Language::English, "We sell candles."),
        (Language::English, "We run a bike shop in the old town."),
        (Language::English, "Thanks in advance for the quick work!"),
        (Language::English, "It's for a school project."),
        (Language::English, "The developer prefers it."),
        (Language::German, "Wir betreiben eine Steuerkanzlei."),
        (Language::German, "Leider bin ich kein Techniker."),
        (Language::German, "Schöne Grüße aus Bremen!"),
        (Language::Spanish, "Somos una panadería de barrio."),
        (Language::Spanish, "Es para una peluquería de barrio."),
        (Language::French, "Je suis fleuriste."),
        (Language::French, "Nous vendons du fromage."),
        (Language::French, "Parce que nos clients y sont."),
        (Language::French, "À cause de la loi."),
        (Language::English, "We are a team of five developers."),
        (Language::German, "Wir sind ein Verein mit 200 Mitgliedern."),
        (Language::German, "Das ist zum Ausprobieren."),
        (Language::English, "We don't know much about this."),
        (Language::French, "On n'y connaît pas grand-chose."),
        (Language::English, "Last term our old site went down during enrolment week."),
        (Language::German, "Beim letzten Hochwasser stand er im Wasser."),
        (Language::Spanish, "El año pasado hubo una inundación."),
        (Language::German, "Sehr geehrte Damen und Herren,"),
        (Language::Spanish, "Estimados señores:"),
        (Language::French, "Madame, Monsieur,"),
    ] {
        assert_eq!(left(language, text), "", "{text}");
    }
    let reason = "a vps in Germany because our clients live there, with redis";
    assert_eq!(left(Language::English, reason), "a vps in germany with redis");
}

#[test]
fn names_at_the_end_of_a_mail_ask_for_nothing() {
    let mail = "a server in Germany for the small wiki of our club which about thirty people \
        read on most \
        evenings and on the weekends and of course in summer";
    for farewell in ["Many thanks, Priya", "Kind regards, Marta and the Northpier crew"] {
        let text = format!("{mail}. {farewell}");
        let kept = left(Language::English, &text);
        assert!(kept.contains("wiki") && kept.ends_with("summer"), "{text}: {kept}");
    }
    for farewell in ["Many thanks, Falkenstein", "Many thanks, postgresql"] {
        let text = format!("{mail}. {farewell}");
        let last = farewell.rsplit(' ').next().unwrap().to_lowercase();
        assert!(left(Language::English, &text).ends_with(&last), "{text}");
    }
}

#[test]
fn what_may_be_a_wish_stays() {
    for text in [
        "we are on telnet",
        "we are looking for a frobnicator",
        "because we need a frobnicator",
        "we have a load balancer",
        "we keep three weeks of them",
        "we sell candles and want a frobnicator",
        "thanks, a frobnicator",
        "for the staff only",
        "it's for postgresql",
        "i was thinking of a frobnicator",
        "thanks, frobnicator",
    ] {
        let kept = left(Language::English, text);
        assert!(
            ["frobnicator", "telnet", "balancer", "weeks", "staff", "postgresql"]
                .iter()
                .any(|word| kept.contains(word)),
            "{text}: {kept}"
        );
    }
}
