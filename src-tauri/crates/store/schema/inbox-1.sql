CREATE TABLE meta (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  inbox_id TEXT NOT NULL
) STRICT;

-- Append only. A second index on the hot insert costs half of the throughput: duplicates are recognised by the
-- projection, not here.
CREATE TABLE delivery (
  seq INTEGER PRIMARY KEY,
  received_at INTEGER NOT NULL,
  route TEXT NOT NULL,
  headers TEXT NOT NULL,
  body BLOB NOT NULL
) STRICT;
