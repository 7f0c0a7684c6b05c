//! Notifies owners by mail that a project waits for them.
//!
//! Many functions move steps, and if each sent mail, owners would get letters about states that last only a moment. The
//! reaper sees only what lasts until its next minute. It misses no notice, because a project stays on its list until
//! the notice is sent. It sends none twice, because it first claims each notice in the table (`store::mail`). If the
//! function dies between the two, or SES does not answer, the letter is not sent again: a missing letter is better than
//! the same one each minute.
//!
//! A person gets mail as long as they have the right to sign in: they have confirmed the address and signed in within
//! the longest life of a session. If the installation or their membership ends, so does the mail.

use crate::{App, ReaperError};
use aws::{MailError, Mailer};
use domain::clock::HOUR_SECONDS;
use domain::mail::{Address, Letter, MailSettings, Notice};
use domain::project::Project;
use domain::report::Chain;
use domain::step::Track;
use domain::{InstallationId, Scope, Timestamp};
use std::collections::HashMap;
use std::sync::Arc;
use store::StoreError;
use store::mail::Mail;
use store::sandboxes::Active;
use tokio::sync::Mutex;

/// How long a notice must last before it is sent, in seconds. A page that approves automatically answers sooner.
const LASTS_SECONDS: i64 = 15;
/// The most letters that a person gets in an hour for an installation; the next hour reports what is still true then.
const LETTERS_PER_HOUR: u32 = 12;

/// A person to notify, and the address.
struct Told {
    settings: MailSettings,
    address: Address,
    notice: Notice,
    project: Project,
}

/// Who may get mail for each installation, as one run of the reaper has read it.
#[derive(Default)]
pub(crate) struct Recipients(Mutex<HashMap<InstallationId, Arc<[MailSettings]>>>);

impl Recipients {
    /// The recipients of an installation, which are read once.
    async fn of(
        &self,
        mail: &Mail,
        installation: InstallationId,
    ) -> Result<Arc<[MailSettings]>, StoreError> {
        let mut known = self.0.lock().await;
        if let Some(read) = known.get(&installation) {
            return Ok(read.clone());
        }
        let read: Arc<[MailSettings]> = mail.recipients(installation).await?.into();
        known.insert(installation, read.clone());
        Ok(read)
    }
}

impl App {
    /// Sends the notices of these projects. A project whose letter fails does not delay the others; if SES does not
    /// answer, the next minute continues.
    pub(crate) async fn send_notices(
        &self,
        active: &[Active],
        recipients: &Recipients,
    ) -> Result<(), ReaperError> {
        let Some(mailer) = &self.mailer else { return Ok(()) };
        let mut outcome = Ok(());
        for Active { scope, .. } in active {
            match self.send_notice(mailer, *scope, recipients).await {
                Ok(()) => {}
                Err(error) => {
                    tracing::error!(error = %Chain(&error), %scope, "an owner could not be notified that their project waits");
                    let silent = matches!(error, ReaperError::Mail(MailError::Unknown(_)));
                    outcome = Err(error);
                    if silent {
                        break;
                    }
                }
            }
        }
        outcome
    }

    /// Whether any of the recipients must still be notified about the project.
    pub(crate) async fn has_recipients(
        &self,
        scope: Scope,
        recipients: &Recipients,
    ) -> Result<bool, ReaperError> {
        Ok(!self.recipients_left(scope, recipients).await?.is_empty())
    }

    async fn send_notice(
        &self,
        mailer: &Mailer,
        scope: Scope,
        recipients: &Recipients,
    ) -> Result<(), ReaperError> {
        let mut outcome = Ok(());
        for told in self.recipients_left(scope, recipients).await? {
            if Timestamp::now().seconds_since(told.notice.since) >= LASTS_SECONDS
                && let Err(error) = self.tell(mailer, scope, &told).await
            {
                outcome = Err(error);
            }
        }
        outcome
    }

