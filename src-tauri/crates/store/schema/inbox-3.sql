-- What was stored from one start on. A file that was restored from a copy gives numbers again; who follows it notices by
-- the stream, which has another identifier.
CREATE TABLE stream (
  id TEXT PRIMARY KEY,
  first_seq INTEGER NOT NULL
) STRICT;

-- Where a delivery was fetched from; NULL if it was received here.
ALTER TABLE delivery ADD COLUMN origin TEXT;

-- Up to where each feed was fetched. Written in the transaction of the deliveries.
CREATE TABLE feed_cursor (
  source TEXT PRIMARY KEY,
  cursor TEXT NOT NULL
) STRICT;
