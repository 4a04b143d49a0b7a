//! Which rows of a file of opt-outs stop something, which are known, and which marketing that was allowed later outweighs.

use store::desk::{MarketingPreference, MarketingSource};

use super::opt_outs::Note;
use crate::contact_names::names;
use crate::conversations::Conversations;
use command_types::error::Result;
use command_types::opt_outs::{OptOutImport, OptOutNotAdded};
use outgoing::message::Accounts;
use outgoing::recipient::formatted;

/// A row without faults: the line where it begins, and what it says.
pub(super) type Row = (u32, MarketingPreference);

impl Conversations {
    /// Stores the rows of a file that stop something, and reports what became of all.
    pub(super) async fn import_rows(
        &self,
        workspace: &str,
        accounts: &Accounts,
        rows: Vec<Row>,
        import: &mut OptOutImport,
    ) -> Result<()> {
        let people = rows.iter().map(|(_, stop)| stop.person.clone()).collect();
        let mut known = self.known_preferences(workspace, people).await?;
        let mut stored = Vec::new();
        for (line, stop) in self.with_dated_notes(workspace, accounts, rows).await? {
            let before: Vec<MarketingPreference> = known.of(&stop.person).cloned().collect();
            if let Some(end) = accounts.ended_by(&stop, &before) {
                import.not_added.push(OptOutNotAdded {
                    line,
                    formatted: formatted(&stop.person),
                    name: None,
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
                import.known += 1;
            } else {
                import.added += 1;
            }
            known.add(stop.clone());
            stored.push(stop);
        }
        self.0.context.desk.store_marketing_preferences(stored).await?;
        let ids: Vec<String> = import.not_added.iter().map(|row| row.person.clone()).collect();
        let names = names(&self.0.context, workspace, &ids).await?;
        for row in &mut import.not_added {
            row.name = names.get(&row.person).cloned();
        }
        Ok(())
    }

    /// The rows, with notes dated so that they count: who imports a list of notes means it.
    async fn with_dated_notes(&self, workspace: &str, accounts: &Accounts, rows: Vec<Row>) -> Result<Vec<Row>> {
        let is_note = |(_, stop): &Row| stop.source == MarketingSource::Note;
        let (notes, mut others): (Vec<Row>, Vec<Row>) = rows.into_iter().partition(is_note);
        let (lines, notes): (Vec<u32>, Vec<Note>) = notes
            .into_iter()
            .map(|(line, MarketingPreference { person, waba, number, is_stopped, at, .. })| {
                (line, Note { person, waba, number, is_stopped, at })
            })
            .unzip();
        others.extend(lines.into_iter().zip(self.dated(workspace, accounts, notes).await?));
        others.sort_by_key(|(line, _)| *line);
        Ok(others)
    }
}