    /// The people who have yet to get the project's notice; none if the deployment sends no mail.
    async fn recipients_left(
        &self,
        scope: Scope,
        recipients: &Recipients,
    ) -> Result<Vec<Told>, ReaperError> {
        let mut all = Vec::new();
        if self.mailer.is_none() {
            return Ok(all);
        }
        let recipients = recipients.of(&self.mail, scope.installation).await?;
        if recipients.is_empty() {
            return Ok(all);
        }
        let Some((notice, project)) = self.notice(scope).await? else { return Ok(all) };
        for settings in recipients.iter() {
            let Some(confirmed) = settings.confirmed.clone() else { continue };
            let user = settings.user_id;
            if notice.since >= confirmed.at
                && !self.mail.is_over(scope, user, &notice.id).await?
                && self.sessions.signed_in_lately(scope.installation, user).await?
            {
                let (notice, project) = (notice.clone(), project.clone());
                all.push(Told {
                    settings: settings.clone(),
                    address: confirmed.address,
                    notice,
                    project,
                });
            }
        }
        Ok(all)
    }

    /// The notice of a project; archived ones have none.
    async fn notice(&self, scope: Scope) -> Result<Option<(Notice, Project)>, ReaperError> {
        let on = |track| self.executions.on(track);
        let (checks, drift) = (on(Track::Validation), on(Track::Drift));
        let (steps, checks, drift) =
            tokio::try_join!(self.executions.load(scope), checks.load(scope), drift.load(scope))?;
        let (steps, checks) = (steps.unwrap_or_default().steps, checks.unwrap_or_default());
        let drift = drift.filter(|drift| drift.plan_id == checks.plan_id).unwrap_or_default();
        let notice = Notice::of_project(&steps, &checks.steps, &drift.steps);
        let Some(notice) = notice else { return Ok(None) };
        let project = self.projects.get(scope).await?.filter(|project| !project.archived);
        Ok(project.map(|project| (notice, project)))
    }

    /// Sends one person's letter, unless another run does, or the hour's limit is reached.
    async fn tell(&self, mailer: &Mailer, scope: Scope, told: &Told) -> Result<(), ReaperError> {
        let (user, notice) = (told.settings.user_id, told.notice.id.as_str());
        // The run read the settings when it began; a person who has turned mail off since gets no letter.
        let now = self.mail.settings(scope.installation, user).await?;
        if now.and_then(|now| now.confirmed) != told.settings.confirmed {
            return Ok(());
        }
        let (who, now) = (format!("{}/{user}", scope.installation), Timestamp::now());
        if self
            .rates
            .count_within(HOUR_SECONDS, "letters", &who, LETTERS_PER_HOUR, now)
            .await?
            .is_some()
        {
            return Ok(());
        }
        let Some(attempt) = self.mail.claim(scope, user, notice).await? else { return Ok(()) };
        match mailer.send(&letter(scope, told)).await {
            Ok(()) => {
                tracing::info!(%scope, user, notice, "notified an owner that their project waits");
                Ok(())
            }
            Err(error @ MailError::Refused(_)) => {
                if self.mail.release(scope, user, notice).await? {
                    tracing::warn!(error = %Chain(&error), %scope, attempt, "a letter was refused");
                    return Ok(());
                }
                Err(error.into())
            }
            Err(error) => Err(error.into()),
        }
    }
}

fn letter(scope: Scope, told: &Told) -> Letter {
    let Told { settings, address, notice, project } = told;
    let (site, key) = (&settings.site, settings.off_key(scope.installation).expose());
    let url = match notice.track {
        Track::Drift => format!("{site}/app/{}/home/result", scope.project),
        track => format!("{site}/app/{}?stage={}", scope.project, track.as_str()),
    };
    let page = format!("{site}/unsubscribe#{key}");
    let one_click = format!("{site}/api/user/mail/unsubscribe?key={key}");
    Letter::of_notice(address.clone(), notice, &project.name, &url, (&page, &one_click))
}
