//! A person with a browser, who signs in as `ann`.

use super::processes::Watch;
use futures::{Stream, StreamExt};
use reqwest::header::{ACCEPT, COOKIE, LOCATION, SET_COOKIE};
use reqwest::{Client, Response, redirect};
use serde_json::{Value, json};

/// The number of redirects to GitHub, to the installation page, and back from each.
const MAX_REDIRECTS: usize = 8;

/// A signed-in visitor.
pub struct Visitor<'a> {
    watch: &'a Watch,
    client: Client,
    session: String,
    installation: String,
}

impl<'a> Visitor<'a> {
    /// Follows the sign-in from redirect to redirect, as a browser does.
    pub async fn sign_in(watch: &'a Watch) -> Self {
        let client = Client::builder().redirect(redirect::Policy::none()).build().unwrap();
        let (mut at, mut held) = (watch.url("/github/login?login=ann"), String::new());
        for _ in 0..MAX_REDIRECTS {
            let answer = client.get(&at).header(COOKIE, &held).send().await.unwrap();
            // GitHub has separate cookies.
            if at.starts_with(&watch.url("/")) {
                held = cookie(&answer).unwrap_or(held);
            }
            at = location(&answer);
            if let Some((_, installation)) = at.split_once("/github-success?installation_id=") {
                return Self {
                    watch,
                    client,
                    session: held,
                    installation: installation.to_owned(),
                };
            }
        }
        panic!("the sign-in ends at {at}");
    }

    /// Creates a project and returns its id.
    pub async fn create_project(&self, name: &str) -> u64 {
        let created = self
            .client
            .post(self.watch.url("/projects"))
            .header(COOKIE, &self.session)
            .header("Installation-Id", &self.installation)
            .json(&json!({"name": name}))
            .send()
            .await
            .unwrap();
        assert_eq!(created.status(), 201);
        created.json::<Value>().await.unwrap()["id"].as_u64().unwrap()
    }

    /// Sends the requirements gatherer a message.
    pub async fn chat(&self, project: u64, message: &str) -> Response {
        self.client
            .post(self.watch.url("/planning/requirements-gatherer"))
            .header(COOKIE, &self.session)
            .header("Installation-Id", &self.installation)
            .header("Project-Id", project)
            .header(ACCEPT, "text/event-stream")
            .json(&json!({"message": message}))
            .send()
            .await
            .unwrap()
    }
}

/// The JSON of each event as it arrives; comments are left out.
pub fn events(reply: Response) -> impl Stream<Item = Value> {
    async_stream::stream! {
        let (mut chunks, mut text) = (reply.bytes_stream(), String::new());
        while let Some(chunk) = chunks.next().await {
            text.push_str(std::str::from_utf8(&chunk.unwrap()).unwrap());
            while let Some((event, rest)) = text.split_once("\n\n") {
                let data = event.strip_prefix("data:").map(|data| serde_json::from_str(data).unwrap());
                text = rest.to_owned();
                if let Some(data) = data {
                    yield data;
                }
            }
        }
        assert!(text.is_empty(), "the stream broke off in an event: {text}");
    }
}

fn location(response: &Response) -> String {
    assert!(response.status().is_redirection(), "{} {}", response.status(), response.url());
    response.headers()[LOCATION].to_str().unwrap().to_owned()
}

/// The first cookie that is set rather than deleted, in the form in which the browser returns it.
fn cookie(response: &Response) -> Option<String> {
    let lines = response.headers().get_all(SET_COOKIE).iter().map(|line| line.to_str().unwrap());
    let kept = lines.filter(|line| !line.contains("Max-Age=0"));
    kept.map(|line| line.split(';').next().unwrap().to_owned()).next()
}
