//! JSON as the channel writes it: ASCII only, with `/` escaped (upstream §9.2).
//!
//! A webhook signature covers the exact bytes, which differ from those of other serialisers. A receiver that parses and
//! re-serialises the body before it checks the signature therefore fails.

use std::io;

use serde::Serialize;
use serde_json::ser::Formatter;

struct Escaping;

impl Formatter for Escaping {
    fn write_string_fragment<W>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()>
    where
        W: ?Sized + io::Write,
    {
        let mut units = [0_u16; 2];
        for character in fragment.chars() {
            match character {
                '/' => writer.write_all(b"\\/")?,
                ascii if ascii.is_ascii() => writer.write_all(&[ascii as u8])?,
                other => {
                    for unit in other.encode_utf16(&mut units) {
                        write!(writer, "\\u{unit:04x}")?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// `value` as compact JSON with non-ASCII characters as lower-case `\u00e9` and `/` as `\/`.
pub(crate) fn to_ascii_json(value: &impl Serialize) -> String {
    let mut bytes = Vec::new();
    let mut serializer = serde_json::Serializer::with_formatter(&mut bytes, Escaping);
    value.serialize(&mut serializer).expect("JSON values serialise into memory");
    String::from_utf8(bytes).expect("only ASCII was written")
}

#[cfg(test)]
mod tests {
    use super::to_ascii_json;
    use serde_json::{Value, json};

    #[test]
    fn non_ascii_and_slashes_are_escaped_and_read_back_the_same() {
        let value = json!({"t": "caf\u{e9} \u{1f600} a@b.c https://x \"q\" \n\u{1} \\"});
        let text = to_ascii_json(&value);
        assert_eq!(text, r#"{"t":"caf\u00e9 \ud83d\ude00 a@b.c https:\/\/x \"q\" \n\u0001 \\"}"#);
        assert_eq!(serde_json::from_str::<Value>(&text).ok(), Some(value));
    }
}
