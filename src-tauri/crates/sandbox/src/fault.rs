//! Faults: requests that end badly although they were carried out, or without having been.
//!
//! A proxy between a client and its provider cuts connections and answers 502, 503, 504 and 520 by itself: what the client
//! gets says nothing about what the provider has done. A fault is set beforehand and met by the next requests it is for.
//! `after`, the default, lets the request be carried out first; a request that is refused meets no such fault. Its answer
//! has no body.

use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use serde::{Deserialize, Serialize};

use crate::Sandbox;
use crate::answer::BareAnswer;
use crate::connection::Connection;
use crate::recipient::check_recipient;
use crate::refusal::Refusal;
use crate::templates::known_anywhere;

/// Most faults that are set at once.
const MAX_FAULTS: usize = 1_000;
/// Most requests that a fault is for, and most requests of which it meets one.
const MAX_COUNT: u32 = 1_000_000;
/// Longest wait that `Retry-After` asks for, in seconds: a day.
const MAX_RETRY_AFTER: u32 = 24 * 60 * 60;

/// A fault that the next requests meet; the JSON of `POST /sandbox/faults`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fault {
    /// The requests that meet it; at least one.
    pub operations: Vec<Operation>,
    /// What the client gets.
    pub answer: FaultAnswer,
    /// Whether the request is carried out first.
    #[serde(default)]
    pub when: When,
    /// Seconds in `Retry-After`, at most a day; not beside `cut`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<u32>,
    /// How many requests meet it, 1–1 000 000; all of them until it is removed, where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times: Option<u32>,
    /// Of so many requests one meets it, by chance: 1–1 000 000. Every one, where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub one_in: Option<u32>,
    /// Only sends to this recipient.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recipient: Option<String>,
    /// Only operations on the template of this uuid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template: Option<String>,
}

/// What a client asks the provider for (contract §4.1–§4.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Operation {
    /// `POST …/send-message`.
    Send,
    /// `POST …/workspace-templates`.
    Create,
    /// `PUT`.
    Edit,
    /// `POST …/archive`.
    Archive,
    /// `POST …/unarchive`.
    Unarchive,
    /// `DELETE`.
    Delete,
}

impl Operation {
    /// Every operation.
    pub const ALL: [Self; 6] = [Self::Send, Self::Create, Self::Edit, Self::Archive, Self::Unarchive, Self::Delete];

    /// The operation as its JSON names it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Send => "send",
            Self::Create => "create",
            Self::Edit => "edit",
            Self::Archive => "archive",
            Self::Unarchive => "unarchive",
            Self::Delete => "delete",
        }
    }

    /// Whether it is done to a template that exists.
    pub(crate) fn needs_template(self) -> bool {
        !matches!(self, Self::Send | Self::Create)
    }
}

/// What the client gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, expecting = "`answer` must be `cut` or an HTTP status between 400 and 599")]
pub enum FaultAnswer {
    /// The connection is closed without an answer.
    Cut(Cut),
    /// This HTTP status without a body: 400–599.
    Status(u16),
}

/// The word `cut`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Cut {
    /// The connection is closed without an answer.
    Cut,
}

/// Whether a request that meets a fault is carried out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum When {
    /// It is carried out, and its answer is lost.
    #[default]
    After,
    /// It is not carried out.
    Before,
}

/// What a request is about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target<'a> {
    operation: Operation,
    recipient: Option<&'a str>,
    template: Option<&'a str>,
}

impl<'a> Target<'a> {
    /// A send to `recipient`.
    pub(crate) fn send(recipient: &'a str) -> Self {
        Self { operation: Operation::Send, recipient: Some(recipient), template: None }
    }

    /// A creation.
    pub(crate) fn create() -> Self {
        Self { operation: Operation::Create, recipient: None, template: None }
    }

    /// An operation on the template `uuid`.
    pub(crate) fn template(operation: Operation, uuid: &'a str) -> Self {
        Self { operation, recipient: None, template: Some(uuid) }
    }
}

impl Fault {
    /// A fault of every such request after it was carried out, until it is removed.
    #[must_use]
    pub fn of(operations: Vec<Operation>, answer: FaultAnswer) -> Self {
        Self {
            operations,
            answer,
            when: When::After,
            retry_after: None,
            times: None,
            one_in: None,
            recipient: None,
            template: None,
        }
    }

