//! A person with a browser: cookies, a way to sign in, and calls.

use crate::answer::Answer;
use crate::events::Events;
use crate::stack::App;
use domain::secret_token::SecretToken;
use domain::{InstallationId, Scope};
use reqwest::{Method, redirect};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use store::sessions::Sessions;

/// The number of redirects to GitHub, to the installation page, and back from each.
const MAX_REDIRECTS: usize = 8;

/// A browser and its user. Clones share the cookies.
#[derive(Clone)]
pub struct Actor {
    app: App,
    http: reqwest::Client,
    cookies: Arc<Mutex<BTreeMap<String, String>>>,
    installation: Option<InstallationId>,
    project: Option<String>,
}

impl Actor {
    /// A person who has not signed in.
    pub fn visitor(app: &App) -> Self {
        let http = reqwest::Client::builder().redirect(redirect::Policy::none()).no_proxy();
        Self {
            app: app.clone(),
            http: http.build().unwrap(),
            cookies: Arc::default(),
            installation: None,
            project: None,
        }
    }

    /// A person who has signed in as this user of GitHub, through all of its redirects.
    pub async fn signed_in(app: &App, login: &str) -> Self {
        let mut actor = Self::visitor(app);
        let end = actor.follow(&app.url(&format!("/api/github/login?login={login}"))).await;
        let (_, id) = end.split_once("/github-success?installation_id=").unwrap_or_else(|| {
            panic!("signing in ended at {end}");
        });
        actor.installation = Some(id.parse().unwrap());
        actor
    }

    /// The installation that the actor signed in for.
    pub fn installation(&self) -> InstallationId {
        self.installation.expect("a visitor has no installation")
    }

    /// The same person with another installation in the header.
    pub fn claiming(&self, installation: Option<InstallationId>) -> Self {
        Self { installation, ..self.clone() }
    }

    /// The requirements and both plans of the project that it has open.
    pub async fn documents(&self) -> [String; 3] {
        let read = async |path| self.get(&format!("/planning/{path}")).await.is(200).text();
        let (requirements, plan) = (read("requirements").await, read("architecture-plan").await);
        [requirements, plan, read("implementation-plan").await]
    }

    /// The same person on the page of a project of any owner.
    pub fn within(&self, project: impl ToString) -> Self {
        Self { project: Some(project.to_string()), ..self.clone() }
    }

    /// Refers to this project id as if it were this actor's.
    pub fn scope(&self, project: u64) -> Scope {
        Scope { installation: self.installation(), project: domain::ProjectId(project) }
    }

    /// Opens an address as a browser does, without following redirects.
    pub async fn open(&self, address: &str) -> Answer {
        let request = self.http.get(address).header("cookie", self.cookie_header());
        let answer = request.send().await.unwrap();
        let answer = Answer::read(format!("GET {address}"), answer).await;
        self.keep_cookies(&answer);
        answer
    }

    /// Submits a form by its button on a page.
    pub async fn press(&self, address: &str) -> Answer {
        self.submit(address, &[]).await
    }

    /// Sends a form, without following redirects.
    pub async fn submit(&self, address: &str, fields: &[(&str, &str)]) -> Answer {
        let request = self.http.post(address).header("cookie", self.cookie_header()).form(fields);
        let answer = Answer::read(format!("POST {address}"), request.send().await.unwrap()).await;
        self.keep_cookies(&answer);
        answer
    }

    /// Follows redirects until a page of the application; returns its address.
    pub async fn follow(&self, address: &str) -> String {
        let mut address = address.to_owned();
        for _ in 0..MAX_REDIRECTS {
            let answer = self.open(&address).await.is(302);
            address = answer.header("location");
            if address.contains("/github-success") || address.contains("/github-choose") {
                return address;
            }
        }
        panic!("redirected too often, last to {address}")
    }

    /// Follows redirects until one leads to the path `stop`; returns that address.
    pub async fn follow_until(&self, address: &str, stop: &str) -> String {
        let mut address = address.to_owned();
        for _ in 0..MAX_REDIRECTS {
            if address.contains(stop) {
                return address;
            }
            address = self.open(&address).await.is(302).header("location");
        }
        panic!("never redirected to {stop}, last to {address}")
    }

    /// A cookie's value, if the browser has it.
    pub fn cookie(&self, name: &str) -> Option<String> {
        self.cookies.lock().unwrap().get(name).cloned()
    }

