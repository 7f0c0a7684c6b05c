//! The report: a single page without any other files.

use crate::request::Request;
use crate::score::{Held, Outcome, Score};

const STYLE: &str = include_str!("report.css");

/// The page for these requests, in their order.
pub fn page(model: &str, scored: &[(Request, Score)]) -> String {
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>{0} in Groundcrew</title>\
         <style>{STYLE}</style></head><body><main><h1>{0} in Groundcrew</h1>{1}",
        escaped(model),
        sums(scored),
    );
    let mut suites: Vec<&str> = scored.iter().map(|(request, _)| request.suite.as_str()).collect();
    suites.dedup();
    for suite in suites {
        page += &format!("<h2>{}</h2>", escaped(suite));
        let of_suite = scored.iter().filter(|(request, _)| request.suite == suite);
        page.extend(of_suite.map(|(request, score)| entry(request, score)));
    }
    page + "</main></body></html>\n"
}

fn sums(scored: &[(Request, Score)]) -> String {
    let count = |wish: &dyn Fn(&Score) -> bool| scored.iter().filter(|(_, one)| wish(one)).count();
    let outcome = |outcome| count(&|score: &Score| score.outcome == outcome);
    let dollars: f64 = scored.iter().map(|(_, score)| score.dollars).sum();
    let seconds: f64 = scored.iter().map(|(_, score)| score.seconds).sum();
    let cards = [
        (format!("{} of {}", count(&Score::passes), scored.len()), "pass"),
        (outcome(Outcome::Built).to_string(), "built, run twice, proved"),
        (outcome(Outcome::Planned).to_string(), "planned, not carried out here"),
        (outcome(Outcome::Refused).to_string(), "refused by name or asked about"),
        (outcome(Outcome::Dropped).to_string(), "dropped in silence"),
        (outcome(Outcome::Failed).to_string(), "failed"),
        (format!("${dollars:.2}"), "for the model"),
        (format!("{:.1} min", seconds / 60.0), "from wish to proof"),
    ];
    let cards = cards
        .map(|(value, what)| format!("<li><b>{value}</b><span class=\"soft\">{what}</span></li>"));
    format!("<ul class=\"sums\">{}</ul>", cards.concat())
}

fn mark(score: &Score) -> (&'static str, &'static str) {
    match (score.outcome, score.passes()) {
        (Outcome::Built, true) => ("good", "✓ built"),
        (Outcome::Built, false) => ("bad", "✗ built, not right"),
        (Outcome::Planned, _) => ("fair", "◐ planned"),
        (Outcome::Refused, _) => ("fair", "○ refused"),
        (Outcome::Dropped, _) => ("bad", "✗ dropped"),
        (Outcome::Failed, _) => ("bad", "✗ failed"),
    }
}

fn entry(request: &Request, score: &Score) -> String {
    let (class, mark) = mark(score);
    let open = if score.passes() { "" } else { " open" };
    let mut inside = String::new();
    if !score.why.is_empty() {
        inside += &format!("<p>{}</p>", lines(&score.why));
    }
    if matches!(score.outcome, Outcome::Planned | Outcome::Refused) && !request.names.is_empty() {
        let named = request.names.iter().map(|word| format!("<b>{}</b>", escaped(word)));
        let named: Vec<String> = named.collect();
        inside += &format!("<p>Named, so not dropped: {}</p>", named.join(", "));
    }
    inside += &format!(
        "<p class=\"soft\">{} calls of the model, {} tokens</p>",
        score.calls, score.tokens
    );
    if !score.servers.is_empty() {
        inside += &format!("<p>Built: {}</p>", escaped(&score.servers.join(", ")));
    }
    if let Some(changed) = &score.changed {
        let again = match changed.is_empty() {
            true => held(true, "The second run changed nothing", ""),
            false => held(false, "The second run changed something", &changed.join("\n")),
        };
        inside += &format!("<h3>Second run</h3><ul>{again}</ul>");
    }
    inside += &list("Checks of this request", &score.checks);
    inside += &list("Requirements, as validation judged them", &score.requirements);
    if !score.drift.is_empty() {
        let roles = score.drift.join("\n");
        inside += &format!(
            "<h3>Instructions changed since the recording</h3><pre>{}</pre>",
            escaped(&roles)
        );
    }
    if !score.said.is_empty() {
        let said = score.said.iter().map(|(who, text)| {
            format!(
                "<p class=\"soft\">{who}</p><pre class=\"{who}\">{}</pre>",
                escaped(text.trim())
            )
        });
        inside += &format!("<h3>What was said</h3>{}", said.collect::<String>());
    }
    format!(
        "<details{open}><summary><span class=\"mark {class}\">{mark}</span><span>{}\
         <span class=\"facts\">{}</span></span>\
         <span class=\"soft\">{:.0} s · ${:.2}</span></summary><div class=\"inside\">{inside}</div></details>",
        escaped(&request.title),
        escaped(&facts(score)),
        score.seconds,
        score.dollars,
    )
}

/// A line with the main facts, for readers who open no details.
fn facts(score: &Score) -> String {
    let of = |all: &[Held], what: &str| {
        let hold = all.iter().filter(|one| one.holds).count();
        (!all.is_empty()).then(|| format!("{hold} of {} {what}", all.len()))
    };
    let again = score.changed.as_ref().map(|changed| match changed.len() {
        0 => "second run unchanged".to_owned(),
        count => format!("second run changed {count} things"),
    });
    let many = |count: u32, what: &str| (count > 0).then(|| format!("{count} {what}"));
    let all = [
        many(score.steps, "steps"),
        again,
        of(&score.checks, "checks hold"),
        of(&score.requirements, "requirements proved"),
        many(score.approvals, "approvals"),
        (score.steps > 0).then(|| format!("{} repairs", score.repairs)),
    ];
    let all: Vec<String> = all.into_iter().flatten().collect();
    match all.is_empty() {
        true => score.why.lines().next().unwrap_or_default().to_owned(),
        false => all.join(" · "),
    }
}

fn list(title: &str, all: &[Held]) -> String {
    if all.is_empty() {
        return String::new();
    }
    let rows: String = all.iter().map(|one| held(one.holds, &one.about, &one.seen)).collect();
    format!("<h3>{title}</h3><ul>{rows}</ul>")
}

fn held(holds: bool, about: &str, seen: &str) -> String {
    let (class, mark) = if holds { ("good", "✓") } else { ("bad", "✗") };
    let seen = match (seen.is_empty(), holds) {
        (true, _) => String::new(),
        (false, true) => format!("<span class=\"facts\">{}</span>", escaped(seen)),
        (false, false) => format!("<pre>{}</pre>", escaped(seen)),
    };
    format!("<li><span class=\"mark {class}\">{mark}</span> {}{seen}</li>", escaped(about))
}

fn lines(text: &str) -> String {
    escaped(text).replace('\n', "<br>")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_shows_each_request_with_its_markup_escaped() {
        let request: Request =
            toml::from_str("id = \"a\"\ntitle = \"<b>Shop</b>\"\nsays = [\"hi\"]").unwrap();
        let score = Score {
            why: "not named: <script>".to_owned(),
            said: vec![("person", "<img src=x>".to_owned())],
            ..Score::new()
        };
        let page = page("m<1>", &[(request, score)]);
        for text in [
            "m&lt;1&gt;",
            "&lt;b&gt;Shop&lt;/b&gt;",
            "&lt;script&gt;",
            "&lt;img",
            "0 of 1",
            " open",
        ] {
            assert!(page.contains(text), "{text} is not in {page}");
        }
        assert!(!page.contains("<script") && !page.contains("<img"));
    }
}
