//! The seed data: two business managers, their WABAs with a number each, and templates with every status.

use model::envelope::RejectionInfo;
use model::template::Template;
use serde_json::{Value, json};

pub(crate) mod agency;
mod picture;
mod samples;

pub(crate) use self::picture::picture;
pub(crate) use self::samples::samples;
use crate::profile::Profile;

/// What a sandbox without templates starts with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seed {
    /// Accounts, sample templates, and the 60 days before the first start: what was sent, its statuses, conversations,
    /// and the lives of the templates.
    History,
    /// Accounts and sample templates.
    Samples,
    /// Accounts.
    Empty,
}

impl std::str::FromStr for Seed {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        match word {
            "history" => Ok(Self::History),
            "samples" => Ok(Self::Samples),
            "empty" => Ok(Self::Empty),
            other => Err(format!("`{other}` is no seed; use history, samples or empty")),
        }
    }
}

/// The business manager that owns [`WABA`], [`SECOND_WABA`] and [`THIRD_WABA`].
pub const BUSINESS: &str = "100000000000001";
/// Another business manager.
pub const OTHER_BUSINESS: &str = "100000000000002";
/// The WABA of most samples.
pub const WABA: u64 = 200_000_000_000_001;
/// A second WABA of the same business manager.
pub const SECOND_WABA: u64 = 200_000_000_000_002;
/// A WABA of the other business manager.
pub const OTHER_WABA: u64 = 200_000_000_000_003;
/// A third WABA of [`BUSINESS`], in the profile `agency`: a template is in WABAs of one business manager (contract §2.1),
/// so one in three WABAs needs as many there.
pub const THIRD_WABA: u64 = 200_000_000_000_004;
/// The sending number of [`WABA`].
pub const NUMBER: &str = "300000000000001";
/// The sending number of [`SECOND_WABA`].
pub const SECOND_NUMBER: &str = "300000000000002";
/// The sending number of [`OTHER_WABA`].
pub const OTHER_NUMBER: &str = "300000000000003";
/// The sending number of [`THIRD_WABA`].
pub const THIRD_NUMBER: &str = "300000000000004";

/// A WABA with its business manager and its sending number.
#[derive(Debug)]
pub struct Account {
    pub waba: u64,
    pub business: &'static str,
    /// Name of the WABA and of the number.
    pub name: &'static str,
    pub number: &'static str,
    /// The number as people write it.
    pub display: &'static str,
}

const fn account(
    waba: u64,
    business: &'static str,
    name: &'static str,
    number: &'static str,
    display: &'static str,
) -> Account {
    Account { waba, business, name, number, display }
}

static ACCOUNTS: [Account; 4] = [
    account(WABA, BUSINESS, "Ipê Flores", NUMBER, "+55 11 5550-0101"),
    account(SECOND_WABA, BUSINESS, "Ipê Flores Atacado", SECOND_NUMBER, "+55 11 5550-0102"),
    account(OTHER_WABA, OTHER_BUSINESS, "Clínica Aurora", OTHER_NUMBER, "+55 21 5550-0103"),
    account(THIRD_WABA, BUSINESS, "Ipê Flores Eventos", THIRD_NUMBER, "+55 11 5550-0104"),
];

/// The accounts of a profile.
#[must_use]
pub fn accounts(profile: Profile) -> &'static [Account] {
    if profile == Profile::Agency { &ACCOUNTS } else { &ACCOUNTS[..3] }
}

/// The WABAs of the business manager [`BUSINESS`].
pub(crate) const BUSINESS_WABAS: [u64; 2] = [WABA, SECOND_WABA];

/// The content of the samples. `image` is the handle of their picture.
pub(crate) fn sample_templates(image: &str) -> Vec<Template> {
    samples(image).into_iter().map(Sample::template).collect()
}

pub(crate) fn sample_wabas() -> Vec<&'static [u64]> {
    samples("").into_iter().map(|sample| sample.wabas).collect()
}

/// Reason, problem and recommendation of a rejected sample.
pub(crate) fn rejection_of_sample(index: usize) -> Option<(&'static str, &'static str, &'static str)> {
    samples("").into_iter().nth(index)?.reason
}

pub(crate) struct Sample {
    pub(crate) status: &'static str,
    pub(crate) archived: bool,
    pub(crate) wabas: &'static [u64],
    /// Rejection: the channel's reason, the problem, and the recommended change. The last two may be empty.
    pub(crate) reason: Option<(&'static str, &'static str, &'static str)>,
    pub(crate) content: Value,
}

impl Sample {
    pub(crate) fn template(self) -> Template {
        serde_json::from_value(self.content).expect("samples are templates")
    }

    pub(crate) fn rejection_info(&self) -> Option<RejectionInfo> {
        let (_, reason, recommendation) = self.reason.filter(|(_, reason, _)| !reason.is_empty())?;
        Some(RejectionInfo {
            reason: Some(reason.to_owned()),
            recommendation: Some(recommendation.to_owned()),
            ..RejectionInfo::default()
        })
    }
}

pub(crate) fn plain(status: &'static str, content: Value) -> Sample {
    Sample { status, archived: false, wabas: &[WABA], reason: None, content }
}

pub(crate) fn body(text: &str, samples: &[&str]) -> Value {
    if samples.is_empty() {
        json!({ "type": "BODY", "text": text })
    } else {
        json!({ "type": "BODY", "text": text, "example": { "body_text": [samples] } })
    }
}

pub(crate) fn content(name: &str, language: &str, category: &str, components: Value) -> Value {
    json!({ "name": name, "language": language, "category": category, "components": components })
}
