//! Builds a message from the values of a form, with all problems that block it.

mod callback;
mod preview;
mod text;

use model::finding::Severity;
use model::send::{SendLanguage, SendMessage, SendProblem, SendProblemCode, SendTemplate, check_values, fill_send};
use model::template::Template;
use model::vocabulary::{Category, TemplateStatus};

use self::callback::CallbackRequest;
pub use self::preview::{message_url, preview_text};
pub use self::text::prepare_text;
use crate::now;
use crate::recipient::{self, NumberCountry};
use command_types::error::{DeskError, Result};
use command_types::send::{RecipientFacts, SendRequest, TemplateStanding};
use command_types::workspace::WorkspaceSettings;

/// Key of the tracking ID in callback data that the app generates.
pub const TRACKING_KEY: &str = "td";
const TRACKING_LENGTH: usize = 16;
/// Placeholder for the tracking ID until the send; same length.
pub const TRACKING_PREVIEW: &str = "set-when-sending";
const _: () = assert!(TRACKING_PREVIEW.len() == TRACKING_LENGTH);

#[must_use]
pub fn tracking_id() -> String {
    uuid::Uuid::new_v4().simple().to_string().chars().take(TRACKING_LENGTH).collect()
}

/// Age in minutes after which a cached status may be outdated.
const MAX_STATUS_AGE: i64 = 24 * 60;

/// Field of problems with the template.
const TEMPLATE: &str = "template";

/// A template and the shared data of its sends, loaded once.
#[derive(Clone, Debug)]
pub struct SendPlan {
    pub settings: WorkspaceSettings,
    pub template: Template,
    pub standing: TemplateStanding,
}

impl SendPlan {
    /// The problem that prevents sending the template; `None` if it can be sent.
    pub fn blocked(&self) -> Option<SendProblem> {
        if self.standing.archived {
            return Some(SendProblem::new(TEMPLATE, SendProblemCode::TemplateArchived, &[]));
        }
        let status = TemplateStatus::from(self.standing.status.as_str());
        (!status.is_sendable())
            .then(|| SendProblem::new(TEMPLATE, SendProblemCode::TemplateStatus, &[("status", &self.standing.status)]))
    }

    /// The message of a request, and its problems.
    pub fn prepare(&self, request: &SendRequest, tracking_id: &str) -> Prepared {
        let template = &self.template;
        let envelope = Envelope {
            number: &request.number,
            to: &request.to,
            country: request.country.as_deref(),
            callback_data: &request.options.callback_data,
            track: request.options.track,
            exact_callback: request.options.exact_callback,
        };
        let Addressed { mut message, mut problems, recipient } = self.address(envelope, tracking_id);
        problems.extend(self.blocked().or_else(|| self.stale()));
        let marketing = template.category == Category::Marketing;
        problems.extend(recipient::country_problem(&recipient, marketing));
        problems.extend(check_values(template, &request.values, now()));
        let send = SendTemplate {
            name: template.name.clone(),
            language: SendLanguage { code: template.language.clone(), ..SendLanguage::default() },
            components: fill_send(template, &request.values),
            ..SendTemplate::default()
        };
        message.kind = "template".to_owned();
        message.template = Some(send);
        Prepared { message, problems, recipient }
    }

    /// A problem if the cached status is older than [`MAX_STATUS_AGE`].
    fn stale(&self) -> Option<SendProblem> {
        let minutes = (now() - self.standing.cached_at?) / 60_000;
        (minutes > MAX_STATUS_AGE)
            .then(|| SendProblem::new(TEMPLATE, SendProblemCode::TemplateStale, &[("minutes", &minutes)]))
    }

    fn address(&self, envelope: Envelope<'_>, tracking_id: &str) -> Addressed {
        address(&self.settings, envelope, tracking_id)
    }
}

/// A send that is prepared but not sent.
#[derive(Debug)]
pub struct Prepared {
    pub message: SendMessage,
    /// Errors and warnings, except those about media links.
    pub problems: Vec<SendProblem>,
    pub recipient: RecipientFacts,
}

/// The fields around the content of a message, as filled in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Envelope<'a> {
    pub(crate) number: &'a str,
    pub(crate) to: &'a str,
    pub(crate) country: Option<&'a str>,
    pub(crate) callback_data: &'a str,
    pub(crate) track: bool,
    pub(crate) exact_callback: bool,
}

/// A message without content.
#[derive(Debug)]
pub(crate) struct Addressed {
    pub(crate) message: SendMessage,
    pub(crate) problems: Vec<SendProblem>,
    pub(crate) recipient: RecipientFacts,
}

/// Builds a message without content from an envelope.
pub(crate) fn address(settings: &WorkspaceSettings, envelope: Envelope<'_>, tracking_id: &str) -> Addressed {
    let mut problems = Vec::new();
    if envelope.number.trim().is_empty() {
        problems.push(SendProblem::new("number", SendProblemCode::NumberMissing, &[]));
    }
    let (recipient, problem) = recipient::check_recipient(envelope.to, NumberCountry::of(envelope.country, settings));
    problems.extend(problem);
    problems.extend(recipient::own_problem(&recipient, envelope.number, &settings.numbers));
    let (biz_opaque_callback_data, problem) = callback::data(CallbackRequest {
        own: envelope.callback_data,
        exact: envelope.exact_callback,
        tracking_id: envelope.track.then_some(tracking_id),
    });
    problems.extend(problem);
    let message = SendMessage {
        messaging_product: settings.product().to_owned(),
        recipient_type: Some("individual".to_owned()),
        to: recipient.digits.clone().unwrap_or_default(),
        biz_opaque_callback_data,
        ..SendMessage::default()
    };
    Addressed { message, problems, recipient }
}

/// Whether a problem blocks the send.
pub fn stops(problem: &SendProblem, overrides: &[String]) -> bool {
    match problem.severity {
        Severity::Error => true,
        Severity::Warning => !overrides.iter().any(|code| code == problem.code.as_str()),
        Severity::Hint => false,
    }
}

/// Returns the first error, or the first warning that is not overridden.
///
/// # Errors
/// [`DeskError::InvalidInput`] at the field, with the text and the code of the problem.
pub fn stop(problems: &[SendProblem], overrides: &[String]) -> Result<()> {
    let stopping = || problems.iter().filter(|problem| stops(problem, overrides));
    match stopping().find(|problem| problem.is_error()).or_else(|| stopping().next()) {
        Some(problem) => {
            Err(DeskError::invalid(&problem.field, format!("{} ({})", problem.message, problem.code.as_str())))
        }
        None => Ok(()),
    }
}
