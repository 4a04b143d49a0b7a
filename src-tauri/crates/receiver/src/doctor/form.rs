//! Reads the value of a signature header as leniently as anything can be read, and says what is wrong with it.

use base64::{
    Engine as _, alphabet,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};

use super::Fault;
use crate::signature;

/// More values than this are not looked at.
const MOST_VALUES: usize = 4;
/// Shorter pieces are no digests: version marks, instants.
const SHORTEST_DIGEST: usize = 16;
/// Lengths of SHA-1, SHA-256, SHA-384 and SHA-512.
const DIGEST_BYTES: [usize; 4] = [20, 32, 48, 64];

const LENIENT: GeneralPurposeConfig =
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
const BASE64: [GeneralPurpose; 2] =
    [GeneralPurpose::new(&alphabet::STANDARD, LENIENT), GeneralPurpose::new(&alphabet::URL_SAFE, LENIENT)];

/// A header's value as it was read.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Form {
    /// What is wrong with it; nothing where the endpoint would have read it.
    pub(super) faults: Vec<Fault>,
    /// The digests it seems to mean.
    pub(super) tags: Vec<Vec<u8>>,
}

impl Form {
    fn fault(&mut self, fault: Fault) {
        if !self.faults.contains(&fault) {
            self.faults.push(fault);
        }
    }
}

/// Reads a value.
pub(super) fn read(value: &str) -> Form {
    if let Some(tag) = signature::tag(value.as_bytes()) {
        return Form { faults: Vec::new(), tags: vec![tag.to_vec()] };
    }
    let mut form = Form::default();
    if value.trim().is_empty() {
        form.fault(Fault::Empty);
        return form;
    }
    // Headers are kept as text, in which other bytes were replaced.
    if value.contains('\u{fffd}') {
        form.fault(Fault::NotText);
        return form;
    }
    let bare = value.replace(is_quotation_mark, "");
    if bare.len() < value.len() {
        form.fault(Fault::Quotes);
    }
    let value = bare.as_str();
    let pieces: Vec<&str> = value.split([',', ';']).map(str::trim).filter(|piece| is_digest_like(piece)).collect();
    let words: Vec<&str> = value.split_whitespace().filter(|word| is_digest_like(word)).collect();
    let pieces = match (pieces.len(), words.len()) {
        (0, _) => vec![value],
        (1, 2..) => words,
        _ => pieces,
    };
    if pieces.len() > 1 {
        form.fault(Fault::SeveralValues);
    } else if pieces[0].len() < value.trim().len() {
        // What stands before the digest belongs to another scheme, such as `v1,` or `t=…,`.
        form.fault(Fault::OtherPrefix);
    }
    for piece in pieces.into_iter().take(MOST_VALUES) {
        read_one(piece, &mut form);
    }
    form
}

fn is_digest_like(piece: &str) -> bool {
    piece.len() >= SHORTEST_DIGEST
}

fn read_one(piece: &str, form: &mut Form) {
    if piece.contains(char::is_whitespace) {
        form.fault(Fault::Spaces);
    }
    let piece: String = piece.split_whitespace().collect();
    let digits = without_prefix(&piece, form);
    let digits = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(digits) => {
            form.fault(Fault::HexPrefix);
            digits
        }
        None => digits,
    };
    if digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        if digits.len() != 64 {
            form.fault(Fault::WrongLength);
        }
        if DIGEST_BYTES.contains(&(digits.len() / 2)) && digits.len().is_multiple_of(2) {
            form.tags.extend(unhex(digits));
        } else if digits.len() < 64 {
            // Printed as one number, a digest loses the zeros in front.
            form.tags.extend(unhex(&format!("{digits:0>64}")));
        }
        return;
    }
    // 64 hexadecimal digits with a slip of the pen are base64 of 48 bytes, too.
    let slip = digits.bytes().filter(u8::is_ascii_hexdigit).count() * 4 >= digits.len() * 3;
    let decoded = BASE64.iter().filter(|_| !slip).find_map(|engine| engine.decode(digits).ok());
    let decoded = decoded.map(|bytes| std::str::from_utf8(&bytes).ok().and_then(unhex).unwrap_or(bytes));
    match decoded.filter(|bytes| DIGEST_BYTES.contains(&bytes.len())) {
        Some(tag) => {
            form.fault(Fault::Base64);
            form.tags.push(tag);
        }
        None => form.fault(Fault::NotHex),
    }
}

fn is_quotation_mark(character: char) -> bool {
    matches!(character, '"' | '\'' | '`' | '“' | '”' | '‘' | '’')
}

