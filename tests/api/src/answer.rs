//! A complete answer to a call.

use reqwest::header::HeaderMap;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{Cursor, Read};

/// Status, headers and body of an answer.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The call, for failure messages.
    pub call: String,
    /// HTTP status.
    pub status: u16,
    /// Headers.
    pub headers: HeaderMap,
    /// The raw body.
    pub body: Vec<u8>,
}

impl Answer {
    /// Reads an answer to its end.
    pub async fn read(call: String, response: reqwest::Response) -> Self {
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let body = response.bytes().await.unwrap().to_vec();
        Self { call, status, headers, body }
    }

    /// The same if the connection may break; `None` if it did.
    pub(crate) async fn read_whole(call: String, response: reqwest::Response) -> Option<Self> {
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let body = response.bytes().await.ok()?.to_vec();
        Some(Self { call, status, headers, body })
    }

    /// Asserts the status.
    #[track_caller]
    pub fn is(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{} answered {}", self.call, self.text());
        self
    }

    /// Asserts an error: its status, its stable code and the API's error format. Returns its text.
    #[track_caller]
    pub fn refuses(self, status: u16, code: &str) -> String {
        let answer = self.is(status);
        let body = answer.json();
        assert_eq!(body["code"], code, "{} answered {body}", answer.call);
        let id = body["request_id"].as_str().unwrap_or_default();
        assert_eq!(answer.header("x-request-id"), id, "an error names its call");
        body["detail"].as_str().expect("an error has a text for people").to_owned()
    }

    /// The body as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|_| panic!("{} answered no JSON: {}", self.call, self.text()))
    }

    /// The body as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The files of a zip and their contents.
    pub fn files(&self) -> BTreeMap<String, String> {
        let mut zip = zip::ZipArchive::new(Cursor::new(&self.body)).expect("a zip");
        let mut files = BTreeMap::new();
        for index in 0..zip.len() {
            let mut file = zip.by_index(index).unwrap();
            if file.is_file() {
                let mut bytes = Vec::new();
                file.read_to_end(&mut bytes).unwrap();
                let text = String::from_utf8_lossy(&bytes).into_owned();
                let name = file.name().unwrap().into_owned();
                files.insert(name, text);
            }
        }
        files
    }

    /// A header's value; empty if it is missing.
    pub fn header(&self, name: &str) -> String {
        let value = self.headers.get(name).and_then(|value| value.to_str().ok());
        value.unwrap_or_default().to_owned()
    }

    /// The lines that set cookies.
    pub fn cookies(&self) -> Vec<String> {
        let lines = self.headers.get_all("set-cookie").iter();
        lines.map(|line| line.to_str().unwrap().to_owned()).collect()
    }
}
