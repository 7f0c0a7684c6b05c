//! The letters, as text and as HTML.
//!
//! A letter names the project and what it waits for. It never quotes a script, an output or a credential, because
//! servers along the way can read mail. Text from people is escaped in the HTML and kept to one line in the subject.

use super::{Address, Notice, NoticeKind};

/// A letter to one reader.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Letter {
    /// The reader.
    pub to: Address,
    /// The subject, in one line.
    pub subject: String,
    /// The plain text.
    pub text: String,
    /// The same as HTML.
    pub html: String,
    /// The address at which one POST turns the mail off (RFC 8058); none for a letter that the reader asked for.
    pub off_url: Option<String>,
}

impl Letter {
    /// Asks the reader to confirm that they want mail; `login` is the person who entered the address.
    pub fn confirmation(to: Address, login: &str, url: &str) -> Self {
        let asked = format!(
            "@{login} asked Groundcrew to send e-mail to this address when a project waits, fails, is done or drifts."
        );
        let close = "The link works for a day, where you are signed in to Groundcrew. \
                     If you do not know what this is about, ignore it: nothing more is sent.";
        let body =
            Body { lines: [&asked, close], action: ("Confirm this address", url), off: None };
        Self::of(to, "Confirm your address for Groundcrew".to_owned(), &body, None)
    }

    /// Tells an owner that a project waits for them; `off` are the page and the address that turn this mail off.
    pub fn of_notice(
        to: Address,
        notice: &Notice,
        project: &str,
        url: &str,
        off: (&str, &str),
    ) -> Self {
        let project = one_line(project);
        let what = notice.words();
        let next = match notice.kind {
            NoticeKind::Waiting => "Read its script, then approve or reject it.",
            NoticeKind::Failed => "See what it printed, then run it again or ask why.",
            NoticeKind::Done => "See what was built, and go on to the next stage.",
            NoticeKind::Drifted { .. } => "See what differs, then repair it or begin a change.",
        };
        let told = format!("{what} in your project “{project}”.");
        let (page, one_click) = off;
        let body =
            Body { lines: [&told, next], action: ("Open the project", url), off: Some(page) };
        Self::of(to, format!("{what} · {project}"), &body, Some(one_click.to_owned()))
    }

    fn of(to: Address, subject: String, body: &Body<'_>, off_url: Option<String>) -> Self {
        Self { to, subject, text: body.text(), html: body.html(), off_url }
    }
}

struct Body<'a> {
    lines: [&'a str; 2],
    action: (&'a str, &'a str),
    off: Option<&'a str>,
}

impl Body<'_> {
    fn text(&self) -> String {
        let ([first, second], (label, url)) = (self.lines, self.action);
        let mut text = format!("{first}\n\n{second}\n\n{label}:\n{url}\n");
        if let Some(page) = self.off {
            text.push_str(&format!("\n-- \nTurn these e-mails off:\n{page}\n"));
        }
        text
    }

    fn html(&self) -> String {
        let [first, second] = self.lines.map(escaped);
        let (label, url) = (escaped(self.action.0), escaped(self.action.1));
        let off = self.off.map(|page| {
            let page = escaped(page);
            format!("<p style=\"font-size:13px\"><a href=\"{page}\">Turn these e-mails off</a></p>")
        });
        format!(
            "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
             <meta name=\"color-scheme\" content=\"light dark\"><title>Groundcrew</title></head>\
             <body style=\"font-family:system-ui,sans-serif;font-size:15px;line-height:1.5;max-width:36em;margin:24px\">\
             <p>{first}</p><p>{second}</p><p><a href=\"{url}\">{label}</a></p>{}</body></html>",
            off.unwrap_or_default()
        )
    }
}

/// The text without line breaks or other control characters, which would end a header.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PlanId;
    use crate::step::{Phase, Step, Track};

    fn letter(project: &str) -> Letter {
        let mut step = Step::new(PlanId::from("p"), 2, "rm -rf /srv".into(), "prompt".into());
        (step.phase, step.error) = (Phase::Failed, Some("token=hunter2".into()));
        let notice = Notice::of(Track::Execution, &[step]).unwrap();
        let off = ("https://site/unsubscribe#k", "https://site/api/user/mail/unsubscribe?key=k");
        let to = "ada@example.com".parse().unwrap();
        Letter::of_notice(to, &notice, project, "https://site/app/5?stage=execution", off)
    }

    #[test]
    fn a_letter_says_what_waits_and_where_in_both_parts() {
        let letter = letter("Orders");
        assert_eq!(letter.subject, "Step 2 failed · Orders");
        for part in [&letter.text, &letter.html] {
            assert!(part.contains("Step 2 failed in your project “Orders”."), "{part}");
            assert!(part.contains("https://site/app/5?stage=execution"), "{part}");
            assert!(part.contains("Turn these e-mails off"), "{part}");
            assert!(part.contains("https://site/unsubscribe#k"), "{part}");
            assert!(!part.contains("hunter2") && !part.contains("rm -rf"), "{part}");
        }
        assert_eq!(letter.off_url.as_deref(), Some("https://site/api/user/mail/unsubscribe?key=k"));
    }

    #[test]
    fn a_name_can_inject_neither_html_nor_another_header() {
        let letter = letter("<img src=x onerror='a()'> & \"b\"\r\nBcc: eve@example.com");
        assert!(!letter.subject.contains(['\r', '\n']), "{:?}", letter.subject);
        assert!(!letter.html.contains("<img"), "{}", letter.html);
        assert!(
            letter.html.contains("&lt;img src=x onerror=&#39;a()&#39;&gt; &amp; &quot;b&quot;")
        );
    }

    #[test]
    fn a_confirmation_names_who_asked_and_cannot_be_unsubscribed_from() {
        let to = "ada@example.com".parse().unwrap();
        let letter = Letter::confirmation(to, "ada", "https://site/app/mail?confirm=t");
        assert!(letter.text.starts_with("@ada asked Groundcrew"));
        assert!(letter.html.contains("href=\"https://site/app/mail?confirm=t\""));
        assert_eq!(letter.off_url, None);
    }
}
