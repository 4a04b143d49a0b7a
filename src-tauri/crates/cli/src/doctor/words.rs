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
    const SEND_RIGHT: &str = "Let the sender send `X-Hub-Signature-256: sha256=` and the 64 hexadecimal digits of the \
                              HMAC-SHA256 of the body.";
    match diagnosis {
        Diagnosis::Valid { by } => said(
            format!("the signature was made with the secret in {by}"),
            "The digest fits the body as it is.",
            "Nothing; a receiver with this secret accepts this delivery.",
        ),
        Diagnosis::NoHeader { other_header: None, .. } => {
            said("the delivery has no X-Hub-Signature-256", "Without it nobody can tell who sent it.", SEND_RIGHT)
        }
        Diagnosis::NoHeader { other_header: Some(other), secret } => said(
            format!("the delivery has no X-Hub-Signature-256, but the header {other}"),
            match secret {
                Some(secret) => format!(
                    "{other} holds a valid signature made with the secret in {secret}, but only X-Hub-Signature-256 \
                     counts: older headers use weaker digests."
                ),
                None => format!("{other} is not looked at, and no secret given here made what it holds."),
            },
            SEND_RIGHT,
        ),
        Diagnosis::DuplicateHeader {} => said(
            "X-Hub-Signature-256 occurs more than once",
            "Which of them counts would be a guess, so none does.",
            "Let the sender, and whatever forwards the delivery, send the header once.",
        ),
        Diagnosis::WrongForm { faults, secret } => said(
            format!("the signature is written wrongly: {}", list(faults.iter().map(|fault| self::fault(*fault)))),
            match secret {
                Some(secret) => format!("Its digest is right and was made with the secret in {secret}."),
                None => "Its digest was made with none of the secrets given here, either.".to_owned(),
            },
            SEND_RIGHT,
        ),
        Diagnosis::NoSecret {} => said(
            "there is no secret to check the signature with",
            "A signature can only be checked by someone who has the secret.",
            "Configure the secret with which the sender signs.",
        ),
        Diagnosis::OtherRoute { route, secret } => said(
            format!("the signature was made with the secret of {route} ({secret})"),
            "The delivery came in by the path of another workspace or number.",
            "Correct the callback URL at the sender, or the secret of this path.",
        ),
        Diagnosis::BodyChanged { changes, secret } => said(
            format!("the body was changed after it was signed with the secret in {secret}"),
            format!("What happened to it: {}.", list(changes.iter().map(|change| self::change(*change)))),
            "Let whatever stands between sender and receiver pass the body on byte for byte; where you parse it before \
             checking, check the raw bytes instead.",
        ),
        Diagnosis::SecretEdges { edge, secret } => {
            let (why, remedy) = self::edge(*edge);
            said(format!("the secret in {secret} is nearly the sender's"), why, remedy)
        }
        Diagnosis::WrongAlgorithm { algorithm, secret } => said(
            format!("the signature was made by {}, not by HMAC-SHA256", self::algorithm(*algorithm)),
            match secret {
                Some(secret) => format!("It fits the body with the secret in {secret}, so only the method is wrong."),
                None => "It fits the body without any secret, so anybody could have made it.".to_owned(),
            },
            SEND_RIGHT,
        ),
        Diagnosis::OtherSecret { tried, attempts, signs } => {
            let mut why = format!(
                "{attempts} signatures over the body and over what it may have been before were computed with {}; none \
                 fits.",
                list(tried.iter().map(String::as_str))
            );
            if !signs.is_empty() {
                why += &format!(" What is odd about the body: {}.", list(signs.iter().map(|sign| self::sign(*sign))));
            }
            said(
                "no secret given here made the signature",
                why,
                "Copy the secret anew from where the sender's is shown. If it is the same, compare the body's length \
                 here with the one that was sent.",
            )
        }
        Diagnosis::BodyNotKept {} => said(
            "the body is too long to have been kept",
            "Without all of its bytes no signature can be computed.",
            "Save a delivery's body to a file and examine that.",
        ),
        // `plain`, and what a newer library may add.
        _ => said(
            "the delivery was refused for something else than its signature",
            "The reason in the answer says what.",
            "Follow the details of the answer.",
        ),
    }
}

fn list<'a>(items: impl Iterator<Item = &'a str>) -> String {
    items.collect::<Vec<_>>().join("; ")
}

