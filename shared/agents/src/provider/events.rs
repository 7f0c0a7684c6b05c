//! Opens a call in the protocol of its provider, and reads its events.

use super::dialect::REWRITES;
use super::error::{Field, ModelError};
use super::{Model, Progress, Stop, completions, converse, messages, without_key};
use crate::config::{Access, Provider};
use crate::exchange::{Event, Options, Request};
use domain::report::Chain;

/// A reply that has begun.
pub(super) enum Events {
    Completions(Box<completions::Stream>),
    Messages(Box<messages::Stream>),
    Bedrock(Box<converse::Stream>),
}

impl Events {
    /// The next event. `progress` keeps what the provider accepts and counts before the end.
    pub(super) async fn next(
        &mut self,
        progress: &mut Progress,
    ) -> Option<Result<Event, ModelError>> {
        match self {
            Self::Completions(stream) => stream.next().await,
            Self::Bedrock(stream) => stream.next().await,
            Self::Messages(stream) => {
                let event = stream.next().await;
                if matches!(event, Some(Ok(_))) {
                    progress.accept();
                }
                progress.count_input(stream.reading().counted_input());
                event
            }
        }
    }
}

impl Model {
    /// Sends the request; returns when a reply begins. If the server refuses how the request is written, it is written in
    /// another way where there is one.
    pub(super) async fn open(
        &self,
        request: &Request,
        progress: &mut Progress,
    ) -> Result<Events, Stop> {
        let name = &self.target.model;
        for _ in 0..REWRITES {
            let options = self.dialects.of(name, &self.options);
            match self.open_with(request.clone(), &options, progress).await {
                Err(Stop::Failed(error))
                    if self.may_learn(&error) && self.dialects.learn(name, &error, &options) =>
                {
                    tracing::warn!(cause = %Chain(&error), "a refused request is written anew");
                }
                opened => return opened,
            }
        }
        let options = self.dialects.of(name, &self.options);
        self.open_with(request.clone(), &options, progress).await
    }

    /// Whether the request may be written in another way. A trial reports it if the replies would be shorter than set.
    fn may_learn(&self, error: &ModelError) -> bool {
        !self.keeps_limit || error.field() != Some(Field::ReplyTokens) || error.numbers.is_empty()
    }

    async fn open_with(
        &self,
        request: Request,
        options: &Options,
        progress: &mut Progress,
    ) -> Result<Events, Stop> {
        let target = &self.target;
        let key = match &self.access {
            Access::Role(signer) => {
                let stream = converse::open(self.http()?, signer, target, request, options).await?;
                progress.accept();
                return Ok(Events::Bedrock(Box::new(stream)));
            }
            Access::Key(key) => key.get().await,
        };
        let key = key.map_err(|error| Stop::WithoutKey(without_key(error)))?;
        let http = self.http()?;
        if target.provider == Provider::OpenAi {
            let stream = completions::open(http, &key, target, request, options).await?;
            progress.accept();
            return Ok(Events::Completions(Box::new(stream)));
        }
        // Anthropic accepts with its first event, which counts the input.
        let stream = messages::open(http, &key, target, request, options).await?;
        Ok(Events::Messages(Box::new(stream)))
    }
}
