-- Templates that listings no longer had.
CREATE INDEX observation_removed ON observation (workspace_id, at, id) WHERE field = 'removed';

-- When webhooks could come in: one for the world, one for the sandbox. `until` moves on while it runs, so that a crash
-- leaves the last instant of which that is known.
CREATE TABLE listening (
  id INTEGER PRIMARY KEY,
  receiver TEXT NOT NULL CHECK (receiver IN ('world', 'sandbox')),
  since INTEGER NOT NULL,
  until INTEGER NOT NULL
) STRICT;
CREATE INDEX listening_receiver ON listening (receiver, until, since);

-- What reviews said: figures of a whole workspace come from this alone.
CREATE INDEX template_event_review ON template_event (workspace_id, at, event, template_name, language, reason)
  WHERE event IN ('PENDING', 'APPROVED', 'REJECTED');

-- What figures are about. The category is what the channel priced the message by or, until that is told, the template's
-- when it was sent. The answer to a message is the first one of a person that names it.
ALTER TABLE send ADD COLUMN category TEXT;
ALTER TABLE send ADD COLUMN pricing_model TEXT;
ALTER TABLE send ADD COLUMN billable INTEGER;
ALTER TABLE send ADD COLUMN failure_code TEXT;
ALTER TABLE send ADD COLUMN replied_at INTEGER;

UPDATE send SET (category, pricing_model, billable) = (
    SELECT lower(json_extract(pricing, '$.category')), json_extract(pricing, '$.pricing_model'),
      json_extract(pricing, '$.billable')
    FROM send_outcome WHERE send_id = send.id AND json_valid(pricing) ORDER BY at DESC, status DESC LIMIT 1)
  WHERE EXISTS (SELECT 1 FROM send_outcome WHERE send_id = send.id AND json_valid(pricing));
UPDATE send SET failure_code = (
    SELECT json_extract(error, '$.code') FROM send_outcome
    WHERE send_id = send.id AND status = 'failed' AND json_valid(error) ORDER BY at LIMIT 1)
  WHERE status = 'failed';
UPDATE send SET failure_code = coalesce(json_extract(error, '$.errorCode'), 'HTTP ' || response_status)
  WHERE status IS NULL AND state = 'refused' AND response_status IS NOT NULL;

-- Sends by template, language and category: of each day without the template (`all`), of each day (`day`), and of each
-- month (`month`, such as 202611). Days are counted from 1970-01-01 UTC. Kept by the triggers below: nobody counts
-- sends to show them.
CREATE TABLE figure (
  workspace_id TEXT NOT NULL REFERENCES workspace ON DELETE CASCADE,
  grain TEXT NOT NULL,
  template_name TEXT NOT NULL,
  period INTEGER NOT NULL,
  language TEXT NOT NULL,
  category TEXT NOT NULL,
  sent INTEGER NOT NULL,
  delivered INTEGER NOT NULL,
  read INTEGER NOT NULL,
  replied INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  waiting INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, grain, template_name, period, language, category)
) STRICT, WITHOUT ROWID;

-- Failures by the code of their reason; an empty one where none was told.
CREATE TABLE figure_code (
  workspace_id TEXT NOT NULL REFERENCES workspace ON DELETE CASCADE,
  grain TEXT NOT NULL,
  template_name TEXT NOT NULL,
  period INTEGER NOT NULL,
  language TEXT NOT NULL,
  category TEXT NOT NULL,
  code TEXT NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, grain, template_name, period, language, category, code)
) STRICT, WITHOUT ROWID;

-- Messages by what they cost, by day. `unknown`: it arrived, and its price was not told.
CREATE TABLE figure_price (
  workspace_id TEXT NOT NULL REFERENCES workspace ON DELETE CASCADE,
  period INTEGER NOT NULL,
  category TEXT NOT NULL,
  model TEXT NOT NULL,
  billable INTEGER NOT NULL,
  free INTEGER NOT NULL,
  unknown INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, period, category, model)
) STRICT, WITHOUT ROWID;

