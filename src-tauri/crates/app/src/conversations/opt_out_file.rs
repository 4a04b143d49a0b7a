//! Opt-outs as CSV: exported for spreadsheets, and checked for an import of all rows or none.

use std::collections::HashMap;
use std::path::Path;

use chrono::{DateTime, NaiveDate, NaiveDateTime, SecondsFormat};
use model::event::identity::is_user_id;
use store::desk::{MarketingPreference, MarketingSource};

use crate::conversations::Conversations;
use crate::csv_import;
use crate::csv_table::{ContentFault, Table, TableRow};
use crate::date_range::{DAY, day_of};
use crate::opt_outs::accounts;
use crate::people_columns::{
    MAX_SHOWN_FAULTS, find_header, has_numbers, is_number_column, is_opt_out_phone_column, is_phone_column,
    only_column_of_numbers, shown_cell, unread_columns,
};
use crate::spreadsheet::Sheet;
use crate::spreadsheet::words::{column_in, word_in};
use command_types::error::Result;
use command_types::opt_outs::{OptOutExport, OptOutFault, OptOutFaultCode, OptOutImport};
use command_types::workspace::{WorkspaceId, WorkspaceSettings};
use outgoing::message::{Accounts, Sender};
use outgoing::now;
use outgoing::recipient::{NumberCountry, check_recipient};

const COLUMNS: [&str; 7] = ["person", "name", "since", "how", "number", "account", "business"];
/// By how much since when may be in the future, in milliseconds: a date begins earlier in the east.
const MAX_AHEAD: i64 = 24 * 60 * 60 * 1_000;

type Fault = (OptOutFaultCode, String, Option<model::send::SendProblem>);

/// Where a file has what.
struct Columns {
    person: usize,
    by_name: HashMap<&'static str, usize>,
}

impl Columns {
    /// `None` if the file has several columns, and neither a name nor the numbers in it say which one is of people.
    fn of(table: &mut Table) -> std::result::Result<Option<Self>, ContentFault> {
        find_header(table, |cell| is_person_column(cell) || is_opt_out_phone_column(cell) || is_number_column(cell))?;
        let Some(person) = person_column(table) else { return Ok(None) };
        let others = table.columns.iter().enumerate().filter(|(place, _)| *place != person);
        let by_name = others.filter_map(|(place, name)| Some((column_in(&COLUMNS, name)?, place))).collect();
        Ok(Some(Self { person, by_name }))
    }

    fn unread(&self, table: &Table) -> Vec<String> {
        unread_columns(table, |place| place == self.person || self.by_name.values().any(|of| *of == place))
    }

    fn cell<'r>(&self, row: &'r TableRow, name: &str) -> &'r str {
        self.by_name.get(name).and_then(|place| row.cells.get(*place)).unwrap_or_default().trim()
    }
}

fn person_column(table: &Table) -> Option<usize> {
    let opt_out_phones = table.columns.iter().enumerate().filter(|(_, name)| is_opt_out_phone_column(name));
    let opt_out_phones: Vec<usize> = opt_out_phones.map(|(place, _)| place).collect();
    first_named(table, |name| column_in(&["person"], name).is_some())
        .or_else(|| first_named(table, is_phone_column))
        .or_else(|| opt_out_phones.iter().copied().find(|place| has_numbers(table, *place)))
        // A file of ours has our number in the column of this name.
        .or_else(|| first_named(table, is_number_column))
        .or_else(|| only_column_of_numbers(table))
        .or_else(|| opt_out_phones.first().copied())
}

fn first_named(table: &Table, is_meant: impl Fn(&str) -> bool) -> Option<usize> {
    table.columns.iter().position(|name| is_meant(name))
}

fn is_person_column(name: &str) -> bool {
    column_in(&["person"], name).is_some() || is_phone_column(name)
}

/// What the rows are checked by.
struct Checks<'a> {
    settings: &'a WorkspaceSettings,
    accounts: &'a Accounts,
    workspace: &'a str,
    now: i64,
}

impl Conversations {
    pub fn opt_outs_file_name(&self) -> String {
        format!("opt-outs-{}.csv", day_of(now().div_euclid(DAY)))
    }

