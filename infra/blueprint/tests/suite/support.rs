//! Talks to the model as the product does, and requests every answer in both forms: in one piece and streamed.

use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode};
use serde_json::{Value, json};
use tower::ServiceExt;

/// One conversation with one role.
#[derive(Clone)]
pub struct Chat {
    pub messages: Vec<Value>,
    tools: Value,
}

/// An answer: its text, and the tool call if it has one.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    pub text: String,
    pub call: Option<Call>,
    pub finish_reason: String,
    pub usage: Value,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    pub id: String,
    pub name: String,
    pub arguments: Value,
}

impl Answer {
    /// The argument of the call; panics if there is no call.
    pub fn argument(&self, name: &str) -> &Value {
        &self.call.as_ref().unwrap_or_else(|| panic!("no call in {self:?}")).arguments[name]
    }

    pub fn str(&self, name: &str) -> &str {
        self.argument(name).as_str().unwrap()
    }
}

impl Chat {
    pub fn with(tools: &[(&str, Value)]) -> Chat {
        let tools: Vec<Value> = tools
            .iter()
            .map(|(name, properties)| {
                json!({"type": "function", "function": {
                    "name": name,
                    "description": "A tool.",
                    "parameters": {"type": "object", "properties": properties},
                }})
            })
            .collect();
        let system = json!({"role": "system", "content": "You are an agent of Groundcrew."});
        Chat { messages: vec![system], tools: Value::Array(tools) }
    }

    pub fn gatherer() -> Chat {
        let properties =
            json!({"content": {"type": "string"}, "ready_to_continue": {"type": "boolean"}});
        Chat::with(&[("update_requirements", properties)])
    }

    pub fn architect() -> Chat {
        Chat::with(&[("write_architecture_plan", json!({"plan": {"type": "string"}}))])
    }

    pub fn planner() -> Chat {
        let properties = json!({"plan": {"type": "string"}, "steps": {"type": "array"}});
        Chat::with(&[("write_implementation_plan", properties)])
    }

    pub fn executor() -> Chat {
        let properties = json!({
            "step": {"type": "integer"}, "script": {"type": "string"}, "proof": {"type": "string"},
            "summary": {"type": "string"},
        });
        Chat::with(&[("propose_command", properties)])
    }

    pub fn validator() -> Chat {
        let plan = json!({"plan": {"type": "string"}, "checks": {"type": "array"}});
        let report = json!({"content": {"type": "string"}});
        Chat::with(&[("write_validation_plan", plan), ("report", report)])
    }

    pub fn checker() -> Chat {
        let properties = json!({
            "step": {"type": "integer"}, "script": {"type": "string"}, "summary": {"type": "string"},
        });
        Chat::with(&[("propose_check", properties)])
    }

    pub fn documenter() -> Chat {
        let properties = json!({
            "documentation": {"type": "string"}, "quickstart": {"type": "string"},
            "key_value_data": {"type": "object"},
        });
        Chat::with(&[("write_documentation", properties)])
    }

    pub fn helper() -> Chat {
        let properties = json!({
            "target": {"type": "string"}, "command": {"type": "string"}, "reason": {"type": "string"},
        });
        Chat::with(&[("run_command", properties)])
    }

    pub fn user(mut self, text: &str) -> Chat {
        self.messages.push(json!({"role": "user", "content": text}));
        self
    }

    /// Adds the answer to the conversation, and the tool's result if the answer called a tool.
    pub fn tool_result(mut self, answer: &Answer, result: &str) -> Chat {
        let mut message = json!({"role": "assistant", "content": answer.text});
        if let Some(call) = &answer.call {
            message["tool_calls"] = json!([{
                "id": call.id, "type": "function",
                "function": {"name": call.name, "arguments": call.arguments.to_string()},
            }]);
        }
        self.messages.push(message);
        if let Some(call) = &answer.call {
            self.messages.push(json!({"role": "tool", "tool_call_id": call.id, "content": result}));
        }
        self
    }

    pub fn request(&self) -> Value {
        let mut request = json!({"model": "blueprint-1", "messages": self.messages});
        if self.tools.as_array().is_some_and(|tools| !tools.is_empty()) {
            request["tools"] = self.tools.clone();
        }
        request
    }

    /// Requests the answer in both forms. They must be equal.
    pub async fn ask(&self) -> Answer {
        let whole = self.ask_whole().await;
        let streamed = streamed(&self.stream().await);
        assert_eq!(whole, streamed);
        whole
    }

