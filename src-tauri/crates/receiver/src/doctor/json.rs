//! Writes a JSON text again the way other libraries would: other white space, other escapes, the same content.
//!
//! It works on the text's tokens and never on values, so that numbers, repeated keys and the order of keys stay.

use super::Change;

/// Most that a rewritten text may grow, so that deep nesting cannot make its indentation endless.
const MOST_GROWTH: usize = 4;

/// How white space is laid out between tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// As it is.
    Kept,
    /// None at all.
    Compact,
    /// A space after `,` and `:`, as Python writes.
    Spaced,
    /// One member a line, indented by the first text, lines ended by the second.
    Indented(&'static str, &'static str),
}

/// How non-ASCII characters are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Letters {
    Kept,
    /// `\u00e9`
    Lower,
    /// `\u00E9`
    Upper,
    Raw,
}

/// How `/` is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slashes {
    Kept,
    Escaped,
    Raw,
}

/// How ASCII signs are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Signs {
    Kept,
    /// These are escaped, with digits in upper or lower case.
    Escaped {
        signs: &'static str,
        upper: bool,
    },
    Raw,
}

const LAYOUTS: [Layout; 7] = [
    Layout::Kept,
    Layout::Compact,
    Layout::Spaced,
    Layout::Indented("  ", "\n"),
    Layout::Indented("    ", "\n"),
    Layout::Indented("\t", "\n"),
    Layout::Indented("  ", "\r\n"),
];
const LETTERS: [Letters; 4] = [Letters::Kept, Letters::Lower, Letters::Raw, Letters::Upper];
const SLASHES: [Slashes; 3] = [Slashes::Kept, Slashes::Escaped, Slashes::Raw];
/// The channel's older way (upstream §9.2), then those of Go, Gson and .NET.
const SIGNS: [Signs; 7] = [
    Signs::Kept,
    Signs::Escaped { signs: "<%@", upper: true },
    Signs::Escaped { signs: "<%@", upper: false },
    Signs::Escaped { signs: "<>&", upper: false },
    Signs::Escaped { signs: "<>&='", upper: false },
    Signs::Escaped { signs: "<>&'+`", upper: true },
    Signs::Raw,
];

/// A way to write a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    pub(super) layout: Layout,
    pub(super) letters: Letters,
    pub(super) slashes: Slashes,
    pub(super) signs: Signs,
}

