//! Starts the sandbox again: everything but its settings is removed, and a seed is applied.

use crate::Sandbox;
use crate::seed::Seed;
use crate::seeding;

impl Sandbox {
    /// Removes templates, messages, phones, files, faults, scripts and deliveries, and applies `seed`. Settings, webhooks
    /// and credentials stay. Returns when the new state is on disk.
    pub async fn reset(&self, seed: Seed) -> Result<(), String> {
        let runtime = std::sync::Arc::clone(&self.runtime);
        let seeding = move || {
            runtime.hold_history();
            let files = runtime.change(|state| {
                let files: Vec<String> = std::mem::take(&mut state.media).into_keys().collect();
                state.clear();
                seeding::accounts(state);
                files
            });
            runtime.remove_files(&files);
            match seed {
                Seed::Empty => Ok(()),
                Seed::Samples | Seed::History => seeding::templates(&runtime, seed == Seed::History),
            }
        };
        let seeded = tokio::task::spawn_blocking(seeding).await.map_err(|error| error.to_string())?;
        seeded.map_err(|error| error.to_string())?;
        let runtime = std::sync::Arc::clone(&self.runtime);
        self.tracker.spawn_blocking(move || crate::prepare_history(&runtime));
        self.runtime.saved().await
    }
}