-- What one send adds. A send counts when it has left: also one that the provider refused at once, and not one that never
-- reached it.
CREATE VIEW send_figure AS
  SELECT s.id, s.workspace_id, g.grain, CASE g.grain WHEN 'all' THEN '' ELSE s.template_name END AS template_name,
    CASE g.grain WHEN 'month' THEN CAST(strftime('%Y%m', s.created_at / 1000, 'unixepoch') AS INTEGER)
      ELSE s.created_at / 86400000 END AS period,
    s.language, coalesce(s.category, '') AS category, 1 AS sent,
    s.status IS NOT NULL AND s.status IN ('delivered', 'read', 'played') AS delivered,
    s.status IS NOT NULL AND s.status IN ('read', 'played') AS read,
    s.replied_at IS NOT NULL AS replied,
    CASE WHEN s.status IS NULL THEN s.state = 'refused' ELSE s.status = 'failed' END AS failed,
    s.status IS NULL AND s.state <> 'refused' AS waiting,
    coalesce(s.failure_code, '') AS code
  FROM send s CROSS JOIN (SELECT 'all' AS grain UNION ALL SELECT 'day' UNION ALL SELECT 'month') g
  WHERE s.kind = 'template' AND (s.status IS NOT NULL OR s.state IN ('accepted', 'unknown')
    OR s.state = 'refused' AND s.response_status IS NOT NULL);

CREATE VIEW send_price AS
  SELECT id, workspace_id, created_at / 86400000 AS period, coalesce(category, '') AS category,
    coalesce(pricing_model, '') AS model, billable IS NOT NULL AND billable <> 0 AS billable,
    billable IS NOT NULL AND billable = 0 AS free, billable IS NULL AS unknown
  FROM send WHERE billable IS NOT NULL OR pricing_model IS NOT NULL
    OR status IN ('sent', 'delivered', 'read', 'played');

CREATE TRIGGER send_counted AFTER INSERT ON send WHEN NEW.state <> 'recorded' OR NEW.status IS NOT NULL BEGIN
  INSERT INTO figure SELECT workspace_id, grain, template_name, period, language, category, sent, delivered, read,
      replied, failed, waiting FROM send_figure WHERE id = NEW.id
    ON CONFLICT DO UPDATE SET sent = sent + excluded.sent, delivered = delivered + excluded.delivered,
      read = read + excluded.read, replied = replied + excluded.replied, failed = failed + excluded.failed,
      waiting = waiting + excluded.waiting;
  INSERT INTO figure_code SELECT workspace_id, grain, template_name, period, language, category, code, 1
      FROM send_figure WHERE id = NEW.id AND failed
    ON CONFLICT DO UPDATE SET n = n + excluded.n;
  INSERT INTO figure_price SELECT workspace_id, period, category, model, billable, free, unknown
      FROM send_price WHERE id = NEW.id
    ON CONFLICT DO UPDATE SET billable = billable + excluded.billable, free = free + excluded.free,
      unknown = unknown + excluded.unknown;
END;

-- A send that goes on to another status, as almost all changes are, stays in its rows.
CREATE TRIGGER send_moved AFTER UPDATE OF state, status, response_status, category, failure_code, replied_at ON send
  WHEN OLD.status IS NOT NULL AND NEW.status IS NOT NULL AND NEW.kind = 'template' AND NEW.category IS OLD.category
    AND coalesce(NEW.status = 'failed', 0) = 0 AND coalesce(OLD.status = 'failed', 0) = 0 BEGIN
  UPDATE figure SET
      delivered = delivered + (NEW.status IN ('delivered', 'read', 'played'))
        - (OLD.status IN ('delivered', 'read', 'played')),
      read = read + (NEW.status IN ('read', 'played')) - (OLD.status IN ('read', 'played')),
      replied = replied + (NEW.replied_at IS NOT NULL) - (OLD.replied_at IS NOT NULL)
    WHERE workspace_id = NEW.workspace_id AND grain = 'all' AND template_name = '' AND period = NEW.created_at / 86400000
      AND language = NEW.language AND category = coalesce(NEW.category, '');
  UPDATE figure SET
      delivered = delivered + (NEW.status IN ('delivered', 'read', 'played'))
        - (OLD.status IN ('delivered', 'read', 'played')),
      read = read + (NEW.status IN ('read', 'played')) - (OLD.status IN ('read', 'played')),
      replied = replied + (NEW.replied_at IS NOT NULL) - (OLD.replied_at IS NOT NULL)
    WHERE workspace_id = NEW.workspace_id AND grain = 'day' AND template_name = NEW.template_name
      AND period = NEW.created_at / 86400000 AND language = NEW.language AND category = coalesce(NEW.category, '');
  UPDATE figure SET
      delivered = delivered + (NEW.status IN ('delivered', 'read', 'played'))
        - (OLD.status IN ('delivered', 'read', 'played')),
      read = read + (NEW.status IN ('read', 'played')) - (OLD.status IN ('read', 'played')),
      replied = replied + (NEW.replied_at IS NOT NULL) - (OLD.replied_at IS NOT NULL)
    WHERE workspace_id = NEW.workspace_id AND grain = 'month' AND template_name = NEW.template_name
      AND period = CAST(strftime('%Y%m', NEW.created_at / 1000, 'unixepoch') AS INTEGER)
      AND language = NEW.language AND category = coalesce(NEW.category, '');
