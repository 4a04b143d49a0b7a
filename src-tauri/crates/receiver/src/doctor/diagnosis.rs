//! What the doctor can find, as words that programs may match. None of them carries a secret or a part of one.

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
        /// All that is wrong with it, outermost first.
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
        /// What happened to it. Several changes were found together, each needed.
        changes: Vec<Change>,
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
    /// The right secret, but not HMAC-SHA256.
    WrongAlgorithm {
        /// What was used.
        algorithm: Algorithm,
        /// The secret; absent for a plain digest, which has none.
        secret: Option<String>,
    },
    /// No known secret made it, over none of the bodies that were tried: most likely another secret.
    OtherSecret {
        /// The secrets of this path that were tried.
        tried: Vec<String>,
        /// How many signatures were computed.
        attempts: u32,
        /// What is odd about the body, though nothing could be proven from it.
        signs: Vec<Sign>,
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
    /// It holds bytes that are no text.
    NotText,
    /// Several values stand in one header.
    SeveralValues,
    /// Quotation marks stand around it.
    Quotes,
    /// There are spaces in it.
    Spaces,
    /// `sha256=` is missing.
    MissingPrefix,
    /// `sha256` is written in capitals.
    UpperCasePrefix,
    /// Something else stands where `sha256=` should, such as `sha1=` or `v1=`.
    OtherPrefix,
    /// The digest is in base64.
    Base64,
    /// The digits begin with `0x`.
    HexPrefix,
    /// There are not 64 digits.
    WrongLength,
    /// Not all are hexadecimal digits.
    NotHex,
}

/// What happened to a body between signing and arriving.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, TS)]
#[ts(export_to = "receiver.ts")]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Change {
    /// A JSON library wrote it again with other white space.
    Reserialised,
    /// Escapes of non-ASCII characters (`\u00e9`) became the characters.
    Unescaped,
    /// Non-ASCII characters became escapes.
    Escaped,
    /// The digits of escapes changed between lower and upper case.
    EscapesRecased,
    /// `\/` became `/`.
    SlashesUnescaped,
    /// `/` became `\/`.
    SlashesEscaped,
    /// Escapes of ASCII signs such as `\u003C` became the signs.
    SignsUnescaped,
    /// ASCII signs such as `<` became escapes.
    SignsEscaped,
    /// A line end was added at the end.
    NewlineAdded,
    /// A line end at the end was removed.
    NewlineRemoved,
    /// White space was added around it.
    BlanksAdded,
    /// Line ends changed between LF and CR LF.
    LineEndings,
    /// A byte order mark was put in front.
    BomAdded,
    /// The byte order mark in front was removed.
    BomRemoved,
    /// It was converted from UTF-8 to Latin-1 or Windows-1252.
    ReencodedLatin1,
    /// UTF-8 was taken for Latin-1 or Windows-1252 and encoded a second time.
    ReencodedTwice,
    /// It was converted to UTF-16.
    ReencodedUtf16,
    /// It was percent-encoded, as a form does.
    PercentEncoded,
    /// Its signs were written as HTML entities.
    HtmlEscaped,
    /// It was put into a JSON string.
    Quoted,
    /// It was put into a member of another JSON object.
    Wrapped,
    /// It was encoded in base64.
    Base64Encoded,
    /// It was compressed.
    Compressed,
    /// Its end was cut off.
    Cut,
    /// Something was appended after its end.
    Appended,
    /// The signature is that of an empty body: the sender signed before it had the body, or after it was used up.
    SignedEmpty,
}

/// How the secret that made a signature differs from the known one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, TS)]
#[ts(export_to = "receiver.ts")]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Edge {
    /// The known one has spaces or a line end around it that the sender's has not.
    OwnBlanks,
    /// The sender's has a line end after it.
    SenderNewline,
    /// The sender's has a space before or after it.
    SenderBlank,
    /// The known one stands in quotation marks.
    OwnQuotes,
    /// The sender's stands in quotation marks.
    SenderQuotes,
    /// The sender uses the bytes that the hexadecimal digits stand for.
    HexBytes,
    /// The sender uses the bytes that the base64 text stands for.
    Base64Bytes,
    /// The sender uses the known secret written in hexadecimal.
    HexText,
    /// The sender uses the known secret written in base64.
    Base64Text,
    /// The sender's is written in other letter case.
    LetterCase,
}

/// What was computed in place of HMAC-SHA256 over the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, TS)]
#[ts(export_to = "receiver.ts")]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Algorithm {
    /// HMAC-SHA1.
    HmacSha1,
    /// HMAC-SHA384.
    HmacSha384,
    /// HMAC-SHA512.
    HmacSha512,
    /// SHA-1 of the body, without a secret.
    PlainSha1,
    /// SHA-256 of the body, without a secret.
    PlainSha256,
    /// SHA-512 of the body, without a secret.
    PlainSha512,
    /// SHA-256 of the secret followed by the body.
    SecretThenBody,
    /// SHA-256 of the body followed by the secret.
    BodyThenSecret,
    /// HMAC-SHA256 with the body as key and the secret as message.
    Swapped,
}

/// Something odd about a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, TS)]
#[ts(export_to = "receiver.ts")]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Sign {
    /// It is empty.
    EmptyBody,
    /// It is not JSON.
    NotJson,
    /// It is JSON that ends before its end.
    EndsEarly,
    /// It is not UTF-8.
    NotUtf8,
    /// It holds replacement characters: something lost letters on the way.
    LostCharacters,
    /// `Content-Encoding` says that it is compressed, and it is not: something unpacked it on the way.
    Unpacked,
}
