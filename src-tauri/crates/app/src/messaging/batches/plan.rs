//! Plans a batch: checks every row by the rules of a single send, checks every link once, and stores the plan.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt as _;
use model::rate_card::Cost;
use model::render::render;
use model::send::{PartKind, SendProblem, SendProblemCode, SendValues, preview_fill, send_form};
use store::desk::{self, RunState};

use super::cell_values::fill_cells;
use super::checked_row::{Candidate, Checked, capped};
use super::csv_table::{MAX_ROWS, Table, TableRow};
use super::examples;
use super::numbers_read::{is_country_unknown, numbers_read};
use crate::context::lock;
use crate::costs;
use crate::jobs::rate_limiter;
use crate::messaging::Messaging;
use crate::messaging::recipients::{FIELDS, shown};
use command_types::batch::{
    BatchPlan, BatchPlanRequest, BatchSource, ExampleKind, PlannedRow, RowProblem, ValueSource,
};
use command_types::error::{DeskError, Result};
use command_types::send::{MediaCheck, SendRequest};
use outgoing::media_links::{check_media, links};
use outgoing::message::TRACKING_PREVIEW;
use outgoing::message::{SendPlan, stops};
use outgoing::recipient::{alternative_numbers, explicit, formatted};
use outgoing::{now, to_json};

/// Number of plans that are kept without being started.
const MAX_STORED_PLANS: u32 = 5;
/// Problems shown of a plan.
const MAX_SHOWN_PROBLEMS: usize = 200;
/// Maximum number of links that are checked; a file with a different link in every row would take hours.
const MAX_LINKS: usize = 50;
/// Number of links checked concurrently.
const MAX_CONCURRENT_LINK_CHECKS: usize = 4;
/// Row number of problems that affect all rows.
const ALL_ROWS: u32 = 0;
/// Source name of a batch from the address book.
const RECIPIENTS: &str = "recipients";

/// The content of a source.
#[derive(Debug)]
struct Rows {
    source: String,
    /// Values that are the same for all rows.
    fixed: SendValues,
    candidates: Vec<Candidate>,
}

/// A link of a part.
type LinkValue = (String, String);

impl Messaging {
    /// Checks a whole batch and stores its plan. Sends nothing.
    ///
    /// # Errors
    /// [`DeskError::InvalidInput`] when the source names an unknown column or recipient, or has no rows;
    /// [`DeskError::NotFound`] for the template or the file. Problems of rows are in the plan, not errors.
    pub async fn plan_batch(&self, request: BatchPlanRequest) -> Result<BatchPlan> {
        let mut plan = self.send_plan(&request.workspace, &request.reference).await?;
        plan.opt_outs = self.opt_outs(&plan, &request.workspace, None).await?;
        let Rows { source, fixed, mut candidates } = self.candidates(&request).await?;
        if candidates.is_empty() {
            return Err(DeskError::invalid("source", "There are no recipients. Add at least one."));
        }
        let fallbacks = fill_cells(request.source.values(), &send_form(&plan.template).parts, &mut candidates);
        let common = Arc::new(common(&request, fixed));
        let (checking, every) = (plan.clone(), common.clone());
        let work = tokio::task::spawn_blocking(move || check(&checking, &every, candidates));
        let mut checked = work.await.map_err(|error| DeskError::Internal { message: error.to_string() })?;
        // Every row would fail alike.
        let restriction = self.restriction(&plan, &request.workspace, &request.number).await?;
        checked.common_problems.extend(restriction.map(SendProblem::as_error));
        name_empty_columns(&request.source, &mut checked.rows);
        let overrides = &common.options.overrides;
        let media = self.check_links(&plan, &common, &mut checked.rows).await;
        let id = uuid::Uuid::new_v4().to_string();
        let cost = self.cost_of(&plan, &common, &checked).await;
        let report = BatchPlan { fallbacks, cost, ..report(&id, &plan, &common, &checked, media) };
        let rows = checked
            .rows
            .iter()
            .map(|row| planned_row(row, &checked.common_problems, overrides))
            .collect::<Result<_>>()?;
        let batch = desk::Batch {
            id,
            number: request.number.trim().to_owned(),
            template_ref: request.reference.clone(),
            template_name: plan.template.name.clone(),
            language: plan.template.language.clone(),
            source,
            request: to_json(&SendRequest { known_category: Some(category_of(&plan)), ..(*common).clone() })?,
            workspace_id: request.workspace,
            state: RunState::Planned,
            error: None,
            total: report.total,
            created_at: now(),
            started_at: None,
            ended_at: None,
            cost: report.cost.as_ref().map(to_json).transpose()?,
            counts: Vec::new(),
        };
        self.0.context.desk.add_batch(batch, rows, MAX_STORED_PLANS).await?;
        Ok(report)
    }