#[derive(Clone, Copy, Debug)]
enum Token<'a> {
    /// One of `{ } [ ] , :`.
    Mark(u8),
    /// What stands between the quotation marks.
    String(&'a str),
    /// A number or a word.
    Word(&'a str),
    Blank(&'a str),
}

/// A text that was taken apart.
#[derive(Debug)]
pub(super) struct Text<'a> {
    source: &'a str,
    tokens: Vec<Token<'a>>,
    /// What would close it: the marks of what is still open, innermost first, after a `"` where a string is.
    missing: String,
    /// Where the first complete value ends.
    end: Option<usize>,
}

impl<'a> Text<'a> {
    /// Takes a text apart; it need not be whole.
    pub(super) fn read(source: &'a str) -> Self {
        let bytes = source.as_bytes();
        let mut text = Self { source, tokens: Vec::new(), missing: String::new(), end: None };
        let mut open = Vec::new();
        let mut at = 0;
        while at < bytes.len() {
            let start = at;
            let token = match bytes[at] {
                b'"' => {
                    at = string_end(bytes, at + 1);
                    let closed = at > start + 1 && bytes.get(at - 1) == Some(&b'"') && at <= bytes.len();
                    if at > bytes.len() || !closed {
                        text.tokens.push(Token::String(&source[start + 1..]));
                        text.missing.push('"');
                        break;
                    }
                    Token::String(&source[start + 1..at - 1])
                }
                mark @ (b'{' | b'[') => {
                    open.push(if mark == b'{' { '}' } else { ']' });
                    at += 1;
                    Token::Mark(mark)
                }
                mark @ (b'}' | b']') => {
                    open.pop();
                    at += 1;
                    Token::Mark(mark)
                }
                mark @ (b',' | b':') => {
                    at += 1;
                    Token::Mark(mark)
                }
                b' ' | b'\t' | b'\n' | b'\r' => {
                    at = end_of(bytes, at, |byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'));
                    Token::Blank(&source[start..at])
                }
                _ => {
                    at = end_of(bytes, at, |byte| !b"\"{}[],: \t\n\r".contains(&byte));
                    Token::Word(&source[start..at])
                }
            };
            let ends_value = open.is_empty() && !matches!(token, Token::Blank(_));
            text.tokens.push(token);
            if ends_value && text.end.is_none() {
                text.end = Some(at);
            }
        }
        text.missing.extend(open.iter().rev());
        text
    }

    /// What would have to follow for the text to be whole; empty where it is.
    pub(super) fn missing(&self) -> &str {
        &self.missing
    }

    /// The first complete value alone, where something else follows it.
    pub(super) fn first_value(&self) -> Option<&'a str> {
        let end = self.end.filter(|end| !self.source[*end..].trim().is_empty())?;
        Some(&self.source[..end])
    }

    /// Whether there is any structure to lay out in another way.
    pub(super) fn has_structure(&self) -> bool {
        self.missing.is_empty() && self.tokens.iter().any(|token| matches!(token, Token::Mark(_)))
    }

    /// The styles in which the text may look different. The rare ones escape ASCII signs.
    pub(super) fn styles(&self, rare: bool) -> impl Iterator<Item = Style> + use<> {
        let bytes = self.source.as_bytes();
        let has_escapes = memchr::memmem::find(bytes, b"\\u").is_some();
        let has_letters = has_escapes || !self.source.is_ascii();
        let has_slashes = memchr::memchr(b'/', bytes).is_some();
        let has_signs = has_escapes || bytes.iter().any(|byte| b"<>%@&='+`".contains(byte));
        let letters = if has_letters { &LETTERS[..] } else { &LETTERS[..1] };
        let slashes = if has_slashes { &SLASHES[..] } else { &SLASHES[..1] };
        let signs = match (rare, has_signs) {
            (false, _) => &SIGNS[..1],
            (true, true) => &SIGNS[1..],
            (true, false) => &[],
        };
        signs.iter().flat_map(move |signs| {
            LAYOUTS.iter().flat_map(move |layout| {
                letters.iter().flat_map(move |letters| {
                    let style = |slashes| Style { layout: *layout, letters: *letters, slashes, signs: *signs };
                    slashes.iter().copied().map(style)
                })
            })
        })
    }

    /// The text in another style, and what happened to the escapes of a body that was in that style and became this
    /// text. Nothing where the style changes nothing, and where the text would grow beyond measure.
    pub(super) fn write(&self, style: Style) -> Option<(String, Vec<Change>)> {
        let mut writer = Writer {
            out: String::with_capacity(self.source.len() + 64),
            limit: self.source.len().saturating_mul(MOST_GROWTH) + 4_096,
            style,
            changes: Vec::new(),
        };
        let root = |token: &Token<'_>| !matches!(token, Token::Blank(_));
        let (first, last) = (self.tokens.iter().position(root)?, self.tokens.iter().rposition(root)?);
        let mut depth = 0_usize;
        let mut after_opening = false;
        for (place, token) in self.tokens.iter().enumerate() {
            let around = place < first || place > last;
            if let Token::Blank(blank) = token {
                if around || style.layout == Layout::Kept {
                    writer.out.push_str(blank);
                }
                continue;
            }
            if writer.out.len() > writer.limit {
                return None;
            }
            let closes = matches!(token, Token::Mark(b'}' | b']'));
            if closes {
                depth = depth.saturating_sub(1);
            }
            if (after_opening && !closes) || (closes && !after_opening) {
                writer.line(depth);
            }
            after_opening = false;
            match *token {
                Token::Mark(mark) => {
                    writer.out.push(char::from(mark));
                    match mark {
                        b'{' | b'[' => {
                            depth += 1;
                            after_opening = true;
                        }
                        b',' => writer.after_comma(depth),
                        b':' if !matches!(style.layout, Layout::Kept | Layout::Compact) => writer.out.push(' '),
                        _ => {}
                    }
                }
                Token::String(string) => {
                    writer.out.push('"');
                    writer.string(string);
                    writer.out.push('"');
                }
                Token::Word(word) => writer.out.push_str(word),
                Token::Blank(_) => {}
            }
        }
        let Writer { out, mut changes, .. } = writer;
        changes.sort_unstable();
        (out != self.source).then_some((out, changes))
    }

    /// Whether the white space between tokens is other than in this text, whatever else is.
    pub(super) fn is_laid_out_unlike(&self, other: &str) -> bool {
        let blanks = |text: &Text<'_>| {
            let mut blanks = Vec::new();
            for token in &text.tokens {
                match token {
                    Token::Blank(blank) => blanks.extend_from_slice(blank.as_bytes()),
                    _ => blanks.push(0),
                }
            }
            blanks
        };
        blanks(self) != blanks(&Text::read(other))
    }
}

