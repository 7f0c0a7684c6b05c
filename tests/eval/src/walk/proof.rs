//! The checks at the end: the request's own, and the product's.

use super::build::end;
use super::{Place, Stop, Walk, failed};
use crate::ground::Ground;
use crate::request::{Check, From};
use crate::score::Held;
use crate::waiting::{Patience, until};
use serde_json::{Value, json};
use tokio::process::Command;

/// Longest evidence that a report shows, in characters.
const SEEN_CHARS: usize = 400;

impl Walk<'_> {
    /// Runs the request's own checks.
    pub(super) async fn look(&mut self, place: &mut Place) -> Result<(), Stop> {
        for check in &self.request.checks {
            let (printed, code) = match place {
                Place::Servers(ground) => looks(ground, check).await.map_err(failed)?,
                _ => self.types(&check.about, &check.run).await?,
            };
            let prints = check.prints.as_ref().is_none_or(|text| printed.contains(text));
            self.score.checks.push(Held {
                about: check.about.clone(),
                holds: code == "0" && prints,
                seen: format!("{}\nexit code {code}", seen(&printed)),
            });
        }
        Ok(())
    }

    /// Types a line into a terminal of the sandbox; returns its output and its exit code. The shell composes the marks
    /// around the output, so the typed line does not contain them.
    pub(super) async fn types(&self, about: &str, run: &str) -> Result<(String, String), Stop> {
        let mut terminal = self.project.terminal().await;
        terminal.attach().await;
        let run = run.replace('\'', r"'\''");
        let mark = self.score.checks.len();
        let line = format!(
            "clear; printf 'EV%s-{mark}\\n' BEGIN; bash -c '{run}' </dev/null; printf '\\nEV%s-{mark}-%s-\\n' END $?\r"
        );
        terminal.types(&line).await;
        let (begin, end) = (format!("EVBEGIN-{mark}"), format!("EVEND-{mark}-"));
        let shown = until(about.to_owned(), Patience::SHORT, async || {
            if !terminal.shown.contains(&end) || !terminal.shown.ends_with('\n') {
                terminal.reads().await;
            }
            let (_, printed) = terminal.shown.rsplit_once(&begin)?;
            let (printed, code) = printed.split_once(&end)?;
            let (code, _) = code.split_once('-')?;
            Some((printed.trim().to_owned(), code.to_owned()))
        });
        shown.await.map_err(failed)
    }

    /// Has the product plan its checks, and runs each of them.
    pub(super) async fn validate(&mut self) -> Result<(), Stop> {
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
            // The owner confirmed requirements that declare this.
            let agreed = verdict == "not_built";
            let about =
                if agreed { format!("{wish} (not built, as agreed)") } else { wish.to_owned() };
            let holds = agreed || verdict == "proved";
            self.score.requirements.push(Held { about, holds, seen: verdict.to_owned() });
        }
        match self.score.requirements.is_empty() {
            true => Err(failed("the validation has no verdict on any requirement")),
            false => Ok(()),
        }
    }

    async fn validation_steps(&self) -> Vec<Value> {
        let progress = self.project.get("/validation/progress").await.json();
        progress["steps"].as_array().cloned().unwrap_or_default()
    }

    /// Waits until a check has this status or has failed.
    async fn check(&self, number: usize, status: &str) -> Result<Value, Stop> {
        let check = until(format!("check {number}"), self.patience, async || {
            let check = self.validation_steps().await.into_iter().nth(number - 1)?;
            let ended = check["status"] == status || check["status"] == "failed";
            ended.then_some(check)
        });
        let check = check.await.map_err(failed)?;
        match check["status"] == status {
            true => Ok(check),
            false => {
                let why = check["error_message"].as_str().unwrap_or_default();
                let output = end(check["output"].as_str().unwrap_or_default());
                Err(failed(format!("check {number} failed: {why}\n{output}")))
            }
        }
    }
}

/// Checks the result without the product: at the console of a server, by default the first by name, or from this machine.
async fn looks(ground: &mut Ground, check: &Check) -> Result<(String, String), String> {
    let servers: Vec<_> = ground.servers().await?.into_iter().collect();
    let number = check.server.unwrap_or(1);
    let server = number.checked_sub(1).and_then(|at| servers.get(at));
    let none = || format!("there is no server {number}, only {}", servers.len());
    // A result without servers can only be looked at from outside.
    if check.server.is_some() && server.is_none() {
        return Err(none());
    }
    if check.restart {
        ground.restart(&server.ok_or_else(none)?.0).await?;
    }
    match check.from {
        From::Console => ground.run(&server.ok_or_else(none)?.0, &check.run).await,
        From::Outside => {
            let mut bash = Command::new("bash");
            bash.args(["-c", &check.run]).kill_on_drop(true);
            let address = server.map(|(_, address)| address.as_str()).unwrap_or_default();
            bash.env("ADDRESS", address).env("CLOUD", &ground.address);
            let ran = bash.output().await.map_err(|error| error.to_string())?;
            let said =
                [ran.stdout, ran.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
            Ok((said.concat(), ran.status.code().unwrap_or(-1).to_string()))
        }
    }
}

fn seen(text: &str) -> String {
    text.trim().chars().take(SEEN_CHARS).collect()
}
