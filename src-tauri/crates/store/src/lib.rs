//! The three SQLite files: inbox, desk and cache.
