//! One request, walked through the product as its owner would: said, confirmed, planned, approved, run, run again, proved.

use crate::request::{Check, Request, Wants};
use crate::score::{Held, Outcome, Score};
use crate::waiting::{Patience, until};
use api_tests::{Project, Step, World};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Longest evidence that a report shows, in characters.
const SEEN_CHARS: usize = 400;

/// Why a walk ended before its end.
pub struct Stop(pub Outcome, pub String);

fn failed(why: impl Into<String>) -> Stop {
    Stop(Outcome::Failed, why.into())
}

/// A walk under way.
pub struct Walk<'a> {
    /// What is asked for.
    pub request: &'a Request,
    /// Where.
    pub project: Project,
    /// Its result so far.
    pub score: &'a mut Score,
    /// How long the model may take.
    pub patience: Patience,
}

impl Walk<'_> {
    /// From the first message to the last check.
    pub async fn whole(&mut self) -> Result<(), Stop> {
        self.ask().await?;
        self.plan().await?;
        if let Some(missing) = self.request.needs.missing() {
            return Err(Stop(Outcome::Planned, missing.to_owned()));
        }
        self.build().await?;
        self.score.outcome = Outcome::Built;
        let changed = self.build_again().await?;
        self.score.changed = Some(changed);
        self.look().await?;
        self.validate().await
    }

    /// The conversation up to requirements that can be confirmed.
    async fn ask(&mut self) -> Result<(), Stop> {
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
                    "it took an unclear wish for a clear one".into(),
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
        Err(Stop(Outcome::Refused, "the agent declined, or went on asking".to_owned()))
    }

    /// Every word of the wish stands somewhere in what the agent said and wrote.
    fn named(&self, document: &str) -> Result<(), Stop> {
        let agent = self.score.said.iter().filter(|(who, _)| *who == "agent");
        let mut text: String = agent.map(|(_, text)| text.to_lowercase() + "\n").collect();
        text += &document.to_lowercase();
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

    async fn build(&mut self) -> Result<(), Stop> {
        self.project.sandbox_is_up().await;
        self.project.trigger().await;
        self.confirm("implementation", "execution").await;
        let total = self.project.progress().await.total_steps;
        for number in 1..=total {
            let waiting = self.step(number, 0, |step| step.is_waiting()).await?;
            self.approve(&waiting).await?;
            let done = self.step(number, 0, |step| step.status == "completed").await?;
            self.score.repairs += waiting.attempt.saturating_sub(1);
            let said = format!("Step {number}: {}", done.description);
            self.score.said.push(("step", said));
        }
        Ok(())
    }

    /// A step once it is so, in a later attempt than `after`.
    async fn step(
        &self,
        number: u32,
        after: u32,
        wish: impl Fn(&Step) -> bool,
    ) -> Result<Step, Stop> {
        let step = until(format!("step {number}"), self.patience, async || {
            let step = self.project.step(number).await;
            (step.attempt > after && (wish(&step) || step.status == "failed")).then_some(step)
        });
        let step = step.await.map_err(failed)?;
        if wish(&step) {
            return Ok(step);
        }
        let why = step.error_message.unwrap_or_default();
        Err(failed(format!("step {number} failed: {why}\n{}", seen(&step.output))))
    }

    async fn approve(&mut self, step: &Step) -> Result<(), Stop> {
        let answer = self.project.decide(step, true).await;
        self.score.approvals += 1;
        match answer.status {
            200 => Ok(()),
            _ => Err(failed(format!("step {}: {}", step.step_number, answer.text()))),
        }
    }

    /// Runs every step again; returns the files that are others afterwards.
    async fn build_again(&mut self) -> Result<Vec<String>, Stop> {
        let before = self.project.files().await;
        for number in 1..=self.project.progress().await.total_steps {
            let done = self.project.step(number).await;
            let answer = self.project.decide(&done, true).await;
            if answer.status != 200 {
                return Err(failed(format!("step {number} again: {}", answer.text())));
            }
            self.step(number, done.attempt, |step| step.status == "completed").await?;
        }
        Ok(differing(&before, &self.project.files().await, &self.request.may_change))
    }

    /// The request's own checks.
    async fn look(&mut self) -> Result<(), Stop> {
        for check in &self.request.checks {
            let held = self.holds(check).await?;
            self.score.checks.push(held);
        }
        Ok(())
    }

    /// Types a check into a terminal of the sandbox. The marks are put together by the shell, so that the line that is
    /// typed does not show them.
    async fn holds(&self, check: &Check) -> Result<Held, Stop> {
        let mut terminal = self.project.terminal().await;
        terminal.attach().await;
        let run = check.run.replace('\'', r"'\''");
        let mark = self.score.checks.len();
        let line = format!(
            "clear; printf 'EV%s-{mark}\\n' BEGIN; bash -c '{run}' </dev/null; printf '\\nEV%s-{mark}-%s-\\n' END $?\r"
        );
        terminal.types(&line).await;
        let (begin, end) = (format!("EVBEGIN-{mark}"), format!("EVEND-{mark}-"));
        let shown = until(check.about.clone(), Patience::SHORT, async || {
            if !terminal.shown.contains(&end) || !terminal.shown.ends_with('\n') {
                terminal.reads().await;
            }
            let (_, printed) = terminal.shown.rsplit_once(&begin)?;
            let (printed, code) = printed.split_once(&end)?;
            let (code, _) = code.split_once('-')?;
            Some((printed.trim().to_owned(), code.to_owned()))
        });
        let (printed, code) = shown.await.map_err(failed)?;
        let prints = check.prints.as_ref().is_none_or(|text| printed.contains(text));
        let holds = code == "0" && prints;
        Ok(Held {
            about: check.about.clone(),
            holds,
            seen: format!("{}\nexit code {code}", seen(&printed)),
        })
    }

    async fn validate(&mut self) -> Result<(), Stop> {
        self.confirm("execution", "validation").await;
        self.reply("/validation/agent", "Create a validation plan").await?;
        self.project.post("/validation/trigger", json!({"message": "Start validation"})).await;
        for number in 1..=self.validation_steps().await.len() {
            let waiting = self.check(number, "waiting_approval").await?;
            let word = json!({"step_number": number, "approved": true,
                "command_sha256": waiting["command_sha256"]});
            self.project.post("/validation/approve-step", word).await;
            self.score.approvals += 1;
            let attempt = waiting["attempt"].as_u64().unwrap_or(1);
            self.score.repairs += u32::try_from(attempt.saturating_sub(1)).unwrap_or(u32::MAX);
            self.check(number, "completed").await?;
        }
        let covered = self.project.get("/validation/requirements").await.json();
        for one in covered["requirements"].as_array().into_iter().flatten() {
            let verdict = one["verdict"].as_str().unwrap_or_default();
            let wish = one["wish"].as_str().unwrap_or_default();
            // Its owner confirmed requirements that say so.
            let agreed = verdict == "not_built";
            let about =
                if agreed { format!("{wish} (not built, as agreed)") } else { wish.to_owned() };
            let holds = agreed || verdict == "proved";
            self.score.requirements.push(Held { about, holds, seen: verdict.to_owned() });
        }
        match self.score.requirements.is_empty() {
            true => Err(failed("validation reports on no requirement")),
            false => Ok(()),
        }
    }

    async fn validation_steps(&self) -> Vec<Value> {
        let progress = self.project.get("/validation/progress").await.json();
        progress["steps"].as_array().cloned().unwrap_or_default()
    }

    /// A check once it has this status, or failed.
    async fn check(&self, number: usize, status: &str) -> Result<Value, Stop> {
        let check = until(format!("check {number}"), self.patience, async || {
            let check = self.validation_steps().await.into_iter().nth(number - 1)?;
            let ended = check["status"] == status || check["status"] == "failed";
            ended.then_some(check)
        });
        let check = check.await.map_err(failed)?;
        match check["status"] == status {
            true => Ok(check),
            false => Err(failed(format!("check {number} failed: {}", check["error_message"]))),
        }
    }
}

