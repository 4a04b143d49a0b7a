//! Imports files into the address book: what would change, the question before it is stored, and the way back.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use store::desk::{self, RecipientChange};

use super::columns::RecipientColumns;
use super::rows::{Labels, RowPerson, RowReader, by_lower_case, too_many_labels};
use super::{MAX_LABEL_LENGTH, MAX_LABELS, RecipientsByNumber, labels_of, line};
use crate::csv_import;
use crate::csv_table::{Table, TableRow};
use crate::imports::Kept;
use crate::messaging::Messaging;
use crate::people_columns::MAX_SHOWN_FAULTS;
use command_types::error::Result;
use command_types::recipient_files::{
    RecipientFault, RecipientImport, RecipientImportId, RecipientImportRequest, RecipientImportUndone,
};
use command_types::workspace::{WorkspaceId, WorkspaceSettings};
use outgoing::recipient::{NumberCountry, person_key};
use outgoing::{now, to_json};

/// The files that were read in this run.
#[derive(Debug, Default)]
pub(in crate::messaging) struct RecipientImports {
    /// That waits for the answer of the person; one that was read before and not imported is forgotten.
    read: Kept<Arc<ReadFile>>,
    /// What can be undone.
    stored: Kept<Arc<[RecipientChange]>>,
}

#[derive(Debug)]
struct ReadFile {
    table: Table,
    columns: RecipientColumns,
    /// What does not follow from the choices of the person.
    report: RecipientImport,
}

/// What an import changes.
struct RecipientImportPlan {
    report: RecipientImport,
    changes: Arc<[RecipientChange]>,
}

impl Messaging {
    /// Reads a file of people; [`Messaging::store_recipient_import`] imports it.
    ///
    /// # Errors
    /// [`command_types::error::DeskError::File`] when it cannot be read.
    pub async fn import_recipients_from(&self, path: &Path, request: WorkspaceId) -> Result<RecipientImport> {
        let WorkspaceId { workspace } = request;
        let name = outgoing::file_name::shown_name(path);
        let source = path.to_owned();
        let read = move || {
            let mut table = csv_import::open(&source)?;
            let columns = RecipientColumns::of(&mut table).map_err(csv_import::Unusable::Content)?;
            Ok((table, columns))
        };
        let read = outgoing::compute::blocking(read).await?;
        let (table, columns) = read.map_err(|error: csv_import::Unusable| error.of(&name))?;
        let mut report = RecipientImport { name, ..RecipientImport::default() };
        let Some(columns) = columns else {
            report.unknown_columns = Some(table.columns);
            return Ok(report);
        };
        let id = uuid::Uuid::new_v4().to_string();
        report.columns = columns.shown(&table);
        report.unread_columns = columns.unread(&table);
        report.id = Some(id.clone());
        let imports = &self.0.recipient_imports;
        imports.read.clear();
        imports.read.put(&workspace, &id, Arc::new(ReadFile { table, columns, report }));
        self.plan_recipient_import(RecipientImportRequest { workspace, id, ..RecipientImportRequest::default() }).await
    }

    /// What the import of a file comes to with these choices. Nothing is stored.
    ///
    /// # Errors
    /// [`command_types::error::DeskError::NotFound`] when the file is imported already or was not read in this run;
    /// [`command_types::error::DeskError::InvalidInput`] at the label.
    pub async fn plan_recipient_import(&self, request: RecipientImportRequest) -> Result<RecipientImport> {
        let file = self.0.recipient_imports.read.get(&request.workspace, &request.id)?;
        Ok(self.recipient_import_plan(&file, &request).await?.report)
    }

    /// Imports a file that was read, all of its rows without a fault or none.
    ///
    /// # Errors
    /// As [`Messaging::plan_recipient_import`]. After any other error it can be imported again.
    pub async fn store_recipient_import(&self, request: RecipientImportRequest) -> Result<RecipientImport> {
        let imports = &self.0.recipient_imports;
        let RecipientImportRequest { workspace, id, .. } = &request;
        let file = imports.read.take(workspace, id)?;
        match self.store_plan(&file, &request).await {
            Ok(RecipientImportPlan { report, changes }) => {
                imports.stored.put(workspace, id, changes);
                Ok(report)
            }
            Err(error) => {
                imports.read.put(workspace, id, file);
                Err(error)
            }
        }
    }

    /// Takes back what an import changed; what was changed since stays.
    pub async fn undo_recipient_import(&self, request: RecipientImportId) -> Result<RecipientImportUndone> {
        let RecipientImportId { workspace, id } = &request;
        let stored = &self.0.recipient_imports.stored;
        let changes = stored.take(workspace, id)?;
        match self.0.context.desk.undo_recipient_import(changes.clone()).await {
            Ok(kept) => Ok(RecipientImportUndone { kept }),
            Err(error) => {
                stored.put(workspace, id, changes);
                Err(error.into())
            }
        }
    }

    async fn store_plan(&self, file: &Arc<ReadFile>, request: &RecipientImportRequest) -> Result<RecipientImportPlan> {
        // What a person changed in the address book while the import was planned makes another plan.
        loop {
            let plan = self.recipient_import_plan(file, request).await?;
            if self.0.context.desk.import_recipients(plan.changes.clone()).await? {
                return Ok(plan);
            }
        }
    }

    async fn recipient_import_plan(
        &self,
        file: &Arc<ReadFile>,
        request: &RecipientImportRequest,
    ) -> Result<RecipientImportPlan> {
        let settings = self.0.workspaces.settings(&request.workspace).await?;
        let book = self.0.context.desk.recipients(&request.workspace).await?;
        let everyones = line("label", &request.label, MAX_LABEL_LENGTH)?;
        let (file, request) = (file.clone(), request.clone());
        outgoing::compute::blocking(move || plan(&file, &request, &everyones, &settings, &book)).await?
    }
}

