//! A new batch to people of an earlier one, by what they did with its message.

pub use model::engagement::Engagement;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::batch::CsvFile;
use super::batch_mapping::BatchMapping;

/// Asks for the people of a batch who did this, as the recipients of another one.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct RetargetBatch {
    /// The earlier batch.
    pub batch: String,
    pub engagement: Engagement,
}

/// The recipients of a new batch, with what the earlier one had for them.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct RetargetedPeople {
    pub list: RetargetedList,
    /// The columns of recipient and name, the country of numbers without one, and what filled the template of the earlier
    /// batch: nothing where its file was not kept.
    pub mapping: BatchMapping,
}

#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum RetargetedList {
    /// People of the address book.
    Recipients {
        /// Identifiers, in the order of the earlier batch.
        ids: Vec<String>,
        /// Those who are not in the address book any more.
        missing: u32,
    },
    /// Rows of the earlier batch, as a chosen file. Like one, they are kept until the app closes or several other files
    /// are chosen.
    Csv {
        file: CsvFile,
        /// Whether they have the cells of the earlier batch's file. Otherwise they have a recipient and a name only.
        has_cells: bool,
    },
}
