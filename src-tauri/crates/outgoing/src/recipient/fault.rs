//! Why a text is not understood as a number.

/// What is wrong with a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FaultKind {
    Shortened,
    Letters,
    OtherDigits,
    TooShort,
    TooLong,
    NoCountry,
    AfterCode,
    NoAreaCode,
    Decimals,
    DecimalsNotZero,
    Thousands,
    Negative,
    Date,
    Several,
    ListNumber,
    Note,
    AreaCodeLast,
    Extension,
    Character,
}

impl FaultKind {
    /// The window's key for the sentence.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Shortened => "shortened",
            Self::Letters => "letters",
            Self::OtherDigits => "otherDigits",
            Self::TooShort => "tooShort",
            Self::TooLong => "tooLong",
            Self::NoCountry => "noCountry",
            Self::AfterCode => "afterCode",
            Self::NoAreaCode => "noAreaCode",
            Self::Decimals => "decimals",
            Self::DecimalsNotZero => "decimalsNotZero",
            Self::Thousands => "thousands",
            Self::Negative => "negative",
            Self::Date => "date",
            Self::Several => "several",
            Self::ListNumber => "listNumber",
            Self::Note => "note",
            Self::AreaCodeLast => "areaCodeLast",
            Self::Extension => "extension",
            Self::Character => "character",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NumberFault {
    pub(super) kind: FaultKind,
    /// The reason in English.
    pub(super) reason: String,
    /// The number without what is wrong, if that cannot be another number.
    pub(super) correction: Option<String>,
    /// The character that is wrong.
    pub(super) character: Option<char>,
}

impl NumberFault {
    pub(super) fn new(kind: FaultKind, reason: impl Into<String>) -> Self {
        Self { kind, reason: reason.into(), correction: None, character: None }
    }

    pub(super) fn with_correction(self, correction: Option<String>) -> Self {
        Self { correction, ..self }
    }
}