fn plan(
    file: &ReadFile,
    request: &RecipientImportRequest,
    everyones: &str,
    settings: &WorkspaceSettings,
    book: &[desk::Recipient],
) -> Result<RecipientImportPlan> {
    let reader = RowReader {
        columns: &file.columns,
        separator: file.table.delimiter,
        country: NumberCountry::of(request.country.as_deref(), settings),
    };
    let spellings = LabelSpellings::of(book);
    let mut people = PeopleOfFile {
        book: RecipientsByNumber::of(book),
        everyones: spellings.adopted(by_lower_case(Some(everyones.to_owned()).filter(|label| !label.is_empty()))),
        of_file: Vec::new(),
        places: HashMap::new(),
    };
    let mut report = file.report.clone();
    for row in &file.table.rows {
        let person = reader.person(row);
        let person = person.map(|person| RowPerson { labels: spellings.adopted(person.labels), ..person });
        match person.and_then(|person| people.add(row, person)) {
            Ok(is_repeated) => report.repeated += u32::from(is_repeated),
            Err(fault) => {
                report.faulty += 1;
                if report.faults.len() < MAX_SHOWN_FAULTS {
                    report.faults.push(fault);
                }
            }
        }
    }
    let at = now();
    let mut changes = Vec::new();
    for ImportedPerson { before, name, labels, note, number } in people.of_file {
        let change = match before {
            None => {
                report.added += 1;
                let after = desk::Recipient {
                    id: uuid::Uuid::new_v4().to_string(),
                    workspace_id: request.workspace.clone(),
                    name,
                    number,
                    labels: to_json(&labels.into_values().collect::<Vec<_>>())?,
                    note,
                    created_at: at,
                    updated_at: at,
                    last_sent_at: None,
                };
                RecipientChange { before: None, after }
            }
            Some(before) => {
                report.known += 1;
                let name = chosen(&before.name, name, request.replaces);
                let note = chosen(&before.note, note, request.replaces);
                if (&name, &note, &labels) == (&before.name, &before.note, &by_lower_case(labels_of(before))) {
                    continue;
                }
                report.changed += 1;
                let labels = to_json(&labels.into_values().collect::<Vec<_>>())?;
                let after = desk::Recipient { name, labels, note, updated_at: at, ..before.clone() };
                RecipientChange { before: Some(before.clone()), after }
            }
        };
        changes.push(change);
    }
    Ok(RecipientImportPlan { report, changes: changes.into() })
}

/// The text of the file if there is none in the address book or it is to be replaced. An empty cell replaces nothing.
fn chosen(known: &str, of_file: String, replaces: bool) -> String {
    if of_file.is_empty() || (!known.is_empty() && !replaces) { known.to_owned() } else { of_file }
}

/// A person of the file.
struct ImportedPerson<'a> {
    before: Option<&'a desk::Recipient>,
    number: String,
    /// As the file has it, like the note.
    name: String,
    /// With those of the address book and that for everybody.
    labels: Labels,
    note: String,
}

/// The people of a file, each once.
struct PeopleOfFile<'a> {
    book: RecipientsByNumber<'a>,
    everyones: Labels,
    of_file: Vec<ImportedPerson<'a>>,
    /// Where a person is in `of_file`, by the key of the person.
    places: HashMap<String, usize>,
}

impl PeopleOfFile<'_> {
    /// Adds what a row says: of a person whom an earlier row has, its labels and what that row leaves empty. Returns whether
    /// an earlier row has the person.
    fn add(&mut self, row: &TableRow, person: RowPerson) -> std::result::Result<bool, RecipientFault> {
        let key = person_key(&person.number);
        if let Some(place) = self.places.get(&key) {
            let earlier = &mut self.of_file[*place];
            earlier.labels = joined(row, &earlier.labels, person.labels)?;
            for (earlier, later) in [(&mut earlier.name, person.name), (&mut earlier.note, person.note)] {
                if earlier.is_empty() {
                    *earlier = later;
                }
            }
            return Ok(true);
        }
        let before = self.book.get(&person.number);
        let labels = joined(row, &by_lower_case(before.map(labels_of).unwrap_or_default()), self.everyones.clone())?;
        let labels = joined(row, &labels, person.labels)?;
        let RowPerson { number, name, note, .. } = person;
        self.places.insert(key, self.of_file.len());
        self.of_file.push(ImportedPerson { before, number, name, labels, note });
        Ok(false)
    }
}

/// Labels with others, in the spelling of the first.
fn joined(row: &TableRow, labels: &Labels, others: Labels) -> std::result::Result<Labels, RecipientFault> {
    let before = labels.len();
    let mut labels = labels.clone();
    for (lower, label) in others {
        labels.entry(lower).or_insert(label);
    }
    if labels.len() > MAX_LABELS.max(before) {
        return Err(too_many_labels(row));
    }
    Ok(labels)
}

/// The labels of the address book: those of a file that differ in case only become the same.
struct LabelSpellings {
    exact: HashSet<String>,
    by_lower_case: Labels,
}

impl LabelSpellings {
    fn of(book: &[desk::Recipient]) -> Self {
        let exact: HashSet<String> = book.iter().flat_map(labels_of).collect();
        let mut sorted: Vec<String> = exact.iter().cloned().collect();
        sorted.sort();
        Self { by_lower_case: by_lower_case(sorted), exact }
    }

    fn adopted(&self, labels: Labels) -> Labels {
        let adopt = |(lower, label): (String, String)| match self.by_lower_case.get(&lower) {
            Some(known) if !self.exact.contains(&label) => (lower, known.clone()),
            _ => (lower, label),
        };
        labels.into_iter().map(adopt).collect()
    }
}
