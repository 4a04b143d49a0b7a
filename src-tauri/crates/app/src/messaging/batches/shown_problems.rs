//! Which problems of a batch are shown, and how many rows have each: there may be several in each of 100,000 rows.

use std::collections::{BTreeMap, HashSet};

use model::send::{SendProblem, SendProblemCode};

use super::checked_row::{Checked, capped};
use super::numbers_read::is_country_unknown;
use command_types::batch_problem::{ProblemCount, RowProblem};
use outgoing::recipient::{formatted, person_key};

/// Errors shown of a plan.
const MAX_ERRORS: usize = 200;
/// Problems shown of each warning, so that none hides the others.
const MAX_OF_WARNING: usize = 50;
/// Row number of problems that affect all rows.
const ALL_ROWS: u32 = 0;

/// The first problems in the order of the rows, after those of all rows, and the number of rows with each problem. Rows
/// with an error are not sent whatever their warnings are, so these are left out. A person with several rows is one person.
pub(super) fn shown_problems(common: &[SendProblem], rows: &[Checked]) -> (Vec<RowProblem>, Vec<ProblemCount>) {
    let mut problems: Vec<RowProblem> = common.iter().map(|problem| shown(None, problem)).collect();
    // The country is asked for once.
    let unknown = rows.iter().find_map(|row| Some((row, row.problems.iter().find(|of| is_country_unknown(of))?)));
    problems.extend(unknown.map(|(row, problem)| RowProblem { row: ALL_ROWS, ..shown(Some(row), problem) }));
    let mut errors = 0;
    let mut warnings: BTreeMap<SendProblemCode, usize> = BTreeMap::new();
    let mut counts: BTreeMap<SendProblemCode, (u32, HashSet<String>)> = BTreeMap::new();
    for row in rows {
        let person = person_key(&row.recipient);
        let has_error = row.problems.iter().any(SendProblem::is_error);
        let is_told = |problem: &SendProblem| !is_country_unknown(problem) && problem.is_error() == has_error;
        for (place, problem) in row.problems.iter().enumerate().filter(|(_, problem)| is_told(problem)) {
            let (known, most) = match problem.is_error() {
                true => (&mut errors, MAX_ERRORS),
                false => (warnings.entry(problem.code).or_default(), MAX_OF_WARNING),
            };
            if *known < most {
                *known += 1;
                problems.push(shown(Some(row), problem));
            }
            let is_first = !row.problems[..place].iter().any(|earlier| earlier.code == problem.code);
            if is_first {
                let (rows, people) = counts.entry(problem.code).or_default();
                *rows += 1;
                people.insert(person.clone());
            }
        }
    }
    let count = |(code, (rows, people)): (SendProblemCode, (u32, HashSet<String>))| {
        let people = u32::try_from(people.len()).unwrap_or(u32::MAX);
        ProblemCount { code, rows, people }
    };
    (problems, counts.into_iter().map(count).collect())
}

fn shown(row: Option<&Checked>, problem: &SendProblem) -> RowProblem {
    RowProblem {
        row: row.map_or(ALL_ROWS, |row| row.candidate.row),
        recipient: row.map(|row| capped(&row.candidate.to)).unwrap_or_default(),
        name: row.and_then(|row| row.candidate.name.clone()).filter(|name| !name.is_empty()),
        formatted: row.and_then(|row| row.facts.digits.as_deref()).map(formatted),
        problem: problem.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::messaging::batches::checked_row::Candidate;
    use command_types::send::RecipientFacts;
    use model::send::SendValues;

    fn row(number: u32, codes: &[SendProblemCode]) -> Checked {
        let candidate = Candidate {
            row: number,
            to: String::new(),
            name: None,
            own: SendValues::new(),
            ragged: None,
            problems: Vec::new(),
        };
        let value = |code| match code {
            SendProblemCode::ToInvalid => "reason",
            SendProblemCode::ToCountryUnknown => "reading",
            _ => "since",
        };
        let problem = |code: &SendProblemCode| SendProblem::new("to", *code, &[(value(*code), &"x")]);
        let problems = codes.iter().map(problem).collect();
        Checked { candidate, recipient: String::new(), facts: RecipientFacts::default(), problems }
    }

    #[test]
    fn no_problem_hides_another_and_all_rows_are_counted() {
        let (repeated, recent) = (SendProblemCode::ToRepeated, SendProblemCode::ToRecentMarketing);
        let (invalid, unknown) = (SendProblemCode::ToInvalid, SendProblemCode::ToCountryUnknown);
        let mut rows: Vec<Checked> = (1..=300).map(|number| row(number, &[repeated, recent])).collect();
        rows.push(row(301, &[invalid, recent]));
        rows.extend((302..=600).map(|number| row(number, &[invalid, invalid])));
        rows.extend((601..=603).map(|number| row(number, &[unknown])));
        let common = [SendProblem::new("number", SendProblemCode::NumberUnknown, &[])];
        let (problems, counts) = shown_problems(&common, &rows);
        let shown = |code| problems.iter().filter(|of| of.problem.code == code).map(|of| of.row).collect::<Vec<u32>>();
        let to_fifty: Vec<u32> = (1..=50).collect();
        assert_eq!((shown(repeated), shown(recent)), (to_fifty.clone(), to_fifty));
        assert_eq!((shown(invalid).len(), shown(invalid)[0]), (MAX_ERRORS, 301));
        assert_eq!((shown(unknown), shown(SendProblemCode::NumberUnknown)), (vec![0], vec![0]));
        let count = |code| counts.iter().find(|count| count.code == code).map(|count| count.rows);
        assert_eq!([repeated, recent, invalid].map(count), [Some(300), Some(300), Some(300)]);
        assert_eq!(count(unknown), None, "its numbers are counted with those without country");
    }

    /// Also in the other spelling of a number.
    #[test]
    fn a_person_with_several_rows_is_counted_once() {
        let recent = SendProblemCode::ToRecentMarketing;
        let of = |number, recipient: &str| Checked { recipient: recipient.to_owned(), ..row(number, &[recent]) };
        let rows = [of(2, "5511987651295"), of(3, "551187651295"), of(4, "5511987651295"), of(5, "5511987651296")];
        let (_, counts) = shown_problems(&[], &rows);
        assert_eq!(counts, [ProblemCount { code: recent, rows: 4, people: 2 }]);
    }
}
