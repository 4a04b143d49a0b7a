//! The rate card of a workspace: imported whole or not at all from a CSV file.

use std::path::Path;

use model::rate_card::{MAX_RATES, RateCard, RateCardFault, RateCardFaultCode, read};
use store::desk::StoredRateCard;

use crate::costs;
use crate::csv_import;
use crate::date_range::{DAY, day_of};
use crate::insights::Insights;
use crate::spreadsheet::Sheet;
use command_types::error::Result;
use command_types::insights::{InsightsExport, RateCardImport, WorkspaceRateCard};
use command_types::workspace::WorkspaceId;
use outgoing::{now, to_json};

/// Faults that are shown.
const MAX_SHOWN_FAULTS: usize = 200;
/// The longest cell that is shown, in characters.
const MAX_SHOWN_VALUE: usize = 80;

const SAMPLE_HEADER: [&str; 8] = ["market", "category", "type", "price", "currency", "valid_from", "tier_from", "note"];
/// Invented prices.
const SAMPLE: [[&str; 5]; 9] = [
    ["Brazil", "marketing", "0.06", "2026-07-01", ""],
    ["Brazil", "utility", "0.008", "2026-07-01", ""],
    ["Brazil", "utility", "0.007", "2026-10-01", ""],
    ["Brazil", "utility", "0.006", "2026-10-01", "100001"],
    ["Brazil", "authentication", "0.007", "2026-10-01", ""],
    ["Brazil", "service", "0.007", "2026-10-01", ""],
    ["Mexico", "marketing", "0.03", "2026-07-01", ""],
    ["Rest of Latin America", "marketing", "0.07", "2026-07-01", ""],
    ["North America", "marketing", "0.02", "2026-07-01", ""],
];

impl Insights {
    pub async fn get_rate_card(&self, request: WorkspaceId) -> Result<Option<WorkspaceRateCard>> {
        let Some(stored) = self.0.context.desk.rate_card(&request.workspace).await? else { return Ok(None) };
        let card = costs::read(&stored)?;
        let prices = card.current(day_of(now().div_euclid(DAY)));
        Ok(Some(WorkspaceRateCard {
            name: stored.name,
            imported_at: stored.imported_at,
            summary: card.summary(),
            prices,
        }))
    }

    pub async fn remove_rate_card(&self, request: WorkspaceId) -> Result<()> {
        Ok(self.0.context.desk.remove_rate_card(&request.workspace).await?)
    }

    /// Reads the rate card of a workspace from a file, unless a row has a fault. Prices of the former card that the file
    /// does not renew are kept.
    ///
    /// # Errors
    /// [`command_types::error::DeskError::File`] when it cannot be read.
    pub async fn import_rate_card_from(&self, path: &Path, request: WorkspaceId) -> Result<RateCardImport> {
        let name = outgoing::file_name::shown_name(path);
        let source = path.to_owned();
        let outcome = outgoing::compute::blocking(move || {
            let table = csv_import::open(&source)?;
            let rows: Vec<(u32, Vec<&str>)> =
                table.header.iter().chain(&table.rows).map(|row| (row.number, row.cells.iter().collect())).collect();
            Ok(read(&rows))
        })
        .await?;
        match outcome.map_err(|error: csv_import::Unusable| error.of(&name))? {
            Ok(mut card) => {
                let rates = card.rates.len() as u32;
                let former = costs::usable_rate_card(&self.0.context, &request.workspace).await?;
                let kept = former.map_or(0, |former| card.keep_from(former)) as u32;
                if card.rates.len() > MAX_RATES {
                    let fault = RateCardFault { line: 0, code: RateCardFaultCode::TooMany, value: String::new() };
                    return Ok(RateCardImport { name, faults: vec![fault], faulty: 1, ..RateCardImport::default() });
                }
                self.store(&request.workspace, &name, &card).await?;
                Ok(RateCardImport { name, rates, kept, ..RateCardImport::default() })
            }
            Err(mut faults) => {
                let faulty = faults.len() as u32;
                faults.truncate(MAX_SHOWN_FAULTS);
                for fault in &mut faults {
                    fault.value = fault.value.chars().take(MAX_SHOWN_VALUE).collect();
                }
                Ok(RateCardImport { name, faults, faulty, ..RateCardImport::default() })
            }
        }
    }

    async fn store(&self, workspace: &str, name: &str, card: &RateCard) -> Result<()> {
        let card = StoredRateCard {
            workspace_id: workspace.to_owned(),
            name: name.to_owned(),
            imported_at: now(),
            card: to_json(card)?,
        };
        Ok(self.0.context.desk.set_rate_card(card).await?)
    }

    #[must_use]
    pub fn sample_rate_card_file_name(&self) -> String {
        "rate-card-sample.csv".to_owned()
    }

    /// Writes a rate card with invented prices, which shows the columns.
    ///
    /// # Errors
    /// [`command_types::error::DeskError::File`] when it cannot be written.
    pub async fn export_sample_rate_card_to(&self, path: &Path) -> Result<InsightsExport> {
        let mut sheet = Sheet::new(self.0.workspaces.language(), &SAMPLE_HEADER)?;
        for [market, category, price, valid_from, tier_from] in SAMPLE {
            let (price, note) = (sheet.decimal(price), sheet.word("sample", "sample"));
            sheet.row([market, category, "regular", &price, "USD", valid_from, tier_from, &note])?;
        }
        sheet.save(path).await?;
        Ok(InsightsExport { path: outgoing::file_name::shown(path), rows: SAMPLE.len() as u64 })
    }
}