/// The place after the quotation mark that ends a string; beyond the text where none does.
fn string_end(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() {
        match bytes[at] {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    bytes.len() + 1
}

fn end_of(bytes: &[u8], from: usize, belongs: impl Fn(u8) -> bool) -> usize {
    bytes[from..].iter().position(|byte| !belongs(*byte)).map_or(bytes.len(), |length| from + length)
}

struct Writer {
    out: String,
    limit: usize,
    style: Style,
    changes: Vec<Change>,
}

impl Writer {
    /// Begins a line where the layout has lines.
    fn line(&mut self, depth: usize) {
        if let Layout::Indented(indent, end) = self.style.layout {
            self.out.push_str(end);
            for _ in 0..depth {
                self.out.push_str(indent);
                if self.out.len() > self.limit {
                    return;
                }
            }
        }
    }

    fn after_comma(&mut self, depth: usize) {
        match self.style.layout {
            Layout::Spaced => self.out.push(' '),
            Layout::Indented(..) => self.line(depth),
            Layout::Kept | Layout::Compact => {}
        }
    }

    fn changed(&mut self, change: Change) {
        if !self.changes.contains(&change) {
            self.changes.push(change);
        }
    }

    fn string(&mut self, string: &str) {
        let mut rest = string;
        while let Some(first) = rest.chars().next() {
            let (unit, after) = match first {
                '\\' => {
                    let unit = escape(rest);
                    (unit, &rest[unit.source.len()..])
                }
                _ => {
                    let (source, after) = rest.split_at(first.len_utf8());
                    (Unit { source, means: Some(first) }, after)
                }
            };
            self.unit(unit);
            rest = after;
        }
    }

    fn unit(&mut self, Unit { source, means }: Unit<'_>) {
        let escaped = source.starts_with('\\');
        match means {
            Some('/') if source.len() <= 2 => self.slash(escaped),
            Some(sign) if sign.is_ascii() => self.sign(source, sign, escaped),
            Some(letter) => self.letter(source, letter, escaped),
            None => self.out.push_str(source),
        }
    }

    fn slash(&mut self, escaped: bool) {
        let escape = match self.style.slashes {
            Slashes::Kept => escaped,
            Slashes::Escaped => true,
            Slashes::Raw => false,
        };
        match (escaped, escape) {
            (false, true) => self.changed(Change::SlashesUnescaped),
            (true, false) => self.changed(Change::SlashesEscaped),
            _ => {}
        }
        self.out.push_str(if escape { "\\/" } else { "/" });
    }

    fn sign(&mut self, source: &str, sign: char, escaped: bool) {
        // These stand for themselves nowhere, or have escapes of their own.
        let fixed = sign.is_ascii_control() || matches!(sign, '"' | '\\') || (escaped && source.len() < 6);
        match self.style.signs {
            Signs::Escaped { signs, upper } if !fixed && signs.contains(sign) => {
                let escape =
                    if upper { format!("\\u{:04X}", u32::from(sign)) } else { format!("\\u{:04x}", u32::from(sign)) };
                if !escaped {
                    self.changed(Change::SignsUnescaped);
                } else if source != escape {
                    self.changed(Change::EscapesRecased);
                }
                self.out.push_str(&escape);
            }
            Signs::Raw if !fixed && escaped => {
                self.changed(Change::SignsEscaped);
                self.out.push(sign);
            }
            _ => self.out.push_str(source),
        }
    }

    fn letter(&mut self, source: &str, letter: char, escaped: bool) {
        let upper = match self.style.letters {
            Letters::Kept => return self.out.push_str(source),
            Letters::Raw => {
                if escaped {
                    self.changed(Change::Escaped);
                }
                return self.out.push(letter);
            }
            Letters::Lower => false,
            Letters::Upper => true,
        };
        let mut escape = String::new();
        for unit in letter.encode_utf16(&mut [0; 2]) {
            escape += &if upper { format!("\\u{unit:04X}") } else { format!("\\u{unit:04x}") };
        }
        if !escaped {
            self.changed(Change::Unescaped);
        } else if source != escape {
            self.changed(Change::EscapesRecased);
        }
        self.out.push_str(&escape);
    }
}

/// A piece of a string and the character it stands for, where it stands for one.
#[derive(Clone, Copy)]
struct Unit<'a> {
    source: &'a str,
    means: Option<char>,
}

/// The escape that a text begins with, be it well-formed or not.
fn escape(text: &str) -> Unit<'_> {
    let Some(kind) = text[1..].chars().next() else { return Unit { source: text, means: None } };
    let short = &text[..1 + kind.len_utf8()];
    if kind != 'u' {
        return Unit { source: short, means: (kind == '/').then_some('/') };
    }
    let Some(first) = code_unit(text) else { return Unit { source: short, means: None } };
    if let Some(letter) = char::from_u32(first.into()) {
        return Unit { source: &text[..6], means: Some(letter) };
    }
    let pair = code_unit(&text[6..]).and_then(|second| char::decode_utf16([first, second]).next()?.ok());
    match pair {
        Some(letter) => Unit { source: &text[..12], means: Some(letter) },
        // Half a pair stands for no character.
        None => Unit { source: &text[..6], means: None },
    }
}

fn code_unit(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| u16::from_str_radix(digits, 16).ok())?
}

#[cfg(test)]
mod tests;
