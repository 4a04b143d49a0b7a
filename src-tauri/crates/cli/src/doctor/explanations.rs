//! Texts for the doctor's diagnoses: what happened, why, and what to do.

use app::webhooks::endpoint::doctor::{Change, Diagnosis, Edge, Fault};

/// A diagnosis as text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Explanation {
    pub(super) what: String,
    pub(super) why: String,
    pub(super) remedy: String,
}

fn explanation(what: impl Into<String>, why: impl Into<String>, remedy: impl Into<String>) -> Explanation {
    Explanation { what: what.into(), why: why.into(), remedy: remedy.into() }
}

pub(super) fn explain(diagnosis: &Diagnosis) -> Explanation {
    const USE_STANDARD_HEADER: &str = "Configure the sender to send `X-Hub-Signature-256: sha256=` and the 64 hexadecimal digits of the \
                              HMAC-SHA256 of the body.";
    match diagnosis {
        Diagnosis::Valid { by } => explanation(
            format!("the signature was made with the secret in {by}"),
            "The signature matches the body as received.",
            "Nothing; a receiver with this secret accepts this delivery.",
        ),
        Diagnosis::NoHeader { other_header: None, .. } => explanation(
            "the delivery has no X-Hub-Signature-256",
            "Without it, the sender can't be verified.",
            USE_STANDARD_HEADER,
        ),
        Diagnosis::NoHeader { other_header: Some(other), secret } => explanation(
            format!("the delivery has no X-Hub-Signature-256, but the header {other}"),
            match secret {
                Some(secret) => format!(
                    "{other} holds a valid signature made with the secret in {secret}, but only X-Hub-Signature-256 \
                     counts: older headers use weaker digests."
                ),
                None => format!("{other} is not checked, and its value matches none of the secrets."),
            },
            USE_STANDARD_HEADER,
        ),
        Diagnosis::DuplicateHeader {} => explanation(
            "X-Hub-Signature-256 occurs more than once",
            "It is not clear which one to check, so the delivery is rejected.",
            "Configure the sender and any proxy to send the header only once.",
        ),
        Diagnosis::WrongForm { faults, secret } => explanation(
            format!("the signature is malformed: {}", list(faults.iter().map(|fault| self::fault(*fault)))),
            match secret {
                Some(secret) => format!("Its digest is correct and was made with the secret in {secret}."),
                None => "Its digest also matches none of the secrets.".to_owned(),
            },
            USE_STANDARD_HEADER,
        ),
        Diagnosis::NoSecret {} => explanation(
            "there is no secret to check the signature with",
            "A signature can't be checked without the secret.",
            "Configure the secret that the sender signs with.",
        ),
        Diagnosis::OtherRoute { route, secret } => explanation(
            format!("the signature was made with the secret of {route} ({secret})"),
            "The delivery was sent to the path of another workspace or number.",
            "Correct the webhook URL at the sender, or the secret of this path.",
        ),
        Diagnosis::BodyChanged { change, secret } => explanation(
            format!("the body was changed after it was signed with the secret in {secret}"),
            format!("Change: {}.", self::change(*change)),
            "Configure your proxy to forward the raw request body. If you parse the body before \
             checking, check the raw bytes instead.",
        ),
        Diagnosis::SecretEdges { edge, secret } => {
            let (why, remedy) = self::edge(*edge);
            explanation(format!("the secret in {secret} is almost the same as the sender's"), why, remedy)
        }
        Diagnosis::WrongAlgorithm { secret } => explanation(
            "the signature was made by HMAC-SHA1, not by HMAC-SHA256",
            match secret {
                Some(secret) => {
                    format!("It matches the body with the secret in {secret}, so only the algorithm is wrong.")
                }
                None => "It also matches none of the secrets.".to_owned(),
            },
            USE_STANDARD_HEADER,
        ),
        Diagnosis::BodyCut {} => explanation(
            "the body is incomplete",
            "It is empty, or its JSON ends too early, and its signature matches none of the secrets.",
            "Check your proxy for a body size limit or a timeout, and compare the body's length with the one that was \
             sent.",
        ),
        Diagnosis::OtherSecret { tried } => explanation(
            "the signature was made with a different secret",
            format!(
                "We tried {} with the body as received and as it may have been before common changes. None matches.",
                list(tried.iter().map(String::as_str))
            ),
            "Copy the secret again from the sender. If it is the same, something on the way changes the body: configure \
             your proxy to forward the raw request body.",
        ),
        Diagnosis::BodyNotKept {} => explanation(
            "the body was too long to keep",
            "Without the full body, the signature can't be computed.",
            "Save a delivery's body to a file and check that file.",
        ),
        // `plain`, and variants that newer library versions add.
        _ => explanation(
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
        Fault::Quotes => "it is in quotation marks or spaces",
        Fault::MissingPrefix => "`sha256=` is missing",
        Fault::OtherPrefix => "it starts with something other than `sha256=`",
        Fault::Base64 => "the digest is in base64 instead of hexadecimal digits",
        Fault::NotHex => "it doesn't have 64 hexadecimal digits",
        _ => "it has an unknown format",
    }
}

fn change(change: Change) -> &'static str {
    match change {
        Change::Reserialised => "its JSON was parsed and written again with other whitespace or escapes",
        Change::NewlineAdded => "a line break or whitespace was added around it",
        Change::NewlineRemoved => "the line break at the end was removed",
        Change::LineEndings => "its line breaks changed between LF and CRLF",
        Change::BomAdded => "a byte order mark was added at the start",
        Change::BomRemoved => "the byte order mark at the start was removed",
        Change::CharsetChanged => "its character set was converted, for example from UTF-8 to Latin-1",
        Change::Compressed => "it was compressed",
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
        _ => ("They differ in how they are written.", "Enter the secret exactly as the sender has it."),
    }
}
