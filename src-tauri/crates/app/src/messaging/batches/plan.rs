//! Plans a batch: checks every row by the rules of a single send, checks every link once, and stores the plan.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt as _;
use model::render::render;
use model::send::{ConsentColumn, PartKind, SendProblem, SendProblemCode, SendValues, preview_fill, send_form};
use model::vocabulary::Category;
use store::desk::{self, RunState};

use super::ChosenFile;
use super::candidates::{Reading, Rows};
use super::cell_values::ColumnFills;
use super::checked_row::{Candidate, Checked, capped};
use super::examples;
use super::kept_file::{is_kept, kept_file};
use super::list_side::ListSide;
use super::mapping::mapping;
use super::numbers_read::numbers_read;
use super::people::People;
use super::sample_values::sample_values;
use super::shown_problems::shown_problems;
use crate::costs;
use crate::jobs::rate_limiter;
use crate::messaging::Messaging;
use command_types::batch::{BatchPlan, BatchPlanRequest, BatchSource, ExampleKind, PlannedRow, ValueSource};
use command_types::error::{DeskError, Result};
use command_types::send::{MediaCheck, SendRequest};
use outgoing::compute::blocking;
use outgoing::media_links::{check_media, links};
use outgoing::message::{SendChecks, SendPlan, stops};
use outgoing::recipient::{formatted, person_key};
use outgoing::{now, to_json};

/// Number of plans that are kept without being started.
const MAX_STORED_PLANS: u32 = 5;
/// Maximum number of links that are checked; a file with a different link in every row would take hours.
const MAX_LINKS: usize = 50;
/// Number of links checked concurrently.
const MAX_CONCURRENT_LINK_CHECKS: usize = 4;

/// A checked batch.
struct CheckedPlan {
    plan: SendPlan,
    common: Arc<SendRequest>,
    /// Name of the source.
    source: String,
    checked: CheckedBatch,
    report: BatchPlan,
    /// The chosen file, if there is one.
    file: Option<Arc<ChosenFile>>,
}

/// A link of a part.
type LinkValue = (String, String);

impl Messaging {
    /// Checks a whole batch and stores its plan. Sends nothing.
    ///
    /// # Errors
    /// As [`Self::check_batch`].
    pub async fn plan_batch(&self, request: BatchPlanRequest) -> Result<BatchPlan> {
        self.plan_list(request, None).await
    }

