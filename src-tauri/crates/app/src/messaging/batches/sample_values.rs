//! Samples of the review that were left in a batch.

use model::send::{PartKind, SendPart, SendValues};

use command_types::batch::SampleUse;

/// Texts that every recipient gets and that are the samples of their parts. A sample picture is often the right one.
pub(super) fn sample_values(parts: &[SendPart], fixed: &SendValues) -> Vec<SampleUse> {
    let is_sample = |part: &&SendPart| {
        let value = fixed.get(&part.id).map(|value| value.trim());
        part.kind == PartKind::Text && !part.sample.trim().is_empty() && value == Some(part.sample.trim())
    };
    let used = |part: &SendPart| SampleUse { part: part.id.clone(), sample: part.sample.trim().to_owned() };
    parts.iter().filter(is_sample).map(used).collect()
}
