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

-- Appends a group of deliveries. A session of the server keeps the plans of a function; without it, planning would take
-- longer than the rest, because a pooler gives each statement another session, in which nothing can be prepared.
CREATE FUNCTION template_desk.append(
  group_mark uuid, receiver text, endpoints text[], times bigint[], all_headers text[], bodies bytea[], crcs bigint[]
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  last bigint;
  now bigint;
BEGIN
  -- For this transaction, whatever the role or the database says: the commit waits for the disk, and for a synchronous
  -- standby if there is one; the lock is not waited for without end; and the warning that a commit did not wait is sent.
  PERFORM set_config('synchronous_commit', CASE current_setting('synchronous_commit')
                       WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, true),
          set_config('lock_timeout', '8s', true), set_config('client_min_messages', 'warning', true);
  UPDATE template_desk.log SET last_seq = last_seq + cardinality(endpoints) WHERE id = 1
    RETURNING last_seq INTO STRICT last;
  now := extract(epoch FROM clock_timestamp()) * 1000;
  INSERT INTO template_desk.delivery (seq, mark, stored_at, node, endpoint, received_at, headers, body, crc)
    SELECT last - cardinality(endpoints) + d.place, group_mark, now, receiver, d.endpoint, d.received_at, d.headers, d.body, d.crc
    FROM unnest(endpoints, times, all_headers, bodies, crcs) WITH ORDINALITY
      AS d (endpoint, received_at, headers, body, crc, place);
END $$;

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