    /// Requests the answer in one piece only.
    pub async fn ask_whole(&self) -> Answer {
        let (status, body) = post(&self.request()).await;
        assert_eq!(status, StatusCode::OK, "{body}");
        whole(&serde_json::from_str(&body).unwrap())
    }

    /// The data of every event of the streamed answer.
    pub async fn stream(&self) -> Vec<String> {
        let mut request = self.request();
        request["stream"] = json!(true);
        request["stream_options"] = json!({"include_usage": true});
        let (status, body) = post(&request).await;
        assert_eq!(status, StatusCode::OK, "{body}");
        body.split("\n\n")
            .filter(|event| !event.is_empty())
            .map(|event| event.strip_prefix("data: ").expect("a data line").to_string())
            .collect()
    }

    /// One turn, as the product runs it: every tool reports success until the model answers without a call.
    pub async fn turn(self, text: &str) -> (Chat, Vec<Answer>) {
        let mut chat = self.user(text);
        let mut answers = Vec::new();
        for _ in 0..4 {
            let answer = chat.ask().await;
            chat = chat.tool_result(&answer, "Written.");
            let done = answer.call.is_none();
            answers.push(answer);
            if done {
                return (chat, answers);
            }
        }
        panic!("the turn does not end: {answers:?}");
    }
}

pub async fn post(request: &Value) -> (StatusCode, String) {
    let request = Request::post("/v1/chat/completions")
        .header("content-type", "application/json")
        .body(Body::from(request.to_string()))
        .unwrap();
    send(request).await
}

pub async fn send(request: Request<Body>) -> (StatusCode, String) {
    let response = blueprint_model::routes(Duration::ZERO).oneshot(request).await.unwrap();
    let status = response.status();
    let body = to_bytes(response.into_body(), usize::MAX).await.unwrap();
    (status, String::from_utf8(body.to_vec()).unwrap())
}

fn whole(body: &Value) -> Answer {
    let choice = &body["choices"][0];
    let message = &choice["message"];
    let call = message["tool_calls"].as_array().map(|calls| {
        assert_eq!(calls.len(), 1);
        Call {
            id: calls[0]["id"].as_str().unwrap().into(),
            name: calls[0]["function"]["name"].as_str().unwrap().into(),
            arguments: arguments(calls[0]["function"]["arguments"].as_str().unwrap()),
        }
    });
    Answer {
        text: message["content"].as_str().unwrap_or_default().into(),
        call,
        finish_reason: choice["finish_reason"].as_str().unwrap().into(),
        usage: body["usage"].clone(),
    }
}

/// Joins the pieces of an answer, and checks the form of each event.
fn streamed(events: &[String]) -> Answer {
    let (last, events) = events.split_last().unwrap();
    assert_eq!(last, "[DONE]");
    let chunks: Vec<Value> =
        events.iter().map(|event| serde_json::from_str(event).unwrap()).collect();
    let mut text = String::new();
    let mut call: Option<(String, String, String)> = None;
    let mut finish_reason = None;
    let mut usage = Value::Null;
    for (position, chunk) in chunks.iter().enumerate() {
        assert_eq!(chunk["object"], "chat.completion.chunk");
        assert_eq!(chunk["id"], chunks[0]["id"]);
        let choices = chunk["choices"].as_array().unwrap();
        let Some(choice) = choices.first() else {
            assert_eq!(position, chunks.len() - 1, "the usage is not the last chunk");
            usage = chunk["usage"].clone();
            continue;
        };
        assert!(finish_reason.is_none(), "a chunk follows the finish reason");
        let delta = &choice["delta"];
        assert_eq!(delta["role"].is_string(), position == 0);
        text.push_str(delta["content"].as_str().unwrap_or_default());
        for piece in delta["tool_calls"].as_array().unwrap_or(&Vec::new()) {
            assert_eq!(piece["index"], 0);
            let given = piece["function"]["arguments"].as_str().unwrap();
            match &mut call {
                None => {
                    let id = piece["id"].as_str().unwrap().to_string();
                    let name = piece["function"]["name"].as_str().unwrap().to_string();
                    call = Some((id, name, given.to_string()));
                }
                Some((_, _, arguments)) => arguments.push_str(given),
            }
        }
        finish_reason = choice["finish_reason"].as_str().map(str::to_string);
    }
    let call = call.map(|(id, name, text)| Call { id, name, arguments: arguments(&text) });
    Answer { text, call, finish_reason: finish_reason.expect("a finish reason"), usage }
}

