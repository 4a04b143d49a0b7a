//! What events say about messaging limits (upstream §4.3).

use super::Decoded;
use crate::event::account::AccountEvent;
use crate::messaging_limit::MessagingLimit;

/// What an event says about a messaging limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SaidLimit {
    pub limit: MessagingLimit,
    /// The phone number that it is limited to, in the older form; otherwise it is that of the business.
    pub number: Option<String>,
}

/// The limit that an event states, if any. The tier of a `THROUGHPUT_UPGRADE` is about messages a second.
#[must_use]
pub fn said_limit(decoded: &Decoded) -> Option<SaidLimit> {
    let Decoded::Account(event) = decoded else { return None };
    match event.as_ref() {
        AccountEvent::Capability(capability) => {
            let of_business = capability.max_daily_conversations_per_business.as_ref();
            let said = of_business.and_then(MessagingLimit::read);
            let said = said.or_else(|| MessagingLimit::read(capability.max_daily_conversation_per_phone.as_ref()?));
            Some(SaidLimit { limit: said?, number: None })
        }
        AccountEvent::NumberQuality(quality) => {
            let of_business = quality.max_daily_conversations_per_business.as_ref();
            if let Some(limit) = of_business.and_then(MessagingLimit::read) {
                return Some(SaidLimit { limit, number: None });
            }
            if quality.is_throughput_upgrade() {
                return None;
            }
            let limit = MessagingLimit::of_word(quality.current_limit.as_deref()?)?;
            Some(SaidLimit { limit, number: Some(quality.display_phone_number.clone().unwrap_or_default()) })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::event::kind::ItemKind;

    fn said(kind: ItemKind, value: &Value) -> Option<SaidLimit> {
        said_limit(&Decoded::read(&kind, &value.to_string()))
    }

    fn people(people: u64) -> MessagingLimit {
        MessagingLimit::People { people }
    }

    #[test]
    fn events_state_the_limit_of_the_business_or_in_the_older_form_of_a_number() {
        let of = |limit, number: Option<&str>| Some(SaidLimit { limit, number: number.map(str::to_owned) });
        let capability = |value| said(ItemKind::BusinessCapability, &value);
        assert_eq!(capability(json!({"max_daily_conversations_per_business": 2000})), of(people(2_000), None));
        assert_eq!(capability(json!({"max_daily_conversation_per_phone": -1})), of(MessagingLimit::Unlimited, None));
        assert_eq!(capability(json!({"max_phone_numbers_per_waba": 20})), None);
        let quality = |value| said(ItemKind::PhoneNumberQuality, &value);
        assert_eq!(
            quality(json!({"display_phone_number": "55", "event": "UPGRADE", "current_limit": "TIER_10K"})),
            of(people(10_000), Some("55"))
        );
        assert_eq!(
            quality(json!({"display_phone_number": "55", "event": "THROUGHPUT_UPGRADE",
                "current_limit": "TIER_UNLIMITED", "max_daily_conversations_per_business": "TIER_10K"})),
            of(people(10_000), None)
        );
    }

    #[test]
    fn the_tier_of_a_throughput_upgrade_is_no_messaging_limit() {
        let value = json!({"event": "THROUGHPUT_UPGRADE", "current_limit": "TIER_UNLIMITED"});
        assert_eq!(said(ItemKind::PhoneNumberQuality, &value), None);
    }
}