    /// Writes everybody who has stopped to a file. An existing file is replaced once the new one is complete.
    ///
    /// # Errors
    /// [`DeskError::File`] when it cannot be written. No incomplete file remains.
    pub async fn export_opt_outs_to(
        &self,
        path: &Path,
        WorkspaceId { workspace }: WorkspaceId,
    ) -> Result<OptOutExport> {
        let settings = self.0.workspaces.settings(&workspace).await?;
        let accounts = accounts(&self.0.context, &workspace, settings).await;
        let rows = self.all_opt_outs(&workspace).await?;
        let mut sheet = Sheet::new(self.0.workspaces.language(), &COLUMNS)?;
        for row in &rows {
            let waba = if row.waba.is_empty() { accounts.sender(&row.number).waba } else { &row.waba };
            let business = accounts.business(Sender { number: &row.number, waba }).unwrap_or_default();
            let (name, since) = (row.name.as_deref().unwrap_or_default(), instant(row.stop.since));
            let how = sheet.word("how", row.stop.source.as_str());
            sheet.row([row.person.as_str(), name, &since, &how, &row.number, waba, business])?;
        }
        sheet.save(path).await?;
        Ok(OptOutExport { path: outgoing::file_name::shown(path), rows: rows.len() as u32 })
    }

    /// Checks a file of opt-outs; where a row stops a new person, [`Conversations::store_opt_outs`] stores them.
    ///
    /// # Errors
    /// [`DeskError::File`] when it cannot be read.
    pub async fn import_opt_outs_from(&self, path: &Path, request: WorkspaceId) -> Result<OptOutImport> {
        let WorkspaceId { workspace } = request;
        let name = outgoing::file_name::shown_name(path);
        let source = path.to_owned();
        let mut table =
            outgoing::compute::blocking(move || csv_import::open(&source)).await?.map_err(|error| error.of(&name))?;
        let rows = table.rows.len() as u32;
        let Some(columns) = Columns::of(&mut table).map_err(|fault| fault.of(&name))? else {
            return Ok(OptOutImport { name, rows, unknown_columns: Some(table.columns), ..OptOutImport::default() });
        };
        let settings = self.0.workspaces.settings(&workspace).await?;
        let accounts = accounts(&self.0.context, &workspace, settings.clone()).await;
        let checks = Checks { settings: &settings, accounts: &accounts, workspace: &workspace, now: now() };
        let unread_columns = columns.unread(&table);
        let mut import =
            OptOutImport { name, rows: table.rows.len() as u32, unread_columns, ..OptOutImport::default() };
        let mut rows = Vec::new();
        for row in &table.rows {
            match checks.read(&columns, table.columns.len(), row) {
                Ok(mut stop) => {
                    stop.file = Some(import.name.clone());
                    rows.push((row.number, stop));
                }
                Err((code, value, problem)) => {
                    import.faulty += 1;
                    if import.faults.len() < MAX_SHOWN_FAULTS {
                        import.faults.push(OptOutFault { line: row.number, code, value: shown_cell(&value), problem });
                    }
                }
            }
        }
        if import.faulty == 0 {
            self.import_rows(&workspace, &accounts, rows, &mut import).await?;
        }
        Ok(import)
    }
}

