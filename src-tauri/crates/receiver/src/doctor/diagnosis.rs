//! The diagnoses, as words that programs may match. None holds a secret or a part of one.

use serde::Serialize;
use ts_rs::TS;

/// Why a delivery was refused, as far as its headers, its body and the known secrets show.
///
/// `secret` names a known secret by its [`KnownSecret::name`](super::KnownSecret::name).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "receiver.ts", optional_fields = nullable)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[non_exhaustive]
pub enum Diagnosis {
    /// It was refused for something else than its signature; the reason says it all.
    Plain {},
    /// There is no `X-Hub-Signature-256`.
    NoHeader {
        /// Another header that looks like a signature, by its name.
        other_header: Option<String>,
        /// The secret with which that other header's signature is valid.
        secret: Option<String>,
    },
    /// `X-Hub-Signature-256` occurs more than once.
    DuplicateHeader {},
    /// The header's value is not `sha256=` and 64 hexadecimal digits.
    WrongForm {
        /// All that is wrong with it.
        faults: Vec<Fault>,
        /// The secret with which it would be valid once it is written as it should be.
        secret: Option<String>,
    },
    /// The path has no secret to check with.
    NoSecret {},
    /// The secret of another path made the signature.
    OtherRoute {
        /// The tag of that path's route: a workspace.
        #[serde(rename = "workspace")]
        route: String,
        /// That secret.
        secret: String,
    },
    /// The signature is right for other bytes: the body was changed after it was signed.
    BodyChanged {
        /// What happened to it.
        change: Change,
        /// The secret that made the signature.
        secret: String,
    },
    /// A secret made the signature that differs from the known one only in how it was written down.
    SecretEdges {
        /// How they differ.
        edge: Edge,
        /// The known secret.
        secret: String,
    },
    /// The digest is one of HMAC-SHA1.
    WrongAlgorithm {
        /// The secret that made it; absent where no known secret did.
        secret: Option<String>,
    },
    /// No known secret made it, and the body is empty or ends too early, so that no secret can match.
    BodyCut {},
    /// No known secret made it, over none of the bodies that were tried: most likely another secret.
    OtherSecret {
        /// The secrets of this path that were tried.
        tried: Vec<String>,
    },
    /// The body is too long to have been kept whole, so nothing can be computed over it.
    BodyNotKept {},
    /// It is valid with the secrets known now.
    Valid {
        /// The secret that made it.
        by: String,
    },
}

/// What is wrong with the form of a signature header.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, TS)]
#[ts(export_to = "receiver.ts")]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Fault {
    /// There is no value.
    Empty,
    /// Quotation marks or spaces surround it.
    Quotes,
    /// `sha256=` is missing.
    MissingPrefix,
    /// It starts with something other than `sha256=`, such as `SHA256=` or `v1=`.
    OtherPrefix,
    /// The digest is in base64.
    Base64,
    /// There are not exactly 64 hexadecimal digits.
    NotHex,
}

/// What happened to a body between signing and arriving.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, TS)]
#[ts(export_to = "receiver.ts")]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Change {
    /// Its JSON was parsed and written again, with other white space or escapes.
    Reserialised,
    /// A line break or white space was added around it.
    NewlineAdded,
    /// The line break at the end was removed.
    NewlineRemoved,
    /// Line breaks changed between LF and CR LF.
    LineEndings,
    /// A byte order mark was added at the start.
    BomAdded,
    /// The byte order mark at the start was removed.
    BomRemoved,
    /// It was converted from UTF-8 to Latin-1 or UTF-16, or encoded in UTF-8 a second time.
    CharsetChanged,
    /// It was compressed.
    Compressed,
}

/// How the secret that made a signature differs from the known one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, TS)]
#[ts(export_to = "receiver.ts")]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Edge {
    /// The known one has spaces or a line break around it that the sender's has not.
    OwnBlanks,
    /// The known one is in quotation marks.
    OwnQuotes,
    /// The sender's has a line break after it.
    SenderNewline,
    /// The sender's has a space before or after it.
    SenderBlank,
    /// The sender's is in quotation marks.
    SenderQuotes,
}
