//! `tdesk preview`: prints a template file as the phone shows it, as plain text.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use model::render::{Block, Bubble, BubbleButton, BubbleHeader, Fill, Run, render};
use model::template::Template;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use crate::lint::Format;
use crate::names::shown;
use crate::{exit, template_file};

/// Columns between the borders of a bubble.
const WIDTH: usize = 44;
/// Joins the characters around it into one emoji.
const ZERO_WIDTH_JOINER: char = '\u{200d}';

/// Show the message as on the phone, with the template's samples filled in.
///
/// A template file is JSON with name, category, language and components. Exits with 1 if it is not a template, and
/// with 3 if the file can't be read.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Template file.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Output format.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// Prints the bubble of the file's template.
pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let bytes = template_file::read(&args.file)?;
    let template = template_file::json(&bytes).and_then(|json| model::json::read::<Template>(&json));
    let template = match template {
        Ok(template) => template,
        Err(error) => {
            eprintln!(
                "tdesk: {} is not a template: {error}. Run `tdesk lint` to see what to correct.",
                shown(&args.file)
            );
            return Ok(exit::REFUSED.into());
        }
    };
    if template.components.is_empty() {
        eprintln!(
            "tdesk: {} is not a template: it has no components. Run `tdesk lint` to see what to correct.",
            shown(&args.file)
        );
        return Ok(exit::REFUSED.into());
    }
    let bubble = render(&template, &Fill::default());
    let output = match args.format {
        Format::Json => serde_json::to_string_pretty(&bubble)? + "\n",
        Format::Text => draw(&bubble),
    };
    std::io::stdout().lock().write_all(output.as_bytes()).context("could not print the message")?;
    Ok(ExitCode::SUCCESS)
}

/// The bubble in box-drawing characters, followed by its cards, and by what the phone hides or can't show.
fn draw(bubble: &Bubble) -> String {
    let mut out = String::new();
    draw_box(bubble, &mut out);
    for (index, card) in bubble.cards.iter().enumerate() {
        out.push_str(&format!("Card {} of {}\n", index + 1, bubble.cards.len()));
        draw_box(card, &mut out);
    }
    if bubble.visible_buttons < bubble.buttons.len() {
        out.push_str("Behind \"See all options\":\n");
        for button in &bubble.buttons[bubble.visible_buttons..] {
            out.push_str(&format!("  {}\n", label(button)));
        }
    }
    let mut unknown: Vec<&str> = bubble.unknown.iter().map(String::as_str).collect();
    unknown.extend(bubble.cards.iter().flat_map(|card| card.unknown.iter().map(String::as_str)));
    if !unknown.is_empty() {
        out.push_str(&format!("Not shown: {}\n", unknown.join(", ")));
    }
    out
}

fn draw_box(bubble: &Bubble, out: &mut String) {
    let rule = "─".repeat(WIDTH + 2);
    out.push_str(&format!("╭{rule}╮\n"));
    let mut lines: Vec<String> = Vec::new();
    match &bubble.header {
        Some(BubbleHeader::Text { text }) => lines.extend(wrap(text, "", "")),
        Some(BubbleHeader::Media { format, link }) => {
            lines.push(format!("[{format}]"));
            lines.extend(link.iter().flat_map(|link| wrap(link, "", "")));
        }
        None => {}
    }
    if let Some(offer) = &bubble.offer {
        lines.extend(wrap(offer, "% ", "  "));
    }
    if !lines.is_empty() && !bubble.body.is_empty() {
        lines.push(String::new());
    }
    lines.extend(bubble.body.iter().flat_map(block));
    if let Some(footer) = &bubble.footer {
        lines.push(String::new());
        lines.extend(wrap(footer, "", ""));
    }
    for line in lines {
        row(&line, bubble.right_to_left, out);
    }
    for button in &bubble.buttons[..bubble.visible_buttons.min(bubble.buttons.len())] {
        out.push_str(&format!("├{rule}┤\n"));
        center(&label(button), out);
    }
    if bubble.visible_buttons < bubble.buttons.len() {
        out.push_str(&format!("├{rule}┤\n"));
        center("≡ See all options", out);
    }
    out.push_str(&format!("╰{rule}╯\n"));
}

fn block(block: &Block) -> Vec<String> {
    let plain = |runs: &[Run]| runs.iter().map(|run| run.text.as_str()).collect::<String>();
    match block {
        Block::Line { runs } => wrap(&plain(runs), "", ""),
        Block::Bullet { runs } => wrap(&plain(runs), "• ", "  "),
        Block::Numbered { number, runs } => wrap(&plain(runs), &format!("{number}. "), &" ".repeat(number.len() + 2)),
        Block::Quote { runs } => wrap(&plain(runs), "▎ ", "▎ "),
        Block::Code { text } => text.lines().flat_map(|line| wrap(line, "  ", "  ")).collect(),
    }
}

/// The symbol of a button, its label and its target.
fn label(button: &BubbleButton) -> String {
    let sign = match button.kind.as_str() {
        "URL" => "↗",
        "QUICK_REPLY" => "↩",
        "PHONE_NUMBER" | "VOICE_CALL" => "☎",
        "COPY_CODE" | "OTP" => "⧉",
        _ => "▸",
    };
    format!("{sign} {}", button.label)
}

