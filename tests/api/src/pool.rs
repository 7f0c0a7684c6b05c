//! The warm pool in the table.

use crate::stack::App;
use crate::waiting::eventually;
use domain::pool::PooledTask;
use store::pool::Pool;

impl App {
    /// The pool of the stack's table.
    pub fn pool(&self) -> Pool {
        Pool::new(&self.table())
    }

    /// Waits until this many sandboxes wait for a project.
    pub async fn pooled(&self, size: usize) -> Vec<PooledTask> {
        eventually("the pool is filled", async || {
            let mut tasks = self.pool().tasks().await.unwrap();
            tasks.retain(PooledTask::is_ready);
            (tasks.len() == size).then_some(tasks)
        })
        .await
    }
}
