//! View models: what screens ask for and are shown. They exist for the window and live nowhere else.

pub mod activity;
pub mod composer;
pub mod insights;
pub mod receiver;
pub mod send;
pub mod template;
pub mod workspace;