    /// The session cookie: its name and value.
    pub fn cookie_value(&self) -> (String, String) {
        let cookies = self.cookies.lock().unwrap();
        let (name, value) = cookies.iter().next().expect("signed in");
        (name.clone(), value.clone())
    }

    /// Puts a cookie into the browser.
    pub fn set_cookie(&self, name: &str, value: &str) {
        self.cookies.lock().unwrap().insert(name.to_owned(), value.to_owned());
    }

    /// A GET under `/api`.
    pub async fn get(&self, path: &str) -> Answer {
        self.call(Method::GET, path).send().await
    }

    /// A POST under `/api`.
    pub async fn post(&self, path: &str, body: Value) -> Answer {
        self.call(Method::POST, path).json(&body).send().await
    }

    /// A PUT under `/api`.
    pub async fn put(&self, path: &str, body: Value) -> Answer {
        self.call(Method::PUT, path).json(&body).send().await
    }

    /// A call under `/api`, with the headers that the web application sends.
    pub fn call(&self, method: Method, path: &str) -> Call {
        let mut request = self.http.request(method.clone(), self.app.url(&format!("/api{path}")));
        let cookies = self.cookie_header();
        if !cookies.is_empty() {
            request = request.header("cookie", cookies);
        }
        if let Some(installation) = self.installation {
            request = request.header("installation-id", installation.to_string());
        }
        if let Some(project) = &self.project {
            request = request.header("project-id", project);
        }
        Call { actor: self.clone(), name: format!("{method} {path}"), request }
    }

    /// The user's number on GitHub, from the session.
    pub async fn user_id(&self) -> u64 {
        let token = self.cookies.lock().unwrap().values().next().cloned().expect("signed in");
        let token = SecretToken::presented(&token);
        let sessions = Sessions::new(&self.app.table());
        sessions.find(&token).await.unwrap().expect("a session").user_id
    }

    /// The stack that the actor uses.
    pub fn app(&self) -> &App {
        &self.app
    }

    fn cookie_header(&self) -> String {
        let cookies = self.cookies.lock().unwrap();
        let pairs = cookies.iter().map(|(name, value)| format!("{name}={value}"));
        pairs.collect::<Vec<_>>().join("; ")
    }

    fn keep_cookies(&self, answer: &Answer) {
        let mut cookies = self.cookies.lock().unwrap();
        for line in answer.cookies() {
            let (pair, rest) = line.split_once(';').unwrap_or((&line, ""));
            let (name, value) = pair.split_once('=').unwrap();
            match rest.contains("Max-Age=0") {
                true => cookies.remove(name),
                false => cookies.insert(name.to_owned(), value.to_owned()),
            };
        }
    }
}

/// A call that has not been sent yet.
pub struct Call {
    actor: Actor,
    name: String,
    request: reqwest::RequestBuilder,
}

impl Call {
    /// Adds a header.
    pub fn header(self, name: &str, value: &str) -> Self {
        Self { request: self.request.header(name, value), ..self }
    }

    /// Adds a body.
    pub fn json(self, body: &Value) -> Self {
        Self { request: self.request.json(body), ..self }
    }

    /// Adds a raw body.
    pub fn body(self, content_type: &str, body: impl Into<String>) -> Self {
        let request = self.request.header("content-type", content_type).body(body.into());
        Self { request, ..self }
    }

    /// Sends the call and waits for the whole answer.
    pub async fn send(self) -> Answer {
        let response = self.request.send().await.unwrap_or_else(|e| panic!("{}: {e}", self.name));
        let answer = Answer::read(self.name, response).await;
        self.actor.keep_cookies(&answer);
        answer
    }

    /// Sends the call and waits for the whole answer; `None` if the connection broke.
    pub async fn attempt(self) -> Option<Answer> {
        let response = self.request.send().await.ok()?;
        Answer::read_whole(self.name, response).await
    }

    /// Sends the call and returns the answer's status; the rest is left unread.
    pub async fn status(self) -> u16 {
        let answer = self.request.send().await.unwrap_or_else(|e| panic!("{}: {e}", self.name));
        answer.status().as_u16()
    }

    /// Sends the call and returns the answer with its body unread.
    pub async fn response(self) -> reqwest::Response {
        let request = self.request.header("accept", "text/event-stream");
        request.send().await.unwrap_or_else(|e| panic!("{}: {e}", self.name))
    }

    /// Sends the call and reads the answer as it arrives.
    pub async fn events(self) -> Events {
        Events::of(self.response().await)
    }
}
