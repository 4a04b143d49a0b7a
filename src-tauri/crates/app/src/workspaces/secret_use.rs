//! When the webhook secrets of an endpoint were used, and how long the previous one is kept.

use serde::{Deserialize, Serialize};

use command_types::workspace::SecretKind;

/// How long a previous secret is kept after its last use, in milliseconds.
const OVERLAP: i64 = 24 * 60 * 60 * 1_000;

/// When the secrets of an endpoint signed deliveries, in Unix milliseconds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct SecretUse {
    /// When the current secret last signed one.
    pub(crate) current: Option<i64>,
    /// When the previous secret last signed one.
    pub(crate) previous: Option<i64>,
    /// When the previous secret was replaced or entered.
    pub(super) replaced: Option<i64>,
}

impl SecretUse {
    /// Records a delivery, with the index of its secret among [`SecretKind::SIGNING`].
    pub(crate) fn record(&mut self, signed_by: usize, at: i64) {
        match SecretKind::SIGNING.get(signed_by) {
            Some(SecretKind::PreviousWebhookSecret) => self.previous = Some(at),
            _ => self.current = Some(at),
        }
    }

    /// When a stored previous secret is removed, unless it is used again before.
    pub(crate) fn previous_until(&self) -> Option<i64> {
        self.previous.max(self.replaced).map(|since| since.saturating_add(OVERLAP))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_previous_secret_is_kept_for_a_day_after_its_last_use() {
        let mut used = SecretUse::default();
        assert_eq!(used.previous_until(), None);
        used.replaced = Some(5);
        assert_eq!(used.previous_until(), Some(5 + OVERLAP));
        used.record(0, 9);
        assert_eq!((used.current, used.previous, used.previous_until()), (Some(9), None, Some(5 + OVERLAP)));
        used.record(1, 7);
        assert_eq!((used.current, used.previous, used.previous_until()), (Some(9), Some(7), Some(7 + OVERLAP)));
        // It was last used before it was replaced.
        used.replaced = Some(8);
        assert_eq!(used.previous_until(), Some(8 + OVERLAP));
    }
}
