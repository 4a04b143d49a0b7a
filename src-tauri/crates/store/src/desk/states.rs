//! States and kinds in the desk. The app defines these words; they are the same in the file, in the commands and in the
//! UI.

use model::vocabulary::MessageStatus;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Declares a [`model::closed_enum`] that is also stored in SQLite.
macro_rules! stored_enum {
    ($(#[$meta:meta])* $name:ident { $($variants:tt)* }) => {
        model::closed_enum! {
            $(#[$meta])*
            $name in "app.ts" { $($variants)* }
        }

        impl ToSql for $name {
            fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
                Ok(self.as_str().into())
            }
        }

        impl FromSql for $name {
            fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
                let word = value.as_str()?;
                Self::of(word)
                    .ok_or_else(|| FromSqlError::Other(format!("{word:?} is not a valid {}", stringify!($name)).into()))
            }
        }
    };
}

stored_enum! {
    /// State of a call to the provider that must not be repeated.
    #[derive(Default)]
    CallState {
        /// Recorded, about to be sent.
        #[default]
        Recorded = "recorded",
        /// The provider accepted it.
        Accepted = "accepted",
        /// The provider refused it, or it was never sent.
        Refused = "refused",
        /// Outcome unknown: it may have arrived, but the response is missing or unreadable.
        Unknown = "unknown",
    }
}

stored_enum! {
    /// What says whether a person wants marketing messages.
    MarketingSource {
        /// The person's choice, as the channel reported it.
        Preference = "preference",
        /// A marketing message that failed because the person stopped them.
        Failure = "failure",
        /// A received message, or a tap, that is an opt-out word of the workspace.
        Reply = "reply",
        /// A note made here.
        Note = "note",
    }
}

stored_enum! {
    /// State of a batch, a bulk action or an import.
    RunState {
        /// Stored, never started.
        Planned = "planned",
        /// Its items are being sent.
        Running = "running",
        /// No further item is sent; those in flight are awaited.
        Cancelling = "cancelling",
        /// Stopped by the person.
        Cancelled = "cancelled",
        /// Every item was sent or skipped.
        Done = "done",
        /// Stopped by the end of the process or by a response that concerns all items.
        Interrupted = "interrupted",
    }
}

stored_enum! {
    /// Action on each template of a bulk action.
    BulkActionKind {
        /// Takes it out of use, reversibly (contract §4.4).
        Archive = "archive",
        /// Brings it back (contract §4.5).
        Unarchive = "unarchive",
        /// Deletes it permanently (contract §4.6).
        Delete = "delete",
    }
}

impl BulkActionKind {
    /// The action that reverts it; a deletion has none.
    #[must_use]
    pub fn inverse(self) -> Option<Self> {
        match self {
            Self::Archive => Some(Self::Unarchive),
            Self::Unarchive => Some(Self::Archive),
            Self::Delete => None,
        }
    }
}

stored_enum! {
    /// State of an item of a bulk action.
    #[derive(Default)]
    ItemState {
        /// Not sent yet, or to be sent again.
        #[default]
        Planned = "planned",
        /// Recorded and about to be sent, or in flight.
        InFlight = "leaving",
        /// The provider carried it out.
        Done = "done",
        /// The provider refused it, or failed.
        Failed = "failed",
        /// Outcome unknown: it may have been carried out, but the response is missing.
        Unknown = "unknown",
        /// Never sent, because the bulk action was cancelled.
        Cancelled = "cancelled",
        /// Never sent: there is nothing to do.
        Skipped = "skipped",
    }
}

stored_enum! {
    /// State of a row of a batch until the channel reports a status.
    LocalRowState {
        /// Not sent yet, or to be sent again.
        Planned = "planned",
        /// Not sendable, so it is skipped.
        Skipped = "skipped",
        /// Never sent, because the batch was cancelled.
        Cancelled = "cancelled",
        /// In flight to the provider.
        Sending = "sending",
        /// The provider accepted it.
        Accepted = "accepted",
        /// The provider refused it.
        Refused = "refused",
        /// Outcome unknown: it may have arrived, but the response is missing. Never retried automatically.
        Unknown = "unknown",
    }
}

stored_enum! {
    /// Kind of message.
    #[derive(Default)]
    SendKind {
        /// A template.
        #[default]
        Template = "template",
        /// A free text.
        Text = "text",
    }
}

stored_enum! {
    /// Kind of a submission.
    #[derive(Default)]
    SubmissionKind {
        /// A new template (contract §4.2).
        #[default]
        Create = "create",
        /// An edit (contract §4.3).
        Edit = "edit",
    }
}

stored_enum! {
    /// Origin of a version of a template.
    VersionOrigin {
        /// Submitted here as a new template.
        Submitted = "submitted",
        /// Submitted here as an edit.
        Edited = "edited",
        /// The provider's content before the first edit made here, or observed in a listing.
        Observed = "observed",
        /// The content listed last. Never stored.
        Current = "current",
    }
}

