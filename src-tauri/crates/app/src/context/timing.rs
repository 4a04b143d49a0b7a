//! Durations that a host may shorten.

use std::time::Duration;

use receiver::Limits;

/// Minimum interval between two messages of one number: 80 per second.
pub(crate) const SEND_INTERVAL: Duration = Duration::from_micros(12_500);

/// Delay after a failure of the store before the same work is retried.
pub(crate) const STORE_RETRY_DELAY: Duration = Duration::from_secs(1);

/// Pauses, intervals and timeouts of a core. The defaults are those of the app; tests shorten them.
#[derive(Clone, Debug)]
pub struct Timing {
    /// Minimum interval between two messages of one number.
    pub send_interval: Duration,
    /// First pause of a job after the provider limits requests, fails or does not answer; each further one is twice as
    /// long.
    pub job_pause: Duration,
    /// A recipient is paused 4 to the power of n times as long after the channel refused n messages to it.
    pub recipient_pause: Duration,
    /// Minimum time between the starts of two batches of the projector, unless more is stored than one batch takes. A
    /// batch has costs that do not depend on its size.
    pub batch_interval: Duration,
    /// The same after a large batch: fewer transactions leave more of the processor to the receiver.
    pub large_batch_interval: Duration,
    /// How long a provider may take to carry out a request whose answer was lost. A listing that was requested sooner does
    /// not show that nothing was done.
    pub lost_request: Duration,
    /// First pause after a page of a feed was not fetched; each further one is twice as long.
    pub feed_pause: Duration,
    /// The clock of this machine, in Unix milliseconds, by which items that must not be sent yet wait.
    pub clock: fn() -> i64,
    /// Longest time until that clock is looked at again.
    pub clock_check: Duration,
    /// Interval at which previous webhook secrets are removed if they are unused.
    pub unused_secret_interval: Duration,
    /// How long an update of the app waits for what is being sent.
    pub update_patience: Duration,
    /// Limits of the receivers.
    pub receiver: Limits,
}

impl Default for Timing {
    fn default() -> Self {
        Self {
            send_interval: SEND_INTERVAL,
            job_pause: Duration::from_secs(1),
            recipient_pause: Duration::from_secs(1),
            batch_interval: Duration::from_millis(50),
            large_batch_interval: Duration::from_millis(200),
            lost_request: Duration::from_secs(2 * 60),
            feed_pause: Duration::from_millis(250),
            clock: outgoing::now,
            clock_check: Duration::from_secs(60),
            unused_secret_interval: Duration::from_secs(60 * 60),
            update_patience: Duration::from_secs(10),
            receiver: Limits::default(),
        }
    }
}