END;

-- Any other change takes away what the send added before, and adds what it adds now.
CREATE TRIGGER send_uncounted BEFORE UPDATE OF state, status, response_status, category, failure_code, replied_at ON send
  WHEN NOT (OLD.status IS NOT NULL AND NEW.status IS NOT NULL AND NEW.kind = 'template' AND NEW.category IS OLD.category
    AND coalesce(NEW.status = 'failed', 0) = 0 AND coalesce(OLD.status = 'failed', 0) = 0) BEGIN
  INSERT INTO figure SELECT workspace_id, grain, template_name, period, language, category, -sent, -delivered, -read,
      -replied, -failed, -waiting FROM send_figure WHERE id = OLD.id
    ON CONFLICT DO UPDATE SET sent = sent + excluded.sent, delivered = delivered + excluded.delivered,
      read = read + excluded.read, replied = replied + excluded.replied, failed = failed + excluded.failed,
      waiting = waiting + excluded.waiting;
  INSERT INTO figure_code SELECT workspace_id, grain, template_name, period, language, category, code, -1
      FROM send_figure WHERE id = OLD.id AND failed
    ON CONFLICT DO UPDATE SET n = n + excluded.n;
END;
CREATE TRIGGER send_counted_again AFTER UPDATE OF state, status, response_status, category, failure_code, replied_at ON send
  WHEN NOT (OLD.status IS NOT NULL AND NEW.status IS NOT NULL AND NEW.kind = 'template' AND NEW.category IS OLD.category
    AND coalesce(NEW.status = 'failed', 0) = 0 AND coalesce(OLD.status = 'failed', 0) = 0) BEGIN
  INSERT INTO figure SELECT workspace_id, grain, template_name, period, language, category, sent, delivered, read,
      replied, failed, waiting FROM send_figure WHERE id = NEW.id
    ON CONFLICT DO UPDATE SET sent = sent + excluded.sent, delivered = delivered + excluded.delivered,
      read = read + excluded.read, replied = replied + excluded.replied, failed = failed + excluded.failed,
      waiting = waiting + excluded.waiting;
  INSERT INTO figure_code SELECT workspace_id, grain, template_name, period, language, category, code, 1
      FROM send_figure WHERE id = NEW.id AND failed
    ON CONFLICT DO UPDATE SET n = n + excluded.n;
END;

CREATE TRIGGER send_unpriced BEFORE UPDATE OF status, category, pricing_model, billable ON send
  WHEN NEW.category IS NOT OLD.category OR NEW.pricing_model IS NOT OLD.pricing_model OR NEW.billable IS NOT OLD.billable
    OR NEW.billable IS NULL AND NEW.pricing_model IS NULL AND NEW.status IS NOT OLD.status BEGIN
  INSERT INTO figure_price SELECT workspace_id, period, category, model, -billable, -free, -unknown
      FROM send_price WHERE id = OLD.id
    ON CONFLICT DO UPDATE SET billable = billable + excluded.billable, free = free + excluded.free,
      unknown = unknown + excluded.unknown;
END;
CREATE TRIGGER send_priced AFTER UPDATE OF status, category, pricing_model, billable ON send
  WHEN NEW.category IS NOT OLD.category OR NEW.pricing_model IS NOT OLD.pricing_model OR NEW.billable IS NOT OLD.billable
    OR NEW.billable IS NULL AND NEW.pricing_model IS NULL AND NEW.status IS NOT OLD.status BEGIN
  INSERT INTO figure_price SELECT workspace_id, period, category, model, billable, free, unknown
      FROM send_price WHERE id = NEW.id
    ON CONFLICT DO UPDATE SET billable = billable + excluded.billable, free = free + excluded.free,
      unknown = unknown + excluded.unknown;
END;

INSERT INTO figure SELECT workspace_id, grain, template_name, period, language, category, sum(sent), sum(delivered),
    sum(read), sum(replied), sum(failed), sum(waiting) FROM send_figure GROUP BY 1, 2, 3, 4, 5, 6;
INSERT INTO figure_code SELECT workspace_id, grain, template_name, period, language, category, code, count(*)
  FROM send_figure WHERE failed GROUP BY 1, 2, 3, 4, 5, 6, 7;
INSERT INTO figure_price SELECT workspace_id, period, category, model, sum(billable), sum(free), sum(unknown)
  FROM send_price GROUP BY 1, 2, 3, 4;
