CREATE TABLE setting (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL CHECK (json_valid(value))
) STRICT, WITHOUT ROWID;

CREATE TABLE workspace (
  id TEXT PRIMARY KEY,
  position INTEGER NOT NULL,
  settings TEXT NOT NULL CHECK (json_valid(settings)),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE draft (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspace ON DELETE CASCADE,
  name TEXT NOT NULL,
  language TEXT NOT NULL,
  document TEXT NOT NULL CHECK (json_valid(document)),
  template_ref TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX draft_newest ON draft (workspace_id, updated_at, id);

CREATE TABLE submission (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspace ON DELETE CASCADE,
  draft_id TEXT REFERENCES draft ON DELETE SET NULL,
  template_ref TEXT,
  waba TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('create', 'edit')),
  request TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('recorded', 'accepted', 'refused', 'unknown')),
  response_status INTEGER,
  response_body TEXT,
  error TEXT CHECK (error IS NULL OR json_valid(error)),
  created_at INTEGER NOT NULL,
  answered_at INTEGER,
  -- Status of a template when an edit of it was sent: the channel limits edits of approved templates only.
  status_before TEXT,
  -- The media that were sent with it: a copy of the template takes them while they exist.
  files TEXT CHECK (files IS NULL OR json_valid(files))
) STRICT;
CREATE INDEX submission_newest ON submission (workspace_id, created_at, id);
CREATE INDEX submission_draft ON submission (draft_id) WHERE draft_id IS NOT NULL;
CREATE INDEX submission_template ON submission (workspace_id, template_ref, created_at) WHERE template_ref IS NOT NULL;
CREATE INDEX submission_recorded ON submission (id) WHERE state = 'recorded';

CREATE TABLE version (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspace ON DELETE CASCADE,
  template_ref TEXT NOT NULL,
  at INTEGER NOT NULL,
  origin TEXT NOT NULL,
  document TEXT NOT NULL CHECK (json_valid(document))
) STRICT;
CREATE INDEX version_newest ON version (workspace_id, template_ref, at, id);

CREATE TABLE send (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspace ON DELETE CASCADE,
  number TEXT NOT NULL,
  recipient TEXT NOT NULL,
  template_name TEXT NOT NULL,
  language TEXT NOT NULL,
  template_ref TEXT,
  payload TEXT NOT NULL,
  tracking_id TEXT UNIQUE,
  state TEXT NOT NULL CHECK (state IN ('recorded', 'accepted', 'refused', 'unknown')),
  message_id TEXT,
  response_status INTEGER,
  response_body TEXT,
  error TEXT CHECK (error IS NULL OR json_valid(error)),
  -- The current status by rank, kept from send_outcome.
  status TEXT,
  status_at INTEGER,
  created_at INTEGER NOT NULL,
  answered_at INTEGER,
  kind TEXT NOT NULL DEFAULT 'template' CHECK (kind IN ('template', 'text')),
  -- What it was made of, so that it can be made again, and where it went.
  request TEXT CHECK (request IS NULL OR json_valid(request)),
  url TEXT,
  -- The row of a batch that it was made for. A refused row may be sent again, any other never.
  batch_id TEXT,
  batch_row INTEGER,
  -- What figures need. The category is the one of the price or, until that is reported, of the template when it was sent.
  category TEXT,
  pricing_model TEXT,
  billable INTEGER,
  failure_code TEXT,
  -- When the first message arrived that answers this one.
  replied_at INTEGER,
  -- ISO 3166 code of the recipient's country, if it is a number of one.
  country TEXT,
  -- When it was first reported as delivered or read.
  delivered_at INTEGER,
  -- When a person sent the row again although this send, without an answer, may have arrived.
  resent_at INTEGER,
  -- The next attempt for the same row of the batch.
  superseded_by TEXT,
  -- Whether a tap on one of its buttons comes back as a message, as that of a quick reply does. Null: not known.
  tappable INTEGER,
  -- When the first message arrived that is such a tap.
  tapped_at INTEGER,
  -- Whether the next attempt is the message of the row. Not if the channel reported that this one was sent too.
  is_superseded INTEGER NOT NULL GENERATED ALWAYS AS
    (superseded_by IS NOT NULL AND (status IS NULL OR status = 'failed')) VIRTUAL
) STRICT;
CREATE INDEX send_newest ON send (workspace_id, created_at, id);
CREATE INDEX send_message ON send (message_id) WHERE message_id IS NOT NULL;
CREATE INDEX send_template ON send (workspace_id, template_name, created_at, id);
CREATE INDEX send_recipient ON send (workspace_id, recipient, created_at, id);
CREATE INDEX send_recorded ON send (id) WHERE state = 'recorded';
CREATE UNIQUE INDEX send_once ON send (batch_id, batch_row)
  WHERE batch_id IS NOT NULL AND state <> 'refused' AND resent_at IS NULL;
