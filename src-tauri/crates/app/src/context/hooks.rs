//! Hooks: calls from an area to areas above it that it does not know.

use std::pin::Pin;
use std::sync::{Arc, Mutex};

use super::lock;
use command_types::error::Result;

type HookFuture = Pin<Box<dyn Future<Output = Result<()>> + Send>>;
type Hook<E> = Arc<dyn Fn(E) -> HookFuture + Send + Sync>;

/// Hooks that areas above register for an event of an area below, run in the order of registration. A hook holds a weak
/// reference to its area: otherwise neither would ever be dropped.
pub(crate) struct Hooks<E>(Mutex<Vec<Hook<E>>>);

impl<E: Clone> Hooks<E> {
    pub(crate) fn add<F>(&self, hook: impl Fn(E) -> F + Send + Sync + 'static)
    where
        F: Future<Output = Result<()>> + Send + 'static,
    {
        lock(&self.0).push(Arc::new(move |event| Box::pin(hook(event))));
    }

    /// Runs all hooks, one after the other.
    ///
    /// # Errors
    /// That of the first hook that fails; those after it do not run.
    pub(crate) async fn run(&self, event: E) -> Result<()> {
        let hooks = lock(&self.0).clone();
        for hook in hooks {
            hook(event.clone()).await?;
        }
        Ok(())
    }
}

impl<E> Default for Hooks<E> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<E> std::fmt::Debug for Hooks<E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Hooks")
    }
}
