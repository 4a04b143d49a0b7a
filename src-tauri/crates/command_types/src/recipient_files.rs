//! Files of the address book: imported with a question before anything is stored, and exported.

use model::send::SendProblem;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::recipients::RecipientQuery;

/// What the import of a file comes to by the choices of a [`RecipientImportRequest`], or came to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct RecipientImport {
    /// For [`RecipientImportRequest`]; absent if no column has numbers.
    pub id: Option<String>,
    /// Name without its folder.
    pub name: String,
    /// Which columns are read, as what.
    pub columns: Vec<RecipientImportColumn>,
    /// Columns with content that are not read.
    pub unread_columns: Vec<String>,
    /// The columns of a file of which none is known to have numbers.
    pub unknown_columns: Option<Vec<String>>,
    /// People who are new.
    pub added: u32,
    /// People who are in the address book, by any spelling of their number.
    pub known: u32,
    /// How many of the known ones are changed.
    pub changed: u32,
    /// Rows of a person whom an earlier row has: their labels are added, and what the earlier row leaves empty.
    pub repeated: u32,
    /// The first faulty rows, at most two hundred.
    pub faults: Vec<RecipientFault>,
    /// All faulty rows; they are left out.
    pub faulty: u32,
}

/// What is read from columns of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct RecipientImportColumn {
    pub field: RecipientImportField,
    /// Names of the columns: of several with numbers, each row counts by the first that WhatsApp can reach; those of
    /// names are joined.
    pub columns: Vec<String>,
}

model::closed_enum! {
    RecipientImportField in "app.ts" {
        Number = "number",
        Name = "name",
        Labels = "labels",
        Note = "note",
        /// Whether the person wants messages.
        Consent = "consent",
    }
}

/// A row that is left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct RecipientFault {
    /// The line of the file where the row begins, from 1.
    pub line: u32,
    pub code: RecipientFaultCode,
    /// What is written in the cell, cut off; empty if the fault is not that of one cell.
    pub value: String,
    /// What is wrong with a [`RecipientFaultCode::Number`].
    pub problem: Option<SendProblem>,
    /// How long a text may be, in characters, or how many labels there may be.
    pub limit: Option<u32>,
}

model::closed_enum! {
    /// Why a row of a file is left out.
    RecipientFaultCode in "app.ts" {
        /// It has more cells than columns.
        Cells = "cells",
        /// No number, or a text that is none.
        Number = "number",
        NameTooLong = "nameTooLong",
        LabelTooLong = "labelTooLong",
        /// With the labels that the person has.
        TooManyLabels = "tooManyLabels",
        NoteTooLong = "noteTooLong",
        /// It says that the person wants no messages, see [`model::send::ConsentColumn`].
        Declined = "declined",
    }
}

/// A file that was read in this run of the app, and how it is imported.
#[derive(Clone, Debug, Default, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct RecipientImportRequest {
    pub workspace: String,
    pub id: String,
    /// Country of numbers without country code, as in
    /// [`SendRequest::country`](crate::send::SendRequest::country).
    pub country: Option<String>,
    /// A label for everybody of the file; empty for none.
    pub label: String,
    /// Whether names and notes of the file replace those of the address book. Empty cells replace nothing.
    pub replaces: bool,
}

/// An import of this run of the app.
#[derive(Clone, Debug, Default, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct RecipientImportId {
    pub workspace: String,
    pub id: String,
}

/// What was taken back of an import.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct RecipientImportUndone {
    /// People who were changed or deleted since, which stays.
    pub kept: u32,
}

#[derive(Clone, Debug, Default, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct ExportRecipients {
    pub query: RecipientQuery,
    /// Identifiers of the people; absent for all whom the query finds.
    pub ids: Option<Vec<String>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct RecipientExport {
    pub path: String,
    pub rows: u32,
}
