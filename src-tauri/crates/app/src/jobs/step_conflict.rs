//! Why a job is not started, stopped or discarded.

use command_types::error::{ConflictFault, DeskError, Missing};
use store::desk::{RunState, RunStep};

/// The error of a step that was not made: of a job named `missing`, which cannot run beside what `busy` says.
pub(crate) fn step_conflict(step: &RunStep, missing: Missing, busy: ConflictFault) -> DeskError {
    DeskError::conflict(match step {
        RunStep::Missing | RunStep::Done => return DeskError::not_found(missing),
        RunStep::Busy(_) => busy,
        RunStep::State(RunState::Planned) => ConflictFault::NotStarted {},
        RunStep::State(RunState::Running) => ConflictFault::Running {},
        RunStep::State(RunState::Cancelling) => ConflictFault::Cancelling {},
        RunStep::State(RunState::Cancelled) => ConflictFault::Cancelled {},
        RunStep::State(RunState::Interrupted) => ConflictFault::Interrupted {},
        RunStep::State(RunState::Done) => ConflictFault::Done {},
    })
}
