//! What a phone's owner says about marketing messages of a business (upstream §8.3).

use model::event::identity::is_number;
use serde_json::json;

use super::person::number_for;
use crate::Sandbox;
use crate::marketing_stops::{business_of, stopped_numbers};
use crate::recipient::check_recipient;
use crate::refusal::Refusal;
use crate::status_simulation::metadata;
use crate::time::now;

impl Sandbox {
    /// Stops or resumes the marketing messages of the business that has `number`, otherwise the number of the last message.
    /// Messages of that business then fail with 131050. The minimal profile has no event for it.
    ///
    /// # Errors
    /// If there is no such number.
    pub fn choose_marketing(&self, recipient: &str, number: Option<&str>, is_stopped: bool) -> Result<(), Refusal> {
        check_recipient(recipient)?;
        self.runtime.change(|state| {
            let number = number_for(state, recipient, number)?;
            let business = business_of(state, &number);
            let stopped = &mut state.phone_mut(recipient).stopped;
            if is_stopped {
                stopped.insert(business)
            } else {
                stopped.remove(&business)
            };
            if state.settings.is_minimal() {
                return Ok(());
            }
            let waba = state.numbers.get(&number).and_then(|number| number.waba);
            let (value, detail) = match is_stopped {
                true => ("stop", "User requested to stop marketing messages"),
                false => ("resume", "User requested to resume marketing messages"),
            };
            let person = if is_number(recipient) { "wa_id" } else { "user_id" };
            let event = json!({
                "messaging_product": self.runtime.messaging_product,
                "metadata": metadata(state, &number),
                "contacts": [{ (person): recipient }],
                "user_preferences": [{
                    (person): recipient,
                    "detail": detail,
                    "category": "marketing_messages",
                    "value": value,
                    "timestamp": now() / 1_000,
                }],
            });
            let entry = waba.map_or_else(|| "0".to_owned(), |waba| waba.to_string());
            state.emit(entry, Some(number), "user_preferences", event);
            Ok(())
        })
    }

    /// IDs of the numbers whose marketing messages a phone does not take.
    #[must_use]
    pub fn marketing_stopped(&self, recipient: &str) -> Vec<String> {
        self.runtime.read(|state| stopped_numbers(state, recipient))
    }
}