fn without_prefix<'a>(piece: &'a str, form: &mut Form) -> &'a str {
    if let Some(digits) = piece.strip_prefix("sha256=") {
        return digits;
    }
    let is_name = |name: &str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    // Base64 ends in the same sign that ends a prefix.
    let parts = piece.split_once(['=', ':']).filter(|(name, rest)| is_name(name) && is_digest_like(rest));
    let Some((name, digits)) = parts else {
        form.fault(Fault::MissingPrefix);
        return piece;
    };
    let capitals = name.eq_ignore_ascii_case("sha256") && piece.as_bytes()[name.len()] == b'=';
    form.fault(if capitals { Fault::UpperCasePrefix } else { Fault::OtherPrefix });
    digits
}

/// The bytes that an even number of hexadecimal digits stands for.
pub(super) fn unhex(digits: &str) -> Option<Vec<u8>> {
    let nibbles: Vec<u8> =
        digits.chars().map(|digit| digit.to_digit(16).and_then(|n| u8::try_from(n).ok())).collect::<Option<_>>()?;
    (!nibbles.is_empty() && nibbles.len().is_multiple_of(2))
        .then(|| nibbles.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}

/// The bytes that a base64 text of either alphabet stands for.
pub(super) fn unbase64(text: &[u8]) -> Option<Vec<u8>> {
    BASE64.iter().find_map(|engine| engine.decode(text).ok()).filter(|bytes| !bytes.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEX: &str = "8d64216ae9aa9eaf56c7979497d967340577c6e0c6ed9f510f8f0ae65de3c266";

    #[test]
    fn every_form_has_its_faults_and_its_digest() {
        use Fault::{
            Base64, Empty, HexPrefix, MissingPrefix, NotHex, NotText, OtherPrefix, Quotes, SeveralValues, Spaces,
            UpperCasePrefix, WrongLength,
        };
        let base64 = "jWQhaumqnq9Wx5eUl9lnNAV3xuDG7Z9RD48K5l3jwmY=";
        let url_safe = base64.trim_end_matches('=').replace('+', "-").replace('/', "_");
        let sha1 = &HEX[..40];
        let cases: Vec<(String, Vec<Fault>, usize)> = vec![
            (format!("sha256={HEX}"), vec![], 1),
            (format!("sha256={}", HEX.to_uppercase()), vec![], 1),
            (String::new(), vec![Empty], 0),
            ("  ".to_owned(), vec![Empty], 0),
            ("sha256=\u{fffd}\u{fffd}".to_owned(), vec![NotText], 0),
            (HEX.to_owned(), vec![MissingPrefix], 1),
            (format!("SHA256={HEX}"), vec![UpperCasePrefix], 1),
            (format!("sha1={HEX}"), vec![OtherPrefix], 1),
            (format!("v1={HEX}"), vec![OtherPrefix], 1),
            (format!("sha256:{HEX}"), vec![OtherPrefix], 1),
            (format!("t=1750000000,v1={HEX}"), vec![OtherPrefix], 1),
            (format!("v1,{base64}"), vec![OtherPrefix, MissingPrefix, Base64], 1),
            (format!("sha256= {HEX}"), vec![Spaces], 1),
            (format!("sha256 ={HEX}"), vec![Spaces], 1),
            (format!("\"sha256={HEX}\""), vec![Quotes], 1),
            (format!("sha256=\"{HEX}\""), vec![Quotes], 1),
            (format!("sha256={HEX},sha256={HEX}"), vec![SeveralValues], 2),
            (format!("sha256={HEX} sha256={HEX}"), vec![SeveralValues], 2),
            (format!("sha256={base64}"), vec![Base64], 1),
            (format!("sha256={url_safe}"), vec![Base64], 1),
            (base64.to_owned(), vec![MissingPrefix, Base64], 1),
            (format!("sha256=0x{HEX}"), vec![HexPrefix], 1),
            (format!("sha256={sha1}"), vec![WrongLength], 1),
            (format!("sha256={}", &HEX[..63]), vec![WrongLength], 1),
            (format!("sha256={HEX}00"), vec![WrongLength], 0),
            (format!("sha256={}g", &HEX[..63]), vec![NotHex], 0),
            ("sha256=".to_owned(), vec![WrongLength], 1),
            ("no".to_owned(), vec![MissingPrefix, NotHex], 0),
            (format!("sha256={HEX},"), vec![OtherPrefix], 1),
        ];
        for (value, faults, tags) in cases {
            let form = read(&value);
            assert_eq!((&form.faults, form.tags.len()), (&faults, tags), "{value:?}");
            let same_digest = !matches!(faults.as_slice(), [.., WrongLength]);
            for tag in form.tags.iter().filter(|_| same_digest) {
                assert_eq!(Some(tag), unhex(HEX).as_ref(), "{value:?}");
            }
        }
    }
}
