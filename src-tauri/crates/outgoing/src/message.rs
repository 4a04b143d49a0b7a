//! Builds a message from the values of a form, with all problems that block it.

mod callback;
mod numbers;
mod opt_outs;
mod preview;
mod text;

use std::borrow::Cow;
use std::collections::HashMap;

use chrono::DateTime;
use model::finding::Severity;
use model::lifecycle::costs_more;
use model::send::{
    PartKind, SendLanguage, SendMessage, SendProblem, SendProblemCode, SendTemplate, SendValues, ValueCheck, fill_send,
    send_form,
};
use model::template::Template;
use model::vocabulary::{Category, TemplateStatus};

use self::callback::CallbackRequest;
pub use self::numbers::unlisted_number;
pub use self::opt_outs::{Accounts, OptOuts, Sender};
pub use self::preview::{message_url, preview_text};
pub use self::text::prepare_text;
use crate::now;
use crate::recipient;
use command_types::error::{DeskError, Result};
use command_types::send::{RecipientFacts, SendOptions, SendRequest, TemplateStanding};
use command_types::template::WabaStatus;
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

/// A person who was sent a marketing template less than this ago gets a warning before the next, in milliseconds. The cap of
/// the channel is not published (upstream §4.3).
pub const MARKETING_WINDOW: i64 = 24 * 60 * 60 * 1_000;
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
    /// The WABAs of the template; empty if unknown.
    pub wabas: Vec<String>,
    /// Its status in each WABA, if the statuses differ.
    pub waba_statuses: Vec<WabaStatus>,
    /// The category that it had before it cost more, while nothing was sent from here in the new one.
    pub category_before: Option<String>,
    /// Of the recipients; only marketing needs them.
    pub opt_outs: OptOuts,
    /// When people were last sent a marketing template from here, by [`recipient::person_key`]: those of the last
    /// [`MARKETING_WINDOW`]. Only marketing needs them.
    pub recent_marketing: HashMap<String, i64>,
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

    pub fn is_marketing(&self) -> bool {
        self.template.category == Category::Marketing
    }

    /// The message of a request, and its problems.
    pub fn prepare(&self, request: &SendRequest, tracking_id: &str) -> Prepared {
        let template = &self.template;
        let envelope = Envelope {
            number: &request.number,
            to: &request.to,
            country: request.country.as_deref(),
            options: &request.options,
        };
        let Addressed { mut message, mut problems, recipient } = address(&self.settings, envelope, tracking_id);
        problems.extend(self.template_problems(request));
        let checks = self.checks();
        checks.add_content_problems(&mut problems, &recipient, &request.number, &request.values);
        problems.extend(checks.values.unknown_parts());
        let send = SendTemplate {
            name: template.name.clone(),
            language: SendLanguage { code: template.language.clone(), ..SendLanguage::default() },
            components: fill_send(template, &with_flow_tokens(template, &request.values, tracking_id)),
            ..SendTemplate::default()
        };
        message.kind = "template".to_owned();
        message.template = Some(send);
        Prepared { message, problems, recipient }
    }

    /// The checks of this plan, for many sends.
    pub fn checks(&self) -> SendChecks<'_> {
        SendChecks { plan: self, values: ValueCheck::of(&self.template) }
    }

    /// The problems of the template, and of the number with it.
    fn template_problems(&self, request: &SendRequest) -> Vec<SendProblem> {
        let mut problems: Vec<SendProblem> = self.number_problem(&request.number).into_iter().collect();
        problems.extend(self.blocked().or_else(|| self.stale()));
        problems.extend(self.category_problem(request.known_category.as_deref()));
        problems
    }

    /// A problem if the cached status is older than [`MAX_STATUS_AGE`].
    fn stale(&self) -> Option<SendProblem> {
        let minutes = (now() - self.standing.cached_at?) / 60_000;
        (minutes > MAX_STATUS_AGE)
            .then(|| SendProblem::new(TEMPLATE, SendProblemCode::TemplateStale, &[("minutes", &minutes)]))
    }

    /// A problem if the category has become a more expensive one since it was `known`, or was last sent in.
    fn category_problem(&self, known: Option<&str>) -> Option<SendProblem> {
        let before = known.or(self.category_before.as_deref())?;
        let after = self.template.category.as_str();
        let values: [(&str, &dyn std::fmt::Display); 2] =
            [("before", &before.to_uppercase()), ("after", &after.to_uppercase())];
        costs_more(before, after).then(|| SendProblem::new(TEMPLATE, SendProblemCode::TemplateCategoryRaised, &values))
    }

    /// The problem of a person who was sent a marketing template from here lately.
    pub fn repeat_problem(&self, recipient: &RecipientFacts) -> Option<SendProblem> {
        if self.recent_marketing.is_empty() {
            return None;
        }
        let at = self.recent_marketing.get(&recipient::person_key(recipient.addressee()?))?;
        Some(problem_since(SendProblemCode::ToRecentMarketing, *at))
    }
}

/// A problem of the recipient whose sentence has an instant, in Unix milliseconds: as text, and as `at` for the window.
pub fn problem_since(code: SendProblemCode, at: i64) -> SendProblem {
    let since = DateTime::from_timestamp_millis(at).unwrap_or_default().format("%Y-%m-%d %H:%M UTC");
    let mut problem = SendProblem::new("to", code, &[("since", &since)]);
    problem.values.insert("at".to_owned(), at.to_string());
    problem
}

/// Checks sends of one plan.
#[derive(Debug)]
pub struct SendChecks<'p> {
    plan: &'p SendPlan,
    values: ValueCheck<'p>,
}

