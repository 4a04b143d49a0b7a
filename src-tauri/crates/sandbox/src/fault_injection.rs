//! Applies the configured faults and obstacles to matching requests.

use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use crate::answer::BareAnswer;
use crate::connection::Connection;
use crate::fault::{Fault, FaultAnswer, Operation, ResponseChange, When};
use crate::refusal::Refusal;
use crate::runtime::Runtime;
use crate::script::EVERY;
use crate::state::State;
use crate::time::{http_date, now};

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

    pub(crate) fn list() -> Self {
        Self { operation: Operation::List, recipient: None, template: None }
    }

    pub(crate) fn template(operation: Operation, uuid: &'a str) -> Self {
        Self { operation, recipient: None, template: Some(uuid) }
    }
}

/// What happens to the response of a request with a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Effect {
    /// It is replaced, or lost, before or after the request is carried out.
    Replaced(When),
    Changed(ResponseChange),
}

/// Whether `fault` has this effect on this request.
fn matches(fault: &Fault, target: &Target<'_>, effect: Effect) -> bool {
    let its_effect = match fault.answer {
        FaultAnswer::Changed(change) => Effect::Changed(change),
        FaultAnswer::Cut(_) | FaultAnswer::Status(_) => Effect::Replaced(fault.when),
    };
    its_effect == effect
        && fault.operations.contains(&target.operation)
        && fault.recipient.as_deref().is_none_or(|recipient| target.recipient == Some(recipient))
        && fault.template.as_deref().is_none_or(|uuid| target.template == Some(uuid))
}

/// The response that replaces the real one.
fn response(fault: &Fault) -> Response {
    match fault.answer {
        // Never returned: such a fault replaces no response.
        FaultAnswer::Changed(_) | FaultAnswer::Cut(_) => {
            let mut response = StatusCode::INTERNAL_SERVER_ERROR.into_response();
            response.extensions_mut().insert(CutConnection);
            response
        }
        FaultAnswer::Status(status) => {
            let mut response = match StatusCode::from_u16(status) {
                Ok(StatusCode::UNAUTHORIZED) => Refusal::unauthorized().into_response(),
                Ok(status) => status.into_response(),
                Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
            };
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

/// Carries out a request, unless a `before` fault applies, and replaces its response if an `after` fault applies. A
/// wrong `Date` is in refusals too.
pub(crate) async fn carry_out(
    runtime: &Runtime,
    target: Target<'_>,
    work: impl Future<Output = BareAnswer>,
) -> BareAnswer {
    let answer = replaced(runtime, &target, work).await;
    let Some(fault) = take(runtime, &target, Effect::Changed(ResponseChange::Date)) else { return answer };
    let mut response = answer.into_response();
    let date = now().saturating_add(fault.offset.unwrap_or_default().saturating_mul(1_000));
    if let Some(date) = http_date(date).and_then(|date| HeaderValue::from_str(&date).ok()) {
        response.headers_mut().insert(header::DATE, date);
    }
    Ok(response)
}

async fn replaced(runtime: &Runtime, target: &Target<'_>, work: impl Future<Output = BareAnswer>) -> BareAnswer {
    if let Some(fault) = take(runtime, target, Effect::Replaced(When::Before)) {
        return Ok(response(&fault));
    }
    let answer = work.await?;
    Ok(take(runtime, target, Effect::Replaced(When::After)).map_or(answer, |fault| response(&fault)))
}

/// Removes from a page of the listing what faults leave out.
pub(crate) fn omit_templates<T>(runtime: &Runtime, page: &mut Vec<T>, uuid: impl Fn(&T) -> &str) {
    const OMITTED: Effect = Effect::Changed(ResponseChange::Omit);
    if runtime.read(|state| state.faults.iter().any(|fault| fault.answer == FaultAnswer::Changed(ResponseChange::Omit)))
    {
        page.retain(|item| take(runtime, &Target::template(Operation::List, uuid(item)), OMITTED).is_none());
    }
}

/// Finds the first fault that applies to a request and counts it, and counts down those that apply later.
fn take(runtime: &Runtime, target: &Target<'_>, effect: Effect) -> Option<Fault> {
    if runtime.read(|state| !state.faults.iter().any(|fault| matches(fault, target, effect))) {
        return None;
    }
    runtime.change(|state| {
        let meets = |fault: &mut Fault| {
            if !matches(fault, target, effect) {
                return false;
            }
            if let Some(from @ 2..) = fault.from {
                fault.from = Some(from - 1);
                return false;
            }
            fault.one_in.is_none_or(|count| rand::random_range(0..count) == 0)
        };
        let index = state.faults.iter_mut().position(meets)?;
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
