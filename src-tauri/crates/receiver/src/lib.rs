//! The webhook endpoint: handshake, signature, limits. Appends to a port and knows no database.
