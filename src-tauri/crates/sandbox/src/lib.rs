//! The provider, simulated in full.
