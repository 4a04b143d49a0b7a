//! Tests the model against every example of the contract and of the channel, and against arbitrary input.

mod examples;
mod long_inputs;
mod numbers;
mod payloads;
mod properties;
mod reading;
mod sent;