fn fault(fault: Fault) -> &'static str {
    match fault {
        Fault::Empty => "it is empty",
        Fault::NotText => "it holds bytes that are no text",
        Fault::SeveralValues => "there are several values in it",
        Fault::Quotes => "it stands in quotation marks",
        Fault::Spaces => "there are spaces in it",
        Fault::MissingPrefix => "`sha256=` is missing in front",
        Fault::UpperCasePrefix => "`sha256=` is written in capitals",
        Fault::OtherPrefix => "something else than `sha256=` stands in front",
        Fault::Base64 => "the digest is in base64 instead of hexadecimal digits",
        Fault::HexPrefix => "the digits begin with `0x`",
        Fault::WrongLength => "there are not 64 digits",
        Fault::NotHex => "not all of it are hexadecimal digits",
        _ => "it has another form",
    }
}

fn change(change: Change) -> &'static str {
    match change {
        Change::Reserialised => "a JSON library wrote it again with other white space",
        Change::Unescaped => "escapes such as `\\u00e9` became the characters they stand for",
        Change::Escaped => "characters beyond ASCII became escapes such as `\\u00e9`",
        Change::EscapesRecased => "the digits of escapes changed between lower and upper case",
        Change::SlashesUnescaped => "`\\/` became `/`",
        Change::SlashesEscaped => "`/` became `\\/`",
        Change::SignsUnescaped => "escapes such as `\\u003C` became the signs they stand for",
        Change::SignsEscaped => "signs such as `<` became escapes",
        Change::NewlineAdded => "a line end was added at its end",
        Change::NewlineRemoved => "the line end at its end was removed",
        Change::BlanksAdded => "white space was added around it",
        Change::LineEndings => "its line ends changed between LF and CR LF",
        Change::BomAdded => "a byte order mark was put in front",
        Change::BomRemoved => "the byte order mark in front was removed",
        Change::ReencodedLatin1 => "it was converted from UTF-8 to Latin-1 or Windows-1252",
        Change::ReencodedTwice => "its UTF-8 was taken for Latin-1 and encoded again",
        Change::ReencodedUtf16 => "it was converted to UTF-16",
        Change::PercentEncoded => "it was percent-encoded as in a form",
        Change::HtmlEscaped => "its signs became HTML entities",
        Change::Quoted => "it was put into a JSON string",
        Change::Wrapped => "it was put into another JSON object",
        Change::Base64Encoded => "it was encoded in base64",
        Change::Compressed => "it was compressed",
        Change::Cut => "its end was cut off",
        Change::Appended => "something was appended to it",
        Change::SignedEmpty => "an empty body was signed in its place",
        _ => "it was changed in another way",
    }
}

fn edge(edge: Edge) -> (&'static str, &'static str) {
    const TRIM_OURS: &str = "Enter the secret again without them.";
    const TRIM_THEIRS: &str = "Remove it at the sender, or enter the secret here with it.";
    match edge {
        Edge::OwnBlanks => ("Yours has spaces or a line end around it that the sender's has not.", TRIM_OURS),
        Edge::OwnQuotes => ("Yours stands in quotation marks that the sender's has not.", TRIM_OURS),
        Edge::SenderNewline => {
            ("The sender's ends in a line end, as when it was read from a file with `echo`.", TRIM_THEIRS)
        }
        Edge::SenderBlank => ("The sender's has a space before or after it.", TRIM_THEIRS),
        Edge::SenderQuotes => ("The sender's stands in quotation marks.", TRIM_THEIRS),
        Edge::HexBytes => (
            "The sender takes the secret for hexadecimal digits and signs with the bytes they stand for.",
            "Let the sender sign with the secret's text as it is.",
        ),
        Edge::Base64Bytes => (
            "The sender takes the secret for base64 and signs with the bytes it stands for.",
            "Let the sender sign with the secret's text as it is.",
        ),
        Edge::HexText => (
            "The sender signs with the secret written in hexadecimal digits.",
            "Enter the hexadecimal form here, or let the sender sign with the secret's text as it is.",
        ),
        Edge::Base64Text => (
            "The sender signs with the secret written in base64.",
            "Enter the base64 form here, or let the sender sign with the secret's text as it is.",
        ),
        Edge::LetterCase => (
            "The sender's is written in other letter case.",
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
        Sign::EndsEarly => "it is JSON that ends before its end",
        Sign::NotUtf8 => "it is not UTF-8",
        Sign::LostCharacters => "it holds replacement characters, so letters were lost on the way",
        Sign::Unpacked => "it is said to be compressed and is not, so something unpacked it on the way",
        _ => "something else",
    }
}