/// Declares a state that is a local one until the channel reports a status.
macro_rules! followed_state {
    ($(#[$meta:meta])* $name:ident { $(#[$local_meta:meta])* $local:ident($word:ident) }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
        #[ts(export_to = "app.ts")]
        #[serde(untagged)]
        pub enum $name {
            $(#[$local_meta])*
            $local($word),
            /// The reported status with the highest rank.
            Reported(MessageStatus),
        }

        impl $name {
            /// The word in the file and in JSON.
            #[must_use]
            pub fn as_str(&self) -> &str {
                match self {
                    Self::$local(state) => state.as_str(),
                    Self::Reported(status) => status.as_str(),
                }
            }
        }

        impl From<&str> for $name {
            fn from(word: &str) -> Self {
                $word::of(word).map_or_else(|| Self::Reported(word.into()), Self::$local)
            }
        }

        impl From<$word> for $name {
            fn from(state: $word) -> Self {
                Self::$local(state)
            }
        }

        impl ToSql for $name {
            fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
                Ok(self.as_str().into())
            }
        }

        impl FromSql for $name {
            fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
                Ok(value.as_str()?.into())
            }
        }
    };
}

followed_state! {
    /// State of a send.
    SendState {
        /// State of the call, until a status is reported.
        Call(CallState)
    }
}

impl SendState {
    /// The reported status of the message, else the state of the call.
    #[must_use]
    pub fn of(status: Option<&str>, call: CallState) -> Self {
        status.map_or(Self::Call(call), |status| Self::Reported(status.into()))
    }
}

followed_state! {
    /// State of a row of a batch. A reported word that is also a local state of unsent rows is `other`.
    RowState {
        /// Until a status is reported.
        Local(LocalRowState)
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::*;

    /// The words of a vocabulary in SQLite and in JSON.
    fn words<T: ToSql + FromSql + Serialize + for<'de> Deserialize<'de> + PartialEq + std::fmt::Debug>(
        all: &[T],
    ) -> Vec<String> {
        let c = rusqlite::Connection::open_in_memory().unwrap();
        let word = |value: &T| {
            let stored: String = c.query_row("SELECT ?1", [value], |row| row.get(0)).unwrap();
            assert_eq!(c.query_row("SELECT ?1", [&stored], |row| row.get::<_, T>(0)).unwrap(), *value);
            assert_eq!(serde_json::to_value(value).unwrap(), *stored);
            assert_eq!(serde_json::from_value::<T>(stored.clone().into()).unwrap(), *value);
            stored
        };
        all.iter().map(word).collect()
    }

    /// Older files and the UI contain these words.
    #[test]
    fn state_names_in_files_and_json_never_change() {
        let table: [(Vec<String>, &[&str]); 8] = [
            (words(CallState::ALL), &["recorded", "accepted", "refused", "unknown"]),
            (words(RunState::ALL), &["planned", "running", "cancelling", "cancelled", "done", "interrupted"]),
            (words(BulkActionKind::ALL), &["archive", "unarchive", "delete"]),
            (words(ItemState::ALL), &["planned", "leaving", "done", "failed", "unknown", "cancelled", "skipped"]),
            (
                words(LocalRowState::ALL),
                &["planned", "skipped", "cancelled", "sending", "accepted", "refused", "unknown"],
            ),
            (words(SendKind::ALL), &["template", "text"]),
            (words(SubmissionKind::ALL), &["create", "edit"]),
            (words(VersionOrigin::ALL), &["submitted", "edited", "observed", "current"]),
        ];
        for (found, expected) in table {
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn an_unknown_status_is_stored_as_is() {
        let reported = ["sent", "delivered", "read", "failed", "played", "teleported"];
        assert_eq!(words(&reported.map(SendState::from)), reported);
        assert_eq!(words(&reported.map(RowState::from)), reported);
        assert_eq!(SendState::from("unknown"), SendState::Call(CallState::Unknown));
        assert_eq!(RowState::from("sending"), RowState::Local(LocalRowState::Sending));
        assert_eq!(SendState::of(Some("read"), CallState::Accepted).as_str(), "read");
        assert_eq!(SendState::of(None, CallState::Refused).as_str(), "refused");
    }

    #[test]
    fn an_unknown_state_is_rejected() {
        let c = rusqlite::Connection::open_in_memory().unwrap();
        let read = c.query_row("SELECT 'paused'", [], |row| row.get::<_, RunState>(0));
        assert!(read.unwrap_err().to_string().contains("\"paused\" is not a valid RunState"));
        assert!(serde_json::from_str::<ItemState>("\"Done\"").is_err());
    }
}