impl SendChecks<'_> {
    /// The problems of every send of `common`, whatever its recipient and values are.
    pub fn common_problems(&self, common: &SendRequest) -> Vec<SendProblem> {
        let callback = CallbackRequest::of(&common.options, TRACKING_PREVIEW);
        let mut problems = number_problems(&self.plan.settings, &common.number);
        problems.extend(callback::data(callback).1);
        problems.extend(self.plan.template_problems(common));
        problems.extend(self.values.unknown_parts());
        problems
    }

    /// The further problems of a send of `common` with another recipient and other values, and whom it is to, without the
    /// international notation.
    pub fn check(&self, common: &SendRequest, to: &str, values: &SendValues) -> (Vec<SendProblem>, RecipientFacts) {
        let settings = &self.plan.settings;
        let (recipient, problem) = recipient::read_addressee(to, common.country.as_deref(), settings);
        let mut problems: Vec<SendProblem> = problem.into_iter().collect();
        problems.extend(recipient::own_problem(&recipient, &common.number, &settings.numbers));
        self.add_content_problems(&mut problems, &recipient, &common.number, values);
        (problems, recipient)
    }

    /// Adds the problems of the template's content for this recipient, and of the values.
    fn add_content_problems(
        &self,
        problems: &mut Vec<SendProblem>,
        recipient: &RecipientFacts,
        number: &str,
        values: &SendValues,
    ) {
        let plan = self.plan;
        let marketing = plan.is_marketing();
        problems.extend(recipient::country_problem(recipient, marketing));
        problems.extend(plan.opt_outs.problem(recipient, number).filter(|_| marketing));
        problems.extend(plan.repeat_problem(recipient).filter(|_| marketing));
        problems.extend(recipient::user_id_problem(recipient, &plan.template.category));
        problems.extend(self.values.problems(values, now()));
    }
}

/// The values, with a token for each form that has none: the tracking ID, so that an answer leads to its send, or a new
/// one if the send is not tracked.
fn with_flow_tokens<'v>(template: &Template, values: &'v SendValues, tracking: &str) -> Cow<'v, SendValues> {
    let mut values = Cow::Borrowed(values);
    for part in send_form(template).parts.into_iter().filter(|part| part.kind == PartKind::Token) {
        if values.get(&part.id).is_none_or(|token| token.trim().is_empty()) {
            let token = if tracking.is_empty() { tracking_id() } else { tracking.to_owned() };
            values.to_mut().insert(part.id, token);
        }
    }
    values
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
    pub(crate) options: &'a SendOptions,
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
    let mut problems = number_problems(settings, envelope.number);
    let (recipient, problem) = recipient::check_addressee(envelope.to, envelope.country, settings);
    problems.extend(problem);
    problems.extend(recipient::own_problem(&recipient, envelope.number, &settings.numbers));
    let callback = CallbackRequest::of(envelope.options, tracking_id);
    let (biz_opaque_callback_data, problem) = callback::data(callback);
    problems.extend(problem);
    let message = SendMessage {
        messaging_product: settings.product().to_owned(),
        recipient_type: Some("individual".to_owned()),
        to: recipient.user_id.is_none().then(|| recipient.digits.clone().unwrap_or_default()),
        recipient: recipient.user_id.clone(),
        biz_opaque_callback_data,
        ..SendMessage::default()
    };
    Addressed { message, problems, recipient }
}

/// The problems of a number that is no choice.
fn number_problems(settings: &WorkspaceSettings, number: &str) -> Vec<SendProblem> {
    let missing = number.trim().is_empty().then(|| SendProblem::new("number", SendProblemCode::NumberMissing, &[]));
    missing.into_iter().chain(unlisted_number(settings, number)).collect()
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
            let message = format!("{} ({})", problem.message, problem.code.as_str());
            Err(DeskError::of_problem(&SendProblem { message, ..problem.clone() }))
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot read its own input should fail")]

    use serde_json::{Value, json};

    use super::*;

    fn sent(tracking_id: &str, values: Value) -> Value {
        let template = serde_json::from_value(json!({"name": "slot", "language": "en_US", "category": "utility",
            "components": [{"type": "BODY", "text": "Pick a slot."},
                {"type": "BUTTONS", "buttons": [{"type": "FLOW", "text": "Pick", "flow_id": "1"}]}]}));
        let standing = TemplateStanding { status: "APPROVED".to_owned(), archived: false, cached_at: None };
        let (settings, template) = (WorkspaceSettings::default(), template.unwrap());
        let plan = SendPlan {
            settings,
            template,
            category_before: None,
            standing,
            wabas: Vec::new(),
            waba_statuses: Vec::new(),
            opt_outs: OptOuts::default(),
            recent_marketing: HashMap::new(),
        };
        let request = SendRequest { values: serde_json::from_value(values).unwrap(), ..SendRequest::default() };
        serde_json::to_value(plan.prepare(&request, tracking_id).message.template.unwrap().components).unwrap()
    }

    #[test]
    fn a_form_always_has_its_component_and_a_token() {
        let token = |sent: &Value| {
            assert_eq!(sent[0]["sub_type"], "flow");
            assert_eq!(sent[0]["index"], "0");
            sent[0]["parameters"][0]["action"]["flow_token"].as_str().unwrap().to_owned()
        };
        assert_eq!(token(&sent("0123456789abcdef", json!({}))), "0123456789abcdef");
        assert_eq!(token(&sent("0123456789abcdef", json!({"button.0.flow_token": " "}))), "0123456789abcdef");
        assert_eq!(token(&sent("0123456789abcdef", json!({"button.0.flow_token": "mine"}))), "mine");
        let (one, other) = (token(&sent("", json!({}))), token(&sent("", json!({}))));
        assert_eq!(one.len(), TRACKING_LENGTH);
        assert_ne!(one, other);
    }
}
