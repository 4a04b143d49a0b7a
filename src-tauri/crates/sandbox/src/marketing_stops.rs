//! Businesses whose marketing messages a phone does not take.

use crate::script::{Next, Script};
use crate::state::State;

/// The channel's error code for a marketing message to a person who stopped them.
const STOPPED: i64 = 131_050;

/// The business manager of a number; its account or itself where that is not known.
pub(crate) fn business_of(state: &State, number: &str) -> String {
    let waba = state.numbers.get(number).and_then(|number| number.waba);
    let business = waba.and_then(|waba| state.wabas.get(&waba)).map(|waba| waba.business_id.clone());
    business.or_else(|| waba.map(|waba| waba.to_string())).unwrap_or_else(|| number.to_owned())
}

/// The numbers whose marketing messages a phone does not take.
pub(crate) fn stopped_numbers(state: &State, recipient: &str) -> Vec<String> {
    let Some(phone) = state.phones.get(recipient).filter(|phone| !phone.stopped.is_empty()) else { return Vec::new() };
    state.numbers.keys().filter(|number| phone.stopped.contains(&business_of(state, number))).cloned().collect()
}

/// How a message fails whose recipient stopped it.
pub(crate) fn refusal_of(state: &State, recipient: &str, number: &str, category: &str) -> Option<Script> {
    let is_marketing = category.starts_with("marketing");
    let phone = state.phones.get(recipient).filter(|_| is_marketing)?;
    let is_stopped = phone.stopped.contains(&business_of(state, number));
    is_stopped.then(|| Script { code: Some(STOPPED), ..Script::of(Next::Fail) })
}
