//! The cost of every keystroke in the composer.

use std::hint::black_box;
use std::time::Instant;

use model::lint::{LintContext, inspect};
use model::render::{Fill, render};
use model::template::Template;
use serde_json::json;

use crate::options::Options;
use crate::table::{Goal, Table, median, ratios};

/// Findings and bubble of a full template, compared with parsing and serialising its JSON, which every keystroke needs
/// anyway.
pub(crate) fn measure(options: &Options, table: &mut Table) -> anyhow::Result<()> {
    const REPETITIONS: u32 = 2_000;
    if !options.includes("K1") {
        return Ok(());
    }
    let text = "Hello *{{1}}*, your order _{{2}}_ leaves ~today~ tomorrow.\nThank you for waiting. ".repeat(8);
    let cards: Vec<_> = (0..10)
        .map(|card| {
            json!({"components": [
                {"type": "HEADER", "format": "IMAGE", "example": {"header_handle": ["UPLOAD_PENDING"]}},
                {"type": "BODY", "text": format!("Card {card} for {{{{1}}}}, only now."), "example": {"body_text": [["Ana"]]}},
                {"type": "BUTTONS", "buttons": [{"type": "QUICK_REPLY", "text": "More"}, {"type": "URL", "text": "Buy", "url": "https://example.com/{{1}}", "example": ["1"]}]}
            ]})
        })
        .collect();
    let template: Template = serde_json::from_value(json!({
        "name": "order_update", "language": "en_US", "category": "marketing",
        "components": [
            {"type": "BODY", "text": text, "example": {"body_text": [["Ana", "42"]]}},
            {"type": "CAROUSEL", "cards": cards}
        ]
    }))?;
    let json = serde_json::to_string(&template)?;
    let (context, fill) = (LintContext::default(), Fill::default());
    let (mut rules, mut baseline) = (Vec::new(), Vec::new());
    for _ in 0..options.rounds {
        let started = Instant::now();
        for _ in 0..REPETITIONS {
            black_box(inspect(black_box(&template), &context));
            black_box(render(black_box(&template), &fill));
        }
        rules.push(started.elapsed().as_secs_f64() * 1e6 / f64::from(REPETITIONS));
        let started = Instant::now();
        for _ in 0..REPETITIONS {
            let read: Template = serde_json::from_str(black_box(&json))?;
            black_box(serde_json::to_string(&read)?);
        }
        baseline.push(started.elapsed().as_secs_f64() * 1e6 / f64::from(REPETITIONS));
    }
    let note = format!("{:.0} µs of {:.0} µs", median(&rules), median(&baseline));
    table.add(
        "K1",
        "a key: rules and phone / JSON there and back",
        Goal::Baseline,
        "",
        ratios(&rules, &baseline),
        note,
    );
    Ok(())
}
