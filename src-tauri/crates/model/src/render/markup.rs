//! The channel's formatting: `*bold*`, `_italic_`, `~strike~`, `` `code` ``, code blocks, lists and quotes.
//!
//! A sign formats only at word boundaries, as on the phone: `2*3*4` and `snake_case_name` are unchanged.

use std::ops::Range;

use super::{Block, Run};

const FENCE: &str = "```";

/// Splits a text into blocks; `variables` are the ranges of its variables, ascending.
pub(super) fn blocks(text: &str, variables: &[Range<usize>]) -> Vec<Block> {
    let mut parser = Parser { text, variables, blocks: Vec::new() };
    let mut from = 0;
    while let Some(code) = next_code_block(text, from) {
        // The line breaks around a code block are not part of it.
        let before = &text[from..code.start];
        let end = from + before.strip_suffix('\n').map_or(before.len(), str::len);
        if end > from {
            parser.lines(from..end);
        }
        let inner = &text[code.start + FENCE.len()..code.end - FENCE.len()];
        parser.blocks.push(Block::Code { text: inner.trim_matches('\n').to_owned() });
        from = code.end;
        if text[from..].starts_with('\n') {
            from += 1;
            if from == text.len() {
                return parser.blocks;
            }
        }
    }
    if from < text.len() {
        parser.lines(from..text.len());
    }
    parser.blocks
}

/// The range of the next multi-line fenced code, including the fences. Fenced code within a line is a run of that line.
fn next_code_block(text: &str, mut from: usize) -> Option<Range<usize>> {
    loop {
        let start = from + text[from..].find(FENCE)?;
        let inner = start + FENCE.len();
        let end = inner + text[inner..].find(FENCE)?;
        if text[inner..end].contains('\n') && !text[inner..end].trim().is_empty() {
            return Some(start..end + FENCE.len());
        }
        from = end + FENCE.len();
    }
}

#[derive(Clone, Copy, Default)]
struct Style {
    bold: bool,
    italic: bool,
    strike: bool,
    code: bool,
}

struct Parser<'t> {
    text: &'t str,
    variables: &'t [Range<usize>],
    blocks: Vec<Block>,
}

impl Parser<'_> {
    fn lines(&mut self, range: Range<usize>) {
        let mut start = range.start;
        for line in self.text[range].split('\n') {
            let end = start + line.len();
            let block = self.line(start..start + line.trim_end_matches('\r').len());
            self.blocks.push(block);
            start = end + 1;
        }
    }

    fn line(&self, range: Range<usize>) -> Block {
        let line = &self.text[range.clone()];
        let after = |length: usize| self.runs(range.start + length..range.end);
        if line.starts_with("* ") || line.starts_with("- ") {
            return Block::Bullet { runs: after(2) };
        }
        if line.starts_with("> ") {
            return Block::Quote { runs: after(2) };
        }
        let digits = line.bytes().take_while(u8::is_ascii_digit).count();
        if (1..=3).contains(&digits) && line[digits..].starts_with(". ") {
            return Block::Numbered { number: line[..digits].to_owned(), runs: after(digits + 2) };
        }
        Block::Line { runs: after(0) }
    }

    fn runs(&self, range: Range<usize>) -> Vec<Run> {
        let mut runs = Vec::new();
        self.styled(range.clone(), &range, Style::default(), &mut runs);
        runs
    }

    /// Adds the runs of `range`, a part of `line`, in `style`.
    fn styled(&self, range: Range<usize>, line: &Range<usize>, style: Style, runs: &mut Vec<Run>) {
        let bytes = self.text.as_bytes();
        // A sign without a counterpart has none further on either.
        let mut lone = [false; 4];
        let mut plain = range.start;
        let mut at = range.start;
        while at < range.end {
            let Some(kind) = b"*_~`".iter().position(|sign| *sign == bytes[at]) else {
                at += 1;
                continue;
            };
            let sign = bytes[at];
            let fenced = sign == b'`' && self.text[at..range.end].starts_with(FENCE);
            let width = if fenced { FENCE.len() } else { 1 };
            let end = if fenced {
                self.text[at + width..range.end]
                    .find(FENCE)
                    .filter(|length| *length > 0)
                    .map(|length| at + width + length)
            } else if lone[kind] || !self.opens(at, line) {
                None
            } else {
                let end = (at + 2..range.end).find(|end| bytes[*end] == sign && self.closes(*end, line));
                lone[kind] = end.is_none();
                end
            };
            let Some(end) = end else {
                at += width;
                continue;
            };
            self.push(plain..at, style, runs);
            let inner = at + width..end;
            match sign {
                b'*' => self.styled(inner, line, Style { bold: true, ..style }, runs),
                b'_' => self.styled(inner, line, Style { italic: true, ..style }, runs),
                b'~' => self.styled(inner, line, Style { strike: true, ..style }, runs),
                _ => self.push(inner, Style { code: true, ..style }, runs),
            }
            at = end + width;
            plain = at;
        }
        self.push(plain..range.end, style, runs);
    }

    fn before(&self, at: usize, line: &Range<usize>) -> Option<char> {
        self.text[line.start..at].chars().next_back()
    }

    fn after(&self, at: usize, line: &Range<usize>) -> Option<char> {
        self.text[at + 1..line.end].chars().next()
    }

    /// Whether the sign at `at` is before a word and not inside one.
    fn opens(&self, at: usize, line: &Range<usize>) -> bool {
        let sign = char::from(self.text.as_bytes()[at]);
        self.before(at, line).is_none_or(|c| !c.is_alphanumeric())
            && self.after(at, line).is_some_and(|c| !c.is_whitespace() && c != sign)
    }

    /// Whether the sign at `at` is after a word and not inside one.
    fn closes(&self, at: usize, line: &Range<usize>) -> bool {
        self.before(at, line).is_some_and(|c| !c.is_whitespace())
            && self.after(at, line).is_none_or(|c| !c.is_alphanumeric())
    }

    /// Adds a run in one style, split at the boundaries of variables.
    fn push(&self, range: Range<usize>, style: Style, runs: &mut Vec<Run>) {
        let mut from = range.start;
        let first = self.variables.partition_point(|variable| variable.end <= range.start);
        for variable in self.variables[first..].iter().take_while(|variable| variable.start < range.end) {
            let (start, end) = (variable.start.max(from), variable.end.min(range.end));
            self.run(from..start, style, false, runs);
            self.run(start..end, style, true, runs);
            from = end;
        }
        self.run(from..range.end, style, false, runs);
    }

    fn run(&self, range: Range<usize>, style: Style, variable: bool, runs: &mut Vec<Run>) {
        if range.is_empty() {
            return;
        }
        let Style { bold, italic, strike, code } = style;
        runs.push(Run { text: self.text[range].to_owned(), bold, italic, strike, code, variable });
    }
}
