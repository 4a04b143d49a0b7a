//! The result of a check, for people and for programs.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use command_types::batch::{BatchPlan, NumbersRead, ValueSource};
use command_types::batch_problem::RowProblem;
use model::rate_card::Cost;
use model::visible::visible;
use serde_json::json;

/// A checked file.
pub(super) struct Checked {
    pub(super) file: String,
    pub(super) workspace: String,
    pub(super) template: String,
    pub(super) language: String,
    pub(super) category: String,
    pub(super) number: String,
    pub(super) to: String,
    pub(super) name: Option<String>,
    pub(super) values: BTreeMap<String, ValueSource>,
    pub(super) overrides: Vec<String>,
    pub(super) plan: BatchPlan,
}

impl Checked {
    /// Whether every row would be sent.
    pub(super) fn is_clean(&self) -> bool {
        self.plan.bad == 0
    }

    pub(super) fn json(&self) -> anyhow::Result<String> {
        let values: BTreeMap<&String, serde_json::Value> = self
            .values
            .iter()
            .map(|(part, source)| match source {
                ValueSource::Column { column, fallback, transform } => {
                    (part, json!({"column": column, "fallback": fallback, "format": transform}))
                }
                ValueSource::Fixed { value } => (part, json!({"value": value})),
            })
            .collect();
        let mut check = serde_json::to_value(&self.plan)?;
        if let Some(check) = check.as_object_mut() {
            // Nothing was stored.
            check.shift_remove("id");
        }
        let whole = json!({
            "file": self.file, "clean": self.is_clean(), "workspace": self.workspace,
            "template": {"name": self.template, "language": self.language, "category": self.category},
            "number": self.number, "to": self.to, "name": self.name, "values": values, "check": check,
        });
        Ok(serde_json::to_string_pretty(&whole)? + "\n")
    }

    pub(super) fn text(&self) -> String {
        let plan = &self.plan;
        let mut out = String::new();
        let mut line = |text: String| {
            // Writing to a string can't fail.
            let _ = writeln!(out, "{}", visible(&text));
        };
        line(format!("{} ({}, {}) from {}", self.template, self.language, self.category.to_lowercase(), self.number));
        let name = self.name.as_ref().map(|name| format!(", name from {name}")).unwrap_or_default();
        line(format!("  number from {}{name}", self.to));
        for (part, source) in &self.values {
            match source {
                ValueSource::Column { column, .. } => line(format!("  {part} from {column}")),
                ValueSource::Fixed { value } => line(format!("  {part} for everyone: {value}")),
            }
        }
        for RowProblem { row, recipient, problem, .. } in &plan.problems {
            let weight = match problem.is_error() {
                true => "error",
                false if self.overrides.iter().any(|code| code == problem.code.as_str()) => "overridden",
                false => "warning",
            };
            let place = if *row == 0 { "all rows".to_owned() } else { format!("row {row} ({recipient})") };
            let field = if problem.field.is_empty() { String::new() } else { format!(" at {}", problem.field) };
            line(format!("{place}: {weight}{field} ({}): {}", problem.code.as_str(), problem.message));
        }
        for count in &plan.counts {
            let listed: BTreeSet<u32> =
                plan.problems.iter().filter(|of| of.problem.code == count.code).map(|of| of.row).collect();
            if listed.len() < count.rows as usize {
                line(format!("{} rows in all: {}", count.rows, count.code.as_str()));
            }
        }
        for used in &plan.fallbacks {
            line(format!("{} rows: “{}” for {}, which is empty", used.rows, used.fallback, used.part));
        }
        numbers(&plan.numbers, &mut line);
        if let Some(cost) = &plan.cost {
            line(price(cost));
        }
        line(format!("{}: {} rows, {} can be sent, {} cannot", self.file, plan.total, plan.good, plan.bad));
        out
    }
}

fn numbers(read: &NumbersRead, line: &mut impl FnMut(String)) {
    if read.assumed > 0 {
        line(format!("{} numbers without country code were read as numbers of {}", read.assumed, read.country));
    }
    if read.ambiguous > 0 {
        line(format!("  {} of them are a number of another country, too", read.ambiguous));
    }
    if read.foreign > 0 {
        line(format!(
            "{} numbers without + begin with the code of another country than {}",
            read.foreign, read.country
        ));
    }
}

fn price(cost: &Cost) -> String {
    let sample = if cost.is_sample { " (invented prices)" } else { "" };
    let unknown =
        if cost.unknown > 0 { format!("; the price of {} is not known", cost.unknown) } else { String::new() };
    format!("cost today: {} {} for {} messages{sample}{unknown}", cost.total, cost.currency, cost.priced)
}
