//! What the phone shows: a template with its variables filled and the channel's formatting parsed.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Values for the variables of a template; where one is missing the sample stands in, then the variable itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts")]
#[serde(default)]
pub struct Fill {
    /// By position (`"1"`) or name, of the header.
    pub header: BTreeMap<String, String>,
    /// By position (`"1"`) or name, of the body.
    pub body: BTreeMap<String, String>,
    /// Suffix of each URL button's address, by button position (`"0"`).
    pub urls: BTreeMap<String, String>,
    /// The same for each card, in their order.
    pub cards: Vec<Fill>,
}

/// A message as the phone shows it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts", optional_fields = nullable)]
pub struct Bubble {
    /// On top.
    pub header: Option<BubbleHeader>,
    /// Heading of a limited-time offer.
    pub offer: Option<String>,
    /// The text, as paragraphs of formatted runs.
    pub body: Vec<Block>,
    /// Small print.
    pub footer: Option<String>,
    /// In order; from the fourth on the phone hides the third and later ones behind "See all options".
    pub buttons: Vec<BubbleButton>,
    /// How many buttons are shown before "See all options": all, or two where there are more than three.
    pub visible_buttons: usize,
    /// Cards of a carousel.
    pub cards: Vec<Bubble>,
    /// Whether the first strong character of the text runs right to left.
    pub right_to_left: bool,
    /// Components that cannot be shown, by their type.
    pub unknown: Vec<String>,
}

/// A header as shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts")]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum BubbleHeader {
    /// A line of text.
    Text {
        /// With its variable filled.
        text: String,
    },
    /// A picture, film, document, place, product or anything else, shown as a placeholder or by its sample.
    Media {
        /// `IMAGE`, `VIDEO`, `DOCUMENT`, `LOCATION`, `PRODUCT`, `GIF` or an unknown word.
        format: String,
        /// The sample's address where the provider answered with one.
        link: Option<String>,
    },
}

/// A button as shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts", optional_fields = nullable)]
pub struct BubbleButton {
    /// `URL`, `QUICK_REPLY`, … as on the wire; decides the icon.
    pub kind: String,
    /// The label; the phone's own where the template has none.
    pub label: String,
    /// Where a URL button leads, with its variable filled; the number of a phone button; the code of a copy button.
    pub target: Option<String>,
}

/// A block of formatted text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts")]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Block {
    /// A line; an empty one has no runs.
    Line {
        /// In order.
        runs: Vec<Run>,
    },
    /// Lines that begin with `* ` or `- `.
    Bullet {
        /// In order.
        runs: Vec<Run>,
    },
    /// Lines that begin with `1. `.
    Numbered {
        /// The number as written.
        number: String,
        /// In order.
        runs: Vec<Run>,
    },
    /// Lines that begin with `> `.
    Quote {
        /// In order.
        runs: Vec<Run>,
    },
    /// Text between three backticks, kept as it is.
    Code {
        /// The text.
        text: String,
    },
}

/// A stretch of text in one style.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts")]
pub struct Run {
    /// The characters.
    pub text: String,
    /// `*…*`.
    pub bold: bool,
    /// `_…_`.
    pub italic: bool,
    /// `~…~`.
    pub strike: bool,
    /// `` `…` ``.
    pub code: bool,
    /// Filled from a variable: shown in a tint while composing.
    pub variable: bool,
}
