//! Sends letters through SES.
//!
//! The client never repeats a call: SES takes no idempotency key, and a call without an answer may have sent its
//! letter. The error distinguishes the two cases, and the caller decides.

use crate::AwsError;
use aws_sdk_sesv2::Client;
use aws_sdk_sesv2::config::retry::RetryConfig;
use aws_sdk_sesv2::config::timeout::TimeoutConfig;
use aws_sdk_sesv2::error::SdkError;
use aws_sdk_sesv2::operation::send_email::SendEmailError;
use aws_sdk_sesv2::types::{Body, Content, Destination, EmailContent, Message, MessageHeader};
use domain::mail::Letter;
use settings::{SdkConfig, var};
use std::time::Duration;

/// The name beside the sender's address.
const SENDER: &str = "Groundcrew";
/// How long SES may take to answer.
const ANSWERED_WITHIN: Duration = Duration::from_secs(10);
/// The header of RFC 2369 with the address that ends the mail, and the one of RFC 8058, which says that one POST is
/// enough.
const UNSUBSCRIBE: &str = "List-Unsubscribe";
const ONE_CLICK: (&str, &str) = ("List-Unsubscribe-Post", "List-Unsubscribe=One-Click");

/// Sends letters. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Mailer {
    client: Client,
    from: String,
}

/// Why a letter was not sent, or may not have been.
#[derive(Debug, thiserror::Error)]
pub enum MailError {
    /// SES refused it: nothing was sent, and another try may succeed.
    #[error("SES refused a letter")]
    Refused(#[source] AwsError),
    /// There was no answer: it may have been sent.
    #[error("SES did not say whether it took a letter")]
    Unknown(#[source] AwsError),
}

impl Mailer {
    /// A mailer with the address in `MAIL_FROM`; `None` without one, and then no mail is sent.
    pub fn from_env(sdk: &SdkConfig) -> Option<Self> {
        let from = var("MAIL_FROM").ok()?;
        let config = aws_sdk_sesv2::config::Builder::from(sdk)
            .retry_config(RetryConfig::disabled())
            .timeout_config(TimeoutConfig::builder().operation_timeout(ANSWERED_WITHIN).build());
        Some(Self { client: Client::from_conf(config.build()), from: format!("{SENDER} <{from}>") })
    }

    /// Sends a letter.
    pub async fn send(&self, letter: &Letter) -> Result<(), MailError> {
        let unusable = |error| {
            MailError::Refused(AwsError::of::<aws_sdk_sesv2::error::BuildError>("a letter")(error))
        };
        let content = content(letter).map_err(unusable)?;
        let to = Destination::builder().to_addresses(letter.to.as_str()).build();
        let sent = self.client.send_email().from_email_address(&self.from).destination(to);
        sent.content(content).send().await.map(drop).map_err(failed)
    }
}

fn content(letter: &Letter) -> Result<EmailContent, aws_sdk_sesv2::error::BuildError> {
    let part = |text: &str| Content::builder().data(text).charset("UTF-8").build();
    let header = |name: &str, value: &str| MessageHeader::builder().name(name).value(value).build();
    let body = Body::builder().text(part(&letter.text)?).html(part(&letter.html)?).build();
    let mut message = Message::builder().subject(part(&letter.subject)?).body(body);
    if let Some(url) = &letter.off_url {
        message = message.headers(header(UNSUBSCRIBE, &format!("<{url}>"))?);
        message = message.headers(header(ONE_CLICK.0, ONE_CLICK.1)?);
    }
    Ok(EmailContent::builder().simple(message.build()).build())
}

fn failed(error: SdkError<SendEmailError>) -> MailError {
    // An answer of 4xx is a refusal. After 5xx, or without an answer, the letter may have been sent.
    let refused = match &error {
        SdkError::ConstructionFailure(_) => true,
        SdkError::ServiceError(answer) => answer.raw().status().is_client_error(),
        _ => false,
    };
    let error = AwsError::of("ses:SendEmail")(error);
    if refused { MailError::Refused(error) } else { MailError::Unknown(error) }
}