fn arguments(text: &str) -> Value {
    let value: Value = serde_json::from_str(text).expect("arguments are JSON");
    assert!(value.is_object());
    value
}

/// A fenced section in the product's format.
pub fn fence(name: &str, content: &str) -> String {
    format!("<{name}>\n{}\n</{name}>", content.trim())
}

/// The documents and steps of a project that was planned from one request.
pub struct Project {
    pub requirements: String,
    pub architecture: String,
    pub implementation: String,
    pub steps: Vec<Value>,
}

impl Project {
    pub async fn planned(wish: &str) -> Project {
        Project::agreed("", wish).await
    }

    /// Agrees to a request and plans it. `shown` is the product's context about the existing project.
    pub async fn agreed(shown: &str, wish: &str) -> Project {
        let answer = Chat::gatherer().user(&format!("{shown}\n{wish}")).ask_whole().await;
        assert_eq!(answer.argument("ready_to_continue"), true, "{answer:?}");
        let requirements = answer.str("content").to_string();
        let context = format!("{shown}\n{}", fence("requirements", &requirements));
        let chat = Chat::architect().user(&format!("{context}\n\nGenerate architecture plan"));
        let architecture = chat.ask_whole().await.str("plan").to_string();
        let context = format!("{context}\n{}", fence("architecture_plan", &architecture));
        let chat = Chat::planner().user(&format!("{context}\n\nGenerate implementation plan"));
        let answer = chat.ask_whole().await;
        Project {
            requirements,
            architecture,
            implementation: answer.str("plan").to_string(),
            steps: answer.argument("steps").as_array().unwrap().clone(),
        }
    }

    pub fn documents(&self) -> String {
        [
            fence("requirements", &self.requirements),
            fence("architecture_plan", &self.architecture),
            fence("implementation_plan", &self.implementation),
        ]
        .join("\n\n")
    }

    /// The executor's conversation for a step, counted from 1.
    pub fn preparing(&self, number: usize, more: &str) -> Chat {
        let step = &self.steps[number - 1];
        let (title, prompt) =
            (step["description"].as_str().unwrap(), step["prompt"].as_str().unwrap());
        Chat::executor().user(&format!(
            "{}\n\n<step number=\"{number}\">\n{title}\n\n{prompt}\n</step>\n\n{more}\n\nWrite the script of step {number} and pass it to `propose_command`.",
            self.documents()
        ))
    }

    pub async fn script(&self, number: usize) -> String {
        self.proved_script(number).await.0
    }

    /// The script of a step, with its proof.
    pub async fn proved_script(&self, number: usize) -> (String, String) {
        let answer = self.preparing(number, "").ask_whole().await;
        assert_eq!(answer.argument("step"), number);
        (answer.str("script").to_string(), answer.str("proof").to_string())
    }

    /// The validation plan and its checks.
    pub async fn validation(&self) -> (String, Vec<Value>) {
        let text = format!("{}\n\nCreate the validation plan", self.documents());
        let answer = Chat::validator().user(&text).ask_whole().await;
        let checks = answer.argument("checks").as_array().unwrap().clone();
        (answer.str("plan").to_string(), checks)
    }

    /// The validator's conversation for one of the checks, counted from 1.
    pub fn preparing_check(&self, checks: &[Value], number: usize, more: &str) -> Chat {
        let check = &checks[number - 1];
        let (title, prompt) =
            (check["description"].as_str().unwrap(), check["prompt"].as_str().unwrap());
        Chat::checker().user(&format!(
            "{}\n\n<step number=\"{number}\">\n{title}\n\n{prompt}\n</step>\n\n{more}\n\nWrite the script of check {number} and pass it to `propose_check`.",
            self.documents()
        ))
    }

    /// The script of every check.
    pub async fn check_scripts(&self) -> Vec<String> {
        let (_, checks) = self.validation().await;
        let mut scripts = Vec::new();
        for number in 1..=checks.len() {
            let answer = self.preparing_check(&checks, number, "").ask_whole().await;
            assert_eq!(answer.argument("step"), number);
            scripts.push(answer.str("script").to_string());
        }
        scripts
    }

    pub async fn proofs(&self) -> Vec<String> {
        let mut proofs = Vec::new();
        for number in 1..=self.steps.len() {
            proofs.push(self.proved_script(number).await.1);
        }
        proofs
    }

    pub async fn scripts(&self) -> Vec<String> {
        let mut scripts = Vec::new();
        for number in 1..=self.steps.len() {
            scripts.push(self.script(number).await);
        }
        scripts
    }
}
