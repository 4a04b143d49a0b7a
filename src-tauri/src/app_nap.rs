//! Keeps macOS from slowing the app down while its window is hidden or covered: the receiver, batches and timers go on.

use objc2_foundation::{NSActivityOptions, NSProcessInfo, NSString};

/// Ends with the process, or when it is dropped.
pub(crate) fn prevent() -> impl Sized {
    // The computer may still sleep when nobody uses it.
    let options = NSActivityOptions::UserInitiatedAllowingIdleSystemSleep;
    NSProcessInfo::processInfo()
        .beginActivityWithOptions_reason(options, &NSString::from_str("Receives webhooks and sends batches"))
}
