//! Exit codes, which are stable for scripts.

/// There were findings, or the provider refused the request.
pub(crate) const REFUSED: u8 = 1;
/// The arguments or the environment are invalid.
pub(crate) const USAGE: u8 = 2;
/// A connection, a read or a write failed.
pub(crate) const UNAVAILABLE: u8 = 3;
/// A request that changes something was sent, and its outcome is unknown.
pub(crate) const UNKNOWN: u8 = 4;

/// A signal ended the program before everything was done.
pub(crate) const INTERRUPTED: u8 = 130;

/// The codes, for `--help`.
pub(crate) const CODES: &str = "Exit codes:
  0  done
  1  findings, or the provider refused; some of several files may have been pushed: see the output
  2  wrong usage
  3  a connection, a read or a write failed; some of several files may have been pushed: see the output
  4  a request was sent and its outcome is unknown; check the outcome before you repeat it
  130  interrupted before everything was done";

/// A usage error; exits with code 2.
#[derive(Debug)]
pub(crate) struct WrongUsage(pub(crate) String);

impl std::fmt::Display for WrongUsage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for WrongUsage {}

/// The exit code for an error.
pub(crate) fn of(error: &anyhow::Error) -> u8 {
    if error.chain().any(|cause| cause.is::<WrongUsage>()) { USAGE } else { UNAVAILABLE }
}

/// An error and its causes in one line. A cause that the text of the error above it already contains is not repeated.
pub(crate) fn describe(error: &anyhow::Error) -> String {
    let mut describe = String::new();
    for cause in error.chain() {
        let cause = cause.to_string();
        if describe.is_empty() {
            describe = cause;
        } else if !describe.contains(&cause) {
            describe.push_str(": ");
            describe.push_str(&cause);
        }
    }
    describe
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_cause_is_printed_once() {
        let error = anyhow::anyhow!("the disk is full").context("a.json: the disk is full").context("not saved");
        assert_eq!(super::describe(&error), "not saved: a.json: the disk is full");
    }
}
