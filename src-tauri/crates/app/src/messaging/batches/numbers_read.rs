//! How the numbers of a batch were read, for the person who decides about their country.

use model::send::{SendProblem, SendProblemCode};

use super::checked_row::{Checked, capped};
use command_types::batch::{NumberExample, NumbersRead};
use command_types::send::{NumberReading, SendRequest};
use outgoing::message::SendPlan;
use outgoing::recipient::{countries, explicit, formatted};

/// Numbers without country code shown of a plan.
const MAX_SHOWN_NUMBERS: usize = 5;

pub(super) fn is_country_unknown(problem: &SendProblem) -> bool {
    problem.code == SendProblemCode::ToCountryUnknown
}

/// How the numbers without country code were read.
pub(super) fn numbers_read(plan: &SendPlan, common: &SendRequest, rows: &[Checked]) -> NumbersRead {
    let chosen = common.country.as_deref().filter(|chosen| !chosen.is_empty());
    let mut numbers =
        NumbersRead { country: chosen.unwrap_or(&plan.settings.default_country).to_owned(), ..NumbersRead::default() };
    // Where the numbers are said to have their code, none of them is a surprise.
    let own_code = countries().into_iter().find(|country| country.code == numbers.country);
    let own_code = own_code.map(|country| country.calling_code);
    let is_foreign = |row: &Checked| {
        let (Some(own), Some(digits)) = (&own_code, &row.facts.digits) else { return false };
        !digits.starts_with(own.as_str()) && explicit(&row.candidate.to, digits) != row.candidate.to
    };
    let mut examples: Vec<(bool, NumberExample)> = Vec::new();
    for row in rows {
        let unknown = row.problems.iter().find(|problem| is_country_unknown(problem));
        let is_assumed = row.facts.country_assumed;
        numbers.unknown += u32::from(unknown.is_some());
        numbers.assumed += u32::from(is_assumed);
        if unknown.is_none() && !is_assumed {
            if is_foreign(row) {
                numbers.foreign += 1;
                if numbers.foreign_examples.len() < MAX_SHOWN_NUMBERS {
                    numbers.foreign_examples.push(example(row, None));
                }
            }
            // Written with the code of the country itself; without the code it is a number of the same country.
            continue;
        }
        numbers.ambiguous += u32::from(is_assumed && row.facts.other_reading.is_some());
        // Those with two readings come first.
        let is_clear = unknown.map_or(row.facts.other_reading.is_none(), |problem| reading_offered(problem).is_none());
        if examples.len() < MAX_SHOWN_NUMBERS {
            examples.push((is_clear, example(row, unknown)));
        } else if !is_clear && let Some(place) = examples.iter().rposition(|(is_clear, _)| *is_clear) {
            examples[place] = (false, example(row, unknown));
        }
    }
    examples.sort_by_key(|(is_clear, example)| (*is_clear, example.row));
    numbers.examples = examples.into_iter().map(|(_, example)| example).collect();
    numbers
}

fn example(row: &Checked, unknown: Option<&SendProblem>) -> NumberExample {
    let read = NumberReading {
        digits: row.recipient.clone(),
        formatted: row.facts.digits.as_deref().map(formatted).unwrap_or_default(),
        country: row.facts.country.clone(),
    };
    NumberExample {
        row: row.candidate.row,
        written: capped(&row.candidate.to),
        read: unknown.is_none().then_some(read),
        other: unknown.map_or_else(|| row.facts.other_reading.clone(), reading_offered),
    }
}

/// The number that a problem names, if its first digits are the country code.
fn reading_offered(problem: &SendProblem) -> Option<NumberReading> {
    let value = |name: &str| problem.values.get(name).filter(|value| !value.is_empty()).cloned();
    Some(NumberReading { digits: value("digits")?, formatted: value("formatted")?, country: value("country") })
}
