//! The end of what was built: the owner tears the project down, and nothing may be left.

use super::{Place, Stop, Walk, failed};
use crate::score::Held;
use serde_json::json;

impl Walk<'_> {
    /// Tears the project down as a change of its own, through the same stages.
    pub(super) async fn tear_down(&mut self, place: &mut Place) -> Result<(), Stop> {
        self.confirm("validation", "").await;
        let changes = format!("{}/changes", self.project.path("/projects"));
        let begun = self.project.post(&changes, json!({"wish": "", "kind": "tear_down"})).await;
        if begun.status != 201 {
            return Err(failed(format!("the tear-down: {}", begun.text())));
        }
        let wish = begun.json()["wish"].as_str().unwrap_or_default().to_owned();
        let reply = self.reply("/planning/requirements-gatherer", &wish).await?;
        self.score.said.push(("person", wish));
        self.score.said.push(("agent", reply));
        self.plan().await?;
        self.carry_out().await?;
        self.validate().await?;
        let left = self.left(place).await?;
        self.score.checks.push(Held {
            about: "The tear-down leaves nothing".to_owned(),
            holds: left.is_empty(),
            seen: left.join("\n"),
        });
        Ok(())
    }

    /// What a tear-down has left: resources of the cloud, or what the request's checks still find in the sandbox.
    async fn left(&mut self, place: &mut Place) -> Result<Vec<String>, Stop> {
        if let Place::Servers(ground) = place {
            return ground.left().await.map_err(failed);
        }
        let built = self.score.checks.len();
        self.look(place).await?;
        let found = self.score.checks.split_off(built);
        Ok(found.into_iter().filter(|check| check.holds).map(|check| check.about).collect())
    }
}
