//! Who has stopped marketing messages, from which of our numbers, and the words that are opt-outs.

use model::send::SendProblem;
use serde::{Deserialize, Serialize};
pub use store::desk::{MarketingPreference, MarketingSource};
use ts_rs::TS;

/// That a person has stopped marketing messages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct MarketingStop {
    /// In Unix milliseconds.
    pub since: i64,
    pub source: MarketingSource,
    /// Names of the accounts or numbers whose marketing messages are stopped; absent if it counts for all of the
    /// workspace.
    pub accounts: Option<String>,
    /// Name of the file that a note was imported from.
    pub file: Option<String>,
}

/// A stop of a person, and what it was said about, for [`NoteMarketing`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct OtherStop {
    pub stop: MarketingStop,
    /// Our number; empty where that is not known.
    pub number: String,
    /// The account; empty where that is not known.
    pub waba: String,
}

/// A note that a person wants no marketing messages, or that they are allowed again. It does not change what the person
/// chose in WhatsApp.
#[derive(Clone, Debug, Default, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct NoteMarketing {
    pub workspace: String,
    /// Any identifier of the person.
    pub contact: String,
    pub is_stopped: bool,
    /// Our number whose business it is about; absent or empty for all.
    #[serde(default)]
    pub number: Option<String>,
    /// The account it is about; absent for that of the number.
    #[serde(default)]
    pub waba: Option<String>,
}

/// What came of a note.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct MarketingNoted {
    /// Why the person gets no marketing messages after it, from any of our numbers, by when, newest first.
    pub stops: Vec<MarketingStop>,
}

#[derive(Clone, Debug, Default, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct OptOutQuery {
    pub workspace: String,
    /// A part of a name or a number, or a user id.
    pub search: Option<String>,
    /// Maximum number of rows, 1–1000.
    pub limit: u32,
}

/// The people who have stopped marketing messages, by when, newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct OptOutList {
    pub rows: Vec<OptOut>,
    /// Rows that match the search.
    pub found: u32,
    /// All rows.
    pub total: u32,
}

/// A person, with one business whose marketing messages they have stopped, or all.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct OptOut {
    /// The number's digits or the user id.
    pub person: String,
    /// The number in the notation of its country.
    pub formatted: String,
    /// The contact's name in the address book, else their profile name, else that of an imported file.
    pub name: Option<String>,
    pub stop: MarketingStop,
    /// What it was said about, for [`NoteMarketing`]; empty where that is not known.
    pub number: String,
    pub waba: String,
}

/// A person to add by hand.
#[derive(Clone, Debug, Default, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct AddOptOut {
    pub workspace: String,
    /// The number as typed, or a user id.
    pub person: String,
    /// Country of a number that is typed without country code, as in a send; absent for that of the workspace.
    pub country: Option<String>,
    /// Our number whose business it is about; absent or empty for all.
    pub number: Option<String>,
}

/// What came of adding a person.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct OptOutAdded {
    /// Why nobody was added.
    pub problem: Option<SendProblem>,
}

/// What came of saving opt-out words: the list, or why it was not saved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct SavedOptOutWords {
    pub saved: Option<OptOutWords>,
    pub fault: Option<OptOutWordsFault>,
}

/// Why a list of opt-out words cannot be saved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct OptOutWordsFault {
    pub code: OptOutWordsFaultCode,
    /// The word; empty if it is about the whole list.
    pub word: String,
    /// The most words of a list, or characters of a word.
    pub limit: u32,
}

model::closed_enum! {
    OptOutWordsFaultCode in "app.ts" {
        /// The word has no letter or digit, which alone are compared.
        Empty = "empty",
        TooLong = "tooLong",
        TooMany = "tooMany",
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct OptOutExport {
    pub path: String,
    pub rows: u32,
}

/// What a file of opt-outs came to, or will. If a row has a fault, nothing is imported.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct OptOutImport {
    /// What to store or to undo, as [`OptOutImportId`]; absent if nobody is new or the file cannot be imported.
    pub id: Option<String>,
    /// Name without its folder.
    pub name: String,
    /// Rows of the file, without the header.
    pub rows: u32,
    /// The first faulty rows, at most two hundred.
    pub faults: Vec<OptOutFault>,
    /// All faulty rows; 0 if the file was imported.
    pub faulty: u32,
    /// Rows whose person was added to the list, or will be.
    pub added: u32,
    /// Rows whose person was in the list already.
    pub known: u32,
    /// Rows that stop nothing, because marketing was allowed again later.
    pub not_added: Vec<OptOutNotAdded>,
    /// Columns that were not read, as nothing is known by their names.
    pub unread_columns: Vec<String>,
    /// The columns of a file of which none is known to be of people; then nothing was imported.
    pub unknown_columns: Option<Vec<String>>,
}

/// A file of opt-outs that was read in this run of the app.
#[derive(Clone, Debug, Default, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct OptOutImportId {
    pub workspace: String,
    pub id: String,
}

/// A row of a file of opt-outs that stops nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct OptOutNotAdded {
    /// The line of the file where the row begins, from 1.
    pub line: u32,
    pub person: String,
    /// As in [`OptOut::formatted`].
    pub formatted: String,
    pub name: Option<String>,
    /// Who allowed it again: `note` if it was here, `preference` if the person resumed in WhatsApp.
    pub allowed_by: MarketingSource,
    /// When, in Unix milliseconds.
    pub allowed_at: i64,
    /// What the row is about, for [`AddOptOuts`].
    pub number: String,
    pub waba: String,
}

/// People to note as stopped, whatever was allowed before.
#[derive(Clone, Debug, Default, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct AddOptOuts {
    pub workspace: String,
    pub people: Vec<OptOutPerson>,
}

#[derive(Clone, Debug, Default, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct OptOutPerson {
    pub person: String,
    /// As in [`NoteMarketing`]; empty for all.
    pub number: String,
    pub waba: String,
}

/// A faulty row of a file of opt-outs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct OptOutFault {
    /// The line of the file where the row begins, from 1.
    pub line: u32,
    pub code: OptOutFaultCode,
    /// What is written in the cell.
    pub value: String,
    /// What is wrong with a [`OptOutFaultCode::Person`].
    pub problem: Option<SendProblem>,
}

model::closed_enum! {
    /// What is wrong with a row of a file of opt-outs.
    OptOutFaultCode in "app.ts" {
        /// It has more cells than columns.
        Cells = "cells",
        /// The person is no phone number and no user id.
        Person = "person",
        /// Since when is no date like 2026-11-28, with or without a time.
        Since = "since",
        SinceFuture = "sinceFuture",
        /// How is none of `preference`, `failure`, `reply` and `note`.
        How = "how",
        /// The workspace has no such number, and the row names no account.
        Number = "number",
        /// The account is not written in digits.
        Account = "account",
        /// No account of the business is known here.
        Business = "business",
    }
}

/// The opt-out words of a workspace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct OptOutWords {
    pub words: Vec<String>,
    /// The words of a workspace that has not edited them.
    pub preset: Vec<String>,
    /// Maximum number of words.
    pub limit: u32,
    /// Length limit of a word in characters.
    pub word_limit: u32,
}

#[derive(Clone, Debug, Default, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct SaveOptOutWords {
    pub workspace: String,
    pub words: Vec<String>,
}
