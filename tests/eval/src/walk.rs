//! Walks one request through the product as its owner would: requirements, plan, approval, run, second run, validation.

use crate::ground::Ground;
use crate::request::{Needs, Request, Wants};
use crate::score::{Outcome, Score};
use crate::waiting::{Patience, until};
use api_tests::{Project, World};
use domain::requirement::UNREAD;
use serde_json::json;

mod build;
mod end;
mod proof;

/// Why a walk stopped early.
pub struct Stop(pub Outcome, pub String);

fn failed(why: impl Into<String>) -> Stop {
    Stop(Outcome::Failed, why.into())
}

/// Where a plan is carried out.
enum Place {
    /// Not carried out, for this reason.
    Nowhere(String),
    /// In the project's sandbox.
    Sandbox,
    /// On servers that a stand-in cloud makes.
    Servers(Box<Ground>),
}

impl Place {
    /// The place for a request. Servers are made if `servers` is set and a container engine is available.
    async fn of(request: &Request, servers: bool) -> Result<Self, Stop> {
        if let (Some(lacks), None) = (&request.lacks, &request.until) {
            return Ok(Self::Nowhere(lacks.clone()));
        }
        let nowhere = |what: &str| Ok(Self::Nowhere(format!("there is no {what}")));
        match request.needs {
            Needs::Sandbox => Ok(Self::Sandbox),
            _ if !servers => nowhere("server here on which to carry out the plan"),
            Needs::Server | Needs::Aws => match Ground::start(request).await {
                Ok(ground) => Ok(Self::Servers(Box::new(ground))),
                // CI has everything that is needed, so nothing may be skipped there silently.
                Err(reason) if std::env::var_os("CI").is_some() => Err(failed(reason)),
                Err(reason) => nowhere(&format!("server here: {reason}")),
            },
        }
    }
}

/// A walk in progress.
pub struct Walk<'a> {
    /// The request to walk.
    pub request: &'a Request,
    /// The project that is built.
    pub project: Project,
    /// Its result so far.
    pub score: &'a mut Score,
    /// How long the model may take.
    pub patience: Patience,
    /// Whether servers may be made for it.
    pub servers: bool,
}

impl Walk<'_> {
    /// Walks from the first message to the last check.
    pub async fn whole(&mut self) -> Result<(), Stop> {
        self.ask().await?;
        self.plan().await?;
        // Made only now, because a refused request does not need a place.
        let mut place = Place::of(self.request, self.servers).await?;
        if let Place::Nowhere(reason) = place {
            return Err(Stop(Outcome::Planned, reason));
        }
        let total = self.build(&mut place).await?;
        let changed = self.build_again(&mut place).await?;
        self.score.changed = Some(changed);
        if self.score.steps < total {
            self.look(&mut place).await?;
            let lacks = self.request.lacks.clone().unwrap_or_default();
            let why = format!("built up to step {} of {total}: {lacks}", self.score.steps);
            return Err(Stop(Outcome::Planned, why));
        }
        self.validate().await?;
        self.look(&mut place).await?;
        if self.request.tears_down {
            self.tear_down(&mut place).await?;
        }
        self.score.outcome = Outcome::Built;
        Ok(())
    }

    /// Holds the conversation until the requirements can be confirmed.
    pub async fn ask(&mut self) -> Result<(), Stop> {
        for (turn, says) in self.request.says.iter().enumerate() {
            let reply = self.reply("/planning/requirements-gatherer", says).await?;
            let document = self.project.get("/planning/requirements").await.json();
            let content = document["content"].as_str().unwrap_or_default().to_owned();
            let ready = document["ready_to_continue"] == true;
            self.score.said.push(("person", says.clone()));
            self.score.said.push(("agent", reply));
            if ready && turn == 0 && self.request.wants == Wants::Question {
                return Err(Stop(
                    Outcome::Dropped,
                    "it accepted an unclear request as clear".into(),
                ));
            }
            let last = turn + 1 == self.request.says.len();
            if ready || last {
                self.named(&content)?;
            }
            if ready {
                self.score.said.push(("requirements", content));
                return Ok(());
            }
        }
        Err(Stop(Outcome::Refused, "the agent declined, or kept asking".to_owned()))
    }

    /// Checks that the agent's replies and the document contain every word of `names`.
    fn named(&self, document: &str) -> Result<(), Stop> {
        let agent = self.score.said.iter().filter(|(who, _)| *who == "agent");
        let mut text: String = agent.map(|(_, text)| text.to_lowercase() + "\n").collect();
        // What the product shows as unread is not the agent's.
        let written = document.lines().filter(|line| !line.starts_with(UNREAD));
        written.for_each(|line| text += &(line.to_lowercase() + "\n"));
        let missing = self.request.names.iter().filter(|word| !text.contains(word.as_str()));
        let missing: Vec<&str> = missing.map(String::as_str).collect();
        match missing.is_empty() {
            true => Ok(()),
            false => Err(Stop(Outcome::Dropped, format!("not named: {}", missing.join(", ")))),
        }
    }

    async fn reply(&self, path: &str, message: &str) -> Result<String, Stop> {
        let events = self.project.chat(path, message).await;
        if let Some(error) = events.iter().find(|event| event["event"] == "error") {
            return Err(failed(error["detail"].as_str().unwrap_or_default()));
        }
        let pieces = events.iter().filter(|event| event["event"] == "on_chat_model_stream");
        Ok(pieces.filter_map(|event| event["chunk"]["content"].as_str()).collect())
    }

    async fn plan(&mut self) -> Result<(), Stop> {
        let stages = [
            ("requirements", "architecture", "cloud-architect", "architecture-plan"),
            ("architecture", "implementation", "implementation-planner", "implementation-plan"),
        ];
        for (stage, next, agent, plan) in stages {
            let ask = json!({"message": "Generate the plan"});
            self.project.post(&format!("/planning/{agent}"), ask).await;
            self.confirm(stage, next).await;
            let path = format!("/planning/{plan}");
            let status = until(format!("the {plan}"), self.patience, async || {
                let answer = self.project.get(&path).await;
                let status = answer.header("plan-status");
                (status == "ready" || status == "failed").then_some((status, answer.text()))
            });
            match status.await.map_err(failed)? {
                (status, text) if status == "failed" => {
                    return Err(failed(format!("{plan}: {text}")));
                }
                _ => {}
            }
        }
        Ok(())
    }

    async fn confirm(&self, stage: &str, next: &str) {
        let states = self.project.path("/project-states");
        let complete = json!({"is_completed": true});
        self.project.put(&format!("{states}/stages/{stage}"), complete).await;
        self.project.put(&format!("{states}/current-stage/{next}"), json!({})).await;
    }
}

/// The project of a walk, in a separate product.
pub async fn project(world: &World, request: &Request) -> Project {
    world.owner.project(&request.title.chars().take(60).collect::<String>()).await
}

/// Adds the project's usage.
pub async fn count(project: &Project, score: &mut Score) {
    let path = project.path("/projects");
    let usage = project.get(&format!("{path}/token-usage")).await.json();
    let tokens = |name: &str| usage[name].as_u64().unwrap_or_default();
    score.tokens = tokens("input_tokens") + tokens("output_tokens");
    let costs = project.get(&format!("{path}/costs")).await.json();
    let dollars = costs["total_cost"].as_str().and_then(|dollars| dollars.parse().ok());
    score.dollars = dollars.unwrap_or_default();
}
