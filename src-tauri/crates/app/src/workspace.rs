//! Workspaces.

/// Identifier of the built-in sandbox workspace.
pub const SANDBOX_ID: &str = "sandbox";
