//! Which rows of a file of opt-outs stop something, which are known, and which marketing that was allowed later outweighs;
//! the question before they are stored, and the way back.

use store::desk::{ImportedPreference, MarketingPreference, MarketingSource};

use super::opt_outs::Note;
use crate::contact_names::names;
use crate::conversations::Conversations;
use crate::imports::Kept;
use command_types::Nothing;
use command_types::error::{DeskError, Result};
use command_types::opt_outs::{OptOutImport, OptOutImportId, OptOutNotAdded};
use outgoing::message::Accounts;
use outgoing::recipient::formatted;

/// A row without faults: the line where it begins, and what it says.
pub(super) type Row = (u32, MarketingPreference);

/// The files that were read in this run.
#[derive(Debug, Default)]
pub(super) struct Imports {
    /// That waits for the answer of the person; one that was checked before and not stored is forgotten.
    checked: Kept<(Vec<Row>, OptOutImport)>,
    /// What can be undone.
    stored: Kept<Vec<ImportedPreference>>,
}

/// What the rows of a file come to.
#[derive(Default)]
struct Plan {
    stops: Vec<MarketingPreference>,
    added: u32,
    known: u32,
    not_added: Vec<OptOutNotAdded>,
}

impl Conversations {
    /// Reports what became of the rows of a file, or will: while a person is new, they wait for
    /// [`Conversations::store_opt_outs`].
    pub(super) async fn import_rows(
        &self,
        workspace: &str,
        accounts: &Accounts,
        rows: Vec<Row>,
        import: &mut OptOutImport,
    ) -> Result<()> {
        let plan = self.plan_import(workspace, accounts, rows.clone()).await?;
        (import.added, import.known, import.not_added) = (plan.added, plan.known, plan.not_added);
        if import.added > 0 {
            let id = uuid::Uuid::new_v4().to_string();
            import.id = Some(id.clone());
            let checked = &self.0.imports.checked;
            checked.clear();
            checked.put(workspace, &id, (rows, import.clone()));
        } else {
            self.0.context.desk.store_marketing_preferences(plan.stops).await?;
        }
        Ok(())
    }

    /// Stores the rows of a file that was checked, by what is known about the people now.
    pub async fn store_opt_outs(&self, request: OptOutImportId) -> Result<OptOutImport> {
        let settings = self.0.workspaces.settings(&request.workspace).await?;
        let accounts = crate::opt_outs::accounts(&self.0.context, &request.workspace, settings).await;
        let (rows, mut import) = self.0.imports.checked.take(&request.workspace, &request.id)?;
        let stored = async {
            let plan = self.plan_import(&request.workspace, &accounts, rows.clone()).await?;
            let stored = self.0.context.desk.import_marketing_preferences(plan.stops).await?;
            Ok::<_, DeskError>((stored, plan.added, plan.known, plan.not_added))
        };
        match stored.await {
            Ok((stored, added, known, not_added)) => {
                (import.added, import.known, import.not_added) = (added, known, not_added);
                self.0.imports.stored.put(&request.workspace, &request.id, stored);
                Ok(import)
            }
            Err(error) => {
                // It can be answered again.
                self.0.imports.checked.put(&request.workspace, &request.id, (rows, import));
                Err(error)
            }
        }
    }

    /// Takes back what the import of a file changed; what was chosen or noted since stays.
    pub async fn undo_opt_out_import(&self, request: OptOutImportId) -> Result<Nothing> {
        let rows = self.0.imports.stored.take(&request.workspace, &request.id)?;
        if let Err(error) = self.0.context.desk.undo_marketing_import(rows.clone()).await {
            self.0.imports.stored.put(&request.workspace, &request.id, rows);
            return Err(error.into());
        }
        Ok(Nothing {})
    }

    async fn plan_import(&self, workspace: &str, accounts: &Accounts, rows: Vec<Row>) -> Result<Plan> {
        let people = rows.iter().map(|(_, stop)| stop.person.clone()).collect();
        let mut known = self.known_preferences(workspace, people).await?;
        let mut plan = Plan::default();
        for (line, stop) in self.with_dated_notes(workspace, accounts, rows).await? {
            let before: Vec<MarketingPreference> = known.of(&stop.person).cloned().collect();
            if let Some(end) = accounts.ended_by(&stop, &before) {
                plan.not_added.push(OptOutNotAdded {
                    line,
                    formatted: formatted(&stop.person),
                    name: stop.name,
                    allowed_by: end.source,
                    allowed_at: end.at,
                    person: stop.person,
                    number: stop.number,
                    waba: stop.waba,
                });
                continue;
            }
            let subject = accounts.subject(&stop);
            let is_known =
                accounts.lasting(&before).iter().any(|(other, _)| accounts.is_same(accounts.subject(other), subject));
            if is_known {
                plan.known += 1;
            } else {
                plan.added += 1;
            }
            known.add(stop.clone());
            plan.stops.push(stop);
        }
        let ids: Vec<String> = plan.not_added.iter().map(|row| row.person.clone()).collect();
        let names = names(&self.0.context, workspace, &ids).await?;
        for row in &mut plan.not_added {
            row.name = names.get(&row.person).cloned().or(row.name.take());
        }
        Ok(plan)
    }

    /// The rows, with notes dated so that they count: who imports a list of notes means it.
    async fn with_dated_notes(&self, workspace: &str, accounts: &Accounts, rows: Vec<Row>) -> Result<Vec<Row>> {
        let is_note = |(_, stop): &Row| stop.source == MarketingSource::Note;
        let (notes, mut others): (Vec<Row>, Vec<Row>) = rows.into_iter().partition(is_note);
        let (lines, notes): (Vec<u32>, Vec<Note>) = notes
            .into_iter()
            .map(|(line, MarketingPreference { person, waba, number, is_stopped, at, file, name, .. })| {
                (line, Note { person, waba, number, is_stopped, at, file, name })
            })
            .unzip();
        others.extend(lines.into_iter().zip(self.dated(workspace, accounts, notes).await?));
        others.sort_by_key(|(line, _)| *line);
        Ok(others)
    }
}
