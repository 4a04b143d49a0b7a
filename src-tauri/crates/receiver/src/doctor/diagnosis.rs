//! The diagnoses, as codes that programs can match. None has a secret or a part of one.

use serde::Serialize;
use ts_rs::TS;

/// Why a delivery was refused, according to its headers, its body and the known secrets.
///
/// `secret` names a known secret by its [`KnownSecret::name`](super::KnownSecret::name).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "receiver.ts", optional_fields = nullable)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[non_exhaustive]
pub enum Diagnosis {
    /// It was refused for another reason than its signature; that reason is complete.
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
        faults: Vec<Fault>,
        /// The secret with which it would be valid in the correct form.
        secret: Option<String>,
    },
    /// The path has no secret.
    NoSecret {},
    /// The secret of another path made the signature.
    OtherRoute {
        /// The tag of that path's route: a workspace.
        #[serde(rename = "workspace")]
        route: String,
        secret: String,
    },
    /// The signature is valid for other bytes: the body was changed after it was signed.
    BodyChanged {
        change: Change,
        /// The secret that made the signature.
        secret: String,
    },
    /// The signing secret differs from the known one only by characters around it.
    SecretEdges { edge: Edge, secret: String },
    /// The digest is an HMAC-SHA1.
    WrongAlgorithm {
        /// The secret that made it; absent if it was not a known one.
        secret: Option<String>,
    },
    /// No known secret made it, and the body is empty or truncated, so that no secret can match.
    BodyCut {},
    /// No known secret made it, for any of the tried bodies: most likely an unknown secret.
    OtherSecret {
        /// The tried secrets of this path.
        tried: Vec<String>,
    },
    /// The body was too long to be stored completely, so its signature cannot be computed.
    BodyNotKept {},
    /// It is valid with the current secrets.
    Valid {
        /// The secret that made it.
        by: String,
    },
}

/// A fault in the form of a signature header.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, TS)]
#[ts(export_to = "receiver.ts")]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Fault {
    Empty,
    /// It is surrounded by quotation marks or spaces.
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

/// A change of a body between signing and arrival.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, TS)]
#[ts(export_to = "receiver.ts")]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Change {
    /// Its JSON was parsed and serialised again, with other white space or escapes.
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
    Compressed,
}

/// Difference between the secret that made a signature and the known one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, TS)]
#[ts(export_to = "receiver.ts")]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Edge {
    /// The known one has spaces or a line break around it, the sender's does not.
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
