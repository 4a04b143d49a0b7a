//! An item as its first delivery has it.

use command_types::error::Result;
use model::event::kind::ItemKind;
use model::item::{self, Decoded};
use outgoing::compute;
use store::cache::ItemRow;

use crate::context::Context;

/// The decoded item of a row; `None` if its delivery is not stored any more.
pub(crate) async fn decoded(context: &Context, row: &ItemRow) -> Result<Option<Decoded>> {
    let Some(delivery) = context.reader.get(row.first_seq).await? else { return Ok(None) };
    let row = row.clone();
    let found = compute::decode(move || {
        let kind = ItemKind::from(row.kind.as_str());
        let item = item::items(&delivery.body).into_iter().nth(usize::try_from(row.ordinal).ok()?)?;
        Some(Decoded::read(&kind, item.value.get()))
    });
    found.await
}
