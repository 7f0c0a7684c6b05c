//! The stack as a whole: starts its parts in order, and ends them.

use crate::engines::Engines;
use crate::engines::ecs::{Ecs, Events};
use crate::environment::{self, Ports};
use crate::faults::{self, Faults};
use crate::functions::Functions;
use crate::gateway::site::pages;
use crate::gateway::{elsewhere, previews, rest, websocket};
use crate::github::GitHub;
use crate::host;
use crate::listen::{self, Listeners};
use crate::provision::provision;
use crate::ready::WhenReady;
use crate::stripe::Stripe;
use crate::{Options, events, pollers, recorded};
use anyhow::{Context, Result, bail};
use axum::{Router, middleware};
use std::fs::{File, TryLockError};
use std::path::Path;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// The file whose lock shows that a stack is using the data folder.
const LOCK: &str = "lock";
/// The file with the functions' environment, for other programs.
const ENVIRONMENT: &str = "engines.env";

/// A running stack.
pub struct Stack {
    /// The ports that the stack listens on.
    pub ports: Ports,
    engines: Engines,
    stop: CancellationToken,
    _lock: File,
}

impl Stack {
    /// Starts everything; `functions` is called once their outside parties answer.
    pub async fn start<Start>(
        options: &Options,
        listeners: Listeners,
        functions: Start,
    ) -> Result<Self>
    where
        Start: AsyncFnOnce(Ports) -> Result<Functions>,
    {
        let (ports, data) = (listeners.ports()?, options.data_dir.as_path());
        let lock = lock(data)?;
        let agents = WhenReady::default();
        let (ecs, stopped) = Ecs::open(options, data, agents.clone())?;
        let engines = Engines::open(data, ecs, options.aws.as_deref()).await?;
        let github = GitHub::open(data.join("github.json"), ports, options.github_key.as_deref())?;
        let stripe = Stripe::open(data.join("stripe.json"), ports)?;
        provision(&engines, &github, &stripe).await?;
        std::fs::write(data.join(ENVIRONMENT), environment::file(ports))?;

        let stop = CancellationToken::new();
        let site = WhenReady::default();
        let shown = WhenReady::default();
        let faults = options.faults.then(Faults::default);
        let clock = WhenReady::default();
        let mut called = Router::new()
            .nest(
                "/_local/model",
                blueprint_model::routes(Duration::from_millis(options.model_pace)),
            )
            .nest("/_stripe", stripe.router());
        let mut of_aws = engines.router();
        if let Some(faults) = &faults {
            let strike = || middleware::from_fn_with_state(faults.clone(), faults::strike);
            called = called.layer(strike());
            of_aws = of_aws
                .layer(strike())
                .merge(faults.router())
                .nest_service("/_local/clock", clock.router());
        }
        if let Some(file) = &options.recorded {
            called = called.merge(recorded::play(file, &engines, &github)?);
        }
        let stack_mail = engines.ses.pages();
        let outside = Router::new()
            .nest("/_local/github", github.router())
            .nest("/_local/mail", stack_mail)
            .merge(called)
            .fallback_service(site.router());
        let outside = previews::beside(outside, shown.router());
        let outside = outside.layer(middleware::from_fn(host::of_site));
        tokio::spawn(listen::serve(listeners.engines, of_aws, stop.clone()));
        for listener in listeners.site {
            tokio::spawn(listen::serve(listener, outside.clone(), stop.clone()));
        }
        tokio::spawn(events::expire(engines.dynamodb.clone(), stop.clone()));

        let stack = Self { ports, engines, stop, _lock: lock };
        match &options.api {
            Some(api) => {
                let pages = pages(&options.web, ports);
                site.open(elsewhere::gateway(api)?.fallback_service(pages));
            }
            None if options.engines_only => site.open(rest::gateway(Functions::nothing().rest)),
            None => {
                let functions = match &faults {
                    Some(faults) => faults.functions().await?,
                    None => functions(ports).await?,
                };
                let reaper = functions.sandbox_reaper.clone();
                clock.open(faults::clock(stack.engines.sqs.clone(), reaper));
                let sockets = stack.sockets(&functions);
                shown.open(functions.previews.clone());
                agents.open(sockets.clone().router());
                let rest = match &faults {
                    Some(_) => rest::in_front_of(functions.rest.clone()),
                    None => rest::gateway(functions.rest.clone()),
                };
                site.open(stack.serve(rest, functions, sockets, options, stopped));
            }
        }
        if !options.engines_only || options.api.is_some() {
            stripe.go_on_telling();
            stripe.go_on_waiting();
        }
        Ok(stack)
    }

    fn sockets(&self, functions: &Functions) -> websocket::Gateway {
        let connections = self.engines.connections.clone();
        websocket::Gateway { connections, function: functions.websocket.clone() }
    }

    /// Starts to feed the functions, and returns the site in front of them.
    fn serve(
        &self,
        rest: Router,
        functions: Functions,
        sockets: websocket::Gateway,
        options: &Options,
        stopped: Events,
    ) -> Router {
        for mapping in functions.queues {
            tokio::spawn(pollers::poll(self.engines.queues(), mapping, self.stop.clone()));
        }
        let reaper = functions.sandbox_reaper;
        tokio::spawn(events::announce(
            reaper.clone(),
            self.engines.ecs.clone(),
            stopped,
            self.stop.clone(),
        ));
        let every = Duration::from_secs(options.schedule_seconds);
        tokio::spawn(events::schedule(reaper, every, self.stop.clone()));
        rest.merge(sockets.router()).fallback_service(pages(&options.web, self.ports))
    }

    /// Ends every task and stops serving, in less than three seconds.
    pub async fn shut_down(self) {
        self.engines.ecs.shut_down().await;
        self.stop.cancel();
    }
}

/// Locks the data folder; an error if another stack has it.
pub fn lock(data: &Path) -> Result<File> {
    std::fs::create_dir_all(data).with_context(|| format!("cannot create {}", data.display()))?;
    let lock = File::create(data.join(LOCK))
        .with_context(|| format!("cannot write to {}", data.display()))?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => {
            bail!(
                "another stack is using {}: stop it or choose another folder with --data-dir",
                data.display()
            )
        }
        Err(TryLockError::Error(error)) => {
            Err(error).with_context(|| format!("cannot lock {}", data.display()))
        }
    }
}
