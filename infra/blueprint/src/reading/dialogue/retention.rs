//! What a number of days is for: metrics, logs or copies. A number without a noun is for what the user named last: “Loki,
//! keep 14 days”, and then “make it 30 days”.

use super::Dialogue;
use crate::reading::wishes::DAYS;
use crate::words::{Words, lists};

const METRICS: &str = "metric metrics series prometheus metriken métricas métriques";
const LOGS: &str = "log logs loki logfiles protokolle registros journaux graylog elasticsearch kibana logstash elk index indices";
const COPIES: &str = "backup backups dump dumps copy copies snapshot snapshots restic borg sicherung sicherungen vollsicherung vollsicherungen respaldo respaldos \
    sauvegarde sauvegardes copias";

impl Dialogue {
    /// Whether a number of days is for other things than those of the parameter.
    pub(super) fn is_of_other_things(&self, words: &Words, at: usize, key: &str) -> bool {
        let own = match self.blueprint.map(|blueprint| blueprint.id) {
            _ if !DAYS.contains(&key) => return false,
            _ if key == "dump-days" => COPIES,
            Some("monitoring-stack") => METRICS,
            _ => LOGS,
        };
        let values: Vec<&str> = words.values().collect();
        // The things in its clause count first: “Prometheus, the logs 60 days”.
        for part in [words.clause(at), words.sentence(at)] {
            let named = |list: &str| values[part.clone()].iter().any(|word| lists(list, word));
            if named(own) {
                return false;
            }
            if [METRICS, LOGS, COPIES].into_iter().any(named) {
                return true;
            }
        }
        let before = named_last(&values[..at]);
        let earlier = || {
            self.said.iter().rev().find_map(|said| named_last(&said.values().collect::<Vec<_>>()))
        };
        before.or_else(earlier).is_some_and(|named| named != own)
    }
}

/// The things that are named last among some words.
fn named_last(values: &[&str]) -> Option<&'static str> {
    let things = |word: &&str| [METRICS, LOGS, COPIES].into_iter().find(|list| lists(list, word));
    values.iter().rev().find_map(things)
}
