CREATE TABLE meta (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  log_id TEXT NOT NULL,
  -- No sequence number up to the floor is given again. Retention removed so many: whatever else is missing was lost.
  floor INTEGER NOT NULL DEFAULT 0,
  removed INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Append only. A second index on the hot insert costs half of the throughput: duplicates are recognised by the
-- projection, not here.
CREATE TABLE delivery (
  seq INTEGER PRIMARY KEY,
  received_at INTEGER NOT NULL,
  route TEXT NOT NULL,
  headers TEXT NOT NULL,
  body BLOB NOT NULL,
  -- CRC-32 over the rest of the row: SQLite finds a page that is out of shape, not one in which a letter is another.
  crc INTEGER,
  -- Where it was fetched from; NULL if it was received here.
  origin TEXT
) STRICT;

-- One row for each start, with the first number given after it. A file that was restored from a copy gives numbers again:
-- the stream tells them apart.
CREATE TABLE stream (
  id TEXT PRIMARY KEY,
  first_seq INTEGER NOT NULL
) STRICT;

-- Up to where each feed was fetched. Written in the transaction of the deliveries.
CREATE TABLE feed_cursor (
  source TEXT PRIMARY KEY,
  cursor TEXT NOT NULL,
  -- When the last delivery before it was received on the server; NULL if there was none.
  received_at INTEGER
) STRICT;

-- Deliveries that the server of a feed passed over, until a person has seen that. Written in the transaction of the
-- cursor.
CREATE TABLE feed_gap (
  source TEXT NOT NULL,
  why TEXT NOT NULL,
  deliveries INTEGER NOT NULL,
  -- When the deliveries before and after them were received on the server; the first is NULL if that is unknown.
  after INTEGER,
  before INTEGER NOT NULL,
  PRIMARY KEY (source, why)
) STRICT;
