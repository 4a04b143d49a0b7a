//! What events say about whether a person wants marketing messages.

use crate::event::account::{UserPreference, UserPreferences};
use crate::event::message::{Contact, Metadata};
use crate::event::status::{StatusUpdate, seconds};

/// The channel's error code for a marketing message to a person who stopped them.
const STOPPED: i64 = 131_050;

/// What a person chose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarketingChoice {
    /// The person's number and user id, as far as the event names them.
    pub person: Vec<String>,
    pub is_stopped: bool,
    /// When, in Unix milliseconds; `None` if the event does not say.
    pub at: Option<i64>,
}

fn named<'a>(ids: impl IntoIterator<Item = Option<&'a String>>) -> Vec<String> {
    ids.into_iter().flatten().filter(|id| !id.is_empty()).cloned().collect()
}

impl UserPreferences {
    /// The choices about marketing messages. A preference without a category is about them; other values than `stop`
    /// and `resume` say nothing.
    pub fn marketing_choices(&self) -> Vec<MarketingChoice> {
        self.user_preferences.iter().filter_map(UserPreference::marketing_choice).collect()
    }

    /// Our number that the choices are about, if the event says it.
    pub fn number_id(&self) -> Option<String> {
        let metadata = serde_json::from_value::<Metadata>(self.extra.get("metadata")?.clone()).ok()?;
        Some(metadata.phone_number_id).filter(|id| !id.is_empty())
    }
}

impl UserPreference {
    fn marketing_choice(&self) -> Option<MarketingChoice> {
        if self.category.as_deref().is_some_and(|category| !category.eq_ignore_ascii_case("marketing_messages")) {
            return None;
        }
        let value = self.value.as_deref()?.to_ascii_lowercase();
        let is_stopped = match value.as_str() {
            "stop" => true,
            "resume" => false,
            _ => return None,
        };
        let person = named([self.wa_id.as_ref(), self.user_id.as_ref()]);
        let at = self.timestamp.as_deref().and_then(seconds).map(|seconds| seconds.saturating_mul(1_000));
        (!person.is_empty()).then_some(MarketingChoice { person, is_stopped, at })
    }
}

impl StatusUpdate {
    /// The choice that a failure shows: the channel delivers no marketing messages to people who stopped them.
    pub fn marketing_choice(&self, contact: Option<&Contact>) -> Option<MarketingChoice> {
        if !self.failures().any(|failure| failure.code == Some(STOPPED)) {
            return None;
        }
        let number = self.recipient_id.as_ref().or_else(|| contact.and_then(|contact| contact.wa_id.as_ref()));
        let mut person = named([number]);
        person.extend(self.lasting_recipient(contact).filter(|id| !person.contains(id)));
        let at = self.seconds().map(|seconds| seconds.saturating_mul(1_000));
        (!person.is_empty()).then_some(MarketingChoice { person, is_stopped: true, at })
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot read its own input should fail")]

    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn preferences_are_choices_about_marketing() {
        let choices = |preference: Value| {
            let preferences: UserPreferences =
                serde_json::from_value(json!({"user_preferences": [preference]})).unwrap();
            preferences.marketing_choices()
        };
        let chosen = |person: &[&str], is_stopped, at| {
            let person = person.iter().map(|id| (*id).to_owned()).collect();
            vec![MarketingChoice { person, is_stopped, at }]
        };
        let whole = json!({"wa_id": "5511", "user_id": "BR.1", "category": "marketing_messages", "value": "stop",
            "timestamp": 1_700_000_000});
        assert_eq!(choices(whole), chosen(&["5511", "BR.1"], true, Some(1_700_000_000_000)));
        assert_eq!(choices(json!({"wa_id": "5511", "value": "RESUME"})), chosen(&["5511"], false, None));
        assert_eq!(choices(json!({"user_id": "BR.1", "value": "stop"})), chosen(&["BR.1"], true, None));
        for said_nothing in [
            json!({"wa_id": "5511", "value": "later"}),
            json!({"wa_id": "5511"}),
            json!({"value": "stop"}),
            json!({"wa_id": "", "value": "stop"}),
            json!({"wa_id": "5511", "category": "order_updates", "value": "stop"}),
        ] {
            assert_eq!(choices(said_nothing.clone()), [], "{said_nothing}");
        }
    }

    #[test]
    fn preferences_say_which_number_of_ours_they_are_about() {
        let number = |metadata: Value| {
            let value = json!({"user_preferences": [], "metadata": metadata});
            serde_json::from_value::<UserPreferences>(value).unwrap().number_id()
        };
        assert_eq!(number(json!({"phone_number_id": "108001"})).as_deref(), Some("108001"));
        for said_nothing in [json!({}), json!({"phone_number_id": ""}), json!(null), json!("108001")] {
            assert_eq!(number(said_nothing.clone()), None, "{said_nothing}");
        }
    }

    #[test]
    fn a_failure_shows_that_marketing_was_stopped() {
        let choice = |status: Value| {
            let status: StatusUpdate = serde_json::from_value(status).unwrap();
            status.marketing_choice(None)
        };
        let failed = |code: u32| {
            json!({"id": "wamid.1", "status": "failed", "timestamp": "1700000000", "recipient_id": "5511",
                "recipient_user_id": "BR.1", "errors": [{"code": code, "title": "failed"}]})
        };
        let expected = MarketingChoice {
            person: vec!["5511".to_owned(), "BR.1".to_owned()],
            is_stopped: true,
            at: Some(1_700_000_000_000),
        };
        assert_eq!(choice(failed(131_050)), Some(expected));
        assert_eq!(choice(failed(131_049)), None, "the channel's limit for each person is no choice");
        assert_eq!(choice(json!({"id": "wamid.1", "status": "failed", "errors": [{"code": 131_050}]})), None);
    }
}