-- Attempts that another one may follow.
CREATE INDEX send_attempt ON send (batch_id, batch_row)
  WHERE superseded_by IS NULL AND (state = 'refused' OR resent_at IS NOT NULL);
CREATE INDEX send_batch ON send (batch_id, created_at, id) WHERE batch_id IS NOT NULL;
-- Who was sent a template lately: counted from this index alone.
CREATE INDEX send_people ON send (workspace_id, created_at, number, recipient, category) WHERE kind = 'template';
CREATE INDEX send_reference ON send (workspace_id, template_ref, created_at, id) WHERE template_ref IS NOT NULL;
-- The word that lists show.
CREATE INDEX send_state ON send (workspace_id, coalesce(status, state), created_at, id);

-- An attempt with an answer is superseded once the next one of its row is recorded.
CREATE TRIGGER send_superseded AFTER INSERT ON send WHEN NEW.batch_id IS NOT NULL BEGIN
  UPDATE send SET superseded_by = NEW.id
    WHERE batch_id = NEW.batch_id AND batch_row = NEW.batch_row AND superseded_by IS NULL
      AND (state = 'refused' OR resent_at IS NOT NULL) AND id <> NEW.id AND +created_at <= NEW.created_at;
END;

-- What the channel reported about a send. Kept here because the delivery log is emptied by retention one day.
CREATE TABLE send_outcome (
  send_id TEXT NOT NULL REFERENCES send ON DELETE CASCADE,
  status TEXT NOT NULL,
  at INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  error TEXT,
  received_at INTEGER,
  pricing TEXT,
  conversation TEXT,
  callback_data TEXT,
  PRIMARY KEY (send_id, status, at)
) STRICT, WITHOUT ROWID;

-- Events name templates that may belong to no workspace any more; there is nothing to refer to.
CREATE TABLE template_event (
  id INTEGER PRIMARY KEY,
  workspace_id TEXT NOT NULL,
  key TEXT NOT NULL,
  template_name TEXT NOT NULL,
  language TEXT NOT NULL,
  channel_id TEXT,
  at INTEGER NOT NULL,
  event TEXT NOT NULL,
  reason TEXT,
  value TEXT NOT NULL,
  -- The business account that it came from, where the event names one.
  waba TEXT,
  UNIQUE (workspace_id, key)
) STRICT;
CREATE INDEX template_event_name ON template_event (workspace_id, template_name, at);
CREATE INDEX template_event_channel ON template_event (workspace_id, channel_id, at) WHERE channel_id IS NOT NULL;
-- Reviews: figures of a whole workspace come from this index alone.
CREATE INDEX template_event_review ON template_event (workspace_id, at, event, template_name, language, reason, waba)
  WHERE event IN ('PENDING', 'APPROVED', 'REJECTED', 'PAUSED', 'DISABLED', 'FLAGGED', 'REINSTATED');

CREATE TABLE observation (
  id INTEGER PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspace ON DELETE CASCADE,
  template_ref TEXT NOT NULL,
  at INTEGER NOT NULL,
  field TEXT NOT NULL,
  before TEXT,
  after TEXT,
  -- When the listing was requested that still showed the value before: it changed after that.
  since INTEGER,
  -- The WABA that a status changed in, if those of the template have or had different ones.
  waba TEXT
) STRICT;
CREATE INDEX observation_template ON observation (workspace_id, template_ref, at);
CREATE INDEX observation_newest ON observation (workspace_id, at);
-- Templates that listings no longer had.
CREATE INDEX observation_removed ON observation (workspace_id, at, id) WHERE field = 'removed';