    async fn candidates(&self, request: &BatchPlanRequest) -> Result<Rows> {
        match &request.source {
            BatchSource::Recipients { ids, values } => {
                if ids.len() > MAX_ROWS {
                    let most = MAX_ROWS;
                    return Err(DeskError::invalid("source.ids", format!("At most {most} can be sent at once.")));
                }
                let known = self.0.context.desk.recipients(&request.workspace).await?;
                let (fixed, candidates) = candidates_from_book(known, ids, values)?;
                Ok(Rows { source: RECIPIENTS.to_owned(), fixed, candidates })
            }
            BatchSource::Csv { file, to, name, values } => {
                let source =
                    lock(&self.0.batches.files).iter().find(|(id, _)| id == file).map(|(_, file)| file.clone());
                let source = source.ok_or_else(|| DeskError::not_found("The file (choose it again)"))?;
                let (fixed, candidates) = candidates_from_table(&source.table, to, name.as_deref(), values)?;
                Ok(Rows { source: source.name.clone(), fixed, candidates })
            }
        }
    }

    /// What the rows that can be sent cost today.
    async fn cost_of(&self, plan: &SendPlan, common: &SendRequest, checked: &CheckedBatch) -> Option<Cost> {
        let mut countries: BTreeMap<&str, u64> = BTreeMap::new();
        let is_sendable =
            |row: &&Checked| blocking_problem(row, &checked.common_problems, &common.options.overrides).is_none();
        for row in checked.rows.iter().filter(is_sendable) {
            *countries.entry(row.facts.country.as_deref().unwrap_or_default()).or_default() += 1;
        }
        costs::estimate(&self.0.context, &common.workspace, &category_of(plan), &countries).await
    }

    /// Checks the links of rows without other errors, each once, and adds the problems to the rows.
    async fn check_links(&self, plan: &SendPlan, common: &SendRequest, rows: &mut [Checked]) -> Vec<MediaCheck> {
        let parts: Vec<String> = send_form(&plan.template)
            .parts
            .into_iter()
            .filter(|part| part.kind == PartKind::Link && part.media.is_some())
            .map(|part| part.id)
            .collect();
        let place = |row: &Checked, part: &String| -> Option<LinkValue> {
            let url = row.candidate.own.get(part).or_else(|| common.values.get(part))?.trim();
            (!url.is_empty()).then(|| (part.clone(), url.to_owned()))
        };
        let mut wanted: Vec<LinkValue> = Vec::new();
        let mut found: HashMap<LinkValue, Vec<SendProblem>> = HashMap::new();
        for row in
            rows.iter().filter(|row| !row.problems.iter().any(|problem| stops(problem, &common.options.overrides)))
        {
            for place in parts.iter().filter_map(|part| place(row, part)) {
                if let Entry::Vacant(unknown) = found.entry(place.clone()) {
                    let unchecked = SendProblem::new(&place.0, SendProblemCode::MediaNotChecked, &[]);
                    unknown.insert(if wanted.len() < MAX_LINKS { Vec::new() } else { vec![unchecked] });
                    if wanted.len() < MAX_LINKS {
                        wanted.push(place);
                    }
                }
            }
        }
        let reach = self.0.workspaces.reach(&common.workspace);
        let checks_to_run = wanted.into_iter().map(async |place: LinkValue| {
            let values = SendValues::from([place.clone()]);
            let (checks, problems) = check_media(&self.0.links, &links(&plan.template, &values), reach).await;
            (place, checks, problems)
        });
        let mut media = Vec::new();
        let mut running_checks = futures_util::stream::iter(checks_to_run).buffered(MAX_CONCURRENT_LINK_CHECKS);
        while let Some((place, checks, problems)) = running_checks.next().await {
            media.extend(checks);
            found.insert(place, problems);
        }
        drop(running_checks);
        for row in rows {
            let places: Vec<LinkValue> = parts.iter().filter_map(|part| place(row, part)).collect();
            let of_links = places.iter().filter_map(|place| found.get(place)).flatten();
            row.problems.extend(of_links.cloned());
        }
        media
    }
}

