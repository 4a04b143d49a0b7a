-- Imports: template files that are pushed, each recorded before its requests leave. A workspace has its newest one.

CREATE TABLE import (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspace ON DELETE CASCADE,
  -- The folder, or the name of the workspace that is copied from.
  source TEXT NOT NULL,
  -- Where the files are.
  folder TEXT NOT NULL,
  -- Whether the folder is the app's own and goes with the import.
  is_copy INTEGER NOT NULL,
  -- WABAs in which new templates are created, and codes of the warnings that were overridden.
  wabas TEXT NOT NULL CHECK (json_valid(wabas)),
  overrides TEXT NOT NULL CHECK (json_valid(overrides)),
  state TEXT NOT NULL CHECK (state IN ('running', 'cancelling', 'cancelled', 'done', 'interrupted')),
  -- Why it was interrupted.
  error TEXT CHECK (error IS NULL OR json_valid(error)),
  created_at INTEGER NOT NULL,
  started_at INTEGER,
  ended_at INTEGER
) STRICT;
CREATE INDEX import_newest ON import (workspace_id, created_at);

CREATE TABLE import_file (
  import_id TEXT NOT NULL REFERENCES import ON DELETE CASCADE,
  position INTEGER NOT NULL,
  file TEXT NOT NULL,
  name TEXT NOT NULL,
  language TEXT NOT NULL,
  -- What was shown before it was confirmed: whether it creates or edits, the digests of the file and its media by their
  -- names, and a digest of the content before and after.
  action TEXT NOT NULL CHECK (action IN ('create', 'edit')),
  digests TEXT NOT NULL CHECK (json_valid(digests)),
  effect TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('planned', 'leaving', 'done', 'failed', 'unknown', 'cancelled')),
  -- Why it is not done.
  error TEXT CHECK (error IS NULL OR json_valid(error)),
  -- The provider's references of what was created or edited.
  template_refs TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(template_refs)),
  -- Whether some of its requests were carried out and others were not: it is not sent again.
  is_partial INTEGER NOT NULL DEFAULT 0,
  -- When it left last, and when that was answered or settled.
  left_at INTEGER,
  answered_at INTEGER,
  PRIMARY KEY (import_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE import_count (
  import_id TEXT NOT NULL REFERENCES import ON DELETE CASCADE,
  state TEXT NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (import_id, state)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER import_file_added AFTER INSERT ON import_file BEGIN
  INSERT INTO import_count (import_id, state, n) VALUES (NEW.import_id, NEW.state, 1)
    ON CONFLICT DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER import_file_moved AFTER UPDATE OF state ON import_file WHEN NEW.state <> OLD.state BEGIN
  UPDATE import_count SET n = n - 1 WHERE import_id = OLD.import_id AND state = OLD.state;
  INSERT INTO import_count (import_id, state, n) VALUES (NEW.import_id, NEW.state, 1)
    ON CONFLICT DO UPDATE SET n = n + 1;
END;