-- How far a person has read the messages of each identifier of a contact: made here, so not part of the cache that counts
-- what is unread.
CREATE TABLE read_mark (
  workspace_id TEXT NOT NULL REFERENCES workspace ON DELETE CASCADE,
  contact TEXT NOT NULL,
  -- The last item of the cache that was shown. Its identifier comes from the delivery log and is the same after a rebuild.
  item_id INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, contact)
) STRICT, WITHOUT ROWID;

-- Until when a person decided that the messages of each identifier of a contact need no answer. It is compared with the
-- instants of messages, which are the same in every cache and every delivery log.
CREATE TABLE no_answer (
  workspace_id TEXT NOT NULL REFERENCES workspace ON DELETE CASCADE,
  contact TEXT NOT NULL,
  until INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, contact)
) STRICT, WITHOUT ROWID;

-- Files that were chosen for drafts, to choose them again. Not of a workspace: a picture may serve in several.
CREATE TABLE recent_file (
  path TEXT PRIMARY KEY,
  mime TEXT NOT NULL,
  used_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX recent_file_newest ON recent_file (used_at);

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

-- Texts that a workspace keeps for replies.
CREATE TABLE saved_reply (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspace ON DELETE CASCADE,
  -- Unique in the workspace whatever the case, which the writer checks.
  name TEXT NOT NULL,
  text TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (workspace_id, name)
) STRICT;

-- Sends to many. A batch is planned whole, with all its rows, before the first send.
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
  ended_at INTEGER,
  -- What the check said that it costs.
  cost TEXT CHECK (cost IS NULL OR json_valid(cost)),
  -- Which column fills which part.
  mapping TEXT CHECK (mapping IS NULL OR json_valid(mapping))
) STRICT;
CREATE INDEX batch_newest ON batch (workspace_id, created_at, id);
CREATE INDEX batch_at_work ON batch (id) WHERE state IN ('running', 'cancelling');

