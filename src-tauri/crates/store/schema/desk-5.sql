-- What is done to templates that are there: archived, unarchived, deleted, one or many at once. An order is planned
-- whole, with all its items, before the first one leaves.
CREATE TABLE template_order (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspace ON DELETE CASCADE,
  action TEXT NOT NULL CHECK (action IN ('archive', 'unarchive', 'delete')),
  state TEXT NOT NULL CHECK (state IN ('planned', 'running', 'cancelling', 'cancelled', 'done', 'interrupted')),
  -- Why it was interrupted.
  error TEXT CHECK (error IS NULL OR json_valid(error)),
  -- The order it takes back.
  undo_of TEXT,
  -- What a person is told before it starts.
  facts TEXT NOT NULL CHECK (json_valid(facts)),
  total INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  started_at INTEGER,
  ended_at INTEGER
) STRICT;
CREATE INDEX template_order_newest ON template_order (workspace_id, created_at, id);
CREATE INDEX template_order_at_work ON template_order (id) WHERE state IN ('running', 'cancelling');
CREATE INDEX template_order_undo ON template_order (undo_of) WHERE undo_of IS NOT NULL;

CREATE TABLE template_order_item (
  order_id TEXT NOT NULL REFERENCES template_order ON DELETE CASCADE,
  position INTEGER NOT NULL,
  workspace_id TEXT NOT NULL,
  template_ref TEXT NOT NULL,
  -- The channel's identifier of the template.
  channel_id TEXT,
  name TEXT NOT NULL,
  language TEXT NOT NULL,
  -- How the template stood when the order was planned.
  status_before TEXT,
  archived_before INTEGER NOT NULL,
  state TEXT NOT NULL
    CHECK (state IN ('planned', 'leaving', 'done', 'failed', 'unknown', 'cancelled', 'skipped')),
  -- Why it failed, is not known, or was skipped.
  error TEXT CHECK (error IS NULL OR json_valid(error)),
  -- How often it left.
  attempts INTEGER NOT NULL DEFAULT 0,
  -- When it left last, and when that was answered or settled.
  left_at INTEGER,
  answered_at INTEGER,
  PRIMARY KEY (order_id, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX template_order_item_state ON template_order_item (order_id, state, position);
CREATE INDEX template_order_item_template ON template_order_item (workspace_id, template_ref);
CREATE INDEX template_order_item_open ON template_order_item (workspace_id, state) WHERE state IN ('leaving', 'unknown');

-- How many items stand where, kept by the triggers below: nobody counts the items of an order to show it.
CREATE TABLE template_order_count (
  order_id TEXT NOT NULL REFERENCES template_order ON DELETE CASCADE,
  state TEXT NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (order_id, state)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER template_order_item_added AFTER INSERT ON template_order_item BEGIN
  INSERT INTO template_order_count (order_id, state, n) VALUES (NEW.order_id, NEW.state, 1)
    ON CONFLICT DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER template_order_item_moved AFTER UPDATE OF state ON template_order_item WHEN NEW.state <> OLD.state BEGIN
  UPDATE template_order_count SET n = n - 1 WHERE order_id = OLD.order_id AND state = OLD.state;
  INSERT INTO template_order_count (order_id, state, n) VALUES (NEW.order_id, NEW.state, 1)
    ON CONFLICT DO UPDATE SET n = n + 1;
END;

-- When the listing was asked for that still showed what was there before: the difference came after that.
ALTER TABLE observation ADD COLUMN since INTEGER;
