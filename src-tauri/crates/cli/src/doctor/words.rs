//! What the doctor found, in words: what happened, why, and what to do.

use app::webhooks::endpoint::doctor::{Algorithm, Change, Diagnosis, Edge, Fault, Sign};

/// A diagnosis for a person.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Explanation {
    pub(super) what: String,
    pub(super) why: String,
    pub(super) remedy: String,
}

fn said(what: impl Into<String>, why: impl Into<String>, remedy: impl Into<String>) -> Explanation {
    Explanation { what: what.into(), why: why.into(), remedy: remedy.into() }
}

/// Puts a diagnosis into words.
pub(super) fn explain(diagnosis: &Diagnosis) -> Explanation {
    const SEND_RIGHT: &str = "Configure the sender to send `X-Hub-Signature-256: sha256=` and the 64 hexadecimal digits of the \
                              HMAC-SHA256 of the body.";
    match diagnosis {
        Diagnosis::Valid { by } => said(
            format!("the signature was made with the secret in {by}"),
            "The signature matches the body as received.",
            "Nothing; a receiver with this secret accepts this delivery.",
        ),
        Diagnosis::NoHeader { other_header: None, .. } => {
            said("the delivery has no X-Hub-Signature-256", "Without it, the sender can't be verified.", SEND_RIGHT)
        }
        Diagnosis::NoHeader { other_header: Some(other), secret } => said(
            format!("the delivery has no X-Hub-Signature-256, but the header {other}"),
            match secret {
                Some(secret) => format!(
                    "{other} holds a valid signature made with the secret in {secret}, but only X-Hub-Signature-256 \
                     counts: older headers use weaker digests."
                ),
                None => format!("{other} is not checked, and its value matches none of the secrets."),
            },
            SEND_RIGHT,
        ),
        Diagnosis::DuplicateHeader {} => said(
            "X-Hub-Signature-256 occurs more than once",
            "It is not clear which one to check, so the delivery is rejected.",
            "Configure the sender and any proxy to send the header only once.",
        ),
        Diagnosis::WrongForm { faults, secret } => said(
            format!("the signature is malformed: {}", list(faults.iter().map(|fault| self::fault(*fault)))),
            match secret {
                Some(secret) => format!("Its digest is correct and was made with the secret in {secret}."),
                None => "Its digest also matches none of the secrets.".to_owned(),
            },
            SEND_RIGHT,
        ),
        Diagnosis::NoSecret {} => said(
            "there is no secret to check the signature with",
            "A signature can't be checked without the secret.",
            "Configure the secret that the sender signs with.",
        ),
        Diagnosis::OtherRoute { route, secret } => said(
            format!("the signature was made with the secret of {route} ({secret})"),
            "The delivery was sent to the path of another workspace or number.",
            "Correct the webhook URL at the sender, or the secret of this path.",
        ),
        Diagnosis::BodyChanged { changes, secret } => said(
            format!("the body was changed after it was signed with the secret in {secret}"),
            format!("Changes: {}.", list(changes.iter().map(|change| self::change(*change)))),
            "Configure your proxy to forward the raw request body. If you parse the body before \
             checking, check the raw bytes instead.",
        ),
        Diagnosis::SecretEdges { edge, secret } => {
            let (why, remedy) = self::edge(*edge);
            said(format!("the secret in {secret} is almost the same as the sender's"), why, remedy)
        }
        Diagnosis::WrongAlgorithm { algorithm, secret } => said(
            format!("the signature was made by {}, not by HMAC-SHA256", self::algorithm(*algorithm)),
            match secret {
                Some(secret) => {
                    format!("It matches the body with the secret in {secret}, so only the algorithm is wrong.")
                }
                None => "It matches the body without a secret, so anyone could have made it.".to_owned(),
            },
            SEND_RIGHT,
        ),
        Diagnosis::OtherSecret { tried, attempts, signs } => {
            let mut why = format!(
                "We tried {attempts} signatures of the body, as received and as it may have been before, with {}. None \
                 matches.",
                list(tried.iter().map(String::as_str))
            );
            if !signs.is_empty() {
                why += &format!(" Unusual about the body: {}.", list(signs.iter().map(|sign| self::sign(*sign))));
            }
            said(
                "the signature was made with a different secret",
                why,
                "Copy the secret again from the sender. If it is the same, compare the body's length \
                 here with the one that was sent.",
            )
        }
        Diagnosis::BodyNotKept {} => said(
            "the body was too long to keep",
            "Without the full body, the signature can't be computed.",
            "Save a delivery's body to a file and check that file.",
        ),
        // `plain`, and what a newer library may add.
        _ => said(
            "the delivery was rejected for a reason other than its signature",
            "The response names the reason.",
            "See the details in the response.",
        ),
    }
}

fn list<'a>(items: impl Iterator<Item = &'a str>) -> String {
    items.collect::<Vec<_>>().join("; ")
}

