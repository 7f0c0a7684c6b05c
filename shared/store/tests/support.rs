//! What several modules need.
use aws_sdk_dynamodb::config::interceptors::FinalizerInterceptorContextMut;
use aws_sdk_dynamodb::config::{ConfigBag, Intercept, RuntimeComponents};
use aws_sdk_dynamodb::error::BoxError;
use domain::output::OutputView;
use domain::step::{Finish, Outcome};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use tokio::task::JoinHandle;

/// The end of a command that exited, without output.
pub fn exited(exit_code: i32) -> Finish {
    Finish {
        outcome: Outcome::Exited,
        exit_code: Some(exit_code),
        duration_ms: 1,
        output: OutputView::default(),
        detail: None,
        saved_plan: None,
    }
}

/// Holds a caller between two of its calls until the test releases it.
#[derive(Debug, Default, Clone)]
pub struct Pause(Arc<Mutex<Option<Hold>>>);

#[derive(Debug)]
struct Hold {
    /// How many calls finish before the one that holds its caller.
    before: usize,
    /// Reports that the caller is held.
    held: Sender<()>,
    go_on: Receiver<()>,
}

impl Intercept for Pause {
    fn name(&self) -> &'static str {
        "a pause"
    }

    fn modify_before_completion(
        &self,
        _: &mut FinalizerInterceptorContextMut<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        let due = self.0.lock().unwrap().take_if(|hold| match hold.before.checked_sub(1) {
            Some(before) => {
                hold.before = before;
                false
            }
            None => true,
        });
        if let Some(Hold { held, go_on, .. }) = due {
            held.send(())?;
            // Others go on meanwhile, also with what this thread had begun.
            tokio::task::block_in_place(|| go_on.recv())?;
        }
        Ok(())
    }
}

impl Pause {
    /// Begins an act and holds it as soon as `before` of its calls and one more have finished. Returns the act and its
    /// release; no release if the act made fewer calls.
    pub async fn held<R: Send + 'static>(
        &self,
        before: usize,
        act: impl Future<Output = R> + Send + 'static,
    ) -> (JoinHandle<R>, Option<Sender<()>>) {
        let ((held, is_held), (release, go_on)) = (channel(), channel());
        *self.0.lock().unwrap() = Some(Hold { before, held, go_on });
        let armed = self.clone();
        let act = tokio::spawn(async move {
            let done = act.await;
            armed.0.lock().unwrap().take();
            done
        });
        let is_held = tokio::task::spawn_blocking(move || is_held.recv().is_ok()).await.unwrap();
        (act, is_held.then_some(release))
    }
}