    /// Checks and stores a batch of a whole list, or of one side of it.
    pub(super) async fn plan_list(&self, request: BatchPlanRequest, side: Option<ListSide>) -> Result<BatchPlan> {
        let id = uuid::Uuid::new_v4().to_string();
        let CheckedPlan { plan, common, source, checked, report, file } =
            self.checked(&id, &request, side.as_ref()).await?;
        let overrides = &common.options.overrides;
        let rows = checked
            .rows
            .iter()
            .map(|row| planned_row(row, &checked.common_problems, overrides))
            .collect::<Result<_>>()?;
        let mapping = Some(to_json(&mapping(&request, file.as_deref()))?);
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
            mapping,
            counts: Vec::new(),
        };
        let kept = file.filter(|file| is_kept(&file.table)).map(|file| kept_file(&file.table));
        let desk = &self.0.context.desk;
        match side {
            Some(side) => {
                let side = side.of_batch(&report.id);
                desk.add_batch_side(batch, rows, kept, side, MAX_STORED_PLANS).await?;
            }
            None => desk.add_batch(batch, rows, kept, MAX_STORED_PLANS).await?,
        }
        Ok(report)
    }

    /// Checks a whole batch. Stores and sends nothing: the report has no identifier.
    ///
    /// # Errors
    /// [`DeskError::InvalidInput`] when the source names an unknown column or recipient, or has no rows;
    /// [`DeskError::NotFound`] for the template or the file. Problems of rows are in the plan, not errors.
    pub async fn check_batch(&self, request: &BatchPlanRequest) -> Result<BatchPlan> {
        Ok(self.checked("", request, None).await?.report)
    }

    async fn checked(&self, id: &str, request: &BatchPlanRequest, side: Option<&ListSide>) -> Result<CheckedPlan> {
        let mut plan = self.send_plan(&request.workspace, &request.reference).await?;
        plan.opt_outs = self.opt_outs(&plan, &request.workspace, None).await?;
        plan.recent_marketing = self.recent_marketing(&plan, &request.workspace, None).await?;
        let Rows { source, fixed, mut candidates, file } =
            self.candidates(&request.workspace, &request.source, Reading::Whole).await?;
        for row in &mut candidates {
            row.problems.retain(|problem| is_concerned(problem, &plan.template.category));
        }
        if candidates.is_empty() {
            return Err(DeskError::invalid("source", "There are no recipients. Add at least one."));
        }
        let samples = sample_values(&send_form(&plan.template).parts, &fixed);
        let common = Arc::new(common(request, fixed));
        let (checking, every, values) = (plan.clone(), common.clone(), request.source.values().clone());
        let (fallbacks, mut checked) = blocking(move || {
            let fills = ColumnFills::of(&values, &checking.template, &candidates);
            let checked = check(&checking, &every, &fills, candidates);
            (fills.uses(), checked)
        })
        .await?;
        if let Some(side) = side {
            checked.divide(side)?;
        }
        // Every row would fail alike.
        let restriction = self.restriction(&plan.settings, &request.workspace, &request.number).await?;
        checked.common_problems.extend(restriction.map(SendProblem::as_error));
        let contradicted = self.0.templates.contradicted_problem(&request.workspace, &request.reference).await?;
        checked.common_problems.extend(contradicted);
        let people = People::read(&self.0.context, &request.workspace, checked.addressees()).await;
        self.allow_known_rows(&request.workspace, &people, &mut checked.rows).await;
        let (last_sends, capped_until, wishes_to_stop) = tokio::try_join!(
            self.last_sends(&plan, &request.workspace, &people),
            self.capped_until(&request.workspace, &request.reference, &people),
            self.wishes_to_stop(&plan, &common, &people, &checked.rows),
        )?;
        let overrides = &common.options.overrides;
        let held_back = self.held_back(&request.workspace, capped_until, &mut checked.rows, overrides);
        let repeated = self.repeated(&last_sends, &mut checked.rows, overrides).await?;
        let recipients = checked.recipients(&common.options.overrides);
        let of_number = self.limit_problems(&plan.settings, &common.workspace, &common.number, &recipients).await?;
        checked.common_problems.extend(of_number);
        name_empty_columns(&request.source, &mut checked.rows);
        let media = self.check_links(&plan, &common, &mut checked.rows).await;
        let is_sendable =
            |row: &&Checked| blocking_problem(row, &checked.common_problems, &common.options.overrides).is_none();
        let countries = costs::by_country(checked.rows.iter().filter(is_sendable).map(|row| row.facts.country.clone()));
        let cost = costs::estimate(&self.0.context, &common.workspace, &category_of(&plan), &countries).await;
        let is_file_too_large = file.as_ref().is_some_and(|file| !is_kept(&file.table));
        let report = BatchPlan {
            fallbacks,
            cost,
            is_file_too_large,
            repeated,
            held_back,
            samples,
            wishes_to_stop,
            ..report(id, &plan, &common, &checked, media)
        };
        Ok(CheckedPlan { plan, common, source, checked, report, file })
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
pub(super) fn common(request: &BatchPlanRequest, fixed: SendValues) -> SendRequest {
    SendRequest {
        answers: None,
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
    SendRequest { to: to.to_owned(), values: with_own(&common.values, own), ..common.clone() }
}

fn with_own(fixed: &SendValues, own: &SendValues) -> SendValues {
    let mut values = fixed.clone();
    values.extend(own.iter().map(|(part, value)| (part.clone(), value.clone())));
    values
}

/// All rows after the check.
#[derive(Debug)]
struct CheckedBatch {
    /// Problems that affect every row: of the template, the number and the callback data.
    common_problems: Vec<SendProblem>,
    rows: Vec<Checked>,
    duplicates: u32,
}

impl CheckedBatch {
    /// Keeps the rows of one side of the list.
    fn divide(&mut self, side: &ListSide) -> Result<()> {
        self.rows.retain(|row| side.has(&row.recipient));
        if self.rows.is_empty() {
            let message = "No recipient is on this side of the list. Use a longer list, or another proportion.";
            return Err(DeskError::invalid("share", message));
        }
        let is_duplicate = |row: &&Checked| row.problems.iter().any(|of| of.code == SendProblemCode::ToDuplicate);
        self.duplicates = self.rows.iter().filter(is_duplicate).count() as u32;
        Ok(())
    }

    /// The recipients whom a message can be addressed to.
    fn addressees(&self) -> Vec<String> {
        self.rows.iter().filter(|row| row.facts.addressee().is_some()).map(|row| row.recipient.clone()).collect()
    }

    /// The recipients of the rows that can be sent.
    fn recipients(&self, overrides: &[String]) -> Vec<&str> {
        let sendable = |row: &&Checked| blocking_problem(row, &self.common_problems, overrides).is_none();
        self.rows.iter().filter(sendable).map(|row| row.recipient.as_str()).collect()
    }
}

/// Fills and checks every row. Blocks: there may be a hundred thousand.
fn check(plan: &SendPlan, common: &SendRequest, fills: &ColumnFills<'_>, candidates: Vec<Candidate>) -> CheckedBatch {
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
        let check_share = |share: Vec<Candidate>| {
            let checks = plan.checks();
            let check = |mut row: Candidate| {
                fills.fill(&mut row);
                check_row(&checks, common, row)
            };
            share.into_iter().map(check).collect()
        };
        let working: Vec<_> = shares.into_iter().map(|share| scope.spawn(move || check_share(share))).collect();
        let done = working.into_iter().map(|share| share.join().expect("checks do not panic"));
        done.collect::<Vec<Vec<Checked>>>().into_iter().flatten().collect()
    });
    decline_in_every_row(&mut rows);
    let mut seen: HashMap<String, u32> = HashMap::new();
    let mut duplicates = 0;
    for row in &mut rows {
        if row.recipient.is_empty() {
            continue;
        }
        let recipient_key = person_key(&row.recipient);
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
    CheckedBatch { common_problems: plan.checks().common_problems(common), rows, duplicates }
}

/// Whether a problem of a row counts for templates of a category.
fn is_concerned(problem: &SendProblem, category: &Category) -> bool {
    let column = problem.values.get("column").filter(|_| problem.code == SendProblemCode::ToDeclined);
    column.is_none_or(|column| ConsentColumn::concerns(column, category))
}

/// A refusal in one row of a person counts for the others.
fn decline_in_every_row(rows: &mut [Checked]) {
    let refusal = |row: &Checked| row.problems.iter().find(|of| of.code == SendProblemCode::ToDeclined).cloned();
    let declined: HashMap<String, SendProblem> =
        rows.iter().filter_map(|row| Some((person_key(&row.recipient), refusal(row)?))).collect();
    if declined.is_empty() {
        return;
    }
    for row in rows {
        if let Some(problem) = declined.get(&person_key(&row.recipient))
            && refusal(row).is_none()
        {
            row.problems.push(problem.clone());
        }
    }
}

/// The problems of a row. A value that could not be rewritten is left out, and its problem says why.
pub(super) fn with_unread(mut problems: Vec<SendProblem>, row: &Candidate) -> Vec<SendProblem> {
    problems.retain(|problem| {
        let is_known = row.problems.iter().any(|known| known.field == problem.field);
        !(is_known && problem.code == SendProblemCode::ValueMissing)
    });
    problems.extend_from_slice(&row.problems);
    problems
}

fn check_row(checks: &SendChecks<'_>, common: &SendRequest, candidate: Candidate) -> Checked {
    let (problems, facts) = match common.values.is_empty() {
        true => checks.check(common, &candidate.to, &candidate.own),
        false => checks.check(common, &candidate.to, &with_own(&common.values, &candidate.own)),
    };
    let mut problems = with_unread(problems, &candidate);
    if let Some((found, expected)) = candidate.ragged {
        let values: &[(&str, &dyn std::fmt::Display)] = &[("found", &found), ("expected", &expected)];
        problems.insert(0, SendProblem::new("", SendProblemCode::RowCells, values));
    }
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
    let (problems, counts) = shown_problems(&checked.common_problems, &checked.rows);
    let total = checked.rows.len() as u32;
    let has_error = |problems: &[SendProblem]| problems.iter().any(SendProblem::is_error);
    let faulty = if has_error(&checked.common_problems) {
        total
    } else {
        checked.rows.iter().filter(|row| has_error(&row.problems)).count() as u32
    };
    BatchPlan {
        id: id.to_owned(),
        total,
        good: sendable,
        bad: total - sendable,
        left_out: (total - sendable).saturating_sub(faulty),
        problems,
        counts,
        sample,
        duplicates: checked.duplicates,
        numbers: numbers_read(plan, common, &checked.rows),
        estimate_ms: millis(rate_limiter::estimate(sendable, sends_to.values().copied().max().unwrap_or(0))),
        media,
        cost: None,
        fallbacks: Vec::new(),
        is_file_too_large: false,
        repeated: Vec::new(),
        held_back: None,
        samples: Vec::new(),
        wishes_to_stop: Vec::new(),
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