fn fault(fault: Fault) -> &'static str {
    match fault {
        Fault::Empty => "it is empty",
        Fault::NotText => "it contains bytes that are not text",
        Fault::SeveralValues => "it has several values",
        Fault::Quotes => "it is in quotation marks",
        Fault::Spaces => "it contains spaces",
        Fault::MissingPrefix => "`sha256=` is missing",
        Fault::UpperCasePrefix => "`sha256=` is in uppercase",
        Fault::OtherPrefix => "it starts with something other than `sha256=`",
        Fault::Base64 => "the digest is in base64 instead of hexadecimal digits",
        Fault::HexPrefix => "the digits start with `0x`",
        Fault::WrongLength => "it doesn't have 64 digits",
        Fault::NotHex => "some characters are not hexadecimal digits",
        _ => "it has an unknown format",
    }
}

fn change(change: Change) -> &'static str {
    match change {
        Change::Reserialised => "the JSON was rewritten with different whitespace",
        Change::Unescaped => "escapes such as `\\u00e9` became characters",
        Change::Escaped => "non-ASCII characters became escapes such as `\\u00e9`",
        Change::EscapesRecased => "the digits of escapes changed case",
        Change::SlashesUnescaped => "`\\/` became `/`",
        Change::SlashesEscaped => "`/` became `\\/`",
        Change::SignsUnescaped => "escapes such as `\\u003C` became plain characters",
        Change::SignsEscaped => "characters such as `<` became escapes",
        Change::NewlineAdded => "a line break was added at the end",
        Change::NewlineRemoved => "the line break at the end was removed",
        Change::BlanksAdded => "whitespace was added around it",
        Change::LineEndings => "its line breaks changed between LF and CRLF",
        Change::BomAdded => "a byte order mark was added at the start",
        Change::BomRemoved => "the byte order mark at the start was removed",
        Change::ReencodedLatin1 => "it was converted from UTF-8 to Latin-1 or Windows-1252",
        Change::ReencodedTwice => "its UTF-8 was read as Latin-1 and encoded again",
        Change::ReencodedUtf16 => "it was converted to UTF-16",
        Change::PercentEncoded => "it was percent-encoded, like form data",
        Change::HtmlEscaped => "special characters became HTML entities",
        Change::Quoted => "it was put into a JSON string",
        Change::Wrapped => "it was put into another JSON object",
        Change::Base64Encoded => "it was encoded in base64",
        Change::Compressed => "it was compressed",
        Change::Cut => "its end was cut off",
        Change::Appended => "extra data was added at the end",
        Change::SignedEmpty => "an empty body was signed instead",
        _ => "it was changed in another way",
    }
}

fn edge(edge: Edge) -> (&'static str, &'static str) {
    const TRIM_OURS: &str = "Enter the secret again without them.";
    const TRIM_THEIRS: &str = "Remove it at the sender, or enter the secret here with it.";
    match edge {
        Edge::OwnBlanks => ("Yours has spaces or a line break around it; the sender's doesn't.", TRIM_OURS),
        Edge::OwnQuotes => ("Yours is in quotation marks; the sender's isn't.", TRIM_OURS),
        Edge::SenderNewline => (
            "The sender's ends with a line break, for example because it was written to a file with `echo`.",
            TRIM_THEIRS,
        ),
        Edge::SenderBlank => ("The sender's has a space before or after it.", TRIM_THEIRS),
        Edge::SenderQuotes => ("The sender's is in quotation marks.", TRIM_THEIRS),
        Edge::HexBytes => (
            "The sender decodes the secret from hexadecimal.",
            "Configure the sender to use the secret's characters unchanged.",
        ),
        Edge::Base64Bytes => (
            "The sender decodes the secret from base64.",
            "Configure the sender to use the secret's characters unchanged.",
        ),
        Edge::HexText => (
            "The sender uses the secret encoded as hexadecimal.",
            "Enter the hexadecimal form here, or configure the sender to use the secret's characters unchanged.",
        ),
        Edge::Base64Text => (
            "The sender uses the secret encoded as base64.",
            "Enter the base64 form here, or configure the sender to use the secret's characters unchanged.",
        ),
        Edge::LetterCase => (
            "The sender's differs in uppercase and lowercase letters.",
            "Enter the secret exactly as the sender has it: case matters.",
        ),
        _ => ("They differ in how they are written.", "Enter the secret exactly as the sender has it."),
    }
}

fn algorithm(algorithm: Algorithm) -> &'static str {
    match algorithm {
        Algorithm::HmacSha1 => "HMAC-SHA1",
        Algorithm::HmacSha384 => "HMAC-SHA384",
        Algorithm::HmacSha512 => "HMAC-SHA512",
        Algorithm::PlainSha1 => "plain SHA-1",
        Algorithm::PlainSha256 => "plain SHA-256",
        Algorithm::PlainSha512 => "plain SHA-512",
        Algorithm::SecretThenBody => "SHA-256 of the secret followed by the body",
        Algorithm::BodyThenSecret => "SHA-256 of the body followed by the secret",
        Algorithm::Swapped => "HMAC-SHA256 with body and secret swapped",
        _ => "another method",
    }
}

fn sign(sign: Sign) -> &'static str {
    match sign {
        Sign::EmptyBody => "it is empty",
        Sign::NotJson => "it is not JSON",
        Sign::EndsEarly => "it is incomplete JSON",
        Sign::NotUtf8 => "it is not UTF-8",
        Sign::LostCharacters => "it contains replacement characters, so characters were lost on the way",
        Sign::Unpacked => "its header says it is compressed, but it isn't, so it was decompressed on the way",
        _ => "something else",
    }
}