/// The request that all rows share, without a recipient.
fn common(request: &BatchPlanRequest, fixed: SendValues) -> SendRequest {
    SendRequest {
        workspace: request.workspace.clone(),
        reference: request.reference.clone(),
        number: request.number.trim().to_owned(),
        country: request.country.clone(),
        options: request.options.clone(),
        values: fixed,
        to: String::new(),
        known_category: None,
    }
}

pub(super) fn category_of(plan: &SendPlan) -> String {
    plan.template.category.as_str().to_lowercase()
}

pub(super) fn request_of(common: &SendRequest, to: &str, own: &SendValues) -> SendRequest {
    let mut request = SendRequest { to: to.to_owned(), ..common.clone() };
    request.values.extend(own.clone());
    request
}

/// Values that are the same for all rows, and the parts that a column or a field fills.
fn split<'v, C>(
    values: &'v BTreeMap<String, ValueSource>,
    column: impl Fn(&str, &'v str) -> Result<C>,
) -> Result<(SendValues, Vec<(&'v String, C)>)> {
    let mut fixed = SendValues::new();
    let mut columns = Vec::new();
    for (part, source) in values {
        match source {
            ValueSource::Fixed { value } => {
                fixed.insert(part.clone(), value.clone());
            }
            ValueSource::Column { column: name, .. } => {
                columns.push((part, column(&format!("source.values.{part}"), name)?));
            }
        }
    }
    Ok((fixed, columns))
}

fn candidates_from_book(
    known: Vec<desk::Recipient>,
    ids: &[String],
    values: &BTreeMap<String, ValueSource>,
) -> Result<(SendValues, Vec<Candidate>)> {
    let (fixed, fields) = split(values, |place, field| {
        let message = format!("The address book has no field “{field}”. Choose another one.");
        FIELDS.contains(&field).then_some(field).ok_or_else(|| DeskError::invalid(place, message))
    })?;
    let known: HashMap<String, desk::Recipient> =
        known.into_iter().map(|recipient| (recipient.id.clone(), recipient)).collect();
    let candidate = |(place, id): (usize, &String)| {
        let recipient = known.get(id).ok_or_else(|| {
            DeskError::invalid("source.ids", "A recipient is no longer in the address book. Choose again.")
        })?;
        let person = shown(recipient.clone());
        let own = fields
            .iter()
            .map(|(part, field)| ((*part).clone(), person.values.get(*field).cloned().unwrap_or_default()));
        Ok(Candidate {
            row: place as u32 + 1,
            own: own.collect(),
            to: explicit(&person.number, &person.number),
            name: Some(person.name),
            ragged: None,
        })
    };
    Ok((fixed, ids.iter().enumerate().map(candidate).collect::<Result<_>>()?))
}

fn candidates_from_table(
    table: &Table,
    to: &str,
    name: Option<&str>,
    values: &BTreeMap<String, ValueSource>,
) -> Result<(SendValues, Vec<Candidate>)> {
    let place = |field: &str, column: &str| {
        table
            .column_index(column)
            .ok_or_else(|| DeskError::invalid(field, format!("The file has no column “{column}”. Choose another one.")))
    };
    let to = place("source.to", to)?;
    let name = name.filter(|name| !name.is_empty()).map(|name| place("source.name", name)).transpose()?;
    let (fixed, columns) = split(values, place)?;
    let candidate = |line: &TableRow| {
        let cell = |place: usize| line.cells.get(place).unwrap_or_default();
        let own = columns.iter().map(|(part, place)| ((*part).clone(), cell(*place).to_owned())).collect();
        let (found, expected) = (line.cells.len(), table.columns.len());
        Candidate {
            row: line.number,
            to: cell(to).trim().to_owned(),
            name: name.map(|name| capped(cell(name).trim())).filter(|name| !name.is_empty()),
            own,
            ragged: (found != expected).then_some((found, expected)),
        }
    };
    let candidates = table.rows.iter().map(candidate).collect();
    Ok((fixed, candidates))
}

/// All rows after the check.
#[derive(Debug)]
struct CheckedBatch {
    /// Problems that affect every row: of the template, the number and the callback data.
    common_problems: Vec<SendProblem>,
    rows: Vec<Checked>,
    duplicates: u32,
}

/// Checks every row. Blocks: there may be a hundred thousand.
fn check(plan: &SendPlan, common: &SendRequest, candidates: Vec<Candidate>) -> CheckedBatch {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let share = candidates.len().div_ceil(threads).max(1);
    let mut shares = Vec::new();
    let mut rest = candidates.into_iter();
    loop {
        let share: Vec<_> = rest.by_ref().take(share).collect();
        if share.is_empty() {
            break;
        }
        shares.push(share);
    }
    let mut rows: Vec<Checked> = std::thread::scope(|scope| {
        let check_share = |share: Vec<Candidate>| share.into_iter().map(|row| check_row(plan, common, row)).collect();
        let working: Vec<_> = shares.into_iter().map(|share| scope.spawn(move || check_share(share))).collect();
        let done = working.into_iter().map(|share| share.join().expect("checks do not panic"));
        done.collect::<Vec<Vec<Checked>>>().into_iter().flatten().collect()
    });
    let mut common_problems: Vec<SendProblem> = Vec::new();
    if let Some(first) = rows.first() {
        common_problems.extend(first.problems.iter().filter(|problem| affects_all_rows(problem)).cloned());
    }
    // A number that is written in two ways is one recipient.
    let recipient_key = |recipient: &str| alternative_numbers(recipient).into_iter().min().unwrap_or_default();
    let mut seen: HashMap<String, u32> = HashMap::new();
    let mut duplicates = 0;
    for row in &mut rows {
        row.problems.retain(|problem| !affects_all_rows(problem));
        if row.recipient.is_empty() {
            continue;
        }
        let recipient_key = recipient_key(&row.recipient);
        match seen.get(&recipient_key) {
            Some(first) => {
                duplicates += 1;
                row.problems.push(SendProblem::new("to", SendProblemCode::ToDuplicate, &[("row", first)]));
            }
            None => {
                seen.insert(recipient_key, row.candidate.row);
            }
        }
    }
    CheckedBatch { common_problems, rows, duplicates }
}

fn check_row(plan: &SendPlan, common: &SendRequest, candidate: Candidate) -> Checked {
    let request = request_of(common, &candidate.to, &candidate.own);
    let prepared = plan.prepare(&request, TRACKING_PREVIEW);
    let mut problems = prepared.problems;
    if let Some((found, expected)) = candidate.ragged {
        let values: &[(&str, &dyn std::fmt::Display)] = &[("found", &found), ("expected", &expected)];
        problems.insert(0, SendProblem::new("", SendProblemCode::RowCells, values));
    }
    let facts = prepared.recipient;
    let recipient = facts.addressee().map_or_else(|| capped(&candidate.to), str::to_owned);
    Checked { candidate, recipient, facts, problems }
}

/// Adds the column of the file to each problem of a missing value, since the person looks for it in the file.
fn name_empty_columns(source: &BatchSource, rows: &mut [Checked]) {
    let BatchSource::Csv { values, .. } = source else { return };
    for problem in rows.iter_mut().flat_map(|row| &mut row.problems) {
        if problem.code == SendProblemCode::ValueMissing
            && let Some(ValueSource::Column { column, .. }) = values.get(&problem.field)
        {
            problem.values.insert("column".to_owned(), column.clone());
        }
    }
}

pub(super) fn affects_all_rows(problem: &SendProblem) -> bool {
    matches!(problem.field.as_str(), "number" | "callbackData" | "template")
}

/// The first problem that prevents the send of a row.
fn blocking_problem<'a>(
    row: &'a Checked,
    common_problems: &'a [SendProblem],
    overrides: &[String],
) -> Option<&'a SendProblem> {
    common_problems.iter().chain(&row.problems).find(|problem| stops(problem, overrides))
}

