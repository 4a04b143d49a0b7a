//! Which received messages are opt-outs.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use store::StoreError;
use store::desk::MarketingPreference;

use crate::decoding::{MaybeOptOut, Words};
use crate::webhooks::Webhooks;

impl Webhooks {
    /// What messages say with the opt-out words of their workspaces.
    pub(super) async fn opt_outs(&self, said: Vec<MaybeOptOut>) -> Result<Vec<MarketingPreference>, StoreError> {
        let mut words: HashMap<String, Words> = HashMap::new();
        let mut preferences = Vec::new();
        for said in said {
            let words = match words.entry(said.workspace().to_owned()) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(unknown) => {
                    let stored = self.0.context.desk.opt_out_words(said.workspace()).await?;
                    unknown.insert(Words::of(stored))
                }
            };
            preferences.extend(said.preferences(words));
        }
        Ok(preferences)
    }
}
