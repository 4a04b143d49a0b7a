-- The end of the log. Whoever appends locks this row until its commit, so that numbers are in the order of commits: a
-- reader that sees a number sees everything before it.
CREATE TABLE template_desk.log (
  id int PRIMARY KEY CHECK (id = 1),
  last_seq bigint NOT NULL
);
INSERT INTO template_desk.log VALUES (1, 0);

-- Apart from the end of the log, so that removing never waits for appending, nor the other way round.
CREATE TABLE template_desk.retention (
  id int PRIMARY KEY CHECK (id = 1),
  -- NULL keeps everything.
  keep_days int,
  -- Everything before it was removed.
  first_seq bigint NOT NULL
);
INSERT INTO template_desk.retention VALUES (1, NULL, 1);

CREATE TABLE template_desk.delivery (
  seq bigint PRIMARY KEY,
  -- Random for each commit: tells the numbers of a restored log from those that it gave before.
  mark uuid NOT NULL,
  -- By the clock of the database, in Unix milliseconds.
  stored_at bigint NOT NULL,
  -- Name of the receiver.
  node text NOT NULL,
  endpoint text NOT NULL,
  -- By the clock of the receiver, in Unix milliseconds.
  received_at bigint NOT NULL,
  -- JSON array of pairs.
  headers text NOT NULL,
  body bytea NOT NULL,
  crc bigint NOT NULL
);

CREATE TABLE template_desk.desk (
  name text PRIMARY KEY,
  token_hash text NOT NULL UNIQUE,
  -- JSON array of the endpoints that it sees; empty for all.
  endpoints text NOT NULL,
  created_at bigint NOT NULL,
  -- Up to which number it has read, as of `read_at` (Unix milliseconds); NULL before it read anything.
  read_to bigint,
  read_at bigint
);