/// Wraps a text to lines of at most [`WIDTH`] columns, with `first` before the first line and `other` before the
/// others.
fn wrap(text: &str, first: &str, other: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = first.to_owned();
    let mut empty = true;
    for mut word in text.split(' ') {
        let gap = usize::from(!empty);
        let mut wide = word.width();
        if !empty && line.width() + gap + wide > WIDTH {
            lines.push(std::mem::replace(&mut line, other.to_owned()));
            empty = true;
        }
        if !empty {
            line.push(' ');
        }
        // A word wider than the bubble is broken, as on the phone.
        while line.width() + wide > WIDTH {
            let (head, tail) = word.split_at(prefix_length(word, WIDTH - line.width().min(WIDTH - 1)));
            // Updated incrementally, because a text may be one long word.
            wide = wide.saturating_sub(head.width());
            line.push_str(head);
            lines.push(std::mem::replace(&mut line, other.to_owned()));
            word = tail;
        }
        line.push_str(word);
        empty = false;
    }
    lines.push(line);
    lines
}

/// Number of bytes of `word` that fit into `columns`; at least one character, so that every call makes progress.
/// Joining characters stay with the character before them.
fn prefix_length(word: &str, columns: usize) -> usize {
    let (mut end, mut taken, mut joins) = (0, 0, false);
    for (at, c) in word.char_indices() {
        let wide = if joins { 0 } else { c.width().unwrap_or_default() };
        if end > 0 && wide > 0 && taken + wide > columns {
            break;
        }
        taken += wide;
        joins = c == ZERO_WIDTH_JOINER;
        end = at + c.len_utf8();
    }
    end
}

fn row(line: &str, right: bool, out: &mut String) {
    // A control character, such as a tab, would break the frame.
    let line: String = line.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let gap = " ".repeat(WIDTH.saturating_sub(line.width()));
    let (before, after) = if right { (gap.as_str(), "") } else { ("", gap.as_str()) };
    out.push_str(&format!("│ {before}{line}{after} │\n"));
}

fn center(label: &str, out: &mut String) {
    for line in wrap(label, "", "") {
        let left = WIDTH.saturating_sub(line.width()) / 2;
        row(&format!("{}{line}", " ".repeat(left)), false, out);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn draw_text(template: Value) -> String {
        let template: Template = serde_json::from_value(template).expect("a template");
        draw(&render(&template, &Fill::default()))
    }

    #[test]
    fn a_message_is_drawn_with_all_its_parts() {
        let drawing = draw_text(json!({"components": [
            {"type": "HEADER", "format": "IMAGE"},
            {"type": "BODY", "text": "Hi *{{1}}*, your order is on its way and will be with you soon.\n- one\n```a\nb```", "example": {"body_text": [["Ana"]]}},
            {"type": "FOOTER", "text": "Bye"},
            {"type": "BUTTONS", "buttons": [{"type": "URL", "text": "Open", "url": "https://x.example"},
                {"type": "QUICK_REPLY", "text": "Yes"}, {"type": "QUICK_REPLY", "text": "No"}, {"type": "QUICK_REPLY", "text": "Later"}]},
            {"type": "SPARKLE"}]}));
        let expected = "\
╭──────────────────────────────────────────────╮
│ [IMAGE]                                      │
│                                              │
│ Hi Ana, your order is on its way and will be │
│ with you soon.                               │
│ • one                                        │
│   a                                          │
│   b                                          │
│                                              │
│ Bye                                          │
├──────────────────────────────────────────────┤
│                    ↗ Open                    │
├──────────────────────────────────────────────┤
│                    ↩ Yes                     │
├──────────────────────────────────────────────┤
│              ≡ See all options               │
╰──────────────────────────────────────────────╯
Behind \"See all options\":
  ↩ No
  ↩ Later
Not shown: SPARKLE
";
        assert_eq!(drawing, expected);
    }

    #[test]
    fn long_words_wrap_in_linear_time() {
        // With a quadratic algorithm, each of these takes minutes.
        for word in ["a", "{{1}}", "👨\u{200d}👩\u{200d}👧", "\u{200b}", "e\u{301}"] {
            let text = word.repeat(2_000_000 / word.len());
            let lines = wrap(&text, "", "");
            assert_eq!(lines.concat().len(), text.len(), "{word}: nothing is lost");
            assert!(lines.iter().all(|line| line.width() <= WIDTH), "{word}");
        }
    }

    #[test]
    fn every_line_is_as_wide_as_the_bubble() {
        for text in [
            "",
            "🎉🎉 今日はとても良い天気ですねえええええええええええええええ",
            "שלום",
            "a\tb\u{7}c",
            &"x".repeat(200),
            "  a   b  ",
        ] {
            let drawing = draw_text(json!({"components": [
                {"type": "BODY", "text": format!("{text}\n1. {text}\n> {text}")},
                {"type": "BUTTONS", "buttons": [{"type": "QUICK_REPLY", "text": text}]}]}));
            for line in drawing.lines() {
                assert_eq!(line.width(), WIDTH + 4, "{line}");
            }
        }
    }

    #[test]
    fn cards_follow_the_message() {
        let drawing = draw_text(
            json!({"components": [{"type": "BODY", "text": "Pick"}, {"type": "CAROUSEL", "cards": [
            {"components": [{"type": "BODY", "text": "First"}]}, {"components": [{"type": "BODY", "text": "Second"}]}]}]}),
        );
        let order: Vec<_> =
            ["Pick", "Card 1 of 2", "First", "Card 2 of 2", "Second"].iter().map(|text| drawing.find(text)).collect();
        assert!(order.iter().all(Option::is_some) && order.is_sorted(), "{drawing}");
    }
}
