//! Questions to a sandbox and its answers; the function that asked polls the table for the answer.
//!
//! Both expire soon. An answer to an unknown question is dropped.

use crate::StoreError;
use crate::keys::partition;
use crate::table::{Key, Table};
use domain::inquiry::{Answer, Question};
use domain::{RunId, Scope, Timestamp};
use serde::{Deserialize, Serialize};

/// How long a question and its answer are kept, in seconds.
const KEPT_SECONDS: i64 = 600;

#[derive(Serialize, Deserialize)]
struct Asked {
    question: Question,
    at: Timestamp,
}

/// The inquiries of the table.
#[derive(Clone, Debug)]
pub struct Inquiries {
    table: Table,
}

fn question_key(scope: Scope, id: &RunId) -> Key {
    Key::new(partition(scope), format!("QUESTION#{id}"))
}

fn answer_key(scope: Scope, id: &RunId) -> Key {
    Key::new(partition(scope), format!("ANSWER#{id}"))
}

fn expiry() -> Option<i64> {
    Some(Timestamp::now().plus_seconds(KEPT_SECONDS).epoch_seconds())
}

impl Inquiries {
    /// The inquiries in `table`.
    pub fn new(table: &Table) -> Self {
        Self { table: table.clone() }
    }

    /// Stores a question.
    pub async fn ask(
        &self,
        scope: Scope,
        id: &RunId,
        question: &Question,
    ) -> Result<(), StoreError> {
        let asked = Asked { question: question.clone(), at: Timestamp::now() };
        self.table.put_new(&question_key(scope, id), &asked, expiry()).await.map(drop)
    }

    /// A question that was asked at most `seconds` ago and has no answer yet.
    pub async fn open(
        &self,
        scope: Scope,
        id: &RunId,
        seconds: i64,
    ) -> Result<Option<Question>, StoreError> {
        let Some(asked) = self.table.get::<Asked>(&question_key(scope, id)).await? else {
            return Ok(None);
        };
        let Asked { question, at } = asked.value;
        if Timestamp::now().seconds_since(at) > seconds || self.find(scope, id).await?.is_some() {
            return Ok(None);
        }
        Ok(Some(question))
    }

    /// Stores the answer to a question that was asked; the first answer counts.
    pub async fn answer(
        &self,
        scope: Scope,
        id: &RunId,
        answer: &Answer,
    ) -> Result<(), StoreError> {
        if self.table.get::<Asked>(&question_key(scope, id)).await?.is_none() {
            return Ok(());
        }
        self.table.put_new(&answer_key(scope, id), answer, expiry()).await.map(drop)
    }

    /// The answer, once it has come.
    pub async fn find(&self, scope: Scope, id: &RunId) -> Result<Option<Answer>, StoreError> {
        Ok(self.table.get(&answer_key(scope, id)).await?.map(|stored| stored.value))
    }
}
