-- Templates as the provider last listed them.

CREATE TABLE listing (
  workspace_id TEXT PRIMARY KEY,
  -- The first request of the last complete listing; see RequestMark.
  asked_number INTEGER NOT NULL,
  asked_last_seq INTEGER NOT NULL,
  asked_at INTEGER NOT NULL,
  -- Under which keys the last one that held anything had its list, such as data.
  list_path TEXT
) STRICT, WITHOUT ROWID;

CREATE TABLE template (
  id INTEGER PRIMARY KEY,
  -- The change that made it what it is.
  version INTEGER NOT NULL,
  workspace_id TEXT NOT NULL,
  ref TEXT NOT NULL,
  channel_id TEXT,
  name TEXT NOT NULL,
  language TEXT NOT NULL,
  -- The language without the freedom of its notation: en-US and en_US are the same.
  language_key TEXT NOT NULL,
  status TEXT NOT NULL,
  -- Null: nobody said.
  archived INTEGER,
  -- Empty: nobody said.
  category TEXT NOT NULL,
  sub_category TEXT,
  kind TEXT NOT NULL,
  business_id TEXT,
  quality TEXT,
  rejected_reason TEXT,
  wabas TEXT NOT NULL,
  -- The sequence number after which events report its status in each of its accounts. Null: after asked_last_seq.
  statuses_seq INTEGER,
  -- JSON array of its status in each of its accounts, if they differ: [["200000000000001", "PAUSED"], …]. Else empty.
  statuses TEXT NOT NULL,
  header_format TEXT,
  carousel INTEGER NOT NULL,
  sample INTEGER NOT NULL,
  -- The category asked for, where that is known: often the one it has.
  asked_category TEXT,
  -- What languages of one name have in common or not.
  shape TEXT NOT NULL,
  body_text TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  -- The request that it was in the answer of.
  asked_number INTEGER NOT NULL,
  asked_last_seq INTEGER NOT NULL,
  asked_at INTEGER NOT NULL,
  -- Since when it stands where it stands; exact, or first seen so by a listing. Null: nobody here knows.
  status_since INTEGER,
  status_exact INTEGER NOT NULL,
  archived_since INTEGER,
  archived_exact INTEGER NOT NULL,
  last_sent_at INTEGER,
  -- The number of the request of the first complete listing that left it out, and it was kept.
  left_out_by INTEGER,
  -- When that request was sent.
  left_out_at INTEGER,
  UNIQUE (workspace_id, ref)
) STRICT;
CREATE INDEX template_name ON template (workspace_id, name, language_key);
CREATE INDEX template_asked ON template (asked_number);
CREATE INDEX template_left_out ON template (workspace_id, left_out_by) WHERE left_out_by IS NOT NULL;
CREATE INDEX template_channel ON template (workspace_id, channel_id) WHERE channel_id IS NOT NULL;

-- What the provider wrote. Not with the rest: it is long, and lists do not read it.
CREATE TABLE template_record (
  id INTEGER PRIMARY KEY REFERENCES template ON DELETE CASCADE,
  record TEXT NOT NULL
) STRICT;

-- Counts the changes of templates, so that what is held of them in memory can be brought up to date; and tells one file
-- from another.
CREATE TABLE template_clock (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  epoch INTEGER NOT NULL,
  version INTEGER NOT NULL
) STRICT;
INSERT INTO template_clock (id, epoch, version) VALUES (1, random(), 0);
CREATE INDEX template_version ON template (workspace_id, version);

-- Templates that were removed since the file was opened.
CREATE TABLE template_gone (
  workspace_id TEXT NOT NULL,
  version INTEGER NOT NULL,
  id INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, version, id)
) STRICT, WITHOUT ROWID;
