//! Use cases and ports: workspaces, sync, drafts, submit, send, projection of events.
