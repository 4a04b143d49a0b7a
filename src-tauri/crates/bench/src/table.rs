//! The table of all measures.

use std::fmt;

/// The goal of a measure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Goal {
    AtLeast(f64),
    AtMost(f64),
    /// No goal: a baseline.
    Baseline,
}

/// A measure with the values of its rounds.
#[derive(Clone, Debug)]
struct Row {
    id: &'static str,
    what: String,
    goal: Goal,
    unit: &'static str,
    values: Vec<f64>,
    note: String,
}

/// All measures, in order.
#[derive(Debug, Default)]
pub(crate) struct Table {
    rows: Vec<Row>,
}

impl Table {
    /// Adds a measure and prints it immediately, because the next one may take a while.
    pub(crate) fn add(
        &mut self,
        id: &'static str,
        what: impl Into<String>,
        goal: Goal,
        unit: &'static str,
        values: Vec<f64>,
        note: impl Into<String>,
    ) {
        let row = Row { id, what: what.into(), goal, unit, values, note: note.into() };
        println!("{row}");
        self.rows.push(row);
    }
}

/// The middle value; for an even number of values, the mean of the two middle values.
pub(crate) fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => f64::NAN,
        even if even % 2 == 0 => f64::midpoint(sorted[middle - 1], sorted[middle]),
        _ => sorted[middle],
    }
}

/// The value that 99 of 100 do not exceed.
pub(crate) fn p99(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[(values.len() - 1) * 99 / 100]
}

/// Each value divided by the baseline of the same round.
pub(crate) fn ratios(values: &[f64], baseline: &[f64]) -> Vec<f64> {
    values.iter().zip(baseline).map(|(value, base)| value / base).collect()
}

/// A number with its significant digits.
fn number(value: f64) -> String {
    match value.abs() {
        large if large >= 1_000.0 => {
            let digits = format!("{value:.0}");
            let mut grouped = String::new();
            for (place, digit) in digits.chars().enumerate() {
                if place > 0 && (digits.len() - place).is_multiple_of(3) {
                    grouped.push(',');
                }
                grouped.push(digit);
            }
            grouped
        }
        large if large >= 100.0 => format!("{value:.0}"),
        large if large >= 10.0 => format!("{value:.1}"),
        small if small >= 0.1 || small == 0.0 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let median = median(&self.values);
        let (goal, verdict) = match self.goal {
            Goal::AtLeast(bound) => (format!("≥ {}", number(bound)), if median >= bound { "met" } else { "missed" }),
            Goal::AtMost(bound) => (format!("≤ {}", number(bound)), if median <= bound { "met" } else { "missed" }),
            Goal::Baseline => ("–".to_owned(), "–"),
        };
        let lowest = self.values.iter().copied().fold(f64::INFINITY, f64::min);
        let highest = self.values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        write!(
            f,
            "| {:<3} | {:<58} | {goal:>8} | {:>9} {:<4} | {:>2} | {:<17} | {verdict:<6} | {} |",
            self.id,
            self.what,
            number(median),
            self.unit,
            self.values.len(),
            format!("{}–{}", number(lowest), number(highest)),
            self.note,
        )
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "| {:<3} | {:<58} | {:>8} | {:>14} | {:>2} | {:<17} | {:<6} | note |",
            "id", "measure", "goal", "median", "n", "lowest–highest", "goal"
        )?;
        writeln!(f, "|-----|{}|---------:|---------------:|---:|{}|--------|------|", "-".repeat(60), "-".repeat(19))?;
        self.rows.iter().try_for_each(|row| writeln!(f, "{row}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_values() {
        assert!(median(&[]).is_nan());
        for (values, expected) in [(&[3.0][..], 3.0), (&[9.0, 1.0, 2.0], 2.0), (&[4.0, 1.0, 2.0, 8.0], 3.0)] {
            assert_eq!(median(values).total_cmp(&expected), std::cmp::Ordering::Equal, "{values:?}");
        }
    }

    #[test]
    fn numbers_have_three_significant_digits() {
        for (value, text) in [
            (1_234_567.8, "1,234,568"),
            (1_000.0, "1,000"),
            (123.4, "123"),
            (12.34, "12.3"),
            (0.5, "0.50"),
            (0.012, "0.012"),
        ] {
            assert_eq!(number(value), text);
        }
    }

    #[test]
    fn a_row_shows_whether_its_goal_is_met() {
        let row = |goal| Row {
            id: "P1",
            what: "a".to_owned(),
            goal,
            unit: "",
            values: vec![0.4, 0.6, 0.5],
            note: String::new(),
        };
        assert!(row(Goal::AtLeast(0.5)).to_string().contains("| met"));
        assert!(row(Goal::AtLeast(0.51)).to_string().contains("| missed"));
        assert!(row(Goal::AtMost(0.4)).to_string().contains("| missed"));
        assert!(row(Goal::Baseline).to_string().contains("0.40–0.60"));
    }
}