fn planned_row(row: &Checked, common_problems: &[SendProblem], overrides: &[String]) -> Result<desk::PlannedRow> {
    Ok(desk::PlannedRow {
        row: row.candidate.row,
        recipient: row.recipient.clone(),
        written: capped(&row.candidate.to),
        name: row.candidate.name.clone(),
        filled: to_json(&row.candidate.own)?,
        problem: blocking_problem(row, common_problems, overrides).map(to_json).transpose()?,
    })
}

fn report(
    id: &str,
    plan: &SendPlan,
    common: &SendRequest,
    checked: &CheckedBatch,
    media: Vec<MediaCheck>,
) -> BatchPlan {
    let (template, overrides) = (&plan.template, &common.options.overrides);
    let mut sendable = Vec::new();
    let mut sends_to: HashMap<&str, u32> = HashMap::new();
    for row in checked.rows.iter().filter(|row| blocking_problem(row, &checked.common_problems, overrides).is_none()) {
        sendable.push(row);
        *sends_to.entry(&row.recipient).or_default() += 1;
    }
    let example = |(example, row): (ExampleKind, &Checked)| {
        let values = request_of(common, "", &row.candidate.own).values;
        PlannedRow {
            example,
            row: row.candidate.row,
            to: row.recipient.clone(),
            written: capped(&row.candidate.to),
            formatted: formatted(&row.recipient),
            name: row.candidate.name.clone().filter(|name| !name.is_empty()),
            bubble: render(template, &preview_fill(template, &values)),
        }
    };
    let sample = examples::choose(&sendable).into_iter().map(example).collect();
    let sendable = sendable.len() as u32;
    let of_whole = checked.common_problems.iter().map(|problem| (ALL_ROWS, "", problem));
    // The country is asked for once.
    let without_country = checked.rows.iter().find_map(|row| {
        let problem = row.problems.iter().find(|problem| is_country_unknown(problem))?;
        Some((ALL_ROWS, row.candidate.to.as_str(), problem))
    });
    let of_rows = checked.rows.iter().flat_map(|row| {
        let own = row.problems.iter().filter(|problem| !is_country_unknown(problem));
        own.map(|problem| (row.candidate.row, row.candidate.to.as_str(), problem))
    });
    let of_whole = of_whole.chain(without_country);
    // Problems that prevent a send are shown before overridden ones.
    let (stop, pass): (Vec<_>, Vec<_>) = of_whole.chain(of_rows).partition(|(_, _, problem)| stops(problem, overrides));
    let mut problems: Vec<_> = stop.into_iter().chain(pass).take(MAX_SHOWN_PROBLEMS).collect();
    problems.sort_by_key(|(row, _, _)| *row);
    let problem = |(row, recipient, problem): (u32, &str, &SendProblem)| RowProblem {
        row,
        recipient: capped(recipient),
        problem: problem.clone(),
    };
    let total = checked.rows.len() as u32;
    BatchPlan {
        id: id.to_owned(),
        total,
        good: sendable,
        bad: total - sendable,
        problems: problems.into_iter().map(problem).collect(),
        sample,
        duplicates: checked.duplicates,
        numbers: numbers_read(plan, common, &checked.rows),
        estimate_ms: millis(rate_limiter::estimate(sendable, sends_to.values().copied().max().unwrap_or(0))),
        media,
        cost: None,
        fallbacks: Vec::new(),
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
