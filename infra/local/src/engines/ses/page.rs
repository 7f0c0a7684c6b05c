//! The outbox as a web page.

use super::{Letter, Ses};
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Response};
use std::fmt::Write;

const STYLE: &str = include_str!("../../stripe/page.css");

/// All letters, the newest first.
pub async fn outbox(State(ses): State<Ses>) -> Response {
    let mut rows = String::new();
    for Letter { id, to, subject, .. } in ses.letters().iter().rev() {
        let _ = write!(
            rows,
            "<tr><td><a href=\"/_local/mail/{id}\">{}</a></td><td>{}</td></tr>",
            escaped(subject),
            escaped(&to.join(", ")),
        );
    }
    if rows.is_empty() {
        rows.push_str("<tr><td colspan=\"2\">No e-mail has been sent yet.</td></tr>");
    }
    page(
        "Outbox",
        &format!(
            "<p class=\"note\">This page plays the mail service. Nothing leaves this machine.</p>\
             <table><thead><tr><th scope=\"col\">Subject</th><th scope=\"col\">To</th></tr></thead>\
             <tbody>{rows}</tbody></table>"
        ),
    )
}

/// One letter, in both forms.
pub async fn letter(State(ses): State<Ses>, Path(id): Path<String>) -> Response {
    let Some(letter) = ses.letters().into_iter().find(|letter| letter.id == id) else {
        return (StatusCode::NOT_FOUND, page("Outbox", "<p>There is no such e-mail.</p>"))
            .into_response();
    };
    let one_click = letter.one_click().map(|url| {
        format!(
            "<form method=\"post\" action=\"{}\"><input type=\"hidden\" name=\"List-Unsubscribe\" value=\"One-Click\">\
             <button>Unsubscribe</button></form>",
            escaped(url)
        )
    });
    page(
        &letter.subject,
        &format!(
            "<p class=\"note\">From {}<br>To {}</p><pre style=\"white-space:pre-wrap;overflow-wrap:anywhere\">{}</pre>\
             <h2 style=\"font-size:16px;margin:24px 0 8px\">As HTML</h2>\
             <iframe title=\"The e-mail as HTML\" sandbox=\"allow-popups allow-top-navigation-by-user-activation\" \
             style=\"width:100%;height:260px;border:1px solid var(--line);border-radius:8px\" \
             srcdoc=\"{}\"></iframe>{}<p style=\"margin-top:16px\"><a href=\"/_local/mail\">All e-mails</a></p>",
            escaped(&letter.from),
            escaped(&letter.to.join(", ")),
            linked(&letter.text),
            escaped(&letter.html.replace("<head>", "<head><base target=\"_top\">")),
            one_click.unwrap_or_default(),
        ),
    )
}

/// The text with its addresses as links, as mail programs show it.
fn linked(text: &str) -> String {
    let line = |line: &str| match line.starts_with("http://") || line.starts_with("https://") {
        true => format!("<a href=\"{0}\">{0}</a>", escaped(line)),
        false => escaped(line),
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

fn page(title: &str, main: &str) -> Response {
    let title = escaped(title);
    Html(format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title} · local mail</title>\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><style>{STYLE}\na {{ color: var(--main); }}</style></head>\
         <body><header>Local mail</header><main><h1>{title}</h1>{main}</main></body></html>"
    ))
    .into_response()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
