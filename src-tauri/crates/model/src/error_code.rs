//! The channel's error codes, with meaning, retry advice and recommended action (upstream §7).

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::failure::{Failure, FailureDetail};

/// Whether a retry can succeed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts")]
#[serde(rename_all = "lowercase")]
pub enum Retry {
    /// A retry fails again.
    No,
    /// A retry may succeed after a short delay.
    Yes,
    /// A retry may succeed only after a stated wait, or after an action elsewhere.
    Later,
}

/// An error code of the channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ErrorCode {
    pub code: i64,
    /// What happened, in English.
    pub meaning: &'static str,
    /// The recommended action, in English.
    pub advice: &'static str,
    pub retry: Retry,
}

/// All known codes, in ascending order within each group.
const CODES: [(Retry, &[i64]); 3] = [
    (
        Retry::No,
        &[
            0, 3, 10, 33, 100, 190, 200, 368, 2040, 2046, 2047, 130_403, 130_472, 130_497, 131_005, 131_008, 131_009,
            131_021, 131_026, 131_030, 131_031, 131_037, 131_042, 131_044, 131_045, 131_047, 131_050, 131_051, 131_052,
            131_053, 131_055, 131_061, 131_062, 131_063, 131_065, 132_000, 132_001, 132_005, 132_007, 132_008, 132_012,
            132_016, 132_018, 132_068, 133_005, 133_006, 133_010, 134_011, 134_100, 134_102, 135_000, 137_000, 200_005,
            200_006, 200_007, 1_752_041, 2_388_019, 2_388_024, 2_388_040, 2_388_047, 2_388_072, 2_388_073, 2_388_293,
            2_388_299,
        ],
    ),
    (Retry::Yes, &[1, 2, 4, 80_007, 80_008, 130_429, 131_000, 131_016, 131_056, 131_057, 133_004, 134_101]),
    (
        Retry::Later,
        &[131_048, 131_049, 131_064, 131_070, 132_015, 132_069, 133_000, 133_008, 133_009, 133_015, 133_016, 2_388_039],
    ),
];

#[derive(Deserialize)]
struct Text {
    meaning: String,
    advice: String,
}

/// English texts of the codes, from the same file that the window uses.
static TEXTS: LazyLock<HashMap<i64, Text>> = LazyLock::new(|| {
    let texts = include_str!("../../../../ui/src/locales/en/errorCodes.json");
    serde_json::from_str(texts).expect("the locales are part of the program, and a test parses them")
});

/// The entry for `code`. The permission codes 200 to 299 share one entry.
#[must_use]
pub fn find(code: i64) -> Option<ErrorCode> {
    let code = if (200..300).contains(&code) { 200 } else { code };
    let (retry, _) = CODES.into_iter().find(|(_, codes)| codes.binary_search(&code).is_ok())?;
    let Text { meaning, advice } = TEXTS.get(&code)?;
    Some(ErrorCode { code, meaning, advice, retry })
}

/// A setting of the workspace that makes messages fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts")]
#[serde(rename_all = "camelCase")]
pub enum FaultySetting {
    /// The constant that names the channel (contract §2.3).
    MessagingProduct,
    /// The identifier of the sending number (contract §4.1).
    NumberId,
}

impl FaultySetting {
    /// The setting that a failure of a send is about, if its words leave no doubt. The contract has no code for it.
    #[must_use]
    pub fn of(failure: &Failure) -> Option<Self> {
        let words = failure.all_words().join("\n").to_ascii_lowercase();
        match failure.code {
            Some(100 | 131_008 | 131_009) if words.contains("messaging_product") => Some(Self::MessagingProduct),
            // The Graph API's words for an identifier that it does not know; subcode 33.
            Some(100) if words.contains("object with id") && words.contains("does not exist") => Some(Self::NumberId),
            Some(33) => Some(Self::NumberId),
            _ => None,
        }
    }

    /// The recommended action, in English.
    fn advice(self) -> &'static str {
        match self {
            Self::MessagingProduct => "Set “Messaging product” to whatsapp in the settings of the workspace.",
            Self::NumberId => "Correct the ID of the number in the settings of the workspace.",
        }
    }
}

/// Reason why a message failed, and the recommended action.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct Explanation {
    /// The known code that explains the failure, which is also the window's key for its text: `200` for 200 to 299. The
    /// received code if it is unknown; empty if there is none.
    pub code: String,
    pub known: bool,
    /// Whether a retry can succeed; absent if unknown.
    pub retry: Option<Retry>,
    /// In English: meaning and advice for the code, else the provider's own text.
    pub message: String,
    /// The provider's own texts: title, message and details, each sentence once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<String>>")]
    pub words: Vec<String>,
    /// The setting of the workspace that the failure is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub setting: Option<FaultySetting>,
    /// Further values in `details` of the error object, such as the size of a file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<FailureDetail>>")]
    pub details: Vec<FailureDetail>,
}

#[must_use]
pub fn explain(failure: &Failure) -> Explanation {
    let known = failure.code.and_then(find);
    let setting = FaultySetting::of(failure);
    let message = match (known, setting) {
        (Some(known), None) => format!("{} {}", known.meaning, known.advice),
        (Some(known), Some(setting)) => format!("{} {}", known.meaning, setting.advice()),
        (None, _) => failure.words().unwrap_or("The provider gives no reason.").to_owned(),
    };
    let code = known.map(|known| known.code).or(failure.code).map(|code| code.to_string()).unwrap_or_default();
    let (words, details) = (failure.all_words(), failure.parts());
    Explanation { code, known: known.is_some(), retry: failure.retry(), message, words, setting, details }
}

/// Why the provider refused a message with an answer of this status. An answer without a code is explained only if it says
/// that the number is unknown: of what the address of a send names, only the number differs from other requests.
#[must_use]
pub fn explain_refusal(status: u16, failure: &Failure) -> Option<Explanation> {
    if failure.code.is_some() {
        return Some(explain(failure));
    }
    let is_about_number = failure.all_words().iter().any(|words| words.to_ascii_lowercase().contains("number"));
    let setting = Some(FaultySetting::NumberId).filter(|_| status == 404 && is_about_number)?;
    Some(Explanation { setting: Some(setting), retry: Some(Retry::No), ..explain(failure) })
}

impl Failure {
    /// Whether a retry can succeed: as the provider says, else as known for the code.
    ///
    /// `None` if both are silent.
    #[must_use]
    pub fn retry(&self) -> Option<Retry> {
        let known = self.code.and_then(find).map(|known| known.retry);
        match self.retryable {
            Some(false) => Some(Retry::No),
            Some(true) => Some(known.filter(|retry| *retry == Retry::Later).unwrap_or(Retry::Yes)),
            None => known,
        }
    }
}

#[cfg(test)]
mod tests;
