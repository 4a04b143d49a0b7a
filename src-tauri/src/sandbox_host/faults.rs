//! The fault in the settings of the sandbox: one, although clients can add several.

use command_types::error::{DeskError, Result};
use command_types::phone::SandboxFault;
use sandbox::{Cut, Fault, FaultAnswer, ResponseChange, When};

use super::SandboxHost;
use super::commands::parse_word;

/// The status of rejected credentials, with which a provider carries nothing out.
const UNAUTHORIZED: u16 = 401;

impl SandboxHost {
    /// The first fault, as the window shows it.
    pub(super) fn shown_fault(&self) -> Option<SandboxFault> {
        let fault = self.sandbox.faults().into_iter().next()?;
        let (answer, status) = match fault.answer {
            FaultAnswer::Cut(_) => ("cut", None),
            FaultAnswer::Status(status) => ("status", Some(status)),
            FaultAnswer::Changed(ResponseChange::Date) if fault.offset < Some(0) => ("behind", None),
            FaultAnswer::Changed(ResponseChange::Date) => ("ahead", None),
            FaultAnswer::Changed(ResponseChange::Omit) => ("omit", None),
        };
        Some(SandboxFault {
            operations: fault.operations.into_iter().map(|operation| operation.word().to_owned()).collect(),
            answer: answer.to_owned(),
            status,
            retry_after: fault.retry_after,
            offset: fault.offset.map(|seconds| u32::try_from(seconds.unsigned_abs()).unwrap_or(u32::MAX)),
            template: fault.template.and_then(|uuid| self.sandbox.template_name(&uuid)),
            from: fault.from,
            times: fault.times,
        })
    }

    /// Converts a fault from the settings.
    pub(super) fn parse_fault(&self, fault: SandboxFault) -> Result<Fault> {
        let operations = fault.operations.iter().map(|operation| parse_word("fault.operations", operation));
        let answer = match (fault.answer.as_str(), fault.status) {
            ("status", Some(status)) => FaultAnswer::Status(status),
            ("cut", None) => FaultAnswer::Cut(Cut::Cut),
            ("ahead" | "behind", None) => FaultAnswer::Changed(ResponseChange::Date),
            ("omit", None) => FaultAnswer::Changed(ResponseChange::Omit),
            (other, _) => return Err(DeskError::invalid("fault.answer", format!("`{other}` is no answer"))),
        };
        let unknown =
            |name: &str| DeskError::invalid("fault.template", format!("There is no template \u{201c}{name}\u{201d}."));
        let template = fault.template.map(|name| self.sandbox.template_uuid(&name).ok_or_else(|| unknown(&name)));
        let sign = if fault.answer == "behind" { -1 } else { 1 };
        let is_rejected = answer == FaultAnswer::Status(UNAUTHORIZED);
        Ok(Fault {
            when: if is_rejected { When::Before } else { When::After },
            retry_after: fault.retry_after,
            offset: fault.offset.map(|seconds| i64::from(seconds) * sign),
            template: template.transpose()?,
            from: fault.from,
            times: fault.times,
            ..Fault::of(operations.collect::<Result<_>>()?, answer)
        })
    }
}
