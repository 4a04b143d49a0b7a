//! Client of the provider's API: one method an endpoint, typed errors, tolerant decoding.