impl Checks<'_> {
    fn read(&self, columns: &Columns, width: usize, row: &TableRow) -> std::result::Result<MarketingPreference, Fault> {
        let fault = |code, value: &str| (code, value.to_owned(), None);
        if row.cells.len() > width {
            return Err(fault(OptOutFaultCode::Cells, &row.cells.len().to_string()));
        }
        let typed = row.cells.get(columns.person).unwrap_or_default().trim();
        let person =
            self.person(typed).map_err(|problem| (OptOutFaultCode::Person, typed.to_owned(), Some(problem)))?;
        let since = columns.cell(row, "since");
        let at = if since.is_empty() { Some(self.now) } else { read_instant(since) };
        let at = at.ok_or_else(|| fault(OptOutFaultCode::Since, since))?;
        if at > self.now.saturating_add(MAX_AHEAD) {
            return Err(fault(OptOutFaultCode::SinceFuture, since));
        }
        let how = columns.cell(row, "how");
        let source = if how.is_empty() {
            Some(MarketingSource::Note)
        } else {
            word_in("how", how).and_then(MarketingSource::of)
        };
        let source = source.ok_or_else(|| fault(OptOutFaultCode::How, how))?;
        let (waba, number) = self.about(columns, row)?;
        let workspace_id = self.workspace.to_owned();
        let name = Some(columns.cell(row, "name")).filter(|name| !name.is_empty()).map(str::to_owned);
        let stop =
            MarketingPreference { workspace_id, person, source, waba, number, is_stopped: true, at, file: None, name };
        Ok(stop)
    }

    fn person(&self, typed: &str) -> std::result::Result<String, model::send::SendProblem> {
        if is_user_id(typed) {
            return Ok(typed.to_owned());
        }
        match check_recipient(typed, NumberCountry::of(None, self.settings)) {
            (_, Some(problem)) if problem.is_error() => Err(problem),
            (facts, _) => Ok(facts.digits.unwrap_or_default()),
        }
    }

    /// The account and the number that a row names: the number by its identifier or name, and of a business one of its
    /// accounts.
    fn about(&self, columns: &Columns, row: &TableRow) -> std::result::Result<(String, String), Fault> {
        let [number, account, business] = ["number", "account", "business"].map(|name| columns.cell(row, name));
        if !account.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err((OptOutFaultCode::Account, account.to_owned(), None));
        }
        let known = self.settings.numbers.iter().find(|known| known.id == number || known.label == number);
        let number = match known.filter(|_| !number.is_empty()) {
            Some(known) => known.id.as_str(),
            None if number.is_empty() || !account.is_empty() => number,
            None => return Err((OptOutFaultCode::Number, number.to_owned(), None)),
        };
        let mut account = if account.is_empty() { self.accounts.sender(number).waba } else { account };
        if account.is_empty() && number.is_empty() && !business.is_empty() {
            let of_business = self.accounts.account_of_business(business);
            account = of_business.ok_or_else(|| (OptOutFaultCode::Business, business.to_owned(), None))?;
        }
        Ok((account.to_owned(), number.to_owned()))
    }
}

fn instant(at: i64) -> String {
    DateTime::from_timestamp_millis(at).unwrap_or_default().to_rfc3339_opts(SecondsFormat::Millis, true)
}

/// A date, or a date and a time; without an offset, in UTC.
fn read_instant(text: &str) -> Option<i64> {
    if let Ok(instant) = DateTime::parse_from_rfc3339(text) {
        return Some(instant.timestamp_millis());
    }
    if let Ok(date) = NaiveDate::parse_from_str(text, "%Y-%m-%d") {
        return Some(date.and_hms_opt(0, 0, 0)?.and_utc().timestamp_millis());
    }
    let forms = ["%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M"];
    let time = forms.iter().find_map(|form| NaiveDateTime::parse_from_str(text, form).ok())?;
    Some(time.and_utc().timestamp_millis())
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot read its own input should fail")]

    use super::*;
    use crate::csv_import::read;

    #[test]
    fn the_column_of_people_is_found_by_its_name_then_by_its_numbers() {
        for (text, column) in [
            ("name,opt_out_phone\nAna,+5511987654321\n", Some("opt_out_phone")),
            ("order,Phone (opt-out)\n5511987654321,5511987654322\n", Some("Phone (opt-out)")),
            ("order;WhatsApp opt-out\n5511987654321;5511987654322\n", Some("WhatsApp opt-out")),
            ("name,opt_out_phone\nAna,unknown\n", Some("opt_out_phone")),
            ("opt_out_phone,person\n5511987654321,5511987654322\n", Some("person")),
            ("opt_out_phone,phone\n5511987654321,5511987654322\n", Some("phone")),
            // The column says whether they opted out, and another one who they are.
            ("Número;WhatsApp opt-out\n5511987654321;sim\n", Some("Número")),
            ("Cliente;WhatsApp opt-out\n5511987654321;sim\n", Some("Cliente")),
            ("Ana (WhatsApp),5511987654321\nBia,5511987654322\n", Some("Column 2")),
            ("a,b\n1,2\n", None),
        ] {
            let mut table = read(text.as_bytes()).unwrap();
            let person = Columns::of(&mut table).unwrap().map(|columns| columns.person);
            assert_eq!(person.map(|place| table.columns[place].as_str()), column, "{text}");
        }
    }

    #[test]
    fn dates_are_read_in_one_notation() {
        let day = Some(1_764_288_000_000);
        for text in ["2025-11-28", "2025-11-28 00:00", "2025-11-28T00:00:00Z", "2025-11-27T21:00:00.000-03:00"] {
            assert_eq!(read_instant(text), day, "{text}");
        }
        for text in ["28/11/2025", "11/28/2025", "2025-13-01", "45989", "yesterday"] {
            assert_eq!(read_instant(text), None, "{text}");
        }
        assert_eq!(read_instant(&instant(1_764_288_000_123)), Some(1_764_288_000_123));
    }
}
