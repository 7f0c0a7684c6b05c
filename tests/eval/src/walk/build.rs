//! Runs the steps: each is approved and run, and then all run again.

use super::{Place, Stop, Walk, failed};
use crate::ground::Ground;
use crate::request::Needs;
use crate::waiting::until;
use api_tests::Step;
use serde_json::json;
use std::collections::BTreeMap;

/// How much of the end of a failed step's output is kept, in characters: the cause is there.
const END_CHARS: usize = 2_000;

/// The stand-in cloud checks only the secret half of AWS's credentials.
const ACCESS_KEY_ID: &str = "AKIAIOSFODNN7GROUND1";

impl Walk<'_> {
    /// Carries out the plan; returns the number of its steps.
    pub(super) async fn build(&mut self, place: &mut Place) -> Result<u32, Stop> {
        self.project.sandbox_is_up().await;
        if let Place::Servers(ground) = place {
            self.patience = self.patience.for_servers();
            self.equip(ground).await?;
        }
        let (done, total) = self.carry_out().await?;
        self.score.steps = done;
        if let Place::Servers(ground) = place {
            for name in ground.servers().await.map_err(failed)?.into_keys() {
                let system = ground.run(&name, ". /etc/os-release; echo \"$PRETTY_NAME\"").await;
                let (system, _) = system.map_err(failed)?;
                self.score.servers.push(format!("{name}: {}", system.trim()));
            }
        }
        Ok(total)
    }

    /// Approves and runs step by step; returns how many were run, and how many there are.
    pub(super) async fn carry_out(&mut self) -> Result<(u32, u32), Stop> {
        self.project.trigger().await;
        self.confirm("implementation", "execution").await;
        let total = self.project.progress().await.total_steps;
        for number in 1..=total {
            let waiting = self.step(number, 0, |step| step.is_waiting()).await?;
            let until = self.request.until.as_ref();
            if until.is_some_and(|words| waiting.description.contains(words.as_str())) {
                return Ok((number - 1, total));
            }
            self.approve(&waiting).await?;
            let done = self.step(number, 0, |step| step.status == "completed").await?;
            self.score.repairs += waiting.attempt.saturating_sub(1);
            let said = format!("Step {number}: {}", done.description);
            self.score.said.push(("step", said));
        }
        Ok((total, total))
    }

    /// Gives the project what an owner with this cloud would have: its credentials, the secrets, and the cloud's
    /// providers in the sandbox's home.
    async fn equip(&self, ground: &Ground) -> Result<(), Stop> {
        let (provider, credentials) = match self.request.needs {
            Needs::Aws => (
                "aws",
                json!({"AWS_ACCESS_KEY_ID": ACCESS_KEY_ID, "AWS_SECRET_ACCESS_KEY": ground.token}),
            ),
            _ => ("hetzner", json!({"HCLOUD_TOKEN": ground.token})),
        };
        let credentials = json!({"values": credentials});
        let secrets = self.request.secrets.iter();
        let secrets: BTreeMap<_, _> =
            secrets.map(|(name, value)| (name, value.replace("$CLOUD", &ground.address))).collect();
        for (provider, values) in [(provider, credentials), ("other", json!({"values": secrets}))] {
            if values["values"].as_object().is_some_and(|values| !values.is_empty()) {
                let path = format!("/planning/credentials/{provider}");
                let answer = self.project.put(&path, values).await;
                if answer.status >= 300 {
                    return Err(failed(format!("{path}: {}", answer.text())));
                }
            }
        }
        let fetch = format!(
            "curl -fsS --retry 9 --retry-connrefused http://{}/sandbox.tar | tar x -C ~ && sed -i s,@HOME@,$HOME, ~/.curlrc",
            ground.address
        );
        match self.types("the provider", &fetch).await? {
            (_, code) if code == "0" => Ok(()),
            (printed, code) => Err(failed(format!("the provider: exit code {code}: {printed}"))),
        }
    }

    /// Waits for a step to reach a state, in a later attempt than `after`.
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
        Err(failed(format!("step {number} failed: {why}\n{}", end(&step.output))))
    }

    async fn approve(&mut self, step: &Step) -> Result<(), Stop> {
        let answer = self.project.decide(step, true).await;
        self.score.approvals += 1;
        match answer.status {
            200 => Ok(()),
            _ => Err(failed(format!("step {}: {}", step.step_number, answer.text()))),
        }
    }

    /// Runs every step again; returns what differs afterward: files in the workspace, and the state of servers.
    pub(super) async fn build_again(&mut self, place: &mut Place) -> Result<Vec<String>, Stop> {
        let before = self.state(place).await?;
        let mut said = Vec::new();
        for number in 1..=self.score.steps {
            let again = self.again(number).await?;
            said.extend(says_changed(&again.output).map(|line| format!("step {number}: {line}")));
        }
        let mut changed = differing(&before, &self.state(place).await?, &self.request.may_change);
        changed.append(&mut said);
        Ok(changed)
    }

    /// Runs a step once more. A step that applies a plan needs a new approval if the plan was made again.
    async fn again(&mut self, number: u32) -> Result<Step, Stop> {
        let done = self.project.step(number).await;
        self.repeat(&done).await?;
        let ended = |step: &Step| step.failure.as_deref() == Some("not_started");
        let completed = |step: &Step| step.status == "completed";
        let step = self.step(number, done.attempt, |step| completed(step) || ended(step)).await?;
        if completed(&step) {
            return Ok(step);
        }
        self.repeat(&step).await?;
        let waiting = self.step(number, step.attempt, Step::is_waiting).await?;
        self.approve(&waiting).await?;
        self.step(number, step.attempt, completed).await
    }

    async fn repeat(&self, step: &Step) -> Result<(), Stop> {
        let answer = self.project.decide(step, true).await;
        match answer.status {
            200 => Ok(()),
            _ => Err(failed(format!("step {} again: {}", step.step_number, answer.text()))),
        }
    }

    async fn state(&self, place: &mut Place) -> Result<BTreeMap<String, String>, Stop> {
        let mut state = self.project.files().await;
        if let Place::Servers(ground) = place {
            state.extend(ground.inventory().await.map_err(failed)?);
        }
        Ok(state)
    }
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

/// The end of a step's output.
pub(super) fn end(text: &str) -> &str {
    let text = text.trim();
    let from = text.char_indices().rev().nth(END_CHARS).map_or(0, |(at, _)| at);
    text.get(from..).unwrap_or_default()
}

/// Ansible's counts that are not zero.
fn says_changed(output: &str) -> impl Iterator<Item = &str> {
    let counts = |line: &&str| line.contains(" ok=") && line.contains(" changed=");
    output.lines().filter(counts).filter(|line| !line.contains(" changed=0 "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_changes_of_a_second_run_are_reported() {
        let unchanged = "web1  : ok=24   changed=0    unreachable=0    failed=0";
        let changed = "web1  : ok=24   changed=2    unreachable=0    failed=0";
        assert_eq!(says_changed(unchanged).count(), 0);
        assert_eq!(
            says_changed(&format!("PLAY RECAP\n{changed}\n{unchanged}")).collect::<Vec<_>>(),
            [changed]
        );
    }

    #[test]
    fn files_that_differ_are_named_once_and_those_that_may_differ_are_not() {
        let map = |pairs: &[(&str, &str)]| {
            pairs.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
        };
        let before = map(&[("a", "1"), ("b", "1"), ("c.log", "1")]);
        let after = map(&[("a", "2"), ("c.log", "2"), ("d", "1")]);
        assert_eq!(differing(&before, &after, &[".log".to_owned()]), ["a", "b", "d"]);
    }
}
