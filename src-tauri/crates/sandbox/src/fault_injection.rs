//! Applies the configured faults and obstacles to matching requests.

use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use crate::answer::BareAnswer;
use crate::connection::Connection;
use crate::fault::{Fault, FaultAnswer, Operation, When};
use crate::refusal::Refusal;
use crate::runtime::Runtime;
use crate::script::EVERY;
use crate::state::State;

/// The operation of a request, with its recipient or template.
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

    pub(crate) fn create() -> Self {
        Self { operation: Operation::Create, recipient: None, template: None }
    }

    pub(crate) fn template(operation: Operation, uuid: &'a str) -> Self {
        Self { operation, recipient: None, template: Some(uuid) }
    }
}

/// Whether `fault` applies to this request at this point.
fn matches(fault: &Fault, target: &Target<'_>, when: When) -> bool {
    fault.when == when
        && fault.operations.contains(&target.operation)
        && fault.recipient.as_deref().is_none_or(|recipient| target.recipient == Some(recipient))
        && fault.template.as_deref().is_none_or(|uuid| target.template == Some(uuid))
}

/// The response that replaces the real one.
fn response(fault: &Fault) -> Response {
    match fault.answer {
        FaultAnswer::Cut(_) => {
            let mut response = StatusCode::INTERNAL_SERVER_ERROR.into_response();
            response.extensions_mut().insert(CutConnection);
            response
        }
        FaultAnswer::Status(status) => {
            let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
            let mut response = status.into_response();
            if let Some(seconds) = fault.retry_after {
                response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
            }
            response
        }
    }
}

/// Marks a response whose connection is cut before the response is sent.
#[derive(Clone, Copy)]
struct CutConnection;

/// Cuts the connections of marked responses after the changes are saved.
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

/// Carries out a request, unless a `before` fault applies, and replaces its response if an `after` fault applies.
pub(crate) async fn carry_out(
    runtime: &Runtime,
    target: Target<'_>,
    work: impl Future<Output = BareAnswer>,
) -> BareAnswer {
    if let Some(fault) = take(runtime, &target, When::Before) {
        return Ok(response(&fault));
    }
    let answer = work.await?;
    Ok(take(runtime, &target, When::After).map_or(answer, |fault| response(&fault)))
}

/// Finds the first fault that applies to a request and counts it.
fn take(runtime: &Runtime, target: &Target<'_>, when: When) -> Option<Fault> {
    if runtime.read(|state| !state.faults.iter().any(|fault| matches(fault, target, when))) {
        return None;
    }
    runtime.change(|state| {
        let meets = |fault: &Fault| {
            matches(fault, target, when) && fault.one_in.is_none_or(|count| rand::random_range(0..count) == 0)
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

/// Refuses an operation if an obstacle applies, and counts the obstacle. An obstacle of the template takes precedence
/// over one for every template.
pub(crate) fn check_obstacle(runtime: &Runtime, uuid: &str, operation: Operation) -> Result<(), Refusal> {
    let meets = |state: &State, key: &str| {
        state.obstacles.get(key).is_some_and(|obstacle| obstacle.operations.contains(&operation))
    };
    let met = |state: &State| [uuid, EVERY].into_iter().find(|key| meets(state, key)).map(str::to_owned);
    if runtime.read(|state| met(state).is_none()) {
        return Ok(());
    }
    let taken = runtime.change(|state| {
        let key = met(state)?;
        let obstacle = state.obstacles.get_mut(&key)?;
        let taken = obstacle.clone();
        match obstacle.times {
            Some(1) => drop(state.obstacles.remove(&key)),
            Some(times) => obstacle.times = Some(times.saturating_sub(1)),
            None => {}
        }
        Some(taken)
    });
    taken.map_or(Ok(()), |obstacle| Err(obstacle.refusal(operation)))
}