CREATE TABLE batch_row (
  batch_id TEXT NOT NULL REFERENCES batch ON DELETE CASCADE,
  -- Line of the file, or position among the recipients.
  row INTEGER NOT NULL,
  recipient TEXT NOT NULL,
  -- The recipient as the file has it.
  written TEXT NOT NULL,
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

-- The columns of the file of a batch and the cells of its rows, for the file of its outcomes. Without rows here, the
-- batch has no file, or one that is too large to be kept.
CREATE TABLE batch_file (
  batch_id TEXT PRIMARY KEY REFERENCES batch ON DELETE CASCADE,
  columns TEXT NOT NULL CHECK (json_valid(columns))
) STRICT, WITHOUT ROWID;

CREATE TABLE batch_file_row (
  batch_id TEXT NOT NULL REFERENCES batch_file ON DELETE CASCADE,
  row INTEGER NOT NULL,
  cells TEXT NOT NULL CHECK (json_valid(cells)),
  PRIMARY KEY (batch_id, row)
) STRICT, WITHOUT ROWID;

-- Numbers of rows by state, kept by the triggers below, so that showing a batch counts nothing.
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

-- A row follows its send in the same transaction, whatever changes the send: so a row that is still planned was never
-- sent, and one that was in flight when the process ended is as unknown as its send. The channel can report any word, but
-- none that would make the row be sent again.
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

-- Batches made of people of an earlier one.
CREATE TABLE batch_round (
  batch_id TEXT PRIMARY KEY REFERENCES batch ON DELETE CASCADE,
  -- The earlier batch, and the group of its people.
  origin_id TEXT NOT NULL,
  people TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX batch_round_origin ON batch_round (origin_id);

CREATE TABLE batch_round_row (
  batch_id TEXT NOT NULL REFERENCES batch_round ON DELETE CASCADE,
  row INTEGER NOT NULL,
  -- The row of the earlier batch.
  origin_row INTEGER NOT NULL,
  -- How many messages the person was sent with this one, over all rounds.
  attempt INTEGER NOT NULL,
  -- Not to be sent before this instant of the provider's clock.
  not_before INTEGER,
  PRIMARY KEY (batch_id, row)
) STRICT, WITHOUT ROWID;

-- Rows that wait until the messaging limit has room for them.
CREATE TABLE batch_delay (
  batch_id TEXT NOT NULL REFERENCES batch ON DELETE CASCADE,
  row INTEGER NOT NULL,
  -- Not to be sent before this instant of the provider's clock.
  not_before INTEGER NOT NULL,
  PRIMARY KEY (batch_id, row)
) STRICT, WITHOUT ROWID;

-- The two batches between which one list was divided.
CREATE TABLE batch_side (
  batch_id TEXT PRIMARY KEY REFERENCES batch ON DELETE CASCADE,
  comparison_id TEXT NOT NULL,
  is_first INTEGER NOT NULL,
  -- Percentage of the list for the first one.
  share INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX batch_side_comparison ON batch_side (comparison_id);

-- Bulk actions: templates that are archived, unarchived or deleted, one or many at once. An action is planned whole, with
-- all its items, before the first request.
CREATE TABLE template_order (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspace ON DELETE CASCADE,
  action TEXT NOT NULL CHECK (action IN ('archive', 'unarchive', 'delete')),
  state TEXT NOT NULL CHECK (state IN ('planned', 'running', 'cancelling', 'cancelled', 'done', 'interrupted')),
  -- Why it was interrupted.
  error TEXT CHECK (error IS NULL OR json_valid(error)),
  -- The bulk action that it undoes.
  undo_of TEXT,
  -- What a person is shown before it starts.
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
  -- State of the template when the action was planned.
  status_before TEXT,
  archived_before INTEGER NOT NULL,
  state TEXT NOT NULL
    CHECK (state IN ('planned', 'leaving', 'done', 'failed', 'unknown', 'cancelled', 'skipped')),
  -- Why it failed, is not known, or was skipped.
  error TEXT CHECK (error IS NULL OR json_valid(error)),
  -- Number of requests.
  attempts INTEGER NOT NULL DEFAULT 0,
  -- When the last request left, and when it was answered or its outcome was found.
  left_at INTEGER,
  answered_at INTEGER,
  PRIMARY KEY (order_id, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX template_order_item_state ON template_order_item (order_id, state, position);
CREATE INDEX template_order_item_template ON template_order_item (workspace_id, template_ref);
CREATE INDEX template_order_item_open ON template_order_item (workspace_id, state) WHERE state IN ('leaving', 'unknown');

-- Numbers of items by state, kept by the triggers below, so that showing a bulk action counts nothing.
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

-- When each receiver could accept webhooks. `until` is updated while it runs, so that a crash leaves the last known
-- instant.
CREATE TABLE listening (
  id INTEGER PRIMARY KEY,
  receiver TEXT NOT NULL CHECK (receiver IN ('world', 'sandbox')),
  since INTEGER NOT NULL,
  until INTEGER NOT NULL
) STRICT;
CREATE INDEX listening_receiver ON listening (receiver, until, since);

-- Sends by template, language, category and the number they went out from: of each day without the template (`all`), of
-- each day (`day`), and of each month (`month`, such as 202611). Days are counted from 1970-01-01 UTC. Kept by the
-- triggers below, so that showing them counts nothing.
CREATE TABLE figure (
  workspace_id TEXT NOT NULL REFERENCES workspace ON DELETE CASCADE,
  grain TEXT NOT NULL,
  template_name TEXT NOT NULL,
  period INTEGER NOT NULL,
  language TEXT NOT NULL,
  category TEXT NOT NULL,
  number TEXT NOT NULL,
  sent INTEGER NOT NULL,
  delivered INTEGER NOT NULL,
  read INTEGER NOT NULL,
  replied INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  waiting INTEGER NOT NULL,
  clicked INTEGER NOT NULL,
  -- Of which a tap on a button would be known.
  tappable INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, grain, template_name, period, language, category, number)
) STRICT, WITHOUT ROWID;

-- Failures by the code of their reason; empty where none was reported.
CREATE TABLE figure_code (
  workspace_id TEXT NOT NULL REFERENCES workspace ON DELETE CASCADE,
  grain TEXT NOT NULL,
  template_name TEXT NOT NULL,
  period INTEGER NOT NULL,
  language TEXT NOT NULL,
  category TEXT NOT NULL,
  number TEXT NOT NULL,
  code TEXT NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, grain, template_name, period, language, category, number, code)
) STRICT, WITHOUT ROWID;

-- Messages by what they cost, by day. `unknown`: it arrived, and its price was not reported.
CREATE TABLE figure_price (
  workspace_id TEXT NOT NULL REFERENCES workspace ON DELETE CASCADE,
  period INTEGER NOT NULL,
  category TEXT NOT NULL,
  model TEXT NOT NULL,
  number TEXT NOT NULL,
  billable INTEGER NOT NULL,
  free INTEGER NOT NULL,
  unknown INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, period, category, model, number)
) STRICT, WITHOUT ROWID;

-- Delivered messages by what decides on their price, by the day of delivery. `unsaid`: it was not reported whether it is
-- charged.
CREATE TABLE figure_cost (
  workspace_id TEXT NOT NULL REFERENCES workspace ON DELETE CASCADE,
  period INTEGER NOT NULL,
  template_name TEXT NOT NULL,
  country TEXT NOT NULL,
  category TEXT NOT NULL,
  number TEXT NOT NULL,
  charged INTEGER NOT NULL,
  free INTEGER NOT NULL,
  unsaid INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, period, template_name, country, category, number)
) STRICT, WITHOUT ROWID;

-- What one send adds. A send counts once it reached the provider, also if it was refused at once; of the attempts for a
-- row of a batch, only the last one.
CREATE VIEW send_figure AS
  SELECT s.id, s.workspace_id, g.grain, CASE g.grain WHEN 'all' THEN '' ELSE s.template_name END AS template_name,
    CASE g.grain WHEN 'month' THEN CAST(strftime('%Y%m', s.created_at / 1000, 'unixepoch') AS INTEGER)
      ELSE s.created_at / 86400000 END AS period,
    s.language, coalesce(s.category, '') AS category, s.number, 1 AS sent,
    s.status IS NOT NULL AND s.status IN ('delivered', 'read', 'played') AS delivered,
    s.status IS NOT NULL AND s.status IN ('read', 'played') AS read,
    s.replied_at IS NOT NULL AS replied,
    CASE WHEN s.status IS NULL THEN s.state = 'refused' ELSE s.status = 'failed' END AS failed,
    s.status IS NULL AND s.state <> 'refused' AS waiting,
    s.tapped_at IS NOT NULL AS clicked, coalesce(s.tappable, 0) <> 0 AS tappable,
    coalesce(s.failure_code, '') AS code
  FROM send s CROSS JOIN (SELECT 'all' AS grain UNION ALL SELECT 'day' UNION ALL SELECT 'month') g
  WHERE s.kind = 'template' AND NOT s.is_superseded AND (s.status IS NOT NULL OR s.state IN ('accepted', 'unknown')
    OR s.state = 'refused' AND s.response_status IS NOT NULL);

CREATE VIEW send_price AS
  SELECT id, workspace_id, created_at / 86400000 AS period, coalesce(category, '') AS category,
    coalesce(pricing_model, '') AS model, number, billable IS NOT NULL AND billable <> 0 AS billable,
    billable IS NOT NULL AND billable = 0 AS free, billable IS NULL AS unknown
  FROM send WHERE billable IS NOT NULL OR pricing_model IS NOT NULL
    OR status IN ('sent', 'delivered', 'read', 'played');

CREATE VIEW send_cost AS
  SELECT id, workspace_id, delivered_at / 86400000 AS period, template_name, coalesce(country, '') AS country,
    CASE WHEN category IS NULL AND kind = 'text' THEN 'service' ELSE coalesce(category, '') END AS category, number,
    billable IS NOT NULL AND billable <> 0 AS charged, billable IS NOT NULL AND billable = 0 AS free,
    billable IS NULL AS unsaid, batch_id
  FROM send WHERE delivered_at IS NOT NULL;

CREATE TRIGGER send_counted AFTER INSERT ON send WHEN NEW.state <> 'recorded' OR NEW.status IS NOT NULL BEGIN
  INSERT INTO figure SELECT workspace_id, grain, template_name, period, language, category, number, sent, delivered,
      read, replied, failed, waiting, clicked, tappable FROM send_figure WHERE id = NEW.id
    ON CONFLICT DO UPDATE SET sent = sent + excluded.sent, delivered = delivered + excluded.delivered,
      read = read + excluded.read, replied = replied + excluded.replied, failed = failed + excluded.failed,
      waiting = waiting + excluded.waiting, clicked = clicked + excluded.clicked,
      tappable = tappable + excluded.tappable;
  INSERT INTO figure_code SELECT workspace_id, grain, template_name, period, language, category, number, code, 1
      FROM send_figure WHERE id = NEW.id AND failed
    ON CONFLICT DO UPDATE SET n = n + excluded.n;
  INSERT INTO figure_price SELECT workspace_id, period, category, model, number, billable, free, unknown
      FROM send_price WHERE id = NEW.id
    ON CONFLICT DO UPDATE SET billable = billable + excluded.billable, free = free + excluded.free,
      unknown = unknown + excluded.unknown;
END;

-- A send that goes on to another status, as almost all changes are, stays in its rows.
CREATE TRIGGER send_moved AFTER UPDATE OF
    state, status, response_status, category, failure_code, replied_at, tappable, tapped_at ON send
  WHEN OLD.status IS NOT NULL AND NEW.status IS NOT NULL AND NEW.kind = 'template' AND NEW.category IS OLD.category
    AND coalesce(NEW.status = 'failed', 0) = 0 AND coalesce(OLD.status = 'failed', 0) = 0 BEGIN
  UPDATE figure SET
      delivered = delivered + (NEW.status IN ('delivered', 'read', 'played'))
        - (OLD.status IN ('delivered', 'read', 'played')),
      read = read + (NEW.status IN ('read', 'played')) - (OLD.status IN ('read', 'played')),
      replied = replied + (NEW.replied_at IS NOT NULL) - (OLD.replied_at IS NOT NULL),
      clicked = clicked + (NEW.tapped_at IS NOT NULL) - (OLD.tapped_at IS NOT NULL),
      tappable = tappable + (coalesce(NEW.tappable, 0) <> 0) - (coalesce(OLD.tappable, 0) <> 0)
    WHERE workspace_id = NEW.workspace_id AND grain = 'all' AND template_name = '' AND period = NEW.created_at / 86400000
      AND language = NEW.language AND category = coalesce(NEW.category, '') AND number = NEW.number;
  UPDATE figure SET
      delivered = delivered + (NEW.status IN ('delivered', 'read', 'played'))
        - (OLD.status IN ('delivered', 'read', 'played')),
      read = read + (NEW.status IN ('read', 'played')) - (OLD.status IN ('read', 'played')),
      replied = replied + (NEW.replied_at IS NOT NULL) - (OLD.replied_at IS NOT NULL),
      clicked = clicked + (NEW.tapped_at IS NOT NULL) - (OLD.tapped_at IS NOT NULL),
      tappable = tappable + (coalesce(NEW.tappable, 0) <> 0) - (coalesce(OLD.tappable, 0) <> 0)
    WHERE workspace_id = NEW.workspace_id AND grain = 'day' AND template_name = NEW.template_name
      AND period = NEW.created_at / 86400000 AND language = NEW.language AND category = coalesce(NEW.category, '')
      AND number = NEW.number;
  UPDATE figure SET
      delivered = delivered + (NEW.status IN ('delivered', 'read', 'played'))
        - (OLD.status IN ('delivered', 'read', 'played')),
      read = read + (NEW.status IN ('read', 'played')) - (OLD.status IN ('read', 'played')),
      replied = replied + (NEW.replied_at IS NOT NULL) - (OLD.replied_at IS NOT NULL),
      clicked = clicked + (NEW.tapped_at IS NOT NULL) - (OLD.tapped_at IS NOT NULL),
      tappable = tappable + (coalesce(NEW.tappable, 0) <> 0) - (coalesce(OLD.tappable, 0) <> 0)
    WHERE workspace_id = NEW.workspace_id AND grain = 'month' AND template_name = NEW.template_name
      AND period = CAST(strftime('%Y%m', NEW.created_at / 1000, 'unixepoch') AS INTEGER)
      AND language = NEW.language AND category = coalesce(NEW.category, '') AND number = NEW.number;
END;

-- Any other change takes away what the send added before, and adds what it adds now.
CREATE TRIGGER send_uncounted BEFORE UPDATE OF
    state, status, response_status, category, failure_code, replied_at, superseded_by, tappable, tapped_at ON send
  WHEN NOT (OLD.status IS NOT NULL AND NEW.status IS NOT NULL AND NEW.kind = 'template' AND NEW.category IS OLD.category
    AND coalesce(NEW.status = 'failed', 0) = 0 AND coalesce(OLD.status = 'failed', 0) = 0) BEGIN
  INSERT INTO figure SELECT workspace_id, grain, template_name, period, language, category, number, -sent, -delivered,
      -read, -replied, -failed, -waiting, -clicked, -tappable FROM send_figure WHERE id = OLD.id
    ON CONFLICT DO UPDATE SET sent = sent + excluded.sent, delivered = delivered + excluded.delivered,
      read = read + excluded.read, replied = replied + excluded.replied, failed = failed + excluded.failed,
      waiting = waiting + excluded.waiting, clicked = clicked + excluded.clicked,
      tappable = tappable + excluded.tappable;
  INSERT INTO figure_code SELECT workspace_id, grain, template_name, period, language, category, number, code, -1
      FROM send_figure WHERE id = OLD.id AND failed
    ON CONFLICT DO UPDATE SET n = n + excluded.n;
END;
CREATE TRIGGER send_counted_again AFTER UPDATE OF
    state, status, response_status, category, failure_code, replied_at, superseded_by, tappable, tapped_at ON send
  WHEN NOT (OLD.status IS NOT NULL AND NEW.status IS NOT NULL AND NEW.kind = 'template' AND NEW.category IS OLD.category
    AND coalesce(NEW.status = 'failed', 0) = 0 AND coalesce(OLD.status = 'failed', 0) = 0) BEGIN
  INSERT INTO figure SELECT workspace_id, grain, template_name, period, language, category, number, sent, delivered,
      read, replied, failed, waiting, clicked, tappable FROM send_figure WHERE id = NEW.id
    ON CONFLICT DO UPDATE SET sent = sent + excluded.sent, delivered = delivered + excluded.delivered,
      read = read + excluded.read, replied = replied + excluded.replied, failed = failed + excluded.failed,
      waiting = waiting + excluded.waiting, clicked = clicked + excluded.clicked,
      tappable = tappable + excluded.tappable;
  INSERT INTO figure_code SELECT workspace_id, grain, template_name, period, language, category, number, code, 1
      FROM send_figure WHERE id = NEW.id AND failed
    ON CONFLICT DO UPDATE SET n = n + excluded.n;
END;

CREATE TRIGGER send_unpriced BEFORE UPDATE OF status, category, pricing_model, billable ON send
  WHEN NEW.category IS NOT OLD.category OR NEW.pricing_model IS NOT OLD.pricing_model OR NEW.billable IS NOT OLD.billable
    OR NEW.billable IS NULL AND NEW.pricing_model IS NULL AND NEW.status IS NOT OLD.status BEGIN
  INSERT INTO figure_price SELECT workspace_id, period, category, model, number, -billable, -free, -unknown
      FROM send_price WHERE id = OLD.id
    ON CONFLICT DO UPDATE SET billable = billable + excluded.billable, free = free + excluded.free,
      unknown = unknown + excluded.unknown;
END;
CREATE TRIGGER send_priced AFTER UPDATE OF status, category, pricing_model, billable ON send
  WHEN NEW.category IS NOT OLD.category OR NEW.pricing_model IS NOT OLD.pricing_model OR NEW.billable IS NOT OLD.billable
    OR NEW.billable IS NULL AND NEW.pricing_model IS NULL AND NEW.status IS NOT OLD.status BEGIN
  INSERT INTO figure_price SELECT workspace_id, period, category, model, number, billable, free, unknown
      FROM send_price WHERE id = NEW.id
    ON CONFLICT DO UPDATE SET billable = billable + excluded.billable, free = free + excluded.free,
      unknown = unknown + excluded.unknown;
END;

CREATE TRIGGER send_cost_added AFTER INSERT ON send WHEN NEW.delivered_at IS NOT NULL BEGIN
  INSERT INTO figure_cost SELECT workspace_id, period, template_name, country, category, number, charged, free, unsaid
      FROM send_cost WHERE id = NEW.id
    ON CONFLICT DO UPDATE SET charged = charged + excluded.charged, free = free + excluded.free,
      unsaid = unsaid + excluded.unsaid;
END;
CREATE TRIGGER send_cost_removed BEFORE UPDATE OF delivered_at, category, billable ON send
  WHEN OLD.delivered_at IS NOT NULL AND (NEW.delivered_at IS NOT OLD.delivered_at OR NEW.category IS NOT OLD.category
    OR NEW.billable IS NOT OLD.billable) BEGIN
  INSERT INTO figure_cost SELECT workspace_id, period, template_name, country, category, number, -charged, -free,
      -unsaid FROM send_cost WHERE id = OLD.id
    ON CONFLICT DO UPDATE SET charged = charged + excluded.charged, free = free + excluded.free,
      unsaid = unsaid + excluded.unsaid;
END;
CREATE TRIGGER send_cost_changed AFTER UPDATE OF delivered_at, category, billable ON send
  WHEN NEW.delivered_at IS NOT NULL AND (NEW.delivered_at IS NOT OLD.delivered_at OR NEW.category IS NOT OLD.category
    OR NEW.billable IS NOT OLD.billable) BEGIN
  INSERT INTO figure_cost SELECT workspace_id, period, template_name, country, category, number, charged, free, unsaid
      FROM send_cost WHERE id = NEW.id
    ON CONFLICT DO UPDATE SET charged = charged + excluded.charged, free = free + excluded.free,
      unsaid = unsaid + excluded.unsaid;
END;

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
  -- When the last request left, and when it was answered or its outcome was found.
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

-- Who wants no marketing messages, by what says so: a person's choice, a failed message, an opt-out word, a note made here.
CREATE TABLE marketing_preference (
  workspace_id TEXT NOT NULL,
  -- Digits with country code, or a user id.
  person TEXT NOT NULL,
  source TEXT NOT NULL CHECK (source IN ('preference', 'failure', 'reply', 'note')),
  -- The account and the number of ours that it is about; empty where that is not known.
  waba TEXT NOT NULL,
  number TEXT NOT NULL,
  is_stopped INTEGER NOT NULL,
  at INTEGER NOT NULL,
  -- Of a stop that a file brought: the name of the file, and the name of the person in it.
  file TEXT,
  name TEXT,
  PRIMARY KEY (workspace_id, person, source, waba, number)
) STRICT, WITHOUT ROWID;

-- The opt-out words of a workspace that has edited them. A word counts for messages received from one time to another, so
-- that reading all deliveries again gives the same result.
CREATE TABLE opt_out_word (
  workspace_id TEXT NOT NULL REFERENCES workspace ON DELETE CASCADE,
  word TEXT NOT NULL,
  counts_from INTEGER NOT NULL,
  counts_until INTEGER,
  PRIMARY KEY (workspace_id, word, counts_from)
) STRICT, WITHOUT ROWID;

-- What messages of a workspace cost.
CREATE TABLE rate_card (
  workspace_id TEXT PRIMARY KEY REFERENCES workspace ON DELETE CASCADE,
  -- Name of its file.
  name TEXT NOT NULL,
  imported_at INTEGER NOT NULL,
  card TEXT NOT NULL CHECK (json_valid(card))
) STRICT;