/// The project of a walk, on a product of its own.
pub async fn project(world: &World, request: &Request) -> Project {
    world.owner.project(&request.title.chars().take(60).collect::<String>()).await
}

/// Adds what the project has used.
pub async fn count(project: &Project, score: &mut Score) {
    let path = project.path("/projects");
    let usage = project.get(&format!("{path}/token-usage")).await.json();
    let tokens = |name: &str| usage[name].as_u64().unwrap_or_default();
    score.tokens = tokens("input_tokens") + tokens("output_tokens");
    let costs = project.get(&format!("{path}/costs")).await.json();
    let dollars = costs["total_cost"].as_str().and_then(|dollars| dollars.parse().ok());
    score.dollars = dollars.unwrap_or_default();
}

fn seen(text: &str) -> String {
    text.trim().chars().take(SEEN_CHARS).collect()
}

fn differing(
    before: &BTreeMap<String, String>,
    after: &BTreeMap<String, String>,
    may_change: &[String],
) -> Vec<String> {
    let names = before.keys().chain(after.keys());
    let other = |name: &&String| {
        before.get(*name) != after.get(*name)
            && !may_change.iter().any(|end| name.ends_with(end.as_str()))
    };
    let names: std::collections::BTreeSet<&String> = names.filter(other).collect();
    names.into_iter().cloned().collect()
}
