//! Samples of the review that were left in a batch.

use model::send::{SendPart, SendValues};

use command_types::batch::SampleUse;

/// Texts that every recipient gets and that are the samples of their parts.
pub(super) fn sample_values(parts: &[SendPart], fixed: &SendValues) -> Vec<SampleUse> {
    let is_sample = |part: &&SendPart| fixed.get(&part.id).is_some_and(|value| part.is_left_sample(value));
    let used = |part: &SendPart| SampleUse { part: part.id.clone(), sample: part.sample.trim().to_owned() };
    parts.iter().filter(is_sample).map(used).collect()
}
