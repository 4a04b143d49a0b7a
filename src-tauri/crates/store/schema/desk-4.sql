-- The address book of a workspace.
CREATE TABLE recipient (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspace ON DELETE CASCADE,
  name TEXT NOT NULL,
  -- Digits with country code.
  number TEXT NOT NULL,
  labels TEXT NOT NULL CHECK (json_valid(labels)),
  note TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (workspace_id, number)
) STRICT;

-- Sends to many. A batch is planned whole, with all its rows, before the first one leaves.
CREATE TABLE batch (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspace ON DELETE CASCADE,
  number TEXT NOT NULL,
  template_ref TEXT NOT NULL,
  template_name TEXT NOT NULL,
  language TEXT NOT NULL,
  source TEXT NOT NULL,
  -- What all rows have in common.
  request TEXT NOT NULL CHECK (json_valid(request)),
  state TEXT NOT NULL CHECK (state IN ('planned', 'running', 'cancelling', 'cancelled', 'done', 'interrupted')),
  -- Why it was interrupted.
  error TEXT CHECK (error IS NULL OR json_valid(error)),
  total INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  started_at INTEGER,
  ended_at INTEGER
) STRICT;
CREATE INDEX batch_newest ON batch (workspace_id, created_at, id);
CREATE INDEX batch_at_work ON batch (id) WHERE state IN ('running', 'cancelling');

CREATE TABLE batch_row (
  batch_id TEXT NOT NULL REFERENCES batch ON DELETE CASCADE,
  -- Line of the file, or position among the recipients.
  row INTEGER NOT NULL,
  recipient TEXT NOT NULL,
  name TEXT,
  -- Values by part.
  filled TEXT NOT NULL CHECK (json_valid(filled)),
  problem TEXT CHECK (problem IS NULL OR json_valid(problem)),
  -- `planned`, `skipped`, `cancelled`; once it left, what its send says.
  state TEXT NOT NULL,
  send_id TEXT,
  PRIMARY KEY (batch_id, row)
) STRICT, WITHOUT ROWID;
CREATE INDEX batch_row_state ON batch_row (batch_id, state, row);

-- How many rows stand where, kept by the triggers below: nobody counts the rows of a batch to show it.
CREATE TABLE batch_count (
  batch_id TEXT NOT NULL REFERENCES batch ON DELETE CASCADE,
  state TEXT NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (batch_id, state)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER batch_row_added AFTER INSERT ON batch_row BEGIN
  INSERT INTO batch_count (batch_id, state, n) VALUES (NEW.batch_id, NEW.state, 1)
    ON CONFLICT DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER batch_row_moved AFTER UPDATE OF state ON batch_row WHEN NEW.state <> OLD.state BEGIN
  UPDATE batch_count SET n = n - 1 WHERE batch_id = OLD.batch_id AND state = OLD.state;
  INSERT INTO batch_count (batch_id, state, n) VALUES (NEW.batch_id, NEW.state, 1)
    ON CONFLICT DO UPDATE SET n = n + 1;
END;

-- A row follows its send in the same transaction, whoever changes the send: so a row that is still planned has never
-- left, and one that was on its way when the process ended is as unknown as its send. What the channel reports can be any
-- word, but never one that would make the row leave again.
CREATE TRIGGER batch_send_added AFTER INSERT ON send WHEN NEW.batch_id IS NOT NULL BEGIN
  UPDATE batch_row SET send_id = NEW.id, state = CASE
      WHEN NEW.status IN ('planned', 'skipped', 'cancelled', 'sending') THEN 'other'
      WHEN NEW.status IS NOT NULL THEN NEW.status
      WHEN NEW.state = 'recorded' THEN 'sending'
      ELSE NEW.state END
    WHERE batch_id = NEW.batch_id AND row = NEW.batch_row;
END;
CREATE TRIGGER batch_send_moved AFTER UPDATE OF state, status ON send WHEN NEW.batch_id IS NOT NULL BEGIN
  UPDATE batch_row SET state = CASE
      WHEN NEW.status IN ('planned', 'skipped', 'cancelled', 'sending') THEN 'other'
      WHEN NEW.status IS NOT NULL THEN NEW.status
      WHEN NEW.state = 'recorded' THEN 'sending'
      ELSE NEW.state END
    WHERE batch_id = NEW.batch_id AND row = NEW.batch_row AND send_id = NEW.id;
END;