    fn checked(self, sandbox: &Sandbox) -> Result<Self, Refusal> {
        if self.operations.is_empty() {
            let known = Operation::ALL.map(Operation::word).join(", ");
            return Err(Refusal::field("/operations", format!("must name at least one of {known}")));
        }
        match self.answer {
            FaultAnswer::Status(status) if !(400..600).contains(&status) => {
                return Err(Refusal::field("/answer", "must be `cut` or an HTTP status between 400 and 599"));
            }
            FaultAnswer::Cut(_) if self.retry_after.is_some() => {
                return Err(Refusal::field("/retry_after", "needs an answer; a cut connection has none"));
            }
            _ => {}
        }
        if self.retry_after.is_some_and(|seconds| seconds > MAX_RETRY_AFTER) {
            return Err(Refusal::field("/retry_after", format!("must be at most {MAX_RETRY_AFTER}, which is a day")));
        }
        for (path, count) in [("/times", self.times), ("/one_in", self.one_in)] {
            if count.is_some_and(|count| !(1..=MAX_COUNT).contains(&count)) {
                return Err(Refusal::field(path, format!("must be between 1 and {MAX_COUNT}, or absent")));
            }
        }
        if let Some(recipient) = &self.recipient {
            check_recipient(recipient)?;
        }
        if let Some(uuid) = &self.template {
            known_anywhere(sandbox, uuid)?;
        }
        Ok(self)
    }

    fn is_for(&self, target: &Target<'_>, when: When) -> bool {
        self.when == when
            && self.operations.contains(&target.operation)
            && self.recipient.as_deref().is_none_or(|recipient| target.recipient == Some(recipient))
            && self.template.as_deref().is_none_or(|uuid| target.template == Some(uuid))
    }

    fn response(&self) -> Response {
        match self.answer {
            FaultAnswer::Cut(_) => {
                let mut response = StatusCode::INTERNAL_SERVER_ERROR.into_response();
                response.extensions_mut().insert(CutConnection);
                response
            }
            FaultAnswer::Status(status) => {
                let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
                let mut response = status.into_response();
                if let Some(seconds) = self.retry_after {
                    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
                }
                response
            }
        }
    }
}

/// Marks a response that never leaves: its connection is cut instead.
#[derive(Clone, Copy)]
struct CutConnection;

/// Cuts the connections of the responses that ask for it, once what was changed is saved.
pub(crate) async fn cut_connections(request: Request, next: Next) -> Response {
    let connection = request.extensions().get::<axum::extract::ConnectInfo<Connection>>().map(|info| info.0.clone());
    let response = next.run(request).await;
    if response.extensions().get::<CutConnection>().is_some()
        && let Some(connection) = connection
    {
        connection.cut();
    }
    response
}

/// Carries a request out, unless it meets a fault before, and loses its answer where it meets one after.
pub(crate) async fn carry_out(
    sandbox: &Sandbox,
    target: Target<'_>,
    work: impl Future<Output = BareAnswer>,
) -> BareAnswer {
    if let Some(fault) = take(sandbox, &target, When::Before) {
        return Ok(fault.response());
    }
    let response = work.await?;
    Ok(take(sandbox, &target, When::After).map_or(response, |fault| fault.response()))
}

/// The first fault that a request meets, counted.
fn take(sandbox: &Sandbox, target: &Target<'_>, when: When) -> Option<Fault> {
    if sandbox.runtime.read(|state| !state.faults.iter().any(|fault| fault.is_for(target, when))) {
        return None;
    }
    sandbox.runtime.change(|state| {
        let meets = |fault: &Fault| {
            fault.is_for(target, when) && fault.one_in.is_none_or(|count| rand::random_range(0..count) == 0)
        };
        let index = state.faults.iter().position(meets)?;
        let fault = state.faults.get_mut(index)?;
        let taken = fault.clone();
        match fault.times {
            Some(1) => drop(state.faults.remove(index)),
            Some(times) => fault.times = Some(times.saturating_sub(1)),
            None => {}
        }
        Some(taken)
    })
}

impl Sandbox {
    /// The faults that are set, in the order in which requests look for theirs.
    #[must_use]
    pub fn faults(&self) -> Vec<Fault> {
        self.runtime.read(|state| state.faults.clone())
    }

    /// Adds a fault behind those that are set.
    ///
    /// # Errors
    /// When an option lies outside its range, there is no such template, or 1000 faults are set; names the field.
    pub fn add_fault(&self, fault: Fault) -> Result<(), Refusal> {
        let fault = fault.checked(self)?;
        self.runtime.change(|state| {
            if state.faults.len() >= MAX_FAULTS {
                return Err(Refusal::field(
                    "/operations",
                    format!("cannot be taken: {MAX_FAULTS} faults are set already"),
                ));
            }
            state.faults.push(fault);
            Ok(())
        })
    }

    /// Replaces every fault.
    ///
    /// # Errors
    /// As [`Self::add_fault`]; nothing is replaced then.
    pub fn set_faults(&self, faults: Vec<Fault>) -> Result<(), Refusal> {
        let faults = faults.into_iter().map(|fault| fault.checked(self)).collect::<Result<Vec<_>, _>>()?;
        if faults.len() > MAX_FAULTS {
            return Err(Refusal::field("/operations", format!("cannot be taken: at most {MAX_FAULTS} faults are set")));
        }
        self.runtime.change(|state| state.faults = faults);
        Ok(())
    }

    /// Removes every fault.
    pub fn clear_faults(&self) {
        self.runtime.change(|state| state.faults.clear());
    }
}
